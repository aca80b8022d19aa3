/** Reads one data file of a OneRoster package: first the headings, then the rows. */

import { type CsvRow, csvRows, separatorOf } from '#server/platform/text/csv.ts';
import { type ByteOpener, readText } from '#server/platform/text/encoding.ts';
import { LimitExceeded } from '#server/platform/text/table-limits.ts';
import { byteOrderMark, type Remarks } from './diagnostics.ts';
import { nearestWord, normaliseWord } from './nearest-word.ts';
import {
  type Column,
  columnsOf,
  type FileName,
  isExtensionColumn,
  olderColumns,
  ownColumnsOf,
  removedColumn,
} from './oneroster-format.ts';
import type { RosterTable, TableMode } from './oneroster-package.ts';
import { readValueOf } from './oneroster-values.ts';
import { copyText, PackedRows } from './rows.ts';

/** True for files whose rows become records. The others are only checked. */
export const givesRecords = (file: FileName): boolean =>
  ['academicSessions', 'orgs', 'users', 'roles', 'courses', 'classes', 'enrollments'].includes(file);

interface TableTask {
  file: FileName;
  shown: string;
  mode: TableMode;
  open: ByteOpener;
  remarks: Remarks;
  strict: boolean;
}

export async function readTable({ file, shown, mode, open, remarks, strict }: TableTask): Promise<RosterTable> {
  const columns = columnsOf(file);
  const table: RosterTable = {
    file,
    shown,
    mode,
    names: columns.map(({ name }) => name),
    rows: new PackedRows(),
    ids: new Map(),
    isRefused: false,
  };
  const first = { file: shown, row: 1 };
  const refused = (message: string): RosterTable => {
    remarks.reject(first, '', message);
    return { ...table, isRefused: true };
  };
  const text = await readText(open);
  if (!text) return refused('文件不是文本，或编码无法识别；请保存为 UTF-8 编码的 CSV');
  if (text.encoding !== 'utf-8' && !remarks.forgive(first, '', `文件编码是 ${text.encoding}，应为 UTF-8，已照常读取`)) {
    return { ...table, isRefused: true };
  }
  if (text.hasMark && !strict) remarks.forgive({ file: shown, row: 0 }, '', byteOrderMark);

  const { value: begin } = await text.pieces().next();
  const separator = separatorOf(String(begin ?? '').split(/[\r\n]/, 1)[0] ?? '');
  if (separator !== ',') {
    const shownAs = separator === ';' ? '分号' : '制表符';
    if (!remarks.forgive(first, '', `各列以${shownAs}分隔，应为逗号，已照常读取`)) return { ...table, isRefused: true };
  }

  let heads: Heads | undefined;
  let hasRows = false;
  const read = ({ row, cells, fault, isBroken }: CsvRow): 'refused' | undefined => {
    const place = { file: shown, row };
    if (fault === 'open') {
      remarks.reject(place, '', '引号没有结束，文件可能没有传完');
      return 'refused';
    }
    if (!heads) {
      heads = strict ? strictHeads(file, cells, shown, remarks) : tolerantHeads(file, cells, shown, remarks);
      if (heads) table.names = heads.names;
      return heads ? undefined : 'refused';
    }
    if (cells.every((one) => one.trim() === '') && remarks.forgive(place, '', '这一行是空的，没有读取'))
      return undefined;
    hasRows = true;
    if (fault) remarks.forgive(place, '', '单元格里的引号没有成对，已按原样读取');
    if (isBroken) remarks.forgive(place, '', '单元格里有换行，已按空格读取');
    const taken = rowOf(cells, heads, place, remarks);
    if (taken) readRow({ table, heads, taken, place, remarks, strict });
    else {
      const id = cells[heads.places[0] ?? 0]?.trim() ?? '';
      if (id !== '' && !table.ids.has(id)) table.ids.set(copyText(id), row);
    }
    return undefined;
  };
  try {
    for await (const rows of csvRows(text.pieces(), separator)) {
      for (const row of rows) if (read(row) === 'refused') return { ...table, isRefused: true };
    }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    return refused(`第${error.row}行：${error.message}`);
  }
  if (!heads) return refused('文件是空的，没有标题行');
  if (!hasRows) return refused('只有标题行，没有数据');
  return table;
}

interface Heads {
  /** Columns that are read, in the order in which their cells are stored. */
  names: string[];
  columns: readonly (Column | undefined)[];
  /** Position of each such column in the rows of the file; -1 if the file lacks it. */
  places: number[];
  /** `width`: number of cells per row. `widest`: maximum, if headings at the end are empty. */
  width: number;
  widest: number;
}

/** Reads the headings as the standard has them: all columns in order, then extension columns. */
function strictHeads(file: FileName, cells: readonly string[], shown: string, remarks: Remarks): Heads | undefined {
  const place = { file: shown, row: 1 };
  const columns = columnsOf(file);
  let isRight = true;
  const wrong = (field: string, message: string) => {
    remarks.reject(place, field, message);
    isRight = false;
  };
  columns.forEach(({ name }, index) => {
    if (cells[index] === name) return;
    if (!cells.includes(name)) wrong(name, `缺少列“${name}”`);
    else wrong(name, `列“${name}”应为第${index + 1}列`);
  });
  cells.slice(columns.length).forEach((name) => {
    if (!isExtensionColumn(name)) wrong(name, `“${name}”不是此文件的列；另加的列应以 metadata. 开头，放在最右`);
  });
  if (!isRight) return undefined;
  const own = ownColumnsOf(file);
  return {
    names: [...columns.map(({ name }) => name), ...own],
    columns: [...columns, ...own.map(() => undefined)],
    places: [...columns.map((_, index) => index), ...own.map((name) => cells.indexOf(name))],
    width: cells.length,
    widest: cells.length,
  };
}

/** Reads headings in any order: reports missing optional columns, and accepts similar names. */
function tolerantHeads(file: FileName, cells: readonly string[], shown: string, remarks: Remarks): Heads | undefined {
  const place = { file: shown, row: 1 };
  const columns = columnsOf(file);
  const written = cells.map((cell) => cell.trim());
  const filled = written.reduce((last, cell, index) => (cell === '' ? last : index + 1), 0);
  const at = new Map<string, number>();
  const unknown: { name: string; index: number }[] = [];
  let isRight = true;
  if (filled < cells.length) remarks.forgive(place, '', '标题行末尾有空的列，没有读取');
  const known = [...columns.map(({ name }) => name), ...(file === 'users' ? olderColumns : [])];
  written.forEach((name, index) => {
    if (name === '') return;
    const same = known.find((one) => one === name) ?? known.find((one) => normaliseWord(one) === normaliseWord(name));
    if (same === undefined) unknown.push({ name, index });
    else if (at.has(same)) {
      // Two columns have the same heading, so the file is refused rather than guessed at.
      remarks.reject(place, name, `列“${same}”出现了两次（第${(at.get(same) ?? 0) + 1}列和第${index + 1}列）`);
      isRight = false;
    } else {
      at.set(same, index);
      if (same !== name) remarks.forgive(place, name, `列名“${name}”已按“${same}”读取`);
    }
  });
  for (const { name, index } of unknown) {
    if (ownColumnsOf(file).includes(name)) at.set(name, index);
    if (isExtensionColumn(name)) continue;
    if (file === 'users' && name === removedColumn.name) {
      remarks.forgive(place, name, `列“${name}”在 1.2.1 中已取消，没有读取`);
      continue;
    }
    const missing = known.filter((one) => !at.has(one));
    const like = nearestWord(name, missing) ?? nearestWord(name, known);
    if (like !== undefined && !at.has(like)) {
      at.set(like, index);
      remarks.forgive(place, name, `列名“${name}”已按“${like}”读取`);
    } else remarks.forgive(place, name, `不认识的列“${name}”${like ? `（相近的是“${like}”）` : ''}，没有读取`);
  }
  for (const { name, required } of columns) {
    if (at.has(name)) continue;
    if (required && givesRecords(file)) remarks.reject(place, name, `缺少必需的列“${name}”`);
    else if (required) remarks.forgive(place, name, `缺少必需的列“${name}”，这个文件没有读取`);
    if (required) isRight = false;
    else if (name !== 'status' && name !== 'dateLastModified')
      remarks.forgive(place, name, `缺少列“${name}”，按没有填写读取`);
  }
  const order = columns.filter(({ name }) => at.has(name)).map(({ name }) => at.get(name) ?? 0);
  const last = Math.max(...order);
  const isBetween = written.some((name, index) => isExtensionColumn(name) && index < last);
  if (isBetween || order.some((index, place) => place > 0 && index < (order[place - 1] ?? 0))) {
    remarks.forgive(place, '', '列的顺序与标准不同，已按列名读取');
  }
  if (!isRight) return undefined;
  const extra = [...(file === 'users' ? olderColumns : []), ...ownColumnsOf(file)].filter((name) => at.has(name));
  const names = [...columns.map(({ name }) => name), ...extra];
  return {
    names,
    columns: [...columns, ...extra.map(() => undefined)],
    places: names.map((name) => at.get(name) ?? -1),
    width: filled,
    widest: cells.length,
  };
}

/** Returns the cells in the order of the headings; undefined if there are too few or too many. */
function rowOf(
  cells: readonly string[],
  { width, widest, places }: Heads,
  place: { file: string; row: number },
  remarks: Remarks,
): string[] | undefined {
  const isRight = cells.length >= width && cells.length <= widest;
  const tooMany = cells.slice(widest);
  if (!isRight) {
    const message = `这一行有${cells.length}个单元格，标题行有${width}个`;
    if (
      tooMany.length === 0 ||
      tooMany.some((cell) => cell.trim() !== '') ||
      !remarks.forgive(place, '', `${message}，多出的是空的`)
    ) {
      if (!remarks.isRefused(place)) remarks.reject(place, '', message);
      return undefined;
    }
  }
  return places.map((index) => cells[index] ?? '');
}

interface RowTask {
  table: RosterTable;
  heads: Heads;
  taken: string[];
  place: { file: string; row: number };
  remarks: Remarks;
  strict: boolean;
}

function readRow({ table, heads, taken, place, remarks, strict }: RowTask): void {
  const values = taken.map((cell, index) => {
    const column = heads.columns[index];
    if (!column) return cell.trim();
    return readValueOf(column, cell, { mode: table.mode, place, remarks, isMissing: heads.places[index] === -1 });
  });
  const id = values[0] ?? '';
  const of = (name: string): string => values[heads.names.indexOf(name)] ?? '';
  if (id !== '') {
    const earlier = table.ids.get(id);
    if (earlier !== undefined) {
      remarks.reject(place, 'sourcedId', `“${id}”与第${earlier}行重复`);
      // Two rows have the same id. Ordinary reading refuses both; strict reading refuses only the later one, like the
      // standard.
      const first = { file: place.file, row: earlier };
      if (!strict && !remarks.isRefused(first)) remarks.reject(first, 'sourcedId', `“${id}”与第${place.row}行重复`);
    } else table.ids.set(copyText(id), place.row);
  }
  const [subjects, codes] = [of('subjects'), of('subjectCodes')];
  if (codes !== '' && codes.split(',').length !== subjects.split(',').length) {
    remarks.forgive(place, 'subjectCodes', 'subjects 与 subjectCodes 的个数不同，科目代码没有读取');
  }
  const [from, until] = [of('startDate') || of('beginDate') || of('assignDate'), of('endDate') || of('dueDate')];
  if (from !== '' && until !== '' && until < from) {
    remarks.doubt(
      place,
      heads.names.includes('endDate') ? 'endDate' : 'dueDate',
      `结束日期 ${until} 早于开始日期 ${from}`,
    );
  }
  if (!remarks.isRefused(place)) table.rows.add(place.row, values);
}
