/**
 * Builds the lines of a Word document from its paragraphs, runs (pieces of text with one formatting), drawings and
 * tables.
 */
import type { Relationship } from '#server/platform/office/relationships.ts';
import {
  appendText,
  isPicture,
  type Line,
  type LineNumbering,
  type Mark,
  type Segment,
  type TableCell,
  type TextLine,
} from './rich-line.ts';
import { lossMessages } from './rules.ts';
import { type NumberedStyle, numberingOfStyle } from './word-numbering.ts';

export interface Run {
  marks: Mark[];
  hidden: boolean;
  isCapital: boolean;
  symbolFont: string | undefined;
}

/** An open field. Its code is not shown, nor the result of some fields. */
export interface Field {
  instruction: string;
  isHidden: boolean;
}

export interface Paragraph {
  number: number;
  segments: Segment[];
  continues: boolean;
  runs: Run[];
  inProperties: boolean;
  style: string | undefined;
  list: { id?: string; level?: number };
  numbering: LineNumbering | undefined;
  /** True if tracked changes deleted the end of the paragraph, which then continues in the next one. */
  runsOn: boolean;
  /** Lines of the paragraph's text boxes, which come after it. */
  after: Line[];
  /** Drawings that are open at present, the innermost last. */
  graphics: Graphic[];
}

export interface OpenCell extends TableCell {
  continuesAbove: boolean;
}

export interface OpenTable {
  number: number;
  rows: { cells: OpenCell[]; deleted: boolean }[];
}

/** An open drawing, embedded object or VML picture. */
export interface Graphic {
  found: boolean;
  width: number | undefined;
  height: number | undefined;
  alt: string;
  program: string;
  segments: Segment[];
  isRule: boolean;
  /** Pixels per unit of a group's own coordinates; undefined outside groups. */
  groupScale: number | undefined;
}

/** The lines of a document so far, and its open elements: paragraphs, runs, drawings, tables and text boxes. */
export class DocumentLines {
  readonly lines: Line[] = [];
  private readonly relationships: ReadonlyMap<string, Relationship>;
  private readonly count: (id: string, level: number) => string;
  private readonly styles: ReadonlyMap<string, NumberedStyle>;
  /** Targets of finished lines: the document, or the innermost open cell or text box, which is last. */
  protected readonly containers: Line[][] = [this.lines];
  private readonly paragraphs: Paragraph[] = [];
  protected readonly tables: OpenTable[] = [];
  protected readonly tableIsRead: boolean[] = [];
  protected textBoxes = 0;
  protected readonly fields: Field[] = [];
  private lineNumber = 0;
  private carried: Segment[] = [];

  constructor(
    relationships: ReadonlyMap<string, Relationship>,
    count: (id: string, level: number) => string,
    styles: ReadonlyMap<string, NumberedStyle>,
  ) {
    this.relationships = relationships;
    this.count = count;
    this.styles = styles;
  }

  protected paragraph() {
    return this.paragraphs.at(-1);
  }

  protected run() {
    return this.paragraph()?.runs.at(-1);
  }

  protected graphic() {
    return this.paragraph()?.graphics.at(-1);
  }

  private container() {
    return this.containers.at(-1) ?? this.lines;
  }

  protected nextNumber() {
    // Lines in tables and text boxes get the number of the surrounding line, because people cannot count inside them.
    if (this.tables.length === 0 && this.textBoxes === 0) this.lineNumber += 1;
    return this.lineNumber;
  }

  protected add(segment: Segment) {
    if (!this.isMuted()) (this.graphic()?.segments ?? this.paragraph()?.segments)?.push(segment);
  }

  private isMuted(): boolean {
    return Boolean(this.run()?.hidden) || this.fields.some(({ isHidden }) => isHidden);
  }

  protected addText(text: string) {
    const current = this.run();
    const target = this.paragraph();
    if (!target || this.isMuted()) return;
    appendText(target.segments, current?.isCapital ? text.toUpperCase() : text, current?.marks ?? []);
  }

  protected breakLine() {
    const target = this.paragraph();
    if (!target || this.isMuted()) return;
    this.container().push(lineOf(target));
    target.segments = [];
    target.numbering = undefined;
    target.continues = true;
    target.number = this.nextNumber();
  }

  protected openParagraph() {
    this.paragraphs.push({
      number: this.nextNumber(),
      segments: this.carried,
      continues: false,
      runs: [],
      inProperties: false,
      style: undefined,
      list: {},
      numbering: undefined,
      runsOn: false,
      after: [],
      graphics: [],
    });
    this.carried = [];
  }

  protected closeParagraph() {
    const done = this.paragraphs.pop();
    if (!done) return;
    if (done.runsOn) {
      this.carried = done.segments;
      return;
    }
    this.container().push(lineOf(done), ...done.after);
  }

  /** The label is at the beginning of the text, so it must be added as soon as the paragraph's properties are known. */
  protected labelParagraph(target: Paragraph) {
    const inherited = numberingOfStyle(this.styles, target.style);
    const id = target.list.id ?? inherited?.id;
    if (id === undefined || id === '0') return;
    const level = target.list.level ?? inherited?.level ?? 0;
    const label = this.count(id, level);
    if (!label) return;
    appendText(target.segments, `${label} `, []);
    target.numbering = { list: id, level, label };
  }

  protected openGraphic() {
    this.paragraph()?.graphics.push({
      found: false,
      width: undefined,
      height: undefined,
      alt: '',
      program: '',
      segments: [],
      isRule: false,
      groupScale: undefined,
    });
  }

  protected closeGraphic() {
    const done = this.paragraph()?.graphics.pop();
    if (!done) return;
    const outer = this.graphic();
    if (outer) outer.found ||= done.found;
    const isFormula = /equation|mathtype|eqnedt|formula/i.test(done.program);
    if (done.segments.length > 0) {
      for (const segment of done.segments) {
        if (isFormula && isPicture(segment)) segment.picture.isFormula = true;
        this.add(segment);
      }
    } else if (isFormula) {
      this.add({ lost: lossMessages.formula, shown: '［公式］' });
    } else if (done.program) {
      this.add({ lost: lossMessages.object, shown: '' });
    } else if (!done.found && !done.isRule) {
      this.add({ lost: lossMessages.shape, shown: '' });
    }
  }

  protected addPicture(id: string | undefined, isLink: boolean) {
    const current = this.graphic();
    if (!current) return;
    const relationship = id === undefined ? undefined : this.relationships.get(id);
    const isFirst = !current.found;
    current.found = true;
    if (isLink || relationship?.external) this.add({ lost: lossMessages.linkedPicture, shown: '［图片］' });
    else if (!relationship) this.add({ lost: lossMessages.missingPicture, shown: '［图片］' });
    else {
      this.add({
        picture: {
          part: relationship.target,
          // The size of a group says nothing about its pictures, which have their own.
          width: isFirst && current.groupScale === undefined ? current.width : undefined,
          height: isFirst && current.groupScale === undefined ? current.height : undefined,
          alt: current.alt,
        },
      });
    }
  }

  /** The last picture of the open drawing. */
  protected drawnPicture() {
    const last = this.graphic()?.segments.at(-1);
    return last && isPicture(last) ? last.picture : undefined;
  }

  protected closeTable() {
    const table = this.tables.pop();
    if (!table) return;
    const rows = table.rows.filter((row) => !row.deleted && row.cells.length > 0).map((row) => row.cells);
    if (rows.length > 0) this.container().push({ number: table.number, rows: mergeRows(rows) });
  }

  protected openTableCell() {
    const cell: OpenCell = { lines: [], columns: 1, rows: 1, continuesAbove: false };
    this.tables.at(-1)?.rows.at(-1)?.cells.push(cell);
    this.containers.push(cell.lines);
  }

  /** Adds an empty cell for the columns that a row leaves out at its start or end. */
  protected skipColumns(columns: number) {
    if (!this.tableIsRead.at(-1) || columns < 1) return;
    this.tables.at(-1)?.rows.at(-1)?.cells.push({ lines: [], columns, rows: 1, continuesAbove: false });
  }

  protected cell() {
    return this.tableIsRead.at(-1) ? this.tables.at(-1)?.rows.at(-1)?.cells.at(-1) : undefined;
  }
}

const lineOf = ({ number, segments, continues, numbering }: Paragraph): TextLine => ({
  number,
  segments,
  continues,
  ...(numbering ? { numbering } : {}),
});

/** Merges the cells of a vertically merged range into its top cell. */
function mergeRows(rows: readonly OpenCell[][]): TableCell[][] {
  const above = new Map<number, OpenCell>();
  return rows.map((row) => {
    const kept: TableCell[] = [];
    let column = 0;
    for (const cell of row) {
      const upper = above.get(column);
      if (cell.continuesAbove && upper) {
        upper.rows += 1;
      } else {
        above.set(column, cell);
        kept.push(cell);
      }
      column += cell.columns;
    }
    return kept;
  });
}

/** Marks the open row as deleted, if the deletion is a property of the row. */
export function markRowDeleted(tables: readonly OpenTable[]): void {
  const row = tables.at(-1)?.rows.at(-1);
  if (row && row.cells.length === 0) row.deleted = true;
}
