/** Converts exact sums to displayed figures. Has no side effects. */

import { type ScoreMode, unitsPerPoint } from '#server/grading/rules.ts';
/** Returns the average of stored scores in points with one decimal, rounded half up; 0 without scores. */
export function averagePoints(mode: ScoreMode, sum: number, count: number): number {
  return count === 0 ? 0 : roundedQuotient(sum * 10, count * unitsPerPoint(mode)) / 10;
}

/**
 * Returns the sum of several averages in points with one decimal, rounded half up. Each average is given as `[sum,
 * count]` of stored scores.
 */
export function sumOfAverages(mode: ScoreMode, averages: readonly (readonly [sum: number, count: number])[]): number {
  const units = averages.reduce((total, [sum, count]) => total + fractionOf(sum, count), 0);
  // Adds a tiny amount for binary fractions that end just below a half.
  return Math.floor((units * 10) / unitsPerPoint(mode) + 0.5 + 1e-9) / 10;
}

/** Returns `part / whole`, rounded half up. */
const roundedQuotient = (part: number, whole: number): number => Math.floor((2 * part + whole) / (2 * whole));

/** Returns the average of counts with one decimal; 0 without counts. */
export const averageCount = (sum: number, count: number): number =>
  count === 0 ? 0 : roundedQuotient(sum * 10, count) / 10;

/** Compares a rate with earlier rates: their number, their average, and the difference in percentage points. */
export function compareWithEarlier(rate: number, earlier: readonly number[]) {
  if (earlier.length === 0) return { earlier_count: 0, earlier_rate: null, change: null };
  const earlier_rate = Math.floor(earlier.reduce((sum, one) => sum + one, 0) / earlier.length);
  return { earlier_count: earlier.length, earlier_rate, change: rate - earlier_rate };
}

/** Returns `part / whole` as a fraction; 0 if both are 0. */
export const fractionOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
