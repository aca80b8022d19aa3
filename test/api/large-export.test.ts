/** @module-tag thorough */
/** A school of thousands is exported in a worker thread, and so is its history. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportBytes } from '#server/import/school-export.ts';
import { streamFromWorker } from '#server/platform/export/in-worker.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { bytesOf, waitForFile } from '../support/wait-for-file.ts';

const students = 4000;

describeEngines('export of a large school', (engine) => {
  let folder: string;
  let school: TestSchool;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'large-export-'));
    school = await openTestSchool(engine, engine === 'SQLite' ? path.join(folder, 'school.db') : undefined);
    await sql`insert into student (nickname, school_id, created_at)
      select '学生', 1, ${noon} from (
        with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${sql.lit(students)})
        select number from counted) as numbered`.execute(school.database.db);
  });
  afterAll(async () => {
    await school.close();
    await rm(folder, { recursive: true, force: true });
  });
  const fetchFile = (url: string) => {
    const headers = { authorization: `Bearer ${school.people.admin.token}` };
    return school.api.fetch(new Request(`http://school.test${url}`, { headers }));
  };

  it.each(['workbook', 'oneroster'] as const)(
    'equals an in-process export, and is not read on this thread: %s',
    async (form) => {
      const order = { form, actor: { id: school.people.admin.id, everySchool: true }, schoolId: undefined };
      const { db } = school.database;
      const place = { now: noon, timezone: 'Asia/Shanghai' };
      let here: Buffer | undefined;
      const read = await school.costOf(async () => {
        here = await buffer(exportBytes(db, { ...order, ...place }, () => undefined));
      });
      let url = '';
      const asked = await school.costOf(async () => {
        const { status, body } = await school.as('admin').post('import/export', { form });
        expect(status).toBe(200);
        url = body.data.url;
      });
      expect(asked.queries).toBeLessThan(read.queries);
      expect(Buffer.from(await bytesOf(await waitForFile(() => fetchFile(url)))).equals(here as Buffer)).toBe(true);
    },
  );

  it('writes as many history rows as were found, while others read', async () => {
    const { db } = school.database;
    const { id } = school.people.admin;
    await sql`insert into history (at, staff_id, record, record_id, action, after)
      select ${sql.lit(noon - 60)}, ${sql.lit(id)}, 'student', id, 'add', '{"nickname":"学生"}' from student where nickname = '学生'`.execute(
      db,
    );
    const { total } = (await school.as('admin').get('history?record=student')).body.data;
    let url = '';
    const asked = await school.costOf(async () => {
      const { status, body } = await school.as('admin').post('history/export', { record: 'student' });
      expect(status).toBe(200);
      url = body.data.url;
    });
    // 200 rows are read at once.
    expect([total >= students, asked.queries < students / 200]).toEqual([true, true]);
    const file = unzipSync(await bytesOf(await waitForFile(() => fetchFile(url))));
    const sheet = Buffer.from(file['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).toString();
    expect(sheet.match(/<row /g)).toHaveLength(1 + total);
  });

  it('fails if its thread fails', async () => {
    const { location } = school.database;
    const writeInWorker = (run: string, order: unknown) =>
      buffer(streamFromWorker({ module: '#server/import/thread.ts', run, order, location }, () => undefined));
    await expect(writeInWorker('nothing', {})).rejects.toThrow('exports no function nothing');
    // Fails halfway: the schools of the rows are unknown.
    await expect(writeInWorker('exportInWorker', { form: 'workbook' })).rejects.toThrow('everySchool');
  });
});
