/** Converts formulas that old versions of Word stored as fields, such as `EQ \f(1,2)`. */
import { latexOfMathMl } from '#server/platform/text/latex.ts';
import type { MathNode } from '#server/platform/text/mathml.ts';
import { tokensOf } from '#server/platform/text/omml.ts';
import { isRenderedLatex } from '#server/platform/text/render-math.ts';

/** Fields whose results are page numbers, which mean nothing outside the document. */
export const isPageField = (instruction: string): boolean =>
  /^\s*(?:PAGE|NUMPAGES|PAGEREF|SECTIONPAGES)\b/i.test(instruction);

export const isFormulaField = (instruction: string): boolean => /^\s*EQ\b/i.test(instruction);

/** Returns a field EQ as LaTeX, or as text such as ① or a word with its reading; undefined if unknown. */
export type FieldFormula = { latex: string } | { text: string; hasReading: boolean } | undefined;

const node = (name: string, children: (MathNode | string)[], attributes: Record<string, string> = {}): MathNode => ({
  name,
  attributes,
  children,
});

class Unknown extends Error {}

/** Maximum nesting of commands. */
const maxDepth = 30;

export function readFormulaField(instruction: string): FieldFormula {
  const code = instruction
    .replace(/^\s*EQ\s*/i, '')
    .replace(/\\\*\s*(?:"[^"]*"|[\w-]+(?:\s?\d+)?)\s*/g, '')
    .trim();
  const overlaid = readOverlay(code);
  if (overlaid) return overlaid;
  try {
    const parser = new FieldParser(code);
    const latex = latexOfMathMl(node('math', parser.list(0).flat()));
    return latex !== undefined && parser.isAtEnd && isRenderedLatex(latex) ? { latex } : undefined;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/** `\o\ac(○,1)` is a number in a circle. `\o\ad(\s\up 9(zì),字)` is a character with its reading above. */
function readOverlay(code: string): FieldFormula {
  const circled = /^\\o\s*\\ac\s*\(\s*[○〇◯]\s*[,;]\s*(?:\\s\\(?:up|do)\s?\d*\s*\()?\s*(\d{1,2})\s*\)*$/i.exec(code);
  const number = Number(circled?.[1]);
  if (number >= 1 && number <= 20) return { text: String.fromCodePoint(0x2460 + number - 1), hasReading: false };
  const ruby = /^\\o\s*\\a[dlcr]\s*\(\s*\\s\s*\\up\s?\d*\s*\([^()]*\)\s*[,;]\s*([^()\\]+)\)$/i.exec(code);
  return ruby?.[1] ? { text: ruby[1].trim(), hasReading: true } : undefined;
}

class FieldParser {
  private at = 0;
  private readonly code: string;

  constructor(code: string) {
    this.code = code;
  }

  get isAtEnd(): boolean {
    return this.at >= this.code.length;
  }

  /** Reads operands up to the closing bracket; those at the top are a single one. */
  list(depth: number): MathNode[][] {
    if (depth > maxDepth) throw new Unknown();
    const operands: MathNode[][] = [[]];
    let text = '';
    let brackets = 0;
    const endText = () => {
      if (text.trim() !== '') operands.at(-1)?.push(...tokensOf(text.trim(), undefined));
      text = '';
    };
    while (!this.isAtEnd) {
      const sign = this.code.charAt(this.at);
      if (sign === '\\') {
        const next = this.code.charAt(this.at + 1);
        if (/[,;()\\]/.test(next)) {
          text += next;
          this.at += 2;
          continue;
        }
        endText();
        operands.at(-1)?.push(...this.command(depth));
        continue;
      }
      if (sign === ')' && brackets === 0 && depth > 0) break;
      if (sign === '(') brackets += 1;
      if (sign === ')') brackets -= 1;
      this.at += 1;
      if (/[,;]/.test(sign) && brackets === 0 && depth > 0) {
        endText();
        operands.push([]);
      } else {
        text += sign;
      }
    }
    endText();
    return operands;
  }

  private command(depth: number): MathNode[] {
    const head = /^\\([a-z])((?:\s*\\[a-z]{2}\s?(?:\\?[^\w\s(\\]|-?\d+)?)*)\s*\(/i.exec(this.code.slice(this.at));
    if (!head) throw new Unknown();
    this.at += head[0].length;
    const operands = this.list(depth + 1);
    if (this.code.charAt(this.at) !== ')') throw new Unknown();
    this.at += 1;
    return build((head[1] ?? '').toLowerCase(), head[2] ?? '', operands);
  }
}

function build(name: string, options: string, operands: MathNode[][]): MathNode[] {
  const rows = operands.map((operand) => node('mrow', operand));
  const [first = node('mrow', []), second, third] = rows;
  const all = operands.flatMap((operand, index) => (index > 0 ? [node('mo', [',']), ...operand] : operand));
  const has = (option: string) => new RegExp(`\\\\${option}`, 'i').test(options);
  switch (name) {
    case 'f':
      return second ? [node('mfrac', [first, second])] : [];
    case 'r':
      return second && first.children.length > 0
        ? [node('mroot', [second, first])]
        : [node('msqrt', [second ?? first])];
    case 's':
      return [node(has('do') ? 'msub' : 'msup', [node('mrow', []), first])];
    case 'x':
      return has('to')
        ? [node('mover', [first, node('mo', ['¯'])])]
        : has('bo')
          ? [node('munder', [first, node('mo', ['_'])])]
          : [node('menclose', [first], { notation: 'box' })];
    case 'l':
      return all;
    case 'b':
      return [node('mfenced', [node('mrow', all)], brackets(options))];
    case 'a': {
      const columns = Number(/\\co\s?(\d+)/i.exec(options)?.[1] ?? 1) || 1;
      const lines: MathNode[] = [];
      for (let at = 0; at < rows.length; at += columns) {
        lines.push(
          node(
            'mtr',
            rows.slice(at, at + columns).map((cell) => node('mtd', [cell])),
          ),
        );
      }
      return [node('mtable', lines)];
    }
    case 'i': {
      const sign = has('su') ? '∑' : has('pr') ? '∏' : '∫';
      const limits = node(sign === '∫' ? 'msubsup' : 'munderover', [
        node('mo', [sign]),
        first,
        second ?? node('mrow', []),
      ]);
      return [limits, ...(third ? [third] : [])];
    }
    default:
      throw new Unknown();
  }
}

/** Brackets of `\b`: round by default, `\lc`, `\rc` and `\bc` name the left, right and both. */
function brackets(options: string): Record<string, string> {
  const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '⟩' };
  const named = (option: string) => new RegExp(`\\\\${option}\\s?\\\\?([^\\w\\s\\\\])`, 'i').exec(options)?.[1];
  const [both, left, right] = [named('bc'), named('lc'), named('rc')];
  if (both) return { open: both, close: pairs[both] ?? both };
  if (left || right) return { open: left ?? '', close: right ?? '' };
  return { open: '(', close: ')' };
}
