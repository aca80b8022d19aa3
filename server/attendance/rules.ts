/**
 * Attendance of one student in one period: its states, which action leads to which state, and how states count. The API
 * refuses and the screens disable by these rules. Attendance of scheduled lessons is in `server/sessions/`.
 */
import { liveCourses, offlineCourse, textCourse } from '#server/classes/rules.ts';

/**
 * State of attendance: -1 no record, 0 attended, 1 leave requested, 2 leave approved, 3 leave rejected, 4 leave
 * cancelled, 5 absent, 6 not applicable.
 */
export const opStatuses = [-1, 0, 1, 2, 3, 4, 5, 6] as const;
export type OpStatus = (typeof opStatuses)[number];

/** True for live and face-to-face courses; others have no attendance. */
export const hasAttendance = (courseType: number): boolean =>
  courseType === offlineCourse || liveCourses.includes(courseType);

/** True for courses that have study length and progress: all but text and face-to-face courses. */
export const hasStudyTime = (courseType: number): boolean => courseType !== offlineCourse && courseType !== textCourse;

export const leaveActions = ['request', 'approve', 'reject', 'cancelLeave', 'attend', 'cancelAttendance'] as const;
export type LeaveAction = (typeof leaveActions)[number];

interface Transition {
  to: OpStatus;
  from: readonly OpStatus[];
  /**
   * States that additionally allow the action: `offline` in face-to-face courses, `begun` once the lesson has started.
   */
  offline: readonly OpStatus[];
  begun: readonly OpStatus[];
}

/** The state machine of attendance: any transition that is not listed is refused. */
export const transitions: Record<LeaveAction, Transition> = {
  request: { to: 1, from: [-1, 3, 4, 5], offline: [0], begun: [] },
  approve: { to: 2, from: [1], offline: [], begun: [] },
  reject: { to: 3, from: [1], offline: [], begun: [] },
  cancelLeave: { to: 4, from: [2], offline: [], begun: [] },
  attend: { to: 0, from: [], offline: [5], begun: [-1, 1, 3, 4] },
  cancelAttendance: { to: 5, from: [], offline: [0], begun: [-1] },
};

/** Facts about a lesson that decide which actions are allowed, together with the student's state. */
export interface MarkedLesson {
  courseType: number;
  begun: boolean;
}

/** Returns the state after an action, undefined if it is not allowed. */
export function stateAfter(
  action: LeaveAction,
  status: OpStatus,
  { courseType, begun }: MarkedLesson,
): OpStatus | undefined {
  const { to, ...states } = transitions[action];
  if (!hasAttendance(courseType)) return undefined;
  if (states.from.includes(status)) return to;
  if (courseType !== offlineCourse) return undefined;
  return states.offline.includes(status) || (begun && states.begun.includes(status)) ? to : undefined;
}

/** Lists the allowed actions, in the order of `leaveActions`. */
export const actionsFor = (status: OpStatus, lesson: MarkedLesson): LeaveAction[] =>
  leaveActions.filter((action) => stateAfter(action, status, lesson) !== undefined);

/** Actions of a roll call: mark as present, mark as absent, leave. */
const rollActions = ['attend', 'cancelAttendance', 'request'] as const satisfies LeaveAction[];

interface RollChoice {
  action: LeaveAction;
  to: OpStatus;
  approve?: boolean;
}

/**
 * Lists the choices that a roll call offers for a student in this state. Leave is either approved at once or only
 * requested.
 */
export const rollChoices = (status: OpStatus, lesson: MarkedLesson): RollChoice[] =>
  rollActions.flatMap((action): RollChoice[] => {
    const to = stateAfter(action, status, lesson);
    if (to === undefined) return [];
    return action === 'request'
      ? [
          { action, to: transitions.approve.to, approve: true },
          { action, to },
        ]
      : [{ action, to }];
  });

/** Facts about a student in a period. */
export interface AttendanceFacts {
  courseType: number;
  /** Recorded state; -1 without a record. */
  recorded: OpStatus;
  watchedLive: boolean;
  begun: boolean;
  ended: boolean;
  /** True if some student of the class is recorded as attended or absent in the period. */
  called: boolean;
}

/** Recorded states that show that the roll was called. */
export const markedStatuses: readonly OpStatus[] = [0, 5];

/** Recorded states that need no roll call: approved leave, and not applicable. */
export const excusedStatuses: readonly OpStatus[] = [2, 6];

/**
 * True if a face-to-face lesson has begun but its roll was not called: attendance is then unknown. Recording one
 * student counts as a roll call.
 */
export const awaitsRollCall = ({ begun, called }: { begun: boolean; called: boolean }): boolean => begun && !called;

const isRollCallMissing = ({ courseType, ...lesson }: Omit<AttendanceFacts, 'recorded' | 'watchedLive'>): boolean =>
  courseType === offlineCourse && awaitsRollCall(lesson);

/**
 * Returns a student's present attendance. In a live lesson the clock decides: a viewer has attended, and after the end
 * any other student without leave is absent. In a face-to-face lesson, a student without a record is absent once
 * another student is recorded as present or absent.
 */
export function currentAttendance({ courseType, recorded, watchedLive, ended, called }: AttendanceFacts): OpStatus {
  if (!hasAttendance(courseType)) return 6;
  if (courseType === offlineCourse) return recorded === -1 && called ? 5 : recorded;
  if (recorded === -1) return watchedLive ? 0 : ended ? 5 : -1;
  return recorded === 5 && watchedLive ? 0 : recorded;
}

/**
 * Category of a student in statistics. All categories but `exempt` count as expected; rates leave out `waiting` and
 * `uncalled`.
 */
export const attendanceCategories = ['attended', 'leave', 'truant', 'uncalled', 'waiting', 'exempt'] as const;
export type AttendanceCategory = (typeof attendanceCategories)[number];

export const categoryNames: Record<AttendanceCategory, string> = {
  attended: '出勤',
  leave: '请假',
  truant: '旷课',
  uncalled: '未点名',
  waiting: '未结束',
  exempt: '不计',
};

/**
 * Returns what the attendance of a period counts as: attended, leave, truant and so on. `presentAttendance` in
 * sessions/rules.ts decides for scheduled lessons. Truant: absent without approved leave, or only the playback watched.
 * A leave request that is rejected, cancelled or undecided is no excuse, but does not undo attendance either. In a
 * face-to-face lesson nobody is truant before the roll call.
 */
export function attendanceCategory(facts: AttendanceFacts): AttendanceCategory {
  const status = currentAttendance(facts);
  if (status === 6) return 'exempt';
  if (status === 0) return 'attended';
  if (status === 2) return 'leave';
  if (status === 5) return 'truant';
  if (facts.courseType === offlineCourse) {
    if (isRollCallMissing(facts)) return 'uncalled';
    return facts.begun ? 'truant' : 'waiting';
  }
  if (facts.watchedLive) return 'attended';
  return facts.ended ? 'truant' : 'waiting';
}

/**
 * Status of a lesson: 1 not started, 2 in progress, 3 ended. `start_play` and `now` in unix seconds, `total_time` in
 * seconds.
 */
export function lessonStatus(lesson: { start_play: number; total_time: number }, now: number): 1 | 2 | 3 {
  if (now < lesson.start_play) return 1;
  return now < lesson.start_play + lesson.total_time ? 2 : 3;
}

/** Seconds after a lesson's end in which applications may still report that it was watched live. */
export const liveGrace = 10 * 60;

/**
 * Limits the reported seconds of watching live to the time since the room opened. Returns 0 before the room opens, and
 * later than `liveGrace` after the end. Times in unix seconds.
 */
export function countLiveSeconds(
  reported: number,
  { opens, end }: { opens: number; end: number },
  now: number,
): number {
  if (now < opens || now > end + liveGrace) return 0;
  return Math.min(reported, now - opens);
}

/** Displayed names of states, also used in refusals. */
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

/** Displayed name of a state. In a face-to-face lesson, a missing record means that the roll was not called. */
export const statusName = (status: OpStatus, courseType: number): string =>
  status === -1 && courseType === offlineCourse ? '未点名' : opStatusNames[status];

export const leaveActionNames: Record<LeaveAction, string> = {
  request: '请假',
  approve: '同意请假',
  reject: '拒绝请假',
  cancelLeave: '取消请假',
  attend: '确认出勤',
  cancelAttendance: '取消出勤',
};

/** Displayed name of an action. If there is no record, cancelling attendance records the student as absent. */
export const actionName = (action: LeaveAction, status: OpStatus): string =>
  action === 'cancelAttendance' && status === -1 ? '标记旷课' : leaveActionNames[action];

/** Time in which a decision can be undone: in minutes, and in words. */
const undoTime = { minutes: 10, said: '十分钟' } as const;
export const undoLimit = undoTime.minutes * 60;

/** Maximum students in one roll call. */
export const rollLimit = 500;

/** Maximum characters of a cause of leave. */
export const leaveCauseLimit = 100;

/** Maximum leave requests that are decided at once. */
export const leaveBatchLimit = 500;

export const joinTypeNames: Record<number, string> = { 1: '报名入班', 2: '老师添加', 3: '调班转入' };

export const attendanceMessages = {
  student: '请选择学员',
  class: '请选择班级',
  course: '请选择课程',
  period: '请选择课时',
  causeLength: `请假原因不能超过${leaveCauseLimit}个字`,
  decision: '请选择同意或拒绝',
  requested: '已提交请假申请，等待审批',
  /** The next messages are shown to students. */
  notMember: '您不在该班级',
  notExpected: '您当时不在该班级，不能请假',
  mark: '请选择出勤或取消出勤',
  status: '请选择考勤状态',
} as const;

export const missingRoll = '点名记录不存在';
export const missingLeave = '请假记录不存在';
export const missingDecision = '审批记录不存在';
export const missingMember = '该学员不在班级';

// ---- refusals -----------------------------------------------------------------------------------------

/** Why an action on a student's attendance is refused. `name` must be given if the screen shows several students. */
export function attendanceActionFault(
  action: LeaveAction,
  status: OpStatus,
  { name = '该学员', ...lesson }: MarkedLesson & { name?: string },
): string | undefined {
  if (stateAfter(action, status, lesson) !== undefined) return undefined;
  if (stateAfter(action, status, { ...lesson, begun: true }) !== undefined)
    return `课时尚未开始，不能${actionName(action, status)}`;
  return `${name}当前状态为“${statusName(status, lesson.courseType)}”，不能${actionName(action, status)}`;
}

/** Why a student cannot request leave, in words for the student. */
export function askForLeaveFault(status: OpStatus, lesson: MarkedLesson): string | undefined {
  if (stateAfter('request', status, lesson) !== undefined) return undefined;
  if (!hasAttendance(lesson.courseType) || status === 6) return '该课时不计考勤，不用请假';
  if (status === 1) return '已提交过请假申请，正在等待审批';
  return status === 2 ? '请假已同意，不用再次请假' : '该课时已记为出勤，不能请假';
}

/** Why no attendance can be recorded for a student who was not in the class at the time. */
export const notExpectedFault = ({ expected }: { expected: number }): string | undefined =>
  expected === 0 ? '该学员当时不在班级，不能记录考勤' : undefined;

/** Why a student cannot withdraw a leave request. Times in unix seconds. */
export function withdrawLeaveFault(
  { status, start_play }: { status: OpStatus; start_play: number },
  now: number,
): string | undefined {
  if (status !== 1 && status !== 2) return `当前状态为“${opStatusNames[status]}”，不能撤回请假`;
  return start_play <= now ? '课时已开始，不能撤回请假' : undefined;
}

/** Why this number of leave requests cannot be decided at once. */
export function batchFault(requests: number): string | undefined {
  if (requests === 0) return '请选择请假记录';
  return requests > leaveBatchLimit ? `一次最多审批${leaveBatchLimit}条请假` : undefined;
}

interface RequestState {
  name: string;
  op_status: OpStatus;
}

/** Why a leave request cannot be approved or rejected: only pending requests can. `courseType` is missing in lists. */
export function decideFault({
  name,
  op_status,
  courseType,
}: RequestState & { courseType?: number }): string | undefined {
  const waits = transitions.approve.from.includes(op_status) && (courseType === undefined || hasAttendance(courseType));
  return waits ? undefined : `${name}的请假当前状态为“${opStatusNames[op_status]}”，不能再审批`;
}

/** Why a decision on leave cannot be undone. Times in unix seconds. */
export function undoFault(batch: { at: number; undone_at: number | null }, now: number): string | undefined {
  if (batch.undone_at !== null) return '已撤销，不能重复撤销';
  return now > batch.at + undoLimit ? `审批已超过${undoTime.said}，不能撤销` : undefined;
}

/**
 * Why a decision on leave cannot be undone: a request has changed since. Its version then differs from `decided`, the
 * version after the decision.
 */
export const changedSinceFault = (
  { name, op_status, version }: RequestState & { version: number },
  decided: number | undefined,
): string | undefined =>
  version === decided ? undefined : `${name}的请假当前状态为“${opStatusNames[op_status]}”，已有新的操作，不能撤销`;

// ---- refusals of roll calls, of a period or a scheduled lesson ---------------------------------------------

/** Why a period has no roll call: in live courses attendance comes from viewing records. */
export const rollFault = ({ course_type }: { course_type: number }): string | undefined =>
  course_type === offlineCourse ? undefined : '只有线下课需要点名，直播课按观看记录计出勤';

/** True if a roll call presets the student as present: there is no record, and the lesson has begun. */
export const isPresetPresent = (status: OpStatus, lesson: MarkedLesson): boolean =>
  status === -1 && stateAfter('attend', status, lesson) !== undefined;

/** Why a roll call cannot have this number of students. */
export function rollSizeFault(marks: number): string | undefined {
  if (marks === 0) return '没有修改任何学员的考勤';
  return marks > rollLimit ? `一次最多修改${rollLimit}名学员的考勤` : undefined;
}

/** Refuses a state that a roll call cannot set for a student, because the current state does not allow it. */
export const rollMarkMessage = (name: string, from: OpStatus, to: OpStatus): string =>
  `${name}当前状态为“${statusName(from, offlineCourse)}”，不能改为“${opStatusNames[to]}”`;

/** Refuses a roll call and names the students for whom others have recorded a state since the roll was shown. */
export function rollChangedFault(changed: readonly { name: string; status: string }[]): string | undefined {
  if (changed.length === 0) return undefined;
  const named = changed.slice(0, 5).map(({ name, status }) => `${name}现为“${status}”`);
  const more = changed.length > 5 ? `等${changed.length}人` : '';
  return `有人同时修改了考勤，本次未保存：${named.join('、')}${more}，请核对后再保存`;
}

/** Why a roll call cannot be undone. Times in unix seconds. */
export function undoRollFault(roll: { at: number; undone_at: number | null }, now: number): string | undefined {
  if (roll.undone_at !== null) return '已撤销，不能重复撤销';
  return now > roll.at + undoLimit ? `点名已超过${undoTime.said}，不能撤销` : undefined;
}

/** Refuses to undo a roll call because a student's attendance was changed again since. */
export const rollChangedMessage = (name = '该学员'): string => `${name}的考勤已有新的操作，不能撤销`;
