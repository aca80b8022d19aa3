/** Decisions on several leave requests at once, and their undo. */

import { type SqlBool, sql } from 'kysely';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { LeaveBatch } from './leave.contract.ts';
import {
  batchFault,
  changedSinceFault,
  decideFault,
  missingDecision,
  missingLeave,
  type OpStatus,
  undoFault,
  undoLimit,
} from './rules.ts';

/** Maximum ids per statement. */
const maxIdsPerStatement = 500;

/** Maximum decisions that are offered for undo. */
const maxUndoable = 20;

interface Decision {
  ids: readonly number[];
  opStatus: 2 | 3;
  now: number;
}

/**
 * Approves (2) or rejects (3) leave requests, all or none. Returns the batch, by which the decision can be undone. 404:
 * a request is of a class that the actor does not see. 409: a request is not pending any more; the message names its
 * state.
 */
export async function decideRequests(
  db: Database,
  actor: Actor,
  { ids, opStatus, now }: Decision,
): Promise<{ batch_id: number } | Refusal> {
  const refusal = refuseField('ids', batchFault(ids.length));
  if (refusal) return refusal;
  const requests = await lockVisibleRequests(db, actor, ids);
  if (isRefusal(requests)) return requests;
  const action = opStatus === 2 ? 'approve' : 'reject';
  for (const { id, nickname, op_status, course_type } of requests) {
    const fault = decideFault({ name: nickname, op_status, courseType: course_type });
    if (fault) return conflict(fault, { id, op_status });
  }
  const { id } = await db
    .insertInto('leave_batch')
    .values({ staff_id: actor.id, op_status: opStatus, at: now, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const others = await lockEqualRequests(db, requests, { op_status: 1, decided_at: null, decided_by: null });
  const decided = [...requests, ...others];
  await updateRequests(db, decided, { op_status: opStatus, decided_at: now, decided_by: actor.id }, now);
  await db
    .insertInto('leave_batch_record')
    .values(requests.map((request) => ({ batch_id: id, attendance_id: request.id, version: request.version + 1 })))
    .execute();
  for (const request of decided) {
    await recordHistory(db, {
      actor,
      now,
      record: 'attendance',
      recordId: request.id,
      action,
      before: { op_status: request.op_status },
      after: { op_status: opStatus },
    });
  }
  await emitDecided(db, decided, opStatus, now);
  return { batch_id: id };
}

function emitDecided(
  db: Database,
  requests: readonly { id: number; student_id: number }[],
  op_status: OpStatus,
  now: number,
): Promise<void> {
  const about = requests.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  return emitLearnerEvent(db, { kind: 'leave.decided', about, details: { op_status } }, now);
}

/**
 * Undoes a decision within ten minutes: all its requests are pending again, or none. Only the user who decided can undo
 * it, once, and only if no request has changed since.
 */
export async function undoDecision(db: Database, actor: Actor, batchId: number, now: number): Promise<null | Refusal> {
  const batch = await forUpdate(db)(
    db.selectFrom('leave_batch').selectAll().where('id', '=', batchId).where('staff_id', '=', actor.id),
  ).executeTakeFirst();
  if (!batch) return missing(missingDecision);
  const over = refuseFor('conflict', undoFault(batch, now));
  if (over) return over;
  const decided = await db.selectFrom('leave_batch_record').selectAll().where('batch_id', '=', batchId).execute();
  const requests = await lockVisibleRequests(
    db,
    actor,
    decided.map(({ attendance_id }) => attendance_id),
  );
  if (isRefusal(requests)) return requests;
  const versions = new Map(decided.map(({ attendance_id, version }) => [attendance_id, version]));
  for (const { id, nickname: name, op_status, version } of requests) {
    const touched = refuseFor('conflict', changedSinceFault({ name, op_status, version }, versions.get(id)));
    if (touched) return touched;
  }
  const { op_status: decision, at: decided_at } = batch;
  const others = await lockEqualRequests(db, requests, { op_status: decision, decided_at, decided_by: actor.id });
  const undone = [...requests, ...others];
  await updateRequests(db, undone, { op_status: 1, decided_at: null, decided_by: null }, now);
  await db.updateTable('leave_batch').set({ undone_at: now }).where('id', '=', batchId).execute();
  for (const request of undone) {
    await recordHistory(db, {
      actor,
      now,
      record: 'attendance',
      recordId: request.id,
      action: 'undo',
      before: { op_status: request.op_status },
      after: { op_status: 1 },
    });
  }
  await emitDecided(db, undone, 1, now);
  return null;
}

/** Lists the actor's latest decisions that `undoDecision` accepts now, in one class or in all. */
export async function undoableDecisions(
  db: Database,
  actor: Actor,
  classId: number | undefined,
  now: number,
): Promise<LeaveBatch[] | Refusal> {
  const refused = classId === undefined ? undefined : await refuseClass(db, actor, classId);
  if (refused) return refused;
  let batches = db
    .selectFrom('leave_batch')
    .innerJoin('leave_batch_record as kept', 'kept.batch_id', 'leave_batch.id')
    .innerJoin('attendance', 'attendance.id', 'kept.attendance_id')
    .innerJoin('student', 'student.id', 'attendance.student_id')
    .select(['leave_batch.id', 'leave_batch.op_status', 'leave_batch.at'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('student.nickname').as('name')])
    .where('leave_batch.staff_id', '=', actor.id)
    .where('leave_batch.at', '>=', now - undoLimit)
    .where('leave_batch.undone_at', 'is', null)
    .groupBy(['leave_batch.id', 'leave_batch.op_status', 'leave_batch.at'])
    .having(sql<SqlBool>`sum(case when attendance.version = kept.version then 0 else 1 end) = 0`)
    .orderBy('leave_batch.id', 'desc')
    .limit(maxUndoable);
  if (classId !== undefined) batches = batches.where('attendance.class_id', '=', classId);
  return (await batches.execute()).map(({ id, op_status, at, count, name }) => ({
    batch_id: id,
    op_status,
    count,
    name,
    until: at + undoLimit,
  }));
}

interface LockedRequest {
  id: number;
  student_id: number;
  version: number;
  op_status: OpStatus;
  course_type: number;
  nickname: string;
}

/**
 * Locks the requests in order of their ids. 404: a request is missing, or is of a class that the actor does not see.
 */
async function lockVisibleRequests(
  db: Database,
  actor: Actor,
  ids: readonly number[],
): Promise<LockedRequest[] | Refusal> {
  const locked: LockedRequest[] = [];
  const inOrder = ids.toSorted((one, other) => one - other);
  for (let from = 0; from < inOrder.length; from += maxIdsPerStatement) {
    const query = db
      .selectFrom('attendance')
      .innerJoin('student', 'student.id', 'attendance.student_id')
      .innerJoin('period', 'period.id', 'attendance.period_id')
      .innerJoin('course', 'course.id', 'period.course_id')
      .select(['attendance.id', 'attendance.student_id', 'attendance.version', 'attendance.op_status'])
      .select(['course.course_type', 'student.nickname'])
      .where('attendance.id', 'in', inOrder.slice(from, from + maxIdsPerStatement))
      .where('attendance.requested_at', 'is not', null)
      .where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id'))
      .orderBy('attendance.id');
    locked.push(...(await forUpdate(db)(query, ['attendance']).execute()));
  }
  return locked.length === ids.length ? locked : missing(missingLeave);
}

interface RequestState {
  op_status: OpStatus;
  decided_at: number | null;
  decided_by: number | null;
}

/**
 * Locks the student's equal requests in other classes with the lesson's course. They are one absence and are decided
 * together (see `learner-application.ts`).
 */
async function lockEqualRequests(
  db: Database,
  requests: readonly { id: number }[],
  { op_status, decided_at, decided_by }: RequestState,
): Promise<{ id: number; student_id: number; op_status: OpStatus }[]> {
  const ids = inIds(
    db,
    requests.map(({ id }) => id),
  );
  const same = db
    .selectFrom('attendance as asked')
    .innerJoin('attendance as other', (on) =>
      on
        .onRef('other.student_id', '=', 'asked.student_id')
        .onRef('other.period_id', '=', 'asked.period_id')
        .onRef('other.requested_at', '=', 'asked.requested_at')
        .onRef('other.id', '!=', 'asked.id'),
    )
    .select(['other.id', 'other.student_id', 'other.op_status'])
    .where('asked.id', 'in', ids)
    .where('asked.requested_by', 'is', null)
    .where('other.requested_by', 'is', null)
    .where('other.id', 'not in', ids)
    .where('other.op_status', '=', op_status)
    .where('other.decided_at', decided_at === null ? 'is' : '=', decided_at)
    .where('other.decided_by', decided_by === null ? 'is' : '=', decided_by)
    .orderBy('other.id');
  return forUpdate(db)(same, ['other']).execute();
}

async function updateRequests(
  db: Database,
  requests: readonly { id: number }[],
  to: { op_status: OpStatus; decided_at: number | null; decided_by: number | null },
  now: number,
): Promise<void> {
  for (let from = 0; from < requests.length; from += maxIdsPerStatement) {
    await db
      .updateTable('attendance')
      .set((eb) => ({ ...to, changed_at: now, version: eb('version', '+', 1) }))
      .where(
        'id',
        'in',
        requests.slice(from, from + maxIdsPerStatement).map(({ id }) => id),
      )
      .execute();
  }
}
