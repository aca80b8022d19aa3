/** A multi-machine school on one machine; each part can be made to fail. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type Bucket, startBucket } from '../support/bucket.ts';
import { runCommand } from '../support/commands.ts';
import { type Pooler, startPooler } from '../support/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { type FailingPostgres, query, startFailingPostgres, startReplica } from '../support/postgres.ts';
import { missingProxy, type StartedProxy, startProxy } from '../support/proxies.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { smallDisk } from '../support/small-disk.ts';

/** Size of each disk in megabytes. */
const room = { database: 700, data: 60 };
const sessionSecret = 'a-secret-of-the-tests-of-32-signs';

export interface Place {
  primary: FailingPostgres;
  replica: FailingPostgres;
  pooler: Pooler;
  bucket: Bucket;
  proxy: StartedProxy;
  ports: [number, number, number];
  servers: [RunningServer, RunningServer, RunningServer];
  /** Separate disks for each database and for uploads. */
  disks: { primary: string; replica: string; data: string };
  /** Mount point of a database's disk. */
  diskOf(database: FailingPostgres): string;
  environment: Record<string, string>;
  /** Starts a process on the port of one that has ended. */
  serve(port: number): Promise<RunningServer>;
  /** Shifts the clock of one process by `ahead` seconds. */
  setClock(server: RunningServer, ahead: number): void;
  close(): Promise<void>;
}

/** Moves all files of a folder into the bucket. */
function moveInto(bucket: Bucket, folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('.receiving')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    bucket.objects.set(`/school/${path.relative(folder, file)}`, { bytes, contentType: undefined });
  }
}

/** Starts the school. Returns the missing programs if it cannot run on this machine. */
export async function openPlace(): Promise<Place | { missing: string }> {
  const noProxy = missingProxy('haproxy');
  if (noProxy) return { missing: noProxy };
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  const lacking = async (missing: string) => {
    await close();
    return { missing };
  };
  const disks: Partial<Place['disks']> = {};
  for (const [name, megabytes] of [
    ['primary', room.database],
    ['replica', room.database],
    ['data', room.data],
  ] as const) {
    const disk = smallDisk(megabytes);
    if ('missing' in disk) return lacking(disk.missing);
    closing.push(disk.remove);
    disks[name] = disk.folder;
  }
  const { primary: primaryDisk = '', replica: replicaDisk = '', data = '' } = disks;
  const settings = ['max_wal_size=96MB', 'min_wal_size=32MB', 'hot_standby=on'];
  const primary = await startFailingPostgres({ parent: primaryDisk, settings });
  if (!primary) return lacking('no PostgreSQL can be started on this machine');
  closing.push(() => primary.stop());

  const folder = mkdtempSync(path.join(tmpdir(), 'operation-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const bucket = await startBucket(500);
  closing.push(() => bucket.close());
  const filled = await runCommand('server/demo/command.ts', ['--size', 'small'], {
    DATABASE_URL: primary.url,
    VAR_DIR: folder,
  });
  expect(filled).toMatchObject({ code: 0 });
  moveInto(bucket, path.join(folder, 'files'));

  const replica = await startReplica(primary, { parent: replicaDisk, settings });
  if (!replica) return lacking('pg_basebackup is missing on this machine');
  closing.push(() => replica.stop());
  // Commits are synchronous from now on. Only the replica waits for no other server.
  await query(primary, "alter system set synchronous_standby_names = '*'");
  await query(primary, 'select pg_reload_conf()');
  await expect
    .poll(() => query(primary, 'select sync_state from pg_stat_replication'))
    .toEqual([{ sync_state: 'sync' }]);
  const pooler = await startPooler(primary.url, 30);
  if (!pooler) return lacking('pgbouncer is missing on this machine');
  closing.push(() => pooler.stop());

  const clocks = path.join(folder, 'clocks');
  mkdirSync(clocks);
  const environment = {
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: '1',
    DEMO: '0',
    VAR_DIR: data,
    SESSION_SECRET: sessionSecret,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: '5',
    LOG_LEVEL: 'info',
    ...bucket.environment,
  };
  const serve = async (port: number) => {
    const clock = path.join(clocks, String(port));
    writeFileSync(clock, '0');
    return startServer({
      ...environment,
      PORT: String(port),
      CLOCK_FILE: clock,
      NODE_OPTIONS: `--import=${new URL('shifted-clock.ts', import.meta.url)}`,
    });
  };
  const ports: Place['ports'] = [await freePort(), await freePort(), await freePort()];
  const servers: Place['servers'] = [await serve(ports[0]), await serve(ports[1]), await serve(ports[2])];
  closing.push(() => Promise.all(servers.map((server) => server.stop())));
  const proxy = await startProxy('haproxy', ports);
  closing.push(() => proxy.stop());
  return {
    primary,
    replica,
    pooler,
    bucket,
    proxy,
    ports,
    servers,
    disks: { primary: primaryDisk, replica: replicaDisk, data },
    diskOf: (database) => (database === primary ? primaryDisk : replicaDisk),
    environment,
    serve,
    setClock(server, ahead) {
      const port = new URL(server.base).port;
      writeFileSync(path.join(clocks, port), String(ahead));
      process.kill(server.pid, 'SIGUSR2');
    },
    close,
  };
}
