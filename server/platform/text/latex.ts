/** Converts MathML to LaTeX. Unicode symbols stay as they are, because KaTeX reads them. */

export interface MathNode {
  name: string;
  attributes: Record<string, string>;
  children: (MathNode | string)[];
}

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

export const childElements = ({ children }: MathNode): MathNode[] =>
  children.filter((child) => typeof child !== 'string');
export const textOf = (node: MathNode): string =>
  node.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

export const latexFunctions =
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min sec sin sinh sup tan tanh'.split(
    ' ',
  );
const signs: Record<string, string> = {
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '#': '\\#',
  $: '\\$',
  '&': '\\&',
  _: '\\_',
  '\\': '\\backslash ',
  '~': '\\sim ',
  '−': '-',
  '∣': '\\mid ',
  '‖': '\\| ',
  '′': "'",
  '″': "''",
  '\u00a0': '\\ ',
};
const invisible = /[\u2061-\u2064\u200b-\u200f\ufeff]/g;

function token(text: string): string {
  const written = text.replace(invisible, '').trim();
  if (latexFunctions.includes(written)) return `\\${written} `;
  return [...written].map((sign) => signs[sign] ?? sign).join('');
}

/** Converts Chinese text and words to upright text that keeps its spaces. */
const words = (text: string): string =>
  text.trim() === ''
    ? text === ''
      ? ''
      : '\\ '
    : `\\text{${text.replace(/[\\{}$%#&_^~]/g, (sign) => ` ${sign}`.trim()).replace(/[\\{}$%#&_^~]/g, (sign) => (sign === '\\' ? '\\textbackslash ' : `\\${sign}`))}}`;

/** `braced` always adds braces; `base` adds them only around more than one symbol. */
const braced = (latex: string): string => `{${latex.trim()}}`;
const base = (latex: string): string => (/^(?:.|\\[a-zA-Z]+ ?)$/su.test(latex.trim()) ? latex.trim() : braced(latex));

const opening: Record<string, string> = {
  '(': '(',
  '[': '[',
  '{': '\\{',
  '|': '|',
  '⟨': '\\langle ',
  '‖': '\\|',
  '⌊': '\\lfloor ',
  '⌈': '\\lceil ',
};
const closing: Record<string, string> = {
  ')': ')',
  ']': ']',
  '}': '\\}',
  '|': '|',
  '⟩': '\\rangle ',
  '‖': '\\|',
  '⌋': '\\rfloor ',
  '⌉': '\\rceil ',
};

const isTall = (node: MathNode): boolean => ['mfrac', 'mtable'].includes(node.name) || childElements(node).some(isTall);

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
    // A space separates a command from a letter after it.
    written += /\\[a-zA-Z]+$/.test(written) && /^[a-zA-Z]/.test(latex) ? ` ${latex}` : latex;
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
const cases = (node: MathNode): string => `\\begin{cases}${cells(tableIn(node) as MathNode)}\\end{cases}`;
const cells = (table: MathNode): string =>
  childElements(table)
    .filter(({ name }) => name === 'mtr' || name === 'mlabeledtr')
    .map((line) =>
      childElements(line)
        .map((cell) => row(childElements(cell)).trim())
        .join(' & '),
    )
    .join(' \\\\ ');

const over: Record<string, string> = {
  '→': 'overrightarrow',
  '⃗': 'overrightarrow',
  '←': 'overleftarrow',
  '¯': 'overline',
  '‾': 'overline',
  '―': 'overline',
  _: 'overline',
  '\u0305': 'overline',
  '^': 'hat',
  ˆ: 'hat',
  '\u0302': 'hat',
  '˙': 'dot',
  '\u0307': 'dot',
  '¨': 'ddot',
  '\u0308': 'ddot',
  '~': 'tilde',
  '˜': 'tilde',
  '\u0303': 'tilde',
  '⏞': 'overbrace',
  '⌢': 'overgroup',
  '⏜': 'overgroup',
};
const under: Record<string, string> = {
  _: 'underline',
  '¯': 'underline',
  '\u0332': 'underline',
  '‾': 'underline',
  '⏟': 'underbrace',
};
const large = /^(?:[∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂]|lim|max|min|sup|inf|limsup|liminf)$/;

const isLarge = (node: MathNode | undefined): boolean =>
  node !== undefined &&
  (['mo', 'mi', 'mtext'].includes(node.name)
    ? large.test(textOf(node).replace(invisible, '').trim())
    : childElements(node).length === 1 && isLarge(childElements(node)[0]));

function latexOf(node: MathNode): string {
  const parts = childElements(node);
  const at = (index: number): string => (parts[index] ? latexOf(parts[index]) : '');
  switch (node.name) {
    case 'mi':
    case 'mn':
    case 'mo': {
      const text = textOf(node);
      if (/[\u3000-\u9fff\uff00-\uffef]/.test(text)) return words(text.trim());
      const written = token(text);
      const { mathvariant } = node.attributes;
      if (written === '') return '';
      if (mathvariant === 'bold') return `\\mathbf{${written}}`;
      if (mathvariant === 'double-struck') return `\\mathbb{${written}}`;
      if (mathvariant === 'normal' || (node.name === 'mi' && /^[a-zA-Z]{2,}$/.test(written)))
        return `\\mathrm{${written}}`;
      return written;
    }
    case 'mtext':
    case 'ms':
      return words(textOf(node).replace(/\u00a0/g, ' '));
    case 'mspace':
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
      return `\\sqrt[${at(1).trim()}]${braced(at(0))}`;
    case 'msup':
      return /^'+$/.test(at(1)) ? `${base(at(0))}${at(1)}` : `${base(at(0))}^${braced(at(1))}`;
    case 'msub':
      return `${base(at(0))}_${braced(at(1))}`;
    case 'msubsup':
      return `${base(at(0))}_${braced(at(1))}^${braced(at(2))}`;
    case 'munder': {
      const accent = under[textOf(parts[1] ?? node).trim()];
      if (isLarge(parts[0])) return `${at(0)}_${braced(at(1))}`;
      return accent ? `\\${accent}${braced(at(0))}` : `\\underset${braced(at(1))}${braced(at(0))}`;
    }
    case 'mover': {
      const accent = over[textOf(parts[1] ?? node).trim()];
      if (isLarge(parts[0])) return `${at(0)}^${braced(at(1))}`;
      return accent ? `\\${accent}${braced(at(0))}` : `\\overset${braced(at(1))}${braced(at(0))}`;
    }
    case 'munderover':
      return isLarge(parts[0])
        ? `${at(0)}_${braced(at(1))}^${braced(at(2))}`
        : `\\overset${braced(at(2))}{\\underset${braced(at(1))}${braced(at(0))}}`;
    case 'mmultiscripts':
      return scripts(parts);
    case 'mfenced': {
      const { open = '(', close = ')', separators = ',' } = node.attributes;
      const inner = parts.map((part) => latexOf(part).trim()).join(separators.trim().slice(0, 1));
      if (open === '{' && close === '' && parts[0] && tableIn(parts[0])) return cases(parts[0]);
      return `\\left${opening[open] ?? '.'} ${inner} \\right${closing[close] ?? '.'} `;
    }
    case 'mtable':
      return `\\begin{matrix}${cells(node)}\\end{matrix}`;
    case 'menclose': {
      const { notation = '' } = node.attributes;
      if (/strike/.test(notation)) return `\\cancel{${row(parts)}}`;
      return /box/.test(notation)
        ? `\\boxed{${row(parts)}}`
        : /top/.test(notation)
          ? `\\overline{${row(parts)}}`
          : row(parts);
    }
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
