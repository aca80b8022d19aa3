/**
 * A rich text travels as plain text, which is what a text area without client JS is for, or as HTML, where it has
 * formats that plain text does not hold. Which of the two is said in a field of its own, `<name>.as`.
 */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0' };

/** The plain text of HTML that is nothing but text in paragraphs and lines; undefined for anything else. */
export function plainTextOf(html: string): string | undefined {
  const lines = html
    .replace(/[ \t]*\n[ \t]*/g, ' ')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/p>\s*<p>/g, '\n')
    .replace(/^<p>|<\/p>$/g, '');
  if (lines.includes('<')) return undefined;
  const text = typedSpaces(lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? entity));
  return /&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, '')) ? undefined : text;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** HTML shows no space at the beginning of a line and none after another: these are stored as no-break spaces. */
const shownSpaces = (line: string): string => line.replaceAll('\t', '    ').replace(/^ | (?= |$)/g, '\u00a0');

const typedSpaces = (text: string): string =>
  text.replace(/^\u00a0+|\u00a0+(?= |$)/gm, (spaces) => ' '.repeat(spaces.length));

/** One line as it is, several as a paragraph each. */
export function htmlOf(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').map(shownSpaces);
  return lines.length === 1 ? escapeHtml(lines[0] ?? '') : lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
}

/** The same in the HTML of the editor, which writes spaces as they were typed. */
export const withShownSpaces = (html: string): string =>
  html
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map((part) =>
      part.startsWith('<pre>')
        ? part
        : part.replace(/(<(?:p|br|td|th)\b[^<>]*>) /g, '$1\u00a0').replace(/ (?= )(?=[^<>]*(?:<|$))/g, '\u00a0'),
    )
    .join('');

/** Without markup and on one line, for labels and for what holds no formats. */
export const wordsOf = (html: string): string =>
  (plainTextOf(html.replace(/<[^<>]*>/g, ' ')) ?? html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();

/** The height of a field of so many lines, in each of its shapes: a browser that fits a text area to its text forgets its rows. */
export const heightOf = (rows: number): string => `max(${rows * 24 + 14}px, var(--target))`;
