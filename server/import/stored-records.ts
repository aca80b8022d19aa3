/** What is stored, as the records that an import would want it to be: what goes out comes in again as it was. */

import { dutyOf } from '#server/classes/imported-links.ts';
import { kindOf, periodMinutes } from '#server/courses/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/administered.ts';
import { dayOf, dayStart, timeOf } from '#server/school/calendar.ts';
import type { Records } from './doors/records.ts';
import type { Intended, Kind, Reference, Value } from './intended.ts';
import { isFirstToSay } from './sourced-ids.ts';

export interface AskedSchool {
  db: Database;
  actor: Pick<Actor, 'id' | 'everySchool'>;
  /** Unix seconds. */
  now: number;
  timezone: string;
  /** One of the actor's; undefined: all of them. */
  schoolId: number | undefined;
}

/** Ids of the schools that are asked for. */
export function askedSchools({ db, actor, schoolId }: Pick<AskedSchool, 'db' | 'actor' | 'schoolId'>) {
  const schools = schoolsOf(db, actor).where('school.put_away_at', 'is', null);
  return schoolId === undefined ? schools : schools.where('school.id', '=', schoolId);
}

export interface StoredSchool {
  records: Records;
  /** The id under which a record is written; undefined where it is not. */
  idOf(kind: ListedKind, id: number): Promise<string | undefined>;
  /** The same of what a class takes. */
  takenId(classId: number, courseId: number): Promise<string | undefined>;
}

/** Rows that are read at once: a few milliseconds. */
export const batch = 1000;

/**
 * What has ended, was put away or disabled is left out, and nothing that is written refers to it. A record bears the id
 * of the source that first brought it; one that nobody brought, its kind and its own.
 */
export function storedSchool(asked: AskedSchool): StoredSchool {
  const { db, now, timezone } = asked;
  const mine = () => askedSchools(asked);
  const ids = givenIds(db);
  const queries = {
    school: (after: number) =>
      mine()
        .select(['school.id', 'school.org_name as name'])
        .where('school.id', '>', after)
        .orderBy('school.id')
        .limit(batch)
        .execute(),
    category: (after: number) =>
      db
        .selectFrom('classify')
        .select(['id', 'name', 'parent_id'])
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    term: (after: number) =>
      db
        .selectFrom('term')
        .select(['id', 'name', 'type', 'first_day', 'last_day', 'parent_id'])
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    grade: (after: number) =>
      db
        .selectFrom('grade')
        .select(['id', 'name'])
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    subject: (after: number) =>
      db
        .selectFrom('subject')
        .select(['id', 'name'])
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    room: (after: number) =>
      db
        .selectFrom('room')
        .select(['id', 'name', 'school_id', 'seats'])
        .where('school_id', 'in', mine())
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    staff: (after: number) =>
      db
        .selectFrom('staff')
        .select(['id', 'identity', 'username', 'real_name', 'mobile', 'school_id', 'every_school'])
        .select(permissions.map((permission) => `can_${permission}` as const))
        .where('school_id', 'in', mine())
        .where('disabled_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    student: (after: number) =>
      db
        .selectFrom('student')
        .select(['id', 'nickname', 'number', 'mobile', 'guardian_mobile', 'school_id'])
        .where('school_id', 'in', mine())
        .where('disabled_at', 'is', null)
        .where('deleted_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    course: (after: number) =>
      db
        .selectFrom('course')
        .select(['id', 'title', 'course_type', 'school_id', 'classify_id', 'grade_id', 'subject_id', 'parent_id'])
        .select('introduction')
        .where('school_id', 'in', mine())
        .where('put_away_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
    period: (after: number) =>
      db
        .selectFrom('period')
        .innerJoin('course', 'course.id', 'period.course_id')
        .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
        .select(['period.id', 'period.course_id', 'period.title', 'period.periods_type', 'period.lecturer_id'])
        .select(['period.start_play', 'period.total_time', 'period.advance_time'])
        .select('course_chapter.title as chapter_title')
        .where('course.school_id', 'in', mine())
        .where('course.put_away_at', 'is', null)
        .where('period.id', '>', after)
        .orderBy('period.id')
        .limit(batch)
        .execute(),
    class: (after: number) =>
      db
        .selectFrom('class')
        .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
        .select(['class.id', 'class.name', 'class.school_id', 'class.grade_id', 'class.classify_id'])
        .select(['class.valid_type', 'class.valid_time', 'large_class.name as large_class_name'])
        .where('class.school_id', 'in', mine())
        .where('class.class_type', '=', 0)
        .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
        .where('class.id', '>', after)
        .orderBy('class.id')
        .limit(batch)
        .execute(),
    group_class: (after: number) =>
      db
        .selectFrom('class')
        .leftJoin('team_class', 'team_class.class_id', 'class.id')
        .select(['class.id', 'class.name', 'class.class_type', 'class.school_id', 'class.grade_id'])
        .select(['class.classify_id', 'team_class.lecturer_id', 'team_class.subject_id', 'team_class.room_id'])
        .select(['team_class.teaching_mode', 'team_class.sign_type', 'team_class.schedule', 'team_class.remarks'])
        .select(['team_class.start_time', 'class.created_at'])
        .where('class.school_id', 'in', mine())
        .where('class.class_type', '!=', 0)
        .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
        .where((eb) => eb.or([eb('team_class.ended_at', 'is', null), eb('team_class.ended_at', '>', now)]))
        .where('class.id', '>', after)
        .orderBy('class.id')
        .limit(batch)
        .execute(),
    membership: (after: number) =>
      db
        .selectFrom('class_student')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .leftJoin('class_contract', 'class_contract.class_student_id', 'class_student.id')
        .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'class_student.joined_at'])
        .select(['class_student.leaving_at', 'class_student.leaving_reason'])
        .select(['class_contract.contracts_number', 'class_contract.sign_type', 'class_contract.remaining_lessons'])
        .select(['class_contract.periods_price', 'class_contract.lesson_minutes'])
        .where('class.school_id', 'in', mine())
        .where('class_student.left_at', 'is', null)
        .where('class_student.id', '>', after)
        .orderBy('class_student.id')
        .limit(batch)
        .execute(),
    group: (after: number) =>
      db
        .selectFrom('class_group')
        .innerJoin('class', 'class.id', 'class_group.class_id')
        .select(['class_group.id', 'class_group.class_id', 'class_group.course_id', 'class_group.group_name'])
        .where('class.school_id', 'in', mine())
        .where('class_group.id', '>', after)
        .orderBy('class_group.id')
        .limit(batch)
        .execute(),
    lesson: (after: number) =>
      db
        .selectFrom('class_session')
        .innerJoin('class', 'class.id', 'class_session.class_id')
        .select(['class_session.id', 'class_session.class_id', 'class_session.course_id', 'class_session.period_id'])
        .select(['class_session.chapter_title', 'class_session.lecturer_id', 'class_session.room_id'])
        .select(['class_session.teaching_mode', 'class_session.start_time', 'class_session.end_time'])
        .where('class.school_id', 'in', mine())
        .where('class_session.cancelled_at', 'is', null)
        .where('class_session.id', '>', after)
        .orderBy('class_session.id')
        .limit(batch)
        .execute(),
  };

  const held = new Map<ListedKind, Promise<ReadonlySet<number>>>();
  /** Which of a kind are written. */
  const heldOf = (kind: ListedKind): Promise<ReadonlySet<number>> => {
    const known = held.get(kind) ?? idsIn(pages<{ id: number }>(queries[kind]));
    held.set(kind, known);
    return known;
  };
  const referring = async (kind: ListedKind, id: number | null): Promise<Reference | undefined> =>
    id === null || !(await heldOf(kind)).has(id) ? undefined : { kind, sourceId: await ids(kind, id) };
  /** The fields among them that have a value: what is empty here says nothing. */
  const of = async (kind: ListedKind, field: string, id: number | null): Promise<Fields> => {
    const reference = await referring(kind, id);
    return reference ? { [field]: reference } : {};
  };
  /** A class of either kind. */
  const classOf = async (id: number): Promise<Reference | undefined> =>
    (await referring('class', id)) ?? (await referring('group_class', id));
  const record = async (kind: ListedKind, id: number, fields: Fields): Promise<Intended> =>
    made(kind, await ids(kind, id), fields);
  const takenAs = async (classId: number, courseId: number) => {
    const klass = await classOf(classId);
    const course = klass && (await referring('course', courseId));
    if (!klass || !course) return undefined;
    return { klass, course, id: await ids('class_course', `${classId}:${courseId}`, joined(klass, course)) };
  };

  const written: Partial<Record<Kind, () => AsyncGenerator<Intended>>> = {
    school: async function* () {
      for await (const { id, name } of pages(queries.school)) yield await record('school', id, { name });
    },
    category: async function* () {
      for await (const { id, name, parent_id } of pages(queries.category)) {
        yield await record('category', id, { name, ...(await of('category', 'parent_id', parent_id)) });
      }
    },
    term: async function* () {
      for await (const { id, name, type, first_day, last_day, parent_id } of pages(queries.term)) {
        const days = filled({ first_day, last_day });
        yield await record('term', id, { name, type, ...days, ...(await of('term', 'parent_id', parent_id)) });
      }
    },
    grade: async function* () {
      for await (const { id, name } of pages(queries.grade)) yield await record('grade', id, { name });
    },
    subject: async function* () {
      for await (const { id, name } of pages(queries.subject)) yield await record('subject', id, { name });
    },
    room: async function* () {
      for await (const { id, name, seats, school_id } of pages(queries.room)) {
        yield await record('room', id, { name, seats, ...(await of('school', 'school_id', school_id)) });
      }
    },
    staff: async function* () {
      const schools = await schoolsOfStaff(db);
      for await (const { id, identity, username, real_name, mobile, school_id, every_school, ...may } of pages(
        queries.staff,
      )) {
        const named: Reference[] = [];
        for (const school of schools.get(id) ?? []) {
          const reference = await referring('school', school);
          if (reference) named.push(reference);
        }
        yield await record('staff', id, {
          identity,
          username,
          real_name,
          ...filled({ mobile }),
          ...(await of('school', 'school_id', school_id)),
          permissions: permissions.filter((permission) => may[`can_${permission}`] === 1),
          ...(identity === 'admin' ? { every_school, school_ids: named } : {}),
        });
      }
    },
    student: async function* () {
      for await (const { id, nickname, number, mobile, guardian_mobile, school_id } of pages(queries.student)) {
        const more = filled({ number, mobile, guardian_mobile });
        yield await record('student', id, { nickname, ...more, ...(await of('school', 'school_id', school_id)) });
      }
    },
    course: async function* () {
      for await (const row of pages(queries.course)) {
        yield await record('course', row.id, {
          title: row.title,
          course_type: kindOf(row.course_type),
          ...(await of('school', 'school_id', row.school_id)),
          ...(await of('category', 'classify_id', row.classify_id)),
          ...(await of('grade', 'grade_id', row.grade_id)),
          ...(await of('subject', 'subject_id', row.subject_id)),
          ...(await of('course', 'parent_id', row.parent_id)),
          ...filled({ introduction: row.introduction }),
        });
      }
    },
    period: async function* () {
      for await (const row of pages(queries.period)) {
        yield await record('period', row.id, {
          ...(await of('course', 'course_id', row.course_id)),
          ...filled({ chapter_title: row.chapter_title ?? '' }),
          title: row.title,
          periods_type: kindOf(row.periods_type),
          ...(await of('staff', 'lecturer_id', row.lecturer_id)),
          start_play: row.start_play,
          ...minutesOf(row.total_time),
          advance_time: row.advance_time,
        });
      }
    },
    class: async function* () {
      const terms = await termsOfClasses(db);
      for await (const row of pages(queries.class)) {
        const within: Reference[] = [];
        for (const term of terms.get(row.id) ?? []) {
          const reference = await referring('term', term);
          if (reference) within.push(reference);
        }
        yield await record('class', row.id, {
          name: row.name,
          ...(await of('school', 'school_id', row.school_id)),
          ...(await of('grade', 'grade_id', row.grade_id)),
          ...(await of('category', 'classify_id', row.classify_id)),
          ...filled({ large_class_name: row.large_class_name ?? '' }),
          ...(within.length > 0 && { term_ids: within }),
          valid_type: row.valid_type,
          ...(row.valid_type === 2 ? { valid_day: dayOf(row.valid_time, timezone) } : {}),
        });
      }
    },
    group_class: async function* () {
      for await (const row of pages(queries.group_class)) {
        yield await record('group_class', row.id, {
          name: row.name,
          class_type: row.class_type,
          ...(await of('school', 'school_id', row.school_id)),
          ...(await of('grade', 'grade_id', row.grade_id)),
          ...(await of('category', 'classify_id', row.classify_id)),
          ...(await of('subject', 'subject_id', row.subject_id)),
          ...(await of('staff', 'lecturer_id', row.lecturer_id)),
          ...(await of('room', 'room_id', row.room_id)),
          teaching_mode: row.teaching_mode ?? 1,
          sign_type: row.sign_type ?? 1,
          ...filled({ schedule: row.schedule ?? '', remarks: row.remarks ?? '' }),
          start_day: dayOf(row.start_time ?? row.created_at, timezone),
        });
      }
    },
    class_course: async function* () {
      for (const { class_id, course_id } of await courseLinks(db)) {
        const taken = await takenAs(class_id, course_id);
        if (taken) yield made('class_course', taken.id, { class_id: taken.klass, course_id: taken.course });
      }
    },
    class_staff: async function* () {
      for (const { class_id, staff_id, duty } of await staffLinks(db)) {
        const klass = await classOf(class_id);
        const staff = klass && (await referring('staff', staff_id));
        if (!klass || !staff) continue;
        const given = await ids('class_staff', `${class_id}:${staff_id}`, `${joined(klass, staff)}/${duty}`);
        yield made('class_staff', given, { class_id: klass, staff_id: staff, duty });
      }
    },
    membership: async function* () {
      for await (const row of pages(queries.membership)) {
        const klass = await classOf(row.class_id);
        const student = klass && (await referring('student', row.student_id));
        if (!klass || !student) continue;
        const given = await ids('membership', `${row.class_id}:${row.student_id}`, joined(klass, student));
        const contract: Fields =
          klass.kind === 'group_class' && row.contracts_number
            ? {
                contracts_number: row.contracts_number,
                sign_type: row.sign_type ?? 1,
                remaining_lessons: row.remaining_lessons ?? 0,
                periods_price: (row.periods_price ?? 0) / 100,
                lesson_minutes: row.lesson_minutes ?? 0,
              }
            : {};
        const joined_at = dayStart(dayOf(row.joined_at, timezone), timezone);
        const leaving: Fields =
          row.leaving_at === null ? {} : { left_at: row.leaving_at, left_reason: row.leaving_reason };
        yield made('membership', given, { class_id: klass, student_id: student, joined_at, ...leaving, ...contract });
      }
    },
    group: async function* () {
      const staff = await staffOfGroups(db);
      for await (const { id, class_id, course_id, group_name } of pages(queries.group)) {
        const klass = await referring('class', class_id);
        const course = klass && (await referring('course', course_id));
        if (!klass || !course) continue;
        const named: Reference[] = [];
        for (const one of staff.get(id) ?? []) {
          const reference = await referring('staff', one);
          if (reference) named.push(reference);
        }
        yield await record('group', id, { class_id: klass, course_id: course, group_name, staff_ids: named });
      }
    },
    group_member: async function* () {
      for (const { group_id, class_id, course_id, student_id } of await membersOfGroups(db)) {
        const group = await referring('group', group_id);
        const student = group && (await referring('student', student_id));
        const klass = student && (await referring('class', class_id));
        const course = klass && (await referring('course', course_id));
        if (!group || !student || !klass || !course) continue;
        const own = joined(klass, course, student);
        const given = await ids('group_member', `${class_id}:${course_id}:${student_id}`, own);
        yield made('group_member', given, { group_id: group, student_id: student });
      }
    },
    lesson: async function* () {
      for await (const row of pages(queries.lesson)) {
        const klass = await referring('group_class', row.class_id);
        const course = klass && (await referring('course', row.course_id));
        const lecturer = course && (await referring('staff', row.lecturer_id));
        if (!klass || !course || !lecturer) continue;
        yield await record('lesson', row.id, {
          class_id: klass,
          course_id: course,
          ...(await of('period', 'period_id', row.period_id)),
          ...filled({ chapter_title: row.chapter_title }),
          lecturer_id: lecturer,
          ...(await of('room', 'room_id', row.room_id)),
          teaching_mode: row.teaching_mode,
          day: dayOf(row.start_time, timezone),
          start: timeOf(row.start_time, timezone),
          end: timeOf(row.end_time, timezone),
        });
      }
    },
  };
  let links: Promise<ReadonlySet<string>> | undefined;
  const linksOf = async () =>
    new Set((await courseLinks(db)).map(({ class_id, course_id }) => `${class_id}:${course_id}`));
  return {
    records: (kind) => written[kind]?.() ?? [],
    idOf: async (kind, id) => (await referring(kind, id))?.sourceId,
    async takenId(classId, courseId) {
      links ??= linksOf();
      return (await links).has(`${classId}:${courseId}`) ? (await takenAs(classId, courseId))?.id : undefined;
    },
  };
}

type Fields = Record<string, Value>;

export type ListedKind = Exclude<Kind, 'class_course' | 'class_staff' | 'group_member'>;

const made = (kind: Kind, sourceId: string, fields: Fields): Intended => ({
  kind,
  sourceId,
  fields,
  state: 'active',
  place: { file: '', row: 0 },
});

/** Of old periods nobody said how long they are. */
const minutesOf = (seconds: number): Fields => {
  const minutes = Math.round(seconds / 60);
  return minutes >= periodMinutes.least && minutes <= periodMinutes.most ? { minutes } : {};
};

const joined = (...references: Reference[]): string => references.map(({ sourceId }) => sourceId).join('/');

const filled = (fields: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

async function* pages<Row extends { id: number }>(query: (after: number) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await query(after);
    yield* rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?.id ?? after;
  }
}

async function idsIn(rows: AsyncGenerator<{ id: number }>): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for await (const { id } of rows) ids.add(id);
  return ids;
}

/** The id under which the first source brought a record; else what it is called here. */
function givenIds(db: Database) {
  const known = new Map<Kind, Promise<ReadonlyMap<string, string>>>();
  async function load(kind: Kind): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .selectFrom('external_id as given')
      .select(['given.record', 'given.sourced_id'])
      .where('given.kind', '=', kind)
      .where('given.state', '=', 'active')
      .where(isFirstToSay(kind))
      .orderBy('given.source_id', 'desc')
      .orderBy('given.id', 'desc')
      .execute();
    // What the product's own imports call it, it is called anyway.
    const foreign = rows.filter(({ record, sourced_id }) => sourced_id !== `${kind}-${record}`);
    return new Map(foreign.map(({ record, sourced_id }) => [record, sourced_id]));
  }
  return async (kind: Kind, record: number | string, own = `${kind}-${record}`): Promise<string> => {
    const loading = known.get(kind) ?? load(kind);
    known.set(kind, loading);
    return (await loading).get(String(record)) ?? own;
  };
}

async function schoolsOfStaff(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('staff_school').selectAll().orderBy('school_id').execute();
  return grouped(rows.map(({ staff_id, school_id }) => [staff_id, school_id]));
}

async function termsOfClasses(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('class_term').selectAll().orderBy('term_id').execute();
  return grouped(rows.map(({ class_id, term_id }) => [class_id, term_id]));
}

const courseLinks = (db: Database) =>
  db.selectFrom('class_course').selectAll().orderBy('class_id').orderBy('course_id').execute();

async function staffLinks(db: Database) {
  const rows = await db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['class_staff.class_id', 'class_staff.staff_id', 'class_staff.duty', 'staff.identity'])
    .orderBy('class_staff.class_id')
    .orderBy('class_staff.duty', 'desc')
    .orderBy('class_staff.staff_id')
    .execute();
  const isOf = (one: (typeof rows)[number]) => `${one.class_id}:${one.staff_id}`;
  const own = new Set(rows.filter(({ duty, identity }) => duty === dutyOf(identity)).map(isOf));
  return rows.filter((one) => one.duty === dutyOf(one.identity) || !own.has(isOf(one)));
}

async function staffOfGroups(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('class_group_staff').selectAll().orderBy('staff_id').execute();
  return grouped(rows.map(({ class_group_id, staff_id }) => [class_group_id, staff_id]));
}

const membersOfGroups = (db: Database) =>
  db
    .selectFrom('class_group_student')
    .innerJoin('class_student', 'class_student.id', 'class_group_student.class_student_id')
    .select(['class_group_student.class_group_id as group_id', 'class_group_student.course_id'])
    .select(['class_student.class_id', 'class_student.student_id'])
    .where('class_student.left_at', 'is', null)
    .orderBy('class_group_student.class_group_id')
    .orderBy('class_student.student_id')
    .execute();

function grouped(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [of, one] of pairs) {
    const group = groups.get(of);
    if (group) group.push(one);
    else groups.set(of, [one]);
  }
  return groups;
}
