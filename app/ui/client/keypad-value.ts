// Value of an input with keypad: digits with at most one decimal point.
import { formatScore } from '#server/platform/text/rules.ts';

export interface KeypadLimits {
  /** Minimum. Only finishNumber applies it, because on the way to 12 a 1 must be allowed. */
  min?: number;
  /** Maximum. Larger values are capped. */
  max?: number;
  /** Number of decimals. Further ones are cut off. With 0, no decimal point is accepted. */
  decimals?: number;
}

export const usualDecimals = 2;

export type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'point' | 'delete-last' | 'clear';

/**
 * Cleans typed or pasted text. Keeps digits and one decimal point (also full-width ones), at most `decimals` decimals,
 * and at most `max`. Removes a leading point and leading zeros. The result may end in a point.
 */
export const readNumber = (text: string, limits: KeypadLimits = {}): string => readTyped(text, limits).value;

/** Change that was made to a typed number. The caller has to tell the user. */
export type KeypadChange = 'over' | 'point' | 'minus';

/** Like `readNumber`, but also returns the change: capped at `max`, or a leading point or minus removed. */
export function readTyped(
  text: string,
  { max, decimals = usualDecimals }: KeypadLimits = {},
): { value: string; changed?: KeypadChange } {
  const narrow = text
    .replace(/[０-９]/g, halfWidth)
    .replace(/[．。｡，,]/g, '.')
    .trim();
  const digits = narrow.replace(/[^\d.]/g, '');
  const accepted = digits.replace(/^\.+/, '');
  const dropped = /^[-−－﹣–—]/.test(narrow) ? 'minus' : accepted === digits ? undefined : 'point';
  const [whole = '', ...rest] = accepted.split('.');
  const trimmed = whole.replace(/^0+(?=\d)/, '');
  const hasPoint = rest.length > 0 && decimals > 0;
  const value = hasPoint ? `${trimmed}.${rest.join('').slice(0, decimals)}` : trimmed;
  const isOver = max !== undefined && value !== '' && Number(value) > max;
  // At the maximum a decimal point is allowed, because a zero may follow.
  const isFull = max !== undefined && value !== '' && Number(value) === max && !value.endsWith('.');
  const changed = dropped ?? (isOver ? 'over' : undefined);
  return { value: isOver || isFull ? String(max) : value, ...(changed && { changed }) };
}

function halfWidth(digit: string): string {
  return String.fromCharCode(digit.charCodeAt(0) - '０'.charCodeAt(0) + '0'.charCodeAt(0));
}

/** Returns the value after a key of the keypad, or the same value if the key is not accepted. */
export function pressKey(value: string, key: KeypadKey, limits: KeypadLimits = {}): string {
  if (key === 'clear') return '';
  if (key === 'delete-last') return value.slice(0, -1);
  return readNumber(value + (key === 'point' ? '.' : key), limits);
}

/**
 * Returns the final value when the field loses the focus: without a trailing point, and at least `min`. Empty stays
 * empty.
 */
export function finishNumber(value: string, limits: KeypadLimits = {}): string {
  const read = readNumber(value, limits).replace(/\.$/, '');
  return limits.min !== undefined && read !== '' && Number(read) < limits.min ? String(limits.min) : read;
}

/** Message about a changed number. */
export const changeMessage = (changed: KeypadChange, full: number): string =>
  ({
    over: `超过满分，已按 ${formatScore(full)} 分计`,
    point: '已去掉小数点',
    minus: '已去掉负号',
  })[changed];
