/**
 * Sends the messages of the outbox. A message is sent again until its receiver accepts it, and never after that.
 * Several processes can send from one database; each takes a few messages under a lease. Batches are small, with pauses
 * between them, so that a message to ten thousand people does not slow down pages.
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
  /** Messages per batch; 20 by default. */
  chunk?: number;
  /** Number of deliveries at the same time; 4 by default. */
  abreast?: number;
  /** Milliseconds between two batches; 100 by default. */
  rest?: number;
  /** Milliseconds between two checks of an empty outbox; 2,000 by default. */
  idle?: number;
}

export interface Sender {
  /** Sends one batch; returns how many messages were taken and delivered. */
  round(): Promise<{ taken: number; arrived: number }>;
  /** Sends batches until `stop`. */
  start(): void;
  /** Stops sending: waits until running deliveries are recorded, and releases messages that were not started. */
  stop(): Promise<void>;
}

/** Lease of a message in seconds; longer than a batch can take. */
const lease = 120;
/** Maximum milliseconds between two batches while all deliveries fail. */
const longestWait = 60_000;

/** Seconds until a message is retried after this many attempts: 5, 10, 20 … at most 15 minutes. */
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
  /** Ids of messages that are delivered, but not recorded as such because the database was away. */
  const unnoted = new Set<number>();
  let running: Promise<void> | undefined;
  let current: Promise<unknown> | undefined;

  async function round() {
    await noteArrivals(db, unnoted, now());
    const taken = await takeDueMessages(database, { chunk, now: now() });
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
    await releaseMessages(db, waiting, now());
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
      // The pause grows while the receivers or the database are away.
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

/** Takes due messages on a lease, the longest waiting first. */
async function takeDueMessages(
  database: OpenDatabase,
  { chunk, now }: { chunk: number; now: number },
): Promise<ClaimedMessage[]> {
  const due = (db: Database) =>
    db
      .selectFrom('sms_outbox')
      .select(['id', 'message_id', 'mobile', 'content', 'tries', 'webhook_id'])
      .where('delivered_at', 'is', null)
      .where('next_try_at', '<=', now)
      // Takes only the first undelivered message of each lane, so that the order is kept.
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
  // Reads before it locks, so that checking an empty outbox costs no write.
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

/**
 * Records deliveries and empties `arrived`. If the database is away the ids stay in the set, so that their messages are
 * not sent again.
 */
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

/** Records failures. Messages with the same number of attempts get the same backoff, in one statement. */
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

async function releaseMessages(db: Database, waiting: readonly ClaimedMessage[], now: number): Promise<void> {
  if (waiting.length === 0) return;
  await db.updateTable('sms_outbox').set({ next_try_at: now }).where('id', 'in', idsOf(waiting)).execute();
}
