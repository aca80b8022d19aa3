/**
 * A school as a former version kept it: `test/db/fixtures/school-5e9d01f.json.gz` holds the tables that the product had at
 * commit 5e9d01f, as SQLite and pg_dump tell them, and rows of the small demo school that this version filled: all of it but
 * four homeworks of five and most of what was watched, which only repeat each other. Nothing of it is made by what is tested.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { resetSequences } from '#server/platform/db/migrate.ts';

interface Former {
  /** Statements that make the tables, and those that hold their rows together: indexes, references, triggers. */
  sqlite: { tables: string[]; rest: string[] };
  postgres: { tables: string[]; rest: string[] };
  /** By table: names of columns, and the values of each, in the order of the rows. */
  rows: Record<string, { columns: string[]; values: unknown[][] }>;
}

/** When it was filled, unix seconds. */
export const formerNow = 1_795_455_777;

const rowsAtOnce = 500;

/** Fills an empty database; answers how many rows each table was given. */
export async function layFormerSchool(database: OpenDatabase): Promise<Map<string, number>> {
  const { db, engine } = database;
  const file = new URL('../db/fixtures/school-5e9d01f.json.gz', import.meta.url);
  const former: Former = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const counts = new Map<string, number>();
  await db.connection().execute(async (connection) => {
    const run = async (statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(connection);
    };
    if (engine === 'sqlite') await sql`pragma foreign_keys = off`.execute(connection);
    await run(former[engine].tables);
    for (const [table, { columns, values }] of Object.entries(former.rows)) {
      const count = values[0]?.length ?? 0;
      counts.set(table, count);
      const names = sql.join(columns.map((column) => sql.ref(column)));
      const at = (row: number) => sql`(${sql.join(values.map((column) => sql.val(column[row])))})`;
      const most = Math.min(rowsAtOnce, Math.floor(30_000 / columns.length));
      for (let from = 0; from < count; from += most) {
        const rows = Array.from({ length: Math.min(most, count - from) }, (_, place) => at(from + place));
        await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(rows)}`.execute(connection);
      }
    }
    await run(former[engine].rest);
    if (engine === 'sqlite') await sql`pragma foreign_keys = on`.execute(connection);
  });
  const numbered = Object.entries(former.rows).filter(
    ([table, { columns }]) => columns.includes('id') && !/^kysely_/.test(table),
  );
  await resetSequences(
    database,
    numbered.map(([table]) => table),
  );
  return counts;
}
