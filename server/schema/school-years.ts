/**
 * Partitions of the largest tables by school year (September to August), on PostgreSQL only
 * (schema/migrations/0001-baseline.postgres.sql). The history is partitioned by time, attendance and reports by the id
 * of their period or homework, and these ids begin a new range each year. On both engines the id of a report is in the
 * range of its homework's year, so that a school can move from one engine to the other. The partitions of the next year
 * are created long in advance.
 */
import { sql } from 'kysely';
import { type Database, isLockTimeout, isSqlite } from '#server/platform/db/engine.ts';

/** Tables whose ids begin a new range each year, and the table that is partitioned by these ids. */
const numberedByYear = { period: 'attendance', homework: 'report' };

/** Number of ids in the range of a school year. */
const idsOfYear = 1_000_000_000;
/** First id of the first yearly range; all lower ids share one partition. */
const firstBegun = 7 * idsOfYear;
/** First year with partitions. They also hold all older rows, so a clock that is slow creates no earlier ones. */
const firstYear = 2026;

/**
 * Milliseconds to wait for the lock, for which other transactions queue; after a timeout the job tries again later.
 * Shorter than PostgreSQL's deadlock timeout of one second, so that this transaction gives up and no other one is
 * aborted.
 */
const lockTimeout = 800;

/**
 * Says that the tables were in use for longer than the lock timeout. Partitions of earlier years were created. The
 * message appears on the page of jobs.
 */
export class TablesBusy extends Error {
  /** School year, named by the year of its September. */
  readonly year: number;

  constructor(year: number, cause: unknown) {
    super(`${year}学年的数据表正被其他操作占用，暂未建好，将自动重试`, { cause });
    this.year = year;
  }
}

export interface SchoolYears {
  /** The school year of `now`, named by the year of its September. */
  present: number;
  /** School years whose partitions were created by this call. */
  made: number[];
}

/**
 * Creates missing partitions of the current and the next school year, or up to `last`, and begins the id range of the
 * current year. Undefined on SQLite, which has no partitions. Throws TablesBusy.
 */
export async function makeSchoolYears(db: Database, now: number, last?: number): Promise<SchoolYears | undefined> {
  if (isSqlite(db)) return undefined;
  const present = (await sql<{ year: number }>`select school_year_of(${now}) as year`.execute(db)).rows[0]?.year ?? 0;
  const made: number[] = [];
  for (let year = Math.max(present, firstYear); year <= Math.max(last ?? 0, present + 1); year += 1) {
    const isMade = await db
      .transaction()
      .execute((transaction) => makeYear(transaction, year))
      .catch((error: unknown) => {
        throw isLockTimeout(error) ? new TablesBusy(year, error) : error;
      });
    if (isMade) made.push(year);
  }
  for (const [named, whole] of Object.entries(numberedByYear))
    await sql`select begin_ids_of_year(${named}, ${whole}, ${sql.lit(present)})`.execute(db);
  return { present, made };
}

const yearLock = 4_170_612;

/** Creates the partitions of one year; returns true if they were missing. */
async function makeYear(transaction: Database, year: number): Promise<boolean | undefined> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction);
  // The lock keeps two processes from creating the same year.
  await sql`select pg_advisory_xact_lock(${sql.lit(yearLock)})`.execute(transaction);
  const { rows } = await sql<{ made: boolean }>`select add_school_year(${sql.lit(year)}) as made`.execute(transaction);
  return rows[0]?.made;
}

/**
 * Range of ids to which the id of a period, homework or report belongs: from `low` (inclusive) to `high` (exclusive).
 */
export function yearOfId(id: number): { low: number; high: number } {
  if (id < firstBegun) return { low: 0, high: firstBegun };
  const low = Math.floor(id / idsOfYear) * idsOfYear;
  return { low, high: low + idsOfYear };
}
