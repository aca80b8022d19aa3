/** Converts the question types of Moodle to ours. Moodle XML and GIFT share it. */

import { plainText } from '#server/platform/text/plain-text.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { isBlankHtml, optionLetter } from '#server/platform/text/rules.ts';
import {
  blankSeparator,
  blanksFault,
  judgementOptions,
  optionCount,
  type QuestionDraft,
  type QuestionOption,
} from '#server/questions/rules.ts';
import { readTags, splitAnswer, type TaggedFields } from '../portable-tags.ts';
import { clozeParts } from './cloze.ts';
import { emptyDraft, importedFromDraft, importedTags, type ReadDraft } from './from-draft.ts';
import type { ImportedQuestion, ImportNote, ImportPreview, ImportSource } from './imported-question.ts';
import { excerpt, importedMessages, moodleMessages } from './rules.ts';

export interface MoodleAnswer {
  /** Rich text that can be stored. */
  html: string;
  /** Share of the points: 1 is right, 0 wrong, negative a penalty. */
  fraction: number;
  feedback: string;
  /** Tolerance of a numerical answer, as written; '' for none. */
  tolerance?: string;
}

export interface MoodleQuestion {
  source: ImportSource;
  where: string;
  /** `short` with `numerical` answers too. `other`: a type that we do not have. */
  kind: 'choice' | 'truefalse' | 'short' | 'essay' | 'match' | 'cloze' | 'description' | 'other';
  /** Name of the type in the file. */
  type: string;
  stem: string;
  analysis: string;
  /** Reference answer of an essay. */
  answer: string;
  isSingle: boolean;
  ignoresCase: boolean;
  answers: MoodleAnswer[];
  pairs: { question: string; answer: string }[];
  score?: number | undefined;
  tags: string[];
  /** Last part of the category's path; '' if there is none. */
  category: string;
  losses: string[];
}

export const emptyMoodleQuestion = (source: ImportSource, where: string): MoodleQuestion => ({
  source,
  where,
  kind: 'other',
  type: '',
  stem: '',
  analysis: '',
  answer: '',
  isSingle: true,
  ignoresCase: true,
  answers: [],
  pairs: [],
  tags: [],
  category: '',
  losses: [],
});

/** Collects the questions of a file, and makes materials of a text and the parts that follow it. */
export class MoodleCollector {
  readonly questions: ImportedQuestion[] = [];
  readonly leftOut: ImportNote[] = [];
  /** Material that the last text began; its parts have the same number. */
  private material: { number: number; read: ReadDraft } | undefined;
  private lacksDifficulty = false;

  add(question: MoodleQuestion): void {
    const { fields, others } = readTags(question.tags);
    const read = readQuestion(question, fields);
    if ('leftOut' in read) {
      this.endMaterial();
      this.leftOut.push({ where: question.where, message: read.leftOut });
      return;
    }
    const { draft } = read;
    draft.facility_value = fields.difficulty ?? 0;
    this.lacksDifficulty ||= fields.difficulty === undefined;
    draft.remark = fields.remark ?? question.category;
    if (fields.point !== undefined) draft.point = fields.point;
    const tags = importedTags(others, (message) => read.losses.push(message));
    if (tags !== undefined) draft.tags = tags;
    if (fields.partOf !== undefined && this.material?.number === fields.partOf) {
      const { read: whole } = this.material;
      whole.draft.ques_item.push({ ...draft, remark: '' });
      const place = (message: string) => `第${whole.draft.ques_item.length}小题：${message}`;
      whole.losses.push(...read.losses.map(place));
      whole.doubts.push(...read.doubts.map(place));
      if (read.score !== undefined) whole.score = (whole.score ?? 0) + read.score;
      return;
    }
    this.endMaterial();
    if (draft.ques_type === 6 && fields.material !== undefined) this.material = { number: fields.material, read };
    else this.questions.push(importedFromDraft(read));
  }

  private endMaterial(): void {
    if (this.material) this.questions.push(importedFromDraft(this.material.read));
    this.material = undefined;
  }

  /** Returns the preview. `doubts`, `errors`: about the file as a whole. */
  finish(
    format: ImportPreview['format'],
    { errors, doubts }: { errors: ImportNote[]; doubts: string[] },
  ): ImportPreview {
    this.endMaterial();
    const { questions, leftOut } = this;
    const said = questions.length > 0 && this.lacksDifficulty ? [...doubts, moodleMessages.noDifficulty] : doubts;
    if (questions.length === 0 && errors.length === 0) {
      errors.push({ where: '文件', message: importedMessages.noneRead });
    }
    return { format, questions, errors, leftOut, doubts: said.map((message) => ({ where: '文件', message })) };
  }
}

type Outcome = ReadDraft | { leftOut: string };

function readQuestion(question: MoodleQuestion, fields: TaggedFields): Outcome {
  const { source, where, stem, analysis, score } = question;
  const read: ReadDraft = {
    draft: { ...emptyDraft(1), ques_stem: stem, ques_analysis: analysis },
    source,
    where,
    losses: [...question.losses],
    doubts: [],
  };
  read.score = readScore(score, read.losses);
  switch (question.kind) {
    case 'choice':
      return readChoice(question, read, fields);
    case 'truefalse':
      return readTrueFalse(question, read);
    case 'short':
      return readBlank(question, read, fields);
    case 'essay': {
      const split = question.answer === '' ? splitAnswer(analysis) : { answer: question.answer, analysis };
      Object.assign(read.draft, { ques_type: 5, right_answer: split.answer, ques_analysis: split.analysis });
      return read;
    }
    case 'match':
      return readMatch(question, read);
    case 'cloze':
      return readCloze(question, read, fields);
    case 'description':
      if (fields.material === undefined) return { leftOut: moodleMessages.description(excerpt(plainText(stem))) };
      read.draft.ques_type = 6;
      return read;
    case 'other':
      return { leftOut: moodleMessages.unknownType(question.type, excerpt(plainText(stem))) };
  }
}

/** Scores are in halves of a point. */
function readScore(score: number | undefined, losses: string[]): number | undefined {
  if (score === undefined || !(score > 0)) return undefined;
  if (Number.isInteger(score * 2)) return score;
  losses.push(moodleMessages.oddScore(score));
  return undefined;
}

const full = (fraction: number): boolean => fraction > 0.9999;
const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(2))}%`;

/** Adds what the file says about single answers to the analysis. */
function addFeedback(draft: QuestionDraft, feedback: readonly { name: string; html: string }[]): void {
  const lines = feedback
    .filter(({ html }) => !isBlankHtml(html))
    .map(({ name, html }) => `<p>${name}：${inline(html)}</p>`);
  if (lines.length === 0) return;
  const own = draft.ques_analysis;
  draft.ques_analysis =
    (own === '' || /^<(?:p|ul|ol|table|pre|hr)\b/.test(own) ? own : `<p>${own}</p>`) + lines.join('');
}

/** Unwraps a single paragraph, so that it can stand in another one. */
const inline = (html: string): string => /^<p>((?:(?!<\/?p\b)[\s\S])*)<\/p>$/.exec(html)?.[1] ?? html;

function readChoice(question: MoodleQuestion, read: ReadDraft, fields: TaggedFields): ReadDraft {
  const answers = question.answers.filter(({ html, fraction }) => !isBlankHtml(html) || fraction !== 0);
  const isRight = ({ fraction }: MoodleAnswer) => (question.isSingle ? full(fraction) : fraction > 0);
  const right = answers.filter(isRight);
  const { draft } = read;
  draft.ques_option = optionsOf(answers, isRight);
  addFeedback(
    draft,
    answers.map(({ feedback }, index) => ({ name: optionLetter(index), html: feedback })),
  );
  draft.ques_type = question.isSingle ? 1 : fields.type === 4 || right.length === 1 ? 4 : 3;
  if (!question.isSingle && right.length === 1 && fields.type !== 4) read.doubts.push(moodleMessages.oneOfSeveral);
  for (const [index, { fraction }] of answers.entries()) {
    const isPartial = question.isSingle
      ? fraction > 0 && !full(fraction)
      : fraction > 0 && Math.abs(fraction - (right[0]?.fraction ?? 0)) > 0.001;
    if (isPartial) read.losses.push(moodleMessages.partialOption(optionLetter(index), percent(fraction)));
  }
  return read;
}

const optionsOf = (answers: readonly MoodleAnswer[], isRight: (answer: MoodleAnswer) => boolean): QuestionOption[] =>
  answers.map((answer, index) => ({ id: index + 1, content: answer.html, is_right: isRight(answer) ? 1 : 2 }));

function readTrueFalse({ answers }: MoodleQuestion, read: ReadDraft): ReadDraft {
  const isTrue = ({ html }: MoodleAnswer) => /^true$/i.test(plainText(html));
  const right = answers.find(({ fraction }) => full(fraction));
  read.draft.ques_type = 2;
  read.draft.ques_option = judgementOptions(right === undefined ? 0 : isTrue(right) ? 1 : 2);
  addFeedback(
    read.draft,
    answers.map((answer) => ({ name: isTrue(answer) ? '选“正确”时' : '选“错误”时', html: answer.feedback })),
  );
  return read;
}

/** Mark of a blank that a stem without one gets. */
const blankMark = '____';

function readBlank(question: MoodleQuestion, read: ReadDraft, fields: TaggedFields): ReadDraft {
  const { draft, losses, doubts } = read;
  draft.ques_type = 7;
  draft.ignore_case = question.ignoresCase && !fields.isCaseSensitive ? 1 : 0;
  draft.right_answer = blankAnswer(question.answers, losses, doubts);
  addFeedback(draft, feedbackOf([question]));
  if (blanksFault(draft.ques_stem, 0) === undefined && blanksFault(draft.ques_stem, 1) !== undefined) {
    draft.ques_stem = draft.ques_stem.replace(/(<\/p>)?\s*$/, ` ${blankMark}$1`);
    doubts.push(moodleMessages.addedBlank);
  }
  return read;
}

/** The answer that gets all points; others are reported as lost. */
function blankAnswer(answers: readonly MoodleAnswer[], losses: string[], doubts: string[], place = ''): string {
  const texts = answers.map(({ html }) => plainText(html));
  const right = answers.findIndex(({ fraction }) => full(fraction));
  for (const [index, { fraction, tolerance = '' }] of answers.entries()) {
    const text = texts[index] ?? '';
    if (index === right) {
      if (tolerance !== '') losses.push(place + moodleMessages.tolerance(tolerance));
      if (text.includes('*')) doubts.push(place + moodleMessages.wildcard);
    } else if (fraction > 0) {
      losses.push(place + moodleMessages.otherAnswer(text, full(fraction) ? '' : percent(fraction)));
    }
  }
  if (right < 0) return '';
  const text = texts[right] ?? '';
  return text.includes(blankSeparator) ? text.replaceAll(blankSeparator, '@ @') : text;
}

/** A matching question becomes a material: each left side is a part, and all right sides are its options. */
function readMatch(question: MoodleQuestion, read: ReadDraft): Outcome {
  const choices = [...new Set(question.pairs.map(({ answer }) => answer))].filter((answer) => answer !== '');
  const asked = question.pairs.filter(({ question: html }) => !isBlankHtml(html));
  if (asked.length === 0 || choices.length < 2 || choices.length > optionCount.most) {
    return { leftOut: moodleMessages.unknownType('配对题', excerpt(plainText(question.stem))) };
  }
  read.draft.ques_type = 6;
  read.draft.ques_item = asked.map((pair) => ({
    ...emptyDraft(1),
    ques_stem: pair.question,
    ques_option: choices.map((choice, index) => ({
      id: index + 1,
      content: escapeHtml(choice),
      is_right: choice === pair.answer ? 1 : 2,
    })),
  }));
  read.doubts.push(moodleMessages.match);
  return read;
}

/** Text with embedded answers: blanks alone make a fill-in question; with choices it becomes a material. */
function readCloze(question: MoodleQuestion, read: ReadDraft, fields: TaggedFields): Outcome {
  const { draft, losses, doubts } = read;
  const { html, parts, fault } = clozeParts(question.stem);
  if (fault !== undefined || parts.length === 0) {
    return { leftOut: fault ?? moodleMessages.emptyCloze(excerpt(plainText(question.stem))) };
  }
  const isBlanks = parts.every(({ kind }) => kind === 'text');
  const stemOf = (mark: (index: number) => string) =>
    html.reduce((written, text, index) => written + mark(index - 1) + text);
  if (isBlanks) {
    draft.ques_type = 7;
    draft.ques_stem = stemOf(() => blankMark);
    draft.ignore_case = parts.every(({ ignoresCase }) => ignoresCase) && !fields.isCaseSensitive ? 1 : 0;
    const place = (index: number) => (parts.length > 1 ? `第${index + 1}空：` : '');
    draft.right_answer = parts
      .map(({ answers }, index) => blankAnswer(answers, losses, doubts, place(index)))
      .join(blankSeparator);
    addFeedback(draft, feedbackOf(parts));
    if (read.score === undefined && parts.some(({ score }) => score > 1)) {
      read.score = parts.reduce((sum, { score }) => sum + score, 0);
    }
    return read;
  }
  draft.ques_type = 6;
  draft.ques_stem = stemOf((index) => `（${index + 1}）${blankMark}`);
  draft.ques_item = parts.map((part, index) => {
    const place = `第${index + 1}小题：`;
    if (part.kind === 'text') {
      const item = { ...emptyDraft(7), ques_stem: `（${index + 1}）${blankMark}` };
      item.ignore_case = part.ignoresCase ? 1 : 0;
      item.right_answer = blankAnswer(part.answers, losses, doubts, place);
      addFeedback(item, feedbackOf([part]));
      return item;
    }
    const isRight = ({ fraction }: MoodleAnswer) => (part.kind === 'single' ? full(fraction) : fraction > 0);
    const right = part.answers.filter(isRight).length;
    const item = { ...emptyDraft(part.kind === 'single' ? 1 : right === 1 ? 4 : 3), ques_stem: `第（${index + 1}）空` };
    item.ques_option = optionsOf(part.answers, isRight);
    addFeedback(
      item,
      part.answers.map(({ feedback }, option) => ({ name: optionLetter(option), html: feedback })),
    );
    for (const [option, answer] of part.answers.entries()) {
      if (answer.fraction > 0 && !full(answer.fraction) && part.kind === 'single') {
        losses.push(place + moodleMessages.partialOption(optionLetter(option), percent(answer.fraction)));
      }
    }
    return item;
  });
  doubts.push(moodleMessages.cloze);
  return read;
}

/** Feedback of the answers of blanks, with the answer as its name. */
const feedbackOf = (parts: readonly { answers: readonly MoodleAnswer[] }[]) =>
  parts.flatMap(({ answers }) =>
    answers.map(({ html, feedback }) => ({ name: `“${escapeHtml(plainText(html))}”`, html: feedback })),
  );
