/**
 * Classical item statistics of one question, as Moodle's quiz statistics define them (“Facility index” and
 * “Discrimination index” in https://docs.moodle.org/dev/Quiz_statistics_calculations). Pure; stored scores, whole
 * numbers.
 */

/** Sums over graded reports: total score, score of this question, and their products. */
export interface ItemSums {
  /** Number of graded reports; an unanswered question counts with 0. */
  count: number;
  total: number;
  totalSquares: number;
  item: number;
  itemSquares: number;
  itemByTotal: number;
}

/** Facility: mean score of the question in percent of its full score, truncated. Null without reports. */
export function facilityIndex({ count, item }: ItemSums, full: number): number | null {
  if (count === 0 || full === 0) return null;
  return Math.floor((item * 100) / (count * full));
}

/**
 * Discrimination index, -100 to 100 with one decimal: 100 · cov(x, rest) / √(var x · var rest). `rest` is the total
 * without the question, so that it does not correlate with itself. Null if a variance is 0, tested on integers (count²
 * · variance) without rounding.
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
