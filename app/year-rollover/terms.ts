import { classFates, fateNames } from '#server/year-rollover/rules.ts';
export const fateChoices = classFates.map((fate) => [fate, fateNames[fate]] as const);

export const fateOf = (word: string) => classFates.find((fate) => fate === word);
