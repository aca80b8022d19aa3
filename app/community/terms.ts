import type { UserType } from '#server/community/rules.ts';
export const userTypeNames: Record<UserType, string> = { 1: '学生', 2: '讲师', 3: '助教', 4: '学校' };

export const reportTypeNames = { 1: '广告或代写', 2: '辱骂攻击', 3: '不实信息', 4: '不适合学员', 5: '其他' } as const;

export const memberTabs = [
  [0, '我发布的'],
  [1, '我参与的'],
  [2, '我的收藏'],
  [3, '我加入的圈子'],
] as const;
export type MemberTab = (typeof memberTabs)[number][0];
