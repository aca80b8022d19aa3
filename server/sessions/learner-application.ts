/** What the learners' own application says of lessons: who enters the live room (`POST /api/app/live`). */
import * as v from 'valibot';
import { missingStudent } from '#server/classes/rules.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { type ApplicationCall, someId, takeFromApplication } from '#server/platform/calls/application-call.ts';
import type { Services } from '#server/school/context.ts';
import { enterLesson } from './entry.ts';
import { missingSession } from './rules.ts';

const enterLive = {
  path: '/api/app/live',
  title: '学员进入课次的直播间',
  description: '记为出勤。开始前30分钟到结束为止可进入；重复发送没有影响。',
  /** The student, and the lesson of their group class or one-to-one class. */
  body: v.object({ uid: someId(missingStudent), times_id: someId(missingSession) }),
  message: '操作成功',
} satisfies ApplicationCall;

export function mountLearnerLessons(api: ApiRouter, services: Services): void {
  takeFromApplication(api, services, enterLive, (trx, { uid, times_id }, now) =>
    enterLesson(trx, { studentId: uid, sessionId: times_id, now }),
  );
}
