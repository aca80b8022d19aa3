/** @module-tag thorough */
/** Thousands of rows are checked, applied and undone in a worker thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecords } from '#server/import/formats/json.ts';
import { cancelImportJob, claimImport, startJob } from '#server/import/jobs.ts';
import { importersByKind } from '#server/import/kinds.ts';
import type { ImportJob } from '#server/import/rules.ts';
import { commandLineActor, storedImport } from '#server/import/stored-import.ts';
import { storeUploadRows } from '#server/import/upload.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { migrate } from '#server/schema/migrate.ts';
import { allKinds, fingerprints, smallUpload } from '../support/imports.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const timezone = 'Asia/Shanghai';
const classes = 5;
const students = 300;

describeEngines('a large import', (engine) => {
  let folder: string;
  let created: TestDatabase | undefined;
  let database: OpenDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'large-import-'));
    created = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    database = openDatabase(created?.url ?? path.join(folder, 'school.db'));
    await migrate(database);
  });
  afterAll(async () => {
    await database.destroy();
    await created?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const storeUpload = (records = smallUpload({ tag: 4, classes, students })) => {
    const reading = readRecords({ mode: 'bulk', kinds: allKinds, records }, '记录');
    const owners = importersByKind({ timezone, now: noon });
    const upload = { source: { name: '大校', owner: '' }, fileName: '大校.json', hash: 'large', reading };
    return storeUploadRows({ db: database.db, importer: commandLineActor, now: noon, owners }, upload);
  };
  const claimed = async (importId: number, job: ImportJob) =>
    expect(await claimImport(database.db, importId, job)).toBe(true);
  const started = (importId: number, job: ImportJob) => {
    const order = { importId, job, importer: commandLineActor, now: noon, timezone, departures: true };
    return startJob({ database, log: openLog() }, order, { whole: true });
  };
  const run = async (importId: number, job: ImportJob) => {
    await claimed(importId, job);
    return started(importId, job);
  };
  const stateOf = async (id: number) => (await storedImport(database.db, id)).state;

  it('runs beside other requests, can be cancelled halfway, and is undone', async () => {
    const before = await fingerprints(database.db);
    const id = await storeUpload();
    expect((await storedImport(database.db, id)).total).toBeGreaterThan(3000);
    expect(await run(id, 'check')).toBeNull();
    expect(await stateOf(id)).toBe('checked');

    await claimed(id, 'apply');
    const given = started(id, 'apply');
    expect((await storedImport(database.db, id)).job).toBe('apply');
    await cancelImportJob(database.db, id);
    const outcome = await given;
    expect(isRefusal(outcome) && outcome.msg).toBe('已取消');
    expect(await storedImport(database.db, id)).toMatchObject({ state: 'checked', job: '', failure: '已取消' });
    await expect.poll(() => fingerprints(database.db)).toEqual(before);

    let reads = 0;
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        await database.db.selectFrom('student').select('id').orderBy('id').limit(20).execute();
        reads += 1;
        // Yields between reads as requests do.
        await othersTurn();
      }
    })();
    expect(await run(id, 'apply')).toBeNull();
    isDone = true;
    await reading;
    expect(reads).toBeGreaterThan(20);
    expect(await stateOf(id)).toBe('applied');
    const members = await database.db.selectFrom('class_student').select('id').execute();
    expect(members).toHaveLength(classes * students);

    const again = await storeUpload();
    expect(await run(again, 'check')).toBeNull();
    expect((await storedImport(database.db, again)).writes).toBe(0);
    expect(await run(id, 'undo')).toBeNull();
    expect(await stateOf(id)).toBe('undone');
    expect(await fingerprints(database.db)).toEqual(before);
    // No row is applied twice.
    const late = await run(id, 'undo');
    expect(isRefusal(late) && late.msg).toBe('该导入已撤销');
  });
});
