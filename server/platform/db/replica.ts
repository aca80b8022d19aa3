/**
 * Reading from a streaming replica: what a call that reads much asks goes there, as soon as the replica has all that was
 * committed when the call first asked; whatever it writes, and all that it asks while the replica is away or far behind,
 * goes to the primary.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processLog } from '#server/platform/monitoring/log.ts';
import { count, measuredBy } from '#server/platform/monitoring/metrics.ts';
import { databaseAwayCode } from './deadline.ts';

/** Milliseconds: for so long it is waited for, and left alone once it did not answer. */
export const replicaPatience = 500;
const leftAlone = 5_000;

/** What one call reads. */
interface Reading {
  /** How far the replica has to be; undefined: to be asked of the primary, which has been written to meanwhile. */
  position: string | undefined;
  isThere: boolean;
  /** It is far behind: this call waits no more for it. */
  isGivenUp: boolean;
}

const readings = new AsyncLocalStorage<Reading>();

/** What `work` only reads may come from the replica, where there is one. */
export function fromReplica<T>(work: () => T): T {
  return readings.getStore() ? work() : readings.run({ position: undefined, isThere: false, isGivenUp: false }, work);
}

/** Of the call that goes on, where it may read from a replica. */
export const currentReading = (): Reading | undefined => readings.getStore();

const plain = /^\s*(?:select|with)\b/i;
const writing =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|nextval|setval|pg_advisory\w*)\b/i;

/** Whether a replica can answer it. One that it cannot after all is asked of the primary. */
export const isPlainReading = (sql: string): boolean => plain.test(sql) && !writing.test(sql);

/** A connection as this needs it. */
export interface Asked {
  query<R>(sql: string, parameters?: readonly unknown[]): Promise<R>;
  release(broken?: boolean): void;
}

/** Of what was committed without waiting for the disk nothing is flushed yet. */
const committed = `select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end::text as position`;
/** A replica that has lost its primary may wait for one that no longer is it. */
const reached = `select pg_is_in_recovery() and exists (select from pg_stat_get_wal_receiver() where pid is not null) as follows,
  pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there`;

class Behind extends Error {}

/** Told by the codes that mean: not here, but perhaps on the primary. The query itself may be wrong as well. */
const isOfReplica = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code;
  // Conflicts with what is replayed, its end, or that it takes no writes; not the time limit of a statement.
  return typeof code === 'string' && code !== '57014' && /^(?:08|53|57|58|25006|40001|40P01)/.test(code);
};

export class Replica {
  /** Rejects within `replicaPatience`. */
  private readonly connect: () => Promise<Asked>;
  private readonly primary: () => Promise<Asked>;
  private awayUntil = 0;
  private isAway = false;

  constructor(connect: () => Promise<Asked>, primary: () => Promise<Asked>) {
    this.connect = connect;
    this.primary = primary;
  }

  /** For what measures: 1 where it is asked. */
  measure(): () => void {
    return measuredBy('replica', (set) => set('replica', this.isAway ? 0 : 1));
  }

  /** What it answers; undefined where the primary has to be asked. */
  async query<R>(reading: Reading, sql: string, parameters?: readonly unknown[]): Promise<{ answer: R } | undefined> {
    if (reading.isGivenUp || performance.now() < this.awayUntil) return this.instead();
    let connection: Asked | undefined;
    let broken = false;
    try {
      connection = await this.connect();
      await this.catchUp(connection, reading);
      const answer = await connection.query<R>(sql, parameters);
      this.isBack();
      count('replicaReads', { server: 'replica' });
      return { answer };
    } catch (error) {
      if (error instanceof Behind) {
        reading.isGivenUp = true;
        return this.instead();
      }
      if ((error as { code?: unknown } | null)?.code === databaseAwayCode || isOfReplica(error)) {
        broken = true;
        this.leave(error);
        return this.instead();
      }
      throw error;
    } finally {
      connection?.release(broken);
    }
  }

  private async catchUp(connection: Asked, reading: Reading): Promise<void> {
    if (reading.isThere) return;
    reading.position ??= await this.committed();
    for (const end = performance.now() + replicaPatience; ; await pause(10)) {
      const asked = connection.query<{ rows: { follows: boolean; is_there: boolean }[] }>(reached, [reading.position]);
      const [state] = (await this.inTime(asked)).rows;
      if (!state?.follows) throw Object.assign(new Error('it follows no primary'), { code: databaseAwayCode });
      reading.isThere = state.is_there;
      if (reading.isThere) return;
      if (performance.now() > end) throw new Behind();
    }
  }

  private async committed(): Promise<string> {
    const connection = await this.primary();
    try {
      const { rows } = await connection.query<{ rows: { position: string }[] }>(committed, []);
      return rows[0]?.position ?? '';
    } finally {
      connection.release();
    }
  }

  /** One that says nothing must not take the time that the request has for the primary. */
  private async inTime<T>(promised: Promise<T>): Promise<T> {
    const late = pause(replicaPatience, undefined, { ref: false }).then(() => {
      promised.catch(() => undefined);
      throw Object.assign(new Error('it does not answer in time'), { code: databaseAwayCode });
    });
    late.catch(() => undefined);
    return Promise.race([promised, late]);
  }

  private instead(): undefined {
    count('replicaReads', { server: 'primary' });
    return undefined;
  }

  private leave(error: unknown): void {
    this.awayUntil = performance.now() + leftAlone;
    if (!this.isAway) processLog().warn({ err: error }, 'the replica is away, the primary is read instead');
    this.isAway = true;
  }

  private isBack(): void {
    if (this.isAway) processLog().info('the replica is read again');
    this.isAway = false;
  }
}

/** Asks the replica what only reads, until something else is asked: from then on it is a connection to the primary. */
export class EitherConnection implements Asked {
  private readonly replica: Replica;
  private readonly primary: () => Promise<Asked>;
  private readonly reading: Reading;
  private connection: Asked | undefined;

  constructor(replica: Replica, primary: () => Promise<Asked>, reading: Reading) {
    this.replica = replica;
    this.primary = primary;
    this.reading = reading;
  }

  async query<R>(sql: string, parameters?: readonly unknown[]): Promise<R> {
    const isReading = isPlainReading(sql);
    if (isReading && !this.connection) {
      const answered = await this.replica.query<R>(this.reading, sql, parameters);
      if (answered) return answered.answer;
    }
    this.connection ??= await this.primary();
    try {
      return await this.connection.query<R>(sql, parameters);
    } finally {
      // What it has written it reads again.
      if (!isReading) Object.assign(this.reading, { position: undefined, isThere: false });
    }
  }

  release(broken?: boolean): void {
    this.connection?.release(broken);
  }
}
