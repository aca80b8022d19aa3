/** Converts stored rich text for other programs: as HTML without our formula markup, or as plain text. */
import { Parser } from 'htmlparser2';
import { escapeHtml, formulaPattern } from '#server/platform/text/render-math.ts';
import { exportLosses } from './losses.ts';

const voidTags = new Set(['br', 'hr', 'img']);

export interface HtmlReader {
  text(text: string): void;
  formula(latex: string): void;
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
}

/** Reads HTML; formulas in elements and in the text are reported alike. Text inside <pre> has no formulas. */
export function readHtml(html: string, reader: HtmlReader): void {
  let text = '';
  let inMath = 0;
  let inPre = 0;
  const endText = () => {
    if (inPre > 0) reader.text(text);
    else readText(text, reader);
    text = '';
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (inMath > 0) {
          inMath += 1;
          return;
        }
        endText();
        const latex = name === 'span' ? attributes['data-latex'] : undefined;
        if (latex !== undefined) {
          inMath = 1;
          reader.formula(latex);
          return;
        }
        if (name === 'pre') inPre += 1;
        reader.open(name, attributes);
      },
      ontext: (piece) => {
        if (inMath === 0) text += piece;
      },
      onclosetag: (name) => {
        if (inMath > 0) {
          inMath -= 1;
          return;
        }
        endText();
        if (name === 'pre') inPre -= 1;
        reader.close(name);
      },
      onend: endText,
    },
    { decodeEntities: true },
  );
  parser.end(html);
}

function readText(text: string, reader: HtmlReader): void {
  let at = 0;
  for (const match of text.matchAll(formulaPattern)) {
    if (match.index > at) reader.text(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, display, inline, inParentheses, inBrackets] = match;
    const latex = inline ?? inParentheses;
    if (latex !== undefined) reader.formula(latex);
    else if (display !== undefined || inBrackets !== undefined)
      reader.formula(`\\displaystyle ${display ?? inBrackets}`);
    else reader.text(whole === '\\$' ? '$' : whole);
  }
  if (at < text.length) reader.text(text.slice(at));
}

/** Writes a formula as `\(…\)`, or one in full size as `\[…\]`, which most programs read. */
export function delimitedFormula(latex: string): string {
  const display = /^\s*\\displaystyle\s([\s\S]*)$/.exec(latex)?.[1];
  return display === undefined ? `\\(${latex.trim()}\\)` : `\\[${display.trim()}\\]`;
}

/**
 * Returns HTML for other programs: formulas as `\(…\)` or `\[…\]`, and each picture with the address that `picture`
 * returns. Without an address, ［图片］ stands in its place.
 */
export function portableHtml(html: string, picture: (src: string) => string | undefined): string {
  let written = '';
  readHtml(html, {
    text: (text) => {
      written += escapeHtml(text);
    },
    formula: (latex) => {
      written += escapeHtml(delimitedFormula(latex));
    },
    open: (name, attributes) => {
      const src = name === 'img' ? picture(attributes.src ?? '') : undefined;
      if (name === 'img' && src === undefined) {
        written += '［图片］';
        return;
      }
      const shown = src === undefined ? attributes : { ...attributes, src };
      const pairs = Object.entries(shown).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
      written += `<${name}${pairs.join('')}${voidTags.has(name) ? ' />' : '>'}`;
    },
    close: (name) => {
      if (!voidTags.has(name)) written += `</${name}>`;
    },
  });
  return written;
}

/** Returns the pictures that texts show, each once. */
export function picturesIn(texts: readonly string[]): string[] {
  const sources = new Set<string>();
  for (const html of texts) {
    if (!html.includes('<img')) continue;
    portableHtml(html, (src) => {
      sources.add(src);
      return src;
    });
  }
  return [...sources];
}

const lineEnds = new Set(['p', 'pre', 'br', 'hr', 'li', 'tr', 'caption']);
const plainTags = new Set(['p', 'br', 'span', 'tbody', 'thead', 'tfoot']);

/** Returns rich text as plain text with line breaks, and what that loses. */
export function plainLines(html: string): { text: string; losses: string[] } {
  let written = '';
  const losses = new Set<string>();
  const endLine = () => {
    if (written !== '' && !written.endsWith('\n')) written += '\n';
  };
  readHtml(html, {
    text: (text) => {
      written += text.replaceAll('\u00a0', ' ');
    },
    formula: (latex) => {
      written += delimitedFormula(latex);
    },
    open: (name, { style }) => {
      if (name === 'img') {
        written += '［图片］';
        losses.add(exportLosses.plainPicture);
      } else if (name === 'table') losses.add(exportLosses.table);
      else if (name === 'br') written += '\n';
      else if (!['tr', 'td', 'th', 'caption'].includes(name) && (!plainTags.has(name) || style !== undefined)) {
        losses.add(exportLosses.marks);
      }
      if (lineEnds.has(name) && name !== 'br') endLine();
      if ((name === 'td' || name === 'th') && written !== '' && !written.endsWith('\n')) written += '\t';
    },
    close: (name) => {
      if (lineEnds.has(name) && name !== 'br') endLine();
    },
  });
  return { text: written.replace(/[ \t]+$/gm, '').trim(), losses: [...losses] };
}
