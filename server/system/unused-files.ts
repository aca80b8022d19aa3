/**
 * Deletes unused uploads: files that no row of any table names. The uploads of each month are checked once, 31 days
 * after the month's end: browsers keep drafts of forms for 30 days, and the files of a draft may be named nowhere else.
 *
 * Two more sweeps: courseware/file.ts deletes courseware files without reference after a day; platform/files/storage.ts
 * deletes staged files that a crash left.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { keyPattern } from '#server/platform/files/storage-key.ts';
import { tableOwners } from '#server/schema/table-owners.ts';
import { lastSweptMonth, storeSweptMonth } from '#server/school/settings.ts';

/** Seconds between the end of an upload's month and the check. */
const heldFor = 31 * 24 * 60 * 60;
/** Maximum rows of one read on SQLite; no request is answered during a read. */
const batch = 5_000;
/** Milliseconds between two reads on SQLite. */
const rest = 20;

const keys = new RegExp(keyPattern, 'g');

/** Checks the next month that is due; returns the number of deleted files. `now` in unix seconds. */
export async function removeUnusedFiles(
  { db, storage }: { db: Database; storage: Pick<Storage, 'list' | 'delete'> },
  now: number,
): Promise<number> {
  const last = monthBefore(now - heldFor);
  const swept = await lastSweptMonth(db);
  if (last <= swept) return 0;
  let month: string | undefined;
  const unused = new Set<string>();
  for await (const { key } of storage.list()) {
    const of = monthOf(key);
    if (of <= swept || of > (month ?? last)) continue;
    if (of !== month) unused.clear();
    month = of;
    unused.add(key);
  }
  for (const table of unused.size > 0 ? Object.keys(tableOwners) : []) {
    for await (const text of isSqlite(db) ? textsOfSqlite(db, table, `${month}/`) : textsOf(db, table, `${month}/`))
      for (const [key] of text.matchAll(keys)) unused.delete(key);
  }
  for (const key of unused) await storage.delete(key);
  await storeSweptMonth(db, month ?? last);
  return unused.size;
}

const monthOf = (key: string): string => key.slice(0, 'yyyy/mm'.length);

/** Returns the last month that had ended at a time (unix seconds). Months are in UTC, as in the keys of files. */
function monthBefore(at: number): string {
  const date = new Date(at * 1_000);
  date.setUTCDate(0);
  return date.toISOString().slice(0, 'yyyy-mm'.length).replace('-', '/');
}

/** Yields the storage keys in those rows that contain `sought`. PostgreSQL converts each row to one text. */
async function* textsOf(db: Database, table: string, sought: string): AsyncGenerator<string> {
  const { rows } = await sql<{ found: string }>`
    select distinct (regexp_matches(whole::text, ${keyPattern}, 'g'))[1] as found
    from ${sql.table(table)} as whole where strpos(whole::text, ${sought}) > 0`.execute(db);
  for (const { found } of rows) yield found;
}

async function* textsOfSqlite(db: Database, table: string, sought: string): AsyncGenerator<string> {
  const columns = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where type like '%text%' or type = ''`.execute(db);
  if (columns.rows.length === 0) return;
  const whole = sql.join(
    columns.rows.map(({ name }) => sql`coalesce(${sql.ref(name)}, '')`),
    sql` || ' ' || `,
  );
  const ends = await sql<{ last: number | null }>`select max(rowid) as last from ${sql.table(table)}`.execute(db);
  const last = ends.rows[0]?.last ?? 0;
  for (let from = 0; from < last; from += batch) {
    const { rows } = await sql<{ found: string }>`
      select ${whole} as found from ${sql.table(table)}
      where rowid > ${from} and rowid <= ${from + batch} and instr(${whole}, ${sought}) > 0`.execute(db);
    for (const { found } of rows) yield found;
    await pause(rest);
  }
}
