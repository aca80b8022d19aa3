/**
 * SQLite driver on node:sqlite: one shared connection, prepared statement cache, waits for locks of other processes.
 * Kysely's own driver would block readers while a writer waits.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type BinaryOperationNode,
  ColumnNode,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type OperationNode,
  type QueryResult,
  ReferenceNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import { registerMeasurement } from '#server/platform/monitoring/metrics.ts';
import { recordStatement } from '#server/platform/monitoring/statements.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import { pinyinOf } from '#server/platform/text/pinyin.ts';
import { beginDatabaseWait, DatabaseAway } from './deadline.ts';
import type { OpenDatabase } from './engine.ts';
import type { Tables } from './schema.ts';
import { bigramsOf, charactersOf } from './search.ts';

export function openSqlite(file: string): OpenDatabase {
  if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    -- What is deleted or moved is overwritten, so that nothing of an erased person stays between the rows.
    pragma secure_delete = on;
    -- Kilobytes; what does not fit the system keeps.
    pragma cache_size = -8192;
    pragma temp_store = memory;
    -- From here on nothing waits inside of SQLite, where every other request would wait with it.
    pragma busy_timeout = 0;
  `);
  // Functions that the triggers of search indexes call. A program without them can read the file but cannot write
  // tables that are searched.
  sqlite.function('search_pairs', { deterministic: true }, (text) => bigramsOf(String(text)).join(' '));
  sqlite.function('search_characters', { deterministic: true }, (mark, text) =>
    charactersOf(String(text))
      .map((character) => ` ${mark}${character}`)
      .join(''),
  );
  sqlite.function('plain_name', { deterministic: true }, (name) => normalizeName(String(name ?? '')));
  sqlite.function('name_pinyin', { deterministic: true }, (name) => pinyinOf(String(name)));
  const shared = new SharedSqlite(sqlite);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(shared) });
  const unmeasured = registerMeasurement('database', (set) => set('waiting', shared.waiters, { pool: 'file' }));
  return {
    db,
    engine: 'sqlite',
    location: file,
    async ping() {
      sqlite.prepare('select 1').get();
    },
    async destroy() {
      unmeasured();
      await db.destroy();
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

function sqliteDialect(shared: SharedSqlite): Dialect {
  return {
    createAdapter: () => new OurSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new OurSqliteQueryCompiler(),
    createDriver: () => new SqliteDriver(shared),
  };
}

class OurSqliteAdapter extends SqliteAdapter {
  /** Says to `forUpdate` that there is only one writer at a time, so that row locks are not needed. */
  readonly hasOneWriter = true;

  /** True: SQLite rolls back table definitions too, so a failed migration leaves nothing behind. */
  override get supportsTransactionalDdl() {
    return true;
  }
  /**
   * There is one connection, but sessions take turns with it, so that one that waits for another process does not hold
   * up the others.
   */
  override get supportsMultipleConnections() {
    return true;
  }
}

/** Columns that occur in the conditions of partial indexes. */
const indexedBy = new Set(['is_public', 'status', 'test_status', 'op_status', 'is_effective']);

/**
 * Writes some values into the SQL text instead of binding them: the value of `limit ?` and values for columns of
 * partial indexes. If the planner looked at the value of a parameter, SQLite prepares the statement again at each bind,
 * which cost a third of a list query and most of a lookup. The planner does not look into an expression such as
 * `cast(?)`.
 */
class OurSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, rightOperand } = node;
    const value = ValueNode.is(rightOperand) ? rightOperand.value : undefined;
    const stands = value === '' || (Number.isInteger(value) && indexedBy.has(columnOf(leftOperand)));
    super.visitBinaryOperation(stands ? { ...node, rightOperand: ValueNode.createImmediate(value) } : node);
  }

  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(');
    this.visitNode(limit);
    this.append(' as integer)');
  }
}

function columnOf(operand: OperationNode): string {
  if (!ReferenceNode.is(operand) || !ColumnNode.is(operand.column)) return '';
  return operand.column.column.name;
}

type SqlValue = null | number | bigint | string | Uint8Array;
interface Query {
  sql: string;
  parameters: readonly unknown[];
}

/** Backoff in milliseconds while another process holds the write lock. */
const firstPause = 2;
const longestPause = 50;
/** Milliseconds that a command or job waits for another process or for its turn. */
const longestWait = 60_000;
/** After this many milliseconds of statements without a pause, the event loop gets to run other work. */
const longestTurn = 15;

/**
 * The only connection, shared by all sessions: one statement at a time; a transaction holds it until its end. While
 * another process holds the write lock, a writer retries later and readers go on.
 */
class SharedSqlite {
  readonly sqlite: DatabaseSync;
  private readonly prepared = new Map<string, Prepared>();
  private owner: object | undefined;
  /** When the first statement in the current turn of the event loop began; undefined if none has run yet. */
  private turnBegan: number | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(sqlite: DatabaseSync) {
    this.sqlite = sqlite;
  }

  run<R>(query: Query): QueryResult<R> {
    return recordTiming(query.sql, () => this.answer<R>(query));
  }

  /** Runs SQL that has no parameters and returns no rows, such as a commit, which waits for the disk. */
  execute(sql: string): void {
    recordTiming(sql, () => this.sqlite.exec(sql));
  }

  private answer<R>(query: Query): QueryResult<R> {
    const { statement, columns } = this.prepare(query.sql);
    const parameters = query.parameters as SqlValue[];
    if (columns.length > 0) {
      const found = statement.all(...parameters) as unknown as SqlValue[][];
      return { rows: found.map((values) => rowOf<R>(columns, values)) };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /**
   * Yields to the event loop after `longestTurn` milliseconds. Statements are synchronous, so a request with many would
   * block all others.
   */
  async others(): Promise<void> {
    while (this.turnBegan !== undefined && performance.now() - this.turnBegan > longestTurn) await nextTurn();
    if (this.turnBegan !== undefined) return;
    this.turnBegan = performance.now();
    setImmediate(() => {
      this.turnBegan = undefined;
    });
  }

  /**
   * Runs `work`, which is atomic in SQLite, in the session's turn, once no other process holds the lock.
   */
  async inTurn<T>(session: object, work: () => T): Promise<T> {
    const isFree = () => this.owner === undefined || this.owner === session;
    // Fast path, if there is nothing to wait for.
    if (isFree()) {
      const done = runUnlessBusy(work);
      if (done) return done.result;
    }
    const wait = beginDatabaseWait(longestWait);
    const end = performance.now() + wait.left;
    let answered = false;
    try {
      for (let rest = firstPause; ; rest = Math.min(longestPause, rest * 2)) {
        while (!isFree()) await this.turn(end);
        const done = runUnlessBusy(work);
        if (done) {
          answered = true;
          return done.result;
        }
        if (performance.now() + rest > end) throw new DatabaseAway('another process keeps the database locked');
        await pause(rest);
      }
    } finally {
      wait.end(answered);
    }
  }

  /** Reserves the connection for the session until `leave`. */
  keepFor(session: object): void {
    this.owner = session;
  }

  get waiters(): number {
    return this.waiting.size;
  }

  leave(session: object): void {
    if (this.owner !== session) return;
    this.owner = undefined;
    for (const wake of [...this.waiting]) wake();
  }

  *stream<R>(query: Query): Iterable<R> {
    // This statement is prepared separately, because the cached one may run again while this one is being iterated.
    const { statement, columns } = prepareStatement(this.sqlite, query.sql);
    const found = statement.iterate(...(query.parameters as SqlValue[])) as unknown as Iterable<SqlValue[]>;
    for (const values of found) yield rowOf<R>(columns, values);
  }

  /** Waits until a session leaves the connection; first come, first served. */
  private turn(end: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(
        () => {
          this.waiting.delete(wake);
          reject(new DatabaseAway('the database has been busy for too long'));
        },
        Math.max(0, end - performance.now()),
      );
      this.waiting.add(wake);
    });
  }

  /** Prepared statement cache: preparing costs several times the execution of a lookup. */
  private prepare(sql: string) {
    let entry = this.prepared.get(sql);
    if (!entry) {
      entry = prepareStatement(this.sqlite, sql);
      // The oldest statement is dropped, to limit the cache.
      if (this.prepared.size >= 500) this.prepared.delete(this.prepared.keys().next().value as string);
      this.prepared.set(sql, entry);
    }
    return entry;
  }
}

interface Prepared {
  statement: StatementSync;
  /** Column names of the result; [] for a statement without rows. */
  columns: string[];
}

function prepareStatement(sqlite: DatabaseSync, sql: string): Prepared {
  const statement = sqlite.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length > 0) statement.setReturnArrays(true);
  return { statement, columns };
}

/**
 * Builds a row object from the array that SQLite returns. Node's own row objects have no prototype and are slower:
 * twenty rows of fifteen columns take 85 microseconds there and 35 here.
 */
function rowOf<R>(columns: readonly string[], values: readonly SqlValue[]): R {
  const row: Record<string, SqlValue | undefined> = {};
  for (let place = 0; place < columns.length; place += 1) row[columns[place] as string] = values[place];
  return row as R;
}

function recordTiming<T>(sql: string, work: () => T): T {
  const began = performance.now();
  let failed = true;
  try {
    const result = work();
    failed = false;
    return result;
  } finally {
    recordStatement(sql, began, failed);
  }
}

const SQLITE_BUSY = 5;

/** Runs `work`; returns undefined if another process holds the lock. */
function runUnlessBusy<T>(work: () => T): { result: T } | undefined {
  try {
    return { result: work() };
  } catch (error) {
    // The low byte is the primary code of an extended result code.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** One user of the shared connection: a request or a transaction. */
class SqliteSession implements DatabaseConnection {
  readonly shared: SharedSqlite;

  constructor(shared: SharedSqlite) {
    this.shared = shared;
  }

  async executeQuery<R>(query: Query): Promise<QueryResult<R>> {
    await this.shared.others();
    return this.shared.inTurn(this, () => this.shared.run<R>(query));
  }

  async *streamQuery<R>(query: Query): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.shared.stream<R>(query)) yield { rows: [row] };
  }
}

class SqliteDriver implements Driver {
  private readonly shared: SharedSqlite;

  constructor(shared: SharedSqlite) {
    this.shared = shared;
  }

  async init() {}
  async destroy() {}

  async acquireConnection() {
    return new SqliteSession(this.shared);
  }
  async releaseConnection() {}

  // `immediate` takes the write lock at once, so that two writers queue instead of one of them failing half-way.
  async beginTransaction(session: SqliteSession) {
    await this.shared.inTurn(session, () => {
      this.shared.execute('begin immediate');
      this.shared.keepFor(session);
    });
  }
  async commitTransaction(session: SqliteSession) {
    this.shared.execute('commit');
    this.shared.leave(session);
  }
  async rollbackTransaction(session: SqliteSession) {
    // On a full disk SQLite has already rolled back by itself, so only an open transaction is rolled back.
    if (this.shared.sqlite.isTransaction) this.shared.sqlite.exec('rollback');
    this.shared.leave(session);
  }
}
