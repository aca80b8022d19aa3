/**
 * Interface of database backups: a copy into one file while the database is in use, with row count and fingerprint of
 * each table at one moment; and the restore. Implemented by copy-sqlite.ts and copy-postgres.ts.
 */
import type { Engine } from './engine.ts';

export interface TableState {
  rows: number;
  /** Hash of all rows; equal for equal rows on the same engine. */
  fingerprint: string;
}

export interface DatabaseContents {
  /** State of each table by its name. */
  tables: Record<string, TableState>;
  /** Names of the migrations that have run, in order. */
  migrations: string[];
}

/** A pattern to search for in every row during the copy, such as storage keys. */
export interface RowSearch {
  /** A regular expression for both JavaScript and PostgreSQL. */
  pattern: string;
  found(text: string): void;
}

export interface Copier {
  engine: Engine;
  fileName: string;
  /** Name of the database for administrators, without the password. */
  title: string;
  take(file: string, looking: RowSearch): Promise<DatabaseContents>;
  /**
   * Returns warnings, one sentence each, about reasons why copying would fail, or why reading the copy back would
   * (`isRead`).
   */
  outlook(isRead: boolean): Promise<string[]>;
  /** True if the database holds data. A schema without staff counts as empty. */
  holdsData(): Promise<boolean>;
  /** Returns why the database cannot be replaced now, as a sentence; undefined if it can. */
  replaceFault(): Promise<string | undefined>;
  /** Restores a copy into a scratch database and reads all of it. */
  read(file: string, looking: RowSearch): Promise<DatabaseContents>;
  /** Reads the content of the database itself; nobody may change it meanwhile. */
  contents(looking: RowSearch): Promise<DatabaseContents>;
  /** Replaces the database by the copy, all or nothing. */
  replace(file: string): Promise<void>;
}

/** Error of a copy that is impossible on this machine. The message is a sentence for the administrator. */
export class CopyError extends Error {
  /** True if pg_dump, pg_restore or psql is not installed. */
  readonly lacksProgram: boolean;

  constructor(message: string, { lacksProgram = false } = {}) {
    super(message);
    this.lacksProgram = lacksProgram;
  }
}
