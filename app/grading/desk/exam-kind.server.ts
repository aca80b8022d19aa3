/** The exam side of the grading desk. Converts exam question types to the codes of homework. */

import { examTypeName, fromExamType } from '#server/exams/rules.ts';
import {
  type ExamReportInfo,
  type ExamReviewQuestion,
  examReview,
  examReviewByQuestion,
  finishExamReview,
  finishExamReviews,
  gradeExamEqualAnswers,
  listExamEqualAnswers,
  rejudgeExamBlank,
  storeExamQuestion,
  undoExamEqualAnswers,
  undoExamRejudge,
} from '#server/grading-desk/exam.contract.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { drawMatching } from '../matching.server.ts';
import { describeMatching } from '../matching.tsx';
import { type DeskAddress, examDesk } from '../screens.ts';
import type { DeskQuestion, DeskReport } from './desk.ts';
import type { DeskKind, OpenedReport } from './desk-kind.ts';

export const examKind: DeskKind = {
  screens: examDesk,
  words: { assignment: '考试', paper: '答卷', report: '答卷' },
  open,
  calls: {
    round: examReviewByQuestion,
    save: storeExamQuestion,
    finish: finishExamReview,
    finishAll: finishExamReviews,
    same: listExamEqualAnswers,
    gradeSame: gradeExamEqualAnswers,
    undoSame: undoExamEqualAnswers,
    rejudge: rejudgeExamBlank,
    undoRejudge: undoExamRejudge,
  },
  names: { ques_id: 'question_id', user_score: 'score', review_comment: 'remark', comment: 'remark' },
  finished: ({ ranking, is_pass }) =>
    is_pass === 0
      ? '已完成批改'
      : `已完成批改：${ranking === null ? '未计入排名' : `排名第 ${ranking}`}，${is_pass === 1 ? '及格' : '不及格'}`,
};

async function open(client: ApiClient, { report_id, type, skip }: DeskAddress): Promise<Outcome<OpenedReport>> {
  const query = { skip: skip.length > 0 ? skip.join(',') : undefined };
  const report = await client.ask(examReview, { params: { reportId: report_id }, query });
  if (!report.ok) return report;
  const { report_info, subject_question, objective_question, next_report_id } = report.data;
  const opened: OpenedReport = {
    report: headOf(report_info),
    arrange: null,
    subjective: report.data.subject_card_info,
    objective: report.data.objective_card_info,
    nextReportId: next_report_id,
    async questions(only) {
      const questions = type === 1 ? subject_question : objective_question;
      const wanted = questions.filter(({ id }) => only === undefined || id === only);
      return { ok: true, data: wanted.map(toDeskQuestion), msg: '' };
    },
  };
  return { ...report, data: opened };
}

function headOf({ exam_id, test_name, test_status, ...info }: ExamReportInfo): DeskReport {
  const { objective_score, objective_total_score } = info;
  return {
    ...info,
    assignment_id: exam_id,
    assignment_name: test_name,
    contextNames: [],
    objective_rate: objective_total_score === 0 ? 0 : Math.floor((objective_score * 100) / objective_total_score),
    closed: test_status === 3 ? '该答卷已批改完成' : undefined,
  };
}

/** Converts an exam question for the desk. Material questions never come alone: only their parts are graded. */
function toDeskQuestion(question: ExamReviewQuestion): DeskQuestion {
  const { ques_type, facility_value, user_answer } = question;
  const drawing = drawMatching(question, { given: user_answer });
  return {
    ...question,
    ques_type: fromExamType(ques_type) as DeskQuestion['ques_type'],
    type_name: examTypeName(ques_type, drawing !== undefined),
    facility_value: facility_value as DeskQuestion['facility_value'],
    right_answer_shown: question.answer_html,
    drawing,
    answer_words: drawing ? describeMatching(drawing.lines) : question.user_answer_text,
  };
}
