/** Maximum characters of a notice's title. */
export const noticeTitleLimit = 30;

/** Maximum characters of the content as HTML; stored pictures do not count. */
export const noticeContentLimit = 50_000;

export const noticeMessages = {
  title: '请输入公告标题',
  titleLength: `标题不能超过${noticeTitleLimit}个字`,
  content: '请输入公告内容',
  contentLength: '公告内容过长，请精简后再发布',
  class: '请选择班级',
} as const;

export const missingNotice = '公告不存在或已被删除';

/** Refuses users who are not the head teacher of the class: only the head teacher writes notices. */
export const writeFault = (isHeadTeacher: boolean, deed: '发布' | '编辑' | '删除'): string | undefined =>
  isHeadTeacher ? undefined : `只有班主任可以${deed}公告`;

/** Refuses to change a notice that the school posted; such a notice has no author. */
export const schoolFault = (isOfSchool: boolean, deed: '编辑' | '删除'): string | undefined =>
  isOfSchool ? `学校发布的公告不能${deed}` : undefined;
