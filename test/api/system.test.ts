import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { runRetention } from '#server/retention.ts';
import { registerProcess } from '#server/system/processes.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('system status', (school, engine) => {
  const show = async () => (await school().as('admin').get('system')).body.data;
  const ready = async () => {
    const { status, body } = await school().ask('/readyz');
    return [status, body.msg, body.data];
  };
  const up = { database: 'up', storage: 'up', migrations: 'up' };

  it('is shown to administrators of all schools', async () => {
    expect(await show()).toMatchObject({
      engine: engine === 'SQLite' ? 'sqlite' : 'postgres',
      engine_version: expect.stringMatching(/^\d+\.\d+/),
      database_bytes: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      migration: { latest: expect.stringMatching(/^\d{4}-/), pending: [], newer: [] },
      ready: Object.entries(up).map(([name, state]) => ({ name, state })),
      storage: { kind: 'folder', place: school().filesFolder, files: expect.any(Number), free: expect.any(Number) },
      backup: null,
    });
  });

  it('counts CSP reports by kind', async () => {
    expect((await show()).policy_reports).toEqual({ count: 0, last: [] });
    const report = (page: string) =>
      school().ask('/api/policy-reports', {
        method: 'POST',
        headers: { 'content-type': 'application/csp-report' },
        body: JSON.stringify({
          'csp-report': {
            'document-uri': `http://school.test${page}`,
            'effective-directive': 'script-src-elem',
            'blocked-uri': 'https://addition.test/x.js?of=teacher',
          },
        }),
      });
    for (const page of ['/classes/12/edit', '/classes/13/edit', '/homework'])
      expect((await report(page)).status).toBe(204);
    const kind = { directive: 'script-src-elem', blocked: 'https://addition.test', source: '', last_at: noon };
    expect((await show()).policy_reports).toEqual({
      count: 3,
      last: [
        { ...kind, page: '/classes/*/edit', count: 2 },
        { ...kind, page: '/homework', count: 1 },
      ],
    });
    await runRetention({ ...school().services, database: school().database, now: () => noon + 91 * 24 * 60 * 60 });
    expect((await show()).policy_reports.count).toBe(0);
  });

  it('is hidden from everybody else', async () => {
    const { db } = school().database;
    expect((await school().ask('/api/admin/system')).status).toBe(401);
    const { id } = await db.insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
    const staff = {
      username: 'bound',
      password_hash: 'none',
      real_name: '那边',
      school_id: id,
      can_settings: 1,
    } as const;
    const person = await db
      .insertInto('staff')
      .values({ ...staff, identity: 'admin', disabled_at: null, created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = await issueToken(db, person.id, { device: '', address: '', now: noon });
    const asked = await school().ask('/api/admin/system', { headers: { authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(403);
  });

  it('shows the queue, its age and the last error', async () => {
    const { db } = school().database;
    const message = { mobile: '13900000001', content: '课次取消', session_id: null, student_id: null };
    await queueMessages(db, [message, message], noon - 60);
    await db
      .updateTable('sms_outbox')
      .set({ tries: 1, last_error: 'status 503' })
      .where('mobile', '=', message.mobile)
      .execute();
    const { queues } = await show();
    expect(queues[0]).toEqual({ name: 'messages', waiting: 2, oldest_at: noon - 60, failing: 2, error: 'status 503' });
    expect(queues[1]).toEqual({ name: 'webhooks', waiting: 0, oldest_at: null, failing: 0, error: '' });
    expect(JSON.stringify(queues)).not.toContain(message.mobile);
  });

  it('lists the processes, and marks silent ones', async () => {
    const gone = await registerProcess({ ...school().services, now: () => noon - 600 }, { host: 'a' });
    const here = await registerProcess(school().services, { host: 'b' });
    const { pid } = process;
    expect((await show()).processes).toMatchObject([
      { host: 'b', pid, is_gone: 0, version: expect.stringMatching(/^\d/), memory: expect.any(Number) },
      { host: 'a', pid, is_gone: 1 },
    ]);
    await gone.leave();
    await here.leave();
    expect((await show()).processes).toEqual([]);
  });

  it.skipIf(engine === 'SQLite')(
    'shows processes with other storage, and those that do not serve because of it',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const { services } = school();
      const elsewhere = { ...services, storage: await createStorage({ directory: folder }) };
      const here = await registerProcess(services, { host: 'a' });
      const apart = await registerProcess(elsewhere, { host: 'b' });
      const files = async () =>
        Object.fromEntries(
          (await show()).processes.map((one: { host: string; files: string }) => [one.host, one.files]),
        );
      expect(await files()).toEqual({ a: 'here', b: 'elsewhere' });
      await apart.refuse();
      expect(await files()).toEqual({ a: 'here', b: 'refused' });
      // The refused process blocks no other one, and is forgotten once its machine serves.
      expect(await here.stranger()).toBeUndefined();
      const mended = await registerProcess(services, { host: 'b' });
      expect(await files()).toEqual({ a: 'here', b: 'here' });
      await mended.leave();
      await here.leave();
    },
  );

  describe('readyz', () => {
    it('lists its checks', async () => {
      expect(await ready()).toEqual([200, '运行正常', up]);
    });

    it('answers 503 without the storage', async () => {
      const { storage } = school().services;
      const check = () => Promise.reject(new Error('away'));
      school().replace({ storage: { ...storage, check } });
      expect(await ready()).toEqual([503, '文件存储暂时不可用', { ...up, storage: 'away' }]);
      school().replace({ storage });
    });

    it('answers 503 before a migration, and 200 after an unknown one', async () => {
      const { database } = school();
      // Checks are cached for seconds, so use a new instance.
      const anew = () => school().replace({ database: { ...database } });
      const renamed = (from: string, to: string) =>
        database.db
          .updateTable('kysely_migration' as 'setting')
          .set({ name: to })
          .where('name', '=', from)
          .execute();
      await renamed('0001-baseline', '9999-later');
      anew();
      expect(await ready()).toEqual([503, '数据库结构尚未更新', { ...up, migrations: 'pending' }]);
      await renamed('9999-later', '0001-baseline');
      await database.db
        .insertInto('kysely_migration' as 'setting')
        .values({ name: '9999-later', timestamp: '2026-01-01T00:00:00Z' } as never)
        .execute();
      anew();
      expect(await ready()).toEqual([200, '运行正常', { ...up, migrations: 'newer' }]);
      await database.db
        .deleteFrom('kysely_migration' as 'setting')
        .where('name', '=', '9999-later')
        .execute();
      school().replace({ database });
    });
  });

  it('metrics are closed while no token is set', async () => {
    expect((await school().ask('/metrics')).status).toBe(404);
  });
});
