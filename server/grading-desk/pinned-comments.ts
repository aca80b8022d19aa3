/** A grader's pinned comments. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { PinnedComments } from './pinned-comments.contract.ts';
import { commentKeys, pinnedTwiceMessage } from './rules.ts';

export async function pinnedComments(db: Database, actor: Actor): Promise<PinnedComments> {
  const rows = await db
    .selectFrom('pinned_comment')
    .select(['key', 'comment'])
    .where('staff_id', '=', actor.id)
    .execute();
  const pinned = new Map(rows.map(({ key, comment }) => [key, comment]));
  return Object.fromEntries(commentKeys.map((key) => [key, pinned.get(key) ?? ''])) as PinnedComments;
}

/** Replaces the actor's pinned comments. 422: two keys have the same comment. */
export async function savePinnedComments(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  pinned: PinnedComments,
): Promise<null | Refusal> {
  const filledKeys = commentKeys.filter((key) => pinned[key] !== '');
  const errors = filledKeys.flatMap((key, place) => {
    const first = filledKeys.slice(0, place).find((other) => pinned[other] === pinned[key]);
    return first ? [[key, [pinnedTwiceMessage(first)]]] : [];
  });
  if (errors.length > 0) return invalid(Object.fromEntries(errors));
  const changed = changedFields(await pinnedComments(db, actor), pinned).names;
  await db.deleteFrom('pinned_comment').where('staff_id', '=', actor.id).execute();
  const rows = filledKeys.map((key) => ({ staff_id: actor.id, key, comment: pinned[key] }));
  if (rows.length > 0) await db.insertInto('pinned_comment').values(rows).execute();
  if (changed.length > 0)
    await recordHistory(db, {
      actor,
      now,
      record: 'staff',
      recordId: actor.id,
      action: 'pin',
      before: null,
      after: { comment_keys: changed.map((key) => key.toUpperCase()) },
    });
  return null;
}
