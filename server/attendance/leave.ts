/** Leave requests of one class and of all classes, decisions on batches of them, and undo. */

import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { containing, named } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type {
  LeaveBatch,
  LeaveFilter,
  LeaveInboxFilter,
  LeaveInboxRow,
  LeavePulse,
  LeaveRow,
} from './leave.contract.ts';
import {
  batchFault,
  decideFault,
  lessonStatus,
  missingDecision,
  missingLeave,
  type OpStatus,
  touchedFault,
  undoFault,
  undoLimit,
} from './rules.ts';

/** Maximum ids per statement. */
const chunk = 500;

/** Maximum decisions offered for undo. */
const maxUndoable = 20;

/** Lists leave requests of a class: pending ones first, then the latest. `now` in unix seconds. */
export async function leavePage(
  db: Database,
  actor: Actor,
  classId: number,
  { page, limit, ids = [], nickname, op_status, sort_field, sort }: LeaveFilter & { ids?: readonly number[] },
  now: number,
) {
  const refused = await refuseClass(db, actor, classId);
  if (refused) return refused;
  let requests = requestsOf(db).where('attendance.class_id', '=', classId);
  if (ids.length > 0) requests = requests.where('attendance.id', 'in', [...ids]);
  if (op_status !== undefined) requests = requests.where('attendance.op_status', '=', op_status);
  if (nickname !== undefined)
    requests = requests.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('student')
          .select('student.id')
          .whereRef('student.id', '=', 'attendance.student_id')
          .where((eb) => eb.or([named('student.nickname', nickname), containing('student.mobile', nickname)])),
      ),
    );
  let rows = withDetails(requests);
  if (sort_field !== undefined) rows = rows.orderBy('attendance.op_status', sort ?? 'asc');
  const { list, ...range } = await pageOf(requests, { page, limit }, latestFirst(rows));
  return { list: list.map((row) => leaveRow(row, now)), ...range };
}

const latestFirst = (requests: ReturnType<typeof withDetails>) =>
  requests.orderBy(waitingFirst).orderBy('attendance.requested_at', 'desc').orderBy('attendance.id', 'desc');

/**
 * Lists leave requests of all visible classes: pending ones first by start of the lesson, then the latest. Days are
 * those of the lessons. `now` in unix seconds.
 */
export async function inboxPage(
  { db, actor, now, settings: { timezone } }: RuleContext<'actor' | 'now' | 'settings'>,
  { waiting, class_id, nickname, title, start, end, ids, ...paging }: LeaveInboxFilter,
) {
  const held = dayRange(start, end, timezone);
  let requests = seenRequestsOf(db, actor);
  if (waiting === 1) requests = requests.where(isWaiting);
  if (class_id !== undefined) requests = requests.where('attendance.class_id', '=', class_id);
  if (ids.length > 0) requests = requests.where('attendance.id', 'in', ids);
  // A subquery per request: there are few requests, but many students and lessons.
  if (nickname !== undefined)
    requests = requests.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('student')
          .select('student.id')
          .whereRef('student.id', '=', 'attendance.student_id')
          .where(named('student.nickname', nickname)),
      ),
    );
  if (title !== undefined || held.from !== undefined || held.until !== undefined)
    requests = requests.where(({ exists, selectFrom }) => {
      let lessons = selectFrom('period as lesson')
        .innerJoin('course as taught', 'taught.id', 'lesson.course_id')
        .select('lesson.id')
        .whereRef('lesson.id', '=', 'attendance.period_id');
      if (title !== undefined)
        lessons = lessons.where((eb) => eb.or([named('lesson.title', title), named('taught.title', title)]));
      if (held.from !== undefined) lessons = lessons.where('lesson.start_play', '>=', held.from);
      if (held.until !== undefined) lessons = lessons.where('lesson.start_play', '<', held.until);
      return exists(lessons);
    });
  const { list, ...range } = await pageOf(requests, paging, (range) => inboxRowsOf(db, requests, range).execute());
  return { list: list.map((row) => inboxRow(row, now)), ...range };
}

/** Sorts by few columns first and reads the details of one page only. */
function inboxRowsOf(db: Database, requests: ReturnType<typeof requestsOf>, { limit, offset }: RowRange) {
  const ids = inInboxOrder(requests.innerJoin('period', 'period.id', 'attendance.period_id').select('attendance.id'))
    .limit(limit)
    .offset(offset);
  return inInboxOrder(withClass(requestsOf(db).where('attendance.id', 'in', ids)));
}

const inInboxOrder = <DB, TB extends keyof DB, Row>(requests: SelectQueryBuilder<DB, TB, Row>) =>
  requests
    .orderBy(waitingFirst)
    .orderBy(sql`case when attendance.op_status = 1 then period.start_play else 0 end`)
    .orderBy(sql.ref('attendance.requested_at'), 'desc')
    .orderBy(sql.ref('attendance.id'), 'desc');

/**
 * Reads the first pending requests of all visible classes and their total in one statement. Details are joined after
 * the limit.
 */
export async function leaveRequests(db: Database, actor: Actor, { limit, now }: { limit: number; now: number }) {
  const rows = await atHand(db, { id: actor.id, limit }, actor.identity);
  return { total: rows[0]?.total ?? 0, list: rows.map((row) => inboxRow(row, now)) };
}

const atHand = prepared((db, { id, limit }: Placeholders<{ id: number; limit: number }>, identity: Identity) => {
  const first = seenRequestsOf(db, { id, identity })
    .innerJoin('period', 'period.id', 'attendance.period_id')
    .where(isWaiting)
    .select(['attendance.id', sql<number>`count(*) over ()`.as('total')])
    .orderBy('period.start_play')
    .orderBy('attendance.requested_at', 'desc')
    .orderBy('attendance.id', 'desc')
    .limit(limit);
  return withClass(requestsOf(db))
    .innerJoin(first.as('first'), 'first.id', 'attendance.id')
    .select('first.total')
    .orderBy('period.start_play')
    .orderBy('attendance.requested_at', 'desc')
    .orderBy('attendance.id', 'desc');
});

/** Counts pending requests of all visible classes by the partial index. */
export async function pendingLeave(db: Database, actor: Actor): Promise<number> {
  return countOf(
    db
      .selectFrom('attendance')
      .where(isWaiting)
      .where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id')),
  );
}

/** Must match the condition of the partial index `attendance_pending`. */
const isWaiting = sql<SqlBool>`attendance.op_status = 1`;

const requestsOf = (db: Database) => db.selectFrom('attendance').where('attendance.requested_at', 'is not', null);

/** Requests of all visible classes. */
const seenRequestsOf = (db: Database, actor: Viewer) =>
  requestsOf(db).where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id'));

/** Must match the expression of the index `attendance_leave`. */
const waitingFirst = sql`case when attendance.op_status = 1 then 0 else 1 end`;

/** Joins the displayed columns. */
const withDetails = (requests: ReturnType<typeof requestsOf>) =>
  requests
    .innerJoin('student', 'student.id', 'attendance.student_id')
    .innerJoin('period', 'period.id', 'attendance.period_id')
    .innerJoin('course', 'course.id', 'period.course_id')
    .leftJoin('staff', 'staff.id', 'attendance.decided_by')
    .select([
      'attendance.id',
      'attendance.student_id',
      'student.nickname',
      'student.mobile',
      'attendance.leave_cause',
      'attendance.op_status',
      'attendance.requested_at',
      'attendance.decided_at',
      'staff.real_name',
      'course.title as course_title',
      'period.title as period_title',
      'period.start_play',
      'period.total_time',
    ]);

type DetailedRequest = Awaited<ReturnType<ReturnType<typeof withDetails>['execute']>>[number];

const leaveRow = (row: DetailedRequest, now: number): LeaveRow => ({
  id: row.id,
  uid: row.student_id,
  name: row.nickname,
  mobile: row.mobile,
  leave_cause: row.leave_cause,
  op_status: row.op_status,
  course_basis_title: row.course_title,
  course_periods_title: row.period_title,
  course_periods_status: lessonStatus(row, now),
  start_play: row.start_play,
  requested_at: row.requested_at ?? 0,
  decided_by: row.real_name ?? '',
  decided_at: row.decided_at ?? 0,
});

const withClass = (requests: ReturnType<typeof requestsOf>) =>
  withDetails(requests)
    .innerJoin('class', 'class.id', 'attendance.class_id')
    .select(['class.id as class_id', 'class.name as class_name']);

const inboxRow = (
  row: Awaited<ReturnType<ReturnType<typeof withClass>['execute']>>[number],
  now: number,
): LeaveInboxRow => ({ ...leaveRow(row, now), class_id: row.class_id, class_name: row.class_name });

/** Polled while a list is open, so it costs two index lookups. */
export async function pulseOf(db: Database, actor: Actor, classId: number): Promise<LeavePulse | Refusal> {
  const refused = await refuseClass(db, actor, classId);
  if (refused) return refused;
  const [pulse] = await pulseOfClass(db, { classId });
  const { pending = 0, id = null, version = null, changed_at = null } = pulse ?? {};
  return { pending, mark: id === null ? `${pending}` : `${pending}-${changed_at}-${id}-${version}` };
}

const pulseOfClass = (db: Database, { classId }: { classId: number }) => {
  const waiting = db
    .selectFrom('attendance')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('class_id', '=', classId)
    .where(isWaiting);
  const latest = db
    .selectFrom('attendance')
    .select(['id', 'version', 'changed_at'])
    .where('class_id', '=', classId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  return db
    .selectFrom(waiting.as('waiting'))
    .leftJoin(latest.as('latest'), (join) => join.onTrue())
    .select(['waiting.pending', 'latest.id', 'latest.version', 'latest.changed_at'])
    .execute();
};

interface Decision {
  ids: readonly number[];
  opStatus: 2 | 3;
  now: number;
}

/**
 * Approves (2) or rejects (3) requests, all or none, and returns the batch, by which the decision can be undone. 404: a
 * request is not of a visible class. 409: not pending any more, with its state.
 */
export async function decide(
  db: Database,
  actor: Actor,
  { ids, opStatus, now }: Decision,
): Promise<{ batch_id: number } | Refusal> {
  const refusal = refuseField('ids', batchFault(ids.length));
  if (refusal) return refusal;
  const requests = await seenRequests(db, actor, ids);
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
  const others = await sameRequests(db, requests, { op_status: 1, decided_at: null, decided_by: null });
  const decided = [...requests, ...others];
  await change(db, decided, { op_status: opStatus, decided_at: now, decided_by: actor.id }, now);
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
  await tellDecided(db, decided, opStatus, now);
  return { batch_id: id };
}

function tellDecided(
  db: Database,
  requests: readonly { id: number; student_id: number }[],
  op_status: OpStatus,
  now: number,
): Promise<void> {
  const about = requests.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  return emitLearnerEvent(db, { kind: 'leave.decided', about, details: { op_status } }, now);
}

/**
 * Undoes a decision within ten minutes: its requests are pending again, all or none. Only by the user who decided,
 * once, and not if a request has changed since.
 */
export async function undo(db: Database, actor: Actor, batchId: number, now: number): Promise<null | Refusal> {
  const batch = await forUpdate(db)(
    db.selectFrom('leave_batch').selectAll().where('id', '=', batchId).where('staff_id', '=', actor.id),
  ).executeTakeFirst();
  if (!batch) return missing(missingDecision);
  const over = refuseFor('conflict', undoFault(batch, now));
  if (over) return over;
  const decided = await db.selectFrom('leave_batch_record').selectAll().where('batch_id', '=', batchId).execute();
  const requests = await seenRequests(
    db,
    actor,
    decided.map(({ attendance_id }) => attendance_id),
  );
  if (isRefusal(requests)) return requests;
  const versions = new Map(decided.map(({ attendance_id, version }) => [attendance_id, version]));
  for (const { id, nickname: name, op_status, version } of requests) {
    const touched = refuseFor('conflict', touchedFault({ name, op_status, version }, versions.get(id)));
    if (touched) return touched;
  }
  const { op_status: decision, at: decided_at } = batch;
  const others = await sameRequests(db, requests, { op_status: decision, decided_at, decided_by: actor.id });
  const undone = [...requests, ...others];
  await change(db, undone, { op_status: 1, decided_at: null, decided_by: null }, now);
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
  await tellDecided(db, undone, 1, now);
  return null;
}

/** Lists the actor's latest decisions, in one class or all, that `undo` accepts now. */
export async function undoable(
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

/** Locks requests in order of their ids. 404: one is missing or not of a visible class. */
async function seenRequests(db: Database, actor: Actor, ids: readonly number[]): Promise<LockedRequest[] | Refusal> {
  const found: LockedRequest[] = [];
  const inOrder = ids.toSorted((one, other) => one - other);
  for (let from = 0; from < inOrder.length; from += chunk) {
    const query = db
      .selectFrom('attendance')
      .innerJoin('student', 'student.id', 'attendance.student_id')
      .innerJoin('period', 'period.id', 'attendance.period_id')
      .innerJoin('course', 'course.id', 'period.course_id')
      .select(['attendance.id', 'attendance.student_id', 'attendance.version', 'attendance.op_status'])
      .select(['course.course_type', 'student.nickname'])
      .where('attendance.id', 'in', inOrder.slice(from, from + chunk))
      .where('attendance.requested_at', 'is not', null)
      .where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id'))
      .orderBy('attendance.id');
    found.push(...(await forUpdate(db)(query, ['attendance']).execute()));
  }
  return found.length === ids.length ? found : missing(missingLeave);
}

interface Standing {
  op_status: OpStatus;
  decided_at: number | null;
  decided_by: number | null;
}

/**
 * Locks the student's equal requests in other classes with the lesson's course: it is one absence and decided once
 * (`learner-application.ts`).
 */
async function sameRequests(
  db: Database,
  requests: readonly { id: number }[],
  { op_status, decided_at, decided_by }: Standing,
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

async function change(
  db: Database,
  requests: readonly { id: number }[],
  to: { op_status: OpStatus; decided_at: number | null; decided_by: number | null },
  now: number,
): Promise<void> {
  for (let from = 0; from < requests.length; from += chunk) {
    await db
      .updateTable('attendance')
      .set((eb) => ({ ...to, changed_at: now, version: eb('version', '+', 1) }))
      .where(
        'id',
        'in',
        requests.slice(from, from + chunk).map(({ id }) => id),
      )
      .execute();
  }
}
