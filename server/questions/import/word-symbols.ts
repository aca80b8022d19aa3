/** Converts characters of symbol fonts such as Wingdings. */
import { codePoint as symbolOf } from 'dingbat-to-unicode';

const symbolFonts = ['Symbol', 'Wingdings', 'Wingdings 2', 'Wingdings 3', 'Webdings'];

/** Returns the Unicode character. Symbol fonts have codes of their own, either as they are or from U+F000 on. */
export function symbolCharacter(font: string, code: number): string | undefined {
  const inFont = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (!(inFont > 0x20 && inFont <= 0xff)) return code > 0xff ? String.fromCodePoint(code) : undefined;
  const family = symbolFontOf(font);
  const symbol = family === undefined ? undefined : symbolOf(family, inFont)?.string;
  return symbol === undefined ? undefined : (commonSymbols.get(symbol) ?? symbol);
}

/** Common characters for ticks and crosses: few fonts have the exact ones of Wingdings. */
const commonSymbols: ReadonlyMap<string, string> = new Map([
  ['🗸', '✓'],
  ['🗹', '☑'],
  ['🗴', '✗'],
  ['🗶', '✗'],
  ['🗵', '☒'],
  ['🗷', '☒'],
]);

export const symbolFontOf = (font: string): string | undefined =>
  symbolFonts.find((name) => name.toLowerCase() === font.toLowerCase());
