/** Calls of the learners' application about lessons: entering the live room (`POST /api/app/live`). */
import * as v from 'valibot';
import { BodyUid, handleApplication, shortBodyBytes, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { bodyId } from '#server/platform/calls/fields.ts';
import { enterLesson } from './entry.ts';
import { missingSession } from './rules.ts';

const enterLive = call({
  method: 'POST',
  path: '/api/app/live',
  title: '学员进入课次的直播间',
  description: '记为出勤。开始前30分钟到结束为止可进入；重复发送没有影响。',
  /** `uid` is the student, `times_id` a lesson of the student's group or one-to-one class. */
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid, times_id: bodyId(missingSession) }),
  answer: v.null(),
  message: '操作成功',
  example: { body: { uid: 12, times_id: 55 } },
});

export const learnerLessonCalls = [
  handleApplication(enterLive, ({ body: { uid: named, times_id }, ...context }) =>
    withLearner(context, named, ({ db, uid, now }) => enterLesson(db, { studentId: uid, sessionId: times_id, now })),
  ),
];
