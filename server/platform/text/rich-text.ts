import { createRequire } from 'node:module';
import { Parser } from 'htmlparser2';
import type katex from 'katex';
import type sanitizeHtml from 'sanitize-html';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { readForeignFormulas } from './foreign-formulas.ts';
import { mayHoldForeignFormulas } from './rules.ts';

/**
 * Rich text (HTML) of questions, options, answers and explanations: sanitizing, plain text for search and previews, and
 * formulas as MathML. A formula is `<span class="math" data-latex="…">`, or `$…$` and `\(…\)` in the text.
 */

/**
 * KaTeX and the sanitizer load on first use, for a smaller start. The minified KaTeX keeps a quarter as much source
 * text in memory.
 */
const require = createRequire(import.meta.url);
const formulaMaker = (): typeof katex => require('katex/dist/katex.min.js');
const sanitizer = (): typeof sanitizeHtml => require('sanitize-html');

const ownFile = /^\/files\/(?!\/)[\w\-./%]+(?:\?[\w\-=&%.]*)?$/;
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

const isOwnPicture = (address: string): boolean =>
  inlinePicture.test(address) || (ownFile.test(address) && !/(?:^|\/)\.\.?(?:\/|$)|%2e|%2f|%5c/i.test(address));

const isSize = (value: string | undefined): boolean => /^[1-9]\d{0,3}$/.test(value ?? '');
const isSpan = (value: string | undefined): boolean => /^[1-9]\d?$/.test(value ?? '');

/** Maximum characters of one formula. */
const maxLatex = 4_000;

type Attributes = Record<string, string>;

/** Filters attributes by `allowed`; the sanitizer's allow-list filters the others. */
const keep = (
  attributes: Attributes,
  allowed: Readonly<Record<string, (value: string | undefined) => boolean>>,
): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => !(name in allowed) || allowed[name]?.(value) === true),
  );

const blocksAsParagraphs = Object.fromEntries(
  ['div', 'section', 'article', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, 'p']),
);

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'pre',
    'br',
    'hr',
    'strong',
    'em',
    'u',
    's',
    'sub',
    'sup',
    'ul',
    'ol',
    'li',
    'span',
    'img',
    'table',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'caption',
  ],
  allowedAttributes: {
    img: ['src', 'alt', 'width', 'height'],
    span: ['class', 'data-latex', 'style'],
    p: ['style'],
    th: ['colspan', 'rowspan', 'style'],
    td: ['colspan', 'rowspan', 'style'],
    ol: ['start'],
  },
  allowedClasses: { span: ['math'] },
  allowedStyles: {
    '*': { 'text-align': [/^(?:left|center|right|justify)$/] },
    // Emphasis dot under a character (加点字).
    span: {
      'text-emphasis': [/^filled dot$/],
      'text-emphasis-position': [/^under(?: right)?$/],
    },
  },
  allowedSchemes: [],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  nestingLimit: 60,
  transformTags: {
    ...blocksAsParagraphs,
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    ins: 'u',
    // Default alt text, so that screen readers announce a picture.
    img: (tagName, attributes) => ({
      tagName,
      attribs: keep('alt' in attributes ? attributes : { ...attributes, alt: '图片' }, {
        width: isSize,
        height: isSize,
      }),
    }),
    td: (tagName, attributes) => ({ tagName, attribs: keep(attributes, { colspan: isSpan, rowspan: isSpan }) }),
    th: (tagName, attributes) => ({ tagName, attribs: keep(attributes, { colspan: isSpan, rowspan: isSpan }) }),
    ol: (tagName, attributes) => ({ tagName, attribs: keep(attributes, { start: isSize }) }),
    span: (tagName, attributes) => ({ tagName, attribs: mathAttributes(attributes) }),
  },
  exclusiveFilter: (frame) => frame.tag === 'img' && !isOwnPicture(frame.attribs.src ?? ''),
};

/** Keeps `data-latex` and the class only together. */
function mathAttributes(attributes: Attributes): Attributes {
  const { class: names = '', 'data-latex': latex, ...rest } = attributes;
  const isMath =
    names.split(/\s+/).includes('math') && latex !== undefined && latex.trim() !== '' && latex.length <= maxLatex;
  return isMath ? { class: 'math', 'data-latex': latex } : rest;
}

/**
 * Sanitizes HTML for storage: editor tags, our own pictures and formulas stay. The result is safe to send to browsers
 * (XSS).
 */
export const sanitizeRichText = (html: string): string =>
  // PostgreSQL refuses NUL characters.
  sanitizer()(readForeignFormulas(html.replaceAll('\0', '')).html, options).trim();

const media = new Set(['video', 'audio', 'iframe', 'object', 'embed']);
const drawings = new Set(['svg', 'canvas', 'v:imagedata']);

/** Returns a sentence about visible content that sanitizing would drop; undefined if there is none. */
export function unstorable(html: string): string | undefined {
  if (!/<(?:img|video|audio|iframe|object|embed|svg|canvas|v:imagedata)\b/i.test(html) && !mayHoldForeignFormulas(html))
    return undefined;
  const { html: read, unread } = readForeignFormulas(html);
  let pictures = 0;
  let others = 0;
  const parser = new Parser({
    onopentag: (name, { src = '', 'aria-hidden': isIcon }) => {
      if (name === 'img' && !isOwnPicture(src)) pictures += 1;
      if (drawings.has(name) && isIcon !== 'true') pictures += 1;
      if (media.has(name)) others += 1;
    },
  });
  parser.end(read);
  if (pictures > 0) return `有${pictures}张图片没有上传，请上传后再插入`;
  if (unread > 0) return `有${unread}个公式无法识别，请用 LaTeX 重新输入`;
  return others > 0 ? '不能插入视频、音频和网页，请删除后再提交' : undefined;
}

const blocks = new Set(['p', 'pre', 'br', 'hr', 'li', 'ul', 'ol', 'tr', 'td', 'th', 'table', 'caption', 'div']);
const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'textarea', 'svg', 'math']);

/** Visible content in order: text, and formulas in their own elements. */
type Piece = { text: string } | { latex: string };

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
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

const inOneLine = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ');

/** Plain text on one line, for search and names; formulas as LaTeX, pictures as ［图片］. */
export const plainText = (html: string): string =>
  inOneLine(
    piecesOf(html)
      .map((piece) => ('latex' in piece ? piece.latex : piece.text))
      .join(''),
  ).trim();

/**
 * Returns the first `max` characters on one line, as HTML without formatting and pictures. Formulas stay whole for
 * `renderMath`; each counts as long as its LaTeX.
 */
export function beginningOf(html: string, most: number): string {
  let written = '';
  let left = most;
  /** Returns false once the length is used up. */
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
    for (const match of text.matchAll(formulaInText)) {
      if (!writeText(text.slice(at, match.index)) || !write(match[0], escapeHtml(match[0]))) return false;
      at = match.index + match[0].length;
    }
    return writeText(text.slice(at));
  };
  for (const piece of joined(piecesOf(html))) {
    const isWhole =
      'latex' in piece
        ? write(piece.latex, `<span data-latex="${escapeHtml(piece.latex)}"></span>`)
        : writeTextWithFormulas(piece.text);
    if (!isWhole) return `${written}…`;
  }
  return written;
}

/** Joins adjacent texts, since a formula may begin in one and end in the next. */
function joined(pieces: readonly Piece[]): Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last && 'text' in last && 'text' in piece) last.text += piece.text;
    else whole.push({ ...piece });
  }
  return whole.map((piece, place): Piece => {
    if ('latex' in piece) return piece;
    let text = inOneLine(piece.text);
    if (place === 0) text = text.trimStart();
    if (place === whole.length - 1) text = text.trimEnd();
    return { text };
  });
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Converts typed plain text to HTML: line breaks become <br />, white space is kept by a class. */
export function typedText(text: string): string {
  const html = escapeHtml(text.replace(/\r\n?/g, '\n')).replaceAll('&quot;', '"').replaceAll('\n', '<br />');
  return /^\s|\s$|\s\s|>\s|\s<|[\t\f\v]/.test(html) ? `<span class="typed">${html}</span>` : html;
}

const voidTags = new Set(['br', 'hr', 'img']);

/**
 * Renders the formulas of sanitized HTML as MathML, which browsers show from Chrome 109 on without fonts, styles or
 * scripts. Invalid LaTeX stays as written. Pass only output of `sanitizeRichText`.
 */
export function renderMath(html: string): string {
  // Fast path: most texts have no formula and need no parsing.
  if (!mayHaveFormulas(html)) return html;
  return kept(textKey(html), () =>
    writeMath(html, createFormulas()).replace(formulaWithSigns, '<span class="katex">$1$2$3</span>'),
  );
}

const mayHaveFormulas = (html: string): boolean => /\$|\\\(|\\\[|data-latex/.test(html);

function writeMath(html: string, formulas: Formulas): string {
  let written = '';
  // The parser splits text at entities; a formula with < or & must be joined first.
  let text = '';
  let inMath = 0;
  /** Inside <pre>, `$` is program text. */
  let inPre = 0;
  const writeText = () => {
    written += inPre > 0 ? escapeHtml(text) : textWithFormulas(text, formulas);
    text = '';
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (inMath > 0) {
          inMath += 1;
          return;
        }
        writeText();
        const latex = name === 'span' ? attributes['data-latex'] : undefined;
        if (latex !== undefined) {
          inMath = 1;
          written += formulas(latex, false, latex);
          return;
        }
        if (name === 'pre') inPre += 1;
        const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
        written += `<${name}${pairs.join('')}${voidTags.has(name) ? ' />' : '>'}`;
      },
      ontext: (piece) => {
        if (inMath === 0) text += piece;
      },
      onclosetag: (name) => {
        if (inMath > 0) {
          inMath -= 1;
          return;
        }
        writeText();
        if (name === 'pre') inPre -= 1;
        if (!voidTags.has(name)) written += `</${name}>`;
      },
      onend: writeText,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return written;
}

/**
 * Browsers may break a line before and after a formula. Adjacent punctuation goes into the formula's element, which
 * theme.css keeps on one line: no line may start with a comma or end with an opening bracket.
 */
const formulaWithSigns =
  /([（［《〈“‘【〔([]?)<span class="katex">(<math\b[\s\S]*?<\/math>)<\/span>([，。；：、！？）］》〉”’】〕％…,.;:!?)\]%]{0,3})/g;

/**
 * Finds formulas in text. As in Pandoc, `$` opens before a visible character and closes after one, and not before a
 * digit. Chinese is allowed only inside \text{}, so that 价格从$5涨到$10，又降到$8 is money. A formula ends before the next one
 * opens, which keeps matching linear.
 */
const formulaInText =
  /\\\$|\$\$([^$]{1,2000})\$\$|\$(?![\s$])((?:\\(?:text|mathrm|mbox)\{[^{}$]*\}|\\(?!(?:text|mathrm|mbox)\{).|[^$\\\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]){1,1000}?)(?<!\s)\$(?!\d)|\\\(((?:[^\\]|\\[^()]){1,1000}?)\\\)|\\\[((?:[^\\]|\\[^[\]]){1,2000}?)\\\]/g;

function textWithFormulas(text: string, formulas: Formulas): string {
  let written = '';
  let at = 0;
  for (const match of text.matchAll(formulaInText)) {
    written += escapeHtml(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, display, inline, inParentheses, inBrackets] = match;
    const latex = display ?? inline ?? inParentheses ?? inBrackets;
    written += latex === undefined ? '$' : formulas(latex, display !== undefined || inBrackets !== undefined, whole);
  }
  return written + escapeHtml(text.slice(at));
}

type Formulas = (latex: string, displayMode: boolean, source: string) => string;

/** Maximum formulas rendered per text; each takes time of the request. */
export const maxFormulas = 300;

function createFormulas(): Formulas {
  let count = 0;
  return (latex, displayMode, source) => {
    count += 1;
    if (count > maxFormulas || latex.length > maxLatex) return escapeHtml(source);
    return formula(latex, displayMode) ?? `<code class="math-source">${escapeHtml(source)}</code>`;
  };
}

/** Returns the MathML of a formula; null if the LaTeX is invalid. Cached. */
const formula = (latex: string, displayMode: boolean): string | null =>
  kept(formulaKey(latex, displayMode), () => mathMl(latex, displayMode));

function kept<Made extends string | null>(key: string, make: () => Made): Made {
  const known = rendered.get(key) as Made | undefined;
  if (known !== undefined) {
    // LRU: moves the entry to the end.
    rendered.delete(key);
    rendered.set(key, known);
    return known;
  }
  const made = make();
  rendered.set(key, made);
  renderedSize += sizeOf(key, made);
  for (const [oldest, its] of rendered) {
    if (renderedSize <= maxRendered) break;
    rendered.delete(oldest);
    renderedSize -= sizeOf(oldest, its);
  }
  return made;
}

/**
 * LRU cache of rendered formulas and texts: rendering takes 0.1 ms and more, and the same ones are shown again and
 * again.
 */
const rendered = new Map<string, string | null>();
/** Maximum characters in the cache. */
const maxRendered = 4_000_000;
let renderedSize = 0;

const formulaKey = (latex: string, displayMode: boolean): string => `${displayMode ? 'd' : 'i'}${latex}`;
const textKey = (html: string): string => `t${html}`;
const sizeOf = (key: string, made: string | null): number => key.length + (made?.length ?? 0);

/** Em: limit for lengths in LaTeX. */
const maxFormulaSize = 20;

function mathMl(latex: string, displayMode: boolean): string | null {
  try {
    const html = formulaMaker().renderToString(latex, {
      displayMode,
      output: 'mathml',
      trust: false,
      strict: 'ignore',
      maxExpand: 200,
      maxSize: maxFormulaSize,
      // The LaTeX source says more than KaTeX's red error with an English title.
      throwOnError: true,
    });
    return withinThePage(html);
  } catch {
    return null;
  }
}

/** Symbols of a formula that fit on one line of a phone. */
const maxSignsInLine = 24;

/**
 * Clamps the shift of `\raisebox`, which KaTeX does not limit. A wide formula gets a scrolling box, since browsers do
 * not break it.
 */
function withinThePage(html: string): string {
  const bounded = html.replace(/ voffset="(-?)[\d.]+em"/g, (whole, sign: string) =>
    Number.parseFloat(whole.replace(/[^\d.]/g, '')) > maxFormulaSize ? ` voffset="${sign}${maxFormulaSize}em"` : whole,
  );
  const signs = bounded.replace(/<annotation[\s\S]*?<\/annotation>|<[^<>]*>|&#?\w+;/g, (part) =>
    part.startsWith('&') ? ' ' : '',
  );
  return signs.length > maxSignsInLine ? bounded.replace('<math ', '<math class="wide" ') : bounded;
}

/**
 * Renders the formulas of texts into the cache and yields to the event loop in between. A paper of a hundred questions
 * has too many for one turn.
 */
export async function prepareFormulas(texts: Iterable<string>, turns = new Yielding()): Promise<void> {
  for (const html of texts) {
    if (!mayHaveFormulas(html) || rendered.has(textKey(html))) continue;
    for (const { latex, displayMode } of formulasOf(html)) {
      formula(latex, displayMode);
      await turns.others();
    }
  }
}

/** Formulas that `renderMath` would render. */
function formulasOf(html: string): { latex: string; displayMode: boolean }[] {
  const found: { latex: string; displayMode: boolean }[] = [];
  writeMath(html, (latex, displayMode) => {
    if (found.length < maxFormulas && latex.length <= maxLatex) found.push({ latex, displayMode });
    return '';
  });
  return found;
}

// ---- Limits for the size of texts --------------------------------------------------------------

/** Maximum tags of the texts checked together; a table of 500 cells is a quarter of it. */
const maxMarkup = 4_000;

const tooElaborateMessage = '内容的格式过于复杂，请清除格式或分成几部分后再提交';

/**
 * Returns why these texts are too elaborate to sanitize and render, which would block other requests; else undefined.
 * Scans them without parsing.
 */
export function tooElaborate(texts: readonly string[]): string | undefined {
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

/** Like `tooElaborate` for everything sent together; `max` in tags. */
export const tooElaborateTogether = (texts: readonly string[], most: number): string | undefined =>
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

/** Upper bound of formulas in a text: `$` comes in pairs. */
const formulaSigns = (html: string): number =>
  count(html, 'data-latex') + count(html, '\\(') + count(html, '\\[') + Math.ceil(dollars(html) / 2);

/** `$$` counts once. */
const dollars = (html: string): number => html.match(/\$+/g)?.length ?? 0;
