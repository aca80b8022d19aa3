/** Status of a meeting: 1 not started, 2 live, 3 ended. It follows from the clock. */
export const liveStatuses = [1, 2, 3] as const;

export type LiveStatus = (typeof liveStatuses)[number];

/** Maximum characters of a meeting's name. */
export const meetingNameLimit = 50;

export const meetingMessages = {
  class: '请选择班级',
  name: '请输入班会名称',
  nameLength: `班会名称不能超过${meetingNameLimit}个字`,
  start: '请选择开始时间',
  end: '请选择结束时间',
  order: '结束时间必须晚于开始时间',
  past: '结束时间必须晚于当前时间',
  started: '班会已开始，不能修改开始时间',
  /** Message for users who see a meeting but may not enter it. */
  entry: '仅该班级的班主任和助教可进入班会',
} as const;

export const missingMeeting = '班会不存在或已被删除';
/** Also the message for a code of another class, so that nobody can find out valid codes. */
export const missingCode = '参会码不正确';

/** Why a learner cannot enter a meeting. */
export function joinFault({ live_status }: { live_status: LiveStatus }): string | undefined {
  if (live_status === 2) return undefined;
  return live_status === 1 ? '班会尚未开始' : '班会已结束';
}

/** Why a meeting has no statistics yet; undefined if it has. */
export const statisticsFault = ({ live_status }: { live_status: LiveStatus }): string | undefined =>
  live_status === 1 ? '班会尚未开始，暂无统计' : undefined;

/** Refuses users who are not the head teacher of the class: only the head teacher arranges meetings. */
export const arrangeFault = (isHeadTeacher: boolean, deed: '创建' | '编辑' | '删除'): string | undefined =>
  isHeadTeacher ? undefined : `只有班主任可以${deed}班会`;

export const editFault = ({ live_status }: { live_status: LiveStatus }): string | undefined =>
  live_status === 3 ? '班会已结束，不能编辑' : undefined;
