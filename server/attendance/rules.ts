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
  /** Further states from which it is allowed in face-to-face courses, and those from the lesson's start on. */
  offline: readonly OpStatus[];
  begun: readonly OpStatus[];
}

/** The whole state machine. Anything else is refused. */
export const transitions: Record<LeaveAction, Transition> = {
  request: { to: 1, from: [-1, 3, 4, 5], offline: [0], begun: [] },
  approve: { to: 2, from: [1], offline: [], begun: [] },
  reject: { to: 3, from: [1], offline: [], begun: [] },
  cancelLeave: { to: 4, from: [2], offline: [], begun: [] },
  attend: { to: 0, from: [], offline: [5], begun: [-1, 1, 3, 4] },
  cancelAttendance: { to: 5, from: [], offline: [0], begun: [-1] },
};

/** Facts of a lesson that decide, beside the student's state, which actions are allowed. */
export interface MarkedLesson {
  courseType: number;
  begun: boolean;
}

/** The state that an action leads to, or undefined where it is not allowed. */
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

/** What may be done with a student in this state, in the order of the table. */
export const actionsFor = (status: OpStatus, lesson: MarkedLesson): LeaveAction[] =>
  leaveActions.filter((action) => stateAfter(action, status, lesson) !== undefined);

/** What a roll call marks: who was there, who was not, and who has asked for leave meanwhile. */
const rollActions = ['attend', 'cancelAttendance', 'request'] as const satisfies LeaveAction[];

interface RollChoice {
  action: LeaveAction;
  to: OpStatus;
  approve?: boolean;
}

/** Lists the marks that a roll call offers in this state. Leave is approved in the same act, or only requested. */
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

/** What is known of a student in a period. */
export interface AttendanceFacts {
  courseType: number;
  /** As it was recorded; -1 where nothing was. */
  recorded: OpStatus;
  watchedLive: boolean;
  /** The period has started. */
  begun: boolean;
  /** The period is over. */
  ended: boolean;
  /** Somebody of the class is marked attended or absent in the period. */
  called: boolean;
}

/** Recorded states that show that the roll was called. */
export const markedStatuses: readonly OpStatus[] = [0, 5];

/** Recorded states of students who need no roll call. */
export const excusedStatuses: readonly OpStatus[] = [2, 6];

/**
 * In-person periods and scheduled lessons: once begun, the roll has to be called, as attendance is unknown. Marking
 * one student counts as calling it.
 */
export const waitsForRoll = ({ begun, called }: { begun: boolean; called: boolean }): boolean => begun && !called;

const isUncalled = ({ courseType, ...lesson }: Omit<AttendanceFacts, 'recorded' | 'watchedLive'>): boolean =>
  courseType === offlineCourse && waitsForRoll(lesson);

/**
 * Derives the present state. Live lessons go by the clock: a viewer has attended, and once the period is over, anybody
 * else without leave is absent. In person a student without a record is absent once somebody else is marked.
 */
export function presentStatus({ courseType, recorded, watchedLive, ended, called }: AttendanceFacts): OpStatus {
  if (!hasAttendance(courseType)) return 6;
  if (courseType === offlineCourse) return recorded === -1 && called ? 5 : recorded;
  if (recorded === -1) return watchedLive ? 0 : ended ? 5 : -1;
  return recorded === 5 && watchedLive ? 0 : recorded;
}

/** How a student counts: expected are all but the exempt. Rates leave out the waiting and the uncalled. */
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
 * The truancy rule: truant is who was absent without a handled leave request, also who watched only the playback. A
 * request that was rejected, cancelled or not decided does not excuse, and does not undo having been there. In person
 * nobody is truant before the roll is called.
 */
export function attendanceCategory(facts: AttendanceFacts): AttendanceCategory {
  const status = presentStatus(facts);
  if (status === 6) return 'exempt';
  if (status === 0) return 'attended';
  if (status === 2) return 'leave';
  if (status === 5) return 'truant';
  if (facts.courseType === offlineCourse) {
    if (isUncalled(facts)) return 'uncalled';
    return facts.begun ? 'truant' : 'waiting';
  }
  if (facts.watchedLive) return 'attended';
  return facts.ended ? 'truant' : 'waiting';
}

/** 1 not started, 2 going on, 3 over. Unix seconds and seconds. */
export function lessonStatus(lesson: { start_play: number; total_time: number }, now: number): 1 | 2 | 3 {
  if (now < lesson.start_play) return 1;
  return now < lesson.start_play + lesson.total_time ? 2 : 3;
}

/** Seconds after a lesson's end during which applications may still report live viewing. */
export const liveGrace = 10 * 60;

/**
 * Caps the live seconds that an application reports at the time since the room opened; none count before that, or
 * later than `liveGrace` after the end. Unix seconds.
 */
export function countedLive(reported: number, { opens, end }: { opens: number; end: number }, now: number): number {
  if (now < opens || now > end + liveGrace) return 0;
  return Math.min(reported, now - opens);
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

/** Display name of a state: in person, a missing record means that the roll is not called yet. */
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

/** Display name of an action: without a record, cancelling attendance marks the student absent. */
export const actionName = (action: LeaveAction, status: OpStatus): string =>
  action === 'cancelAttendance' && status === -1 ? '标记旷课' : leaveActionNames[action];

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
  requested: '已提交请假申请，等待审批',
  /** To a learner. */
  notMember: '您不在该班级',
  notExpected: '您当时不在该班级，不能请假',
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
  { name = '该学员', ...lesson }: MarkedLesson & { name?: string },
): string | undefined {
  if (stateAfter(action, status, lesson) !== undefined) return undefined;
  if (stateAfter(action, status, { ...lesson, begun: true }) !== undefined)
    return `课时尚未开始，不能${actionName(action, status)}`;
  return `${name}当前状态为“${statusName(status, lesson.courseType)}”，不能${actionName(action, status)}`;
}

/** Why a student does not ask for leave, in words for them. */
export function askForLeaveFault(status: OpStatus, lesson: MarkedLesson): string | undefined {
  if (stateAfter('request', status, lesson) !== undefined) return undefined;
  if (!hasAttendance(lesson.courseType) || status === 6) return '该课时不计考勤，不用请假';
  if (status === 1) return '已提交过请假申请，正在等待审批';
  return status === 2 ? '请假已同意，不用再次请假' : '该课时已记为出勤，不能请假';
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

/** Marked as present until somebody says otherwise, once the lesson has begun: whoever has no record and no leave. */
export const isPresetPresent = (status: OpStatus, lesson: MarkedLesson): boolean =>
  status === -1 && stateAfter('attend', status, lesson) !== undefined;

/** Of how many students are marked. */
export function rollSizeFault(marks: number): string | undefined {
  if (marks === 0) return '没有修改任何学员的考勤';
  return marks > rollLimit ? `一次最多修改${rollLimit}名学员的考勤` : undefined;
}

/** Of a student of whom the rules allow something else, as they stand. */
export const rollMarkFault = (name: string, from: OpStatus, to: OpStatus): string =>
  `${name}当前状态为“${statusName(from, offlineCourse)}”，不能改为“${opStatusNames[to]}”`;

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
