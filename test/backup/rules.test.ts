import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveName, isDue, isOverdue, lastDue, namesToRemove, parseEvery, parseKeep } from '#server/backup/rules.ts';

const timezone = 'Asia/Shanghai';
const at = (text: string) => Date.parse(`${text}+08:00`) / 1000;

describe('backup schedule', () => {
  const nightly = parseEvery('03:30');

  it("is due at its time of day in the school's zone", () => {
    expect(lastDue(nightly, { now: at('2026-11-23T03:29:59'), timezone })).toBe(at('2026-11-22T03:30:00'));
    expect(lastDue(nightly, { now: at('2026-11-23T03:30:00'), timezone })).toBe(at('2026-11-23T03:30:00'));
    const ended = at('2026-11-22T03:30:20');
    const due = (now: string) => isDue(nightly, { ended, tried: ended, failures: 0 }, { now: at(now), timezone });
    expect(due('2026-11-23T03:29:59')).toBe(false);
    expect(due('2026-11-23T03:30:00')).toBe(true);
    // A run that was missed is made up for.
    expect(due('2026-11-23T09:00:00')).toBe(true);
  });

  it('is due after a number of hours', () => {
    const ended = at('2026-11-23T08:00:00');
    const due = (now: string) =>
      isDue(parseEvery('6'), { ended, tried: ended, failures: 0 }, { now: at(now), timezone });
    expect([due('2026-11-23T13:59:59'), due('2026-11-23T14:00:00')]).toEqual([false, true]);
  });

  it('is due at once without a backup, and with growing delays after failures', () => {
    const now = at('2026-11-23T12:00:00');
    expect(isDue(nightly, { ended: undefined, tried: undefined, failures: 0 }, { now, timezone })).toBe(true);
    for (const [failures, hours] of [
      [1, 1],
      [2, 2],
      [3, 4],
      [4, 8],
      [40, 8],
    ] as const) {
      const due = (seconds: number) =>
        isDue(nightly, { ended: undefined, tried: now - seconds, failures }, { now, timezone });
      expect([due(hours * 3600 - 1), due(hours * 3600)]).toEqual([false, true]);
    }
    const ended = at('2026-11-22T03:30:00');
    expect(isDue(nightly, { ended, tried: now - 60, failures: 1 }, { now, timezone })).toBe(false);
  });

  it('is overdue after hours', () => {
    const ended = at('2026-11-22T03:30:00');
    expect(isOverdue(nightly, ended, at('2026-11-23T06:29:00'))).toBe(false);
    expect(isOverdue(nightly, ended, at('2026-11-23T06:31:00'))).toBe(true);
    expect(isOverdue(parseEvery('1'), ended, at('2026-11-22T07:31:00'))).toBe(true);
    expect(isOverdue(nightly, undefined, at('2026-11-23T06:31:00'))).toBe(false);
  });
});

describe('backup retention', () => {
  const now = Date.parse('2026-11-10T00:00:00Z') / 1000;
  const scheduled = (day: string, time = '03:30:00') =>
    archiveName('scheduled', { at: Date.parse(`${day}T${time}Z`) / 1000, encrypted: false });
  const days = Array.from({ length: 70 }, (_, index) =>
    new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
  );

  it('keeps the last of each day, week and month', () => {
    const names = days.map((day) => scheduled(day));
    const gone = new Set(namesToRemove(names, parseKeep('3,2,2'), now));
    // The tenth of November is a Tuesday: the week before ended on the eighth.
    expect(names.filter((name) => !gone.has(name))).toEqual(
      ['2026-10-31', '2026-11-07', '2026-11-08', '2026-11-09']
        .map((day) => scheduled(day))
        .filter((name) => !gone.has(name)),
    );
    expect(names.filter((name) => !gone.has(name)).map((name) => name.slice(7, 17))).toEqual([
      '2026-10-31',
      '2026-11-07',
      '2026-11-08',
      '2026-11-09',
    ]);
  });

  it("keeps a day's last, and every unscheduled one", () => {
    const early = scheduled('2026-11-09', '01:00:00');
    const late = scheduled('2026-11-09', '07:00:00');
    const manual = archiveName('manual', { at: 0, encrypted: true });
    expect(namesToRemove([early, manual, late, 'school.db', 'school-2026.tar.zst'], parseKeep('7,4,12'), now)).toEqual([
      early,
    ]);
  });

  it('keeps backups dated in the future, which replace no other', () => {
    const names = [scheduled('2030-01-01'), scheduled('2026-11-09'), scheduled('2026-11-08')];
    expect(namesToRemove(names, parseKeep('1,0,0'), now)).toEqual([scheduled('2026-11-08')]);
  });

  it('prefers a verified backup over a later unverified one of the week', () => {
    const [verified, later] = [scheduled('2026-09-21'), scheduled('2026-09-27')];
    expect(namesToRemove([verified, `${verified}.verdict`, later], parseKeep('0,1,1'), now)).toEqual([later]);
    // Archives of a version that wrote no verdicts are kept as before.
    expect(namesToRemove([verified, later], parseKeep('0,1,1'), now)).toEqual([verified]);
  });

  it('never drops a good backup for failed ones, and keeps the newest failure', () => {
    const good = ['2026-11-06', '2026-11-07'].map((day) => scheduled(day));
    const failed = ['2026-11-08', '2026-11-09'].map((day) => `${scheduled(day)}.failed`);
    expect(namesToRemove([...good, ...failed], parseKeep('2,0,0'), now)).toEqual([failed[0]]);
    // Once a good archive follows, the failed one is deleted.
    expect(
      namesToRemove([...good, ...failed, scheduled('2026-11-09', '04:30:00')], parseKeep('3,0,0'), now).sort(),
    ).toEqual(failed);
  });

  it('never removes the only archive', () => {
    const name = fc
      .record({
        day: fc.integer({ min: 0, max: 69 }),
        hour: fc.integer({ min: 0, max: 23 }),
        end: fc.constantFrom('', '.failed'),
        hasVerdict: fc.boolean(),
      })
      .map(({ day, hour, end, hasVerdict }) => ({
        name: scheduled(days[day] as string, `${String(hour).padStart(2, '0')}:00:00`) + end,
        hasVerdict,
      }));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 40, selector: (one) => one.name }), (made) => {
        const names = made.map((one) => one.name);
        const verdicts = made.filter((one) => one.hasVerdict).map((one) => `${one.name}.verdict`);
        const gone = namesToRemove([...names, ...verdicts], parseKeep('2,1,1'), now);
        const left = names.filter((one) => !gone.includes(one));
        expect(left).not.toEqual([]);
        const good = names.filter((one) => !one.endsWith('.failed'));
        if (good.length > 0) expect(left.some((one) => good.includes(one))).toBe(true);
        expect(namesToRemove([...left, ...verdicts], parseKeep('2,1,1'), now)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the last restore points', () => {
    const points = days
      .slice(0, 7)
      .map((day) =>
        archiveName('restore_point', { at: Date.parse(day) / 1000, reason: 'before-0060-backups', encrypted: true }),
      );
    expect(namesToRemove(points, parseKeep('7,4,12'), now).sort()).toEqual(points.slice(0, 2));
  });
});
