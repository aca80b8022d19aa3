/**
 * One-time address at which an empty school is set up. It is valid for a day, as long as nobody can sign in. The
 * database only stores when it was created; all processes with the same session secret derive the same code from that.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { varFolder } from '#server/platform/db/location.ts';

/** Seconds for which the address is valid. */
const openFor = 24 * 60 * 60;
const name = 'setup';

const codeOf = (madeAt: string): string =>
  createHmac('sha256', sessionSecrets()[0]).update(`setup ${madeAt}`).digest('base64url').slice(0, 32);

/** True if the school has any staff. */
export const isInhabited = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Returns the code of the address, a new one if it has expired; undefined if the school has staff. */
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

/**
 * Invalidates the address; call inside a transaction. Returns true for only one caller, and only while there is no
 * staff.
 */
export async function claimSetupAddress(db: Database): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('setting').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n && !(await isInhabited(db));
}

const addressFile = () => path.join(varFolder(), 'setup-address');

/** Writes the address to a file that only its owner can read; returns the file's name. */
export function storeSetupAddress(address: string): string {
  removeSetupAddress();
  writeFileSync(addressFile(), `${address}\n`, { mode: 0o600 });
  return addressFile();
}

export function removeSetupAddress(): void {
  rmSync(addressFile(), { force: true });
}
