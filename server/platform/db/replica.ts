/**
 * Read replica of PostgreSQL (streaming). Calls that read much query the replica once it has replayed everything that
 * was committed when the call began. Writes go to the primary. Reads go there too while the replica is away or far
 * behind.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processLog } from '#server/platform/monitoring/log.ts';
import { count, registerMeasurement } from '#server/platform/monitoring/metrics.ts';
import { databaseAwayCode } from './deadline.ts';

/** Milliseconds: limit of a query on the replica, and for how long a replica is skipped after it timed out. */
export const replicaTimeout = 500;
const skipAfterTimeout = 5_000;

/** State of the replica within one call. */
interface ReplicaState {
  /**
   * Position in the write-ahead log that the replica must have replayed. Undefined at first and after a write: the
   * primary must be asked.
   */
  position: string | undefined;
  isThere: boolean;
  /** True if the replica was too far behind; the call then uses the primary until its end. */
  isGivenUp: boolean;
}

const readings = new AsyncLocalStorage<ReplicaState>();

/** Lets reads of `work` go to the replica, if there is one. */
export function withReplicaReads<T>(work: () => T): T {
  return readings.getStore() ? work() : readings.run({ position: undefined, isThere: false, isGivenUp: false }, work);
}

/** Returns the replica state of the current call; undefined outside `withReplicaReads`. */
export const currentReplicaState = (): ReplicaState | undefined => readings.getStore();

const plain = /^\s*(?:select|with)\b/i;
const writing =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|nextval|setval|pg_advisory\w*)\b/i;

/**
 * Guesses whether a statement only reads. If it guesses wrong, the replica refuses the statement, which then runs on
 * the primary.
 */
export const isReadOnlyStatement = (sql: string): boolean => plain.test(sql) && !writing.test(sql);

/** The part of a connection that this module needs. */
export interface ReplicaConnection {
  query<R>(sql: string, parameters?: readonly unknown[]): Promise<R>;
  release(broken?: boolean): void;
}

/**
 * Position up to which transactions are committed. With synchronous_commit off, committed data may not be flushed yet,
 * so the insert position counts.
 */
const committedPositionSql = `select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end::text as position`;
/**
 * SQL that says whether the replica has replayed a position, and whether it still follows a primary; a detached one
 * would never catch up.
 */
const hasReplayedSql = `select pg_is_in_recovery() and exists (select from pg_stat_get_wal_receiver() where pid is not null) as follows,
  pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there`;

class Behind extends Error {}

/** True if the query failed because the server is a replica, so that the primary may succeed. */
const isReplicaError = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code;
  // Matches recovery conflict, shutdown and read-only, but not a statement timeout (57014).
  return typeof code === 'string' && code !== '57014' && /^(?:08|53|57|58|25006|40001|40P01)/.test(code);
};

export class Replica {
  /** Opens a connection to the replica; rejects on a timeout. */
  private readonly connect: () => Promise<ReplicaConnection>;
  private readonly primary: () => Promise<ReplicaConnection>;
  private awayUntil = 0;
  private isAway = false;

  constructor(connect: () => Promise<ReplicaConnection>, primary: () => Promise<ReplicaConnection>) {
    this.connect = connect;
    this.primary = primary;
  }

  /** Registers the gauge `replica`: 1 while the replica is used. */
  measure(): () => void {
    return registerMeasurement('replica', (set) => set('replica', this.isAway ? 0 : 1));
  }

  /** Returns the replica's result; undefined if the primary must be asked. */
  async query<R>(
    reading: ReplicaState,
    sql: string,
    parameters?: readonly unknown[],
  ): Promise<{ answer: R } | undefined> {
    if (reading.isGivenUp || performance.now() < this.awayUntil) return this.instead();
    let connection: ReplicaConnection | undefined;
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
      if ((error as { code?: unknown } | null)?.code === databaseAwayCode || isReplicaError(error)) {
        broken = true;
        this.leave(error);
        return this.instead();
      }
      throw error;
    } finally {
      connection?.release(broken);
    }
  }

  private async catchUp(connection: ReplicaConnection, reading: ReplicaState): Promise<void> {
    if (reading.isThere) return;
    reading.position ??= await this.committed();
    for (const end = performance.now() + replicaTimeout; ; await pause(10)) {
      const answer = connection.query<{ rows: { follows: boolean; is_there: boolean }[] }>(hasReplayedSql, [
        reading.position,
      ]);
      const [state] = (await this.inTime(answer)).rows;
      if (!state?.follows) throw Object.assign(new Error('it follows no primary'), { code: databaseAwayCode });
      reading.isThere = state.is_there;
      if (reading.isThere) return;
      if (performance.now() > end) throw new Behind();
    }
  }

  private async committed(): Promise<string> {
    const connection = await this.primary();
    try {
      const { rows } = await connection.query<{ rows: { position: string }[] }>(committedPositionSql, []);
      return rows[0]?.position ?? '';
    } finally {
      connection.release();
    }
  }

  /** The limit is short, so that a replica that does not answer leaves the request enough time for the primary. */
  private async inTime<T>(promised: Promise<T>): Promise<T> {
    const late = pause(replicaTimeout, undefined, { ref: false }).then(() => {
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
    this.awayUntil = performance.now() + skipAfterTimeout;
    if (!this.isAway) processLog().warn({ err: error }, 'the replica is away, the primary is read instead');
    this.isAway = true;
  }

  private isBack(): void {
    if (this.isAway) processLog().info('the replica is read again');
    this.isAway = false;
  }
}

/** Connection that reads from the replica up to the first statement that writes, and then stays with the primary. */
export class ReplicaOrPrimaryConnection implements ReplicaConnection {
  private readonly replica: Replica;
  private readonly primary: () => Promise<ReplicaConnection>;
  private readonly reading: ReplicaState;
  private connection: ReplicaConnection | undefined;

  constructor(replica: Replica, primary: () => Promise<ReplicaConnection>, reading: ReplicaState) {
    this.replica = replica;
    this.primary = primary;
    this.reading = reading;
  }

  async query<R>(sql: string, parameters?: readonly unknown[]): Promise<R> {
    const isReading = isReadOnlyStatement(sql);
    if (isReading && !this.connection) {
      const answered = await this.replica.query<R>(this.reading, sql, parameters);
      if (answered) return answered.answer;
    }
    this.connection ??= await this.primary();
    try {
      return await this.connection.query<R>(sql, parameters);
    } finally {
      // Forgets the replica's position, so that later reads of this call see this write.
      if (!isReading) Object.assign(this.reading, { position: undefined, isThere: false });
    }
  }

  release(broken?: boolean): void {
    this.connection?.release(broken);
  }
}
