import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { dayEnd, dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ClassRecord, TakenCourse } from './admin.contract.ts';
import { classRows, type StoredClass, toClassFields } from './admin-list.ts';
import { hiddenCircleFlag, missingClass, removalFault, tracesSentence } from './rules.ts';
import { termIdsOf, termsOf } from './terms.ts';
import { countRecords, usageOf } from './usage.ts';
import { adminClasses } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Loads a class of the administrator's schools; `forChange` also locks its row. */
export async function adminClass(
  { db, actor, now }: RequestContext,
  id: number,
  { forChange = false } = {},
): Promise<StoredClass | Refusal> {
  const found = adminClasses(db, actor).where('class.id', '=', id);
  if (forChange) await forUpdate(db)(found.select('class.id'), ['class']).execute();
  return (await classRows(found, now).executeTakeFirst()) ?? missing(missingClass);
}

export const lockedClass = (context: RequestContext, id: number) => adminClass(context, id, { forChange: true });

export const editableFields = (theClass: StoredClass, timezone: string) => ({
  name: theClass.name,
  grade_id: theClass.grade_id ?? 0,
  classify_id: theClass.classify_id ?? 0,
  large_class_id: theClass.large_class_id ?? 0,
  valid_type: theClass.valid_type === 2 ? (2 as const) : (1 as const),
  valid_day: theClass.valid_type === 2 ? dayOf(theClass.valid_time, timezone) : '',
  is_circle_hidden: theClass.group_hidden === hiddenCircleFlag ? (1 as const) : (0 as const),
});

/** A class is valid until the last second of its last day; unix seconds. */
export const lastSecondOf = (day: string, timezone: string): number => dayEnd(day, timezone) - 1;

export const staffOf = (db: Database, classId: number) =>
  db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['staff.id', 'staff.real_name', 'staff.disabled_at', 'class_staff.duty'])
    .where('class_staff.class_id', '=', classId)
    .orderBy('staff.id')
    .execute();

export const staffIds = (staff: Awaited<ReturnType<typeof staffOf>>) => {
  const of = (duty: 'head' | 'assistant') => staff.filter((one) => one.duty === duty).map(({ id }) => id);
  return { head_ids: of('head'), assistant_ids: of('assistant') };
};

export async function courseIdsOf(db: Database, classId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('class_course')
    .select('course_id')
    .where('class_id', '=', classId)
    .orderBy('course_id')
    .execute();
  return rows.map(({ course_id }) => course_id);
}

/** Returns everything the administrators' class screen shows. 404: no such class. */
export async function classRecord(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
): Promise<ClassRecord | Refusal> {
  const theClass = await adminClass({ db, actor, now }, id);
  if (!('name' in theClass)) return theClass;
  const [staff, courses, traces, records] = await Promise.all([
    staffOf(db, id),
    takenCourses(db, id, now),
    usageOf(db, { classId: id, now }),
    countRecords(db, id),
  ]);
  const named = (duty: 'head' | 'assistant') =>
    staff
      .filter((one) => one.duty === duty)
      .map(({ id: staffId, real_name, disabled_at }) => ({
        id: staffId,
        real_name,
        is_disabled: disabled_at === null ? (0 as const) : (1 as const),
      }));
  const fields = { ...editableFields(theClass, settings.timezone), term_ids: await termIdsOf(db, id) };
  return {
    ...toClassFields(theClass),
    ...fields,
    terms: await termsOf(db, id),
    students_count: traces.students,
    courses_count: courses.length,
    lessons_count: await countOf(db.selectFrom('class_session').where('class_session.class_id', '=', id)),
    heads: named('head'),
    assistants: named('assistant'),
    courses,
    end_effect: tracesSentence(traces) ?? '',
    removal_fault: removalFault(records) ?? '',
    seen: versionTokenOf(fields),
    staff_seen: versionTokenOf(staffIds(staff)),
    courses_seen: versionTokenOf({ course_ids: courses.map((course) => course.id) }),
  };
}

async function takenCourses(db: Database, classId: number, now: number): Promise<TakenCourse[]> {
  const rows = await db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .select(['course.id', 'course.title'])
    .select((eb) => [
      eb
        .selectFrom('period')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('period.course_id', '=', 'course.id')
        .as('periods'),
      eb
        .selectFrom('period')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('period.course_id', '=', 'course.id')
        .where('period.start_play', '>', now)
        .as('left'),
      eb
        .selectFrom('homework_class')
        .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('homework_class.class_id', '=', classId)
        .where('homework_class.published_at', 'is not', null)
        .where('homework.status', '=', 1)
        .where('homework.ending_time', '>', now)
        .whereRef('homework.course_id', '=', 'course.id')
        .as('homework'),
    ])
    .where('class_course.class_id', '=', classId)
    .orderBy('course.id')
    .execute();
  return rows.map(({ id, title, periods, left, homework }) => ({
    id,
    title,
    periods_count: periods ?? 0,
    periods_left: left ?? 0,
    homework: homework ?? 0,
  }));
}
