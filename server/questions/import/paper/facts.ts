/** Describes each line of a paper on its own: its number, heading, labels and answers. */
import {
  cutLine,
  isBlankLine,
  isPicture,
  isTable,
  type Line,
  plainLine,
  plainText,
  type Segment,
  type TextLine,
} from '../rich-line.ts';
import { type Heading, headingIn } from './headings.ts';
import { keyRowIn } from './key-rows.ts';
import { type FieldLabel, labelsIn } from './labels.ts';
import { type NumberLabel, numberAt, type QuestionRange, rangeIn } from './numbers.ts';
import { leadingOption, optionRow } from './option-labels.ts';
import { type TypeTag, tagAt } from './type-tags.ts';

export interface Fact {
  line: Line;
  /** Plain text; empty for a table. */
  text: string;
  isBlank: boolean;
  number: NumberLabel | undefined;
  tag: TypeTag | undefined;
  /** Points that stand in front of the stem, as in `16.（8分）`. */
  score: number | undefined;
  /** Answer in a bracket in front of the number: `( B )1.` */
  answer: string | undefined;
  /** Offset behind number, tag and points. */
  start: number;
  heading: Heading | undefined;
  labels: FieldLabel[];
  /** True if the line begins a list of options. */
  opensOptions: boolean;
  /** True if the line only lists answers by number: `1-5 ABCDA`, `1.A 2.B`. */
  isKeyRow: boolean;
  range: QuestionRange | undefined;
}

/** Lines of a second file, such as an answer key, are numbered from here on. */
export const secondFileOffset = 1_000_000;

export const lineName = (number: number): string =>
  number > secondFileOffset ? `答案文件第${number - secondFileOffset}行` : `第${number}行`;

/** A bracket for the answer in front of the number. */
const frontBracket =
  /^[\s\u3000]*[（(][\s\u3000\u00a0]*([A-H]{0,6}|[√×✓✔✗✘TF对错]?)[\s\u3000\u00a0]*[)）][\s\u3000]*(?=\d{1,3}\s*[.．、])/;

const leadingScore = /^[（(【[]\s*(?:本小?题)?(?:满分|共)?\s*(\d+(?:\.\d+)?)\s*分\s*[)）】\]][\s\u3000]*/;

export function factOf(line: Line): Fact {
  if (isTable(line)) return { ...noFacts, line, isBlank: false };
  const text = plainLine(line);
  if (isBlankLine(line)) return { ...noFacts, line, text };
  const firstTag = tagAt(text, 0);
  const front = frontBracket.exec(text);
  const number = numberAt(text, front?.[0].length ?? firstTag?.to ?? 0);
  let start = number?.to ?? firstTag?.to ?? 0;
  const tag = firstTag ?? tagAt(text, start);
  start = Math.max(start, tag?.to ?? 0);
  const points = leadingScore.exec(text.slice(start));
  if (points && number) start += points[0].length;
  const isKeyRow = keyRowIn(text) !== undefined;
  return {
    line,
    text,
    isBlank: false,
    number,
    tag,
    answer: front?.[1] || undefined,
    score: (number && points ? Number(points[1]) : undefined) ?? tag?.score,
    start,
    heading: isKeyRow ? undefined : headingIn(text),
    labels: labelsIn(text, start),
    opensOptions: leadingOption(text) === 0 || optionRow(text, 0).length > 0,
    isKeyRow,
    range: rangeIn(text),
  };
}

const noFacts: Omit<Fact, 'line'> = {
  text: '',
  isBlank: true,
  number: undefined,
  tag: undefined,
  score: undefined,
  answer: undefined,
  start: 0,
  heading: undefined,
  labels: [],
  opensOptions: false,
  isKeyRow: false,
  range: undefined,
};

/** Maximum size in pixels of a picture that stands for a single character. */
const tinyPicture = { width: 20, height: 24 };

/**
 * Removes the tiny pictures within words that some sites put into papers against copying; returns the lines that had
 * some. They are repeated, or of a format that browsers do not display.
 */
export function withoutTinyPictures(lines: readonly Line[]): { lines: Line[]; removed: Set<number> } {
  const uses = new Map<string, number>();
  const tinyIn = (segment: Segment) =>
    isPicture(segment) &&
    (segment.picture.width ?? 999) <= tinyPicture.width &&
    (segment.picture.height ?? 999) <= tinyPicture.height
      ? segment.picture.part
      : undefined;
  for (const line of lines) {
    if (isTable(line)) continue;
    for (const segment of line.segments) {
      const part = tinyIn(segment);
      if (part) uses.set(part, (uses.get(part) ?? 0) + 1);
    }
  }
  const isRemoved = (segment: Segment) => {
    const part = tinyIn(segment);
    return part !== undefined && (/\.(?:wmf|emf)$/i.test(part) || (uses.get(part) ?? 0) >= 3);
  };
  const removed = new Set<number>();
  const kept = lines.map((line) => {
    if (isTable(line) || !line.segments.some(isRemoved)) return line;
    removed.add(line.number);
    return { ...line, segments: line.segments.filter((segment) => !isRemoved(segment)) };
  });
  return { lines: kept, removed };
}

/** A letter without a sign at the start of a line: `A 甲`, `B甲`. */
const bareLetter = /^[\s\u3000]*([A-HＡ-Ｈ])(?=[\s\u3000]+\S|[\u4e00-\u9fff“《（])/;

/** Writes the sign behind letters that stand alone at the start of at least three lines: A, B, C. */
export function withOptionSigns(lines: readonly Line[]): Line[] {
  const result = [...lines];
  const filled = lines.flatMap((line, index) => (isBlankLine(line) ? [] : [index]));
  const letterAt = (place: number) => {
    const line = lines[filled[place] ?? -1];
    const letter = line && !isTable(line) ? bareLetter.exec(plainLine(line))?.[1] : undefined;
    return letter === undefined ? undefined : letter.normalize('NFKC').charCodeAt(0) - 65;
  };
  for (let place = 0; place < filled.length; place += 1) {
    if (letterAt(place) !== 0) continue;
    let count = 1;
    while (letterAt(place + count) === count) count += 1;
    if (count < 3) continue;
    for (const index of filled.slice(place, place + count)) {
      const line = lines[index];
      if (!line || isTable(line)) continue;
      const end = bareLetter.exec(plainLine(line))?.[0].length ?? 0;
      const [letter, rest] = [cutLine(line, 0, end), cutLine(line, end, plainLine(line).length)];
      result[index] = { ...line, segments: [...letter.segments, { text: '. ', marks: [] }, ...rest.segments] };
    }
  }
  return result;
}

/** True for the empty table in which students write their answers. */
export function isAnswerGrid(line: Line): boolean {
  if (!isTable(line)) return false;
  const rows = line.rows.map((row) => row.map((cell) => plainText(cell.lines).trim()));
  return (
    /^(?:题号|题序|序号)$/.test(rows[0]?.[0] ?? '') &&
    rows.some(([first, ...more]) => /^(?:答案|选项|得分)$/.test(first ?? '') && more.every((cell) => cell === ''))
  );
}

/** Lines that a program or website prints on each page: 第 1 页 共 4 页, — 2 —. */
const pageLines: readonly RegExp[] = [
  /^.{0,20}第\s*\d{1,3}\s*页.{0,4}共\s*\d{1,3}\s*页[)）]?$/,
  /^[（(]?第\s*\d{1,3}\s*页[)）]?$/,
  /^[-—–]+\s*\d{1,3}\s*[-—–]+$/,
  /^学科网（北京）股份有限公司$/,
];

export const isPageLine = (line: Line): boolean => {
  if (isTable(line) || line.segments.length > 12) return false;
  const text = plainLine(line).trim();
  return text.length <= 40 && pageLines.some((pattern) => pattern.test(text));
};

const lowerOption = /^[\s\u3000]*([a-h])\s*[.．、)）][\s\u3000]*(?=\S)/;

/** Writes the letters a. b. c. at the start of lines as A. B. C., if the paper has no options in capitals. */
export function withCapitalOptions(lines: readonly Line[]): Line[] {
  const isCapital = (line: Line) => !isTable(line) && leadingOption(plainLine(line)) !== undefined;
  const letterAt = (index: number) => {
    const line = lines[index];
    return line && !isTable(line) ? lowerOption.exec(plainLine(line))?.[1] : undefined;
  };
  const isList = lines.some((_, index) => 'abc'.split('').every((letter, at) => letterAt(index + at) === letter));
  if (!isList || lines.some(isCapital)) return [...lines];
  return lines.map((line, index) => {
    const letter = letterAt(index);
    if (letter === undefined || isTable(line)) return line;
    const at = plainLine(line).indexOf(letter);
    const rest = cutLine(line, at + 1, plainLine(line).length);
    return { ...line, segments: [{ text: letter.toUpperCase(), marks: [] }, ...rest.segments] };
  });
}

/** True for a line of numbered blanks in which students write their answers: `61. ____ 62. ____`. */
export const isAnswerLine = (line: Line): boolean =>
  !isTable(line) &&
  /^(?:[\s\u3000]*\d{1,3}[\s\u3000]*[.．、][\s\u3000]*[_＿]{2,}){2,}[\s\u3000]*$/.test(plainLine(line));

/** Part of a line from an offset on, as a line that begins a paragraph. */
export const cutFrom = (line: TextLine, from: number, to = plainLine(line).length): TextLine => ({
  ...cutLine(line, from, to),
  continues: from > 0 ? false : line.continues,
});
