import { execFile, spawn } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export interface PostgresServer {
  /** URL of a superuser, who can create databases. */
  url: string;
  about: string;
  stop(): Promise<void>;
}

/**
 * Finds a test PostgreSQL: TEST_DATABASE_URL (its user must be allowed to create databases), else a server of our own
 * until `stop`, else the reason why there is none. A TEST_DATABASE_URL that does not answer is an error. @param place
 * folder of its files, /tmp by default
 */
export async function findPostgres(place?: string): Promise<PostgresServer | { missing: string }> {
  const named = process.env.TEST_DATABASE_URL;
  if (named) return { url: named, about: `${await versionOf(named)}, TEST_DATABASE_URL`, stop: async () => {} };
  const programs = findPrograms();
  if (!programs) return { missing: 'TEST_DATABASE_URL is not set and no initdb and postgres are installed.' };
  const account = findAccount();
  if ('missing' in account) return account;
  return startServer(programs, account, { parent: place });
}

/** Returns the folder with the programs initdb and postgres, of the newest version. */
function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Account {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root, so it runs as its own system user or as nobody. */
function findAccount(): Account | { missing: string } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find(Boolean);
  if (!user) return { missing: 'PostgreSQL does not run as root, and there is no user postgres or nobody.' };
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * Shell script that owns the server until its standard input ends. The same happens when the parent is killed, so no
 * server or folder is left behind. Ignores Ctrl-C. Each line it reads starts the server or sends it a signal. It
 * replies to a stop once the server has ended.
 */
const keeper = `
  trap '' INT TERM HUP
  while read -r word; do
    case $word in
      start) "$0" "$@" >>log 2>&1 </dev/null & server=$! ;;
      STOP|CONT) kill -$word $server $(cat /proc/$server/task/$server/children) ;;
      *) kill -$word $server; wait $server ;;
    esac
    echo done
  done
  kill -CONT $server $(cat /proc/$server/task/$server/children) 2>/dev/null
  kill -INT $server
  wait $server
  rm -rf "$PWD"
`;

/** A server that fails on command. Each method resolves once the failure has happened. */
export interface FailingPostgres extends PostgresServer {
  /** INT ends connections at once (fast); QUIT ends as a crash would (immediate). */
  end(how: 'INT' | 'QUIT'): Promise<void>;
  /** Resolves when the server answers. */
  start(): Promise<void>;
  /** Stops every process of the server (SIGSTOP); `goOn` continues them. */
  hang(): Promise<void>;
  goOn(): Promise<void>;
}

/** `parent` is a folder on a separate disk. `settings` are `name=value`. */
interface Wishes {
  parent?: string;
  settings?: string[];
}

/** Undefined if no server can be started, and with TEST_DATABASE_URL: tests must not stop that server. */
export async function startFailingPostgres(wishes: Wishes = {}): Promise<FailingPostgres | undefined> {
  const programs = findPrograms();
  const account = findAccount();
  if (!programs || 'missing' in account) return undefined;
  // Committed data must survive every stop.
  const server = await startServer(programs, account, { ...wishes, survives: true });
  return 'missing' in server ? undefined : server;
}

/** A streaming replica of a server that `startFailingPostgres` has started. Undefined if pg_basebackup is missing. */
export async function startReplica(
  primary: FailingPostgres,
  wishes: Wishes = {},
): Promise<FailingPostgres | undefined> {
  const programs = findPrograms();
  const account = findAccount();
  if (!programs || 'missing' in account) return undefined;
  const folders = [programs, dirname(realpathSync(join(programs, 'initdb')))];
  const copier = folders.map((folder) => join(folder, 'pg_basebackup')).find(isExecutable);
  if (!copier) return undefined;
  const socket = new URL(primary.url).searchParams.get('host') ?? '';
  const server = await startServer(programs, account, { ...wishes, survives: true, copy: { copier, socket } });
  return 'missing' in server ? undefined : server;
}

async function startServer(
  programs: string,
  account: Account,
  {
    survives = false,
    copy,
    parent = '/tmp',
    settings: wished = [],
  }: Wishes & { survives?: boolean; copy?: { copier: string; socket: string } } = {},
): Promise<FailingPostgres | { missing: string }> {
  // Does not use os.tmpdir(): the path of a socket may have about 100 characters, and another user must reach it.
  const folder = mkdtempSync(join(parent, 'lectern-postgres-'));
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  try {
    // Locale C sorts by code point, like SQLite.
    if (copy) {
      const from = ['-h', copy.socket, '-U', 'postgres', '-D', 'data', '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
      await promisify(execFile)(copy.copier, from, options);
    }
    const settings = ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
    if (!copy) await promisify(execFile)(join(programs, 'initdb'), [...settings, '-D', 'data'], options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { missing: `initdb failed: ${error instanceof Error ? error.message : error}` };
  }
  // Listens only on a socket in a private folder. Durability is off, because the data may be lost.
  const quick = [
    'fsync=off',
    `synchronous_commit=${survives ? 'on' : 'off'}`,
    'full_page_writes=off',
    'listen_addresses=',
    // Without replication and autovacuum: tables live for seconds only, and this saves a third of the server's work.
    ...(survives ? [] : ['wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off']),
    ...wished,
  ];
  const server = [join(programs, 'postgres'), '-D', 'data', '-k', folder, ...quick.flatMap((option) => ['-c', option])];
  const child = spawn('/bin/sh', ['-c', keeper, ...server], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  const tell = async (word: 'start' | 'INT' | 'QUIT' | 'STOP' | 'CONT') => {
    const done = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.write(`${word}\n`);
    await done;
  };
  const url = `postgresql://postgres@localhost/postgres?host=${folder}`;
  /** Returns the version once the server answers; undefined if it never does. */
  const start = async () => {
    await tell('start');
    for (let attempt = 0; attempt < 300; attempt += 1) {
      try {
        return await versionOf(url);
      } catch {
        await wait(100);
      }
    }
    return undefined;
  };
  const version = await start();
  if (version) {
    return {
      url,
      about: `${version}, started for the tests`,
      stop,
      end: tell,
      async start() {
        if (!(await start())) throw new Error('PostgreSQL does not answer');
      },
      hang: () => tell('STOP'),
      goOn: () => tell('CONT'),
    };
  }
  const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').slice(-1000) : '';
  await stop();
  return { missing: `the server does not answer after 30 seconds. ${log}` };
}

async function versionOf(url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  try {
    const answer = await client.query<{ server_version: string }>('show server_version');
    return answer.rows[0]?.server_version.split(' ')[0] ?? '';
  } finally {
    await client.end();
  }
}

/** Runs a query over a new connection. */
export async function query<Row extends object>({ url }: Pick<PostgresServer, 'url'>, text: string): Promise<Row[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
