/** Reads an answer key: rows of letters, numbered answers, tables; at the end of a paper, of a section, or in a file. */
import { isTable, type Line, plainLine, plainText, type TableLine, type TextLine } from '../rich-line.ts';
import { cutFrom, type Fact, factOf } from './facts.ts';
import { type Heading, headingIn } from './headings.ts';
import { keyItemsIn, keyRowIn, splitAnswers } from './key-rows.ts';
import { isWhole, type KeySection, KeySections } from './key-sections.ts';
import { tableAnswers } from './key-tables.ts';
import { labelsIn } from './labels.ts';
import { chineseValue, type NumberStyle, numberAt } from './numbers.ts';

/** An answer of the key. `section`: id of the section of the paper that it belongs to; undefined if only its number tells. */
export interface KeyEntry {
  section: number | undefined;
  value: number;
  line: number;
  lines: Line[];
}

/** Number of the answer to a section that is one question. */
export const wholeSection = 0;

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
  facts.forEach((fact, index) => {
    reader.take(fact, facts.slice(index + 1, index + maxList));
  });
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

/** The name of a section in front of answers: `填空题：1．北京 2．12`. */
const titleInFront =
  /^[\s\u3000]*((?:[一二三四五六七八九十]{1,3}\s*[、.．]\s*)?[\u4e00-\u9fff]{2,8})[\s\u3000]*[:：][\s\u3000]*(?=\d)/;

/** A label in front of numbered answers: `答案：三、1. is 2. are`. */
const labelInFront =
  /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案)[】]?[\s\u3000]*[:：]?[\s\u3000]*(?=(?:[一二三四五六七八九十]{1,3}、[\s\u3000]*)?\d{1,3}[\s\u3000]*[.．、~～—–-])/;

/** The number of a section after other answers: `一、1.A 2.B 二、1.√ 2.×`. */
const sectionBehind =
  /(?<=[\s\u3000;；。])(?=(?:[一二三四五六七八九十]{1,3}\s*[、.．]|[（(][一二三四五六七八九十]{1,3}[)）])\s*\d)/;

/** Numbers of further answers in a line: `16. 微量  17. 2：3`, `（1）北京 （2）长江`. */
const dottedBehind = /(?<=([\s\u3000；;。]+))\d{1,4}\s*[.．、]/g;
const bracketedBehind = /(?<=[\s\u3000；;。])[（(]\s*\d{1,4}\s*[)）]/g;

/** Maximum number of lines of a list in an answer. */
const maxList = 60;
class KeyReader {
  readonly entries: KeyEntry[] = [];
  private readonly sections: KeySections;
  private readonly style: NumberStyle;
  private readonly left: Line[];
  private last: number | undefined;
  private open: KeyEntry | undefined;
  /** The last number of a list within the open answer. */
  private listed: number | undefined;
  /** The line before, if it has nothing but numbers; answers may stand below them. */
  private valuesAbove: number[] | undefined;

  constructor(sections: readonly KeySection[], style: NumberStyle, left: Line[]) {
    this.sections = new KeySections(sections);
    this.style = style;
    this.left = left;
  }

  take(fact: Fact, following: readonly Fact[]): void {
    const { line, text } = fact;
    if (isTable(line)) this.takeTable(line);
    else if (fact.isBlank) this.open?.lines.push(line);
    else {
      const label = labelInFront.exec(text);
      const pieces = sectionInFront.test(text) ? text.split(sectionBehind) : [text];
      if (label) this.take(factOf(cutFrom(line, label[0].length)), following);
      else if (pieces.length > 1) this.takePieces(line, pieces);
      else if (!this.takeWholeSection(fact)) this.takeFilled(fact, line, following);
    }
  }

  private takeFilled(fact: Fact, line: TextLine, following: readonly Fact[]) {
    if (fact.isKeyRow) this.takeRow(line, fact.text);
    else if (this.enterInFront(line, fact.text)) return;
    else if (fact.heading && this.enter(fact.heading)) this.takeBehindTitle(line, fact.text);
    else if (!fact.number && keyTitle.test(fact.text) && !(this.open && lonelyLabel.test(fact.text))) this.beginAgain();
    else this.takeLine(fact, line, following);
  }

  /** Reads a line with the answers of several sections. */
  private takePieces(line: TextLine, pieces: readonly string[]) {
    let at = 0;
    for (const piece of pieces) {
      this.take(factOf(cutFrom(line, at, at + piece.length)), []);
      at += piece.length;
    }
  }

  /** Reads the lines below the heading of a section that is one question, up to another heading or row of answers. */
  private takeWholeSection({ text, line, heading, number, isKeyRow }: Fact): boolean {
    const titled = this.sections.titledIn(text);
    if (titled && !isTable(line)) {
      this.sections.goTo(titled);
      this.open = this.add(wholeSection, line.number, [cutFrom(line, text.search(/[:：]/) + 1)]);
      return true;
    }
    const { current, next } = this.sections;
    if (!current || !isWhole(current) || this.open?.value !== wholeSection) return false;
    const isOther =
      (heading !== undefined && this.sections.named(heading) !== undefined) ||
      (isKeyRow && (keyRowIn(text) ?? []).every(({ value }) => this.sections.has(value))) ||
      (number?.style === this.style && number.value > 1 && number.value === next?.values[0]);
    if (isOther) {
      this.open = undefined;
      if (!heading) this.sections.goToNext();
      return false;
    }
    this.open.lines.push(line);
    return true;
  }

  /** Goes to the section whose number stands in front of answers. */
  private enterInFront(line: TextLine, text: string): boolean {
    const front = sectionInFront.exec(text);
    const ordinal = chineseValue(front?.[1] ?? front?.[2] ?? '');
    const rank = front?.[1] ? 1 : 3;
    const title = titleInFront.exec(text);
    const named = title?.[1] === undefined ? undefined : headingIn(title[1]);
    const numbered = front && ordinal !== undefined ? this.sections.withOrdinal(ordinal, rank) : undefined;
    const section = numbered ?? (named && this.sections.named(named));
    const to = (front ?? title)?.[0].length;
    if (!section || to === undefined) return false;
    this.sections.goTo(section);
    this.last = undefined;
    this.open = undefined;
    this.take(factOf(cutFrom(line, to)), []);
    return true;
  }

  private takeLine({ number, text, labels }: Fact, line: TextLine, following: readonly Fact[]) {
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
    const [label] = labels;
    // 【3题详解】 continues an earlier answer.
    if (label?.number !== undefined && label.from === 0 && this.sections.has(label.number)) {
      const content = cutFrom(line, label.to);
      const named = answerLine(`【${label.word}】`, line.number);
      this.open = this.add(label.number, line.number, [
        { ...named, segments: [...named.segments, ...content.segments] },
      ]);
      return;
    }
    const isNumbered = number?.style === this.style;
    if (isNumbered && !this.isListed(number.value, following) && this.accepts(number.value, text.slice(number.to))) {
      this.takeNumbered(line, number.value, number.to);
    } else if (this.open) {
      if (isNumbered) this.listed = number.value;
      this.open.lines.push(line);
    } else if (!this.takeLetters(line, text)) this.left.push(line);
  }

  /** True if the number is the next item of a list inside the open answer: the next answer's number comes later. */
  private isListed(value: number, following: readonly Fact[]): boolean {
    if (this.open === undefined || this.listed === undefined || value !== this.listed + 1) return false;
    if (this.last === undefined || value !== this.last + 1) return true;
    const end = following.findIndex(({ heading }) => heading?.isCertain);
    return following
      .slice(0, end === -1 ? undefined : end)
      .some(({ number }) => number?.style === this.style && number.value === value);
  }

  private beginAgain() {
    this.sections.goToFirst();
    this.last = undefined;
    this.open = undefined;
  }

  /** A heading can go on with the answers of its section: 一、选择题：ABCDA, or 一、1. 甲 2. 乙 */
  private takeBehindTitle(line: TextLine, text: string) {
    const front = sectionInFront.exec(text);
    if (front) return this.take(factOf(cutFrom(line, front[0].length)), []);
    const behind = /[:：）)题][\s\u3000]*([A-Ha-h√×✓✔✗✘对错\s\u3000,，、;；/|]+)$/.exec(text)?.[1];
    if (behind && behind.trim() !== '') this.takeLetters(line, behind);
  }

  /** Goes to the section that a heading of the key names. */
  private enter(heading: Heading): boolean {
    const section = this.sections.named(heading);
    if (!section && !heading.isCertain) return false;
    if (section) this.sections.goTo(section);
    this.last = undefined;
    this.open = undefined;
    if (section && isWhole(section)) this.open = this.add(wholeSection, 0, []);
    return true;
  }

  /** True if a number at the start of a line begins the next entry, and is not part of the answer before. */
  private accepts(value: number, rest: string): boolean {
    const { sections, last } = this;
    const goesOn = () => sections.has(value) || sections.goToLater(value);
    if (last === undefined) return sections.current === undefined || goesOn();
    if (value === last + 1) return sections.has(value) || this.open === undefined || sections.goToLater(value);
    if (value > last) return this.open === undefined || value - last <= 10 ? goesOn() : sections.goToLater(value);
    const isEnd = last === sections.current?.values.at(-1);
    const isAnswer = keyItemsIn(`1.${rest}`) !== undefined || labelsIn(rest).length > 0;
    if (!isEnd || value !== sections.next?.values[0] || !isAnswer) return false;
    sections.goToNext();
    return true;
  }

  private add(value: number, line: number, lines: Line[]): KeyEntry {
    const isNamed = !this.sections.isUnique || value === wholeSection;
    const entry = { section: isNamed ? this.sections.current?.id : undefined, value, line, lines };
    this.entries.push(entry);
    this.last = value === wholeSection ? undefined : value;
    this.listed = undefined;
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
    if (!this.sections.has(value)) return undefined;
    const labels = this.style === 'bracket' ? bracketedBehind : dottedBehind;
    for (const match of text.matchAll(labels)) {
      const label = numberAt(text, match.index);
      const isWide = /[\t\u3000；;]|\s{2}$/.test(text.slice(Math.max(0, match.index - 2), match.index));
      const isFullWidth = /[．、]/.test(match[0]);
      if (label?.value === value && (isWide || isFullWidth || !label.isWeak)) return match.index;
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
      this.sections.goToValue(value, this.last !== undefined && value <= this.last);
      this.add(value, line, [answerLine(answer, line)]);
    }
    this.open = undefined;
  }

  /** Letters without numbers, as many as the section has questions. */
  private takeLetters(line: TextLine, text: string): boolean {
    const values = this.sections.current?.values ?? [];
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
    let isAnswer = false;
    for (let from = 0; from < rows.length; ) {
      let to = from + 1;
      while (to < rows.length && headingIn(rows[to]?.[0] ?? '')?.isCertain !== true) to += 1;
      const heading = headingIn(rows[from]?.[0] ?? '');
      const answers = tableAnswers(rows.slice(from, to));
      if (heading?.isCertain && answers.length > 0) this.enter(heading);
      for (const { value, row, column, analysis } of answers) {
        const cells = table.rows[from + row] ?? [];
        this.sections.goToValue(value, this.last !== undefined && value <= this.last);
        const explained = analysis === undefined ? [] : (cells[analysis]?.lines ?? []);
        const label = explained.length > 0 ? [answerLine('【解析】', table.number)] : [];
        this.add(value, table.number, [...(cells[column]?.lines ?? []), ...label, ...explained]);
        this.open = undefined;
        isAnswer = true;
      }
      from = to;
    }
    if (isAnswer) return;
    if (this.open) this.open.lines.push(table);
    else this.left.push(table);
  }
}
