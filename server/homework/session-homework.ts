/** The homework of a scheduled lesson (document 3, section 3, session homework record). */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { missing } from '#server/http/outcome.ts';
import { sessionsOf } from '#server/sessions/visible.ts';

/** One page of the homework that was published from one of the actor's sessions, the latest first. */
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
  if (!own) return missing('课次不存在');
  const matching = db
    .selectFrom('homework')
    .innerJoin('staff', 'staff.id', 'homework.creator_id')
    .where('homework.arrange_id', '=', own.id);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
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
    .orderBy('homework.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const list = rows.map((row) => ({
    ...row,
    hw_status: row.hw_status as 1 | 2,
    revised: row.submit - row.notRevise,
  }));
  return { list, total, page, limit };
}
