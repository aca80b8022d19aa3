/** Writes rich text as XHTML for QTI, with formulas as MathML and blanks as boxes. */

import { formulaMathMl, formulaPattern } from '#server/platform/text/render-math.ts';
import { withoutControls, type XmlAttributes, xmlElement, xmlText } from '#server/platform/text/xml.ts';
import { type Element, isElement, type Node, parseHtml, textOf } from '#server/questions/import/qti/tree.ts';

export interface XhtmlContext {
  /** Returns the address of a picture in the package; undefined: it cannot be read. */
  picture: (src: string) => string | undefined;
  lose: (message: string) => void;
}

/** Elements that QTI does not have, with the class that says what they are. The import reads these classes. */
const classOfElement: Readonly<Record<string, string>> = { u: 'qti-underline', s: 'line-through' };

/** Writes nodes of sanitized HTML. An element `blank` is written by `blank`. */
export function xhtml(nodes: readonly Node[], context: XhtmlContext, blank?: (mark: string) => string): string {
  const write = (node: Node, isCode: boolean): string => {
    if (!isElement(node)) return isCode ? xmlText(node) : textWithFormulas(node, context);
    const { name, attributes, children } = node;
    if (name === 'blank') return blank?.(attributes.mark ?? '') ?? '';
    const latex = attributes['data-latex'];
    if (latex !== undefined) return formulaXml(latex, false, context);
    if (name === 'img') return pictureXml(node, context);
    const content = children.map((child) => write(child, isCode || name === 'pre'));
    return xmlElement(classOfElement[name] ? 'span' : name, attributesOf(node), ...content);
  };
  return nodes.map((node) => write(node, false)).join('');
}

export const xhtmlOf = (html: string, context: XhtmlContext): string => xhtml(parseHtml(html), context);

function attributesOf({ name, attributes, children }: Element): XmlAttributes {
  const align = /text-align:\s*(\w+)/.exec(attributes.style ?? '')?.[1];
  const classes = [
    classOfElement[name],
    align && `qti-align-${align}`,
    /text-emphasis/.test(attributes.style ?? '') && 'emphasis-dot',
    attributes.start && `list-start-${attributes.start}`,
    // An empty paragraph is a blank line.
    name === 'p' && children.length === 0 && 'blank-line',
  ].filter(Boolean);
  const { colspan, rowspan } = attributes;
  return { class: classes.join(' ') || undefined, colspan: colspan || undefined, rowspan: rowspan || undefined };
}

function pictureXml({ attributes }: Element, context: XhtmlContext): string {
  const { alt = '', width, height } = attributes;
  const src = context.picture(attributes.src ?? '');
  return src === undefined ? '［图片］' : xmlElement('img', { src, alt, width, height });
}

function textWithFormulas(text: string, context: XhtmlContext): string {
  let written = '';
  let at = 0;
  for (const match of text.matchAll(formulaPattern)) {
    const [whole, display, inline, inParentheses, inBrackets] = match;
    written += xmlText(text.slice(at, match.index));
    at = match.index + whole.length;
    const latex = display ?? inline ?? inParentheses ?? inBrackets;
    const isDisplay = display !== undefined || inBrackets !== undefined;
    written += latex === undefined ? xmlText(whole) : formulaXml(latex.trim(), isDisplay, context);
  }
  return written + xmlText(text.slice(at));
}

/** LaTeX that cannot be converted stays as text between `\(` and `\)`, which other programs may read. */
function formulaXml(latex: string, isDisplay: boolean, { lose }: XhtmlContext): string {
  const mathMl = formulaMathMl(latex, isDisplay);
  if (mathMl !== null) return withoutControls(mathMl);
  lose('公式无法转换为 MathML，按 LaTeX 文字导出');
  return xmlText(`\\(${latex}\\)`);
}

// ---- blanks ----------------------------------------------------------------------------------

const underscores = /[_＿]{2,}/;
const brackets = /[（(][\s\u00a0]*[）)]/;

/**
 * Replaces the marked blanks of a stem by elements `blank`, with the mark as an attribute. A stem that marks another
 * number of blanks gets them in a paragraph after its end, with an empty mark.
 */
export function markBlanks(stem: string, count: number): Node[] {
  const nodes = parseHtml(stem);
  for (const mark of [underscores, brackets]) {
    const marked = withBlanks(nodes, mark);
    if (marked.count === count) return marked.nodes;
    if (marked.count > 0) break;
  }
  const blanks = Array.from({ length: count }, () => blankElement(''));
  return [...nodes, { name: 'p', attributes: {}, children: blanks }];
}

const blankElement = (mark: string): Element => ({ name: 'blank', attributes: { mark }, children: [] });

function withBlanks(nodes: readonly Node[], mark: RegExp): { nodes: Node[]; count: number } {
  let count = 0;
  const marked = nodes.flatMap((node): Node[] => {
    if (isElement(node)) {
      if (node.attributes['data-latex'] !== undefined) return [node];
      const isUnderlined = mark === underscores && node.name === 'u' && isBlankText(node);
      if (isUnderlined) {
        count += 1;
        return [blankElement(rawText(node))];
      }
      const inside = withBlanks(node.children, mark);
      count += inside.count;
      return [{ ...node, children: inside.nodes }];
    }
    const parts = node.split(new RegExp(`(${mark.source})`, 'g'));
    return parts.map((part, index): Node => {
      if (index % 2 === 0) return part;
      count += 1;
      return blankElement(part);
    });
  });
  return { nodes: marked, count };
}

const isBlankText = (element: Element): boolean => textOf(element) === '' && rawText(element) !== '';

const rawText = ({ children }: Element): string =>
  children.map((child) => (isElement(child) ? rawText(child) : child)).join('');
