/** @module-tag thorough */
/** Kills a process during an import: none of it is applied, or all. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { fingerprints, smallUpload } from '../support/imports.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const classes = 6;
/** Enough rows for a worker thread. */
const students = 250;

describeEngines('import of a killed process', (engine) => {
  let folder: string;
  let created: TestDatabase | undefined;
  let location: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'killed-import-'));
    created = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    location = created?.url ?? path.join(folder, 'school.db');
    const database = openDatabase(location);
    await migrate(database);
    await database.db.insertInto('school').values({ org_name: '总校' }).execute();
    await database.destroy();
    await writeFile(
      path.join(folder, 'upload.json'),
      JSON.stringify({ mode: 'bulk', records: smallUpload({ tag: 3, classes, students }) }),
    );
  });
  afterAll(async () => {
    await created?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is applied completely or not at all', async () => {
    const database = openDatabase(location);
    const before = await fingerprints(database.db);
    for (const moment of [0, 300]) {
      const child = spawn(process.execPath, ['server/school-command.ts', 'apply', path.join(folder, 'upload.json')], {
        env: { ...process.env, DATABASE_URL: created?.url ?? '', VAR_DIR: folder },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Waits for the apply; before it only the check writes.
      const isApplying = () =>
        database.db.selectFrom('import').select('id').where('job', '=', 'apply').orderBy('id', 'desc').execute();
      while ((await isApplying()).length === 0 && child.exitCode === null) await wait(5);
      await wait(moment);
      child.kill('SIGKILL');
      await ended;
      const applied = await database.db.selectFrom('import').select('id').where('state', '=', 'applied').execute();
      if (applied.length === 0) expect(await fingerprints(database.db)).toEqual(before);
      else break;
      // Clears the job, so that the next wait does not end at once.
      await database.db.updateTable('import').set({ job: '' }).execute();
    }
    const { runSchoolCommand, readSchoolCommand } = await import('#server/import/command.ts');
    const command = readSchoolCommand(['apply', path.join(folder, 'upload.json')]);
    if ('wrong' in command || command.name === 'help') throw new Error('not a command');
    expect(await runSchoolCommand(command, database, 1_800_000_000)).toMatchObject({ verdict: 'ok', state: 'applied' });
    const members = await database.db.selectFrom('class_student').select('id').where('left_at', 'is', null).execute();
    expect(members).toHaveLength(classes * students);
    await database.destroy();
  });
});
