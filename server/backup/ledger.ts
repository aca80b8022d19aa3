/** Which files an archive holds and which ones its database names: on the disk, for a school has more than memory. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FileLine } from './archive.ts';

export interface Ledger {
  keep(file: FileLine): void;
  has(key: string): boolean;
  /** As it was kept. */
  find(key: string): FileLine | undefined;
  /** From now on those are named that are named anew. */
  forgetNamed(): void;
  name(key: string): void;
  /** What is named and not kept; the first ones, and how many. */
  missing(): { first: string[]; count: number };
  all(): Iterable<FileLine>;
  /** Of what is kept. */
  sums(): { count: number; bytes: number };
  close(): void;
}

const shownMissing = 20;

/** In a folder that is thrown away. */
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
