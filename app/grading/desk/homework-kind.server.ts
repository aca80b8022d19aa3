import { reportStatus } from '#server/grading/rules.ts';
import {
  finishReview,
  finishReviews,
  gradeEqualAnswers,
  listEqualAnswers,
  type ReportInfo,
  rejudgeBlank,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  storeQuestion,
  undoEqualAnswers,
  undoRejudge,
} from '#server/grading-desk/homework.contract.ts';
import { reviewFault } from '#server/homework/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { type DeskAddress, homeworkDesk } from '../screens.ts';
import type { DeskReport } from './desk.ts';
import type { DeskKind, OpenedReport } from './desk-kind.ts';

export const homeworkKind: DeskKind = {
  screens: homeworkDesk,
  words: { assignment: '作业', paper: '作业', report: '报告' },
  open,
  calls: {
    round: reviewByQuestion,
    save: storeQuestion,
    finish: finishReview,
    finishAll: finishReviews,
    same: listEqualAnswers,
    gradeSame: gradeEqualAnswers,
    undoSame: undoEqualAnswers,
    rejudge: rejudgeBlank,
    undoRejudge,
  },
  names: {},
};

async function open(
  client: ApiClient,
  { report_id, class_id, type, skip }: DeskAddress,
): Promise<Outcome<OpenedReport>> {
  const scope = { report_id, class_id, type };
  const report = await client.ask(reviewReport, { body: { ...scope, skip: [...skip] } });
  if (!report.ok) return report;
  const { report_info, course_arrange, subject_card_info, objective_card_info, next_report_id } = report.data;
  const opened: OpenedReport = {
    report: headOf(report_info),
    arrange: course_arrange,
    subjective: subject_card_info,
    objective: objective_card_info,
    nextReportId: next_report_id,
    async questions(ques_id) {
      const questions = await client.ask(reviewQuestions, { body: { ...scope, ques_id, limit: maxListLimit } });
      return questions.ok ? { ...questions, data: questions.data.list } : questions;
    },
  };
  return { ...report, data: opened };
}

function headOf(info: ReportInfo): DeskReport {
  const { hw_id, hw_name, class_name, course_title, periods_name, test_status: _, hw_status: __, ...rest } = info;
  return {
    ...rest,
    assignment_id: hw_id,
    assignment_name: hw_name,
    contextNames: [class_name, course_title, periods_name].filter((part) => part !== ''),
    closed: closedReason(info),
  };
}

function closedReason({ hw_status, test_status }: ReportInfo): string | undefined {
  return test_status === reportStatus.graded
    ? '该作业已批改完成'
    : reviewFault({ status: hw_status }, { status: test_status });
}
