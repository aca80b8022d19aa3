/**
 * Whether this version serves a school on a database that it has just migrated, asked before the migration is committed: then
 * what is found is taken back with it, and nobody has written anything meanwhile that would be lost.
 */
import { sql } from 'kysely';
import { apiRouter, subjects } from '#server/api.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { AnyCall } from '#server/platform/calls/call.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { addressFor } from '#server/school/call.ts';
import type { Services } from '#server/school/context.ts';

/** Milliseconds: others wait for the tables that are being changed, so what has not been asked by then is not asked. */
const longest = 2_000;

/** What can be asked without knowing any record, in the order of the subjects. */
const lists: readonly AnyCall[] = subjects
  .flatMap(({ calls }) => calls)
  .map(({ call }) => call)
  .filter(({ method, changes, file }) => method === 'GET' && !changes && !file);

/**
 * Asks within the transaction `db` whether the process is ready, and as somebody of each identity what can be asked without
 * knowing a record; of all this nothing stays. Answers what went wrong, undefined where nothing did. What is refused or is
 * late is no fault: a large school may have cold disks.
 */
export async function faultOfServing(services: Services, db: Database): Promise<string | undefined> {
  const api = apiRouter({ ...services, database: { ...services.database, db } });
  const began = performance.now();
  /** A statement that fails would spoil the whole transaction on PostgreSQL. */
  const aside = async <T>(work: () => Promise<T>): Promise<T> => {
    await sql`savepoint trial`.execute(db);
    try {
      return await work();
    } finally {
      await sql`rollback to savepoint trial`.execute(db);
      await sql`release savepoint trial`.execute(db);
    }
  };
  const asked = async (address: string, token = '') => {
    const headers = { authorization: `Bearer ${token}` };
    return await api.fetch(new Request(`http://trial${address}`, { headers }));
  };
  return withoutDeadline(async () => {
    const ready = await aside(() => asked('/readyz'));
    const { data } = (await ready.json()) as { data?: { migrations?: string } };
    if (data?.migrations !== 'up') return `GET /readyz says of the migrations: ${data?.migrations ?? ready.status}`;
    for (const identity of identities) {
      const person = await db
        .selectFrom('staff')
        .select('id')
        .where('identity', '=', identity)
        .where('disabled_at', 'is', null)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      if (!person) continue;
      for (const call of lists) {
        const address = addressFor(call, identity);
        if (address === undefined || address.includes(':')) continue;
        if (performance.now() - began > longest) return undefined;
        const { status } = await aside(async () =>
          asked(address, await issueToken(db, person.id, { device: '', address: '', now: services.now() })),
        );
        if (status === 500) return `GET ${address} answers 500`;
      }
    }
    return undefined;
  });
}
