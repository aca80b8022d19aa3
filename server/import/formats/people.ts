/** Reads a single list of students or staff, with any order and names of columns. */

import type { ListPreview, Mapping } from '../source-record.ts';
import { csvRows, separatorOf } from './csv.ts';
import { byteOrderMark, type Remarks } from './diagnostics.ts';
import { LimitExceeded } from './limits.ts';
import { normaliseWord } from './nearest-word.ts';
import type { ReadOptions } from './options.ts';
import { classFromSheetHead, classHead, formatOf, isHead } from './people-columns.ts';
import { guessList, headRowOf, maxHeadRow, type PeopleTable, recallMapping } from './people-mapping.ts';
import { PackedRows } from './rows.ts';
import { type ByteOpener, readText } from './text.ts';
import { toHalfWidth } from './values.ts';
import { type ReadSheet, readRows, reasonHead, type SheetHeads } from './workbook.ts';
import type { SheetRow } from './workbook-file.ts';
import type { SheetColumn } from './workbook-types.ts';

/** Rows above the headings that may hold a title. */
const titleRows = 5;

const className =
  /(?:(?:高|初)[一二三]|[一二三四五六七八九]年级|[七八九]|\d{4}级)\s*[（(]?\s*[\d一二三四五六七八九十]{1,3}\s*[)）]?\s*班/;

/** Accepts the default names of sheets. */
const isUnnamed = (name: string): boolean => /^(?:sheet|工作表|表)\s*\d*$/i.test(name.trim());

/** Adds a last column with the class in the title or name of the sheet. `isOneOfMany`: each class has a sheet. */
export function withClassColumn(list: PeopleTable, isOneOfMany: boolean): PeopleTable {
  const top: SheetRow[] = [];
  for (const row of list.rows()) {
    top.push(row);
    if (top.length >= maxHeadRow) break;
  }
  const headRow = headRowOf(top);
  const above = top.filter(({ row }) => row < headRow).slice(0, titleRows);
  const title = above.flatMap(({ cells }) => cells.flatMap(({ text }) => className.exec(text)?.[0] ?? []))[0];
  const named = className.exec(list.name)?.[0] ?? (isOneOfMany && !isUnnamed(list.name) ? list.name.trim() : undefined);
  const label = title ?? named;
  const hasClasses = top.some(({ row, cells }) => row === headRow && cells.some(({ text }) => isHead(classHead, text)));
  if (label === undefined || headRow === 0 || hasClasses) return list;
  const width = Math.max(...top.map(({ cells }) => cells.length));
  const cellOf = (text: string) => ({ text, isFormula: false, isMerged: false });
  return {
    ...list,
    *rows() {
      for (const { row, cells, ...more } of list.rows()) {
        if (row < headRow) yield { row, cells, ...more };
        else {
          const paddedCells = Array.from({ length: width }, (_, at) => cells[at] ?? cellOf(''));
          yield { row, cells: [...paddedCells, cellOf(row === headRow ? classFromSheetHead : label)], ...more };
        }
      }
    },
  };
}

/** Undefined if the file is no text. */
export async function readCsvList(open: ByteOpener, name: string, remarks: Remarks): Promise<PeopleTable | undefined> {
  const text = await readText(open);
  if (!text) return undefined;
  if (text.hasMark) remarks.forgive({ file: name, row: 0 }, '', byteOrderMark);
  if (text.encoding !== 'utf-8') {
    remarks.forgive({ file: name, row: 1 }, '', `文件编码是 ${text.encoding}，应为 UTF-8，已照常读取`);
  }
  const { value: first } = await text.pieces().next();
  const separator = separatorOf(String(first ?? '').split(/[\r\n]/, 1)[0] ?? '');
  const rows = new PackedRows();
  try {
    for await (const ended of csvRows(text.pieces(), separator)) {
      for (const { row, cells, fault } of ended) {
        if (fault === 'open') remarks.reject({ file: name, row }, '', '引号没有结束，文件可能没有传完');
        else if (fault) remarks.forgive({ file: name, row }, '', '单元格里的引号没有成对，已按原样读取');
        rows.add(row, cells.map(spreadsheetText));
      }
    }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    remarks.reject({ file: name, row: 0 }, '', `第${error.row}行：${error.message}`);
    return { name, rowCount: 0, rows: () => [] };
  }
  return { name, rowCount: rows.length, rows: () => sheetRows(rows) };
}

/** Removes marks that keep Excel from reading digits as a number: a tab, an apostrophe, `="001"`. */
const spreadsheetText = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'(?=\d)/, '')
    .trim();

function* sheetRows(rows: PackedRows): Generator<SheetRow> {
  for (const { row, cells } of rows) {
    yield { row, cells: cells.map((text) => ({ text, isFormula: false, isMerged: false })) };
  }
}

/** Reads the lists of one file under one mapping of columns. */
export function readLists(
  lists: readonly PeopleTable[],
  remarks: Remarks,
  options: Pick<ReadOptions, 'mapping' | 'remembered'>,
): { sheets: ReadSheet[]; list: ListPreview | undefined; isRefused: boolean } {
  const read = lists.map((list) => readList(list, remarks, options));
  const [first] = read;
  if (!first) return { sheets: [], list: undefined, isRefused: true };
  const shown = {
    ...first.list,
    heads: [...first.list.heads],
    examples: first.list.examples.map((cells) => [...cells]),
  };
  const columns = { ...shown.mapping.columns };
  for (const { list } of read.slice(1)) {
    for (const [at, head] of list.heads.entries()) {
      if (shown.heads.includes(head)) continue;
      shown.heads.push(head);
      for (const [row, cells] of shown.examples.entries()) cells.push(list.examples[row]?.[at] ?? '');
      columns[head] ??= list.mapping.columns[head] ?? '';
    }
  }
  const list = {
    ...shown,
    mapping: { ...shown.mapping, columns },
    isGuessed: read.some((one) => one.list.isGuessed),
  };
  return { sheets: read.flatMap(({ sheets }) => sheets), list, isRefused: read.some((one) => one.isRefused) };
}

/** Converts the list to sheets of our own workbook: people, and memberships if it names classes. */
function readList(
  list: PeopleTable,
  remarks: Remarks,
  { mapping: chosen, remembered }: Pick<ReadOptions, 'mapping' | 'remembered'>,
): { sheets: ReadSheet[]; list: ListPreview; isRefused: boolean } {
  const guessed = guessList(list);
  const said = chosen ?? remembered;
  const mapping = chosen ?? (remembered ? recallMapping(guessed, remembered) : guessed.mapping);
  const isNew = (head: string): boolean => said?.columns[head] === undefined;
  // Our own headings need no guess.
  const isOpen = (head: string): boolean =>
    isNew(head) && mapping.columns[head] !== toHalfWidth(head).trim() && normaliseWord(head) !== reasonHead;
  const shown: ListPreview = { ...guessed, mapping, isGuessed: guessed.heads.some(isOpen) };
  const format = formatOf(mapping.kind === 'student' ? '学员' : '人员');
  const place = { file: list.name, row: guessed.headRow };
  const headsFor = ({ columns }: { columns: readonly SheetColumn[] }): SheetHeads => {
    const written = columns.map(({ head }) => guessed.heads.find((one) => mapping.columns[one] === head) ?? '');
    return {
      row: guessed.headRow,
      places: written.map((head) => (head === '' ? -1 : guessed.heads.indexOf(head))),
      written: written.map((head, index) => head || (columns[index]?.head ?? '')),
    };
  };
  const heads = headsFor(format);
  const missing = format.columns.filter(({ required }, index) => required && heads.places[index] === -1);
  for (const { head } of missing)
    remarks.reject({ ...place, row: guessed.headRow || 1 }, head, `没有找到“${head}”所在的列，请指定`);
  for (const head of guessed.heads.filter(isOpen)) {
    const field = mapping.columns[head];
    remarks.forgive(place, head, field ? `列“${head}”已按“${field}”读取` : `列“${head}”不知道是什么，没有读取`);
  }
  if (missing.length > 0) return { sheets: [], list: shown, isRefused: true };
  const people = readRows(list, { format, heads, remarks });
  const members = mapping.kind === 'student' ? membersOf(list, { people, guessed, mapping, remarks }) : undefined;
  return { sheets: members ? [people, members] : [people], list: shown, isRefused: false };
}

/** Memberships, if a students' list has a class column. */
function membersOf(
  list: PeopleTable,
  {
    people,
    guessed,
    mapping,
    remarks,
  }: { people: ReadSheet; guessed: ListPreview; mapping: Mapping; remarks: Remarks },
): ReadSheet | undefined {
  const head = guessed.heads.find((one) => mapping.columns[one] === classHead);
  if (head === undefined) return undefined;
  const place = guessed.heads.indexOf(head);
  const format = formatOf('进班');
  const members: ReadSheet = { format, shown: list.name, heads: new Set(['班级', '学员']), rows: new PackedRows() };
  const classes = new Map<number, string>();
  for (const { row, cells } of list.rows()) {
    const text = (cells[place]?.text ?? '').replace(/\s+/g, ' ').trim();
    if (row > guessed.headRow && text !== '') classes.set(row, text);
  }
  const at = (name: string): number => people.format.columns.findIndex((column) => column.head === name);
  for (const { row, cells } of people.rows) {
    const theClass = classes.get(row);
    if (theClass === undefined || remarks.isRefused({ file: list.name, row })) continue;
    const of = (name: string): string => cells[at(name)] ?? '';
    const told = of('学号') || [of('手机号'), of('姓名')].filter((part) => part !== '').join('/');
    const student = of('编号') || [of('学校'), told].filter((part) => part !== '').join('/');
    members.rows.add(
      row,
      format.columns.map(({ head: column }) => (column === '班级' ? theClass : column === '学员' ? student : '')),
    );
  }
  return members.rows.length > 0 ? members : undefined;
}
