import { describe, expect, test } from 'vitest';
import { commands, palette, slot } from '#app/questions/formula-palette.ts';
import {
  afterTyping,
  beforeKey,
  completions,
  type FormulaEdit,
  formulaFault,
  insertTemplate,
  tabIn,
  withoutMarks,
} from '#app/questions/formula-typing.ts';
import { isRenderedLatex } from '#server/platform/text/render-math.ts';

interface Field {
  text: string;
  start: number;
  end: number;
}

function applied({ text }: Field, edit: FormulaEdit): Field {
  const { from, to, text: written, start, end } = edit;
  return { text: text.slice(0, from) + written + text.slice(to), start, end };
}

/** Types key by key as the panel does; `⇥` is Tab. Returns the text with `‹›` around the selection. */
function typed(keys: string): string {
  let field: Field = { text: '', start: 0, end: 0 };
  for (const key of keys) {
    const { text, start, end } = field;
    if (key === '⇥') {
      const edit = tabIn(text, start, end);
      if (!edit) return `${shown(field)} out`;
      field = applied(field, edit);
      continue;
    }
    const before = start === end && beforeKey(text, start, key);
    if (before) field = applied(field, before);
    const put = { from: field.start, to: field.end, text: key, start: field.start + 1, end: field.start + 1 };
    field = applied(field, put);
    const after = afterTyping(field.text, field.start);
    if (after) field = applied(field, after);
  }
  return shown(field);
}

const shown = ({ text, start, end }: Field): string =>
  `${text.slice(0, start)}‹${text.slice(start, end)}›${text.slice(end)}`;

describe('typing in the formula panel', () => {
  test.each([
    ['1/2⇥', '\\frac{1}{2}‹›'],
    ['x+1/2⇥', 'x+\\frac{1}{2}‹›'],
    ['(a+b)/(c+d)⇥', '\\frac{a+b}{c+d}‹›'],
    ['f(x)/2⇥', '\\frac{f(x)}{2}‹›'],
    ['2pi r/3⇥', '\\frac{2\\pi r}{3}‹›'],
    ['2 pi r/3⇥', '2 \\frac{\\pi r}{3}‹›'],
    ['x^2/3⇥', '\\frac{x^2}{3}‹›'],
    ['(a+b)(c)/2⇥', '\\frac{(a+b)(c)}{2}‹›'],
  ])('makes a fraction of %s', (keys, text) => {
    expect(typed(keys)).toBe(text);
  });

  test.each([
    ['//', '\\frac{‹□›}{□}'],
    ['//1⇥2', '\\frac{1}{2‹›}'],
    ['//1⇥2⇥', '\\frac{1}{2}‹›'],
    ['//1⇥2⇥⇥', '\\frac{1}{2}‹› out'],
    ['a//b', '\\frac{a}{b‹›}'],
    ['a+b//', 'a+\\frac{b}{‹□›}'],
    ['sqrt2⇥+1', '\\sqrt{2}+1‹›'],
    ['sqrt1//2⇥⇥', '\\sqrt{\\frac{1}{2}}‹›'],
    ['\\sqrt', '\\sqrt‹›'],
  ])('takes %s into a template', (keys, text) => {
    expect(typed(keys)).toBe(text);
  });

  test.each([
    ['a>=b', 'a\\ge b‹›'],
    ['a<=b', 'a\\le b‹›'],
    ['p<=>q', 'p\\Leftrightarrow q‹›'],
    ['a!=b', 'a\\ne b‹›'],
    ['+-1', '\\pm 1‹›'],
    ['x->0', 'x\\to 0‹›'],
    ['p=>q', 'p\\Rightarrow q‹›'],
    ['1+...+n', '1+\\cdots +n‹›'],
    ['alpha ', '\\alpha ‹›'],
    ['alpha+beta⇥', '\\alpha+\\beta ‹›'],
    ['Delta=', '\\Delta=‹›'],
    ['sin x', '\\sin x‹›'],
    ['beta2', '\\beta2‹›'],
    ['\\alpha x', '\\alpha x‹›'],
    ['area ', 'area ‹›'],
    ['f（x）', 'f(x)‹›'],
    ['a》=b', 'a\\ge b‹›'],
  ])('turns %s into LaTeX', (keys, text) => {
    expect(typed(keys)).toBe(text);
  });

  test.each([
    ['x^10+', 'x^{10}+‹›'],
    ['x^2+', 'x^2+‹›'],
    ['x^-1 ', 'x^{-1} ‹›'],
    ['a_12b', 'a_{12}b‹›'],
    ['x^1.5+', 'x^{1.5}+‹›'],
    ['x^10⇥', 'x^{10}‹›'],
  ])('gives %s its braces', (keys, text) => {
    expect(typed(keys)).toBe(text);
  });

  test.each([
    '\\ce{A->B}',
    '\\ce{N2<=>N}',
    '\\text{alpha beta}',
    '\\text{（一），}',
    '\\ce{SO4^2-}',
    '\\mathrm{km//h}',
    '\\begin{sum}',
    'a\\{x\\}',
  ])('leaves %s as typed', (keys) => {
    expect(typed(keys)).toBe(`${keys}‹›`);
  });

  test('Tab leaves an empty field and a finished formula', () => {
    expect(typed('⇥')).toBe('‹› out');
    expect(typed('x+y⇥')).toBe('x+y‹› out');
  });

  test('a Chinese input method that is on writes powers and indices', () => {
    expect(afterTyping('x……', 3)).toEqual({ from: 1, to: 3, text: '^', start: 2, end: 2 });
    expect(afterTyping('a——', 3)?.text).toBe('_');
  });

  test('Enter finishes the last name and index', () => {
    expect(beforeKey('2+pi', 4, 'Enter')?.text).toBe('\\pi');
    expect(beforeKey('x^10', 4, 'Enter')?.text).toBe('{10}');
  });
});

describe('the palette', () => {
  const entries = palette.flatMap(({ entries: all }) => all);

  test('has templates that the server renders', () => {
    expect(entries.filter(({ latex }) => !isRenderedLatex(latex)).map(({ latex }) => latex)).toEqual([]);
    expect(entries.filter(({ latex }) => formulaFault(latex)).map(({ latex }) => latex)).toEqual([]);
  });

  test('has one name for each button of a group', () => {
    for (const group of palette) {
      const groupNames = group.entries.map(({ name }) => name);
      expect(new Set(groupNames).size, group.name).toBe(groupNames.length);
    }
  });

  test('puts the selected text into the first slot', () => {
    const edit = insertTemplate('a+b', 0, 3, `\\frac{${slot}}{${slot}}`);
    expect(applied({ text: 'a+b', start: 0, end: 3 }, edit)).toEqual({ text: '\\frac{a+b}{□}', start: 11, end: 12 });
  });

  test('keeps a command apart from the letter behind it', () => {
    expect(insertTemplate('x', 0, 0, '\\alpha').text).toBe('\\alpha ');
    expect(insertTemplate('2', 0, 0, '\\alpha').text).toBe('\\alpha');
    expect(insertTemplate('\\sqrt{□}', 6, 7, '\\pi').text).toBe('\\pi');
  });
});

describe('completion of commands', () => {
  const offered = (text: string) => completions(text, text.length)?.entries.map(({ latex }) => latex);

  test('offers the commands that begin as typed', () => {
    expect(offered('x+\\al')).toEqual(['\\alpha']);
    expect(offered('\\frac')).toContain('\\frac{□}{□}');
    expect(offered('\\begin{pm')).toHaveLength(2);
    expect(completions('x+\\al', 5)?.from).toBe(2);
    expect(offered('\\')).toHaveLength(8);
  });

  test('offers nothing for a whole command, a line break and plain text', () => {
    expect(offered('\\alpha')).toBeUndefined();
    expect(offered('a \\\\')).toBeUndefined();
    expect(offered('alpha')).toBeUndefined();
    expect(commands.some(({ latex }) => latex === '\\alpha')).toBe(true);
  });
});

describe('the fault of a formula', () => {
  test.each([
    ['\\frac{1}{2', '有花括号“{”没有对应的“}”'],
    ['a}', '有花括号“}”没有对应的“{”'],
    ['\\begin{cases} x', '\\begin{cases} 没有对应的 \\end{cases}'],
    ['x \\end{cases}', '\\end{cases} 没有对应的 \\begin{cases}'],
    ['\\left( x', '\\left 和 \\right 没有成对'],
    ['x^', '上标或下标后面还没有内容'],
  ])('names the fault of the formula %s', (latex, fault) => {
    expect(formulaFault(latex)).toBe(fault);
  });

  test.each([
    '\\left\\{ x \\right.',
    '\\{ x \\}',
    'a \\\\ b',
    '\\leftarrow',
    '\\begin{cases} x \\\\ y \\end{cases}',
    '',
  ])('finds no fault in the formula %s', (latex) => {
    expect(formulaFault(latex)).toBeUndefined();
  });
});

test.each([
  ['$x^2$', 'x^2'],
  ['$$x$$', 'x'],
  ['\\(x\\)', 'x'],
  ['\\[x\\]', 'x'],
  [' x ', 'x'],
  ['$a$ 和 $b$', '$a$ 和 $b$'],
])('a formula pasted as %s loses its marks', (pasted, latex) => {
  expect(withoutMarks(pasted)).toBe(latex);
});
