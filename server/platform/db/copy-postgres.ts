/** Backup copies of PostgreSQL with its own programs: pg_dump of a snapshot, pg_restore in one transaction. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { addressesOf } from '#server/platform/configuration/addresses.mjs';
import { environmentWith, programFolders } from '#server/platform/configuration/programs.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { type Copier, CopyError, type DatabaseContents, type RowSearch } from './copy.ts';

const run = promisify(execFile);

/** Fixes how values are written as text, so that fingerprints of tables do not depend on the server's settings. */
const fixedOutputFormat =
  "set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0";

/** Copies the database at this address. Behind a pooler it connects to DATABASE_DIRECT_URL instead. */
export function postgresCopier(named: string): Copier {
  const url = setting('DATABASE_DIRECT_URL') || named;
  return {
    engine: 'postgres',
    fileName: 'database.dump',
    title: titleOf(url),
    async take(file, looking) {
      return withConnection(url, async (client, server) => {
        await dropAbandoned(client);
        const dump = await program('pg_dump', await majorOf(client));
        // The transaction exports its snapshot, so that pg_dump reads the same state whose rows are counted below.
        await client.query('begin isolation level repeatable read, read only');
        const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
        const options = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges'];
        // Other schemas and publications are left out, because this user may not be allowed to read or create them.
        const ours = [`--schema="${await schemaOf(client)}"`, '--extension=*'];
        await runProgram(server, dump, [...options, ...ours, `--snapshot=${rows[0]?.id}`, `--file=${file}`]);
        const contents = await contentsOf(client, looking);
        await client.query('commit');
        return contents;
      });
    },
    outlook: async (isRead) => {
      const faults: string[] = [];
      const told = (error: unknown) => {
        if (!(error instanceof CopyError)) throw error;
        faults.push(error.message);
      };
      await withConnection(url, async (client) => {
        const major = await majorOf(client);
        for (const name of ['pg_dump', 'pg_restore', 'psql'] as const)
          if (faults.length === 0) await program(name, major).catch(told);
        if (isRead && !(await mayCreateDatabases(client)))
          faults.push(
            `A backup cannot be read again on ${titleOf(url)}: ${needsCreateDb} (alter role … createdb, by a superuser).`,
          );
      }).catch(told);
      return faults;
    },
    holdsData: () =>
      withConnection(url, async (client) => {
        const tables = await tablesOf(client);
        if (tables.length === 0) return false;
        if (!tables.includes('staff')) return true;
        return (await client.query('select 1 from staff limit 1')).rowCount !== 0;
      }),
    replaceFault: () =>
      withConnection(url, async (client) => {
        const tables = await tablesOf(client);
        if (tables.length > 0 && !tables.includes('kysely_migration'))
          return `${titleOf(url)} holds tables that are not this product's: it is left as it is.`;
        const { rows } = await client.query<{ others: number }>(
          `select count(*)::int as others from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
        );
        const others = rows[0]?.others ?? 0;
        return others > 0
          ? `${titleOf(url)} is in use by ${others} connection${others === 1 ? '' : 's'}: stop the server first.`
          : undefined;
      }),
    async read(file, looking) {
      const scratch = `${scratchStart}${randomUUID().slice(0, 8)}`;
      return withConnection(url, async (client, server) => {
        await dropAbandoned(client);
        // Marks the scratch database as in use: dropAbandoned looks for a connection with this name.
        await client.query(`set application_name = '${scratch}'`);
        try {
          await client.query(`create database ${scratch} template template0 encoding 'UTF8'`);
        } catch (error) {
          throw new CopyError(
            `A database for scratch cannot be made on ${titleOf(url)} (${messageOf(error)}): ${needsCreateDb}, or give another server's address as DATABASE_URL to verify with.`,
          );
        }
        try {
          const there = urlTo(server, scratch);
          await restoreInto(there, file, await versionsOf(client));
          return await withConnection(there, (other) => contentsOf(other, looking));
        } finally {
          // A failure is ignored: if the connection was lost, the next verification drops the database.
          await client.query(`drop database if exists ${scratch}`).catch(() => undefined);
        }
      });
    },
    contents: (looking) => withConnection(url, (client) => contentsOf(client, looking)),
    replace: (file) =>
      withConnection(url, async (client, server) => {
        await restoreInto(server, file, await versionsOf(client));
        // Gathers statistics for the query planner, which otherwise guesses. PostgreSQL never does so by itself for
        // partitioned tables.
        await client.query('analyze');
      }),
  };
}

const versionsOf = async (client: pg.Client) => ({ major: await majorOf(client), schema: await schemaOf(client) });

const scratchStart = 'lectern_verify_';
const needsCreateDb = 'its user needs the right CREATEDB';

async function mayCreateDatabases(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
  );
  return rows[0]?.may ?? false;
}

async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  return rows[0]?.name ?? 'public';
}

/** Drops scratch databases left by a process that was killed or lost its connection. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database
      where starts_with(datname, $1) and pg_get_userbyid(datdba) = current_user and not exists
        (select 1 from pg_stat_activity where application_name = pg_database.datname or datname = pg_database.datname)`,
    [scratchStart],
  );
  // A failure is ignored: another process may have dropped the database first, or is still connected to it.
  for (const { name } of rows)
    await client.query(`drop database if exists ${client.escapeIdentifier(name)}`).catch(() => undefined);
}

/** Drops everything in the schema and restores the copy, in one transaction. */
async function restoreInto(
  url: string,
  file: string,
  { major, schema }: { major: number; schema: string },
): Promise<void> {
  const [restore, psql] = [await program('pg_restore', major), await program('psql', major)];
  const extensions = await extensionsOf(restore, file);
  const reading = spawn(restore, ['--no-owner', '--no-privileges', `--schema=${schema}`, '--file=-', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const writing = spawn(psql, [...psqlOptions, `--dbname=${plainUrl(url)}`], {
    env: environmentOf(url),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const readFault = errorOutputOf(reading);
  const writeFault = errorOutputOf(writing);
  const script = Readable.from(
    (async function* () {
      yield Buffer.from(dropAllSql);
      for (const name of extensions) yield Buffer.from(createExtensionSql(name));
      for await (const chunk of withSearchPath(reading.stdout)) yield chunk;
      // Adds an error to the script, so that restoring an incomplete copy is rolled back.
      if (await readFault) yield Buffer.from(`do $$ begin raise exception '${unreadable}'; end $$;\n`);
    })(),
  );
  await pipeline(script, writing.stdin).catch(() => reading.kill());
  const [unread, unwritten] = await Promise.all([readFault, writeFault]);
  const fault = unwritten && !unwritten.includes(unreadable) ? unwritten : unread;
  if (fault) throw new CopyError(`The database was not restored: ${fault}`);
}

/**
 * Lists the names of the extensions in the copied database. Empty if the copy is unreadable; restoring it reports the
 * reason.
 */
async function extensionsOf(restore: string, file: string): Promise<string[]> {
  const { stdout } = await run(restore, ['--list', file], { maxBuffer: 1 << 26 }).catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/^\d+; \d+ \d+ EXTENSION - (\S+)/gm)].map(([, name = '']) => name);
}

/**
 * SQL that creates the extension if this database user may. The product needs none, but a column or index that somebody
 * added might.
 */
const createExtensionSql = (name: string): string => {
  const identifier = `"${name.replaceAll('"', '""')}"`;
  return `do $extension$ begin create extension if not exists ${identifier}; exception when others then null; end $extension$;\n`;
};

/**
 * pg_restore's script starts by emptying search_path, which breaks index expressions that call functions without a
 * schema name. This drops that statement from the script.
 */
async function* withSearchPath(script: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of script) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const text = head.toString('latin1');
    const isThere = text.includes(searchless);
    if (!isThere && head.length < headBytes) continue;
    yield isThere ? Buffer.from(text.replace(searchless, ''), 'latin1') : head;
    head = undefined;
  }
  if (head) yield head;
}
const searchless = "SELECT pg_catalog.set_config('search_path', '', false);";
/** The statement must be within this many bytes of the script's start. */
const headBytes = 16_384;

const unreadable = 'the copy could not be read';
const psqlOptions = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction', '--file=-'];

/** Drops all tables, views, sequences and functions of the schema. Skips objects that belong to an extension. */
const dropAllSql = `
do $$ declare one record; begin
  for one in select c.oid::regclass as name, c.relkind from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and not c.relispartition
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') loop
    if one.relkind in ('v', 'm') then
      execute format('drop %s if exists %s cascade', case one.relkind when 'v' then 'view' else 'materialized view' end, one.name);
    else
      execute format('drop table if exists %s cascade', one.name);
    end if;
  end loop;
  for one in select c.oid::regclass as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' loop
    execute format('drop sequence if exists %s cascade', one.name);
  end loop;
  for one in select p.oid::regprocedure as name, p.prokind as kind from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop
    execute format('drop %s if exists %s cascade', case one.kind when 'a' then 'aggregate' when 'p' then 'procedure' else 'function' end, one.name);
  end loop;
end $$;
`;

/** Resolves to the error output of a program; '' if it succeeded. */
function errorOutputOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, 2_000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? '' : said.trim() || `it ended with ${code}`));
  });
}

async function contentsOf(client: pg.Client, { pattern, found }: RowSearch): Promise<DatabaseContents> {
  await client.query(fixedOutputFormat);
  const tables: DatabaseContents['tables'] = {};
  for (const table of await tablesOf(client)) {
    const name = client.escapeIdentifier(table);
    const { rows } = await client.query<{ rows: string; fingerprint: string }>(
      `select count(*)::text as rows,
              coalesce(md5(sum(('x' || substr(hash, 1, 16))::bit(64)::bigint)::text || ':' ||
                           sum(('x' || substr(hash, 17))::bit(64)::bigint)::text), '') as fingerprint
         from (select md5(whole_row::text) as hash from ${name} as whole_row) as hashed`,
    );
    tables[table] = { rows: Number(rows[0]?.rows), fingerprint: rows[0]?.fingerprint ?? '' };
    const matches = await client.query<{ match: string }>({
      text: `select distinct matched[1] as match from ${name} as whole_row, regexp_matches(whole_row::text, $1, 'g') as matched
              where whole_row::text like '%/%'`,
      values: [`(${pattern})`],
    });
    for (const { match } of matches.rows) found(match);
  }
  const migrations = tables.kysely_migration
    ? (await client.query<{ name: string }>('select name from kysely_migration order by name')).rows
    : [];
  return { tables, migrations: migrations.map(({ name }) => name) };
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname collate "C"`,
  );
  return rows.map(({ name }) => name);
}

/** Connects to the server that accepts writes, and passes the client and the server's address to `work`. */
async function withConnection<T>(url: string, work: (client: pg.Client, server: string) => Promise<T>): Promise<T> {
  // The connection must be direct: these programs change session settings such as search_path, and a pooler would give
  // the changed connection to others.
  if (setting('DATABASE_POOLER') && !setting('DATABASE_DIRECT_URL')) throw new CopyError(behindPooler);
  const { client, server } = await connectToPrimary(addressesOf(url));
  try {
    await client.query(fixedOutputFormat);
    return await work(client, server);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const behindPooler =
  'The database is not copied through a pooler (DATABASE_POOLER=1), whose connections would be left unusable for others: give the address of PostgreSQL itself as DATABASE_DIRECT_URL.';

async function connectToPrimary([server = '', ...others]: string[]): Promise<{ client: pg.Client; server: string }> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (others.length === 0 || rows[0]?.transaction_read_only === 'off') return { client, server };
    await client.end();
  } catch (error) {
    if (others.length === 0) throw new CopyError(`${titleOf(server)} does not answer: ${messageOf(error)}`);
  }
  return connectToPrimary(others);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}

/** Finds the oldest installed version that supports the server. A newer one may write what the server cannot read. */
async function program(name: 'pg_dump' | 'pg_restore' | 'psql', server: number): Promise<string> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [...versions.map((version) => path.join(debian, version, 'bin')), ...programFolders()];
  const found = new Map<number, string>();
  for (const file of folders.map((folder) => path.join(folder, name)).filter((one) => existsSync(one))) {
    const { stdout } = await run(file, ['--version']).catch(() => ({ stdout: '' }));
    const major = Number(/(\d+)(?:\.|\s|$)/.exec(stdout.split(')').at(1) ?? '')?.[1]);
    if (major >= server && !found.has(major)) found.set(major, file);
  }
  const best = found.get(Math.min(...found.keys()));
  if (best) return best;
  throw new CopyError(
    `${name} of PostgreSQL ${server} or newer is not on this machine, and the database is one of PostgreSQL ${server}: install the package postgresql-client-${server} (Debian), or whatever has ${name}.`,
    { lacksProgram: true },
  );
}

async function runProgram(url: string, file: string, options: string[]): Promise<void> {
  const child = spawn(file, [...options, `--dbname=${plainUrl(url)}`], {
    env: environmentOf(url),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const fault = await errorOutputOf(child);
  if (fault) throw new CopyError(`The database was not copied: ${fault}`);
}

/** Connection parameters that pg_dump and the other programs understand. */
const libpqParameters =
  /^(?:host|port|sslmode|sslrootcert|sslcert|sslkey|target_session_attrs|application_name|options)$/;

/** Removes the password from an address, because it would be visible in the machine's process list. */
function plainUrl(url: string): string {
  const plain = new URL(url);
  plain.password = '';
  for (const name of [...plain.searchParams.keys()]) if (!libpqParameters.test(name)) plain.searchParams.delete(name);
  if (plain.searchParams.get('sslmode') === 'no-verify') plain.searchParams.set('sslmode', 'require');
  return plain.href;
}

function environmentOf(url: string): NodeJS.ProcessEnv {
  const { password, searchParams } = new URL(url);
  const given = decodeURIComponent(password) || searchParams.get('password');
  return environmentWith(given ? { PGPASSWORD: given } : {});
}

function urlTo(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

function titleOf(url: string): string {
  const servers = addressesOf(url).map((address) => new URL(address));
  return `the database ${servers.map(({ host }) => host).join(', ')}${servers[0]?.pathname}`;
}
