/**
 * Numbers as a sheet shows them: who typed 50% or 3.10 as an option means those signs, not 0.5 and 3.1.
 */
import { placeholdersOf, showMoment } from '#server/platform/office/number-formats.ts';
import { dateCellNote } from './rules.ts';

/** The built-in formats that show something else than the plain number (ECMA-376 part 1, 18.8.30). */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy/m/d',
  18: 'h:mm',
  19: 'h:mm',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy/m/d h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: 'h:mm:ss',
  47: 'mm:ss',
};

const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

export interface FormattedNumber {
  text: string;
  /** What to look at, where the cell may not mean what it says. */
  note?: string;
}

/** `format`: the number of a built-in format, or a format code. */
export function formatCellNumber(value: number, format: number | string, epoch1904: boolean): FormattedNumber {
  const code = typeof format === 'number' ? (isBuiltInDate(format) ? 'yyyy/m/d' : (builtIn[format] ?? '')) : format;
  const bare = placeholdersOf(code);
  if (showMoment(bare)) return dateText(value, bare, epoch1904);
  const decimals = /\.([0?#]+)/.exec(bare)?.[1]?.replaceAll('#', '').length ?? 0;
  if (bare.includes('%')) return { text: `${fixed(value * 100, decimals)}%` };
  if (bare.includes('/')) return { text: fractionText(value) };
  if (/E[+-]/i.test(bare) || !/[0#]/.test(bare)) return { text: plainNumber(value) };
  const text = fixed(value, decimals);
  return { text: bare.includes(',') ? text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',') : text };
}

/** Without the noise of binary fractions: 0.1 + 0.2 is shown as 0.3. */
const plainNumber = (value: number): string => String(Number(value.toPrecision(15)));

const fixed = (value: number, decimals: number): string =>
  Number(value.toPrecision(15)).toFixed(Math.min(decimals, 15));

function fractionText(value: number): string {
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  for (let below = 1; below <= 99; below += 1) {
    const above = Math.round(rest * below);
    if (Math.abs(rest - above / below) > 1e-9) continue;
    if (above === 0) return String(whole);
    return whole === 0 ? `${value < 0 ? '-' : ''}${above}/${below}` : `${whole} ${above}/${below}`;
  }
  return plainNumber(value);
}

/** A typed 1-2 or 3/4 becomes a date in Excel: nobody can tell any more what was meant. */
function dateText(serial: number, bare: string, epoch1904: boolean): FormattedNumber {
  const milliseconds = Math.round((serial - (epoch1904 ? 24107 : 25569)) * 86_400_000);
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return { text: plainNumber(serial) };
  const iso = date.toISOString();
  const parts = [/[yd]/i.test(bare) ? iso.slice(0, 10) : '', /[hs]/i.test(bare) ? iso.slice(11, 19) : ''];
  const text = parts.filter((part) => part !== '').join(' ') || iso.slice(0, 10);
  return { text, note: dateCellNote(text) };
}
