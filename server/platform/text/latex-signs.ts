/** Signs and their commands in LaTeX, and text written with them. */

export const latexFunctions =
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min sec sin sinh sup tan tanh'.split(
    ' ',
  );
const signs: Record<string, string> = {
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '#': '\\#',
  $: '\\$',
  '&': '\\&',
  _: '\\_',
  '\\': '\\backslash ',
  '~': '\\sim ',
  '^': '\\text{\\textasciicircum}',
  '−': '-',
  '∣': '\\mid ',
  '‖': '\\| ',
  '′': "'",
  '″': "''",
  '\u00a0': '\\ ',
};
export const invisible = /[\u2061-\u2064\u200b-\u200f\ufeff]/g;

export function latexSymbols(text: string): string {
  const written = text.replace(invisible, '').trim();
  if (latexFunctions.includes(written)) return `\\${written} `;
  return [...written].map((sign) => signs[sign] ?? sign).join('');
}

/** Signs that mean something in \text. */
const textSigns: Record<string, string> = {
  '\\': '\\textbackslash ',
  '^': '\\textasciicircum ',
  '~': '\\textasciitilde ',
};

/** Converts Chinese text and words to upright text that keeps its spaces. */
export function latexText(text: string): string {
  if (text.trim() === '') return text === '' ? '' : '\\ ';
  return `\\text{${text.replace(/[\\{}$%#&_^~]/g, (sign) => textSigns[sign] ?? `\\${sign}`)}}`;
}

export const opening: Record<string, string> = {
  '(': '(',
  '[': '[',
  '{': '\\{',
  '|': '|',
  '∣': '|',
  '⟨': '\\langle ',
  '〈': '\\langle ',
  '‖': '\\|',
  '∥': '\\|',
  '⌊': '\\lfloor ',
  '⌈': '\\lceil ',
};
export const closing: Record<string, string> = {
  ')': ')',
  ']': ']',
  '}': '\\}',
  '|': '|',
  '∣': '|',
  '⟩': '\\rangle ',
  '〉': '\\rangle ',
  '‖': '\\|',
  '∥': '\\|',
  '⌋': '\\rfloor ',
  '⌉': '\\rceil ',
};
/** Both tables, because an interval may be written ]a, b[; and signs that grow too. */
export const delimiters: Record<string, string> = {
  ...opening,
  ...closing,
  '/': '/',
  '\\': '\\backslash ',
  '↑': '\\uparrow ',
  '↓': '\\downarrow ',
  '↕': '\\updownarrow ',
  '⇑': '\\Uparrow ',
  '⇓': '\\Downarrow ',
};

/** Commands for signs above: for one letter, and for more. */
export const over: Record<string, readonly [string, string?]> = {
  '→': ['overrightarrow'],
  '⃗': ['overrightarrow'],
  '←': ['overleftarrow'],
  '\u20d6': ['overleftarrow'],
  '↔': ['overleftrightarrow'],
  '\u20e1': ['overleftrightarrow'],
  '⇀': ['overrightharpoon'],
  '\u20d1': ['overrightharpoon'],
  '↼': ['overleftharpoon'],
  '\u20d0': ['overleftharpoon'],
  '¯': ['overline'],
  '‾': ['overline'],
  '―': ['overline'],
  _: ['overline'],
  '\u0304': ['overline'],
  '\u0305': ['overline'],
  '^': ['hat', 'widehat'],
  ˆ: ['hat', 'widehat'],
  '\u0302': ['hat', 'widehat'],
  '˙': ['dot'],
  '\u0307': ['dot'],
  '¨': ['ddot'],
  '\u0308': ['ddot'],
  '\u20db': ['dddot'],
  '~': ['tilde', 'widetilde'],
  '˜': ['tilde', 'widetilde'],
  '\u0303': ['tilde', 'widetilde'],
  ˇ: ['check', 'widecheck'],
  '\u030c': ['check', 'widecheck'],
  '´': ['acute'],
  '\u0301': ['acute'],
  '`': ['grave'],
  '\u0300': ['grave'],
  '˘': ['breve'],
  '\u0306': ['breve'],
  '˚': ['mathring'],
  '\u030a': ['mathring'],
  '⏞': ['overbrace'],
  '⌢': ['overgroup'],
  '⏜': ['overgroup'],
};
export const under: Record<string, string> = {
  _: 'underline',
  '¯': 'underline',
  '\u0332': 'underline',
  '‾': 'underline',
  '⏟': 'underbrace',
  '⏝': 'undergroup',
  '→': 'underrightarrow',
  '←': 'underleftarrow',
};
/** Arrows that grow with the text above or below, such as the conditions of a reaction. */
export const growing: Record<string, string> = {
  '=': 'xlongequal',
  '→': 'xrightarrow',
  '⟶': 'xrightarrow',
  '←': 'xleftarrow',
  '↔': 'xleftrightarrow',
  '⇒': 'xRightarrow',
  '⇐': 'xLeftarrow',
  '⇔': 'xLeftrightarrow',
  '⇌': 'xrightleftharpoons',
  '⇄': 'xtofrom',
  '↦': 'xmapsto',
};
export const large = /^(?:[∑∏∐∫-∳⋃⋂⋁⋀⨁⨂⨀⨄⨆]|lim|max|min|sup|inf|det|gcd|limsup|liminf)$/;
export const integral = /^[∫-∳]$/;

/** Commands for letters of another style. */
export const variantCommands: Record<string, string> = {
  normal: 'mathrm',
  bold: 'mathbf',
  'bold-italic': 'boldsymbol',
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
};
