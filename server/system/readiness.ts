/** Readiness check of database, storage and migrations. Cached for some seconds, however often it is requested. */
import { setTimeout as pause } from 'node:timers/promises';
import { stateOfSchema } from '#server/schema/migrate.ts';
import type { Services } from '#server/school/context.ts';
import type { ReadinessName, ReadinessState } from './rules.ts';

export type Readiness = Record<ReadinessName, ReadinessState>;
type ReadinessServices = Pick<Services, 'database' | 'storage' | 'log'>;

/** Milliseconds: lifetime of a cached result, and timeout of a check. */
const holds = 3_000;
const checkTimeout = 2_000;

interface CachedReadiness {
  at: number;
  found: Promise<ReadinessState>;
}
/** Cached results by the checked object; in tests one process has several databases. */
const looked = new WeakMap<object, CachedReadiness>();

function checkOnce(of: object, look: () => Promise<ReadinessState>): Promise<ReadinessState> {
  const before = looked.get(of);
  if (before && performance.now() - before.at < holds) return before.found;
  const found = look();
  looked.set(of, { at: performance.now(), found });
  return found;
}

/** Checks the database at each call, with its own timeout. The results for storage and migrations are cached. */
export async function checkReadiness({ database, storage, log }: ReadinessServices): Promise<Readiness> {
  const away = (what: string) => (error: unknown) => {
    log.warn({ err: error }, `${what} not ready`);
    return 'away' as const;
  };
  const check = async (): Promise<ReadinessState> => {
    await database.ping();
    return 'up';
  };
  const reached = async (): Promise<ReadinessState> => {
    const late = pause(checkTimeout, 'late' as const, { ref: false });
    if ((await Promise.race([storage.check(), late])) === 'late')
      throw new Error('the storage does not answer in time');
    return 'up';
  };
  const migrated = async (): Promise<ReadinessState> => {
    const { toDo, unknown } = await stateOfSchema(database.db);
    if (toDo.length > 0) return 'pending';
    return unknown.length > 0 ? 'newer' : 'up';
  };
  const [state, files] = await Promise.all([
    check().catch(away('database')),
    checkOnce(storage, () => reached().catch(away('storage'))),
  ]);
  // Skips the migration check if the database is away.
  const schema = state === 'up' ? await checkOnce(database, () => migrated().catch(away('migrations'))) : state;
  return { database: state, storage: files, migrations: schema };
}
