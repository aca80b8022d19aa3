/** Reads an answer key: rows of letters, numbered answers, tables; at the end of a paper, of a section, or in a file. */
import { isTable, type Line, plainLine, plainText, type TableLine, type TextLine } from '../rich-line.ts';
import { cutFrom, type Fact } from './facts.ts';
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

const answerLine = (text: string, number: number): TextLine => ({
  number,
  continues: false,
  segments: [{ text, marks: [] }],
});

/** Returns the entries of a key. `start`: the section in which a key without headings begins. */
export function readKey(
  facts: readonly Fact[],
  sections: readonly KeySection[],
  style: NumberStyle,
  start = 0,
): KeyEntry[] {
  const reader = new KeyReader(sections, style, start);
  for (const fact of facts) reader.take(fact);
  return reader.entries;
}

class KeyReader {
  readonly entries: KeyEntry[] = [];
  private readonly sections: readonly KeySection[];
  private readonly style: NumberStyle;
  private readonly isUnique: boolean;
  private at: number;
  private last: number | undefined;
  private open: KeyEntry | undefined;

  constructor(sections: readonly KeySection[], style: NumberStyle, start: number) {
    this.sections = sections;
    this.style = style;
    this.at = start;
    const values = sections.flatMap((section) => section.values);
    this.isUnique = new Set(values).size === values.length;
  }

  take(fact: Fact) {
    if (isTable(fact.line)) return this.takeTable(fact.line);
    if (fact.isBlank) {
      this.open?.lines.push(fact.line);
      return;
    }
    if (fact.isKeyRow) return this.takeRow(fact.line, fact.text);
    if (fact.heading && this.enter(fact.heading)) return;
    const label = fact.number;
    if (label?.style === this.style && this.accepts(label.value, fact.text.slice(label.to))) {
      return this.takeNumbered(fact.line, label.value, label.to);
    }
    if (this.open) this.open.lines.push(fact.line);
    else this.takeLetters(fact.line, fact.text);
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
    if (this.last === undefined) return section === undefined || this.isKnown(value);
    if (value === this.last + 1) return this.isKnown(value) || this.open === undefined;
    if (value > this.last) return this.isKnown(value) && value - this.last <= 10;
    const isEnd = this.last === section?.values.at(-1);
    const next = this.sections[this.at + 1];
    const isAnswer = keyItemsIn(`1.${rest}`) !== undefined || labelsIn(rest).length > 0;
    if (isEnd && next && value === next.values[0] && isAnswer) {
      this.at += 1;
      return true;
    }
    return false;
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
    let rest = cutFrom(line, to);
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
    for (const match of text.matchAll(/(?<=[\s\u3000；;])\d{1,4}\s*[.．、]/g)) {
      const label = numberAt(text, match.index);
      if (label?.value === value && !label.isWeak) return match.index;
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
      const isRestart =
        this.last !== undefined && value <= this.last && value === this.sections[this.at + 1]?.values[0];
      if (isRestart && !this.isUnique) this.at += 1;
      this.add(value, line, [answerLine(answer, line)]);
    }
    this.open = undefined;
  }

  /** Letters without numbers, as many as the section has questions. */
  private takeLetters(line: TextLine, text: string) {
    const values = this.sections[this.at]?.values ?? [];
    const label = labelsIn(text).find(({ field }) => field === 'answer');
    const spelled = label ? text.slice(label.to) : text;
    if (!/^[A-Ha-h√×✓✔✗✘对错正确误TF\s\u3000,，、;；/|]+$/.test(spelled)) return;
    const answers = splitAnswers(spelled, values.length);
    if (answers && answers.length > 1)
      this.takeItems(
        answers.map((answer, index) => ({ value: values[index] ?? 0, answer })),
        line.number,
      );
  }

  private takeTable(table: TableLine) {
    const rows = table.rows.map((row) => row.map((cell) => plainText(cell.lines).replace(/\s+/g, ' ').trim()));
    const items = tableItems(rows);
    if (items.length > 0) this.takeItems(items, table.number);
    else this.open?.lines.push(table);
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
