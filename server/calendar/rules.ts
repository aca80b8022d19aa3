/** The calendar: what stands in it, and how its reader gets in. */

/** A period of a course, a scheduled lesson, a class meeting: the `type` of the live room. */
export const entryKinds = ['period', 'course', 'meeting'] as const;

export type EntryKind = (typeof entryKinds)[number];

/**
 * What a card offers its reader: `enter` at once, `choose` one of several groups first, `no_group`, the `playback`,
 * `no_playback`, or nothing (`closed`, with the reason).
 */
export const ways = ['enter', 'choose', 'no_group', 'playback', 'no_playback', 'closed'] as const;

export const missingFeed = '订阅地址不存在或已停用';
