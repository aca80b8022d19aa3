/**
 * Rules of homework: codes, limits, and when each action is allowed. A rule returns the message why an action is
 * refused, or undefined. The API refuses with the message; the screens disable the action with it.
 */

import { pointsMode, reportStatus, storedScore } from '#server/grading/rules.ts';
import { latestSecond } from '#server/platform/calls/rules.ts';
import { joinFirstNames } from '#server/platform/text/rules.ts';
import { cancelledStatus, type SessionStatus } from '#server/sessions/rules.ts';

/** Type of a homework: 1 of a course, 2 of a period. */
export const homeworkTypes = [1, 2] as const;
/** Value of `status` for recalled homework; published homework has 1. */
export const recalledStatus = 2;
/** `publish_type` of a homework that only some of its classes have. */
export const partlyPublishedType = 2;
/** `publish_scope`: 1 all child courses, 2 chosen child courses, 3 only the current course. */
export const publishScopes = [1, 2, 3] as const;
/** `source` of a homework that was published from a class. */
export const sourceClass = 2;
/** `arrange_type` of publishing from a lesson; requires `arrange_id`. */
export const sourceSession = 4;
export const arrangeTypes = [1, 2, 3, 4] as const;
/** `right_answers`: learners see them after the deadline, or once their report is graded. */
export const rightAnswers = { afterDeadline: 1, onceGraded: 2 } as const;
export const rightAnswersChoices = [rightAnswers.afterDeadline, rightAnswers.onceGraded] as const;

/** Minimum and maximum points of a question, with at most one decimal. */
export const scoreLimits = { min: 1, max: 100 } as const;
/** Maximum questions of a homework, including parts. */
export const questionLimit = 1000;
/** Maximum characters of the name; the next constant limits the remark. */
export const homeworkNameLimit = 20;
export const homeworkRemarkLimit = 200;
/** Maximum HTML tags in all questions of one homework. */
export const maxHomeworkTags = 60_000;
/** Maximum earlier homework to copy questions from in one call. */
export const maxEarlierHomework = 100;

export const missingHomework = '作业不存在';

export const homeworkMessages = {
  recordsGone: '该作业已撤回，作业记录已消失',
  wrongAnswers: '答案与作业题目不符',
  draftGone: '草稿已变化，请重新打开作业',
  version: '请说明草稿的版本',
} as const;

// ---- actions on a homework ----------------------------------------------------------

/** Facts about a homework that the rules need. Times in unix seconds. */
export interface HomeworkState {
  status: number;
  publish_type: number;
  published_class_count: number;
  class_count: number;
  ending_time: number;
}

type Status = Pick<HomeworkState, 'status'>;
const isRecalled = ({ status }: Status) => status === recalledStatus;

export const hasEnded = ({ ending_time }: Pick<HomeworkState, 'ending_time'>, now: number): boolean =>
  now >= ending_time;

/**
 * Refuses an action of somebody else: only the publisher may recall, publish to more classes, or change the deadline.
 */
export const ownerFault = (isOwner: boolean): string | undefined => (isOwner ? undefined : '只有发布人可以执行此操作');

export const recallFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? '该作业已撤回，不能重复撤回' : undefined;

export function publishMoreFault(homework: HomeworkState, now: number): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能继续发布';
  const { publish_type, published_class_count, class_count } = homework;
  const isEverywhere = publish_type !== partlyPublishedType || published_class_count >= class_count;
  if (isEverywhere) return '该作业已发布到全部班级，不能继续发布';
  return hasEnded(homework, now) ? '该作业已截止，不能继续发布' : undefined;
}

export function deadlineFault(
  homework: Pick<HomeworkState, 'status' | 'ending_time'>,
  now: number,
): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能调整截止时间';
  return hasEnded(homework, now) ? '该作业已截止，不能调整截止时间' : undefined;
}

/** True if a learner may see right answers and explanations. */
export const showsRightAnswers = (
  homework: Pick<HomeworkState, 'ending_time'> & { right_answers: 1 | 2 },
  report: { status: number },
  now: number,
): boolean =>
  report.status === reportStatus.graded &&
  (homework.right_answers === rightAnswers.onceGraded || hasEnded(homework, now));

export const deadlineRequiredMessage = '请选择截止时间';

/** Validates a new deadline. `earliest`: yesterday 0:00 in the school's timezone, in unix seconds. */
export function newDeadlineFault(endingTime: number | undefined, earliest: number): string | undefined {
  if (!endingTime) return deadlineRequiredMessage;
  if (endingTime < earliest) return `截止时间${publicationMessages.deadlineRule}`;
  return endingTime > latestSecond ? '请选择正确的截止时间' : undefined;
}

/** Warns about a deadline in the past. The sender may confirm it. */
export const pastDeadlineWarning = '截止时间已过，学员将不能提交';

export const pastDeadlineFault = (endingTime: number, now: number, isConfirmed: boolean): string | undefined =>
  hasEnded({ ending_time: endingTime }, now) && !isConfirmed ? pastDeadlineWarning : undefined;

/** Minimum seconds between two reminders of a student about the same homework. */
export const reminderPause = 12 * 60 * 60;

/** Why no reminders can be sent for a homework. */
export function remindFault(homework: Pick<HomeworkState, 'status' | 'ending_time'>, now: number): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能催交';
  return hasEnded(homework, now) ? '该作业已截止，不能催交' : undefined;
}

export const isRecentReminder = (remindedAt: number | null, now: number): boolean =>
  remindedAt !== null && remindedAt > now - reminderPause;

/** Why a student who has not submitted cannot be reminded. */
export function remindStudentFault(
  { reminded_at, mobile }: { reminded_at: number | null; mobile: string },
  now: number,
): string | undefined {
  if (isRecentReminder(reminded_at, now)) return '12小时内已催交，不再重复发送';
  return mobile.trim() === '' ? '该学员没有手机号，无法发送短信' : undefined;
}

export const alreadySubmitted = '该学员已提交作业，无需催交';

interface UnremindedStudents {
  /** Names of students who were reminded less than `reminderPause` ago. */
  recent: readonly string[];
  /** Names of students without a mobile number. */
  unreachable: readonly string[];
}

/** Says who gets no reminder, and why; '' if everybody gets one. */
export const notRemindedSentence = ({ recent, unreachable }: UnremindedStudents): string =>
  [
    unreachable.length > 0 && `${unreachable.length}人没有手机号：${joinFirstNames(unreachable)}`,
    recent.length > 0 && `${recent.length}人12小时内已催交：${joinFirstNames(recent)}`,
  ]
    .filter((part) => part !== false)
    .join('；');

/** Why no student can be reminded. `ready`: number of students who can. */
export function noRecipientFault(ready: number, others: UnremindedStudents): string | undefined {
  if (ready > 0) return undefined;
  const reasons = notRemindedSentence(others);
  return reasons === '' ? '没有未提交的学员' : `没有可以催交的学员，${reasons}`;
}

export const gradingFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? '该作业已撤回，不能批改' : undefined;

/** Why the reports of a homework can no longer be read. */
export const recordsFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? homeworkMessages.recordsGone : undefined;

/** Why a learner cannot submit. Times in unix seconds. */
export function submitFault(
  homework: Pick<HomeworkState, 'status' | 'ending_time'>,
  report: { status: number },
  now: number,
): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能提交';
  if (report.status !== reportStatus.notSubmitted) return '该作业已提交，不能重复提交';
  return hasEnded(homework, now) ? '该作业已截止，不能提交' : undefined;
}

/** Why a report cannot be graded. A graded report is final: nobody can reopen it or grade it again. */
export function reviewFault(homework: Status, report: { status: number }): string | undefined {
  if (report.status === reportStatus.notSubmitted) return '该作业未提交，不能批改';
  const isGraded = report.status === reportStatus.graded;
  return gradingFault(homework) ?? (isGraded ? '该作业已批改完成，不能重复批改' : undefined);
}

/**
 * True if question analysis, transcript and distribution are shown: after the deadline, once no report is left to
 * grade. `submit`: number of submitted reports, `revise`: number of graded reports.
 */
export const hasFigures = (
  homework: Pick<HomeworkState, 'status' | 'ending_time'> & { submit: number; revise: number },
  now: number,
): boolean => !isRecalled(homework) && hasEnded(homework, now) && homework.submit === homework.revise;

// ---- publishing --------------------------------------------------------------------------------

export const publicationMessages = {
  incomplete: '请完善信息',
  /** Hint beside the deadline field, and part of the message of `newDeadlineFault`. */
  deadlineRule: '不能早于昨天',
  noQuestion: '请选择题目',
  sameQuestion: (place: number) => `与第${place}题是同一道题，请去掉其中一道`,
  tooManyQuestions: `一份作业最多${questionLimit}题`,
  course: '请选择课程',
  type: '请选择作业类型',
  period: '请选择课时',
  scope: '请选择发布范围',
  scoreSetting: '请选择题目分数设置',
  name: '请输入作业名称',
  nameLength: `作业名称不能超过${homeworkNameLimit}个字`,
  remarkLength: `备注不能超过${homeworkRemarkLimit}个字`,
  session: '请选择课次',
  way: '请选择正确的布置方式',
  classes: '请选择班级',
  noClasses: '所选范围内没有您可以布置作业的班级',
  childCourses: '请选择子课程',
  courseOfSession: '请选择该课次的课程',
  periodOfScope: '请选择发布范围内的课时',
  noChildren: '暂无子课程',
  draftGone: '草稿已失效，请重新填写',
  noHomework: '请选择作业',
  tooManyEarlier: `一次最多选择${maxEarlierHomework}份作业`,
  score: '请设置题目分数',
  /**
   * Message for the score field of one question, which takes whole points. The API, and the field for many questions at
   * once, allow one decimal.
   */
  wholeScore: `请输入${scoreLimits.min}到${scoreLimits.max}的整数`,
  scoreRange: `分数为${scoreLimits.min}到${scoreLimits.max}，最多一位小数`,
} as const;

/** Refuses remedial homework because no answer was wrong. */
export const noWrongAnswers = '没有学员答错，无需订正';

/** Default name of remedial homework, cut to the limit. */
export const remedialName = (name: string): string => [...`订正：${name}`].slice(0, homeworkNameLimit).join('');

/** Default name of homework published from a lesson, cut to the limit. */
export const lessonHomeworkName = (topic: string): string => [...`课后：${topic}`].slice(0, homeworkNameLimit).join('');

/** Default name of other homework: its course and the day, such as `高一数学 11-29`. */
export const courseHomeworkName = (course: string, day: string): string =>
  `${[...course].slice(0, homeworkNameLimit - day.length - 1).join('')} ${day}`;

/** Why no questions can be copied from this number of earlier homework. */
export function earlierHomeworkFault(count: number): string | undefined {
  if (count === 0) return publicationMessages.noHomework;
  return count > maxEarlierHomework ? publicationMessages.tooManyEarlier : undefined;
}

/** Why a homework without questions cannot be published. */
export const noQuestionFault = (questions: number): string | undefined =>
  questions === 0 ? publicationMessages.noQuestion : undefined;

/** Refuses to publish to classes that have the homework already. */
export const alreadyPublishedFault = (classNames: readonly string[]): string | undefined =>
  classNames.length === 0 ? undefined : `${classNames.join('、')}已发布过该作业，请勿重复发布`;

/** Why a question's points are not valid. */
export function questionScoreFault(points: number | undefined): string | undefined {
  if (points === undefined) return publicationMessages.score;
  const isWithin = points >= scoreLimits.min && points <= scoreLimits.max;
  return isWithin && storedScore(pointsMode, points) !== undefined ? undefined : publicationMessages.scoreRange;
}

interface ReachedClass {
  id: number;
  students_count: number;
}

/**
 * Counts the distinct students of the chosen classes.
 * @param shared for each student in several classes of the scope, their class ids
 */
export function countStudents(chosen: readonly ReachedClass[], shared: readonly (readonly number[])[]): number {
  const ids = new Set(chosen.map(({ id }) => id));
  const places = chosen.reduce((sum, { students_count }) => sum + students_count, 0);
  const repeated = shared.map((classIds) => Math.max(0, classIds.filter((id) => ids.has(id)).length - 1));
  return repeated.reduce((left, more) => left - more, places);
}

/** Refuses homework of lessons when the feature switch `class_homework_module` is off. */
export const lessonHomeworkFault = (settings: { class_homework_module: boolean } | undefined): string | undefined =>
  settings?.class_homework_module === false ? '课次作业功能未开启' : undefined;

/** Why no homework can be published from a lesson. */
export const lessonFault = (session: { status: SessionStatus }): string | undefined =>
  session.status === cancelledStatus ? '该课次已取消，不能布置作业' : undefined;
