/** Reads a single list of students or staff, whose columns may have any order and any names. */

import { getOrAdd } from '#server/platform/db/grouping.ts';
import { csvRows, separatorOf } from '#server/platform/text/csv.ts';
import { type ByteOpener, readText } from '#server/platform/text/encoding.ts';
import { isSameName, normalizeNameLoosely } from '#server/platform/text/name-matching.ts';
import { LimitExceeded } from '#server/platform/text/table-limits.ts';
import { listNames } from '../rules.ts';
import type { ListPreview, ListSheet, Mapping, Place } from '../source-record.ts';
import { guessClass, guessGrade } from './class-of-sheet.ts';
import { byteOrderMark, type Remarks } from './diagnostics.ts';
import { withDefaults } from './list-defaults.ts';
import { nearestName, normaliseWord } from './nearest-word.ts';
import type { KnownClass, KnownGrades, ReadOptions } from './options.ts';
import { classHead, formatOf } from './people-columns.ts';
import { guessColumns, guessList, type PeopleTable, recallMapping } from './people-mapping.ts';
import { PackedRows } from './rows.ts';
import { toHalfWidth } from './values.ts';
import { type ReadSheet, readRows, type SheetHeads } from './workbook.ts';
import type { SheetRow } from './workbook-file.ts';
import { describeRow } from './workbook-index.ts';
import type { SheetColumn } from './workbook-types.ts';
import { reasonHead } from './workbook-words.ts';

/** Reads a CSV file; undefined if it is no text. */
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

/** Removes marks that stop Excel from reading digits as a number: a tab, an apostrophe, or `="001"`. */
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

/** A list with its guessed columns and the class that it is about. */
interface GuessedList {
  table: PeopleTable;
  guess: ListPreview;
  sheet: ListSheet;
  /** True if a person has confirmed the class. */
  isConfirmed: boolean;
}

interface MappingOptions extends Pick<ReadOptions, 'mapping' | 'remembered'> {
  /** Known classes and grades, if other classes are to be added. */
  knownNames?: KnownNames;
}

/** Converts the lists of one file to sheets of our own workbook: people, and memberships of students in classes. */
export function readLists(
  tables: readonly PeopleTable[],
  remarks: Remarks,
  { mapping: chosen, remembered, knownNames }: MappingOptions,
): { sheets: ReadSheet[]; list: ListPreview | undefined; isRefused: boolean } {
  const guesses = tables.map((table) => ({ table, guess: guessList(table) }));
  const savedMapping = chosen ?? rememberedFor(guesses, remembered);
  const kind = savedMapping?.kind ?? guesses[0]?.guess.mapping.kind ?? 'student';
  const lists = guesses.map(({ table, guess }): GuessedList => {
    const className = savedMapping?.classes?.[table.name];
    const isRead = className === undefined ? tables.length === 1 || guess.mapping.kind === kind : className !== null;
    const titled = kind === 'student' ? guessClass(table, tables.length > 1) : '';
    const confirmed = tables.length === 1 ? savedMapping?.titledClasses?.[titled] : undefined;
    const isConfirmed = className !== undefined || confirmed !== undefined;
    const sheet = { name: table.name, className: className ?? confirmed ?? titled, isRead, titled };
    return { table, guess, sheet, isConfirmed };
  });
  for (const { sheet, guess } of lists) {
    if (sheet.isRead) continue;
    const place = { file: sheet.name, row: 1 };
    if (chosen) remarks.forgive(place, '', `工作表“${sheet.name}”没有读取`);
    else remarks.doubt(place, '', `工作表“${sheet.name}”像是${listNames[guess.mapping.kind]}，没有读取，请单独上传`);
  }
  const read = lists.filter(({ sheet }) => sheet.isRead).map((list) => readList(list, remarks, { kind, savedMapping }));
  if (read.length === 0) return { sheets: [], list: undefined, isRefused: true };
  const readSheets = read.flatMap(({ sheets }) => sheets);
  return {
    sheets: kind === 'student' ? withMembers(readSheets, remarks, knownNames) : readSheets.map(({ people }) => people),
    list: { ...joinPreviews(read.map(({ list }) => list)), sheets: lists.map(({ sheet }) => sheet) },
    isRefused: read.some((one) => one.isRefused),
  };
}

/**
 * Returns the mapping chosen for the source's previous list, unless this list is about another kind of people. The
 * classes of its sheets are left out: in the next file a sheet of the same name (Sheet1) may be about another class.
 * Classes read from titles are kept, and count if the file has one sheet.
 */
function rememberedFor(
  guesses: readonly { guess: ListPreview }[],
  remembered: Mapping | undefined,
): Mapping | undefined {
  const isOfThese = guesses.some(
    ({ guess: { heads, mapping } }) =>
      mapping.kind === remembered?.kind || heads.every((head) => remembered?.columns[head] !== undefined),
  );
  if (!remembered || !isOfThese) return undefined;
  const { classes: _, ...rest } = remembered;
  return rest;
}

/** Joins the previews of several lists: the headings of the first one, then those that only others have. */
function joinPreviews(previews: readonly ListPreview[]): ListPreview {
  const [first, ...others] = previews as [ListPreview, ...ListPreview[]];
  const heads = [...first.heads];
  const examples = first.examples.map((cells) => [...cells]);
  const columns = { ...first.mapping.columns };
  for (const list of others) {
    for (const [at, head] of list.heads.entries()) {
      if (heads.includes(head)) continue;
      heads.push(head);
      for (const [row, cells] of examples.entries()) cells.push(list.examples[row]?.[at] ?? '');
      columns[head] ??= list.mapping.columns[head] ?? '';
    }
  }
  return {
    ...first,
    heads,
    examples,
    mapping: { ...first.mapping, columns },
    isGuessed: previews.some(({ isGuessed }) => isGuessed),
    classNames: [...new Set(previews.flatMap(({ classNames = [] }) => classNames))].slice(0, maxClassNames),
  };
}

/** Maximum names of classes that a preview keeps. */
const maxClassNames = 200;

function readList(
  { table: list, guess: guessed, sheet, isConfirmed }: GuessedList,
  remarks: Remarks,
  { kind, savedMapping }: { kind: Mapping['kind']; savedMapping: Mapping | undefined },
): { sheets: ReadList[]; list: ListPreview; isRefused: boolean } {
  const ofKind = guessed.mapping.kind === kind ? guessed : { ...guessed, mapping: guessColumns(kind, guessed) };
  const mapping = savedMapping ? recallMapping(ofKind, savedMapping) : ofKind.mapping;
  const isNew = (head: string): boolean => savedMapping?.columns[head] === undefined;
  // A heading of our own workbook needs no guess.
  const isOpen = (head: string): boolean =>
    isNew(head) && mapping.columns[head] !== toHalfWidth(head).trim() && normaliseWord(head) !== reasonHead;
  const isOpenClass = sheet.className !== '' && !isConfirmed;
  const shown: ListPreview = { ...guessed, mapping, isGuessed: guessed.heads.some(isOpen) || isOpenClass };
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
  const filled = withDefaults(list, { format, heads, mapping });
  const missing = format.columns.filter(({ required }, index) => required && filled.heads.places[index] === -1);
  for (const { head } of missing) {
    remarks.reject({ ...place, row: guessed.headRow || 1 }, head, `没有找到“${head}”所在的列，请指定`);
  }
  for (const head of guessed.heads.filter(isOpen)) {
    const field = mapping.columns[head];
    remarks.forgive(place, head, field ? `列“${head}”已按“${field}”读取` : `列“${head}”不知道是什么，没有读取`);
  }
  if (missing.length > 0) return { sheets: [], list: shown, isRefused: true };
  if (isOpenClass) remarks.forgive({ ...place, row: 1 }, classHead, `没有写班级的，已按“${sheet.className}”读取`);
  const people = readRows(filled.list, { format, heads: filled.heads, remarks });
  const written = classesOf(list, { guessed, mapping, className: sheet.className });
  const classNames = [...new Set(written.values())];
  const classes = new Map([...written].map(([row, name]) => [row, mapping.meantClasses?.[name] ?? name]));
  return { sheets: [{ people, classes }], list: { ...shown, classNames }, isRefused: false };
}

/** The people of a sheet, and the class of each row that has one. */
interface ReadList {
  people: ReadSheet;
  classes: ReadonlyMap<number, string>;
}

interface KnownNames {
  classes: readonly KnownClass[];
  grades: KnownGrades;
  /** True: adds all classes that no known class is similar to. False: only the chosen ones. */
  addsAll: boolean;
  /** Names of classes to add although a known class has a similar name. */
  chosen: ReadonlySet<string>;
}

function withMembers(lists: readonly ReadList[], remarks: Remarks, known: KnownNames | undefined) {
  const toldApart = tellNamesakesApart(lists, remarks);
  const added = known ? newClassesOf(toldApart, known, remarks) : [];
  return toldApart.flatMap((list, at): ReadSheet[] => {
    const members = membersOf(list.people, list.classes, remarks);
    return [list.people, members, ...(added[at] ?? [])].filter((sheet) => sheet !== undefined);
  });
}

/**
 * Returns the sheets of each list with the classes that it is the first to name, and with their grades. A class of a
 * similar name prevents that, unless a person chose to add this one.
 */
function newClassesOf(
  lists: readonly ReadList[],
  { classes: known, grades, addsAll, chosen }: KnownNames,
  remarks: Remarks,
): ReadSheet[][] {
  const format = formatOf('班级');
  const gradeNames = [...grades.names];
  const schoolAt = formatOf('学员').columns.findIndex(({ head }) => head === '学校');
  const taken = new Set<string>();
  return lists.map(({ people, classes }) => {
    const rows = new PackedRows();
    const newGrades: ReadSheet = {
      format: formatOf('年级与分类'),
      shown: people.shown,
      heads: new Set(['类别', '名称']),
      rows: new PackedRows(),
    };
    for (const { row, cells } of people.rows) {
      const name = classes.get(row);
      if (name === undefined || remarks.isRefused({ file: people.shown, row })) continue;
      const school = cells[schoolAt] ?? '';
      const key = `${school}/${normalizeNameLoosely(name)}`;
      if (taken.has(key)) continue;
      taken.add(key);
      const names = known.flatMap((one) => (school === '' || isSameName(one.school, school) ? [one.name] : []));
      const isKnown = names.some((one) => normalizeNameLoosely(one) === normalizeNameLoosely(name));
      if (isKnown) continue;
      if (!chosen.has(name) && (!addsAll || nearestName(name, names) !== undefined)) continue;
      const values: Record<string, string> = {
        编号: school === '' ? '' : `${school}/${name}`,
        班级名称: name,
        学校: school,
        年级: gradeOf(name, gradeNames) ?? '',
      };
      const grade = guessGrade(name);
      if (values.年级 === '' && grade !== '' && grades.mayAdd(grade)) {
        gradeNames.push(grade);
        values.年级 = grade;
        newGrades.rows.add(
          row,
          newGrades.format.columns.map(({ head }) => ({ 类别: '年级', 名称: grade })[head] ?? ''),
        );
      }
      rows.add(
        row,
        format.columns.map(({ head }) => values[head] ?? ''),
      );
    }
    return [newGrades, { format, shown: people.shown, heads: new Set(['编号', '班级名称', '学校', '年级']), rows }];
  });
}

const gradeOf = (className: string, grades: readonly string[]): string | undefined =>
  grades.find((grade) => plainGrade(grade) === plainGrade(guessGrade(className)));

const plainGrade = (grade: string): string => normalizeNameLoosely(grade).replace(/年级$/, '');

/**
 * Students with the same name but without number and mobile get their class as part of the id. Two in the same class
 * remain duplicates.
 */
function tellNamesakesApart(lists: readonly ReadList[], remarks: Remarks): ReadList[] {
  const { columns } = formatOf('学员');
  const [id, name, ...keys] = ['编号', '姓名', '学号', '手机号'].map((head) =>
    columns.findIndex((column) => column.head === head),
  ) as [number, number, ...number[]];
  const isKnown = (cells: readonly string[]) => [id, ...keys].some((at) => (cells[at] ?? '') !== '');
  const seen = new Map<string, { classes: Set<string>; first: Place }>();
  for (const { people, classes } of lists)
    for (const { row, cells } of people.rows) {
      const theClass = classes.get(row);
      if (isKnown(cells) || theClass === undefined) continue;
      const first = { file: people.shown, row };
      getOrAdd(seen, cells[name] ?? '', () => ({ classes: new Set<string>(), first })).classes.add(theClass);
    }
  if ([...seen.values()].every(({ classes }) => classes.size < 2)) return [...lists];
  return lists.map(({ people, classes }) => {
    const rows = new PackedRows();
    for (const { row, cells } of people.rows) {
      const theClass = classes.get(row) ?? '';
      const same = isKnown(cells) ? undefined : seen.get(cells[name] ?? '');
      const isTold = same !== undefined && same.classes.size > 1 && same.classes.has(theClass);
      rows.add(row, isTold ? cells.with(id, `${theClass}/${cells[name]}`) : cells);
      const place = { file: people.shown, row };
      if (isTold && (same.first.file !== place.file || same.first.row !== row))
        remarks.doubt(place, '姓名', `与${describeRow(place, same.first)}同名，没有学号和手机号，已按班级区分，请核对`);
    }
    return { people: { ...people, rows }, classes };
  });
}

/** Class of each row: from the class column, or else the class of the sheet. */
function classesOf(
  list: PeopleTable,
  { guessed, mapping, className }: { guessed: ListPreview; mapping: Mapping; className: string },
): Map<number, string> {
  const head = guessed.heads.findIndex((one) => mapping.columns[one] === classHead);
  const classes = new Map<number, string>();
  for (const { row, cells } of list.rows()) {
    const text = (head < 0 ? '' : (cells[head]?.text ?? '')).replace(/\s+/g, ' ').trim() || className;
    if (row > guessed.headRow && text !== '') classes.set(row, text);
  }
  return classes;
}

/** Builds the memberships of the students who have a class. */
function membersOf(people: ReadSheet, classes: ReadonlyMap<number, string>, remarks: Remarks): ReadSheet | undefined {
  const format = formatOf('进班');
  const members: ReadSheet = { format, shown: people.shown, heads: new Set(['班级', '学员']), rows: new PackedRows() };
  const at = (name: string): number => people.format.columns.findIndex((column) => column.head === name);
  for (const { row, cells } of people.rows) {
    const theClass = classes.get(row);
    if (theClass === undefined || remarks.isRefused({ file: people.shown, row })) continue;
    const of = (name: string): string => cells[at(name)] ?? '';
    const personText = of('学号') || [of('手机号'), of('姓名')].filter((part) => part !== '').join('/');
    const student = of('编号') || [of('学校'), personText].filter((part) => part !== '').join('/');
    members.rows.add(
      row,
      format.columns.map(({ head: column }) => (column === '班级' ? theClass : column === '学员' ? student : '')),
    );
  }
  return members.rows.length > 0 ? members : undefined;
}
