/** A question as read from a QTI file, and its conversion to the form that the import stores. */

import { plainText } from '#server/platform/text/plain-text.ts';
import {
  blankSeparator,
  checkQuestion,
  draftMessages,
  hasOptions,
  judgementOptions,
  normaliseDraft,
  type QuestionDraft,
  type QuestionType,
  remarkLimit,
} from '#server/questions/rules.ts';
import type { ImportedQuestion, ImportNote } from '../imported-question.ts';
import type { KeptPicture } from '../rich-line.ts';
import { importedMessages, lossMessages, missingField, qtiMessages } from '../rules.ts';
import { judgementOptionIds } from '../spelling.ts';
import { finishHtml, picturesIn } from './content.ts';

export interface QtiOption {
  html: string;
  isRight: boolean;
}

/** HTML comes from `contentHtml`. */
export interface QtiQuestion {
  /** Place of the item in the file, for messages. */
  where: string;
  type: QuestionType;
  stem: string;
  options: QtiOption[];
  /** Answer of a short answer question, as HTML. */
  answer: string;
  /** Answers of a fill-in question. */
  blanks: string[];
  ignoresCase: boolean;
  analysis: string;
  /** 1 (easy) to 5 (hard); undefined if the file does not say it. */
  difficulty?: number | undefined;
  remark: string;
  parts: QtiQuestion[];
  score?: number | undefined;
  losses: string[];
  doubts: string[];
  /** Id of the text that several items share; those become the parts of one material question. */
  material?: string | undefined;
}

export const newQuestion = (where: string, type: QuestionType): QtiQuestion => ({
  where,
  type,
  stem: '',
  options: [],
  answer: '',
  blanks: [],
  ignoresCase: false,
  analysis: '',
  remark: '',
  parts: [],
  losses: [],
  doubts: [],
});

/** Sets the type and options of a choice question. Two options such as True and False make a true/false question. */
export function setChoice(question: QtiQuestion, options: readonly QtiOption[], isMultiple: boolean): void {
  question.options = [...options];
  const rightCount = options.filter(({ isRight }) => isRight).length;
  if (isMultiple) question.type = rightCount === 1 ? 4 : 3;
  else question.type = judgementOf(options) ? 2 : 1;
}

const judgementOf = (options: readonly QtiOption[]) => judgementOptionIds(options.map(({ html }) => plainText(html)));

/** Paragraphs after each other, as one text. */
export const joinHtml = (...texts: readonly string[]): string =>
  texts
    .filter((html) => html !== '')
    .map((html, _, all) => (all.length > 1 && !isBlock(html) ? `<p>${html}</p>` : html))
    .join('');

const isBlock = (html: string): boolean => /^<(?:p|ul|ol|table|pre|hr)\b/.test(html);

/** Numbers of the pictures of a question and its parts. */
export const picturesOf = (question: QtiQuestion): number[] => [
  ...[question.stem, question.answer, question.analysis, ...question.options.map(({ html }) => html)].flatMap(
    picturesIn,
  ),
  ...question.parts.flatMap(picturesOf),
];

const usualDifficulty = 3;

/**
 * Checks a question by the rules of the form, once its pictures are stored. `isUnrated`: the whole file has no
 * difficulties, which is said once.
 */
export function finishQuestion(
  question: QtiQuestion,
  keptPicture: (number: number) => KeptPicture | undefined,
  isUnrated: boolean,
): ImportedQuestion {
  const losses: ImportNote[] = [];
  const doubts: ImportNote[] = [];
  if (question.difficulty === undefined && !isUnrated)
    losses.push({ where: question.where, message: lossMessages.difficulty });
  const draft = normaliseDraft(draftOf(question, keptPicture, losses, doubts));
  const score = scoreOf(question, doubts);
  return {
    draft,
    source: { place: question.where },
    errors: errorsOf(question, draft),
    losses: withoutRepeats(losses),
    doubts: withoutRepeats(doubts),
    ...(score !== undefined && { score }),
  };
}

function draftOf(
  question: QtiQuestion,
  keptPicture: (number: number) => KeptPicture | undefined,
  losses: ImportNote[],
  doubts: ImportNote[],
): QuestionDraft {
  const { where, type } = question;
  const lose = (message: string) => losses.push({ where, message });
  const html = (written: string) => finishHtml(written, keptPicture, lose);
  for (const message of question.losses) lose(message);
  for (const message of question.doubts) doubts.push({ where, message });
  const right = type === 2 ? rightJudgement(question.options) : 0;
  return {
    ques_type: type,
    ques_stem: html(question.stem),
    ques_option:
      type === 2
        ? judgementOptions(right)
        : question.options.map((option, index) => ({
            id: index + 1,
            content: html(option.html),
            is_right: option.isRight ? 1 : 2,
          })),
    right_answer: type === 7 ? question.blanks.join(blankSeparator) : html(question.answer),
    ignore_case: question.ignoresCase ? 1 : 0,
    ques_analysis: html(question.analysis),
    facility_value: question.difficulty ?? usualDifficulty,
    remark: remarkOf(question, lose),
    ques_item: question.parts.map((part) =>
      draftOf({ ...part, difficulty: part.difficulty ?? question.difficulty }, keptPicture, losses, doubts),
    ),
  };
}

/** Returns which option of a true/false question is right: 1 正确, 2 错误, 0 none. The file may have either order. */
function rightJudgement(options: readonly QtiOption[]): 0 | 1 | 2 {
  const right = options.flatMap(({ isRight }, index) => (isRight ? [index + 1] : []));
  const [only] = right;
  if (only === undefined || right.length > 1) return 0;
  return only === (judgementOf(options)?.right ?? 1) ? 1 : 2;
}

function remarkOf({ remark }: QtiQuestion, lose: (message: string) => void): string {
  const written = remark.replace(/\s+/g, ' ').trim();
  if ([...written].length <= remarkLimit) return written;
  lose(qtiMessages.longRemark(written));
  return '';
}

/** Scores are in halves of a point. */
function scoreOf({ score, where }: QtiQuestion, doubts: ImportNote[]): number | undefined {
  if (score === undefined || score <= 0) return undefined;
  const halves = Math.round(score * 2) / 2;
  if (Math.abs(halves - score) < 0.001) return halves;
  doubts.push({ where, message: qtiMessages.oddScore(Number(score.toFixed(4))) });
  return undefined;
}

function errorsOf(question: QtiQuestion, draft: QuestionDraft): ImportNote[] {
  const notes = Object.entries(checkQuestion(draft)).flatMap(([path, messages]) => {
    const part = /^ques_item\.(\d+)\.(.+)$/.exec(path);
    const read = (part && question.parts[Number(part[1])]) || question;
    return messages.map((message) => ({ where: read.where, message: errorMessage(read, part?.[2] ?? path, message) }));
  });
  return withoutRepeats(notes);
}

const fieldNames: Readonly<Record<string, string>> = { ques_stem: '题干', right_answer: '答案' };

/** Names a missing field, instead of the form's general message. */
function errorMessage(read: QtiQuestion, field: string, message: string): string {
  const isUnanswered = hasOptions(read.type) ? !read.options.some(({ isRight }) => isRight) : false;
  if (field === 'right_answer' && isUnanswered) return importedMessages.noAnswer;
  if (field === 'ques_option' && read.options.length === 0) return importedMessages.noOptions;
  return message === draftMessages.incomplete && fieldNames[field] ? missingField(fieldNames[field]) : message;
}

const withoutRepeats = (notes: readonly ImportNote[]): ImportNote[] => [
  ...new Map(notes.map((note) => [`${note.where}\n${note.message}`, note])).values(),
];
