import { expect, it } from 'vitest';
import { formatNearDay, formatNearTime, formatTimeLeft } from '#app/lib/dates.ts';

const zone = 'Asia/Shanghai';
const at = (text: string) => Date.parse(`${text}:00+08:00`) / 1000;
const now = at('2026-11-20T12:00');

it.each([
  ['2026-11-20T22:00', '今天 22:00'],
  ['2026-11-20T00:00', '今天 00:00'],
  ['2026-11-19T23:59', '昨天 23:59'],
  ['2026-11-21T00:00', '明天 00:00'],
  ['2026-11-22T08:30', '后天 08:30'],
  ['2026-11-18T08:30', '11-18 08:30'],
  ['2026-11-14T08:30', '11-14 08:30'],
  ['2026-11-26T08:30', '周四 08:30'],
  ['2026-11-27T08:30', '11-27 08:30'],
  ['2026-01-02T08:30', '01-02 08:30'],
  ['2027-01-02T08:30', '2027-01-02 08:30'],
])('%s is shown as %s', (moment, said) => {
  expect(formatNearTime(at(moment), now, zone)).toBe(said);
});

it.each([
  ['2026-11-20T22:00', '今天'],
  ['2026-11-19T00:00', '昨天'],
  ['2026-11-22T08:30', '后天'],
  ['2026-11-18T08:30', '11-18 周三'],
  ['2026-11-25T08:30', '11-25 周三'],
  ['2027-01-02T08:30', '2027-01-02 周六'],
])('the day of %s is shown as %s', (moment, said) => {
  expect(formatNearDay(at(moment), now, zone)).toBe(said);
});

it('relative days follow the time zone', () => {
  expect(formatNearTime(at('2026-11-20T12:00'), at('2026-11-20T12:00'), 'America/Los_Angeles')).toBe('今天 20:00');
});

it.each([
  [1, '还剩1分钟'],
  [59 * 60 + 1, '还剩60分钟'],
  [3 * 3600 + 59, '还剩3小时'],
  [47 * 3600, '还剩47小时'],
  [48 * 3600, '还剩2天'],
  [0, undefined],
  [-5, undefined],
])('%i seconds are shown as %s', (seconds, said) => {
  expect(formatTimeLeft(now + seconds, now)).toBe(said);
});
