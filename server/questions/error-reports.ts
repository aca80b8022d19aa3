/**
 * Reported mistakes in questions. Administrators list, correct and answer them; whoever reported one sees the outcome.
 */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { mergeEdit, requireConfirmation, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import {
  conflict,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refuseField,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { escapeHtml, renderMath } from '#server/platform/text/render-math.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { decisionText } from '#server/school/decision-text.ts';
import { decisionUndoLimit, undoRefusedMessage } from '#server/school/rules.ts';
import type { QuestionDetail } from './contract.ts';
import { questionDetails } from './detail.ts';
import { type QuestionContent, questionConflict, questionContent } from './edit-conflict.ts';
import type {
  answerErrorReport,
  correctReportedQuestion,
  ErrorReportDetail,
  ErrorReportFilter,
  ErrorReportRow,
  OwnErrorReport,
} from './error-reports.contract.ts';
import {
  correctedQuestionEffect,
  type ErrorReportOutcome,
  errorReportFault,
  missingErrorReport,
  replyLimit,
  replyMessages,
} from './error-reports.rules.ts';
import { adminQuestions } from './visible.ts';
import { replaceQuestion, validateDraft } from './write.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/**
 * Selects the reports about questions of the administrator's schools; if the question is deleted, those by reporters of
 * these schools.
 */
function adminErrorReports({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) {
  const errorReports = db
    .selectFrom('question_correction')
    .innerJoin('staff as reporter', 'reporter.id', 'question_correction.staff_id')
    .leftJoin('question', 'question.id', 'question_correction.question_id')
    .leftJoin('staff as owner', 'owner.id', 'question.owner_id')
    .leftJoin('question_correction_reply as answer', 'answer.correction_id', 'question_correction.id');
  if (actor.everySchool) return errorReports;
  return errorReports.where((eb) =>
    eb(eb.fn.coalesce('owner.school_id', 'reporter.school_id'), 'in', schoolsOf(db, actor)),
  );
}

export const countWaitingErrorReports = (context: Pick<RequestContext, 'db' | 'actor'>): Promise<number> =>
  countOf(adminErrorReports(context).where('answer.correction_id', 'is', null));

const outcomeOf = { corrected: 1, answered: 2, dismissed: 3 } as const;

/** Lists undecided reports in the order of their arrival; decided ones with the latest decision first. */
export async function errorReportPage(
  context: RequestContext,
  filter: ErrorReportFilter,
): Promise<Page<ErrorReportRow>> {
  const { state = 'waiting', name, type } = filter;
  let matching = adminErrorReports(context);
  if (state === 'waiting') matching = matching.where('answer.correction_id', 'is', null);
  else if (state !== 'all') matching = matching.where('answer.outcome', '=', outcomeOf[state]);
  if (type !== undefined) matching = matching.where('question_correction.type', '=', type);
  if (name !== undefined) {
    matching = matching.where((eb) =>
      eb.or([containsText('question_correction.stem_text', name), nameContains('reporter.real_name', name)]),
    );
  }
  const rows = withDetails(matching);
  const inOrder = state === 'waiting' ? rows : rows.orderBy('answer.at', (order) => order.desc().nullsLast());
  const { list, ...range } = await pageOf(
    matching,
    filter,
    inOrder.orderBy('question_correction.id', state === 'waiting' ? 'asc' : 'desc'),
  );
  return { list: list.map(toErrorReportRow), ...range };
}

const withDetails = (errorReports: ReturnType<typeof adminErrorReports>) =>
  errorReports
    .leftJoin('school', (join) =>
      join.on((eb) => eb('school.id', '=', eb.fn.coalesce('owner.school_id', 'reporter.school_id'))),
    )
    .leftJoin('staff as decider', 'decider.id', 'answer.staff_id')
    .select([
      'question_correction.id',
      'question_correction.question_id',
      'question_correction.stem_text',
      'question_correction.type',
      'question_correction.error_msg',
      'question_correction.created_at',
      'reporter.real_name as reporter',
      'owner.real_name as owner',
      'question.id as present_id',
      'question.is_public',
      'school.org_name as school_name',
      'answer.outcome',
      'answer.reply',
      'answer.at as decided_at',
      'answer.staff_id as decider_id',
      'decider.real_name as decided_by',
    ]);
type StoredErrorReport = Awaited<ReturnType<ReturnType<typeof withDetails>['executeTakeFirstOrThrow']>>;

const toErrorReportRow = (row: StoredErrorReport): ErrorReportRow => ({
  id: row.id,
  stem_text: row.stem_text,
  preview: renderMath(escapeHtml(row.stem_text)),
  type: row.type as ErrorReportRow['type'],
  error_msg: row.error_msg,
  created_at: row.created_at,
  reporter: row.reporter,
  owner: row.owner ?? '',
  school_name: row.school_name ?? '',
  is_public: row.is_public ?? 0,
  outcome: row.outcome,
  reply: row.reply ?? '',
  decided_by: row.decided_by ?? '',
  decided_at: row.decided_at,
});

const oneOf = (context: RequestContext, id: number) =>
  withDetails(adminErrorReports(context).where('question_correction.id', '=', id)).executeTakeFirst();

/** Returns one report. 404: no such report in the administrator's schools. */
export async function errorReportDetail(context: RequestContext, id: number): Promise<ErrorReportDetail | Refusal> {
  const { db, actor, now } = context;
  const row = await oneOf(context, id);
  if (!row) return missing(missingErrorReport);
  const question = row.present_id === null ? undefined : await presentQuestion(context, row.question_id);
  const until = (row.decided_at ?? 0) + decisionUndoLimit;
  const mayUndo = row.decider_id === actor.id && row.outcome !== 1 && now <= until;
  return {
    ...toErrorReportRow(row),
    question: question ?? null,
    others: (await openOf(db, row.question_id)).filter((other) => other !== id).length,
    effect: question ? await effectOn(db, row.question_id, now) : '',
    seen: question ? versionTokenOf(questionContent(question)) : '',
    undo_until: mayUndo ? until : null,
  };
}

async function presentQuestion({ db, actor }: RequestContext, id: number): Promise<QuestionDetail | undefined> {
  const details = await questionDetails(db, actor, adminQuestions(db, actor), [id]);
  if (isRefusal(details)) return undefined;
  const [question] = details;
  if (!question) return undefined;
  // Adds the owner's private note, which the edit form shows.
  const { remark } = await db.selectFrom('question').select('remark').where('id', '=', id).executeTakeFirstOrThrow();
  return { ...question, remark };
}

/** Returns the ids of undecided reports about a question. */
async function openOf(db: Database, questionId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('question_correction')
    .leftJoin('question_correction_reply as answer', 'answer.correction_id', 'question_correction.id')
    .select('question_correction.id')
    .where('question_correction.question_id', '=', questionId)
    .where('answer.correction_id', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Says which running homework and exams contain the question. */
async function effectOn(db: Database, questionId: number, now: number): Promise<string> {
  const running = await db
    .selectFrom('homework')
    .innerJoin('homework_question', 'homework_question.homework_id', 'homework.id')
    .select((eb) => [
      eb.fn.count<number>('homework.id').distinct().as('homework'),
      eb.fn.sum<number | null>('homework.homework_count').as('students'),
    ])
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now)
    .where('homework_question.source_id', '=', questionId)
    .where('homework_question.parent_id', 'is', null)
    .executeTakeFirstOrThrow();
  const exams = await db
    .selectFrom('exam')
    .innerJoin('exam_question', 'exam_question.exam_id', 'exam.id')
    .select((eb) => eb.fn.count<number>('exam.id').distinct().as('exams'))
    .where('exam.status', '=', 1)
    .where('exam_question.source_id', '=', questionId)
    .executeTakeFirstOrThrow();
  return correctedQuestionEffect({
    homework: running.homework,
    students: Number(running.students ?? 0),
    exams: exams.exams,
  });
}

/** Loads a report and locks it until the transaction ends. 404: no such report. */
async function lockErrorReport(context: RequestContext, id: number): Promise<StoredErrorReport | Refusal> {
  const { db } = context;
  await forUpdate(db)(db.selectFrom('question_correction').select('id').where('id', '=', id)).execute();
  const row = await oneOf(context, id);
  return row ?? missing(missingErrorReport);
}

function refuseDecided({ now, settings }: RequestContext, row: StoredErrorReport): Refusal | undefined {
  const decided = decisionText({ by: row.decided_by, at: row.decided_at }, { now, timezone: settings.timezone });
  return refuseFor('conflict', errorReportFault({ outcome: row.outcome, decided }));
}

async function storeDecision(
  { db, actor, now }: RequestContext,
  ids: readonly number[],
  { outcome, reply, action }: { outcome: ErrorReportOutcome; reply: string; action: string },
): Promise<void> {
  await db
    .insertInto('question_correction_reply')
    .values(ids.map((correction_id) => ({ correction_id, outcome, reply, staff_id: actor.id, at: now })))
    .execute();
  for (const recordId of ids) {
    await recordHistory(db, {
      actor,
      now,
      record: 'question_correction',
      recordId,
      action,
      before: null,
      after: { outcome, reply },
    });
  }
}

/**
 * Answers or dismisses a report. 404: no such report. 422: errors by field. 409: decided already (the message says by
 * whom and when).
 */
export async function answerReport(
  context: RequestContext,
  id: number,
  { outcome, reply: written }: BodyOf<typeof answerErrorReport>,
): Promise<null | Refusal> {
  const row = await lockErrorReport(context, id);
  if (isRefusal(row)) return row;
  const reply = written.trim();
  const refusal =
    refuseField('reply', outcome === 2 && reply === '' ? replyMessages.reply : undefined) ??
    refuseField('reply', lengthOf(reply) > replyLimit ? replyMessages.replyLength : undefined) ??
    refuseDecided(context, row);
  if (refusal) return refusal;
  if (outcome === undefined) return invalid({ outcome: [replyMessages.outcome] });
  await storeDecision(context, [id], { outcome, reply, action: outcome === 2 ? 'answer' : 'dismiss' });
  return null;
}

/**
 * Undoes the user's own answer or dismissal. 404: no such report. 409: too late, decided by somebody else, or the
 * question was corrected.
 */
export async function undoAnswer(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const row = await lockErrorReport(context, id);
  if (isRefusal(row)) return row;
  const { outcome, reply, decided_at } = row;
  const mayUndo = row.decider_id === actor.id && outcome !== 1 && now <= (decided_at ?? 0) + decisionUndoLimit;
  if (!mayUndo) return conflict(undoRefusedMessage);
  await db.deleteFrom('question_correction_reply').where('correction_id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'question_correction',
    recordId: id,
    action: 'undo',
    before: { outcome, reply },
    after: null,
  });
  return null;
}

/**
 * Changes the question and closes all undecided reports about it. 404: no such report. 409: decided already, question
 * deleted, edited meanwhile, or the effect was not acknowledged. 422: errors by field, as in the owner's form.
 */
export async function correctQuestionOfReport(
  context: RequestContext,
  id: number,
  { acknowledged, seen, ...written }: BodyOf<typeof correctReportedQuestion>,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const row = await lockErrorReport(context, id);
  if (isRefusal(row)) return row;
  const over = refuseDecided(context, row);
  if (over) return over;
  const questionId = row.question_id;
  const stored = await forUpdate(db)(
    adminQuestions(db, actor).select(['question.owner_id', 'question.is_public']).where('question.id', '=', questionId),
  ).executeTakeFirst();
  const present = stored && (await presentQuestion(context, questionId));
  if (!stored || !present) return conflict(replyMessages.gone);
  const accepted = validateDraft(written);
  if (isRefusal(accepted)) return accepted;
  const before = questionContent(present);
  const { merged, conflicts, both } = mergeEdit<QuestionContent>(seen, before, questionContent(accepted));
  if (conflicts.length > 0) {
    const by = (await lastChangedBy(db, 'question', questionId, conflicts)) || row.owner || '他人';
    return questionConflict(both, by);
  }
  const unsaid = requireConfirmation((await effectOn(db, questionId, now)) || undefined, acknowledged);
  if (unsaid) return unsaid;
  const draft = validateDraft({ ...merged, ques_item: merged.ques_item });
  if (isRefusal(draft)) return draft;
  await replaceQuestion(db, questionId, draft, { ownerId: stored.owner_id, now, isPublic: stored.is_public });
  const change = changedFields(before, questionContent(draft));
  if (change.names.length > 0) {
    await recordHistory(db, {
      actor,
      now,
      record: 'question',
      recordId: questionId,
      action: 'correct',
      before: change.before,
      after: change.after,
    });
  }
  await storeDecision(context, await openOf(db, questionId), { outcome: 1, reply: '', action: 'correct' });
  return null;
}

/** Lists a user's own reports about a question, latest first. */
export async function errorReportsOfUser(db: Database, actor: Actor, questionId: number): Promise<OwnErrorReport[]> {
  const rows = await db
    .selectFrom('question_correction')
    .leftJoin('question_correction_reply as answer', 'answer.correction_id', 'question_correction.id')
    .leftJoin('staff as decider', 'decider.id', 'answer.staff_id')
    .select([
      'question_correction.id',
      'question_correction.type',
      'question_correction.error_msg',
      'question_correction.created_at',
      'answer.outcome',
      'answer.reply',
      'answer.at as decided_at',
      'decider.real_name as decided_by',
    ])
    .where('question_correction.question_id', '=', questionId)
    .where('question_correction.staff_id', '=', actor.id)
    .orderBy('question_correction.id', 'desc')
    .execute();
  return rows.map((row) => ({
    ...row,
    type: row.type as OwnErrorReport['type'],
    reply: row.reply ?? '',
    decided_by: row.decided_by ?? '',
  }));
}
