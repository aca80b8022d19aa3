/** Tags of the user's own questions. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { chosenCountFault } from './bank.rules.ts';
import type { tagQuestions } from './contract.ts';
import { joinTags, maxTags, missingQuestion, taggingMessages, tagsFault, tagsIn } from './rules.ts';
import { ownQuestions } from './visible.ts';

/** Returns the tags of each question in their order; questions without tags are left out. */
export async function tagsOf(db: Database, ids: readonly number[]): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>();
  if (ids.length === 0) return tags;
  const rows = await db
    .selectFrom('question_tag')
    .select(['question_id', 'name'])
    .where('question_id', 'in', [...ids])
    .orderBy('question_id')
    .orderBy('sort')
    .execute();
  for (const { question_id, name } of rows) tags.set(question_id, [...(tags.get(question_id) ?? []), name]);
  return tags;
}

/** Replaces the tags of questions. `tags` undefined: the question keeps its own. */
export async function storeTags(
  db: Database,
  ownerId: number,
  questions: readonly { id: number; tags: string | undefined }[],
): Promise<void> {
  const given = questions.filter(({ tags }) => tags !== undefined);
  if (given.length === 0) return;
  await db
    .deleteFrom('question_tag')
    .where(
      'question_id',
      'in',
      given.map(({ id }) => id),
    )
    .execute();
  const rows = given.flatMap(({ id, tags = '' }) =>
    tagsIn(tags).map((name, sort) => ({ question_id: id, owner_id: ownerId, folded: normalizeName(name), name, sort })),
  );
  if (rows.length > 0) await db.insertInto('question_tag').values(rows).execute();
  // Cached totals of searches depend on this version (search.ts).
  await db
    .updateTable('question_bank')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('bank', '=', ownerId)
    .execute();
}

const maxListedTags = 500;

/** Lists the user's tags, the most used first. */
export async function ownTags(db: Database, actor: Actor): Promise<{ name: string; questions: number }[]> {
  const rows = await db
    .selectFrom('question_tag')
    .select((eb) => [eb.fn.min('name').as('name'), eb.fn.countAll<number>().as('questions')])
    .where('owner_id', '=', actor.id)
    .groupBy('folded')
    .orderBy('questions', 'desc')
    .orderBy('folded')
    .limit(maxListedTags)
    .execute();
  return rows.map(({ name, questions }) => ({ name, questions: Number(questions) }));
}

/**
 * Adds tags to all of the questions and removes others, with a history row for each changed question. 404: one belongs
 * to somebody else. 422: nothing to change, a tag is too long, or a question would have too many.
 */
export async function setTags(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { ids, add, remove }: BodyOf<typeof tagQuestions>,
): Promise<{ count: number } | Refusal> {
  const refusal = refuseField('ids', chosenCountFault(ids.length));
  if (refusal) return refusal;
  const added = tagsIn(add);
  const removed = new Set(tagsIn(remove).map(normalizeName));
  const fault = added.length + removed.size === 0 ? taggingMessages.nothing : tagsFault(added);
  if (fault) return invalid({ add: [fault] });
  const own = await ownTagsOf(db, actor, ids);
  if (isRefusal(own)) return own;
  const changes = own.flatMap(({ id, before }) => {
    const after = tagsIn(joinTags([...before.filter((tag) => !removed.has(normalizeName(tag))), ...added]));
    return joinTags(before) === joinTags(after) ? [] : [{ id, before, after }];
  });
  const full = changes.filter(({ after }) => after.length > maxTags).length;
  if (full > 0) return invalid({ add: [taggingMessages.tooMany(full)] });
  await storeTags(
    db,
    actor.id,
    changes.map(({ id, after }) => ({ id, tags: joinTags(after) })),
  );
  await recordHistoryOfMany(db, {
    actor,
    now,
    record: 'question',
    action: 'edit',
    changes: changes.map(({ id, before, after }) => ({
      recordId: id,
      before: { tags: joinTags(before) },
      after: { tags: joinTags(after) },
    })),
  });
  return { count: changes.length };
}

/** Locks the questions. 404: one belongs to somebody else. */
async function ownTagsOf(db: Database, actor: Actor, ids: readonly number[]) {
  const own = await forUpdate(db)(
    ownQuestions(db, actor)
      .select('question.id')
      .where('question.id', 'in', [...ids])
      .orderBy('question.id'),
  ).execute();
  if (own.length < ids.length) return missing(missingQuestion);
  const tags = await tagsOf(db, ids);
  return own.map(({ id }) => ({ id, before: tags.get(id) ?? [] }));
}
