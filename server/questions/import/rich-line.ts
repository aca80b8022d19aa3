/**
 * What the readers of Word and Excel files hand on: lines of formatted text in which pictures and lost things keep their
 * place as one character, so that markers can be sought in the plain text and lines cut where they stand.
 */

export type Mark = 'strong' | 'em' | 'u' | 's' | 'sub' | 'sup' | 'dot';

export interface TextSegment {
  text: string;
  marks: readonly Mark[];
}

/** A picture of the file, by the name of its part. Sizes in CSS pixels; undefined where the file does not say. */
export interface PictureSegment {
  picture: { part: string; width?: number; height?: number; alt: string };
}

/** Something that the import cannot keep. `shown` stands in its place. */
export interface LostSegment {
  lost: string;
  shown: string;
}

export type Segment = TextSegment | PictureSegment | LostSegment;

export interface TextLine {
  /** Where people find it: the line of the document, counted from 1, or 0 in a cell of Excel. */
  number: number;
  segments: Segment[];
  /** It follows the line before within one paragraph (Shift+Enter, a line break in a cell). */
  continues: boolean;
}

export interface TableLine {
  number: number;
  rows: TableCell[][];
}

export interface TableCell {
  lines: Line[];
  columns: number;
  rows: number;
}

export type Line = TextLine | TableLine;

/** Stands for a picture or a lost thing in the plain text of a line. */
export const objectCharacter = '\ufffc';

export const isTable = (line: Line): line is TableLine => 'rows' in line;
export const isText = (segment: Segment): segment is TextSegment => 'text' in segment;
export const isPicture = (segment: Segment): segment is PictureSegment => 'picture' in segment;

/** One character for each picture or lost thing: offsets in it are offsets for `cutLine`. */
export const plainLine = (line: TextLine): string =>
  line.segments.map((segment) => (isText(segment) ? segment.text : objectCharacter)).join('');

/** The part of a line between two offsets of its plain text. */
export function cutLine(line: TextLine, from: number, to: number): TextLine {
  const segments: Segment[] = [];
  let at = 0;
  for (const segment of line.segments) {
    const length = isText(segment) ? segment.text.length : 1;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    if (start < end) segments.push(isText(segment) ? { ...segment, text: segment.text.slice(start, end) } : segment);
    at += length;
  }
  return { ...line, segments };
}

/** Adds text, joining it to the text before when that looks the same: Word splits words into runs wherever it likes. */
export function appendText(segments: Segment[], written: string, marks: readonly Mark[]): void {
  // Control characters and halves of characters are no text, and databases refuse some of them.
  const text = written.replace(/(?![\t\n])\p{Cc}|\p{Cs}/gu, '');
  if (text === '') return;
  const last = segments.at(-1);
  if (last && isText(last) && last.marks.length === marks.length && last.marks.every((mark, i) => mark === marks[i])) {
    last.text += text;
  } else {
    segments.push({ text, marks });
  }
}

const white = /[\s\u200b-\u200f\u2060\ufeff]/;
const onlyWhite = new RegExp(`^${white.source}*$`);

export const isBlankLine = (line: Line): boolean =>
  !isTable(line) && onlyWhite.test(plainLine(line)) && !line.segments.some(isDrawnBlank);

/** A blank to fill in that was drawn by underlining spaces. */
const isDrawnBlank = (segment: Segment): boolean =>
  isText(segment) && segment.marks.includes('u') && segment.text !== '' && onlyWhite.test(segment.text);

/** Without the blank lines before and after, and without the white space at both ends of each line's text. */
export function trimLines(lines: readonly Line[]): Line[] {
  const first = lines.findIndex((line) => !isBlankLine(line));
  if (first === -1) return [];
  const last = lines.findLastIndex((line) => !isBlankLine(line));
  return lines.slice(first, last + 1).map((line) => (isTable(line) ? line : trimLine(line)));
}

function trimLine(line: TextLine): TextLine {
  const plain = plainLine(line);
  if (line.segments.some(isDrawnBlank)) return line;
  // Indents made of full-width spaces at the start belong to the text only inside it, never around a field.
  let from = 0;
  let to = plain.length;
  while (from < to && white.test(plain.charAt(from))) from += 1;
  while (to > from && white.test(plain.charAt(to - 1))) to -= 1;
  return from === 0 && to === plain.length ? line : cutLine(line, from, to);
}

/** The text of the lines, one per row; pictures and lost things leave no trace. */
export const plainText = (lines: readonly Line[]): string =>
  lines
    .map((line) =>
      isTable(line)
        ? line.rows.map((row) => row.map((cell) => plainText(cell.lines)).join(' ')).join('\n')
        : plainLine(line).replaceAll(objectCharacter, ''),
    )
    .join('\n')
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim();

/** A picture as the product keeps it, or why it does not. */
export type KeptPicture = { url: string } | { lost: string };

/** Every part that the lines show as a picture, also within tables. */
export function picturesIn(lines: readonly Line[]): string[] {
  return lines.flatMap((line) =>
    isTable(line)
      ? line.rows.flatMap((row) => row.flatMap((cell) => picturesIn(cell.lines)))
      : line.segments.filter(isPicture).map((segment) => segment.picture.part),
  );
}

export interface Loss {
  /** Line of the document, 0 in a cell of Excel. */
  number: number;
  message: string;
}

/** What of the lines cannot be kept, in their order. */
export function lossesIn(lines: readonly Line[], pictures: ReadonlyMap<string, KeptPicture>): Loss[] {
  return lines.flatMap((line) => {
    if (isTable(line)) return line.rows.flatMap((row) => row.flatMap((cell) => lossesIn(cell.lines, pictures)));
    return line.segments.flatMap((segment) => {
      const message = lossOf(segment, pictures);
      return message === undefined ? [] : [{ number: line.number, message }];
    });
  });
}

function lossOf(segment: Segment, pictures: ReadonlyMap<string, KeptPicture>): string | undefined {
  if (isText(segment)) return undefined;
  if (!isPicture(segment)) return segment.lost;
  const kept = pictures.get(segment.picture.part);
  return kept && 'lost' in kept ? kept.lost : undefined;
}

/** The lines as HTML paragraphs and tables, in the form that `sanitizeRichText` leaves unchanged. */
export function linesToHtml(lines: readonly Line[], pictures: ReadonlyMap<string, KeptPicture>): string {
  const parts: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) parts.push(`<p>${paragraph.join('<br />')}</p>`);
    paragraph = [];
  };
  for (const line of lines) {
    if (isTable(line)) {
      endParagraph();
      parts.push(tableToHtml(line, pictures));
    } else {
      if (!line.continues) endParagraph();
      paragraph.push(lineToHtml(line, pictures));
    }
  }
  endParagraph();
  return parts.join('');
}

/** Like `linesToHtml`, but a single line stays without its paragraph: the content of an option. */
export function linesToInlineHtml(lines: readonly Line[], pictures: ReadonlyMap<string, KeptPicture>): string {
  const [only, more] = lines;
  return only && !more && !isTable(only) ? lineToHtml(only, pictures) : linesToHtml(lines, pictures);
}

function tableToHtml(table: TableLine, pictures: ReadonlyMap<string, KeptPicture>): string {
  const rows = table.rows.map((row) => {
    const cells = row.map((cell) => {
      const spans = `${cell.columns > 1 ? ` colspan="${cell.columns}"` : ''}${cell.rows > 1 ? ` rowspan="${cell.rows}"` : ''}`;
      return `<td${spans}>${linesToInlineHtml(trimLines(cell.lines), pictures)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

const lineToHtml = (line: TextLine, pictures: ReadonlyMap<string, KeptPicture>): string =>
  line.segments.map((segment) => segmentToHtml(segment, pictures)).join('');

/** The dot under a character asks for its reading: 加点字. */
const markTags: Readonly<Record<Mark, readonly [string, string]>> = {
  strong: ['<strong>', '</strong>'],
  em: ['<em>', '</em>'],
  u: ['<u>', '</u>'],
  s: ['<s>', '</s>'],
  sub: ['<sub>', '</sub>'],
  sup: ['<sup>', '</sup>'],
  dot: ['<span style="text-emphasis:filled dot;text-emphasis-position:under right">', '</span>'],
};

function segmentToHtml(segment: Segment, pictures: ReadonlyMap<string, KeptPicture>): string {
  if (isPicture(segment)) return pictureToHtml(segment.picture, pictures);
  if (!isText(segment)) return escapeText(segment.shown);
  // HTML would swallow the spaces under which a blank was drawn.
  if (isDrawnBlank(segment)) return '_'.repeat(Math.min(Math.max(segment.text.length, 4), 40));
  const tags = segment.marks.map((mark) => markTags[mark]);
  return `${tags.map(([open]) => open).join('')}${textToHtml(segment.text)}${tags
    .map(([, close]) => close)
    .reverse()
    .join('')}`;
}

function pictureToHtml(picture: PictureSegment['picture'], pictures: ReadonlyMap<string, KeptPicture>): string {
  const kept = pictures.get(picture.part);
  if (!kept || 'lost' in kept) return '［图片］';
  const size = `${picture.width ? ` width="${picture.width}"` : ''}${picture.height ? ` height="${picture.height}"` : ''}`;
  return `<img src="${escapeAttribute(kept.url)}" alt="${escapeAttribute(picture.alt)}"${size} />`;
}

/** Keeps runs of spaces and tabs, which separate columns of text, from collapsing. */
const textToHtml = (text: string): string =>
  escapeText(text)
    .replaceAll('\t', '\u2003')
    .replace(/ {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length - 1).concat(' '));

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');
