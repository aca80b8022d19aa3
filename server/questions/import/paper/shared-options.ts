/** Gives questions without options those that stand above or below all of them. */
import { isTable, type Line, plainLine, plainText } from '../rich-line.ts';
import { lettersIn } from './choice-answers.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { readDrafts } from './draft-reader.ts';
import { factOf } from './facts.ts';
import { rangeIn } from './numbers.ts';
import type { Section } from './sections.ts';

const isBare = ({ options, parts }: Draft): boolean => options.length === 0 && parts.length === 0;

function copyOptions(from: Draft, to: readonly Draft[]): void {
  for (const draft of to) {
    draft.options = from.options.map((option) => ({ ...option }));
    if (draft.kind !== 1 && draft.kind !== 3 && draft.kind !== 4) draft.kind = 'choice';
  }
}

/** Options in the text above questions, as in （3～5题共用备选答案）; returns the rest of the text. */
export function takeOptionsAbove(text: readonly Line[], covered: readonly Draft[]): readonly Line[] {
  const bare = covered.filter(isBare);
  const [first] = bare;
  const isNamed = text.some((line) => !isTable(line) && rangeIn(plainLine(line)) !== undefined);
  if (!first || !isNamed) return text;
  const facts = text.map(factOf);
  const left = { lines: [], attempts: [], numbered: [] };
  const [shared, ...others] = readDrafts(emptyDraft('', 0, first.from, undefined, 0), facts, undefined, left);
  if (!shared || others.length > 0 || shared.options.length < 2) return text;
  copyOptions(shared, bare);
  return [...shared.stem, ...shared.after];
}

/** Titles of sections in which one list has the options of all questions. */
const matchingTitle = /匹配|配对|搭配|配伍|matching/i;

/** Gives all questions of a matching section the options behind its last one, if their answers are letters of that list. */
export function shareOptionsBelow(drafts: readonly Draft[], sections: readonly Section[]): void {
  for (const { id, heading } of sections) {
    if (!matchingTitle.test(heading?.title ?? '')) continue;
    const questions = drafts.filter(({ section }) => section === id);
    const last = questions.at(-1);
    const others = questions.slice(0, -1);
    if (!last || others.length === 0 || last.options.length < 3 || !others.every(isBare)) continue;
    const isOneLetter = ({ answer }: Draft) => {
      const letters = answer && lettersIn(plainText(answer.lines));
      return letters?.rest === '' && letters.indexes.length === 1 && (letters.indexes[0] ?? 0) < last.options.length;
    };
    if (questions.every(isOneLetter)) copyOptions(last, questions);
  }
}
