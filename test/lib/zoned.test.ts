import { describe, expect, test } from 'vitest';
import { formatTime, localValue } from '../../app/lib/dates.ts';
import { readLocalTime, readMoment, yesterdayValue } from '../../app/lib/zoned.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;

describe("moment in the school's zone", () => {
  test.each([
    ['Asia/Shanghai', '2026-11-22T00:02', '2026-11-21T16:02:00Z'],
    ['Asia/Shanghai', '2026-11-22 23:59:30', '2026-11-22T15:59:30Z'],
    // DST starts on 8 March and ends on 1 November, at two.
    ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-11-01T00:30', '2026-11-01T04:30:00Z'],
    ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00Z'],
    ['Asia/Kathmandu', '2026-11-22T05:45', '2026-11-22T00:00:00Z'],
    // Two half hours a year.
    ['Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30:00Z'],
  ])('in %s, %s is %s', (zone, text, moment) => {
    expect(readLocalTime(text, zone)).toBe(unix(moment));
    const shown = text.replace(' ', 'T').slice(0, 16);
    expect(localValue(unix(moment), zone)).toBe(shown);
    expect(formatTime(unix(moment), zone)).toBe(shown.replace('T', ' '));
  });

  test.each(['', '2026-11-22', '2026-13-01T00:00', '2026-11-22T25:00', 'tomorrow'])('refuses %j', (text) => {
    expect(readLocalTime(text, 'Asia/Shanghai')).toBeUndefined();
  });

  test('ends a range with its whole minute', () => {
    expect(readMoment('2026-11-22T08:00', 'Asia/Shanghai', true)).toBe(unix('2026-11-22T00:00:59Z'));
    expect(readMoment('2026-11-22T08:00:10', 'Asia/Shanghai', true)).toBe(unix('2026-11-22T00:00:10Z'));
    expect(readMoment('1795147200', 'Asia/Shanghai', true)).toBe(1_795_147_200);
  });

  test('starts the previous day at its first minute in the zone', () => {
    expect(yesterdayValue(unix('2026-11-21T16:02:00Z'), 'Asia/Shanghai')).toBe('2026-11-21T00:00');
    expect(yesterdayValue(unix('2026-03-01T12:00:00Z'), 'Asia/Shanghai')).toBe('2026-02-28T00:00');
  });
});
