import { expect, it } from 'vitest';
import { formatUsedTime, limitText } from '#app/exams/terms.ts';

it.each([
  [0, '0分钟'],
  [59, '0分钟'],
  [7200, '120分钟'],
  [7223, '120分钟'],
])('used time is shown in whole minutes like the limit: %i seconds', (seconds, said) => {
  expect(formatUsedTime(seconds)).toBe(said);
  if (seconds > 0) expect(limitText(seconds).replace(' ', '')).toBe(said);
});
