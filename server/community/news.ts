/** Recent texts of others: posts in the user's circles, and comments on the user's posts. */
import { sql } from 'kysely';
import type { Identity } from '#server/platform/auth/rules.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { authorName } from './posts.ts';
import { type CommunityContext, type PostViewer, visiblePosts } from './visible.ts';

/** Lists such posts and comments since a time (unix seconds), latest first, at most `limit`, in one SQL statement. */
export async function postsSince(context: CommunityContext, since: number, limit: number) {
  const { db, actor, settings } = context;
  const { community_module, class_circle } = settings;
  const rows = await written(
    db,
    { id: actor.id, since, limit },
    { identity: actor.identity, community_module, class_circle },
  );
  return rows.map((row) => ({
    post_id: row.post_id,
    group_id: row.group_id,
    class_id: row.class_id ?? 0,
    group_name: row.class_name ?? row.group_name,
    content: row.content,
    nickname: authorName(row),
    created_at: row.created_at,
    is_comment: row.is_comment,
  }));
}

type Bounds = Record<'id' | 'since' | 'limit', number>;

type Visibility = PostViewer['settings'] & { identity: Identity };

const written = prepared((db, { id, since, limit }: Placeholders<Bounds>, { identity, ...settings }: Visibility) => {
  const seeing = { db, actor: { id, identity }, settings };
  const posts = visiblePosts(seeing)
    .where('community_post.created_at', '>=', since)
    .where((eb) => eb.or([eb('community_post.staff_id', 'is', null), eb('community_post.staff_id', '<>', id)]))
    .select([
      'community_post.id as post_id',
      'community_post.group_id',
      'community_post.content',
      'community_post.created_at',
      'community_post.staff_id',
      'community_post.student_id',
      sql<0 | 1>`0`.as('is_comment'),
    ])
    .orderBy('community_post.created_at', 'desc')
    .limit(limit);
  const comments = visiblePosts(seeing)
    .innerJoin('community_comment', 'community_comment.post_id', 'community_post.id')
    .where('community_post.staff_id', '=', id)
    .where('community_comment.created_at', '>=', since)
    .where((eb) => eb.or([eb('community_comment.staff_id', 'is', null), eb('community_comment.staff_id', '<>', id)]))
    .select([
      'community_post.id as post_id',
      'community_post.group_id',
      'community_comment.content',
      'community_comment.created_at',
      'community_comment.staff_id',
      'community_comment.student_id',
      sql<0 | 1>`1`.as('is_comment'),
    ])
    .orderBy('community_comment.created_at', 'desc')
    .limit(limit);
  const both = db
    .selectFrom(posts.as('posts'))
    .selectAll()
    .unionAll(db.selectFrom(comments.as('comments')).selectAll());
  return db
    .selectFrom(both.as('written'))
    .innerJoin('community_group', 'community_group.id', 'written.group_id')
    .innerJoin('school', 'school.id', 'community_group.school_id')
    .leftJoin('class', 'class.id', 'community_group.class_id')
    .leftJoin('staff', 'staff.id', 'written.staff_id')
    .leftJoin('student', 'student.id', 'written.student_id')
    .select([
      'written.post_id',
      'written.group_id',
      'written.content',
      'written.created_at',
      'written.is_comment',
      'community_group.class_id',
      'community_group.name as group_name',
      'class.name as class_name',
      'staff.real_name',
      'student.nickname',
      'school.org_name',
    ])
    .orderBy('written.created_at', 'desc')
    .orderBy('written.post_id', 'desc')
    .limit(limit);
});
