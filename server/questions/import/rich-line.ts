/**
 * Lines of formatted text, which the readers of Word and Excel both produce. A picture, formula or lost object counts as
 * one character. So markers can be found in the plain text, and lines can be cut at its offsets.
 */

import { lossMessages } from './rules.ts';

export type Mark = 'strong' | 'em' | 'u' | 's' | 'sub' | 'sup' | 'dot';

export interface TextSegment {
  text: string;
  marks: readonly Mark[];
}

/** A picture, by its name inside the file. Sizes in CSS pixels; undefined if the file has none. */
export interface PictureSegment {
  picture: {
    part: string;
    width?: number;
    height?: number;
    alt: string;
    crop?: PictureCrop;
    /** True for the picture of a formula that an older editor made. */
    isFormula?: boolean;
  };
}

/** Cut sides of a picture, as parts of its width and height. */
export interface PictureCrop {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Key of a picture in the map of kept pictures: the same part may be cut differently at two places. */
export function pictureKey({ part, crop }: PictureSegment['picture']): string {
  return crop ? `${part}${cropMark}${[crop.left, crop.top, crop.right, crop.bottom].join(',')}` : part;
}

/** Reads a key of `pictureKey`. */
export function readPictureKey(key: string): { part: string; crop?: PictureCrop } {
  const [part = '', sides] = key.split(cropMark);
  if (sides === undefined) return { part };
  const [left = 0, top = 0, right = 0, bottom = 0] = sides.split(',').map(Number);
  return { part, crop: { left, top, right, bottom } };
}

const cropMark = '\0crop=';

/** An object that the import cannot keep. `lost`: says so. `shown`: text in its place. */
export interface LostSegment {
  lost: string;
  shown: string;
}

/** A formula as LaTeX without `$`. `display`: true if it has a line of its own, in full size. */
export interface FormulaSegment {
  formula: string;
  display: boolean;
}

export type Segment = TextSegment | PictureSegment | FormulaSegment | LostSegment;

/** Place of a line in a list that Word numbers. `label`, such as `A.`, also begins the text of the line. */
export interface LineNumbering {
  /** Id of the list in the file; lists that count on from each other have different ids. */
  list: string;
  /** 0 for the outermost level. */
  level: number;
  label: string;
}

export interface TextLine {
  /** Number of the line in the document, from 1; 0 in an Excel cell. */
  number: number;
  segments: Segment[];
  /** True if the line continues the paragraph of the line before (Shift+Enter, or a line break in a cell). */
  continues: boolean;
  numbering?: LineNumbering;
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

/** Character that takes the place of a picture, formula or lost object in the plain text of a line. */
export const objectCharacter = '\ufffc';

export const isTable = (line: Line): line is TableLine => 'rows' in line;
export const isText = (segment: Segment): segment is TextSegment => 'text' in segment;
export const isPicture = (segment: Segment): segment is PictureSegment => 'picture' in segment;
export const isFormula = (segment: Segment): segment is FormulaSegment => 'formula' in segment;

/** Plain text of a line, with one character per picture, formula or lost object; `cutLine` takes offsets in it. */
export const plainLine = (line: TextLine): string =>
  line.segments.map((segment) => (isText(segment) ? segment.text : objectCharacter)).join('');

/** Returns the part of a line between two offsets of its plain text; numbered if it has the beginning of the line. */
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
  const { numbering, ...rest } = line;
  return { ...rest, segments, ...(numbering && from === 0 ? { numbering } : {}) };
}

/**
 * Appends text. If the formatting is the same, it is merged with the segment before, because Word splits words
 * anywhere.
 */
export function appendText(segments: Segment[], written: string, marks: readonly Mark[]): void {
  // Removes control characters and lone surrogates, which some databases refuse.
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

/** True for underlined spaces, which people use to draw a blank to fill in. */
const isDrawnBlank = (segment: Segment): boolean =>
  isText(segment) && segment.marks.includes('u') && segment.text !== '' && onlyWhite.test(segment.text);

/** Removes blank lines at both ends, and white space at both ends of each line. */
export function trimLines(lines: readonly Line[]): Line[] {
  const first = lines.findIndex((line) => !isBlankLine(line));
  if (first === -1) return [];
  const last = lines.findLastIndex((line) => !isBlankLine(line));
  return lines.slice(first, last + 1).map((line) => (isTable(line) ? line : trimLine(line)));
}

function trimLine(line: TextLine): TextLine {
  const plain = plainLine(line);
  if (line.segments.some(isDrawnBlank)) return line;
  // Full-width spaces indent text inside a field; at its start they are removed too.
  let from = 0;
  let to = plain.length;
  while (from < to && white.test(plain.charAt(from))) from += 1;
  while (to > from && white.test(plain.charAt(to - 1))) to -= 1;
  return from === 0 && to === plain.length ? line : cutLine(line, from, to);
}

/** Text of the lines, separated by line breaks, with formulas as `$LaTeX$`, without pictures and lost objects. */
export const plainText = (lines: readonly Line[]): string =>
  lines
    .map((line) =>
      isTable(line)
        ? line.rows.map((row) => row.map((cell) => plainText(cell.lines)).join(' ')).join('\n')
        : line.segments.map(plainSegment).join(''),
    )
    .join('\n')
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim();

function plainSegment(segment: Segment): string {
  if (isText(segment)) return segment.text;
  if (!isFormula(segment)) return '';
  // A lone number or letter, such as an answer 3 that was typed as a formula, reads like text.
  return /^-?[\dA-Za-z.]+$/.test(segment.formula) ? segment.formula : `$${segment.formula}$`;
}

/** Shown in place of a picture that was not kept. */
const lostPicture = '［图片］';
const lostFormula = '［公式］';

/** URL of a stored picture, or why it was not stored. */
export type KeptPicture = { url: string } | { lost: string };

/** Returns the keys of all pictures in the lines, also inside tables. */
export function picturesIn(lines: readonly Line[]): string[] {
  return lines.flatMap((line) =>
    isTable(line)
      ? line.rows.flatMap((row) => row.flatMap((cell) => picturesIn(cell.lines)))
      : line.segments.filter(isPicture).map((segment) => pictureKey(segment.picture)),
  );
}

/** Replaces the names of pictures inside the file by their addresses, and pictures that were not kept by a placeholder. */
export const withPictureAddresses = (lines: readonly Line[], pictures: ReadonlyMap<string, KeptPicture>): Line[] =>
  lines.map((line) =>
    isTable(line)
      ? {
          ...line,
          rows: line.rows.map((row) =>
            row.map((cell) => ({ ...cell, lines: withPictureAddresses(cell.lines, pictures) })),
          ),
        }
      : { ...line, segments: line.segments.map((segment) => withPictureAddress(segment, pictures)) },
  );

function withPictureAddress(segment: Segment, pictures: ReadonlyMap<string, KeptPicture>): Segment {
  if (!isPicture(segment)) return segment;
  const { crop: _, ...picture } = segment.picture;
  const kept = pictures.get(pictureKey(segment.picture));
  if (!kept || 'lost' in kept) return { lost: '', shown: picture.isFormula ? lostFormula : lostPicture };
  return { picture: { ...picture, part: kept.url } };
}

/** Maps each address in the lines to itself, for lines of `withPictureAddresses`. */
export const addressesIn = (lines: readonly Line[]): Map<string, KeptPicture> =>
  new Map(picturesIn(lines).map((url) => [url, { url }]));

export interface Loss {
  /** Number of the line in the document; 0 in an Excel cell. */
  number: number;
  message: string;
}

/** Lists the content of the lines that cannot be kept, in order. */
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
  if (isText(segment) || isFormula(segment)) return undefined;
  if (!isPicture(segment)) return segment.lost;
  const kept = pictures.get(pictureKey(segment.picture));
  const shows = segment.picture.isFormula ? 'formula' : 'picture';
  if (kept && 'lost' in kept) return shows === 'formula' ? lossMessages.formula : kept.lost;
  return shows === 'formula' ? lossMessages.formulaPicture : undefined;
}

/** Converts lines to HTML paragraphs and tables, in a form that `sanitizeRichText` leaves unchanged. */
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

/** Converts the lines of an option to HTML. A single line gets no paragraph, unlike in `linesToHtml`. */
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

/** Tags for each mark. `dot` is 加点字: a dot below a character whose reading is asked. */
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
  if (isFormula(segment)) return formulaToHtml(segment);
  if (!isText(segment)) return escapeText(segment.shown);
  // HTML would collapse the underlined spaces of a blank, so they become underscores.
  if (isDrawnBlank(segment)) return '_'.repeat(Math.min(Math.max(segment.text.length, 4), 40));
  const tags = segment.marks.map((mark) => markTags[mark]);
  return `${tags.map(([open]) => open).join('')}${textToHtml(segment.text)}${tags
    .map(([, close]) => close)
    .reverse()
    .join('')}`;
}

function pictureToHtml(picture: PictureSegment['picture'], pictures: ReadonlyMap<string, KeptPicture>): string {
  const kept = pictures.get(pictureKey(picture));
  if (!kept || 'lost' in kept) return picture.isFormula ? lostFormula : lostPicture;
  const size = `${picture.width ? ` width="${picture.width}"` : ''}${picture.height ? ` height="${picture.height}"` : ''}`;
  return `<img src="${escapeAttribute(kept.url)}" alt="${escapeAttribute(picture.isFormula ? '公式' : picture.alt)}"${size} />`;
}

/** Markup of the editor. A formula on a line of its own keeps its full size. */
function formulaToHtml({ formula, display }: FormulaSegment): string {
  const latex = escapeAttribute(display ? `\\displaystyle ${formula}` : formula);
  return `<span class="math" data-latex="${latex}">${latex}</span>`;
}

/** Keeps several spaces or tabs in a row, which align text in columns. */
const textToHtml = (text: string): string =>
  escapeText(text)
    .replaceAll('\t', '\u2003')
    .replace(/ {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length - 1).concat(' '));

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');
