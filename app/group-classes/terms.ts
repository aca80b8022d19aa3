import { teamStatuses } from '#server/group-classes/rules.ts';
import { teachingModes } from '#server/sessions/rules.ts';
import { teachingModeNames } from '../sessions/terms.ts';

export const teamStatusNames = { 1: '未开课', 2: '上课中', 3: '已结课' } as const;
export const teamStatusChoices = teamStatuses.map((status) => [status, teamStatusNames[status]] as const);
export const teachingModeChoices = teachingModes.map((mode) => [mode, teachingModeNames[mode]] as const);

/** Formats yuan: `¥180` or `¥180.50`. */
export const yuan = (amount: number): string => `¥${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
