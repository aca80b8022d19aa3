/** @module-tag thorough */
/** Tests that a school and its files can be moved to another database, where everybody finds their data. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addStaff } from '#server/account/staff-accounts.ts';
import { createApi } from '#server/api.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { assignHomework } from '#server/homework/assign.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage, type Storage } from '#server/platform/files/storage.ts';
import { migrate } from '#server/schema/migrate.ts';
import { tableOwners } from '#server/schema/table-owners.ts';
import { doMoveCommand, readMoveCommand } from '#server/school-transfer/command.ts';
import { schoolRowConditions } from '#server/school-transfer/school-rows.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { addHomeworkWithId, firstIdOf } from '../support/homework-of-year.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { readingCalls, readRequests } from '../support/readings.ts';
import { findIds } from '../support/record-ids.ts';
import { senderFor } from '../support/requests.ts';
import { expectSchoolsOfRecords } from '../support/schools-of-records.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

it('every table has a rule for the transfer', () => {
  expect(Object.keys(schoolRowConditions).sort()).toEqual(Object.keys(tableOwners).sort());
});

it('the transfer command understands its options', () => {
  expect(readMoveCommand(['2', '--to', 'other.db', '--files', 'there'])).toEqual({
    schoolId: 2,
    to: 'other.db',
    files: { folder: 'there' },
    remove: false,
  });
  expect(readMoveCommand(['2', '--to', 'other.db'])).toMatchObject({ wrong: expect.stringContaining('--same-files') });
  expect(readMoveCommand(['--to', 'other.db', '--same-files'])).toMatchObject({ wrong: expect.any(String) });
});

/** Publishes homework of the first school year late, during the second year, and homework of the second year. */
async function giveLater({ db }: OpenDatabase, count: number): Promise<void> {
  const nextYear = firstIdOf(2027) + 4;
  const known = await db.selectFrom('homework').select('id').where('id', '=', nextYear).execute();
  if (known.length === 0) await addHomeworkWithId(db, nextYear);
  const { homework_id, class_id } = await db
    .selectFrom('homework_class')
    .select(['homework_id', 'class_id'])
    .where('class_id', 'in', (eb) =>
      eb.selectFrom('homework_class').select('class_id').where('homework_id', '=', nextYear),
    )
    .orderBy('homework_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const homeworkId of [nextYear, homework_id]) {
    const free = await db
      .selectFrom('student')
      .select('id')
      .where('school_id', '=', (eb) => eb.selectFrom('class').select('school_id').where('id', '=', class_id))
      .where('id', 'not in', (eb) =>
        eb.selectFrom('report').select('student_id').where('homework_id', 'in', [nextYear, homework_id]),
      )
      .orderBy('id')
      .execute();
    const studentIds = free.map(({ id }) => id).slice(0, count);
    expect(await assignHomework(db, { homeworkId, classId: class_id, studentIds, now: 1 })).toEqual(studentIds);
  }
  const reports = await db.selectFrom('report').select(['id', 'homework_id']).execute();
  const isOfSecond = (id: number) => id >= firstIdOf(2027);
  expect(reports.filter(({ id, homework_id: of }) => isOfSecond(id) !== isOfSecond(of))).toEqual([]);
}

describeEngines('school transfer', (engine) => {
  let here: DemoSchool;
  let folder: string;
  let made: TestDatabase | undefined;
  let there: OpenDatabase;
  let storageThere: Storage;

  beforeAll(async () => {
    here = await openDemoSchool(engine);
    await giveLater(here.database, 3);
    folder = await mkdtemp(path.join(tmpdir(), 'moved-'));
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    there = openDatabase(made?.url ?? path.join(folder, 'school.db'));
    await migrate(there);
    storageThere = await createStorage({ directory: path.join(folder, 'files') });
  }, 900_000);
  afterAll(async () => {
    await there.destroy();
    await made?.drop();
    await here.close();
    await rm(folder, { recursive: true, force: true });
  });

  const move = (schoolId: number, more: { remove?: boolean } = {}) =>
    doMoveCommand(
      { schoolId, to: there.location, files: { folder: path.join(folder, 'files') }, remove: false, ...more },
      { database: here.database, storage: here.storage, now: here.now },
    );
  const countOf = async ({ db }: OpenDatabase, query: string) =>
    Number((await sql<{ n: number }>`${sql.raw(query)}`.execute(db)).rows[0]?.n);

  /** Answers of every read call, by address. */
  async function answersOf({ database, storage }: { database: OpenDatabase; storage: Storage }, username: string) {
    const { now } = here;
    const log = pino({ level: 'silent' });
    const api = createApi({ database, storage, now: () => now, log, checkAnswers: true });
    const { id, identity } = await database.db
      .selectFrom('staff')
      .select(['id', 'identity'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    const token = await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now });
    const ask = senderFor(api, token);
    const ids = await findIds(ask, identity, now);
    const answers = new Map<string, { status: number; data: unknown }>();
    for (const call of readingCalls)
      for (const asking of readRequests(call, identity, ids, 'plain'))
        answers.set(`${asking.method} ${asking.address} ${JSON.stringify(asking.body ?? '')}`, await ask(asking));
    return answers;
  }
  /** Asks the API over that database as the moved administrator. */
  async function askAdmin(database: OpenDatabase, address: string) {
    const log = pino({ level: 'silent' });
    const api = createApi({ database, storage: here.storage, now: () => here.now, log, checkAnswers: true });
    const { id } = await database.db
      .selectFrom('staff')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow();
    const token = await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now: here.now });
    return senderFor(api, token)({ method: 'GET', address: `/api/admin/${address}` });
  }
  const thereOptions = () => ({ database: there, storage: storageThere });
  const teacher = demoAccounts[0]?.username ?? '';

  it('writes nothing when refused', async () => {
    await expect(move(987)).rejects.toThrow('There is no school 987 here.');
    const { db } = there;
    await db.insertInto('school').values({ id: 900, org_name: '别处的学校' }).execute();
    await db
      .insertInto('student')
      .values({
        id: 1,
        nickname: '别人',
        school_id: 900,
        created_at: 0,
        disabled_at: null,
        deleted_at: null,
        erased_at: null,
      })
      .execute();
    const [first = 0] = (await here.database.db.selectFrom('school').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
    await expect(move(first)).rejects.toThrow(/^student 1 is another one there/);
    expect(await countOf(there, 'select count(*) as n from staff')).toBe(0);
    await db.deleteFrom('student').execute();
    await db.deleteFrom('school').execute();
  });

  it("copies all of the school's rows, and rows they refer to", async () => {
    const [first = 0, second = 0] = (
      await here.database.db.selectFrom('school').select('id').orderBy('id').execute()
    ).map(({ id }) => id);
    const before = await answersOf(here, teacher);
    const said = await move(first);
    expect(said.at(-2)).toMatch(/ is there, row for row/);
    expect(said.at(-1)).toBe('There it is administered by admin, with the passwords that they have here.');
    const administration = await answersOf(thereOptions(), 'admin');
    expect([...administration.values()].filter(({ status }) => status >= 500)).toEqual([]);
    for (const address of ['admin/staff', 'admin/settings'])
      expect([...administration].find(([asked]) => asked.includes(address))?.[1].status).toBe(200);
    const credentials = [
      'username',
      'password_hash',
      'every_school',
      'disabled_at',
      'can_people',
      'can_settings',
    ] as const;
    const administrator = ({ db }: OpenDatabase) =>
      db.selectFrom('staff').select(credentials).where('username', '=', 'admin').executeTakeFirstOrThrow();
    expect(await administrator(there)).toEqual(await administrator(here.database));
    expect(said).toContainEqual(expect.stringMatching(/^[1-9]\d* files$/));
    for (const table of ['student', 'report', 'answer', 'attendance', 'history', 'exam_answer', 'session_student']) {
      const own = `select count(*) as n from ${table} where school_id = ${first}`;
      expect([table, (await countOf(there, own)) >= (await countOf(here.database, own))]).toEqual([table, true]);
    }
    await expectSchoolsOfRecords(there.db);
    expect([...(await answersOf(thereOptions(), teacher)).values()].filter(({ status }) => status >= 500)).toEqual([]);
    await expect(move(first)).rejects.toThrow(/is there already/);

    // A second school follows, and overwrites the rows copied along with the first.
    await move(second);
    await expectSchoolsOfRecords(there.db);
    for (const table of [
      'student',
      'class',
      'homework',
      'report',
      'answer',
      'exam',
      'exam_answer',
      'attendance',
      'study_record',
      'period',
    ])
      expect([table, await countOf(there, `select count(*) as n from ${table}`)]).toEqual([
        table,
        await countOf(here.database, `select count(*) as n from ${table}`),
      ]);
    const after = await answersOf(thereOptions(), teacher);
    const differing = [...before].filter(([asked, { status }]) => after.get(asked)?.status !== status);
    expect(differing).toEqual([]);
    for (const address of ['hw/index', 'hw/correct', 'test/index']) {
      const asked = [...before.keys()].find((one) => one.includes(address)) ?? address;
      expect([asked, after.get(asked)]).toEqual([asked, before.get(asked)]);
    }
    const { id } = await there.db
      .selectFrom('class')
      .select((eb) => eb.fn.max<number>('id').as('id'))
      .executeTakeFirstOrThrow();
    const { id: next } = await there.db
      .insertInto('class')
      .values({ name: '新班', school_id: first, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(next).toBeGreaterThan(id);
    await there.db.deleteFrom('class').where('id', '=', next).execute();
  }, 900_000);

  it('works between the two engines', async ({ skip }) => {
    const other = engine === 'SQLite' ? await createDatabase() : undefined;
    if (engine === 'SQLite' && !other) skip('no PostgreSQL to move into');
    const location = other?.url ?? path.join(folder, 'other.db');
    const empty = openDatabase(location);
    try {
      await migrate(empty);
      const { id } = await here.database.db
        .selectFrom('school')
        .select('id')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow();
      const said = await doMoveCommand(
        { schoolId: id, to: location, files: 'same', remove: false },
        { database: here.database, storage: here.storage, now: here.now },
      );
      expect(said).toContain('0 files');
      await expectSchoolsOfRecords(empty.db);
      const reports = `select count(*) as n from report where school_id = ${id}`;
      expect(await countOf(empty, reports)).toBe(await countOf(here.database, reports));
      expect(await countOf(empty, `select count(*) as n from answer where school_id = ${id}`)).toBe(
        await countOf(here.database, `select count(*) as n from answer where school_id = ${id}`),
      );
      const answers = await answersOf({ database: empty, storage: here.storage }, teacher);
      expect([...answers.values()].filter(({ status }) => status >= 500)).toEqual([]);
      // Ids continue after the copied ones, in each year.
      await giveLater(empty, 2);
    } finally {
      await empty.destroy();
      await other?.drop();
    }
  }, 900_000);

  it("keeps the target's administrators, next to the school's own", async () => {
    const other = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const inhabited = openDatabase(other?.url ?? path.join(folder, 'inhabited.db'));
    try {
      await migrate(inhabited);
      const { db } = inhabited;
      const add = (username: string) =>
        addStaff(
          db,
          {
            identity: 'admin',
            username,
            name: username,
            school: '别处',
            permissions: {},
            everySchool: true,
            passwordHash: '',
          },
          here.now,
        );
      const { id } = await here.database.db
        .selectFrom('school')
        .select('id')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow();
      await db.insertInto('school').values({ id: 900, org_name: '别处' }).execute();
      const boss = (await add('boss')) as number;
      await db.updateTable('staff').set({ id: 900_000 }).where('id', '=', boss).execute();
      const target = { schoolId: id, to: inhabited.location, files: 'same', remove: false } as const;
      const source = { database: here.database, storage: here.storage, now: here.now };
      const said = await doMoveCommand(target, source);
      expect(said.at(-1)).toContain('administered by admin, boss,');
      expect(
        await db.selectFrom('staff').select(['every_school', 'disabled_at']).where('username', '=', 'admin').execute(),
      ).toEqual([{ every_school: 0, disabled_at: null }]);
      const students = await countOf(inhabited, `select count(*) as n from student where school_id = ${id}`);
      expect(await askAdmin(inhabited, 'students')).toMatchObject({ status: 200, data: { total: students } });
      const ownHistory = sql<string>`select action from history where record = 'staff' and record_id = ${boss}`;
      expect((await ownHistory.execute(db)).rows).toEqual([{ action: 'add' }]);
      const histories = `select count(*) as n from history where school_id = ${id}`;
      expect(await countOf(inhabited, histories)).toBe(await countOf(here.database, histories));
    } finally {
      await inhabited.destroy();
      await other?.drop();
    }
  }, 900_000);

  it('is refused if a user name exists in the target', async () => {
    const other = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const inhabited = openDatabase(other?.url ?? path.join(folder, 'namesake.db'));
    try {
      await migrate(inhabited);
      const { db } = inhabited;
      await db.insertInto('school').values({ id: 900, org_name: '别处' }).execute();
      const person = { identity: 'teacher', username: teacher, name: '同名', school: '别处', permissions: {} } as const;
      const added = (await addStaff(db, { ...person, passwordHash: '' }, here.now)) as number;
      await db.updateTable('staff').set({ id: 900_000 }).where('id', '=', added).execute();
      const { id } = await here.database.db
        .selectFrom('school')
        .select('id')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow();
      await expect(
        doMoveCommand(
          { schoolId: id, to: inhabited.location, files: 'same', remove: false },
          { database: here.database, storage: here.storage, now: here.now },
        ),
      ).rejects.toThrow(/^staff has a row there with a name/);
      expect(await countOf(inhabited, 'select count(*) as n from student')).toBe(0);
    } finally {
      await inhabited.destroy();
      await other?.drop();
    }
  }, 900_000);

  it('deletes the source on request, but keeps its history and shared rows', async () => {
    const [first = 0, second = 0] = (
      await here.database.db.selectFrom('school').select('id').orderBy('id').execute()
    ).map(({ id }) => id);
    const { id: student } = await here.database.db
      .selectFrom('student')
      .select('id')
      .where('school_id', '=', second)
      .executeTakeFirstOrThrow();
    await here.database.db.updateTable('student').set({ nickname: '改过' }).where('id', '=', student).execute();
    await expect(move(second, { remove: true })).rejects.toThrow(
      /^student \d+ is not as it is there: something was written since/,
    );
    await there.db.updateTable('student').set({ nickname: '改过' }).where('id', '=', student).execute();
    const histories = await countOf(here.database, 'select count(*) as n from history');
    await move(second, { remove: true });
    for (const table of ['report', 'answer', 'attendance', 'exam_answer', 'session_student', 'study_record'])
      expect([
        table,
        await countOf(here.database, `select count(*) as n from ${table} where school_id = ${second}`),
      ]).toEqual([table, 0]);
    expect(await countOf(here.database, 'select count(*) as n from history')).toBe(histories);
    const { put_away_at } = await here.database.db
      .selectFrom('school')
      .select('put_away_at')
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
    expect(put_away_at).toBe(here.now);
    await expectSchoolsOfRecords(here.database.db);
    expect(await countOf(here.database, `select count(*) as n from report where school_id = ${first}`)).toBeGreaterThan(
      0,
    );
    expect([...(await answersOf(here, teacher)).values()].filter(({ status }) => status >= 500)).toEqual([]);
  }, 900_000);
});
