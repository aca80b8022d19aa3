import type { Insertable } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, isRefusal, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { findMissingFiles } from '#server/platform/files/missing-files.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { openClassCircle, refuseClassCircle } from './class-circle.ts';
import { CompletePost, type NewPost } from './contract.ts';
import { findVisibleCircle } from './own-circles.ts';
import { deletableRows } from './posts.ts';
import { communityMessages, deletedFault, deleteFault } from './rules.ts';
import { type CommunityContext, postNotFound } from './visible.ts';

/** `user_type` under which a member of staff posts and comments. */
export const userTypeOf = (actor: Actor): 2 | 3 => (actor.identity === 'teacher' ? 2 : 3);

/**
 * Publishes a post in a visible circle, or in the circle of a class (`class_id`); returns its id. 404: no such circle.
 * 422: errors by field.
 */
export async function publishPost(
  context: CommunityContext & { storage: Storage },
  { group_id, class_id, content: written, images }: NewPost,
): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  if (group_id === undefined && class_id === undefined) return invalid({ group_id: [communityMessages.group] });
  if (group_id === undefined && class_id !== undefined) {
    const refusal = await refuseClassCircle(context, class_id);
    if (refusal) return refusal;
  }
  const circleId = group_id ?? (await openClassCircle(db, class_id as number, now));
  const circle = await findVisibleCircle(context, circleId);
  if (isRefusal(circle)) return circle;

  const chosen = [...new Set(images)];
  const { output: post, errors } = validateComplete(CompletePost, { content: written, images: chosen });
  if (!errors.images && !(await arePictures(context.storage, chosen))) errors.images = [communityMessages.image];
  if (!post || errors.images) return invalid(errors);

  const author = { user_type: userTypeOf(actor), staff_id: actor.id, student_id: null };
  const textFields = { content: post.content, images: JSON.stringify(post.images) };
  const made = await insertPost(db, { group_id: circleId, ...author, ...textFields }, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'community_post',
    recordId: made.id,
    action: 'publish',
    before: null,
    after: { group_id: circleId },
  });
  return made;
}

type WrittenPost = Pick<
  Insertable<Tables['community_post']>,
  'group_id' | 'user_type' | 'staff_id' | 'student_id' | 'content' | 'images'
>;

/** Inserts a post and increments its circle's counter. `now` in unix seconds. */
export async function insertPost(db: Database, post: WrittenPost, now: number): Promise<{ id: number }> {
  const made = await db
    .insertInto('community_post')
    .values({ ...post, created_at: now, deleted_at: null, deleted_by: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('community_group')
    .set((eb) => ({ post_num: eb('post_num', '+', 1) }))
    .where('id', '=', post.group_id)
    .execute();
  return made;
}

/** True if every URL is an image uploaded to this server by `public/file`. */
export async function arePictures(storage: Storage, images: readonly string[]): Promise<boolean> {
  const isPicture = (address: string) => /^\/files\/.*\.(?:png|jpe?g|gif|webp)$/.test(address);
  return images.every(isPicture) && (await findMissingFiles(storage, images)).length === 0;
}

/** Deletes all of the posts or none. 422: too many. 404: one is missing. 403: the user may not delete one. */
export async function deletePosts(context: CommunityContext, ids: readonly number[]): Promise<null | Refusal> {
  const { db, actor } = context;
  const tooMany = refuseField('id', deletedFault(ids));
  if (tooMany) return tooMany;
  const posts = ids.length === 0 ? [] : await forUpdate(db)(deletableRows(context, ids), ['community_post']).execute();
  if (posts.length === 0 || posts.length < ids.length) return postNotFound();
  for (const post of posts) {
    const refusal = refuseFor('forbidden', deleteFault(post, actor.id));
    if (refusal) return refusal;
  }
  await removePosts(context, posts);
  return null;
}

interface RemovedPost {
  id: number;
  content: string;
  group_id: number;
  user_type: number;
  staff_id: number | null;
  student_id: number | null;
}

/** Soft-deletes posts and closes the complaints about them. */
export async function removePosts(
  { db, actor, now }: Pick<CommunityContext, 'db' | 'actor' | 'now'>,
  posts: readonly RemovedPost[],
): Promise<void> {
  const ids = posts.map(({ id }) => id);
  await db
    .updateTable('community_post')
    .set({ deleted_at: now, deleted_by: actor.id })
    .where('id', 'in', ids)
    .execute();
  await db
    .updateTable('community_report')
    .set({ decided_by: actor.id, decided_at: now, outcome: 1 })
    .where('post_id', 'in', ids)
    .where('decided_at', 'is', null)
    .execute();
  for (const circleId of [...new Set(posts.map(({ group_id }) => group_id))].sort((one, other) => one - other)) {
    const gone = posts.filter(({ group_id }) => group_id === circleId).length;
    await db
      .updateTable('community_group')
      .set((eb) => ({ post_num: eb('post_num', '-', gone) }))
      .where('id', '=', circleId)
      .execute();
  }
  for (const { id, content, group_id, user_type, staff_id, student_id } of posts) {
    const before = { content, group_id, user_type, staff_id, student_id };
    await recordHistory(db, {
      actor,
      now,
      record: 'community_post',
      recordId: id,
      action: 'delete',
      before,
      after: null,
    });
  }
}
