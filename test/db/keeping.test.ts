/** Once a day what is older than the school keeps it goes, and nothing else. */
import { expect, it } from 'vitest';
import { keepWithin } from '#server/keeping.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const day = 24 * 60 * 60;

onBothEngines('what is kept for so many days', (school) => {
  it('goes when they are over, once a day', async () => {
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
        // However old: it has not arrived yet.
        message('waits', null),
      ])
      .execute();
    const services = { ...school().services, database: school().database, now: () => noon };
    expect(await keepWithin(services)).toEqual({ signIns: 1, messages: 1, uploads: 0 });
    const devices = await db.selectFrom('sign_in').select('device').where('device', 'like', '%o%').execute();
    expect(devices.map((one) => one.device)).toEqual(['of this year']);
    const left = await db.selectFrom('sms_outbox').select('message_id').orderBy('message_id').execute();
    expect(left.map((one) => one.message_id)).toEqual(['new', 'waits']);
    // Another process that looks on the same day does nothing; the next day is one of its own.
    await db
      .insertInto('sign_in')
      .values(signIn('later found', noon - 400 * day))
      .execute();
    expect(await keepWithin(services)).toBeUndefined();
    expect(await keepWithin({ ...services, now: () => noon + day })).toEqual({ signIns: 1, messages: 0, uploads: 0 });
  });
});
