/** The calendar: what stands in it, and how its reader gets in. */

/** A period of a course, a scheduled lesson, a class meeting: the `type` of the live room. */
export const entryKinds = ['period', 'course', 'meeting'] as const;

export type EntryKind = (typeof entryKinds)[number];

/**
 * What a card offers its reader: `enter` at once, `choose` one of several groups first, `no_group`, the `playback`,
 * `no_playback`, or nothing (`closed`, with the reason).
 */
export const ways = ['enter', 'choose', 'no_group', 'playback', 'no_playback', 'closed'] as const;

/** Why a card offers no way in, and what is said to whoever tries one. */
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

/** Why a learner joins no room. */
export const lessonMessages = { inPerson: '该课次为线下授课，没有直播间' } as const;

export const missingFeed = '订阅地址不存在或已停用';
export const missingFeedInUse = '没有正在使用的订阅地址';
