/** Publishes an exam, extends or ends it, and takes it back to a draft; each change is recorded in the history. */
import { mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { forbidden, invalid, isRefusal, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import {
  examEditConflict,
  lockedExam,
  lockedOwnExam,
  type RequestContext,
  recordExamHistory,
  type SettingsContext,
} from './admin-changes.ts';
import { countReach, countTakingExam, editedFields, reportsOfExam } from './admin-record.ts';
import { reachedStudents } from './exam-classes.ts';
import { emitExamPublished } from './learner-events.ts';
import { paperFaults, publishFaultSentence } from './publication.rules.ts';
import { examSections } from './questions.ts';
import {
  closeFault,
  closingSentence,
  composingMessages,
  extendFault,
  publishedFault,
  reachSentence,
  withdrawFault,
} from './rules.ts';

/**
 * Publishes a draft. 404: not visible. 409: published already, or the effect was not acknowledged. 422: every fault of
 * the paper.
 */
export async function publishDraft(context: RequestContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedExam(context, id);
  if (isRefusal(held)) return held;
  const { exam, beyond } = held;
  const published = refuseFor('conflict', publishedFault(exam));
  if (published) return published;
  const faults = paperFaults({ ...exam, sections: await examSections(db, id), beyond }, now);
  if (faults.length > 0) return invalid({ paper: faults }, publishFaultSentence(faults));
  const unsaid = requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (unsaid) return unsaid;
  await db
    .updateTable('exam')
    .set({ status: 1, published_at: now, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await emitExamPublished(db, exam, reachedStudents(db, held), now);
  await recordExamHistory(context, id, 'publish', { before: { status: 2 }, after: { status: 1, reach: acknowledged } });
  return null;
}

/**
 * Moves the end of an exam to a later time. 404: not visible. 403: published in a school of others. 409: no end, edited
 * meanwhile, or the effect was not acknowledged. 422: not later than the present end.
 */
export async function extendExamEnd(
  context: SettingsContext,
  id: number,
  { end_at, seen, acknowledged }: { end_at?: number | null | undefined; seen: string; acknowledged: string },
): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const refusal =
    refuseFor('conflict', extendFault(exam)) ?? refuseField('end_at', end_at ? undefined : composingMessages.extension);
  if (refusal) return refusal;
  const before = editedFields(exam, held);
  const { conflicts, both } = mergeEdit(seen, before, { ...before, end_at: end_at ?? null });
  if (conflicts.includes('end_at')) return examEditConflict(context, exam, both);
  const later = Number(end_at);
  const wrong =
    refuseField('end_at', later <= Number(exam.end_at) ? composingMessages.notLater : undefined) ??
    refuseField('end_at', later <= now ? composingMessages.past : undefined) ??
    requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (wrong) return wrong;
  await db
    .updateTable('exam')
    .set({ end_at: later, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'extend', {
    before: { end_at: exam.end_at },
    after: { end_at: later, reach: acknowledged },
  });
  return null;
}

/**
 * Ends a running exam now. 404: not visible. 403: published in a school of others. 409: not running, or the effect was
 * not acknowledged.
 */
export async function endExamNow(context: RequestContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const closing = { ...(await countReach(db, held)), reports: await reportsOfExam(db, id) };
  const refusal =
    refuseFor('conflict', closeFault(exam, now)) ?? requireConfirmation(closingSentence(closing), acknowledged);
  if (refusal) return refusal;
  await db
    .updateTable('exam')
    .set({ end_at: now, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'close', {
    before: { end_at: exam.end_at },
    after: { end_at: now, reach: acknowledged },
  });
  return null;
}

/**
 * Takes a published exam back to a draft. 404: not visible. 403: another administrator's exam. 409: not published,
 * somebody is taking it or has submitted, or the effect was not acknowledged.
 */
export async function withdrawToDraft(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const is_own = exam.creator_id === actor.id;
  const [taking, reports] = [await countTakingExam(db, id), await reportsOfExam(db, id)];
  const fault = withdrawFault({ status: exam.status, is_own, taking, reports });
  if (fault !== undefined && exam.status === 1 && !is_own) return forbidden(fault);
  const refusal =
    refuseFor('conflict', fault) ?? requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (refusal) return refusal;
  await db
    .updateTable('exam')
    .set({ status: 2, published_at: null, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'withdraw', {
    before: { status: 1 },
    after: { status: 2, reach: acknowledged },
  });
  return null;
}
