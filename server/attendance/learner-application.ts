/**
 * What the learners' own application says, by a service token: what a student has watched of a period
 * (`POST /api/app/study`), and that they ask for leave (`POST /api/app/leave`).
 */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { applicationOf } from '#server/auth/service-token.ts';
import type { Database } from '#server/db/engine.ts';
import { envelopeResponse, refusalResponse, success } from '#server/http/envelope.ts';
import { maxId } from '#server/http/fields.ts';
import { type ApiRouter, fieldErrors, type House, inTransaction, readJson } from '#server/http/handle.ts';
import { invalid, isRefusal, missing, Refusal } from '#server/http/outcome.ts';
import { AttendanceCell, leaveCause } from './contract.ts';
import { mark } from './mark.ts';
import { recordStudy } from './study.ts';

const bodyBytes = 64 * 1024;
/** Seconds that one period can be watched for: a month. */
const mostSeconds = 31 * 24 * 60 * 60;

const someId = (message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(maxId, message));
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
  const limit = bodyLimit({
    maxSize: bodyBytes,
    onError: () => refusalResponse(new Refusal('too-large', '提交的内容过大，请减少后再试')),
  });
  const { db } = house.database;

  /** Reads a body for an application that may send it, and answers what `act` comes to. */
  function take<S extends v.GenericSchema<unknown, unknown>>(
    path: string,
    schema: S,
    act: (trx: Database, sent: v.InferOutput<S>, now: number) => Promise<null | Refusal>,
    message: string,
  ): void {
    api.post(path, limit, async (context: Context) => {
      const now = house.now();
      if (!(await applicationOf(db, context.req.header('authorization'), now))) {
        return refusalResponse(new Refusal('signed-out', '应用令牌无效'));
      }
      const json = await readJson(context);
      if (isRefusal(json)) return refusalResponse(json);
      const sent = v.safeParse(schema, json);
      if (!sent.success) return refusalResponse(invalid(fieldErrors(sent.issues)));
      const outcome = await inTransaction(db, (trx) => act(trx, sent.output, now));
      return isRefusal(outcome) ? refusalResponse(outcome) : envelopeResponse(success(null, message));
    });
  }

  take('/api/app/study', Study, keepStudy, '保存成功');
  take(
    '/api/app/leave',
    Leave,
    (trx, { leave_cause, ...cell }, now) => mark(trx, null, cell, { action: 'request', now, leaveCause: leave_cause }),
    '请假成功',
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
