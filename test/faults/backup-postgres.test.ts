/** @module-tag thorough */
/** PostgreSQL backups as deployed: the database's owner is no superuser. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runCommand } from '../support/commands.ts';
import { smallDisk } from '../support/small-disk.ts';

const server = inject('postgres');

describe.skipIf(!server)('backup by an owner without superuser rights', () => {
  const role = `owner_${randomUUID().slice(0, 8)}`;
  const databases = [`${server?.prefix}owned`, `${server?.prefix}other`] as const;
  const disk = server ? smallDisk(1) : { missing: 'no PostgreSQL' };
  let folder: string;
  let here: Record<string, string>;

  const addressOf = (database: string, user?: string) => {
    const url = new URL(server?.url ?? '');
    url.pathname = `/${database}`;
    if (user) Object.assign(url, { username: user, password: 'pw' });
    return url.href;
  };
  async function asSuperuser<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(database === '' ? server?.url : addressOf(database));
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const backup = (...words: string[]) => runCommand('server/backup/command.ts', words, here);
  const names = async () => (await readdir(path.join(folder, 'backups'))).filter((name) => !name.endsWith('.verdict'));
  const scratchDatabases = () =>
    asSuperuser('', async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        `select datname from pg_database where starts_with(datname, 'lectern_verify_') and pg_get_userbyid(datdba) = $1`,
        [role],
      );
      return rows.map(({ datname }) => datname);
    });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'owned-'));
    await asSuperuser('', async (client) => {
      await client.query(`create role ${role} login password 'pw'`);
      for (const name of databases) await client.query(`create database ${name} owner ${role} template template0`);
    });
    here = {
      DATABASE_URL: addressOf(databases[0], role),
      VAR_DIR: path.join(folder, 'var'),
      BACKUP_DIR: path.join(folder, 'backups'),
    };
    expect(await runCommand('server/demo/command.ts', [], here)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    if ('remove' in disk) disk.remove();
    const left = await scratchDatabases();
    await asSuperuser('', async (client) => {
      for (const name of [...databases, ...left]) await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`drop role if exists ${role}`);
    });
    await rm(folder, { recursive: true, force: true });
  });

  it('warns at once if it may not create databases', async () => {
    const told = await runCommand('server/startup-warnings.ts', [], here);
    expect(told).toMatchObject({ code: 0, stderr: expect.stringMatching(/Backups will fail.*right CREATEDB/) });
  });

  it('keeps one unverifiable archive apart', async () => {
    for (let night = 0; night < 3; night += 1) {
      const failed = await backup('scheduled');
      expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('right CREATEDB') });
    }
    expect(await names()).toEqual([expect.stringMatching(/^school-.*\.tar\.zst\.failed$/)]);
    expect((await backup('list')).stdout).toMatch(/\.failed\t.*\tFAILED: .*CREATEDB/);
    await asSuperuser('', (client) => client.query(`alter role ${role} createdb`));
    expect(await backup('scheduled')).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toEqual([expect.stringMatching(/\.tar\.zst$/)]);
    expect((await backup('list')).stdout).toMatch(/\.zst\t.*\tread again and compared\n$/);
    expect((await runCommand('server/startup-warnings.ts', [], here)).stderr).not.toContain('CREATEDB');
  });

  it.skipIf('missing' in disk)('reports a full disk, and leaves nothing on it', async () => {
    const there = 'folder' in disk ? disk.folder : '';
    const failed = await backup('make', path.join(there, 'school.tar.zst'));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('No space left on device') });
    expect(await readdir(there)).toEqual([]);
    const { rows } = await asSuperuser(databases[0], (client) =>
      client.query('select verdict, reason from backup order by id desc limit 1'),
    );
    expect(rows).toEqual([{ verdict: 'failed', reason: 'disk_full' }]);
  });

  it('is restored without objects of others', async () => {
    const others = await asSuperuser(databases[0], async (client) => {
      await client.query('create schema monitoring; create table monitoring.secret (id int)');
      await client.query('create publication everything for all tables');
      const { rows } = await client.query<{ name: string }>(
        `select name from pg_available_extension_versions
          where not trusted and superuser and name in ('pg_stat_statements', 'pg_buffercache', 'adminpack') limit 1`,
      );
      for (const { name } of rows) await client.query(`create extension ${name}`);
      return rows;
    });
    expect(others.length).toBeLessThan(2);
    const file = path.join(folder, 'with-others.tar.zst');
    expect(await backup('make', file)).toMatchObject({ code: 0, stderr: '' });
    const there = { ...here, DATABASE_URL: addressOf(databases[1], role), VAR_DIR: path.join(folder, 'there') };
    expect(await runCommand('server/backup/command.ts', ['restore', file], there)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await runCommand('server/backup/command.ts', ['restore', file, '--replace'], there)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { rows } = await asSuperuser(databases[1], (client) =>
      client.query("select 1 from pg_statistic where starelid = 'report'::regclass limit 1"),
    );
    expect(rows).toHaveLength(1);
  });

  it('drops an orphaned scratch database, and none in use', async () => {
    const [file = ''] = await names();
    const words = ['verify', path.join(folder, 'backups', file)];
    await runCommand('server/backup/command.ts', words, here, async (child) => {
      await expect.poll(scratchDatabases, { timeout: 60_000 }).toHaveLength(1);
      child.kill('SIGKILL');
    });
    expect(await scratchDatabases()).toHaveLength(1);
    const both = await Promise.all([backup(...words), backup(...words)]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(await scratchDatabases()).toEqual([]);
  });
});
