/** The calls behind the grading screen of exams; types come in the exam reading and go on in the canonical code. */
import {
  type ExamReportInfo,
  type ExamReviewQuestion,
  examReview,
  examReviewByQuestion,
  examSameAnswers,
  storeExamQuestion,
  storeExamReview,
  storeExamReviews,
  storeExamSame,
  undoExamSame,
} from '#server/correction/contract.ts';
import { examTypeName, fromExamType } from '#server/exams/rules.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { drawMatching } from '../matching.server.ts';
import { drawnWords } from '../matching.tsx';
import { examDesk } from '../screens.ts';
import type { DeskAddress } from './address.ts';
import { type Desk, type DeskQuestion, type DeskReport, waits } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';

const words = { pile: '考试', paper: '答卷', report: '答卷' };

export const examCalls: DeskCalls = {
  screens: examDesk,
  words,
  open,
  async save(client, { report_id, ques_id, version, type, user_score, review_comment, review_attachments, image }) {
    const outcome = await client.ask(storeExamQuestion, {
      body: {
        report_id,
        question_id: ques_id,
        version,
        type,
        score: user_score,
        remark: review_comment,
        review_attachments,
        image,
      },
    });
    return renamed(outcome, markNames);
  },
  async finish(client, { report_id, skip, comment, idempotencyKey }) {
    const outcome = await client.ask(storeExamReview, {
      body: { report_id, remark: comment, skip: [...skip] },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
    if (!outcome.ok) return renamed(outcome, { remark: 'comment' });
    const { next_report_id, exam_id, ranking, is_pass } = outcome.data;
    const msg = `已完成批改：排名第 ${ranking}，${is_pass === 1 ? '及格' : '不及格'}`;
    return { ...outcome, msg, data: { next_report_id, pile_id: exam_id } };
  },
  async countFinishable(client, { report_id, ques_id }) {
    const body = { report_id, question_id: ques_id, skip: [] };
    const round = await client.ask(examReviewByQuestion, { body });
    return round.ok ? { ...round, data: round.data.finishable_count } : round;
  },
  same: (client, { report_id, ques_id }) => client.ask(examSameAnswers, { body: { report_id, question_id: ques_id } }),
  async gradeSame(client, { report_id, ques_id, version, user_score, review_comment, answers }, idempotencyKey) {
    const outcome = await client.ask(storeExamSame, {
      body: { report_id, question_id: ques_id, version, answers, score: user_score, remark: review_comment },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
    return renamed(outcome, markNames);
  },
  undoSame: (client, batch_id) => client.ask(undoExamSame, { body: { batch_id } }),
  async finishAll(client, { report_id, skip, idempotencyKey }) {
    const outcome = await client.ask(storeExamReviews, {
      body: { report_id, skip: [...skip] },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
    if (!outcome.ok) return outcome;
    const { count, next_report_id, exam_id } = outcome.data;
    return { ...outcome, data: { count, next_report_id, pile_id: exam_id } };
  },
};

const markNames = { score: 'user_score', remark: 'review_comment' };

/** The messages at the fields of homework, which the panel knows. */
function renamed<Data>(outcome: Outcome<Data>, names: Record<string, string>): Outcome<Data> {
  if (outcome.ok || !outcome.errors) return outcome;
  const errors = Object.entries(outcome.errors).map(([name, messages]) => [names[name] ?? name, messages] as const);
  return { ...outcome, errors: Object.fromEntries(errors) };
}

async function open(client: ApiClient, asked: DeskAddress): Promise<Outcome<Desk>> {
  const skip = asked.skip.length > 0 ? asked.skip.join(',') : undefined;
  const answer = await client.ask(examReview, { params: { reportId: asked.report_id }, query: { skip } });
  if (!answer.ok) return answer;
  const { report_info, subject_question, objective_question, next_report_id } = answer.data;
  const { subject_card_info: subjective, objective_card_info: objective } = answer.data;
  const named = subjective.find(({ question_id }) => question_id === asked.ques_id);
  const first = (named ?? subjective.find(waits) ?? subjective[0])?.question_id;
  const byQuestion = asked.by === 'question' && asked.type === 1 && first !== undefined;
  const round = byQuestion
    ? await client.ask(examReviewByQuestion, {
        body: { report_id: asked.report_id, question_id: first, order: asked.order, skip: [...asked.skip] },
      })
    : undefined;
  if (round && !round.ok) return round;
  const questions = asked.type === 1 ? subject_question : objective_question;
  const desk: Desk = {
    address: { ...asked, ques_id: asked.type === 1 ? first : undefined },
    report: headOf(report_info),
    arrange: null,
    questions: questions.filter(({ id }) => !byQuestion || id === first).map(onDesk),
    subjective,
    objective,
    nextReportId: next_report_id,
    words,
    round: round?.data,
  };
  return { ok: true, data: desk, msg: '' };
}

function headOf({ exam_id, test_name, test_status, ...info }: ExamReportInfo): DeskReport {
  const { objective_score, objective_total_score } = info;
  return {
    ...info,
    pile_id: exam_id,
    pile_name: test_name,
    whereabouts: [],
    objective_rate: objective_total_score === 0 ? 0 : Math.floor((objective_score * 100) / objective_total_score),
    closed: test_status === 3 ? '该答卷已批改完成' : undefined,
  };
}

/** A material itself is no question here: its parts are. */
function onDesk(question: ExamReviewQuestion): DeskQuestion {
  const { ques_type, facility_value, user_answer } = question;
  const drawing = drawMatching(question, { given: user_answer });
  return {
    ...question,
    ques_type: fromExamType(ques_type) as DeskQuestion['ques_type'],
    type_name: examTypeName(ques_type, drawing !== undefined),
    facility_value: facility_value as DeskQuestion['facility_value'],
    right_answer_shown: question.answer_html,
    drawing,
    answer_words: drawing ? drawnWords(drawing.lines) : question.user_answer_text,
  };
}
