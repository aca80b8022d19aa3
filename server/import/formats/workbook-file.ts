/** Reads the cells of an .xlsx file as plain text, with doubts and faults of each cell. */
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { parseAddress } from '#server/platform/office/cell-address.ts';
import {
  type NumberFormat,
  plainNumber,
  readNumberFormats,
  showGeneral,
} from '#server/platform/office/number-formats.ts';
import { readWorkbook, unescapeCellText } from '#server/platform/office/workbook.ts';
import { type ReadAttribute, readXml } from '#server/platform/office/xml.ts';
import {
  cellTooLongMessage,
  maxCell,
  maxColumns,
  maxRows,
  tooManyColumns,
  tooManyRows,
} from '#server/platform/text/table-limits.ts';
import { type PackedRow, PackedRows } from './rows.ts';
import { isScientific } from './values.ts';

export interface SheetTable {
  name: string;
  isHidden: boolean;
  /** Returns the rows. Every cell of a merged range has the text of its first cell. */
  rows: () => Iterable<SheetRow>;
  rowCount: number;
  hasMerged: boolean;
  /** Why the sheet is refused: it exceeds a limit and was cut off there. */
  tooLarge: string | undefined;
}

export interface SheetCell {
  text: string;
  isFormula: boolean;
  /** True if the text was copied from the first cell of a merged range. */
  isMerged: boolean;
  /** Why the cell cannot be read. */
  fault?: string;
  /** The number behind a formatted text. */
  number?: number;
  /** True if the number is formatted as a date or time. */
  isMoment?: boolean;
  /** Why the text may not be the intended value. */
  doubt?: string;
}

export interface SheetRow {
  row: number;
  cells: SheetCell[];
  /** True if a filter or a user hides the row. */
  isHidden?: boolean;
}

/** Prefix of a packed cell that is JSON, because it has more than a text. */
const packMark = '\u0002';

const maxMerged = 20_000;

export async function readSheetTables(zip: OpenedZip): Promise<SheetTable[]> {
  const { sheets, epoch1904, ...parts } = await readWorkbook(zip);
  const strings = await readStrings(zip, parts.strings);
  const formats = await readNumberFormats(zip, parts.styles);
  const tables: SheetTable[] = [];
  for (const { name, isHidden, part } of sheets) {
    // Hidden sheets are ignored, so their rows are not loaded.
    const { rows, merged, hidden, tooLarge } = isHidden
      ? { rows: new PackedRows(), merged: [], hidden: new Set<number>(), tooLarge: undefined }
      : await readCells(zip, part, { strings, formats, epoch1904 });
    tables.push({
      name,
      isHidden,
      rowCount: rows.length,
      hasMerged: merged.length > 0,
      tooLarge,
      rows: () => withMerged(rows, { merged, hidden }),
    });
  }
  return tables;
}

async function readStrings(zip: OpenedZip, name: string): Promise<string[]> {
  const strings: string[] = [];
  const part = await zip.stream(name);
  if (!part) return strings;
  let text = '';
  let isText = false;
  let reading = 0;
  await readXml(part, {
    open: (element) => {
      if (element === 'x:t') isText = true;
      // Phonetic guides (furigana) are skipped; they are not part of the text.
      else if (element === 'x:rPh') reading += 1;
    },
    close: (element) => {
      if (element === 'x:t') isText = false;
      else if (element === 'x:rPh') reading -= 1;
      else if (element === 'x:si') {
        strings.push(unescapeCellText(text));
        text = '';
      }
    },
    text: (value) => {
      if (isText && reading === 0) text = appendCapped(text, value);
    },
  });
  return strings;
}

interface CellContext {
  strings: readonly string[];
  formats: readonly NumberFormat[];
  epoch1904: boolean;
}

interface MergedRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  value: string;
  inline: string;
  isFormula: boolean;
}

async function readCells(
  zip: OpenedZip,
  name: string,
  context: CellContext,
): Promise<{ rows: PackedRows; merged: MergedRange[]; hidden: Set<number>; tooLarge: string | undefined }> {
  const rows = new PackedRows();
  const merged: MergedRange[] = [];
  const hidden = new Set<number>();
  let tooLarge: string | undefined;
  const part = await zip.stream(name);
  if (!part) return { rows, merged, hidden, tooLarge };
  let row = 0;
  let cells: string[] = [];
  let isHiddenRow = false;
  let column = 0;
  let cell: OpenCell | undefined;
  let into: 'value' | 'inline' | undefined;
  let reading = 0;
  const openCell = (attribute: ReadAttribute): OpenCell => {
    column = parseAddress(attribute('r'))?.column ?? column + 1;
    return {
      column,
      type: attribute('t') ?? 'n',
      style: Number(attribute('s') ?? 0),
      value: '',
      inline: '',
      isFormula: false,
    };
  };
  await readXml(part, {
    open: (element, attribute) => {
      if (element === 'x:row') {
        row = Number(attribute('r')) || row + 1;
        column = 0;
        cells = [];
        isHiddenRow = attribute('hidden') === '1' || attribute('hidden') === 'true';
      } else if (element === 'x:c') cell = openCell(attribute);
      else if (element === 'x:mergeCell') {
        const range = mergedRange(attribute('ref') ?? '');
        if (range && merged.length < maxMerged) merged.push(range);
      } else if (!cell) return;
      else if (element === 'x:v') into = 'value';
      else if (element === 'x:t') into = 'inline';
      else if (element === 'x:rPh') reading += 1;
      else if (element === 'x:f') cell.isFormula = true;
    },
    close: (element) => {
      if (element === 'x:v' || element === 'x:t') into = undefined;
      else if (element === 'x:rPh') reading -= 1;
      else if (element === 'x:c' && cell) {
        const text = cellText(cell, context);
        if (text !== '' && cell.column > maxColumns) tooLarge = tooManyColumns;
        else if (text !== '') {
          while (cells.length < cell.column - 1) cells.push('');
          cells[cell.column - 1] = text;
        }
        cell = undefined;
      } else if (element === 'x:row' && cells.some((text) => text !== '')) {
        if (rows.length >= maxRows) tooLarge ??= tooManyRows;
        else rows.add(row, cells);
        if (isHiddenRow) hidden.add(row);
      }
    },
    text: (value) => {
      if (!cell || !into || reading > 0) return;
      if (into === 'value') cell.value = appendCapped(cell.value, value);
      else cell.inline = appendCapped(cell.inline, value);
    },
  });
  return { rows, merged, hidden, tooLarge };
}

function mergedRange(ref: string): MergedRange | undefined {
  const [from, until] = ref.split(':').map((address) => parseAddress(address));
  if (!from || !until) return undefined;
  return { top: from.row, left: from.column - 1, bottom: until.row, right: Math.min(until.column, maxColumns) - 1 };
}

/** Keeps one character more than the limit, which shows that the cell is too long. */
const appendCapped = (text: string, more: string): string => (text + more).slice(0, maxCell + 1);

function cellText(cell: OpenCell, context: CellContext): string {
  const read = readValue(cell, context);
  // LibreOffice writes boolean constants as formulas, so these do not count as formulas.
  const isFormula = cell.isFormula && cell.type !== 'b';
  if (read.fault !== undefined) return packCell(read);
  if (read.text.length > maxCell) return packCell({ text: '', fault: cellTooLongMessage });
  if (!isFormula) return packCell(read);
  return packCell(
    read.text === ''
      ? { text: '', fault: '单元格是公式，文件中没有保存计算结果，请粘贴为数值' }
      : { ...read, isFormula },
  );
}

type PackedCell = Partial<SheetCell> & { text: string };

function packCell(cell: PackedCell): string {
  return Object.values(cell).filter((value) => value !== undefined).length === 1
    ? cell.text
    : `${packMark}${JSON.stringify(cell)}`;
}

function readValue({ type, value, inline, style }: OpenCell, { strings, formats, epoch1904 }: CellContext): PackedCell {
  switch (type) {
    case 's':
      return { text: removeInvisible(strings[Number(value)] ?? '') };
    case 'inlineStr':
      return { text: removeInvisible(unescapeCellText(inline)) };
    case 'str':
    case 'd':
      return { text: removeInvisible(unescapeCellText(value)) };
    case 'b':
      return { text: value === '1' ? '是' : '否' };
    case 'e':
      return { text: '', fault: `单元格是错误值 ${value.slice(0, 20)}` };
    default: {
      if (value.trim() === '') return { text: '' };
      const number = Number(value);
      if (!Number.isFinite(number)) return { text: removeInvisible(value) };
      return readNumberCell(number, formats[style] ?? showGeneral, epoch1904);
    }
  }
}

function readNumberCell(number: number, format: NumberFormat, epoch1904: boolean): PackedCell {
  const { text, isMoment, isFollowed } = format(number, epoch1904);
  if (!isMoment && Math.abs(number) >= 1e15) {
    const digits = plainNumber(number);
    return { text: '', fault: `“${digits}”超过15位，Excel 已丢失后面的数字；请设为“文本”格式后重新填写` };
  }
  const doubt = isFollowed ? undefined : `单元格的数字格式不能照原样读取，已按“${text}”读取，请核对`;
  // Takes the full number from the file, because scientific notation hides digits.
  if (isScientific(text)) return { text: plainNumber(number), number };
  const isPlain = !isMoment && text === plainNumber(number);
  return { text, ...(isMoment && { isMoment }), ...(!isMoment && !isPlain && { number }), ...(doubt && { doubt }) };
}

/** Removes control characters and invisible characters. */
const removeInvisible = (text: string): string =>
  text
    .replace(/(?![\t\n])\p{Cc}|[\u200b-\u200f\u2060\ufeff]/gu, '')
    .replace(/\u00a0/g, ' ')
    .trim();

function* withMerged(
  rows: Iterable<PackedRow>,
  { merged, hidden }: { merged: readonly MergedRange[]; hidden: ReadonlySet<number> },
): Generator<SheetRow> {
  const waiting = [...merged].sort((one, other) => one.top - other.top);
  let open: { range: MergedRange; text: string }[] = [];
  let next = 0;
  for (const { row, cells } of rows) {
    const taken = cells.map(cellOf);
    open = open.filter(({ range }) => range.bottom >= row);
    for (; (waiting[next]?.top ?? Number.POSITIVE_INFINITY) <= row; next += 1) {
      const range = waiting[next];
      if (range) open.push({ range, text: range.top === row ? (cells[range.left] ?? '') : '' });
    }
    for (const { range, text } of open) {
      for (let column = range.left; column <= range.right; column += 1) {
        if ((range.top === row && column === range.left) || text === '') continue;
        while (taken.length < column) taken.push(cellOf(''));
        taken[column] = { ...cellOf(text), isMerged: true };
      }
    }
    yield { row, cells: taken, ...(hidden.has(row) && { isHidden: true }) };
  }
}

function cellOf(text: string): SheetCell {
  const plain: SheetCell = { text, isFormula: false, isMerged: false };
  if (!text.startsWith(packMark)) return plain;
  return { ...plain, ...(JSON.parse(text.slice(1)) as PackedCell) };
}
