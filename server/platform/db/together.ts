/**
 * What many ask for in the same moment is written together: in one transaction, with one commit, by as many statements as
 * one alone would need. Whoever comes while others are being written is one of the next; nobody waits for company, unless
 * there is a crowd: then a group begins a moment after the one before it, and is the larger. Who is in no hurry says for how
 * long they wait for others to come.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, isDatabaseAway } from './engine.ts';
import { briefly, requestPatience } from './patience.ts';
import type { Tables } from './schema.ts';

interface Waiting<Item, Result> {
  item: Item;
  /** By `performance.now()`: later it waits for no company. */
  until: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Lane<Item, Result> {
  waiting: Waiting<Item, Result>[];
  busy: boolean;
  /** Of a group that waits for company: it has become impatient. */
  begin?: (() => void) | undefined;
}

/** More than these at once are a crowd. */
const few = 2;

/**
 * Hands items to `work`, at most so many at once, and each its result, in the order of the items. Those of one `lane` are
 * written one group after the other: what they all change, such as a sum, is theirs to name there. Where a group fails
 * otherwise than by a database that is away, each of it is tried alone, so that one's fault is not everybody's.
 */
export function together<Item, Result>(
  most: number,
  work: (db: Database, items: readonly Item[], lane: number) => Promise<readonly Result[]>,
  /** Milliseconds from the beginning of one group of a crowd to that of the next. */
  { apart = 20 }: { apart?: number } = {},
) {
  const lanesOf = new WeakMap<object, Map<number, Lane<Item, Result>>>();

  const write = async (db: Database, lane: number, group: readonly Waiting<Item, Result>[]): Promise<void> => {
    const items = group.map(({ item }) => item);
    // As a request does.
    const results = await briefly(requestPatience, () => work(db, items, lane));
    for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
  };
  /** Until one of them waits no longer, or as many have come as go together. */
  const company = async (lane: Lane<Item, Result>): Promise<void> => {
    const left = Math.min(...lane.waiting.map(({ until }) => until)) - performance.now();
    if (left <= 0 || lane.waiting.length >= most) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      lane.begin = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    lane.begin = undefined;
  };
  const writeAll = async (db: Database, name: number, lane: Lane<Item, Result>): Promise<void> => {
    lane.busy = true;
    // Those who come in the same turn of the loop go together.
    await nextTurn();
    while (lane.waiting.length > 0) {
      await company(lane);
      const began = performance.now();
      const group = lane.waiting.splice(0, most);
      try {
        await write(db, name, group);
      } catch (error) {
        if (isDatabaseAway(error)) {
          // The others would wait for it as long again.
          for (const { reject } of [...group, ...lane.waiting.splice(0)]) reject(error);
        } else if (group.length === 1) group[0]?.reject(error);
        else for (const one of group) await write(db, name, [one]).catch(one.reject);
      }
      const left = apart - (performance.now() - began);
      const isCrowd = Math.max(group.length, lane.waiting.length) > few && lane.waiting.length < most;
      if (isCrowd && left > 0) await pause(left);
    }
    // Before anything else happens: whoever comes from now on begins anew.
    lane.busy = false;
    lanesOf.get(db.getExecutor().adapter)?.delete(name);
  };
  /** `wait`: milliseconds for which this one waits for others. */
  return (db: Database, lane: number, item: Item, { wait = 0 }: { wait?: number } = {}): Promise<Result> => {
    const { adapter } = db.getExecutor();
    const lanes = lanesOf.get(adapter) ?? new Map<number, Lane<Item, Result>>();
    lanesOf.set(adapter, lanes);
    const known = lanes.get(lane) ?? { waiting: [], busy: false };
    lanes.set(lane, known);
    return new Promise((resolve, reject) => {
      known.waiting.push({ item, until: performance.now() + wait, resolve, reject });
      if (!known.busy) void writeAll(db, lane, known);
      else if (wait === 0 || known.waiting.length >= most) known.begin?.();
    });
  };
}

/**
 * Sets the same columns, all of them whole numbers or null, of several rows of a table, each to values of its own. `within`
 * is true of each of them, and says where to look for them.
 */
export async function changeEach<Table extends keyof Tables & string>(
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
