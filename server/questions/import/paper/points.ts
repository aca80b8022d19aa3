/** Sets the points of each question, and compares the number of questions with the headings. */
import type { ImportNote } from '../imported-question.ts';
import { cutLine, isBlankLine, isTable, type Line, plainLine } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { blanksIn } from './blank-answers.ts';
import { type Draft, noteAt } from './draft.ts';
import type { Fact } from './facts.ts';
import type { Section } from './sections.ts';

/** Points at the end of a line, or before the bracket for the answer: …。（3分）, …的是（3分）（　　） */
const trailingScore =
  /[\s\u3000]*[（(]\s*(?:本小?题)?(?:满分|共)?\s*(\d+(?:\.\d+)?)\s*分\s*[)）](?=[\s\u3000]*(?:[（(][\s\u3000]*[)）])?[\s\u3000。]*$)/;

/** Sets the points of each question: its own, else the ones that the heading names for it, else the section's points for each. */
export function scoreDrafts(drafts: readonly Draft[], sections: readonly Section[]): void {
  for (const draft of drafts) {
    const section = sections[draft.section];
    const each = section?.each === undefined ? undefined : section.each * Math.max(1, draft.covers.length);
    const own = takePoints(draft);
    draft.score ??= own ?? section?.scores.get(draft.value) ?? each ?? draft.tag?.score;
    if (draft.score === undefined && section?.perBlank !== undefined) {
      const blanks = draft.covers.length || blanksIn(draft.stem);
      if (blanks > 0) draft.score = blanks * section.perBlank;
    }
    for (const part of draft.parts) {
      const points = takePoints(part);
      part.score ??= points;
    }
  }
}

/** Takes the points out of the stem, at the end of its last or first line. */
function takePoints(draft: Draft): number | undefined {
  const isFilled = (line: Line) => !isBlankLine(line);
  for (const at of [draft.stem.findLastIndex(isFilled), draft.stem.findIndex(isFilled)]) {
    const line = draft.stem[at];
    if (!line || isTable(line)) continue;
    const text = plainLine(line);
    const match = trailingScore.exec(text);
    if (!match) continue;
    const before = cutLine(line, 0, match.index);
    const after = cutLine(line, match.index + match[0].length, text.length);
    draft.stem[at] = { ...line, segments: [...before.segments, ...after.segments] };
    return Number(match[1]);
  }
  return undefined;
}

/** Compares the number of questions with what each heading says. */
export function checkCounts(
  drafts: readonly Draft[],
  sections: readonly Section[],
  facts: readonly Fact[],
  doubts: ImportNote[],
): void {
  for (const section of sections) {
    const count = section.heading?.count;
    const isLeaf =
      sections[section.id + 1] === undefined ||
      (sections[section.id + 1]?.heading?.rank ?? 0) <= (section.heading?.rank ?? 0);
    const found = drafts
      .filter((draft) => draft.section === section.id)
      .reduce((sum, { covers }) => sum + Math.max(1, covers.length), 0);
    if (count === undefined || !isLeaf || found === 0 || found === count) continue;
    doubts.push(noteAt(facts[section.at]?.line.number ?? 1, paperMessages.otherCount(count, found)));
  }
}
