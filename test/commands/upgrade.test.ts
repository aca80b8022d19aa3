/** @module-tag thorough */
/** Databases of other versions: a newer one is refused, an older one migrated on request. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { knownMigrations, migrate, stateOfSchema } from '#server/schema/migrate.ts';
import { runCommand } from '../support/commands.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { startApi, startServer } from '../support/running-server.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

/** Simulates the next version of the product, and one whose homework list fails. */
const nextVersion = '--import=./test/support/next-version.mjs';
const brokenVersion = `${nextVersion} --import=./test/support/broken-version.mjs`;
const older = knownMigrations.at(-1);
const latest = '0010-pinned-notices';

describeEngines('database of another version', (engine) => {
  let folder: string;
  let made: TestDatabase | undefined;
  let environment: Record<string, string>;
  let location: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'upgrade-'));
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    location = made?.url ?? path.join(folder, 'school.db');
    environment = { VAR_DIR: folder, DATABASE_URL: made?.url ?? '', LOG_LEVEL: 'silent' };
  });
  afterEach(async () => {
    await made?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const prepared = async (more?: (database: OpenDatabase) => Promise<unknown>) => {
    const database = openDatabase(location);
    try {
      await migrate(database);
      const { id: school_id } = await database.db
        .insertInto('school')
        .values({ org_name: '明德中学' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db
        .insertInto('staff')
        .values(
          (['admin', 'teacher'] as const).map((identity) => ({
            identity,
            school_id,
            username: identity,
            password_hash: 'none',
            real_name: '沈静',
            created_at: 0,
          })),
        )
        .execute();
      await more?.(database);
    } finally {
      await database.destroy();
    }
  };
  const state = async () => {
    const database = openDatabase(location);
    try {
      return await stateOfSchema(database.db);
    } finally {
      await database.destroy();
    }
  };
  const staff = (more: Record<string, string> = {}) =>
    runCommand('server/account/staff-command.ts', ['list'], { ...environment, ...more });

  it('is untouched with a message if newer', async () => {
    await prepared(({ db }) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db),
    );
    const sentence = 'The database was migrated by a newer version of this product (9999-later)';
    expect(await staff()).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^The database was[^\n]*\n$/) });
    const migrating = await runCommand('server/migrate-command.ts', [], environment);
    expect(migrating).toMatchObject({ code: 78, stderr: expect.stringContaining(sentence) });
    await expect(startServer({ ...environment, DEMO: '0' })).rejects.toThrow(
      /ended with 78: The database was migrated/,
    );
    expect((await state()).unknown).toEqual(['9999-later']);
  });

  it('is migrated by the server or the migrate command after a restore point', async () => {
    await prepared();
    const next = { ...environment, NODE_OPTIONS: nextVersion };
    const refused = await staff(next);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run migrate') });
    const words = (...given: string[]) => runCommand('server/migrate-command.ts', given, next);
    expect(await words('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: npm run migrate\n/),
    });
    expect(await words('back')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no command "back"/),
    });
    expect((await state()).done.at(-1)).toBe(older);

    const migrated = await words();
    expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining(`up to ${latest}`) });
    const [point] = await readdir(path.join(folder, 'backups'));
    expect(migrated.stdout).toContain(point);
    expect(await staff(next)).toMatchObject({ code: 0, stdout: expect.stringContaining('沈静') });
    expect(await words()).toMatchObject({ stdout: 'The database is of this version already.\n' });

    // Arguments that restore the backup of the earlier version.
    const restoring = ['restore', path.join(folder, 'backups', point ?? ''), '--replace'];
    expect(await runCommand('server/backup/command.ts', restoring, environment)).toMatchObject({ code: 0, stderr: '' });
    expect((await state()).done.at(-1)).toBe(older);
    expect(await staff()).toMatchObject({ code: 0, stdout: expect.stringContaining('沈静') });

    const server = await startApi({ ...next, RESTORE_POINTS: '0' });
    await server.stop();
    expect((await state()).done.at(-1)).toBe(latest);
    // One backup before the first migration, one before the restore, and none before the second migration.
    expect(await readdir(path.join(folder, 'backups')).catch(() => [])).toHaveLength(2);
  });

  it('can be restored on request if this version cannot serve it', async () => {
    await prepared();
    const before = await state();
    const broken = { ...environment, NODE_OPTIONS: brokenVersion };
    const sentence =
      /^The database could not be migrated to this version, and is as it was before: .*did not serve: GET \S+ answers 500\.$/m;
    for (const program of ['server/migrate-command.ts', 'server/main.ts'])
      expect(await runCommand(program, [], broken)).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(sentence),
      });
    expect(await state()).toEqual(before);
    const whole = { ...environment, NODE_OPTIONS: nextVersion };
    expect(await runCommand('server/migrate-command.ts', [], whole)).toMatchObject({ code: 0, stderr: '' });
    expect((await state()).done.at(-1)).toBe(latest);
  });

  it('is untouched if older than 1.0.0, with instructions', async () => {
    await prepared(async ({ db }) => {
      await sql`delete from kysely_migration where name <> '0001-baseline'`.execute(db);
      await sql`update kysely_migration set name = '0001-school'`.execute(db);
    });
    const sentence = /^The database was made by a version before 1\.0\.0[^\n]*\n$/;
    expect(await staff()).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    for (const program of ['server/migrate-command.ts', 'server/main.ts'])
      expect(await runCommand(program, [], environment)).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(sentence),
      });
    expect(await state()).toMatchObject({ done: ['0001-school'] });
  });
});
