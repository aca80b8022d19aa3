/** @module-tag thorough */
/** Kills the primary during writes, promotes its replica: acknowledged data remains, and processes reconnect. */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { postgresCopier } from '#server/platform/db/copy-postgres.ts';
import { databaseAwayCode, withRequestDeadline } from '#server/platform/db/deadline.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { wallClock } from '#server/school/calendar.ts';
import { type FailingPostgres, query, startFailingPostgres, startReplica } from '../support/postgres.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { openTestSchool } from '../support/school.ts';

/** Milliseconds from the primary's end until all is answered. */
const recovery = 10_000;
const writers = 8;

it("a replica's promotion loses nothing acknowledged", async ({ skip }) => {
  const primary = await startFailingPostgres();
  skip(!primary, 'no PostgreSQL can be started on this machine');
  if (!primary) return;
  let replica: FailingPostgres | undefined;
  let proxy: PostgresProxy | undefined;
  let server: RunningServer | undefined;
  try {
    const school = await openTestSchool('PostgreSQL', primary.url, wallClock());
    const { token, id: staff_id } = school.people.teacher;
    const class_id = school.classes.k1;
    await school.database.db.insertInto('class_staff').values({ class_id, staff_id, duty: 'head' }).execute();
    await school.close();
    replica = await startReplica(primary);
    skip(!replica, 'pg_basebackup is missing on this machine');
    if (!replica) return;
    // Synchronous commits from now on; the replica alone waits for nobody.
    await query(primary, "alter system set synchronous_standby_names = '*'");
    await query(primary, 'select pg_reload_conf()');
    const synchronous = 'select sync_state from pg_stat_replication';
    await expect.poll(() => query(primary, synchronous)).toEqual([{ sync_state: 'sync' }]);
    proxy = await openPostgresProxy(primary.url);
    server = await startServer({ DATABASE_URL: proxy.url, DEMO: '0', WEB_CONCURRENCY: '2' });
    const { base } = server;

    const acknowledged: string[] = [];
    const others = new Set<number>();
    let isOver = false;
    let written = 0;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const write = async (): Promise<number> => {
      written += 1;
      const title = `公告${written}`;
      const body = JSON.stringify({ class_id, title, content: '<p>内容</p>' });
      const { status } = await fetch(`${base}/api/lector/announcement`, { method: 'POST', headers, body });
      if (status === 200) acknowledged.push(title);
      else if (status !== 503) others.add(status);
      return status;
    };
    const working = Array.from({ length: writers }, async () => {
      while (!isOver) await write();
    });
    while (acknowledged.length < 100) await wait(10);

    const began = performance.now();
    await primary.end('QUIT');
    await proxy.cut();
    await query(replica, 'select pg_promote()');
    await proxy.leadTo(replica.url);
    const before = acknowledged.length;
    while (acknowledged.length < before + writers) await wait(10);
    const took = performance.now() - began;
    isOver = true;
    await Promise.all(working);
    for (let tries = 0; tries < 20; tries += 1) expect(await write()).toBe(200);

    const kept = await query<{ title: string }>(replica, "select title from class_notice where title like '公告%'");
    const titles = new Set(kept.map(({ title }) => title));
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
    expect([...others]).toEqual([]);
    expect(took).toBeLessThan(recovery);
    console.info(`promotion: ${acknowledged.length} acknowledged, 0 lost, ${Math.round(took)} ms to recover`);
  } finally {
    await server?.stop();
    await proxy?.close();
    await replica?.stop();
    await primary.stop();
  }
});

it('a multi-host address uses the writable server, and the next after a promotion', async ({ skip }) => {
  const primary = await startFailingPostgres();
  const replica = primary && (await startReplica(primary));
  skip(!replica, 'no PostgreSQL can be started on this machine, or pg_basebackup is missing');
  if (!replica) return;
  const socketOf = ({ url }: FailingPostgres) => new URL(url).searchParams.get('host');
  const address = `postgresql://postgres@localhost/postgres?host=${socketOf(replica)},${socketOf(primary)}&target_session_attrs=read-write`;
  const { db, ping, destroy } = openDatabase(address);
  const keep = (id: number) => withRequestDeadline(() => sql`insert into kept values (${id})`.execute(db));
  try {
    await query(primary, 'create table kept (id integer)');
    await Promise.all(Array.from({ length: 20 }, (_, id) => keep(id)));
    await ping();
    const countKept = () => query<{ count: number }>(replica, 'select count(*)::integer as count from kept');
    await expect.poll(countKept).toEqual([{ count: 20 }]);
    // A backup connects to whichever server is the primary, too.
    expect(
      (await postgresCopier(address).contents({ pattern: 'none', found: () => undefined })).tables.kept?.rows,
    ).toBe(20);

    await primary.end('QUIT');
    await expect(keep(20)).rejects.toMatchObject({ code: databaseAwayCode });
    await query(replica, 'select pg_promote()');
    await expect.poll(() => keep(21).then(() => true, String), { timeout: recovery }).toBe(true);
    await ping();
    expect(await countKept()).toEqual([{ count: 21 }]);
  } finally {
    await destroy();
    await replica.stop();
    await primary.stop();
  }
});
