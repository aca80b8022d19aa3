import { handle } from '#server/http/handle.ts';
import { answersToQuestion } from './by-question.ts';
import {
  classStudentReport,
  correctionQuantity,
  listCorrections,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  sameAnswers,
  storeQuestion,
  storeReview,
  storeReviews,
  storeSame,
  studentReport,
  undoSame,
} from './contract.ts';
import { saveFinish, saveFinishes, saveReview } from './grade.ts';
import { correctionPage, correctionsWaiting } from './list.ts';
import { questionsForReview, reportReview } from './review.ts';
import { equalAnswers, gradeEqual, undoEqual } from './same.ts';
import { reportOfStudent } from './student-report.ts';

export const correctionCalls = [
  handle(listCorrections, ({ db, actor, body, settings }) => correctionPage(db, actor, body, settings.timezone)),
  handle(correctionQuantity, async ({ db, actor }) => ({ quantity: await correctionsWaiting(db, actor) })),
  handle(reviewReport, ({ db, actor, body, settings }) => reportReview(db, actor, body, settings.timezone)),
  handle(reviewQuestions, ({ db, actor, body }) => questionsForReview(db, actor, body)),
  handle(reviewByQuestion, ({ db, actor, body }) => answersToQuestion(db, actor, body)),
  handle(storeQuestion, ({ db, actor, body, now }) => saveReview(db, actor, body, now)),
  handle(storeReview, ({ db, actor, body, now }) => saveFinish(db, actor, body, now)),
  handle(storeReviews, ({ db, actor, body, now }) => saveFinishes(db, actor, body, now)),
  handle(sameAnswers, ({ db, actor, body }) => equalAnswers(db, actor, body)),
  handle(storeSame, ({ db, actor, body, now }) => gradeEqual(db, actor, body, now)),
  handle(undoSame, ({ db, actor, body, now }) => undoEqual(db, actor, body.batch_id, now)),
  handle(studentReport, ({ db, actor, params, settings }) =>
    reportOfStudent(db, actor, { ...params, timezone: settings.timezone }),
  ),
  handle(classStudentReport, ({ db, actor, params, settings }) =>
    reportOfStudent(db, actor, { ...params, timezone: settings.timezone }),
  ),
];
