/** Batch grading of equal answers in exams. */

import { gradeExamAnswer, restoreExamAnswer } from '#server/exams/grading.ts';
import { testStatus } from '#server/exams/rules.ts';
import { visibleExamReports } from '#server/exams/visible.ts';
import { answerStatus, pointsMode } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { EqualAnswerSource } from './equal-answers.ts';
import { sheetNotFound } from './exam-review.ts';
import { equalAnswersLimit } from './rules.ts';

/** Selects ungraded answers of unfinished submissions that the actor sees. */
const waitingAnswers = (db: Database, actor: Actor) =>
  visibleExamReports(db, actor)
    .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
    .where('exam_report.test_status', '=', testStatus.waiting)
    .where('exam_answer.status', '=', answerStatus.waiting);

export const examEqualAnswers: EqualAnswerSource = {
  record: 'exam_answer',
  markField: 'score',
  unknown: sheetNotFound,
  async question(db, actor, { report_id, ques_id }) {
    const question = await visibleExamReports(db, actor)
      .leftJoin('exam_question', (join) =>
        join.onRef('exam_question.exam_id', '=', 'exam_report.exam_id').on('exam_question.id', '=', ques_id ?? 0),
      )
      .select('exam_question.score as full')
      .where('exam_report.id', '=', report_id ?? 0)
      .executeTakeFirst();
    return question && { mode: pointsMode, full: question.full };
  },
  async others(db, actor, { report_id = 0, ques_id = 0 }) {
    const others = await waitingAnswers(db, actor)
      .innerJoin('student', 'student.id', 'exam_report.student_id')
      .where('exam_report.id', '<>', report_id)
      .where('exam_answer.question_id', '=', ques_id)
      .where('exam_answer.answer_key', '=', (eb) =>
        eb
          .selectFrom('exam_answer as this')
          .select('this.answer_key')
          .where('this.report_id', '=', report_id)
          .where('this.question_id', '=', ques_id),
      )
      .select(['exam_report.id as report_id', 'student.nickname', 'exam_answer.version'])
      .orderBy('exam_report.submit_time')
      .orderBy('exam_report.id')
      .limit(equalAnswersLimit)
      .execute();
    return others.map((other) => ({ ...other, class_name: '' }));
  },
  grade: gradeExamAnswer,
  snapshot: (db, reportId, questionId) =>
    db
      .selectFrom('exam_answer')
      .select(['id', 'status', 'score', 'review_comment'])
      .where('report_id', '=', reportId)
      .where('question_id', '=', questionId)
      .executeTakeFirstOrThrow(),
  restore: restoreExamAnswer,
  async nicknames(db, reportIds) {
    if (reportIds.length === 0) return [];
    const rows = await db
      .selectFrom('exam_report')
      .innerJoin('student', 'student.id', 'exam_report.student_id')
      .select('student.nickname')
      .where('exam_report.id', 'in', reportIds)
      .orderBy('exam_report.id')
      .execute();
    return rows.map(({ nickname }) => nickname);
  },
};
