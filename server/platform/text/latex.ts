/** Converts MathML to LaTeX. Unicode symbols stay as they are, because KaTeX reads them. */
import {
  closing,
  delimiters,
  growing,
  integral,
  invisible,
  large,
  latexSymbols,
  latexText,
  opening,
  over,
  under,
  variantCommands,
} from './latex-signs.ts';
import { childElements, type MathNode, textOf } from './mathml.ts';

/** Converts a formula; undefined if it is empty or contains an unknown element. */
export function latexOfMathMl(math: MathNode): string | undefined {
  try {
    const latex = row(childElements(math)).replace(/ +/g, ' ').trim();
    return latex === '' ? undefined : latex;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

/** `braced` always adds braces; `base` adds them only around more than one symbol. */
const braced = (latex: string): string => `{${latex.trim()}}`;
const base = (latex: string): string =>
  /^(?:.|\\[a-zA-Z]+ ?|\\(?:math|bold)[a-z]+\{[^{}]*\})$/su.test(latex.trim()) ? latex.trim() : braced(latex);

const tallElements = ['mfrac', 'mtable', 'munder', 'munderover', 'mroot', 'msqrt'];
const isTall = (node: MathNode): boolean => tallElements.includes(node.name) || childElements(node).some(isTall);

/**
 * Converts siblings. Brackets around tall content become \left and \right; a lone brace before a table becomes cases.
 */
function row(nodes: readonly MathNode[]): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  const left = first?.name === 'mo' ? textOf(first).trim() : '';
  const right = last?.name === 'mo' ? textOf(last).trim() : '';
  if (nodes.length === 2 && left === '{' && nodes[1] && tableIn(nodes[1])) return cases(nodes[1]);
  if (
    nodes.length > 2 &&
    opening[left] &&
    closing[right] &&
    nodes.slice(1, -1).some(isTall) &&
    !isClosedBeforeEnd(nodes.slice(1, -1), left)
  )
    return `\\left${opening[left]} ${row(nodes.slice(1, -1))} \\right${closing[right]} `;
  let written = '';
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1];
    if (node.name === 'mo' && textOf(node).trim() === '{' && next && tableIn(next) && index + 2 === nodes.length)
      return `${written}${cases(next)}`;
    const latex = latexOf(node);
    // A space separates a command from a letter after it, and braces a prime from an exponent before it.
    if (/\\[a-zA-Z]+$/.test(written) && /^[a-zA-Z]/.test(latex)) written += ' ';
    else if (
      latex.startsWith("'") &&
      index > 0 &&
      /^m(?:sup|sub|subsup|under|underover|multiscripts)$/.test(nodes[index - 1]?.name ?? '')
    )
      written += '{}';
    written += latex;
  }
  return written;
}

/** True if the first bracket is closed before the end, so that the brackets at both ends do not belong together. */
const isClosedBeforeEnd = (nodes: readonly MathNode[], left: string): boolean =>
  nodes.some(
    (node) =>
      node.name === 'mo' &&
      closing[textOf(node).trim()] !== undefined &&
      textOf(node).trim() !== '|' &&
      opening[left] !== undefined,
  );

const tableIn = (node: MathNode): MathNode | undefined =>
  node.name === 'mtable'
    ? node
    : ['mrow', 'mstyle', 'mpadded'].includes(node.name) && childElements(node).length === 1
      ? tableIn(childElements(node)[0] as MathNode)
      : undefined;
const cases = (node: MathNode): string => {
  const found = tableIn(node) as MathNode;
  const isWide = childElements(found).some((line) => childElements(line).length > 2);
  return isWide ? `\\left\\{ ${table(found)} \\right. ` : `\\begin{cases}${cells(found)}\\end{cases}`;
};

/** Columns that are aligned right and left in turn are equations. */
function table(node: MathNode): string {
  const sides = (node.attributes.columnalign ?? '').split(/\s+/).filter(Boolean);
  const isAligned = sides.length > 1 && sides.every((side, index) => side === (index % 2 === 0 ? 'right' : 'left'));
  if (isAligned) return `\\begin{aligned}${cells(node)}\\end{aligned}`;
  if (sides.length === 0 || sides.every((side) => side === 'center'))
    return `\\begin{matrix}${cells(node)}\\end{matrix}`;
  const width = Math.max(...childElements(node).map((line) => childElements(line).length), 1);
  const letters = Array.from({ length: width }, (_, index) => (sides[index] ?? sides.at(-1) ?? 'center').charAt(0));
  return `\\begin{array}{${letters.map((letter) => (/[lr]/.test(letter) ? letter : 'c')).join('')}}${cells(node)}\\end{array}`;
}

/** Brackets with their content. They grow if it is tall, or if they do not belong together. */
function fenced(node: MathNode): string {
  const { open = '(', close = ')', separators = ',' } = node.attributes;
  const parts = childElements(node);
  if (open === '{' && close === '' && parts.length === 1 && parts[0] && tableIn(parts[0])) return cases(parts[0]);
  const separator = separators.trim().slice(0, 1);
  const inner = parts.map((part) => latexOf(part).trim());
  const isPair = opening[open] !== undefined && closing[close] !== undefined;
  if (isPair && !parts.some(isTall)) return `${opening[open]}${inner.join(latexSymbols(separator))}${closing[close]}`;
  const between =
    delimiters[separator] && separator !== ',' ? ` \\middle${delimiters[separator]} ` : latexSymbols(separator);
  // A sign that cannot grow stands beside the content.
  const side = (sign: string) => (sign === '' || delimiters[sign] ? '' : latexSymbols(sign));
  return `${side(open)}\\left${delimiters[open] ?? '.'} ${inner.join(between)} \\right${delimiters[close] ?? '.'} ${side(close)}`;
}
const cells = (table: MathNode): string =>
  childElements(table)
    .filter(({ name }) => name === 'mtr' || name === 'mlabeledtr')
    .map((line) =>
      childElements(line)
        .map((cell) => row(childElements(cell)).trim())
        .join(' & '),
    )
    .join(' \\\\ ');

/** The content of rows with one element. */
const unwrapped = (node: MathNode | undefined): MathNode | undefined =>
  node && ['mrow', 'mstyle', 'mpadded'].includes(node.name) && childElements(node).length === 1
    ? unwrapped(childElements(node)[0])
    : node;
const signOf = (node: MathNode | undefined): string => {
  const inner = unwrapped(node);
  return inner && ['mo', 'mi', 'mtext'].includes(inner.name) ? textOf(inner).replace(invisible, '').trim() : '';
};

/** Content above or below other content: limits, accents, braces and conditions on arrows. */
function stacked(parts: readonly MathNode[], name: string): string {
  const [main, first, second] = parts;
  const [below, above] = name === 'mover' ? [undefined, first] : [first, second];
  const read = (node: MathNode | undefined) => (node ? latexOf(node).trim() : '');
  const limits = `${below ? `_{${read(below)}}` : ''}${above ? `^{${read(above)}}` : ''}`;
  if (isLarge(main)) return `${read(main)}${integral.test(signOf(main)) ? '\\limits' : ''}${limits}`;
  const arrow = growingArrow(main, below, above);
  if (arrow) return arrow;
  const inner = unwrapped(main);
  const isBraced =
    (name === 'mover' && inner?.name === 'mover' && signOf(childElements(inner)[1]) === '⏞') ||
    (name === 'munder' && inner?.name === 'munder' && signOf(childElements(inner)[1]) === '⏟');
  if (isBraced) return `${read(main)}${limits}`;
  const [accent, wide] =
    name === 'mover' ? (over[signOf(above)] ?? []) : name === 'munder' ? [under[signOf(below)]] : [];
  if (accent) return `\\${wide && !/^(?:.|\\[a-zA-Z]+)$/su.test(read(main)) ? wide : accent}${braced(read(main))}`;
  const lower = below ? `\\underset{${read(below)}}${braced(read(main))}` : read(main);
  return above ? `\\overset{${read(above)}}${braced(lower)}` : lower;
}

/** An arrow or equals sign that has text above, below or both; both may be nested in either order. */
function growingArrow(
  main: MathNode | undefined,
  below: MathNode | undefined,
  above: MathNode | undefined,
): string | undefined {
  const inner = unwrapped(main);
  const [innerMain, innerText] = inner ? childElements(inner) : [];
  if (inner?.name === 'mover' && below && !above && growing[signOf(innerMain)])
    return growingArrow(innerMain, below, innerText);
  if (inner?.name === 'munder' && above && !below && growing[signOf(innerMain)])
    return growingArrow(innerMain, innerText, above);
  const command = growing[signOf(main)];
  if (!command) return undefined;
  const lower = below ? latexOf(below).trim() : '';
  return `\\${command}${lower ? `[{${lower}}]` : ''}{${above ? latexOf(above).trim() : ''}}`;
}

/** A frame around content, lines at its sides, and strokes through it. */
function enclosed(notation: string, inner: string): string {
  const has = (name: string) => notation.split(/\s+/).includes(name);
  let latex = inner;
  if (has('updiagonalstrike') && has('downdiagonalstrike')) latex = `\\xcancel{${latex}}`;
  else if (has('updiagonalstrike')) latex = `\\cancel{${latex}}`;
  else if (has('downdiagonalstrike')) latex = `\\bcancel{${latex}}`;
  if (has('horizontalstrike')) latex = `\\sout{${latex}}`;
  if (has('verticalstrike')) throw new Unknown(notation);
  if (has('top')) latex = `\\overline{${latex}}`;
  if (has('bottom')) latex = `\\underline{${latex}}`;
  if (has('left')) latex = `\\left| ${latex} \\right. `;
  if (has('right')) latex = `\\left. ${latex} \\right| `;
  return /box/.test(notation) ? `\\boxed{${latex}}` : latex;
}

const isLarge = (node: MathNode | undefined): boolean => large.test(signOf(node));

function latexOf(node: MathNode): string {
  const parts = childElements(node);
  const at = (index: number): string => (parts[index] ? latexOf(parts[index]) : '');
  switch (node.name) {
    case 'mi':
    case 'mn':
    case 'mo': {
      const text = textOf(node);
      if (/[\u3000-\u9fff\uff00-\uffef]/.test(text)) return latexText(text.trim());
      const written = latexSymbols(text);
      if (written === '') return '';
      const letters = node.name === 'mi' && /^[a-zA-Z]{2,}$/.test(written) ? 'normal' : '';
      const command = variantCommands[node.attributes.mathvariant ?? letters];
      if (command === undefined) return written;
      // \\mathbf has no Greek letters.
      return `\\${command === 'mathbf' && !/^[\w.]+$/.test(written) ? 'boldsymbol' : command}{${written}}`;
    }
    case 'mtext':
    case 'ms':
      return latexText(textOf(node).replace(/\u00a0/g, ' '));
    case 'mspace':
      if (node.attributes.linebreak === 'newline') return '\\\\ ';
      return Number.parseFloat(node.attributes.width ?? '') > 0 ? '\\ ' : '';
    case 'math':
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
    case 'mtd':
      return row(parts);
    case 'semantics':
    case 'maction':
      return at(0);
    case 'mphantom':
      return `\\phantom{${row(parts)}}`;
    case 'mfrac':
      return /^0/.test(node.attributes.linethickness ?? '')
        ? `\\genfrac{}{}{0pt}{}${braced(at(0))}${braced(at(1))}`
        : `\\frac${braced(at(0))}${braced(at(1))}`;
    case 'msqrt':
      return `\\sqrt{${row(parts).trim()}}`;
    case 'mroot':
      return `\\sqrt[${/[[\]]/.test(at(1)) ? braced(at(1)) : at(1).trim()}]${braced(at(0))}`;
    case 'msup':
      return /^'+$/.test(at(1)) ? `${base(at(0))}${at(1)}` : `${base(at(0))}^${braced(at(1))}`;
    case 'msub':
      return `${base(at(0))}_${braced(at(1))}`;
    case 'msubsup':
      return `${base(at(0))}_${braced(at(1))}^${braced(at(2))}`;
    case 'munder':
    case 'mover':
    case 'munderover':
      return stacked(parts, node.name);
    case 'mmultiscripts':
      return scripts(parts);
    case 'mfenced':
      return fenced(node);
    case 'mtable':
      return table(node);
    case 'menclose':
      return enclosed(node.attributes.notation ?? '', row(parts));
    case 'none':
    case 'mprescripts':
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      throw new Unknown(node.name);
  }
}

function scripts([main, ...all]: MathNode[]): string {
  const cut = all.findIndex(({ name }) => name === 'mprescripts');
  const pair = ([below, above]: MathNode[]): string => {
    const [low = '', high = ''] = [below, above].map((one) => (one ? latexOf(one).trim() : ''));
    return `${low && `_${braced(low)}`}${high && `^${braced(high)}`}`;
  };
  const before = cut < 0 ? '' : `{}${pair(all.slice(cut + 1))}`;
  return `${before}${main ? base(latexOf(main)) : ''}${pair(cut < 0 ? all : all.slice(0, cut))}`;
}
