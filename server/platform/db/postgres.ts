/** PostgreSQL driver: connection pools for requests and jobs, timeouts, failover between servers, lost connections. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { addressesOf } from '#server/platform/configuration/addresses.mjs';
import { setting } from '#server/platform/configuration/setting.ts';
import { registerMeasurement } from '#server/platform/monitoring/metrics.ts';
import { recordStatement } from '#server/platform/monitoring/statements.ts';
import { DatabaseAway, hasDeadline, withDeadline, withinDeadline } from './deadline.ts';
import type { OpenDatabase } from './engine.ts';
import { isPreparedLost, isPreparedOutdated, preparedName } from './pg-prepared.ts';
import { currentReplicaState, Replica, ReplicaOrPrimaryConnection, replicaTimeout } from './replica.ts';
import type { Tables } from './schema.ts';

const INT8 = 20;
const NUMERIC = 1700;
/** Error code of a server that became a read-only replica. */
const READ_ONLY_TRANSACTION = '25006';
const BROKEN_TRANSACTION = '25P02';

/** Maximum connections for exports, migrations and commands. */
export const jobConnections = 4;
/**
 * Session settings of request connections. Timeouts are in milliseconds and shorter than the request's deadline, so
 * that a slow query costs no connection. The planner settings are measured:
 * - jit off: compiling took 390 of 400 ms where row estimates were too high.
 * - random_page_cost as on an SSD: an assistant's list read all homework in list order (2.6 of 3.9 ms) instead of 400
 *   rows by index.
 * - parallel workers only for large reads: starting them took 10 to 37 ms for rows that are found in half a
 *   millisecond.
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
/** Timeout of the readiness probe, in milliseconds. */
const probeTimeout = 2_000;

/** Opens PostgreSQL. `replica`: address of a read replica. */
export function openPostgres(connectionString: string, { replica: replicaUrl = '' } = {}): OpenDatabase {
  const primary = connectionsTo(connectionString, { requestWait: setting('DATABASE_WAIT'), jobWait: 10_000 });
  const { requests, jobs } = primary;
  const pools: Record<string, pg.Pool> = { requests: requests.pool, jobs: jobs.pool };
  const connect = () => (hasDeadline() ? requests : jobs).connect();
  let replica: Replica | undefined;
  if (replicaUrl) {
    const read = connectionsTo(replicaUrl, { requestWait: replicaTimeout, jobWait: replicaTimeout });
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
        // Kysely gets no cursor, because long results are read page by page.
        connect: (): Promise<PostgresPoolClient> => {
          const reading = replica && currentReplicaState();
          const connection = replica && reading ? new ReplicaOrPrimaryConnection(replica, connect, reading) : connect();
          return Promise.resolve<object>(connection) as Promise<PostgresPoolClient>;
        },
        end,
      },
    }),
  });
  const measured = [
    registerMeasurement('database', (set) => {
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
      await withDeadline(probeTimeout, async () => {
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
      // Kysely only ends pools that it has used, and perhaps only the probe ran, so the pools are ended here too.
      await end();
    },
  };
}

/** Opens the pools for requests and for jobs. `requestWait` and `jobWait`: milliseconds to wait for a connection. */
function connectionsTo(address: string, { requestWait, jobWait }: { requestWait: number; jobWait: number }) {
  const settings = {
    keepAlive: true,
    // Parses bigint and numeric as numbers: counts and seconds fit a double, and with strings `+` would concatenate
    // sums.
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
      // Settings are sent as statements, because a pooler refuses unknown connection parameters. Behind a transaction
      // pooler they are sent in each transaction.
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
  // A pool of its own for exports, migrations and commands. They have no time limit and take no connection from
  // requests.
  const jobs = new Connections(
    { ...settings, max: jobConnections, connectionTimeoutMillis: jobWait },
    { areKept: false, servers },
  );
  return { requests, jobs };
}

/** The servers of an address, and the one that accepts writes at present; for failover. */
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

  /** Switches to the next server, unless another connection has switched already. */
  leave(address: string): void {
    if (address === this.present) this.place = (this.place + 1) % this.count;
  }

  /** Client class that connects to the present server; if that fails, the next server becomes the present one. */
  client(): typeof pg.Client {
    const servers = this;
    return class extends pg.Client {
      private readonly address: string;

      constructor(settings: pg.ClientConfig) {
        const address = servers.present;
        super({ ...settings, connectionString: address });
        this.address = address;
        // Without this listener a lost connection would crash the process; the running query reports the error anyway.
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

      /** Rejects a server that is read-only, such as a replica. Does nothing if the address names only one server. */
      private async admitted(): Promise<void> {
        if (servers.count === 1) return;
        const query = { text: 'show transaction_read_only', query_timeout: 3_000 } as pg.QueryConfig;
        const { rows } = await this.query<{ transaction_read_only: string }>(query);
        if (rows[0]?.transaction_read_only !== 'off') throw new Error('this server is a replica');
      }
    };
  }
}

/** Settings of one pool. */
interface PoolBehaviour {
  servers: Servers;
  /** True while prepared statements keep their names (pg-prepared.ts); false forever after a name was lost. */
  areKept: boolean;
  /** `set local` statements at the start of each transaction. */
  within?: readonly string[];
}

/** A connection pool with deadlines; failed connections are discarded. */
class Connections {
  readonly pool: pg.Pool;
  private readonly connections = new WeakMap<object, Connection>();
  /** Connections opened before this time (`performance.now()`) are not used again, because their server is gone. */
  private validSince = 0;
  private readonly manner: PoolBehaviour;

  constructor(settings: pg.PoolConfig, manner: PoolBehaviour) {
    const { onConnect } = settings;
    this.manner = manner;
    this.pool = new pg.Pool({
      ...settings,
      Client: manner.servers.client(),
      onConnect: async (client) => {
        // Done first: from now on the connection can be lost, so it needs an error listener.
        this.connections.set(client, new Connection(client as pg.PoolClient, () => this.retireAll(), this.manner));
        await onConnect?.(client);
      },
    });
    // An idle connection that the server ends must not crash the process.
    this.pool.on('error', () => {});
  }

  /** Any error while connecting means that the database is away. */
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
      return await withinDeadline(start, { isAnswer: false, late });
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
  private readonly manner: PoolBehaviour;
  private lost = false;
  private spoiled = false;
  /** True after a prepared statement no longer fitted its table; the connection is then discarded. */
  private isOutdated = false;

  constructor(client: pg.PoolClient, retireAll: () => void, manner: PoolBehaviour) {
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
      const query = name ? { name, text: sql, values: parameters as unknown[] } : sql;
      answer = this.client.query(query as string, parameters as unknown[]) as Promise<unknown> as Promise<R>;
      return answer;
    };
    const late = () => {
      answer?.catch(() => undefined);
      this.giveUp();
    };
    const began = performance.now();
    let failed = true;
    try {
      const result = await withinDeadline(start, { late });
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
        // The lost statement name has broken the transaction. The database is reported as away, so that the request may
        // be tried again.
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
      recordStatement(sql, began, failed);
    }
  }

  isUsable(validSince: number): boolean {
    return !this.lost && this.madeAt >= validSince;
  }

  release(broken?: boolean): void {
    this.client.release(broken || this.spoiled || this.lost);
  }

  /** Closes the connection, because a late answer would be taken for the answer to the next query. */
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
