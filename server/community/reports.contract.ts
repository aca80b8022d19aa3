/** Moderation of reported posts by administrators. */
import * as v from 'valibot';
import {
  IdAndName,
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

/** `name`: search text for the content of posts. */
export const ReportedFilter = v.object({
  /** Without `state`, the list shows posts with undecided complaints. */
  state: searchWord(reportStates),
  name: SearchText,
  type: searchOneOf(reportTypes),
  school_id: SearchId,
  ...paging(),
});
export type ReportedFilter = v.InferOutput<typeof ReportedFilter>;

const reported = {
  /** Id of the post. */
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
  /** `reports`: number of all complaints about the post. `waiting`: of undecided ones. */
  reports: v.number(),
  waiting: v.number(),
  /** Each reason that somebody gave, once. */
  types: v.array(v.picklist(reportTypes)),
  reported_at: Seconds,
  /** Name of the person who decided last, and the time; '' and null while the post is undecided. */
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
};

export const ReportedPost = v.object(reported);
export type ReportedPost = v.InferOutput<typeof ReportedPost>;

/** Lists reported posts. A decision applies to all complaints about a post. */
export const listReportedPosts = adminCall({
  method: 'GET',
  path: 'posts/reported',
  title: '被举报的帖子',
  needs: 'people',
  query: ReportedFilter,
  answer: page(ReportedPost),
});

/** Lists the schools that the administrator manages. */
export const reportedSchools = adminCall({
  method: 'GET',
  path: 'posts/reported/schools',
  title: '帖子所属的学校',
  needs: 'people',
  answer: v.array(IdAndName),
});

export const Report = v.object({
  id: v.number(),
  type: v.picklist(reportTypes),
  content: v.string(),
  real_name: v.string(),
  created_at: Seconds,
  /** 1: the post was deleted. 2: the complaint was dismissed. Null: undecided. */
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

/** A reported post with its complaints and latest comments. */
export const ReportedPostDetail = v.object({
  ...reported,
  images: v.array(v.string()),
  list: v.array(Report),
  comments: v.array(ReportedComment),
  /** Says what else deleting the post hides; '' if nothing. */
  effect: v.string(),
  /** Until when the user may undo their own decision; null if they cannot. */
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

/** Deletes a reported post with its comments and likes. `acknowledged`: the post's `effect`, if any. */
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

/** Undoes a decision: the complaints are open again, and a deleted post is restored. */
export const undoReports = adminCall({
  method: 'POST',
  path: 'posts/reported/:id/undo',
  title: '撤销举报处理',
  needs: 'people',
  answer: v.null(),
  message: '已撤销，举报重新等待处理',
});

/** Deletes a comment of a reported post for good. */
export const deleteReportedComment = adminCall({
  method: 'DELETE',
  path: 'posts/reported/:id/comments/:commentId',
  title: '删除评论',
  needs: 'people',
  answer: v.null(),
  message: '评论已删除',
});
