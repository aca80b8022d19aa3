import type { OpenedZip } from '#server/platform/files/zip.ts';
import { columnLetters, parseAddress } from '#server/platform/office/cell-address.ts';
import { type NumberFormat, readNumberFormats, showGeneral } from '#server/platform/office/number-formats.ts';
import { readWorkbook, unescapeCellText } from '#server/platform/office/workbook.ts';
import { readXml } from '#server/platform/office/xml.ts';
import { type CellPicture, readCellImages, readSheetPictures } from './excel-pictures.ts';
import { appendText, isText, type Line, type Mark, type Segment, type TextLine } from './rich-line.ts';
import { cellMessages, dateCellNote, unfollowedFormatNote } from './rules.ts';

/**
 * Reads the cells of an .xlsx file as displayed. Formulas are not evaluated and their stored results not used: whoever
 * made the file could choose them.
 */

export interface SheetCell {
  /** Number of the column, from 1. */
  column: number;
  /** Address of the cell, such as `C5`. */
  address: string;
  lines: Line[];
  /** Why the content was not read; undefined if it was. */
  problem?: string;
}

export interface SheetRow {
  /** Number of the row, from 1 as in Excel. */
  number: number;
  cells: Map<number, SheetCell>;
  /** True if a filter or a user hides the row. */
  isHidden?: boolean;
}

export interface Sheet {
  name: string;
  rows: SheetRow[];
}

/** Limits of a sheet. Beyond them there are no questions, only formatting that was dragged too far. */
const maxColumns = 60;
const maxRows = 30_000;

/** Reads the visible sheets in order, with their non-empty rows. */
export async function readSheets(zip: OpenedZip, onProgress: (part: number) => void): Promise<Sheet[]> {
  const { strings, styles, epoch1904, ...workbook } = await readWorkbook(zip);
  const shown = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const total = [strings, ...shown.map((sheet) => sheet.part)].reduce((sum, part) => sum + sizeOf(zip, part), 1);
  let bytes = 0;
  const count = (more: number) => {
    bytes += more;
    onProgress(bytes / total);
  };
  const shared = await readSharedStrings(zip, strings, count);
  const formats = await readNumberFormats(zip, styles);
  const cellImages = await readCellImages(zip);
  const sheets: Sheet[] = [];
  for (const { name, part } of shown) {
    const pictures = await readSheetPictures(zip, part);
    const rows = await readRows(zip, part, { shared, formats, pictures, cellImages, epoch1904 }, count);
    sheets.push({ name, rows });
  }
  return sheets;
}

const sizeOf = (zip: OpenedZip, part: string): number => zip.sizes.get(part.toLowerCase()) ?? 0;

/** Collects text with its formatting; rich text is a sequence of runs, each with one formatting. */
interface TextReader {
  open(name: string, value: string | undefined): void;
  close(name: string): void;
  text(value: string): void;
  take(): Segment[];
}

const markOfElement: Readonly<Record<string, Mark>> = {
  'x:b': 'strong',
  'x:i': 'em',
  'x:u': 'u',
  'x:strike': 's',
};

function createTextReader(): TextReader {
  let segments: Segment[] = [];
  let marks: Mark[] = [];
  let inText = false;
  let reading = 0;
  return {
    open: (name, value) => {
      if (name === 'x:rPh') reading += 1;
      else if (name === 'x:r') marks = [];
      else if (name === 'x:t') inText = true;
      else if (name === 'x:vertAlign') {
        if (value === 'subscript') marks = [...marks, 'sub'];
        else if (value === 'superscript') marks = [...marks, 'sup'];
      } else {
        const mark = markOfElement[name];
        if (mark && value !== '0' && value !== 'false' && value !== 'none') marks = [...marks, mark];
      }
    },
    close: (name) => {
      // Phonetic guides are skipped; they are stored beside the text.
      if (name === 'x:rPh') reading -= 1;
      else if (name === 'x:t') inText = false;
      else if (name === 'x:r') marks = [];
    },
    text: (value) => {
      if (inText && reading === 0) appendText(segments, unescapeText(value), marks);
    },
    take: () => {
      const taken = segments;
      segments = [];
      marks = [];
      return taken;
    },
  };
}

const unescapeText = (text: string): string => unescapeCellText(text).replaceAll('\r', '');

async function readSharedStrings(zip: OpenedZip, name: string, onBytes: (bytes: number) => void): Promise<Segment[][]> {
  const strings: Segment[][] = [];
  const part = await zip.stream(name);
  if (!part) return strings;
  const reader = createTextReader();
  const handler = {
    open: (element: string, attribute: (name: string) => string | undefined) => reader.open(element, attribute('val')),
    close: (element: string) => {
      reader.close(element);
      if (element === 'x:si') strings.push(reader.take());
    },
    text: (value: string) => reader.text(value),
  };
  await readXml(part, handler, onBytes);
  return strings;
}

interface SheetContext {
  shared: readonly Segment[][];
  formats: readonly NumberFormat[];
  /** Pictures of the sheet by cell address. */
  pictures: ReadonlyMap<string, CellPicture[]>;
  /** Cell pictures of WPS, by the id in the cell's DISPIMG formula. */
  cellImages: ReadonlyMap<string, string>;
  epoch1904: boolean;
}

interface OpenCell {
  column: number;
  row: number;
  type: string;
  style: number;
  value: string;
  formula: string | undefined;
  hasValueMetadata: boolean;
  inline: Segment[];
}

async function readRows(
  zip: OpenedZip,
  name: string,
  context: SheetContext,
  onBytes: (bytes: number) => void,
): Promise<SheetRow[]> {
  const rows = new Map<number, SheetRow>();
  const part = await zip.stream(name);
  if (!part) return [];
  const inline = createTextReader();
  const hidden = new Set<number>();
  let rowNumber = 0;
  let column = 0;
  let cell: OpenCell | undefined;
  let capture: 'value' | 'formula' | 'inline' | undefined;
  const put = (found: SheetCell, row: number) => {
    if (row > maxRows || found.column > maxColumns) return;
    const target = rows.get(row) ?? { number: row, cells: new Map<number, SheetCell>() };
    target.cells.set(found.column, found);
    rows.set(row, target);
  };
  await readXml(
    part,
    {
      open: (element, attribute) => {
        if (element === 'x:row') {
          rowNumber = Number(attribute('r')) || rowNumber + 1;
          column = 0;
          if (attribute('hidden') === '1' || attribute('hidden') === 'true') hidden.add(rowNumber);
        } else if (element === 'x:c') {
          const at = parseAddress(attribute('r'));
          column = at?.column ?? column + 1;
          cell = {
            column,
            row: at?.row ?? rowNumber,
            type: attribute('t') ?? 'n',
            style: Number(attribute('s') ?? 0),
            value: '',
            formula: undefined,
            hasValueMetadata: attribute('vm') !== undefined,
            inline: [],
          };
        } else if (!cell) {
          return;
        } else if (element === 'x:v') {
          capture = 'value';
        } else if (element === 'x:f') {
          cell.formula = '';
          capture = 'formula';
        } else if (element === 'x:is') {
          capture = 'inline';
        } else if (capture === 'inline') {
          inline.open(element, attribute('val'));
        }
      },
      close: (element) => {
        if (element === 'x:c' && cell) {
          const read = readCell(cell, context);
          if (read) put(read, cell.row);
          cell = undefined;
        } else if (element === 'x:v' || element === 'x:f') {
          capture = undefined;
        } else if (element === 'x:is' && cell) {
          cell.inline = inline.take();
          capture = undefined;
        } else if (capture === 'inline') {
          inline.close(element);
        }
      },
      text: (value) => {
        if (!cell || !capture) return;
        if (capture === 'inline') inline.text(value);
        else if (capture === 'value') cell.value += value;
        else cell.formula = (cell.formula ?? '') + value.slice(0, 200);
      },
    },
    onBytes,
  );
  for (const [address, pictures] of context.pictures) {
    const at = parseAddress(address);
    if (!at) continue;
    const existing = rows.get(at.row)?.cells.get(at.column);
    const lines = pictures.map((picture): TextLine => textLine([picture.segment], false));
    if (existing) existing.lines.push(...lines);
    else put({ column: at.column, address, lines }, at.row);
  }
  for (const number of hidden) {
    const row = rows.get(number);
    if (row) row.isHidden = true;
  }
  return [...rows.values()].sort((one, other) => one.number - other.number);
}

function readCell(cell: OpenCell, context: SheetContext): SheetCell | undefined {
  const address = `${columnLetters(cell.column)}${cell.row}`;
  const read = (lines: Line[], problem?: string): SheetCell => ({ column: cell.column, address, lines, problem });
  // LibreOffice writes the constants TRUE and FALSE as formulas, so these are read.
  if (cell.formula !== undefined && !/^(?:TRUE|FALSE)\(\)$/i.test(cell.formula)) {
    const image = /DISPIMG\s*\(\s*"([^"]+)"/i.exec(cell.formula)?.[1];
    const part = image === undefined ? undefined : context.cellImages.get(image);
    return part ? read([textLine([{ picture: { part, alt: '图片' } }], false)]) : read([], cellMessages.formula);
  }
  if (cell.type === 'e') {
    // A picture placed inside a cell; for other programs Excel stores an error value there.
    if (cell.hasValueMetadata) {
      return read([textLine([{ lost: cellMessages.placedPicture, shown: '［图片］' }], false)]);
    }
    return read([], `${cellMessages.error}（${cell.value.slice(0, 20)}）`);
  }
  const segments = segmentsOf(cell, context);
  return segments.length === 0 ? undefined : read(splitLines(segments));
}

function segmentsOf(cell: OpenCell, context: SheetContext): Segment[] {
  const plain = (text: string): Segment[] => (text === '' ? [] : [{ text, marks: [] }]);
  switch (cell.type) {
    case 's':
      // Several cells may have the same shared string, so its segments are copied.
      return (context.shared[Number(cell.value)] ?? []).map((segment) => ({ ...segment }));
    case 'inlineStr':
      return cell.inline;
    case 'str':
    case 'd':
      return plain(unescapeText(cell.value));
    case 'b':
      return plain(cell.value === '1' ? 'TRUE' : 'FALSE');
    default: {
      if (cell.value.trim() === '') return [];
      const number = Number(cell.value);
      if (!Number.isFinite(number)) return plain(cell.value);
      const format = context.formats[cell.style] ?? showGeneral;
      const { text, isMoment, isFollowed } = format(number, context.epoch1904);
      // Excel turns a typed 1-2 or 3/4 into a date, so the meaning is lost.
      const note = isMoment ? dateCellNote(text) : isFollowed ? undefined : unfollowedFormatNote(text);
      return note === undefined ? plain(text) : [...plain(text), { lost: note, shown: '' }];
    }
  }
}

const textLine = (segments: Segment[], continues: boolean): TextLine => ({ number: 0, segments, continues });

/** A line break inside a cell (Alt+Enter) continues the same paragraph. */
function splitLines(segments: readonly Segment[]): TextLine[] {
  const lines: TextLine[] = [textLine([], false)];
  for (const segment of segments) {
    if (!isText(segment)) {
      lines.at(-1)?.segments.push(segment);
      continue;
    }
    for (const [index, text] of segment.text.split('\n').entries()) {
      if (index > 0) lines.push(textLine([], true));
      appendText(lines.at(-1)?.segments ?? [], text, segment.marks);
    }
  }
  return lines;
}
