/** Learner API for circles: reading posts, posting, commenting and liking. */

import { sql } from 'kysely';
import type * as v from 'valibot';
import { missingClass, missingClassCircle } from '#server/classes/rules.ts';
import { handleApplication, versionOf, withLearner } from '#server/learners/application.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { changedRows, isRemovedSince, type Position } from '#server/school/change-feed.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { openClassCircle } from './class-circle.ts';
import { CompletePost } from './contract.ts';
import { addComment, addPost, type LearnerPost, likePost, listPosts, showPost } from './learner-calls.ts';
import { authorName } from './posts.ts';
import { arePictures, insertPost } from './publish.ts';
import { commentFault, communityMessages, tidyContent } from './rules.ts';
import { circleNotFound, postNotFound } from './visible.ts';

const hour = 60 * 60;
/** Ids are taken modulo this prime as weights in version sums. */
const weights = 9973;
/** Seconds in which the same text by the same student counts as sent twice by mistake. */
const repeatWindow = 10 * 60;
/** Maximum number of comments returned with a post; the latest ones. */
const commentsShown = 200;

export const learnerCommunityCalls = [
  handleApplication(listPosts, {
    version: ({ query, ...context }) => withLearner(context, query.uid, (learner) => circleVersion(learner)),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, async (learner) => {
        const posts = postsOf(learner);
        const { rows, ...position } = await changedRows<Row>(
          withAuthor(
            query.group === undefined ? posts : posts.where('community_post.group_id', '=', query.group),
            learner,
          ),
          {
            changed: sql<number>`community_post.created_at`,
            id: sql<number>`community_post.id`,
            of: ({ created_at, id }) => ({ at: created_at, id }),
          },
          { ...query, now: learner.now },
        );
        const list = rows.map((row) => postOf(row, learner.uid));
        return { list, ...position, removed: await removedPosts(learner, query) };
      }),
  }),
  handleApplication(showPost, ({ params, query, ...context }) =>
    withLearner(context, query.uid, (learner) => postWithComments(learner, params.postId)),
  ),
  handleApplication(addPost, {
    prepare: ({ body, ...context }) =>
      withLearner(context, body.uid, async (learner) => {
        const images = [...new Set(body.images)];
        const { output, errors } = validateComplete(CompletePost, { content: body.content, images });
        if (!errors.images && !(await arePictures(learner.storage, images))) errors.images = [communityMessages.image];
        if (!output || errors.images) return invalid(errors);
        return new TransactionWork((db) => publishPost({ ...learner, db }, { ...body, ...output }));
      }),
  }),
  handleApplication(addComment, ({ params, body, ...context }) =>
    withLearner(context, body.uid, (learner) => storeComment(learner, params.postId, body.content)),
  ),
  handleApplication(likePost, ({ params, body, ...context }) =>
    withLearner(context, body.uid, (learner) => storeLike(learner, params.postId, body.like === 1)),
  ),
];

interface Learner {
  db: Database;
  uid: number;
  now: number;
  storage: Storage;
  settings: Pick<SchoolSettings, 'community_module' | 'class_circle'>;
}

/** Ids of the student's classes whose circle is visible. */
const classesWithCircle = ({ db, uid, settings }: Learner) =>
  db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .select('class.id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .where('class.group_hidden', '=', 1)
    .where((eb) => eb.lit(settings.community_module && settings.class_circle));

/** Selects the circles of the student's classes and the circles that the student joined. */
function circlesOf(learner: Learner) {
  const { db, uid, settings } = learner;
  const circles = db
    .selectFrom('community_group')
    .select('community_group.id')
    .where('community_group.class_id', 'in', classesWithCircle(learner));
  const joined = db
    .selectFrom('community_member')
    .select('community_member.group_id as id')
    .where('community_member.student_id', '=', uid)
    .where((eb) => eb.lit(settings.community_module));
  return db
    .selectFrom('community_group')
    .where('community_group.id', 'in', circles.union(joined))
    .where('community_group.put_away_at', 'is', null);
}

/** The first request has no `since`, so there are no posts that its client would have to remove. */
async function removedPosts(
  learner: Learner,
  { since, group: circle }: { since?: Position | undefined; group?: number | undefined },
): Promise<number[]> {
  if (!since) return [];
  const rows = await learner.db
    .selectFrom('community_post')
    .select('community_post.id')
    .where('community_post.group_id', 'in', circlesOf(learner).select('community_group.id'))
    .$if(circle !== undefined, (posts) => posts.where('community_post.group_id', '=', circle ?? 0))
    .where('community_post.deleted_at', 'is not', null)
    .where(isRemovedSince(since, { created: 'community_post.created_at', removed: 'community_post.deleted_at' }))
    .orderBy('community_post.id')
    .execute();
  return rows.map(({ id }) => id);
}

const postsOf = (learner: Learner) =>
  learner.db
    .selectFrom('community_post')
    .where('community_post.deleted_at', 'is', null)
    .where('community_post.group_id', 'in', circlesOf(learner).select('community_group.id'));

const withAuthor = (posts: ReturnType<typeof postsOf>, { uid }: Learner) =>
  posts
    .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
    .innerJoin('school', 'school.id', 'community_group.school_id')
    .leftJoin('class', 'class.id', 'community_group.class_id')
    .leftJoin('staff', 'staff.id', 'community_post.staff_id')
    .leftJoin('student', 'student.id', 'community_post.student_id')
    .leftJoin('community_like as liked', (join) =>
      join.onRef('liked.post_id', '=', 'community_post.id').on('liked.student_id', '=', uid),
    )
    .select(['community_post.id', 'community_post.group_id', 'community_post.content', 'community_post.images'])
    .select(['community_post.like_num', 'community_post.comment_num', 'community_post.user_type'])
    .select(['community_post.student_id', 'community_post.created_at', 'community_group.name as group_name'])
    .select(['community_group.class_id', 'class.name as class_name', 'school.org_name', 'staff.real_name'])
    .select(['student.nickname', 'liked.id as like_id']);
type Row = Awaited<ReturnType<ReturnType<typeof withAuthor>['executeTakeFirstOrThrow']>>;

const postOf = (row: Row, uid: number): v.InferOutput<typeof LearnerPost> => ({
  id: row.id,
  group_id: row.group_id,
  group_name: row.class_name ?? row.group_name,
  class_id: row.class_id ?? 0,
  nickname: authorName(row),
  user_type: row.user_type,
  is_own: row.student_id === uid ? 1 : 0,
  content: row.content,
  images: JSON.parse(row.images) as string[],
  like_num: row.like_num,
  comment_num: row.comment_num,
  is_like: row.like_id === null ? 0 : 1,
  created_at: row.created_at,
});

/**
 * Version of posts, comments and likes. It is built from sums that change whenever one of these is added or removed.
 */
async function circleVersion(learner: Learner): Promise<string> {
  const posts = await postsOf(learner)
    .leftJoin('community_like as liked', (join) =>
      join.onRef('liked.post_id', '=', 'community_post.id').on('liked.student_id', '=', learner.uid),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('posts'),
      sql<number>`coalesce(sum(community_post.id), 0)`.as('ids'),
      // Likes are weighted by post id: without weights, a like removed from one post and added to another would leave
      // the sum unchanged.
      sql<number>`coalesce(sum((cast(community_post.id as bigint) % ${weights} + 1) * community_post.like_num), 0)`.as(
        'likes',
      ),
      sql<number>`coalesce(sum((cast(community_post.id as bigint) % ${weights} + 1) * community_post.comment_num), 0)`.as(
        'comments',
      ),
      sql<number>`coalesce(sum(liked.id), 0)`.as('own'),
    ])
    .executeTakeFirstOrThrow();
  return versionOf(learner.uid, ...Object.values(posts), Math.floor(learner.now / hour));
}

async function postWithComments(learner: Learner, id: number) {
  const row = await withAuthor(postsOf(learner), learner).where('community_post.id', '=', id).executeTakeFirst();
  if (!row) return postNotFound();
  const comments = await learner.db
    .selectFrom('community_comment')
    .leftJoin('staff', 'staff.id', 'community_comment.staff_id')
    .leftJoin('student', 'student.id', 'community_comment.student_id')
    .select(['community_comment.id', 'community_comment.content', 'community_comment.user_type'])
    .select(['community_comment.student_id', 'community_comment.created_at', 'staff.real_name', 'student.nickname'])
    .where('community_comment.post_id', '=', id)
    .orderBy('community_comment.id', 'desc')
    .limit(commentsShown)
    .execute();
  return {
    ...postOf(row, learner.uid),
    comments: comments.reverse().map(({ student_id, real_name, nickname, ...said }) => ({
      ...said,
      nickname: authorName({ real_name, nickname, org_name: row.org_name }),
      is_own: student_id === learner.uid ? (1 as const) : (0 as const),
    })),
  };
}

/**
 * Returns the circle to post in, locked until the transaction ends. Creates the circle of a class if it has none yet.
 */
async function circleToPostIn(
  learner: Learner,
  { group_id, class_id }: { group_id?: number | undefined; class_id?: number | undefined },
): Promise<number | Refusal> {
  const { db, now } = learner;
  if (group_id === undefined && class_id === undefined) return invalid({ group_id: [communityMessages.group] });
  let named = group_id;
  if (named === undefined && class_id !== undefined) {
    const shown = await classesWithCircle(learner).where('class.id', '=', class_id).executeTakeFirst();
    if (!shown) return missing((await isMember(learner, class_id)) ? missingClassCircle : missingClass);
    named = await openClassCircle(db, class_id, now);
  }
  const circle = await forUpdate(db)(
    circlesOf(learner)
      .select('community_group.id')
      .where('community_group.id', '=', named ?? 0),
  ).executeTakeFirst();
  return circle ? circle.id : circleNotFound();
}

async function isMember({ db, uid }: Learner, classId: number): Promise<boolean> {
  const found = await db
    .selectFrom('class_student')
    .select('id')
    .where('class_id', '=', classId)
    .where('student_id', '=', uid)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

async function publishPost(
  learner: Learner,
  post: { group_id?: number | undefined; class_id?: number | undefined; content: string; images: string[] },
): Promise<{ id: number } | Refusal> {
  const { db, uid, now } = learner;
  const circleId = await circleToPostIn(learner, post);
  if (isRefusal(circleId)) return circleId;
  const images = JSON.stringify(post.images);
  const before = await db
    .selectFrom('community_post')
    .select('id')
    .where('group_id', '=', circleId)
    .where('student_id', '=', uid)
    .where('content', '=', post.content)
    .where('images', '=', images)
    .where('created_at', '>', now - repeatWindow)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (before) return before;
  return insertPost(
    db,
    { group_id: circleId, user_type: 1, staff_id: null, student_id: uid, content: post.content, images },
    now,
  );
}

/** Locks a post until the transaction ends, so that nobody deletes it or changes its counters meanwhile. */
const lockPost = (learner: Learner, id: number) =>
  forUpdate(learner.db)(
    postsOf(learner).select(['community_post.id', 'community_post.like_num']).where('community_post.id', '=', id),
  ).executeTakeFirst();

async function storeComment(learner: Learner, postId: number, written: string): Promise<{ id: number } | Refusal> {
  const { db, uid, now } = learner;
  const post = await lockPost(learner, postId);
  if (!post) return postNotFound();
  const content = tidyContent(written);
  const refusal = refuseField('content', commentFault(content));
  if (refusal) return refusal;
  const before = await db
    .selectFrom('community_comment')
    .select('id')
    .where('post_id', '=', postId)
    .where('student_id', '=', uid)
    .where('content', '=', content)
    .where('created_at', '>', now - repeatWindow)
    .executeTakeFirst();
  if (before) return before;
  const made = await db
    .insertInto('community_comment')
    .values({ post_id: postId, user_type: 1, staff_id: null, student_id: uid, content, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('community_post')
    .set((eb) => ({ comment_num: eb('comment_num', '+', 1) }))
    .where('id', '=', postId)
    .execute();
  return made;
}

async function storeLike(
  learner: Learner,
  postId: number,
  wanted: boolean,
): Promise<{ like_num: number; is_like: 0 | 1 } | Refusal> {
  const { db, uid, now } = learner;
  const post = await lockPost(learner, postId);
  if (!post) return postNotFound();
  const changed = wanted
    ? await db
        .insertInto('community_like')
        .values({ post_id: postId, staff_id: null, student_id: uid, created_at: now })
        .onConflict((known) => known.columns(['post_id', 'student_id']).doNothing())
        .returning('id')
        .execute()
    : await db
        .deleteFrom('community_like')
        .where('post_id', '=', postId)
        .where('student_id', '=', uid)
        .returning('id')
        .execute();
  const like_num = post.like_num + (wanted ? changed.length : -changed.length);
  if (changed.length > 0) await db.updateTable('community_post').set({ like_num }).where('id', '=', postId).execute();
  return { like_num, is_like: wanted ? 1 : 0 };
}
