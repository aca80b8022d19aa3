/**
 * Group commit: concurrent writes are batched into one transaction, with as many statements as one write would need. Arrivals
 * during a write form the next batch. Nobody waits for others to come, unless there is a crowd: then a batch begins 20 ms
 * after the one before it, and is the larger. A writer in no hurry says how long to wait for others. An example:
 *
 * `const start = groupCommit(200, (db, takings) => db.transaction().execute((trx) => startAll(trx, takings)))`
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { requestDeadline, withDeadline } from './deadline.ts';
import { type Database, isDatabaseAway } from './engine.ts';
import type { Tables } from './schema.ts';

interface Waiting<Item, Result> {
  item: Item;
  /** By `performance.now()`: how long it waits for others. */
  until: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[];
  busy: boolean;
  /** Ends the wait of a batch for more items. */
  begin?: (() => void) | undefined;
}

/** More writers than these at once are a crowd. */
const crowdSize = 2;

/**
 * Hands batches of at most `maxBatch` items to `work`, and each item its result. Batches of one `key` are written one after
 * the other, so `work` may change what they share, such as a sum. Where a batch fails, other than by a database that is
 * away, each of its items is tried alone.
 */
export function groupCommit<Item, Result>(
  maxBatch: number,
  work: (db: Database, items: readonly Item[], key: number) => Promise<readonly Result[]>,
  /** Milliseconds from the beginning of one batch of a crowd to that of the next. */
  { apart = 20 }: { apart?: number } = {},
) {
  const queuesOf = new WeakMap<object, Map<number, Queue<Item, Result>>>();

  const write = async (db: Database, key: number, group: readonly Waiting<Item, Result>[]): Promise<void> => {
    const items = group.map(({ item }) => item);
    const results = await withDeadline(requestDeadline, () => work(db, items, key));
    for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
  };
  /** Waits until one item waits no longer, or the batch is full. */
  const waitForMore = async (queue: Queue<Item, Result>): Promise<void> => {
    const left = Math.min(...queue.waiting.map(({ until }) => until)) - performance.now();
    if (left <= 0 || queue.waiting.length >= maxBatch) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      queue.begin = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    queue.begin = undefined;
  };
  const writeAll = async (db: Database, key: number, queue: Queue<Item, Result>): Promise<void> => {
    queue.busy = true;
    // Items of the same turn of the loop make one batch.
    await nextTurn();
    while (queue.waiting.length > 0) {
      await waitForMore(queue);
      const began = performance.now();
      const group = queue.waiting.splice(0, maxBatch);
      try {
        await write(db, key, group);
      } catch (error) {
        if (isDatabaseAway(error)) {
          // The others would wait as long again.
          for (const { reject } of [...group, ...queue.waiting.splice(0)]) reject(error);
        } else if (group.length === 1) group[0]?.reject(error);
        else for (const one of group) await write(db, key, [one]).catch(one.reject);
      }
      const left = apart - (performance.now() - began);
      const isCrowd = Math.max(group.length, queue.waiting.length) > crowdSize && queue.waiting.length < maxBatch;
      if (isCrowd && left > 0) await pause(left);
    }
    // Before anything else happens: the next item begins anew.
    queue.busy = false;
    queuesOf.get(db.getExecutor().adapter)?.delete(key);
  };
  /** `wait`: milliseconds for which this item waits for others. */
  return (db: Database, key: number, item: Item, { wait = 0 }: { wait?: number } = {}): Promise<Result> => {
    const { adapter } = db.getExecutor();
    const queues = queuesOf.get(adapter) ?? new Map<number, Queue<Item, Result>>();
    queuesOf.set(adapter, queues);
    const known = queues.get(key) ?? { waiting: [], busy: false };
    queues.set(key, known);
    return new Promise((resolve, reject) => {
      known.waiting.push({ item, until: performance.now() + wait, resolve, reject });
      if (!known.busy) void writeAll(db, key, known);
      else if (wait === 0 || known.waiting.length >= maxBatch) known.begin?.();
    });
  };
}

/**
 * Sets the same columns, all of them whole numbers or null, of several rows of a table, each to values of its own. `within`
 * is true of each of them, and says where to look for them.
 */
export async function updateMany<Table extends keyof Tables & string>(
  db: Database,
  table: Table,
  rows: readonly ({ id: number } & Readonly<Record<string, number | null>>)[],
  within: RawBuilder<SqlBool> = sql`true`,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).filter((name) => name !== 'id');
  // What stands in a list has no type of its own on PostgreSQL.
  const numberOf = (value: number | null | undefined) => sql`cast(${value ?? null} as bigint)`;
  const values = rows.map((row) => sql`(${sql.join(['id', ...columns].map((name) => numberOf(row[name])))})`);
  await sql`
    with change (${sql.join(['id', ...columns].map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
    update ${sql.table(table)}
    set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = change.${sql.ref(name)}`))}
    from change where ${sql.table(table)}.id = change.id and ${within}`.execute(db);
}
