/** Limits, events and messages of the learner API. */
import { serviceAddressFault } from '#server/school/rules.ts';

/** Sign-in codes: `valid` and `every` (between two codes) in seconds, `tries` per code, `eachDay` codes per learner. */
export const learnerCodes = { digits: 6, valid: 10 * 60, every: 60, tries: 5, eachDay: 10 } as const;

/**
 * Rate limit per address for codes requested or tried without success; window in seconds. Each learner has stricter
 * limits (`learnerCodes`). This one stops a flood; a campus whose learners all sign in from one address before an exam
 * stays below it.
 */
export const codesOfAddress = { max: 2000, window: 10 * 60 } as const;

/** Message of the rate limit. */
export function codeWait(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `当前网络获取或输错验证码的次数过多，请${time}后再试`;
}

/** Seconds without use until a learner's sign-in expires. */
export const learnerIdle = 12 * 60 * 60;

/**
 * Rate limits of a token: burst, and calls per second. For an application with all its learners, and for one learner.
 */
export const callsOfApplication = { atOnce: 3000, perSecond: 1000 } as const;

export const callsOfLearner = { atOnce: 120, perSecond: 10 } as const;

/** Events that a webhook can subscribe to. */
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

/** Maximum events resent at once. */
export const replayLimit = 10_000;

export const webhookMessages = {
  url: serviceAddressFault,
  events: '请选择至少一种通知',
  tokenEnded: '该令牌已停用，不能设置通知',
  none: '该令牌没有设置通知',
} as const;

export const missingToken = '该令牌不存在';

/** Maximum characters. */
export const tokenNameLimit = 50;

export const tokenMessages = {
  noName: '请填写应用名称',
  nameLength: `应用名称不能超过${tokenNameLimit}个字`,
  noSchools: '请选择至少一所学校',
  everySchool: '只有管理全部学校的教务可以授予',
} as const;

export const tokenEndFault = (token: { ended_at: number | null }): string | undefined =>
  token.ended_at === null ? undefined : '该令牌已停用';
