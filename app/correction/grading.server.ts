/** The calls behind the grading screen of homework. Exams will have a file like this one over their own calls. */
import {
  type MarkBody,
  reviewByQuestion,
  reviewQuestions,
  reviewReport,
  storeQuestion,
  storeReview,
} from '#server/correction/contract.ts';
import type { ApiClient, Outcome } from '../api.server.ts';
import type { DeskAddress } from './address.ts';
import { type Desk, waits } from './desk.ts';

/** A homework has at most so many questions; all of a tab are shown without paging. */
const allQuestions = 999_999;

export async function openDesk(client: ApiClient, asked: DeskAddress): Promise<Outcome<Desk>> {
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
    body: { ...scope, type, ques_id: byQuestion ? ques_id : undefined, limit: allQuestions },
  });
  if (!questions.ok) return questions;
  const round = byQuestion
    ? await client.ask(reviewByQuestion, { body: { ...scope, ques_id, order, skip } })
    : undefined;
  if (round && !round.ok) return round;
  const desk: Desk = {
    address: { ...asked, ques_id: type === 1 ? ques_id : undefined },
    report: report.data.report_info,
    arrange: report.data.course_arrange,
    questions: questions.data.list,
    subjective,
    objective,
    nextReportId: report.data.next_report_id,
    round: round?.data,
  };
  return { ok: true, data: desk, msg: '' };
}

export const saveAnswer = (client: ApiClient, body: MarkBody) => client.ask(storeQuestion, { body });

export const finishReport = (
  client: ApiClient,
  { report_id, class_id, skip }: DeskAddress,
  comment: string,
  idempotencyKey: string | undefined,
) =>
  client.ask(storeReview, {
    body: { report_id, class_id, skip: [...skip], comment },
    ...(idempotencyKey ? { idempotencyKey } : {}),
  });
