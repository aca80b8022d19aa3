/** Converts the content of QTI items to rich text: pictures of the package, formulas, paragraphs. */
import { readForeignFormulas } from '#server/platform/text/foreign-formulas.ts';
import { isRenderedLatex } from '#server/platform/text/render-math.ts';
import { mayHoldForeignFormulas } from '#server/platform/text/rules.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { formulaSpan, textFormulas } from '../foreign-html.ts';
import type { KeptPicture } from '../rich-line.ts';
import { lossMessages } from '../rules.ts';
import type { QtiPictures } from './pictures.ts';
import { type Element, elementsOf, escapeAttribute, escapeText, type Node, parseHtml, serialize } from './tree.ts';

export interface ContentContext {
  /** Folder of the item's file in the package, without a slash at the end. */
  folder: string;
  pictures: QtiPictures;
  /** Receives a message for each content that cannot be kept. */
  lose: (message: string) => void;
  /** Returns the HTML that stands for an element, such as the place of an interaction; undefined: as usual. */
  replace?: (element: Element) => { html: string; isBlock: boolean } | undefined;
}

/** A piece of converted content: a block, or text that may run on. */
interface Piece {
  html: string;
  isBlock: boolean;
}

/**
 * Converts nodes to HTML in the product's markup. Pictures have provisional addresses until `placePictures`. Elements
 * such as `div` only separate paragraphs.
 */
export const contentHtml = (nodes: readonly Node[], context: ContentContext): string =>
  trim(joinPieces(piecesOf(nodes, context)));

const joinPieces = (pieces: readonly Piece[]): string => {
  const blocks: { html: string; isLine: boolean }[] = [];
  let line = '';
  const endLine = () => {
    if (trim(line) !== '') blocks.push({ html: trim(line), isLine: true });
    line = '';
  };
  for (const piece of pieces) {
    if (piece.isBlock) {
      endLine();
      if (piece.html !== '') blocks.push({ html: piece.html, isLine: false });
    } else {
      line += piece.html;
    }
  }
  // A text without blocks gets no paragraph.
  if (blocks.length === 0) return line;
  endLine();
  const [only] = blocks;
  if (only?.isLine && blocks.length === 1) return only.html;
  return blocks.map(({ html, isLine }) => (isLine ? `<p>${html}</p>` : html)).join('');
};

const piecesOf = (nodes: readonly Node[], context: ContentContext): Piece[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return inline(textFormulas(escapeText(node.replace(/\s*[\r\n]\s*/g, ' '))));
    const replaced = context.replace?.(node);
    return replaced ? [replaced] : elementPieces(node, context);
  });

const inline = (html: string): Piece[] => [{ html, isBlock: false }];
const block = (html: string): Piece[] => [{ html, isBlock: true }];

/** Removes white space, but keeps spaces that do not break. */
const trim = (html: string): string => html.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** Elements that the product's rich text has, with their own names there. */
const inlineNames: Readonly<Record<string, string>> = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  cite: 'em',
  var: 'em',
  u: 'u',
  ins: 'u',
  s: 's',
  del: 's',
  strike: 's',
  sub: 'sub',
  sup: 'sup',
};

const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 dt dd figcaption address'.split(' '));
/** Elements that separate paragraphs and hold any content. */
const containers = new Set(
  'div section article blockquote center main header footer figure dl details summary body html'.split(' '),
);
const tableParts = new Set('table thead tbody tfoot tr'.split(' '));
const cells = new Set(['td', 'th', 'li']);
const ignored = new Set('style link stylesheet stylesheets head title meta catalogInfo colgroup col'.split(' '));
const media = new Set('iframe video audio embed applet mediaInteraction include'.split(' '));
const controls = new Set('input select textarea button'.split(' '));

function elementPieces(element: Element, context: ContentContext): Piece[] {
  const { name, attributes, children } = element;
  if (isFormula(element)) return inline(formulaHtml(element, context));
  const inlineName = inlineNames[name];
  if (inlineName) return wrapInline(children, context, `<${inlineName}>`, `</${inlineName}>`);
  if (classesOf(element).includes('inline-text')) return piecesOf(children, context);
  if (paragraphs.has(name) || containers.has(name)) return block(paragraphHtml(element, piecesOf(children, context)));
  if (cells.has(name) || tableParts.has(name) || name === 'ul' || name === 'ol' || name === 'caption') {
    const inner = tableParts.has(name) || name === 'ul' || name === 'ol' ? elementsOf(element) : children;
    return block(`<${name}${ownAttributes(element)}>${contentHtml(inner, context)}</${name}>`);
  }
  if (name === 'pre') return block(`<pre>${preformatted(children)}</pre>`);
  if (name === 'br') return inline('<br />');
  if (name === 'hr') return block('<hr />');
  if (name === 'img' || (name === 'object' && /^image\//.test(attributes.type ?? ''))) {
    return inline(pictureHtml(element, context));
  }
  if (name === 'script') {
    context.lose(lossMessages.script);
    return [];
  }
  if (name === 'svg' || name === 'canvas') {
    context.lose(lossMessages.shape);
    return inline('［图片］');
  }
  if (media.has(name) || name === 'object') {
    context.lose(lossMessages.media);
    return name === 'object' ? piecesOf(children, context) : [];
  }
  if (controls.has(name)) {
    context.lose(lossMessages.control);
    return [];
  }
  if (name === 'printedVariable') context.lose(lossMessages.variable);
  if (ignored.has(name)) return [];
  if (name === 'rt') return wrapInline(children, context, '（', '）');
  if (name === 'rp') return [];
  if (name === 'q') return wrapInline(children, context, '“', '”');
  if (name === 'a' && /^https?:/.test(attributes.href ?? '')) context.lose(lossMessages.link);
  if (name === 'span') return spanPieces(element, context);
  return piecesOf(children, context);
}

/** Text inside an element of the line; blocks in it stay blocks. */
function wrapInline(children: readonly Node[], context: ContentContext, open: string, close: string): Piece[] {
  const pieces = piecesOf(children, context);
  if (pieces.some((piece) => piece.isBlock)) return pieces;
  return inline(`${open}${joinPieces(pieces)}${close}`);
}

/** Blocks in a paragraph or container stand for themselves. */
function paragraphHtml(element: Element, pieces: readonly Piece[]): string {
  const html = trim(joinPieces(pieces));
  if (html === '' && classesOf(element).includes('blank-line')) return `<p${ownAttributes(element)}></p>`;
  if (html === '' || pieces.some((piece) => piece.isBlock)) return html;
  return `<p${ownAttributes(element)}>${html}</p>`;
}

const preformatted = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? escapeText(node) : preformatted(node.children))).join('');

const classesOf = ({ attributes }: Element): string[] => (attributes.class ?? '').split(/\s+/);

/** Classes that the export writes where QTI has no element or attribute, and the shared classes of QTI 3. */
function spanPieces(element: Element, context: ContentContext): Piece[] {
  const classes = classesOf(element);
  if (classes.includes('qti-underline')) return wrapInline(element.children, context, '<u>', '</u>');
  if (classes.includes('line-through')) return wrapInline(element.children, context, '<s>', '</s>');
  const style = classes.includes('emphasis-dot') ? emphasisDot : (element.attributes.style ?? '');
  // Classic editors write underlined text as a style.
  if (/text-decoration[^;]*underline/.test(style)) return wrapInline(element.children, context, '<u>', '</u>');
  if (/text-emphasis/.test(style)) {
    return wrapInline(element.children, context, `<span style="${escapeAttribute(style)}">`, '</span>');
  }
  return piecesOf(element.children, context);
}

const emphasisDot = 'text-emphasis:filled dot;text-emphasis-position:under right';

function ownAttributes(element: Element): string {
  const { attributes } = element;
  const classes = classesOf(element);
  const align =
    classes.map((name) => /^qti-align-(left|center|right|justify)$/.exec(name)?.[1]).find(Boolean) ??
    /text-align:\s*(left|center|right|justify)/.exec(attributes.style ?? '')?.[1];
  const start = classes.map((name) => /^list-start-(\d+)$/.exec(name)?.[1]).find(Boolean) ?? attributes.start;
  const pairs: [string, string | undefined][] = [
    ['colspan', attributes.colspan],
    ['rowspan', attributes.rowspan],
    ['start', start],
    ['style', align && `text-align:${align}`],
  ];
  return pairs.map(([name, value]) => (value ? ` ${name}="${escapeAttribute(value)}"` : '')).join('');
}

// ---- formulas --------------------------------------------------------------------------------

function isFormula({ name, attributes }: Element): boolean {
  if (name === 'math' || name === 'mjx-container') return true;
  if (name === 'script') return /^math\/tex/.test(attributes.type ?? '');
  if (name === 'img') return canvasLatex(attributes) !== undefined;
  return name === 'span' && mayHoldForeignFormulas(`<span ${attributes.class ?? ''}`);
}

function formulaHtml(element: Element, context: ContentContext): string {
  const { name, attributes } = element;
  const latex = name === 'script' ? serialize(element.children) : canvasLatex(attributes);
  if (latex !== undefined) return formulaSpan(latex, /mode=display/.test(attributes.type ?? ''));
  const read = foreignFormula(element);
  if (read.unread > 0) context.lose(lossMessages.formula);
  const isDisplay = attributes.display === 'block' && !read.latex?.startsWith('\\displaystyle ');
  return read.latex !== undefined && isDisplay ? formulaSpan(read.latex, true) : read.html;
}

/** Reads a formula. LaTeX that KaTeX does not know is read again from the MathML beside it. */
function foreignFormula(element: Element): { html: string; unread: number; latex: string | undefined } {
  const read = readForeignFormulas(serialize([element]));
  const latex = latexOf(read.html);
  if (latex === undefined || isRenderedLatex(latex)) return { ...read, latex };
  const { alttext: _, ...attributes } = element.attributes;
  const again = readForeignFormulas(
    serialize([{ ...element, attributes, children: withoutAnnotations(element.children) }]),
  );
  const other = latexOf(again.html);
  return other !== undefined && isRenderedLatex(other) ? { ...again, latex: other } : { ...read, latex };
}

const latexOf = (html: string): string | undefined => {
  const [math] = parseHtml(html);
  return math !== undefined && typeof math !== 'string' ? math.attributes['data-latex'] : undefined;
};

const withoutAnnotations = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node): Node[] => {
    if (typeof node === 'string') return [node];
    if (node.name === 'annotation') return [];
    return [{ ...node, children: withoutAnnotations(node.children) }];
  });

/** Returns the LaTeX of an equation image of Canvas, whose address holds it encoded twice. */
function canvasLatex(attributes: Element['attributes']): string | undefined {
  const content = attributes['data-equation-content'];
  if (content) return content;
  const isEquation = /(?:^|\s)equation_image(?:\s|$)/.test(attributes.class ?? '');
  const encoded = /\/equation_images\/([^?#]+)/.exec(attributes.src ?? '')?.[1];
  if (encoded === undefined) return isEquation ? attributes.alt?.replace(/^LaTeX:\s*/, '') : undefined;
  try {
    return decodeURIComponent(decodeURIComponent(encoded));
  } catch {
    return undefined;
  }
}

// ---- pictures --------------------------------------------------------------------------------

function pictureHtml({ name, attributes, children }: Element, context: ContentContext): string {
  const source = (name === 'object' ? attributes.data : attributes.src)?.trim() ?? '';
  const alt =
    name === 'object'
      ? serialize(children)
          .replace(/<[^<>]*>/g, '')
          .trim()
      : (attributes.alt ?? '');
  const sizes = [
    ['width', attributes.width],
    ['height', attributes.height],
  ].map(([side, pixels]) =>
    /^\d{1,4}(?:px)?$/.test(pixels ?? '') ? ` ${side}="${Number.parseInt(pixels ?? '', 10)}"` : '',
  );
  const number = context.pictures.add(source, context.folder);
  return `<img src="${provisional(number)}" alt="${escapeAttribute(alt.replace(/\s+/g, ' ') || '图片')}"${sizes.join('')} />`;
}

const provisional = (number: number): string => `/files/picture-of-package/${number}`;

/** Numbers of the pictures in converted HTML. */
export const picturesIn = (html: string): number[] =>
  [...html.matchAll(/"\/files\/picture-of-package\/(\d+)"/g)].map(([, number]) => Number(number));

/** Gives pictures their addresses, and sanitizes the HTML. A lost picture is named in `lose`. */
export function finishHtml(
  html: string,
  keptPicture: (number: number) => KeptPicture | undefined,
  lose: (message: string) => void,
): string {
  const placed = html.replace(/<img src="\/files\/picture-of-package\/(\d+)"([^<>]*)>/g, (_, number, rest) => {
    const kept = keptPicture(Number(number));
    if (kept && 'url' in kept) return `<img src="${escapeAttribute(kept.url)}"${rest}>`;
    lose(kept?.lost ?? lossMessages.missingPicture);
    return '［图片］';
  });
  return sanitizeRichText(placed);
}
