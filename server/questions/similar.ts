/** Lists equal and nearly equal questions of the user's own bank, and marks pairs as different. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf, ParamsOf } from '#server/platform/calls/call.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import type { RuleContext } from '#server/school/context.ts';
import { comparedOf } from './comparison.ts';
import { questionDetails } from './detail.ts';
import { missingQuestion } from './rules.ts';
import { searchBank } from './search.ts';
import type {
  ComparedQuestion,
  markDifferent,
  SimilarFilter,
  SimilarPage,
  unmarkDifferent,
} from './similar.contract.ts';
import { type SimilarQuestions, similarQuestions } from './similar-pairs.ts';
import { ownQuestions, withMergedIds } from './visible.ts';

/** Maximum number of questions that are compared, the last edited ones. */
const maxCompared = 20_000;

interface Comparison {
  /** Unix seconds; questions edited since are not compared yet. */
  at: number;
  found: SimilarQuestions;
  types: ReadonlyMap<number, number>;
  leftOut: number;
}

/** Caches comparisons per database and owner, because comparing a large bank takes a second. */
const comparisons = new WeakMap<object, Map<number, Comparison>>();
const maxComparisons = 50;

interface Pair {
  one: number;
  other: number;
  percent: number;
  group: number;
}

export async function similarPage(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  filter: SimilarFilter,
): Promise<SimilarPage> {
  const comparison = await comparisonOf(db, actor, now);
  const all = await pairsOf(db, actor, comparison, filter.marked === 1);
  const matching = all.filter(
    ({ one, other, percent }) =>
      (filter.match === undefined || (filter.match === 'equal') === (percent === 100)) &&
      (filter.ques_type === undefined || [one, other].some((id) => comparison.types.get(id) === filter.ques_type)),
  );
  const { list, ...range } = await pageOf(matching.length, filter, ({ limit, offset }) =>
    matching.slice(offset, offset + limit),
  );
  const questions = await comparedQuestions(db, actor, [...new Set(list.flatMap(({ one, other }) => [one, other]))]);
  const shown = list.flatMap((pair) => {
    const [one, other] = [questions.get(pair.one), questions.get(pair.other)];
    return one && other ? [{ ...pair, id: `${pair.one}-${pair.other}`, one, other }] : [];
  });
  return { list: shown, ...range, left_out: comparison.leftOut };
}

async function comparisonOf(db: Database, actor: Actor, now: number): Promise<Comparison> {
  const source = db.getExecutor().adapter;
  const cached = comparisons.get(source) ?? new Map<number, Comparison>();
  comparisons.set(source, cached);
  const known = cached.get(actor.id);
  if (known && !(await isEditedSince(db, actor, known.at))) return known;
  const comparison = await compareBank(db, actor, now);
  cached.delete(actor.id);
  if (cached.size >= maxComparisons) cached.delete(cached.keys().next().value as number);
  cached.set(actor.id, comparison);
  return comparison;
}

/** True if a question was added or edited; deleted ones are left out of each page. */
const isEditedSince = async (db: Database, actor: Actor, at: number): Promise<boolean> =>
  (await db
    .selectFrom('question')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('updated_at', '>=', at)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Questions per statement, which SQLite reads in a few milliseconds. */
const chunk = 100;

async function compareBank(db: Database, actor: Actor, now: number): Promise<Comparison> {
  const { ids, leftOut } = await latestIds(db, actor);
  const turns = new Yielding();
  const types = new Map<number, number>();
  const questions = [];
  for (let from = 0; from < ids.length; from += chunk) {
    const rows = await db
      .selectFrom('question')
      .select(['id', 'ques_type', 'stem_text', 'ques_option'])
      .where('id', 'in', ids.slice(from, from + chunk))
      .execute();
    for (const { id, ques_type, stem_text, ques_option } of rows) {
      types.set(id, ques_type);
      if (stem_text === '') continue;
      const options = JSON.parse(ques_option) as { content: string }[];
      questions.push({ id, ...comparedOf(ques_type, stem_text, options) });
      await turns.others();
    }
  }
  return { at: now, found: await similarQuestions(questions), types, leftOut };
}

async function latestIds(db: Database, actor: Actor): Promise<{ ids: number[]; leftOut: number }> {
  const ids = new Set<number>();
  const limit = 1000;
  for (let page = 1; ; page += 1) {
    const { list, total } = await searchBank(db, { ownerId: actor.id, forPicker: false }, { page, limit });
    for (const id of list) ids.add(id);
    if (page * limit >= Math.min(total, maxCompared)) return { ids: [...ids], leftOut: Math.max(0, total - ids.size) };
  }
}

/** Returns the pairs of questions that still exist, marked as different or not. */
async function pairsOf(db: Database, actor: Actor, { found }: Comparison, marked: boolean): Promise<Pair[]> {
  const keyOf = (one: number, other: number) => `${Math.min(one, other)}-${Math.max(one, other)}`;
  const differences = await db
    .selectFrom('question_difference')
    .select(['one_id', 'other_id'])
    .where('owner_id', '=', actor.id)
    .orderBy('marked_at', 'desc')
    .orderBy('one_id')
    .orderBy('other_id')
    .execute();
  const different = new Set(differences.map(({ one_id, other_id }) => keyOf(one_id, other_id)));
  const { equal, near } = found;
  const existing = await existingIds(db, actor, [...equal.flat(), ...near.flatMap(({ one, other }) => [one, other])]);
  const first = new Map<number, number>();
  const pairs: Omit<Pair, 'group'>[] = [];
  const percents = new Map<string, number>();
  const add = (one: number, other: number, percent: number) => {
    percents.set(keyOf(one, other), percent);
    if (!different.has(keyOf(one, other)))
      pairs.push({ one: Math.min(one, other), other: Math.max(one, other), percent });
  };
  for (const group of equal) {
    const left = group.filter((id) => existing.has(id));
    if (left[0] !== undefined) first.set(group[0] as number, left[0]);
    for (const [at, id] of left.entries()) {
      // One pair for each question shows the whole group.
      let before = 0;
      while (before < at && different.has(keyOf(left[before] as number, id))) {
        percents.set(keyOf(left[before] as number, id), 100);
        before += 1;
      }
      if (before < at) add(left[before] as number, id, 100);
    }
  }
  for (const { one, other, percent } of near) {
    const [left, right] = [first.get(one) ?? one, first.get(other) ?? other];
    if (existing.has(left) && existing.has(right)) add(left, right, percent);
  }
  if (!marked) return grouped(pairs);
  return differences.map(({ one_id, other_id }) => ({
    one: one_id,
    other: other_id,
    percent: percents.get(keyOf(one_id, other_id)) ?? 0,
    group: 2,
  }));
}

async function existingIds(db: Database, actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const existing = new Set<number>();
  const asked = [...new Set(ids)];
  for (let from = 0; from < asked.length; from += 500) {
    const rows = await ownQuestions(db, actor)
      .select('question.id')
      .where('question.id', 'in', asked.slice(from, from + 500))
      .execute();
    for (const { id } of rows) existing.add(id);
  }
  return existing;
}

/** Sorts pairs by group, the group with the most similar pair first. */
function grouped(pairs: readonly Omit<Pair, 'group'>[]): Pair[] {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== id) parents.set(id, root);
    return root;
  };
  for (const { one, other } of pairs) {
    const [left, right] = [rootOf(one), rootOf(other)];
    if (left !== right) parents.set(Math.max(left, right), Math.min(left, right));
  }
  const groups = new Map<number, { members: Set<number>; pairs: Omit<Pair, 'group'>[]; best: number }>();
  for (const pair of pairs) {
    const root = rootOf(pair.one);
    const group = groups.get(root) ?? { members: new Set(), pairs: [], best: 0 };
    groups.set(root, group);
    group.members.add(pair.one).add(pair.other);
    group.pairs.push(pair);
    group.best = Math.max(group.best, pair.percent);
  }
  return [...groups]
    .sort(([root, one], [otherRoot, other]) => other.best - one.best || otherRoot - root)
    .flatMap(([, { members, pairs: own }]) =>
      own
        .sort((one, other) => other.percent - one.percent || one.one - other.one || one.other - other.other)
        .map((pair) => ({ ...pair, group: members.size })),
    );
}

/** Reads own questions with the number of their uses, by id. Missing ones are left out. */
export async function comparedQuestions(
  db: Database,
  actor: Actor,
  ids: readonly number[],
): Promise<Map<number, ComparedQuestion>> {
  const existing = [...(await existingIds(db, actor, ids))];
  if (existing.length === 0) return new Map();
  const details = await questionDetails(db, actor, ownQuestions(db, actor), existing);
  if (isRefusal(details)) return new Map();
  const uses = await usesOf(db, existing);
  return new Map(details.map((detail) => [detail.id, { ...detail, uses: uses.get(detail.id) ?? 0 }]));
}

async function usesOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const merged = await withMergedIds(db, ids);
  const sources = [...merged.keys()];
  const rows = await db
    .selectFrom('homework_question')
    .innerJoin('homework', 'homework.id', 'homework_question.homework_id')
    .select('homework_question.source_id')
    .where('homework_question.source_id', 'in', sources)
    .where('homework_question.parent_id', 'is', null)
    .where('homework.status', '=', 1)
    .unionAll(
      db
        .selectFrom('exam_question')
        .innerJoin('exam', 'exam.id', 'exam_question.exam_id')
        .select('exam_question.source_id')
        .where('exam_question.source_id', 'in', sources)
        .where('exam_question.parent_id', 'is', null)
        .where('exam.status', '=', 1),
    )
    .execute();
  const uses = new Map<number, number>();
  for (const { source_id } of rows) {
    const id = merged.get(source_id as number) as number;
    uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}

/** Marks two own questions as different. 404: one belongs to somebody else, or both are the same. */
export async function setDifferent(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { one = 0, other = 0 }: BodyOf<typeof markDifferent>,
): Promise<null | Refusal> {
  if (one === other || (await existingIds(db, actor, [one, other])).size < 2) return missing(missingQuestion);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('question_difference')
    .values({ one_id: Math.min(one, other), other_id: Math.max(one, other), owner_id: actor.id, marked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(numInsertedOrUpdatedRows) > 0) await recordDifference({ db, actor, now }, one, other, true);
  return null;
}

/** Takes the mark back. 404: the pair is not marked. */
export async function removeDifference(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { one, other }: ParamsOf<typeof unmarkDifferent>,
): Promise<null | Refusal> {
  const { numDeletedRows } = await db
    .deleteFrom('question_difference')
    .where('owner_id', '=', actor.id)
    .where('one_id', '=', Math.min(one, other))
    .where('other_id', '=', Math.max(one, other))
    .executeTakeFirst();
  if (Number(numDeletedRows) === 0) return missing(missingQuestion);
  await recordDifference({ db, actor, now }, one, other, false);
  return null;
}

/** Writes a history row for both questions. */
const recordDifference = (
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  one: number,
  other: number,
  isMarked: boolean,
): Promise<void> =>
  recordHistoryOfMany(db, {
    actor,
    now,
    record: 'question',
    action: 'edit',
    changes: [
      [one, other],
      [other, one],
    ].map(([recordId, different_from]) => ({
      recordId: recordId as number,
      before: isMarked ? null : { different_from },
      after: isMarked ? { different_from } : null,
    })),
  });
