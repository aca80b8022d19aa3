/** Who may use what at all. */
import type { Permission } from '#server/platform/auth/rules.ts';

/** What is said where a permission is missing. */
export const permissionFaults = {
  dispatch: '您没有布置作业的权限',
  correct: '您没有批改权限',
  people: '您没有管理人员的权限',
  teaching: '您没有管理教学的权限',
  exams: '您没有管理考试的权限',
  settings: '您没有修改设置的权限',
  audit: '您没有查看操作记录的权限',
} as const satisfies Record<Permission, string>;

/** Refuses whoever has none of the permissions. */
export function permissionFault(
  needs: Permission | readonly Permission[],
  held: readonly Permission[],
): string | undefined {
  const [first, ...others] = [needs].flat();
  if (first === undefined || held.includes(first) || others.some((one) => held.includes(one))) return undefined;
  return others.length === 0 ? permissionFaults[first] : '您没有所需的权限';
}

export const accessMessages = {
  identity: '当前身份无权访问',
  /** Of somebody who signed in with a password that was given to them. */
  firstPassword: '请先修改初始密码',
  /** Of somebody whose password was right, and of whom a code is asked beside it. */
  code: '请先输入两步验证码',
  /** Of somebody of whom the school asks for such a code, and who cannot give one yet. */
  secondFactor: '学校要求开启两步验证，请先开启',
  /** Of the learners' own application. */
  token: '应用令牌无效',
  student: '学员不存在',
  noStudent: '请完善信息',
  disabledStudent: '该学员已停用，不能登录',
  disabled: '该学员已停用',
  applicationAlone: '请使用应用的服务令牌',
  learnerAlone: '请使用学员令牌',
  noNumber: '请输入学号或手机号',
  noCode: '请输入验证码',
  noTexts: '学校还没有开通短信，不能发送验证码，请联系学校',
  wrongCode: '验证码不正确或已失效，请重新获取',
  address: '网络地址应为IPv4或IPv6地址',
  tooMany: '请求过于频繁，请稍后再试',
  /** While more people sign in or change their password than can be looked at. */
  crowded: '操作人数较多，请稍后再试',
} as const;

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

const serviceAddressFault = '请填写以 http:// 或 https:// 开头的地址，不能有“#”和用户名，最多500个字符';

export const webhookMessages = {
  url: serviceAddressFault,
  events: '请选择至少一种通知',
  tokenEnded: '该令牌已停用，不能设置通知',
  none: '该令牌没有设置通知',
} as const;

/** Characters of a school's name: what the header has room for. */
export const schoolNameLimit = 30;

// ---- what an administrator does with the schools -------------------------------------------------

export const missingSchool = '该学校不存在';

export const schoolMessages = {
  noName: '学校名称不能为空',
  nameLength: `学校名称不能超过${schoolNameLimit}个字`,
  /** Of something new. */
  putAway: '该学校已停用',
} as const;

/** Who looks after some schools neither makes one nor takes one away. */
export const everySchoolFault = (actor: { everySchool: boolean }): string | undefined =>
  actor.everySchool ? undefined : '只有管理全部学校的教务可以添加、停用和删除学校';

export const schoolPutAwayFault = (school: { is_put_away: 0 | 1 }): string | undefined =>
  school.is_put_away === 1 ? '该学校已停用' : undefined;

export const schoolRestoreFault = (school: { is_put_away: 0 | 1 }): string | undefined =>
  school.is_put_away === 1 ? undefined : '该学校未停用';

/** One is always offered. */
export const lastSchoolFault = (others: number): string | undefined =>
  others === 0 ? '至少保留一所在用的学校' : undefined;

export const schoolInUseFault = (records: string): string | undefined =>
  records === '' ? undefined : `该学校还有记录，不能删除：${records}。可以停用`;

export const takenSchoolName = (other: { name: string; is_put_away: 0 | 1 }): string =>
  `已有学校“${other.name}”${other.is_put_away === 1 ? '（已停用，可以恢复）' : ''}`;

/** What a number of things is said to be, without those of which there are none: `12个班级、3门课程`. */
export const saidCounts = (counts: readonly (readonly [count: number, what: string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count}${what}`)
    .join('、');
/** What of signing in and of keeping may be said in numbers. Hours and days. */
export const policyLimits = {
  sign_in_tries: { least: 3, most: 50 },
  sign_in_hours: { least: 1, most: 720 },
  // Records of who was signed in are kept for half a year at least, as the law asks.
  keep_sign_ins: { least: 180, most: 3650 },
  keep_messages: { least: 1, most: 3650 },
  keep_imports: { least: 14, most: 3650 },
  keep_uploads: { least: 1, most: 30 },
  keep_exports: { least: 1, most: 90 },
  // What somebody has begun to write is not taken from them within a month.
  keep_drafts: { least: 30, most: 3650 },
} as const;

/**
 * Validates the address of a service that the product calls. Refused are fragments, which would swallow an appended
 * path, and credentials, which are never sent.
 */
export const isServiceAddress = (text: string): boolean =>
  text.length <= 500 && /^https?:\/\/[^/?#{}@\s]+(?:[/?][^#{}\s]*)?$/i.test(text) && URL.canParse(text);

/** Validates the address of a room that the browser opens; words in braces after the host are placeholders. */
export const isRoomAddress = (text: string): boolean =>
  text.length <= 500 &&
  /^https?:\/\/[^/?#{}@\s]+(?=[/?#]|$)/i.test(text) &&
  URL.canParse(text.replaceAll(/\{\w+\}/g, 'x'));

/** Who signs in with a password: everybody, or the one account that is left for the day on which nothing else works. */
export const passwordRules = ['all', 'one'] as const;
export type PasswordRule = (typeof passwordRules)[number];

/**
 * An address of this product as it is kept: scheme and host alone. Without encryption only on the machine itself: what
 * a provider says of somebody comes by way of it. Undefined where it is none.
 */
export function siteOf(text: string): string | undefined {
  const address = text.trim();
  if (address.length > 200 || !/^https?:\/\/[^/?#\s@]+\/?$/i.test(address) || !URL.canParse(address)) return undefined;
  return isPrivateWay(new URL(address)) ? new URL(address).origin : undefined;
}

/** Nobody on the way reads along: it is encrypted, or does not leave the machine. */
export const isPrivateWay = ({ protocol, hostname }: { protocol: string; hostname: string }): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

export const settingsMessages = {
  everySchool: '这些设置对全部学校有效，只有管理全部学校的教务可以修改',
  schoolNameLength: `不能超过${schoolNameLimit}个字`,
  timezone: '请选择时区',
  secondFactor: '请选择',
  address: serviceAddressFault,
  roomAddress: '请填写以 http:// 或 https:// 开头的地址，域名中不能有用户名，最多500个字符',
  secretLength: '最多200个字符',
  bothOfLive: '请同时填写服务器地址和密钥',
  noAddress: '请填写地址',
  mobile: '请输入11位手机号',
  notAPicture: '请上传 PNG 或 JPG 图片',
} as const;

export const limitFault = (name: keyof typeof policyLimits): string => {
  const { least, most } = policyLimits[name];
  return `请输入${least}到${most}的整数`;
};

// ---- tokens of the school's own applications --------------------------------------------------------

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

// ---- days on which no lessons are, and days that are worked instead -----------------------------------

export const missingHoliday = '该日期不存在';

/** Characters of a name, and days that are added at a time. */
export const holidayNameLimit = 20;
export const holidaysAtOnce = 60;

export const holidayMessages = {
  noName: '请填写名称',
  nameLength: `名称不能超过${holidayNameLimit}个字`,
  noDay: '请选择日期',
  noLastDay: '请选择正确的结束日期',
  order: '结束日期不能早于开始日期',
  tooMany: `一次最多添加${holidaysAtOnce}天`,
  weekday: '请选择按星期几上课',
} as const;

export const takenHoliday = (days: readonly string[]): string => `${days.join('、')}已有记录`;

/** What is told at once of the lines of a text that was pasted: nobody mends more at a time. */
const faultsTold = 8;

export function saidFaults(faults: readonly string[]): string {
  const rest = faults.length - faultsTold;
  return faults.slice(0, faultsTold).join('；') + (rest > 0 ? `；还有${rest}处` : '');
}

/** Seconds within which a decision of the administration can be taken back, by who made it. */
export const decisionUndoLimit = 10 * 60;

/** Of taking one back that nothing is left of: too late, or somebody has gone on with it. */
export const decisionOver = '已超过十分钟，或已有新的操作，不能撤销';
