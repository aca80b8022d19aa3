/** Reads our own workbook: recognises sheets and headings, and normalises cells. */

import { plainNumber } from '#server/platform/office/number-formats.ts';
import { importedTextLimit, importMessages } from '../rules.ts';
import { newRemarks, type Remarks } from './diagnostics.ts';
import { nearestWord, normaliseWord } from './nearest-word.ts';
import { hasListHeads } from './people-mapping.ts';
import { PackedRows } from './rows.ts';
import {
  isScientific,
  type ParsedValue,
  readCode,
  readDay,
  readMobile,
  readNumber,
  readTime,
  scientificMessage,
  toHalfWidth,
} from './values.ts';
import type { SheetCell, SheetRow, SheetTable } from './workbook-file.ts';
import { sheetFormats } from './workbook-format.ts';
import type { ColumnType, SheetColumn, SheetFormat, SheetName } from './workbook-types.ts';
import { clearWord, exampleId, explanationSheet, reasonHead } from './workbook-words.ts';

/** A sheet after reading. Cells are in the order of the format's columns. */
export interface ReadSheet {
  format: SheetFormat;
  /** Name of the sheet in the file. */
  shown: string;
  /** Headings of the columns that the sheet has. */
  heads: ReadonlySet<string>;
  rows: PackedRows;
}

/** Maximum number of title rows above the headings. */
const titleRows = 10;

/** Reads the recognised sheets; undefined if there is none. */
export function readSheets(
  tables: readonly SheetTable[],
  remarks: Remarks,
): { sheets: ReadSheet[]; isRefused: boolean } | undefined {
  const matched = matchSheets(tables, remarks);
  if (matched.length === 0) return undefined;
  let isRefused = false;
  const sheets: ReadSheet[] = [];
  for (const { table, format } of matched) {
    const sheet = readSheet(table, format, remarks);
    if (sheet === 'refused') isRefused = true;
    else if (sheet) sheets.push(sheet);
  }
  return { sheets, isRefused };
}

function matchSheets(tables: readonly SheetTable[], remarks: Remarks): { table: SheetTable; format: SheetFormat }[] {
  const matched: { table: SheetTable; format: SheetFormat }[] = [];
  const taken = new Set<SheetName>();
  const unknown: SheetTable[] = [];
  for (const table of tables) {
    if (normaliseWord(table.name) === explanationSheet) continue;
    const place = { file: table.name, row: 0 };
    if (table.isHidden) {
      remarks.forgive(place, '', `工作表“${table.name}”是隐藏的，没有读取`);
      continue;
    }
    const word = normaliseWord(table.name).replace(/(?<=..)(?:列表|名单|信息|表)$/, '');
    const free = sheetFormats.filter(({ name }) => !taken.has(name));
    const format =
      free.find(({ name }) => normaliseWord(name) === word) ??
      free.find(({ also }) => also.some((name) => [word, normaliseWord(table.name)].includes(normaliseWord(name))));
    if (!format) {
      unknown.push(table);
      continue;
    }
    taken.add(format.name);
    if (format.name !== table.name) remarks.forgive(place, '', `工作表“${table.name}”已按“${format.name}”读取`);
    matched.push({ table, format });
  }
  if (matched.length === 0) return [];
  for (const table of unknown) {
    if (table.rowCount === 0) continue;
    const like = nearestWord(
      table.name,
      sheetFormats.map(({ name }) => name),
    );
    const hint = like ? `，是否应为“${like}”` : '';
    const place = { file: table.name, row: 0 };
    const isList = !like && hasListHeads(table);
    if (isList) remarks.doubt(place, '', `工作表“${table.name}”像是一份名单，没有读取，请单独上传`);
    else remarks.forgive(place, '', `不认识的工作表“${table.name}”${hint}，没有读取`);
  }
  return matched;
}

/**
 * True if the only recognised sheets hold people of one kind, but under another name than ours or without columns that
 * we need. Then columns and further sheets have to be guessed, as in a list.
 */
export function isListOfPeople(tables: readonly SheetTable[]): boolean {
  const matched = matchSheets(tables, newRemarks(false));
  const isOurs = matched.every(
    ({ table, format }) => format.name === table.name && findHeads(table, format, newRemarks(false)) !== undefined,
  );
  const [first, ...others] = matched;
  return first !== undefined && others.length === 0 && isOfPeople(first.format) && !isOurs;
}

const isOfPeople = ({ name }: SheetFormat): boolean => name === '学员' || name === '人员';

/** Row number of the headings in each sheet, by its name. */
export const headRowsOf = (tables: readonly SheetTable[]): Map<string, number> =>
  new Map(
    matchSheets(tables, newRemarks(false)).map(({ table, format }) => [
      table.name,
      findHeads(table, format, newRemarks(false))?.row ?? 0,
    ]),
  );

/** True for a workbook of corrected rows, which has a reason column. */
export const hasReasonColumn = (tables: readonly SheetTable[]): boolean =>
  tables.some(({ isHidden, rows }) => {
    if (isHidden) return false;
    let looked = 0;
    for (const { cells } of rows()) {
      looked += 1;
      if (looked > titleRows) return false;
      if (cells.some(({ text }) => normaliseWord(text) === reasonHead)) return true;
    }
    return false;
  });

// ---- a sheet ----------------------------------------------------------------------------------------

function readSheet(table: SheetTable, format: SheetFormat, remarks: Remarks): ReadSheet | 'refused' | undefined {
  if (table.rowCount === 0) return undefined;
  if (table.tooLarge) {
    remarks.reject({ file: table.name, row: 0 }, '', `工作表“${table.name}”${table.tooLarge}`);
    return 'refused';
  }
  const heads = findHeads(table, format, remarks);
  return heads ? readRows(table, { format, heads, remarks }) : 'refused';
}

/** Reads the rows below the headings and normalises their values. */
export function readRows(
  table: Pick<SheetTable, 'name' | 'rows'>,
  { format, heads, remarks }: { format: SheetFormat; heads: SheetHeads; remarks: Remarks },
): ReadSheet {
  const present = format.columns.filter((_, index) => (heads.places[index] ?? -1) >= 0).map(({ head }) => head);
  const sheet: ReadSheet = { format, shown: table.name, heads: new Set(present), rows: new PackedRows() };
  for (const row of table.rows()) {
    if (row.row <= heads.row) continue;
    const cells = heads.places.map((place) => row.cells[place]);
    if (cells.every((cell) => !cell || (cell.text === '' && cell.fault === undefined))) continue;
    if (cells.every((cell) => !cell || cell.text === '' || cell.isMerged)) continue;
    const id = cells[0]?.text ?? '';
    if (format.columns[0]?.head === '编号' && id.startsWith(exampleId)) {
      remarks.forgive({ file: table.name, row: row.row }, '编号', '这一行是示例，没有读取');
      continue;
    }
    const place = { file: table.name, row: row.row };
    if (isOfPeople(format) && isNoPerson(row, format, heads)) {
      const text = row.cells.find(({ text }) => text !== '')?.text ?? '';
      remarks.forgive(place, '', `“${text}”这一行不是名单中的人，没有读取`);
      continue;
    }
    if (row.isHidden) remarks.doubt(place, '', '这一行在文件中是隐藏的，已照常读取，请核对');
    const values = format.columns.map((column, index) => {
      const at = heads.places[index] ?? -1;
      return cellValue(column, heads.written[index] ?? column.head, { row, at, place, remarks });
    });
    // Refused rows are kept too, so that references to them resolve.
    sheet.rows.add(row.row, values);
  }
  return sheet;
}

/** Matches words that begin a line of totals or notes below a list. */
const lineBelow =
  /^(?:[合总小共]\s*计|总?人数|[本全]班共|[备附]?注|说明|填表说明|制表|填表|审核|班主任签[名字]|签[名字])(?=$|[\s\d:：、，,。（(人数日者])/;

/** True for totals and notes below a list, and for headings that are repeated on each printed page. */
function isNoPerson({ cells }: SheetRow, format: SheetFormat, { places, written }: SheetHeads): boolean {
  const first = cells.find(({ text }) => text !== '')?.text ?? '';
  if (lineBelow.test(first)) return true;
  const repeated = places.filter((place, index) => {
    const text = cells[place]?.text ?? '';
    return (
      text !== '' &&
      (normaliseWord(text) === normaliseWord(written[index] ?? '') || columnOf(format, text) !== undefined)
    );
  });
  return repeated.length >= 2;
}

export interface SheetHeads {
  /** Row number of the headings; 0 if there are none. */
  row: number;
  /** Position of each column of the format; -1 if the sheet lacks it. */
  places: number[];
  written: string[];
}

function findHeads(table: SheetTable, format: SheetFormat, remarks: Remarks): SheetHeads | undefined {
  let best: { row: SheetRow; count: number } | undefined;
  let looked = 0;
  for (const row of table.rows()) {
    looked += 1;
    if (looked > titleRows) break;
    const count = row.cells.filter(({ text, isMerged }) => !isMerged && columnOf(format, text) !== undefined).length;
    if (count > (best?.count ?? 0)) best = { row, count };
  }
  const place = { file: table.name, row: best?.row.row ?? 1 };
  const found = best?.row.cells.map(({ text }) => columnOf(format, text)) ?? [];
  const isWhole = format.columns.every((column) => !column.required || found.includes(column));
  if (!best || (best.count < 2 && !isWhole)) {
    const names = format.columns.map(({ head }) => head).join('、');
    remarks.reject({ ...place, row: 1 }, '', `工作表“${table.name}”没有标题行，应有 ${names}`);
    return undefined;
  }
  const at = new Map<SheetColumn, { place: number; written: string }>();
  const unknown: { text: string; index: number }[] = [];
  best.row.cells.forEach(({ text }, index) => {
    if (text === '' || normaliseWord(text) === reasonHead) return;
    const exact = format.columns.find(({ head }) => normaliseWord(head) === normaliseWord(headOf(text)));
    if (exact && !at.has(exact)) at.set(exact, { place: index, written: text });
    else unknown.push({ text, index });
  });
  for (const { text, index } of unknown) {
    // A running number is ignored: it would identify other people in the next file.
    if (normaliseWord(text) === '序号') {
      remarks.forgive(place, text, `列“${text}”没有读取`);
      continue;
    }
    const column = columnOf(format, text);
    if (column && !at.has(column)) {
      at.set(column, { place: index, written: text });
      remarks.forgive(place, text, `列“${text}”已按“${column.head}”读取`);
      continue;
    }
    const like = nearestWord(
      headOf(text),
      format.columns.map(({ head }) => head),
    );
    const close = format.columns.find(({ head }) => head === like);
    if (close && !at.has(close)) {
      at.set(close, { place: index, written: text });
      remarks.forgive(place, text, `列“${text}”已按“${close.head}”读取`);
    } else remarks.forgive(place, text, `不认识的列“${text}”${like ? `（相近的是“${like}”）` : ''}，没有读取`);
  }
  const missing = format.columns.filter((column) => column.required && !at.has(column));
  for (const { head } of missing) remarks.reject(place, head, `缺少必需的列“${head}”`);
  if (missing.length > 0) return undefined;
  return {
    row: best.row.row,
    places: format.columns.map((column) => at.get(column)?.place ?? -1),
    written: format.columns.map((column) => at.get(column)?.written ?? column.head),
  };
}

/** Removes marks of required columns from a heading. */
const headOf = (text: string): string => text.replace(/[*＊]|[（(]必填[)）]/g, '');

function columnOf(format: SheetFormat, text: string): SheetColumn | undefined {
  const word = normaliseWord(headOf(text));
  if (word === '') return undefined;
  return (
    format.columns.find(({ head }) => normaliseWord(head) === word) ??
    format.columns.find(({ also }) => also?.some((name) => normaliseWord(name) === word))
  );
}

interface CellTask {
  row: SheetRow;
  at: number;
  place: { file: string; row: number };
  remarks: Remarks;
}

function cellValue(column: SheetColumn, written: string, task: CellTask): string {
  const { row, at, place, remarks } = task;
  const cell = row.cells[at];
  if (cell?.fault !== undefined) return dropOrRefuse(column, written, cell.fault, task);
  const text = cell?.text ?? '';
  if (text === '') {
    if (column.required) remarks.reject(place, written, `“${column.head}”必须填写`);
    return '';
  }
  if (text === clearWord && !column.required) return text;
  if (text.length > importedTextLimit) return dropOrRefuse(column, written, importMessages.text, task);
  const parsed = cell ? readShown(column.type, cell) : normaliseCell(column.type, text);
  if ('fault' in parsed) return dropOrRefuse(column, written, parsed.fault, task);
  if (cell?.isFormula) remarks.forgive(place, written, `单元格是公式，已按保存的结果“${text}”读取`);
  if (cell?.isMerged) remarks.forgive(place, written, `合并的单元格，已按“${text}”读取`);
  if (parsed.note !== undefined) remarks.forgive(place, written, parsed.note);
  if (cell?.doubt !== undefined) remarks.doubt(place, written, cell.doubt);
  return parsed.value;
}

/** Drops an unreadable cell of an optional column, with a doubt; otherwise refuses the row. */
function dropOrRefuse(
  { required, type, isDecisive }: SheetColumn,
  written: string,
  fault: string,
  { place, remarks }: CellTask,
): '' {
  const isSpare = !required && !isDecisive && ['mobile', 'number', 'day'].includes(type.is);
  if (isSpare) remarks.doubt(place, written, `${fault}；这一格没有读取，请核对`);
  else remarks.reject(place, written, fault);
  return '';
}

/** Reads the text as displayed. If it is unreadable only because of its number format, reads the number behind it. */
function readShown(type: ColumnType, cell: SheetCell): ParsedValue<string> {
  const { text, number, isMoment } = cell;
  const isDay = type.is === 'text' && type.orDay;
  if (isMoment && !isDay && ['code', 'text', 'one', 'many', 'mobile', 'number', 'word', 'words'].includes(type.is)) {
    return { fault: `单元格是日期“${text}”，无法知道原来填写的内容；请设为“文本”格式后重新填写` };
  }
  if (number === undefined) return normaliseCell(type, text);
  const plain = plainNumber(number);
  const isGrouped = text.replaceAll(',', '') === plain;
  if (type.is === 'code' && isGrouped)
    return { value: plain, ...(text !== plain && { note: `“${text}”已按 ${plain} 读取` }) };
  const parsed = normaliseCell(type, text);
  if (!('fault' in parsed) || !['number', 'mobile'].includes(type.is) || text.includes('%')) return parsed;
  const behind = normaliseCell(type, plain);
  return 'fault' in behind ? parsed : { ...behind, note: `“${text}”已按 ${behind.value} 读取` };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Splits a list at any of the usual separators. */
export const splitList = (text: string): string[] =>
  text
    .split(/[、,，;；\n]+/)
    .map(oneLine)
    .filter((part) => part !== '');

/** Normalises the text of a cell according to its column's type. */
export function normaliseCell(type: ColumnType, text: string): ParsedValue<string> {
  switch (type.is) {
    case 'text':
      return isScientific(text) ? { fault: scientificMessage(text) } : { value: oneLine(text) };
    case 'long':
      return { value: text.trim() };
    case 'code':
      return readCode(oneLine(text));
    case 'mobile':
      return readMobile(text);
    case 'day':
      return readDay(text);
    case 'time':
      return readTime(text.replace(/^\d{4}-\d{2}-\d{2} /, ''));
    case 'number': {
      const parsed = readNumber(text, type.decimals);
      if ('fault' in parsed) return parsed;
      const least = type.least ?? 0;
      if (parsed.value < least || parsed.value > type.most) return { fault: `“${text}”应为${least}到${type.most}` };
      return { ...parsed, value: String(parsed.value) };
    }
    case 'word':
      return readWordOf(Object.keys(type.words), text, type.meant);
    case 'words': {
      const read = splitList(text).map((part) => readWordOf(Object.keys(type.words), part));
      const fault = read.find((parsed) => 'fault' in parsed);
      if (fault) return fault;
      return { value: read.flatMap((parsed) => ('value' in parsed ? [parsed.value] : [])).join('、') };
    }
    case 'one':
      return isScientific(text) ? { fault: scientificMessage(text) } : { value: oneLine(text) };
    case 'many':
      return { value: splitList(text).join('、') };
  }
}

function readWordOf(
  words: readonly string[],
  text: string,
  meant?: (text: string) => string | undefined,
): ParsedValue<string> {
  if (words.includes(text)) return { value: text };
  const same = words.find((word) => normaliseWord(word) === normaliseWord(text));
  if (same !== undefined) return { value: same, note: `“${text}”已按“${same}”读取` };
  const own = meant?.(text);
  if (own !== undefined) return { value: own, note: `“${text}”已按“${own}”读取` };
  const like = nearestWord(toHalfWidth(text), words);
  return { fault: `“${text}”应为 ${words.join('、')} 之一${like ? `，是否应为“${like}”` : ''}` };
}
