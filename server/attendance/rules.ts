/**
 * Attendance of one student in one period: its states, what leads from one to another, and how it counts. The API
 * refuses by it, the screens offer by it.
 */
import { liveCourses, offlineCourse, textCourse } from '#server/classes/rules.ts';

/**
 * -1 none recorded, 0 attended, 1 leave requested, 2 leave approved, 3 rejected, 4 leave cancelled, 5 absent,
 * 6 not applicable.
 */
export const opStatuses = [-1, 0, 1, 2, 3, 4, 5, 6] as const;
export type OpStatus = (typeof opStatuses)[number];

/** Attendance is taken of live and of face-to-face courses only. */
export const hasAttendance = (courseType: number): boolean =>
  courseType === offlineCourse || liveCourses.includes(courseType);

/** Study length and progress are of every course but text and face-to-face ones. */
export const hasStudyTime = (courseType: number): boolean => courseType !== offlineCourse && courseType !== textCourse;

export const leaveActions = ['request', 'approve', 'reject', 'cancelLeave', 'attend', 'cancelAttendance'] as const;
export type LeaveAction = (typeof leaveActions)[number];

interface Transition {
  to: OpStatus;
  from: readonly OpStatus[];
  /** Further states from which it is allowed in face-to-face courses only. */
  fromOffline: readonly OpStatus[];
}

/** The whole state machine. Anything else is refused. */
export const transitions: Record<LeaveAction, Transition> = {
  request: { to: 1, from: [-1, 3, 4, 5], fromOffline: [0] },
  approve: { to: 2, from: [1], fromOffline: [] },
  reject: { to: 3, from: [1], fromOffline: [] },
  cancelLeave: { to: 4, from: [2], fromOffline: [] },
  attend: { to: 0, from: [], fromOffline: [5] },
  cancelAttendance: { to: 5, from: [], fromOffline: [0] },
};

/** The state that an action leads to, or undefined where it is not allowed. */
export function stateAfter(action: LeaveAction, status: OpStatus, courseType: number): OpStatus | undefined {
  const { to, from, fromOffline } = transitions[action];
  if (!hasAttendance(courseType)) return undefined;
  return from.includes(status) || (courseType === offlineCourse && fromOffline.includes(status)) ? to : undefined;
}

/** What may be done with a student in this state, in the order of the table. */
export const actionsFor = (status: OpStatus, courseType: number): LeaveAction[] =>
  leaveActions.filter((action) => stateAfter(action, status, courseType) !== undefined);

/** What a roll call marks: who was there, who was not, and who has asked for leave meanwhile. */
const rollActions = ['attend', 'cancelAttendance', 'request'] as const satisfies LeaveAction[];

/** What a roll call may make of a student in this state. */
export const rollChoices = (status: OpStatus, courseType: number) =>
  rollActions.flatMap((action) => {
    const to = stateAfter(action, status, courseType);
    return to === undefined ? [] : [{ action, to }];
  });

/** What is known of a student in a period. */
export interface AttendanceFacts {
  courseType: number;
  /** As it was recorded; -1 where nothing was. */
  recorded: OpStatus;
  watchedLive: boolean;
  /** The period is over. */
  ended: boolean;
}

/**
 * The present state. Nobody has to mark anyone: who watched live has attended, and when the period is over, who did not
 * and has no leave is absent.
 */
export function presentStatus({ courseType, recorded, watchedLive, ended }: AttendanceFacts): OpStatus {
  if (!hasAttendance(courseType)) return 6;
  const attended = watchedLive && courseType !== offlineCourse;
  if (recorded === -1) return attended ? 0 : ended ? 5 : -1;
  return recorded === 5 && attended ? 0 : recorded;
}

/** How a student counts: expected are all but the exempt. */
export type AttendanceCategory = 'attended' | 'leave' | 'truant' | 'waiting' | 'exempt';

/**
 * The truancy rule: truant is who was absent without a handled leave request, also who watched only the playback. A
 * request that was rejected, cancelled or not decided does not excuse, and does not undo having been there.
 */
export function attendanceCategory(facts: AttendanceFacts): AttendanceCategory {
  const status = presentStatus(facts);
  if (status === 6) return 'exempt';
  if (status === 0) return 'attended';
  if (status === 2) return 'leave';
  if (status === 5) return 'truant';
  if (facts.watchedLive && facts.courseType !== offlineCourse) return 'attended';
  return facts.ended ? 'truant' : 'waiting';
}

/** 1 not started, 2 going on, 3 over. Unix seconds and seconds. */
export function lessonStatus(lesson: { start_play: number; total_time: number }, now: number): 1 | 2 | 3 {
  if (now < lesson.start_play) return 1;
  return now < lesson.start_play + lesson.total_time ? 2 : 3;
}

/** Of a student in a period, on screens and in refusals. */
export const opStatusNames: Record<OpStatus, string> = {
  [-1]: '未记录',
  0: '出勤',
  1: '请假待审批',
  2: '已请假',
  3: '请假被拒绝',
  4: '已取消请假',
  5: '旷课',
  6: '不计考勤',
};

export const leaveActionNames: Record<LeaveAction, string> = {
  request: '请假',
  approve: '同意请假',
  reject: '拒绝请假',
  cancelLeave: '取消请假',
  attend: '确认出勤',
  cancelAttendance: '取消出勤',
};

/** For how many minutes a decision on leave can be taken back, as it is said, and in seconds. */
const undoTime = { minutes: 10, said: '十分钟' } as const;
export const undoLimit = undoTime.minutes * 60;

/** Students that are marked at once. */
export const rollLimit = 500;

/** Characters of a leave's cause. */
export const leaveCauseLimit = 100;

/** Leave requests that are decided at once. */
export const leaveBatchLimit = 500;

export const joinTypeNames: Record<number, string> = { 1: '报名入班', 2: '老师添加', 3: '调班转入' };

export const attendanceMessages = {
  student: '请选择学员',
  class: '请选择班级',
  course: '请选择课程',
  period: '请选择课时',
  causeLength: `请假原因不能超过${leaveCauseLimit}个字`,
  decision: '请选择同意或拒绝',
  mark: '请选择出勤或取消出勤',
  status: '请选择考勤状态',
} as const;

export const missingRoll = '点名记录不存在';
export const missingLeave = '请假记录不存在';
export const missingDecision = '审批记录不存在';
export const missingMember = '该学员不在班级';

// ---- why not ------------------------------------------------------------------------------------------

/** Of an action on one student in a period. Where several are in sight, `name` says who is meant. */
export function markFault(
  action: LeaveAction,
  status: OpStatus,
  { courseType, name = '该学员' }: { courseType: number; name?: string },
): string | undefined {
  if (stateAfter(action, status, courseType) !== undefined) return undefined;
  return `${name}当前状态为“${opStatusNames[status]}”，不能${leaveActionNames[action]}`;
}

/** Nothing is recorded of who was not in the class when the period was. */
export const notExpectedFault = ({ expected }: { expected: number }): string | undefined =>
  expected === 0 ? '该学员当时不在班级，不能记录考勤' : undefined;

/** Why a student cannot take their request back (any more). Unix seconds. */
export function withdrawLeaveFault(
  { status, start_play }: { status: OpStatus; start_play: number },
  now: number,
): string | undefined {
  if (status !== 1 && status !== 2) return `当前状态为“${opStatusNames[status]}”，不能撤回请假`;
  return start_play <= now ? '课时已开始，不能撤回请假' : undefined;
}

/** Of a decision on many requests. */
export function batchFault(requests: number): string | undefined {
  if (requests === 0) return '请选择请假记录';
  return requests > leaveBatchLimit ? `一次最多审批${leaveBatchLimit}条请假` : undefined;
}

interface RequestState {
  name: string;
  op_status: OpStatus;
}

/** Of approving or rejecting a request: only one that waits. Lists do not say the type of the course. */
export function decideFault({
  name,
  op_status,
  courseType,
}: RequestState & { courseType?: number }): string | undefined {
  const waits = transitions.approve.from.includes(op_status) && (courseType === undefined || hasAttendance(courseType));
  return waits ? undefined : `${name}的请假当前状态为“${opStatusNames[op_status]}”，不能再审批`;
}

/** Of taking a decision back. Times in unix seconds. */
export function undoFault(batch: { at: number; undone_at: number | null }, now: number): string | undefined {
  if (batch.undone_at !== null) return '已撤销，不能重复撤销';
  return now > batch.at + undoLimit ? `审批已超过${undoTime.said}，不能撤销` : undefined;
}

/** Of taking it back for a request that was touched since: its version is not the one that the decision left. */
export const touchedFault = (
  { name, op_status, version }: RequestState & { version: number },
  decided: number | undefined,
): string | undefined =>
  version === decided ? undefined : `${name}的请假当前状态为“${opStatusNames[op_status]}”，已有新的操作，不能撤销`;

// ---- why not: a roll call, of a period or a scheduled lesson -----------------------------------------------

/** The roll of a period is called where somebody has to be marked at all. */
export const rollFault = ({ course_type }: { course_type: number }): string | undefined =>
  course_type === offlineCourse ? undefined : '只有线下课需要点名，直播课按观看记录计出勤';

/** Of how many students are marked. */
export function rollSizeFault(marks: number): string | undefined {
  if (marks === 0) return '没有修改任何学员的考勤';
  return marks > rollLimit ? `一次最多修改${rollLimit}名学员的考勤` : undefined;
}

/** Of a student of whom the rules allow something else, as they stand. */
export const rollMarkFault = (name: string, from: OpStatus, to: OpStatus): string =>
  `${name}当前状态为“${opStatusNames[from]}”，不能改为“${opStatusNames[to]}”`;

/** Students whom others have marked since the roll was shown, with how they stand now. */
export function rollChangedFault(changed: readonly { name: string; status: string }[]): string | undefined {
  if (changed.length === 0) return undefined;
  const named = changed.slice(0, 5).map(({ name, status }) => `${name}现为“${status}”`);
  const more = changed.length > 5 ? `等${changed.length}人` : '';
  return `有人同时修改了考勤，本次未保存：${named.join('、')}${more}，请核对后再保存`;
}

/** Of taking a roll call back. Times in unix seconds. */
export function undoRollFault(roll: { at: number; undone_at: number | null }, now: number): string | undefined {
  if (roll.undone_at !== null) return '已撤销，不能重复撤销';
  return now > roll.at + undoLimit ? `点名已超过${undoTime.said}，不能撤销` : undefined;
}

/** Of taking it back for a student whom somebody has marked since. */
export const rollTouchedFault = (name = '该学员'): string => `${name}的考勤已有新的操作，不能撤销`;
