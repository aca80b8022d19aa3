/** What the learners' own application says of class meetings: who came (`POST /api/app/meeting/join`). */
import * as v from 'valibot';
import { missingStudent } from '#server/classes/rules.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { type ApplicationCall, someId, takeFromApplication } from '#server/platform/calls/application-call.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Services } from '#server/school/context.ts';
import { joinFault, missingCode } from './rules.ts';
import { liveStatusOf } from './visible.ts';

const joinMeeting = {
  path: '/api/app/meeting/join',
  title: '学员进入班会',
  description: '班会进行中才可进入；重复发送没有影响。',
  /** The student, and the code by which they join. */
  body: v.object({
    uid: someId(missingStudent),
    student_code: v.pipe(v.string(missingCode), v.trim(), v.maxLength(20, missingCode)),
  }),
  message: '操作成功',
} satisfies ApplicationCall;

export function mountMeetingParticipants(api: ApiRouter, services: Services): void {
  takeFromApplication(api, services, joinMeeting, join);
}

/** Kept once, the first time. Refused: 404 no such code or not of the class, 409 not live. */
async function join(db: Database, sent: v.InferOutput<typeof joinMeeting.body>, now: number): Promise<null | Refusal> {
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
