/** Merges two questions of the user's own bank, and takes a merge back. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { textBeginning } from '#server/school/history-record.ts';
import { questionContent } from './edit-conflict.ts';
import { joinTags, mergeFault, mergeMessages, missingMerge, missingQuestion, tagsIn } from './rules.ts';
import type { ComparedQuestion, Merge } from './similar.contract.ts';
import { comparedQuestions } from './similar.ts';
import { storeTags, tagsOf } from './tags.ts';
import { ownQuestions, withMergedIds } from './visible.ts';

interface Merged {
  kept: number;
  gone: number;
}

/** Changes beside the question that is gone. */
interface Effect {
  /** Tags that the kept question got. */
  tags: string[];
  /** Knowledge point that the kept question got. */
  point: number | null;
  /** Rows of collections that refer to the kept question now. */
  collections: number[];
  /** Ids of questions that the gone one is different from. */
  different: number[];
}

interface Plan {
  kept: ComparedQuestion;
  gone: ComparedQuestion;
  tags: string[];
  point_path: string;
  fault: string;
  seen: string;
}

/** Returns the result of a merge. 404: one question belongs to somebody else. */
export async function mergePlan(db: Database, actor: Actor, { kept: keptId, gone: goneId }: Merged) {
  const questions = await comparedQuestions(db, actor, [keptId, goneId]);
  const [kept, gone] = [questions.get(keptId), questions.get(goneId)];
  if (!kept || !gone) return missing(missingQuestion);
  const plan: Plan = {
    kept,
    gone,
    tags: tagsIn(joinTags([...kept.tags, ...gone.tags])),
    point_path: kept.point_path || gone.point_path,
    fault: '',
    seen: [kept, gone].map(versionOf).join(' / '),
  };
  return { ...plan, fault: mergeFault(kept, gone, plan.tags.length) ?? '' };
}

const versionOf = (question: ComparedQuestion): string =>
  versionTokenOf({
    all: [questionContent(question), question.tags, question.point_id, question.is_public],
  });

/** Merges the questions. 404, 409: see the contract. */
export async function merge(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  ids: Merged,
  { seen }: { seen: string },
): Promise<null | Refusal> {
  const rows = await forUpdate(db)(
    ownQuestions(db, actor)
      .selectAll('question')
      .where('question.id', 'in', [ids.kept, ids.gone])
      .orderBy('question.id'),
  ).execute();
  const plan = await mergePlan(db, actor, ids);
  if (isRefusal(plan)) return plan;
  const refusal = refuseFor('conflict', plan.fault || undefined);
  if (refusal) return refusal;
  if (seen !== plan.seen) return conflict(mergeMessages.edited, { seen: plan.seen });
  const { kept, gone } = plan;
  const parts = await db.selectFrom('question').selectAll().where('parent_id', '=', gone.id).orderBy('id').execute();
  const effect: Effect = {
    tags: plan.tags.slice(kept.tags.length),
    point: kept.point_id === null ? gone.point_id : null,
    collections: await moveCollections(db, ids),
    different: await differencesOf(db, gone.id),
  };
  await db
    .insertInto('question_merge')
    .values({
      owner_id: actor.id,
      kept_id: kept.id,
      gone_id: gone.id,
      stem_text: gone.stem_text,
      gone: JSON.stringify({ rows: [...rows.filter(({ id }) => id === gone.id), ...parts], tags: gone.tags }),
      effect: JSON.stringify(effect),
      merged_at: now,
    })
    .execute();
  await moveImports(db, actor, ids);
  await db.deleteFrom('question').where('id', '=', gone.id).execute();
  await storeTags(db, actor.id, [{ id: kept.id, tags: joinTags(plan.tags) }]);
  if (effect.point !== null) await setPoint(db, kept.id, effect.point);
  await recordBoth({ db, actor, now }, 'merge', [
    { id: kept.id, before: contentBefore(kept, effect), after: { ...contentAfter(plan), merged: textOf(gone) } },
    { id: gone.id, before: null, after: { merged_into: textOf(kept) } },
  ]);
  return null;
}

const textOf = ({ stem_text }: { stem_text: string }): string => textBeginning(stem_text) || mergeMessages.noText;
const contentBefore = (kept: ComparedQuestion, { tags, point }: Effect) => ({
  ...(tags.length > 0 && { tags: joinTags(kept.tags) }),
  ...(point !== null && { point_id: null }),
});
const contentAfter = ({ kept, gone, tags }: Plan) => ({
  ...(tags.length > kept.tags.length && { tags: joinTags(tags) }),
  ...(kept.point_id === null && gone.point_id !== null && { point_id: gone.point_id }),
});

const setPoint = (db: Database, id: number, point_id: number | null) =>
  db.updateTable('question').set({ point_id }).where('id', '=', id).execute();

async function recordBoth(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  action: 'merge' | 'undo',
  changes: readonly { id: number; before: object | null; after: object | null }[],
): Promise<void> {
  for (const { id, before, after } of changes) {
    await recordHistory(db, { actor, now, record: 'question', recordId: id, action, before, after });
  }
}

/** Moves favourites from the deleted question to the kept one, except of users who have both. Returns the moved rows. */
async function moveCollections(db: Database, { kept, gone }: Merged): Promise<number[]> {
  const moved = await db
    .updateTable('question_collect')
    .set({ question_id: kept })
    .where('question_id', '=', gone)
    .where('staff_id', 'not in', db.selectFrom('question_collect').select('staff_id').where('question_id', '=', kept))
    .returning('id')
    .execute();
  return moved.map(({ id }) => id);
}

/** Lets imports refer to the kept question. Drafts of homework and exams follow when they are read (`survivingIds`). */
const moveImports = (db: Database, actor: Actor, { kept, gone }: Merged) =>
  db
    .updateTable('question_import_row')
    .set({ bank_id: kept })
    .where('import_id', 'in', db.selectFrom('question_import').select('id').where('owner_id', '=', actor.id))
    .where('bank_id', '=', gone)
    .execute();

async function differencesOf(db: Database, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('question_difference')
    .select(['one_id', 'other_id'])
    .where((eb) => eb.or([eb('one_id', '=', id), eb('other_id', '=', id)]))
    .execute();
  return rows.map(({ one_id, other_id }) => (one_id === id ? other_id : one_id));
}

// ---- taking back -----------------------------------------------------------------------------------

/** Lists the questions that were merged into the user's own question, latest first. 404: it belongs to somebody else. */
export async function mergesOf(db: Database, actor: Actor, id: number): Promise<Merge[] | Refusal> {
  const own = await ownQuestions(db, actor).select('question.id').where('question.id', '=', id).executeTakeFirst();
  if (!own) return missing(missingQuestion);
  const merged = [...(await withMergedIds(db, [id])).keys()];
  const rows = await db
    .selectFrom('question_merge')
    .select(['id', 'gone_id', 'kept_id', 'stem_text', 'merged_at'])
    .where('gone_id', 'in', merged)
    .orderBy('merged_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ gone_id, kept_id, ...row }) => ({
    ...row,
    question_id: gone_id,
    can_undo: kept_id === id ? (1 as const) : (0 as const),
  }));
}

/** Takes a merge back. 404: it is not the user's, or was taken back already. */
export async function takeBackMerge(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  id: number,
): Promise<null | Refusal> {
  const found = await forUpdate(db)(
    db.selectFrom('question_merge').selectAll().where('id', '=', id).where('owner_id', '=', actor.id),
  ).executeTakeFirst();
  if (!found) return missing(missingMerge);
  const { kept_id, gone_id } = found;
  const effect = JSON.parse(found.effect) as Effect;
  await db.deleteFrom('question_merge').where('id', '=', id).execute();
  await restore(db, found.gone, { ownerId: actor.id, now });
  await restoreCollections(db, effect.collections, { kept: kept_id, gone: gone_id });
  await restoreDifferences(db, effect.different, { goneId: gone_id, ownerId: actor.id, now });
  const kept = await ownQuestions(db, actor)
    .select(['question.id', 'question.point_id', 'question.stem_text'])
    .where('question.id', '=', kept_id)
    .executeTakeFirst();
  if (kept) await restoreKept(db, actor, effect, kept);
  await recordBoth({ db, actor, now }, 'undo', [
    ...(kept ? [{ id: kept_id, before: { merged: textOf(found) }, after: null }] : []),
    { id: gone_id, before: { merged_into: kept ? textOf(kept) : mergeMessages.noText }, after: null },
  ]);
  return null;
}

type StoredQuestion = Awaited<ReturnType<typeof storedRows>>[number];
const storedRows = (db: Database) => db.selectFrom('question').selectAll().execute();

/** Stores the question with its parts again, with their ids. */
async function restore(db: Database, gone: string, { ownerId, now }: { ownerId: number; now: number }): Promise<void> {
  const { rows, tags } = JSON.parse(gone) as { rows: StoredQuestion[]; tags: string[] };
  const points = rows.flatMap(({ point_id }) => point_id ?? []);
  const known = await db
    .selectFrom('knowledge_point')
    .select('id')
    .where('id', 'in', [0, ...points])
    .execute();
  const isKnown = (point: number | null) => known.some(({ id }) => id === point);
  for (const row of rows) {
    // The time of the change makes a cached comparison include the question again.
    const point_id = isKnown(row.point_id) ? row.point_id : null;
    await db
      .insertInto('question')
      .values({ ...row, point_id, updated_at: now })
      .execute();
  }
  await storeTags(
    db,
    ownerId,
    rows.slice(0, 1).map(({ id }) => ({ id, tags: joinTags(tags) })),
  );
}

async function restoreCollections(db: Database, collections: readonly number[], ids: Merged): Promise<void> {
  if (collections.length === 0) return;
  await db
    .updateTable('question_collect')
    .set({ question_id: ids.gone })
    .where('id', 'in', [...collections])
    .where('question_id', '=', ids.kept)
    .execute();
}

async function restoreDifferences(
  db: Database,
  different: readonly number[],
  { goneId, ownerId, now }: { goneId: number; ownerId: number; now: number },
): Promise<void> {
  const existing = await ownQuestions(db, { id: ownerId })
    .select('question.id')
    .where('question.id', 'in', [0, ...different])
    .execute();
  if (existing.length === 0) return;
  await db
    .insertInto('question_difference')
    .values(
      existing.map(({ id }) => ({
        one_id: Math.min(id, goneId),
        other_id: Math.max(id, goneId),
        owner_id: ownerId,
        marked_at: now,
      })),
    )
    .execute();
}

/** Removes what the merge added to the kept question, unless it was changed since. */
async function restoreKept(
  db: Database,
  actor: Actor,
  { tags, point }: Effect,
  kept: { id: number; point_id: number | null },
): Promise<void> {
  if (point !== null && kept.point_id === point) await setPoint(db, kept.id, null);
  if (tags.length === 0) return;
  const added = new Set(tags.map(normalizeName));
  const left = ((await tagsOf(db, [kept.id])).get(kept.id) ?? []).filter((tag) => !added.has(normalizeName(tag)));
  await storeTags(db, actor.id, [{ id: kept.id, tags: joinTags(left) }]);
}
