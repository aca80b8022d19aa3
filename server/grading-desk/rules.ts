/** Rules of grading: limits, and why an action is refused. */
import { fillIn } from '#server/grading/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';

/** Maximum characters of a comment. */
export const commentLimit = 300;

/** Shortcut keys of pinned comments: the upper row of letters, which has no other shortcuts on the grading screen. */
export const commentKeys = ['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o'] as const;
export type CommentKey = (typeof commentKeys)[number];

/** Maximum attachments of a review, and images of an answer. */
export const imageLimit = 9;

/** Maximum characters of one image's mark-up. */
export const drawLimit = 500_000;

/** Tabs of the grading screen: questions that graders score, and questions that are scored automatically. */
export const subjectiveTab = 1;

export const objectiveTab = 2;

/** Maximum reports that `finishReviews` finishes in one transaction; other requests wait for its locks. */
export const finishLimit = 500;

/** Maximum answers of a batch. They are graded in one transaction; other requests wait for its locks. */
export const equalAnswersLimit = 500;

export const gradingMessages = {
  commentLength: `评语最多${commentLimit}个字`,
  attachments: `附件最多${imageLimit}个`,
  attachmentAddress: '附件地址不正确',
  images: `图片最多${imageLimit}张`,
  imageAddress: '图片地址不正确',
  marks: '标记过多，请减少后再保存',
  together: `一次最多为${equalAnswersLimit}份答案评分`,
  lostDrawing: '图片不存在，请重新保存标记',
  noAnswers: '请选择要一并评分的学员',
  answerTwice: '同一份答案只能选择一次',
  noReports: '没有可以完成批改的报告',
  blank: '请选择已作答的空',
  rightOrWrong: '请选择改判为正确或错误',
  judgmentUndone: '该改判已撤销，不能重复撤销',
  noSheets: '没有可以完成批改的答卷',
} as const;

/** Maximum characters of a judgment's reason. */
export const reasonLimit = 100;

export const rejudgeReasonFault = (reason: string): string | undefined => {
  if (reason === '') return '请填写改判理由';
  return lengthOf(reason) > reasonLimit ? `改判理由最多${reasonLimit}个字` : undefined;
};

/** Why an answer cannot be judged (改判). */
export const rejudgeFault = ({ ques_type }: { ques_type: number }): string | undefined =>
  ques_type === fillIn ? undefined : '只有填空题可以改判';

export const commentFault = (comment: string): string | undefined =>
  lengthOf(comment) > commentLimit ? gradingMessages.commentLength : undefined;

/** Refuses a comment that another key has already. `key`: the other key. */
export const pinnedTwiceMessage = (key: CommentKey): string => `与 ${key.toUpperCase()} 的评语相同`;

export const attachmentNotFoundMessage = (name: string): string => `附件“${name}”不存在，请重新上传`;

/** Refuses a batch if some of its answers changed meanwhile. `nicknames`: the students of the changed answers. */
export const changedAnswersFault = (nicknames: readonly string[]): string | undefined =>
  nicknames.length === 0 ? undefined : `${nicknames.join('、')}的答案已被批改或不再相同，请重新选择`;

/** Why a batch cannot be undone. */
export const undoBatchFault = ({ undone_at }: { undone_at: number | null }): string | undefined =>
  undone_at === null ? undefined : '已撤销，不能重复撤销';
