import { expect, it } from 'vitest';
import { facilityIndex } from '#server/analysis/item-statistics.ts';

const sums = { count: 4, total: 0, totalSquares: 0, item: 3, itemSquares: 3, itemByTotal: 3 };

it('facility is computed for any full score, and undefined for 0', () => {
  expect(facilityIndex(sums, 1)).toBe(75);
  expect(facilityIndex(sums, 2)).toBe(37);
  expect(facilityIndex({ ...sums, item: 0 }, 0)).toBeNull();
  expect(facilityIndex({ ...sums, count: 0, item: 0 }, 2)).toBeNull();
});
