/**
 * Converts between plain text and HTML. A rich text is posted as plain text (by the textarea without client JS) or, if
 * it has formats, as HTML; the field `<name>.as` says which.
 */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0' };

/** Converts HTML to plain text; undefined if the HTML has more than paragraphs and line breaks. */
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

/** Leading and repeated spaces are stored as no-break spaces, because HTML collapses ordinary ones. */
const shownSpaces = (line: string): string => line.replaceAll('\t', '    ').replace(/^ | (?= |$)/g, '\u00a0');

const typedSpaces = (text: string): string =>
  text.replace(/^\u00a0+|\u00a0+(?= |$)/gm, (spaces) => ' '.repeat(spaces.length));

/** Converts plain text to HTML. A single line gets no paragraph; several lines become paragraphs. */
export function htmlOf(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').map(shownSpaces);
  return lines.length === 1 ? escapeHtml(lines[0] ?? '') : lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
}

/** Does what `shownSpaces` does, for the HTML of the editor; leaves `<pre>` unchanged. */
export const withShownSpaces = (html: string): string =>
  html
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map((part) =>
      part.startsWith('<pre>')
        ? part
        : part.replace(/(<(?:p|br|td|th)\b[^<>]*>) /g, '$1\u00a0').replace(/ (?= )(?=[^<>]*(?:<|$))/g, '\u00a0'),
    )
    .join('');

/** Reduces HTML to one line of text, for labels. */
export const plainWords = (html: string): string =>
  (plainTextOf(html.replace(/<[^<>]*>/g, ' ')) ?? html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();

/** CSS height of a field with this many rows, the same for the textarea and the editor. */
export const fieldHeight = (rows: number): string => `max(${rows * 24 + 14}px, var(--target))`;
