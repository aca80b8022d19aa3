/** Which questions are worth a look, and a band in words. */
import { expect, test } from 'vitest';
import { boundsText, flaggedQuestions } from '#server/analysis/rules.ts';

const row = (_id: number, discrimination: number | null, graded = 36) => ({ _id, discrimination, graded });

test('question flags ignore low values that may be chance', () => {
  // For 36 reports an index of 10 reaches up to 41, for 3,000 up to 14.
  expect([...flaggedQuestions([row(1, 10)])]).toEqual([]);
  expect([...flaggedQuestions([row(1, 10, 3_000)])]).toEqual([1]);
  expect([...flaggedQuestions([row(1, -40), row(2, null), row(3, -100, 4)])]).toEqual([1]);
});

test('question flags mark at most three questions, the lowest', () => {
  const rows = [row(1, -40), row(2, -60), row(3, -50), row(4, -45)];
  expect([...flaggedQuestions(rows)]).toEqual([2, 3, 4]);
});

test("question flags name a band's bounds, the lowest from 0", () => {
  expect(boundsText(100, 14.85, 16.5)).toBe('14.85以上～16.5');
  expect(boundsText(60, 0, 9.9)).toBe('0～9.9');
});
