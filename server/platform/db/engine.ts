/**
 * One database, two engines: built-in SQLite (default) and PostgreSQL (DATABASE_URL). Queries are written once, in
 * Kysely; what differs between the engines stays in this folder.
 */
import type { Kysely } from 'kysely';
import { databaseAwayCode } from './deadline.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './schema.ts';
import { openSqlite } from './sqlite.ts';

export type Engine = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;

export const isSqlite = (db: Database): boolean => 'hasOneWriter' in db.getExecutor().adapter;

/** An open database and its engine. Close it with `destroy`. */
export interface OpenDatabase {
  db: Database;
  engine: Engine;
  /** Arguments of `openDatabase`, so that a worker thread can open the same database, unless it is in memory. */
  location: string;
  /** Readiness probe: resolves within 2 seconds or rejects. */
  ping(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * Opens PostgreSQL if the location is a `postgres://` address, otherwise the SQLite file at that path (`:memory:` in
 * tests). `replica`: address of a streaming replica, for reads inside `withReplicaReads`.
 */
export function openDatabase(location: string, { replica = '' }: { replica?: string } = {}): OpenDatabase {
  return /^postgres(ql)?:/.test(location) ? openPostgres(location, { replica }) : openSqlite(location);
}

// ---- Kinds of database errors ------------------------------------------------------------------

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null | undefined)?.code;

/** SQLite's extended result code. */
const sqliteCodeOf = (error: unknown): number => (error as { errcode?: number } | null | undefined)?.errcode ?? 0;

const sqliteUnique = [2067, 1555];

/** True if a unique constraint was violated, on either engine: two callers created the same record. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505' || sqliteUnique.includes(sqliteCodeOf(error));
}

const lockTimeout = '55P03';
/** Classes of PostgreSQL error codes: connection, resources (such as a full disk), operator intervention, system. */
const awayClasses = /^(08|53|57|58)...$/;
/**
 * PostgreSQL's codes for: read-only (a server that became a replica), idle in a transaction for too long, lock timeout,
 * serialization failure, deadlock.
 */
const awayStates = ['25006', '25P03', lockTimeout, '40001', '40P01'];
/** SQLite's codes for: busy, read-only, I/O error, disk full, cannot open. */
const awaySqlite = [5, 8, 10, 13, 14];

/** True if a number does not fit a 32-bit column, such as a question id in an address: no such record exists. */
export function isNumberOutOfRange(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '22003' && typeof routine === 'string' && /^(?:pg_strtoint32|int84)/.test(routine);
}

/** True if PostgreSQL gave up waiting for a lock on a table or row. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === lockTimeout;

/** True if the database is unreachable or cannot serve now; false if the query itself is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code === databaseAwayCode) return true;
  if (awaySqlite.includes(sqliteCodeOf(error) % 256)) return true;
  if (typeof code === 'string' && (awayClasses.test(code) || awayStates.includes(code))) return true;
  // Kysely and SQLite have no error code for a database that is closed during shutdown.
  return error instanceof Error && /database is not open|driver has already been destroyed/.test(error.message);
}
