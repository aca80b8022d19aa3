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

export const accessMessages = {
  identity: '当前身份无权访问',
  /** Of somebody who signed in with a password that was given to them. */
  firstPassword: '请先修改初始密码',
  /** Of the learners' own application. */
  token: '应用令牌无效',
  /** While more people sign in or change their password than can be looked at. */
  crowded: '操作人数较多，请稍后再试',
} as const;

/** Characters of a school's name: what the header has room for. */
export const schoolNameLimit = 30;
