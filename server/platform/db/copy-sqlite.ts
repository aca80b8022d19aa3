/** Backup copies of SQLite: `vacuum into` writes a new file without deleted data. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Copier, CopyError, type DatabaseContents, type RowSearch } from './copy.ts';

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** True if the error says that the file is not a readable database (SQLITE_CORRUPT, SQLITE_NOTADB). */
export const isDatabaseDamaged = (error: unknown): boolean =>
  [11, 26].includes(Number((error as { errcode?: unknown } | null)?.errcode) & 0xff);

export function sqliteCopier(location: string): Copier {
  return {
    engine: 'sqlite',
    fileName: 'database.sqlite',
    title: location,
    async take(file, looking) {
      if (!existsSync(location)) throw new CopyError(`There is no database at ${location}.`);
      const source = new DatabaseSync(location);
      try {
        // The copy reads a snapshot, so that writers need not wait for it.
        source.exec(`pragma busy_timeout = 5000; vacuum into '${file.replaceAll("'", "''")}'`);
      } finally {
        source.close();
      }
      return contentsOf(file, looking);
    },
    async holdsData() {
      if (!existsSync(location)) return false;
      const database = new DatabaseSync(location);
      try {
        const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
        if (tables.length === 0) return false;
        // Without a table `staff` the file is a database of another program, which must not be overwritten.
        if (!tables.some(({ name }) => name === 'staff')) return true;
        return database.prepare('select 1 from staff limit 1').get() !== undefined;
      } catch (error) {
        // A damaged file counts as data, because it may have been a school.
        if (isDatabaseDamaged(error)) return true;
        throw error;
      } finally {
        database.close();
      }
    },
    outlook: async () => [],
    async replaceFault() {
      if (!existsSync(location)) return undefined;
      const database = new DatabaseSync(location);
      try {
        // SQLite only changes the journal mode if this is the sole connection, so a failure shows that a server is
        // running.
        database.exec('pragma busy_timeout = 0; pragma journal_mode = delete');
        return undefined;
      } catch (error) {
        // A damaged file may be replaced.
        if (isDatabaseDamaged(error)) return undefined;
        return `${location} is in use: stop the server first.`;
      } finally {
        database.close();
      }
    },
    read: async (file, looking) => contentsOf(file, looking),
    contents: async (looking) => contentsOf(location, looking),
    async replace(file) {
      mkdirSync(path.dirname(location), { recursive: true });
      for (const end of ['-wal', '-shm', '-journal']) rmSync(location + end, { force: true });
      renameSync(file, location);
    },
  };
}

/** Reads every row of a copy and turns the copy into a single file (no WAL). */
function contentsOf(file: string, looking: RowSearch): DatabaseContents {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma journal_mode = delete; pragma cache_size = -16384; pragma mmap_size = 0');
    const damage = database.prepare('pragma quick_check(1)').get() as { quick_check: string };
    if (damage.quick_check !== 'ok') throw new CopyError(`The copy of the database is damaged: ${damage.quick_check}`);
    // Virtual search tables are skipped, because their content derives from tables that are compared themselves.
    const named = database
      .prepare(
        "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
      )
      .all() as { name: string }[];
    const pattern = new RegExp(looking.pattern, 'g');
    const tables = Object.fromEntries(
      named
        .map(({ name }) => name)
        .sort()
        .map((name) => [name, stateOf(database, name, pattern, looking.found)]),
    );
    const migrations =
      'kysely_migration' in tables
        ? (database.prepare('select name from kysely_migration order by name').all() as { name: string }[])
        : [];
    return { tables, migrations: migrations.map(({ name }) => name) };
  } finally {
    database.close();
  }
}

function stateOf(database: DatabaseSync, table: string, pattern: RegExp, found: (text: string) => void) {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table) as { name: string }[];
  const row = columns.map(({ name }) => `quote(${quoteName(name)})`).join(" || ',' || ");
  // Read in the order of the table, which `vacuum into` keeps. An index could give another order, and so another
  // fingerprint.
  const statement = database.prepare(`select ${row} from ${quoteName(table)} not indexed`);
  statement.setReturnArrays(true);
  const hash = createHash('sha256');
  let rows = 0;
  for (const [text] of statement.iterate() as Iterable<unknown> as Iterable<[string]>) {
    rows += 1;
    hash.update(text).update('\n');
    if (text.includes('/')) for (const [match] of text.matchAll(pattern)) found(match);
  }
  return { rows, fingerprint: hash.digest('base64url') };
}
