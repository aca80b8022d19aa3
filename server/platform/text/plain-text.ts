/** Converts rich text (HTML) to plain text and excerpts, for search, names and previews; and typed text to HTML. */
import { Parser } from 'htmlparser2';
import { escapeHtml, formulaPattern } from './render-math.ts';

const blocks = new Set(['p', 'pre', 'br', 'hr', 'li', 'ul', 'ol', 'tr', 'td', 'th', 'table', 'caption', 'div']);
const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'textarea', 'svg', 'math']);

/** A piece of the visible content: a text, or a formula that has an element of its own. */
type TextPiece = { text: string } | { latex: string };

function piecesOf(html: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let inMath = 0;
  let hidden = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (hidden > 0 || unread.has(name)) hidden += 1;
        else if (inMath > 0) inMath += 1;
        else if (name === 'span' && attributes['data-latex'] !== undefined) {
          inMath = 1;
          pieces.push({ latex: attributes['data-latex'] });
        } else if (name === 'img') pieces.push({ text: '［图片］' });
        else if (blocks.has(name)) pieces.push({ text: ' ' });
      },
      ontext: (text) => {
        if (hidden === 0 && inMath === 0) pieces.push({ text });
      },
      onclosetag: (name) => {
        if (hidden > 0) hidden -= 1;
        else if (inMath > 0) inMath -= 1;
        else if (blocks.has(name)) pieces.push({ text: ' ' });
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return pieces;
}

const collapseSpaces = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ');

/** Returns the text on one line, for search and names; formulas as LaTeX, pictures as ［图片］. */
export const plainText = (html: string): string =>
  collapseSpaces(
    piecesOf(html)
      .map((piece) => ('latex' in piece ? piece.latex : piece.text))
      .join(''),
  ).trim();

/**
 * Returns the beginning of a text on one line, as HTML without formatting and pictures; at most `most` characters.
 * Formulas stay whole for `renderMath`, and count as long as their LaTeX.
 */
export function htmlExcerpt(html: string, most: number): string {
  let written = '';
  let left = most;
  /** Adds a piece; returns false once the maximum length is reached. */
  const write = (source: string, as: string): boolean => {
    const { length } = [...source];
    if (length <= left) written += as;
    left -= length;
    return left >= 0;
  };
  const writeText = (text: string): boolean => {
    const shown = [...text].slice(0, left).join('');
    written += escapeHtml(shown);
    left -= [...text].length;
    return left >= 0;
  };
  const writeTextWithFormulas = (text: string): boolean => {
    let at = 0;
    for (const match of text.matchAll(formulaPattern)) {
      if (!writeText(text.slice(at, match.index)) || !write(match[0], escapeHtml(match[0]))) return false;
      at = match.index + match[0].length;
    }
    return writeText(text.slice(at));
  };
  for (const piece of joinTexts(piecesOf(html))) {
    const isWhole =
      'latex' in piece
        ? write(piece.latex, `<span data-latex="${escapeHtml(piece.latex)}"></span>`)
        : writeTextWithFormulas(piece.text);
    if (!isWhole) return `${written}…`;
  }
  return written;
}

/** Joins neighbouring texts, because a formula may begin in one and end in the next. */
function joinTexts(pieces: readonly TextPiece[]): TextPiece[] {
  const whole: TextPiece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last && 'text' in last && 'text' in piece) last.text += piece.text;
    else whole.push({ ...piece });
  }
  return whole.map((piece, place): TextPiece => {
    if ('latex' in piece) return piece;
    let text = collapseSpaces(piece.text);
    if (place === 0) text = text.trimStart();
    if (place === whole.length - 1) text = text.trimEnd();
    return { text };
  });
}

/** Converts typed plain text to HTML: line breaks become <br />, white space is kept by a class. */
export function typedTextToHtml(text: string): string {
  const html = escapeHtml(text.replace(/\r\n?/g, '\n')).replaceAll('&quot;', '"').replaceAll('\n', '<br />');
  return /^\s|\s$|\s\s|>\s|\s<|[\t\f\v]/.test(html) ? `<span class="typed">${html}</span>` : html;
}
