/** Users' comments, likes, favourites and complaints on posts. */

import { conflict, invalid, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { userTypeOf } from './publish.ts';
import { commentFault, communityMessages, missingFavourite, reportFault, reportLimit, tidyContent } from './rules.ts';
import { type CommunityContext, postNotFound, visiblePosts } from './visible.ts';

/**
 * Loads a visible post and locks it until the transaction ends, so that nobody deletes it or changes its counters
 * meanwhile.
 */
const lockVisiblePost = (context: CommunityContext, id: number | undefined) =>
  forUpdate(context.db)(
    visiblePosts(context)
      .select(['community_post.id', 'community_post.staff_id', 'community_post.like_num'])
      .where('community_post.id', '=', id ?? 0),
  ).executeTakeFirst();

/** The history row belongs to the post, because ids of deleted likes, favourites and complaints are used again. */
const note = (
  { db, actor, now }: CommunityContext,
  postId: number,
  action: 'like' | 'unlike' | 'collect' | 'uncollect' | 'report',
) => recordHistory(db, { actor, now, record: 'community_post', recordId: postId, action, before: null, after: null });

/** Adds a comment as plain text. 404: no such post. 422: empty or too long. */
export async function addCommentOf(
  context: CommunityContext,
  { post_id, content: written }: { post_id?: number | undefined; content: string },
): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const post = await lockVisiblePost(context, post_id);
  if (!post) return postNotFound();
  const content = tidyContent(written);
  const refusal = refuseField('content', commentFault(content));
  if (refusal) return refusal;
  const { id } = await db
    .insertInto('community_comment')
    .values({
      post_id: post.id,
      user_type: userTypeOf(actor),
      staff_id: actor.id,
      student_id: null,
      content,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('community_post')
    .set((eb) => ({ comment_num: eb('comment_num', '+', 1) }))
    .where('id', '=', post.id)
    .execute();
  const after = { post_id: post.id };
  await recordHistory(db, {
    actor,
    now,
    record: 'community_comment',
    recordId: id,
    action: 'add',
    before: null,
    after,
  });
  return { id };
}

/** Likes or unlikes a post; repeating it changes nothing. 404: no such post. */
export async function likePostOf(
  context: CommunityContext,
  id: number,
  wanted: boolean,
): Promise<{ like_num: number; is_like: 0 | 1 } | Refusal> {
  const { db, actor, now } = context;
  const post = await lockVisiblePost(context, id);
  if (!post) return postNotFound();
  const changed = wanted
    ? await db
        .insertInto('community_like')
        .values({ post_id: id, staff_id: actor.id, student_id: null, created_at: now })
        .onConflict((conflicting) => conflicting.columns(['post_id', 'staff_id']).doNothing())
        .returning('id')
        .execute()
    : await db
        .deleteFrom('community_like')
        .where('post_id', '=', id)
        .where('staff_id', '=', actor.id)
        .returning('id')
        .execute();
  const like_num = post.like_num + (wanted ? changed.length : -changed.length);
  if (changed.length > 0) {
    await db.updateTable('community_post').set({ like_num }).where('id', '=', id).execute();
    await note(context, id, wanted ? 'like' : 'unlike');
  }
  return { like_num, is_like: wanted ? 1 : 0 };
}

/** Adds a post to the user's favourites; returns the id of the favourite, the same when repeated. 404: no such post. */
export async function addFavourite(
  context: CommunityContext,
  post_id: number | undefined,
): Promise<{ collect_id: number } | Refusal> {
  const { db, actor, now } = context;
  const post = await lockVisiblePost(context, post_id);
  if (!post) return postNotFound();
  const added = await db
    .insertInto('community_collect')
    .values({ post_id: post.id, staff_id: actor.id, created_at: now })
    .onConflict((conflicting) => conflicting.columns(['staff_id', 'post_id']).doNothing())
    .returning('id')
    .execute();
  if (added.length > 0) await note(context, post.id, 'collect');
  const { id } = await db
    .selectFrom('community_collect')
    .select('id')
    .where('post_id', '=', post.id)
    .where('staff_id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return { collect_id: id };
}

/** Removes a post from the user's favourites. 404: it is not among them. */
export async function removeFavourite(context: CommunityContext, collectId: number): Promise<null | Refusal> {
  const { db, actor } = context;
  const gone = await db
    .deleteFrom('community_collect')
    .where('id', '=', collectId)
    .where('staff_id', '=', actor.id)
    .returning('post_id')
    .executeTakeFirst();
  if (!gone) return missing(missingFavourite);
  await note(context, gone.post_id, 'uncollect');
  return null;
}

/**
 * Reports a post to the administrators. 404: no such post. 409: the user's own post, or reported by them already. 422:
 * errors by field.
 */
export async function reportPostOf(
  context: CommunityContext,
  { post_id, type, content: written }: { post_id?: number | undefined; type?: number | undefined; content: string },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const post = await lockVisiblePost(context, post_id);
  if (!post) return postNotFound();
  const refusal = refuseFor('conflict', reportFault(post, actor.id));
  if (refusal) return refusal;
  if (type === undefined) return invalid({ type: [communityMessages.reportType] });
  const content = tidyContent(written);
  if (lengthOf(content) > reportLimit) return invalid({ content: [communityMessages.reportLength] });
  const reported = await db
    .insertInto('community_report')
    .values({ post_id: post.id, staff_id: actor.id, type, content, created_at: now })
    .onConflict((conflicting) => conflicting.columns(['post_id', 'staff_id']).doNothing())
    .returning('id')
    .execute();
  if (reported.length === 0) return conflict(communityMessages.reported);
  await db
    .updateTable('community_post')
    .set((eb) => ({ report_num: eb('report_num', '+', 1) }))
    .where('id', '=', post.id)
    .execute();
  await note(context, post.id, 'report');
  return null;
}
