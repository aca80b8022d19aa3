/** When a backup is due, what its file is called, and which ones are kept: facts in, an answer out. */

/** Made by the schedule, by somebody, or before something that changes everything. */
export const backupKinds = ['scheduled', 'manual', 'restore_point'] as const;
export type BackupKind = (typeof backupKinds)[number];

/**
 * `ok`: read again and compared; `unread`: written, but encrypted for a key that is not here; `incomplete`: some files that
 * the database names were not there to be taken; `failed`: there is none.
 */
export const verdicts = ['ok', 'unread', 'incomplete', 'failed'] as const;
export type Verdict = (typeof verdicts)[number];

/** Why one failed; `''` where it did not. */
export const failures = ['', 'disk_full', 'forbidden', 'storage', 'program', 'database', 'damaged', 'other'] as const;
export type Failure = (typeof failures)[number];

/** As BACKUP_EVERY is written: a time of day in minutes, or hours. */
export type Every = { minutes: number } | { hours: number };

export function everyOf(written: string): Every {
  const [hours, minutes] = written.split(':').map(Number) as [number, number | undefined];
  return minutes === undefined ? { hours } : { minutes: hours * 60 + minutes };
}

/** As BACKUP_KEEP is written. */
export interface Keep {
  days: number;
  weeks: number;
  months: number;
}

export function keepOf(written: string): Keep {
  const [days = 7, weeks = 0, months = 0] = written.split(',').map(Number);
  return { days, weeks, months };
}

const hour = 3600;
const day = 24 * hour;

/** Backoff in seconds by failures in a row: one hour, doubled each time, at most eight. */
export const tryAgainAfter = (failures: number): number => hour * 2 ** Math.min(Math.max(0, failures - 1), 3);
/** Seconds that a backup may take, beyond the interval, before it counts as overdue. */
const patience = 3 * hour;

/** Seconds of the day in a zone. */
function secondOfDay(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at * 1000));
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return number('hour') * hour + number('minute') * 60 + number('second');
}

/** Unix seconds at which the latest one should have begun. */
export function lastDue(every: Every, { now, timezone }: { now: number; timezone: string }): number {
  if ('hours' in every) return now - every.hours * hour;
  const since = secondOfDay(now, timezone) - every.minutes * 60;
  return now - (since < 0 ? since + day : since);
}

export interface LastBackups {
  /** When the last one began that came to its end well, and the last one at all; unix seconds. */
  ended: number | undefined;
  tried: number | undefined;
  /** Failures since then. */
  failures: number;
}

/** Whether one is to begin now. The first one begins at once: until then there is none at all. */
export function isDue(every: Every, last: LastBackups, clock: { now: number; timezone: string }): boolean {
  const failedAt = last.tried !== undefined && last.tried > (last.ended ?? 0) ? last.tried : undefined;
  if (failedAt !== undefined && clock.now - failedAt < tryAgainAfter(last.failures)) return false;
  if (last.ended === undefined) return true;
  const due = lastDue(every, clock);
  return 'hours' in every ? last.ended <= due : last.ended < due;
}

/** Whether one has been missing for so long that somebody is to be told. */
export function isOverdue(every: Every, ended: number | undefined, now: number): boolean {
  const between = 'hours' in every ? every.hours * hour : day;
  return ended !== undefined && now - ended > between + patience;
}

/** The time in a name: sorted by name is sorted by time. */
const stamp = (at: number) => new Date(at * 1000).toISOString().slice(0, 19).replaceAll(':', '-');

const stems: Record<BackupKind, string> = { scheduled: 'school', manual: 'backup', restore_point: 'restore-point' };

/** `at` in unix seconds; `reason` of a restore point, such as `before-0002-pinned-notices`. */
export const archiveName = (
  kind: BackupKind,
  { at, reason = '', encrypted }: { at: number; reason?: string; encrypted: boolean },
): string => `${stems[kind]}-${stamp(at)}${reason && `-${reason}`}.tar.zst${encrypted ? '.age' : ''}`;

const nameForm =
  /^(school|restore-point|backup)-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)[\w.-]*\.tar\.zst(?:\.age)?(\.failed)?$/;

/** Suffix of an archive that was not verified yet, by which nothing takes it for a backup. */
export const unverifiedEnd = '.unverified';
/** Suffix of an archive whose verification failed. */
export const failedEnd = '.failed';
/** The file beside an archive that says what came of it: a verdict, and a sentence where there is one. */
export const verdictEnd = '.verdict';

/** Names of archives, the failed ones among them. */
export const isArchiveName = (name: string): boolean => /\.tar\.zst(?:\.age)?(?:\.failed)?$/.test(name);

/** Leftovers of scheduled backups that were ended on the way. Only whoever makes the next one may ask: there is one at a time. */
export const isBrokenOff = (name: string): boolean => /^school-.*\.(?:unverified|part)$/.test(name);

/** Restore points that are kept. */
const restorePointsKept = 5;

/**
 * Chooses the archives in a folder to delete. Kept are the last scheduled archive per day, week and month of `keep`, the
 * last few restore points, and the newest failed archive until a good one follows. Within a day, week or month a verified
 * archive (with a verdict) is preferred; older versions made none. Archives made or put there by hand stay, and so do
 * those dated later than `now` by a wrong clock: counted, they would displace newer ones.
 */
export function namesToRemove(names: readonly string[], keep: Keep, now: number): string[] {
  const latest = stamp(now);
  const ours = names
    .map((name) => ({ name, match: nameForm.exec(name) }))
    .filter((one): one is { name: string; match: RegExpExecArray } => one.match !== null)
    .map((one) => ({
      ...one,
      time: one.match
        .slice(2, 8)
        .join('-')
        .replace(/^(.{10})-/, '$1T'),
    }))
    .filter(({ time }) => time <= latest)
    .sort((one, other) => (one.name < other.name ? 1 : -1));
  const isFailed = ({ match }: (typeof ours)[number]) => match[8] !== undefined;
  const scheduled = ours.filter((one) => one.match[1] === 'school' && !isFailed(one));
  const points = ours.filter((one) => one.match[1] === 'restore-point' && !isFailed(one));
  const made = ours.filter((one) => one.match[1] === 'backup' && !isFailed(one));
  const failed = ours.filter(isFailed).sort((one, other) => (one.time < other.time ? 1 : -1));
  const kept = new Set([...points.slice(0, restorePointsKept), ...made].map(({ name }) => name));
  const [newest] = failed;
  if (newest && ![...scheduled, ...made].some(({ time }) => time > newest.time)) kept.add(newest.name);
  const present = new Set(names);
  const periods: [number, (date: Date) => string][] = [
    [keep.days, (date) => date.toISOString().slice(0, 10)],
    [keep.weeks, mondayOf],
    [keep.months, (date) => date.toISOString().slice(0, 7)],
  ];
  for (const [most, periodOf] of periods) {
    /** By period, the newest first; true where it has a verdict. */
    const best = new Map<string, { name: string; isVerified: boolean }>();
    for (const { name, match } of scheduled) {
      const [, , year, month, date] = match;
      const period = periodOf(new Date(`${year}-${month}-${date}T00:00:00Z`));
      const isVerified = present.has(name + verdictEnd);
      const before = best.get(period);
      if (!before || (isVerified && !before.isVerified)) best.set(period, { name, isVerified });
    }
    for (const { name } of [...best.values()].slice(0, most)) kept.add(name);
  }
  return ours.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}

function mondayOf(date: Date): string {
  const monday = new Date(date);
  monday.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

export const backupMessages = {
  running: '正在备份，请等待完成后再试',
};

/** Why one failed, for the screens. */
export const failureSentences: Record<Exclude<Failure, ''>, string> = {
  disk_full: '磁盘空间不足',
  forbidden: '没有权限写入备份文件夹',
  storage: '附件存储无法读取',
  program: '服务器上缺少数据库的备份程序（pg_dump）',
  database: '数据库无法复制',
  damaged: '备份写完后校验不通过',
  other: '出现意外错误，详情见服务器日志',
};
