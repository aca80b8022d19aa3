/**
 * Sends what stands in the outbox: at least once, and never again once the receiver has said that it has it. Several
 * processes may send from one database: each takes a few messages at a time on a lease. Small rounds with pauses
 * between them, so that a message to ten thousand people does not make anybody's page wait.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import type { Deliver } from './delivery.ts';

export interface SenderSettings {
  database: OpenDatabase;
  log: Log;
  deliver: Deliver;
  /** Unix seconds. */
  now: () => number;
  /** Messages of one round; default 20. */
  chunk?: number;
  /** Messages on their way at the same time; default 4. */
  abreast?: number;
  /** Milliseconds between two rounds while messages wait; default 100. */
  rest?: number;
  /** Milliseconds until the outbox is looked into again when it was empty; default 2,000. */
  idle?: number;
}

export interface Sender {
  /** One round. Answers how many were taken on and how many of these arrived. */
  round(): Promise<{ taken: number; arrived: number }>;
  /** Rounds until `stop`. */
  start(): void;
  /** Resolves when what is on its way has been noted; what was taken and not begun is given back. */
  stop(): Promise<void>;
}

/** Seconds for which a message belongs to the process that took it: longer than a round can last. */
const lease = 120;
/** Milliseconds of the longest wait when nobody answers. */
const longestWait = 60_000;

/** Seconds until a message is tried again after so many tries: 5, 10, 20 … a quarter of an hour at most. */
export const backoff = (tries: number): number => Math.min(900, 5 * 2 ** Math.min(tries - 1, 10));

interface ClaimedMessage {
  id: number;
  message_id: string;
  mobile: string;
  content: string;
  tries: number;
  webhook_id: number | null;
}

export function createSender(settings: SenderSettings): Sender {
  const { database, log, deliver, now, chunk = 20, abreast = 4, rest = 100, idle = 2_000 } = settings;
  const { db } = database;
  const stopping = new AbortController();
  /** Arrived, but not noted yet, because the database was away just then. */
  const unnoted = new Set<number>();
  let running: Promise<void> | undefined;
  let current: Promise<unknown> | undefined;

  async function round() {
    await noteArrivals(db, unnoted, now());
    const taken = await take(database, { chunk, now: now() });
    const failures = new Map<ClaimedMessage, string>();
    const waiting = [...taken];
    const sendOneByOne = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (stopping.signal.aborted) {
          waiting.unshift(next);
          return;
        }
        const { id, message_id, mobile, content, webhook_id } = next;
        try {
          await deliver({ id: message_id, mobile, content, ...(webhook_id !== null && { webhookId: webhook_id }) });
          unnoted.add(id);
        } catch (error) {
          failures.set(next, error instanceof Error ? error.message : String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: abreast }, sendOneByOne));
    const arrived = unnoted.size;
    await noteArrivals(db, unnoted, now());
    await noteFailures(db, failures, now());
    await giveBack(db, waiting, now());
    if (failures.size > 0) {
      log.warn({ failed: failures.size, reason: [...failures.values()][0] }, 'text messages not accepted, kept');
    }
    return { taken: taken.length, arrived };
  }

  async function rounds() {
    let fruitless = 0;
    while (!stopping.signal.aborted) {
      let wait = idle;
      try {
        const working = round();
        current = working;
        const { taken, arrived } = await working;
        fruitless = taken > 0 && arrived === 0 ? fruitless + 1 : 0;
        if (taken === chunk) wait = rest;
      } catch (error) {
        fruitless += 1;
        log.error({ err: error }, 'text messages could not be sent');
      }
      // A receiver or a database that is away is not asked without end.
      if (fruitless > 0) wait = Math.min(longestWait, 1_000 * 2 ** (fruitless - 1));
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    round,
    start() {
      running ??= rounds();
    },
    async stop() {
      stopping.abort();
      await current?.catch(() => {});
      await running;
    },
  };
}

/** Takes the messages that are due, the longest waiting first, so that nobody else sends them meanwhile. */
async function take(database: OpenDatabase, { chunk, now }: { chunk: number; now: number }): Promise<ClaimedMessage[]> {
  const due = (db: Database) =>
    db
      .selectFrom('sms_outbox')
      .select(['id', 'message_id', 'mobile', 'content', 'tries', 'webhook_id'])
      .where('delivered_at', 'is', null)
      .where('next_try_at', '<=', now)
      // The first of its lane: whoever has taken that has not noted yet that it arrived.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sms_outbox as earlier')
              .select('earlier.id')
              .whereRef('earlier.lane', '=', 'sms_outbox.lane')
              .where('earlier.lane', '<>', '')
              .where('earlier.delivered_at', 'is', null)
              .whereRef('earlier.id', '<', 'sms_outbox.id'),
          ),
        ),
      )
      .orderBy('next_try_at')
      .orderBy('id')
      .limit(chunk);
  // Looked at before it is locked: an empty outbox costs no write.
  if ((await due(database.db).limit(1).execute()).length === 0) return [];
  return database.db.transaction().execute(async (trx) => {
    const taken = await (database.engine === 'postgres' ? due(trx).forUpdate().skipLocked() : due(trx)).execute();
    if (taken.length > 0) {
      await trx
        .updateTable('sms_outbox')
        .set({ next_try_at: now + lease })
        .where('id', 'in', idsOf(taken))
        .execute();
    }
    return taken;
  });
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** Empties `arrived` when they are noted; when the database is away they stay in it, and are not sent again. */
async function noteArrivals(db: Database, arrived: Set<number>, now: number): Promise<void> {
  if (arrived.size === 0) return;
  const ids = [...arrived];
  await db
    .updateTable('sms_outbox')
    .set({ delivered_at: now, tries: sql`tries + 1`, last_error: '' })
    .where('id', 'in', ids)
    .execute();
  for (const id of ids) arrived.delete(id);
}

/** Those that failed equally often wait equally long. */
async function noteFailures(db: Database, failures: ReadonlyMap<ClaimedMessage, string>, now: number): Promise<void> {
  const alike = new Map<string, { tries: number; reason: string; ids: number[] }>();
  for (const [{ id, tries }, reason] of failures) {
    const key = `${tries} ${reason}`;
    const group = alike.get(key) ?? { tries: tries + 1, reason, ids: [] };
    group.ids.push(id);
    alike.set(key, group);
  }
  for (const { tries, reason, ids } of alike.values()) {
    await db
      .updateTable('sms_outbox')
      .set({ tries, next_try_at: now + backoff(tries), last_error: reason.slice(0, 200) })
      .where('id', 'in', ids)
      .execute();
  }
}

async function giveBack(db: Database, waiting: readonly ClaimedMessage[], now: number): Promise<void> {
  if (waiting.length === 0) return;
  await db.updateTable('sms_outbox').set({ next_try_at: now }).where('id', 'in', idsOf(waiting)).execute();
}
