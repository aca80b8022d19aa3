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

/** Whether SQLite is the engine. */
export const isSqlite = (db: Database): boolean => 'hasOneWriter' in db.getExecutor().adapter;

/** An open database with the name of its engine; close it by `destroy`. */
export interface OpenDatabase {
  db: Database;
  engine: Engine;
  /** What `openDatabase` was given: a thread opens the same by it, unless it is in memory. */
  location: string;
  /** Answers within its own time limit (2 s), or rejects: the readiness probe. */
  ping(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * Opens PostgreSQL for a `postgres://` address, else the SQLite file of that path (`:memory:` for tests). `replica`: the
 * address of a streaming replica, for what is read `fromReplica`.
 */
export function openDatabase(location: string, { replica = '' }: { replica?: string } = {}): OpenDatabase {
  return /^postgres(ql)?:/.test(location) ? openPostgres(location, { replica }) : openSqlite(location);
}

// ---- What a failed query means -----------------------------------------------------------------

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null | undefined)?.code;

/** SQLite's own number of what went wrong. */
const sqliteCodeOf = (error: unknown): number => (error as { errcode?: number } | null | undefined)?.errcode ?? 0;

const sqliteUnique = [2067, 1555];

/** Two callers made the same record: the one mapper of unique violations for both engines. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505' || sqliteUnique.includes(sqliteCodeOf(error));
}

const lockTimeout = '55P03';
/** Classes of PostgreSQL's codes: connection, resources (a full disk too), operator's intervention, system. */
const awayClasses = /^(08|53|57|58)...$/;
/** Read-only (a server that has become a copy), idle for too long, lock not had in time, serialization, deadlock. */
const awayStates = ['25006', '25P03', lockTimeout, '40001', '40P01'];
/** SQLite: locked, read-only, disk failing, disk full, file not to be opened. */
const awaySqlite = [5, 8, 10, 13, 14];

/** A number was asked for that a column of 32 bits cannot hold, such as the id of a question: there is no such record. */
export function isBeyondColumn(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '22003' && typeof routine === 'string' && /^(?:pg_strtoint32|int84)/.test(routine);
}

/** PostgreSQL gave up waiting for others to be done with a table or a row. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === lockTimeout;

/** The database cannot be reached or cannot serve now, as opposed to a query that is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code === databaseAwayCode) return true;
  if (awaySqlite.includes(sqliteCodeOf(error) % 256)) return true;
  if (typeof code === 'string' && (awayClasses.test(code) || awayStates.includes(code))) return true;
  // A process that is ending has closed it already; Kysely and SQLite have no code for that.
  return error instanceof Error && /database is not open|driver has already been destroyed/.test(error.message);
}
