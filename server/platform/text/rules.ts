/** How scores and options are written for everybody, on screens, in files and in print; and which HTML is blank. */

/** Characters as a reader counts them: an emoji or a rare Han character is one. */
export const lengthOf = (text: string): number => [...text].length;

/** One decimal, a dash for none. */
export const shownScore = (score: number | null): string => (score === null ? '-' : score.toFixed(1));

/** 0 → A, 25 → Z. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);

const invisible = /<[^<>]*>|&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|#160|#xa0);|[\s\u200b-\u200f\u2060\ufeff]/gi;
const hasText = (html: string): boolean => html.replace(invisible, '') !== '';

/** Whether a picture, a table, a line or a formula is in it. */
export const showsMoreThanText = (html: string): boolean =>
  /<(?:img|table|hr|math)\b|\bdata-latex="[^"]*[^"\s]/i.test(html);

/** Whether a reader would see nothing: no text, no picture, table or formula. */
export const isBlankHtml = (html: string): boolean => !showsMoreThanText(html) && !hasText(html);

/** Whether a reader would learn nothing: an empty table or a line is seen, and says nothing. */
export const saysNothing = (html: string): boolean => !/<img\b|\bdata-latex="[^"]*[^"\s]/i.test(html) && !hasText(html);

/** Fast check for formulas of other programs: most HTML has none and needs no parsing. */
export const mayHoldForeignFormulas = (html: string): boolean =>
  /<(?:m:|mml:)?math\b|<mjx-|\bmathjax|\bkatex|<m:omath|msEquation|mwe-math/i.test(html);

/** A few of these names, and how many there are where that is more. */
export const someNames = (names: readonly string[], shown = 5): string =>
  names.slice(0, shown).join('、') + (names.length > shown ? `等${names.length}人` : '');
