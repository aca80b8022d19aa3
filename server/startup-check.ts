/**
 * Checks that this version serves on a database that it has just migrated, before the migration commits. A fault rolls the
 * migration back, and nothing is lost, since nobody has written meanwhile.
 */
import { sql } from 'kysely';
import { apiRouter, subjects } from '#server/api.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { AnyCall } from '#server/platform/calls/call.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pathForIdentity } from '#server/school/call.ts';
import type { Services } from '#server/school/context.ts';

/** Milliseconds after which the remaining calls are skipped, because others wait for the changed tables. */
const maxMilliseconds = 2_000;

/** Reading calls that need no record, in the order of the subjects. */
const lists: readonly AnyCall[] = subjects
  .flatMap(({ calls }) => calls)
  .map(({ call }) => call)
  .filter(({ method, changes, file }) => method === 'GET' && !changes && !file);

/**
 * Checks readiness within the transaction `db`, and asks the reading calls as each identity; all its writes are rolled back.
 * Returns the fault, or undefined. Refusals and timeouts are no faults: a large school may have cold disks.
 */
export async function servingFault(services: Services, db: Database): Promise<string | undefined> {
  const api = apiRouter({ ...services, database: { ...services.database, db } });
  const began = performance.now();
  /** A failed statement would abort the whole transaction on PostgreSQL. */
  const aside = async <T>(work: () => Promise<T>): Promise<T> => {
    await sql`savepoint trial`.execute(db);
    try {
      return await work();
    } finally {
      await sql`rollback to savepoint trial`.execute(db);
      await sql`release savepoint trial`.execute(db);
    }
  };
  const request = async (address: string, token = '') => {
    const headers = { authorization: `Bearer ${token}` };
    return await api.fetch(new Request(`http://trial${address}`, { headers }));
  };
  return withoutDeadline(async () => {
    const ready = await aside(() => request('/readyz'));
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
        const address = pathForIdentity(call, identity);
        if (address === undefined || address.includes(':')) continue;
        if (performance.now() - began > maxMilliseconds) return undefined;
        const { status } = await aside(async () =>
          request(address, await issueToken(db, person.id, { device: '', address: '', now: services.now() })),
        );
        if (status === 500) return `GET ${address} answers 500`;
      }
    }
    return undefined;
  });
}
