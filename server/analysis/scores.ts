/** Counts graded reports by score; ranks and score bands are computed from these counts. */

import { reportStatus } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { reportsOf, type Scope } from './scope.ts';

/** Stored scores, highest first, each with its number of reports. */
export type ScoreTally = { score: number; count: number }[];

/** Counts reports by score. A covering index answers the query: thousands of reports in a millisecond. */
export const scoreTally = (db: Database, scope: Scope): Promise<ScoreTally> =>
  reportsOf(db, scope)
    .where('report.status', '=', reportStatus.graded)
    .groupBy('report.user_score')
    .orderBy('report.user_score', 'desc')
    .select((eb) => ['report.user_score as score', eb.fn.countAll<number>().as('count')])
    .execute();

/**
 * Returns the rank of each score, highest score first. Equal scores share a rank, and the next rank is skipped: 1, 1,
 * 3.
 */
export function ranksOf(tally: ScoreTally): Map<number, number> {
  const ranks = new Map<number, number>();
  let rank = 1;
  for (const { score, count } of tally) {
    ranks.set(score, rank);
    rank += count;
  }
  return ranks;
}
