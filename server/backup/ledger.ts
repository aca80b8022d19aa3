/**
 * Bookkeeping of a backup: files in the archive, and files that the database names. Held in a temporary SQLite file,
 * since a school may have more files than fit into memory.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FileLine } from './archive.ts';

export interface Ledger {
  keep(file: FileLine): void;
  has(key: string): boolean;
  /** The line passed to `keep`. */
  find(key: string): FileLine | undefined;
  /** Clears the named files before the database is copied again. */
  forgetNamed(): void;
  name(key: string): void;
  /** Files named but not in the archive: the first ones, and how many. */
  missing(): { first: string[]; count: number };
  all(): Iterable<FileLine>;
  /** Number and bytes of the files in the archive. */
  sums(): { count: number; bytes: number };
  close(): void;
}

const shownMissing = 20;

/** `folder`: a scratch folder. */
export function openLedger(folder: string): Ledger {
  const database = new DatabaseSync(path.join(folder, 'ledger'));
  database.exec(`
    pragma journal_mode = off;
    pragma synchronous = off;
    pragma cache_size = -8192;
    create table kept (key text primary key, size integer not null, sha256 text not null) without rowid;
    create table named (key text primary key) without rowid;
    begin;
  `);
  const keeping = database.prepare('insert or replace into kept (key, size, sha256) values (?, ?, ?)');
  const finding = database.prepare('select key, size, sha256 from kept where key = ?');
  const naming = database.prepare('insert or ignore into named (key) values (?)');
  const missing = 'from named where key not in (select key from kept)';
  return {
    keep: ({ key, size, sha256 }) => void keeping.run(key, size, sha256),
    has: (key) => finding.get(key) !== undefined,
    find: (key) => finding.get(key) as FileLine | undefined,
    forgetNamed: () => database.exec('delete from named'),
    name: (key) => void naming.run(key),
    missing() {
      const first = database.prepare(`select key ${missing} order by key limit ${shownMissing}`).all();
      const { count } = database.prepare(`select count(*) as count ${missing}`).get() as { count: number };
      return { first: first.map(({ key }) => String(key)), count };
    },
    all: () => database.prepare('select key, size, sha256 from kept order by key').iterate() as Iterable<FileLine>,
    sums: () =>
      database.prepare('select count(*) as count, coalesce(sum(size), 0) as bytes from kept').get() as {
        count: number;
        bytes: number;
      },
    close: () => database.close(),
  };
}
