/** Service tokens: bearer tokens of a school's applications. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';

/** Minimum seconds between two updates of a token's last use. */
const lastUseInterval = 60;

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/**
 * Creates a token for an application, valid for all schools or for the given ones. Returns the token; the database
 * keeps only its hash.
 */
export async function issueServiceToken(
  db: Database,
  { name, schools, now }: { name: string; schools?: readonly number[]; now: number },
): Promise<{ id: number; token: string }> {
  const token = `app_${randomBytes(32).toString('base64url')}`;
  const { id } = await db
    .insertInto('service_token')
    .values({
      name,
      token_hash: hashOf(token),
      created_at: now,
      used_at: null,
      revoked_at: null,
      every_school: schools ? 0 : 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (schools && schools.length > 0) {
    const bound = schools.map((school_id) => ({ token_id: id, school_id }));
    await db.insertInto('service_token_school').values(bound).execute();
  }
  return { id, token };
}

/**
 * Returns the token of an application that belongs to the product. It derives from `secret`, so it stays the same; it
 * is created if missing and reactivated if revoked.
 */
export async function tokenOfOwnApplication(
  db: Database,
  { name, secret, now }: { name: string; secret: string; now: number },
): Promise<string> {
  const token = `app_${createHmac('sha256', secret).update(name).digest('base64url')}`;
  const token_hash = hashOf(token);
  const known = () =>
    db.selectFrom('service_token').select('revoked_at').where('token_hash', '=', token_hash).executeTakeFirst();
  if (!(await known())) {
    await db
      .insertInto('service_token')
      .values({ name, token_hash, created_at: now, used_at: null, revoked_at: null, every_school: 1 })
      .onConflict((taken) => taken.column('token_hash').doNothing())
      .execute();
  }
  if ((await known())?.revoked_at !== null)
    await db.updateTable('service_token').set({ revoked_at: null }).where('token_hash', '=', token_hash).execute();
  return token;
}

/** Lists active tokens, oldest first. Times in unix seconds. */
export async function listServiceTokens(
  db: Database,
): Promise<{ id: number; name: string; createdAt: number; usedAt: number | null }[]> {
  return db
    .selectFrom('service_token')
    .select(['id', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Revokes a token; returns false if it was not active. */
export async function revokeServiceToken(db: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('service_token')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface Application {
  id: number;
  name: string;
  /** True: valid for all schools. False: valid for the schools in `service_token_school`. */
  everySchool: boolean;
}

/** Per database, tokens whose last use is being written at the moment, so that concurrent requests write it once. */
const noting = new WeakMap<object, Set<number>>();

async function noteUse(db: Database, id: number, now: number): Promise<void> {
  const { adapter } = db.getExecutor();
  const busy = noting.get(adapter) ?? new Set<number>();
  noting.set(adapter, busy);
  if (busy.has(id)) return;
  busy.add(id);
  try {
    await db.updateTable('service_token').set({ used_at: now }).where('id', '=', id).execute();
  } finally {
    busy.delete(id);
  }
}

/** Returns the application of an `Authorization: Bearer app_…` header, or undefined. */
export async function applicationOf(
  db: Database,
  authorization: string | undefined,
  now: number,
): Promise<Application | undefined> {
  const token = /^Bearer\s+(app_[\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const row = await db
    .selectFrom('service_token')
    .select(['id', 'name', 'used_at', 'every_school'])
    .where('token_hash', '=', hashOf(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  if (now - (row.used_at ?? 0) >= lastUseInterval) await noteUse(db, row.id, now);
  return { id: row.id, name: row.name, everySchool: row.every_school === 1 };
}
