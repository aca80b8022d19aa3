/** Handout of a lesson: uploaded by staff, approved or rejected by administrators. */

import { fileAddress, fileOfAddress } from '#server/courseware/file.ts';
import { visibleFiles } from '#server/courseware/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Person } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { fileNameLimit } from '#server/platform/files/rules.ts';
import type { RuleContext } from '#server/school/context.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import type { uploadNotes } from './contract.ts';
import { handoutFault, missingHandout, missingSession, sessionMessages, sessionStatus } from './rules.ts';

/** Lists rejected handouts of the actor's lessons that nobody has replaced, next lesson first. */
export const rejectedHandouts = (db: Database, { id, identity }: Person, limit: number) =>
  rejected(db, { id, limit }, identity);

const rejected = prepared((db, { id, limit }: Placeholders<Record<'id' | 'limit', number>>, identity: Identity) =>
  db
    .selectFrom('session_handout')
    .innerJoin('class_session', 'class_session.id', 'session_handout.session_id')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .select([
      'class_session.id',
      'class.class_type',
      'class.name as class_name',
      'class_session.start_time',
      'session_handout.file_name',
      'session_handout.file_remark',
    ])
    .where('session_handout.status', '=', 4)
    .where('class_session.cancelled_at', 'is', null)
    .where('class_session.id', 'in', sessionsOf(db, { id, identity }))
    .orderBy('class_session.start_time')
    .orderBy('class_session.id')
    .limit(limit),
);

type HandoutContext = RuleContext<'storage' | 'actor' | 'now'>;

/**
 * Uploads or replaces the handout of a lesson. It is pending until an administrator decides, and can no longer be
 * replaced once approved. 404: the actor has no such lesson, or there is no such file. 422: no file, wrong type, or
 * name too long. 409: the lesson is cancelled, or the handout is approved.
 */
export async function uploadHandout(
  context: HandoutContext,
  body: BodyOf<typeof uploadNotes>,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const id = body.class_times_id ?? 0;
  const session = await forUpdate(db)(
    db
      .selectFrom('class_session')
      .select(['start_time', 'end_time', 'cancelled_at'])
      .where('id', '=', id)
      .where('id', 'in', sessionsOf(db, actor)),
  ).executeTakeFirst();
  if (!session) return missing(missingSession);
  const before = await db
    .selectFrom('session_handout')
    .select(['file_id', 'file_name', 'status'])
    .where('session_id', '=', id)
    .executeTakeFirst();
  const fault = handoutFault({ status: sessionStatus(session, now), file_status: before?.status ?? 2 });
  if (fault) return conflict(fault);
  const file = await fileOf(context, body);
  if (isRefusal(file)) return file;
  const file_name = body.file_name.replace(/\p{Cc}+/gu, ' ').trim() || file.name;
  if ([...file_name].length > fileNameLimit) return invalid({ file_name: [sessionMessages.handoutName] });

  const handout = { file_id: file.id, file_name, status: 3 as const, file_remark: '' };
  const by = { uploaded_by: actor.id, uploaded_at: now, decided_by: null, decided_at: null };
  await db
    .insertInto('session_handout')
    .values({ session_id: id, ...handout, ...by })
    .onConflict((conflicting) => conflicting.column('session_id').doUpdateSet({ ...handout, ...by }))
    .execute();
  const change = { record: 'class_session', recordId: id, action: 'handout', before: before ?? null, after: handout };
  await recordHistory(db, { actor, now, ...change });
  return null;
}

/**
 * Finds the uploaded file by its id or address. 404: the actor does not see the file. 422: wrong type, or no file is
 * named.
 */
async function fileOf(context: HandoutContext, { fid, file_url }: { fid?: number | undefined; file_url: string }) {
  const { db, actor } = context;
  if (fid === undefined && file_url === '') return invalid({ file: [sessionMessages.handout] });
  const address = fid === undefined ? file_url : fileAddress(fid);
  const id = await fileOfAddress(context, address, { type: 1, field: 'file' });
  if (isRefusal(id)) return id;
  const file = await visibleFiles(db, actor)
    .select(['ware_file.id', 'ware_file.name'])
    .where('ware_file.id', '=', id ?? 0)
    .executeTakeFirst();
  return file ?? missing(missingHandout);
}
