/** Of the applications of learners: limits, events and sentences. */
import { serviceAddressFault } from '#server/school/rules.ts';

/** Codes by which learners sign in; `valid` and `every` in seconds, `tries` of each, `eachDay` to one learner. */
export const learnerCodes = { digits: 6, valid: 10 * 60, every: 60, tries: 5, eachDay: 10 } as const;

/**
 * Codes asked for, and codes tried, from one address within a window of seconds that let nobody in. Each learner has
 * limits of their own (`learnerCodes`); this one ends a flood, and a campus whose learners all come in by one address at
 * the start of an exam stays below it.
 */
export const codesOfAddress = { most: 2000, window: 10 * 60 } as const;

/** Of asking for a code, or trying one, again. */
export function codeWait(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `当前网络获取或输错验证码的次数过多，请${time}后再试`;
}

/** Seconds without use after which a learner signs in again. */
export const learnerIdle = 12 * 60 * 60;

/** Calls that a token may make at once, and in each second: of an application with all its learners, and of one learner. */
export const callsOfApplication = { atOnce: 3000, perSecond: 1000 } as const;

export const callsOfLearner = { atOnce: 120, perSecond: 10 } as const;

/** What an application may be told of. */
export const learnerEventKinds = [
  'homework.published',
  'report.graded',
  'leave.decided',
  'notice.posted',
  'exam.published',
  'import.held',
  'import.refused',
  'student.erased',
] as const;

export type LearnerEventKind = (typeof learnerEventKinds)[number];

export const learnerEventNames: Record<LearnerEventKind, string> = {
  'homework.published': '布置作业',
  'report.graded': '批改完成',
  'leave.decided': '请假审批',
  'notice.posted': '发布公告',
  'exam.published': '发布考试',
  'import.held': '夜间导入待确认',
  'import.refused': '夜间导入的文件无法读取',
  'student.erased': '注销学员',
};

/** Events that are sent again at once. */
export const replayLimit = 10_000;

export const webhookMessages = {
  url: serviceAddressFault,
  events: '请选择至少一种通知',
  tokenEnded: '该令牌已停用，不能设置通知',
  none: '该令牌没有设置通知',
} as const;

export const missingToken = '该令牌不存在';

/** Characters. */
export const tokenNameLimit = 50;

export const tokenMessages = {
  noName: '请填写应用名称',
  nameLength: `应用名称不能超过${tokenNameLimit}个字`,
  noSchools: '请选择至少一所学校',
  everySchool: '只有管理全部学校的教务可以授予',
} as const;

export const tokenEndFault = (token: { ended_at: number | null }): string | undefined =>
  token.ended_at === null ? undefined : '该令牌已停用';
