/** Splits the lines of one question into stem, options, answer, analysis and parts. */
import {
  isBlankLine,
  isTable,
  type Line,
  plainLine,
  plainText,
  type TableLine,
  type TextLine,
  trimLines,
} from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { isSameAnswer, lettersIn } from './choice-answers.ts';
import { type Draft, emptyDraft, hasObject, type LeftOver, type NumberedField, noteAt } from './draft.ts';
import { cutFrom, type Fact, lineName } from './facts.ts';
import { contradiction, isMark } from './fields.ts';
import { labelsIn, type PaperField } from './labels.ts';
import { type NumberLabel, type NumberStyle, numberAt } from './numbers.ts';
import { leadingOption, type OptionLabel, optionRow, optionsBehindStem } from './option-labels.ts';
import { tagAt } from './type-tags.ts';

/**
 * Reads the lines of one numbered question. More than one result: options begin again at A, so a question between them
 * has no number.
 */
export function readDrafts(
  first: Draft,
  facts: readonly Fact[],
  style: NumberStyle | undefined,
  left: LeftOver,
): Draft[] {
  const reader = new DraftReader(first, style, left);
  facts.forEach((fact, index) => {
    reader.take(fact, index === 0);
  });
  return reader.finish();
}

/** A line of nothing but points, as platforms print what a student got. */
const lonePoints = /^[\s\u3000]*\d+(?:\.\d+)?\s*分[\s\u3000]*$/;

/** Styles of numbers that begin parts. */
const partStyles: ReadonlySet<NumberStyle> = new Set(['bracket', 'paren', 'roman']);

class DraftReader {
  private readonly drafts: Draft[];
  private question: Draft;
  /** The open part, or the question itself. */
  private target: Draft;
  private field: PaperField | undefined;
  private readonly style: NumberStyle | undefined;
  private readonly left: LeftOver;
  private partStyle: NumberStyle | undefined;

  constructor(first: Draft, style: NumberStyle | undefined, left: LeftOver) {
    this.drafts = [first];
    this.question = first;
    this.target = first;
    this.style = style;
    this.left = left;
  }

  finish(): Draft[] {
    return this.drafts;
  }

  take(fact: Fact, isFirst: boolean) {
    const { line } = fact;
    this.question.to = line.number;
    if (isTable(line)) return this.takeTable(line);
    if (fact.isBlank) return this.put(line);
    const at = isFirst ? fact.start : 0;
    const isAnswering = this.field !== undefined || this.target.answer !== undefined;
    const labels = (isFirst ? fact.labels : labelsIn(fact.text, 0)).filter(({ isSpoken }) => !isSpoken || !isAnswering);
    const end = labels[0]?.from ?? fact.text.length;
    if (end > at || labels.length === 0) this.takeText(cutFrom(line, at, end));
    labels.forEach((label, index) => {
      const content = cutFrom(line, label.to, labels[index + 1]?.from ?? fact.text.length);
      if (label.field === 'answer' && label.number === undefined) this.compareAnswers(content);
      this.openField(label.field, label.word, line.number, label.number);
      if (label.field === 'stem' || plainLine(content).trim() !== '') this.takeText(content, true);
    });
  }

  /** Notes a second answer that differs from the first: 参考答案：A, 正确答案：B. */
  private compareAnswers(content: TextLine) {
    const { target } = this;
    const spelled = [target.answer?.lines ?? [], [content]].map((lines) => plainText(lines).trim().replace(/。$/, ''));
    const [own = '', other = ''] = spelled;
    const isChoice = spelled.every((text) => lettersIn(text)?.rest === '' || isMark(text));
    if (isChoice && !isSameAnswer(own, other)) contradiction(target, lineName(content.number), other);
  }

  private openField(field: PaperField, word: string, line: number, number: number | undefined) {
    this.field = field === 'stem' || field === 'options' ? undefined : field;
    this.elsewhere = undefined;
    this.isSolution = word === '解答';
    const { parts, value, section } = this.question;
    const part = number === undefined ? undefined : parts[number - 1];
    if (part) this.target = part;
    else if (number !== undefined && number !== value && (field === 'answer' || field === 'analysis')) {
      this.elsewhere = { value: number, section, field, lines: [] };
      this.left.numbered.push(this.elsewhere);
      return;
    }
    const { target } = this;
    if (field === 'attempt') this.left.attempts.push(line);
    if (field === 'answer') target.answer ??= { where: lineName(line), lines: [] };
    if (field === 'point') target.points ??= { where: lineName(line), lines: [] };
    if (field === 'note') target.notes ??= { where: lineName(line), lines: [] };
    if (field === 'analysis') {
      const isRepeated = target.analysis !== undefined && plainText(target.analysis.lines) !== '';
      target.analysis ??= { where: lineName(line), lines: [] };
      if (isRepeated) {
        target.analysis.lines.push({ number: line, continues: false, segments: [{ text: `【${word}】`, marks: [] }] });
        this.joinsLabel = true;
      }
    }
    if (field === 'difficulty') target.difficulty = { where: lineName(line), lines: [] };
  }

  /** True behind 【解答】. */
  private isSolution = false;

  /** True while the last line of the analysis is a label that the next text continues. */
  private joinsLabel = false;

  /** The open field, if its label names another question. */
  private elsewhere: NumberedField | undefined;

  private takeText(line: TextLine, isBehindLabel = false) {
    const text = plainLine(line);
    if (this.beginsPart(line, isBehindLabel)) return;
    if (this.field !== undefined) {
      if (!this.opensOptionsAfterAnswer(text)) return this.put(line);
      this.field = undefined;
    }
    this.takeStemOrOptions(line, text);
  }

  private takeStemOrOptions(line: TextLine, text: string) {
    const { options } = this.target;
    const last = options.at(-1)?.index;
    const row = optionRow(text, last === undefined ? 0 : last + 1);
    if (row.length > 0) return this.addOptions(line, row);
    const letter = leadingOption(text);
    if (last !== undefined && letter !== undefined) {
      if (letter === 0) return this.restartOptions(line);
      if (letter === last || letter === last + 2) {
        const message = letter === last ? paperMessages.repeatedLetter : paperMessages.missingLetter;
        this.question.doubts.push(noteAt(line.number, message));
        const index = letter === last ? last + 1 : letter;
        return this.addOptions(
          line,
          optionRow(text, letter).map((label, place) => (place === 0 ? { ...label, index } : label)),
        );
      }
    }
    if (last === undefined) {
      const behind = optionsBehindStem(text, 0);
      if (behind) {
        this.target.stem.push(cutFrom(line, 0, behind[0]?.from));
        return this.addOptions(line, behind);
      }
    }
    this.put(line);
  }

  /** An answer can stand between stem and options. */
  private opensOptionsAfterAnswer(text: string): boolean {
    const answer = this.target.answer;
    return (
      this.field === 'answer' &&
      this.target.options.length === 0 &&
      leadingOption(text) === 0 &&
      answer !== undefined &&
      answer.lines.length > 0 &&
      plainText(answer.lines).length <= 12
    );
  }

  private beginsPart(line: TextLine, isBehindLabel: boolean): boolean {
    const text = plainLine(line);
    const label = numberAt(text);
    if (!label || label.style === this.style || !partStyles.has(label.style)) return false;
    if (this.partStyle !== undefined && label.style !== this.partStyle) return false;
    const { parts } = this.question;
    if (label.value !== parts.length + 1) return false;
    // In an answer, a number belongs to the answer, unless it names a type, or the part before has been answered.
    if (this.field !== undefined && !tagAt(text, label.to)) {
      if (isBehindLabel || parts.length === 0) return false;
      const answered = plainText(this.target.answer?.lines ?? this.target.analysis?.lines ?? []);
      const begins = numberAt(answered);
      if (begins && (begins.style === label.style || begins.value === 1)) return false;
    }
    if (parts.length === 0 && this.question.options.length > 0) return false;
    this.partStyle = label.style;
    this.openPart(line, label);
    return true;
  }

  private openPart(line: TextLine, label: NumberLabel) {
    const part = emptyDraft(label.printed, label.value, line.number, undefined, this.question.section);
    part.tag = tagAt(plainLine(line), label.to);
    const rest = cutFrom(line, part.tag?.to ?? label.to);
    const points = /^[（(]\s*(\d+(?:\.\d+)?)\s*分\s*[)）]\s*/.exec(plainLine(rest));
    part.score = points ? Number(points[1]) : part.tag?.score;
    this.question.parts.push(part);
    this.target = part;
    this.field = undefined;
    const content = points ? cutFrom(rest, points[0].length) : rest;
    if (plainLine(content).trim() !== '') this.takeStemOrOptions(content, plainLine(content));
    part.original.splice(0, part.original.length, line);
  }

  private addOptions(line: TextLine, row: readonly OptionLabel[]) {
    const { options, after } = this.target;
    if (after.length > 0) options.at(-1)?.lines.push(...after.splice(0));
    if (row.some((label, index) => index > 0 && label.index !== (row[index - 1]?.index ?? 0) + 1)) {
      this.question.doubts.push(noteAt(line.number, paperMessages.missingLetter));
    }
    row.forEach((label, index) => {
      const content = cutFrom(line, label.to, row[index + 1]?.from);
      options.push({
        index: label.index,
        where: lineName(line.number),
        lines: [{ ...content, continues: false }],
        original: cutFrom(line, label.from, row[index + 1]?.from),
      });
    });
    if (this.target !== this.question) this.target.original.push(line);
  }

  /** Options begin again at A: the question before had only begun, or a question without a number begins. */
  private restartOptions(line: TextLine) {
    const { options, after, stem } = this.target;
    const text = plainLine(line);
    if (options.length < 2) {
      stem.push(...options.splice(0).map(({ original }) => original), ...after.splice(0));
      return this.addOptions(line, optionRow(text, 0));
    }
    // Letters alone, in front of the real options.
    if (options.every(({ lines }) => plainText(lines) === '' && !lines.some(hasObject))) {
      options.splice(0);
      stem.push(...after.splice(0));
      return this.addOptions(line, optionRow(text, 0));
    }
    if (after.every(isBlankLine)) return this.put(line);
    const next = emptyDraft(
      '',
      0,
      after.find((other) => !isBlankLine(other))?.number ?? line.number,
      this.question.kind,
      this.question.section,
    );
    next.doubts.push(noteAt(next.from, paperMessages.noNumber));
    next.stem.push(...after.splice(0));
    this.drafts.push(next);
    this.question = next;
    this.target = next;
    this.partStyle = undefined;
    this.addOptions(line, optionRow(text, 0));
  }

  private takeTable(table: TableLine) {
    const cells = table.rows.flatMap((row) => row.map((cell) => trimLines(cell.lines)));
    const first = cells.find((lines) => lines.length > 0)?.[0];
    const isOptions =
      this.field === undefined &&
      first !== undefined &&
      !isTable(first) &&
      optionRow(plainLine(first), this.nextOption()).length > 0 &&
      leadingOption(plainLine(first)) !== undefined;
    if (!isOptions) return this.put(table);
    for (const line of cells.flat()) {
      if (isTable(line)) this.put(line);
      else this.takeText({ ...line, continues: false });
    }
  }

  private nextOption(): number {
    const last = this.target.options.at(-1);
    return last ? last.index + 1 : 0;
  }

  /** Adds a line to the open field. */
  private put(line: Line) {
    const { target } = this;
    if (this.elsewhere) {
      this.elsewhere.lines.push(line);
      return;
    }
    if (this.field !== undefined && !isTable(line) && lonePoints.test(plainLine(line))) {
      this.left.attempts.push(line.number);
      return;
    }
    if (target !== this.question && this.field === undefined) target.original.push(line);
    switch (this.field) {
      case undefined:
        (target.options.length > 0 ? target.after : target.stem).push(line);
        return;
      case 'answer':
        target.answer?.lines.push(line);
        return;
      case 'point':
        target.points?.lines.push(line);
        return;
      case 'note':
        target.notes?.lines.push(line);
        return;
      case 'analysis': {
        if (this.isSolution) {
          target.solution ??= { where: lineName(line.number), lines: [] };
          target.solution.lines.push(line);
        }
        const lines = target.analysis?.lines ?? [];
        const label = lines.at(-1);
        if (this.joinsLabel && label && !isTable(label) && !isTable(line)) label.segments.push(...line.segments);
        else lines.push(line);
        this.joinsLabel = false;
        return;
      }
      case 'difficulty':
        if (target.difficulty && plainText(target.difficulty.lines) === '') target.difficulty.lines.push(line);
        return;
      case 'score': {
        const points = isTable(line) ? undefined : /^\s*(\d+(?:\.\d+)?)/.exec(plainLine(line))?.[1];
        if (points) target.score ??= Number(points);
        return;
      }
      case 'type':
      case 'stem':
      case 'options':
      case 'attempt':
        return;
    }
  }
}
