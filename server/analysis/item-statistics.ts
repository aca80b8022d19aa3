/**
 * Classical item statistics of one question, by the definitions of Moodle's quiz statistics:
 * "Quiz statistics calculations", sections "Facility index" and "Discrimination index",
 * https://docs.moodle.org/dev/Quiz_statistics_calculations. Pure; scores are stored ones, whole numbers.
 */

/** Sums over graded reports: of the total score, of the score of this question, and of their products. */
export interface ItemSums {
  /** Graded reports; a question that was left blank counts with 0. */
  count: number;
  total: number;
  totalSquares: number;
  item: number;
  itemSquares: number;
  itemByTotal: number;
}

/** Facility: the mean of the question in whole percent of its full score, truncated; null without reports. */
export function facilityIndex({ count, item }: ItemSums, full: number): number | null {
  if (count === 0 || full === 0) return null;
  return Math.floor((item * 100) / (count * full));
}

/**
 * Discrimination index, -100 to 100 with one decimal: 100 · cov(x, rest) / √(var x · var rest), where `rest` is the
 * total score without the question, so that the question does not correlate with itself. Null where a variance is 0.
 * Whether a variance is 0 is asked of whole numbers (count² times the variance), without rounding.
 */
export function discriminationIndex(sums: ItemSums): number | null {
  const [n, t, tt] = [BigInt(sums.count), BigInt(sums.total), BigInt(sums.totalSquares)];
  const [x, xx, xt] = [BigInt(sums.item), BigInt(sums.itemSquares), BigInt(sums.itemByTotal)];
  const varianceOfItem = n * xx - x * x;
  const covarianceWithTotal = n * xt - x * t;
  const varianceOfTotal = n * tt - t * t;
  const varianceOfRest = varianceOfTotal - 2n * covarianceWithTotal + varianceOfItem;
  if (varianceOfItem === 0n || varianceOfRest === 0n) return null;
  const covarianceWithRest = Number(covarianceWithTotal - varianceOfItem);
  const index = (100 * covarianceWithRest) / Math.sqrt(Number(varianceOfItem) * Number(varianceOfRest));
  return Math.round(index * 10) / 10;
}
