/** Call of learners about class meetings: attendance (`POST /api/app/meeting/join`). */
import * as v from 'valibot';
import { BodyUid, handleApplication, shortBodyBytes, withLearner } from '#server/learners/application.ts';
import { type BodyOf, call } from '#server/platform/calls/call.ts';
import { withoutControls } from '#server/platform/calls/fields.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { joinFault, missingCode } from './rules.ts';
import { liveStatusOf } from './visible.ts';

const joinMeeting = call({
  method: 'POST',
  path: '/api/app/meeting/join',
  title: '学员进入班会',
  description: '班会进行中才可进入；重复发送没有影响。',
  bodyLimit: shortBodyBytes,
  /** The student (`uid`), and the join code that the student typed. */
  body: v.object({
    uid: BodyUid,
    student_code: v.pipe(v.string(missingCode), withoutControls, v.trim(), v.maxLength(20, missingCode)),
  }),
  answer: v.null(),
  message: '操作成功',
  example: { body: { uid: 12, student_code: 'K7Q2MX' } },
});

export const learnerMeetingCalls = [
  handleApplication(joinMeeting, ({ body, ...context }) =>
    withLearner(context, body.uid, ({ db, uid, now }) => join(db, { ...body, uid }, now)),
  ),
];

/**
 * Records attendance. If it is called again, the first time stays. 404: wrong code, or a meeting of another class. 409:
 * the meeting is not live.
 */
async function join(
  db: Database,
  sent: BodyOf<typeof joinMeeting> & { uid: number },
  now: number,
): Promise<null | Refusal> {
  const meeting = await db
    .selectFrom('class_meeting')
    .innerJoin('class_student', 'class_student.class_id', 'class_meeting.class_id')
    .select(['class_meeting.id', 'class_meeting.start_time', 'class_meeting.end_time'])
    .where('class_meeting.student_code', '=', sent.student_code.toUpperCase())
    .where('class_student.student_id', '=', sent.uid)
    .where('class_student.left_at', 'is', null)
    .executeTakeFirst();
  if (!meeting) return missing(missingCode);
  const refusal = refuseFor('conflict', joinFault({ live_status: liveStatusOf(meeting, now) }));
  if (refusal) return refusal;
  await db
    .insertInto('class_meeting_attendance')
    .values({ meeting_id: meeting.id, student_id: sent.uid, joined_at: now })
    .onConflict((conflicting) => conflicting.columns(['meeting_id', 'student_id']).doNothing())
    .execute();
  return null;
}
