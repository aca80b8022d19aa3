/** A failed or incomplete migration is rolled back with those before it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrationsIn, runMigrations, schemaState } from '#server/platform/db/migrate.ts';
import { runScript } from '#server/platform/db/script.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const create = (table: string) =>
  `db.schema.createTable('${table}').addColumn('name', 'text', (column) => column.notNull()).execute()`;
const insert = (table: string) => `db.insertInto('${table}').values({ name: 'by ${table}' }).execute()`;

describeEngines('migrations', (engine) => {
  let folder: string;
  let made: TestDatabase | undefined;
  let database: OpenDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    database = openDatabase(made?.url ?? ':memory:');
  });
  afterAll(async () => {
    await database.destroy();
    await made?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const add = (name: string, ...steps: string[]) =>
    writeFile(
      path.join(folder, `${name}.ts`),
      `export async function up(db) {\n${steps.map((step) => `await ${step};\n`).join('')}}`,
    );
  const remove = (name: string) => rm(path.join(folder, `${name}.ts`));
  const state = () => schemaState(database.db, migrationsIn(folder));
  const names = async () =>
    (await sql<{ name: string }>`select name from first order by name`.execute(database.db)).rows.map(
      ({ name }) => name,
    );

  it('roll back everything on failure or incompleteness', async () => {
    await add('0001-first', create('first'));
    expect(await state()).toEqual({ done: [], at: 0, toDo: ['0001-first'], unknown: [] });
    await runMigrations(database, folder);
    await sql`insert into first (name) values ('before')`.execute(database.db);

    await add('0002-second', create('second'), insert('first'));
    await add('0003-third', create('third'), insert('nowhere'));
    await expect(runMigrations(database, folder)).rejects.toThrow('nowhere');
    await remove('0003-third');
    const missing = async () => {
      throw new Error('something is missing');
    };
    await expect(runMigrations(database, folder, missing)).rejects.toThrow('something is missing');
    expect(await names()).toEqual(['before']);
    expect(await state()).toMatchObject({ done: ['0001-first'], toDo: ['0002-second'], unknown: [] });

    await runMigrations(database, folder, async () => undefined);
    expect(await names()).toEqual(['before', 'by first']);
    expect((await state()).at).toBeGreaterThan(1_700_000_000);
    // Without pending migrations nothing is checked.
    await runMigrations(database, folder, missing);
    await remove('0002-second');
    expect(await state()).toMatchObject({ toDo: [], unknown: ['0002-second'] });
  });

  it("as scripts use their engine's SQL", async () => {
    await runScript(
      database.db,
      `
      -- Which engine runs it.
      create table engine (
        id $id_once,
        at bigint not null,
        name text not null default 'SQLite' --sqlite
        name text not null default 'PostgreSQL' --postgres
      );
      insert into engine (at) values (3000000000); -- more than 32 bits
      `,
    );
    const { rows } = await sql<{ id: number; at: number; name: string }>`select * from engine`.execute(database.db);
    expect(rows).toEqual([{ id: 1, at: 3_000_000_000, name: engine }]);
    const wrong = sql`insert into engine (at) values ('never')`.execute(database.db);
    await expect(wrong).rejects.toThrow(engine === 'SQLite' ? 'cannot store TEXT value in INTEGER column' : 'bigint');
  });
});
