import type { Identity } from '#server/platform/auth/rules.ts';
import {
  type AttendanceStatus,
  attendanceName,
  inPerson,
  presentAttendance,
  type RollState,
  sessionStatusNames,
  type TeachingMode,
} from '#server/sessions/rules.ts';

/** Status of a group class: 1 not begun, 2 running, 3 ended. */
export const teamStatuses = [1, 2, 3] as const;

/** Change of a student's attendance: 1 leave, 2 cancel leave, 3 cancel attendance, 4 attendance by hand. */
export const attendanceActions = [1, 2, 3, 4] as const;

export type AttendanceAction = (typeof attendanceActions)[number];

export const attendanceActionNames = { 1: '请假', 2: '取消请假', 3: '取消出勤', 4: '手动出勤' } as const;

interface AttendanceRule {
  /** When the rule applies: 1 after the lesson has begun, 2 before. */
  session: 1 | 2;
  /** State that the student must be in, by the clock or by a roll call. */
  from: AttendanceStatus;
  action: AttendanceAction;
  to: AttendanceStatus;
  /** Teaching mode to which the rule is limited. */
  mode?: TeachingMode;
  /** Marking somebody present whom the clock counts as absent needs a reason; marking them in a roll call does not. */
  needsReason?: true;
}

/** All changes of attendance that are allowed in group and one-to-one lessons, for the API and the screens. */
export const attendanceRules: readonly AttendanceRule[] = [
  { session: 1, from: null, action: 4, to: 1 },
  { session: 1, from: 1, action: 3, to: null, mode: 1 },
  { session: 1, from: 3, action: 1, to: 2 },
  { session: 1, from: 3, action: 4, to: 1, needsReason: true, mode: 1 },
  { session: 1, from: 2, action: 2, to: 3, mode: 1 },
  // In an in-person lesson only a roll call tells who attended. Cancelling a leave does not count as a roll call.
  { session: 1, from: null, action: 1, to: 2, mode: 2 },
  { session: 1, from: null, action: 3, to: 3, mode: 2 },
  { session: 1, from: 1, action: 3, to: 3, mode: 2 },
  { session: 1, from: 3, action: 4, to: 1, mode: 2 },
  { session: 1, from: 2, action: 2, to: null, mode: 2 },
  { session: 2, from: null, action: 1, to: 2 },
  { session: 2, from: 2, action: 2, to: null },
];

/** The facts about a lesson that decide which attendance rules apply. */
export type RolledLesson = Pick<RollState, 'status' | 'teaching_mode'>;

/** Lists the rules for a student in state `from`. A running lesson counts as held; a cancelled one has no rules. */
export function allowedAttendance(lesson: RolledLesson, from: AttendanceStatus): readonly AttendanceRule[] {
  const side = lesson.status === 3 ? 1 : lesson.status;
  return attendanceRules.filter(
    (rule) =>
      rule.session === side && rule.from === from && (rule.mode ?? lesson.teaching_mode) === lesson.teaching_mode,
  );
}

/**
 * Finds the rule that leads from one state to another, as a roll shows them. In a live lesson that is over, removing a
 * mark makes the student absent.
 */
export const findRollRule = (
  lesson: RollState,
  from: AttendanceStatus,
  to: AttendanceStatus,
): AttendanceRule | undefined =>
  allowedAttendance(lesson, from).find((rule) => rule.to === to || presentAttendance(lesson, rule.to) === to);

/** Lists the states that a roll call may give a student in state `from`. */
export const rollTargets = (lesson: RollState, from: AttendanceStatus): AttendanceStatus[] => [
  ...new Set(allowedAttendance(lesson, from).map(({ to }) => presentAttendance(lesson, to))),
];

/**
 * Display name of an action. In an in-person lesson, cancelling the attendance of a student without a record marks them
 * absent.
 */
export const attendanceActionName = (
  action: AttendanceAction,
  from: AttendanceStatus,
  { teaching_mode }: Pick<RolledLesson, 'teaching_mode'>,
): string => (action === 3 && from === null && teaching_mode === inPerson ? '标记旷课' : attendanceActionNames[action]);

/**
 * True if the roll call form should preselect “present”: the in-person lesson has begun and the student has no record.
 */
export const isPresetPresent = (lesson: RolledLesson, from: AttendanceStatus): boolean =>
  lesson.teaching_mode === inPerson && from === null && allowedAttendance(lesson, from).some(({ to }) => to === 1);

/** Returns why an action is refused for a student in state `from`; without an action, why all are. */
export function attendanceFault(
  lesson: RolledLesson,
  from: AttendanceStatus,
  action?: AttendanceAction,
): string | undefined {
  const allowed = allowedAttendance(lesson, from);
  if (allowed.some((rule) => action === undefined || rule.action === action)) return undefined;
  return attendanceRefusalMessage(
    lesson,
    from,
    action === undefined ? '修改考勤' : attendanceActionName(action, from, lesson),
  );
}

export const attendanceRefusalMessage = (lesson: RolledLesson, from: AttendanceStatus, deed: string): string =>
  `课次${sessionStatusNames[lesson.status]}，该学员当前为“${attendanceName(from, lesson.teaching_mode)}”，不能${deed}`;

/** Why the user may not call the roll: lecturers can only read attendance. */
export const rollFault = (identity: Identity): string | undefined =>
  identity === 'assist' ? undefined : '仅助教可修改考勤';

/** Maximum characters of the reason for attendance by hand. */
export const attendanceReasonLimit = 100;

export function reasonFault({ needsReason }: Pick<AttendanceRule, 'needsReason'>, reason: string): string | undefined {
  if (needsReason && reason === '') return '请输入出勤原因';
  return [...reason].length > attendanceReasonLimit ? `原因不能超过${attendanceReasonLimit}个字` : undefined;
}

export const rollMessages = {
  action: '请选择考勤操作',
  class: '请选择班级',
  session: '请选择课次',
  student: '请选择学员',
  status: '请选择考勤状态',
} as const;

export const attendanceKey = (session: { arrange_time: number; id: number }) => `${session.arrange_time}_${session.id}`;

// ---- administration -----------------------------------------------------------------------------------

/** Billing: 1 by the lesson, 2 by the term. */
export const signTypes = [1, 2] as const;
export const signTypeNames = { 1: '按课时', 2: '按期' } as const;

/** Maximum characters of the texts of a class: schedule note, remarks, contract number. */
export const scheduleNoteLimit = 100;
export const remarksLimit = 500;
export const contractNumberLimit = 50;

/** Maximum lessons, yuan per lesson and minutes per lesson of a contract. */
export const contractLimits = { lessons: 9999, price: 99_999, minutes: 600 } as const;

export const lessonClassTypes = [3, 1] as const;

export const teamMessages = {
  type: '请选择班级类型',
  subject: '请选择科目',
  room: '请选择本校的教室',
  noStart: '请选择开课日期',
  scheduleLength: `上课时间说明不能超过${scheduleNoteLimit}个字`,
  remarksLength: `备注不能超过${remarksLimit}个字`,
  noNumber: '合同编号不能为空',
  numberLength: `合同编号不能超过${contractNumberLimit}个字`,
  lessons: `剩余课时为0到${contractLimits.lessons}的整数`,
  price: `课时单价为0到${contractLimits.price}元，最多两位小数`,
  minutes: `每课时分钟数为0到${contractLimits.minutes}的整数`,
} as const;

export const missingMember = '该学员不在此班级中';

export const endTeamFault = (theClass: { state: string }): string | undefined =>
  theClass.state === 'ended' ? '该班级已结束' : undefined;
export const reopenTeamFault = (theClass: { state: string }): string | undefined =>
  theClass.state === 'ended' ? undefined : '该班级没有结束';
