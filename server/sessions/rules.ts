/** Lessons: their states, and what may be done with them and their students. */
import { classTypes } from '#server/classes/rules.ts';
import { fileNameLimit } from '#server/platform/files/rules.ts';

/** 1 held, 2 not yet held, 3 in progress, 4 cancelled. */
export const sessionStatuses = [1, 2, 3, 4] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const cancelled = 4;

export const sessionStatusNames = { 1: '已上课', 2: '未上课', 3: '上课中', 4: '已取消' } as const;

/** By the class that has the lesson. */
export const sessionTypes = [classTypes.oneToOne, classTypes.group] as const;

/** 1 approved, 2 not uploaded, 3 pending, 4 rejected. */
export const handoutStatuses = [1, 2, 3, 4] as const;

export type HandoutStatus = (typeof handoutStatuses)[number];

/** Of a student in a session; null is unmarked. */
export const attendanceStatuses = [1, 2, 3] as const;

export type AttendanceStatus = (typeof attendanceStatuses)[number] | null;

export const attendanceNames = { 1: '出勤', 2: '请假', 3: '旷课' } as const;

export const attendanceName = (status: AttendanceStatus) => (status === null ? '未标记' : attendanceNames[status]);

/** Seconds before its start from which a student's entry into the live room counts. */
export const entryOpensBefore = 30 * 60;

/**
 * How a student stands in a session now. The clock speaks where no record does: in one that was held, who is not
 * recorded was absent. So nothing has to be written when a session ends.
 */
export const presentAttendance = (session: SessionStatus, recorded: AttendanceStatus): AttendanceStatus =>
  session === 1 && recorded === null ? 3 : recorded;

/** Characters. */
export const evaluationLimit = 100;

export const communicationLimit = 500;

export const sessionMessages = {
  student: '请选择学员',
  communication: '请输入沟通内容',
  communicationLength: `沟通内容不能超过${communicationLimit}个字`,
  handout: '请选择讲义文件',
  handoutName: `讲义名称不能超过${fileNameLimit}个字`,
} as const;

/** Of what a lecturer writes about a student. */
export function remarkFault(remark: string): string | undefined {
  if (remark === '') return '请输入评价内容';
  return [...remark].length > evaluationLimit ? `评价内容不能超过${evaluationLimit}个字` : undefined;
}

/** Why a lesson has no room that is, or was, open. Times in unix seconds. */
export function roomFault(
  lesson: { status: SessionStatus; teaching_mode: 1 | 2; start_time: number },
  now: number,
): string | undefined {
  if (lesson.status === cancelled) return '该课次已取消';
  if (lesson.teaching_mode === 2) return '该课次为线下授课，没有直播间';
  return now < lesson.start_time - entryOpensBefore ? `该课次开始前${entryOpensBefore / 60}分钟可进入` : undefined;
}

/** Why a learner does not get in. */
export const entryFault = (lesson: Parameters<typeof roomFault>[0], now: number): string | undefined =>
  roomFault(lesson, now) ?? (lesson.status === 1 ? '该课次已结束' : undefined);

/** Why a student may not be evaluated (any more); undefined where they may. */
export function evaluationFault(
  { status }: { status: SessionStatus },
  { teacher_remark }: { teacher_remark: string },
): string | undefined {
  if (status !== 1) return `该课次${sessionStatusNames[status]}，不能评价学员`;
  return teacher_remark === '' ? undefined : '该学员已评价，不能重复评价';
}

/** Why no courseware can be added to a lesson; undefined where it can. */
export const wareFault = ({ status }: { status: SessionStatus }): string | undefined =>
  status === cancelled ? '该课次已取消，不能添加课件' : undefined;

/** Why a handout may not be uploaded (any more); undefined where it may. */
export function handoutFault(session: { status: SessionStatus; file_status: HandoutStatus }): string | undefined {
  const { status, file_status } = session;
  if (status === cancelled) return '该课次已取消，不能上传讲义';
  return file_status === 1 ? '讲义已审核通过，不能重新上传' : undefined;
}

/** Why a lecturer may not take leave from a session of this status; undefined where they may. */
export function leaveFault(status: SessionStatus): string | undefined {
  if (status === cancelled) return '该课次已取消，不能重复请假';
  return status === 2 ? undefined : `该课次${sessionStatusNames[status]}，不能请假`;
}

interface Times {
  start_time: number;
  end_time: number;
  cancelled_at: number | null;
}

/** 1 held, 2 not yet held, 3 in progress, 4 cancelled. Times in unix seconds. */
export function sessionStatus({ start_time, end_time, cancelled_at }: Times, now: number): SessionStatus {
  if (cancelled_at !== null) return 4;
  if (now < start_time) return 2;
  return now < end_time ? 3 : 1;
}

export const missingSession = '课次不存在';
export const missingHandout = '讲义文件不存在';
export const missingAttendee = '该学员不在此课次中';
