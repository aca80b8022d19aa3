/**
 * Group commit: batches concurrent writes into one transaction. Writes that arrive during a batch form the next batch.
 * A lone write starts at once; with more than two concurrent writers a batch starts 20 ms after the previous one, so
 * that it fills. A writer may also ask to wait for others. An example:
 *
 * `const start = groupCommit(200, (db, takings) => db.transaction().execute((trx) => startAll(trx, takings)))`
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { requestDeadline, withDeadline } from './deadline.ts';
import { type Database, isDatabaseAway } from './engine.ts';
import type { Tables } from './schema.ts';

interface WaitingItem<Item, Result> {
  item: Item;
  /** Time (`performance.now()`) until which this item may wait for others to join its batch. */
  until: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Queue<Item, Result> {
  waiting: WaitingItem<Item, Result>[];
  busy: boolean;
  /** Starts the batch that is waiting to fill. */
  begin?: (() => void) | undefined;
}

/** With more concurrent writers than this, batches wait a moment to fill. */
const crowdSize = 2;

/**
 * Returns a function that queues an item and resolves to its result. `work` writes a batch of at most `maxBatch` items.
 * Batches of one `key` run one after the other, so they may update shared rows, such as a sum. If a batch fails, each
 * item is retried alone, unless the database is away.
 */
export function groupCommit<Item, Result>(
  maxBatch: number,
  work: (db: Database, items: readonly Item[], key: number) => Promise<readonly Result[]>,
  /** Milliseconds between the starts of two batches in a crowd. */
  { batchInterval = 20 }: { batchInterval?: number } = {},
) {
  const queuesOf = new WeakMap<object, Map<number, Queue<Item, Result>>>();

  const write = async (db: Database, key: number, group: readonly WaitingItem<Item, Result>[]): Promise<void> => {
    const items = group.map(({ item }) => item);
    const results = await withDeadline(requestDeadline, () => work(db, items, key));
    for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
  };
  /** Waits until the first item's wait is over, or the batch is full. */
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
    // Items queued in the same turn of the event loop share a batch.
    await nextTurn();
    while (queue.waiting.length > 0) {
      await waitForMore(queue);
      const began = performance.now();
      const group = queue.waiting.splice(0, maxBatch);
      try {
        await write(db, key, group);
      } catch (error) {
        if (isDatabaseAway(error)) {
          // Rejects the queued items too, because each of them would wait for the full timeout again.
          for (const { reject } of [...group, ...queue.waiting.splice(0)]) reject(error);
        } else if (group.length === 1) group[0]?.reject(error);
        else for (const one of group) await write(db, key, [one]).catch(one.reject);
      }
      const left = batchInterval - (performance.now() - began);
      const isCrowd = Math.max(group.length, queue.waiting.length) > crowdSize && queue.waiting.length < maxBatch;
      if (isCrowd && left > 0) await pause(left);
    }
    // There must be no `await` between the loop's last check and this line: a new item would join a queue that nobody
    // works on any more.
    queue.busy = false;
    queuesOf.get(db.getExecutor().adapter)?.delete(key);
  };
  /** `wait`: milliseconds that this item may wait for others to join its batch. */
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
 * Updates many rows in one statement, each to its own values; all columns are integers or null. `within` is a condition
 * that all of the rows fulfil, so that PostgreSQL reads few partitions.
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
  // PostgreSQL cannot infer the type of a value in a `values` list.
  const numberOf = (value: number | null | undefined) => sql`cast(${value ?? null} as bigint)`;
  const values = rows.map((row) => sql`(${sql.join(['id', ...columns].map((name) => numberOf(row[name])))})`);
  await sql`
    with change (${sql.join(['id', ...columns].map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
    update ${sql.table(table)}
    set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = change.${sql.ref(name)}`))}
    from change where ${sql.table(table)}.id = change.id and ${within}`.execute(db);
}
