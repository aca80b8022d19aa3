/** A lecturer takes leave: the lesson is cancelled and its students are notified. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { expectedStudents } from './roster.ts';
import { leaveFault, missingSession, sessionStatus } from './rules.ts';

/**
 * Cancels a lesson because its lecturer takes leave, and queues a text message to each student. 404: the lesson is not
 * the actor's. 409: it is cancelled already, or has begun.
 */
export async function leaveSession(
  db: Database,
  actor: Actor,
  { id, now, timezone }: { id: number; now: number; timezone: string },
): Promise<null | Refusal> {
  const session = await forUpdate(db)(
    db
      .selectFrom('class_session')
      .innerJoin('class', 'class.id', 'class_session.class_id')
      .select(['class_session.start_time', 'class_session.end_time', 'class_session.cancelled_at', 'class.name'])
      .where('class_session.id', '=', id)
      .where('class_session.id', 'in', sessionsOf(db, actor)),
    ['class_session'],
  ).executeTakeFirst();
  if (!session) return missing(missingSession);
  const status = sessionStatus(session, now);
  const fault = leaveFault(status);
  if (fault) return conflict(fault);

  await db.updateTable('class_session').set({ cancelled_at: now }).where('id', '=', id).execute();
  const students = await expectedStudents(db)
    .select(['student.id', 'student.nickname', 'student.mobile'])
    .where('class_session.id', '=', id)
    .orderBy('class_student.id')
    .execute();
  const moment = `${dayOf(session.start_time, timezone)} ${timeOf(session.start_time, timezone)}`;
  await queueMessages(
    db,
    students.map(({ id: student_id, nickname, mobile }) => ({
      mobile,
      content: `${nickname}同学您好，${session.name}原定于${moment}的课因老师请假取消，具体安排请留意后续通知。`,
      session_id: id,
      student_id,
    })),
    now,
  );
  const change = { record: 'class_session', recordId: id, action: 'leave', before: { status }, after: { status: 4 } };
  await recordHistory(db, { actor, now, ...change });
  return null;
}
