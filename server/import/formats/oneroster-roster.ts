/**
 * Rows of the roster in a OneRoster package. Group classes, periods, lessons and groups have no place in the standard.
 */
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { dayOf } from '#server/school/calendar.ts';
import { isReference, type RecordKind, referencesIn, type SourceRecord, textOf, type Value } from '../source-record.ts';
import { dayAfter } from './oneroster-days.ts';
import { type FileName, gradeNames, homeroomCode, noTerm, ownColumns } from './oneroster-format.ts';
import { type Gradebook, gradebookRows } from './oneroster-gradebook.ts';
import { encodeId, homeroomId } from './oneroster-ids.ts';
import { splitName } from './oneroster-names.ts';
import { defaultTimeZone } from './options.ts';
import type { Records } from './records.ts';

export interface RosterExport {
  records: Records;
  gradebook?: Gradebook;
  timeZone?: string;
}

export type Row = Readonly<Record<string, string | undefined>>;

const idOf = (value: Value | undefined): string => (isReference(value) ? value.sourceId : '');

export interface ClassRow {
  title: string;
  school: string;
  grade: string;
  terms: string;
}

export type RowsByFile = Partial<Record<FileName, () => AsyncGenerator<Row>>>;

export async function rosterRows({
  records,
  gradebook,
  timeZone = defaultTimeZone,
}: RosterExport): Promise<RowsByFile> {
  async function* active(kind: RecordKind): AsyncGenerator<SourceRecord> {
    for await (const record of records(kind)) if (record.state === 'active') yield record;
  }
  const words = async (kind: RecordKind): Promise<Map<string, string>> => {
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
  const terms = await datedTerms(active('term'));

  const classes = new Map<string, ClassRow>();
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
    theClass: ClassRow;
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
          schoolYear: schoolYearOf(id, terms),
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
          ...splitName(name),
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
          sourcedId: homeroomId(school),
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
          courseSourcedId: homeroomId(school),
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
        // The standard allows only one primary teacher per class, so the first head teacher becomes it.
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
        const days = stayDays(fields, timeZone);
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

interface Term {
  name: string;
  type: string;
  first: string;
  last: string;
  parent: string;
}

/** Returns the terms that have a first and last day; the standard requires both days. */
async function datedTerms(records: AsyncGenerator<SourceRecord>): Promise<Map<string, Term>> {
  const terms = new Map<string, Term>();
  for await (const { sourceId, fields } of records) {
    const [first, last] = [textOf(fields.first_day), textOf(fields.last_day)];
    if (first === '' || last === '') continue;
    const type = textOf(fields.type) || 'term';
    terms.set(sourceId, { name: textOf(fields.name), type, first, last, parent: idOf(fields.parent_id) });
  }
  return terms;
}

/** Returns the year in which the school year of a term ends. */
function schoolYearOf(id: string, terms: ReadonlyMap<string, Term>): string {
  let at = terms.get(id);
  for (let steps = 0; steps < 10 && at && terms.has(at.parent); steps += 1) at = terms.get(at.parent);
  return (at?.last ?? '').slice(0, 4);
}

/** The standard's last day is exclusive, so this is the day after the student's last one. */
function stayDays({ joined_at, left_at }: SourceRecord['fields'], timeZone: string): Row {
  return {
    ...(typeof joined_at === 'number' ? { beginDate: dayOf(joined_at, timeZone) } : {}),
    ...(typeof left_at === 'number' ? { endDate: dayAfter(dayOf(left_at - 1, timeZone)) } : {}),
  };
}
