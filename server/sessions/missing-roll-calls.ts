import { sql } from 'kysely';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Operand } from '#server/platform/db/prepared.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { expectedStudents } from './roster.ts';
import { inPerson, markedAttendance } from './rules.ts';

/**
 * Selects the actor's in-person lessons that began between `since` and `now` (unix seconds) and whose roll was not
 * called.
 */
export const sessionsMissingRollCalls = (
  db: Database,
  actor: Viewer,
  { since, now }: Record<'since' | 'now', Operand<number>>,
) =>
  db
    .selectFrom('class_session as lesson')
    .innerJoin('class', 'class.id', 'lesson.class_id')
    .innerJoin('course', 'course.id', 'lesson.course_id')
    .select([sql<'period' | 'session'>`'session'`.as('kind'), 'lesson.id', 'lesson.chapter_title as title'])
    .select(['lesson.start_time', 'course.title as course_title'])
    .select(['class.id as class_id', 'class.name as class_name', 'class.class_type'])
    .where('lesson.teaching_mode', '=', inPerson)
    .where('lesson.cancelled_at', 'is', null)
    .where('lesson.start_time', '>', since)
    .where('lesson.start_time', '<=', now)
    .where('lesson.id', 'in', sessionsOf(db, actor))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_student')
            .select('session_student.id')
            .whereRef('session_student.session_id', '=', 'lesson.id')
            .where('session_student.status', 'in', markedAttendance),
        ),
      ),
    )
    .where(({ exists, ref }) =>
      exists(
        expectedStudents(db)
          .leftJoin('session_student as own', (join) =>
            join.onRef('own.session_id', '=', 'class_session.id').onRef('own.student_id', '=', 'student.id'),
          )
          .select('student.id')
          .where('class_session.id', '=', ref('lesson.id'))
          // A lesson whose students are all on leave needs no roll call.
          .where('own.status', 'is', null),
      ),
    );
