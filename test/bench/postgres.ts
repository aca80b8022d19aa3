/** PostgreSQL for the benchmarks: creates databases on the given server and measures the CPU time of its processes. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Returns a database for the small school on the server of the large one. Creates and fills it if it is missing. */
export async function smallBeside(large: string, varDir: string): Promise<string> {
  const small = new URL(large);
  small.pathname = `${small.pathname}_small`;
  const name = small.pathname.slice(1);
  const client = new pg.Client({ connectionString: large });
  await client.connect();
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  if (!rowCount) {
    console.log('filling the small school on PostgreSQL …');
    const filled = spawnSync(process.execPath, ['server/demo/command.ts', '--size', 'small'], {
      env: { ...process.env, VAR_DIR: varDir, DATABASE_URL: small.href },
      stdio: 'inherit',
    });
    if (filled.status !== 0) throw new Error(`the small school was not filled: ${filled.status}`);
  }
  return small.href;
}

/** Creates an empty database on the same server. `drop` deletes it. */
export async function emptyBeside(original: string, ending: string): Promise<{ url: string; drop(): Promise<void> }> {
  const made = new URL(original);
  made.pathname = `${made.pathname}_${ending}`;
  const ask = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: original });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const name = pg.escapeIdentifier(made.pathname.slice(1));
  const drop = `drop database if exists ${name} with (force)`;
  await ask(drop, `create database ${name} template template0`);
  return { url: made.href, drop: () => ask(drop) };
}

/** Copies a database for changes; `drop` removes the copy. The original must have no connections. */
export async function copyBeside(original: string, ending: string): Promise<{ url: string; drop(): Promise<void> }> {
  const copy = new URL(original);
  copy.pathname = `${copy.pathname}_${ending}`;
  const [from, to] = [original, copy.href].map((url) => new URL(url).pathname.slice(1)) as [string, string];
  const administer = new URL(original);
  administer.pathname = '/postgres';
  const ask = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: administer.href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const drop = `drop database if exists ${pg.escapeIdentifier(to)} with (force)`;
  await ask(drop, `create database ${pg.escapeIdentifier(to)} template ${pg.escapeIdentifier(from)}`);
  return { url: copy.href, drop: () => ask(drop) };
}

const ticksPerSecond = 100;

/** CPU seconds of the connections to a database. 0 if its server runs on another machine. */
export function connectionSeconds(databaseUrl: string): number {
  const database = new URL(databaseUrl).pathname.slice(1);
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // PostgreSQL's process title: `postgres: user database address state`.
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(' ')[2] !== database) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended.
    }
  }
  return ticks / ticksPerSecond;
}

/**
 * CPU seconds of all processes of a database's PostgreSQL server, including ended ones. 0 if it runs on another machine
 * or the database has no connections.
 */
export function postgresSeconds(databaseUrl: string): number {
  const database = new URL(databaseUrl).pathname.slice(1);
  const processes = new Map<string, { parent: string; own: number; ended: number }>();
  const servers = new Set<string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent = '', ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const [user, system, endedUser, endedSystem] = fields.slice(9, 13).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      processes.set(pid, { parent, own: user + system, ended: endedUser + endedSystem });
      // PostgreSQL's process title: `postgres: user database address state`.
      const [name, , of] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(' ');
      if (name === 'postgres:' && of === database) servers.add(parent);
    } catch {
      // The process has ended.
    }
  }
  let ticks = 0;
  for (const [pid, { parent, own, ended }] of processes) {
    if (servers.has(pid)) ticks += own + ended;
    else if (servers.has(parent)) ticks += own;
  }
  return ticks / ticksPerSecond;
}
