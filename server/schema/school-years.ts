/**
 * Partitions by school year (September to August) of the largest tables on PostgreSQL
 * (schema/migrations/0001-baseline.postgres.sql): history by time; attendance and reports by the id of their period or
 * homework. These ids start a new range each year. A report's id is in the range of its homework's year, on both
 * engines, so that a school can be moved between them. Next year's partitions are created long in advance.
 */
import { sql } from 'kysely';
import { type Database, isLockTimeout, isSqlite } from '#server/platform/db/engine.ts';

/** Tables whose ids start a new range each year, and the tables partitioned by those ids. */
const numberedByYear = { period: 'attendance', homework: 'report' };

/** Ids per school year. */
const idsOfYear = 1_000_000_000;
/** First id of a yearly range; lower ids share one partition. */
const firstBegun = 7 * idsOfYear;
/** The first year's partitions also hold older rows, so a clock that is behind creates none before them. */
const firstYear = 2026;

/**
 * Lock timeout in milliseconds, since others queue behind this lock; a failure is retried later. It is below
 * PostgreSQL's deadlock timeout of one second, so that this transaction gives up and no other one is aborted.
 */
const lockPatience = 800;

/**
 * The tables are in use for longer than the lock timeout. Partitions of earlier years were created. The message is
 * shown on the jobs page.
 */
export class TablesBusy extends Error {
  /** The year of its September. */
  readonly year: number;

  constructor(year: number, cause: unknown) {
    super(`${year}学年的数据表正被其他操作占用，暂未建好，将自动重试`, { cause });
    this.year = year;
  }
}

export interface SchoolYears {
  /** School year of `now`, by its September. */
  present: number;
  /** Years whose partitions were created now. */
  made: number[];
}

/**
 * Creates missing partitions of the current and the next school year, or up to `last`, and starts the current year's id
 * range. Returns undefined on SQLite, which has no partitions. Throws TablesBusy.
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

/** Returns true if they were missing. */
async function makeYear(transaction: Database, year: number): Promise<boolean | undefined> {
  await sql`set local lock_timeout = ${sql.lit(lockPatience)}`.execute(transaction);
  // Two processes must not create the same year.
  await sql`select pg_advisory_xact_lock(${sql.lit(yearLock)})`.execute(transaction);
  const { rows } = await sql<{ made: boolean }>`select add_school_year(${sql.lit(year)}) as made`.execute(transaction);
  return rows[0]?.made;
}

/** Id range of the school year of a period, homework or report id: from `low` inclusive to `high` exclusive. */
export function yearOfId(id: number): { low: number; high: number } {
  if (id < firstBegun) return { low: 0, high: firstBegun };
  const low = Math.floor(id / idsOfYear) * idsOfYear;
  return { low, high: low + idsOfYear };
}
