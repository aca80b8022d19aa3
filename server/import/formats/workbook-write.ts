/** Builds the sheets of our own workbook, for an export or as a template. platform/export turns them into bytes. */

import { getOrAdd } from '#server/platform/db/grouping.ts';
import type { SpreadsheetColumn, SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import type { ExportSheet } from '#server/platform/export/spreadsheet-file.ts';
import {
  isReference,
  type RecordKind,
  type Reference,
  referencesIn,
  type SourceRecord,
  textOf,
  type Value,
} from '../source-record.ts';
import { defaultTimeZone } from './options.ts';
import type { Records } from './records.ts';
import { choicesOf, sheetFormats } from './workbook-format.ts';
import type { SheetColumn, SheetFormat, WriteContext } from './workbook-types.ts';
import { clearWord, explanationSheet } from './workbook-words.ts';

/** Builds all sheets of a school; ended records are left out. */
export function workbookSheets(records: Records, { timeZone = defaultTimeZone } = {}): ExportSheet[] {
  const nameOf = namesOf(records);
  const named: WriteContext['named'] = async (references, within) => {
    const names: string[] = [];
    for (const reference of references) names.push(await nameOf(reference, within));
    return names.join('、');
  };
  return sheetFormats.map((format) => ({
    name: format.name,
    columns: columnForms(format),
    rows: rowsOf(format, { records, timeZone, named }),
  }));
}

/** Builds the template: an example row in each sheet, which imports ignore, and a sheet that explains the columns. */
export function templateSheets(): ExportSheet[] {
  const sheets = sheetFormats.map((format) => ({
    name: format.name,
    columns: columnForms(format),
    rows: toAsync([format.columns.map(({ example }) => example)]),
  }));
  const explained = sheetFormats.flatMap(({ name, columns }) =>
    columns.map(({ head, required, hint, example }) => [name, head, required ? '必填' : '选填', hint, example]),
  );
  const columns: SpreadsheetColumn[] = [
    { header: '工作表', type: 'text', width: 14 },
    { header: '列', type: 'text', width: 20 },
    { header: '是否必填', type: 'text', width: 10 },
    { header: '怎么填', type: 'text', width: 70 },
    { header: '示例', type: 'text', width: 24 },
  ];
  const general = [
    ['（全部）', '', '', '不需要的工作表可以空着或删去；列的顺序可以调换，可以不要的列可以删去', ''],
    ['（全部）', '', '', '编号以“示例”开头的行不导入', ''],
    ['（全部）', '', '', `空的单元格不改动已有的内容；要清空已有的内容，填写“${clearWord}”`, ''],
    ['（全部）', '', '', '手机号、学号等请先把单元格设为“文本”格式，以免变成科学计数法', ''],
  ];
  return [...sheets, { name: explanationSheet, columns, rows: toAsync([...general, ...explained]) }];
}

async function* toAsync(rows: readonly SpreadsheetRow[]): AsyncGenerator<SpreadsheetRow> {
  yield* rows;
}

const columnForms = (format: SheetFormat): SpreadsheetColumn[] =>
  format.columns.map((column) => ({
    header: column.head,
    type: 'text',
    width: Math.max(14, column.head.length * 2 + 4),
    filledIn: { choices: choicesOf(column), hint: column.hint },
  }));

// ---- names of records -------------------------------------------------------------------------------

/** Returns the text that refers to a record: its name if only one record has it, otherwise its id. */
type NameOf = (reference: Reference, within: readonly RecordKind[]) => Promise<string>;

const nameFields: Partial<Record<RecordKind, string>> = {
  school: 'name',
  term: 'name',
  category: 'name',
  grade: 'name',
  subject: 'name',
  room: 'name',
  staff: 'real_name',
  student: 'nickname',
  course: 'title',
  period: 'title',
  class: 'name',
  group_class: 'name',
};

/** True for a name that would be read as several names, or as none. */
const isUnclear = (text: string): boolean =>
  /[、,，;；\n]|^\s|\s$|\s{2}/.test(text) || text === clearWord || text === '';

function namesOf(records: Records): NameOf {
  const known = new Map<string, Promise<Map<string, string>>>();
  async function load(kinds: readonly RecordKind[]): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    const ids = new Set<string>();
    const holders = new Map<string, number>();
    const note = (text: string) => holders.set(text, (holders.get(text) ?? 0) + 1);
    for (const kind of kinds) {
      const field = nameFields[kind];
      for await (const { sourceId, fields, state } of records(kind)) {
        if (state === 'gone') continue;
        const name = field === undefined ? '' : textOf(fields[field]);
        ids.add(sourceId);
        names.set(`${kind} ${sourceId}`, name);
        // A person can also be named by these texts, so a name must not equal one of them.
        const others = kind === 'student' ? [textOf(fields.number), textOf(fields.mobile)] : [];
        for (const one of new Set([name, ...others, ...(kind === 'staff' ? [textOf(fields.username)] : [])])) note(one);
      }
    }
    for (const [key, name] of names) {
      const isOwn = key.endsWith(` ${name}`);
      if (isUnclear(name) || (holders.get(name) ?? 0) > 1 || (ids.has(name) && !isOwn)) names.delete(key);
    }
    return names;
  }
  return async ({ kind, sourceId }, within) => {
    const key = within.join();
    const loading = known.get(key) ?? load(within);
    known.set(key, loading);
    return (await loading).get(`${kind} ${sourceId}`) ?? sourceId;
  };
}

// ---- rows -------------------------------------------------------------------------------------------

interface Context extends WriteContext {
  records: Records;
}

async function* rowsOf(format: SheetFormat, context: Context): AsyncGenerator<SpreadsheetRow> {
  for await (const { record, more } of recordsOf(format, context)) {
    const cells: string[] = [];
    for (const column of format.columns) cells.push(more?.[column.head] ?? (await cellOf(column, record, context)));
    yield cells;
  }
}

async function cellOf(
  { head, field, type, write }: SheetColumn,
  record: SourceRecord,
  writing: WriteContext,
): Promise<string> {
  if (head === '编号') return record.sourceId;
  if (write) return write(record, writing);
  const value = field === '' ? undefined : record.fields[field];
  if (value === undefined) return '';
  if (value === null) return clearWord;
  switch (type.is) {
    case 'one':
      return isReference(value) ? writing.named([value], type.of) : '';
    case 'many':
      return writing.named(referencesIn(value), type.of);
    case 'word':
      return Object.keys(type.words).find((word) => type.words[word] === value) ?? '';
    case 'words':
      return Object.keys(type.words)
        .filter((word) => Array.isArray(value) && value.some((one) => one === type.words[word]))
        .join('、');
    default:
      return textOf(value);
  }
}

async function* activeOf(records: Records, kind: RecordKind): AsyncGenerator<SourceRecord> {
  for await (const record of records(kind)) if (record.state === 'active') yield record;
}

/** Kinds that have no sheet of their own but are written into rows of other records. */
const links: readonly RecordKind[] = ['class_course', 'class_staff', 'group_member'];

/** Yields the rows of a sheet. `more`: cells with linked records, by heading. */
async function* recordsOf(
  { name, kinds }: SheetFormat,
  { records, named }: Context,
): AsyncGenerator<{ record: SourceRecord; more?: Readonly<Record<string, string>> | undefined }> {
  const linked = kinds.includes('class_course') ? await linksOf(records, named) : undefined;
  const members = name === '分组' ? await membersOf(records) : undefined;
  for (const kind of kinds.filter((one) => !links.includes(one))) {
    for await (const record of activeOf(records, kind)) {
      const students = members?.get(record.sourceId) ?? [];
      for (const student of students) yield { record, more: { 学员: await named([student], ['student']) } };
      if (students.length === 0) yield { record, more: linked?.get(record.sourceId) };
    }
  }
}

async function linksOf(records: Records, named: WriteContext['named']): Promise<Map<string, Record<string, string>>> {
  const links = new Map<string, Record<string, string>>();
  const add = async (
    theClass: Value | undefined,
    head: string,
    { of, within }: { of: Value | undefined; within: RecordKind },
  ) => {
    if (!isReference(theClass) || !isReference(of)) return;
    const row = getOrAdd(links, theClass.sourceId, () => ({}));
    const written = await named([of], [within]);
    row[head] = row[head] === undefined ? written : `${row[head]}、${written}`;
  };
  for await (const { fields } of activeOf(records, 'class_course')) {
    await add(fields.class_id, '课程', { of: fields.course_id, within: 'course' });
  }
  for await (const { fields } of activeOf(records, 'class_staff')) {
    const head = fields.duty === 'head' ? '班主任' : '助教';
    await add(fields.class_id, head, { of: fields.staff_id, within: 'staff' });
  }
  return links;
}

async function membersOf(records: Records): Promise<Map<string, Reference[]>> {
  const members = new Map<string, Reference[]>();
  for await (const { fields } of activeOf(records, 'group_member')) {
    const { group_id, student_id } = fields;
    if (!isReference(group_id) || !isReference(student_id)) continue;
    getOrAdd(members, group_id.sourceId, () => []).push(student_id);
  }
  return members;
}
