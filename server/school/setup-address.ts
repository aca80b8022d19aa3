/**
 * One-time address to set up an empty school: valid for a day, until somebody can sign in. The database stores only its
 * time of creation; processes with the same session secret derive the same code.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { varFolder } from '#server/platform/db/location.ts';

/** Seconds of validity. */
const openFor = 24 * 60 * 60;
const name = 'setup';

const codeOf = (madeAt: string): string =>
  createHmac('sha256', sessionSecrets()[0]).update(`setup ${madeAt}`).digest('base64url').slice(0, 32);

/** True if the school has staff. */
export const isInhabited = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Returns the code of the address, renewed if it has expired; undefined if the school has staff. */
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

/** True if the code is valid now. */
export async function isSetupCode(db: Database, code: string, now: number): Promise<boolean> {
  const made = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  if (!made || Number(made.value) < now - openFor) return false;
  const [expected, given] = [Buffer.from(codeOf(made.value)), Buffer.from(code)];
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
  return !(await isInhabited(db));
}

/** Uses the address up; call inside a transaction. True for only one caller, and only if there is no staff. */
export async function useSetupAddress(db: Database): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('setting').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n && !(await isInhabited(db));
}

const addressFile = () => path.join(varFolder(), 'setup-address');

/** Writes the address into a file that only its owner can read; returns the file's name. */
export function storeSetupAddress(address: string): string {
  removeSetupAddress();
  writeFileSync(addressFile(), `${address}\n`, { mode: 0o600 });
  return addressFile();
}

export function removeSetupAddress(): void {
  rmSync(addressFile(), { force: true });
}
