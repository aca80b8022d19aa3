/** Display of scores and option letters (on screens, in files and in print), and tests for blank HTML. */

/** Number of characters as a reader counts them (code points): an emoji or a rare Han character is one. */
export const lengthOf = (text: string): number => [...text].length;

/** Shows a score with one decimal; `-` for null. */
export const formatScore = (score: number | null): string => (score === null ? '-' : score.toFixed(1));

/** Letter of an option by its index: 0 → A, 25 → Z. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);

const invisible = /<[^<>]*>|&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|#160|#xa0);|[\s\u200b-\u200f\u2060\ufeff]/gi;
const hasText = (html: string): boolean => html.replace(invisible, '') !== '';

/** True if the HTML contains a picture, a table, a line or a formula. */
export const showsMoreThanText = (html: string): boolean =>
  /<(?:img|table|hr|math)\b|\bdata-latex="[^"]*[^"\s]/i.test(html);

/** True if the HTML shows nothing: no text, picture, table, line or formula. */
export const isBlankHtml = (html: string): boolean => !showsMoreThanText(html) && !hasText(html);

/** True if the HTML has no content. Like `isBlankHtml`, but an empty table or a line does not count as content. */
export const isEmptyText = (html: string): boolean => !/<img\b|\bdata-latex="[^"]*[^"\s]/i.test(html) && !hasText(html);

/** Maximum characters of one formula. */
export const maxLatex = 4_000;

/** Fast check for formulas of other programs, so that most HTML need not be parsed. */
export const mayHoldForeignFormulas = (html: string): boolean =>
  /<(?:m:|mml:)?math\b|<mjx-|\bmathjax|\bkatex|<m:omath|msEquation|mwe-math|\bztext-math|\/equation\?[^"'>]*tex=|\/math\?formula=|latex\.codecogs\.com/i.test(
    html,
  );

/** Joins the first few names; if there are more, adds their total number. */
export const joinFirstNames = (names: readonly string[], shown = 5): string =>
  names.slice(0, shown).join('、') + (names.length > shown ? `等${names.length}人` : '');

/** Returns the form of a name in which names are compared and searched. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, '')
    .toLowerCase();
