import { expect, test } from 'vitest';
import { blankScores, meetsFinishConditions } from '#server/exams/submission.ts';

test('blanks have their own scores if every one has a valid score', () => {
  expect(blankScores('30@@70')).toEqual([30, 70]);
  expect(blankScores('0@@100')).toEqual([0, 100]);
  for (const shared of ['', '30@@x', '1.5@@30', '-5@@30']) expect(blankScores(shared), shared).toBeUndefined();
});

test('a submission meets the conditions if every question is answered within the time limit', () => {
  const answered = [{ status: 1 as const }, { status: 4 as const }];
  expect(meetsFinishConditions({ limit_time: 3600 }, 3600, answered)).toBe(true);
  expect(meetsFinishConditions({ limit_time: 3600 }, 3601, answered)).toBe(false);
  expect(meetsFinishConditions({ limit_time: 0 }, 99_999, answered)).toBe(true);
  expect(meetsFinishConditions({ limit_time: 1 }, 2, answered)).toBe(false);
  expect(meetsFinishConditions({ limit_time: 0 }, 1, [...answered, { status: 3 as const }])).toBe(false);
});
