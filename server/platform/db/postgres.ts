/** PostgreSQL: what is kept open, for how long is waited, and what becomes of connections that fail. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { addressesOf } from '#server/platform/configuration/addresses.mjs';
import { setting } from '#server/platform/configuration/setting.ts';
import { measuredBy } from '#server/platform/monitoring/metrics.ts';
import { noteStatement } from '#server/platform/monitoring/statements.ts';
import { DatabaseAway, hasDeadline, inTime, withDeadline } from './deadline.ts';
import type { OpenDatabase } from './engine.ts';
import { isPreparedLost, isPreparedOutdated, preparedName } from './pg-prepared.ts';
import { currentReading, EitherConnection, Replica, replicaPatience } from './replica.ts';
import type { Tables } from './schema.ts';

const INT8 = 20;
const NUMERIC = 1700;
/** Of a server that has become a copy of another one: it only reads. */
const READ_ONLY_TRANSACTION = '25006';
const BROKEN_TRANSACTION = '25P02';

/** Connections of exports, migrations and commands. */
export const jobConnections = 4;
/**
 * Limits in milliseconds: the database gives up before the request does, so that a slow query costs no connection. And
 * nothing is compiled for a statement of requests: where a few rows are read by guesses of many, that took 390 of 400 ms. Nor
 * is a page of a table that lies elsewhere dearer than the next one, as on a turning disk: an assistant's list read all
 * homework of all classes in its order, 2.6 ms of 3.9, for 400 rows that an index finds. Nor is other processes' help worth
 * asking for before much is read: to start them took 10 to 37 ms of a tab whose rows are found in half of one.
 */
function requestSettings() {
  const statement_timeout = setting('DATABASE_STATEMENT_TIMEOUT');
  const settings = {
    statement_timeout,
    lock_timeout: Math.min(3_000, statement_timeout),
    idle_in_transaction_session_timeout: 15_000,
    jit: 'off',
    random_page_cost: 1.1,
    parallel_setup_cost: 20_000,
  };
  return Object.entries(settings);
}
/** Milliseconds of the readiness probe. */
const probePatience = 2_000;

/** `replica`: the address of one, for what may be read there. */
export function openPostgres(connectionString: string, { replica: replicaUrl = '' } = {}): OpenDatabase {
  const primary = connectionsTo(connectionString, { requestWait: setting('DATABASE_WAIT'), jobWait: 10_000 });
  const { requests, jobs } = primary;
  const pools: Record<string, pg.Pool> = { requests: requests.pool, jobs: jobs.pool };
  const connect = () => (hasDeadline() ? requests : jobs).connect();
  let replica: Replica | undefined;
  if (replicaUrl) {
    const read = connectionsTo(replicaUrl, { requestWait: replicaPatience, jobWait: replicaPatience });
    Object.assign(pools, { 'replica-requests': read.requests.pool, 'replica-jobs': read.jobs.pool });
    replica = new Replica(() => (hasDeadline() ? read.requests : read.jobs).connect(), connect);
  }
  const end = async () => {
    await Promise.all(Object.values(pools).map((pool) => (pool.ending ? undefined : pool.end())));
  };
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: requests.pool.options,
        Client: pg.Client,
        // Without cursors, which nobody uses: rows that are many are read by pages.
        connect: (): Promise<PostgresPoolClient> => {
          const reading = replica && currentReading();
          const connection = replica && reading ? new EitherConnection(replica, connect, reading) : connect();
          return Promise.resolve<object>(connection) as Promise<PostgresPoolClient>;
        },
        end,
      },
    }),
  });
  const measured = [
    measuredBy('database', (set) => {
      for (const [pool, { totalCount, idleCount, waitingCount, options }] of Object.entries(pools)) {
        set('connections', totalCount - idleCount, { pool, state: 'used' });
        set('connections', idleCount, { pool, state: 'idle' });
        set('connectionsMost', options.max, { pool });
        set('waiting', waitingCount, { pool });
      }
    }),
    replica?.measure(),
  ];
  return {
    db,
    engine: 'postgres',
    location: connectionString,
    async ping() {
      await withDeadline(probePatience, async () => {
        const connection = await requests.connect();
        try {
          await connection.query('select 1', []);
        } finally {
          connection.release();
        }
      });
    },
    async destroy() {
      for (const unmeasured of measured) unmeasured?.();
      await db.destroy();
      // Kysely ends only what it has used; the probe may have been alone.
      await end();
    },
  };
}

/** Waits in milliseconds, for a connection. */
function connectionsTo(address: string, { requestWait, jobWait }: { requestWait: number; jobWait: number }) {
  const settings = {
    keepAlive: true,
    // Counts and seconds fit a double; strings would turn every sum into a concatenation.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const told = requestSettings();
  const isPooled = setting('DATABASE_POOLER');
  const servers = new Servers(address);
  const requests = new Connections(
    {
      ...settings,
      max: setting('DATABASE_POOL'),
      connectionTimeoutMillis: requestWait,
      // Not as parameters of the connection: a pooler between us and the database refuses those it does not know. One that
      // hands on another connection for each transaction is told in each.
      ...(!isPooled && {
        onConnect: async (client: pg.ClientBase) => {
          const text = told.map(([name, value]) => `set ${name} = ${value}`).join('; ');
          await client.query({ text, query_timeout: 3_000 } as pg.QueryConfig);
        },
      }),
    },
    {
      areKept: !isPooled,
      servers,
      ...(isPooled && { within: told.map(([name, value]) => `set local ${name} = ${value}`) }),
    },
  );
  // Exports, migrations and commands may take as long as they need, and keep no request from its connection.
  const jobs = new Connections(
    { ...settings, max: jobConnections, connectionTimeoutMillis: jobWait },
    { areKept: false, servers },
  );
  return { requests, jobs };
}

/** The servers that an address names, of which one takes writes: another one where that has changed. */
class Servers {
  private readonly addresses: readonly string[];
  private place = 0;

  constructor(named: string) {
    this.addresses = addressesOf(named);
  }

  get present(): string {
    return this.addresses[this.place] as string;
  }

  get count(): number {
    return this.addresses.length;
  }

  /** The next one's turn, unless somebody else has gone on already. */
  leave(address: string): void {
    if (address === this.present) this.place = (this.place + 1) % this.count;
  }

  /** Connections to the one that is thought to take writes; one that fails leaves it to the next. */
  client(): typeof pg.Client {
    const servers = this;
    return class extends pg.Client {
      private readonly address: string;

      constructor(settings: pg.ClientConfig) {
        const address = servers.present;
        super({ ...settings, connectionString: address });
        this.address = address;
        // Before the pool listens: that it is lost is told to whoever asks by it.
        this.on('error', () => undefined);
      }

      override connect(): Promise<pg.Client>;
      override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
      override connect(callback?: (...told: never[]) => void): Promise<pg.Client> | undefined {
        const connected = this.connected();
        if (!callback) return connected;
        const tell = callback as (error: Error | null, client?: pg.Client) => void;
        connected.then((client) => tell(null, client), tell);
        return undefined;
      }

      private async connected(): Promise<pg.Client> {
        try {
          await super.connect();
          await this.admitted();
          return this;
        } catch (error) {
          servers.leave(this.address);
          throw error;
        }
      }

      /** Rejects where the server only reads, as a replica does; of a single one whoever wrote its address has looked. */
      private async admitted(): Promise<void> {
        if (servers.count === 1) return;
        const asked = { text: 'show transaction_read_only', query_timeout: 3_000 } as pg.QueryConfig;
        const { rows } = await this.query<{ transaction_read_only: string }>(asked);
        if (rows[0]?.transaction_read_only !== 'off') throw new Error('this server is a replica');
      }
    };
  }
}

/** How the connections of one pool are asked. */
interface Manner {
  servers: Servers;
  /** The plans of statements that are built once are kept for each connection; no longer where they were lost. */
  areKept: boolean;
  /** What a transaction says first. */
  within?: readonly string[];
}

/** A pool whose connections are waited for and asked with patience, and thrown away when they fail. */
class Connections {
  readonly pool: pg.Pool;
  private readonly connections = new WeakMap<object, Connection>();
  /** Connections that were made before are not used again: the server that they lead to is gone. */
  private validSince = 0;
  private readonly manner: Manner;

  constructor(settings: pg.PoolConfig, manner: Manner) {
    const { onConnect } = settings;
    this.manner = manner;
    this.pool = new pg.Pool({
      ...settings,
      Client: manner.servers.client(),
      onConnect: async (client) => {
        // Before anything else: from now on a connection may be lost, and somebody must listen to that.
        this.connections.set(client, new Connection(client as pg.PoolClient, () => this.retireAll(), this.manner));
        await onConnect?.(client);
      },
    });
    // A connection that the server ends must not end this process: neither one in use nor an idle one.
    this.pool.on('error', () => {});
  }

  /** Everything that can go wrong here means that the database is away. */
  async connect(): Promise<Connection> {
    let connecting: Promise<Connection> | undefined;
    const start = () => {
      connecting = this.newest();
      return connecting;
    };
    const late = () => {
      connecting?.then(
        (connection) => connection.release(),
        () => undefined,
      );
    };
    try {
      return await inTime(start, { isAnswer: false, late });
    } catch (error) {
      if (error instanceof DatabaseAway) throw error;
      throw new DatabaseAway(error instanceof Error ? error.message : String(error), error);
    }
  }

  private async newest(): Promise<Connection> {
    for (let failed = 0; ; ) {
      const client = await this.pool.connect().catch((error: unknown) => {
        failed += 1;
        if (failed >= this.manner.servers.count) throw error;
        return undefined;
      });
      if (!client) continue;
      const connection = this.connections.get(client);
      if (connection?.isUsable(this.validSince)) return connection;
      client.release(true);
    }
  }

  private retireAll() {
    this.validSince = performance.now();
  }
}

class Connection {
  private readonly madeAt = performance.now();
  private readonly client: pg.PoolClient;
  private readonly retireAll: () => void;
  private readonly manner: Manner;
  private lost = false;
  private spoiled = false;
  /** A table has changed since it was made, and with it what some of its plans answer. */
  private isOutdated = false;

  constructor(client: pg.PoolClient, retireAll: () => void, manner: Manner) {
    this.client = client;
    this.retireAll = retireAll;
    this.manner = manner;
    client.on('error', () => {
      this.lost = true;
    });
  }

  async query<R>(sql: string, parameters?: readonly unknown[]): Promise<R> {
    let answer: Promise<R> | undefined;
    const name = this.manner.areKept && !this.isOutdated ? preparedName(sql) : undefined;
    const start = () => {
      if (sql === 'begin' && this.manner.within) {
        answer = this.client.query(['begin', ...this.manner.within].join('; ')) as Promise<unknown> as Promise<R>;
        return answer;
      }
      const asked = name ? { name, text: sql, values: parameters as unknown[] } : sql;
      answer = this.client.query(asked as string, parameters as unknown[]) as Promise<unknown> as Promise<R>;
      return answer;
    };
    const late = () => {
      answer?.catch(() => undefined);
      this.giveUp();
    };
    const began = performance.now();
    let failed = true;
    try {
      const result = await inTime(start, { late });
      failed = false;
      return result;
    } catch (error) {
      if (error instanceof pg.DatabaseError) {
        if (error.code === READ_ONLY_TRANSACTION) this.spoil();
        if (name && isPreparedOutdated(error.code)) {
          this.isOutdated = true;
          this.retireAll();
          return await this.query(sql, parameters);
        }
        // A transaction is broken by it: whoever asks again is answered.
        if (isPreparedLost(error.code)) {
          this.manner.areKept = false;
          throw new DatabaseAway(error.message, error);
        }
        if (this.isOutdated && error.code === BROKEN_TRANSACTION) throw new DatabaseAway(error.message, error);
        throw error;
      }
      if (this.lost && !(error instanceof DatabaseAway)) {
        throw new DatabaseAway(error instanceof Error ? error.message : String(error), error);
      }
      throw error;
    } finally {
      noteStatement(sql, began, failed);
    }
  }

  isUsable(validSince: number): boolean {
    return !this.lost && this.madeAt >= validSince;
  }

  release(broken?: boolean): void {
    this.client.release(broken || this.spoiled || this.lost);
  }

  /** The answer, should it still come, would be taken for that of the next query: the connection is cut. */
  private giveUp(): void {
    this.lost = true;
    this.spoil();
    (this.client as unknown as pg.Client).end().catch(() => undefined);
  }

  private spoil(): void {
    this.spoiled = true;
    this.retireAll();
  }
}
