/** Batch grading of equal answers in homework. */

import { answerStatus } from '#server/grading/rules.ts';
import { gradeAnswer, restoreAnswer } from '#server/homework/report-grading.ts';
import type { EqualAnswerSource } from './equal-answers.ts';
import { findGradableQuestion } from './grade.ts';
import { reportNotFound } from './review.ts';
import { equalAnswersLimit } from './rules.ts';
import { visibleReports } from './visible.ts';

export const homeworkEqualAnswers: EqualAnswerSource = {
  record: 'answer',
  markField: 'user_score',
  unknown: reportNotFound,
  async question(db, actor, { report_id, ques_id }) {
    const question = await findGradableQuestion(db, actor, report_id, ques_id);
    return question && { mode: question.is_set_score, full: question.full };
  },
  async others(db, actor, { report_id = 0, class_id, ques_id = 0 }) {
    let others = visibleReports(db, actor)
      .innerJoin('answer', 'answer.report_id', 'report.id')
      .innerJoin('student', 'student.id', 'report.student_id')
      .innerJoin('class', 'class.id', 'report.class_id')
      .where('report.status', '=', 2)
      .where('report.id', '<>', report_id)
      .where('answer.question_id', '=', ques_id)
      .where('answer.status', '=', answerStatus.waiting)
      .where('answer.answer_key', '=', (eb) =>
        eb
          .selectFrom('answer as this')
          .select('this.answer_key')
          .where('this.report_id', '=', report_id)
          .where('this.question_id', '=', ques_id),
      )
      .select(['report.id as report_id', 'student.nickname', 'class.name as class_name', 'answer.version'])
      .orderBy('report.submit_time')
      .orderBy('report.id')
      .limit(equalAnswersLimit);
    if (class_id !== undefined) others = others.where('report.class_id', '=', class_id);
    return others.execute();
  },
  grade: (db, actor, review) => gradeAnswer(db, actor, review),
  snapshot: (db, reportId, questionId) =>
    db
      .selectFrom('answer')
      .select(['id', 'status', 'score', 'review_comment'])
      .where('report_id', '=', reportId)
      .where('question_id', '=', questionId)
      .executeTakeFirstOrThrow(),
  restore: restoreAnswer,
  async nicknames(db, reportIds) {
    if (reportIds.length === 0) return [];
    const rows = await db
      .selectFrom('report')
      .innerJoin('student', 'student.id', 'report.student_id')
      .select('student.nickname')
      .where('report.id', 'in', reportIds)
      .orderBy('report.id')
      .execute();
    return rows.map(({ nickname }) => nickname);
  },
};
