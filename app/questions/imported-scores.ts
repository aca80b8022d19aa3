/** Scores of imported questions in an address: `12:2,13:1.5+3`, the parts of a material question joined by `+`. */

import { idOf } from '../lib/search.ts';

/** Formats scores by question; questions without a score are left out. */
export function scoresText(
  ids: readonly number[],
  scores: readonly (readonly (number | null)[])[],
): string | undefined {
  const known = ids.flatMap((id, index) => {
    const points = scores[index] ?? [];
    return points.some((score) => score !== null) ? [`${id}:${points.map((score) => score ?? '').join('+')}`] : [];
  });
  return known.join(',') || undefined;
}

/** Parses `scoresText`. Nonsense is dropped. */
export const readScores = (text: string | undefined): ReadonlyMap<number, (number | undefined)[]> =>
  new Map(
    (text ?? '').split(',').flatMap((entry) => {
      const [key, points = ''] = entry.split(':');
      const id = idOf(key);
      if (id === undefined || !/^[\d.+]+$/.test(points)) return [];
      return [[id, points.split('+').map((score) => (score === '' ? undefined : Number(score)))] as const];
    }),
  );
