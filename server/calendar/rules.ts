/** Kinds of calendar entries, and how a user may enter their live rooms. */

/**
 * Kinds of entries: period of a course, scheduled lesson (`course`), class meeting. They are also the `type` in the
 * address of a live room.
 */
export const entryKinds = ['period', 'course', 'meeting'] as const;

export type EntryKind = (typeof entryKinds)[number];

/**
 * Ways into a live room: `enter` directly, `choose` a group first, `no_group`, `playback`, `no_playback`, or `closed`
 * with a reason.
 */
export const entryWays = ['enter', 'choose', 'no_group', 'playback', 'no_playback', 'closed'] as const;

/** Reasons why a room is `closed`, shown on the calendar and sent as refusals. */
export const entryMessages = {
  cancelled: '课次已取消',
  offline: '线下课时没有直播间',
  noPlayback: '暂无回放',
  notOpen: '该课时未开放进入直播间',
  noRoom: '该课时没有直播间',
  noAssistantRoom: '该课时未开放助教直播间',
  noGroup: '该课程没有分组',
  assistantsOfClass: '仅负责该班级的助教可进入直播间',
  lecturer: '仅授课讲师可进入直播间',
} as const;

/** Refuses a learner who joins the live room of a face-to-face lesson. */
export const lessonMessages = { inPerson: '该课次为线下授课，没有直播间' } as const;

export const missingFeed = '订阅地址不存在或已停用';
export const noFeedInUse = '没有正在使用的订阅地址';
