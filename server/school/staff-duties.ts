/**
 * Which classes each member of staff teaches, heads or assists. All rules about who sees what begin here; no other file
 * queries duties and lecturers.
 */
import { expressionBuilder } from 'kysely';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { deleteRows, insertRows } from '#server/platform/db/rows.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** Selects the ids of the courses in which a lecturer teaches at least one period. */
export function coursesTaughtBy(db: Database, actor: Pick<Viewer, 'id'>) {
  return periodsTaughtBy(db, actor).select('period.course_id').distinct();
}

/** Selects the periods that a lecturer teaches; callers add conditions and columns. */
export const periodsTaughtBy = (db: Database, actor: Pick<Viewer, 'id'>) =>
  db.selectFrom('period').where('period.lecturer_id', '=', actor.id);

/** Selects the lessons that a lecturer teaches; callers add conditions and columns. */
export const sessionsTaughtBy = (db: Database, actor: Pick<Viewer, 'id'>) =>
  db.selectFrom('class_session').where('class_session.lecturer_id', '=', actor.id);

/**
 * Selects the ids of the courses that the user sees. Lecturers: courses they teach, and the parents of these.
 * Assistants: courses of their classes.
 */
export function coursesOf(db: Database, actor: Viewer) {
  if (actor.identity === 'assist') {
    return db
      .selectFrom('class_course')
      .select('class_course.course_id as id')
      .where('class_course.class_id', 'in', classesAssistedBy(db, actor));
  }
  return coursesTaughtBy(db, actor)
    .clearSelect()
    .select('period.course_id as id')
    .union(
      db
        .selectFrom('course')
        .select('course.parent_id as id')
        .where('course.id', 'in', coursesTaughtBy(db, actor))
        .where('course.parent_id', 'is not', null)
        .$narrowType<{ id: number }>(),
    );
}

/**
 * Selects the ids of the classes to which the user may publish homework. Lecturers: classes with a course they teach.
 * Assistants: their classes.
 */
export function classesOf(db: Database, actor: Viewer) {
  return actor.identity === 'assist' ? classesAssistedBy(db, actor) : classesTaughtBy(db, actor);
}

/** Selects the ids of the classes that take a course which the lecturer teaches. */
export function classesTaughtBy(db: Database, actor: Pick<Viewer, 'id'>) {
  return db
    .selectFrom('class_course')
    .select('class_course.class_id')
    .where('class_course.course_id', 'in', coursesTaughtBy(db, actor));
}

type Duty = 'head' | 'assistant';

/** Selects the user's duties in classes, all or of one kind; callers add conditions and columns. */
export function dutiesOf(db: Database, actor: Pick<Viewer, 'id'>, duty?: Duty) {
  const duties = db.selectFrom('class_staff').where('class_staff.staff_id', '=', actor.id);
  return duty ? duties.where('class_staff.duty', '=', duty) : duties;
}

/** SQL condition that fits any query: the user teaches a period or lesson, or has a duty in a class. */
export const hasTeaching = (db: Database, actor: Pick<Viewer, 'id'>) =>
  expressionBuilder<Tables>().or(
    [
      periodsTaughtBy(db, actor).select('period.id'),
      sessionsTaughtBy(db, actor).select('class_session.id'),
      dutiesOf(db, actor).select('class_staff.class_id'),
    ].map((any) => expressionBuilder<Tables>().exists(any)),
  );

/** Selects the ids of the classes in which the user has any duty. */
export const classesStaffedBy = (db: Database, actor: Viewer) => dutiesOf(db, actor).select('class_staff.class_id');

/** Selects the ids of the classes that an assistant assists. */
export const classesAssistedBy = (db: Database, actor: Viewer) =>
  dutiesOf(db, actor, 'assistant').select('class_staff.class_id');

/** Selects the ids of the classes that the user heads. */
export const classesHeadedBy = (db: Database, actor: Pick<Viewer, 'id'>) =>
  dutiesOf(db, actor, 'head').select('class_staff.class_id');

/** True if the user heads the class, and so may post notices, hold meetings and delete posts of its circle. */
export async function isHeadTeacher(db: Database, actor: Viewer, classId: number): Promise<boolean> {
  const heads = classesHeadedBy(db, actor).where('class_staff.class_id', '=', classId);
  return (await heads.executeTakeFirst()) !== undefined;
}

/** Lists the head teachers or the assistants of classes, with their names, in the order of their ids. */
export const staffOnDuty = (db: Database, duty: Duty, classIds: readonly number[]) =>
  db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['class_staff.class_id', 'staff.id', 'staff.real_name'])
    .where('class_staff.duty', '=', duty)
    .where('class_staff.class_id', 'in', [0, ...classIds])
    .orderBy('staff.id');

/** Selects the ids of the lecturers who teach the class's courses. */
export const lecturersOfClass = (db: Database, classId: number) =>
  db
    .selectFrom('class_course')
    .innerJoin('period', 'period.course_id', 'class_course.course_id')
    .select('period.lecturer_id')
    .where('class_course.class_id', '=', classId)
    .where('period.lecturer_id', 'is not', null)
    .$narrowType<{ lecturer_id: number }>();

/** Selects the ids of the lessons that a lecturer teaches, or that an assistant's classes have. */
export function sessionsOf(db: Database, actor: Viewer) {
  const sessions =
    actor.identity === 'teacher'
      ? sessionsTaughtBy(db, actor)
      : db.selectFrom('class_session').where('class_session.class_id', 'in', classesAssistedBy(db, actor));
  return sessions.select('class_session.id');
}

/** Replaces the people who have this duty in a class. */
export async function assignStaff(
  db: Database,
  { classId, duty, staffIds }: { classId: number; duty: 'head' | 'assistant'; staffIds: readonly number[] },
): Promise<void> {
  await db
    .deleteFrom('class_staff')
    .where('class_id', '=', classId)
    .where('duty', '=', duty)
    .where('staff_id', 'not in', [0, ...staffIds])
    .execute();
  if (staffIds.length === 0) return;
  await db
    .insertInto('class_staff')
    .values(staffIds.map((staff_id) => ({ class_id: classId, staff_id, duty })))
    .onConflict((known) => known.columns(['class_id', 'staff_id', 'duty']).doNothing())
    .execute();
}

interface AssignedDuty {
  class_id: number;
  staff_id: number;
  duty: Duty;
}

const dutyColumns = { class_id: 'integer', staff_id: 'integer', duty: 'text' } as const;

/** Lists all staff who have a duty in these classes. */
export const classStaffOf = (db: Database, classIds: readonly number[]): Promise<AssignedDuty[]> =>
  db
    .selectFrom('class_staff')
    .select(['class_id', 'staff_id', 'duty'])
    .where('class_id', 'in', inIds(db, classIds))
    .orderBy('class_id')
    .orderBy('staff_id')
    .execute();

/** Adds duties in classes; a duty that exists is skipped. */
export const addDuties = (db: Database, duties: readonly AssignedDuty[]): Promise<void> =>
  insertRows(db, 'class_staff', dutyColumns, duties, { known: ['class_id', 'staff_id', 'duty'], set: [] });

/** Returns the ids of the staff who teach or have a duty in any class. */
export async function busyStaffIds(db: Database, staffIds: readonly number[]): Promise<number[]> {
  const them = inIds(db, staffIds);
  const [periods, lessons, duties] = await Promise.all([
    db.selectFrom('period').select('lecturer_id as id').distinct().where('lecturer_id', 'in', them).execute(),
    db.selectFrom('class_session').select('lecturer_id as id').distinct().where('lecturer_id', 'in', them).execute(),
    db.selectFrom('class_staff').select('staff_id as id').distinct().where('staff_id', 'in', them).execute(),
  ]);
  return [...periods, ...lessons, ...duties].map(({ id }) => Number(id));
}

/** Removes duties in classes. */
export const removeDuties = (db: Database, duties: readonly AssignedDuty[]): Promise<void> =>
  deleteRows(db, 'class_staff', dutyColumns, duties);

/** Counts the lecturers who see the class only because of these courses. */
export async function countLecturersLosingAccess(
  db: Database,
  classId: number,
  courseIds: readonly number[],
): Promise<number> {
  const { lecturers } = await db
    .selectFrom('period')
    .select((eb) => eb.fn.count<number>('period.lecturer_id').distinct().as('lecturers'))
    .where('period.course_id', 'in', [0, ...courseIds])
    .where('period.lecturer_id', 'is not', null)
    .where('period.lecturer_id', 'not in', (eb) =>
      eb
        .selectFrom('class_course')
        .innerJoin('period as other', 'other.course_id', 'class_course.course_id')
        .select('other.lecturer_id')
        .where('class_course.class_id', '=', classId)
        .where('class_course.course_id', 'not in', courseIds)
        .where('other.lecturer_id', 'is not', null)
        .$narrowType<{ lecturer_id: number }>(),
    )
    .where('period.lecturer_id', 'not in', (eb) =>
      eb
        .selectFrom('class_staff')
        .select('class_staff.staff_id')
        .where('class_staff.class_id', '=', classId)
        .where('class_staff.duty', '=', 'head'),
    )
    .executeTakeFirstOrThrow();
  return lecturers;
}

/** Selects the ids of the group and one-to-one classes whose default lecturer this is. */
export const lessonClassesTaughtBy = (db: Database, actor: Pick<Viewer, 'id'>) =>
  db.selectFrom('team_class').select('team_class.class_id').where('team_class.lecturer_id', '=', actor.id);
