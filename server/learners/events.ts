/**
 * Events of learners, for applications. An event is written in the transaction that causes it. Webhooks get events
 * through the outbox, in order per student.
 */

import type { Database } from '#server/platform/db/engine.ts';
import { queueForWebhooks } from '#server/platform/sms/outbox.ts';
import { isForSchool, schoolsOfTokens } from './application-schools.ts';
import type { LearnerEventKind } from './rules.ts';

export interface LearnerEvent {
  kind: LearnerEventKind;
  /** Students that the event is about, each with the id of the homework, report, leave request, notice or exam. */
  about: readonly { studentId: number; recordId: number }[];
  details: Readonly<Record<string, string | number | null>>;
}

/** Rows per statement. */
const chunk = 400;

/** Records an event for students; does nothing if no application could read it. `now` in unix seconds. */
export async function emitLearnerEvent(
  db: Database,
  { kind, about, details }: LearnerEvent,
  now: number,
): Promise<void> {
  if (about.length === 0) return;
  const listening = await db
    .selectFrom('service_token')
    .leftJoin('webhook', (join) => join.onRef('webhook.token_id', '=', 'service_token.id').on('ended_at', 'is', null))
    .select(['service_token.id', 'service_token.every_school', 'webhook.events'])
    .where('service_token.revoked_at', 'is', null)
    .execute();
  if (listening.length === 0) return;
  const hooks = listening.filter(({ events }) => events !== null && namesKind(events, kind));
  const isFor = await schoolsOfTokens(db, hooks);
  const text = JSON.stringify(details);
  for (let from = 0; from < about.length; from += chunk) {
    const part = about.slice(from, from + chunk);
    const students = await db
      .selectFrom('student')
      .select(['id', 'school_id'])
      .where('id', 'in', [...new Set(part.map(({ studentId }) => studentId))])
      .execute();
    const schoolOf = new Map(students.map(({ id, school_id }) => [id, school_id]));
    const rows = part.flatMap(({ studentId: student_id, recordId: record_id }) => {
      const school_id = schoolOf.get(student_id);
      return school_id === undefined ? [] : [{ at: now, kind, student_id, school_id, record_id, details: text }];
    });
    if (rows.length === 0) continue;
    const events = await db
      .insertInto('learner_event')
      .values(rows)
      .returning(['id', 'at', 'kind', 'student_id', 'school_id', 'record_id', 'details'])
      .execute();
    const messages = hooks.flatMap((hook) =>
      events.filter(({ school_id }) => isFor(hook.id, school_id)).map((event) => messageOf(hook.id, event)),
    );
    await queueForWebhooks(db, messages, now);
  }
}

/** Emits an event about the automatic import of a file, to applications of all schools (school 0). */
export async function emitImportEvent(
  db: Database,
  {
    kind,
    importId,
    details,
  }: { kind: 'import.held' | 'import.refused'; importId: number; details: LearnerEvent['details'] },
  now: number,
): Promise<void> {
  const happened = { kind, school_id: 0, record_id: importId, details: JSON.stringify(details) };
  await emitRecordEvent(db, happened, now);
}

/**
 * Emits an event that a student was erased, so that applications erase their data too. The record id is the student's
 * id; the event itself names no student, because events of the student are erased.
 */
export const emitErasureEvent = (
  db: Database,
  student: { id: number; school_id: number },
  now: number,
): Promise<void> =>
  emitRecordEvent(
    db,
    { kind: 'student.erased', school_id: student.school_id, record_id: student.id, details: '{}' },
    now,
  );

/**
 * Records an event without a student, for applications of the school and applications of all schools; with school 0
 * only for the latter.
 */
async function emitRecordEvent(
  db: Database,
  happened: { kind: LearnerEventKind; school_id: number; record_id: number; details: string },
  now: number,
): Promise<void> {
  const { kind, school_id } = happened;
  const hooks = await db
    .selectFrom('webhook')
    .innerJoin('service_token', 'service_token.id', 'webhook.token_id')
    .select(['service_token.id', 'webhook.events'])
    .where('service_token.revoked_at', 'is', null)
    .where('webhook.ended_at', 'is', null)
    .where(isForSchool(school_id))
    .execute();
  const event = await db
    .insertInto('learner_event')
    .values({ at: now, student_id: 0, ...happened })
    .returning(['id', 'at', 'kind', 'student_id', 'school_id', 'record_id', 'details'])
    .executeTakeFirstOrThrow();
  const messages = hooks.filter(({ events }) => namesKind(events, kind)).map((hook) => messageOf(hook.id, event));
  await queueForWebhooks(db, messages, now);
}

/** Combines each of the students with the same record. */
export const aboutEach = (studentIds: readonly number[], recordId: number): LearnerEvent['about'] =>
  studentIds.map((studentId) => ({ studentId, recordId }));

const namesKind = (events: string, kind: LearnerEventKind): boolean => (JSON.parse(events) as string[]).includes(kind);

export interface StoredEvent {
  id: number;
  at: number;
  kind: string;
  student_id: number;
  record_id: number;
  details: string;
}

/** Converts a stored event to the form that webhooks and the API send. */
export const eventOf = ({ id, at, kind, student_id, record_id, details }: StoredEvent) => ({
  id,
  event: kind,
  at,
  uid: student_id,
  record_id,
  details: JSON.parse(details) as Record<string, string | number | null>,
});

/** Converts an event to a webhook message. The lane keeps it behind earlier messages of the same student. */
export const messageOf = (webhookId: number, event: StoredEvent) => ({
  webhook_id: webhookId,
  lane: `${webhookId} ${event.student_id}`,
  content: JSON.stringify(eventOf(event)),
});

/** Purges at most `most` events older than `before` (unix seconds); returns how many. */
export async function purgeEvents(db: Database, { before, most }: { before: number; most: number }): Promise<number> {
  const old = db.selectFrom('learner_event').select('id').where('at', '<', before).orderBy('at').limit(most);
  const { numDeletedRows } = await db.deleteFrom('learner_event').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
