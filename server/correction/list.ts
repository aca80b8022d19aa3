/** The reports that wait for the actor's review. */

import { homeworkOf } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { containing } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import { classesAssistedBy } from '#server/school/reach.ts';
import type { CorrectionFilter } from './list.contract.ts';

/** Submitted reports of homework that is not recalled; for an assistant those of the classes they assist. */
function waitingReports(db: Database, actor: Actor) {
  const waiting = db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.status', '=', 2)
    .where('homework.status', '=', 1)
    // Of most homework nothing waits: by its counter its reports need not be looked for.
    .where('homework.not_revised_homework_count', '>', 0)
    .where('homework.id', 'in', homeworkOf(db, actor, 'own'));
  return actor.identity === 'assist' ? waiting.where('report.class_id', 'in', classesAssistedBy(db, actor)) : waiting;
}

/** One page, handed in first comes first. */
export async function correctionPage(db: Database, actor: Actor, filter: CorrectionFilter, timezone: string) {
  const published = dayRange(filter.publish_start, filter.publish_end, timezone);
  let query = waitingReports(db, actor);
  if (published.from !== undefined) query = query.where('homework.publish_time', '>=', published.from);
  if (published.until !== undefined) query = query.where('homework.publish_time', '<', published.until);
  if (filter.type !== undefined) query = query.where('homework.type', '=', filter.type);
  if (filter.name) query = query.where(containing('homework.name', filter.name));
  // What a report belongs to is asked where a filter names it, and read below for the rows of the page alone.
  const { course_title, periods_title, nickname, publisher_name } = filter;
  if (course_title) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('course')
          .select('course.id')
          .whereRef('course.id', '=', 'homework.course_id')
          .where(containing('course.title', course_title)),
      ),
    );
  }
  if (periods_title) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('period')
          .select('period.id')
          .whereRef('period.id', '=', 'homework.period_id')
          .where(containing('period.title', periods_title)),
      ),
    );
  }
  if (nickname) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('student')
          .select('student.id')
          .whereRef('student.id', '=', 'report.student_id')
          .where(containing('student.nickname', nickname)),
      ),
    );
  }
  if (publisher_name) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('staff as creator')
          .select('creator.id')
          .whereRef('creator.id', '=', 'homework.creator_id')
          .where(containing('creator.real_name', publisher_name)),
      ),
    );
  }

  const inOrder = query.select('report.id').orderBy('report.submit_time').orderBy('report.id');
  const { list: ids, ...range } = await pageOf(query, filter, inOrder);
  const rows = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select([
      'report.id as report_id',
      'homework.id as hw_id',
      'student.id as uid',
      'homework.name',
      'student.nickname',
      'report.submit_time',
      'homework.type',
      'course.title as course_title',
      'period.title as periods_title',
      'creator.real_name as publisher_name',
      'homework.publish_time',
    ])
    .where('report.id', 'in', [0, ...ids.map(({ id }) => id)])
    .orderBy('report.submit_time')
    .orderBy('report.id')
    .execute();
  const list = rows.map((row) => ({
    ...row,
    type: row.type,
    submit_time: row.submit_time ?? 0,
    periods_title: row.periods_title ?? '',
  }));
  return { list, ...range };
}

/** How many reports wait for the actor: read from the counters, never by counting reports. */
export async function correctionsWaiting(db: Database, actor: Actor): Promise<number> {
  const counters =
    actor.identity === 'assist'
      ? db
          .selectFrom('homework_class')
          .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
          .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
          .select((eb) => eb.fn.sum<number | null>('homework_class.not_revised_homework_count').as('quantity'))
      : db
          .selectFrom('homework')
          .where('homework.id', 'in', homeworkOf(db, actor, 'own'))
          .select((eb) => eb.fn.sum<number | null>('homework.not_revised_homework_count').as('quantity'));
  const { quantity } = await counters.where('homework.status', '=', 1).executeTakeFirstOrThrow();
  return quantity ?? 0;
}
