/** Lists and decides reported posts of the administrator's schools. */

import type { SelectQueryBuilder } from 'kysely';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { containsText } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { decisionText } from '#server/school/decision-text.ts';
import { decisionUndoLimit, undoRefusedMessage } from '#server/school/rules.ts';
import { authorName } from './posts.ts';
import { removePosts } from './publish.ts';
import type { ReportedFilter, ReportedPost, ReportedPostDetail } from './reports.contract.ts';
import { decisionFault, deletionEffect, missingComment, missingReported } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Maximum number of comments returned with a post; the latest ones. */
const commentsShown = 100;

/** Reported posts of the administrator's schools. */
const adminPosts = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) =>
  db
    .selectFrom('community_post')
    .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
    .where('community_group.school_id', 'in', schoolsOf(db, actor))
    .where('community_post.id', 'in', (eb) => eb.selectFrom('community_report').select('community_report.post_id'));

type Posts = SelectQueryBuilder<Tables, 'community_post' | 'community_group', object>;

const filterByState = (posts: Posts, state: NonNullable<ReportedFilter['state']>): Posts => {
  if (state === 'all') return posts;
  if (state === 'deleted') return posts.where('community_post.deleted_at', 'is not', null);
  return posts
    .where('community_post.deleted_at', 'is', null)
    .where('community_post.id', state === 'waiting' ? 'in' : 'not in', (eb) =>
      eb
        .selectFrom('community_report')
        .select('community_report.post_id')
        .where('community_report.decided_at', 'is', null),
    );
};

export const pendingReports = (context: Pick<RequestContext, 'db' | 'actor'>): Promise<number> =>
  countOf(filterByState(adminPosts(context), 'waiting'));

/** Lists reported posts, last reported first. */
export async function reportedPage(context: RequestContext, filter: ReportedFilter): Promise<Page<ReportedPost>> {
  const { state = 'waiting', name, type, school_id } = filter;
  let matching = filterByState(adminPosts(context), state);
  if (name !== undefined) matching = matching.where(containsText('community_post.content', name));
  if (school_id !== undefined) matching = matching.where('community_group.school_id', '=', school_id);
  if (type !== undefined) {
    matching = matching.where('community_post.id', 'in', (eb) =>
      eb.selectFrom('community_report').select('community_report.post_id').where('community_report.type', '=', type),
    );
  }
  const { list, ...range } = await pageOf(
    matching,
    filter,
    withDetails(matching).orderBy('reported_at', 'desc').orderBy('community_post.id', 'desc'),
  );
  const types = await typesOf(
    context,
    list.map(({ id }) => id),
  );
  return { list: list.map((row) => postOf(row, types.get(row.id) ?? [])), ...range };
}

const withDetails = (posts: Posts) =>
  posts
    .innerJoin('school', 'school.id', 'community_group.school_id')
    .leftJoin('class', 'class.id', 'community_group.class_id')
    .leftJoin('staff', 'staff.id', 'community_post.staff_id')
    .leftJoin('student', 'student.id', 'community_post.student_id')
    .leftJoin('staff as deleter', 'deleter.id', 'community_post.deleted_by')
    .select([
      'community_post.id',
      'community_post.group_id',
      'community_post.content',
      'community_post.images',
      'community_post.user_type',
      'community_post.staff_id',
      'community_post.student_id',
      'community_post.created_at',
      'community_post.like_num',
      'community_post.comment_num',
      'community_post.deleted_at',
      'community_post.deleted_by',
      'deleter.real_name as deleter',
      'school.org_name',
      'school.org_name as school_name',
      'community_group.name as group_name',
      'class.name as class_name',
      'staff.real_name',
      'student.nickname',
    ])
    .select((eb) => {
      const reports = eb.selectFrom('community_report').whereRef('community_report.post_id', '=', 'community_post.id');
      return [
        reports.select((one) => one.fn.countAll<number>().as('count')).as('reports'),
        reports
          .where('community_report.decided_at', 'is', null)
          .select((one) => one.fn.countAll<number>().as('count'))
          .as('waiting'),
        reports.select((one) => one.fn.max<number>('community_report.created_at').as('at')).as('reported_at'),
        reports.select((one) => one.fn.max<number | null>('community_report.decided_at').as('at')).as('dismissed_at'),
        reports
          .innerJoin('staff as dismisser', 'dismisser.id', 'community_report.decided_by')
          .select('dismisser.real_name')
          .orderBy('community_report.decided_at', 'desc')
          .limit(1)
          .as('dismisser'),
      ];
    });
type PostRow = Awaited<ReturnType<ReturnType<typeof withDetails>['executeTakeFirstOrThrow']>>;

function postOf(row: PostRow, types: ReportedPost['types']): ReportedPost {
  const state = row.deleted_at !== null ? 'deleted' : (row.waiting ?? 0) > 0 ? 'waiting' : 'dismissed';
  const decided =
    state === 'deleted'
      ? { decided_by: row.deleter ?? '', decided_at: row.deleted_at }
      : { decided_by: row.dismisser ?? '', decided_at: row.dismissed_at };
  return {
    id: row.id,
    school_name: row.school_name,
    group_name: row.class_name ?? row.group_name,
    nickname: authorName(row),
    user_type: row.user_type,
    content: row.content,
    created_at: row.created_at,
    like_num: row.like_num,
    comment_num: row.comment_num,
    state,
    reports: row.reports ?? 0,
    waiting: row.waiting ?? 0,
    types,
    reported_at: row.reported_at ?? row.created_at,
    ...(state === 'waiting' ? { decided_by: '', decided_at: null } : decided),
  };
}

async function typesOf(
  { db }: Pick<RequestContext, 'db'>,
  ids: readonly number[],
): Promise<Map<number, ReportedPost['types']>> {
  const types = new Map<number, ReportedPost['types']>();
  if (ids.length === 0) return types;
  const rows = await db
    .selectFrom('community_report')
    .select(['post_id', 'type'])
    .distinct()
    .where('post_id', 'in', [...ids])
    .orderBy('type')
    .execute();
  for (const { post_id, type } of rows)
    types.set(post_id, [...(types.get(post_id) ?? []), type as ReportedPost['types'][number]]);
  return types;
}

/** Returns one reported post. 404: no reported post of the administrator's schools. */
export async function reportedPost(context: RequestContext, id: number): Promise<ReportedPostDetail | Refusal> {
  const { db, actor, now } = context;
  const row = await withDetails(adminPosts(context).where('community_post.id', '=', id)).executeTakeFirst();
  if (!row) return missing(missingReported);
  const [types, list, comments] = await Promise.all([
    typesOf(context, [id]),
    db
      .selectFrom('community_report')
      .innerJoin('staff', 'staff.id', 'community_report.staff_id')
      .leftJoin('staff as decider', 'decider.id', 'community_report.decided_by')
      .select([
        'community_report.id',
        'community_report.type',
        'community_report.content',
        'staff.real_name',
        'community_report.created_at',
        'community_report.outcome',
        'community_report.decided_at',
        'community_report.decided_by as decider_id',
        'decider.real_name as decided_by',
      ])
      .where('community_report.post_id', '=', id)
      .orderBy('community_report.id', 'desc')
      .execute(),
    db
      .selectFrom('community_comment')
      .leftJoin('staff', 'staff.id', 'community_comment.staff_id')
      .leftJoin('student', 'student.id', 'community_comment.student_id')
      .select([
        'community_comment.id',
        'community_comment.content',
        'community_comment.created_at',
        'staff.real_name',
        'student.nickname',
      ])
      .where('community_comment.post_id', '=', id)
      .orderBy('community_comment.created_at', 'desc')
      .orderBy('community_comment.id', 'desc')
      .limit(commentsShown)
      .execute(),
  ]);
  const [latest] = list
    .filter(({ decider_id }) => decider_id === actor.id)
    .sort((one, other) => (other.decided_at ?? 0) - (one.decided_at ?? 0));
  const until = (latest?.decided_at ?? 0) + decisionUndoLimit;
  const mayUndo = row.deleted_at === null ? until >= now : until >= now && row.deleted_by === actor.id;
  return {
    ...postOf(row, types.get(id) ?? []),
    images: JSON.parse(row.images) as string[],
    list: list.map(({ decider_id: _, ...report }) => ({
      ...report,
      type: report.type as ReportedPost['types'][number],
      decided_by: report.decided_by ?? '',
    })),
    comments: comments.map(({ real_name, nickname, ...comment }) => ({
      ...comment,
      nickname: nickname ?? real_name ?? row.org_name,
    })),
    effect: deletionEffect(row),
    undo_until: latest && mayUndo ? until : null,
  };
}

/** Loads a reported post and locks it until the decision is stored. 404: the post is not reported. */
async function heldPost(context: RequestContext, id: number): Promise<PostRow | Refusal> {
  const { db } = context;
  await forUpdate(db)(db.selectFrom('community_post').select('id').where('id', '=', id)).execute();
  const post = await withDetails(adminPosts(context).where('community_post.id', '=', id)).executeTakeFirst();
  return post ?? missing(missingReported);
}

function refuseDecided({ now, settings }: RequestContext, row: PostRow): Refusal | undefined {
  const { state, decided_by, decided_at } = postOf(row, []);
  const decided = decisionText({ by: decided_by || null, at: decided_at }, { now, timezone: settings.timezone });
  return refuseFor('conflict', decisionFault({ state, decided }));
}

/**
 * Deletes a reported post. 404: no reported post of the administrator's schools. 409: decided already, or the effect
 * was not acknowledged.
 */
export async function deletePost(context: RequestContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const post = await heldPost(context, id);
  if (isRefusal(post)) return post;
  const refusal = refuseDecided(context, post) ?? requireConfirmation(deletionEffect(post) || undefined, acknowledged);
  if (refusal) return refusal;
  await removePosts(context, [post]);
  return null;
}

/** Dismisses all complaints about a post. 404: the post is not reported. 409: decided already. */
export async function dismissPostReports(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const post = await heldPost(context, id);
  if (isRefusal(post)) return post;
  const refusal = refuseDecided(context, post);
  if (refusal) return refusal;
  await db
    .updateTable('community_report')
    .set({ decided_by: actor.id, decided_at: now, outcome: 2 })
    .where('post_id', '=', id)
    .where('decided_at', 'is', null)
    .execute();
  await countReports(context, id, -(post.waiting ?? 0));
  await recordHistory(db, {
    actor,
    now,
    record: 'community_post',
    recordId: id,
    action: 'dismiss',
    before: { waiting: post.waiting },
    after: { waiting: 0 },
  });
  return null;
}

/** Changes the number of open complaints, which users who may delete the post see. Dismissed ones do not count. */
const countReports = ({ db }: RequestContext, id: number, more: number) =>
  db
    .updateTable('community_post')
    .set((eb) => ({ report_num: eb('report_num', '+', more) }))
    .where('id', '=', id)
    .execute();

/**
 * Undoes the user's latest decision on a post. 404: the post is not reported. 409: too late, or somebody decided again.
 */
export async function undoReportDecision(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const post = await heldPost(context, id);
  if (isRefusal(post)) return post;
  const { state, decided_at } = postOf(post, []);
  const decided = await db
    .selectFrom('community_report')
    .select(['id', 'outcome'])
    .where('post_id', '=', id)
    .where('decided_by', '=', actor.id)
    .where('decided_at', '=', decided_at ?? 0)
    .execute();
  const over = decided_at === null || now > decided_at + decisionUndoLimit || decided.length === 0;
  if (over || (state === 'deleted' && post.deleted_by !== actor.id)) return conflict(undoRefusedMessage);
  await db
    .updateTable('community_report')
    .set({ decided_by: null, decided_at: null, outcome: null })
    .where(
      'id',
      'in',
      decided.map((report) => report.id),
    )
    .execute();
  if (state === 'deleted') {
    await db.updateTable('community_post').set({ deleted_at: null, deleted_by: null }).where('id', '=', id).execute();
    await db
      .updateTable('community_group')
      .set((eb) => ({ post_num: eb('post_num', '+', 1) }))
      .where('id', '=', post.group_id)
      .execute();
  } else {
    await countReports(context, id, decided.length);
  }
  await recordHistory(db, {
    actor,
    now,
    record: 'community_post',
    recordId: id,
    action: 'undo',
    before: { waiting: 0, is_deleted: state === 'deleted' ? 1 : 0 },
    after: { waiting: decided.length, is_deleted: 0 },
  });
  return null;
}

/** Deletes a comment. 404: no such comment on a reported post. */
export async function deleteComment(
  context: RequestContext,
  { id, commentId }: { id: number; commentId: number },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const post = await heldPost(context, id);
  if (isRefusal(post)) return post;
  const comment = await db
    .deleteFrom('community_comment')
    .where('id', '=', commentId)
    .where('post_id', '=', id)
    .returning(['content', 'staff_id', 'student_id'])
    .executeTakeFirst();
  if (!comment) return missing(missingComment);
  await db
    .updateTable('community_post')
    .set((eb) => ({ comment_num: eb('comment_num', '-', 1) }))
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'community_comment',
    recordId: commentId,
    action: 'delete',
    before: { post_id: id, ...comment },
    after: null,
  });
  return null;
}
