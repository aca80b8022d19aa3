/** Scores of imported questions in an address: `12:2,13:1.5+3`, the parts of a material question joined by `+`. */

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
      const [, id, points] = /^(\d{1,15}):([\d.+]{1,2000})$/.exec(entry) ?? [];
      if (!id || points === undefined) return [];
      const scores = points.split('+').map((score) => (score === '' ? undefined : Number(score)));
      return [[Number(id), scores] as const];
    }),
  );
