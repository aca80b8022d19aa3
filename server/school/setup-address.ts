/**
 * The address at which an empty school is set up: printed when the server starts, good for one day and once. Of it the
 * database holds when it was made and nothing else; every process that shares the session secret tells the same one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Seconds. */
const openFor = 24 * 60 * 60;
const name = 'setup';

const codeOf = (madeAt: string): string =>
  createHmac('sha256', sessionSecrets()[0]).update(`setup ${madeAt}`).digest('base64url').slice(0, 32);

/** The end of the address; undefined where somebody is there already. One that is over is made anew. */
export async function setupCode(db: Database, now: number): Promise<string | undefined> {
  const anyone = await db.selectFrom('staff').select('id').limit(1).executeTakeFirst();
  if (anyone) return undefined;
  await db
    .insertInto('setting')
    .values({ name, value: String(now) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: String(now) })
        .where('setting.value', '<', String(now - openFor)),
    )
    .execute();
  const made = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return codeOf(made.value);
}

/** Whether a code is that of the address in force. */
export async function isSetupCode(db: Database, code: string, now: number): Promise<boolean> {
  const made = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  if (!made || Number(made.value) < now - openFor) return false;
  const [expected, given] = [Buffer.from(codeOf(made.value)), Buffer.from(code)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Takes the address back for good: of two who use it at the same time one alone is answered true. */
export async function useSetupAddress(db: Database): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('setting').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
