/** Writes LaTeX as a formula of Word (OMML): KaTeX makes MathML of it, and this table turns each element into Word's. */
import { Parser } from 'htmlparser2';
import { childElements, type MathNode, textOf } from './mathml.ts';
import { mathMlOfLatex } from './render-math.ts';
import { xmlText } from './xml.ts';

/** Returns the element `m:oMath` as XML; undefined if the LaTeX is wrong or has content that Word cannot hold. */
export function ommlOfLatex(latex: string): string | undefined {
  const mathMl = mathMlOfLatex(latex);
  if (mathMl === undefined) return undefined;
  try {
    return `<m:oMath>${row(contentOf(parse(mathMl)))}</m:oMath>`;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

function parse(mathMl: string): MathNode {
  const root: MathNode = { name: 'math', attributes: {}, children: [] };
  const path = [root];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const node: MathNode = { name, attributes, children: [] };
        path.at(-1)?.children.push(node);
        path.push(node);
      },
      ontext: (text) => void path.at(-1)?.children.push(text),
      onclosetag: () => void path.pop(),
    },
    { decodeEntities: true, recognizeSelfClosing: true },
  );
  parser.end(mathMl);
  return root;
}

const rows = new Set(['math', 'span', 'semantics', 'mrow', 'mstyle', 'mpadded', 'mtd']);
const isFence = (node: MathNode | undefined): boolean => node?.name === 'mo' && node.attributes.fence === 'true';

/** A row of brackets stays together; other rows are replaced by their content. */
const isFenced = (node: MathNode): boolean => {
  const children = childElements(node);
  return node.name === 'mrow' && (isFence(children[0]) || isFence(children.at(-1)));
};

/** Chemistry puts an invisible letter without width before each index, for its height alone. */
const isStrut = ({ name, attributes, children: [child] }: MathNode): boolean =>
  name === 'mpadded' && attributes.width === '0px' && typeof child === 'object' && child.name === 'mphantom';

const contentOf = (node: MathNode): MathNode[] =>
  childElements(node).flatMap((child) => {
    if (child.name === 'annotation') return [];
    // KaTeX wraps content above other content in mi and mo.
    const isWrapper = ['mi', 'mo'].includes(child.name) && childElements(child).length > 0;
    return isWrapper || (rows.has(child.name) && !isFenced(child)) ? contentOf(child) : [child];
  });
const siblingsIn = (node: MathNode | undefined): MathNode[] =>
  node === undefined || isStrut(node)
    ? []
    : rows.has(node.name) && !isFenced(node)
      ? contentOf(node)
      : contentOf(wrap([node]));
const wrap = (children: MathNode[]): MathNode => ({ name: 'mrow', attributes: {}, children });

const val = (name: string, value: string): string => `<m:${name} m:val="${xmlText(value)}"/>`;
const element = (name: string, properties: string, content: string): string =>
  `<m:${name}>${properties && `<m:${name}Pr>${properties}</m:${name}Pr>`}${content}</m:${name}>`;
/** Word shows a dotted square for empty content, so that a space of no width takes its place. */
const part = (name: string, content: string): string => `<m:${name}>${content || run('\u200b')}</m:${name}>`;

const run = (text: string, properties = ''): string =>
  `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>` +
  `<m:t xml:space="preserve">${xmlText(text)}</m:t></m:r>`;

const styles: Readonly<Record<string, string>> = {
  normal: val('sty', 'p'),
  bold: val('sty', 'b'),
  'bold-italic': val('sty', 'bi'),
  'double-struck': val('scr', 'double-struck'),
  script: val('scr', 'script'),
  fraktur: val('scr', 'fraktur'),
  'sans-serif': val('scr', 'sans-serif'),
  monospace: val('scr', 'monospace'),
};

const invisible = /[\u2061-\u2064\ufeff]/g;
const largeSign = /^[∑∏∐∫-∳⋃⋂⋁⋀⨁⨂⨀⨄⨆]$/;
const relation = /^[=<>≤≥≠≈≡→⇒⇔∈,;，；]$/;
const signIn = (node: MathNode | undefined): string => {
  const [only, more] = siblingsIn(node);
  return only && !more && only.name === 'mo' ? textOf(only).replace(invisible, '').trim() : '';
};

/** Writes siblings. A large operator takes those behind it, up to a relation, as its content. */
function row(nodes: readonly MathNode[]): string {
  let written = '';
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as MathNode;
    const sign = signIn(childElements(node)[0]);
    const isLarge = /^m(?:under|over|underover|sub|sup|subsup)$/.test(node.name) && largeSign.test(sign);
    const isBefore = node.name === 'msubsup' && siblingsIn(childElements(node)[0]).length === 0;
    if (!isLarge && !isBefore) {
      written += write(node);
      continue;
    }
    const rest = nodes.slice(at + 1);
    const end = rest.findIndex((next) => next.name === 'mo' && relation.test(textOf(next).trim()));
    const operand = isBefore ? rest.slice(0, 1) : end === -1 ? rest : rest.slice(0, end);
    written += isLarge ? largeOperator(node, sign, operand) : scriptsBefore(node, operand);
    at += operand.length;
  }
  return written;
}

const inner = (node: MathNode | undefined): string => row(siblingsIn(node));

function largeOperator(node: MathNode, sign: string, operand: readonly MathNode[]): string {
  const [, first, second] = childElements(node);
  const isAbove = /^m(?:over|sup)$/.test(node.name);
  const [below, above] = isAbove ? [undefined, first] : [first, second];
  const isStacked = /^m(?:under|over|underover)$/.test(node.name);
  const properties =
    val('chr', sign) +
    val('limLoc', isStacked ? 'undOvr' : 'subSup') +
    (below ? '' : val('subHide', '1')) +
    (above ? '' : val('supHide', '1'));
  const limits = `<m:sub>${inner(below)}</m:sub><m:sup>${inner(above)}</m:sup>`;
  return element('nary', properties, limits + part('e', row(operand)));
}

function scriptsBefore(node: MathNode, operand: readonly MathNode[]): string {
  const [, below, above] = childElements(node);
  return element('sPre', '', part('sub', inner(below)) + part('sup', inner(above)) + part('e', row(operand)));
}

/** Signs above content, and the characters that Word uses for them. */
const accents: Readonly<Record<string, string>> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '˙': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '´': '\u0301',
  ˊ: '\u0301',
  '`': '\u0300',
  ˋ: '\u0300',
  '˘': '\u0306',
  '˚': '\u030a',
  '→': '\u20d7',
  '⃗': '\u20d7',
  '←': '\u20d6',
  '↔': '\u20e1',
  '⇀': '\u20d1',
  '↼': '\u20d0',
};
const lines = /^(?:[‾¯_―]|\u0332)$/;
const growing = /^[=→←↔⇒⇐⇔⇌⇄↦]$/;

function above(node: MathNode): string {
  const [main, over] = childElements(node);
  const sign = signIn(over);
  const base = part('e', inner(main));
  if (lines.test(sign)) return element('bar', val('pos', 'top'), base);
  if (accents[sign]) return element('acc', val('chr', accents[sign]), base);
  if (/^[⏞⏜⎴]$/.test(sign))
    return element('groupChr', val('chr', sign) + val('pos', 'top') + val('vertJc', 'bot'), base);
  if (growing.test(signIn(main))) return arrow(signIn(main), inner(over));
  return element('limUpp', '', base + part('lim', inner(over)));
}

function below(node: MathNode): string {
  const [main, under] = childElements(node);
  const sign = signIn(under);
  const base = part('e', inner(main));
  if (lines.test(sign)) return element('bar', val('pos', 'bot'), base);
  if (/^[⏟⏝⎵]$/.test(sign)) return element('groupChr', val('chr', sign), base);
  if (growing.test(signIn(main)))
    return element('limLow', '', part('e', run(signIn(main))) + part('lim', inner(under)));
  return element('limLow', '', base + part('lim', inner(under)));
}

/** An arrow that is as long as the text above it. */
const arrow = (sign: string, text: string): string =>
  element('groupChr', val('chr', sign) + val('vertJc', 'bot'), part('e', text));

function stacked(node: MathNode): string {
  const [main, under, over] = childElements(node);
  const base = growing.test(signIn(main))
    ? arrow(signIn(main), inner(over))
    : element('limUpp', '', part('e', inner(main)) + part('lim', inner(over)));
  return element('limLow', '', part('e', base) + part('lim', inner(under)));
}

/** Brackets; signs of the same kind between them separate parts. */
function fenced(nodes: readonly MathNode[]): string {
  const first = nodes[0];
  const last = nodes.at(-1);
  const open = first && isFence(first) ? textOf(first).trim() : '';
  const close = last && nodes.length > 1 && isFence(last) ? textOf(last).trim() : '';
  const content = nodes.slice(isFence(first) ? 1 : 0, isFence(last) && nodes.length > 1 ? -1 : undefined);
  const separator = content.find(isFence);
  const sign = separator ? textOf(separator).trim() : '';
  const parts: MathNode[][] = [[]];
  for (const node of content) {
    if (isFence(node) && textOf(node).trim() === sign) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return element(
    'd',
    val('begChr', open) + (sign ? val('sepChr', sign) : '') + val('endChr', close),
    parts.map((nodes) => part('e', row(contentOf(wrap(nodes))))).join(''),
  );
}

function table(node: MathNode): string {
  const lines = childElements(node).filter(({ name }) => name === 'mtr');
  const width = Math.max(...lines.map((line) => childElements(line).length), 1);
  const sides = (node.attributes.columnalign ?? '').split(/\s+/).filter(Boolean);
  const columns = Array.from({ length: width }, (_, index) => sides[index] ?? sides.at(-1) ?? 'center');
  const settings = columns.map((side) =>
    element('mc', '', `<m:mcPr>${val('count', '1')}${val('mcJc', side)}</m:mcPr>`),
  );
  const cells = lines.map((line) => {
    const filled = childElements(line).map((cell) => part('e', row(contentOf(cell))));
    return `<m:mr>${filled.join('')}${part('e', '').repeat(width - filled.length)}</m:mr>`;
  });
  return element('m', `${val('plcHide', '1')}<m:mcs>${settings.join('')}</m:mcs>`, cells.join(''));
}

const strokes: Readonly<Record<string, string>> = {
  updiagonalstrike: 'strikeBLTR',
  downdiagonalstrike: 'strikeTLBR',
  horizontalstrike: 'strikeH',
};

function enclosed(node: MathNode): string {
  const names = (node.attributes.notation ?? '').split(/\s+/).filter((name) => name !== 'box');
  const struck = names.map((name) => strokes[name]);
  if (struck.includes(undefined)) throw new Unknown(names.join(' '));
  const hasBox = /\bbox\b/.test(node.attributes.notation ?? '');
  const hidden = hasBox ? [] : ['hideTop', 'hideBot', 'hideLeft', 'hideRight'];
  return element(
    'borderBox',
    [...hidden, ...struck].map((name) => val(name ?? '', '1')).join(''),
    part('e', row(contentOf(node))),
  );
}

function token(node: MathNode): string {
  const text = textOf(node).replace(invisible, '');
  if (text === '') return '';
  if (node.name === 'mtext') return run(text, '<m:nor/>');
  const variant = node.attributes.mathvariant ?? (node.name === 'mi' && [...text].length > 1 ? 'normal' : '');
  return run(text, /\p{L}|\d/u.test(text) ? (styles[variant] ?? '') : '');
}

function write(node: MathNode): string {
  const parts = childElements(node);
  const at = (index: number) => inner(parts[index]);
  switch (node.name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return token(node);
    case 'mspace':
      if (node.attributes.linebreak === 'newline') return '<m:r><w:br/></m:r>';
      return Number.parseFloat(node.attributes.width ?? '') > 0 ? run(' ') : '';
    case 'mrow':
      return fenced(contentOf(node));
    case 'mfrac':
      return element(
        'f',
        /^0/.test(node.attributes.linethickness ?? '') ? val('type', 'noBar') : '',
        part('num', at(0)) + part('den', at(1)),
      );
    case 'msqrt':
      return element('rad', val('degHide', '1'), `<m:deg/>${part('e', row(contentOf(node)))}`);
    case 'mroot':
      return element('rad', '', part('deg', at(1)) + part('e', at(0)));
    case 'msup':
      return element('sSup', '', part('e', at(0)) + part('sup', at(1)));
    case 'msub':
      return element('sSub', '', part('e', at(0)) + part('sub', at(1)));
    case 'msubsup':
      return element('sSubSup', '', part('e', at(0)) + part('sub', at(1)) + part('sup', at(2)));
    case 'mover':
      return above(node);
    case 'munder':
      return below(node);
    case 'munderover':
      return stacked(node);
    case 'mtable':
      return table(node);
    case 'menclose':
      return enclosed(node);
    case 'mphantom':
      return element('phant', val('show', '0'), part('e', row(contentOf(node))));
    default:
      throw new Unknown(node.name);
  }
}
