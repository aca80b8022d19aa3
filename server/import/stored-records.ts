/** Exports stored data as records, in such a form that importing an export changes nothing. */

import { courseKindOf, periodMinutes } from '#server/courses/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import { dayOf, dayStart, timeOf } from '#server/school/calendar.ts';
import type { Records } from './formats/records.ts';
import { type Fields, type Listing, listRecords } from './record-listing.ts';
import { type RequestedSchools, requestedSchools } from './requested-schools.ts';
import type { RecordKind, Reference, SourceRecord } from './source-record.ts';
import {
  courseLinks,
  loadOnce,
  membersOfGroups,
  schoolsOfStaff,
  sourcedIdsByRecord,
  staffLinks,
  staffOfGroups,
  termsOfClasses,
} from './stored-lists.ts';
import { storedReferences } from './stored-references.ts';

export interface StoredSchool {
  records: Records;
  /** Returns the id of an exported record; undefined if the record is not exported. */
  idOf(kind: ListedKind, id: number): Promise<string | undefined>;
  /** Returns the id of a course that a class takes; undefined if it is not exported. */
  takenId(classId: number, courseId: number): Promise<string | undefined>;
}

/**
 * Reads the records of the schools. Ended, archived and disabled records are left out, and so are references to them.
 * The id of a record comes from its first source, or else is made of kind and own id.
 */
export function storedSchool(requested: RequestedSchools): StoredSchool {
  const { db, now, timezone } = requested;
  const ownSchools = () => requestedSchools(requested);
  const ids = sourcedIdsByRecord(db);
  /** Lists of related records, each loaded only once. */
  const lists = { schools: loadOnce(schoolsOfStaff), terms: loadOnce(termsOfClasses), staff: loadOnce(staffOfGroups) };

  const { referenceTo, refer, referWhole, referAll, classReference, memberReferences } = storedReferences(ids, (kind) =>
    exportedIds(kind),
  );

  const kinds = {
    school: listRecords(
      'school.id',
      () => ownSchools().select(['school.id', 'school.org_name as name']),
      async ({ name }) => ({ name }),
    ),
    category: listRecords(
      'id',
      () => db.selectFrom('classify').select(['id', 'name', 'parent_id']).where('put_away_at', 'is', null),
      async ({ name, ...row }) => ({ name, ...(await refer(row, { parent_id: 'category' })) }),
    ),
    term: listRecords(
      'id',
      () =>
        db
          .selectFrom('term')
          .select(['id', 'name', 'type', 'first_day', 'last_day', 'parent_id'])
          .where('put_away_at', 'is', null),
      async ({ name, type, first_day, last_day, ...row }) => ({
        name,
        type,
        ...filledFields({ first_day, last_day }),
        ...(await refer(row, { parent_id: 'term' })),
      }),
    ),
    grade: listRecords(
      'id',
      () => db.selectFrom('grade').select(['id', 'name']).where('put_away_at', 'is', null),
      async ({ name }) => ({ name }),
    ),
    subject: listRecords(
      'id',
      () => db.selectFrom('subject').select(['id', 'name']).where('put_away_at', 'is', null),
      async ({ name }) => ({ name }),
    ),
    room: listRecords(
      'id',
      () =>
        db
          .selectFrom('room')
          .select(['id', 'name', 'school_id', 'seats'])
          .where('school_id', 'in', ownSchools())
          .where('put_away_at', 'is', null),
      async ({ name, seats, ...row }) => ({ name, seats, ...(await refer(row, { school_id: 'school' })) }),
    ),
    staff: listRecords(
      'id',
      () =>
        db
          .selectFrom('staff')
          .select(['id', 'identity', 'username', 'real_name', 'mobile', 'school_id', 'every_school'])
          .select(permissions.map((permission) => `can_${permission}` as const))
          .where('school_id', 'in', ownSchools())
          .where('disabled_at', 'is', null),
      async ({ id, identity, username, real_name, mobile, every_school, ...row }) => ({
        identity,
        username,
        real_name,
        ...filledFields({ mobile }),
        ...(await refer(row, { school_id: 'school' })),
        permissions: permissions.filter((permission) => row[`can_${permission}`] === 1),
        ...(identity === 'admin' && {
          every_school,
          school_ids: await referAll('school', (await lists.schools(db)).get(id)),
        }),
      }),
    ),
    student: listRecords(
      'id',
      () =>
        db
          .selectFrom('student')
          .select(['id', 'nickname', 'number', 'mobile', 'guardian_mobile', 'school_id'])
          .where('school_id', 'in', ownSchools())
          .where('disabled_at', 'is', null)
          .where('deleted_at', 'is', null),
      async ({ nickname, number, mobile, guardian_mobile, ...row }) => ({
        nickname,
        ...filledFields({ number, mobile, guardian_mobile }),
        ...(await refer(row, { school_id: 'school' })),
      }),
    ),
    course: listRecords(
      'id',
      () =>
        db
          .selectFrom('course')
          .select(['id', 'title', 'course_type', 'school_id', 'classify_id', 'grade_id', 'subject_id', 'parent_id'])
          .select('introduction')
          .where('school_id', 'in', ownSchools())
          .where('put_away_at', 'is', null),
      async ({ title, course_type, introduction, ...row }) => ({
        title,
        course_type: courseKindOf(course_type),
        ...(await refer(row, {
          school_id: 'school',
          classify_id: 'category',
          grade_id: 'grade',
          subject_id: 'subject',
          parent_id: 'course',
        })),
        ...filledFields({ introduction }),
      }),
    ),
    period: listRecords(
      'period.id',
      () =>
        db
          .selectFrom('period')
          .innerJoin('course', 'course.id', 'period.course_id')
          .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
          .select(['period.id', 'period.course_id', 'period.title', 'period.periods_type', 'period.lecturer_id'])
          .select(['period.start_play', 'period.total_time', 'period.advance_time'])
          .select('course_chapter.title as chapter_title')
          .where('course.school_id', 'in', ownSchools())
          .where('course.put_away_at', 'is', null),
      async (row) => ({
        ...(await refer(row, { course_id: 'course' })),
        ...filledFields({ chapter_title: row.chapter_title }),
        title: row.title,
        periods_type: courseKindOf(row.periods_type),
        ...(await refer(row, { lecturer_id: 'staff' })),
        start_play: row.start_play,
        ...minutesOf(row.total_time),
        advance_time: row.advance_time,
      }),
    ),
    class: listRecords(
      'class.id',
      () =>
        db
          .selectFrom('class')
          .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
          .select(['class.id', 'class.name', 'class.school_id', 'class.grade_id', 'class.classify_id'])
          .select(['class.valid_type', 'class.valid_time', 'large_class.name as large_class_name'])
          .where('class.school_id', 'in', ownSchools())
          .where('class.class_type', '=', 0)
          .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)])),
      async ({ id, name, large_class_name, valid_type, valid_time, ...row }) => {
        const term_ids = await referAll('term', (await lists.terms(db)).get(id));
        return {
          name,
          ...(await refer(row, { school_id: 'school', grade_id: 'grade', classify_id: 'category' })),
          ...filledFields({ large_class_name }),
          ...(term_ids.length > 0 && { term_ids }),
          valid_type,
          ...(valid_type === 2 && { valid_day: dayOf(valid_time, timezone) }),
        };
      },
    ),
    group_class: listRecords(
      'class.id',
      () =>
        db
          .selectFrom('class')
          .leftJoin('team_class', 'team_class.class_id', 'class.id')
          .select(['class.id', 'class.name', 'class.class_type', 'class.school_id', 'class.grade_id'])
          .select(['class.classify_id', 'team_class.lecturer_id', 'team_class.subject_id', 'team_class.room_id'])
          .select(['team_class.teaching_mode', 'team_class.sign_type', 'team_class.schedule', 'team_class.remarks'])
          .select(['team_class.start_time', 'class.created_at'])
          .where('class.school_id', 'in', ownSchools())
          .where('class.class_type', '!=', 0)
          .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
          .where((eb) => eb.or([eb('team_class.ended_at', 'is', null), eb('team_class.ended_at', '>', now)])),
      async ({ name, class_type, teaching_mode, sign_type, schedule, remarks, start_time, created_at, ...row }) => ({
        name,
        class_type,
        ...(await refer(row, {
          school_id: 'school',
          grade_id: 'grade',
          classify_id: 'category',
          subject_id: 'subject',
          lecturer_id: 'staff',
          room_id: 'room',
        })),
        teaching_mode: teaching_mode ?? 1,
        sign_type: sign_type ?? 1,
        ...filledFields({ schedule, remarks }),
        start_day: dayOf(start_time ?? created_at, timezone),
      }),
    ),
    membership: listRecords(
      'class_student.id',
      () =>
        db
          .selectFrom('class_student')
          .innerJoin('class', 'class.id', 'class_student.class_id')
          .leftJoin('class_contract', 'class_contract.class_student_id', 'class_student.id')
          .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'class_student.joined_at'])
          .select(['class_student.leaving_at', 'class_student.leaving_reason'])
          .select(['class_contract.contracts_number', 'class_contract.sign_type', 'class_contract.remaining_lessons'])
          .select(['class_contract.periods_price', 'class_contract.lesson_minutes'])
          .where('class.school_id', 'in', ownSchools())
          .where('class_student.left_at', 'is', null),
      async (row) => {
        const place = await memberReferences(row);
        return (
          place && {
            ...place,
            joined_at: dayStart(dayOf(row.joined_at, timezone), timezone),
            ...(row.leaving_at !== null && { left_at: row.leaving_at, left_reason: row.leaving_reason }),
            ...(place.class_id.kind === 'group_class' &&
              row.contracts_number && {
                contracts_number: row.contracts_number,
                sign_type: row.sign_type ?? 1,
                remaining_lessons: row.remaining_lessons ?? 0,
                periods_price: (row.periods_price ?? 0) / 100,
                lesson_minutes: row.lesson_minutes ?? 0,
              }),
          }
        );
      },
      ({ class_id, student_id }, fields) => [`${class_id}:${student_id}`, joinIds(fields.class_id, fields.student_id)],
    ),
    group: listRecords(
      'class_group.id',
      () =>
        db
          .selectFrom('class_group')
          .innerJoin('class', 'class.id', 'class_group.class_id')
          .select(['class_group.id', 'class_group.class_id', 'class_group.course_id', 'class_group.group_name'])
          .where('class.school_id', 'in', ownSchools()),
      async ({ id, group_name, ...row }) => {
        const place = await referWhole(row, { class_id: 'class', course_id: 'course' });
        return place && { ...place, group_name, staff_ids: await referAll('staff', (await lists.staff(db)).get(id)) };
      },
    ),
    lesson: listRecords(
      'class_session.id',
      () =>
        db
          .selectFrom('class_session')
          .innerJoin('class', 'class.id', 'class_session.class_id')
          .select(['class_session.id', 'class_session.class_id', 'class_session.course_id', 'class_session.period_id'])
          .select(['class_session.chapter_title', 'class_session.lecturer_id', 'class_session.room_id'])
          .select(['class_session.teaching_mode', 'class_session.start_time', 'class_session.end_time'])
          .where('class.school_id', 'in', ownSchools())
          .where('class_session.cancelled_at', 'is', null),
      async (row) => {
        const place = await referWhole(row, { class_id: 'group_class', course_id: 'course', lecturer_id: 'staff' });
        return (
          place && {
            class_id: place.class_id,
            course_id: place.course_id,
            ...(await refer(row, { period_id: 'period' })),
            ...filledFields({ chapter_title: row.chapter_title }),
            lecturer_id: place.lecturer_id,
            ...(await refer(row, { room_id: 'room' })),
            teaching_mode: row.teaching_mode,
            day: dayOf(row.start_time, timezone),
            start: timeOf(row.start_time, timezone),
            end: timeOf(row.end_time, timezone),
          }
        );
      },
    ),
  } satisfies Record<ListedKind, Listing>;

  const idsByKind = new Map<ListedKind, Promise<ReadonlySet<number>>>();
  /** Returns the ids of the exported records of a kind. */
  const exportedIds = (kind: ListedKind): Promise<ReadonlySet<number>> => {
    const known = idsByKind.get(kind) ?? kinds[kind].ids();
    idsByKind.set(kind, known);
    return known;
  };
  const classCourseOf = async (classId: number, courseId: number) => {
    const [class_id, course_id] = [await classReference(classId), await referenceTo('course', courseId)];
    if (!class_id || !course_id) return undefined;
    const id = await ids('class_course', `${classId}:${courseId}`, joinIds(class_id, course_id));
    return { id, fields: { class_id, course_id } };
  };

  const links: Partial<Record<RecordKind, () => AsyncGenerator<SourceRecord>>> = {
    class_course: async function* () {
      for (const { class_id, course_id } of await courseLinks(db)) {
        const classCourse = await classCourseOf(class_id, course_id);
        if (classCourse) yield activeRecord('class_course', classCourse.id, classCourse.fields);
      }
    },
    class_staff: async function* () {
      for (const { class_id, staff_id, duty } of await staffLinks(db)) {
        const [theClass, staff] = [await classReference(class_id), await referenceTo('staff', staff_id)];
        if (!theClass || !staff) continue;
        const id = await ids('class_staff', `${class_id}:${staff_id}`, `${joinIds(theClass, staff)}/${duty}`);
        yield activeRecord('class_staff', id, { class_id: theClass, staff_id: staff, duty });
      }
    },
    group_member: async function* () {
      for (const row of await membersOfGroups(db)) {
        const whole = { group_id: 'group', student_id: 'student', class_id: 'class', course_id: 'course' } as const;
        const fields = await referWhole(row, whole);
        if (!fields) continue;
        const { group_id, student_id, class_id, course_id } = fields;
        const key = `${row.class_id}:${row.course_id}:${row.student_id}`;
        const id = await ids('group_member', key, joinIds(class_id, course_id, student_id));
        yield activeRecord('group_member', id, { group_id, student_id });
      }
    },
  };
  async function* recordsOf(kind: ListedKind): AsyncGenerator<SourceRecord> {
    for await (const { key, own, fields } of (kinds[kind] as Listing).records())
      yield activeRecord(kind, await ids(kind, key, own), fields);
  }
  const isListed = (kind: RecordKind): kind is ListedKind => kind in kinds;
  const coursesOfClasses = loadOnce(async () => {
    const all = await courseLinks(db);
    return new Set(all.map(({ class_id, course_id }) => `${class_id}:${course_id}`));
  });
  return {
    records: (kind) => (isListed(kind) ? recordsOf(kind) : (links[kind]?.() ?? [])),
    idOf: async (kind, id) => (await referenceTo(kind, id))?.sourceId,
    takenId: async (classId, courseId) =>
      (await coursesOfClasses(db)).has(`${classId}:${courseId}`)
        ? (await classCourseOf(classId, courseId))?.id
        : undefined,
  };
}

/** Kinds that an export lists. Exams are left out: without their papers they would return as empty drafts. */
export type ListedKind = Exclude<RecordKind, 'class_course' | 'class_staff' | 'group_member' | 'exam'>;

const activeRecord = (kind: RecordKind, sourceId: string, fields: Fields): SourceRecord => ({
  kind,
  sourceId,
  fields,
  state: 'active',
  place: { file: '', row: 0 },
});

/** Old periods have no length, so none is exported. */
const minutesOf = (seconds: number): Fields => {
  const minutes = Math.round(seconds / 60);
  return minutes >= periodMinutes.min && minutes <= periodMinutes.max ? { minutes } : {};
};

const joinIds = (...references: Reference[]): string => references.map(({ sourceId }) => sourceId).join('/');

const filledFields = (fields: Readonly<Record<string, string | null>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null));
