/** Reads an answer key: rows of letters, numbered answers, tables; at the end of a paper, of a section, or in a file. */
import { isTable, type Line, plainLine, plainText, type TableLine, type TextLine } from '../rich-line.ts';
import { cutFrom, type Fact, factOf } from './facts.ts';
import { type Heading, headingIn } from './headings.ts';
import { keyItemsIn, keyRowIn, splitAnswers } from './key-rows.ts';
import { labelsIn } from './labels.ts';
import { type NumberStyle, numberAt } from './numbers.ts';

/** An answer of the key. `section`: id of the section of the paper that it belongs to; undefined if only its number tells. */
export interface KeyEntry {
  section: number | undefined;
  value: number;
  line: number;
  lines: Line[];
}

/** A section of the paper with the numbers of its questions. */
export interface KeySection {
  id: number;
  heading: Heading | undefined;
  values: readonly number[];
}

/** Ranges of answers behind others in a line: `3.name 4.teacher 5-6 BB`. */
const rangesBehind = /(?<=[\s\u3000])\d{1,4}\s*[-~～—–－]{1,2}\s*\d{1,4}\s*[:：.．、]?\s*[A-H√×][A-H√×\s,，、]*$/;

const answerLine = (text: string, number: number): TextLine => ({
  number,
  continues: false,
  segments: [{ text, marks: [] }],
});

/** Returns the entries of a key; lines that are no answer go to `left`. */
export function readKey(
  facts: readonly Fact[],
  sections: readonly KeySection[],
  style: NumberStyle,
  left: Line[] = [],
): KeyEntry[] {
  const reader = new KeyReader(sections, style, left);
  for (const fact of facts) reader.take(fact);
  return reader.entries;
}

/** A row of numbers, aligned by tabs or spaces: `题号 1 2 3`. */
const numbersOnly = /^[\s\u3000]*(?:题号|题序)?[:：]?[\s\u3000]*\d{1,4}(?:[\s\u3000]+\d{1,4})+[\s\u3000]*$/;

/** A title such as 答案解析, behind which the key begins again. */
const keyTitle = /^[^\d：:【]{0,20}(?:答案|解析|详解)[^\d：:A-Za-z√×对错】]{0,10}[:：]?\s*$/;

/** A label alone in its line, which belongs to the open answer. */
const lonelyLabel = /^[\s\u3000]*(?:答案|解析|详解)[\s\u3000]*[:：]?[\s\u3000]*$/;

/** The number of a section in front of answers: `一、1.A 2.B`. */
const sectionInFront =
  /^[\s\u3000]*(?:([一二三四五六七八九十]{1,3})\s*[、.．]|[（(]([一二三四五六七八九十]{1,3})[)）])[\s\u3000]*(?=\d|[（(]\s*\d)/;

class KeyReader {
  readonly entries: KeyEntry[] = [];
  private readonly sections: readonly KeySection[];
  private readonly style: NumberStyle;
  private readonly isUnique: boolean;
  private readonly left: Line[];
  private at = 0;
  private last: number | undefined;
  private open: KeyEntry | undefined;
  /** The line before, if it has nothing but numbers; answers may stand below them. */
  private valuesAbove: number[] | undefined;

  constructor(sections: readonly KeySection[], style: NumberStyle, left: Line[]) {
    this.sections = sections;
    this.style = style;
    this.left = left;
    const values = sections.flatMap((section) => section.values);
    this.isUnique = new Set(values).size === values.length;
  }

  take(fact: Fact): void {
    if (isTable(fact.line)) this.takeTable(fact.line);
    else if (fact.isBlank) this.open?.lines.push(fact.line);
    else if (fact.isKeyRow) this.takeRow(fact.line, fact.text);
    else if (fact.heading && this.enter(fact.heading)) this.takeBehindTitle(fact.line, fact.text);
    else if (!fact.number && keyTitle.test(fact.text) && !(this.open && lonelyLabel.test(fact.text))) this.beginAgain();
    else this.takeLine(fact, fact.line);
  }

  private takeLine({ number, text }: Fact, line: TextLine) {
    const values = this.valuesAbove;
    this.valuesAbove = numbersOnly.test(text) ? [...text.matchAll(/\d+/g)].map(([value]) => Number(value)) : undefined;
    if (this.valuesAbove) return;
    const answers = values && splitAnswers(text.replace(/^[\s\u3000]*答案[:：]?/, ''), values.length);
    if (values && answers) {
      this.takeItems(
        answers.map((answer, index) => ({ value: values[index] ?? 0, answer })),
        line.number,
      );
      return;
    }
    if (number?.style === this.style && this.accepts(number.value, text.slice(number.to))) {
      this.takeNumbered(line, number.value, number.to);
    } else if (this.open) this.open.lines.push(line);
    else if (!this.takeLetters(line, text)) this.left.push(line);
  }

  private beginAgain() {
    this.at = 0;
    this.last = undefined;
    this.open = undefined;
  }

  /** A heading can go on with the answers of its section: 一、选择题：ABCDA, or 一、1. 甲 2. 乙 */
  private takeBehindTitle(line: TextLine, text: string) {
    const front = sectionInFront.exec(text);
    if (front) return this.take(factOf(cutFrom(line, front[0].length)));
    const behind = /[:：）)题][\s\u3000]*([A-Ha-h√×✓✔✗✘对错\s\u3000,，、;；/|]+)$/.exec(text)?.[1];
    if (behind && behind.trim() !== '') this.takeLetters(line, behind);
  }

  /** Goes to the section that a heading of the key names. */
  private enter(heading: Heading): boolean {
    const isSame = (section: KeySection) =>
      heading.ordinal !== undefined &&
      section.heading?.ordinal === heading.ordinal &&
      section.heading.rank === heading.rank;
    const candidates = this.sections.map((section, index) => ({ section, index }));
    const found =
      candidates.find(({ section, index }) => index >= this.at && isSame(section)) ??
      candidates.find(({ section }) => isSame(section)) ??
      candidates.find(({ section }) => heading.kind !== undefined && section.heading?.kind === heading.kind);
    if (!found && !heading.isCertain) return false;
    if (found) this.at = found.index;
    this.last = undefined;
    this.open = undefined;
    return true;
  }

  /** True if a number at the start of a line begins the next entry, and is not part of the answer before. */
  private accepts(value: number, rest: string): boolean {
    const section = this.sections[this.at];
    if (this.last === undefined) return section === undefined || this.isKnown(value) || this.isLater(value);
    if (value === this.last + 1) return this.isKnown(value) || this.open === undefined || this.isLater(value);
    if (value > this.last)
      return this.open === undefined || value - this.last <= 10
        ? this.isKnown(value) || this.isLater(value)
        : this.isLater(value);
    const isEnd = this.last === section?.values.at(-1);
    const next = this.sections[this.at + 1];
    const isAnswer = keyItemsIn(`1.${rest}`) !== undefined || labelsIn(rest).length > 0;
    if (isEnd && next && value === next.values[0] && isAnswer) {
      this.at += 1;
      return true;
    }
    return false;
  }

  /** True if a later section begins with this number; the key goes on there. */
  private isLater(value: number): boolean {
    const later = this.sections.findIndex(({ values }, index) => index > this.at && values[0] === value);
    if (later === -1) return false;
    this.at = later;
    return true;
  }

  private isKnown(value: number): boolean {
    return this.isUnique
      ? this.sections.some(({ values }) => values.includes(value))
      : (this.sections[this.at]?.values.includes(value) ?? false);
  }

  private add(value: number, line: number, lines: Line[]): KeyEntry {
    const entry = { section: this.isUnique ? undefined : this.sections[this.at]?.id, value, line, lines };
    this.entries.push(entry);
    this.last = value;
    return entry;
  }

  private takeNumbered(line: TextLine, value: number, to: number) {
    const range = rangesBehind.exec(plainLine(line).slice(to));
    const items = range ? keyItemsIn(range[0]) : undefined;
    const end = range && items ? to + range.index : undefined;
    this.takeItemsInLine(cutFrom(line, to, end), line, value);
    if (items) this.takeItems(items, line.number);
  }

  private takeItemsInLine(first: TextLine, line: TextLine, value: number) {
    let rest = first;
    this.open = this.add(value, line.number, []);
    // Further answers in the same line: “16. 微量  17. 2：3”.
    for (;;) {
      const text = plainLine(rest);
      const next = this.nextInLine(text, (this.last ?? 0) + 1);
      this.open.lines.push(cutFrom(rest, 0, next ?? text.length));
      if (next === undefined) return;
      const label = numberAt(text, next);
      if (!label) return;
      rest = cutFrom(rest, label.to);
      this.open = this.add(label.value, line.number, []);
    }
  }

  private nextInLine(text: string, value: number): number | undefined {
    if (!this.isKnown(value)) return undefined;
    for (const match of text.matchAll(/(?<=([\s\u3000；;]+))\d{1,4}\s*[.．、]/g)) {
      const label = numberAt(text, match.index);
      const isWide = /[\t\u3000；;]|\s{2}$/.test(text.slice(Math.max(0, match.index - 2), match.index));
      if (label?.value === value && (isWide || !label.isWeak)) return match.index;
    }
    return undefined;
  }

  private takeRow(line: TextLine, text: string) {
    const items = keyRowIn(text) ?? [];
    const heading = headingIn(text.slice(0, text.search(/第?\d|[（(]\s*\d/)).replace(/[:：\s]*$/, ''));
    if (heading) this.enter(heading);
    this.takeItems(items, line.number);
  }

  private takeItems(items: readonly { value: number; answer: string }[], line: number) {
    for (const { value, answer } of items) {
      this.goTo(value);
      this.add(value, line, [answerLine(answer, line)]);
    }
    this.open = undefined;
  }

  /** Goes on to the section that has a question of this number, if the present one has not, or its answer is read. */
  private goTo(value: number) {
    const has = (section: KeySection | undefined) => section?.values.includes(value) ?? false;
    const isRestart = this.last !== undefined && value <= this.last;
    if (!isRestart && has(this.sections[this.at])) return;
    const later = this.sections.findIndex((section, index) => index > this.at && has(section));
    if (later !== -1) this.at = later;
    else if (!has(this.sections[this.at])) this.at = Math.max(0, this.sections.findIndex(has));
  }

  /** Letters without numbers, as many as the section has questions. */
  private takeLetters(line: TextLine, text: string): boolean {
    const values = this.sections[this.at]?.values ?? [];
    const label = labelsIn(text).find(({ field }) => field === 'answer');
    const spelled = label ? text.slice(label.to) : text;
    if (!/^[A-Ha-h√×✓✔✗✘对错正确误TF\s\u3000,，、;；/|]+$/.test(spelled)) return false;
    const answers = splitAnswers(spelled, values.length);
    if (!answers || answers.length < 2) return false;
    this.takeItems(
      answers.map((answer, index) => ({ value: values[index] ?? 0, answer })),
      line.number,
    );
    return true;
  }

  private takeTable(table: TableLine) {
    const rows = table.rows.map((row) => row.map((cell) => plainText(cell.lines).replace(/\s+/g, ' ').trim()));
    const items = tableItems(rows);
    if (items.length > 0) this.takeItems(items, table.number);
    else if (this.open) this.open.lines.push(table);
    else this.left.push(table);
  }
}

const numberCell = (text: string | undefined): number | undefined => {
  const match = /^第?(\d{1,4})\s*[.．、题]?$/.exec(text ?? '');
  return match ? Number(match[1]) : undefined;
};

/** Answers of a table: a row of numbers above a row of answers, or columns 题号 and 答案. */
export function tableItems(rows: readonly string[][]): { value: number; answer: string }[] {
  const items: { value: number; answer: string }[] = [];
  rows.forEach((row, index) => {
    const numbers = row.map(numberCell);
    const isTitled = numberCell(row[0]) === undefined;
    const filled = numbers.filter((value) => value !== undefined).length;
    const answers = rows[index + 1];
    if (!answers || filled < 2 || filled < row.filter((cell) => cell !== '').length - (isTitled ? 1 : 0)) return;
    if (answers.map(numberCell).filter((value) => value !== undefined).length >= filled) return;
    numbers.forEach((value, column) => {
      const answer = answers[column];
      if (value !== undefined && answer) items.push({ value, answer });
    });
  });
  if (items.length > 0) return items;
  const title = rows.findIndex(
    (row) => row.some((cell) => /^(?:题号|序号|题目)$/.test(cell)) && row.some((cell) => /答案/.test(cell)),
  );
  if (title === -1) return items;
  const columns = (rows[title] as string[]).flatMap((cell, column) =>
    /^(?:题号|序号|题目)$/.test(cell) ? [column] : [],
  );
  for (const row of rows.slice(title + 1)) {
    for (const column of columns) {
      const value = numberCell(row[column]);
      const answer = row[column + 1];
      if (value !== undefined && answer) items.push({ value, answer });
    }
  }
  return items;
}
