/** Kinds of records that the site search covers. */

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

/** Maximum characters of a search text. */
export const searchLimit = 100;

/** Number of hits per kind when all kinds are shown. */
export const hitsPerKind = 5;

/** True if the typed text can be pinyin. */
export const mayBePinyin = (text: string): boolean => /^[a-zü\s']+$/i.test(text);
