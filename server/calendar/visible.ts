/**
 * Entries of a calendar; every read starts here. The calendar of a lecturer has the periods and lessons that they
 * teach, and the meetings that they host or whose class they head. The calendar of an assistant has the periods,
 * lessons and meetings of their classes. The calendar of a class has all entries of the class.
 */

import { classTypes } from '#server/classes/rules.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Operand } from '#server/platform/db/prepared.ts';
import { classesAssistedBy, classesStaffedBy, periodsTaughtBy, sessionsOf } from '#server/school/staff-duties.ts';

/** Selects the periods of the actor's own calendar; the caller adds columns. */
export function periodsOf(db: Database, actor: Viewer) {
  return actor.identity === 'teacher'
    ? periodsTaughtBy(db, actor)
    : db.selectFrom('period').where('period.course_id', 'in', coursesOfAssisted(db, actor));
}

export function periodsOfClass(db: Database, classId: Operand<number>) {
  return db
    .selectFrom('period')
    .where('period.course_id', 'in', (eb) =>
      eb.selectFrom('class_course').select('class_course.course_id').where('class_course.class_id', '=', classId),
    );
}

/**
 * Selects the ids of the courses of an assistant's state-school classes. Group classes have lessons instead of courses.
 */
function coursesOfAssisted(db: Database, actor: Viewer) {
  return db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select('class_course.course_id')
    .where('class.class_type', '=', classTypes.stateSchool)
    .where('class.id', 'in', classesAssistedBy(db, actor));
}

/** Selects the scheduled lessons of the actor's own calendar. */
export const lessonsOf = (db: Database, actor: Viewer) => sessionsOf(db, actor).clearSelect();

export const lessonsOfClass = (db: Database, classId: Operand<number>) =>
  db.selectFrom('class_session').where('class_session.class_id', '=', classId);

/** Selects the meetings of the actor's own calendar. */
export function meetingsOf(db: Database, actor: Viewer) {
  return db
    .selectFrom('class_meeting')
    .where((eb) =>
      eb.or([
        eb('class_meeting.staff_id', '=', actor.id),
        eb('class_meeting.class_id', 'in', classesStaffedBy(db, actor)),
      ]),
    );
}

export const meetingsOfClass = (db: Database, classId: Operand<number>) =>
  db.selectFrom('class_meeting').where('class_meeting.class_id', '=', classId);

/**
 * Selects the groups whose rooms the actor may enter: an assistant's own groups; for a lecturer all groups of the
 * course.
 */
export function groupsOf(db: Database, actor: Viewer) {
  const groups = db.selectFrom('class_group');
  return actor.identity === 'teacher'
    ? groups
    : groups
        .where('class_group.class_id', 'in', classesAssistedBy(db, actor))
        .where('class_group.id', 'in', (eb) =>
          eb
            .selectFrom('class_group_staff')
            .select('class_group_staff.class_group_id')
            .where('class_group_staff.staff_id', '=', actor.id),
        );
}
