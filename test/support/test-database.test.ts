import { Client } from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { createDatabase, type Template } from './test-database.ts';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(!inject('postgres'))('test database on PostgreSQL', () => {
  test('shares no rows with another test database', async () => {
    const mine = await createDatabase();
    const yours = await createDatabase();
    if (!mine || !yours) throw new Error('no database');
    await ask(mine.url, 'create table homework (id int)');
    expect(await ask(yours.url, "select to_regclass('homework') as found")).toEqual([{ found: null }]);
    await Promise.all([mine.drop(), yours.drop()]);
    await expect(ask(mine.url, 'select 1')).rejects.toThrow('does not exist');
  });

  test('starts as a copy of its template, which is filled once', async () => {
    let fillings = 0;
    const template: Template = {
      name: 'two_rows',
      async fill(url) {
        fillings += 1;
        await ask(url, 'create table homework as select generate_series(1, 2) as id');
      },
    };
    const databases = await Promise.all([1, 2, 3].map(() => createDatabase(template)));
    expect(fillings).toBe(1);
    for (const database of databases) {
      if (!database) throw new Error('no database');
      expect(await ask(database.url, 'delete from homework returning id')).toEqual([{ id: 1 }, { id: 2 }]);
      await database.drop();
    }
  });
});
