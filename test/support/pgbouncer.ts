/** Debian's pgbouncer in transaction mode, in front of a test PostgreSQL. */
import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './ports.ts';

const program = '/usr/sbin/pgbouncer';

export interface Pooler {
  url: string;
  /** Routes new connections to this server. */
  leadTo(server: string): void;
  stop(): Promise<void>;
}

/**
 * Starts pgbouncer with so few server connections that each query gets a different one. Undefined if it is not
 * installed.
 */
export async function startPooler(server: string, connections = 3): Promise<Pooler | undefined> {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return undefined;
  }
  const folder = mkdtempSync('/tmp/lectern-pgbouncer-');
  const port = await freePort();
  const { pathname, searchParams } = new URL(server);
  const database = pathname.slice(1);
  const host = searchParams.get('host') ?? '';
  writeFileSync(path.join(folder, 'users'), '"postgres" ""\n');
  const settled = (socket: string) =>
    writeFileSync(
      path.join(folder, 'pgbouncer.ini'),
      `[databases]
${database} = host=${socket} dbname=${database} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
server_round_robin = 1
server_login_retry = 1
logfile = ${folder}/log
`,
    );
  settled(host);
  // pgbouncer refuses to run as root. The owner of the server's socket may connect.
  const { uid, gid } = statSync(host);
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  if ('uid' in account) for (const file of ['', 'users', 'pgbouncer.ini']) chownSync(path.join(folder, file), uid, gid);
  chmodSync(folder, 0o700);
  const child = spawn(program, [path.join(folder, 'pgbouncer.ini')], { ...account, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `postgresql://postgres@127.0.0.1:${port}/${database}`;
  for (let tries = 0; ; tries += 1) {
    const client = new Client(url);
    client.on('error', () => undefined);
    const answers = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (answers) break;
    if (tries === 100 || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`pgbouncer does not answer: ${readFileSync(path.join(folder, 'log'), 'utf8')}`);
    }
    await wait(100);
  }
  return {
    url,
    leadTo(to) {
      settled(new URL(to).searchParams.get('host') ?? '');
      child.kill('SIGHUP');
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
