/**
 * One database, two engines: built-in SQLite (default) and PostgreSQL (DATABASE_URL).
 * Queries are written once, in Kysely; what differs between the engines stays in this file.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;

/** An open database with the name of its engine; close it by `destroy`. */
export interface OpenDatabase {
  db: Database;
  engine: Engine;
  /** Answers within its own time limit (2 s), or rejects: the readiness probe. */
  ping(): Promise<void>;
  destroy(): Promise<void>;
}

/** Opens PostgreSQL for a `postgres://` address, else the SQLite file of that path (`:memory:` for tests). */
export function openDatabase(location: string): OpenDatabase {
  return /^postgres(ql)?:/.test(location) ? openPostgres(location) : openSqlite(location);
}

// ---- SQLite ------------------------------------------------------------------------------------

function openSqlite(file: string): OpenDatabase {
  if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma busy_timeout = 5000;
    pragma cache_size = -32768;
    pragma temp_store = memory;
  `);
  const connection = new SqliteConnection(sqlite);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  return {
    db,
    engine: 'sqlite',
    async ping() {
      sqlite.prepare('select 1').get();
    },
    async destroy() {
      await db.destroy();
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

type SqlValue = null | number | bigint | string | Uint8Array;

/** Statements are prepared once: preparing costs several times the execution of a lookup. */
class SqliteConnection implements DatabaseConnection {
  readonly sqlite: DatabaseSync;
  private readonly prepared = new Map<string, { statement: StatementSync; reads: boolean }>();

  constructor(sqlite: DatabaseSync) {
    this.sqlite = sqlite;
  }

  async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
    const { statement, reads } = this.prepare(query.sql);
    const parameters = query.parameters as SqlValue[];
    if (reads) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: { sql: string; parameters: readonly unknown[] }): AsyncIterableIterator<QueryResult<R>> {
    // A statement of its own: the cached one may be asked again while this one is being read.
    const rows = this.sqlite.prepare(query.sql).iterate(...(query.parameters as SqlValue[]));
    for (const row of rows) yield { rows: [row as R] };
  }

  private prepare(sql: string) {
    let entry = this.prepared.get(sql);
    if (!entry) {
      const statement = this.sqlite.prepare(sql);
      entry = { statement, reads: statement.columns().length > 0 };
      // Lists of ids make ever new texts: keep the cache bounded, drop the oldest.
      if (this.prepared.size >= 500) this.prepared.delete(this.prepared.keys().next().value as string);
      this.prepared.set(sql, entry);
    }
    return entry;
  }
}

/** Kysely's own SQLite dialect expects better-sqlite3; this one drives node:sqlite over one connection. */
function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => new SqliteDriver(connection),
  };
}

/** SQLite does roll back table definitions; with this, a migration that fails leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class SqliteDriver implements Driver {
  private readonly connection: SqliteConnection;
  private held: Promise<void> | undefined;
  private release: (() => void) | undefined;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  async init() {}
  async destroy() {}

  async acquireConnection() {
    while (this.held) await this.held;
    this.held = new Promise((resolve) => {
      this.release = resolve;
    });
    return this.connection;
  }

  async releaseConnection() {
    const release = this.release;
    this.held = undefined;
    this.release = undefined;
    release?.();
  }

  // `immediate` takes the write lock at once: two writers wait for each other instead of failing half way.
  async beginTransaction() {
    this.connection.sqlite.exec('begin immediate');
  }
  async commitTransaction() {
    this.connection.sqlite.exec('commit');
  }
  async rollbackTransaction() {
    this.connection.sqlite.exec('rollback');
  }
}

// ---- PostgreSQL --------------------------------------------------------------------------------

const INT8 = 20;
const NUMERIC = 1700;

function openPostgres(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 3000,
    // Counts and seconds fit a double; strings would turn every sum into a concatenation.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A pooled connection that the server ends while idle must not end this process.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    engine: 'postgres',
    async ping() {
      const client = await pool.connect();
      try {
        await client.query({ text: 'select 1', query_timeout: 2000 } as pg.QueryConfig);
      } finally {
        client.release();
      }
    },
    destroy: () => db.destroy(),
  };
}

// ---- What a failed query means -----------------------------------------------------------------

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Two callers made the same record: the one mapper of unique violations for both engines. */
export function isUniqueViolation(error: unknown): boolean {
  if (codeOf(error) === '23505') return true;
  return error instanceof Error && /UNIQUE constraint failed|PRIMARY KEY constraint failed/i.test(error.message);
}

/** The database cannot be reached or cannot serve now, as opposed to a query that is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)/.test(code)) return true;
  if (/^(08|53|57P|58)/.test(code) && code.length === 5) return true;
  if (!(error instanceof Error)) return false;
  if (
    /timeout exceeded when trying to connect|Connection terminated|database is not open|driver has already been destroyed/i.test(
      error.message,
    )
  )
    return true;
  return (
    code === 'ERR_SQLITE_ERROR' && /database is locked|disk I\/O|unable to open|is full|readonly/i.test(error.message)
  );
}
