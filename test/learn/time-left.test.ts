import { expect, it } from 'vitest';
import { formatTimeLeft } from '#app/learn/time-left.ts';

it.each([
  [-3, '时间已到'],
  [0, '时间已到'],
  [9, '还剩9秒'],
  [60, '还剩1分00秒'],
  [754, '还剩12分34秒'],
  [3_725, '还剩1小时02分05秒'],
  [90_000, '还剩25小时00分00秒'],
  [172_800, '还剩2天'],
])('%i seconds left are shown as %s', (seconds, shown) => {
  expect(formatTimeLeft(seconds)).toBe(shown);
});
