/** Reads posts with the actor's own like, collection and permissions. */
import { circleOf } from '#server/classes/visible.ts';
import { type Refusal, refusalPreview, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { emptyPage, type Paging, pageOf } from '#server/platform/db/page.ts';
import { refuseClassCircle } from './class-circle.ts';
import type { Comment, Post, PostWithComments } from './contract.ts';
import { deleteFault, reportFault } from './rules.ts';
import {
  type CommunityContext,
  circleNotFound,
  circlesHeadedBy,
  type PostViewer,
  postNotFound,
  visibleCircles,
  visiblePosts,
} from './visible.ts';

/** Lists the posts of a class's circle; an empty page while the class has no circle yet. */
export async function classCirclePosts(context: CommunityContext, classId: number, paging: Paging) {
  const refusal = await refuseClassCircle(context, classId);
  if (refusal) return refusal;
  const circle = await circleOf(context.db, classId);
  return circle === null ? emptyPage(paging) : circlePosts(context, circle, paging);
}

export async function circlePosts(context: CommunityContext, id: number, paging: Paging) {
  const circle = await visibleCircles(context)
    .select('community_group.post_num as total')
    .where('community_group.id', '=', id)
    .executeTakeFirst();
  if (!circle) return circleNotFound();
  const { list: rows, ...range } = await pageOf(
    circle.total,
    paging,
    postRows(context, visiblePosts(context).where('community_post.group_id', '=', id))
      .orderBy('community_post.created_at', 'desc')
      .orderBy('community_post.id', 'desc'),
  );
  return { list: rows.map((row) => postOf(row, context)), ...range };
}

/** Lists the user's posts by `tab` (see `postTabs`): newest first, favourites by the time they were added. */
export async function ownPosts(
  context: CommunityContext,
  { tab = 0, page, limit }: Paging & { tab?: 0 | 1 | 2 | undefined },
) {
  const posts = ownListPosts(context, tab);
  const rows = postRows(context, posts)
    .orderBy(tab === 2 ? 'collected.created_at' : 'community_post.created_at', 'desc')
    .orderBy('community_post.id', 'desc');
  const { list, ...range } = await pageOf(posts, { page, limit }, rows);
  return { list: list.map((row) => postOf(row, context)), ...range };
}

function ownListPosts(seeing: PostViewer, tab: 0 | 1 | 2) {
  const { actor } = seeing;
  const seen = visiblePosts(seeing);
  if (tab === 0) return seen.where('community_post.staff_id', '=', actor.id);
  if (tab === 1) return seen.where('community_post.id', 'in', reactedPostIds(seeing));
  return seen.where('community_post.id', 'in', (eb) =>
    eb.selectFrom('community_collect').select('post_id').where('community_collect.staff_id', '=', actor.id),
  );
}

/** Ids of the posts that the user commented on or likes. */
const reactedPostIds = ({ db, actor }: PostViewer) =>
  db
    .selectFrom('community_comment')
    .select('community_comment.post_id')
    .where('community_comment.staff_id', '=', actor.id)
    .union(
      db.selectFrom('community_like').select('community_like.post_id').where('community_like.staff_id', '=', actor.id),
    );

/** Returns a post with a page of its comments. 404: the user does not see it. */
export async function postById(
  context: CommunityContext,
  id: number,
  paging: Paging,
): Promise<PostWithComments | Refusal> {
  const row = await postRows(context, visiblePosts(context).where('community_post.id', '=', id)).executeTakeFirst();
  if (!row) return postNotFound();
  const { list: comments, ...range } = await pageOf(
    row.comment_num,
    paging,
    context.db
      .selectFrom('community_comment')
      .innerJoin('community_post', 'community_post.id', 'community_comment.post_id')
      .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
      .innerJoin('school', 'school.id', 'community_group.school_id')
      .leftJoin('staff', 'staff.id', 'community_comment.staff_id')
      .leftJoin('student', 'student.id', 'community_comment.student_id')
      .select([
        'community_comment.id',
        'community_comment.content',
        'community_comment.user_type',
        'community_comment.created_at',
        'community_comment.staff_id',
        'staff.real_name',
        'student.nickname',
        'school.org_name',
      ])
      .where('community_comment.post_id', '=', id)
      .orderBy('community_comment.created_at', 'desc')
      .orderBy('community_comment.id', 'desc'),
  );
  const { db, actor } = context;
  const isReported = await hasReported(db, actor.id, id);
  return {
    ...postOf(row, context),
    refusals: {
      report: refusalPreview(refuseFor('conflict', reportFault({ ...row, isReported }, actor.id))),
      delete: refusalPreview(refuseFor('forbidden', deleteFault(row, actor.id))),
    },
    comments: comments.map((comment) => commentOf(comment, context.actor.id)),
    page: range.page,
    limit: range.limit,
  };
}

function postRows(context: PostViewer, posts: ReturnType<typeof visiblePosts>) {
  const { db, actor } = context;
  return posts
    .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
    .innerJoin('school', 'school.id', 'community_group.school_id')
    .leftJoin('class', 'class.id', 'community_group.class_id')
    .leftJoin('staff', 'staff.id', 'community_post.staff_id')
    .leftJoin('student', 'student.id', 'community_post.student_id')
    .leftJoin('community_like as liked', (join) =>
      join.onRef('liked.post_id', '=', 'community_post.id').on('liked.staff_id', '=', actor.id),
    )
    .leftJoin('community_collect as collected', (join) =>
      join.onRef('collected.post_id', '=', 'community_post.id').on('collected.staff_id', '=', actor.id),
    )
    .select([
      'community_post.id',
      'community_post.group_id',
      'community_post.content',
      'community_post.images',
      'community_post.like_num',
      'community_post.comment_num',
      'community_post.report_num',
      'community_post.user_type',
      'community_post.staff_id',
      'community_post.created_at',
      'community_group.name as group_name',
      'class.name as class_name',
      'community_group.group_type',
      'community_group.class_id',
      'school.org_name',
      'staff.real_name',
      'student.nickname',
      'liked.id as like_id',
      'collected.id as collect_id',
    ])
    .select((eb) =>
      eb
        .case()
        .when('community_post.group_id', 'in', circlesHeadedBy(db, actor))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_headed'),
    );
}
type PostRow = Awaited<ReturnType<ReturnType<typeof postRows>['executeTakeFirstOrThrow']>>;

function postOf(row: PostRow, { actor }: CommunityContext): Post {
  const mayDelete = deleteFault(row, actor.id) === undefined;
  return {
    id: row.id,
    group_id: row.group_id,
    group_name: row.class_name ?? row.group_name,
    group_type: row.group_type,
    class_id: row.class_id ?? 0,
    content: row.content,
    images: JSON.parse(row.images) as string[],
    like_num: row.like_num,
    comment_num: row.comment_num,
    nickname: authorName(row),
    user_type: row.user_type,
    created_at: row.created_at,
    is_own: row.staff_id === actor.id ? 1 : 0,
    is_like: row.like_id === null ? 0 : 1,
    collect_id: row.collect_id ?? 0,
    is_can_delete: mayDelete ? 1 : 0,
    report_num: mayDelete ? row.report_num : 0,
  };
}

async function hasReported(db: Database, actorId: number, postId: number): Promise<boolean> {
  const reported = await db
    .selectFrom('community_report')
    .select('id')
    .where('post_id', '=', postId)
    .where('staff_id', '=', actorId)
    .executeTakeFirst();
  return reported !== undefined;
}

interface Author {
  real_name: string | null;
  nickname: string | null;
  org_name: string;
}

export const authorName = (author: Author): string => author.nickname ?? author.real_name ?? author.org_name;

function commentOf(
  row: Author & Pick<Comment, 'id' | 'content' | 'user_type' | 'created_at'> & { staff_id: number | null },
  actorId: number,
): Comment {
  const { id, content, user_type, created_at } = row;
  return { id, content, user_type, created_at, nickname: authorName(row), is_own: row.staff_id === actorId ? 1 : 0 };
}

/** Reads posts by id with the fields that decide whether they may be deleted. */
export const deletableRows = (context: CommunityContext, ids: readonly number[]) =>
  visiblePosts(context)
    .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
    .select([
      'community_post.id',
      'community_post.group_id',
      'community_post.user_type',
      'community_post.staff_id',
      'community_post.student_id',
      'community_post.content',
      'community_group.group_type',
    ])
    .select((eb) =>
      eb
        .case()
        .when('community_post.group_id', 'in', circlesHeadedBy(context.db, context.actor))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_headed'),
    )
    .where('community_post.id', 'in', [...ids])
    .orderBy('community_post.id');
