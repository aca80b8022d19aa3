/**
 * Word's formulas against MathML that a second table writes: OMML becomes LaTeX, KaTeX renders it as MathML, and both
 * must have the same shape.
 */
import { Parser } from 'htmlparser2';
import katex from 'katex';
import { describe, expect, test } from 'vitest';
import { latexOfMathMl } from '#server/platform/text/latex.ts';
import type { MathNode } from '#server/platform/text/mathml.ts';
import { mathMlOfOmml } from '#server/platform/text/omml.ts';
import { ommlOfLatex } from '#server/platform/text/omml-write.ts';

/** A formula as Word writes it, and as MathML. */
interface Sample {
  omml: string;
  mathMl: string;
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const run = (text: string, properties: string, mathMl: string): Sample => ({
  omml: `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr><m:t>${escapeXml(text)}</m:t></m:r>`,
  mathMl,
});
const letter = (text: string) => run(text, '', `<mi>${escapeXml(text)}</mi>`);
const digits = (text: string) => run(text, '', `<mn>${text}</mn>`);
const sign = (text: string) => run(text, '', `<mo>${escapeXml(text)}</mo>`);
const upright = (text: string) => run(text, '<m:sty m:val="p"/>', `<mi mathvariant="normal">${text}</mi>`);
const chinese = (text: string) => run(text, '', `<mtext>${text}</mtext>`);
const row = (...samples: Sample[]): Sample => ({
  omml: samples.map(({ omml }) => omml).join(''),
  mathMl: `<mrow>${samples.map(({ mathMl }) => mathMl).join('')}</mrow>`,
});

/** The content as one element, since the elements of MathML have a fixed number of children. */
const one = (sample: Sample): string => row(sample).mathMl;

const control = (name: string, inner = '') =>
  `<m:${name}Pr>${inner}<m:ctrlPr><w:rPr><w:i/></w:rPr></m:ctrlPr></m:${name}Pr>`;
const val = (name: string, value: string) => `<m:${name} m:val="${escapeXml(value)}"/>`;
const e = ({ omml }: Sample) => `<m:e>${omml}</m:e>`;
const tag = (name: string, { omml }: Sample) => `<m:${name}>${omml}</m:${name}>`;

const fraction = (a: Sample, b: Sample): Sample => ({
  omml: `<m:f>${control('f')}${tag('num', a)}${tag('den', b)}</m:f>`,
  mathMl: `<mfrac>${one(a)}${one(b)}</mfrac>`,
});
const binomial = (a: Sample, b: Sample): Sample => ({
  omml: `<m:f>${control('f', val('type', 'noBar'))}${tag('num', a)}${tag('den', b)}</m:f>`,
  mathMl: `<mfrac>${one(a)}${one(b)}</mfrac>`,
});
const linear = (a: Sample, b: Sample): Sample => ({
  omml: `<m:f>${control('f', val('type', 'lin'))}${tag('num', a)}${tag('den', b)}</m:f>`,
  mathMl: `${one(a)}<mo>/</mo>${one(b)}`,
});
const power = (a: Sample, b: Sample): Sample => ({
  omml: `<m:sSup>${control('sSup')}${e(a)}${tag('sup', b)}</m:sSup>`,
  mathMl: `<msup>${one(a)}${one(b)}</msup>`,
});
const index = (a: Sample, b: Sample): Sample => ({
  omml: `<m:sSub>${control('sSub')}${e(a)}${tag('sub', b)}</m:sSub>`,
  mathMl: `<msub>${one(a)}${one(b)}</msub>`,
});
const both = (a: Sample, b: Sample, c: Sample): Sample => ({
  omml: `<m:sSubSup>${control('sSubSup')}${e(a)}${tag('sub', b)}${tag('sup', c)}</m:sSubSup>`,
  mathMl: `<msubsup>${one(a)}${one(b)}${one(c)}</msubsup>`,
});
const before = (a: Sample, b: Sample, c: Sample): Sample => ({
  omml: `<m:sPre>${control('sPre')}${tag('sub', b)}${tag('sup', c)}${e(a)}</m:sPre>`,
  mathMl: `<msubsup><mrow></mrow>${one(b)}${one(c)}</msubsup>${one(a)}`,
});
const root = (a: Sample): Sample => ({
  omml: `<m:rad>${control('rad', val('degHide', '1'))}<m:deg/>${e(a)}</m:rad>`,
  mathMl: `<msqrt>${one(a)}</msqrt>`,
});
const nthRoot = (a: Sample, b: Sample): Sample => ({
  omml: `<m:rad>${control('rad')}${tag('deg', b)}${e(a)}</m:rad>`,
  mathMl: `<mroot>${one(a)}${one(b)}</mroot>`,
});
const sum = (chr: string, place: string, low: Sample, high: Sample, a: Sample): Sample => ({
  omml: `<m:nary>${control('nary', val('chr', chr) + (place && val('limLoc', place)))}${tag('sub', low)}${tag('sup', high)}${e(a)}</m:nary>`,
  mathMl: `<munderover><mo>${chr}</mo>${one(low)}${one(high)}</munderover>${one(a)}`,
});
const fenced = (open: string, close: string, a: Sample): Sample => ({
  omml: `<m:d>${control('d', val('begChr', open) + val('endChr', close))}${e(a)}</m:d>`,
  mathMl: `${open && `<mo>${escapeXml(open)}</mo>`}${one(a)}${close && `<mo>${close}</mo>`}`,
});
const parentheses = (a: Sample): Sample => ({
  omml: `<m:d>${control('d')}${e(a)}</m:d>`,
  mathMl: `<mo>(</mo>${one(a)}<mo>)</mo>`,
});
const func = (name: Sample, a: Sample): Sample => ({
  omml: `<m:func>${control('func')}${tag('fName', name)}${e(a)}</m:func>`,
  mathMl: `${name.mathMl}${one(a)}`,
});
const functionName = (text: string) => run(text, '<m:sty m:val="p"/>', `<mi>${text}</mi>`);
const limit = (a: Sample, b: Sample): Sample => ({
  omml: `<m:limLow>${control('limLow')}${e(a)}${tag('lim', b)}</m:limLow>`,
  mathMl: `<munder>${one(a)}${one(b)}</munder>`,
});
const upperLimit = (a: Sample, b: Sample): Sample => ({
  omml: `<m:limUpp>${control('limUpp')}${e(a)}${tag('lim', b)}</m:limUpp>`,
  mathMl: `<mover>${one(a)}${one(b)}</mover>`,
});
const table = (rows: string) => `<mtable>${rows}</mtable>`;
const matrix = (cells: Sample[][], columns = ''): Sample => ({
  omml: `<m:m>${control('m', `<m:mcs><m:mc><m:mcPr>${val('count', String(cells[0]?.length ?? 1))}${val('mcJc', columns || 'center')}</m:mcPr></m:mc></m:mcs>`)}${cells.map((line) => `<m:mr>${line.map(e).join('')}</m:mr>`).join('')}</m:m>`,
  mathMl: table(
    cells.map((line) => `<mtr>${line.map(({ mathMl }) => `<mtd>${mathMl}</mtd>`).join('')}</mtr>`).join(''),
  ),
});
/** Rows of cells that `&` separates. */
const equations = (rows: Sample[][]): Sample => ({
  omml: `<m:eqArr>${control('eqArr')}${rows.map((cells) => `<m:e>${cells.map(({ omml }) => omml).join('<m:r><m:t>&amp;</m:t></m:r>')}</m:e>`).join('')}</m:eqArr>`,
  mathMl: table(
    rows.map((cells) => `<mtr>${cells.map(({ mathMl }) => `<mtd>${mathMl}</mtd>`).join('')}</mtr>`).join(''),
  ),
});
const accent = (chr: string, shown: string, a: Sample): Sample => ({
  omml: `<m:acc>${control('acc', chr && val('chr', chr))}${e(a)}</m:acc>`,
  mathMl: `<mover>${one(a)}<mo>${shown}</mo></mover>`,
});
const bar = (position: string, a: Sample): Sample => ({
  omml: `<m:bar>${control('bar', position && val('pos', position))}${e(a)}</m:bar>`,
  mathMl: position === 'top' ? `<mover>${one(a)}<mo>‾</mo></mover>` : `<munder>${one(a)}<mo>‾</mo></munder>`,
});
const group = (chr: string, position: string, a: Sample): Sample => ({
  omml: `<m:groupChr>${control('groupChr', (chr && val('chr', chr)) + (position && val('pos', position)))}${e(a)}</m:groupChr>`,
  mathMl:
    position === 'top'
      ? `<mover>${one(a)}<mo>${chr || '⏟'}</mo></mover>`
      : `<munder>${one(a)}<mo>${chr || '⏟'}</mo></munder>`,
});
/** An arrow with the condition of a reaction above it. */
const reaction = (chr: string, a: Sample): Sample => ({
  omml: `<m:box>${control('box', val('opEmu', '1'))}<m:e><m:groupChr>${control('groupChr', val('chr', chr) + val('vertJc', 'bot'))}${e(a)}</m:groupChr></m:e></m:box>`,
  mathMl: `<mover><mo>${chr}</mo>${one(a)}</mover>`,
});
const boxed = (a: Sample): Sample => ({
  omml: `<m:borderBox>${control('borderBox')}${e(a)}</m:borderBox>`,
  mathMl: `<menclose notation="box">${one(a)}</menclose>`,
});
const struck = (name: string, notation: string, a: Sample): Sample => ({
  omml: `<m:borderBox>${control('borderBox', ['hideTop', 'hideBot', 'hideLeft', 'hideRight', name].map((one) => val(one, '1')).join(''))}${e(a)}</m:borderBox>`,
  mathMl: `<menclose notation="${notation}">${one(a)}</menclose>`,
});
const phantom = (a: Sample): Sample => ({
  omml: `<m:phant>${control('phant', val('show', '0'))}${e(a)}</m:phant>`,
  mathMl: `<mphantom>${one(a)}</mphantom>`,
});
const box = (a: Sample): Sample => ({ omml: `<m:box>${control('box')}${e(a)}</m:box>`, mathMl: a.mathMl });

function parse(markup: string): MathNode {
  const root: MathNode = { name: 'root', attributes: {}, children: [] };
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
    { xmlMode: true, lowerCaseTags: true, decodeEntities: true },
  );
  parser.end(markup);
  return root.children[0] as MathNode;
}

const large = /^(?:[∑∏∫∬∮⋃]|lim|max|min|sup|inf)$/;
const sameSigns: Record<string, string> = { '⃗': '→', '\u0302': '^', '∣': '|', '−': '-', '∗': '*', '‾': '¯' };

/**
 * Writes the shape of MathML: its characters and structures, without rows, spacing and the difference between
 * identifiers and operators. Limits beside and above a large operator are the same, since the renderer moves them.
 */
function shape(node: MathNode | string): string {
  if (typeof node === 'string') {
    return [...node.replace(/[\s\u00a0\u2061]/g, '')].map((one) => sameSigns[one] ?? one).join('');
  }
  const parts = node.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const all = () => parts.map(shape).join('');
  const each = () => parts.map((one) => shape(one));
  switch (node.name) {
    case 'annotation':
    case 'mspace':
      return '';
    case 'mi': {
      const { mathvariant = '' } = node.attributes;
      const text = all();
      return mathvariant === '' || (mathvariant === 'normal' && !/^[a-zA-Z]+$/.test(text))
        ? text
        : [...text].map((one) => `${mathvariant}:${one}`).join('');
    }
    case 'mfrac':
    case 'mroot':
    case 'msup':
    case 'msub':
    case 'msubsup':
    case 'mover':
    case 'munder':
    case 'munderover': {
      const [main = '', ...rest] = each();
      const isBeside = large.test(main) && /^m(?:under|over|underover)$/.test(node.name);
      const name = isBeside
        ? node.name.replace('munder', 'msub').replace('mover', 'msup').replace('over', 'sup')
        : node.name;
      return `${name}(${[main, ...rest].join(',')})`;
    }
    case 'msqrt':
    case 'mtable':
    case 'mtr':
    case 'mtd':
    case 'mphantom':
      return `${node.name}(${all()})`;
    case 'menclose':
      return `${node.attributes.notation}(${all()})`;
    default:
      return all();
  }
}

const rendered = (latex: string) =>
  shape(parse(katex.renderToString(latex, { output: 'mathml', strict: 'ignore', throwOnError: true })));

/** The LaTeX of a formula that was written for Word and read again. */
const throughWord = (latex: string): string => latexOfMathMl(mathMlOfOmml(parse(ommlOfLatex(latex) ?? ''))) ?? '';

function compare(sample: Sample): { latex: string; shown: string; expected: string } {
  const latex = latexOfMathMl(mathMlOfOmml(parse(`<m:oMath>${sample.omml}</m:oMath>`)));
  expect(latex, sample.omml).toBeDefined();
  return {
    latex: latex ?? '',
    shown: rendered(latex ?? ''),
    expected: shape(parse(`<math>${sample.mathMl}</math>`)),
  };
}

const x = letter('x');
const y = letter('y');
const n = letter('n');
const two = digits('2');
const structures: Record<string, (a: Sample) => Sample> = {
  'a fraction': (a) => fraction(a, y),
  'a fraction below': (a) => fraction(digits('1'), a),
  'a fraction on a line': (a) => linear(a, two),
  'a binomial': (a) => binomial(a, digits('3')),
  'a power': (a) => power(a, two),
  'an exponent': (a) => power(letter('e'), a),
  'an index': (a) => index(letter('a'), a),
  'an index and exponent': (a) => both(letter('b'), a, two),
  'scripts before': (a) => before(letter('X'), digits('6'), a),
  'a root': root,
  'a root of degree n': (a) => nthRoot(a, n),
  'a sum': (a) => sum('∑', 'undOvr', row(letter('i'), sign('='), digits('1')), n, a),
  'a product': (a) => sum('∏', '', row(letter('k'), sign('='), digits('0')), a, letter('k')),
  'an integral': (a) => sum('∫', 'subSup', digits('0'), a, row(letter('t'), letter('d'), letter('t'))),
  parentheses,
  'an absolute value': (a) => fenced('|', '|', a),
  'a half-open interval': (a) => fenced('[', ')', row(digits('0'), sign(','), a)),
  braces: (a) => fenced('{', '}', a),
  'a function': (a) => func(functionName('sin'), a),
  'a power of a function': (a) => func(power(functionName('cos'), two), a),
  'a limit': (a) => func(limit(functionName('lim'), row(x, sign('→'), digits('0'))), a),
  'a vector': (a) => accent('\u20d7', '→', a),
  'an average': (a) => bar('top', a),
  'an underline': (a) => bar('', a),
  'an underbrace': (a) => limit(group('', '', a), n),
  'a frame': boxed,
  'a struck term': (a) => struck('strikeBLTR', 'updiagonalstrike', a),
  'hidden content': phantom,
  'a box': box,
  'a matrix': (a) =>
    fenced(
      '(',
      ')',
      matrix([
        [a, digits('0')],
        [digits('0'), x],
      ]),
    ),
  'a system of equations': (a) =>
    fenced('{', '', equations([[row(x, sign('+'), y, sign('='), digits('3'))], [row(a, sign('='), digits('1'))]])),
  'aligned equations': (a) =>
    equations([
      [x, row(sign('='), a)],
      [row(), row(sign('='), two)],
    ]),
};

describe('a Word formula with another one inside', () => {
  test.each(Object.entries(structures))('shows %s as Word does', (_, outer) => {
    const different: unknown[] = [];
    for (const inner of Object.values(structures)) {
      const found = compare(row(y, sign('='), outer(inner(x)), sign('+'), two));
      if (found.shown !== found.expected) different.push(found);
    }
    expect(different).toEqual([]);
  });

  test.each(Object.entries(structures))('is written for Word so that it reads the same: %s', (_, outer) => {
    const different: unknown[] = [];
    for (const inner of Object.values(structures)) {
      const { latex } = compare(row(y, sign('='), outer(inner(x)), sign('+'), two));
      const again = throughWord(latex);
      if (rendered(again) !== rendered(latex)) different.push({ latex, again });
    }
    expect(different).toEqual([]);
  });

  test('is tried in 1,024 combinations', () => {
    expect(Object.keys(structures).length ** 2).toBe(1024);
  });
});

const water = index(upright('H'), two);
const difficult: Record<string, [Sample, string?]> = {
  'the quadratic formula': [
    row(
      x,
      sign('='),
      fraction(
        row(
          sign('-'),
          letter('b'),
          sign('±'),
          root(row(power(letter('b'), two), sign('-'), digits('4'), letter('a'), letter('c'))),
        ),
        row(two, letter('a')),
      ),
    ),
    'x=\\frac{-b±\\sqrt{b^{2}-4ac}}{2a}',
  ],
  'a piecewise function': [
    row(
      letter('f'),
      parentheses(x),
      sign('='),
      fenced(
        '{',
        '',
        equations([
          [row(power(x, two), sign(',')), row(x, sign('≥'), digits('0'))],
          [row(sign('-'), x, sign(',')), row(x, sign('<'), digits('0'))],
        ]),
      ),
    ),
    'f(x)=\\begin{cases}x^{2}, & x≥0 \\\\ -x, & x<0\\end{cases}',
  ],
  'Chinese in a formula': [
    row(index(letter('v'), chinese('平均')), sign('='), fraction(chinese('路程'), chinese('时间'))),
    'v_{\\text{平均}}=\\frac{\\text{路程}}{\\text{时间}}',
  ],
  'a reaction with its condition': [
    row(
      two,
      water,
      upright('O'),
      reaction('=', chinese('通电')),
      two,
      water,
      sign('↑'),
      sign('+'),
      index(upright('O'), two),
      sign('↑'),
    ),
    '2\\mathrm{H}_{2}\\mathrm{O}\\xlongequal{\\text{通电}}2\\mathrm{H}_{2}↑+\\mathrm{O}_{2}↑',
  ],
  'a reaction with conditions above and below': [
    row(
      upright('A'),
      {
        omml: `<m:limLow>${control('limLow')}<m:e><m:groupChr>${control('groupChr', val('chr', '→') + val('vertJc', 'bot'))}${e(chinese('催化剂'))}</m:groupChr></m:e>${tag('lim', sign('△'))}</m:limLow>`,
        mathMl: '<munderover><mo>→</mo><mo>△</mo><mtext>催化剂</mtext></munderover>',
      },
      upright('B'),
    ),
    '\\mathrm{A}\\xrightarrow[{△}]{\\text{催化剂}}\\mathrm{B}',
  ],
  'a condition above an equals sign': [
    row(letter('S'), upperLimit(sign('='), chinese('点燃')), upright('SO')),
    'S\\xlongequal{\\text{点燃}}\\mathrm{SO}',
  ],
  'an ion with its charge': [row(both(upright('SO'), digits('4'), row(two, sign('-')))), '\\mathrm{SO}_{4}^{2-}'],
  'a nuclide': [before(upright('U'), digits('92'), digits('235')), '{}_{92}^{235}\\mathrm{U}'],
  'a definite integral with its value': [
    row(
      {
        omml: `<m:nary>${control('nary', val('limLoc', 'undOvr'))}${tag('sub', digits('0'))}${tag('sup', sign('∞'))}${e(power(letter('e'), row(sign('-'), x)))}</m:nary>`,
        mathMl:
          '<msubsup><mo>∫</mo><mn>0</mn><mo>∞</mo></msubsup><msup><mi>e</mi><mrow><mo>-</mo><mi>x</mi></mrow></msup>',
      },
      upright('d'),
      x,
    ),
    '∫\\limits_{0}^{∞}e^{-x}\\mathrm{d}x',
  ],
  'a sum without an upper limit': [
    {
      omml: `<m:nary>${control('nary', val('chr', '∑') + val('limLoc', 'undOvr') + val('supHide', '1'))}${tag('sub', letter('i'))}<m:sup/>${e(x)}</m:nary>`,
      mathMl: '<munder><mo>∑</mo><mi>i</mi></munder><mi>x</mi>',
    },
    '∑_{i}x',
  ],
  'a conditional probability': [
    row(letter('P'), {
      omml: `<m:d>${control('d')}${e(letter('A'))}${e(letter('B'))}</m:d>`,
      mathMl: '<mo>(</mo><mi>A</mi><mo>|</mo><mi>B</mi><mo>)</mo>',
    }),
    'P(A|B)',
  ],
  'a determinant': [
    fenced(
      '|',
      '|',
      matrix([
        [letter('a'), letter('b')],
        [letter('c'), letter('d')],
      ]),
    ),
    '\\left| \\begin{matrix}a & b \\\\ c & d\\end{matrix} \\right|',
  ],
  'an open interval in the French way': [
    fenced(']', '[', row(letter('a'), sign(','), fraction(letter('b'), two))),
    '\\left] a,\\frac{b}{2} \\right[',
  ],
  'a value at a place': [
    index(fenced('', '|', fraction(letter('d'), x)), row(x, sign('='), digits('0'))),
    '{\\left. \\frac{d}{x} \\right|}_{x=0}',
  ],
  'left-aligned columns': [
    matrix(
      [
        [x, y],
        [two, n],
      ],
      'left',
    ),
    '\\begin{array}{ll}x & y \\\\ 2 & n\\end{array}',
  ],
  'an angle in upright letters': [
    row(sign('∠'), upright('ABC'), sign('='), power(digits('30'), sign('°'))),
    '∠\\mathrm{ABC}={30}^{°}',
  ],
  'a wide hat': [accent('', '^', row(letter('A'), letter('B'))), '\\widehat{AB}'],
  'a narrow hat': [accent('', '^', y), '\\hat{y}'],
  'a derivative after a power': [
    { ...row(power(x, two), sign('′')), mathMl: '<msup><mi>x</mi><mn>2</mn></msup><msup><mrow/><mo>′</mo></msup>' },
    "x^{2}{}'",
  ],
  'the real numbers': [
    row(x, sign('∈'), run('R', '<m:scr m:val="double-struck"/>', '<mi mathvariant="double-struck">R</mi>')),
    'x∈\\mathbb{R}',
  ],
  'a bold vector': [run('a', '<m:sty m:val="b"/>', '<mi mathvariant="bold">a</mi>'), '\\mathbf{a}'],
  'a bold Greek letter': [run('α', '<m:sty m:val="bi"/>', '<mi mathvariant="bold-italic">α</mi>'), '\\boldsymbol{α}'],
  'words with spaces': [run('if x > 0', '<m:nor/>', '<mtext>if x &gt; 0</mtext>'), '\\text{if x > 0}'],
  'signs that mean something in LaTeX': [
    row(digits('5'), sign('%'), sign('#'), sign('&'), sign('_'), sign('{'), sign('}'), sign('\\')),
  ],
  'a caret in the text': [row(digits('2'), sign('^'), digits('3'))],
  'letters of the mathematical alphabet': [run('𝑥', '', '<mi>x</mi>'), 'x'],
  'an overbrace with a note': [upperLimit(group('⏞', 'top', row(x, sign('+'), y)), n), '\\overbrace{x+y}^{n}'],
  'an equation in several lines': [
    {
      omml: `${x.omml}<m:r><w:br/><m:t>=</m:t></m:r>${y.omml}`,
      mathMl: '<mi>x</mi><mspace/><mo>=</mo><mi>y</mi>',
    },
    'x\\\\ =y',
  ],
  'text of Word within a formula': [
    { omml: `${x.omml}<w:ins w:id="1"><w:r><w:t>且</w:t></w:r></w:ins>`, mathMl: '<mi>x</mi><mtext>且</mtext>' },
    'x\\text{且}',
  ],
  'a smashed term, which is shown': [
    { omml: `<m:phant>${control('phant', val('zeroAsc', '1'))}${e(x)}</m:phant>`, mathMl: '<mi>x</mi>' },
    'x',
  ],
};

describe('a difficult Word formula', () => {
  test.each(Object.entries(difficult))('shows %s as Word does', (_, [sample, latex]) => {
    const found = compare(sample);
    expect(found.shown, found.latex).toBe(found.expected);
    if (latex !== undefined) expect(found.latex).toBe(latex);
  });

  test.each(Object.entries(difficult))('is written for Word so that it reads the same: %s', (_, [sample]) => {
    const { latex } = compare(sample);
    expect(rendered(throughWord(latex)), throughWord(latex)).toBe(rendered(latex));
  });
});

describe('a formula as people type it', () => {
  test.each([
    'E=mc^2',
    '\\frac12',
    '\\dfrac{a}{b}',
    'x_1,x_2,\\dots,x_n',
    '\\alpha+\\beta=\\pi',
    '\\sqrt[3]{8}=2',
    '\\sum_{i=1}^{n} i^2=\\frac{n(n+1)(2n+1)}{6}',
    '\\int_0^1 x^2\\,dx',
    '\\lim_{x\\to 0}\\frac{\\sin x}{x}=1',
    '\\vec{a}\\cdot\\vec{b}=|\\vec{a}||\\vec{b}|\\cos\\theta',
    '\\overrightarrow{AB}',
    '\\angle ABC=90^\\circ',
    '\\triangle ABC\\cong\\triangle DEF',
    'A\\cup B\\subseteq C',
    '\\begin{cases}x+y=1\\\\x-y=3\\end{cases}',
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '\\begin{vmatrix}a&b\\\\c&d\\end{vmatrix}',
    '\\begin{aligned}a&=b\\\\&=c\\end{aligned}',
    '\\binom{n}{k}',
    '\\mathrm{2H_2+O_2\\xlongequal{\\text{点燃}}2H_2O}',
    '\\text{Fe}^{3+}',
    '\\log_2 8=3',
    '\\{x\\mid x>0\\}',
    '\\left\\{x\\middle|x>0\\right\\}',
    '\\underbrace{1+1+\\cdots+1}_{n}',
    '\\overline{x}',
    '\\hat{y}=\\hat{b}x+\\hat{a}',
    "f'(x)",
    'x\\in\\mathbb{R}',
    '\\boxed{42}',
    '50\\%',
    '3\\ \\text{km/h}',
    '\\displaystyle\\frac{1}{2}',
    '\\max_{x\\in A} f(x)',
    'a\\xrightarrow[b]{c}d',
    '\\tan\\left(\\frac{\\pi}{4}\\right)',
    '-2^{-3}',
    'x\\le y\\ne z\\ge w',
    '\\odot O\\perp l\\parallel m',
    '\\cancel{x}',
  ])('is written for Word so that it reads the same: %s', (latex) => {
    expect(rendered(throughWord(latex)), throughWord(latex)).toBe(rendered(latex));
  });

  test('writes the indices of chemistry for Word, without its invisible letters', () => {
    const written = ommlOfLatex('\\ce{2H2 + O2 ->[点燃] 2H2O}') ?? '';
    expect(written).toContain('点燃');
    expect(written.match(/<m:sub>/g)).toHaveLength(3);
    expect(written).not.toMatch(/m:phant|<m:t[^<>]*>X</);
  });

  test('is not written if it is wrong', () => {
    expect(ommlOfLatex('\\frac{1')).toBeUndefined();
  });
});
