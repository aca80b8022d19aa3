import type { Identity } from '#server/platform/auth/rules.ts';

export const missingLive = '直播不存在';

export const liveMessages = {
  over: '直播已结束，暂无回放',
  noGroup: '您不在该分组，无法进入',
  away: '直播服务暂时不可用，请稍后再试',
} as const;

/**
 * Why a lecturer cannot enter the room of a group: only if the course allows it. Otherwise lecturers enter the
 * lecture's room.
 */
export const groupRoomFault = (
  identity: Identity,
  { assistant_room }: { assistant_room: 0 | 1 },
): string | undefined =>
  identity === 'teacher' && assistant_room !== 1 ? '该课程未开放讲师进入助教直播间' : undefined;
