/** API calls of the grading desk, behind one interface for homework and exams. */

import type { GenericSchema, InferInput } from 'valibot';
import type { Me } from '#server/account/sign-in.contract.ts';
import type { gradeExamEqualAnswers, storeExamQuestion } from '#server/grading-desk/exam.contract.ts';
import type {
  finishReview,
  gradeEqualAnswers,
  rejudgeBlank,
  reviewByQuestion,
  storeQuestion,
  undoEqualAnswers,
  undoRejudge,
} from '#server/grading-desk/homework.contract.ts';
import { listPinned } from '#server/grading-desk/pinned-comments.contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { answerOrErrorPage, type Outcome } from '../../api/outcome.server.ts';
import { formatNearTime } from '../../lib/dates.ts';
import type { FormRequest } from '../../shell/form-request.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { type DeskAddress, deskOf, examDesk } from '../screens.ts';
import { lessonWords } from '../terms.ts';
import { addressOfReport } from './address.ts';
import { type Desk, isWaiting, otherAssignmentMessage } from './desk.ts';
import type { DeskCall, DeskKind } from './desk-kind.ts';
import { examKind } from './exam-kind.server.ts';
import { homeworkKind } from './homework-kind.server.ts';

type Settings = Me['settings'];

type InputOf<C extends { body?: GenericSchema | undefined }> = InferInput<NonNullable<C['body']>>;

/** Bodies of all the calls, with the field names of homework and of exams. */
export type DeskBody = Partial<
  InputOf<typeof storeQuestion> &
    InputOf<typeof finishReview> &
    InputOf<typeof reviewByQuestion> &
    InputOf<typeof gradeEqualAnswers> &
    InputOf<typeof undoEqualAnswers> &
    InputOf<typeof rejudgeBlank> &
    InputOf<typeof undoRejudge> &
    InputOf<typeof storeExamQuestion> &
    InputOf<typeof gradeExamEqualAnswers>
>;

export type DeskCalls = ReturnType<typeof deskCalls>;

/** Wraps the calls of homework or exams. Bodies come in and errors go out with the field names of homework. */
function deskCalls({ screens, words, calls, names, ...kind }: DeskKind) {
  async function ask<Answer>(client: ApiClient, call: DeskCall<Answer>, body: DeskBody, idempotencyKey?: string) {
    const theirs = Object.entries(body).map(([name, value]) => [names[name] ?? name, value]);
    const outcome = await client.ask(call, { body: Object.fromEntries(theirs) as DeskBody, idempotencyKey });
    if (outcome.ok || !outcome.errors) return outcome;
    const ours = new Map(Object.keys(body).map((name): [string, string] => [names[name] ?? name, name]));
    const errors = Object.entries(outcome.errors).map(([name, messages]) => [ours.get(name) ?? name, messages]);
    return { ...outcome, errors: Object.fromEntries(errors) as typeof outcome.errors };
  }

  async function open(client: ApiClient, address: DeskAddress, settings: Settings): Promise<Outcome<Desk>> {
    const { report_id, class_id, type, by, order, skip } = address;
    const opened = await kind.open(client, address);
    if (!opened.ok) return opened;
    const { questions: questionsOf, arrange, ...report } = opened.data;
    const { subjective } = report;
    const named = subjective.find(({ question_id }) => question_id === address.ques_id);
    const ques_id = type === 1 ? (named ?? subjective.find(isWaiting) ?? subjective[0])?.question_id : undefined;
    const byQuestion = by === 'question' && ques_id !== undefined;
    const questions = await questionsOf(byQuestion ? ques_id : undefined);
    if (!questions.ok) return questions;
    const body = { report_id, class_id, ques_id, order, skip: [...skip] };
    const round = byQuestion ? await ask(client, calls.round, body) : undefined;
    if (round && !round.ok) return round;
    const pinned = await client.ask(listPinned);
    if (!pinned.ok) return pinned;
    const { timezone, show_classify: classify, show_grade: grade } = settings;
    const desk = {
      ...report,
      submitted:
        report.report.submit_time > 0 ? formatNearTime(report.report.submit_time, client.now(), timezone) : undefined,
      lesson: arrange ? lessonWords(arrange, { classify, grade }, timezone) : undefined,
      pinned: pinned.data,
      address: { ...address, ques_id },
      questions: questions.data,
      words,
      round: round?.data,
    };
    return { ok: true, data: desk, msg: '' };
  }

  return {
    screens,
    words,
    open,
    save: (client: ApiClient, mark: DeskBody) => ask(client, calls.save, mark),
    async finish(client: ApiClient, report: DeskBody, idempotencyKey: string | undefined) {
      const outcome = await ask(client, calls.finish, report, idempotencyKey);
      return outcome.ok && kind.finished ? { ...outcome, msg: kind.finished(outcome.data) } : outcome;
    },
    finishAll: (client: ApiClient, report: DeskBody, idempotencyKey: string | undefined) =>
      ask(client, calls.finishAll, report, idempotencyKey),
    async countFinishable(client: ApiClient, { report_id, class_id, ques_id }: DeskAddress): Promise<Outcome<number>> {
      const round = await ask(client, calls.round, { report_id, class_id, ques_id, skip: [] });
      return round.ok ? { ...round, data: round.data.finishable_count } : round;
    },
    /** Lists the other ungraded answers with the same text. */
    same: (client: ApiClient, { report_id, class_id, ques_id }: DeskAddress) =>
      ask(client, calls.same, { report_id, class_id, ques_id }),
    gradeSame: (client: ApiClient, mark: DeskBody, idempotencyKey: string | undefined) =>
      ask(client, calls.gradeSame, mark, idempotencyKey),
    undoSame: (client: ApiClient, batch_id: number | undefined) => ask(client, calls.undoSame, { batch_id }),
    rejudge: (client: ApiClient, judgment: DeskBody) => ask(client, calls.rejudge, judgment),
    undoRejudge: (client: ApiClient, judgment_id: number) => ask(client, calls.undoRejudge, { judgment_id }),
  };
}

const homeworkCalls = deskCalls(homeworkKind);
const examCalls = deskCalls(examKind);

/** Returns the homework or the exam calls, by the path of the address. */
export const callsOf = (url: URL): DeskCalls => (deskOf(url) === examDesk ? examCalls : homeworkCalls);

/** For loaders: loads the desk at an address. A refusal becomes the error page. */
export async function openDesk({ context, url }: Omit<FormRequest, 'request'>): Promise<Desk> {
  const calls = callsOf(url);
  const { settings } = signedInPerson(context);
  return answerOrErrorPage(await calls.open(context.get(api), calls.screens.desk.at(url), settings)).data;
}

/** Message if the next report (`next`) belongs to another homework or exam. Call it before the next report is shown. */
export async function nextAssignmentMessage(
  { open }: Pick<DeskCalls, 'open'>,
  client: ApiClient,
  { address, next, settings }: { address: DeskAddress; next: number; settings: Settings },
): Promise<string | undefined> {
  const before = await open(client, address, settings);
  const after = await open(client, addressOfReport(address, next), settings);
  return before.ok && after.ok ? otherAssignmentMessage(before.data.report, after.data) : undefined;
}
