/** SQLite with a locked file or full disk: readers do not wait, and nothing is partial. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { type Answer, noon, openTestSchool, outcomeOf, type TestSchool } from '../support/school.ts';
import { lockSqlite } from '../support/sqlite-locker.ts';

/** Milliseconds beyond every lock timeout. */
const beyondTimeouts = 3_000;

const sentence = '服务暂时不可用，请稍后再试';

let folder: string;
let file: string;
let school: TestSchool;
let locker: Awaited<ReturnType<typeof lockSqlite>> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'locked-'));
  file = path.join(folder, 'school.db');
  school = await openTestSchool('SQLite', file);
  await school.database.db
    .updateTable('staff')
    .set({ password_hash: await hashPassword('Teach2026') })
    .where('username', '=', 'teacher')
    .execute();
  await school.database.db
    .insertInto('class_staff')
    .values({ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' })
    .execute();
});
afterEach(() => unlock());
afterAll(async () => {
  await school.close();
  await rm(folder, { recursive: true, force: true });
});

async function lock(): Promise<void> {
  locker = await lockSqlite(file);
}

async function unlock(): Promise<void> {
  await locker?.release();
  locker = undefined;
}

const readList = () => school.as('teacher').get('hw/index');
let notices = 0;
const write = () => {
  notices += 1;
  const notice = { class_id: school.classes.k1, title: `公告${notices}`, content: '<p>内容</p>' };
  return school.as('teacher').post('announcement', notice);
};
/** A single-statement write. */
const signIn = () =>
  school.ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'teacher', password: 'Teach2026' }),
  });
const noticesKept = async () => {
  const { count } = await school.database.db
    .selectFrom('class_notice')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

async function timeWork<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

describe('SQLite locked by another process', () => {
  it('serves reads while writes wait, then completes the writes', async () => {
    const before = await noticesKept();
    // Ten minutes later each read would record the token's use.
    school.setNow(noon + 600);
    await lock();
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const writes = [write(), write(), signIn()];
    for (let round = 0; round < 10; round += 1) {
      const reading = await timeWork(readList);
      const health = await timeWork(() => school.ask('/healthz'));
      expect([reading.result.status, health.result.status]).toEqual([200, 200]);
      expect(Math.max(reading.took, health.took)).toBeLessThan(beyondTimeouts);
      await wait(50);
    }
    delays.disable();
    expect(delays.max / 1e6).toBeLessThan(beyondTimeouts);
    await unlock();
    const { took, result } = await timeWork(() => Promise.all(writes));
    expect(result.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(took).toBeLessThan(beyondTimeouts);
    expect(await noticesKept()).toBe(before + 2);
  });

  it('refuses writes after the timeout, and stores nothing', async () => {
    const before = await noticesKept();
    await lock();
    const answers = await Promise.all([write, write, signIn].map((ask) => timeWork<Answer>(ask)));
    expect(answers.map(({ result }) => outcomeOf(result))).toEqual(answers.map(() => [503, sentence]));
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(10_000);
    await unlock();
    expect(await noticesKept()).toBe(before);
    expect((await write()).status).toBe(200);
  });
});

describe('last-use update of a token', () => {
  const run = (text: string) => sql.raw(text).execute(school.database.db);

  it('happens once as soon as possible for many reads', async () => {
    await run('create table noted (at integer)');
    await run(
      'create trigger noting after update of used_at on sign_in begin insert into noted values (new.used_at); end',
    );
    const notes = async () => (await sql<{ at: number }>`select at from noted`.execute(school.database.db)).rows;
    school.setNow(noon + 1200);
    await lock();
    const reads = await Promise.all(Array.from({ length: 5 }, readList));
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    expect(await notes()).toEqual([]);
    await unlock();
    await expect.poll(notes).not.toEqual([]);
    expect((await write()).status).toBe(200);
    expect(await notes()).toEqual([{ at: noon + 1200 }]);
    await run('drop trigger noting');
    await run('drop table noted');
  });

  it('never blocks reads when writing fails', async () => {
    school.setNow(noon + 1800);
    await run('pragma query_only = on');
    expect([(await readList()).status, outcomeOf(await write())]).toEqual([200, [503, sentence]]);
    await run('pragma query_only = off');
    expect([(await readList()).status, (await write()).status]).toEqual([200, 200]);
  });

  it('reports any other error', async () => {
    school.setNow(noon + 2400);
    await run(`create trigger broken before update of used_at on sign_in begin select raise(abort, 'broken'); end`);
    expect((await readList()).status).toBe(500);
    await run('drop trigger broken');
    expect((await readList()).status).toBe(200);
  });
});

describe('SQLite on a full disk', () => {
  it('refuses writes completely, and recovers', async () => {
    const { db } = school.database;
    const before = await noticesKept();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    // SQLite's own size limit gives the same error.
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(db);
    const content = `<p>${'很长的内容'.repeat(900)}</p>`;
    const long = () =>
      school.as('teacher').post('announcement', { class_id: school.classes.k1, title: '长公告', content });
    const answers: Answer[] = [];
    for (let number = 0; number < 8; number += 1) answers.push(await long());
    expect(outcomeOf(answers.at(-1) as Answer)).toEqual([503, sentence]);
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(await noticesKept()).toBe(before + taken);
    expect((await readList()).status).toBe(200);
    await sql.raw('pragma max_page_count = 1073741823').execute(db);
    expect((await long()).status).toBe(200);
  });
});

describe('multi-statement transaction', () => {
  /** A query that takes some milliseconds. */
  const slow = (db: TestSchool['database']['db']) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000) select count(*) from n`.execute(
      db,
    );

  it('lets other requests in between', async () => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    for (let at = 0; at < 60; at += 1) await slow(school.database.db);
    isOver = true;
    expect(turns).toBeGreaterThan(2);
  });

  it('hides uncommitted rows', async () => {
    const { db } = school.database;
    const nameOf = async (asked: typeof db) =>
      (await asked.selectFrom('class').select('name').where('id', '=', school.classes.k1).executeTakeFirstOrThrow())
        .name;
    const rename = (asked: typeof db, name: string) =>
      asked.updateTable('class').set({ name }).where('id', '=', school.classes.k1).execute();
    const name = await nameOf(db);
    const seen: string[] = [];
    let isOver = false;
    const changing = db.transaction().execute(async (transaction) => {
      await rename(transaction, '未定');
      for (let at = 0; at < 10; at += 1) await slow(transaction);
      expect(await nameOf(transaction)).toBe('未定');
      await rename(transaction, name);
      isOver = true;
    });
    while (!isOver) {
      seen.push(await nameOf(db));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await changing;
    expect(new Set(seen)).toEqual(new Set([name]));
  });
});
