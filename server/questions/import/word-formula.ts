import type { ReadAttribute } from '#server/platform/office/xml.ts';
import { latexOfMathMl } from '#server/platform/text/latex.ts';
import { type MathNode, textOf } from '#server/platform/text/mathml.ts';
import { mathMlOfOmml } from '#server/platform/text/omml.ts';
import { isRenderedLatex } from '#server/platform/text/render-math.ts';
import type { FormulaSegment, LostSegment } from './rich-line.ts';
import { lossMessages } from './rules.ts';

/** Formulas nested deeper than this are lost; people nest fewer than ten levels. */
const maxDepth = 60;

/** Attributes that the conversion reads. */
const readAttributes = ['m:val', 'w:val', 'w:font', 'w:char'];

/** Collects the XML events of one formula (OMML), and converts it to LaTeX. */
export class FormulaReader {
  private readonly root: MathNode = { name: 'm:omath', attributes: {}, children: [] };
  private readonly path: MathNode[] = [this.root];
  private isTooDeep = false;

  open(name: string, attribute: ReadAttribute): void {
    const attributes: Record<string, string> = {};
    for (const key of readAttributes) {
      const value = attribute(key);
      if (value !== undefined) attributes[key] = value;
    }
    const node: MathNode = { name: name.toLowerCase(), attributes, children: [] };
    if (this.path.length > maxDepth) this.isTooDeep = true;
    else this.path.at(-1)?.children.push(node);
    this.path.push(node);
  }

  /** Returns true at the end of the formula. */
  close(): boolean {
    this.path.pop();
    return this.path.length === 0;
  }

  text(value: string): void {
    const parent = this.path.at(-1);
    // White space between elements is layout of the file.
    if (parent?.name === 'm:t' || parent?.name === 'w:t') parent.children.push(value);
  }

  /** The formula, or a note that it is lost, with its characters; undefined if it is empty. */
  segment(display: boolean): FormulaSegment | LostSegment | undefined {
    const latex = this.isTooDeep ? undefined : latexOfMathMl(mathMlOfOmml(this.root));
    if (latex !== undefined && isRenderedLatex(latex)) return { formula: latex, display };
    const text = textOf(this.root).trim();
    if (latex === undefined && text === '' && !this.isTooDeep && this.root.children.length === 0) return undefined;
    return { lost: lossMessages.formula, shown: text === '' ? '［公式］' : `［公式：${text.slice(0, 200)}］` };
  }
}
