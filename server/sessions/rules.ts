import { awaitsRollCall } from '#server/attendance/rules.ts';
import { classTypes } from '#server/classes/rules.ts';
import { fileNameLimit } from '#server/platform/files/rules.ts';

/** Status of a lesson: 1 held, 2 not yet held, 3 in progress, 4 cancelled. */
export const sessionStatuses = [1, 2, 3, 4] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const cancelledStatus = 4;

export const sessionStatusNames = { 1: '已上课', 2: '未上课', 3: '上课中', 4: '已取消' } as const;

/** Values of `class_type` for classes that have such lessons: one-to-one and group classes. */
export const sessionTypes = [classTypes.oneToOne, classTypes.group] as const;

/** Status of a handout: 1 approved, 2 not uploaded, 3 pending, 4 rejected. */
export const handoutStatuses = [1, 2, 3, 4] as const;

export type HandoutStatus = (typeof handoutStatuses)[number];

/** A student's attendance in a lesson; null if it is not recorded. */
export const attendanceStatuses = [1, 2, 3] as const;

export type AttendanceStatus = (typeof attendanceStatuses)[number] | null;

export const attendanceNames = { 1: '出勤', 2: '请假', 3: '旷课' } as const;

/** How a lesson is taught: 1 live, 2 in person. */
export const teachingModes = [1, 2] as const;
export type TeachingMode = (typeof teachingModes)[number];
export const inPerson = 2;

/** Returns the display name of attendance. In person, a missing record means that the roll was not called. */
export const attendanceName = (status: AttendanceStatus, teachingMode: TeachingMode): string =>
  status === null ? (teachingMode === inPerson ? '未点名' : '未标记') : attendanceNames[status];

/** Seconds before the start from which entering the live room counts as attendance. */
export const entryLeadSeconds = 30 * 60;

/** Facts about a lesson that decide the attendance of a student without a record. */
export interface RollState {
  status: SessionStatus;
  teaching_mode: TeachingMode;
  /** 1: some student is recorded as present or absent. */
  called: number;
}

/** Recorded attendance that shows that the roll was called: present or absent, but not leave. */
export const markedAttendance = [1, 3] as const satisfies AttendanceStatus[];

const hasBegun = (status: SessionStatus): boolean => status === 1 || status === 3;

/** True for an in-person lesson that has begun and whose roll was not called. */
export const isMissingRollCall = ({ status, teaching_mode, called }: RollState): boolean =>
  teaching_mode === inPerson && awaitsRollCall({ begun: hasBegun(status), called: called === 1 });

/**
 * Returns what a student's attendance of a scheduled lesson counts as at present; for periods see `attendanceCategory`
 * in attendance/rules.ts. A record decides. Without a record, the student was absent from a live lesson once it is over,
 * and from an in-person lesson once another student is recorded as present or absent. So absences need no rows.
 */
export function presentAttendance(session: RollState, recorded: AttendanceStatus): AttendanceStatus {
  if (recorded !== null) return recorded;
  const { status, teaching_mode } = session;
  const isAbsent = teaching_mode === inPerson ? hasBegun(status) && !isMissingRollCall(session) : status === 1;
  return isAbsent ? 3 : null;
}

/** Maximum characters of an evaluation. */
export const evaluationLimit = 100;
/** Maximum characters of the notes of a talk. */
export const communicationLimit = 500;

export const sessionMessages = {
  student: '请选择学员',
  communication: '请输入沟通内容',
  communicationLength: `沟通内容不能超过${communicationLimit}个字`,
  handout: '请选择讲义文件',
  handoutName: `讲义名称不能超过${fileNameLimit}个字`,
} as const;

export function remarkFault(remark: string): string | undefined {
  if (remark === '') return '请输入评价内容';
  return [...remark].length > evaluationLimit ? `评价内容不能超过${evaluationLimit}个字` : undefined;
}

/** Why the live room and the playback of a lesson are not open. Times in unix seconds. */
export function roomFault(
  lesson: { status: SessionStatus; teaching_mode: TeachingMode; start_time: number },
  now: number,
): string | undefined {
  if (lesson.status === cancelledStatus) return '该课次已取消';
  if (lesson.teaching_mode === inPerson) return '该课次为线下授课，没有直播间';
  return now < lesson.start_time - entryLeadSeconds ? `该课次开始前${entryLeadSeconds / 60}分钟可进入` : undefined;
}

export const entryFault = (lesson: Parameters<typeof roomFault>[0], now: number): string | undefined =>
  roomFault(lesson, now) ?? (lesson.status === 1 ? '该课次已结束' : undefined);

/** Why a student cannot be evaluated; undefined if they can. */
export function evaluationFault(
  { status }: { status: SessionStatus },
  { teacher_remark }: { teacher_remark: string },
): string | undefined {
  if (status !== 1) return `该课次${sessionStatusNames[status]}，不能评价学员`;
  return teacher_remark === '' ? undefined : '该学员已评价，不能重复评价';
}

/** Maximum characters of a student's feedback. */
export const feedbackLimit = 200;

export function feedbackTextFault(text: string): string | undefined {
  if (text === '') return '请输入评价内容';
  return [...text].length > feedbackLimit ? `评价内容不能超过${feedbackLimit}个字` : undefined;
}

/** Why a student cannot give feedback yet. */
export const feedbackFault = ({ status }: { status: SessionStatus }): string | undefined =>
  status === 1 ? undefined : `该课次${sessionStatusNames[status]}，不能评价`;

/** Why courseware cannot be added to a lesson; undefined if it can. */
export const materialFault = ({ status }: { status: SessionStatus }): string | undefined =>
  status === cancelledStatus ? '该课次已取消，不能添加课件' : undefined;

/** Why a handout cannot be uploaded; undefined if it can. */
export function handoutFault(session: { status: SessionStatus; file_status: HandoutStatus }): string | undefined {
  const { status, file_status } = session;
  if (status === cancelledStatus) return '该课次已取消，不能上传讲义';
  return file_status === 1 ? '讲义已审核通过，不能重新上传' : undefined;
}

/** Why a lecturer cannot take leave from a lesson; undefined if they can. */
export function leaveFault(status: SessionStatus): string | undefined {
  if (status === cancelledStatus) return '该课次已取消，不能重复请假';
  return status === 2 ? undefined : `该课次${sessionStatusNames[status]}，不能请假`;
}

interface Times {
  start_time: number;
  end_time: number;
  cancelled_at: number | null;
}

/** Returns the status of a lesson: 1 held, 2 not yet held, 3 in progress, 4 cancelled. Times in unix seconds. */
export function sessionStatus({ start_time, end_time, cancelled_at }: Times, now: number): SessionStatus {
  if (cancelled_at !== null) return 4;
  if (now < start_time) return 2;
  return now < end_time ? 3 : 1;
}

export const missingSession = '课次不存在';
export const missingHandout = '讲义文件不存在';
export const missingAttendee = '该学员不在此课次中';

// ---- planning ----------------------------------------------------------------------------------------

/** Maximum characters of a lesson's title, and of the reason why it is cancelled. */
export const chapterTitleLimit = 100;
export const cancelReasonLimit = 100;

/** Maximum lessons that are planned, moved or cancelled at a time. */
export const maxLessonsAtOnce = 100;

/** Minimum and maximum length of a lesson in minutes. */
export const lessonMinutes = { least: 5, most: 720 } as const;

export const lessonMessages = {
  noClass: '请选择团课班级或一对一',
  noCourse: '请选择该班级的课程',
  period: '请选择该课程的课时',
  noLecturer: '请选择讲师',
  room: '请选择本校的教室',
  noDay: '请选择上课日期',
  noStart: '请填写开始时间',
  noEnd: '请填写结束时间',
  span: `结束时间须晚于开始时间，每节课${lessonMinutes.least}到${lessonMinutes.most}分钟`,
  weekdays: '请选择上课的星期',
  bound: '请填写结束日期或节数',
  noLastDay: '请填写正确的结束日期',
  turned: '结束日期不能早于第一天',
  count: `一次可排1到${maxLessonsAtOnce}节课`,
  skip: '跳过的日期请写成 2026-05-01，多个日期用逗号或换行分开',
  noDays: '这段时间内没有可排的日期',
  tooMany: `一次最多排${maxLessonsAtOnce}节课，请缩短时间`,
  chapterLength: `课题不能超过${chapterTitleLimit}个字`,
  noReason: '请填写取消原因',
  reasonLength: `取消原因不能超过${cancelReasonLimit}个字`,
  nobody: '请选择课次',
  tooManyChosen: `一次最多选择${maxLessonsAtOnce}节课`,
  shift: '移动天数为-365到365的整数',
  nothing: '请填写要修改的内容',
} as const;

/** Message for the field of a lesson that an import cannot change. */
export const importedLessonMessages = { class: '所属班级不能修改' } as const;
/** Reason of a cancellation by an import: the source no longer lists the lesson. */
export const importCancelReason = '导入时已不在课表中';

/** Says how many lessons an import would cancel, and for how many students. */
export const lessonsGoneSentence = ({ name, lessons, students }: { name: string; lessons: number; students: number }) =>
  `${name}取消${lessons}节课${students > 0 ? `，${students}名学员` : ''}`;

/** Why the undo of an import keeps a lesson that the import created: the lesson has records. */
export function usedLessonFault(has: {
  attendance: boolean;
  handout: boolean;
  courseware: boolean;
  communication: boolean;
  homework: boolean;
}): string | undefined {
  const what = [
    has.attendance && '考勤',
    has.handout && '讲义',
    has.courseware && '课件',
    has.communication && '沟通记录',
    has.homework && '作业',
  ].filter(Boolean);
  return what.length > 0 ? `已有${what.join('、')}` : undefined;
}

/** Why no lessons can be planned: the class has ended. */
export const planFault = (theClass: { state: string }): string | undefined =>
  theClass.state === 'ended' ? '该班级已结束，不能排课' : undefined;

/** Why a lesson cannot be changed: it has begun or is cancelled. */
export function replanFault(session: Times, now: number): string | undefined {
  const status = sessionStatus(session, now);
  return status === 2 ? undefined : `该课次${sessionStatusNames[status]}，不能修改`;
}

export function cancelFault(session: Times, now: number): string | undefined {
  const status = sessionStatus(session, now);
  return status === 2 ? undefined : `该课次${sessionStatusNames[status]}，不能取消`;
}

export function restoreFault(session: Times, now: number): string | undefined {
  if (session.cancelled_at === null) return '该课次未取消';
  return session.start_time > now ? undefined : '该课次原定时间已过，不能恢复，请重新排课';
}

// ---- review of handouts ------------------------------------------------------------------------------

/** Maximum characters of the reason why a handout is rejected. */
export const handoutReasonLimit = 200;

/** Maximum handouts that are decided at a time. */
const handoutsAtOnce = 200;

export const handoutMessages = {
  decision: '请选择通过或驳回',
  reason: '请填写驳回原因',
  reasonLength: `驳回原因不能超过${handoutReasonLimit}个字`,
} as const;

/** Returns an error message if none or too many handouts are decided at a time. */
export function handoutCountFault(count: number): string | undefined {
  if (count === 0) return '请选择讲义';
  return count > handoutsAtOnce ? `一次最多审核${handoutsAtOnce}份讲义` : undefined;
}

export const handoutDecisions = { 1: '审核通过', 4: '驳回' } as const;

/** Why a handout cannot be decided. `decided`: who decided it before and when, in words. */
export function handoutDecisionFault(handout: {
  file_name: string;
  status: 1 | 3 | 4;
  decided: string;
  isCancelled: boolean;
}): string | undefined {
  const { file_name, status, decided, isCancelled } = handout;
  if (isCancelled) return `《${file_name}》的课次已取消，不需要审核`;
  return status === 3 ? undefined : `《${file_name}》已由${decided}${handoutDecisions[status]}`;
}

/** Refuses a decision because the file was replaced since it was shown. */
export const replacedHandoutMessage = ({ file_name, by }: { file_name: string; by: string }): string =>
  `${by}刚刚重新上传了讲义《${file_name}》，请查看后再审核`;
