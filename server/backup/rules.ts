/** Pure rules of backups: schedule, file names, verdicts, retention. */

/** Why a backup was made: by the schedule, by hand, or as a restore point before a migration or restore. */
export const backupKinds = ['scheduled', 'manual', 'restore_point'] as const;
export type BackupKind = (typeof backupKinds)[number];

/**
 * Result of a backup. `ok`: verified; `unread`: written, but this server lacks the key to verify it; `incomplete`: the
 * storage lacked files that the database names; `failed`: no backup.
 */
export const backupResults = ['ok', 'unread', 'incomplete', 'failed'] as const;
export type BackupResult = (typeof backupResults)[number];

/** Kind of failure; '' for none. */
export const backupFailures = [
  '',
  'disk_full',
  'forbidden',
  'storage',
  'program',
  'database',
  'damaged',
  'other',
] as const;
export type BackupFailure = (typeof backupFailures)[number];

/** BACKUP_EVERY, parsed: a daily time in minutes after midnight, or an interval in hours. */
export type BackupInterval = { minutes: number } | { hours: number };

export function parseEvery(written: string): BackupInterval {
  const [hours, minutes] = written.split(':').map(Number) as [number, number | undefined];
  return minutes === undefined ? { hours } : { minutes: hours * 60 + minutes };
}

/** BACKUP_KEEP, parsed: how many daily, weekly and monthly archives are kept. */
export interface BackupRetention {
  days: number;
  weeks: number;
  months: number;
}

export function parseKeep(written: string): BackupRetention {
  const [days = 7, weeks = 0, months = 0] = written.split(',').map(Number);
  return { days, weeks, months };
}

const hour = 3600;
const day = 24 * hour;

/** Seconds to wait after `failures` failures in a row: one hour, doubled each time, at most eight. */
export const tryAgainAfter = (failures: number): number => hour * 2 ** Math.min(Math.max(0, failures - 1), 3);
/** A backup counts as overdue this many seconds after it was due. */
const patience = 3 * hour;

/** Seconds since midnight in a time zone. */
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

/** Unix seconds at which the latest backup was due. */
export function lastDue(every: BackupInterval, { now, timezone }: { now: number; timezone: string }): number {
  if ('hours' in every) return now - every.hours * hour;
  const since = secondOfDay(now, timezone) - every.minutes * 60;
  return now - (since < 0 ? since + day : since);
}

export interface LastBackups {
  /** When the last successful backup began, and when the last attempt began; unix seconds. */
  ended: number | undefined;
  tried: number | undefined;
  /** Failures in a row since the last success. */
  failures: number;
}

/** True if a backup should start now. A school without any backup gets one at once. */
export function isDue(every: BackupInterval, last: LastBackups, clock: { now: number; timezone: string }): boolean {
  const failedAt = last.tried !== undefined && last.tried > (last.ended ?? 0) ? last.tried : undefined;
  if (failedAt !== undefined && clock.now - failedAt < tryAgainAfter(last.failures)) return false;
  if (last.ended === undefined) return true;
  const due = lastDue(every, clock);
  return 'hours' in every ? last.ended <= due : last.ended < due;
}

/** True if backups have failed or been missing for so long that administrators must be told. */
export function isOverdue(every: BackupInterval, ended: number | undefined, now: number): boolean {
  const between = 'hours' in every ? every.hours * hour : day;
  return ended !== undefined && now - ended > between + patience;
}

/** Time as part of a file name, in a form whose alphabetical order is the order of time. */
const stamp = (at: number) => new Date(at * 1000).toISOString().slice(0, 19).replaceAll(':', '-');

const stems: Record<BackupKind, string> = { scheduled: 'school', manual: 'backup', restore_point: 'restore-point' };

/** `at`: unix seconds. `reason`: only of a restore point, such as `before-0010-pinned-notices`. */
export const archiveName = (
  kind: BackupKind,
  { at, reason = '', encrypted }: { at: number; reason?: string; encrypted: boolean },
): string => `${stems[kind]}-${stamp(at)}${reason && `-${reason}`}.tar.zst${encrypted ? '.age' : ''}`;

const nameForm =
  /^(school|restore-point|backup)-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)[\w.-]*\.tar\.zst(?:\.age)?(\.failed)?$/;

/** Ending of an archive that is not verified yet, so that nobody takes it for a backup. */
export const unverifiedSuffix = '.unverified';
/** Ending of an archive whose verification failed. */
export const failedSuffix = '.failed';
/** Ending of the file beside an archive that holds its verdict and a sentence. */
export const verdictSuffix = '.verdict';

/** True for names of archives, including failed ones. */
export const isArchiveName = (name: string): boolean => /\.tar\.zst(?:\.age)?(?:\.failed)?$/.test(name);

/**
 * True for leftovers of an interrupted scheduled backup. Only valid while holding the backup lease: without it, the
 * file may belong to a backup that is running.
 */
export const isInterruptedName = (name: string): boolean => /^school-.*\.(?:unverified|part)$/.test(name);

/** Number of restore points kept; older ones are deleted. */
const restorePointsKept = 5;

/**
 * Chooses archives to delete. Keeps the last scheduled archive of each day, week and month as `keep` says. Within such
 * a period it prefers a verified one (with a verdict file; older versions wrote none). It also keeps the last few
 * restore points, the newest failed archive until a good one follows, archives made or placed there by hand, and
 * archives dated in the future by a wrong clock.
 */
export function namesToRemove(names: readonly string[], keep: BackupRetention, now: number): string[] {
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
    /** The archive to keep for each period. */
    const best = new Map<string, { name: string; isVerified: boolean }>();
    for (const { name, match } of scheduled) {
      const [, , year, month, date] = match;
      const period = periodOf(new Date(`${year}-${month}-${date}T00:00:00Z`));
      const isVerified = present.has(name + verdictSuffix);
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

/** Messages of failures, shown on screens. */
export const failureSentences: Record<Exclude<BackupFailure, ''>, string> = {
  disk_full: '磁盘空间不足',
  forbidden: '没有权限写入备份文件夹',
  storage: '附件存储无法读取',
  program: '服务器上缺少数据库的备份程序（pg_dump）',
  database: '数据库无法复制',
  damaged: '备份写完后校验不通过',
  other: '出现意外错误，详情见服务器日志',
};
