/** A question as read from a QTI file, and its conversion to the form that the import stores. */

import { plainText } from '#server/platform/text/plain-text.ts';
import { blankSeparator, judgementOptions, type QuestionDraft, type QuestionType } from '#server/questions/rules.ts';
import { importedFromDraft } from '../from-draft.ts';
import type { ImportedQuestion } from '../imported-question.ts';
import type { KeptPicture } from '../rich-line.ts';
import { lossMessages, qtiMessages } from '../rules.ts';
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
  /** Path of the knowledge point. */
  point?: string | undefined;
  parts: QtiQuestion[];
  score?: number | undefined;
  losses: string[];
  doubts: string[];
  /** Id of the text that several items share; those become the parts of one material question. */
  material?: string | undefined;
}

/** A question, or why the item is none. `text`: of an item that only has text, which others may share. */
export type ReadItem = { question: QtiQuestion } | { leftOut: string; text?: QtiQuestion };

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

/** Introduces the feedback for an option. */
export const optionFeedbackTitle = (question: QtiQuestion, option: number): string =>
  question.type === 2
    ? qtiMessages.judgementFeedback(plainText(question.options[option]?.html ?? ''))
    : qtiMessages.optionFeedback(option);

/** Sets the answers of blanks. A blank has one answer, so others that the file accepts are named. */
export function setBlanks(question: QtiQuestion, blanks: readonly (readonly string[])[]): void {
  const fold = (text: string) => (question.ignoresCase ? text.toLowerCase() : text).trim();
  question.blanks = blanks.map((texts, index) => {
    const different = texts.filter((text, at) => texts.findIndex((other) => fold(other) === fold(text)) === at);
    const [first = '', ...others] = different.map((text) => text.trim());
    if (others.length > 0) question.doubts.push(qtiMessages.otherAnswers(index + 1, others));
    return first;
  });
}

/** Marks the blanks of a text that marks none, after its end. */
export function withMarkedBlanks(stem: string, blanks: number): string {
  if (/[_＿]{2,}|[（(](?:\s|&nbsp;)*[）)]/.test(stem) || blanks === 0) return stem;
  return joinHtml(stem, Array.from({ length: blanks }, () => '____').join(' '));
}

/** Numbers of the pictures of a question and its parts. */
export const picturesOf = (question: QtiQuestion): number[] => [
  ...[question.stem, question.answer, question.analysis, ...question.options.map(({ html }) => html)].flatMap(
    picturesIn,
  ),
  ...question.parts.flatMap(picturesOf),
];

/**
 * Checks a question by the rules of the form, once its pictures are stored. `isUnrated`: the whole file has no
 * difficulties, which is said once.
 */
export function finishQuestion(
  question: QtiQuestion,
  keptPicture: (number: number) => KeptPicture | undefined,
  isUnrated: boolean,
): ImportedQuestion {
  const { where } = question;
  const losses = question.difficulty === undefined && !isUnrated ? [lossMessages.difficulty as string] : [];
  const doubts: string[] = [];
  const draft = draftOf(question, keptPicture, losses, doubts);
  const score = scoreOf(question, doubts);
  return importedFromDraft({ draft, source: { place: where }, where, losses, doubts, score });
}

function draftOf(
  question: QtiQuestion,
  keptPicture: (number: number) => KeptPicture | undefined,
  losses: string[],
  doubts: string[],
): QuestionDraft {
  const { type } = question;
  const html = (written: string) => finishHtml(written, keptPicture, (message) => losses.push(message));
  losses.push(...question.losses);
  doubts.push(...question.doubts);
  return {
    ques_type: type,
    ques_stem: html(question.stem),
    ques_option:
      type === 2
        ? judgementOptions(rightJudgement(question.options))
        : question.options.map((option, index) => ({
            id: index + 1,
            content: html(option.html),
            is_right: option.isRight ? 1 : 2,
          })),
    right_answer: type === 7 ? question.blanks.join(blankSeparator) : html(question.answer),
    ignore_case: question.ignoresCase ? 1 : 0,
    ques_analysis: html(question.analysis),
    // 0: none. Parts then get the difficulty of their material.
    facility_value: question.difficulty ?? 0,
    remark: question.remark,
    ...(question.point !== undefined && { point: question.point }),
    ques_item: question.parts.map((part) => draftOf(part, keptPicture, losses, doubts)),
  };
}

/** Returns which option of a true/false question is right: 1 正确, 2 错误, 0 none. The file may have either order. */
function rightJudgement(options: readonly QtiOption[]): 0 | 1 | 2 {
  const right = options.flatMap(({ isRight }, index) => (isRight ? [index + 1] : []));
  const [only] = right;
  if (only === undefined || right.length > 1) return 0;
  return only === (judgementOf(options)?.right ?? 1) ? 1 : 2;
}

/** Scores are in halves of a point. */
function scoreOf({ score }: QtiQuestion, doubts: string[]): number | undefined {
  if (score === undefined || score <= 0) return undefined;
  const halves = Math.round(score * 2) / 2;
  if (Math.abs(halves - score) < 0.001) return halves;
  doubts.push(qtiMessages.oddScore(Number(score.toFixed(4))));
  return undefined;
}
