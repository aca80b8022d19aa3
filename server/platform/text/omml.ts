/**
 * Converts Word's formulas (OMML) to MathML; latex.ts then converts MathML to LaTeX. Element names are lower case, as an
 * HTML parser reports them.
 */
import { latexFunctions } from './latex-signs.ts';
import { childElements, type MathNode, textOf } from './mathml.ts';

const node = (name: string, children: (MathNode | string)[], attributes: Record<string, string> = {}): MathNode => ({
  name,
  attributes,
  children,
});
const operator = (sign: string): MathNode => node('mo', [sign]);

/** Converts a Word formula (OMML) to MathML. */
export const mathMlOfOmml = (formula: MathNode): MathNode => node('math', content(formula));

const childrenNamed = (parent: MathNode | undefined, name: string): MathNode[] =>
  parent ? childElements(parent).filter((child) => child.name === `m:${name}`) : [];
const content = (parent: MathNode | undefined): MathNode[] =>
  parent ? childElements(parent).flatMap(convertElement) : [];
const part = (parent: MathNode, name: string): MathNode => node('mrow', content(childrenNamed(parent, name)[0]));
const isEmpty = ({ children }: MathNode): boolean => children.length === 0;

const isProperties = ({ name }: MathNode): boolean => name.endsWith('pr');
const valueIn = ({ attributes }: MathNode): string | undefined => attributes['m:val'] ?? attributes.val;
const properties = (parent: MathNode, name: string): MathNode[] =>
  childElements(parent)
    .filter(isProperties)
    .flatMap((list) => childrenNamed(list, name));
/** Value of a property; `missing` if it is absent or has no value. */
const property = (parent: MathNode, name: string, missing: string): string => {
  const [found] = properties(parent, name);
  return (found && valueIn(found)) ?? missing;
};
/** True if a switch is present and not off. */
const has = (parent: MathNode, name: string): boolean =>
  properties(parent, name).some((found) => !isOff(valueIn(found)));
const isOff = (value: string | undefined): boolean => /^(?:0|off|false)$/.test(value ?? '');

/** Letters that MathML would show upright, bold or in another alphabet. */
const variants: Readonly<Record<string, string>> = {
  'double-struck': 'double-struck',
  script: 'script',
  fraktur: 'fraktur',
  'sans-serif': 'sans-serif',
  monospace: 'monospace',
};
const styles: Readonly<Record<string, string>> = { p: 'normal', b: 'bold', bi: 'bold-italic' };

/** Splits a text into numbers with their decimals, runs of Chinese, runs of spaces, and single other characters. */
export function tokensOf(text: string, variant: string | undefined): MathNode[] {
  const attributes: Record<string, string> = variant ? { mathvariant: variant } : {};
  // Letters of another style stay together, as in ∠ABC or NaOH.
  const tokens = variant
    ? /\d+(?:\.\d+)?|[\u3000-\u9fff\uff00-\uffef]+|\s+|[a-zA-Z]+|./gsu
    : /\d+(?:\.\d+)?|[\u3000-\u9fff\uff00-\uffef]+|\s+|./gsu;
  return [...text.matchAll(tokens)].map(([token]) => {
    if (/^\d/.test(token)) return node('mn', [token], variant === 'normal' ? {} : attributes);
    if (/^[\s\u3000-\u9fff\uff00-\uffef]/.test(token)) return node('mtext', [token]);
    return /^\p{L}/u.test(token) ? node('mi', [token], attributes) : operator(token);
  });
}

/**
 * Returns the text of a run. In documents it is in `m:t`; on the clipboard it is in the run itself, with arbitrary line
 * breaks. Letters of the mathematical alphabets (𝑥) become plain ones.
 */
function runText(run: MathNode): string {
  const inDocument = childElements(run).filter(({ name }) => /^[mw]:t$/.test(name));
  const text =
    inDocument.length > 0
      ? inDocument.map(textOf).join('')
      : run.children
          .map((child) => (typeof child === 'string' ? child : isProperties(child) ? '' : textOf(child)))
          .join('')
          .replace(/\s*\n\s*/g, ' ');
  return text.replace(/[\u{1d400}-\u{1d7ff}\u210e]/gu, (letter) => letter.normalize('NFKC'));
}

function convertRun(run: MathNode): MathNode[] {
  const text = runText(run);
  const breaks = childElements(run).some(({ name }) => name === 'w:br');
  const before = breaks ? [node('mspace', [], { linebreak: 'newline' })] : [];
  if (text === '') return before;
  if (run.name === 'w:r' || has(run, 'nor')) return [...before, node('mtext', [text])];
  if (latexFunctions.includes(text.trim())) return [...before, node('mi', [text.trim()])];
  const script = variants[property(run, 'scr', '')];
  return [...before, ...tokensOf(text, script ?? styles[property(run, 'sty', '')])];
}

/** Arrows and signs with text above or below, such as conditions of a reaction. */
const stretched = /^[=→←↔⇒⇐⇔⇌⇄↦]$/;

/** A character above or below other content. An arrow is the base of the content. */
function groupCharacter(element: MathNode): MathNode {
  const sign = property(element, 'chr', '⏟');
  const isAbove = property(element, 'pos', 'bot') === 'top';
  const inner = part(element, 'e');
  if (stretched.test(sign) && !isEmpty(inner)) return node(isAbove ? 'munder' : 'mover', [operator(sign), inner]);
  return node(isAbove ? 'mover' : 'munder', [inner, operator(sign)]);
}

/** A large operator with its limits. Word puts the limits of an integral beside its sign by default. */
function largeOperator(element: MathNode): MathNode[] {
  const sign = property(element, 'chr', '∫') || '∫';
  const isIntegral = /^[∫-∳]$/.test(sign);
  const isStacked = property(element, 'limloc', isIntegral ? 'subsup' : 'undovr').toLowerCase() === 'undovr';
  const [below, above] = [part(element, 'sub'), part(element, 'sup')];
  const hasBelow = !has(element, 'subhide') && !isEmpty(below);
  const hasAbove = !has(element, 'suphide') && !isEmpty(above);
  const place = isStacked ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup'];
  const limits = [...(hasBelow ? [below] : []), ...(hasAbove ? [above] : [])];
  const name = place[hasBelow ? (hasAbove ? 2 : 0) : 1] as string;
  const body = content(childrenNamed(element, 'e')[0]);
  return [limits.length === 0 ? operator(sign) : node(name, [operator(sign), ...limits]), ...body];
}

/** The alignment of each column; empty if all are centred. */
function columnAlignment(matrix: MathNode): string {
  const sides = properties(matrix, 'mcs')
    .flatMap((list) => childrenNamed(list, 'mc'))
    .flatMap((column) => {
      const count = Number(property(column, 'count', '1')) || 1;
      return Array<string>(Math.min(count, 64)).fill(property(column, 'mcjc', 'center'));
    });
  return sides.some((side) => side !== 'center') ? sides.join(' ') : '';
}

/** An equation of a list as cells: `&` in the text of a run is a place to align, and is not shown. */
function alignedCells(line: MathNode): MathNode[] {
  const cells: MathNode[][] = [[]];
  for (const child of childElements(line)) {
    const isPlainRun = child.name === 'm:r' && runText(child).includes('&');
    if (!isPlainRun) {
      cells.at(-1)?.push(...convertElement(child));
      continue;
    }
    for (const [index, text] of runText(child).split('&').entries()) {
      if (index > 0) cells.push([]);
      const kept = childElements(child).filter(isProperties);
      if (text) cells.at(-1)?.push(...convertRun({ ...child, children: [...kept, node('m:t', [text])] }));
    }
  }
  return cells.map((cell) => node('mtd', cell));
}

function equations(element: MathNode): MathNode {
  const lines = childrenNamed(element, 'e').map((line) => node('mtr', alignedCells(line)));
  const columns = Math.max(...lines.map((line) => line.children.length), 1);
  const sides = Array.from({ length: columns }, (_, index) => (index % 2 === 0 ? 'right' : 'left'));
  return node('mtable', lines, columns > 1 ? { columnalign: sides.join(' ') } : {});
}

/** A frame, or the sides and strokes that are left of it. */
function borderBox(element: MathNode): MathNode {
  const sides = ['top', 'bot', 'left', 'right'].filter((side) => !has(element, `hide${side}`));
  const strokes = [
    ['strikebltr', 'updiagonalstrike'],
    ['striketlbr', 'downdiagonalstrike'],
    ['strikeh', 'horizontalstrike'],
    ['strikev', 'verticalstrike'],
  ].flatMap(([name = '', notation = '']) => (has(element, name) ? [notation] : []));
  const frame = sides.length > 1 ? ['box'] : sides.map((side) => (side === 'bot' ? 'bottom' : side));
  return node('menclose', [part(element, 'e')], { notation: [...frame, ...strokes].join(' ') });
}

function fraction(element: MathNode): MathNode[] {
  const [above, below] = [part(element, 'num'), part(element, 'den')];
  switch (property(element, 'type', 'bar').toLowerCase()) {
    case 'lin':
    case 'skw':
      return [node('mrow', [above, operator('/'), below])];
    case 'nobar':
      return [node('mfrac', [above, below], { linethickness: '0' })];
    default:
      return [node('mfrac', [above, below])];
  }
}

function convertElement(element: MathNode): MathNode[] {
  const e = () => part(element, 'e');
  switch (element.name.replace(/^m:/, '')) {
    case 'r':
    case 'w:r':
      return convertRun(element);
    case 'f':
      return fraction(element);
    case 'rad': {
      const degree = part(element, 'deg');
      return isEmpty(degree) || has(element, 'deghide') ? [node('msqrt', [e()])] : [node('mroot', [e(), degree])];
    }
    case 'ssup':
      return [node('msup', [e(), part(element, 'sup')])];
    case 'ssub':
      return [node('msub', [e(), part(element, 'sub')])];
    case 'ssubsup':
      return [node('msubsup', [e(), part(element, 'sub'), part(element, 'sup')])];
    case 'spre':
      return [node('mmultiscripts', [e(), node('mprescripts', []), part(element, 'sub'), part(element, 'sup')])];
    case 'nary':
      return largeOperator(element);
    case 'd': {
      const inner = childrenNamed(element, 'e').map((one) => node('mrow', content(one)));
      const open = property(element, 'begchr', '(');
      const close = property(element, 'endchr', ')');
      return [node('mfenced', inner, { open, close, separators: property(element, 'sepchr', '|') })];
    }
    case 'm': {
      const lines = childrenNamed(element, 'mr').map((line) =>
        node(
          'mtr',
          childrenNamed(line, 'e').map((cell) => node('mtd', content(cell))),
        ),
      );
      const columnalign = columnAlignment(element);
      return [node('mtable', lines, columnalign ? { columnalign } : {})];
    }
    case 'eqarr':
      return [equations(element)];
    case 'acc':
      return [node('mover', [e(), operator(property(element, 'chr', '\u0302') || '\u0302')])];
    case 'bar':
      return [node(property(element, 'pos', 'bot') === 'top' ? 'mover' : 'munder', [e(), operator('¯')])];
    case 'groupchr':
      return [groupCharacter(element)];
    case 'func':
      return [...content(childrenNamed(element, 'fname')[0]), ...content(childrenNamed(element, 'e')[0])];
    case 'limlow':
      return [node('munder', [e(), part(element, 'lim')])];
    case 'limupp':
      return [node('mover', [e(), part(element, 'lim')])];
    case 'borderbox':
      return [borderBox(element)];
    case 'phant':
      return properties(element, 'show').some((show) => isOff(valueIn(show)))
        ? [node('mphantom', [e()])]
        : content(childrenNamed(element, 'e')[0]);
    case 'box':
      return content(childrenNamed(element, 'e')[0]);
    case 'omath':
    case 'omathpara':
      return content(element);
    default:
      if (isProperties(element)) return [];
      // Wrappers of Word, such as insertions and bookmarks, are replaced by their content.
      return /^(?:w:.*|o:.*|span|i|b)$/.test(element.name) ? content(element) : [node(element.name, [])];
  }
}
