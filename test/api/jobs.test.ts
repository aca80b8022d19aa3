/** Background jobs: leases, failover, retries, and what administrators see. */
import { beforeEach, expect, it } from 'vitest';
import { countAttempt, type Limit, purgeAttempts } from '#server/platform/auth/attempts.ts';
import { jobBackoff } from '#server/platform/background/rules.ts';
import { type Background, type BackgroundWork, createBackground } from '#server/platform/background/work.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { queueForWebhooks, queueMessages } from '#server/platform/sms/outbox.ts';
import { administratorOf } from '../support/administrators.ts';
import { applicationOf } from '../support/learner.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { noon, outcomeOf } from '../support/school.ts';

onBothEnginesAlways('background jobs', (school) => {
  let clock = noon;
  let done: string[] = [];
  const db = () => school().database.db;
  const row = async (kind: string) =>
    db().selectFrom('background_job').selectAll().where('kind', '=', kind).executeTakeFirstOrThrow();
  const process = (holder: string, work: Partial<BackgroundWork> = {}): Background =>
    createBackground({ ...school().services, now: () => clock, holder }, [
      {
        kind: 'keeping',
        every: 3600,
        async run() {
          done.push(holder);
        },
        ...work,
      },
    ]);

  beforeEach(async () => {
    await db().deleteFrom('background_job').execute();
    clock = noon;
    done = [];
  });

  it('run in one of several processes, and again when due', async () => {
    const all = ['a', 'b', 'c'].map((holder) => process(holder));
    await Promise.all(all.map((one) => one.look()));
    expect(done).toHaveLength(1);
    clock += 3599;
    for (const one of all) await one.look();
    expect(done).toHaveLength(1);
    clock += 1;
    await Promise.all(all.map((one) => one.look()));
    expect(done).toHaveLength(2);
  });

  it('continue elsewhere after the lease of an ended process', async () => {
    let end = () => {};
    const stuck = process('a', {
      run: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    });
    const looking = stuck.look();
    await expect.poll(async () => (await row('keeping').catch(() => undefined))?.holder).toBe('a');
    const other = process('b');
    clock += 60;
    await other.look();
    expect(done).toEqual([]);
    clock += 31;
    await other.look();
    expect(done).toEqual(['b']);
    // A process without the lease can no longer write.
    const noted = await row('keeping');
    end();
    await looking;
    expect(await row('keeping')).toEqual(noted);
  });

  it('with state stay in their process until it ends', async () => {
    const [a, b] = ['a', 'b'].map((holder) => process(holder, { every: 15, stays: true })) as [Background, Background];
    await a.look();
    for (let round = 0; round < 3; round += 1) {
      clock += 15;
      await b.look();
      await a.look();
    }
    expect(done).toEqual(['a', 'a', 'a', 'a']);
    await a.stop();
    clock += 15;
    await b.look();
    expect(done.at(-1)).toBe('b');
  });

  it('are retried with growing delays and the reason, until they succeed', async () => {
    let fails = true;
    const one = process('a', {
      async run() {
        done.push('a');
        if (fails) throw new Error('the bucket is away');
      },
    });
    let wait = 0;
    for (let tries = 1; tries <= 3; tries += 1) {
      clock += wait;
      await one.look();
      wait = jobBackoff(tries);
      expect(await row('keeping')).toMatchObject({
        tries,
        last_error: 'the bucket is away',
        due_at: clock + wait,
        holder: '',
      });
    }
    expect(wait).toBe(20);
    const showJobs = async () => (await school().as('admin').get('jobs')).body.data;
    school().setNow(clock);
    expect((await showJobs()).find(({ id }: { id: string }) => id === 'keeping')).toMatchObject({
      state: 'failing',
      tries: 3,
      error: 'the bucket is away',
      may_retry: 1,
      done_at: null,
    });
    fails = false;
    expect(outcomeOf(await school().as('admin').post('jobs/retry', { job: 'keeping' }))).toEqual([
      200,
      '已安排重试，马上执行',
    ]);
    await one.look();
    expect((await showJobs()).find(({ id }: { id: string }) => id === 'keeping')).toMatchObject({
      state: 'fine',
      tries: 0,
      error: '',
      done_at: clock,
      due_at: clock + 3600,
    });
  });

  it('ignore a clock that was ahead', async () => {
    clock = noon + 5 * 3600;
    await process('a').look();
    clock = noon;
    await process('b').look();
    expect(done).toEqual(['a', 'b']);
  });

  it('are reported if no process runs them', async () => {
    await process('a').look();
    school().setNow(noon + 3600 + 601);
    const [keeping] = (await school().as('admin').get('jobs')).body.data;
    expect(keeping).toMatchObject({ id: 'keeping', state: 'failing', error: '没有进程在执行，请确认服务已启动' });
  });

  it('show message queues, whose failures can be retried at once', async () => {
    await applicationOf(school());
    const { id: tokenId } = await db()
      .selectFrom('service_token')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('webhook')
      .values({
        token_id: tokenId,
        url: 'http://app.test/',
        events: '[]',
        secret: 's',
        created_at: noon,
        ended_at: null,
      })
      .execute();
    await queueMessages(
      db(),
      [{ mobile: '13900000001', content: '一', session_id: null, student_id: null }],
      noon - 50,
    );
    await queueForWebhooks(db(), [{ webhook_id: tokenId, lane: '', content: '{}' }], noon - 20);
    const lines = async () =>
      (await school().as('admin').get('jobs')).body.data.filter(({ kind }: { kind: string }) =>
        ['messages', 'webhook'].includes(kind),
      );
    expect(await lines()).toMatchObject([
      { id: 'messages', state: 'waiting', waiting: 1, oldest_at: noon - 50, may_retry: 0 },
      { id: `webhook ${tokenId}`, name: expect.any(String), state: 'waiting', waiting: 1, may_retry: 0 },
    ]);
    await db()
      .updateTable('sms_outbox')
      .set({ tries: 3, last_error: 'status 502', next_try_at: noon + 900 })
      .where('webhook_id', 'is', null)
      .where('delivered_at', 'is', null)
      .execute();
    expect((await lines())[0]).toMatchObject({
      state: 'failing',
      tries: 3,
      error: 'status 502',
      due_at: noon + 900,
      may_retry: 1,
    });
    expect(outcomeOf(await school().as('admin').post('jobs/retry', { job: 'messages' }))[0]).toBe(200);
    const { next_try_at } = await db()
      .selectFrom('sms_outbox')
      .select('next_try_at')
      .where('webhook_id', 'is', null)
      .where('delivered_at', 'is', null)
      .executeTakeFirstOrThrow();
    expect(next_try_at).toBe(noon);
    expect(
      outcomeOf(
        await school()
          .as('admin')
          .post('jobs/retry', { job: `webhook ${tokenId}` }),
      ),
    ).toEqual([404, '任务不存在或已经完成']);
    for (const job of ['', 'nothing', 'webhook 99999', 'import 1', "keeping' or 1"])
      expect((await school().as('admin').post('jobs/retry', { job })).status).toBe(404);
  });

  it('are hidden from administrators of some schools', async () => {
    const bound = await administratorOf(school(), { can_settings: 1 });
    const refusal = [403, '任务属于整个系统，只有管理全部学校的教务可以查看'];
    expect(outcomeOf(await bound.ask('GET', 'jobs'))).toEqual(refusal);
    expect(outcomeOf(await bound.ask('POST', 'jobs/retry', { job: 'keeping' }))).toEqual(refusal);
  });

  it('counts tries over all processes, within a window, also when a clock was set back', async () => {
    const limit: Limit = { kind: 'try', max: 3, window: 600 };
    const { location } = school().database;
    // A database in memory can be used by one process only.
    const other = location === ':memory:' ? undefined : openDatabase(location);
    const elsewhere = other?.db ?? db();
    try {
      const waits: unknown[] = [];
      for (let tries = 0; tries < 5; tries += 1)
        waits.push(await countAttempt(tries % 2 ? elsewhere : db(), limit, 'k', noon + tries));
      expect(waits).toEqual([undefined, undefined, undefined, 597, 596]);
      expect(await countAttempt(db(), { ...limit, max: 20 }, 'k', noon + 10)).toBeUndefined();
      expect(await countAttempt(elsewhere, limit, 'k', noon + 600)).toBeUndefined();
      expect(await countAttempt(db(), limit, 'k', noon - 3600)).toBeUndefined();
      const kept = await db().selectFrom('attempt').selectAll().execute();
      expect(JSON.stringify(kept)).not.toContain('"k"');
      expect(await purgeAttempts(db(), { endedBefore: noon, most: 10 })).toBe(1);
    } finally {
      await other?.destroy();
    }
  });
});
