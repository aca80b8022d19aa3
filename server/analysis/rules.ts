/** What a student's figures are compared with, and what that is called. */

/** Homework before the one that is looked at. */
export const comparedHomework = 5;

/** Percentage points from which a change is a clear one. */
const clearChange = 10;

/** What a change of the rate, in percentage points, means. */
export function changeWord(change: number): string {
  if (change === 0) return '持平';
  const word = change > 0 ? '进步' : '退步';
  return Math.abs(change) >= clearChange ? `明显${word}` : word;
}
