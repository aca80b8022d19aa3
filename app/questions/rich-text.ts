/**
 * A rich text travels as plain text, which is what a text area without client JS is for, or as HTML, where it has
 * formats that plain text does not hold. Which of the two is said in a field of its own, `<name>.as`.
 */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0' };

/** The plain text of HTML that is nothing but text in paragraphs and lines; undefined for anything else. */
export function plainTextOf(html: string): string | undefined {
  const lines = html
    .replace(/\s*\n\s*/g, ' ')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/p>\s*<p>/g, '\n')
    .replace(/^<p>|<\/p>$/g, '');
  if (lines.includes('<')) return undefined;
  const text = lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? entity);
  return /&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, '')) ? undefined : text;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line as it is, several as a paragraph each. */
export function htmlOf(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines.length === 1 ? escapeHtml(text) : lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
}

/** Without markup and on one line, for labels and for what holds no formats. */
export const wordsOf = (html: string): string =>
  (plainTextOf(html.replace(/<[^<>]*>/g, ' ')) ?? html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();

/** The height of a field of so many lines, in each of its shapes: a browser that fits a text area to its text forgets its rows. */
export const heightOf = (rows: number): string => `max(${rows * 24 + 14}px, var(--target))`;
