/**
 * What the learners' own application says, by a service token: what a student has watched of a period
 * (`POST /api/app/study`), and that they ask for leave (`POST /api/app/leave`).
 */
import * as v from 'valibot';
import type { Database } from '#server/db/engine.ts';
import { someId, takeFromApplication } from '#server/http/application-call.ts';
import type { ApiRouter, House } from '#server/http/handle.ts';
import { missing, type Refusal } from '#server/http/outcome.ts';
import { AttendanceCell, leaveCause } from './contract.ts';
import { mark } from './mark.ts';
import { recordStudy } from './study.ts';

/** Seconds that one period can be watched for: a month. */
const mostSeconds = 31 * 24 * 60 * 60;

const Watched = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(mostSeconds)), 0);

/** Seconds are those of the student and period so far, not since the last report. */
const Study = v.object({
  uid: someId('学员不存在'),
  course_periods_id: someId('课时不存在'),
  live_seconds: Watched,
  replay_seconds: Watched,
});

const Leave = v.object({ ...AttendanceCell.entries, leave_cause: leaveCause });

export function mountLearnerAttendance(api: ApiRouter, house: House): void {
  takeFromApplication(api, house, { path: '/api/app/study', body: Study, message: '保存成功' }, keepStudy);
  takeFromApplication(
    api,
    house,
    { path: '/api/app/leave', body: Leave, message: '请假成功' },
    (trx, { leave_cause, ...cell }, now) => mark(trx, null, cell, { action: 'request', now, leaveCause: leave_cause }),
  );
}

/** Of a student who is or was in a class that takes the period's course. */
async function keepStudy(db: Database, sent: v.InferOutput<typeof Study>): Promise<null | Refusal> {
  const taken = await db
    .selectFrom('period')
    .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
    .innerJoin('class_student', 'class_student.class_id', 'class_course.class_id')
    .select('period.id')
    .where('period.id', '=', sent.course_periods_id)
    .where('class_student.student_id', '=', sent.uid)
    .executeTakeFirst();
  if (!taken) return missing('课时不存在');
  await recordStudy(db, {
    studentId: sent.uid,
    periodId: sent.course_periods_id,
    liveSeconds: sent.live_seconds,
    replaySeconds: sent.replay_seconds,
  });
  return null;
}
