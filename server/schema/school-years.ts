/**
 * On PostgreSQL the largest tables are one for each school year, from September to August (schema/migrations/0001-baseline.postgres.sql): of history
 * by its time, of what hangs on periods and on homework by the ids of these, which begin anew with each year. Reports have ids
 * of the year of their homework, on both engines, so that a school can move. The next year's tables are made long before.
 */
import { sql } from 'kysely';
import { type Database, isLockTimeout, isSqlite } from '#server/platform/db/engine.ts';

/** By table whose ids begin anew with each year, the one that is in tables by them. */
const numberedByYear = { period: 'attendance', homework: 'report' };

/** How many ids a year has. */
const idsOfYear = 1_000_000_000;
/** The first id that was ever begun anew with a year: what is below is of one table. */
const firstBegun = 7 * idsOfYear;
/** The tables of the first year begin with all that is older: a clock that is behind makes none before it. */
const firstYear = 2026;

/**
 * Milliseconds for which others wait behind it; who made it wait is asked again later. Below the second after which PostgreSQL
 * looks for a deadlock: where it holds one table and waits for the next, it gives up, and nobody else is ended for it.
 */
const lockPatience = 800;

/** Somebody is at work on the tables for longer than that: the years before it are made. The message is for the screen of jobs. */
export class TablesBusy extends Error {
  /** By its September. */
  readonly year: number;

  constructor(year: number, cause: unknown) {
    super(`${year}学年的数据表正被其他操作占用，暂未建好，将自动重试`, { cause });
    this.year = year;
  }
}

export interface SchoolYears {
  /** The year in which `now` is, by its September. */
  present: number;
  /** Years whose tables were made now. */
  made: number[];
}

/**
 * Makes the tables of the present and of the next school year, or up to `last`, where they are missing, and lets ids begin
 * in the present one. Undefined on SQLite, which has one table for all years. Throws TablesBusy.
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

/** Whether they were missing. */
async function makeYear(transaction: Database, year: number): Promise<boolean | undefined> {
  await sql`set local lock_timeout = ${sql.lit(lockPatience)}`.execute(transaction);
  // Two processes that find it missing make it once.
  await sql`select pg_advisory_xact_lock(${sql.lit(yearLock)})`.execute(transaction);
  const { rows } = await sql<{ made: boolean }>`select add_school_year(${sql.lit(year)}) as made`.execute(transaction);
  return rows[0]?.made;
}

/** Of the year that the id of a period, of homework or of a report is of: the first id, and the first that is not. */
export function yearOfId(id: number): { low: number; high: number } {
  if (id < firstBegun) return { low: 0, high: firstBegun };
  const low = Math.floor(id / idsOfYear) * idsOfYear;
  return { low, high: low + idsOfYear };
}
