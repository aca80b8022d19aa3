/** Whether this process can answer: what it needs, asked at most every few seconds however many ask. */
import { setTimeout as pause } from 'node:timers/promises';
import { stateOfSchema } from '#server/schema/migrate.ts';
import type { Services } from '#server/school/context.ts';
import type { ReadinessName, ReadinessState } from './rules.ts';

export type Readiness = Record<ReadinessName, ReadinessState>;
type Asked = Pick<Services, 'database' | 'storage' | 'log'>;

/** Milliseconds: what is found holds for so long, and who does not answer within the other is away. */
const holds = 3_000;
const patience = 2_000;

interface Looked {
  at: number;
  found: Promise<ReadinessState>;
}
/** By what they were asked of: tests have several of each in one process. */
const looked = new WeakMap<object, Looked>();

function askedOnce(of: object, look: () => Promise<ReadinessState>): Promise<ReadinessState> {
  const before = looked.get(of);
  if (before && performance.now() - before.at < holds) return before.found;
  const found = look();
  looked.set(of, { at: performance.now(), found });
  return found;
}

/** The database each time, which its own limit answers for; the others as they were a moment ago. */
export async function readiness({ database, storage, log }: Asked): Promise<Readiness> {
  const away = (what: string) => (error: unknown) => {
    log.warn({ err: error }, `${what} not ready`);
    return 'away' as const;
  };
  const asked = async (): Promise<ReadinessState> => {
    await database.ping();
    return 'up';
  };
  const reached = async (): Promise<ReadinessState> => {
    const late = pause(patience, 'late' as const, { ref: false });
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
    asked().catch(away('database')),
    askedOnce(storage, () => reached().catch(away('storage'))),
  ]);
  // A database that does not answer is not asked twice.
  const schema = state === 'up' ? await askedOnce(database, () => migrated().catch(away('migrations'))) : state;
  return { database: state, storage: files, migrations: schema };
}
