/**
 * Reads a OneRoster package (CSV, bulk and delta): leniently with diagnostics, or strictly by the standard. The mapping
 * to records is in oneroster-records.ts.
 */
import { Readable } from 'node:stream';
import { isDay, isYear } from '#server/platform/calls/rules.ts';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { importedTextLimit, importMessages } from '../rules.ts';
import { type CsvRow, csvRows, separatorOf } from './csv.ts';
import { byteOrderMark, type Remarks } from './diagnostics.ts';
import { TooLarge } from './limits.ts';
import { nearestWord, normaliseWord } from './nearest-word.ts';
import {
  type Column,
  columnsOf,
  type FileName,
  fileNames,
  idLimit,
  isId,
  isOwnColumn,
  manifestFiles,
  olderColumns,
  ownColumnsOf,
  withdrawnColumn,
} from './oneroster-format.ts';
import { copyText, PackedRows } from './rows.ts';
import { type OpenBytes, readText } from './text.ts';
import { isScientific, type ParsedValue, readBoolean, readDay, scientificMessage, toHalfWidth } from './values.ts';
import { forEachYielding } from './yielding.ts';

export type Mode = 'bulk' | 'delta';

/** A parsed file; cells in the order of `names`, normalised to the standard's notation. */
export interface RosterTable {
  file: FileName;
  /** File name in the package. */
  shown: string;
  mode: Mode;
  names: readonly string[];
  rows: PackedRows;
  /** Row by id, refused rows too, so that references to them resolve. */
  ids: Map<string, number>;
  /** The file could not be read. */
  isRefused: boolean;
}

export interface RosterRecord {
  row: number;
  id: string;
  isGone: boolean;
  /** '' if empty. */
  get(name: string): string;
}

export interface RosterPackage {
  tables: Map<FileName, RosterTable>;
  /** Refuses the whole package: missing rows would look like departures. */
  isRefused: boolean;
  hasOlderUsers: boolean;
}

export function* recordsOf(table: RosterTable | undefined, remarks: Remarks): Generator<RosterRecord> {
  if (!table) return;
  const places = new Map(table.names.map((name, index) => [name, index]));
  for (const packed of table.rows) {
    const { row } = packed;
    if (remarks.isRefused({ file: table.shown, row })) continue;
    const get = (name: string): string => packed.cell(places.get(name) ?? -1);
    yield { row, id: packed.cell(0), isGone: packed.cell(1) === 'tobedeleted', get };
  }
}

/** Other files are checked, but give no records. */
const isUsed = (file: FileName): boolean =>
  ['academicSessions', 'orgs', 'users', 'roles', 'courses', 'classes', 'enrollments'].includes(file);

/** Files added by macOS and Windows. */
const isLitter = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name);

const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Archive entry by file of the standard, or `manifest`. */
export type RosterFiles = Map<FileName | 'manifest', string>;

const standardNames = [...fileNames, 'manifest'] as const;

/** Undefined without a manifest. */
export function rosterFiles(zip: OpenedZip, remarks: Remarks): { files: RosterFiles; isRefused: boolean } | undefined {
  const names = zip.names.filter((name) => !isLitter(name));
  const manifest =
    names.find((name) => name === 'manifest.csv') ??
    names.find((name) => baseName(name).toLowerCase() === 'manifest.csv');
  if (manifest === undefined) return undefined;
  const folder = manifest.slice(0, manifest.length - baseName(manifest).length);
  let isRefused = false;
  const forgive = (file: string, message: string) => {
    if (!remarks.forgive({ file, row: 0 }, '', message)) isRefused = true;
  };
  if (folder !== '') forgive(baseName(manifest), `文件在压缩包的文件夹“${folder}”中，应直接放在压缩包内`);
  const files: RosterFiles = new Map();
  for (const name of names) {
    const base = baseName(name);
    const word = base.replace(/\.csv$/i, '');
    const known =
      standardNames.find((one) => one === word) ??
      standardNames.find((one) => normaliseWord(one) === normaliseWord(word));
    if (
      !name.startsWith(folder) ||
      name.slice(folder.length).includes('/') ||
      known === undefined ||
      !/\.csv$/i.test(base)
    ) {
      const like = nearestWord(word, standardNames);
      const hint = like === undefined ? '' : `，是否应为 ${like}.csv`;
      forgive(base, `“${base}”不是 OneRoster 的文件${hint}，没有读取`);
      continue;
    }
    if (base !== `${known}.csv`) forgive(base, `文件名应为 ${known}.csv，已照常读取`);
    files.set(known, name);
  }
  return { files, isRefused };
}

export async function readRosterPackage(
  zip: OpenedZip,
  { files, isRefused }: { files: RosterFiles; isRefused: boolean },
  remarks: Remarks,
  strict: boolean,
): Promise<RosterPackage> {
  const roster: RosterPackage = { tables: new Map(), isRefused, hasOlderUsers: false };
  const manifest = await readManifest(zip, files, remarks, strict);
  if (!manifest) return { ...roster, isRefused: true };
  if (manifest.isRefused) roster.isRefused = true;
  for (const file of fileNames) {
    const name = files.get(file);
    const said = manifest.modes.get(file);
    const shown = name === undefined ? `${file}.csv` : baseName(name);
    if (name === undefined) {
      if (said === 'bulk' || said === 'delta') {
        remarks.reject({ file: shown, row: 0 }, '', `manifest.csv 说有 ${file}.csv（${said}），压缩包里没有这个文件`);
        roster.isRefused = true;
      }
      continue;
    }
    if (said === undefined || said === 'absent') {
      const message = `manifest.csv 没有列出 ${file}.csv，已按变更（delta）读取`;
      if (!manifest.isRefused && !remarks.forgive({ file: shown, row: 0 }, '', message)) roster.isRefused = true;
    }
    if (roster.isRefused && said !== 'bulk' && said !== 'delta') continue;
    const mode = said === 'bulk' ? 'bulk' : 'delta';
    const table = await readTable({ file, shown, mode, open: opener(zip, name), remarks, strict });
    if (table.isRefused && (strict || isUsed(file))) roster.isRefused = true;
    roster.tables.set(file, table);
  }
  const users = roster.tables.get('users');
  roster.hasOlderUsers = users?.names.includes('role') === true && !roster.tables.has('roles');
  // A nightly package without changes lists all files as absent.
  if (roster.tables.size === 0 && manifest.modes.size === 0 && !roster.isRefused) {
    remarks.reject({ file: manifest.shown, row: 0 }, '', '压缩包里没有任何数据文件');
    roster.isRefused = true;
  }
  await checkReferences(roster, remarks);
  await checkSchools(roster, remarks);
  await checkPrimaryRoles(roster, remarks);
  await checkPrimaryOrgs(roster, remarks);
  return roster;
}

/** True for a delta package, or one with people whose roles it does not have. */
export function isPartial({ tables }: RosterPackage): boolean {
  if ([...tables.values()].some(({ mode }) => mode === 'delta')) return true;
  const [users, roles] = [tables.get('users'), tables.get('roles')];
  if (!users || !roles) return true;
  const parsed = new Set<string>();
  const user = roles.names.indexOf('userSourcedId');
  for (const row of roles.rows) parsed.add(row.cell(user));
  return [...users.ids.keys()].some((id) => !parsed.has(id));
}

// ---- the manifest -----------------------------------------------------------------------------------

const opener =
  (zip: OpenedZip, name: string): OpenBytes =>
  async () =>
    (await zip.stream(name)) ?? Readable.from([]);

type Said = Mode | 'absent';

interface Manifest {
  shown: string;
  modes: Map<FileName, Said>;
  isRefused: boolean;
}

async function readManifest(
  zip: OpenedZip,
  files: RosterFiles,
  remarks: Remarks,
  strict: boolean,
): Promise<Manifest | undefined> {
  const name = files.get('manifest') ?? 'manifest.csv';
  const shown = baseName(name);
  const text = await readText(opener(zip, name));
  if (!text) {
    remarks.reject({ file: shown, row: 1 }, '', '文件不是文本，无法读取');
    return undefined;
  }
  const manifest: Manifest = { shown, modes: new Map(), isRefused: false };
  const forgive = (row: number, field: string, message: string) => {
    if (!remarks.forgive({ file: shown, row }, field, message)) manifest.isRefused = true;
  };
  const reject = (row: number, field: string, message: string) => {
    remarks.reject({ file: shown, row }, field, message);
    manifest.isRefused = true;
  };
  const values = new Map<string, { value: string; row: number }>();
  const rows: CsvRow[] = [];
  try {
    for await (const ended of csvRows(text.pieces())) rows.push(...ended);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    remarks.reject({ file: shown, row: error.row }, '', error.message);
    return undefined;
  }
  for (const { row, cells } of rows) {
    const [property = '', value = ''] = cells.map((cell) => cell.trim());
    if (row === 1) {
      if (property === 'propertyName' && value === 'value') continue;
      forgive(row, 'propertyName', '第一行应为 propertyName,value');
      if (!/\./.test(property)) continue;
    }
    const earlier = values.get(property);
    if (earlier && property !== '') {
      const message = `“${property}”在第${earlier.row}行已写过`;
      if (earlier.value === value) forgive(row, property, message);
      else reject(row, property, `${message}“${earlier.value}”，这里是“${value}”`);
    }
    values.set(property, { value, row });
  }
  const { value: version, row: versionRow } = values.get('oneroster.version') ?? { value: '', row: 0 };
  if (version !== '1.2')
    forgive(versionRow, 'oneroster.version', `oneroster.version 应为 1.2，这里是“${version}”，已按 1.2 读取`);
  const { value: form, row: formRow } = values.get('manifest.version') ?? { value: '', row: 0 };
  if (form !== '1.0') forgive(formRow, 'manifest.version', `manifest.version 应为 1.0，这里是“${form}”`);
  for (const [property, { value, row }] of values) {
    const file = /^file\.(.+)$/.exec(property)?.[1];
    if (file === undefined) continue;
    const known =
      fileNames.find((one) => one === file) ?? fileNames.find((one) => normaliseWord(one) === normaliseWord(file));
    if (known !== file) {
      const like = known ?? nearestWord(file, fileNames);
      const hint = like === undefined ? '' : `，是否应为 file.${like}`;
      forgive(row, property, `“${property}”不是 OneRoster 的文件${hint}`);
    }
    if (known === undefined) continue;
    const mode = readMode(value);
    if (mode === undefined) reject(row, property, `“${value}”应为 absent、bulk 或 delta`);
    else if (mode !== value) {
      forgive(row, property, value === '' ? `${property} 没有填写，已按 absent 读取` : `“${value}”已按 ${mode} 读取`);
    }
    manifest.modes.set(known, mode ?? 'absent');
  }
  const unsaid = manifestFiles.filter((file) => !manifest.modes.has(file));
  if (strict) for (const file of unsaid) reject(0, `file.${file}`, `manifest.csv 缺少 file.${file}`);
  else if (manifest.modes.size > 0) {
    const left = unsaid.filter((file) => !files.has(file)).map((file) => `file.${file}`);
    if (left.length > 0)
      remarks.forgive({ file: shown, row: 0 }, '', `manifest.csv 没有列出 ${left.join('、')}，已按 absent 读取`);
  }
  return manifest;
}

function readMode(value: string): Said | undefined {
  const word = value.toLowerCase();
  if (word === '') return 'absent';
  return word === 'bulk' || word === 'delta' || word === 'absent' ? word : undefined;
}

// ---- a data file ------------------------------------------------------------------------------------

interface TableTask {
  file: FileName;
  shown: string;
  mode: Mode;
  open: OpenBytes;
  remarks: Remarks;
  strict: boolean;
}

async function readTable({ file, shown, mode, open, remarks, strict }: TableTask): Promise<RosterTable> {
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
    if (!(error instanceof TooLarge)) throw error;
    return refused(`第${error.row}行：${error.message}`);
  }
  if (!heads) return refused('文件是空的，没有标题行');
  if (!hasRows) return refused('只有标题行，没有数据');
  return table;
}

interface Heads {
  /** Columns that are read, in stored order. */
  names: string[];
  columns: readonly (Column | undefined)[];
  /** Position of each in the file's rows; -1: missing. */
  places: number[];
  /** Cells per row, and the maximum if trailing headings are empty. */
  width: number;
  widest: number;
}

/** Strict: all columns, in order, then extension columns. */
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
    if (!isOwnColumn(name)) wrong(name, `“${name}”不是此文件的列；另加的列应以 metadata. 开头，放在最右`);
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

/** Lenient: any order; reports missing optional columns, and accepts similar names. */
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
      // Ambiguous: refuses instead of guessing.
      remarks.reject(place, name, `列“${same}”出现了两次（第${(at.get(same) ?? 0) + 1}列和第${index + 1}列）`);
      isRight = false;
    } else {
      at.set(same, index);
      if (same !== name) remarks.forgive(place, name, `列名“${name}”已按“${same}”读取`);
    }
  });
  for (const { name, index } of unknown) {
    if (ownColumnsOf(file).includes(name)) at.set(name, index);
    if (isOwnColumn(name)) continue;
    if (file === 'users' && name === withdrawnColumn.name) {
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
    if (required && isUsed(file)) remarks.reject(place, name, `缺少必需的列“${name}”`);
    else if (required) remarks.forgive(place, name, `缺少必需的列“${name}”，这个文件没有读取`);
    if (required) isRight = false;
    else if (name !== 'status' && name !== 'dateLastModified')
      remarks.forgive(place, name, `缺少列“${name}”，按没有填写读取`);
  }
  const order = columns.filter(({ name }) => at.has(name)).map(({ name }) => at.get(name) ?? 0);
  const last = Math.max(...order);
  const isBetween = written.some((name, index) => isOwnColumn(name) && index < last);
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

/** Cells in the order of the headings; undefined if there are too few or too many. */
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
      // Ambiguous: lenient mode refuses both rows, the standard only the later one.
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

interface ValueContext {
  mode: Mode;
  place: { file: string; row: number };
  remarks: Remarks;
  isMissing: boolean;
}

/** The value in the standard's notation; '' if missing or refused. */
function readValueOf(column: Column, cell: string, { mode, place, remarks, isMissing }: ValueContext): string {
  const { name } = column;
  const text = cell.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  if (name === 'status' || name === 'dateLastModified')
    return bookkeeping(column, text, { mode, place, remarks, isMissing });
  if (text === '') {
    if (column.required) remarks.reject(place, name, `“${name}”必须填写`);
    return '';
  }
  if (text.length > importedTextLimit) {
    remarks.reject(place, name, importMessages.text);
    return '';
  }
  if (text !== cell && !isFreeText(column) && !/[\r\n]/.test(cell))
    remarks.forgive(place, name, `“${text}”前后有空格，已按“${text}”读取`);
  const parsed = column.isList ? listOf(column, text) : readValue(column, text);
  if ('fault' in parsed) {
    remarks.reject(place, name, parsed.fault);
    return '';
  }
  if (parsed.said !== undefined) remarks.forgive(place, name, parsed.said);
  return parsed.value;
}

/** Types in which leading and trailing spaces are data. */
const isFreeText = ({ type }: Column): boolean => type === 'text' || type === 'words' || type === 'pairs';

/** `status` and `dateLastModified`: empty in bulk files, required in delta files. */
function bookkeeping(column: Column, text: string, { mode, place, remarks, isMissing }: ValueContext): string {
  const { name } = column;
  if (mode === 'bulk') {
    if (text === '') return '';
    remarks.forgive(
      place,
      name,
      name === 'status' ? `完整名单（bulk）中“status”应为空，这里是“${text}”` : `完整名单（bulk）中“${name}”应为空`,
    );
    return name === 'status' ? (readStatus(text) ?? '') : '';
  }
  if (text === '') {
    if (!isMissing)
      remarks.forgive(place, name, `变更（delta）中“${name}”必须填写${name === 'status' ? '，已按 active 读取' : ''}`);
    return '';
  }
  if (name === 'dateLastModified') {
    if (!isMoment(text)) remarks.forgive(place, name, `“${text}”应为 2026-09-01T08:00:00.000Z 的形式`);
    return text;
  }
  const status = readStatus(text);
  if (status === undefined) remarks.reject(place, name, `“${text}”应为 active 或 tobedeleted`);
  else if (status !== text) remarks.forgive(place, name, `“${text}”已按 ${status} 读取`);
  return status ?? '';
}

function readStatus(text: string): 'active' | 'tobedeleted' | undefined {
  const word = text.toLowerCase();
  if (word === 'active') return 'active';
  // Values of versions 1.0 and 1.1.
  return word === 'tobedeleted' || word === 'inactive' ? 'tobedeleted' : undefined;
}

const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/.test(text) && isDay(text.slice(0, 10));

function listOf(column: Column, text: string): ParsedValue<string> {
  const said: string[] = [];
  const values: string[] = [];
  for (const part of text.split(',')) {
    const parsed = readValue(column, part.trim());
    if ('fault' in parsed) return parsed;
    if (parsed.said !== undefined) said.push(parsed.said);
    if (parsed.value !== '') values.push(parsed.value);
  }
  const value = values.join(',');
  return said.length > 0 ? { value, said: said.join('；') } : { value };
}

function readValue({ type, words, name }: Column, text: string): ParsedValue<string> {
  switch (type) {
    case 'id':
      return readId(text);
    case 'word':
      return readWord(text, words);
    case 'date':
      return readDay(text);
    case 'year': {
      const year = toHalfWidth(text);
      if (!isYear(year)) return { fault: `“${text}”应为四位数的年份` };
      return year === text ? { value: year } : { value: year, said: `“${text}”已按 ${year} 读取` };
    }
    case 'boolean': {
      const parsed = readBoolean(text);
      return 'fault' in parsed ? parsed : { ...parsed, value: String(parsed.value) };
    }
    case 'number':
      return Number.isFinite(Number(text)) && !isScientific(text) ? { value: text } : { fault: `“${text}”不是数字` };
    case 'pairs':
      return /^\{[^{}:]+:[^{}]*\}(?:,\s*\{[^{}:]+:[^{}]*\})*$/.test(text)
        ? { value: text }
        : { value: '', said: `“${text}”应为 {类型:编号} 的形式，没有读取` };
    case 'moment':
    case 'words':
      return { value: text };
    case 'text':
      return ['sms', 'phone', 'identifier', 'username'].includes(name) && isScientific(text)
        ? { fault: scientificMessage(text) }
        : { value: text };
  }
}

function readId(text: string): ParsedValue<string> {
  if (isId(text)) return { value: text };
  if (isScientific(text)) return { fault: scientificMessage(text) };
  if (text.length > idLimit) return { fault: `编号超过${idLimit}个字符` };
  const half = toHalfWidth(text);
  if (isId(half)) return { value: half, said: `“${text}”：全角字符已按半角读取` };
  return { value: text, said: `编号“${text}”含有标准不允许的字符，已照常读取` };
}

function readWord(text: string, words: readonly string[]): ParsedValue<string> {
  if (words.includes(text) || /^ext:[\w.-]+$/.test(text)) return { value: text };
  const same = words.find((word) => normaliseWord(word) === normaliseWord(text));
  if (same !== undefined) return { value: same, said: `“${text}”已按 ${same} 读取` };
  const like = nearestWord(text, words);
  return { fault: `“${text}”应为 ${words.join('、')} 之一${like ? `，是否应为 ${like}` : ''}` };
}

// ---- across files -----------------------------------------------------------------------------------

/** Bulk: every reference must be in the package. Delta: it may be in an earlier one. */
async function checkReferences({ tables, hasOlderUsers, isRefused }: RosterPackage, remarks: Remarks): Promise<void> {
  for (const table of tables.values()) {
    if (table.mode !== 'bulk' || table.isRefused) continue;
    const referring = columnsOf(table.file).filter(({ to }) => to !== undefined);
    const absent = new Set<FileName>();
    await forEachYielding(recordsOf(table, remarks), (record) => {
      for (const { name, to, isList } of referring) {
        const text = to === undefined ? '' : record.get(name);
        if (to === undefined || text === '') continue;
        const target = tables.get(to);
        if (target?.isRefused || target?.mode === 'delta') continue;
        if (!target) {
          if (!absent.has(to) && !isRefused)
            remarks.forgive({ file: table.shown, row: record.row }, name, `压缩包里没有 ${to}.csv，这一列没有读取`);
          absent.add(to);
          continue;
        }
        for (const id of isList ? text.split(',') : [text]) {
          if (!target.ids.has(id)) {
            remarks.reject({ file: table.shown, row: record.row }, name, `“${id}”在 ${target.shown} 中没有`);
          }
        }
      }
      if (table.file === 'demographics' && tables.get('users')?.ids.has(record.id) === false) {
        remarks.reject({ file: table.shown, row: record.row }, 'sourcedId', `“${record.id}”在 users.csv 中没有`);
      }
    });
  }
  if (hasOlderUsers) {
    const { shown = 'users.csv' } = tables.get('users') ?? {};
    remarks.forgive({ file: shown, row: 1 }, 'role', '这是 OneRoster 1.1 的写法（角色在 users.csv 中），已照常读取');
  }
}

/** Classes and enrolments belong to organisations of type school. */
async function checkSchools({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const orgs = tables.get('orgs');
  if (!orgs || orgs.isRefused) return;
  const types = new Map<string, string>();
  await forEachYielding(recordsOf(orgs, remarks), (record) => types.set(copyText(record.id), record.get('type')));
  for (const file of ['classes', 'enrollments'] as const) {
    const table = tables.get(file);
    if (!table || table.isRefused) continue;
    await forEachYielding(recordsOf(table, remarks), (record) => {
      const id = record.get('schoolSourcedId');
      const type = types.get(id);
      if (type === undefined || type === 'school') return;
      const message = `“${id}”在 ${orgs.shown} 中的类型是 ${type}，应为 school，已照常读取`;
      remarks.forgive({ file: table.shown, row: record.row }, 'schoolSourcedId', message);
    });
  }
}

/** Users hold a role in their primary organisation. */
async function checkPrimaryOrgs({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const [users, roles] = [tables.get('users'), tables.get('roles')];
  if (!users || users.isRefused || roles?.mode !== 'bulk' || roles.isRefused) return;
  // The missing role may be among the refused ones.
  if (remarks.refused.some(({ file }) => file === roles.shown)) return;
  const held = new Set<string>();
  const keyOf = (user: string, org: string) => copyText(`${user} ${org}`);
  await forEachYielding(recordsOf(roles, remarks), (record) => {
    if (!record.isGone) held.add(keyOf(record.get('userSourcedId'), record.get('orgSourcedId')));
  });
  await forEachYielding(recordsOf(users, remarks), (record) => {
    const org = record.get('primaryOrgSourcedId');
    if (org === '' || record.isGone || held.has(keyOf(record.id, org))) return;
    const message = `“${record.id}”在主要组织“${org}”中没有角色，已照常读取`;
    remarks.forgive({ file: users.shown, row: record.row }, 'primaryOrgSourcedId', message);
  });
}

/** Each person has one primary role per school. */
async function checkPrimaryRoles({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const roles = tables.get('roles');
  if (!roles || roles.isRefused) return;
  const primary = new Map<string, number>();
  await forEachYielding(recordsOf(roles, remarks), (record) => {
    if (record.get('roleType') !== 'primary' || record.isGone) return;
    const key = copyText(`${record.get('userSourcedId')} ${record.get('orgSourcedId')}`);
    const earlier = primary.get(key);
    if (earlier === undefined) primary.set(key, record.row);
    else {
      const message = `“${record.get('userSourcedId')}”在同一学校有两个主要角色（第${earlier}行），只能有一个 primary`;
      remarks.reject({ file: roles.shown, row: record.row }, 'roleType', message);
    }
  });
}
