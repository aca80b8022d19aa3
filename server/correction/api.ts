import { handle } from '#server/school/context.ts';
import { answersToQuestion } from './by-question.ts';
import { equalAnswers, gradeEqual, undoEqual } from './equal-answers.ts';
import {
  examReview,
  examReviewByQuestion,
  examReviewHistory,
  gradeExamEqualAnswers,
  listExamEqualAnswers,
  rejudgeExamBlank,
  startExamCorrection,
  storeExamQuestion,
  storeExamReview,
  storeExamReviews,
  undoExamEqualAnswers,
  undoExamRejudge,
} from './exam.contract.ts';
import { examAnswersToQuestion, saveExamFinishes } from './exam-by-question.ts';
import { examEqualAnswers } from './exam-equal-answers.ts';
import { saveExamFinish, saveExamReview } from './exam-grade.ts';
import { examHistory, examReportReview, firstWaitingPaper } from './exam-review.ts';
import { saveFinish, saveFinishes, saveReview } from './grade.ts';
import {
  gradeEqualAnswers,
  listEqualAnswers,
  rejudgeBlank,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  storeQuestion,
  storeReview,
  storeReviews,
  undoEqualAnswers,
  undoRejudge,
} from './homework.contract.ts';
import { homeworkEqualAnswers } from './homework-equal-answers.ts';
import { correctionQuantity, listCorrectionGroups, listCorrections } from './list.contract.ts';
import { correctionGroupPage, correctionPage, pendingCorrections } from './list.ts';
import { listPinned, savePinned } from './pinned-comments.contract.ts';
import { keepPinned, pinnedComments } from './pinned-comments.ts';
import { judgedExam, judgedHomework, rejudge, undoJudgment } from './rejudge.ts';
import { classStudentReport, studentReport } from './report.contract.ts';
import { questionsForReview, reportReview } from './review.ts';
import { reportOfStudent } from './student-report.ts';

export const correctionCalls = [
  handle(listCorrections, ({ db, actor, body, settings }) => correctionPage(db, actor, body, settings.timezone)),
  handle(listCorrectionGroups, ({ db, actor, body, settings }) =>
    correctionGroupPage(db, actor, body, settings.timezone),
  ),
  handle(correctionQuantity, async ({ db, actor }) => ({ quantity: await pendingCorrections(db, actor) })),
  handle(listPinned, ({ db, actor }) => pinnedComments(db, actor)),
  handle(savePinned, ({ body, ...context }) => keepPinned(context, body)),
  handle(reviewReport, ({ db, actor, now, body, settings }) =>
    reportReview(db, actor, body, { now, timezone: settings.timezone }),
  ),
  handle(reviewQuestions, ({ body, ...context }) => questionsForReview(context, body)),
  handle(reviewByQuestion, ({ db, actor, body }) => answersToQuestion(db, actor, body)),
  handle(storeQuestion, ({ db, actor, body, ...services }) => saveReview(db, actor, body, services)),
  handle(storeReview, ({ db, actor, body, now }) => saveFinish(db, actor, body, now)),
  handle(storeReviews, ({ db, actor, body, now }) => saveFinishes(db, actor, body, now)),
  handle(listEqualAnswers, ({ db, actor, body }) => equalAnswers(db, actor, homeworkEqualAnswers, body)),
  handle(gradeEqualAnswers, ({ db, actor, body, now }) => {
    const { user_score: mark, review_comment: comment, ...request } = body;
    return gradeEqual(db, actor, homeworkEqualAnswers, { ...request, mark, comment }, now);
  }),
  handle(rejudgeBlank, ({ body, ...context }) => rejudge(context, judgedHomework, body)),
  handle(undoRejudge, ({ body, ...context }) => undoJudgment(context, judgedHomework, body.judgment_id)),
  handle(rejudgeExamBlank, ({ body: { question_id: ques_id, ...body }, ...context }) =>
    rejudge(context, judgedExam, { ...body, ques_id }),
  ),
  handle(undoExamRejudge, ({ body, ...context }) => undoJudgment(context, judgedExam, body.judgment_id)),
  handle(undoEqualAnswers, ({ db, actor, body, now }) =>
    undoEqual(db, actor, homeworkEqualAnswers, body.batch_id, now),
  ),
  handle(listExamEqualAnswers, ({ db, actor, body }) =>
    equalAnswers(db, actor, examEqualAnswers, { report_id: body.report_id, ques_id: body.question_id }),
  ),
  handle(gradeExamEqualAnswers, ({ db, actor, body, now }) => {
    const { score: mark, remark: comment, question_id: ques_id, ...request } = body;
    return gradeEqual(db, actor, examEqualAnswers, { ...request, ques_id, mark, comment }, now);
  }),
  handle(undoExamEqualAnswers, ({ db, actor, body, now }) =>
    undoEqual(db, actor, examEqualAnswers, body.batch_id, now),
  ),
  handle(studentReport, ({ db, actor, now, params, settings }) =>
    reportOfStudent(db, actor, { ...params, now, timezone: settings.timezone }),
  ),
  handle(classStudentReport, ({ db, actor, now, params, settings }) =>
    reportOfStudent(db, actor, { ...params, now, timezone: settings.timezone }),
  ),
  handle(startExamCorrection, ({ db, actor, body }) => firstWaitingPaper(db, actor, body.test_id)),
  handle(examReview, ({ db, actor, now, params, query }) =>
    examReportReview(db, actor, { reportId: params.reportId, skip: query.skip, now }),
  ),
  handle(examReviewByQuestion, ({ db, actor, body }) => examAnswersToQuestion(db, actor, body)),
  handle(examReviewHistory, ({ params, ...context }) => examHistory(context, params.reportId)),
  handle(storeExamReviews, ({ db, actor, body, now }) => saveExamFinishes(db, actor, body, now)),
  handle(storeExamQuestion, ({ db, actor, body, ...services }) => saveExamReview(db, actor, body, services)),
  handle(storeExamReview, ({ db, actor, body, now }) => saveExamFinish(db, actor, body, now)),
];
