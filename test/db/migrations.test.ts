/** A migration that fails, or after which something is missing, has not happened; nor have those before it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { type Migrations, runMigrations, schemaState } from '#server/platform/db/migrate.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const first: Migrations = { '0001-first': 'create table first (id $id, name text not null) $strict;' };
const second: Migrations = {
  ...first,
  '0002-second': "create table second (id $id) $strict;\ninsert into first (name) values ('by the second');",
};

describeEngines('migrations', (engine) => {
  let made: TestDatabase | undefined;
  let database: OpenDatabase;
  beforeAll(async () => {
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    database = openDatabase(made?.url ?? ':memory:');
  });
  afterAll(async () => {
    await database.destroy();
    await made?.drop();
  });
  const names = async () =>
    (await sql<{ name: string }>`select name from first order by id`.execute(database.db)).rows.map(({ name }) => name);

  it('that fail, or leave something missing, leave all as it was', async () => {
    await runMigrations(database, first);
    await sql`insert into first (name) values ('before')`.execute(database.db);

    const failing = {
      ...second,
      '0003-third': 'create table third (id $id) $strict;\ninsert into nowhere values (1);',
    };
    await expect(runMigrations(database, failing)).rejects.toThrow('nowhere');
    const missing = async () => {
      throw new Error('something is missing');
    };
    await expect(runMigrations(database, second, { check: missing })).rejects.toThrow('something is missing');
    expect(await names()).toEqual(['before']);
    expect(await schemaState(database, second)).toEqual({ done: ['0001-first'], toDo: ['0002-second'], unknown: [] });

    await runMigrations(database, second, { check: async () => undefined });
    expect(await names()).toEqual(['before', 'by the second']);
    expect(await schemaState(database, first)).toMatchObject({ toDo: [], unknown: ['0002-second'] });
    // Where nothing is to be done, nothing is looked at.
    await runMigrations(database, second, { check: missing });
  });
});
