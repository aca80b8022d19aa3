/** Learner API of exams: list, take and submit them. */

import { refuseLostPictures } from '#server/grading/submitted-answer.ts';
import { type ApplicationContext, handleApplication, withLearner } from '#server/learners/application.ts';
import { saveAttemptAnswers } from './attempt-answers.ts';
import { startAttempt } from './attempt-start.ts';
import { submitAttempt } from './attempt-submission.ts';
import { handInExam, listExams, saveAnswers, showExam, startExam } from './learner-calls.ts';
import { examDetails, examList } from './learner-exams.ts';
import { examVersion, listVersion } from './learner-versions.ts';

/**
 * Id of the learner's sign-in, used as the id of the device that sent the request; '' with a service token, which
 * serves many devices.
 */
const deviceOf = ({ learner }: Pick<ApplicationContext, 'learner'>): string =>
  learner ? String(learner.sessionId) : '';

export const learnerExamCalls = [
  handleApplication(listExams, {
    version: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => listVersion(db, uid, now)),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => examList(db, uid, { ...query, now })),
  }),
  handleApplication(showExam, {
    version: ({ params, query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => examVersion(db, uid, now, params.examId)),
    answer: ({ params, query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => examDetails(db, params.examId, { uid, now })),
  }),
  handleApplication(startExam, {
    prepare: ({ params, body, ...context }) =>
      withLearner(context, body.uid, ({ db, uid, now }) =>
        startAttempt(db, { examId: params.examId, studentId: uid, now }),
      ),
  }),
  handleApplication(saveAnswers, {
    prepare: ({ params, body, ...context }) =>
      withLearner(context, body.uid, async ({ db, storage, uid, now }) => {
        const lost = await refuseLostPictures(storage, body.answers);
        const taker = { examId: params.examId, studentId: uid, now };
        return lost ?? saveAttemptAnswers(db, { taker, answers: body.answers, device: deviceOf(context) });
      }),
  }),
  handleApplication(handInExam, {
    prepare: ({ params, body, ...context }) =>
      withLearner(context, body.uid, async ({ db, storage, uid, now }) => {
        const lost = await refuseLostPictures(storage, body.answers);
        const taker = { examId: params.examId, studentId: uid, now };
        const sent = { taker, answers: body.answers, device: deviceOf(context) };
        return lost ?? submitAttempt(db, { ...sent, confirmBlank: body.confirm_blank === 1 });
      }),
  }),
];
