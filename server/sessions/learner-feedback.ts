/** Feedback of learners on a past lesson, shown to its lecturer. */
import * as v from 'valibot';
import { BodyUid, handleApplication, shortBodyBytes, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { bodyId, TypedText } from '#server/platform/calls/fields.ts';
import { missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { isExpected, saveStudentRemark } from './roster.ts';
import { feedbackFault, feedbackTextFault, missingSession, sessionStatus } from './rules.ts';

const giveFeedback = call({
  method: 'POST',
  path: '/api/app/feedback',
  title: '学员评价课次',
  description: '课次结束后可评价，再次评价替换原来的内容。',
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid, times_id: bodyId(missingSession), content: TypedText }),
  answer: v.null(),
  message: '评价成功',
  example: { body: { uid: 12, times_id: 55, content: '例题讲得很清楚' } },
});

export const learnerFeedbackCalls = [
  handleApplication(giveFeedback, ({ body, ...context }) =>
    withLearner(context, body.uid, ({ db, uid, now }) => keepFeedback(db, { ...body, uid, now })),
  ),
];

async function keepFeedback(
  db: Database,
  { uid, times_id, content, now }: { uid: number; times_id: number; content: string; now: number },
): Promise<null | Refusal> {
  const session = await forUpdate(db)(
    db.selectFrom('class_session').select(['id', 'start_time', 'end_time', 'cancelled_at']).where('id', '=', times_id),
  ).executeTakeFirst();
  if (!session || !(await isExpected(db, times_id, uid))) return missing(missingSession);
  const text = content.trim();
  const refusal =
    refuseFor('conflict', feedbackFault({ status: sessionStatus(session, now) })) ??
    refuseField('content', feedbackTextFault(text));
  if (refusal) return refusal;
  await saveStudentRemark(db, { sessionId: times_id, studentId: uid }, text);
  return null;
}
