import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { DatabaseAway, withRequestDeadline } from '#server/platform/db/deadline.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

describe('group commit', () => {
  let database: OpenDatabase;
  beforeAll(() => {
    database = openDatabase(':memory:');
  });
  afterAll(() => database.destroy());

  /** Records which items share a batch; ends each batch on command. */
  function recorded(most: number, fault: (items: readonly number[]) => Error | undefined = () => undefined) {
    const groups: (readonly number[])[] = [];
    const ends: (() => void)[] = [];
    const write = groupCommit(most, async (_db: Database, items: readonly number[]) => {
      groups.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      const error = fault(items);
      if (error) throw error;
      return items.map((item) => item * 10);
    });
    const endAll = async (all: Promise<unknown>) => {
      let done = false;
      const settled = all.finally(() => {
        done = true;
      });
      while (!done) {
        ends.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return settled;
    };
    return {
      groups,
      endAll,
      write: (lane: number, item: number, wait = 0) => write(database.db, lane, item, { wait }),
    };
  }

  it('batches arrivals during a write, each with its own result', async () => {
    const { groups, endAll, write } = recorded(3);
    const all = Promise.all([1, 2, 3, 4, 5, 6].map((item) => write(7, item)));
    expect(await endAll(all)).toEqual([10, 20, 30, 40, 50, 60]);
    // A batch has at most three items.
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const later = write(7, 8);
    expect(await endAll(later)).toBe(80);
  });

  it('never waits for another queue', async () => {
    const { groups, endAll, write } = recorded(3);
    await endAll(Promise.all([write(1, 1), write(2, 2), write(1, 3)]));
    expect(groups).toEqual([[1, 3], [2]]);
  });

  it('waits for company until an urgent item comes or the batch is full', async () => {
    const { groups, endAll, write } = recorded(3);
    const forEver = 600_000;
    const patient = [write(7, 1, forEver), write(7, 2, forEver)];
    // Waits past the event loop turn in which the writes arrived.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(groups).toEqual([]);
    await endAll(Promise.all([...patient, write(7, 3)]));
    await endAll(Promise.all([write(7, 4, forEver), write(7, 5, forEver), write(7, 6, forEver)]));
    await endAll(write(7, 7, 30));
    expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('retries items one by one after a failed batch', async () => {
    const { groups, endAll, write } = recorded(5, (items) => (items.includes(3) ? new Error('third') : undefined));
    const all = Promise.allSettled([1, 2, 3, 4].map((item) => write(7, item)));
    const outcomes = (await endAll(all)) as PromiseSettledResult<number>[];
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      10,
      20,
      'third',
      40,
    ]);
    expect(groups).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
  });

  it('does not retry an unreachable database', async () => {
    const { groups, endAll, write } = recorded(2, () => new DatabaseAway('gone'));
    const all = Promise.allSettled([1, 2, 3, 4].map((item) => write(7, item)));
    const outcomes = (await endAll(all)) as PromiseSettledResult<number>[];
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(groups).toEqual([[1, 2]]);
  });
});

describe.runIf(inject('postgres'))('prepared statement of PostgreSQL', () => {
  let empty: TestDatabase | undefined;
  let database: OpenDatabase;
  beforeEach(async () => {
    empty = await createDatabase();
    database = openDatabase(empty?.url ?? '');
  });
  afterEach(async () => {
    await database.destroy();
    await empty?.drop();
  });

  /** One after the other over the same connection, like requests. */
  const preparedNames = () =>
    withRequestDeadline(async () => {
      const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(database.db);
      return rows.length;
    });

  it('serves requests, and is skipped behind a pooler that does not support it', async () => {
    const { db } = database;
    const asked = prepared((on, { number }: Placeholders<{ number: number }>) =>
      on.selectNoFrom(sql<number>`cast(${number} as integer)`.as('number')),
    );
    expect(await asked(db, { number: 2 })).toEqual([{ number: 2 }]);
    expect(await preparedNames()).toBe(0);
    expect(await withRequestDeadline(() => asked(db, { number: 3 }))).toEqual([{ number: 3 }]);
    expect(await preparedNames()).toBe(1);
    await withRequestDeadline(() => sql`deallocate all`.execute(db));
    await expect(withRequestDeadline(() => asked(db, { number: 4 }))).rejects.toBeInstanceOf(DatabaseAway);
    expect(await withRequestDeadline(() => asked(db, { number: 5 }))).toEqual([{ number: 5 }]);
    expect(await preparedNames()).toBe(0);
  });

  it('is prepared again after an upgrade in another process adds a column', async () => {
    const { db } = database;
    await sql`create table school (id integer)`.execute(db);
    await sql`insert into school values (1)`.execute(db);
    const asked = prepared((on, { id }: Placeholders<{ id: number }>) =>
      on.selectFrom('school').selectAll().where('id', '=', id),
    );
    const ask = () => withRequestDeadline(() => asked(db, { id: 1 }));
    expect(await ask()).toEqual([{ id: 1 }]);
    await sql`alter table school add column name text not null default '一中'`.execute(db);
    expect(await ask()).toEqual([{ id: 1, name: '一中' }]);
    expect(await ask()).toEqual([{ id: 1, name: '一中' }]);
    expect(await preparedNames()).toBe(1);

    await sql`alter table school add column city text not null default ''`.execute(db);
    const changing = () => withRequestDeadline(() => db.transaction().execute((trx) => asked(trx, { id: 1 })));
    // The transaction was rolled back, so a retry is safe.
    await expect(changing()).rejects.toBeInstanceOf(DatabaseAway);
    expect(await changing()).toEqual([{ id: 1, name: '一中', city: '' }]);
  });
});
