/**
 * Makes scheduled backups in BACKUP_DIR. One server process at a time makes them, under a lease, in a child process, so
 * that pages stay fast and the memory is freed afterwards. Results are recorded in the database.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { acquireJob, releaseJob } from '#server/platform/background/work.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Services } from '#server/school/context.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { isBackupRecorded, lastBackups, recordBackup } from './records.ts';
import { isDue, parseEvery } from './rules.ts';

type ScheduleServices = Pick<Services, 'database' | 'now' | 'log'>;

/**
 * Milliseconds between two checks whether a backup is due, and between two renewals of the lease; the lease itself in
 * seconds.
 */
const lookEvery = 60_000;
const renewEvery = 30_000;
const leaseFor = 120;

const load = new URL('../platform/configuration/load.mjs', import.meta.url);
const command = fileURLToPath(new URL('./command.ts', import.meta.url));

/** Name of the lease under which every backup runs, scheduled or by hand. */
export const backupJob = 'backup';

/**
 * Runs a subcommand of the backup command in a child process and passes that process to `begun`. Rejects if it could
 * not be started.
 */
function runBackupProcess(
  word: 'scheduled' | 'make',
  begun: (child: ChildProcess) => void,
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=256', `--import=${load}`, command, word], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    begun(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said: said.trim() }));
    // The child process gets a low CPU priority, so that requests run first.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  });
}

export interface Schedule {
  /** Makes a backup if one is due and no other process makes it; returns whether it did. */
  look(): Promise<boolean>;
  /** Makes a backup now unless another process does; returns whether it did. */
  make(word: 'scheduled' | 'make', isWanted?: () => Promise<boolean>): Promise<boolean>;
  stop(): Promise<void>;
}

export function createSchedule({ database: { db }, now, log }: ScheduleServices, run = runBackupProcess): Schedule {
  const holder = randomUUID();
  const hold = () => acquireJob(db, backupJob, { holder, now: now(), seconds: leaseFor });
  let child: ChildProcess | undefined;
  let working: Promise<boolean> | undefined;
  let stopped = false;

  async function make(word: 'scheduled' | 'make', isWanted = async () => true): Promise<boolean> {
    if (stopped || !(await hold())) return false;
    const renewing = setInterval(() => void hold().catch(() => false), renewEvery).unref();
    try {
      if (stopped || !(await isWanted())) return false;
      const began = now();
      const { code, said } = await run(word, (begun) => {
        child = begun;
      });
      if (code === 0) log.info('a backup was made');
      else if (!stopped) {
        log.error({ code, said }, 'a backup failed');
        await noteFailure(word === 'make' ? 'manual' : 'scheduled', began, said || `It ended with ${code}.`);
      }
      return true;
    } finally {
      child = undefined;
      clearInterval(renewing);
      await releaseJob(db, backupJob, holder).catch(() => undefined);
    }
  }

  /**
   * Records the failure of a child process that was killed or crashed before it could record it. Without a record,
   * every check would try again at once.
   */
  async function noteFailure(kind: 'manual' | 'scheduled', began: number, message: string): Promise<void> {
    if (await isBackupRecorded(db, kind, began)) return;
    await recordBackup(db, {
      kind,
      file: '',
      bytes: 0,
      files: 0,
      verdict: 'failed',
      reason: 'other',
      missing: 0,
      message,
      started_at: began,
      ended_at: now(),
    });
  }

  async function lookOnce(): Promise<boolean> {
    const { timezone } = await schoolSettings(db, now());
    const every = parseEvery(setting('BACKUP_EVERY'));
    const due = async () => isDue(every, await lastBackups(db, now()), { now: now(), timezone });
    // Checks again under the lease that a backup is due: another process may have just made one.
    return (await due()) && make('scheduled', due);
  }

  return {
    look() {
      working ??= lookOnce().finally(() => {
        working = undefined;
      });
      return working;
    },
    make,
    async stop() {
      stopped = true;
      child?.kill('SIGTERM');
      await working?.catch(() => false);
    },
  };
}

/** Checks every minute. Returns a function that stops this, together with a running backup. */
export function startBackups(services: ScheduleServices): () => Promise<void> {
  if (setting('BACKUP_DIR') === '') return async () => {};
  const schedule = createSchedule(services);
  const look = () => schedule.look().catch((error: unknown) => services.log.warn({ err: error }, 'no backup was made'));
  const timer = withoutDeadline(() => setInterval(() => void look(), lookEvery).unref());
  const first = withoutDeadline(() => setTimeout(() => void look(), 5_000).unref());
  return async () => {
    clearInterval(timer);
    clearTimeout(first);
    await schedule.stop();
  };
}
