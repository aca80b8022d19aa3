import { reportStates } from '#server/community/reports.contract.ts';
import { decisionFault, reportTypes, type UserType } from '#server/community/rules.ts';

export const userTypeNames: Record<UserType, string> = { 1: '学员', 2: '讲师', 3: '助教', 4: '学校' };

export const reportReasonNames = { 1: '广告或代写', 2: '辱骂攻击', 3: '不实信息', 4: '不适合学员', 5: '其他' } as const;

export const memberTabs = [
  [0, '我发布的'],
  [1, '我参与的'],
  [2, '我的收藏'],
  [3, '我加入的圈子'],
] as const;
export type MemberTab = (typeof memberTabs)[number][0];

export const reportReasonChoices = reportTypes.map((type) => [type, reportReasonNames[type]] as const);

export const reportStateNames = { waiting: '待处理', deleted: '已删除', dismissed: '已驳回', all: '全部' } as const;
export const reportStateTones = { waiting: 'warn', deleted: 'bad', dismissed: 'plain' } as const;
/** Choices of the filter by state. 'waiting' is left out because the list shows undecided posts without any choice. */
export const reportStateChoices = reportStates
  .filter((state) => state !== 'waiting')
  .map((state) => [state, reportStateNames[state]] as const);

export const decidedMessage = (post: { state: 'waiting' | 'deleted' | 'dismissed'; decided_by: string }) =>
  decisionFault({ state: post.state, decided: post.decided_by || '他人' });
