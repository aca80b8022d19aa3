/** Judges a reading of a paper, so that the best of several is kept. */
import { isTable, plainLine, plainText, trimLines } from '../rich-line.ts';
import { readJudgement } from '../spelling.ts';
import { lettersIn } from './choice-answers.ts';
import type { Draft, LeftOver } from './draft.ts';
import { splitByParts } from './part-answers.ts';

/** Scores a reading: questions with options or answers add, `cost` of the sequence and stray options subtract. */
export function qualityOf(drafts: readonly Draft[], cost: number, left: LeftOver): number {
  const quality = drafts.reduce((sum, draft) => sum + qualityOfDraft(draft), -cost * 0.1);
  const strayOptions = left.lines.filter(
    (line) => !isTable(line) && /^[\s\u3000]*[A-D][.．、]/.test(plainLine(line)),
  ).length;
  return quality - strayOptions * 0.5;
}

/** Parts count like questions. Otherwise a reading that takes parts for questions would score higher. */
function qualityOfDraft(draft: Draft): number {
  const { options, answer, parts, covers } = draft;
  let quality = 0.2;
  if (options.length >= 2) quality += 1;
  if (options.length > 6 && draft.kind !== 1) quality -= 2;
  if (trimLines(draft.stem).length === 0 && draft.kind !== 'reading') quality -= 1;
  if (draft.number === '') quality -= 0.5;
  if (answer) quality += 1;
  const letters = answer && lettersIn(plainText(answer.lines));
  if (options.length >= 2 && letters && letters.indexes.some((index) => index >= options.length)) quality -= 1;
  if (options.length >= 2 && answer && !letters && readJudgement(plainText(answer.lines)) === undefined) quality -= 1.5;
  if (parts.length > 1) {
    quality += 0.5;
    if (answer && covers.length === 0 && splitByParts(answer.lines, parts.length)) quality += parts.length - 1;
    for (const part of parts) quality += qualityOfDraft(part);
  }
  return quality;
}

/** Share of questions that must look like questions, so that a notice with numbered paragraphs is none. */
const questionShare = 1 / 3;

const asks = (draft: Draft): boolean =>
  draft.options.length > 1 ||
  draft.answer !== undefined ||
  draft.tag !== undefined ||
  draft.parts.some(asks) ||
  (draft.kind !== undefined && draft.kind !== 'reading') ||
  /[？?]|（[\s\u3000]*）|\([\s\u3000]*\)|_{2,}|^(?:简述|论述|试述|说明|计算|求|证明|分析|为什么|如何|解释|翻译|列举|谈谈)/.test(
    plainText(draft.stem),
  );

/** True if enough of the questions look like questions. */
export const isPaper = (drafts: readonly Draft[]): boolean =>
  drafts.filter(asks).length >= Math.max(1, drafts.length * questionShare);
