/** Permission checks and messages shared by subjects. */
import type { Permission } from '#server/platform/auth/rules.ts';

/** Messages for a missing permission. */
export const permissionFaults = {
  dispatch: '您没有布置作业的权限',
  correct: '您没有批改权限',
  people: '您没有管理人员的权限',
  teaching: '您没有管理教学的权限',
  exams: '您没有管理考试的权限',
  settings: '您没有修改设置的权限',
  audit: '您没有查看操作记录的权限',
} as const satisfies Record<Permission, string>;

/** Returns the message if the user has none of the permissions. */
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
  /** Signed in with a temporary password. */
  firstPassword: '请先修改初始密码',
  /** Password accepted, code of the second factor missing. */
  code: '请先输入两步验证码',
  /** The school requires a second factor that the user has not set up. */
  secondFactor: '学校要求开启两步验证，请先开启',
  /** For applications (learner API). */
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
  /** The queue for password hashing is full. */
  crowded: '操作人数较多，请稍后再试',
} as const;

export const serviceAddressFault = '请填写以 http:// 或 https:// 开头的地址，不能有“#”和用户名，最多500个字符';

/** Words counts and skips zeros: `12个班级、3门课程`. */
export const countsText = (counts: readonly (readonly [count: number, what: string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count}${what}`)
    .join('、');

/** Maximum errors shown for pasted text. */
const faultsTold = 8;

export function faultsText(faults: readonly string[]): string {
  const rest = faults.length - faultsTold;
  return faults.slice(0, faultsTold).join('；') + (rest > 0 ? `；还有${rest}处` : '');
}

/** Seconds within which an administrator can undo their own decision. */
export const decisionUndoLimit = 10 * 60;

/** Undo refused: too late, or somebody has worked on it. */
export const decisionUndoOver = '已超过十分钟，或已有新的操作，不能撤销';
