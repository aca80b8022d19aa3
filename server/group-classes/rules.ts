/** Group classes, and what may be done with the attendance of their students. */
import type { Identity } from '#server/platform/auth/rules.ts';
import {
  type AttendanceStatus,
  attendanceName,
  type SessionStatus,
  sessionStatusNames,
} from '#server/sessions/rules.ts';

/** 1 has not begun, 2 is being taught, 3 has ended. */
export const teamStatuses = [1, 2, 3] as const;

/** 1 live, 2 in person. */
export const teachingModes = [1, 2] as const;

/** 1 leave, 2 cancel leave, 3 cancel attendance, 4 attendance by hand. */
export const attendanceActions = [1, 2, 3, 4] as const;

export type AttendanceAction = (typeof attendanceActions)[number];

export const attendanceActionNames = { 1: '请假', 2: '取消请假', 3: '取消出勤', 4: '手动出勤' } as const;

interface AttendanceRule {
  /** 1 from its start on, 2 before it. */
  session: 1 | 2;
  /** As it stands by the clock: null does not outlast a session's end. */
  from: AttendanceStatus;
  action: AttendanceAction;
  to: AttendanceStatus;
  /** Who contradicts the clock says why; who calls the roll need not. */
  needsReason?: true;
}

/** All that is allowed in a group or one-to-one lesson: the API refuses what is not in it, the screens offer what is. */
export const attendanceRules: readonly AttendanceRule[] = [
  { session: 1, from: null, action: 4, to: 1 },
  { session: 1, from: 1, action: 3, to: null },
  { session: 1, from: 3, action: 1, to: 2 },
  { session: 1, from: 3, action: 4, to: 1, needsReason: true },
  { session: 1, from: 2, action: 2, to: 3 },
  { session: 2, from: null, action: 1, to: 2 },
  { session: 2, from: 2, action: 2, to: null },
];

/** What may be done with a student who stands so; a session that goes on counts as held, a cancelled one offers nothing. */
export function allowedAttendance(session: SessionStatus, from: AttendanceStatus): readonly AttendanceRule[] {
  const side = session === 3 ? 1 : session;
  return attendanceRules.filter((rule) => rule.session === side && rule.from === from);
}

/** Why nothing, or not this, may be done with a student who stands so. */
export function attendanceFault(
  session: SessionStatus,
  from: AttendanceStatus,
  action?: AttendanceAction,
): string | undefined {
  const allowed = allowedAttendance(session, from);
  if (allowed.some((rule) => action === undefined || rule.action === action)) return undefined;
  return attendanceRefused(session, from, action === undefined ? '修改考勤' : attendanceActionNames[action]);
}

export const attendanceRefused = (session: SessionStatus, from: AttendanceStatus, deed: string): string =>
  `课次${sessionStatusNames[session]}，该学员当前为“${attendanceName(from)}”，不能${deed}`;

/** Lecturers read it. */
export const rollFault = (identity: Identity): string | undefined =>
  identity === 'assist' ? undefined : '仅助教可修改考勤';

/** Characters of the reason for attendance by hand. */
export const attendanceReasonLimit = 100;

/** Of the reason that is given for an action. */
export function reasonFault({ needsReason }: Pick<AttendanceRule, 'needsReason'>, reason: string): string | undefined {
  if (needsReason && reason === '') return '请输入出勤原因';
  return [...reason].length > attendanceReasonLimit ? `原因不能超过${attendanceReasonLimit}个字` : undefined;
}

export const rollMessages = {
  action: '请选择考勤操作',
  student: '请选择学员',
  status: '请选择考勤状态',
} as const;

export const attendanceKey = (session: { arrange_time: number; id: number }) => `${session.arrange_time}_${session.id}`;

// ---- what an administrator makes of group classes and one-to-one ------------------------------------

/** By what a class, or a student of it, is paid for: 1 by the lesson, 2 by the term. */
export const signTypes = [1, 2] as const;
export const signTypeNames = { 1: '按课时', 2: '按期' } as const;

/** Characters. */
export const scheduleLimit = 100;
export const remarksLimit = 500;
export const contractNumberLimit = 50;

/** Lessons, yuan of one lesson, and minutes of one, of a contract. */
export const contractLimits = { lessons: 9999, price: 99_999, minutes: 600 } as const;

export const lessonClassTypes = [3, 1] as const;

export const teamMessages = {
  type: '请选择班级类型',
  subject: '请选择科目',
  room: '请选择本校的教室',
  noStart: '请选择开课日期',
  scheduleLength: `上课时间说明不能超过${scheduleLimit}个字`,
  remarksLength: `备注不能超过${remarksLimit}个字`,
  noNumber: '合同编号不能为空',
  numberLength: `合同编号不能超过${contractNumberLimit}个字`,
  lessons: `剩余课时为0到${contractLimits.lessons}的整数`,
  price: `课时单价为0到${contractLimits.price}元，最多两位小数`,
  minutes: `每课时分钟数为0到${contractLimits.minutes}的整数`,
} as const;

export const missingMember = '该学员不在此班级中';

export const endTeamFault = (klass: { state: string }): string | undefined =>
  klass.state === 'ended' ? '该班级已结束' : undefined;
export const reopenTeamFault = (klass: { state: string }): string | undefined =>
  klass.state === 'ended' ? undefined : '该班级没有结束';
