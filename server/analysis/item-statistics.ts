/**
 * Classical item statistics of one question, as Moodle's quiz statistics define them (“Facility index” and
 * “Discrimination index” in https://docs.moodle.org/dev/Quiz_statistics_calculations). Computed from stored scores,
 * which are whole numbers.
 */

/**
 * Sums over graded reports: of the report's score (`total`), of the question's score (`item`), and of their products.
 */
export interface ItemSums {
  /** Number of graded reports. An unanswered question counts with a score of 0. */
  count: number;
  total: number;
  totalSquares: number;
  item: number;
  itemSquares: number;
  itemByTotal: number;
}

/**
 * Facility: average score of the question in percent of its full score, cut off to a whole number. Null without
 * reports.
 */
export function facilityIndex({ count, item }: ItemSums, full: number): number | null {
  if (count === 0 || full === 0) return null;
  return Math.floor((item * 100) / (count * full));
}

/**
 * Discrimination index, from -100 to 100 with one decimal: 100 · cov(x, rest) / √(var x · var rest). `rest` is the
 * score of the report without the question, so that the question does not correlate with itself. Null if a variance is
 * 0; whether it is 0 is tested on whole numbers (count² · variance), without rounding.
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
