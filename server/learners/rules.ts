/** Limits, events and messages of the learner API. */
import { serviceAddressMessage } from '#server/school/rules.ts';

/**
 * Limits of sign-in codes. `valid`: lifetime, `every`: time between two codes, both in seconds. `tries`: per code.
 * `eachDay`: codes per learner.
 */
export const learnerCodes = { digits: 6, valid: 10 * 60, every: 60, tries: 5, eachDay: 10 } as const;

/**
 * Rate limit per address for codes that are requested or tried without success; window in seconds. Each learner has
 * stricter limits (`learnerCodes`). This limit only stops floods: a school whose learners all sign in from one address
 * before an exam stays below it.
 */
export const codesOfAddress = { max: 2000, window: 10 * 60 } as const;

/** Message of the rate limit for codes. */
export function codeWaitMessage(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `当前网络获取或输错验证码的次数过多，请${time}后再试`;
}

/** Normalises a typed number: without full-width digits and white space. */
export const plainNumber = (typed: string): string => typed.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');

/** Folds the capitals A to Z. Student numbers are compared like this; both databases can do it, whatever their locale. */
export const foldLatin = (number: string): string => number.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Normalises a typed mobile number to its stored form: without hyphens and the country code of China. */
export const plainMobile = (typed: string): string =>
  plainNumber(typed)
    .replaceAll('-', '')
    .replace(/^\+?86(?=1\d{10}$)/, '');

/**
 * Limits of wrong passwords within `window` seconds. One number from one address has the limit of the school
 * (`sign_in_tries`), and `addresses` times as many from everywhere. `ofDevice` is for all learners of one device, such
 * as a computer of the school. `ofAddress` only stops floods: a school behind one address stays below it.
 */
export const wrongPasswordLimits = { window: 10 * 60, addresses: 10, ofDevice: 50, ofAddress: 2000 } as const;

/** Maximum students who can sign in with one number. A sign-in compares the password of each. */
export const sharersLimit = 20;

/** Characters of a first password; short, because the learner types it on a phone. */
export const learnerPasswordLength = 8;

/** Maximum first passwords per request; hashing one takes some hundredths of a second of CPU. */
export const learnerPasswordsLimit = 100;

export const passwordStates = ['none', 'first', 'own'] as const;
export type PasswordState = (typeof passwordStates)[number];
export const passwordStateNames: Record<PasswordState, string> = {
  none: '没有',
  first: '初始密码',
  own: '本人设置',
};

export const passwordMessages = {
  noPassword: '请输入密码',
  /** Does not tell whether the number or the password is wrong. */
  wrong: '学号、手机号或密码不正确',
  several: '有几名学员的号码和密码都相同，请换用学号登录，或请学校重新生成初始密码',
  device: '设备标识为20到100个字母、数字、“-”或“_”',
  nobodyChosen: '请选择学员',
  tooManyChosen: `一次最多生成${learnerPasswordsLimit}人的初始密码`,
} as const;

/** Message of the rate limit for passwords. */
export function passwordWaitMessage(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `密码错误次数过多，请${time}后再试，或请学校重新生成初始密码`;
}

/** Number that a learner types to sign in; '' if the learner has no student number and no mobile number. */
export const signInNumber = ({ number, mobile }: { number: string; mobile: string }): string => number || mobile;

/** Why a student can get no first password. `sharers`: how many students have the number to sign in with. */
export function learnerPasswordFault(student: {
  number: string;
  mobile: string;
  is_disabled: 0 | 1;
  sharers: number;
}): string | undefined {
  if (student.is_disabled === 1) return '该学员已停用';
  if (signInNumber(student) === '') return '没有学号和手机号，不能登录';
  if (student.sharers <= sharersLimit) return undefined;
  return `有${student.sharers}名学员的${student.number ? '学号' : '手机号'}相同，超过${sharersLimit}名时不能登录，请先改为不同的学号`;
}

/** Maximum names in a message; then it goes on with `等5人`. */
const maxNamed = 3;
const namesOf = (names: readonly string[]): string =>
  names.slice(0, maxNamed).join('、') + (names.length > maxNamed ? `等${names.length}人` : '');

/** Sentence to confirm: which earlier passwords end when new ones are given; undefined if none ends. */
export function endedPasswordsSentence(
  students: readonly { nickname: string; state: PasswordState }[],
): string | undefined {
  const of = (state: PasswordState) => students.filter((one) => one.state === state).map(({ nickname }) => nickname);
  const [first, own] = [of('first'), of('own')];
  const ends = [
    first.length > 0 && `${namesOf(first)}此前的初始密码将作废`,
    own.length > 0 && `${namesOf(own)}自己设置的密码将作废`,
  ].filter((one) => one !== false);
  return ends.length > 0 ? `${ends.join('；')}；已登录的须用新密码重新登录` : undefined;
}

/** Seconds without use until a learner's sign-in expires. */
export const learnerIdle = 12 * 60 * 60;

/**
 * Rate limits of calls: a burst (`atOnce`), then calls per second. One limit is for an application with all its
 * learners, one for a single learner.
 */
export const applicationRateLimit = { atOnce: 3000, perSecond: 1000 } as const;

export const learnerRateLimit = { atOnce: 120, perSecond: 10 } as const;

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

/** Maximum events that are sent again at once. */
export const replayLimit = 10_000;

export const webhookMessages = {
  url: serviceAddressMessage,
  events: '请选择至少一种通知',
  tokenEnded: '该令牌已停用，不能设置通知',
  none: '该令牌没有设置通知',
} as const;

export const missingToken = '该令牌不存在';

/** Maximum characters of an application's name. */
export const tokenNameLimit = 50;

export const tokenMessages = {
  noName: '请填写应用名称',
  nameLength: `应用名称不能超过${tokenNameLimit}个字`,
  noSchools: '请选择至少一所学校',
  everySchool: '只有管理全部学校的教务可以授予',
} as const;

export const tokenEndFault = (token: { ended_at: number | null }): string | undefined =>
  token.ended_at === null ? undefined : '该令牌已停用';
