/** What a student's figures are compared with, and what that is called. */

/** Homework before the one that is looked at. */
export const comparedHomework = 5;

/** Percentage points from which a change is a clear one. */
const clearChange = 10;

/** A band of scores or rates in words: `14.8以上～16.5`, the lowest band `0～9.9`. */
export const boundsText = (id: number, min: number, max: number): string =>
  id === 60 ? `0～${max}` : `${min}以上～${max}`;

/** Below this a discrimination index is worth a look. */
export const lowDiscrimination = 15;

const flaggedCount = 3;

/**
 * The questions to look at: their discrimination index is below 15 by more than chance (upper end of its 95 % interval
 * by Fisher's transformation), at most three, the lowest first. @returns their ids
 */
export function flaggedQuestions(
  rows: readonly { _id: number; discrimination: number | null; graded: number }[],
): ReadonlySet<number> {
  const low = rows.flatMap(({ _id, discrimination, graded }) => {
    if (discrimination === null || graded < 5) return [];
    const r = Math.max(-0.999, Math.min(0.999, discrimination / 100));
    const upper = Math.tanh(Math.atanh(r) + 1.96 / Math.sqrt(graded - 3));
    return upper * 100 < lowDiscrimination ? [{ _id, discrimination }] : [];
  });
  const lowest = low.toSorted((one, other) => one.discrimination - other.discrimination).slice(0, flaggedCount);
  return new Set(lowest.map(({ _id }) => _id));
}

/** What a change of the rate, in percentage points, means. */
export function changeWord(change: number): string {
  if (change === 0) return '持平';
  const word = change > 0 ? '进步' : '退步';
  return Math.abs(change) >= clearChange ? `明显${word}` : word;
}
