/** Lists of leave requests, of one class or of all classes, and the counts that a page polls. */

import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { LeaveFilter, LeaveInboxFilter, LeaveInboxRow, LeavePulse, LeaveRow } from './leave.contract.ts';
import { lessonStatus } from './rules.ts';

/** Lists the leave requests of a class: pending ones first, then the latest. `now` in unix seconds. */
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
          .where((eb) => eb.or([nameContains('student.nickname', nickname), containsText('student.mobile', nickname)])),
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
 * Lists the leave requests of all visible classes: pending ones first, by start of the lesson, then the latest. `start`
 * and `end` are days of lessons. `now` in unix seconds.
 */
export async function inboxPage(
  { db, actor, now, settings: { timezone } }: RuleContext<'actor' | 'now' | 'settings'>,
  { waiting, class_id, nickname, title, start, end, ids, ...paging }: LeaveInboxFilter,
) {
  const held = dayRange(start, end, timezone);
  let requests = visibleRequests(db, actor);
  if (waiting === 1) requests = requests.where(isWaiting);
  if (class_id !== undefined) requests = requests.where('attendance.class_id', '=', class_id);
  if (ids.length > 0) requests = requests.where('attendance.id', 'in', ids);
  // Runs a subquery per request, because there are few requests but many students and lessons.
  if (nickname !== undefined)
    requests = requests.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('student')
          .select('student.id')
          .whereRef('student.id', '=', 'attendance.student_id')
          .where(nameContains('student.nickname', nickname)),
      ),
    );
  if (title !== undefined || held.from !== undefined || held.until !== undefined)
    requests = requests.where(({ exists, selectFrom }) => {
      let lessons = selectFrom('period as lesson')
        .innerJoin('course as taught', 'taught.id', 'lesson.course_id')
        .select('lesson.id')
        .whereRef('lesson.id', '=', 'attendance.period_id');
      if (title !== undefined)
        lessons = lessons.where((eb) =>
          eb.or([nameContains('lesson.title', title), nameContains('taught.title', title)]),
        );
      if (held.from !== undefined) lessons = lessons.where('lesson.start_play', '>=', held.from);
      if (held.until !== undefined) lessons = lessons.where('lesson.start_play', '<', held.until);
      return exists(lessons);
    });
  const { list, ...range } = await pageOf(requests, paging, (range) => inboxRowsOf(db, requests, range).execute());
  return { list: list.map((row) => inboxRow(row, now)), ...range };
}

/** Sorts by few columns, and then reads the details of one page only. */
function inboxRowsOf(db: Database, requests: ReturnType<typeof requestsOf>, { limit, offset }: RowRange) {
  const ids = orderForInbox(requests.innerJoin('period', 'period.id', 'attendance.period_id').select('attendance.id'))
    .limit(limit)
    .offset(offset);
  return orderForInbox(withClass(requestsOf(db).where('attendance.id', 'in', ids)));
}

const orderForInbox = <DB, TB extends keyof DB, Row>(requests: SelectQueryBuilder<DB, TB, Row>) =>
  requests
    .orderBy(waitingFirst)
    .orderBy(sql`case when attendance.op_status = 1 then period.start_play else 0 end`)
    .orderBy(sql.ref('attendance.requested_at'), 'desc')
    .orderBy(sql.ref('attendance.id'), 'desc');

/**
 * Reads the first pending requests of all visible classes, and the total, in one statement. The details are joined
 * after the limit.
 */
export async function leaveRequests(db: Database, actor: Actor, { limit, now }: { limit: number; now: number }) {
  const rows = await firstRequests(db, { id: actor.id, limit }, actor.identity);
  return { total: rows[0]?.total ?? 0, list: rows.map((row) => inboxRow(row, now)) };
}

const firstRequests = prepared((db, { id, limit }: Placeholders<{ id: number; limit: number }>, identity: Identity) => {
  const first = visibleRequests(db, { id, identity })
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

/** Counts the pending requests of all visible classes, using the partial index. */
export async function pendingLeave(db: Database, actor: Actor): Promise<number> {
  return countOf(
    db
      .selectFrom('attendance')
      .where(isWaiting)
      .where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id')),
  );
}

/** Condition for pending requests. It must match the condition of the partial index `attendance_pending`. */
const isWaiting = sql<SqlBool>`attendance.op_status = 1`;

const requestsOf = (db: Database) => db.selectFrom('attendance').where('attendance.requested_at', 'is not', null);

/** Selects the leave requests of all visible classes. */
const visibleRequests = (db: Database, actor: Viewer) =>
  requestsOf(db).where('attendance.class_id', 'in', visibleClasses(db, actor).select('class.id'));

/** Sorts pending requests first. It must match the expression of the index `attendance_leave`. */
const waitingFirst = sql`case when attendance.op_status = 1 then 0 else 1 end`;

/** Joins the columns that a list shows. */
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

/** Returns the counts that a page polls while its list is open; costs only two index lookups. */
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
