import { classFates, fateNames } from '#server/year-rollover/rules.ts';
export const classFateChoices = classFates.map((fate) => [fate, fateNames[fate]] as const);

export const parseClassFate = (word: string) => classFates.find((fate) => fate === word);
