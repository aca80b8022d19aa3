/** @module-tag thorough */
/**
 * Several processes behind pgbouncer in transaction mode, where each transaction may get another connection:
 * migrations, limits, locks and bulk queries leave no session state behind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { postgresCopier } from '#server/platform/db/copy-postgres.ts';
import { withRequestDeadline } from '#server/platform/db/deadline.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { keepPrepared } from '#server/platform/db/pg-prepared.ts';
import { wallClock } from '#server/school/calendar.ts';
import { type Pooler, startPooler } from '../support/pgbouncer.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase | undefined;
let pooler: Pooler | undefined;

const probe = inject('postgres') ? await createDatabase() : undefined;
const found = probe && (await startPooler(probe.url));
await found?.stop();
await probe?.drop();
const missing = found ? '' : ': no PostgreSQL or no pgbouncer on this machine';

/** Restores the default setting, which a test database switches off. */
async function switchJitOn(url: string): Promise<void> {
  const made = openDatabase(url);
  await sql`alter database ${sql.ref(new URL(url).pathname.slice(1))} set jit = on`.execute(made.db);
  await made.destroy();
}

describe.skipIf(!found)(`behind pgbouncer in transaction mode${missing}`, () => {
  beforeAll(async () => {
    database = await createDatabase();
    if (database) await switchJitOn(database.url);
    pooler = database && (await startPooler(database.url));
    vi.stubEnv('DATABASE_POOLER', '1');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await pooler?.stop();
    await database?.drop();
  });

  it('limits a request within its transactions and leaves no setting on the connection', async () => {
    const through = openDatabase(pooler?.url ?? '');
    try {
      const limit = (db: typeof through.db) =>
        sql<{
          statement_timeout: string;
          idle: string;
          jit: string;
        }>`select current_setting('statement_timeout') as statement_timeout,
          current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`.execute(db);
      const within = () => withRequestDeadline(() => through.db.transaction().execute((trx) => limit(trx)));
      for (const { rows } of await Promise.all(Array.from({ length: 12 }, within))) {
        expect(rows).toEqual([{ statement_timeout: '3500ms', idle: '15s', jit: 'off' }]);
      }
      // Exports and migrations use the same connections of the server, without a limit.
      const job = await Promise.all(Array.from({ length: 12 }, () => limit(through.db)));
      for (const { rows } of job) expect(rows).toEqual([{ statement_timeout: '0', idle: '0', jit: 'on' }]);
      const slow = withRequestDeadline(() =>
        through.db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx)),
      );
      await expect(slow).rejects.toMatchObject({ code: '57014' });
    } finally {
      await through.destroy();
    }
  });

  it('runs a statement marked for preparing without preparing it', async () => {
    keepPrepared('select 1 + $1::integer as two');
    const through = openDatabase(pooler?.url ?? '');
    try {
      const ask = () =>
        withRequestDeadline(() => sql<{ two: number }>`select 1 + ${1}::integer as two`.execute(through.db));
      const answers = await Promise.all(Array.from({ length: 30 }, ask));
      expect(new Set(answers.map(({ rows }) => rows[0]?.two))).toEqual(new Set([2]));
      const { rows } = await sql`select * from pg_prepared_statements`.execute(through.db);
      expect(rows).toEqual([]);
    } finally {
      await through.destroy();
    }
  });

  it('refuses to copy the database through the pooler, which would leave settings on its connections', async () => {
    await expect(postgresCopier(pooler?.url ?? '').holdsData()).rejects.toThrow(/not copied through a pooler/);
  });

  it('copies the database over the direct address, and pooled connections keep their tables', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'past-the-pooler-'));
    vi.stubEnv('DATABASE_DIRECT_URL', database?.url ?? '');
    const through = openDatabase(pooler?.url ?? '');
    try {
      await sql`create table copied (id integer primary key)`.execute(through.db);
      await sql`insert into copied values (1), (2)`.execute(through.db);
      const copier = postgresCopier(pooler?.url ?? '');
      const contents = await copier.take(path.join(folder, 'database.dump'), {
        pattern: 'nothing like this',
        found: () => undefined,
      });
      expect(JSON.stringify(contents)).toContain('copied');
      // After the copy, other users of the same connections still find their tables.
      const counts = await Promise.all(
        Array.from({ length: 12 }, () =>
          sql<{ rows: number }>`select count(*)::int as rows from copied`.execute(through.db),
        ),
      );
      expect(new Set(counts.map(({ rows }) => rows[0]?.rows))).toEqual(new Set([2]));
      await sql`drop table copied`.execute(through.db);
    } finally {
      await through.destroy();
      vi.stubEnv('DATABASE_DIRECT_URL', '');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('migrates once when two servers start, which then serve, write and count guesses together', async () => {
    const environment = {
      DATABASE_URL: pooler?.url ?? '',
      DATABASE_POOLER: '1',
      DEMO: '0',
      WEB_CONCURRENCY: '2',
      SESSION_SECRET: 'a-secret-of-the-tests-of-32-signs',
    };
    let servers: RunningServer[] = [];
    let school: TestSchool | undefined;
    try {
      servers = await Promise.all([startServer(environment), startServer(environment)]);
      school = await openTestSchool('PostgreSQL', database?.url, wallClock());
      const { token } = school.people.teacher;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      await school.database.db
        .insertInto('class_staff')
        .values({ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' })
        .execute();
      const ask = (number: number) => {
        const server = servers[number % 2] as RunningServer;
        if (number % 3) return fetch(`${server.base}/api/lector/hw/index`, { headers });
        const body = JSON.stringify({ class_id: school?.classes.k1, title: `公告${number}`, content: '<p>内容</p>' });
        return fetch(`${server.base}/api/lector/announcement`, { method: 'POST', headers, body });
      };
      const statuses = await Promise.all(Array.from({ length: 90 }, async (_, number) => (await ask(number)).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      const { count } = await school.database.db
        .selectFrom('class_notice')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('title', 'like', '公告%')
        .executeTakeFirstOrThrow();
      expect(count).toBe(30);
      const wrong = (number: number) =>
        fetch(`${servers[number % 2]?.base}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'nobody', password: 'wrong' }),
        });
      const tries = await Promise.all(Array.from({ length: 14 }, async (_, number) => (await wrong(number)).status));
      expect(tries.filter((status) => status === 401)).toHaveLength(10);
    } finally {
      await school?.close();
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});
