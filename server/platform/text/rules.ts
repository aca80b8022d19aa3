/** How scores and options are written for everybody: on screens, in files and in print. */

/** Characters as a reader counts them: an emoji or a rare Han character is one. */
export const lengthOf = (text: string): number => [...text].length;

/** One decimal, a dash for none. */
export const shownScore = (score: number | null): string => (score === null ? '-' : score.toFixed(1));

/** 0 → A, 25 → Z. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);
