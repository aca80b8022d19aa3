/** Thresholds and words of the analysis. */

/** Number of earlier homework with which a figure is compared. */
export const comparedHomeworkCount = 5;

/** Percentage points from which a change is called clear (明显). */
const clearChange = 10;

/** Formats the bounds of a band: `14.8以上～16.5`, the lowest band `0～9.9`. */
export const boundsText = (id: number, min: number, max: number): string =>
  id === 60 ? `0～${max}` : `${min}以上～${max}`;

/** Discrimination index below which a question can be flagged. */
export const lowDiscrimination = 15;

const flaggedCount = 3;

/**
 * Returns the ids of questions that somebody should check, at most three, lowest index first. Their discrimination
 * index is so far below 15 that chance cannot explain it (upper end of its 95 % interval, by Fisher's transformation).
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

/** Returns a word for the change of a rate, which is given in percentage points. */
export function changeWord(change: number): string {
  if (change === 0) return '持平';
  const word = change > 0 ? '进步' : '退步';
  return Math.abs(change) >= clearChange ? `明显${word}` : word;
}
