/** Who wrote: 1 student, 2 lecturer, 3 teaching assistant, 4 the school itself, whose posts cannot be deleted. */
export const userTypes = [1, 2, 3, 4] as const;

export type UserType = (typeof userTypes)[number];

/** 1 the circle of a class, 2 a group that people join ("member origin"). */
export const groupTypes = [1, 2] as const;

/** Why a post is reported: 1 advertising, 2 insults, 3 untrue, 4 unfit for learners, 5 other. */
export const reportTypes = [1, 2, 3, 4, 5] as const;

/** Characters. */
export const postLimit = 2000;

export const commentLimit = 500;

export const reportLimit = 200;

/** Pictures of one post. */
export const imageLimit = 9;

export const communityMessages = {
  content: '请输入帖子内容',
  contentLength: `帖子内容不能超过${postLimit}个字`,
  images: `最多添加${imageLimit}张图片`,
  image: '图片不存在，请重新上传',
  group: '请选择圈子',
  comment: '请输入评论内容',
  commentLength: `评论内容不能超过${commentLimit}个字`,
  reportType: '请选择举报原因',
  reportLength: `举报说明不能超过${reportLimit}个字`,
} as const;

/** Page size of the groups and posts of the community. */
export const communityPageSize = 10;

/** 0 published by me, 1 that I commented on or like, 2 that I collected. */
export const postTabs = [0, 1, 2] as const;

/** Why a group cannot be left. */
export const leaveFault = (group: { group_type: number }): string | undefined =>
  group.group_type === 1 ? '班级圈子不能退出' : undefined;

/** As it is kept: without white space around it; '' where there is nothing to see in it. */
export function tidyContent(text: string): string {
  const tidy = text.replace(/\r\n?/g, '\n').trim();
  return /[^\p{Z}\p{C}\u2800\u3164]/u.test(tidy) ? tidy : '';
}
