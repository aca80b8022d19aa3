import { handle } from '#server/school/context.ts';
import { questionQueue } from './by-question.ts';
import { equalAnswers, revertEqualMarks, saveEqualMarks } from './equal-answers.ts';
import {
  examReview,
  examReviewByQuestion,
  examReviewHistory,
  finishExamReview,
  finishExamReviews,
  gradeExamEqualAnswers,
  listExamEqualAnswers,
  rejudgeExamBlank,
  startExamGrading,
  storeExamQuestion,
  undoExamEqualAnswers,
  undoExamRejudge,
} from './exam.contract.ts';
import { examQuestionQueue, finishAllGradedExams } from './exam-by-question.ts';
import { examEqualAnswers } from './exam-equal-answers.ts';
import { finishExamGrading, saveExamReview } from './exam-grade.ts';
import { examHistory, examReportReview, firstWaitingSubmission } from './exam-review.ts';
import { finishAllGraded, finishGrading, saveReview } from './grade.ts';
import {
  finishReview,
  finishReviews,
  gradeEqualAnswers,
  listEqualAnswers,
  rejudgeBlank,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  storeQuestion,
  undoEqualAnswers,
  undoRejudge,
} from './homework.contract.ts';
import { homeworkEqualAnswers } from './homework-equal-answers.ts';
import { countReportsToGrade, listHomeworkToGrade, listReportsToGrade } from './list.contract.ts';
import { gradingGroupPage, gradingPage, pendingReportCount } from './list.ts';
import { listPinned, savePinned } from './pinned-comments.contract.ts';
import { pinnedComments, savePinnedComments } from './pinned-comments.ts';
import { examJudgments, homeworkJudgments, rejudge, undoJudgment } from './rejudge.ts';
import { classStudentReport, studentReport } from './report.contract.ts';
import { questionsForReview, reportReview } from './review.ts';
import { reportOfStudent } from './student-report.ts';

export const gradingCalls = [
  handle(listReportsToGrade, ({ db, actor, body, settings }) => gradingPage(db, actor, body, settings.timezone)),
  handle(listHomeworkToGrade, ({ db, actor, body, settings }) => gradingGroupPage(db, actor, body, settings.timezone)),
  handle(countReportsToGrade, async ({ db, actor }) => ({ quantity: await pendingReportCount(db, actor) })),
  handle(listPinned, ({ db, actor }) => pinnedComments(db, actor)),
  handle(savePinned, ({ body, ...context }) => savePinnedComments(context, body)),
  handle(reviewReport, ({ db, actor, now, body, settings }) =>
    reportReview(db, actor, body, { now, timezone: settings.timezone }),
  ),
  handle(reviewQuestions, ({ body, ...context }) => questionsForReview(context, body)),
  handle(reviewByQuestion, ({ db, actor, body }) => questionQueue(db, actor, body)),
  handle(storeQuestion, ({ db, actor, body, ...services }) => saveReview(db, actor, body, services)),
  handle(finishReview, ({ db, actor, body, now }) => finishGrading(db, actor, body, now)),
  handle(finishReviews, ({ db, actor, body, now }) => finishAllGraded(db, actor, body, now)),
  handle(listEqualAnswers, ({ db, actor, body }) => equalAnswers(db, actor, homeworkEqualAnswers, body)),
  handle(gradeEqualAnswers, ({ db, actor, body, now }) => {
    const { user_score: mark, review_comment: comment, ...request } = body;
    return saveEqualMarks(db, actor, homeworkEqualAnswers, { ...request, mark, comment }, now);
  }),
  handle(rejudgeBlank, ({ body, ...context }) => rejudge(context, homeworkJudgments, body)),
  handle(undoRejudge, ({ body, ...context }) => undoJudgment(context, homeworkJudgments, body.judgment_id)),
  handle(rejudgeExamBlank, ({ body: { question_id: ques_id, ...body }, ...context }) =>
    rejudge(context, examJudgments, { ...body, ques_id }),
  ),
  handle(undoExamRejudge, ({ body, ...context }) => undoJudgment(context, examJudgments, body.judgment_id)),
  handle(undoEqualAnswers, ({ db, actor, body, now }) =>
    revertEqualMarks(db, actor, homeworkEqualAnswers, body.batch_id, now),
  ),
  handle(listExamEqualAnswers, ({ db, actor, body }) =>
    equalAnswers(db, actor, examEqualAnswers, { report_id: body.report_id, ques_id: body.question_id }),
  ),
  handle(gradeExamEqualAnswers, ({ db, actor, body, now }) => {
    const { score: mark, remark: comment, question_id: ques_id, ...request } = body;
    return saveEqualMarks(db, actor, examEqualAnswers, { ...request, ques_id, mark, comment }, now);
  }),
  handle(undoExamEqualAnswers, ({ db, actor, body, now }) =>
    revertEqualMarks(db, actor, examEqualAnswers, body.batch_id, now),
  ),
  handle(studentReport, ({ db, actor, now, params, settings }) =>
    reportOfStudent(db, actor, { ...params, now, timezone: settings.timezone }),
  ),
  handle(classStudentReport, ({ db, actor, now, params, settings }) =>
    reportOfStudent(db, actor, { ...params, now, timezone: settings.timezone }),
  ),
  handle(startExamGrading, ({ db, actor, body }) => firstWaitingSubmission(db, actor, body.test_id)),
  handle(examReview, ({ db, actor, now, params, query }) =>
    examReportReview(db, actor, { reportId: params.reportId, skip: query.skip, now }),
  ),
  handle(examReviewByQuestion, ({ db, actor, body }) => examQuestionQueue(db, actor, body)),
  handle(examReviewHistory, ({ params, ...context }) => examHistory(context, params.reportId)),
  handle(finishExamReviews, ({ db, actor, body, now }) => finishAllGradedExams(db, actor, body, now)),
  handle(storeExamQuestion, ({ db, actor, body, ...services }) => saveExamReview(db, actor, body, services)),
  handle(finishExamReview, ({ db, actor, body, now }) => finishExamGrading(db, actor, body, now)),
];
