/**
 * Shortcuts of the formula panel, as pure functions of the text and the caret: `//` and `1/2` with Tab are a fraction,
 * `>=` is ≥, `alpha` with a space is α. Text stays LaTeX all the time.
 */
import { commands, greek, type PaletteEntry, slot } from './formula-palette.ts';

/** Replaces the text between `from` and `to`, and selects `start` to `end` afterwards. */
export interface FormulaEdit {
  from: number;
  to: number;
  text: string;
  start: number;
  end: number;
}

/** Selects the first slot of the new text; without one, the caret goes behind it. */
export function replaceText(from: number, to: number, text: string): FormulaEdit {
  const at = text.indexOf(slot);
  const start = from + (at < 0 ? text.length : at);
  return { from, to, text, start, end: at < 0 ? start : start + slot.length };
}

const select = (start: number, end: number): FormulaEdit => ({ from: start, to: start, text: '', start, end });

/** A selected text moves into the first slot. */
export function insertTemplate(text: string, start: number, end: number, template: string): FormulaEdit {
  const selected = text.slice(start, end);
  const isKept = selected !== '' && selected !== slot && template.includes(slot);
  const filled = isKept ? template.replace(slot, () => selected) : template;
  // A letter right behind would become part of the command.
  const isOpen = /\\[a-z]+$/i.test(filled) && (end === text.length || /^[a-z]/i.test(text.slice(end)));
  return replaceText(start, end, isOpen ? `${filled} ` : filled);
}

/** Typed signs with their LaTeX. The longer one comes first where one ends like another. */
const signs: readonly [typed: string, latex: string][] = [
  ['\\le >', '\\Leftrightarrow '],
  ['>=', '\\ge '],
  ['<=', '\\le '],
  ['!=', '\\ne '],
  ['+-', '\\pm '],
  ['->', '\\to '],
  ['=>', '\\Rightarrow '],
  ['~=', '\\approx '],
  ['...', '\\cdots '],
];

/** Signs of a Chinese input method that is still on. */
const fullWidth: readonly [typed: string, sign: string][] = [
  ['（', '('],
  ['）', ')'],
  ['【', '['],
  ['】', ']'],
  ['，', ','],
  ['；', ';'],
  ['：', ':'],
  ['！', '!'],
  ['《', '<'],
  ['》', '>'],
  ['……', '^'],
  ['——', '_'],
  ['＋', '+'],
  ['＝', '='],
];

const functions = 'sin cos tan cot log ln lg lim max min int sum prod infty'.split(' ');

/** Names that become a command once a sign or a space follows. */
const names = new Set([...greek.entries.map(({ latex }) => latex.slice(1)), ...functions]);

/** Returns the change after something was typed, by a key or an input method; undefined if there is none. */
export function afterTyping(text: string, caret: number): FormulaEdit | undefined {
  const before = text.slice(0, caret);
  if (isLiteral(before)) return undefined;
  if (before.endsWith('//')) {
    const from = atomStart(text, caret - 2);
    return replaceText(from, caret, `\\frac{${withoutParentheses(text.slice(from, caret - 2)) || slot}}{${slot}}`);
  }
  if (/(?<![a-z\\])sqrt$/i.test(before)) return replaceText(caret - 4, caret, `\\sqrt{${slot}}`);
  const sign = [...fullWidth, ...signs].find(([typed]) => before.endsWith(typed));
  return sign && replaceText(caret - sign[0].length, caret, sign[1]);
}

/** Returns the change before a key takes effect: a name becomes a command, and an index of several digits gets braces. */
export function beforeKey(text: string, caret: number, key: string): FormulaEdit | undefined {
  const before = text.slice(0, caret);
  if (isLiteral(before)) return undefined;
  const [, name] = /(?<![a-z\\])([a-z]+)$/i.exec(before) ?? [];
  if (name && names.has(name) && !/^[a-z]$/i.test(key))
    return replaceText(caret - name.length, caret, `\\${name}${key === 'Tab' ? ' ' : ''}`);
  const [, index] = /[\^_](-?\d+(?:\.\d+)?)$/.exec(before) ?? [];
  if (index && index.length > 1 && !/^[\d.]$/.test(key)) return replaceText(caret - index.length, caret, `{${index}}`);
  return undefined;
}

/**
 * Returns the effect of Tab: a fraction of `a/b`, a name as a command, the next slot, or the way out of a group.
 * Undefined at the end, where Tab leaves the field.
 */
export function tabIn(text: string, start: number, end: number): FormulaEdit | undefined {
  if (start === end) {
    const denominator = atomStart(text, start);
    const isFraction = denominator < start && text[denominator - 1] === '/' && !isLiteral(text.slice(0, start));
    const numerator = isFraction ? atomStart(text, denominator - 1) : denominator;
    if (numerator < denominator - 1) {
      const [over, under] = [text.slice(numerator, denominator - 1), text.slice(denominator, start)];
      return replaceText(numerator, start, `\\frac{${withoutParentheses(over)}}{${withoutParentheses(under)}}`);
    }
    const changed = beforeKey(text, start, 'Tab');
    if (changed) return changed;
  }
  const next = text.indexOf(slot, end);
  if (next >= 0) return select(next, next + slot.length);
  const out = /^[^{}]*\}/.exec(text.slice(end))?.[0];
  return out === undefined ? undefined : select(end + out.length, end + out.length);
}

/** Maximum number of completions that are offered. */
const maxCompletions = 8;

/** Returns the commands that the typed one may become, and the offset where it begins. */
export function completions(text: string, caret: number): { from: number; entries: PaletteEntry[] } | undefined {
  const [typed] = /\\[a-z]*(?:\{[a-z]*)?$/i.exec(text.slice(0, caret)) ?? [];
  if (typed === undefined || text.slice(0, caret - typed.length).endsWith('\\')) return undefined;
  const entries = commands.filter(({ latex }) => latex !== typed && latex.startsWith(typed)).slice(0, maxCompletions);
  return entries.length > 0 ? { from: caret - typed.length, entries } : undefined;
}

/** Removes the marks around a formula that was pasted with them, such as `$…$`. */
export function withoutMarks(latex: string): string {
  const text = latex.trim();
  const [, ...inner] = /^\$\$([^$]+)\$\$$|^\$([^$]+)\$$|^\\\(([\s\S]+)\\\)$|^\\\[([\s\S]+)\\\]$/.exec(text) ?? [];
  return (inner.find((part) => part !== undefined) ?? text).trim();
}

/** Why a formula cannot be shown, as far as its text alone says. */
export function formulaFault(latex: string): string | undefined {
  const text = latex.replace(/\\\\/g, '  ');
  const plain = text.replace(/\\[{}]/g, '  ');
  let depth = 0;
  for (const sign of plain) {
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) return depth > 0 ? '有花括号“{”没有对应的“}”' : '有花括号“}”没有对应的“{”';
  const open: string[] = [];
  for (const [, edge, name = ''] of plain.matchAll(/\\(begin|end)\{([^{}]*)\}/g)) {
    if (edge === 'begin') open.push(name);
    else if (open.pop() !== name) return `\\end{${name}} 没有对应的 \\begin{${name}}`;
  }
  const [unclosed] = open;
  if (unclosed !== undefined) return `\\begin{${unclosed}} 没有对应的 \\end{${unclosed}}`;
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  if (count(/\\left(?![a-z])/gi) !== count(/\\right(?![a-z])/gi)) return '\\left 和 \\right 没有成对';
  if (/[\^_]\s*$/.test(plain)) return '上标或下标后面还没有内容';
  return undefined;
}

/** Groups whose text is not LaTeX of formulas: words, units, chemistry. */
const literal = /\\(?:ce|pu|text|textrm|mbox|mathrm|operatorname|begin|end)$/;

/** True if the text ends inside a group of words or chemistry, where signs mean something else. */
function isLiteral(before: string): boolean {
  const open: boolean[] = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === '\\') at += /[a-z]/i.test(before[at + 1] ?? '') ? 0 : 1;
    else if (before[at] === '{') open.push(literal.test(before.slice(0, at)));
    else if (before[at] === '}') open.pop();
  }
  return open.includes(true);
}

const closing: Record<string, string> = { '}': '{', ')': '(', ']': '[' };

/** Returns the offset where the number, name or group begins that ends at `end`. */
function atomStart(text: string, end: number): number {
  let at = end;
  while (at > 0) {
    const sign = text[at - 1] ?? '';
    const opening = closing[sign];
    if (opening) {
      const from = matching(text, at - 1, sign, opening);
      if (from < 0) return at;
      at = from;
    } else if (/[\w.^'\\□\u0370-\u03ff\u4e00-\u9fff]/.test(sign) || isGreekEnd(text.slice(0, at))) at -= 1;
    else return at;
  }
  return at;
}

/** True if the text ends with a Greek letter's command and the space that ends it. */
function isGreekEnd(text: string): boolean {
  const name = /\\([a-z]+) $/i.exec(text)?.[1];
  return greek.entries.some(({ latex }) => latex === `\\${name}`);
}

function matching(text: string, end: number, closes: string, opens: string): number {
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    if (text[at] === closes) depth += 1;
    if (text[at] === opens) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** A fraction needs no parentheses around its numerator. */
function withoutParentheses(text: string): string {
  const trimmed = text.trim();
  const isWhole = trimmed.endsWith(')') && matching(trimmed, trimmed.length - 1, ')', '(') === 0;
  return isWhole ? trimmed.slice(1, -1) : trimmed;
}
