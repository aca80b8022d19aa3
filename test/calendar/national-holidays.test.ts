/** The national list of days off and make-up workdays. */

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isByLawAlone, nationalDays } from '#server/settings/national-holidays.ts';

/** `name first..last`, and `day name by weekday` for make-up workdays. */
function told(year: number) {
  const { days } = nationalDays(year);
  const off: string[] = [];
  let last = '';
  for (const { day, name } of days.filter(({ is_workday }) => is_workday === 0)) {
    const follows = Date.parse(day) - Date.parse(last) === 24 * 60 * 60 * 1000;
    if (follows && off.at(-1)?.startsWith(name)) off.push(`${off.pop()?.split('..')[0]}..${day.slice(5)}`);
    else off.push(`${name} ${day.slice(5)}`);
    last = day;
  }
  const worked = days
    .filter(({ is_workday }) => is_workday === 1)
    .map(({ day, name, as_weekday }) => `${day.slice(5)} ${name} ${as_weekday}`);
  return { off, worked };
}

it('has the arrangements that the State Council announced for 2025 and 2026', () => {
  expect(told(2025)).toEqual({
    off: [
      '元旦 01-01',
      '春节 01-28..02-04',
      '清明 04-04..04-06',
      '劳动节 05-01..05-05',
      '端午 05-31..06-02',
      '国庆节 10-01..10-05',
      '中秋 10-06',
      '国庆节 10-07..10-08',
    ],
    worked: ['01-26 春节 1', '02-08 春节 2', '04-27 劳动节 1', '09-28 国庆节 2', '10-11 国庆节 3'],
  });
  expect(told(2026)).toEqual({
    off: [
      '元旦 01-01..01-03',
      '春节 02-15..02-23',
      '清明 04-04..04-06',
      '劳动节 05-01..05-05',
      '端午 06-19..06-21',
      '中秋 09-25..09-27',
      '国庆节 10-01..10-07',
    ],
    worked: ['01-04 元旦 5', '02-14 春节 5', '02-28 春节 1', '05-09 劳动节 2', '09-20 国庆节 2', '10-10 国庆节 3'],
  });
  expect([nationalDays(2025).isAnnounced, nationalDays(2026).isAnnounced]).toEqual([true, true]);
});

it('has the days off by law, and no make-up workdays, where no arrangement is known', () => {
  expect(nationalDays(2061).isAnnounced).toBe(false);
  expect(told(2061)).toEqual({
    off: [
      '元旦 01-01',
      '春节 01-20..01-23',
      '清明 04-04',
      '劳动节 05-01..05-02',
      '端午 06-22',
      '中秋 09-28',
      '国庆节 10-01..10-03',
    ],
    worked: [],
  });
});

it('knows a year whose recorded days are the days off by law alone', () => {
  const isByLaw = (year: number, more: { day: string; is_workday: number }[] = []) =>
    isByLawAlone(year, [{ day: `${year}-10-01`, is_workday: 0 }, ...more]);
  const winter = (year: number) => ({ day: `${year}-01-25`, is_workday: 0 });
  const worked = (year: number) => ({ day: `${year}-10-10`, is_workday: 1 });
  expect(isByLawAlone(2061, [])).toBe(false);
  // Further days off of the school say nothing about an arrangement that is not announced.
  expect([isByLaw(2061), isByLaw(2061, [winter(2061)]), isByLaw(2061, [worked(2061)])]).toEqual([true, true, false]);
  expect([isByLaw(2026), isByLaw(2026, [winter(2026)]), isByLaw(2026, [worked(2026)])]).toEqual([true, false, false]);
  expect(isByLaw(2150)).toBe(false);
});

it('has one row for a day of two festivals', () => {
  // Mid-autumn is the second of October.
  expect(told(2058).off.slice(-2)).toEqual(['端午 06-25', '国庆节 10-01..10-03']);
});

it('names no days before the first list and beyond the lunar tables', () => {
  expect([nationalDays(1999).days, nationalDays(2100).days]).toEqual([[], []]);
});

it('is the same in each time zone of the server', () => {
  const script = `
    const { nationalDays } = await import('#server/settings/national-holidays.ts');
    console.log([2025, 2026, 2061].flatMap((year) => nationalDays(year).days.map((one) => Object.values(one).join())).join(';'));`;
  const listed = ['Asia/Shanghai', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
      encoding: 'utf8',
    }),
  );
  expect(listed[0]).toContain('2061-01-21,春节');
  expect(new Set(listed).size).toBe(1);
});
