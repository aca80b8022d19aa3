/** Reads a single list of students or staff, with any order and names of columns. */

import type { Mapping, ShownList } from '../source-record.ts';
import { csvRows, separatorOf } from './csv.ts';
import { byteOrderMark, type Remarks } from './diagnostics.ts';
import { TooLarge } from './limits.ts';
import { normaliseWord } from './nearest-word.ts';
import type { ReadOptions } from './options.ts';
import { PackedRows } from './rows.ts';
import { type OpenBytes, readText } from './text.ts';
import { readMobile, toHalfWidth } from './values.ts';
import { type ReadSheet, readRows, reasonHead, type SheetHeads } from './workbook.ts';
import type { SheetRow, SheetTable } from './workbook-file.ts';
import { identityOfTitle, identityWords, sheetFormats } from './workbook-format.ts';
import type { SheetColumn, SheetFormat, SheetName } from './workbook-types.ts';

export type List = Pick<SheetTable, 'name' | 'rows' | 'rowCount'>;

/** Heading of the added column with the class of a sheet. */
const labelHead = '班级（取自工作表）';
/** Rows above the headings that may hold a title. */
const titleRows = 5;

const className =
  /(?:(?:高|初)[一二三]|[一二三四五六七八九]年级|[七八九]|\d{4}级)\s*[（(]?\s*[\d一二三四五六七八九十]{1,3}\s*[)）]?\s*班/;

/** Accepts the default names of sheets. */
const isUnnamed = (name: string): boolean => /^(?:sheet|工作表|表)\s*\d*$/i.test(name.trim());

/** Adds a last column with the class in the title or name of the sheet. `isOneOfMany`: each class has a sheet. */
export function withClassColumn(list: List, isOneOfMany: boolean): List {
  const top: SheetRow[] = [];
  for (const row of list.rows()) {
    top.push(row);
    if (top.length >= headLooked) break;
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
          yield { row, cells: [...paddedCells, cellOf(row === headRow ? labelHead : label)], ...more };
        }
      }
    },
  };
}

const formatOf = (name: SheetName): SheetFormat => {
  const format = sheetFormats.find((one) => one.name === name);
  if (!format) throw new Error(`No sheet ${name}`);
  return format;
};

/** Students' lists often have a class column. */
const classHead = '班级';

const columnsOf = (kind: Mapping['kind']): readonly SheetColumn[] =>
  formatOf(kind === 'student' ? '学员' : '人员').columns;

/** Possible meanings of a column: the headings of our own sheets. */
export const listChoices: Readonly<Record<Mapping['kind'], readonly string[]>> = {
  student: [...columnsOf('student').map(({ head }) => head), classHead],
  staff: columnsOf('staff').map(({ head }) => head),
};

/** Columns that a list must have. */
export const requiredColumns = (kind: Mapping['kind']): string[] =>
  columnsOf(kind).flatMap(({ head, required }) => (required ? [head] : []));

/** Names of these columns in other systems. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  编号: ['id', 'userid', 'studentid', 'sourcedid', '序列号'],
  姓名: ['name', 'fullname', 'realname', 'studentname', 'nickname', '真实姓名'],
  学号: ['number', 'studentnumber', 'studentno', 'no', '学籍', '考号', '准考证号'],
  手机号: [
    'mobile',
    'phone',
    'tel',
    'cell',
    'cellphone',
    'mobilephone',
    'phonenumber',
    '手机号码',
    '联系方式',
    '本人电话',
  ],
  家长手机号: [
    'parentphone',
    'parentmobile',
    'guardianmobile',
    'guardianphone',
    '家长手机号码',
    '家长联系电话',
    '家长联系方式',
    '母亲电话',
    '父亲电话',
    '监护人电话',
  ],
  学校: ['school', 'campus', 'org', '就读学校'],
  班级: ['class', 'classname', '行政班', '所在班级', '班别', normaliseWord(labelHead)],
  身份: ['role', 'identity', 'type', '职务', '人员类型'],
  用户名: ['username', 'account', 'login', 'loginname', 'userno', '工号'],
  权限: ['permissions'],
};

const isMobile = (text: string): boolean => 'value' in readMobile(text);

const headLooked = 10;
const rowsLooked = 200;
const examplesShown = 5;
const exampleLength = 40;
/** Characters of a heading that are shown and stored. */
const headLength = 100;

/** Undefined if the file is no text. */
export async function listOfCsv(open: OpenBytes, name: string, remarks: Remarks): Promise<List | undefined> {
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
    if (!(error instanceof TooLarge)) throw error;
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

export function guessList(list: List): ShownList {
  const looked: SheetRow[] = [];
  for (const row of list.rows()) {
    looked.push(row);
    if (looked.length >= rowsLooked) break;
  }
  const headRow = headRowOf(looked);
  const at = looked.findIndex(({ row }) => row === headRow);
  const body = looked.slice(at + 1);
  const width = Math.max(0, ...looked.map(({ cells }) => cells.length));
  const heads = uniqueHeads(at < 0 ? [] : (looked[at]?.cells.map(({ text }) => text) ?? []), width);
  const samples = heads.map((_, column) =>
    body.map(({ cells }) => cells[column]?.text ?? '').filter((text) => text !== ''),
  );
  const examples = body
    .slice(0, examplesShown)
    .map(({ cells }) => heads.map((_, column) => (cells[column]?.text ?? '').slice(0, exampleLength)));
  return { heads, examples, mapping: guessMapping(heads, samples), headRow, isGuessed: true };
}

/** Guesses the columns as for a list of this kind. */
export function guessColumnsAs(
  kind: Mapping['kind'],
  { heads, examples }: Pick<ShownList, 'heads' | 'examples'>,
): Mapping {
  const samples = heads.map((_, column) => examples.map((cells) => cells[column] ?? '').filter((text) => text !== ''));
  return guessMapping(heads, samples, kind);
}

/** Columns assigned for the source's previous list; new headings get unused guesses. */
function recalled({ heads, mapping: guess }: ShownList, { kind, columns: said }: Mapping): Mapping {
  const columns: Record<string, string> = {};
  const free = new Set(listChoices[kind]);
  for (const head of heads) {
    const field = said[head];
    if (field !== undefined) columns[head] = free.delete(field) ? field : '';
  }
  for (const head of heads) {
    const field = guess.kind === kind ? (guess.columns[head] ?? '') : '';
    columns[head] ??= free.delete(field) ? field : '';
  }
  return { kind, columns };
}

const wordsOf = (head: string, also: readonly string[] = []): string[] =>
  [head, ...also, ...(otherWords[head] ?? [])].map(normaliseWord);

const knownWords = new Map<Mapping['kind'], readonly { head: string; words: string[] }[]>(
  (['student', 'staff'] as const).map((kind) => [
    kind,
    [
      ...columnsOf(kind).map(({ head, also }) => ({ head, words: wordsOf(head, also) })),
      ...(kind === 'student' ? [{ head: classHead, words: wordsOf(classHead, ['班级名称']) }] : []),
    ],
  ]),
);

const plainHead = (text: string): string => normaliseWord(text.replace(/[*＊]|[（(](?:必填|选填)[)）]/g, ''));

const isHead = (head: string, text: string): boolean =>
  [...knownWords.values()].some((known) =>
    known.some((one) => one.head === head && one.words.includes(plainHead(text))),
  );

const isKnownHead = (text: string): boolean =>
  [...knownWords.values()].some((known) => known.some(({ words }) => words.includes(plainHead(text))));

/** Row of the headings: the first with two known ones, or with one and no mobile number; 0 without headings. */
function headRowOf(looked: readonly SheetRow[]): number {
  const first = looked.slice(0, headLooked);
  const found =
    first.find(({ cells }) => cells.filter(({ text }) => isKnownHead(text)).length >= 2) ??
    first.find(({ cells }) => cells.some(({ text }) => isKnownHead(text)));
  if (found) return found.row;
  const [top] = first;
  return top && !top.cells.some(({ text }) => isMobile(text)) ? top.row : 0;
}

function uniqueHeads(written: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, index) => {
    const plain = written[index]?.trim().slice(0, headLength) || `第${index + 1}列`;
    let head = plain;
    for (let count = 2; taken.has(head); count += 1) head = `${plain}（${count}）`;
    taken.add(head);
    return head;
  });
}

/** Guesses by content for unknown headings; the first unused field is taken. */
const contents: readonly { is: (text: string) => boolean; fields: readonly string[] }[] = [
  { is: isMobile, fields: ['手机号', '家长手机号'] },
  { is: (text) => Object.hasOwn(identityWords, text) || identityOfTitle(text) !== undefined, fields: ['身份'] },
  { is: (text) => /^\p{Script=Han}{2,4}$/u.test(text) && !text.endsWith('班'), fields: ['姓名'] },
  { is: (text) => /班$/.test(text), fields: [classHead] },
];

/** Guesses columns by headings, then by content. */
function guessMapping(heads: readonly string[], samples: readonly string[][], asked?: Mapping['kind']): Mapping {
  const count = (kind: Mapping['kind']): number =>
    heads.filter((head) => knownWords.get(kind)?.some(({ words }) => words.includes(plainHead(head)))).length;
  const hasIdentity = samples.some((texts) => mostly(texts, (text) => Object.hasOwn(identityWords, text)));
  const kind = asked ?? (hasIdentity || count('staff') > count('student') ? 'staff' : 'student');
  const known = knownWords.get(kind) ?? [];
  const columns: Record<string, string> = {};
  const free = new Set(listChoices[kind]);
  const take = (head: string, field: string | undefined) => {
    if (field === undefined || !free.delete(field)) return false;
    columns[head] = field;
    return true;
  };
  for (const head of heads) {
    take(head, known.find(({ words, head: field }) => free.has(field) && words.includes(plainHead(head)))?.head);
  }
  heads.forEach((head, index) => {
    if (columns[head] !== undefined || normaliseWord(head) === reasonHead) return;
    const texts = samples[index] ?? [];
    if (texts.length === 0) return;
    for (const { is, fields } of contents) {
      if (mostly(texts, is) && fields.some((field) => take(head, field))) break;
    }
  });
  for (const head of heads) columns[head] ??= '';
  return { kind, columns };
}

const mostly = (texts: readonly string[], is: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.filter(is).length >= texts.length * 0.8;

/** Tells whether one of the first rows has two known column heads. */
export function hasListHeads(list: List): boolean {
  let looked = 0;
  for (const { cells } of list.rows()) {
    looked += 1;
    if (looked > headLooked) return false;
    if (cells.filter(({ text }) => isKnownHead(text)).length >= 2) return true;
  }
  return false;
}

/** Reads the lists of one file under one mapping of columns. */
export function readLists(
  lists: readonly List[],
  remarks: Remarks,
  options: Pick<ReadOptions, 'mapping' | 'remembered'>,
): { sheets: ReadSheet[]; list: ShownList | undefined; isRefused: boolean } {
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
  list: List,
  remarks: Remarks,
  { mapping: chosen, remembered }: Pick<ReadOptions, 'mapping' | 'remembered'>,
): { sheets: ReadSheet[]; list: ShownList; isRefused: boolean } {
  const guessed = guessList(list);
  const said = chosen ?? remembered;
  const mapping = chosen ?? (remembered ? recalled(guessed, remembered) : guessed.mapping);
  const isNew = (head: string): boolean => said?.columns[head] === undefined;
  // Our own headings need no guess.
  const isOpen = (head: string): boolean =>
    isNew(head) && mapping.columns[head] !== toHalfWidth(head).trim() && normaliseWord(head) !== reasonHead;
  const shown: ShownList = { ...guessed, mapping, isGuessed: guessed.heads.some(isOpen) };
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
  list: List,
  { people, guessed, mapping, remarks }: { people: ReadSheet; guessed: ShownList; mapping: Mapping; remarks: Remarks },
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
