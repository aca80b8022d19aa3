/** Indexes built on large tables during writes. */
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createMissingIndexes } from '#server/platform/db/indexes.ts';
import { runScript } from '#server/platform/db/script.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const byName = { large_name: { table: 'large', on: "(name) where name <> ''" } };

describeEngines('index of a large table', (engine) => {
  let made: TestDatabase | undefined;
  let database: OpenDatabase;
  beforeAll(async () => {
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    database = openDatabase(made?.url ?? ':memory:');
    await runScript(database.db, 'create table large (id $id, name text not null);');
    await add(database.db, 'first');
  });
  afterAll(async () => {
    await database.destroy();
    await made?.drop();
  });
  const add = (db: Pick<Kysely<unknown>, 'getExecutor'>, name: string) =>
    sql`insert into large (name) values (${name})`.execute(db as Kysely<unknown>);

  it('is built once', async () => {
    expect(await createMissingIndexes(database, byName)).toEqual(['large_name']);
    expect(await createMissingIndexes(database, byName)).toEqual([]);
  });

  if (engine === 'SQLite') return;
  const isValid = async (name: string) => {
    const { rows } = await sql<{ indisvalid: boolean }>`
      select indisvalid from pg_index where indexrelid = to_regclass(${name})`.execute(database.db);
    return rows[0]?.indisvalid;
  };

  it('allows writes while it is built', async () => {
    const other = openDatabase(made?.url ?? '');
    try {
      let making: Promise<string[]> | undefined;
      await other.db.transaction().execute(async (transaction) => {
        await add(transaction, 'not finished');
        making = createMissingIndexes(database, { large_beside: { table: 'large', on: '(name, id)' } });
        // Waits for an earlier transaction without blocking others.
        await expect.poll(() => isValid('large_beside')).toBe(false);
        await add(database.db, 'meanwhile');
        // A second process leaves the build to this one.
        await expect(
          createMissingIndexes(other, { large_beside: { table: 'large', on: '(name, id)' } }),
        ).rejects.toThrow('is being made');
      });
      expect(await making).toEqual(['large_beside']);
      expect(await isValid('large_beside')).toBe(true);
    } finally {
      await other.destroy();
    }
  });

  it('is rebuilt after an interruption', async () => {
    await add(database.db, 'twice');
    await add(database.db, 'twice');
    await expect(
      sql`create unique index concurrently large_again on large (name)`.execute(database.db),
    ).rejects.toThrow();
    expect(await isValid('large_again')).toBe(false);
    expect(await createMissingIndexes(database, { large_again: { table: 'large', on: '(name)' } })).toEqual([
      'large_again',
    ]);
    expect(await isValid('large_again')).toBe(true);
  });

  it('covers each partition, also future ones', async () => {
    for (const statement of [
      'create table parted (id integer not null, year integer not null) partition by list (year)',
      'create table parted_2025 partition of parted for values in (2025)',
      'create table parted_2026 partition of parted for values in (2026)',
    ])
      await sql.raw(statement).execute(database.db);
    const wanted = { parted_year: { table: 'parted', on: '(year, id)' } };
    expect(await createMissingIndexes(database, wanted)).toEqual(['parted_year']);
    expect(await createMissingIndexes(database, wanted)).toEqual([]);
    await sql`create table parted_2027 partition of parted for values in (2027)`.execute(database.db);
    const { rows } = await sql<{ tablename: string }>`
      select tablename from pg_indexes where tablename like 'parted%' order by 1`.execute(database.db);
    expect(rows.map(({ tablename }) => tablename)).toEqual(['parted', 'parted_2025', 'parted_2026', 'parted_2027']);
  });
});
