/**
 * Bookkeeping of a running backup: which files are in the archive, and which ones the database names. Kept in a
 * temporary SQLite file, since a school may have more files than fit into memory.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FileLine } from './archive.ts';

export interface Ledger {
  keep(file: FileLine): void;
  has(key: string): boolean;
  /** Returns what `keep` stored under this key. */
  find(key: string): FileLine | undefined;
  /** Forgets the names collected by `name`, before the database is copied a second time. */
  forgetNamed(): void;
  name(key: string): void;
  /** Files that the database names but the archive lacks: the first few keys, and the total count. */
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
