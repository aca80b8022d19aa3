/** What the learners' own application says of lessons: who enters the live room (`POST /api/app/live`). */
import * as v from 'valibot';
import { missingStudent } from '#server/classes/rules.ts';
import { call } from '#server/platform/calls/call.ts';
import { bodyId } from '#server/platform/calls/fields.ts';
import { handleApplication, shortBody } from '#server/school/application.ts';
import { enterLesson } from './entry.ts';
import { missingSession } from './rules.ts';

const enterLive = call({
  method: 'POST',
  path: '/api/app/live',
  title: '学员进入课次的直播间',
  description: '记为出勤。开始前30分钟到结束为止可进入；重复发送没有影响。',
  /** The student, and the lesson of their group class or one-to-one class. */
  bodyLimit: shortBody,
  body: v.object({ uid: bodyId(missingStudent), times_id: bodyId(missingSession) }),
  answer: v.null(),
  message: '操作成功',
});

export const learnerLessonCalls = [
  handleApplication(enterLive, ({ db, now, body }) =>
    enterLesson(db, { studentId: body.uid, sessionId: body.times_id, now }),
  ),
];
