/**
 * Formulas for print. KaTeX converts LaTeX to MathML; MathML becomes the nodes below, from which content.typ builds
 * Typst formulas. Formulas stay data and are never parsed as Typst source (no injection).
 */
import { readFileSync } from 'node:fs';
import katex from 'katex';
import 'katex/contrib/mhchem';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** Parts of a formula. content.typ knows these kinds. Lengths in em. */
export type FormulaNode =
  /**
   * One symbol. Typst sets letters in italics and puts space around operators, by the class of the symbol; `plain`
   * takes away the class.
   */
  | { k: 'symbol'; t: string; plain?: true }
  | { k: 'upright'; t: string }
  | { k: 'text'; t: string }
  | { k: 'operator'; t: string }
  | { k: 'row'; c: FormulaNode[] }
  | { k: 'fraction'; a: FormulaNode; b: FormulaNode }
  /** Formula `a` above formula `b` without a line, as in a binomial coefficient. */
  | { k: 'stack'; a: FormulaNode; b: FormulaNode }
  | { k: 'root'; c: FormulaNode; index?: FormulaNode }
  | { k: 'attach'; c: FormulaNode; limits: boolean; top?: FormulaNode; bottom?: FormulaNode }
  | { k: 'primes'; n: number }
  | { k: 'accent'; c: FormulaNode; t: string }
  | { k: 'line'; c: FormulaNode; t: 'over' | 'under' | 'brace-over' | 'brace-under' }
  /** An arrow that stretches to the text above and below it. */
  | { k: 'arrow'; t: string; top?: FormulaNode; bottom?: FormulaNode }
  /** Content between delimiters that grow with it. */
  | { k: 'fence'; c: FormulaNode[] }
  | { k: 'delimiter'; t: string; size: number }
  | { k: 'matrix'; rows: FormulaNode[][]; align: 'left' | 'center' | 'right'; vlines: number[]; hlines: number[] }
  /** Columns aligned right and left in turn, as in a chain of equations. */
  | { k: 'aligned'; rows: FormulaNode[][] }
  | { k: 'style'; c: FormulaNode; t: 'display' | 'inline' | 'cancel' | 'box' | 'hidden' }
  | { k: 'space'; n: number };

/** Maximum depth of nesting, because Typst allows 80 nested calls in total. */
const deepest = 12;
const maxNodes = 4000;
const longestSource = 4000;

/** Converts LaTeX, in display style. Null if KaTeX cannot read it; then the LaTeX source is printed. */
export function formulaFromLatex(latex: string): FormulaNode | null {
  if (latex.length > longestSource) return null;
  try {
    // The braces and the line break stop a comment or backslash at the end of the LaTeX from reaching our own code.
    const html = katex.renderToString(`\\displaystyle{${latex}\n}`, {
      output: 'mathml',
      strict: 'ignore',
      trust: false,
      maxSize: 20,
      maxExpand: 500,
    });
    const math = firstNamed(parseFragment(html).childNodes, 'math');
    return math && formulaFromMathMl(math);
  } catch {
    return null;
  }
}

/** Converts MathML; null if it is empty or nested too deeply. */
export function formulaFromMathMl(math: Element): FormulaNode | null {
  const budget = { nodes: maxNodes };
  const node = convert(math, budget);
  return node && budget.nodes > 0 && depthOf(node) <= deepest ? node : null;
}

function firstNamed(nodes: DefaultTreeAdapterTypes.ChildNode[], name: string): Element | null {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    const found = node.tagName === name ? node : firstNamed(node.childNodes, name);
    if (found) return found;
  }
  return null;
}

function depthOf(node: FormulaNode): number {
  let deepestChild = 0;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value.flat() : [value]) {
      if (typeof child === 'object') deepestChild = Math.max(deepestChild, depthOf(child));
    }
  }
  return deepestChild + 1;
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((one) => one.name === name)?.value ?? '';
}

function textOf(element: Element): string {
  return element.childNodes
    .map((child) => ('value' in child ? child.value : 'tagName' in child ? textOf(child) : ''))
    .join('');
}

function childrenOf(element: Element): Element[] {
  return element.childNodes.filter((child): child is Element => 'tagName' in child);
}

const empty: FormulaNode = { k: 'row', c: [] };

type NodeBudget = { nodes: number };

/** A base of zero width, for the numbers that mhchem sets beside a symbol, as in H₂O. */
const nothing: FormulaNode = { k: 'space', n: 0 };

/**
 * True for a letter or closing bracket, which the number after it belongs to. A number after an arrow or space belongs
 * to the next symbol, as in ¹⁴₆C.
 */
function acceptsNumber(node: FormulaNode): boolean {
  return ['upright', 'text', 'fence'].includes(node.k) || (node.k === 'symbol' && /[\p{L}\p{N})\]}]/u.test(node.t));
}

/** Attaches numbers that have no base to the symbol before them. */
function attached(nodes: FormulaNode[]): FormulaNode[] {
  const result: FormulaNode[] = [];
  for (const node of nodes) {
    if (node === nothing) continue;
    if (node.k !== 'attach' || node.c !== nothing) {
      result.push(node);
      continue;
    }
    const { top, bottom } = node;
    const isDrawn = (part: FormulaNode | undefined) => part && !(part.k === 'style' && part.t === 'hidden');
    if (!isDrawn(top) && !isDrawn(bottom)) continue;
    const last = result.at(-1);
    const isFree = last?.k === 'attach' && !last.limits && !(top && last.top) && !(bottom && last.bottom);
    if (isFree) result[result.length - 1] = { ...last, ...(top ? { top } : {}), ...(bottom ? { bottom } : {}) };
    else if (last && acceptsNumber(last)) result[result.length - 1] = { ...node, c: last };
    else result.push({ ...node, c: empty });
  }
  return result;
}

function row(elements: Element[], budget: NodeBudget): FormulaNode {
  const nodes = elements.map((element) => convert(element, budget)).filter((node) => node !== null);
  const flat = attached(nodes.flatMap((node) => (node.k === 'row' ? node.c : [node])));
  const [only] = flat;
  return flat.length === 1 && only ? only : { k: 'row', c: flat };
}

/** Matches invisible operators, such as function application. */
const invisible = /[\u2061-\u2064\u200b]/g;

function convert(element: Element, budget: NodeBudget): FormulaNode | null {
  budget.nodes -= 1;
  if (budget.nodes <= 0) return null;
  const children = childrenOf(element);
  const [first, second, third] = children;
  const part = (child: Element | undefined): FormulaNode => (child && convert(child, budget)) ?? empty;

  switch (element.tagName) {
    case 'annotation':
    case 'annotation-xml':
      return null;
    case 'semantics':
      return part(first);
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      return children.length > 0 ? row(children, budget) : token(element);
    case 'mspace':
      return { k: 'space', n: parseEm(attribute(element, 'width')) };
    case 'mfrac': {
      const line = attribute(element, 'linethickness');
      return { k: /^0(?:\D|$)/.test(line) ? 'stack' : 'fraction', a: part(first), b: part(second) };
    }
    case 'msqrt':
      return { k: 'root', c: row(children, budget) };
    case 'mroot':
      return { k: 'root', c: part(first), index: part(second) };
    case 'msub':
      return { k: 'attach', c: part(first), limits: false, bottom: part(second) };
    case 'msup':
      return { k: 'attach', c: part(first), limits: false, top: superscript(part(second)) };
    case 'msubsup':
      return { k: 'attach', c: part(first), limits: false, bottom: part(second), top: superscript(part(third)) };
    case 'mover':
    case 'munder':
    case 'munderover':
      return parseOverUnder(element, part(first), children, budget);
    case 'mtable':
      return table(element, children, budget);
    case 'mpadded': {
      const hasNoWidth = /^0(?:\D|$)/.test(attribute(element, 'width')) && !attribute(element, 'lspace');
      return hasNoWidth && first?.tagName === 'mphantom' ? nothing : row(children, budget);
    }
    case 'mphantom':
      return { k: 'style', c: row(children, budget), t: 'hidden' };
    case 'menclose': {
      const notation = attribute(element, 'notation');
      const style = notation.includes('strike') ? 'cancel' : notation.includes('box') ? 'box' : null;
      const enclosed = row(children, budget);
      return style ? { k: 'style', c: enclosed, t: style } : enclosed;
    }
    case 'mstyle': {
      const display = attribute(element, 'displaystyle');
      const styled = row(children, budget);
      // A nested style of the same kind is left out, because it would only add depth.
      if (!display || (styled.k === 'style' && ['display', 'inline'].includes(styled.t))) return styled;
      return { k: 'style', c: styled, t: display === 'true' ? 'display' : 'inline' };
    }
    case 'mrow': {
      const isFence = (child: Element | undefined) => child?.tagName === 'mo' && attribute(child, 'fence') === 'true';
      const inside = children.map((child) => (isFence(child) ? fence(textOf(child)) : convert(child, budget)));
      if (!isFence(first) && !isFence(children.at(-1))) return row(children, budget);
      return { k: 'fence', c: inside.filter((node) => node !== null) };
    }
    default:
      return row(children, budget);
  }
}

/**
 * Converts bars to the characters that Typst takes as delimiters. The character “divides” would be a relation with
 * space around it.
 */
const bars: Record<string, string> = { '∣': '|', '|': '|', '∥': '‖', '‖': '‖' };

function fence(text: string): FormulaNode | null {
  const delimiter = text.trim();
  return delimiter ? { k: 'symbol', t: bars[delimiter] ?? delimiter } : null;
}

function token(element: Element): FormulaNode | null {
  const name = element.tagName;
  const raw = textOf(element).replace(invisible, '');
  if (name === 'mtext') return raw ? { k: 'text', t: raw } : null;
  const text = raw.trim();
  if (!text) return null;
  const letters = [...text];
  if (letters.some((letter) => /\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u.test(letter)))
    return { k: 'text', t: text };
  if (name === 'mn') return { k: 'upright', t: text };

  const variant = attribute(element, 'mathvariant');
  if (name === 'mi') {
    if (variant && variant !== 'normal') return { k: 'upright', t: toVariant(text, variant) };
    if (letters.length > 1) return { k: 'operator', t: text };
    if (bars[text]) return { k: 'symbol', t: bars[text] ?? text, plain: true };
    if (variant === 'normal') {
      return /[\p{L}\p{N}]/u.test(text) ? { k: 'upright', t: text } : { k: 'symbol', t: text, plain: true };
    }
    return { k: 'symbol', t: text };
  }
  if (letters.every((letter) => letter === '′')) return { k: 'primes', n: letters.length };
  const size = parseEm(attribute(element, 'minsize'));
  if (size > 0) return { k: 'delimiter', t: bars[text] ?? text, size };
  if (bars[text] && attribute(element, 'stretchy') === 'false')
    return { k: 'symbol', t: bars[text] ?? text, plain: true };
  return letters.length > 1 ? { k: 'operator', t: text } : { k: 'symbol', t: text };
}

/** Merges neighbouring primes of a superscript. */
function superscript(node: FormulaNode): FormulaNode {
  if (node.k !== 'row' || !node.c.every((one) => one.k === 'primes')) return node;
  return { k: 'primes', n: node.c.reduce((sum, one) => sum + (one.k === 'primes' ? one.n : 0), 0) };
}

/** Characters of Unicode's mathematical alphabets, and the combining accents that replace KaTeX's spacing accents. */
const characters: { letters: Record<string, Record<string, string>>; accents: Record<string, string> } = JSON.parse(
  readFileSync(new URL('./formula-characters.json', import.meta.url), 'utf8'),
);

const variants = new Map(
  Object.entries(characters.letters).map(([variant, alphabets]) => {
    const pairs = Object.entries(alphabets).flatMap(([plain, styled]) => {
      const letters = [...styled];
      return [...plain].map((letter, place): [string, string] => [letter, letters[place] ?? letter]);
    });
    return [variant, new Map(pairs)];
  }),
);

function toVariant(text: string, variant: string): string {
  const letters = variants.get(variant);
  return Array.from(text, (letter) => letters?.get(letter) ?? letter).join('');
}

function parseOverUnder(element: Element, base: FormulaNode, children: Element[], budget: NodeBudget): FormulaNode {
  const [baseElement, second, third] = children;
  const isUnder = element.tagName === 'munder';
  const mark = second ? textOf(second).trim() : '';
  if (element.tagName !== 'munderover' && second?.tagName === 'mo') {
    if (mark === '‾' || mark === '_' || (mark === '―' && attribute(second, 'stretchy') === 'true')) {
      return { k: 'line', c: base, t: isUnder ? 'under' : 'over' };
    }
    if (mark === '⏞') return { k: 'line', c: base, t: 'brace-over' };
    if (mark === '⏟') return { k: 'line', c: base, t: 'brace-under' };
    const accent = characters.accents[mark];
    if (accent && !isUnder && attribute(element, 'accent') === 'true') return { k: 'accent', c: base, t: accent };
  }
  const above = element.tagName === 'mover' ? second : third;
  const below = element.tagName === 'mover' ? undefined : second;
  const top = (above && convert(above, budget)) ?? undefined;
  const bottom = (below && convert(below, budget)) ?? undefined;
  const attached = { ...(top ? { top } : {}), ...(bottom ? { bottom } : {}) };
  const arrow =
    baseElement?.tagName === 'mo' && attribute(baseElement, 'stretchy') === 'true' ? textOf(baseElement).trim() : '';
  if ([...arrow].length === 1) return { k: 'arrow', t: arrow, ...attached };
  return { k: 'attach', c: base, limits: true, ...attached };
}

function table(element: Element, rowElements: Element[], budget: NodeBudget): FormulaNode {
  const rows = rowElements.map((one) => childrenOf(one).map((cell) => row(childrenOf(cell), budget)));
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  if (columns === 0) return empty;
  for (const cells of rows) while (cells.length < columns) cells.push(empty);
  const align = attribute(element, 'columnalign').trim();
  if (/^right left\b/.test(align)) return { k: 'aligned', rows };
  const linesOf = (name: string) =>
    attribute(element, name)
      .split(/\s+/)
      .flatMap((line, index) => (line === 'solid' || line === 'dashed' ? [index + 1] : []));
  return {
    k: 'matrix',
    rows,
    align: align.startsWith('left') ? 'left' : align.startsWith('right') ? 'right' : 'center',
    vlines: linesOf('columnlines').filter((line) => line < columns),
    hlines: linesOf('rowlines').filter((line) => line < rows.length),
  };
}

/** Parses a MathML length in em and limits it to a sensible range; 0 for other units. */
function parseEm(length: string): number {
  const number = /^\+?(-?[\d.]+)em$/.exec(length)?.[1];
  const named: Record<string, number> = { thinmathspace: 1 / 6, mediummathspace: 2 / 9, thickmathspace: 5 / 18 };
  const value = number ? Number(number) : (named[length] ?? 0);
  return Number.isFinite(value) ? Math.min(6, Math.max(-1, value)) : 0;
}
