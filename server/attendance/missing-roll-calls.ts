/** Face-to-face lessons whose roll was not called: periods of classes, and scheduled lessons. */
import { sql } from 'kysely';
import { offlineCourse } from '#server/classes/rules.ts';
import { visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Person, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { periodsTaughtBy } from '#server/school/staff-duties.ts';
import { sessionsMissingRollCalls } from '#server/sessions/missing-roll-calls.ts';
import { wasMember } from './facts.ts';
import { excusedStatuses, markedStatuses } from './rules.ts';

/**
 * Lists lessons that began in the time span (unix seconds) and whose roll was not called, latest first. `total` counts
 * all of them.
 */
export async function listUncalledLessons(
  db: Database,
  { id, identity }: Person,
  span: { since: number; now: number; limit: number },
) {
  const rows = await uncalled(db, { id, ...span }, identity);
  return { total: rows[0]?.total ?? 0, list: rows.map(({ total: _, ...lesson }) => lesson) };
}

const uncalled = prepared(
  (
    db,
    { id, since, now, limit }: Placeholders<Record<'id' | 'since' | 'now' | 'limit', number>>,
    identity: Identity,
  ) => {
    const actor = { id, identity };
    const lessons = uncalledPeriods(db, actor, { since, now }).unionAll(
      sessionsMissingRollCalls(db, actor, { since, now }),
    );
    return db
      .selectFrom(lessons.as('lesson'))
      .selectAll()
      .select(sql<number>`count(*) over ()`.as('total'))
      .orderBy('lesson.start_time', 'desc')
      .orderBy('lesson.kind')
      .orderBy('lesson.id', 'desc')
      .orderBy('lesson.class_id')
      .limit(limit);
  },
);

/** Selects such periods of visible classes; for a lecturer only their own periods. */
const uncalledPeriods = (db: Database, actor: Viewer, { since, now }: Record<'since' | 'now', Operand<number>>) =>
  db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .innerJoin('class_course', 'class_course.course_id', 'course.id')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select([sql<'period' | 'session'>`'period'`.as('kind'), 'period.id', 'period.title'])
    .select(['period.start_play as start_time', 'course.title as course_title'])
    .select(['class.id as class_id', 'class.name as class_name', 'class.class_type'])
    .where('course.course_type', '=', offlineCourse)
    .where('period.start_play', '>', since)
    .where('period.start_play', '<=', now)
    .$if(actor.identity === 'teacher', (periods) =>
      periods.where('period.id', 'in', periodsTaughtBy(db, actor).select('period.id')),
    )
    .where('class.id', 'in', visibleClasses(db, actor).select('class.id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attendance')
            .select('attendance.id')
            .whereRef('attendance.period_id', '=', 'period.id')
            .whereRef('attendance.class_id', '=', 'class.id')
            .where('attendance.op_status', 'in', markedStatuses),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('class_student as member')
          .select('member.id')
          .leftJoin('attendance as own', (join) =>
            join
              .onRef('own.period_id', '=', 'period.id')
              .onRef('own.class_id', '=', 'member.class_id')
              .onRef('own.student_id', '=', 'member.student_id'),
          )
          .whereRef('member.class_id', '=', 'class.id')
          .where(wasMember)
          // A period whose students are all excused needs no roll call.
          .where(({ or, eb }) => or([eb('own.op_status', 'is', null), eb('own.op_status', 'not in', excusedStatuses)])),
      ),
    );
