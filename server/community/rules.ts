/** Limits, messages and refusals of circles and posts. */
import { pictureNotFoundMessage } from '#server/platform/files/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';

/**
 * Author of a post or comment: 1 student, 2 lecturer, 3 teaching assistant, 4 the school. The school's posts cannot be
 * deleted.
 */
export const userTypes = [1, 2, 3, 4] as const;
const schoolType = 4;

export type UserType = (typeof userTypes)[number];

/** 1: circle of a class. 2: circle that people join (“member origin” in the specification). */
export const circleTypes = [1, 2] as const;
const classCircle = 1;

/** Reason for reporting a post: 1 advertising, 2 insult, 3 untrue, 4 unfit for students, 5 other. */
export const reportTypes = [1, 2, 3, 4, 5] as const;

/** Maximum characters of a post and of a comment. */
export const postLimit = 2000;

export const postCommentLimit = 500;

export const reportLimit = 200;

/** Maximum pictures of a post. */
export const postImageLimit = 9;

/** Maximum posts deleted in one request. */
const postsDeletedLimit = 100;

export const communityMessages = {
  content: '请输入帖子内容',
  contentLength: `帖子内容不能超过${postLimit}个字`,
  images: `最多添加${postImageLimit}张图片`,
  image: pictureNotFoundMessage,
  group: '请选择圈子',
  comment: '请输入评论内容',
  commentLength: `评论内容不能超过${postCommentLimit}个字`,
  reportType: '请选择举报原因',
  reported: '您已举报过该帖子',
  reportLength: `举报说明不能超过${reportLimit}个字`,
} as const;

export const communityPageSize = 10;

export const missingCircle = '圈子不存在';
export const missingPost = '帖子不存在或已被删除';

/** Tab of the user's own lists: 0 published by them, 1 commented on or liked, 2 favourites. */
export const postTabs = [0, 1, 2] as const;

export const missingCommunity = '学校没有开放社区';
export const missingFavourite = '收藏不存在或已取消';

/**
 * Why the user may not delete a post. Head teachers delete in the circle of their class, authors their own posts in a
 * circle that people join; nobody deletes a post of the school.
 */
export function deleteFault(
  post: { user_type: number; group_type: number; is_headed: number; staff_id: number | null },
  actorId: number,
): string | undefined {
  if (post.user_type === schoolType) return '学校发布的帖子不能删除';
  if (post.group_type === classCircle) return post.is_headed === 1 ? undefined : '只有班主任可以删除圈子帖子';
  return post.staff_id === actorId ? undefined : '只能删除自己发布的帖子';
}

/** Why these posts cannot be deleted in one request. */
export const deletedFault = (ids: readonly number[]): string | undefined =>
  ids.length > postsDeletedLimit ? `一次最多删除${postsDeletedLimit}条帖子` : undefined;

/** Why the user may not report a post. */
export function reportFault(
  post: { staff_id: number | null; isReported?: boolean },
  actorId: number,
): string | undefined {
  if (post.staff_id === actorId) return '不能举报自己发布的帖子';
  return post.isReported ? communityMessages.reported : undefined;
}

/** Why a comment is refused. `content`: already tidied by `tidyContent`. */
export function commentFault(content: string): string | undefined {
  if (content === '') return communityMessages.comment;
  return lengthOf(content) > postCommentLimit ? communityMessages.commentLength : undefined;
}

/** Why a circle cannot be left. */
export const leaveFault = (circle: { group_type: number }): string | undefined =>
  circle.group_type === classCircle ? '班级圈子不能退出' : undefined;

/** Trims a text and normalises its line breaks; '' if it has no visible character. */
export function tidyContent(text: string): string {
  const tidy = text.replace(/\r\n?/g, '\n').trim();
  return /[^\p{Z}\p{C}\u2800\u3164]/u.test(tidy) ? tidy : '';
}

// ---- circles that people join, as administrators manage them ---------------------------------------

/** Maximum characters of a circle's name and introduction. */
export const circleNameLimit = 50;
export const circleIntroductionLimit = 500;

/** Maximum number of people added to a circle in one request. */
export const addedMembersLimit = 200;

export const missingMember = '该成员不在圈子中';

export const circleMessages = {
  noName: '圈子名称不能为空',
  nameLength: `圈子名称不能超过${circleNameLimit}个字`,
  introductionLength: `简介不能超过${circleIntroductionLimit}个字`,
  noSchool: '请选择学校',
  noClass: '请选择班级',
  nobody: '请填写成员，每行一位',
  tooMany: `一次最多添加${addedMembersLimit}位成员`,
} as const;

export const circleArchiveFault = (circle: { is_put_away: 0 | 1 }): string | undefined =>
  circle.is_put_away === 1 ? '该圈子已停用' : undefined;

export const circleRestoreFault = (circle: { is_put_away: 0 | 1 }): string | undefined =>
  circle.is_put_away === 1 ? undefined : '该圈子未停用';

/** Says what members lose if the circle is archived; undefined if it has no members. */
export const circleLossSentence = ({ members, posts }: { members: number; posts: number }): string | undefined =>
  members === 0 ? undefined : `${members}位成员将看不到该圈子${posts > 0 ? `及其${posts}条帖子` : ''}`;

export const circleNameTakenMessage = (other: { name: string; is_put_away: 0 | 1 }): string =>
  `该校已有圈子“${other.name}”${other.is_put_away === 1 ? '（已停用，可以恢复）' : ''}`;

/** Messages for a line that matches nobody of the school, or several people. */
export const unknownPersonMessage = (line: number, name: string): string => `第${line}行：本校没有“${name}”`;
export const ambiguousPersonMessage = (line: number, name: string, count: number): string =>
  `第${line}行：“${name}”有${count}位，请填写手机号或用户名`;

export const addedMembersSentence = (added: number, known: number): string =>
  `加入了${added}位成员${known > 0 ? `，${known}位已在圈子中` : ''}`;

// ---- moderation of reported posts -------------------------------------------------------------------

export const missingReported = '该帖子没有被举报';
export const missingComment = '评论不存在或已被删除';

/** Why the complaints about a post cannot be decided. `decided`: who decided them and when, as text. */
export function decisionFault(post: {
  state: 'waiting' | 'deleted' | 'dismissed';
  decided: string;
}): string | undefined {
  if (post.state === 'waiting') return undefined;
  return post.state === 'deleted' ? `该帖子已由${post.decided}删除` : `该帖子的举报已由${post.decided}驳回`;
}

/** Names what a deletion hides besides the post, '' if nothing. */
export function deletionEffect({ comment_num, like_num }: { comment_num: number; like_num: number }): string {
  const parts = [comment_num > 0 && `${comment_num}条评论`, like_num > 0 && `${like_num}个赞`].filter(Boolean);
  return parts.length > 0 ? `${parts.join('和')}将一起不再显示` : '';
}
