/** @module-tag thorough */
/** Whoever applies an import is ended without being asked: nothing of it is done, or all of it. */
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
/** So many that it runs in a thread of its own. */
const students = 250;

describeEngines('an import whose process is killed', (engine) => {
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

  it('has done all of it or nothing', async () => {
    const database = openDatabase(location);
    const before = await fingerprints(database.db);
    for (const moment of [0, 300]) {
      const child = spawn(process.execPath, ['server/school-command.ts', 'apply', path.join(folder, 'upload.json')], {
        env: { ...process.env, DATABASE_URL: created?.url ?? '', VAR_DIR: folder },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Until it applies: what comes before writes nothing but the check.
      const isApplying = () =>
        database.db.selectFrom('import').select('id').where('job', '=', 'apply').orderBy('id', 'desc').execute();
      while ((await isApplying()).length === 0 && child.exitCode === null) await wait(5);
      await wait(moment);
      child.kill('SIGKILL');
      await ended;
      const applied = await database.db.selectFrom('import').select('id').where('state', '=', 'applied').execute();
      if (applied.length === 0) expect(await fingerprints(database.db)).toEqual(before);
      else break;
      // The next one is not kept waiting by what the last one has said.
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
