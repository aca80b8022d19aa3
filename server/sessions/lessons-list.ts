import { classRows } from '#server/classes/admin-list.ts';
import { classTypes, missingClass } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { dayOf, dayRange, timeOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { sessionsTaughtBy, staffOnDuty } from '#server/school/staff-duties.ts';
import type { LessonFilter, LessonOptions, LessonRecord, LessonRow } from './lessons.contract.ts';
import { hasStatus } from './list.ts';
import { expectedStudents } from './roster.ts';
import { missingSession, sessionStatus } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Selects the lessons of group and one-to-one classes in the administrator's schools. */
export const adminLessons = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('class_session')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .where('class.school_id', 'in', schoolsOf(db, actor))
    .where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne]);

/** Lists one page of lessons: earliest first if only future lessons or a first day are asked for, else latest first. */
export async function lessonPage(
  { db, actor, now, settings }: RequestContext,
  filter: LessonFilter,
): Promise<Page<LessonRow>> {
  const { status } = filter;
  const days = dayRange(filter.start_at, filter.end_at, settings.timezone);
  let matching = adminLessons(db, actor);
  if (filter.ids.length > 0) matching = matching.where('class_session.id', 'in', filter.ids);
  if (filter.name !== undefined) matching = matching.where(nameContains('class.name', filter.name));
  if (filter.class_id !== undefined) matching = matching.where('class_session.class_id', '=', filter.class_id);
  if (filter.class_type !== undefined) matching = matching.where('class.class_type', '=', filter.class_type);
  if (filter.lecturer_id !== undefined) {
    const theirs = sessionsTaughtBy(db, { id: filter.lecturer_id }).select('class_session.id');
    matching = matching.where('class_session.id', 'in', theirs);
  }
  if (filter.room_id !== undefined) matching = matching.where('class_session.room_id', '=', filter.room_id);
  if (filter.school_id !== undefined) matching = matching.where('class.school_id', '=', filter.school_id);
  if (days.from !== undefined) matching = matching.where('class_session.start_time', '>=', days.from);
  if (days.until !== undefined) matching = matching.where('class_session.start_time', '<', days.until);
  if (status !== undefined) matching = matching.where((eb) => hasStatus(eb as never, status, now));
  const direction = status === 2 || filter.start_at !== undefined ? 'asc' : 'desc';
  const inOrder = <Lessons extends typeof matching>(lessons: Lessons) =>
    lessons.orderBy('class_session.start_time', direction).orderBy('class_session.id', direction) as Lessons;
  // Sorts only ids by time, and then reads the other columns for the page.
  const { list, ...range } = await pageOf(matching, filter, ({ limit, offset }) => {
    const ids = inOrder(matching).select('class_session.id').limit(limit).offset(offset);
    const shown = adminLessons(db, actor).where('class_session.id', 'in', ids);
    return selectLessons(inOrder(shown)).execute();
  });
  return { list: await rowsOf(db, list, now), ...range };
}

const selectLessons = (lessons: ReturnType<typeof adminLessons>) =>
  lessons
    .innerJoin('school', 'school.id', 'class.school_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .leftJoin('room', 'room.id', 'class_session.room_id')
    .select([
      'class_session.id',
      'class_session.class_id',
      'class.name as class_name',
      'class.class_type',
      'class.school_id',
      'school.org_name as school_name',
      'class_session.course_id',
      'course.title as course_title',
      'class_session.period_id',
      'class_session.chapter_title',
      'class_session.lecturer_id',
      'staff.real_name as lecturer_name',
      'class_session.room_id',
      'room.name as room_name',
      'class_session.teaching_mode',
      'class_session.start_time',
      'class_session.end_time',
      'class_session.cancelled_at',
      'class_session.cancel_reason',
    ]);

export type StoredLesson = Awaited<ReturnType<ReturnType<typeof selectLessons>['execute']>>[number];

async function rowsOf(db: Database, rows: readonly StoredLesson[], now: number): Promise<LessonRow[]> {
  const classIds = [...new Set(rows.map(({ class_id }) => class_id))];
  const assistants = await staffOnDuty(db, 'assistant', classIds).execute();
  return rows.map((row) => {
    const { school_id: _, cancelled_at, ...lesson } = row;
    return {
      ...lesson,
      class_type: row.class_type === classTypes.oneToOne ? classTypes.oneToOne : classTypes.group,
      period_id: row.period_id ?? 0,
      room_id: row.room_id ?? 0,
      room_name: row.room_name ?? '',
      assistants: assistants
        .filter(({ class_id }) => class_id === row.class_id)
        .map(({ real_name }) => real_name)
        .join('、'),
      status: sessionStatus({ ...row, cancelled_at }, now),
      cancel_reason: cancelled_at === null ? '' : row.cancel_reason,
    };
  });
}

type PlannedColumn =
  | 'course_id'
  | 'period_id'
  | 'chapter_title'
  | 'lecturer_id'
  | 'room_id'
  | 'teaching_mode'
  | 'start_time'
  | 'end_time';

export const editableFields = (lesson: Pick<StoredLesson, PlannedColumn>, timezone: string) => ({
  course_id: lesson.course_id,
  period_id: lesson.period_id ?? 0,
  chapter_title: lesson.chapter_title,
  lecturer_id: lesson.lecturer_id,
  room_id: lesson.room_id ?? 0,
  teaching_mode: lesson.teaching_mode,
  day: dayOf(lesson.start_time, timezone),
  start: timeOf(lesson.start_time, timezone),
  end: timeOf(lesson.end_time, timezone),
});
export type EditedFields = ReturnType<typeof editableFields>;

/** Reads the lessons with these ids that exist, earliest first. */
export const storedLessons = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>, ids: readonly number[]) =>
  selectLessons(adminLessons(db, actor).where('class_session.id', 'in', [0, ...ids]))
    .orderBy('class_session.start_time')
    .orderBy('class_session.id')
    .execute();

/** Returns one lesson for its form. 404: no such lesson. */
export async function lessonRecord(context: RequestContext, id: number): Promise<LessonRecord | Refusal> {
  const { db, now, settings } = context;
  const [lesson] = await storedLessons(context, [id]);
  const [row] = lesson ? await rowsOf(db, [lesson], now) : [];
  if (!lesson || !row) return missing(missingSession);
  const fields = editableFields(lesson, settings.timezone);
  const { day, start, end } = fields;
  return {
    ...row,
    day,
    start,
    end,
    students_count: await countOf(expectedStudents(db).where('class_session.id', '=', id)),
    seen: versionTokenOf(fields),
  };
}

/** Returns the choices for lessons of a class (courses, lecturers, rooms). 404: no such group or one-to-one class. */
export async function optionsFor(
  { db, actor, now }: Pick<RequestContext, 'db' | 'actor' | 'now'>,
  classId: number,
): Promise<LessonOptions | Refusal> {
  const theClass = await lessonClass({ db, actor, now }, classId);
  if (!theClass) return missing(missingClass);
  const [courses, periods, lecturers, rooms, last] = await Promise.all([
    db
      .selectFrom('class_course')
      .innerJoin('course', 'course.id', 'class_course.course_id')
      .select(['course.id', 'course.title as name'])
      .where('class_course.class_id', '=', classId)
      .orderBy('course.id')
      .execute(),
    db
      .selectFrom('class_course')
      .innerJoin('period', 'period.course_id', 'class_course.course_id')
      .select(['period.id', 'period.title as name', 'period.course_id'])
      .where('class_course.class_id', '=', classId)
      .orderBy('period.course_id')
      .orderBy('period.sort')
      .orderBy('period.id')
      .execute(),
    db
      .selectFrom('staff')
      .select(['staff.id', 'staff.real_name as name'])
      .where('staff.identity', '=', 'teacher')
      .where('staff.disabled_at', 'is', null)
      .where('staff.school_id', 'in', schoolsOf(db, actor))
      .orderBy('staff.real_name')
      .orderBy('staff.id')
      .execute(),
    db
      .selectFrom('room')
      .select(['room.id', 'room.name'])
      .where('room.school_id', '=', theClass.school_id)
      .orderBy('room.id')
      .execute(),
    db
      .selectFrom('class_session')
      .select(['lecturer_id', 'room_id', 'teaching_mode'])
      .where('class_id', '=', classId)
      .orderBy('start_time', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  const team = await db
    .selectFrom('team_class')
    .select(['lecturer_id', 'room_id', 'teaching_mode'])
    .where('class_id', '=', classId)
    .executeTakeFirst();
  return {
    class_id: classId,
    class_name: theClass.name,
    courses,
    periods,
    lecturers,
    rooms,
    lecturer_id: team?.lecturer_id ?? last?.lecturer_id ?? 0,
    room_id: team?.room_id ?? last?.room_id ?? 0,
    teaching_mode: team?.teaching_mode ?? last?.teaching_mode ?? 1,
  };
}

/** Reads a group or one-to-one class of the actor's schools. */
export const lessonClass = ({ db, actor, now }: Pick<RequestContext, 'db' | 'actor' | 'now'>, id: number) =>
  classRows(
    adminClasses(db, actor)
      .where('class.id', '=', id)
      .where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne]),
    now,
  ).executeTakeFirst();
