/** The student command: exports, previews and erases one student's data, down to the database's files. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { doStudentCommand, readStudentCommand, type StudentCommand } from '#server/privacy/command.ts';
import { filesKept, studentMarks, tablesWithMarks } from '../support/planted-marks.ts';
import { type PlantedStudent, plantStudent } from '../support/planted-records.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const marks = Object.values(studentMarks);

describe('npm run school -- student', () => {
  let school: TestSchool;
  let folder: string;
  let student: PlantedStudent;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'school-student-'));
    school = await openTestSchool('SQLite', path.join(folder, 'school.db'));
    student = await plantStudent(school, { number: '' });
  });
  afterAll(async () => {
    await school.close();
    await rm(folder, { recursive: true, force: true });
  });
  const run = async (...args: string[]) => {
    const command = readStudentCommand(args);
    if ('wrong' in command || command.name === 'help') throw new Error('not a command');
    const { database, services } = school;
    const said = await doStudentCommand(command as StudentCommand, { database, storage: services.storage, now: noon });
    return isRefusal(said) ? said.msg : said;
  };
  /** Searches the bytes of the database's files. */
  const inFiles = async () => {
    const found: string[] = [];
    for (const name of (await readdir(folder)).filter((one) => one.startsWith('school.db'))) {
      const bytes = await readFile(path.join(folder, name));
      found.push(...marks.filter((mark) => bytes.includes(mark)).map((mark) => `${name}: ${mark}`));
    }
    return found;
  };

  it('parses its arguments, and explains errors', () => {
    expect(readStudentCommand(['erase', '12', '--yes'])).toEqual({
      name: 'erase',
      id: 12,
      to: 'student-12.zip',
      yes: true,
    });
    expect(readStudentCommand(['--help'])).toEqual({ name: 'help' });
    for (const words of [
      [],
      ['erase'],
      ['erase', '0'],
      ['erase', 'x'],
      ['give', '1'],
      ['erase', '1', '2'],
      ['erase', '1', '--now'],
    ])
      expect(readStudentCommand(words)).toHaveProperty('wrong');
  });

  it("exports a student's data into a file readable by its owner alone", async () => {
    const to = path.join(folder, 'out.zip');
    expect(await run('export', String(student.id), '--to', to)).toEqual([to]);
    expect((await readFile(to)).subarray(0, 2).toString()).toBe('PK');
    expect(await run('export', '987654')).toBe('学员不存在');
  });

  it('previews the erasure by table without erasing', async () => {
    const before = await tablesWithMarks(school.database.db, marks);
    const said = await run('erase', String(student.id));
    expect(said).toContain('emptied 1 student 姓名、手机号与头像');
    expect(said).toContain('deleted 1 learner_session 学员登录');
    expect(said).toContain('kept 1 study_record 学习时长');
    expect(said.at(-1)).toBe('Nothing was done: --yes erases it, for ever.');
    expect(await tablesWithMarks(school.database.db, marks)).toEqual(before);
    expect(await inFiles()).not.toEqual([]);
  });

  it('erases the student, including free pages of the database file', async () => {
    const files = (await filesKept(school)).length;
    const said = await run('erase', String(student.id), '--yes');
    expect(said.at(-1)).toBe(`${student.id} is erased`);
    expect(await tablesWithMarks(school.database.db, marks)).toEqual([]);
    expect(await inFiles()).toEqual([]);
    expect((await filesKept(school)).length).toBeLessThan(files);
    const last = await school.database.db
      .selectFrom('history')
      .select(['staff_id', 'action'])
      .where('record', '=', 'student')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({ staff_id: null, action: 'erase' });
    expect(await run('erase', String(student.id), '--yes')).toBe('该学员的个人信息已注销，无须再次注销');
    expect(await run('erase', '987654', '--yes')).toBe('学员不存在');
  });
});
