/**
 * The address at which an empty school is set up: good for one day, once, and until somebody is there. The database holds
 * only when it was made; every process that shares the session secret derives the same one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { varFolder } from '#server/platform/db/location.ts';

/** Seconds. */
const openFor = 24 * 60 * 60;
const name = 'setup';

const codeOf = (madeAt: string): string =>
  createHmac('sha256', sessionSecrets()[0]).update(`setup ${madeAt}`).digest('base64url').slice(0, 32);

/** Somebody can sign in. */
export const isInhabited = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;

/** The end of the address; undefined where somebody is there already. One that is over is made anew. */
export async function setupCode(db: Database, now: number): Promise<string | undefined> {
  if (await isInhabited(db)) return undefined;
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
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
  return !(await isInhabited(db));
}

/** Takes the address back for good, within a transaction. True for one caller at most, and only while nobody is there. */
export async function useSetupAddress(db: Database): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('setting').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n && !(await isInhabited(db));
}

const addressFile = () => path.join(varFolder(), 'setup-address');

/** Writes the address into a file of the data folder that only its owner reads, and answers the file's name. */
export function keepSetupAddress(address: string): string {
  removeSetupAddress();
  writeFileSync(addressFile(), `${address}\n`, { mode: 0o600 });
  return addressFile();
}

export function removeSetupAddress(): void {
  rmSync(addressFile(), { force: true });
}
