/**
 * Writes our own workbook, in the shape in which it is read: what a school has, and the template to fill in. The bytes
 * are made of the sheets by platform/export.
 */
import type { SpreadsheetColumn, SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import type { ExportSheet } from '#server/platform/export/spreadsheet-file.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import type { Intended, Kind, Reference, Value } from '../intended.ts';
import { schoolTimeZone } from './options.ts';
import type { Records } from './records.ts';
import {
  choicesOf,
  cleared,
  everySchool,
  explanations,
  identityWords,
  longTerm,
  type SheetColumn,
  type SheetFormat,
  type SheetName,
  sheetFormats,
  termWords,
} from './workbook-format.ts';

/** Everything that the workbook can say of a school. What has ended is left out. */
export function workbookSheets(records: Records, { timeZone = schoolTimeZone } = {}): ExportSheet[] {
  const names = namesOf(records);
  return sheetFormats.map((format) => ({
    name: format.name,
    columns: columnForms(format),
    rows: rowsOf(format, { records, names, timeZone }),
  }));
}

/** Empty but for an example in each sheet, which is not read, and a sheet that explains all columns. */
export function templateSheets(): ExportSheet[] {
  const sheets = sheetFormats.map((format) => ({
    name: format.name,
    columns: columnForms(format),
    rows: each([format.columns.map(({ example }) => example)]),
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
    ['（全部）', '', '', `空的单元格不改动已有的内容；要清空已有的内容，填写“${cleared}”`, ''],
    ['（全部）', '', '', '手机号、学号等请先把单元格设为“文本”格式，以免变成科学计数法', ''],
  ];
  return [...sheets, { name: explanations, columns, rows: each([...general, ...explained]) }];
}

async function* each(rows: readonly SpreadsheetRow[]): AsyncGenerator<SpreadsheetRow> {
  yield* rows;
}

const columnForms = (format: SheetFormat): SpreadsheetColumn[] =>
  format.columns.map((column) => ({
    header: column.head,
    type: 'text',
    width: Math.max(14, column.head.length * 2 + 4),
    filledIn: { choices: choicesOf(column), hint: column.hint },
  }));

// ---- what a record is called ------------------------------------------------------------------------

interface Names {
  /** As it is written in the cell of another: by its name where nothing else is called so, else by its id. */
  of(reference: Reference, within: readonly Kind[]): Promise<string>;
}

const nameFields: Partial<Record<Kind, string>> = {
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

/** What could be taken for several names, or for none. */
const isUnclear = (text: string): boolean => /[、,，;；\n]|^\s|\s$|\s{2}/.test(text) || text === cleared || text === '';

function namesOf(records: Records): Names {
  const known = new Map<string, Promise<Map<string, string>>>();
  async function load(kinds: readonly Kind[]): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    const ids = new Set<string>();
    const holders = new Map<string, number>();
    const note = (text: string) => holders.set(text, (holders.get(text) ?? 0) + 1);
    for (const kind of kinds) {
      const field = nameFields[kind];
      for await (const { sourceId, fields, state } of records(kind)) {
        if (state === 'gone') continue;
        const name = field === undefined ? '' : text(fields[field]);
        ids.add(sourceId);
        names.set(`${kind} ${sourceId}`, name);
        // They can be named by these as well.
        const others = kind === 'student' ? [text(fields.number), text(fields.mobile)] : [];
        for (const one of new Set([name, ...others, ...(kind === 'staff' ? [text(fields.username)] : [])])) note(one);
      }
    }
    for (const [key, name] of names) {
      const isOwn = key.endsWith(` ${name}`);
      if (isUnclear(name) || (holders.get(name) ?? 0) > 1 || (ids.has(name) && !isOwn)) names.delete(key);
    }
    return names;
  }
  return {
    async of({ kind, sourceId }, within) {
      const key = within.join();
      const loading = known.get(key) ?? load(within);
      known.set(key, loading);
      return (await loading).get(`${kind} ${sourceId}`) ?? sourceId;
    },
  };
}

const text = (value: Value | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const referencesIn = (value: Value | undefined): Reference[] =>
  Array.isArray(value) ? value.flatMap((one) => (typeof one === 'string' ? [] : [one])) : [];

// ---- rows -------------------------------------------------------------------------------------------

interface Context {
  records: Records;
  names: Names;
  timeZone: string;
}

/** What a sheet says beside the fields of its records, by its heads. */
type More = Readonly<Record<string, string>>;

async function* rowsOf(format: SheetFormat, context: Context): AsyncGenerator<SpreadsheetRow> {
  for await (const { record, more } of recordsOf(format, context)) {
    const cells: string[] = [];
    for (const column of format.columns) cells.push(more[column.head] ?? (await cellOf(column, record, context.names)));
    yield cells;
  }
}

async function cellOf({ head, field, type }: SheetColumn, record: Intended, names: Names): Promise<string> {
  if (head === '编号') return record.sourceId;
  const value = field === '' ? undefined : record.fields[field];
  if (value === undefined) return '';
  if (value === null) return cleared;
  switch (type.is) {
    case 'one':
      return isReference(value) ? await names.of(value, type.of) : '';
    case 'many':
      return await list(referencesIn(value), type.of, names);
    case 'word':
      return Object.entries(type.words).find(([, meant]) => meant === value)?.[0] ?? '';
    case 'words':
      return Object.entries(type.words)
        .filter(([, meant]) => Array.isArray(value) && value.some((one) => one === meant))
        .map(([word]) => word)
        .join('、');
    default:
      return text(value);
  }
}

async function list(references: readonly Reference[], within: readonly Kind[], names: Names): Promise<string> {
  const each: string[] = [];
  for (const reference of references) each.push(await names.of(reference, within));
  return each.join('、');
}

async function* activeOf(records: Records, kind: Kind): AsyncGenerator<Intended> {
  for await (const record of records(kind)) if (record.state === 'active') yield record;
}

const mainKinds: Record<SheetName, readonly Kind[]> = {
  学校: ['school'],
  年级与分类: ['term', 'grade', 'category', 'subject'],
  课程: ['course'],
  课时: ['period'],
  班级: ['class'],
  人员: ['staff'],
  学员: ['student'],
  进班: ['membership'],
  教室: ['room'],
  团课: ['group_class'],
  课次: ['lesson'],
  // What has become of its rules goes out as periods and lessons.
  课表: [],
  分组: ['group'],
};

async function* recordsOf(
  { name }: SheetFormat,
  { records, names, timeZone }: Context,
): AsyncGenerator<{ record: Intended; more: More }> {
  const links = name === '班级' || name === '团课' ? await linksOf(records, names) : undefined;
  const members = name === '分组' ? await membersOf(records) : undefined;
  for (const kind of mainKinds[name]) {
    for await (const record of activeOf(records, kind)) {
      if (members) {
        const students = members.get(record.sourceId) ?? [];
        for (const student of students) {
          yield { record, more: { 学员: await names.of(student, ['student']) } };
        }
        if (students.length === 0) yield { record, more: {} };
        continue;
      }
      yield { record, more: { ...(await moreOf(record, { names, timeZone })), ...links?.get(record.sourceId) } };
    }
  }
}

const termWord = (type: Value | undefined): string | undefined =>
  Object.entries(termWords).find(([, one]) => one === type)?.[0] ?? '学期';

const categoryWords: Partial<Record<Kind, string>> = { grade: '年级', category: '分类', subject: '科目' };

async function moreOf({ kind, fields }: Intended, { names, timeZone }: Omit<Context, 'records'>): Promise<More> {
  const word = kind === 'term' ? termWord(fields.type) : categoryWords[kind];
  if (word !== undefined) return { 类别: word };
  const day = (value: Value | undefined, before = 0): string => {
    if (value === null) return cleared;
    return typeof value === 'number' ? dayOf(value - before, timeZone) : '';
  };
  switch (kind) {
    case 'period': {
      const start = fields.start_play;
      return { 日期: day(start), 开始时间: typeof start === 'number' ? timeOf(start, timeZone) : '' };
    }
    case 'class':
      if (fields.valid_type === undefined) return {};
      return { 有效期至: fields.valid_type === 1 ? longTerm : text(fields.valid_day) };
    case 'staff': {
      if (fields.identity !== identityWords.教务 || fields.every_school === undefined) return {};
      if (fields.every_school === 1) return { 管理的学校: everySchool };
      return { 管理的学校: await list(referencesIn(fields.school_ids), ['school'], names) };
    }
    case 'membership':
      // The last day in the class is the one before the moment at which it is over.
      return { 加入日期: day(fields.joined_at), 离开日期: day(fields.left_at, 1) };
    default:
      return {};
  }
}

/** Courses and staff of each class, which stand in its row. */
async function linksOf(records: Records, names: Names): Promise<Map<string, Record<string, string>>> {
  const links = new Map<string, Record<string, string>>();
  const add = async (
    klass: Value | undefined,
    head: string,
    { of, within }: { of: Value | undefined; within: Kind },
  ) => {
    if (!isReference(klass) || !isReference(of)) return;
    const row = links.get(klass.sourceId) ?? {};
    links.set(klass.sourceId, row);
    const written = await names.of(of, [within]);
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
    members.set(group_id.sourceId, [...(members.get(group_id.sourceId) ?? []), student_id]);
  }
  return members;
}
