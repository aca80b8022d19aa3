/** The calls behind the grading screen of homework. */
import {
  type ReportInfo,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  sameAnswers,
  storeQuestion,
  storeReview,
  storeReviews,
  storeSame,
  undoSame,
} from '#server/correction/contract.ts';
import { recalled, reportStatus, reviewFault } from '#server/homework/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { homeworkDesk } from '../screens.ts';
import type { DeskAddress } from './address.ts';
import { type Desk, type DeskReport, waits } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';

const words = { pile: '作业', paper: '作业', report: '报告' };

export const homeworkCalls: DeskCalls = {
  screens: homeworkDesk,
  words,
  open,
  save: (client, mark) => client.ask(storeQuestion, { body: mark }),
  finish: (client, { idempotencyKey, ...finish }) =>
    client.ask(storeReview, {
      body: { ...finish, skip: [...finish.skip] },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    }),
  async countFinishable(client, { report_id, class_id, ques_id }) {
    const round = await client.ask(reviewByQuestion, { body: { report_id, class_id, ques_id, skip: [] } });
    return round.ok ? { ...round, data: round.data.finishable_count } : round;
  },
  same: (client, { report_id, class_id, ques_id }) =>
    client.ask(sameAnswers, { body: { report_id, class_id, ques_id } }),
  gradeSame: (client, sent, idempotencyKey) =>
    client.ask(storeSame, { body: sent, ...(idempotencyKey ? { idempotencyKey } : {}) }),
  undoSame: (client, batch_id) => client.ask(undoSame, { body: { batch_id } }),
  finishAll: (client, { idempotencyKey, ...finish }) =>
    client.ask(storeReviews, {
      body: { ...finish, skip: [...finish.skip] },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    }),
};

async function open(client: ApiClient, asked: DeskAddress): Promise<Outcome<Desk>> {
  const { report_id, class_id, type, by, order } = asked;
  const scope = { report_id, class_id };
  const skip = [...asked.skip];
  const report = await client.ask(reviewReport, { body: { ...scope, type, skip } });
  if (!report.ok) return report;
  const { subject_card_info: subjective, objective_card_info: objective } = report.data;
  const onCard = type === 1 ? subjective : objective;
  const named = onCard.find(({ question_id }) => question_id === asked.ques_id);
  const ques_id = (named ?? subjective.find(waits) ?? onCard[0])?.question_id;
  const byQuestion = by === 'question' && type === 1 && ques_id !== undefined;

  const questions = await client.ask(reviewQuestions, {
    body: { ...scope, type, ques_id: byQuestion ? ques_id : undefined, limit: everyRow },
  });
  if (!questions.ok) return questions;
  const round = byQuestion
    ? await client.ask(reviewByQuestion, { body: { ...scope, ques_id, order, skip } })
    : undefined;
  if (round && !round.ok) return round;
  const desk: Desk = {
    address: { ...asked, ques_id: type === 1 ? ques_id : undefined },
    report: headOf(report.data.report_info),
    arrange: report.data.course_arrange,
    questions: questions.data.list,
    subjective,
    objective,
    nextReportId: report.data.next_report_id,
    words,
    round: round?.data,
  };
  return { ok: true, data: desk, msg: '' };
}

function headOf(info: ReportInfo): DeskReport {
  const { hw_id, hw_name, class_name, course_title, periods_name, test_status: _, hw_status: __, ...rest } = info;
  return {
    ...rest,
    pile_id: hw_id,
    pile_name: hw_name,
    whereabouts: [class_name, course_title, periods_name].filter((part) => part !== ''),
    closed: closedReason(info),
    isGone: info.hw_status === recalled,
  };
}

function closedReason({ hw_status, test_status }: ReportInfo): string | undefined {
  const isGraded = hw_status !== recalled && test_status === reportStatus.graded;
  return isGraded ? '该作业已批改完成' : reviewFault({ status: hw_status }, { status: test_status });
}
