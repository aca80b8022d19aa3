/** @module-tag thorough */
/** Reports and history read from a replica, never stale; without it the primary serves, visible only to operators. */
import { expect, it } from 'vitest';
import { wallClock } from '#server/school/calendar.ts';
import { type FailingPostgres, query, startFailingPostgres, startReplica } from '../support/postgres.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { openTestSchool } from '../support/school.ts';

const metricsToken = 'metrics-of-the-tests-of-32-signs-';

it('replica reads are never older than the last answer', async ({ skip }) => {
  const primary = await startFailingPostgres();
  skip(!primary, 'no PostgreSQL can be started on this machine');
  if (!primary) return;
  let replica: FailingPostgres | undefined;
  let server: RunningServer | undefined;
  try {
    const school = await openTestSchool('PostgreSQL', primary.url, wallClock());
    const { teacher, admin } = school.people;
    const class_id = school.classes.k1;
    await school.database.db
      .insertInto('class_staff')
      .values({ class_id, staff_id: teacher.id, duty: 'head' })
      .execute();
    await school.close();
    replica = await startReplica(primary);
    skip(!replica, 'pg_basebackup is missing on this machine');
    if (!replica) return;
    server = await startServer({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: replica.url,
      METRICS_TOKEN: metricsToken,
      DEMO: '0',
    });
    const { base, printed } = server;
    const ask = async (path: string, token: string, body?: object, method = 'POST'): Promise<string> => {
      const answer = await fetch(`${base}/${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect([answer.status, text]).toEqual([200, expect.anything()]);
      return text;
    };
    const content = '<p>内容</p>';
    const posted = await ask('api/lector/announcement', teacher.token, { class_id, title: '公告', content });
    const { id } = JSON.parse(posted).data;
    let written = 0;
    /** Edits a notice, so that its title appears in the history. Returns the title. */
    const announce = async (): Promise<string> => {
      written += 1;
      const title = `公告第${written}号`;
      await ask(`api/lector/announcement/${id}`, teacher.token, { title, content }, 'PUT');
      return title;
    };
    const history = () => ask('api/admin/history', admin.token);
    const expectNews = async () => {
      const title = await announce();
      expect(await history()).toContain(title);
    };
    const reads = async () => {
      const text = await ask('metrics', metricsToken);
      const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
      return {
        replica: of('lectern_replica_reads_total\\{server="replica"\\}'),
        primary: of('lectern_replica_reads_total\\{server="primary"\\}'),
        isUsed: of('lectern_replica_used'),
      };
    };

    // Reads after a write come from the replica and show the write.
    for (let round = 0; round < 10; round += 1) await expectNews();
    const first = await reads();
    expect(first).toMatchObject({ isUsed: 1 });
    expect(first.replica).toBeGreaterThan(0);

    // Paused replica: readers fall back to the primary after a moment.
    await query(replica, 'select pg_wal_replay_pause()');
    for (let round = 0; round < 3; round += 1) await expectNews();
    const paused = await reads();
    expect(paused.primary).toBeGreaterThan(first.primary);
    expect(paused.replica).toBe(first.replica);
    await query(replica, 'select pg_wal_replay_resume()');
    await expect
      .poll(async () => {
        await history();
        return (await reads()).replica;
      })
      .toBeGreaterThan(paused.replica);

    // With the replica down an export still works, and /readyz stays 200.
    await replica.end('QUIT');
    await expectNews();
    expect(await ask('api/admin/history/export', admin.token, {})).toContain('/exports/');
    expect(await reads()).toMatchObject({ isUsed: 0 });
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(printed()).toContain('the replica is away, the primary is read instead');
    const alone = await reads();
    await replica.start();
    await expect
      .poll(async () => {
        await history();
        return reads();
      })
      .toMatchObject({ isUsed: 1, replica: expect.toSatisfy((count: number) => count > alone.replica) });
    await expectNews();

    // A promoted replica has its own timeline.
    await query(replica, 'select pg_promote()');
    await expectNews();
  } finally {
    await server?.stop();
    await replica?.stop();
    await primary.stop();
  }
});
