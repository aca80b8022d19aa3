/** Finds texts with numbered blanks (七选五, 语法填空, 选词填空); the blanks become the parts of a material question. */
import { isTable, type Line, plainText, type TextLine } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { type Draft, emptyDraft } from './draft.ts';
import type { Fact } from './facts.ts';
import { leadingOption } from './option-labels.ts';

/** `__36__`, `__(36)__`; `（36）____`; ` 36 ____`. */
const blankPatterns: readonly RegExp[] = [
  /[_＿]+[\s\u3000]*[（(]?(\d{1,3})[)）]?[.．]?[\s\u3000]*[_＿]+/g,
  /[（(](\d{1,3})[)）][\s\u3000]*[_＿]{2,}/g,
  /(?<=[\s\u3000])(\d{1,3})[.．]?[\s\u3000]*[_＿]{3,}/g,
];

const anyBlank = new RegExp(blankPatterns.map(({ source }) => source).join('|'), 'g');

/** Text of a line in which underlined text is written as a blank. */
const withUnderscores = (line: TextLine): string =>
  line.segments
    .map((segment) => ('text' in segment ? (segment.marks.includes('u') ? `__${segment.text}__` : segment.text) : ''))
    .join('');

const numbersIn = (line: Line): number[] =>
  isTable(line)
    ? []
    : [...withUnderscores(line).matchAll(anyBlank)].map((match) => Number(match[1] ?? match[2] ?? match[3]));

/** Returns the numbers of the blanks in a text, if they follow each other; else none. */
export function numberedBlanks(lines: readonly Line[]): number[] {
  const numbers = lines.flatMap(numbersIn);
  const isSequence =
    numbers.length >= 2 && numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
  return isSequence ? numbers : [];
}

/** Beginning of a list of options above the text. Speakers of a dialogue are `A:` and `B:`. */
const opensList = ({ line, text }: Fact): boolean =>
  isTable(line)
    ? leadingOption(plainText(line.rows[0]?.[0]?.lines ?? [])) === 0
    : leadingOption(text) === 0 && !/^[\s\u3000]*A[\s\u3000]*[:：]/.test(text);

const blankInFront = new RegExp(`^[\\s\\u3000]*(?:${anyBlank.source})`);

const hasBlankWithin = ({ line }: Fact): boolean =>
  numbersIn(line).length > (isTable(line) || !blankInFront.test(withUnderscores(line)) ? 0 : 1);

interface BlankText {
  /** Numbers of the blanks. */
  numbers: number[];
  text: Line[];
  /** Lines with options and answers, which may stand above the text. */
  others: Fact[];
}

/**
 * Divides a text with numbered blanks from the lines with its options and answers. Undefined if there is no such text.
 */
export function divideBlankText(facts: readonly Fact[]): BlankText | undefined {
  const numbers = numberedBlanks(facts.map(({ line }) => line));
  // Lines that all begin with their blank are a list of questions.
  if (numbers.length === 0 || !facts.some(hasBlankWithin)) return undefined;
  const hasBlank = ({ line }: Fact) => numbersIn(line).length > 0;
  const begin = facts.findIndex(hasBlank);
  const end = facts.findLastIndex(hasBlank) + 1;
  const behind = facts.slice(end);
  // `36. A. … B. …` below the text: each blank has options of its own.
  if (behind.some(({ number }) => number?.style === 'dot' && numbers.includes(number.value))) return undefined;
  const list = facts.slice(0, begin).findIndex(opensList);
  const listEnd = list === -1 ? -1 : facts.findIndex((fact, index) => index > list && !isListLine(fact));
  const isList = (_: Fact, index: number) => list !== -1 && index >= list && index < Math.min(listEnd, begin);
  const text = facts.slice(0, end);
  return {
    numbers,
    text: text.filter((fact, index) => !isList(fact, index)).map(({ line }) => line),
    others: [...text.filter(isList), ...behind],
  };
}

const isListLine = ({ line, text, isBlank }: Fact): boolean =>
  isTable(line) || isBlank || leadingOption(text) !== undefined;

/** Makes a part of each blank; all parts share the options of the text. */
export function blanksToParts(draft: Draft): void {
  draft.number = `${draft.covers[0]}～${draft.covers.at(-1)}`;
  draft.isMaterial = true;
  draft.doubts = draft.doubts.filter(
    ({ message }) => message !== paperMessages.noNumber && message !== paperMessages.wholeSection,
  );
  const options = draft.options.splice(0);
  draft.stem.push(...draft.after.splice(0));
  draft.parts = draft.covers.map((number) => {
    const part = emptyDraft(String(number), number, draft.from, options.length > 0 ? 1 : 7, draft.section);
    const stem = options.length > 0 ? `${number}.` : `${number}. ____`;
    part.stem.push({ number: draft.from, continues: false, segments: [{ text: stem, marks: [] }] });
    part.options = options.map((option) => ({ ...option }));
    return part;
  });
}

/** Marks letters as answers of a text without options: they may be a list that was read as text. */
export function checkBlankAnswers(draft: Draft): void {
  if (draft.covers.length === 0 || draft.parts.some((part) => part.options.length > 0)) return;
  const isLetter = ({ answer }: Draft) => /^[\s\u3000]*[A-H][\s\u3000.。]*$/.test(plainText(answer?.lines ?? []));
  const part = draft.parts.find(isLetter);
  if (part) part.doubts.push({ where: part.answer?.where ?? part.where, message: paperMessages.lettersWithoutOptions });
}
