/** Display of scores and option letters, on screens, in files and in print; tests for blank HTML. */

/** Number of characters as a reader counts them (code points): an emoji or a rare Han character is one. */
export const lengthOf = (text: string): number => [...text].length;

/** One decimal; `-` for null. */
export const formatScore = (score: number | null): string => (score === null ? '-' : score.toFixed(1));

/** 0 → A, 25 → Z. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);

const invisible = /<[^<>]*>|&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|#160|#xa0);|[\s\u200b-\u200f\u2060\ufeff]/gi;
const hasText = (html: string): boolean => html.replace(invisible, '') !== '';

/** True if it contains a picture, a table, a line or a formula. */
export const showsMoreThanText = (html: string): boolean =>
  /<(?:img|table|hr|math)\b|\bdata-latex="[^"]*[^"\s]/i.test(html);

/** True if nothing is visible: no text, picture, table or formula. */
export const isBlankHtml = (html: string): boolean => !showsMoreThanText(html) && !hasText(html);

/** True if it has no content: like `isBlankHtml`, but an empty table or a line does not count as content. */
export const isEmptyText = (html: string): boolean => !/<img\b|\bdata-latex="[^"]*[^"\s]/i.test(html) && !hasText(html);

/** Fast check for formulas of other programs, so that most HTML need not be parsed. */
export const mayHoldForeignFormulas = (html: string): boolean =>
  /<(?:m:|mml:)?math\b|<mjx-|\bmathjax|\bkatex|<m:omath|msEquation|mwe-math/i.test(html);

/** Joins the first few names, and adds the total if there are more. */
export const joinFirstNames = (names: readonly string[], shown = 5): string =>
  names.slice(0, shown).join('、') + (names.length > shown ? `等${names.length}人` : '');
