/**
 * Converts formulas of other programs to our markup `<span class="math" data-latex="…">`. Reads MathML, the HTML of
 * KaTeX, MathJax, Wikipedia and Zhihu, pictures whose address is LaTeX, and Word's clipboard format (OMML). The rich text editor loads it when a formula is
 * pasted.
 */
import { Parser } from 'htmlparser2';
import { latexOfMathMl } from './latex.ts';
import type { MathNode } from './mathml.ts';
import { mathMlOfOmml } from './omml.ts';
import { mayHoldForeignFormulas } from './rules.ts';

interface ConvertedHtml {
  html: string;
  /** Number of formulas that could not be converted; their characters stay as text. */
  unread: number;
}

/** True if an element contains a formula. Other content of the element only repeats the formula for display. */
function isFormula(name: string, attributes: Record<string, string>): boolean {
  const { class: names = '', 'data-mathml': mathMl, 'data-tex': tex } = attributes;
  if (name === 'img') return latexOfPicture(attributes) !== undefined;
  if (tex !== undefined && /(?:^|\s)ztext-math(?:\s|$)/.test(names)) return true;
  if (['math', 'mml:math', 'm:math', 'm:omath', 'mjx-container'].includes(name)) return true;
  return (
    mathMl !== undefined ||
    /(?:^|\s)(?:katex|katex-display|MathJax(?:_Display|_SVG|_CHTML)?|mwe-math-element)(?:\s|$)/.test(names)
  );
}

/** Replaces each formula by our markup; other HTML stays unchanged. */
export function readForeignFormulas(html: string): ConvertedHtml {
  if (!mayHoldForeignFormulas(html)) return { html, unread: 0 };
  const source = wordFormulas(html);
  let written = '';
  let from = 0;
  let unread = 0;
  let open:
    | {
        name: string;
        depth: number;
        start: number;
        root: MathNode;
        path: MathNode[];
        attributes: Record<string, string>;
      }
    | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open) {
          open.depth += 1;
          const node: MathNode = { name: name.replace(/^(?:mml|m):(?=m|math)/, ''), attributes, children: [] };
          open.path.at(-1)?.children.push(node);
          open.path.push(node);
          return;
        }
        if (!isFormula(name, attributes)) return;
        const root: MathNode = { name: name.replace(/^(?:mml:|m:(?=math$))/, ''), attributes, children: [] };
        open = { name, depth: 0, start: parser.startIndex, root, path: [root], attributes };
      },
      ontext(text) {
        const node = open?.path.at(-1);
        // Text of styles and scripts is ignored.
        if (node && node.name !== 'style' && node.name !== 'script') node.children.push(text);
      },
      onclosetag() {
        if (!open) return;
        if (open.depth > 0) {
          open.depth -= 1;
          open.path.pop();
          return;
        }
        const { root, start } = open;
        open = undefined;
        const latex = latexOfElement(root);
        written += source.slice(from, start);
        if (latex === undefined) unread += 1;
        written += latex === undefined ? `［公式：${escapeAttribute(textOf(root).trim())}］` : formulaSpan(latex);
        from = parser.endIndex + 1;
      },
    },
    { decodeEntities: true, recognizeSelfClosing: true },
  );
  parser.end(source);
  return { html: written + source.slice(from), unread };
}

/** Returns the LaTeX of a formula that a site shows as a picture: it is in the picture's address. */
function latexOfPicture({ src = '' }: Record<string, string>): string | undefined {
  const [, query] = /\/equation\?(?:[^#]*&)?tex=([^&#]+)/.exec(src) ?? /\/math\?formula=([^&#]+)/.exec(src) ?? [];
  const [, drawn] = /^(?:https?:)?\/\/latex\.codecogs\.com\/(?:\w+\.)?\w+\?([^#]+)/.exec(src) ?? [];
  // Codecogs writes a space as `&space;`.
  const source = query?.replaceAll('+', ' ') ?? drawn?.replaceAll('&space;', ' ');
  if (source === undefined) return undefined;
  try {
    const latex = decodeURIComponent(source)
      // Codecogs takes size and background from commands of its own; Zhihu ends each formula with a line break.
      .replace(/^(?:\\(?:dpi\{\d+\}|bg_\w+|inline)\s*)+/, '')
      .replace(/(?:\s*\\\\)+\s*$/, '')
      .trim();
    return latex || undefined;
  } catch {
    return undefined;
  }
}

/** Word puts the formula into a conditional comment, followed by a fallback picture. */
const wordFormulas = (html: string): string =>
  html
    .replace(/<!--\[if gte msEquation \d+\]>([\s\S]*?)<!\[endif\]-->/gi, '$1')
    .replace(/<!\[if !msEquation\]>[\s\S]*?<!\[endif\]>/gi, '');

function latexOfElement(root: MathNode): string | undefined {
  if (root.name === 'img') return latexOfPicture(root.attributes);
  const tex = (root.attributes['data-tex'] ?? '').trim();
  if (tex) return tex;
  const annotation = find(root, (node) => node.name === 'annotation' && /tex/i.test(node.attributes.encoding ?? ''));
  const written = annotation ? textOf(annotation).trim() : '';
  if (written) return withoutStyle(written);
  if (root.name === 'm:omath') return latexOfMathMl(mathMlOfOmml(root));
  const math = find(root, (node) => node.name === 'math');
  const alternative = (math?.attributes.alttext ?? '').trim();
  if (alternative) return withoutStyle(alternative);
  if (math) return latexOfMathMl(math);
  const data = root.attributes['data-mathml'];
  if (data) {
    const { html } = readForeignFormulas(data);
    return /data-latex="([^"]*)"/.exec(html)?.[1] === undefined
      ? undefined
      : unescaped(/data-latex="([^"]*)"/.exec(html)?.[1] ?? '');
  }
  return undefined;
}

/** Removes `{\displaystyle …}`, in which Wikipedia wraps each formula, and the `\[…\]` of other programs. */
const withoutStyle = (latex: string): string =>
  (/^\{\\displaystyle\s+([\s\S]*)\}$/.exec(latex) ?? /^\\\[([\s\S]*)\\\]$/.exec(latex))?.[1]?.trim() ?? latex;

function find(node: MathNode, is: (node: MathNode) => boolean): MathNode | undefined {
  if (is(node)) return node;
  for (const child of node.children) {
    const found = typeof child === 'string' ? undefined : find(child, is);
    if (found) return found;
  }
  return undefined;
}

const textOf = (node: MathNode): string =>
  node.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

const formulaSpan = (latex: string): string =>
  `<span class="math" data-latex="${escapeAttribute(latex)}">${escapeAttribute(latex)}</span>`;
