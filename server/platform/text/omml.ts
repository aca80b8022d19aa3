/** Converts Word's formulas (OMML) to MathML; latex.ts then converts MathML to LaTeX. */
import { childElements, latexFunctions, type MathNode, textOf } from './latex.ts';

const node = (name: string, children: (MathNode | string)[], attributes: Record<string, string> = {}): MathNode => ({
  name,
  attributes,
  children,
});

/** Converts a Word formula (OMML) to MathML. Element names are lower case, as an HTML parser reports them. */
export const mathMlOfOmml = (formula: MathNode): MathNode => node('math', content(formula));

const childrenNamed = (parent: MathNode | undefined, name: string): MathNode[] =>
  parent ? childElements(parent).filter((child) => child.name === `m:${name}`) : [];
const content = (parent: MathNode | undefined): MathNode[] =>
  parent ? childElements(parent).flatMap(convertElement) : [];
const part = (parent: MathNode, name: string): MathNode => node('mrow', content(childrenNamed(parent, name)[0]));
const property = (parent: MathNode, name: string, fallback: string): string => {
  const properties = childElements(parent).find((child) => /pr$/.test(child.name));
  const [found] = childrenNamed(properties, name);
  return found ? (found.attributes['m:val'] ?? found.attributes.val ?? fallback) : fallback;
};
const has = (parent: MathNode, name: string): boolean =>
  childrenNamed(
    childElements(parent).find((child) => /pr$/.test(child.name)),
    name,
  ).some(({ attributes }) => !/^(?:0|off|false)$/.test(attributes['m:val'] ?? attributes.val ?? '1'));

/** Splits a text into numbers with their decimals, runs of Chinese, runs of spaces, and single other characters. */
const tokensOf = (text: string): MathNode[] =>
  [...text.matchAll(/\d+(?:\.\d+)?|[\u3000-\u9fff\uff00-\uffef]+|\s+|./gsu)].map(([part]) => {
    if (/^\d/.test(part)) return node('mn', [part]);
    if (/^[\s\u3000-\u9fff\uff00-\uffef]/.test(part)) return node('mtext', [part]);
    return node(/^\p{L}/u.test(part) ? 'mi' : 'mo', [part]);
  });

/**
 * Returns the text of a run. In documents it is in `m:t`; on the clipboard it is in the run itself, with arbitrary line
 * breaks.
 */
const runText = (run: MathNode): string =>
  childrenNamed(run, 't').length > 0
    ? childrenNamed(run, 't').map(textOf).join('')
    : run.children
        .map((child) => (typeof child === 'string' ? child : /pr$/.test(child.name) ? '' : textOf(child)))
        .join('')
        .replace(/\s*\n\s*/g, ' ');

function convertElement(element: MathNode): MathNode[] {
  const e = () => part(element, 'e');
  switch (element.name.replace(/^m:/, '')) {
    case 'r': {
      const text = runText(element);
      return latexFunctions.includes(text.trim()) ? [node('mi', [text.trim()])] : tokensOf(text);
    }
    case 'f': {
      const isBare = property(element, 'type', 'bar') === 'nobar' || property(element, 'type', 'bar') === 'noBar';
      return [node('mfrac', [part(element, 'num'), part(element, 'den')], isBare ? { linethickness: '0' } : {})];
    }
    case 'rad':
      return content(childrenNamed(element, 'deg')[0]).length > 0 && !has(element, 'deghide')
        ? [node('mroot', [e(), part(element, 'deg')])]
        : [node('msqrt', [e()])];
    case 'ssup':
      return [node('msup', [e(), part(element, 'sup')])];
    case 'ssub':
      return [node('msub', [e(), part(element, 'sub')])];
    case 'ssubsup':
      return [node('msubsup', [e(), part(element, 'sub'), part(element, 'sup')])];
    case 'spre':
      return [node('mmultiscripts', [e(), node('mprescripts', []), part(element, 'sub'), part(element, 'sup')])];
    case 'nary': {
      const sign = node('mo', [property(element, 'chr', '∫')]);
      return [
        node('munderover', [sign, part(element, 'sub'), part(element, 'sup')]),
        ...content(childrenNamed(element, 'e')[0]),
      ];
    }
    case 'd': {
      const separators = property(element, 'sepchr', '|');
      const inner = childrenNamed(element, 'e').map((one) => node('mrow', content(one)));
      return [
        node('mfenced', inner, {
          open: property(element, 'begchr', '('),
          close: property(element, 'endchr', ')'),
          separators,
        }),
      ];
    }
    case 'm':
      return [
        node(
          'mtable',
          childrenNamed(element, 'mr').map((line) =>
            node(
              'mtr',
              childrenNamed(line, 'e').map((cell) => node('mtd', content(cell))),
            ),
          ),
        ),
      ];
    case 'eqarr':
      return [
        node(
          'mtable',
          childrenNamed(element, 'e').map((line) => node('mtr', [node('mtd', content(line))])),
        ),
      ];
    case 'acc':
      return [node('mover', [e(), node('mo', [property(element, 'chr', '^')])])];
    case 'bar':
      return [node(property(element, 'pos', 'bot') === 'top' ? 'mover' : 'munder', [e(), node('mo', ['¯'])])];
    case 'groupchr':
      return [
        node(property(element, 'pos', 'bot') === 'top' ? 'mover' : 'munder', [
          e(),
          node('mo', [property(element, 'chr', '⏟')]),
        ]),
      ];
    case 'func':
      return [...content(childrenNamed(element, 'fname')[0]), ...content(childrenNamed(element, 'e')[0])];
    case 'limlow':
      return [node('munder', [e(), part(element, 'lim')])];
    case 'limupp':
      return [node('mover', [e(), part(element, 'lim')])];
    case 'borderbox':
      return [node('menclose', [e()], { notation: 'box' })];
    case 'phant':
      return [node('mphantom', [e()])];
    case 'box':
      return content(childrenNamed(element, 'e')[0]);
    case 'omath':
    case 'omathpara':
      return content(element);
    default:
      // Skips properties, which show nothing, and replaces Word's runs by their content.
      return /pr$|^w:|^o:|^span$|^i$|^b$/.test(element.name)
        ? /pr$/.test(element.name)
          ? []
          : content(element)
        : [node(element.name, [])];
  }
}
