/** What people reported of posts, as the administration looks at it, and what it decides. */
import * as v from 'valibot';
import {
  Named,
  page,
  paging,
  SearchId,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { reportTypes, userTypes } from './rules.ts';

export const reportStates = ['waiting', 'deleted', 'dismissed', 'all'] as const;

/** `name` is looked for in the texts of posts. */
export const ReportedFilter = v.object({
  /** Posts with reports that wait, where it is left out. */
  state: searchWord(reportStates),
  name: SearchText,
  type: searchOneOf(reportTypes),
  school_id: SearchId,
  ...paging(),
});
export type ReportedFilter = v.InferOutput<typeof ReportedFilter>;

const reported = {
  /** The post's. */
  id: v.number(),
  school_name: v.string(),
  group_name: v.string(),
  nickname: v.string(),
  user_type: v.picklist(userTypes),
  content: v.string(),
  created_at: Seconds,
  like_num: v.number(),
  comment_num: v.number(),
  state: v.picklist(['waiting', 'deleted', 'dismissed']),
  /** Reports in all, and those that wait. */
  reports: v.number(),
  waiting: v.number(),
  /** What for, each once. */
  types: v.array(v.picklist(reportTypes)),
  reported_at: Seconds,
  /** Who decided last, and when; empty and null where it waits. */
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
};

export const ReportedPost = v.object(reported);
export type ReportedPost = v.InferOutput<typeof ReportedPost>;

/** All reports of a post are decided together. */
export const listReportedPosts = adminCall({
  method: 'GET',
  path: 'posts/reported',
  title: '被举报的帖子',
  needs: 'people',
  query: ReportedFilter,
  answer: page(ReportedPost),
});

/** The schools that the administrator looks after. */
export const reportedSchools = adminCall({
  method: 'GET',
  path: 'posts/reported/schools',
  title: '帖子所属的学校',
  needs: 'people',
  answer: v.array(Named),
});

export const Report = v.object({
  id: v.number(),
  type: v.picklist(reportTypes),
  content: v.string(),
  real_name: v.string(),
  created_at: Seconds,
  /** 1 the post was deleted, 2 dismissed; null: it waits. */
  outcome: v.nullable(v.picklist([1, 2])),
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
});

export const ReportedComment = v.object({
  id: v.number(),
  nickname: v.string(),
  content: v.string(),
  created_at: Seconds,
});

/** With the latest comments. */
export const ReportedPostDetail = v.object({
  ...reported,
  images: v.array(v.string()),
  list: v.array(Report),
  comments: v.array(ReportedComment),
  /** What deleting it takes away besides; '': nothing. */
  effect: v.string(),
  /** Until when the actor may take their decision back; null: not any more. */
  undo_until: v.nullable(Seconds),
});
export type ReportedPostDetail = v.InferOutput<typeof ReportedPostDetail>;

export const showReportedPost = adminCall({
  method: 'GET',
  path: 'posts/reported/:id',
  title: '被举报的帖子详情',
  needs: 'people',
  answer: ReportedPostDetail,
});

/** With its comments and likes. `acknowledged` is the `effect` of the post, where there is one. */
export const deleteReportedPost = adminCall({
  method: 'POST',
  path: 'posts/reported/:id/delete',
  title: '删除被举报的帖子',
  needs: 'people',
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '帖子已删除，十分钟内可以撤销',
});

export const dismissReports = adminCall({
  method: 'POST',
  path: 'posts/reported/:id/dismiss',
  title: '驳回举报',
  needs: 'people',
  answer: v.null(),
  message: '举报已驳回，十分钟内可以撤销',
});

/** Its reports wait again, and a post that was deleted is there again. */
export const undoReports = adminCall({
  method: 'POST',
  path: 'posts/reported/:id/undo',
  title: '撤销举报处理',
  needs: 'people',
  answer: v.null(),
  message: '已撤销，举报重新等待处理',
});

/** Of a post that was reported: for good. */
export const deleteReportedComment = adminCall({
  method: 'DELETE',
  path: 'posts/reported/:id/comments/:commentId',
  title: '删除评论',
  needs: 'people',
  answer: v.null(),
  message: '评论已删除',
});
