/** Calls of learners about leave: their own requests, and withdrawing a request. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { classTypes } from '#server/classes/rules.ts';
import {
  BodyUid,
  handleApplication,
  QueryUid,
  shortBodyBytes,
  versionOf,
  withLearner,
} from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { Id, IdAndName, Seconds } from '#server/platform/calls/fields.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { ChangeFilter, changedRows, changesOf } from '#server/school/change-feed.ts';
import { writeAttendance } from './mark.ts';
import { missingLeave, type OpStatus, withdrawLeaveFault } from './rules.ts';

const hour = 60 * 60;

const LearnerLeave = v.object({
  id: v.number(),
  class: IdAndName,
  course: IdAndName,
  period: v.object({ id: v.number(), title: v.string(), start_play: Seconds }),
  /**
   * State of the request: 1 requested, 2 approved, 3 rejected, 4 withdrawn. Any other state is the recorded attendance
   * once the lesson is over.
   */
  op_status: v.number(),
  leave_cause: v.string(),
  requested_at: Seconds,
  decided_at: v.nullable(Seconds),
  /** Name of the member of staff who decided; '' while pending. */
  decided_by: v.string(),
});

const listLeave = call({
  method: 'GET',
  path: '/api/app/leave',
  title: '学员的请假',
  query: v.object({ uid: QueryUid, ...ChangeFilter }),
  answer: changesOf(LearnerLeave),
  example: {
    query: { uid: 12 },
    answer: {
      list: [
        {
          id: 90,
          class: { id: 3, name: '高一(2)班' },
          course: { id: 8, name: '高一数学' },
          period: { id: 40, title: '第二讲 函数', start_play: 1795233600 },
          op_status: 1,
          leave_cause: '生病',
          requested_at: 1795147200,
          decided_at: null,
          decided_by: '',
        },
      ],
      since: '1795147200-90',
      more: 0,
    },
  },
});

const withdrawLeave = call({
  method: 'POST',
  path: '/api/app/leave/:leaveId/cancel',
  title: '学员撤回请假',
  description: '课时开始前可以撤回待审批或已同意的请假；重复撤回没有影响。',
  params: { leaveId: Id },
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid }),
  answer: v.null(),
  message: '已撤回请假',
  example: { params: { leaveId: 90 }, body: { uid: 12 } },
});

export const learnerLeaveCalls = [
  handleApplication(listLeave, {
    version: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => leaveVersion(db, uid, now)),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, async ({ db, uid, now }) => {
        const { rows, ...position } = await changedRows<Row>(
          rowsOf(db, uid),
          {
            changed: sql<number>`attendance.changed_at`,
            id: sql<number>`attendance.id`,
            of: ({ changed_at, id }) => ({ at: changed_at, id }),
          },
          { ...query, now },
        );
        return { list: rows.map(leaveOf), ...position };
      }),
  }),
  handleApplication(withdrawLeave, ({ params, body, ...context }) =>
    withLearner(context, body.uid, ({ db, uid, now }) => withdraw(db, { uid, id: params.leaveId, now })),
  ),
];

const requestsOf = (db: Database, uid: number) =>
  db.selectFrom('attendance').where('attendance.student_id', '=', uid).where('attendance.requested_at', 'is not', null);

const rowsOf = (db: Database, uid: number) =>
  requestsOf(db, uid)
    .innerJoin('class', 'class.id', 'attendance.class_id')
    .innerJoin('period', 'period.id', 'attendance.period_id')
    .innerJoin('course', 'course.id', 'period.course_id')
    .leftJoin('staff as decider', 'decider.id', 'attendance.decided_by')
    .select([
      'decider.real_name as decided_by_name',
      'attendance.id',
      'attendance.op_status',
      'attendance.leave_cause',
      'attendance.requested_at',
      'attendance.decided_at',
      'attendance.changed_at',
      'attendance.class_id',
      'class.name as class_name',
      'attendance.period_id',
      'period.title',
      'period.start_play',
      'period.course_id',
      'course.title as course_title',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

const leaveOf = (row: Row): v.InferOutput<typeof LearnerLeave> => ({
  id: row.id,
  class: { id: row.class_id, name: row.class_name },
  course: { id: row.course_id, name: row.course_title },
  period: { id: row.period_id, title: row.title, start_play: row.start_play },
  op_status: row.op_status,
  leave_cause: row.leave_cause,
  requested_at: row.requested_at ?? 0,
  decided_at: row.decided_at,
  decided_by: row.decided_by_name ?? '',
});

async function leaveVersion(db: Database, uid: number, now: number): Promise<string> {
  const requests = await requestsOf(db, uid)
    .select((eb) => [
      eb.fn.countAll<number>().as('requests'),
      sql<number>`coalesce(sum(attendance.version), 0)`.as('versions'),
      sql<number>`coalesce(sum(attendance.changed_at), 0)`.as('changes'),
    ])
    .executeTakeFirstOrThrow();
  return versionOf(uid, ...Object.values(requests), Math.floor(now / hour));
}

/** Withdraws a leave request. Locks the membership before the request, in the same order as decisions do. */
async function withdraw(
  db: Database,
  { uid, id, now }: { uid: number; id: number; now: number },
): Promise<null | Refusal> {
  const found = await requestsOf(db, uid)
    .select(['attendance.class_id', 'attendance.period_id'])
    .where('attendance.id', '=', id)
    .executeTakeFirst();
  if (!found) return missing(missingLeave);
  const { class_id, period_id } = found;
  await forUpdate(db)(
    db.selectFrom('class_student').select('id').where('class_id', '=', class_id).where('student_id', '=', uid),
  ).execute();
  const held = await forUpdate(db)(
    db
      .selectFrom('attendance')
      .innerJoin('period', 'period.id', 'attendance.period_id')
      .select(['attendance.op_status', 'period.start_play', 'period.course_id'])
      .where('attendance.id', '=', id),
    ['attendance'],
  ).executeTakeFirstOrThrow();
  const status: OpStatus = held.op_status;
  if (status === 4) return null;
  const refusal = refuseFor('conflict', withdrawLeaveFault({ status, start_play: held.start_play }, now));
  if (refusal) return refusal;
  const cell = { uid, class_id, course_periods_id: period_id };
  await writeAttendance(db, null, cell, { action: 'cancelLeave', status, now });
  const inOthers = await forUpdate(db)(
    requestsOf(db, uid)
      .select(['attendance.class_id', 'attendance.op_status'])
      .where('attendance.period_id', '=', period_id)
      .where('attendance.class_id', 'in', [
        0,
        ...(await otherClasses(db, { uid, courseId: held.course_id, classId: class_id })),
      ])
      .where('attendance.op_status', 'in', [1, 2])
      .orderBy('attendance.id'),
  ).execute();
  for (const other of inOthers)
    await writeAttendance(
      db,
      null,
      { ...cell, class_id: other.class_id },
      { action: 'cancelLeave', status: other.op_status, now },
    );
  return null;
}

/** Returns the ids of the student's other current classes that take the same course. */
export async function otherClasses(
  db: Database,
  { uid, courseId, classId }: { uid: number; courseId: number; classId: number },
): Promise<number[]> {
  const classes = await db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .innerJoin('class_course', 'class_course.class_id', 'class.id')
    .select('class.id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .where('class.class_type', '=', classTypes.stateSchool)
    .where('class_course.course_id', '=', courseId)
    .where('class.id', '!=', classId)
    .orderBy('class.id')
    .execute();
  return classes.map(({ id }) => id);
}
