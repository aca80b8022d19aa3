/**
 * Renders the formulas of rich text as MathML, with a cache. A formula is `<span class="math" data-latex="…">`, or `$…$`
 * and `\(…\)` in the text.
 */
import { createRequire } from 'node:module';
import { Parser } from 'htmlparser2';
import type katex from 'katex';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { maxLatex } from './rules.ts';

const require = createRequire(import.meta.url);
let loadedKatex: typeof katex | undefined;

/**
 * Loads KaTeX and its chemistry (`\ce`) when first needed, for a faster start. The minified file keeps a quarter as
 * much source text in memory. The chemistry asks for `katex`, which would load the other file, so it gets this one.
 */
function formulaMaker(): typeof katex {
  if (loadedKatex) return loadedKatex;
  loadedKatex = require('katex/dist/katex.min.js') as typeof katex;
  require.cache[require.resolve('katex')] = require.cache[require.resolve('katex/dist/katex.min.js')];
  require('katex/dist/contrib/mhchem.min.js');
  return loadedKatex;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const voidTags = new Set(['br', 'hr', 'img']);

/**
 * Renders the formulas of sanitized HTML as MathML, which browsers show from Chrome 109 on without fonts, styles or
 * scripts. Invalid LaTeX stays as written. Pass only output of `sanitizeRichText`.
 */
export function renderMath(html: string): string {
  // Fast path: most texts contain no formula and need no parsing.
  if (!mayHaveFormulas(html)) return html;
  return cachedRendering(textKey(html), () =>
    writeMath(html, createFormulas()).replace(formulaWithSigns, '<span class="katex">$1$2$3</span>'),
  );
}

const mayHaveFormulas = (html: string): boolean => /\$|\\\(|\\\[|data-latex/.test(html);

function writeMath(html: string, formulas: Formulas): string {
  let written = '';
  // Text is collected until it is complete, because the parser splits it at entities: a formula with < or & arrives in
  // parts.
  let text = '';
  let inMath = 0;
  /** Inside <pre>, `$` belongs to program text. */
  let inPre = 0;
  const writeText = () => {
    written += inPre > 0 ? escapeHtml(text) : textWithFormulas(text, formulas);
    text = '';
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (inMath > 0) {
          inMath += 1;
          return;
        }
        writeText();
        const latex = name === 'span' ? attributes['data-latex'] : undefined;
        if (latex !== undefined) {
          inMath = 1;
          written += formulas(latex, false, latex);
          return;
        }
        if (name === 'pre') inPre += 1;
        const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
        written += `<${name}${pairs.join('')}${voidTags.has(name) ? ' />' : '>'}`;
      },
      ontext: (piece) => {
        if (inMath === 0) text += piece;
      },
      onclosetag: (name) => {
        if (inMath > 0) {
          inMath -= 1;
          return;
        }
        writeText();
        if (name === 'pre') inPre -= 1;
        if (!voidTags.has(name)) written += `</${name}>`;
      },
      onend: writeText,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return written;
}

/**
 * Matches a formula with the punctuation around it. Browsers may break a line before and after a formula. So the
 * punctuation goes into the formula's element, which theme.css keeps on one line: no line may start with a comma or end
 * with an opening bracket.
 */
const formulaWithSigns =
  /([（［《〈“‘【〔([]?)<span class="katex">(<math\b[\s\S]*?<\/math>)<\/span>([，。；：、！？）］》〉”’】〕％…,.;:!?)\]%]{0,3})/g;

/**
 * Finds formulas in text. An opening `$`, like in Pandoc, comes before a visible character; a closing `$` comes after a
 * visible character and not before a digit. Chinese is allowed only inside \text{} and \ce{}, so that 价格从$5涨到$10，又降到$8 is money.
 * A formula ends before the next one opens, which keeps matching linear.
 */
export const formulaPattern =
  /\\\$|\$\$([^$]{1,2000})\$\$|\$(?![\s$])((?:\\(?:text|mathrm|mbox)\{[^{}$]*\}|\\ce\{(?:[^{}$]|\{[^{}$]*\}){0,500}\}|\\(?!(?:text|mathrm|mbox|ce)\{).|[^$\\\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]){1,1000}?)(?<!\s)\$(?!\d)|\\\(((?:[^\\]|\\[^()]){1,1000}?)\\\)|\\\[((?:[^\\]|\\[^[\]]){1,2000}?)\\\]/g;

function textWithFormulas(text: string, formulas: Formulas): string {
  let written = '';
  let at = 0;
  for (const match of text.matchAll(formulaPattern)) {
    written += escapeHtml(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, display, inline, inParentheses, inBrackets] = match;
    const latex = display ?? inline ?? inParentheses ?? inBrackets;
    written += latex === undefined ? '$' : formulas(latex, display !== undefined || inBrackets !== undefined, whole);
  }
  return written + escapeHtml(text.slice(at));
}

type Formulas = (latex: string, displayMode: boolean, source: string) => string;

/** Maximum number of formulas rendered per text, because each takes time of the request. */
export const maxFormulas = 300;

function createFormulas(): Formulas {
  let count = 0;
  return (latex, displayMode, source) => {
    count += 1;
    if (count > maxFormulas || latex.length > maxLatex) return escapeHtml(source);
    return formula(latex, displayMode) ?? `<code class="math-source">${escapeHtml(source)}</code>`;
  };
}

/** Returns the MathML of a formula; null if the LaTeX is invalid. Cached. */
const formula = (latex: string, displayMode: boolean): string | null =>
  cachedRendering(formulaKey(latex, displayMode), () => mathMl(latex, displayMode));

/** Returns a formula as a `math` element, with its LaTeX as an annotation; null if the LaTeX is too long or invalid. */
export function formulaMathMl(latex: string, displayMode: boolean): string | null {
  if (latex.length > maxLatex) return null;
  return /<math[\s\S]*<\/math>/.exec(formula(latex, displayMode) ?? '')?.[0] ?? null;
}

/** True if LaTeX is short enough for a formula and KaTeX renders it. */
export const isRenderedLatex = (latex: string): boolean => latex.length <= maxLatex && formula(latex, false) !== null;

function cachedRendering<Made extends string | null>(key: string, make: () => Made): Made {
  const known = rendered.get(key) as Made | undefined;
  if (known !== undefined) {
    // Moves the entry to the end, because the least recently used one is dropped first.
    rendered.delete(key);
    rendered.set(key, known);
    return known;
  }
  const made = make();
  rendered.set(key, made);
  renderedSize += sizeOf(key, made);
  for (const [oldest, its] of rendered) {
    if (renderedSize <= maxRendered) break;
    rendered.delete(oldest);
    renderedSize -= sizeOf(oldest, its);
  }
  return made;
}

/**
 * LRU cache of rendered formulas and texts: rendering takes 0.1 ms and more, and the same ones are shown again and
 * again.
 */
const rendered = new Map<string, string | null>();
/** Maximum characters of all entries in the cache. */
const maxRendered = 4_000_000;
let renderedSize = 0;

const formulaKey = (latex: string, displayMode: boolean): string => `${displayMode ? 'd' : 'i'}${latex}`;
const textKey = (html: string): string => `t${html}`;
const sizeOf = (key: string, made: string | null): number => key.length + (made?.length ?? 0);

/** Maximum length that LaTeX may give, in em. */
const maxFormulaSize = 20;

const katexOptions = {
  output: 'mathml',
  trust: false,
  strict: 'ignore',
  maxExpand: 200,
  maxSize: maxFormulaSize,
  // If the LaTeX is wrong, its source is shown, which says more than KaTeX's red error with an English title.
  throwOnError: true,
} as const;

function mathMl(latex: string, displayMode: boolean): string | null {
  try {
    return withinThePage(formulaMaker().renderToString(latex, { ...katexOptions, displayMode }));
  } catch {
    return null;
  }
}

/** Returns the MathML of LaTeX with limits above and below, in KaTeX's elements; undefined if the LaTeX is wrong. */
export function mathMlOfLatex(latex: string): string | undefined {
  if (latex.length > maxLatex) return undefined;
  try {
    return formulaMaker().renderToString(latex, { ...katexOptions, displayMode: true });
  } catch {
    return undefined;
  }
}

/** Number of symbols of a formula that fit on one line of a phone. */
const maxSignsInLine = 24;

/**
 * Limits the shift of `\raisebox`, which KaTeX does not limit. A wide formula gets a scrolling box, because browsers do
 * not break it.
 */
function withinThePage(html: string): string {
  const bounded = html.replace(/ voffset="(-?)[\d.]+em"/g, (whole, sign: string) =>
    Number.parseFloat(whole.replace(/[^\d.]/g, '')) > maxFormulaSize ? ` voffset="${sign}${maxFormulaSize}em"` : whole,
  );
  const signs = bounded.replace(/<annotation[\s\S]*?<\/annotation>|<[^<>]*>|&#?\w+;/g, (part) =>
    part.startsWith('&') ? ' ' : '',
  );
  return signs.length > maxSignsInLine ? bounded.replace('<math ', '<math class="wide" ') : bounded;
}

/**
 * Renders the formulas of texts into the cache, with turns for other requests in between: a paper of a hundred
 * questions has too many formulas for one turn.
 */
export async function prepareFormulas(texts: Iterable<string>, turns = new Yielding()): Promise<void> {
  for (const html of texts) {
    if (!mayHaveFormulas(html) || rendered.has(textKey(html))) continue;
    for (const { latex, displayMode } of formulasOf(html)) {
      formula(latex, displayMode);
      await turns.others();
    }
  }
}

/** Returns the formulas that `renderMath` would render. */
function formulasOf(html: string): { latex: string; displayMode: boolean }[] {
  const found: { latex: string; displayMode: boolean }[] = [];
  writeMath(html, (latex, displayMode) => {
    if (found.length < maxFormulas && latex.length <= maxLatex) found.push({ latex, displayMode });
    return '';
  });
  return found;
}
