import { leaveStatuses } from '#server/attendance/leave.contract.ts';
import type { LeaveAction, OpStatus } from '#server/attendance/rules.ts';

export const periodStatusNames = { 1: '未开始', 2: '进行中', 3: '已结束' } as const;

/** Names of a leave request's statuses in the list of requests. Attendance has further statuses. */
export const leaveStatusNames: Partial<Record<OpStatus, string>> = {
  1: '待审批',
  2: '已同意',
  3: '已拒绝',
  4: '已取消',
};

export const leaveStatusChoices = leaveStatuses.map((status) => [status, leaveStatusNames[status] ?? ''] as const);

export const confirmations: Record<LeaveAction, string> = {
  request: '确定为该学员请假吗？',
  approve: '确定同意该请假申请吗？',
  reject: '确定拒绝该请假申请吗？',
  cancelLeave: '确定取消请假吗？',
  attend: '确定该学员已出勤吗？',
  cancelAttendance: '确定取消出勤吗？',
};

/** Explains which courses each figure counts. */
export const figureRules = {
  study: '统计除图文课和线下课以外的课程。',
  attend: '统计直播课和线下课的出勤次数。',
  leave: '统计直播课和线下课中已同意的请假次数。',
  truant: '未出勤且没有已同意的请假，或直播未到只看回放，均计为旷课。',
  uncalled: '线下课已开始而尚未点名，不计入出勤、请假和旷课。',
  homework: '已提交次数 / 布置次数，不含已撤回的作业。',
} as const;

export const decisionMessage = (opStatus: number, count: number) =>
  `已${opStatus === 2 ? '同意' : '拒绝'} ${count} 条请假申请`;
