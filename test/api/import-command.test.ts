import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomeLines, readSchoolCommand, runSchoolCommand, type SchoolCommand } from '#server/import/command.ts';
import { largePackage } from '../bench/import-package.ts';
import { fingerprints, record, ref, smallUpload } from '../support/imports.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

describe('npm run school', () => {
  let school: TestSchool;
  let folder: string;
  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    folder = await mkdtemp(path.join(tmpdir(), 'school-import-'));
  });
  afterAll(async () => {
    await school.close();
    await rm(folder, { recursive: true, force: true });
  });
  const file = async (name: string, content: unknown) => {
    const at = path.join(folder, name);
    await writeFile(at, typeof content === 'string' ? content : JSON.stringify(content));
    return at;
  };
  const run = (...args: string[]) => {
    const command = readSchoolCommand(args);
    if ('wrong' in command || command.name === 'help') throw new Error('not a command');
    return runSchoolCommand(command as SchoolCommand, school.database, noon);
  };

  it('checks, applies, undoes and discards a file', async () => {
    const upload = { mode: 'bulk', records: smallUpload({ tag: 77, classes: 1, students: 10 }) };
    const whole = await file('whole.json', upload);
    const before = await fingerprints(school.database.db);
    const checked = await run('check', whole);
    expect(checked).toMatchObject({ verdict: 'ok', faults: [], state: 'checked', changes: { student: { new: 10 } } });
    expect(await fingerprints(school.database.db)).toEqual(before);
    expect(await run('apply', whole)).toMatchObject({ verdict: 'ok', state: 'applied' });

    const less = await file('less.json', {
      ...upload,
      records: upload.records.filter(({ sourceId }) => !/P1001|P1002/.test(sourceId)),
    });
    const held = await run('apply', less);
    expect(held).toMatchObject({
      verdict: 'err',
      state: 'held',
      held: [{ kind: 'student', number: 2 }, { number: 2 }],
    });
    expect(outcomeLines(held)).toContain('held: 学员：2条将离开，占20% (--confirm student.leaves=2)');
    expect(await run('discard', less)).toMatchObject({ verdict: 'ok', state: 'discarded' });
    const confirmed = ['--confirm', 'student.leaves=2', '--confirm', 'membership.leaves=2'];
    expect(await run('apply', less, ...confirmed)).toMatchObject({ verdict: 'ok', state: 'applied' });
    expect(await run('undo', less)).toMatchObject({ verdict: 'ok', state: 'undone' });
    expect(await run('undo', whole)).toMatchObject({ verdict: 'ok', state: 'undone' });
    expect(await fingerprints(school.database.db)).toEqual(before);
    expect((await run('undo', whole)).faults).toMatchObject([{ file: 'whole.json', message: '该导入已撤销' }]);
  });

  it('skips an unchanged file, and still sees later manual changes', async () => {
    const { db } = school.database;
    const package_ = path.join(folder, 'school.zip');
    await writeFile(package_, largePackage({ share: 0.001 }));
    expect(await run('apply', package_)).toMatchObject({ verdict: 'ok', state: 'applied' });
    const rows = (id: number) =>
      db
        .selectFrom('import_row')
        .select(['kind', 'source_id', 'state', 'file', 'place', 'fields'])
        .where('import_id', '=', id)
        .orderBy('id')
        .execute();
    const lastOf = async () =>
      db.selectFrom('import').select(['id', 'writes', 'total']).orderBy('id', 'desc').executeTakeFirstOrThrow();
    const first = await lastOf();
    const copied = await run('apply', package_);
    expect(copied).toMatchObject({ verdict: 'ok', state: 'applied', changes: { student: { unchanged: 64 } } });
    const again = await lastOf();
    expect(again).toMatchObject({ writes: 0, total: first.total });
    expect(await rows(again.id)).toEqual(await rows(first.id));
    await db.updateTable('student').set({ nickname: '手改' }).where('nickname', '=', '李生1').execute();
    const changes = { student: { unchanged: 63, conflict: 1 } };
    expect(await run('check', package_)).toMatchObject({ verdict: 'ok', state: 'checked', changes });
    // A file counts as new for another source.
    expect((await run('check', package_, '--source', '别处')).changes).toMatchObject({ student: { match: 63 } });
  });

  it('reports refused rows by position', async () => {
    const faulty = await file('faulty.json', {
      records: [record('student', 'X', { nickname: '甲', school_id: ref('school', 'none') }), { kind: 'what' }],
    });
    const outcome = await run('check', faulty);
    expect(outcome.verdict).toBe('err');
    expect(outcome.faults).toEqual([
      { file: 'faulty.json', row: 2, field: 'kind', message: '文件内容无法识别，请使用模板' },
      { file: 'faulty.json', row: 1, field: 'school_id', message: '没有编号为“none”的学校' },
    ]);
    expect((await run('check', await file('broken.json', '{'))).faults).toMatchObject([{ row: 0 }]);
    expect((await run('check', path.join(folder, 'none.json'))).faults).toMatchObject([{ message: '请选择文件' }]);
    expect((await run('undo', await file('other.json', '{}'))).faults).toMatchObject([{ message: '没有导入过该文件' }]);
    expect(readSchoolCommand(['mend', 'x'])).toHaveProperty('wrong');
  });
});
