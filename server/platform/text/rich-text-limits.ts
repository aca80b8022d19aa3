/** Limits for the markup and the formulas of rich text. Sanitizing and rendering more would block other requests. */
import { maxFormulas } from './render-math.ts';

/** Maximum cost (`markupOf`, in tags) of all texts that are checked together. A table of 500 cells costs a quarter. */
const maxMarkup = 4_000;

const tooElaborateMessage = '内容的格式过于复杂，请清除格式或分成几部分后再提交';

/**
 * Returns why these texts are too elaborate to sanitize and render, which would block other requests; else undefined.
 * Scans them without parsing.
 */
export function complexityFault(texts: readonly string[]): string | undefined {
  let markup = 0;
  let formulas = 0;
  for (const html of texts) {
    const read = html.toLowerCase();
    markup += markupOf(read);
    formulas += formulaSigns(read);
  }
  if (markup > maxMarkup) return tooElaborateMessage;
  return formulas > maxFormulas ? `公式过多，最多${maxFormulas}个` : undefined;
}

/**
 * Returns why all these texts together are too elaborate; undefined if they are not. `most`: maximum cost (`markupOf`).
 */
export const totalComplexityFault = (texts: readonly string[], most: number): string | undefined =>
  texts.reduce((sum, html) => sum + markupOf(html.toLowerCase()), 0) > most ? tooElaborateMessage : undefined;

/**
 * Estimates the parsing cost in tags. Each style declaration counts, since styles have their own parser; a character
 * reference costs less than a tag. Expects lower case.
 */
function markupOf(html: string): number {
  const styles = count(html, 'style');
  const declarations = styles > 0 ? count(html, ';') / 2 : 0;
  return count(html, '<') + 2 * styles + declarations + count(html, '&') / 4;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** Returns an upper bound of the formulas in a text: `$` comes in pairs. */
const formulaSigns = (html: string): number =>
  count(html, 'data-latex') + count(html, '\\(') + count(html, '\\[') + Math.ceil(dollars(html) / 2);

/** Counts dollar signs; `$$` counts once. */
const dollars = (html: string): number => html.match(/\$+/g)?.length ?? 0;
