/**
 * A database as a file, taken while it is in use: what was committed at one moment, with the count and the fingerprint of
 * each table at that moment; and back again. What the engines do for it is theirs alone.
 */
import type { Engine } from './engine.ts';

export interface TableState {
  rows: number;
  /** The same wherever the same rows stand in a database of the same engine. */
  fingerprint: string;
}

export interface Contents {
  /** By name. */
  tables: Record<string, TableState>;
  /** Names of the migrations that it has had, in their order. */
  migrations: string[];
}

/** What is looked for in every row while it is read anyway. */
export interface Looking {
  /** In words that JavaScript and PostgreSQL share. */
  pattern: string;
  found(text: string): void;
}

export interface Copier {
  engine: Engine;
  /** What the copy's file is called. */
  fileName: string;
  /** Name of the database for people, without its password. */
  title: string;
  /** Writes the copy to `file`. */
  take(file: string, looking: Looking): Promise<Contents>;
  /** Warnings, one sentence each: reasons why copying, or reading the copy back (`isRead`), would fail. */
  outlook(isRead: boolean): Promise<string[]>;
  /** Tells whether the database holds data; a schema without people counts as empty. */
  holdsData(): Promise<boolean>;
  /** Returns why the database cannot be replaced now, as a sentence. */
  replaceFault(): Promise<string | undefined>;
  /** Opens a copy in scratch and reads all of it. */
  read(file: string, looking: Looking): Promise<Contents>;
  /** Reads the content of the database itself; nobody may change it meanwhile. */
  contents(looking: Looking): Promise<Contents>;
  /** Replaces the database by the copy, all or nothing. */
  replace(file: string): Promise<void>;
}

/** It cannot be done here; the message is a sentence for whoever asked. */
export class CopyFault extends Error {
  /** A program of the database is not on this machine. */
  readonly lacksProgram: boolean;

  constructor(message: string, { lacksProgram = false } = {}) {
    super(message);
    this.lacksProgram = lacksProgram;
  }
}
