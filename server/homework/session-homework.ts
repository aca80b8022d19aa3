/** Homework of a lesson, and of a group class. */
import type { SelectQueryBuilder } from 'kysely';
import { missingClass } from '#server/classes/rules.ts';
import { teamClassesOf } from '#server/group-classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { QueryOf } from '#server/platform/calls/call.ts';
import { missing, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { lessonHomeworkFault, recalledStatus } from './rules.ts';
import type { teamHomework } from './session.contract.ts';

export const refuseLessonHomework = (settings: SchoolSettings) => refuseFor('forbidden', lessonHomeworkFault(settings));

/** Lists the homework published from one lesson, latest first. 404: the actor has no such lesson. */
export async function sessionHomeworkPage(
  db: Database,
  actor: Actor,
  { type_id, page, limit }: { type_id?: number | undefined; page: number; limit: number },
) {
  const own = await db
    .selectFrom('class_session')
    .select('id')
    .where('id', '=', type_id ?? 0)
    .where('id', 'in', sessionsOf(db, actor))
    .executeTakeFirst();
  if (!own) return missing(missingSession);
  return homeworkRecordPage(db.selectFrom('homework').where('homework.arrange_id', '=', own.id), { page, limit });
}

/** Lists the homework of one group class, latest first. 404: the actor has no such class. */
export async function teamHomeworkPage(
  db: Database,
  actor: Actor,
  query: QueryOf<typeof teamHomework>,
  timezone: string,
) {
  const own = await teamClassesOf(db, actor)
    .select('class.id')
    .where('class.id', '=', query.class_id ?? 0)
    .executeTakeFirst();
  if (!own) return missing(missingClass);
  const days = dayRange(query.start_time, query.end_time, timezone);
  let homework = db
    .selectFrom('homework')
    .where('homework.id', 'in', (eb) =>
      eb
        .selectFrom('homework_class')
        .select('homework_class.homework_id')
        .where('homework_class.class_id', '=', own.id)
        .where('homework_class.published_at', 'is not', null),
    );
  if (query.hw_name !== undefined) homework = homework.where(nameContains('homework.name', query.hw_name));
  if (days.from !== undefined) homework = homework.where('homework.publish_time', '>=', days.from);
  if (days.until !== undefined) homework = homework.where('homework.publish_time', '<', days.until);
  return homeworkRecordPage(homework, query);
}

/** Counts that a recalled homework shows. */
const nothingCounted = { submit: 0, shouldSubmit: 0, notRevise: 0, revised: 0 };

async function homeworkRecordPage(
  homework: SelectQueryBuilder<Tables, 'homework', object>,
  { page, limit }: { page: number; limit: number },
) {
  const matching = homework.innerJoin('staff', 'staff.id', 'homework.creator_id');
  const { list: rows, ...range } = await pageOf(
    matching,
    { page, limit },
    matching
      .select([
        'homework.id as hw_id',
        'homework.name',
        'homework.status as hw_status',
        'homework.submitted_homework_count as submit',
        'homework.homework_count as shouldSubmit',
        'homework.not_revised_homework_count as notRevise',
        'homework.ending_time',
        'homework.publish_time',
        'staff.real_name as creator_name',
      ])
      .orderBy('homework.publish_time', 'desc')
      .orderBy('homework.id', 'desc'),
  );
  const list = rows.map((row) => ({
    ...row,
    hw_status: row.hw_status,
    revised: row.submit - row.notRevise,
    ...(row.hw_status === recalledStatus ? nothingCounted : {}),
  }));
  return { list, ...range };
}
