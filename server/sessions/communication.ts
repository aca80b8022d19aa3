/** Staff's notes of talks with students about a lesson. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { isExpected } from './roster.ts';
import { communicationLimit, missingSession, sessionMessages } from './rules.ts';

const noSession = () => missing(missingSession);

async function isOwn(db: Database, actor: Actor, id: number): Promise<boolean> {
  return (await sessionsOf(db, actor).where('class_session.id', '=', id).executeTakeFirst()) !== undefined;
}

/**
 * Lists notes of talks about a lesson, latest first; with `user_id` only about one student. 404: the actor has no such
 * lesson.
 */
export async function communicationPage(
  db: Database,
  actor: Actor,
  { id, user_id, page, limit }: { id: number; user_id?: number | undefined; page: number; limit: number },
) {
  if (!(await isOwn(db, actor, id))) return noSession();
  let matching = db
    .selectFrom('communication_record')
    .innerJoin('student', 'student.id', 'communication_record.student_id')
    .innerJoin('staff', 'staff.id', 'communication_record.staff_id')
    .where('communication_record.session_id', '=', id);
  if (user_id !== undefined) matching = matching.where('communication_record.student_id', '=', user_id);
  return pageOf(
    matching,
    { page, limit },
    matching
      .select([
        'communication_record.id',
        'student.id as user_id',
        'student.nickname as clue_name',
        'communication_record.content',
        'staff.real_name as nickname',
        'communication_record.created_at',
      ])
      .orderBy('communication_record.created_at', 'desc')
      .orderBy('communication_record.id', 'desc'),
  );
}

/**
 * Adds a note of a talk; allowed for cancelled lessons too. 404: the actor has no such lesson. 422: the student is not
 * in the lesson, or the text is missing or too long.
 */
export async function addTalkNote(
  db: Database,
  actor: Actor,
  { id, user_id, content, now }: { id: number; user_id?: number | undefined; content: string; now: number },
): Promise<null | Refusal> {
  if (!(await isOwn(db, actor, id))) return noSession();
  const text = content.replaceAll('\r\n', '\n').trim();
  const errors: Record<string, string[]> = {};
  if (user_id === undefined || !(await isExpected(db, id, user_id))) errors.user_id = [sessionMessages.student];
  if (text === '') errors.content = [sessionMessages.communication];
  else if ([...text].length > communicationLimit) errors.content = [sessionMessages.communicationLength];
  if (user_id === undefined || Object.keys(errors).length > 0) return invalid(errors);
  await db
    .insertInto('communication_record')
    .values({ session_id: id, student_id: user_id, staff_id: actor.id, content: text, created_at: now })
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_session',
    recordId: id,
    action: 'communicate',
    before: null,
    after: { student_id: user_id },
  });
  return null;
}
