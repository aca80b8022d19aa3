import { allClassTypes, type ClassState, classStates, classTypeNames } from '#server/classes/rules.ts';

export const memberStatusNames: Record<1 | 2, string> = { 1: '在班', 2: '已退班' };
export const memberStatusChoices = [
  [1, memberStatusNames[1]],
  [2, memberStatusNames[2]],
] as const;

export const classTypeChoices = allClassTypes.map((type) => [type, classTypeNames[type]] as const);

export const classStateNames: Record<ClassState, string> = { coming: '未开课', running: '进行中', ended: '已结束' };
export const classStateChoices = classStates.map((state) => [state, classStateNames[state]] as const);
