/** The cells of an .xlsx as plain text, sheet by sheet, with what is to be said of them. */
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { parseAddress } from '#server/platform/office/cell-address.ts';
import { placeholdersOf, readNumberFormats, showMoment } from '#server/platform/office/number-formats.ts';
import { readWorkbook, unescaped } from '#server/platform/office/workbook.ts';
import { type ReadAttribute, readXml } from '#server/platform/office/xml.ts';
import { type PackedRow, PackedRows } from './rows.ts';

export interface SheetTable {
  name: string;
  isHidden: boolean;
  /** Merged cells have what their first one has. */
  rows: () => Iterable<SheetRow>;
  rowCount: number;
  hasMerged: boolean;
}

export interface SheetCell {
  text: string;
  /** It was calculated. */
  isFormula: boolean;
  /** Merged with another that has its text. */
  isMerged: boolean;
  /** Why it cannot be read. */
  fault?: string;
}

export interface SheetRow {
  row: number;
  cells: SheetCell[];
}

/** What stands before the text of a cell that is more than it. */
const formulaMark = '\u0002';
const faultMark = '\u0003';

/** Beyond this a sheet has only formats that were dragged too far. */
const columnsMost = 100;
const mergedMost = 20_000;

export async function readSheetTables(zip: OpenedZip): Promise<SheetTable[]> {
  const { sheets, epoch1904, ...parts } = await readWorkbook(zip);
  const strings = await readStrings(zip, parts.strings);
  const dates = datesAmong(await readNumberFormats(zip, parts.styles));
  const tables: SheetTable[] = [];
  for (const { name, isHidden, part } of sheets) {
    // What is hidden is not read, so it need not be held.
    const { rows, merged } = isHidden
      ? { rows: new PackedRows(), merged: [] }
      : await readCells(zip, part, { strings, dates, epoch1904 });
    tables.push({
      name,
      isHidden,
      rowCount: rows.length,
      hasMerged: merged.length > 0,
      rows: () => withMerged(rows, merged),
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
      // How a word is read aloud stands beside it.
      else if (element === 'x:rPh') reading += 1;
    },
    close: (element) => {
      if (element === 'x:t') isText = false;
      else if (element === 'x:rPh') reading -= 1;
      else if (element === 'x:si') {
        strings.push(unescaped(text));
        text = '';
      }
    },
    text: (value) => {
      if (isText && reading === 0) text += value;
    },
  });
  return strings;
}

const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Which cell styles show a number as a day or a time. */
const datesAmong = (formats: readonly (number | string)[]): boolean[] =>
  formats.map((format) => (typeof format === 'number' ? isBuiltInDate(format) : showMoment(placeholdersOf(format))));

interface CellContext {
  strings: readonly string[];
  dates: readonly boolean[];
  epoch1904: boolean;
}

interface Merged {
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
): Promise<{ rows: PackedRows; merged: Merged[] }> {
  const rows = new PackedRows();
  const merged: Merged[] = [];
  const part = await zip.stream(name);
  if (!part) return { rows, merged };
  let row = 0;
  let cells: string[] = [];
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
      } else if (element === 'x:c') cell = openCell(attribute);
      else if (element === 'x:mergeCell') {
        const range = mergedRange(attribute('ref') ?? '');
        if (range && merged.length < mergedMost) merged.push(range);
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
        if (text !== '' && cell.column <= columnsMost) {
          while (cells.length < cell.column - 1) cells.push('');
          cells[cell.column - 1] = text;
        }
        cell = undefined;
      } else if (element === 'x:row' && cells.some((text) => text !== '')) rows.add(row, cells);
    },
    text: (value) => {
      if (!cell || !into || reading > 0) return;
      if (into === 'value') cell.value += value;
      else cell.inline += value;
    },
  });
  return { rows, merged };
}

function mergedRange(ref: string): Merged | undefined {
  const [from, until] = ref.split(':').map((address) => parseAddress(address));
  if (!from || !until) return undefined;
  return { top: from.row, left: from.column - 1, bottom: until.row, right: Math.min(until.column, columnsMost) - 1 };
}

/** Constants that LibreOffice writes as formulas. */
function cellText(cell: OpenCell, context: CellContext): string {
  const text = valueText(cell, context);
  if (!cell.isFormula || text.startsWith(faultMark)) return text;
  if (cell.type === 'b') return text;
  return text === '' ? `${faultMark}单元格是公式，文件中没有保存计算结果，请粘贴为数值` : `${formulaMark}${text}`;
}

function valueText({ type, value, inline, style }: OpenCell, { strings, dates, epoch1904 }: CellContext): string {
  switch (type) {
    case 's':
      return tidied(strings[Number(value)] ?? '');
    case 'inlineStr':
      return tidied(unescaped(inline));
    case 'str':
    case 'd':
      return tidied(unescaped(value));
    case 'b':
      return value === '1' ? '是' : '否';
    case 'e':
      return `${faultMark}单元格是错误值 ${value.slice(0, 20)}`;
    default: {
      if (value.trim() === '') return '';
      const number = Number(value);
      if (!Number.isFinite(number)) return tidied(value);
      if (dates[style]) return dateText(number, epoch1904);
      if (Math.abs(number) >= 1e15)
        return `${faultMark}“${value}”超过15位，Excel 已丢失后面的数字；请设为“文本”格式后重新填写`;
      return String(Number(number.toPrecision(15)));
    }
  }
}

/** Breaks within a cell, and spaces that nobody sees. */
const tidied = (text: string): string =>
  text
    .replace(/(?![\t\n])\p{Cc}|[\u200b-\u200f\u2060\ufeff]/gu, '')
    .replace(/\u00a0/g, ' ')
    .trim();

/** `2026-09-01`, `2026-09-01 19:30` or `19:30`. */
function dateText(serial: number, epoch1904: boolean): string {
  const minutes = Math.round((serial - (epoch1904 ? 24107 : 25569)) * 1440);
  const date = new Date(minutes * 60_000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const iso = date.toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)];
  if (serial >= 0 && serial < 1) return time;
  return time === '00:00' ? day : `${day} ${time}`;
}

function* withMerged(rows: Iterable<PackedRow>, merged: readonly Merged[]): Generator<SheetRow> {
  const waiting = [...merged].sort((one, other) => one.top - other.top);
  let open: { range: Merged; text: string }[] = [];
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
    yield { row, cells: taken };
  }
}

function cellOf(text: string): SheetCell {
  if (text.startsWith(faultMark)) return { text: '', isFormula: false, isMerged: false, fault: text.slice(1) };
  if (text.startsWith(formulaMark)) return { text: text.slice(1), isFormula: true, isMerged: false };
  return { text, isFormula: false, isMerged: false };
}
