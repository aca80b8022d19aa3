/**
 * Parses values in the notations that schools use. The result has a note about an unusual notation, or says why the
 * value is refused.
 */
import { earliestDay, isDay, latestDay } from '#server/platform/calls/rules.ts';

/** `note`: says that the value was read despite its notation. */
export type ParsedValue<T> = { value: T; note?: string } | { fault: string };

/** Converts full-width characters to half-width. Not for fields with Chinese punctuation. */
export const toHalfWidth = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ');

/**
 * True for a number such as 1.38E+10, which has lost its last digits. A class may be called 3E1, so the exponent needs
 * a sign.
 */
export const isScientific = (text: string): boolean => /^[+-]?\d(?:\.\d+)?E\+\d{2,}$/i.test(toHalfWidth(text).trim());

export const scientificMessage = (text: string): string =>
  `“${text}”是科学计数法，后面的数字已经丢失；请把这一列设为“文本”格式，重新填写完整的数字`;

const full = '全角字符已按半角读取';

/**
 * Parses codes, numbers and ids: trims spaces and makes full-width characters half-width. A Chinese name, such as an id
 * of our own export, keeps its Chinese punctuation: 高一（1）班.
 */
export function readCode(text: string): ParsedValue<string> {
  const isNamed = /\p{Script=Han}/u.test(text);
  const value = (isNamed ? text.replace(/[０-９Ａ-Ｚａ-ｚ]/g, toHalfWidth) : toHalfWidth(text)).trim();
  if (isScientific(value)) return { fault: scientificMessage(text) };
  return value === text.trim() ? { value } : { value, note: `“${text}”：${full}` };
}

const dayForms = [
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]0{1,2}:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?$/,
  /^(\d{4})(\d{2})(\d{2})$/,
];

const dayMessage = (text: string, day: string): string =>
  day < earliestDay || day > latestDay ? `“${text}”不在 ${earliestDay} 到 ${latestDay} 之间` : `没有“${text}”这一天`;

/** Parses a day to `yyyy-mm-dd`. Refuses 1/5/2026, which may be in January or in May. */
export function readDay(text: string): ParsedValue<string> {
  const plain = text.trim();
  if (isDay(plain)) return { value: plain };
  if (isScientific(plain)) return { fault: scientificMessage(text) };
  const half = toHalfWidth(plain).replace(/\s*([年月日])\s*/g, '$1');
  for (const form of dayForms) {
    const parts = form.exec(half);
    if (!parts) continue;
    const value = `${parts[1]}-${parts[2]?.padStart(2, '0')}-${parts[3]?.padStart(2, '0')}`;
    if (isDay(value)) return { value, note: `“${text}”已按 ${value} 读取` };
    return { fault: dayMessage(text, value) };
  }
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(half);
  if (!parts) return { fault: `“${text}”不是日期，请写成 2026-09-01 的形式` };
  const [one, two] = [Number(parts[1]), Number(parts[2])];
  const [month, date] = one > 12 ? [two, one] : [one, two];
  const value = `${parts[3]}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  if (!isDay(value)) return { fault: dayMessage(text, value) };
  if (one <= 12 && two <= 12 && one !== two) return { fault: `“${text}”分不清日和月，请写成 2026-09-01 的形式` };
  return { value, note: `“${text}”已按 ${value} 读取` };
}

/** Parses a time of day to `hh:mm`. */
export function readTime(text: string): ParsedValue<string> {
  const plain = text.trim();
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(plain)) return { value: plain };
  const half = toHalfWidth(plain);
  const parts = /^(上午|下午|晚上|早上|中午)?\s*(\d{1,2})[:点时](\d{1,2})?(?:[:分]\d{0,2})?\s*(am|pm)?$/i.exec(half);
  const later = parts?.[1] === '下午' || parts?.[1] === '晚上' || parts?.[4]?.toLowerCase() === 'pm';
  const hour = Number(parts?.[2]) + (later && Number(parts?.[2]) < 12 ? 12 : 0);
  const minute = Number(parts?.[3] ?? 0);
  if (!parts || hour > 23 || minute > 59) return { fault: `“${text}”不是时间，请写成 19:30 的形式` };
  const value = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return { value, note: `“${text}”已按 ${value} 读取` };
}

const yes = ['true', '1', 'yes', 'y', 't', '是', '√', '有'];
const no = ['false', '0', 'no', 'n', 'f', '否', '×', '无'];

/** Parses `true` and `false`, also as Chinese words or numbers. */
export function readBoolean(text: string): ParsedValue<boolean> {
  if (text === 'true') return { value: true };
  if (text === 'false') return { value: false };
  const word = toHalfWidth(text).trim().toLowerCase();
  if (yes.includes(word)) return { value: true, note: `“${text}”已按 true 读取` };
  if (no.includes(word)) return { value: false, note: `“${text}”已按 false 读取` };
  return { fault: `“${text}”应为 true 或 false` };
}

export function readMobile(text: string): ParsedValue<string> {
  const plain = text.trim();
  if (/^1\d{10}$/.test(plain)) return { value: plain };
  if (isScientific(plain)) return { fault: scientificMessage(text) };
  const digits = toHalfWidth(plain)
    .replace(/^(?:\+|00)?86(?=[\s-]*1)/, '')
    .replace(/[\s()-]/g, '')
    // Removes the decimals of a number that a spreadsheet formatted.
    .replace(/^(1\d{10})\.0+$/, '$1');
  if (/^1\d{10}$/.test(digits)) return { value: digits, note: `“${text}”已按 ${digits} 读取` };
  return { fault: `“${text}”不是11位手机号` };
}

/** Parses a number with at most `decimals` decimals. */
export function readNumber(text: string, decimals = 0): ParsedValue<number> {
  const plain = text.trim();
  if (isScientific(plain)) return { fault: scientificMessage(text) };
  const half = toHalfWidth(plain)
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/(?<=^-?\d+)\.0+$/, '');
  const form = decimals === 0 ? /^-?\d{1,9}$/ : new RegExp(`^-?\\d{1,9}(?:\\.\\d{1,${decimals}})?$`);
  if (!form.test(half)) {
    return { fault: decimals === 0 ? `“${text}”不是整数` : `“${text}”不是数字，最多${decimals}位小数` };
  }
  const value = Number(half);
  return half === plain ? { value } : { value, note: `“${text}”已按 ${half} 读取` };
}
