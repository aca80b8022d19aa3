/**
 * Homework: its codes, limits and marks, and what may be done with it when. A rule takes facts and answers with the
 * sentence that says why not, or undefined: the API refuses by it, the screens disable by it.
 */

import { byScore, reportStatus, storedScore } from '#server/grading/rules.ts';
import { latestSecond } from '#server/platform/calls/rules.ts';
import { someNames } from '#server/platform/text/rules.ts';
import { cancelled, type SessionStatus } from '#server/sessions/rules.ts';

/** 1 course homework, 2 period homework. */
export const homeworkTypes = [1, 2] as const;
/** status: 1 published, 2 recalled. */
export const recalled = 2;
/** publish_type of a homework that was published to some of its classes only. */
export const partlyPublished = 2;
/** publish_scope: 1 all child courses, 2 chosen child courses, 3 only the current course. */
export const publishScopes = [1, 2, 3] as const;
/** source of a homework that was published from a class. */
export const fromClass = 2;
/** arrange_type of publishing from a scheduled lesson: arrange_id is required. */
export const fromSession = 4;
export const arrangeTypes = [1, 2, 3, 4] as const;
/** right_answers: learners see them after the deadline, or as soon as their report is graded. */
export const rightAnswers = { afterDeadline: 1, onceGraded: 2 } as const;
export const rightAnswersChoices = [rightAnswers.afterDeadline, rightAnswers.onceGraded] as const;

/** Points; scores have at most one decimal. */
export const scoreLimits = { least: 1, most: 100 } as const;
/** Questions of a homework at most, sub-questions counted. */
export const questionLimit = 1000;
/** Characters. */
export const homeworkNameLimit = 20;
export const homeworkRemarkLimit = 200;
/** Tags of the questions of one homework together. */
export const homeworkMarkupLimit = 60_000;
/** Earlier homework whose questions are taken over at once. */
export const earlierLimit = 100;

export const missingHomework = '作业不存在';

export const homeworkMessages = {
  recordsGone: '该作业已撤回，作业记录已消失',
  wrongAnswers: '答案与作业题目不符',
  draftGone: '暂存的内容已变化，请重新打开作业',
  version: '请说明暂存的版本',
} as const;

// ---- what may be done with a homework ----------------------------------------------------------

/** What the rules look at. Times in unix seconds. */
export interface HomeworkState {
  status: number;
  publish_type: number;
  published_class_count: number;
  class_count: number;
  ending_time: number;
}

type Status = Pick<HomeworkState, 'status'>;
const isRecalled = ({ status }: Status) => status === recalled;

export const hasEnded = ({ ending_time }: Pick<HomeworkState, 'ending_time'>, now: number): boolean =>
  now >= ending_time;

/** Recalling, publishing further and moving the deadline are the publisher's alone. */
export const ownerFault = (isOwner: boolean): string | undefined => (isOwner ? undefined : '只有发布人可以执行此操作');

export const recallFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? '该作业已撤回，不能重复撤回' : undefined;

export function continueFault(homework: HomeworkState, now: number): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能继续发布';
  const { publish_type, published_class_count, class_count } = homework;
  const isEverywhere = publish_type !== partlyPublished || published_class_count >= class_count;
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

/** Tells whether a learner may see right answers and explanations. */
export const showsRightAnswers = (
  homework: Pick<HomeworkState, 'ending_time'> & { right_answers: 1 | 2 },
  report: { status: number },
  now: number,
): boolean =>
  report.status === reportStatus.graded &&
  (homework.right_answers === rightAnswers.onceGraded || hasEnded(homework, now));

export const missingDeadline = '请选择截止时间';

/** Validates a new deadline. `earliest` is the first moment of yesterday in the school's zone. */
export function newDeadlineFault(endingTime: number | undefined, earliest: number): string | undefined {
  if (!endingTime) return missingDeadline;
  if (endingTime < earliest) return `截止时间${publicationMessages.deadlineRule}`;
  return endingTime > latestSecond ? '请选择正确的截止时间' : undefined;
}

/** Warns of a deadline in the past; the sender may confirm it. */
export const pastDeadline = '截止时间已过，学员将不能提交';

export const pastDeadlineFault = (endingTime: number, now: number, isConfirmed: boolean): string | undefined =>
  hasEnded({ ending_time: endingTime }, now) && !isConfirmed ? pastDeadline : undefined;

/** Seconds for which a student is not reminded of the same homework again. */
export const reminderPause = 12 * 60 * 60;

/** Why nobody is reminded to hand in (any more). */
export function remindFault(homework: Pick<HomeworkState, 'status' | 'ending_time'>, now: number): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能催交';
  return hasEnded(homework, now) ? '该作业已截止，不能催交' : undefined;
}

/** Whether a reminder of that moment is so recent that none follows. */
export const isRecentReminder = (remindedAt: number | null, now: number): boolean =>
  remindedAt !== null && remindedAt > now - reminderPause;

/** Why this student is not reminded, though they have not handed in. */
export function unremindedFault(
  { reminded_at, mobile }: { reminded_at: number | null; mobile: string },
  now: number,
): string | undefined {
  if (isRecentReminder(reminded_at, now)) return '12小时内已催交，不再重复发送';
  return mobile.trim() === '' ? '该学员没有手机号，无法发送短信' : undefined;
}

export const handedInAlready = '该学员已提交作业，无需催交';

interface NotReminded {
  /** Reminded within the pause. */
  recent: readonly string[];
  /** Without a mobile number. */
  unreachable: readonly string[];
}

/** Who gets no message, and why; empty where everybody gets one. */
export const notReminded = ({ recent, unreachable }: NotReminded): string =>
  [
    unreachable.length > 0 && `${unreachable.length}人没有手机号：${someNames(unreachable)}`,
    recent.length > 0 && `${recent.length}人12小时内已催交：${someNames(recent)}`,
  ]
    .filter((part) => part !== false)
    .join('；');

/** Why there is nobody to remind. */
export function nobodyFault(ready: number, others: NotReminded): string | undefined {
  if (ready > 0) return undefined;
  const said = notReminded(others);
  return said === '' ? '没有未提交的学员' : `没有可以催交的学员，${said}`;
}

export const correctionFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? '该作业已撤回，不能批改' : undefined;

/** Why its reports can no longer be read. */
export const recordsFault = (homework: Status): string | undefined =>
  isRecalled(homework) ? homeworkMessages.recordsGone : undefined;

/** Why a learner cannot hand in (any more). Times in unix seconds. */
export function submitFault(
  homework: Pick<HomeworkState, 'status' | 'ending_time'>,
  report: { status: number },
  now: number,
): string | undefined {
  if (isRecalled(homework)) return '该作业已撤回，不能提交';
  if (report.status !== reportStatus.notSubmitted) return '该作业已提交，不能重复提交';
  return hasEnded(homework, now) ? '该作业已截止，不能提交' : undefined;
}

/** Why a report cannot be graded. */
export function reviewFault(homework: Status, report: { status: number }): string | undefined {
  if (report.status === reportStatus.notSubmitted) return '该作业未提交，不能批改';
  const isGraded = report.status === reportStatus.graded;
  return correctionFault(homework) ?? (isGraded ? '该作业已批改完成，不能重复批改' : undefined);
}

/**
 * Question analysis, transcript and distribution: after the deadline, when nothing waits for review. `submit` reports
 * are handed in, `revise` of them graded.
 */
export const hasFigures = (
  homework: Pick<HomeworkState, 'status' | 'ending_time'> & { submit: number; revise: number },
  now: number,
): boolean => !isRecalled(homework) && hasEnded(homework, now) && homework.submit === homework.revise;

// ---- answers, reports and their marks ----------------------------------------------------------

// ---- publishing --------------------------------------------------------------------------------

export const publicationMessages = {
  incomplete: '请完善信息',
  /** Said beside the field, and by `newDeadlineFault` where it is not kept. */
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
  draftGone: '暂存的内容已失效，请重新填写',
  noHomework: '请选择作业',
  tooManyEarlier: `一次最多选择${earlierLimit}份作业`,
  score: '请设置题目分数',
  /** Of a field of the form, into which whole points are typed; what is set for many at once, or sent, may have a decimal. */
  wholeScore: `请输入${scoreLimits.least}到${scoreLimits.most}的整数`,
  scoreRange: `分数为${scoreLimits.least}到${scoreLimits.most}，最多一位小数`,
} as const;

/** Of giving again what was not answered right. */
export const nothingWrong = '没有学员答错，无需订正';

/** What such a homework is called, as far as a name may reach. */
export const remedialName = (name: string): string => [...`订正：${name}`].slice(0, homeworkNameLimit).join('');

/** What the homework of a lesson starts out being called. */
export const lessonHomeworkName = (topic: string): string => [...`课后：${topic}`].slice(0, homeworkNameLimit).join('');

/** Of taking over the questions of so many earlier homework at once. */
export function earlierFault(count: number): string | undefined {
  if (count === 0) return publicationMessages.noHomework;
  return count > earlierLimit ? publicationMessages.tooManyEarlier : undefined;
}

/** Of a homework without questions. */
export const noQuestionFault = (questions: number): string | undefined =>
  questions === 0 ? publicationMessages.noQuestion : undefined;

/** Of publishing further to classes that have it. */
export const publishedFault = (classNames: readonly string[]): string | undefined =>
  classNames.length === 0 ? undefined : `${classNames.join('、')}已发布过该作业，请勿重复发布`;

/** What is wrong with the points that a question was given. */
export function chosenScoreFault(points: number | undefined): string | undefined {
  if (points === undefined) return publicationMessages.score;
  const isWithin = points >= scoreLimits.least && points <= scoreLimits.most;
  return isWithin && storedScore(byScore, points) !== undefined ? undefined : publicationMessages.scoreRange;
}

interface ReachedClass {
  id: number;
  students_count: number;
}

/**
 * Different students of some classes: who is in several counts once.
 * @param shared of each student in several classes of the scope, their classes
 */
export function countStudents(chosen: readonly ReachedClass[], shared: readonly (readonly number[])[]): number {
  const ids = new Set(chosen.map(({ id }) => id));
  const places = chosen.reduce((sum, { students_count }) => sum + students_count, 0);
  const repeated = shared.map((classIds) => Math.max(0, classIds.filter((id) => ids.has(id)).length - 1));
  return repeated.reduce((left, more) => left - more, places);
}

/** Without the switch class_homework_module lessons have no homework. */
export const lessonHomeworkFault = (settings: { class_homework_module: boolean } | undefined): string | undefined =>
  settings?.class_homework_module === false ? '课次作业功能未开启' : undefined;

/** Why no homework is published from a lesson. */
export const lessonFault = (session: { status: SessionStatus }): string | undefined =>
  session.status === cancelled ? '该课次已取消，不能布置作业' : undefined;
