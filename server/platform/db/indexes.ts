/**
 * Creates indexes that are added to tables which are large already. This happens in the background while the school
 * works, because a migration would block writes to the table on PostgreSQL. Until then, queries run without the index.
 * An interrupted build is dropped and started again.
 */
import { sql } from 'kysely';
import type { Log } from '#server/platform/monitoring/log.ts';
import { withoutDeadline } from './deadline.ts';
import type { Database, Engine, OpenDatabase } from './engine.ts';

export interface LaterIndex {
  table: string;
  /** SQL after the name of the table, such as `(student_id, id) where handed_in_at is null`. */
  on: string;
  /** The only engine that needs the index; undefined: both. */
  engine?: Engine;
}

/** Indexes by name. A unique index must be in a migration instead, so that no duplicate gets in before it exists. */
export type LaterIndexes = Readonly<Record<string, LaterIndex>>;

/**
 * Creates the missing indexes one after the other; returns their names. On SQLite this blocks writers for seconds if a
 * table is large, so call it before the process serves requests.
 */
export const createMissingIndexes = ({ db, engine }: OpenDatabase, indexes: LaterIndexes): Promise<string[]> =>
  withoutDeadline(async () => {
    const made: string[] = [];
    for (const [name, { table, on, engine: only = engine }] of Object.entries(indexes)) {
      if (only !== engine) continue;
      const isNew = await (engine === 'sqlite' ? createBlocking : createConcurrently)(db, { name, table, on });
      if (isNew) made.push(name);
    }
    return made;
  });

/** Creates the indexes of a new, empty database inside the migration's transaction. */
export async function createInitialIndexes(db: Database, engine: Engine, indexes: LaterIndexes): Promise<void> {
  for (const [name, { table, on, engine: only = engine }] of Object.entries(indexes)) {
    if (only === engine) await create(db, { name, table, on });
  }
}

type NamedIndex = LaterIndex & { name: string };

async function createBlocking(db: Database, wanted: NamedIndex): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'index' and name = ${wanted.name}`.execute(db);
  if (rows.length > 0) return false;
  await create(db, wanted);
  return true;
}

async function create(db: Database, { name, table, on }: NamedIndex): Promise<void> {
  await sql`create index if not exists ${sql.ref(name)} on ${sql.table(table)} ${sql.raw(on)}`.execute(db);
}

/**
 * Creates an index without blocking writes. For a partitioned table: first one index per partition, then the parent
 * index, which future partitions inherit.
 */
async function createConcurrently(db: Database, { name, table, on }: NamedIndex): Promise<boolean> {
  const parts = await sql<{ part: string }>`
    select inhrelid::regclass::text as part from pg_inherits
    join pg_class on pg_class.oid = inhparent and relkind = 'p'
    where inhparent = to_regclass(${table}) order by 1`.execute(db);
  if (parts.rows.length === 0) return createOneConcurrently(db, { name, table, on });
  if ((await stateOf(db, name)) === 'valid') return false;
  await sql`create index if not exists ${sql.ref(name)} on only ${sql.table(table)} ${sql.raw(on)}`.execute(db);
  for (const { part } of parts.rows) {
    const ofPart = `${name}_${part}`;
    await createOneConcurrently(db, { name: ofPart, table: part, on });
    await sql`alter index ${sql.ref(name)} attach partition ${sql.ref(ofPart)}`.execute(db);
  }
  return true;
}

async function createOneConcurrently(db: Database, { name, table, on }: NamedIndex): Promise<boolean> {
  const state = await stateOf(db, name);
  if (state === 'valid') return false;
  if (state === 'being made') throw new Error(`${name} is being made by another process`);
  if (state === 'broken off') await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
  await sql`create index concurrently ${sql.ref(name)} on ${sql.table(table)} ${sql.raw(on)}`.execute(db);
  return true;
}

async function stateOf(db: Database, name: string): Promise<'valid' | 'being made' | 'broken off' | undefined> {
  const { rows } = await sql<{ indisvalid: boolean; is_made: boolean }>`
    select indisvalid, exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid) as is_made
    from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  if (found.indisvalid) return 'valid';
  return found.is_made ? 'being made' : 'broken off';
}

/** Milliseconds until a failed build is retried. */
const retryDelay = 10 * 60 * 1_000;

/** Creates missing indexes in the background of a serving process. Returns a function that stops retrying. */
export function createIndexesInBackground(
  { database, log }: { database: OpenDatabase; log: Pick<Log, 'info' | 'warn'> },
  indexes: LaterIndexes,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = () => {
    createMissingIndexes(database, indexes).then(
      (made) => {
        if (made.length > 0) log.info({ made }, 'indexes were made');
      },
      (error: unknown) => {
        if (isStopped) return;
        log.warn({ err: error }, 'an index could not be made: it is tried again');
        timer = setTimeout(look, retryDelay).unref();
      },
    );
  };
  look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
