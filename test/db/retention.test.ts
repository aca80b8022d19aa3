/** The daily job deletes data older than its retention and nothing else. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { recordHistory } from '#server/platform/db/history.ts';
import { ClockDoubted, runRetention } from '#server/retention.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const day = 24 * 60 * 60;

onBothEnginesAlways('clock step', (school) => {
  it('deletes nothing until the new time has lasted a day', async () => {
    const { db } = school().database;
    const { id: staff_id } = await db.selectFrom('staff').select('id').executeTakeFirstOrThrow();
    const add = (device: string, used_at: number) =>
      db
        .insertInto('sign_in')
        .values({ token_hash: device, staff_id, device, created_at: used_at, used_at, revoked_at: null })
        .execute();
    const remainingDevices = async () => {
      const rows = await db.selectFrom('sign_in').select('device').where('device', 'like', 'leap%').execute();
      return rows.map(({ device }) => device).sort();
    };
    const keepAt = (now: number) =>
      runRetention({ ...school().services, database: school().database, now: () => now }).then(
        (taken) => (taken ? 'done' : 'done before'),
        (error: unknown) => (error instanceof ClockDoubted ? error.message : Promise.reject(error)),
      );
    await add('leap today', noon);
    expect(await keepAt(noon)).toBe('done');
    const doubt = '服务器时间比上次清理时晚了400天。如果时间正确，一天后自动开始清理';
    // The clock was ahead for ten seconds only: nothing is lost, and the next day is normal.
    expect(await keepAt(noon + 400 * day)).toBe(doubt);
    expect(await keepAt(noon + 400 * day + 10)).toBe(doubt);
    expect(await keepAt(noon + day)).toBe('done');
    expect(await remainingDevices()).toEqual(['leap today']);
    // A second jump of the clock starts another day of waiting.
    expect(await keepAt(noon + 401 * day)).toBe(doubt);
    expect(await keepAt(noon + 401 * day + day - 1)).toMatch(/晚了40[01]天/);
    expect(await remainingDevices()).toEqual(['leap today']);
    // A server that was off for 400 days purges again after that day.
    expect(await keepAt(noon + 402 * day)).toBe('done');
    expect(await remainingDevices()).toEqual([]);
    // Even if the clock was wrong, later days are purged.
    await add('leap old', noon - 366 * day);
    expect(await keepAt(noon + 2 * day)).toBe('done');
    expect(await keepAt(noon + 2 * day)).toBe('done before');
    expect(await remainingDevices()).toEqual([]);
  });
});

onBothEnginesAlways('statistics of partitioned tables', (school, engine) => {
  it.skipIf(engine === 'SQLite')('refreshes them once a week', async () => {
    const { db } = school().database;
    const change = { record: 'setting', recordId: 1, action: 'backup', before: null, after: null } as const;
    await recordHistory(db, { ...change, actor: null, now: noon });
    const gathered = async () => {
      const { rows } = await sql<{ n: number }>`select count(distinct starelid)::integer as n from pg_statistic
        join pg_class on pg_class.oid = starelid and relkind = 'p'
        where relnamespace = current_schema()::regnamespace`.execute(db);
      return rows[0]?.n ?? 0;
    };
    const keepAt = (now: number) => runRetention({ ...school().services, database: school().database, now: () => now });
    await sql`delete from pg_statistic where starelid in (select oid from pg_class where relkind = 'p')`.execute(db);
    expect(await gathered()).toBe(0);
    await keepAt(noon);
    const first = await gathered();
    expect(first).toBeGreaterThan(0);
    await sql`delete from pg_statistic where starelid in (select oid from pg_class where relkind = 'p')`.execute(db);
    await keepAt(noon + 3 * day);
    expect(await gathered()).toBe(0);
    await keepAt(noon + 7 * day);
    expect(await gathered()).toBe(first);
  });
});

onBothEnginesAlways('retention periods', (school) => {
  it('deletes expired data once a day', async () => {
    const { db } = school().database;
    const { id: staff_id } = await db.selectFrom('staff').select('id').executeTakeFirstOrThrow();
    const signIn = (device: string, used_at: number) => ({
      token_hash: device,
      staff_id,
      device,
      created_at: used_at,
      used_at,
      revoked_at: null,
    });
    await db
      .insertInto('sign_in')
      .values([signIn('long ago', noon - 366 * day), signIn('of this year', noon - 364 * day)])
      .execute();
    const message = (message_id: string, delivered_at: number | null) => ({
      message_id,
      mobile: '13900000001',
      content: message_id,
      created_at: noon - 100 * day,
      next_try_at: noon,
      delivered_at,
    });
    await db
      .insertInto('sms_outbox')
      .values([
        message('old', noon - 91 * day),
        message('new', noon - 89 * day),
        // Old, but not delivered yet.
        message('waits', null),
      ])
      .execute();
    const services = { ...school().services, database: school().database, now: () => noon };
    expect(await runRetention(services)).toEqual({ signIns: 1, messages: 1, uploads: 0, unused: 0 });
    const devices = await db.selectFrom('sign_in').select('device').where('device', 'like', '%o%').execute();
    expect(devices.map((one) => one.device)).toEqual(['of this year']);
    const left = await db.selectFrom('sms_outbox').select('message_id').orderBy('message_id').execute();
    expect(left.map((one) => one.message_id)).toEqual(['new', 'waits']);
    // A second process on the same day does nothing; the next day runs again.
    await db
      .insertInto('sign_in')
      .values(signIn('later found', noon - 400 * day))
      .execute();
    expect(await runRetention(services)).toBeUndefined();
    expect(await runRetention({ ...services, now: () => noon + day })).toEqual({
      signIns: 1,
      messages: 0,
      uploads: 0,
      unused: 0,
    });
  });

  it("deletes compile caches of earlier versions' commands", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'keeping-'));
    vi.stubEnv('VAR_DIR', folder);
    try {
      const compiled = async (file: string, usedAt: number) => {
        const whole = path.join(folder, 'compiled', file);
        await mkdir(path.dirname(whole), { recursive: true });
        await writeFile(whole, 'compiled');
        // Written long ago: deletion depends on the last read.
        await utimes(whole, usedAt, Math.min(usedAt, noon - 100 * day));
        return whole;
      };
      const now = noon + 6 * day;
      const before = await compiled('v22/old', now - 31 * day);
      const unused = await compiled('v24/old', now - 31 * day);
      const used = await compiled('v24/new', now - 29 * day);
      await runRetention({ ...school().services, database: school().database, now: () => now });
      expect([path.dirname(before), unused, used].filter((one) => existsSync(one))).toEqual([used]);
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });

  it('deletes data that was kept forever before', async () => {
    const { db } = school().database;
    const { people, classes, periods } = school();
    const old = noon - 400 * day;
    const staff_id = people.teacher.id;
    const countRows = async (table: 'homework_draft' | 'calendar_feed' | 'accepted_request' | 'learner_code') =>
      (await db.selectFrom(table).selectAll().execute()).length;
    const form = { owner_id: staff_id, form: '{}' };
    await db
      .insertInto('homework_draft')
      .values([
        { ...form, saved_at: noon - 31 * day },
        { ...form, saved_at: noon - 29 * day },
      ])
      .execute();
    const feed = { staff_id, class_id: null, used_at: null, created_at: old };
    await db
      .insertInto('calendar_feed')
      .values([
        { ...feed, token_hash: 'a', revoked_at: old },
        { ...feed, token_hash: 'b', revoked_at: null },
      ])
      .execute();
    const request = { staff_id, request: 'x', content_hash: null, answer: '{}' };
    await db
      .insertInto('accepted_request')
      .values([
        { ...request, idempotency_key: 'a', accepted_at: noon - 2 * day },
        { ...request, idempotency_key: 'b', accepted_at: noon },
      ])
      .execute();
    const code = { code_hash: '', first_sent_at: old, sent: 1 };
    const [one, other] = school().students.k2 as [number, number];
    await db
      .insertInto('learner_code')
      .values([
        { ...code, student_id: one, sent_at: noon - 3 * day },
        { ...code, student_id: other, sent_at: noon },
      ])
      .execute();
    // Former marks go; the roll call's row stays.
    const call = { staff_id, class_id: classes.k1, period_id: periods.mine, session_id: null, undone_at: null };
    const [first, second] = await db
      .insertInto('roll_call')
      .values([
        { ...call, at: noon - 181 * day },
        { ...call, at: noon - 179 * day },
      ])
      .returning('id')
      .execute();
    for (const { id } of [first, second] as { id: number }[])
      await db
        .insertInto('roll_call_mark')
        .values({ roll_call_id: id, record_id: 1, before: '{}', after: '{}' })
        .execute();
    // An export's expiry notice and file last a week.
    const key = school().services.storage;
    const kept = await key.put(
      (async function* () {
        yield new TextEncoder().encode('x');
      })(),
      { extension: 'txt', limit: 10 },
    );
    const storage_key = 'ok' in kept ? kept.ok.key : '';
    const made = { staff_id, name: '表', content_type: 'x', state: 2 as const, updated_at: 0 };
    await db
      .insertInto('export_file')
      .values([
        { ...made, token: 'a', storage_key, created_at: noon - 8 * day },
        { ...made, token: 'b', storage_key: null, created_at: noon - 6 * day },
      ])
      .execute();

    const services = { ...school().services, database: school().database, now: () => noon + 2 * day };
    const before = { ...services, now: () => noon };
    await db.deleteFrom('setting').where('name', 'in', ['kept_on', 'keeping']).execute();
    expect(await runRetention(before)).toBeDefined();
    expect(await countRows('homework_draft')).toBe(1);
    expect(await countRows('calendar_feed')).toBe(1);
    expect(await countRows('accepted_request')).toBe(1);
    expect(await countRows('learner_code')).toBe(1);
    expect(await db.selectFrom('roll_call_mark').select('roll_call_id').execute()).toEqual([
      { roll_call_id: second?.id },
    ]);
    expect((await db.selectFrom('roll_call').select('id').execute()).length).toBe(2);
    expect(await db.selectFrom('export_file').select('token').execute()).toEqual([{ token: 'b' }]);
    expect(await key.stat(storage_key)).toBeNull();

    // A failed run repeats the day.
    const failing = {
      ...services,
      storage: { ...services.storage, removeAbandoned: () => Promise.reject(new Error('away')) },
    };
    await expect(runRetention(failing)).rejects.toThrow('away');
    expect(await runRetention(services)).toBeDefined();
    expect(await runRetention(services)).toBeUndefined();
  });
});
