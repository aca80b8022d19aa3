/** Number formats of .xlsx cells: shows a number as Excel would. */
import { dateFromSerial, delocalize, format as formatNumber, getFormatFromId, isValidFormat, tokenize } from 'numfmt';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { readXml } from './xml.ts';

/** Reads the number format of each cell style. */
export async function readNumberFormats(zip: OpenedZip, name: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const compiled = new Map<string, NumberFormat>();
  const formats: NumberFormat[] = [];
  const part = await zip.stream(name);
  if (!part) return formats;
  let inCellFormats = false;
  await readXml(part, {
    open: (element, attribute) => {
      if (element === 'x:numFmt') codes.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
      else if (element === 'x:cellXfs') inCellFormats = true;
      else if (element === 'x:xf' && inCellFormats) {
        const id = Number(attribute('numFmtId') ?? 0);
        const code = codes.get(id) ?? builtInCode(id);
        const format = compiled.get(code) ?? compileFormat(code);
        compiled.set(code, format);
        formats.push(format);
      }
    },
    close: (element) => {
      if (element === 'x:cellXfs') inCellFormats = false;
    },
  });
  return formats;
}

export interface FormattedNumber {
  /** The formatted number. Days are `2026-09-01` and times `19:30`, whatever the format. */
  text: string;
  /** True for a day, a time or both. */
  isMoment: boolean;
  /** False if the format is not supported or hides digits; then `text` is the plain number. */
  isFollowed: boolean;
}

export type NumberFormat = (value: number, epoch1904: boolean) => FormattedNumber;

/** Maximum characters of a format code in Excel. */
const maxCode = 255;
/** Days between Excel's two epochs (1900 and 1904). */
const days1904 = 1462;

/** Locale for formats that depend on the settings of the computer. */
const locale = 'zh-CN';

/** Numbers below this have at most fifteen digits, which are exact. */
const exactBelow = 1e15;

const builtInCode = (id: number): string => getFormatFromId(id, locale) ?? '';

/** Compiles a format code into a function. */
export function compileFormat(written: string): NumberFormat {
  const code = written.length > maxCode ? undefined : normalizeCode(written);
  const plain = (value: number): FormattedNumber => ({ text: plainNumber(value), isMoment: false, isFollowed: false });
  if (code === undefined) return plain;
  const tokens = tokenize(code);
  const has = (...types: string[]) => tokens.some(({ type }) => types.includes(type));
  const units = tokens.flatMap(({ type, raw }) => (type === 'DATETIME' ? [raw.toLowerCase()] : []));
  if (units.length > 0 && !has('DURATION') && !units.every(isWeekday)) {
    return (value, epoch1904) => showMoment(value, units, epoch1904);
  }
  if (tokens.length === 0 || (tokens.length === 1 && has('GENERAL', 'TEXT'))) return showGeneral;
  // Chinese numerals are not supported.
  if (has('DBNUM', 'NATNUM')) return plain;
  return (value, epoch1904) => {
    const serial = has('DATETIME', 'DURATION') && epoch1904 ? value + days1904 : value;
    const text = collapseSpaces(formatNumber(code, Number(serial.toPrecision(15)), { locale, throws: false }));
    // A number other than 0 is shown even if its format hides it. Formats often hide only a zero on purpose.
    const isHidden = text === '' && value !== 0;
    return isHidden || /^#+$/.test(text) ? plain(value) : { text, isMoment: false, isFollowed: true };
  };
}

/** Shows all digits, where Excel shows eleven. */
export const showGeneral: NumberFormat = (value) => ({
  text: plainNumber(value),
  isMoment: false,
  isFollowed: Math.abs(value) < exactBelow || Number(value.toPrecision(6)) === value,
});

/** Rounds away binary fractions: 0.1 + 0.2 is 0.3. */
export function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  return text.includes('e') ? formatNumber('General', value) : text;
}

/** Collapses spaces, which only align a column. */
const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Normalises a format code; undefined if it is invalid. Chinese Excel escapes with `!` as well as `\`. */
function normalizeCode(code: string): string | undefined {
  const plain = code.replace(/"[^"]*"|\\.|!(.)/g, (part, escaped?: string) => (escaped ? `\\${escaped}` : part));
  const known = isValidFormat(plain) ? plain : delocalize(plain, locale);
  if (!isValidFormat(known)) return undefined;
  // Removes the language of a currency, which has no influence on the digits.
  return known.replace(/\[\$([^\]-]+)-[^\]]*\]/g, '[$$$1]');
}

const isWeekday = (unit: string): boolean => /^(?:d{3,}|a{3,})$/.test(unit);

/** Shows the day, the time or both, depending on the format. */
function showMoment(value: number, units: readonly string[], epoch1904: boolean): FormattedNumber {
  const plain = { text: plainNumber(value), isMoment: true, isFollowed: false };
  // Days before 1 March 1900 are shown as numbers, because Excel counts a 29 February 1900 that did not exist.
  const serial = epoch1904 ? value + days1904 : value;
  if (value < 0 || serial >= 2_958_466) return plain;
  const [year, month, day, hour, minute, second] = dateFromSerial(Math.round(serial * 86_400) / 86_400);
  const two = (part: number) => String(part).padStart(2, '0');
  const shows = (pattern: RegExp) => units.some((unit) => pattern.test(unit) && !isWeekday(unit));
  const clock = `${two(hour)}:${two(minute)}${shows(/^s/) && second > 0 ? `:${two(second)}` : ''}`;
  const isDay = shows(/^[yed]/) || (shows(/^m/) && !shows(/^[hs]/));
  if (!isDay) return { text: clock, isMoment: true, isFollowed: true };
  if (serial < 1) return { ...plain, isFollowed: value === 0 };
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const isClock = shows(/^[hs]/) && clock !== '00:00';
  return { text: isClock ? `${date} ${clock}` : date, isMoment: true, isFollowed: true };
}
