/** Who teaches, assists and looks after what. What a person may see of any subject starts here. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Ids of the courses in which a lecturer teaches at least one period. */
export function coursesTaughtBy(db: Database, actor: Actor) {
  return db.selectFrom('period').select('period.course_id').distinct().where('period.lecturer_id', '=', actor.id);
}

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
export function classesTaughtBy(db: Database, actor: Actor) {
  return db
    .selectFrom('class_course')
    .select('class_course.class_id')
    .where('class_course.course_id', 'in', coursesTaughtBy(db, actor));
}

/** Ids of the classes that an assistant looks after. */
export function classesAssistedBy(db: Database, actor: Actor) {
  return db
    .selectFrom('class_staff')
    .select('class_staff.class_id')
    .where('class_staff.staff_id', '=', actor.id)
    .where('class_staff.duty', '=', 'assistant');
}

/** Ids of the sessions that the actor teaches (lecturer) or whose class they assist (assistant). */
export function sessionsOf(db: Database, actor: Actor) {
  const sessions = db.selectFrom('class_session').select('class_session.id');
  return actor.identity === 'teacher'
    ? sessions.where('class_session.lecturer_id', '=', actor.id)
    : sessions.where('class_session.class_id', 'in', classesAssistedBy(db, actor));
}
