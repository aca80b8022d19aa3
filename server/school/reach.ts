/**
 * Who teaches, heads and assists what. What a person may see of any subject starts here; no other file asks for duties
 * and lecturers.
 */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Ids of the courses in which a lecturer teaches at least one period. */
export function coursesTaughtBy(db: Database, actor: Actor) {
  return periodsTaughtBy(db, actor).select('period.course_id').distinct();
}

/** The periods that a lecturer teaches, to be joined and narrowed. */
export const periodsTaughtBy = (db: Database, actor: Pick<Actor, 'id'>) =>
  db.selectFrom('period').where('period.lecturer_id', '=', actor.id);

/** The scheduled lessons that a lecturer teaches, to be joined and narrowed. */
export const sessionsTaughtBy = (db: Database, actor: Pick<Actor, 'id'>) =>
  db.selectFrom('class_session').where('class_session.lecturer_id', '=', actor.id);

/**
 * Ids of the courses that the actor sees: a lecturer those that they teach in and the parents of these, an assistant
 * those of the classes that they assist.
 */
export function coursesOf(db: Database, actor: Actor) {
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

/** Ids of the classes that the actor may publish to: a lecturer those that take a course which they teach. */
export function classesOf(db: Database, actor: Actor) {
  return actor.identity === 'assist' ? classesAssistedBy(db, actor) : classesTaughtBy(db, actor);
}

/** Ids of the classes that take a course which a lecturer teaches. */
function classesTaughtBy(db: Database, actor: Actor) {
  return db
    .selectFrom('class_course')
    .select('class_course.class_id')
    .where('class_course.course_id', 'in', coursesTaughtBy(db, actor));
}

type Duty = 'head' | 'assistant';

/** The duties that the actor has in classes, to be joined and narrowed: all of them, or those of one kind. */
export function dutiesOf(db: Database, actor: Pick<Actor, 'id'>, duty?: Duty) {
  const duties = db.selectFrom('class_staff').where('class_staff.staff_id', '=', actor.id);
  return duty ? duties.where('class_staff.duty', '=', duty) : duties;
}

/** Ids of the classes on whose staff the actor is, by whatever duty. */
export const classesStaffedBy = (db: Database, actor: Actor) => dutiesOf(db, actor).select('class_staff.class_id');

/** Ids of the classes that an assistant looks after. */
export const classesAssistedBy = (db: Database, actor: Actor) =>
  dutiesOf(db, actor, 'assistant').select('class_staff.class_id');

/** Ids of the classes whose head teacher the actor is. */
export const classesHeadedBy = (db: Database, actor: Actor) =>
  dutiesOf(db, actor, 'head').select('class_staff.class_id');

/** Posts notices, holds meetings and removes circle posts of the class. */
export async function isHeadTeacher(db: Database, actor: Actor, classId: number): Promise<boolean> {
  const heads = classesHeadedBy(db, actor).where('class_staff.class_id', '=', classId);
  return (await heads.executeTakeFirst()) !== undefined;
}

/** The head teachers or the assistants of classes, with their names, in the order of their ids. */
export const staffOnDuty = (db: Database, duty: Duty, classIds: readonly number[]) =>
  db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['class_staff.class_id', 'staff.id', 'staff.real_name'])
    .where('class_staff.duty', '=', duty)
    .where('class_staff.class_id', 'in', [0, ...classIds])
    .orderBy('staff.id');

/** Ids of the lecturers who teach in a course that the class takes. */
export const lecturersOfClass = (db: Database, classId: number) =>
  db
    .selectFrom('class_course')
    .innerJoin('period', 'period.course_id', 'class_course.course_id')
    .select('period.lecturer_id')
    .where('class_course.class_id', '=', classId)
    .where('period.lecturer_id', 'is not', null)
    .$narrowType<{ lecturer_id: number }>();

/** Ids of the sessions that the actor teaches (lecturer) or whose class they assist (assistant). */
export function sessionsOf(db: Database, actor: Actor) {
  const sessions =
    actor.identity === 'teacher'
      ? sessionsTaughtBy(db, actor)
      : db.selectFrom('class_session').where('class_session.class_id', 'in', classesAssistedBy(db, actor));
  return sessions.select('class_session.id');
}
