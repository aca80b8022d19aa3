/**
 * Writes a OneRoster 1.2.1 package (CSV, bulk): rosters, courses, homework and exam results. Group classes, periods,
 * lessons and groups have no place in it.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { dayOf } from '#server/school/calendar.ts';
import { isReference, type Kind, referencesIn, type SourceRecord, textOf, type Value } from '../source-record.ts';
import { dayAfter } from './oneroster-days.ts';
import {
  columnsOf,
  type FileName,
  fileNames,
  gradeNames,
  homeroomCode,
  idLimit,
  isId,
  manifestFiles,
  noTerm,
  ownColumns,
  ownColumnsOf,
} from './oneroster-format.ts';
import { defaultTimeZone } from './options.ts';
import type { Records } from './records.ts';

/** Days are `yyyy-mm-dd` in local time. */
export interface LineItem {
  sourceId: string;
  title: string;
  description?: string;
  assignDay: string;
  dueDay: string;
  classId: string;
  /** Set if the class is a course of a homeroom. */
  homeroomId?: string;
  categoryId: string;
  schoolId: string;
  termId?: string;
  least?: number;
  most?: number;
}

export interface Result {
  sourceId: string;
  lineItemId: string;
  studentId: string;
  classId?: string;
  status: 'exempt' | 'fully graded' | 'not submitted' | 'partially graded' | 'submitted';
  score?: number;
  day: string;
  comment?: string;
  isLate?: boolean;
  isMissing?: boolean;
}

type Rows<T> = () => Iterable<T> | AsyncIterable<T>;

export interface Gradebook {
  categories: Rows<{ sourceId: string; title: string }>;
  lineItems: Rows<LineItem>;
  results: Rows<Result>;
}

export interface RosterExport {
  records: Records;
  gradebook?: Gradebook;
  timeZone?: string;
}

type Row = Readonly<Record<string, string | undefined>>;

/** Fixed dates: the same records in the same order give the same bytes. */
const undated = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true } as const;

export async function writeOneRoster(given: RosterExport): Promise<Readable> {
  const rows = await rowsOf(given);
  const zip = new ZipFile();
  // The type says any stream; it is a Node stream.
  const output = zip.outputStream as Readable;
  const present = new Set<FileName>();
  for (const file of fileNames) {
    const of = rows[file];
    if (!of || !(await hasAny(of()))) continue;
    present.add(file);
    zip.addReadStreamLazy(`${file}.csv`, undated, (give) => {
      const stream = Readable.from(bytesOf(file, of()), { objectMode: false });
      stream.once('error', (error) => output.destroy(error));
      give(null, stream);
    });
  }
  const manifest = [
    ['propertyName', 'value'],
    ['manifest.version', '1.0'],
    ['oneroster.version', '1.2'],
    ...manifestFiles.map((file) => [`file.${file}`, present.has(file) ? 'bulk' : 'absent']),
    ['source.systemName', 'Lectern'],
  ];
  zip.addBuffer(Buffer.from(manifest.map(lineOf).join('')), 'manifest.csv', undated);
  zip.end();
  return output;
}

async function hasAny(rows: AsyncGenerator<Row>): Promise<boolean> {
  const first = await rows.next();
  await rows.return(undefined);
  return !first.done;
}

const batchLength = 2 ** 16;

async function* bytesOf(file: FileName, rows: AsyncGenerator<Row>): AsyncGenerator<Buffer> {
  const names = [...columnsOf(file).map(({ name }) => name), ...ownColumnsOf(file)];
  let text = lineOf(names);
  for await (const row of rows) {
    text += lineOf(names.map((name) => row[name] ?? ''));
    if (text.length < batchLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Line breaks within a cell become spaces. */
const lineOf = (cells: readonly string[]): string => `${cells.map((cell) => quoted(oneLine(cell))).join(',')}\r\n`;
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');
const quoted = (text: string): string => (/[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** An id that the standard allows; others are encoded, always the same way. */
export function encodeId(id: string): string {
  if (isId(id)) return id;
  const coded = `x-${Buffer.from(id).toString('base64url')}`;
  return coded.length <= idLimit ? coded : `x-${createHash('sha256').update(id).digest('hex')}`;
}

// ---- rows -------------------------------------------------------------------------------------------

const idOf = (value: Value | undefined): string => (isReference(value) ? value.sourceId : '');

interface Klass {
  title: string;
  school: string;
  grade: string;
  terms: string;
}

type RowsByFile = Partial<Record<FileName, () => AsyncGenerator<Row>>>;

async function rowsOf({ records, gradebook, timeZone = defaultTimeZone }: RosterExport): Promise<RowsByFile> {
  async function* active(kind: Kind): AsyncGenerator<SourceRecord> {
    for await (const record of records(kind)) if (record.state === 'active') yield record;
  }
  const words = async (kind: Kind): Promise<Map<string, string>> => {
    const names = new Map<string, string>();
    for await (const { sourceId, fields } of active(kind))
      names.set(sourceId, textOf(fields.name).replaceAll(',', ' '));
    return names;
  };
  const grades = await words('grade');
  const subjects = await words('subject');
  const codes = new Map(Object.entries(gradeNames).map(([code, name]) => [name, code]));
  const gradeOf = (value: Value | undefined): string => {
    const name = grades.get(idOf(value)) ?? '';
    return codes.get(name) ?? name;
  };
  let firstSchool = '';
  for await (const { sourceId } of active('school')) {
    firstSchool = sourceId;
    break;
  }
  const schoolOf = (value: Value | undefined): string => idOf(value) || firstSchool;
  const terms = await termsOf(active('term'));

  const classes = new Map<string, Klass>();
  for await (const { sourceId, fields } of active('class')) {
    const known = referencesIn(fields.term_ids).filter((term) => terms.has(term.sourceId));
    classes.set(sourceId, {
      title: textOf(fields.name),
      school: schoolOf(fields.school_id),
      grade: gradeOf(fields.grade_id),
      terms: known.length > 0 ? known.map((term) => encodeId(term.sourceId)).join(',') : noTerm,
    });
  }
  const courses = new Map<string, string>();
  for await (const { sourceId, fields } of active('course')) courses.set(sourceId, textOf(fields.title));
  const needsTerm = [...classes.values()].some((theClass) => theClass.terms === noTerm);

  const people = async function* (): AsyncGenerator<{ record: SourceRecord; role: string }> {
    for await (const record of active('staff')) {
      if (record.fields.identity === 'teacher') yield { record, role: 'teacher' };
      else if (record.fields.identity === 'assist') yield { record, role: 'aide' };
    }
    for await (const record of active('student')) yield { record, role: 'student' };
  };
  const taken = async function* (): AsyncGenerator<{
    sourceId: string;
    theClass: Klass;
    classId: string;
    course: string;
  }> {
    for await (const { sourceId, fields } of active('class_course')) {
      const [classId, course] = [idOf(fields.class_id), idOf(fields.course_id)];
      const theClass = classes.get(classId);
      if (theClass && courses.has(course)) yield { sourceId, theClass, classId, course };
    }
  };
  const homeroomSchools = new Set([...classes.values()].map(({ school }) => school));

  return {
    academicSessions: async function* () {
      for (const [id, { name, type, first, last, parent }] of terms) {
        yield {
          sourcedId: encodeId(id),
          title: name,
          type,
          startDate: first,
          endDate: dayAfter(last),
          parentSourcedId: terms.has(parent) ? encodeId(parent) : '',
          schoolYear: yearOf(id, terms),
        };
      }
      if (needsTerm) {
        yield {
          sourcedId: noTerm,
          title: '长期',
          type: 'term',
          startDate: '2000-01-01',
          endDate: '2100-01-01',
          schoolYear: '2100',
        };
      }
    },
    orgs: async function* () {
      for await (const { sourceId, fields } of active('school')) {
        yield { sourcedId: encodeId(sourceId), name: textOf(fields.name), type: 'school' };
      }
    },
    users: async function* () {
      for await (const { record, role } of people()) {
        const { sourceId, fields } = record;
        const name = textOf(role === 'student' ? fields.nickname : fields.real_name);
        yield {
          sourcedId: encodeId(sourceId),
          enabledUser: 'true',
          username: textOf(fields.username) || encodeId(sourceId),
          ...partsOf(name),
          identifier: textOf(fields.number),
          sms: textOf(fields.mobile),
          primaryOrgSourcedId: encodeId(schoolOf(fields.school_id)),
          [ownColumns.users[0]]: name,
          [ownColumns.users[1]]: textOf(fields.guardian_mobile),
        };
      }
    },
    roles: async function* () {
      for await (const { record, role } of people()) {
        yield {
          sourcedId: encodeId(`role-${record.sourceId}`),
          userSourcedId: encodeId(record.sourceId),
          roleType: 'primary',
          role,
          orgSourcedId: encodeId(schoolOf(record.fields.school_id)),
        };
      }
    },
    courses: async function* () {
      for await (const { sourceId, fields } of active('course')) {
        yield {
          sourcedId: encodeId(sourceId),
          title: textOf(fields.title),
          grades: gradeOf(fields.grade_id),
          orgSourcedId: encodeId(schoolOf(fields.school_id)),
          subjects: subjects.get(idOf(fields.subject_id)) ?? '',
        };
      }
      for (const school of homeroomSchools) {
        yield {
          sourcedId: homeroomOf(school),
          title: '行政班',
          courseCode: homeroomCode,
          orgSourcedId: encodeId(school),
        };
      }
    },
    classes: async function* () {
      for (const [id, { title, school, grade, terms: within }] of classes) {
        yield {
          sourcedId: encodeId(id),
          title,
          grades: grade,
          courseSourcedId: homeroomOf(school),
          classType: 'homeroom',
          schoolSourcedId: encodeId(school),
          termSourcedIds: within,
        };
      }
      for await (const { sourceId, theClass, classId, course } of taken()) {
        yield {
          sourcedId: encodeId(sourceId),
          title: `${theClass.title} ${courses.get(course)}`,
          grades: theClass.grade,
          courseSourcedId: encodeId(course),
          classType: 'scheduled',
          schoolSourcedId: encodeId(theClass.school),
          termSourcedIds: theClass.terms,
          [ownColumns.classes[0]]: encodeId(classId),
        };
      }
    },
    enrollments: async function* () {
      const led = new Set<string>();
      for await (const { sourceId, fields } of active('class_staff')) {
        const id = idOf(fields.class_id);
        const theClass = classes.get(id);
        if (!theClass) continue;
        const isHead = fields.duty === 'head';
        // The standard allows one primary teacher per class.
        const isPrimary = isHead && !led.has(id);
        if (isPrimary) led.add(id);
        yield {
          sourcedId: encodeId(sourceId),
          classSourcedId: encodeId(id),
          schoolSourcedId: encodeId(theClass.school),
          userSourcedId: encodeId(idOf(fields.staff_id)),
          role: 'teacher',
          primary: String(isPrimary),
          [ownColumns.enrollments[0]]: isHead && !isPrimary ? 'head' : '',
        };
      }
      const stays = new Map<string, { student: string; days: Row }[]>();
      for await (const { sourceId, fields } of active('membership')) {
        const id = idOf(fields.class_id);
        const theClass = classes.get(id);
        if (!theClass) continue;
        const student = idOf(fields.student_id);
        const days = daysOf(fields, timeZone);
        getOrAdd(stays, id, () => []).push({ student, days });
        yield {
          sourcedId: encodeId(sourceId),
          classSourcedId: encodeId(id),
          schoolSourcedId: encodeId(theClass.school),
          userSourcedId: encodeId(student),
          role: 'student',
          ...days,
        };
      }
      for await (const { sourceId, theClass, classId } of taken()) {
        for (const { student, days } of stays.get(classId) ?? []) {
          yield {
            sourcedId: encodeId(`${sourceId}.${student}`),
            classSourcedId: encodeId(sourceId),
            schoolSourcedId: encodeId(theClass.school),
            userSourcedId: encodeId(student),
            role: 'student',
            ...days,
          };
        }
      }
    },
    ...(gradebook ? gradebookRows(gradebook, classes) : {}),
  };
}

/** Id of the homeroom course of a school. */
export const homeroomOf = (school: string): string => encodeId(`homeroom-${school}`);

interface Term {
  name: string;
  type: string;
  first: string;
  last: string;
  parent: string;
}

/** Terms with first and last day, which the standard requires. */
async function termsOf(records: AsyncGenerator<SourceRecord>): Promise<Map<string, Term>> {
  const terms = new Map<string, Term>();
  for await (const { sourceId, fields } of records) {
    const [first, last] = [textOf(fields.first_day), textOf(fields.last_day)];
    if (first === '' || last === '') continue;
    const type = textOf(fields.type) || 'term';
    terms.set(sourceId, { name: textOf(fields.name), type, first, last, parent: idOf(fields.parent_id) });
  }
  return terms;
}

/** The year in which the term's school year ends. */
function yearOf(id: string, terms: ReadonlyMap<string, Term>): string {
  let at = terms.get(id);
  for (let steps = 0; steps < 10 && at && terms.has(at.parent); steps += 1) at = terms.get(at.parent);
  return (at?.last ?? '').slice(0, 4);
}

/** Common family names of two characters. */
export const doubleFamilyNames =
  '欧阳 太史 上官 端木 司马 东方 独孤 南宫 夏侯 诸葛 尉迟 公孙 慕容 司徒 司空 令狐 皇甫 宇文 长孙 轩辕'.split(' ');
const doubleName = new RegExp(`^(?:${doubleFamilyNames.join('|')})(?=.)`);

/** Splits a name into the two required parts; a single name is repeated. */
export function partsOf(name: string): { familyName: string; givenName: string } {
  if (/\p{Script=Han}/u.test(name)) {
    const family = doubleName.exec(name)?.[0] ?? [...name][0] ?? name;
    return { familyName: family, givenName: name.slice(family.length) || name };
  }
  const at = name.lastIndexOf(' ');
  return at < 0
    ? { familyName: name, givenName: name }
    : { familyName: name.slice(at + 1), givenName: name.slice(0, at) };
}

/** Exclusive: the day after the last one. */
function daysOf({ joined_at, left_at }: SourceRecord['fields'], timeZone: string): Row {
  return {
    ...(typeof joined_at === 'number' ? { beginDate: dayOf(joined_at, timeZone) } : {}),
    ...(typeof left_at === 'number' ? { endDate: dayAfter(dayOf(left_at - 1, timeZone)) } : {}),
  };
}

function gradebookRows({ categories, lineItems, results }: Gradebook, classes: ReadonlyMap<string, Klass>): RowsByFile {
  return {
    categories: async function* () {
      for await (const { sourceId, title } of categories()) yield { sourcedId: encodeId(sourceId), title };
    },
    lineItems: async function* () {
      for await (const item of lineItems()) {
        const [term = noTerm] = item.termId
          ? [encodeId(item.termId)]
          : (classes.get(item.homeroomId ?? item.classId)?.terms.split(',') ?? []);
        yield {
          sourcedId: encodeId(item.sourceId),
          title: item.title,
          description: item.description ?? '',
          assignDate: item.assignDay,
          dueDate: item.dueDay,
          classSourcedId: encodeId(item.classId),
          categorySourcedId: encodeId(item.categoryId),
          academicSessionSourcedId: term,
          resultValueMin: item.least === undefined ? '' : String(item.least),
          resultValueMax: item.most === undefined ? '' : String(item.most),
          schoolSourcedId: encodeId(item.schoolId),
        };
      }
    },
    results: async function* () {
      for await (const result of results()) {
        yield {
          sourcedId: encodeId(result.sourceId),
          lineItemSourcedId: encodeId(result.lineItemId),
          studentSourcedId: encodeId(result.studentId),
          scoreStatus: result.status,
          score: result.score === undefined ? '' : String(result.score),
          scoreDate: result.day,
          comment: result.comment ?? '',
          classSourcedId: result.classId === undefined ? '' : encodeId(result.classId),
          late: result.isLate === undefined ? '' : String(result.isLate),
          missing: result.isMissing === undefined ? '' : String(result.isMissing),
        };
      }
    },
  };
}
