/** SQLite statements are prepared once, since preparing takes longer than running. */
import sqlite, { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';
import { migrate } from '#server/schema/migrate.ts';

interface Papers {
  paper: { id: number; status: number; note: string };
}

const script = `
  create table paper (id $id, status integer not null, note text not null);
  create index paper_waiting on paper (id) where status = 2;
  create index paper_noted on paper (note) where note <> '';
  insert into paper (id, status, note) values (1, 2, ''), (2, 2, 'seen'), (3, 1, 'seen'), (4, 2, '');
`;

let database: OpenDatabase;
/** Calls of SQLite's authorizer while preparing. */
let prepared = 0;
beforeAll(async () => {
  const preparing = vi.spyOn(DatabaseSync.prototype, 'prepare');
  database = openDatabase(':memory:');
  await runScript(database.db, script);
  const connection = preparing.mock.contexts[0] as unknown as DatabaseSync;
  preparing.mockRestore();
  connection.setAuthorizer(() => {
    prepared += 1;
    return sqlite.constants.SQLITE_OK;
  });
});
afterAll(() => database.destroy());

const papers = () => (database.db as unknown as Kysely<Papers>).selectFrom('paper').select('id');

/** Rows with these values, and true if a statement was prepared. */
async function ask(query: CompiledQuery<{ id: number }>, parameters: readonly unknown[]) {
  prepared = 0;
  const { rows } = await database.db.executeQuery<{ id: number }>({ ...query, parameters });
  return { ids: rows.map(({ id }) => id), isPrepared: prepared > 0 };
}

async function planOf({ sql, parameters }: CompiledQuery): Promise<string> {
  const planned = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
  const { rows } = await database.db.executeQuery<{ detail: string }>(planned);
  return rows.map(({ detail }) => detail).join('\n');
}

it('list pages share one prepared statement', async () => {
  const page = papers().orderBy('id').limit(2).offset(0).compile();
  expect(await ask(page, [2, 0])).toEqual({ ids: [1, 2], isPrepared: true });
  expect(await ask(page, [2, 2])).toEqual({ ids: [3, 4], isPrepared: false });
  expect(await ask(page, [3, 1])).toEqual({ ids: [2, 3, 4], isPrepared: false });
});

it('a partial index of waiting rows is used by the prepared statement', async () => {
  const waiting = papers().where('status', '=', 2).where('id', '>', 0).compile();
  expect(await ask(waiting, [0])).toEqual({ ids: [1, 2, 4], isPrepared: true });
  expect(await ask(waiting, [1])).toEqual({ ids: [2, 4], isPrepared: false });
  expect(await planOf(waiting)).toContain('paper_waiting');
});

it('a partial index without empty values is used by the prepared statement', async () => {
  const noted = papers().where('note', '<>', '').where('note', '=', 'seen').orderBy('id').compile();
  expect(await ask(noted, ['seen'])).toEqual({ ids: [2, 3], isPrepared: true });
  expect(await ask(noted, ['unseen'])).toEqual({ ids: [], isPrepared: false });
  expect(await planOf(noted)).toContain('paper_noted');
});

it("a search by number uses the school's index", async () => {
  const school = openDatabase(':memory:');
  await migrate(school);
  const { rows } = await school.db.executeQuery<{ sql: string }>(
    CompiledQuery.raw(`select sql from sqlite_master where type = 'index' and sql like '%where%'`),
  );
  const compared = rows.flatMap(({ sql }) => [...(sql.split(/\bwhere\b/)[1] ?? '').matchAll(/(\w+) = (\d+)/g)]);
  const columns = [...new Set(compared.map(([, column]) => column as string))];
  expect(columns).toEqual(expect.arrayContaining(['status', 'test_status', 'op_status']));
  for (const column of columns) {
    const { sql } = (school.db as unknown as Kysely<Record<string, Record<string, number>>>)
      .selectFrom('some')
      .where(column, '=', 2)
      .select(column)
      .compile();
    expect(sql).toBe(`select "${column}" from "some" where "${column}" = 2`);
  }
  await school.destroy();
});
