/** Corrects a draft after all its lines are read. */
import { cutLine, isBlankLine, isTable, type Line, plainLine, plainText } from '../rich-line.ts';
import { judgementOptionIds } from '../spelling.ts';
import { blanksToParts } from './blank-texts.ts';
import { type Draft, hasObject } from './draft.ts';
import { tagBehind } from './type-tags.ts';

const blankOnly = /^[\s\u3000_＿（）()。.]*$/;

/** Undoes readings that later lines contradict: a single option, a single part, statements numbered like parts. */
export function tidyDraft(draft: Draft) {
  if (draft.covers.length > 0) return blanksToParts(draft);
  for (const one of [draft, ...draft.parts]) {
    takeTrailingTag(one);
    takeJudgementLines(one);
  }
  for (const part of draft.parts) tidyOptions(part);
  const isChoice = draft.kind === 1 || draft.kind === 3 || draft.kind === 4 || draft.kind === 'choice';
  const last = draft.parts.at(-1);
  if (last) {
    const onlyLast = last.options.length > 0 && draft.parts.slice(0, -1).every((part) => part.options.length === 0);
    const namesParts = last.options.some(({ lines }) => /[（(]\d[）)]|[①-⑳]/.test(plainText(lines)));
    const letters = /^[A-H]{1,6}$/.test(plainText(last.answer?.lines ?? []).replace(/[\s,，、。.]/g, ''));
    if (
      draft.parts.length === 1 ||
      (onlyLast && (isChoice || namesParts || letters)) ||
      (isChoice && last.options.length === 0)
    )
      joinParts(draft);
  }
  tidyOptions(draft);
  emptyAnswer(draft);
  for (const part of draft.parts) emptyAnswer(part);
}

/** Takes the type out of the end of the stem: `…的有（　　）。(多选题)`. */
function takeTrailingTag(draft: Draft): void {
  const at = draft.stem.findLastIndex((line) => !isBlankLine(line));
  const line = draft.stem[at];
  const tag = line && !isTable(line) ? tagBehind(plainLine(line)) : undefined;
  if (!line || isTable(line) || !tag || draft.tag) return;
  draft.tag = { kind: tag.kind, score: undefined, to: 0 };
  draft.stem[at] = cutLine(line, 0, tag.from);
}

/** Takes the two lines 正确 and 错误, the options of a true/false question without letters, out of the stem. */
function takeJudgementLines(draft: Draft): void {
  if (draft.options.length > 0) return;
  const filled = draft.stem.filter((line) => !isBlankLine(line));
  const texts = filled.slice(-2).map((line) => plainText([line]).replace(/^[○□〇\s\u3000]+/, ''));
  if (filled.length < 3 || judgementOptionIds(texts) === undefined) return;
  draft.stem = draft.stem.slice(0, draft.stem.indexOf(filled.at(-2) as Line));
  draft.tag ??= { kind: 2, score: undefined, to: 0 };
}

function tidyOptions(draft: Draft): void {
  if (draft.options.length === 1 || (draft.options.length > 0 && asksForLetters(draft))) {
    draft.stem.push(...draft.options.splice(0).map(({ original }) => original), ...draft.after.splice(0));
  }
}

/** True if the stem asks to write letters of a list into a blank: a fill-in question. */
function asksForLetters({ stem, kind, tag }: Draft): boolean {
  if (tag || kind === 1 || kind === 3 || kind === 4 || kind === 'choice' || kind === 'reading') return false;
  const text = plainText(stem);
  return (
    /[_＿]{2,}/.test(text) &&
    /填(?:写|入)?(?:正确)?(?:答案)?(?:的)?(?:序号|字母|编号|代号|选项|标号|“?[A-D])/.test(text)
  );
}

/** Turns parts into text of the stem. The question gets the answer, points and other fields of the last part. */
function joinParts(draft: Draft): void {
  const parts = draft.parts.splice(0);
  for (const part of parts) {
    const [labelled] = part.original;
    draft.stem.push(...part.original.slice(0, 1), ...part.stem.filter((line) => line.number !== labelled?.number));
    draft.score ??= parts.length === 1 ? part.score : undefined;
    draft.options.push(...part.options);
    draft.after.push(...part.after);
    draft.answer ??= part.answer;
    draft.analysis ??= part.analysis;
    draft.difficulty ??= part.difficulty;
  }
}

/** Turns parts into text of the stem, for answers that do not tell the parts apart. */
export function partsToText(draft: Draft): void {
  for (const part of draft.parts.splice(0)) {
    draft.stem.push(...part.original);
    draft.losses.push(...part.losses);
    draft.doubts.push(...part.doubts);
  }
}

/** Removes an answer that is only a line to write on. */
function emptyAnswer(draft: Draft): void {
  if (draft.answer && blankOnly.test(plainText(draft.answer.lines)) && !draft.answer.lines.some(hasObject)) {
    if (/[_＿]/.test(plainText(draft.answer.lines))) draft.stem.push(...draft.answer.lines);
    draft.answer = undefined;
  }
  if (draft.analysis && plainText(draft.analysis.lines) === '' && !draft.analysis.lines.some(hasObject))
    draft.analysis = undefined;
}
