/**
 * Converts the HTML of questions, options and posted pages to data for Typst. Only elements named in this file are
 * kept; scripts, frames, forms, styles and links are dropped.
 */

import { type DefaultTreeAdapterTypes, html as namespaces, parseFragment } from 'parse5';
import type { Block, Flag, Inline, TableCell } from './blocks.ts';
import { type FormulaNode, formulaFromLatex, formulaFromMathMl } from './formula.ts';
import { keepSpaces, textRuns, trimLine } from './text-runs.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const dropped = new Set([
  'script',
  'style',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'template',
  'svg',
  'noscript',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'button',
  'input',
  'select',
  'textarea',
  'datalist',
  'audio',
  'video',
  'canvas',
  'map',
  'area',
  'dialog',
  'progress',
  'meter',
]);

const paragraphs = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'nav',
  'aside',
  'address',
  'figure',
  'figcaption',
  'form',
  'fieldset',
  'legend',
  'details',
  'summary',
  'dl',
  'dt',
  'dd',
  'center',
  'body',
  'html',
  'hgroup',
  'search',
]);

const lists = new Set(['ul', 'ol', 'menu']);

const flags: Record<string, Flag> = {
  b: 'b',
  strong: 'b',
  th: 'b',
  i: 'i',
  em: 'i',
  cite: 'i',
  var: 'i',
  u: 'u',
  ins: 'u',
  s: 's',
  del: 's',
  summary: 'b',
  legend: 'b',
  dt: 'b',
  strike: 's',
  sup: 'p',
  sub: 'd',
  code: 'c',
  kbd: 'c',
  samp: 'c',
  tt: 'c',
};

/** Maximum depth of nested lists and tables. Deeper ones are flattened, because Typst limits nested calls. */
const deepestBlocks = 5;
/** Maximum depth of the HTML tree, deeper than any editor makes; the rest is dropped. */
const deepestTree = 200;

export function blocksFromHtml(html: string): Block[] {
  const builder = new Builder(0);
  builder.walk(parseFragment(html).childNodes, '', 0);
  return builder.finish();
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((one) => one.name === name)?.value ?? '';
}

function hasClass(element: Element, ...names: string[]): boolean {
  const classes = attribute(element, 'class').split(/\s+/);
  return names.some((name) => classes.includes(name));
}

/**
 * True for elements that are skipped because they are hidden. Only the MathML in KaTeX's output is printed; its visual
 * copy is aria-hidden.
 */
function isHidden(element: Element): boolean {
  return (
    element.namespaceURI === namespaces.NS.SVG ||
    dropped.has(element.tagName) ||
    element.attrs.some((one) => one.name === 'hidden') ||
    attribute(element, 'aria-hidden') === 'true' ||
    /display\s*:\s*none/i.test(attribute(element, 'style'))
  );
}

interface Formula {
  /** Null if the formula could not be converted; then `source` is printed. */
  node: FormulaNode | null;
  source: string;
  /** True for a displayed formula. */
  block: boolean;
}

/**
 * Reads the formula of an element: MathML, `data-latex`, or the text of `class="math"`. Undefined if the element is no
 * formula.
 */
function formulaOf(element: Element): Formula | undefined {
  const isMathMl = element.tagName === 'math';
  const text = plainText(element.childNodes).trim();
  const source = isMathMl ? text : attribute(element, 'data-latex') || (hasClass(element, 'math') ? text : '');
  if (!source && !isMathMl) return undefined;
  const node = isMathMl ? formulaFromMathMl(element) : formulaFromLatex(source);
  const hasOwnLine = hasClass(element, 'math-display') || attribute(element, 'display') === 'block';
  return { node, source, block: element.tagName === 'div' || hasOwnLine };
}

function plainText(nodes: Node[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'tagName' in node ? plainText(node.childNodes) : ''))
    .join('');
}

/** Returns the text of program code, with its line breaks. */
const linesOf = (nodes: Node[]): string =>
  nodes
    .map((node) => {
      if ('value' in node) return node.value;
      if (!('tagName' in node)) return '';
      return node.tagName === 'br' ? '\n' : linesOf(node.childNodes);
    })
    .join('');

class Builder {
  private readonly blocks: Block[] = [];
  private line: Inline[] = [];
  private align: 'center' | 'right' | undefined;
  private readonly depth: number;

  constructor(depth: number) {
    this.depth = depth;
  }

  finish(): Block[] {
    this.endParagraph();
    return this.blocks;
  }

  private endParagraph(): void {
    const line = trimLine(this.line);
    this.line = [];
    if (line.length > 0) this.blocks.push({ k: 'p', c: line, ...(this.align ? { align: this.align } : {}) });
  }

  private add(block: Block): void {
    this.endParagraph();
    this.blocks.push(block);
  }

  private inside(nodes: Node[], style: string, level: number): Block[] {
    const builder = new Builder(this.depth + 1);
    builder.walk(nodes, style, level);
    return builder.finish();
  }

  walk(nodes: Node[], style: string, level: number): void {
    if (level > deepestTree) return;
    for (const node of nodes) {
      if (node.nodeName === '#text' && 'value' in node) this.line.push(...textRuns(node.value, style));
      else if ('tagName' in node) this.element(node, style, level + 1);
    }
  }

  private element(element: Element, style: string, level: number): void {
    const name = element.tagName;
    const formula = isHidden(element) ? undefined : formulaOf(element);
    const canNest = this.depth < deepestBlocks;
    if (isHidden(element)) return;
    if (formula !== undefined) this.formula(formula);
    else if (/^h[1-6]$/.test(name)) this.heading(element, style, level);
    else if (paragraphs.has(name)) this.paragraph(element, style, level);
    else if (name === 'br') this.line.push({ k: 'br' });
    else if (name === 'hr') this.add({ k: 'rule' });
    else if (name === 'img') this.picture(element);
    else if (name === 'pre')
      this.add({ k: 'pre', t: keepSpaces(linesOf(element.childNodes).replace(/^\n|\s+$/g, '')) });
    else if (canNest && lists.has(name)) this.list(element, style, level);
    else if (canNest && name === 'table') this.table(element, style, level);
    else if (canNest && name === 'blockquote') this.quote(element, style, level);
    // Part of a list or table that is outside of one, or nested too deeply: becomes a paragraph.
    else if (['li', 'tr', 'td', 'th', 'blockquote'].includes(name)) this.paragraph(element, style, level);
    else {
      const flag = hasClass(element, 'typed') ? 'w' : (flags[name] ?? flagOfStyle(attribute(element, 'style')));
      this.walk(element.childNodes, flag && !style.includes(flag) ? style + flag : style, level);
    }
  }

  private formula(found: Formula): void {
    if (found.node && found.block) this.add({ k: 'equation', c: found.node });
    // Display style even inside a line, as is usual in Chinese papers, because small fractions are hard to read in
    // print.
    else if (found.node) this.line.push({ k: 'formula', c: { k: 'style', c: found.node, t: 'display' } });
    else if (found.source) this.line.push({ k: 'source', t: found.source });
  }

  private heading(element: Element, style: string, level: number): void {
    for (const block of this.inside(element.childNodes, style, level)) {
      this.add(block.k === 'p' ? { k: 'h', level: Number(element.tagName[1]), c: block.c } : block);
    }
  }

  private quote(element: Element, style: string, level: number): void {
    this.add({ k: 'quote', c: this.inside(element.childNodes, style, level) });
  }

  private paragraph(element: Element, style: string, level: number): void {
    this.endParagraph();
    const before = this.align;
    const align = /text-align\s*:\s*(center|right|left)/i.exec(attribute(element, 'style'))?.[1]?.toLowerCase();
    if (align === 'center' || align === 'right') this.align = align;
    else if (align === 'left') this.align = undefined;
    const flag = flags[element.tagName];
    this.walk(element.childNodes, flag ? style + flag : style, level);
    this.endParagraph();
    this.align = before;
  }

  private picture(element: Element): void {
    const source = attribute(element, 'src');
    if (!source) return;
    const style = attribute(element, 'style');
    const size = (name: 'width' | 'height') => {
      const written = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([\\d.]+)px`, 'i').exec(style)?.[1];
      const value = Number(written ?? /^[\d.]+(?:px)?$/.exec(attribute(element, name))?.[0].replace('px', ''));
      return value > 0 && value < 10_000 ? { [name]: value } : {};
    };
    this.line.push({ k: 'picture', source, ...size('width'), ...size('height') });
  }

  private list(element: Element, style: string, level: number): void {
    const items = element.childNodes
      .filter((child): child is Element => 'tagName' in child && !dropped.has(child.tagName))
      .map((child) => this.inside(child.childNodes, style, level));
    const start = Number.parseInt(attribute(element, 'start'), 10);
    const ordered = element.tagName === 'ol';
    this.add({ k: 'list', ordered, start: start >= 0 && start < 1_000_000 ? start : 1, items });
  }

  /** Places the cells of a table on a grid as browsers do, so that overlapping or overlong spans are harmless. */
  private table(element: Element, style: string, level: number): void {
    const rows = tableRows(element).slice(0, 2000);
    const taken = new Set<string>();
    const cells: TableCell[] = [];
    const widest = 40;
    rows.forEach((row, y) => {
      let x = 0;
      for (const cell of row.childNodes) {
        if (!('tagName' in cell) || (cell.tagName !== 'td' && cell.tagName !== 'th')) continue;
        while (taken.has(`${x},${y}`)) x += 1;
        if (x >= widest) break;
        const span = (name: string, most: number) =>
          Math.min(Math.max(1, Number.parseInt(attribute(cell, name), 10) || 1), most);
        const tall = span('rowspan', rows.length - y);
        let wide = span('colspan', widest - x);
        for (let step = 1; step < wide; step += 1) if (taken.has(`${x + step},${y}`)) wide = step;
        for (let down = 0; down < tall; down += 1) {
          for (let step = 0; step < wide; step += 1) taken.add(`${x + step},${y + down}`);
        }
        const head = cell.tagName === 'th';
        const c = this.inside(cell.childNodes, head ? `${style}b` : style, level);
        cells.push({ x, y, columns: wide, rows: tall, head, c });
        x += wide;
      }
    });
    const columns = Math.max(0, ...cells.map((cell) => cell.x + cell.columns));
    if (columns > 0) this.add({ k: 'table', columns, cells });
  }
}

function tableRows(element: Element): Element[] {
  return element.childNodes.flatMap((child) => {
    if (!('tagName' in child)) return [];
    if (child.tagName === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.tagName) ? tableRows(child) : [];
  });
}

/**
 * Returns the flag that an inline style means, because editors also write bold, italic and underlined text as styles.
 */
function flagOfStyle(style: string): Flag | undefined {
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style)) return 'b';
  if (/text-decoration[^;]*underline/i.test(style)) return 'u';
  if (/text-decoration[^;]*line-through/i.test(style)) return 's';
  if (/font-style\s*:\s*italic/i.test(style)) return 'i';
  if (/vertical-align\s*:\s*super/i.test(style)) return 'p';
  if (/vertical-align\s*:\s*sub/i.test(style)) return 'd';
  return undefined;
}
