import type { Parity } from '#server/import/rules.ts';
/** Choices of the weeks to which a rule applies. */
export const parityChoices = [
  ['all', '每周'],
  ['odd', '单周'],
  ['even', '双周'],
] as const satisfies readonly (readonly [Parity, string])[];

export const parseParity = (word: string) => parityChoices.map(([parity]) => parity).find((parity) => parity === word);

export const teachingModeChoices = [
  [1, '直播'],
  [2, '线下'],
] as const;
