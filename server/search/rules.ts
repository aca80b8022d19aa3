/** What is searched for, all at once. */

export const searchKinds = [
  'students',
  'classes',
  'courses',
  'homework',
  'exams',
  'questions',
  'publicQuestions',
  'notices',
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Characters of what is searched for. */
export const searchLimit = 100;

/** Of each kind, where all of them are shown. */
export const searchShown = 5;

/** Letters, which may stand for how a name is read. */
export const mayBeSpelled = (text: string): boolean => /^[a-zü\s']+$/i.test(text);
