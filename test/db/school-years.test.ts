/** @module-tag thorough */
/** Rows store their school, ids have 64 bits, and PostgreSQL partitions by school year. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { assignHomework } from '#server/homework/assign.ts';
import { Id, SearchId } from '#server/platform/calls/fields.ts';
import { makeSchoolYears, TablesBusy } from '#server/schema/school-years.ts';
import { runCommand } from '../support/commands.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { addHomeworkWithId, firstIdOf } from '../support/homework-of-year.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { expectSchoolsOfRecords } from '../support/schools-of-records.ts';

const yearly = ['answer', 'answer_draft', 'attendance', 'history', 'report', 'study_record'];
/** 1 September, midnight in China, unix seconds. */
const september = (year: number) => Date.UTC(year, 7, 31, 16) / 1000;
const year = new Date().getUTCFullYear();
/** Years: the current one, the next, and one without a partition. */
const first = Date.now() / 1000 < september(year) ? year - 1 : year;
const second = first + 1;
const remote = first + 15;

describeEngines('growing school', (engine) => {
  let school: DemoSchool;
  const db = () => school.database.db;
  beforeAll(async () => {
    school = await openDemoSchool(engine);
  }, 900_000);
  afterAll(() => school.close());

  const numbers = async (query: string) =>
    (await sql<{ n: number }>`${sql.raw(query)}`.execute(db())).rows.map(({ n }) => Number(n));
  const partsOf = async (table: string) =>
    (
      await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
        where inhparent = ${table}::regclass order by 1`.execute(db())
    ).rows.map(({ name }) => name);

  it('stores the school on every row of large tables', async () => {
    const rows = await expectSchoolsOfRecords(db());
    expect(rows).toMatchObject({
      report: expect.toSatisfy((count) => count > 100),
      answer: expect.toSatisfy((count) => count > 100),
      attendance: expect.toSatisfy((count) => count > 100),
    });
    const { id, class_id, student_id } = await db().selectFrom('report').selectAll().limit(1).executeTakeFirstOrThrow();
    // A trigger fills in the school, so writers need not.
    await db()
      .insertInto('answer_draft')
      .values({ report_id: id, version: 1, answers: '[]', answer_time: 0, saved_at: 0 })
      .execute();
    const other = await db()
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db().updateTable('student').set({ school_id: other.id }).where('id', '=', student_id).execute();
    const { school_id } = await db()
      .selectFrom('class')
      .select('school_id')
      .where('id', '=', class_id)
      .executeTakeFirstOrThrow();
    const draft = await db()
      .selectFrom('answer_draft')
      .select('school_id')
      .where('report_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(draft).toEqual({ school_id });
    await db()
      .insertInto('history')
      .values({ at: school.now, staff_id: null, record: 'student', record_id: student_id, action: 'edit' })
      .execute();
    await db()
      .insertInto('history')
      .values({ at: school.now, staff_id: 1, record: 'holiday', record_id: 1, action: 'add' })
      .execute();
    const last = await db().selectFrom('history').select('school_id').orderBy('id', 'desc').limit(2).execute();
    expect(last).toEqual([{ school_id: null }, { school_id: other.id }]);
  });

  it('has ids beyond 32 bits', async () => {
    const { id: _, ...report } = await db().selectFrom('report').selectAll().limit(1).executeTakeFirstOrThrow();
    const { id: __, ...homework } = await db().selectFrom('homework').selectAll().limit(1).executeTakeFirstOrThrow();
    const far = 7_000_000_000_001;
    await db()
      .insertInto('homework')
      .values({ ...homework, id: far })
      .execute();
    await db()
      .insertInto('report')
      .values({ ...report, id: far, homework_id: far })
      .execute();
    expect(
      await db().selectFrom('report').select(['id', 'homework_id']).where('homework_id', '=', far).execute(),
    ).toEqual([{ id: far, homework_id: far }]);
    await db().deleteFrom('report').where('id', '=', far).execute();
    await db().deleteFrom('homework').where('id', '=', far).execute();
    if (engine === 'SQLite') return;
    const { rows } = await sql<{ name: string }>`
      select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'integer'::regtype and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and (a.attname = 'id' or a.attname like '%\\_id') order by 1`.execute(db());
    // Bit layout of the question search (server/docs/decisions/034-search.md).
    expect(
      rows.map(({ name }) => name).filter((name) => !/^(question|question_search|knowledge_point)\./.test(name)),
    ).toEqual([]);
  });

  it("creates a year's partitions in advance, once", async () => {
    if (engine === 'SQLite') {
      expect(await makeSchoolYears(db(), school.now)).toBeUndefined();
      return;
    }
    const { present } = (await makeSchoolYears(db(), school.now)) ?? { present: 0 };
    for (const table of yearly) {
      expect(await partsOf(table)).toEqual(
        expect.arrayContaining([`${table}_${present}`, `${table}_${present + 1}`, `${table}_rest`]),
      );
    }
    expect(await makeSchoolYears(db(), school.now)).toEqual({ present, made: [] });
    // The default partition stays empty, and history lies in its own year.
    for (const table of yearly)
      expect([table, ...(await numbers(`select count(*) as n from ${table}_rest`))]).toEqual([table, 0]);

    // A row of a year without partition is accepted, and moved there later.
    const far = present + 3;
    const [student = 0] = await numbers('select id as n from student order by id limit 1');
    const write = (at: number) =>
      db()
        .insertInto('history')
        .values({ at, staff_id: null, record: 'student', record_id: student, action: 'viewed' })
        .execute();
    for (const at of [september(far) - 1, september(far), september(far + 1) - 1, september(far + 1)]) await write(at);
    expect(await numbers('select count(*) as n from history_rest')).toEqual([4]);
    expect(await makeSchoolYears(db(), september(far) + 5)).toEqual({ present: far, made: [far, far + 1] });
    expect(await numbers(`select at as n from history_${far} order by at`)).toEqual([
      september(far),
      september(far + 1) - 1,
    ]);
    expect(await numbers(`select at as n from history_${far + 1}`)).toEqual([september(far + 1)]);
    expect(await numbers('select at as n from history_rest')).toEqual([september(far) - 1]);
    await expect(sql`delete from history where at >= ${september(far)}`.execute(db())).rejects.toThrow('append-only');

    // Children of periods go by id into their year; duplicates per student are refused.
    const { id: _, ...period } = await db().selectFrom('period').selectAll().limit(1).executeTakeFirstOrThrow();
    const { id } = await db().insertInto('period').values(period).returning('id').executeTakeFirstOrThrow();
    expect(id).toBe((far - 2020) * 1_000_000_000);
    const { id: __, ...mark } = await db().selectFrom('attendance').selectAll().limit(1).executeTakeFirstOrThrow();
    const marked = { ...mark, period_id: id, version: 7 };
    const { id: recorded } = await db()
      .insertInto('attendance')
      .values(marked)
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await numbers(`select version as n from attendance_${far}`)).toEqual([7]);
    await expect(db().insertInto('attendance').values(marked).execute()).rejects.toMatchObject({ code: '23505' });

    // Deletes cascade like foreign keys.
    const batch = await db()
      .insertInto('leave_batch')
      .values({ staff_id: 1, op_status: 2, at: 0, undone_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('leave_batch_record')
      .values({ batch_id: batch.id, attendance_id: recorded, version: 0 })
      .execute();
    await db().deleteFrom('attendance').where('id', '=', recorded).execute();
    expect(
      await db().selectFrom('leave_batch_record').select('version').where('batch_id', '=', batch.id).execute(),
    ).toEqual([]);
    await expect(
      db()
        .insertInto('erased_history')
        .values({ history_id: 9_000_000_000, student_id: student, staff_id: null, at: 0 })
        .execute(),
    ).rejects.toMatchObject({ code: '23503' });
    // The next period of the same year continues.
    const next = await db().insertInto('period').values(period).returning('id').executeTakeFirstOrThrow();
    await makeSchoolYears(db(), september(far) + 50);
    const after = await db().insertInto('period').values(period).returning('id').executeTakeFirstOrThrow();
    expect([next.id, after.id]).toEqual([id + 1, id + 2]);
  });

  /** 0: the first year, like all existing rows. */
  async function homeworkOfYear(year: number) {
    const added = await addHomeworkWithId(db(), year === 0 ? await unusedHomework() : firstIdOf(year) + 5);
    const students = await numbers('select id as n from student order by id limit 40');
    return { ...added, students };
  }
  const unusedHomework = async () =>
    ((await numbers(`select max(id) as n from homework where id < ${firstIdOf(2027)}`))[0] ?? 0) + 1;
  const give = (
    { homeworkId, classId, students }: Awaited<ReturnType<typeof homeworkOfYear>>,
    [from, to]: [from: number, to: number],
  ) =>
    db()
      .transaction()
      .execute((transaction) =>
        assignHomework(transaction, { homeworkId, classId, studentIds: students.slice(from, to), now: school.now }),
      );
  const reportsOf = (homeworkId: number) =>
    numbers(`select id as n from report where homework_id = ${homeworkId} order by id`);
  async function answerAll(homeworkId: number): Promise<void> {
    const [question_id = 0] = await numbers(`select id as n from homework_question where homework_id = ${homeworkId}`);
    for (const report_id of await reportsOf(homeworkId)) {
      await db().insertInto('answer').values({ report_id, question_id, status: 1 }).execute();
      await db()
        .insertInto('answer_draft')
        .values({ report_id, version: 1, answers: '[]', answer_time: 0, saved_at: 0 })
        .execute();
    }
  }

  it("stores reports and their children in the homework's year, however late a student joins", async () => {
    const old = await homeworkOfYear(0);
    const next = await homeworkOfYear(second);
    // No partition exists for this year.
    const far = await homeworkOfYear(remote);
    for (const some of [old, next, far]) expect(await give(some, [0, 10])).toHaveLength(10);
    expect(await give(old, [5, 12])).toEqual(old.students.slice(10, 12));
    // Two simultaneous requests expect each student once.
    const both = await Promise.all([give(next, [8, 30]), give(next, [8, 30])]);
    expect(both.flat()).toHaveLength(20);
    for (const [{ homeworkId }, low, count] of [
      [old, 0, 12],
      [next, firstIdOf(second), 30],
      [far, firstIdOf(remote), 10],
    ] as const) {
      const ids = await reportsOf(homeworkId);
      expect([ids.length, ids.filter((id) => id > low && id < low + firstIdOf(2021)).length]).toEqual([count, count]);
    }
    const all = await numbers('select id as n from report');
    expect(new Set(all).size).toBe(all.length);
    for (const { homeworkId } of [old, next, far]) await answerAll(homeworkId);
    const countAnswers = async (id: number) =>
      (await numbers(`select count(*) as n from answer where report_id = ${id}`))[0];
    const [report = 0] = await reportsOf(far.homeworkId);

    const expectProtected = async () => {
      expect(await countAnswers(report)).toBe(1);
      await expect(sql`delete from report where id = ${report}`.execute(db())).rejects.toThrow(/foreign key/i);
      await expect(
        sql`insert into answer (report_id, question_id, status, school_id) values (${report + 500}, 1, 1, 1)`.execute(
          db(),
        ),
      ).rejects.toThrow(/foreign key/i);
      await expect(
        db()
          .insertInto('answer_draft')
          .values({ report_id: report + 500, version: 1, answers: '[]', answer_time: 0, saved_at: 0, school_id: 1 })
          .execute(),
      ).rejects.toThrow(/foreign key/i);
      expect(await give(far, [0, 10])).toEqual([]);
    };
    await expectProtected();
    if (engine === 'SQLite') return;
    const there = (part: string) =>
      Promise.all(
        ['report', 'answer', 'answer_draft'].map((table) => numbers(`select count(*) as n from ${table}_${part}`)),
      );
    expect(await there('rest')).toEqual([[10], [10], [10]]);
    expect(await there(String(second))).toEqual([[30], [30], [30]]);
    await makeSchoolYears(db(), september(remote));
    expect([await there('rest'), await there(String(remote))]).toEqual([
      [[0], [0], [0]],
      [[10], [10], [10]],
    ]);
    await expectProtected();
    // A report always has its homework's year.
    const { id: _, ...like } = await db()
      .selectFrom('report')
      .selectAll()
      .where('id', '=', report)
      .executeTakeFirstOrThrow();
    await expect(
      db()
        .insertInto('report')
        .values({ ...like, id: 5_000_000, student_id: far.students[20] ?? 0 })
        .execute(),
    ).rejects.toMatchObject({ code: '23514', constraint: 'report_is_of_homework_year' });
    // The statement of the previous version, which serves during an upgrade.
    const [late = 0] = old.students.slice(12);
    const before = sql`insert into report (homework_id, class_id, student_id, changed_at)
      values (${old.homeworkId}, ${old.classId}, ${late}, 0) on conflict (homework_id, student_id) do nothing`;
    await before.execute(db());
    await before.execute(db());
    expect(await reportsOf(old.homeworkId)).toHaveLength(13);
  });

  it('numbers homework by year, and its addresses show it', async () => {
    if (engine === 'SQLite') return;
    const { present } = (await makeSchoolYears(db(), september(first + 4))) ?? { present: 0 };
    const { id: _, ...like } = await db().selectFrom('homework').selectAll().orderBy('id').executeTakeFirstOrThrow();
    const { id } = await db().insertInto('homework').values(like).returning('id').executeTakeFirstOrThrow();
    expect([present, id]).toEqual([first + 4, firstIdOf(first + 4)]);
    const period = await db().selectFrom('period').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(v.parse(Id, String(period.id))).toBe(period.id);
    expect(v.parse(SearchId, String(id))).toBe(id);
  });

  it('reads one partition when the homework is known', async () => {
    if (engine === 'SQLite') return;
    for (const query of [
      `select id from report where homework_id = ${firstIdOf(second) + 5} and student_id = 3`,
      `select id from answer where report_id = ${firstIdOf(second) + 5}`,
      `select version from answer_draft where report_id = ${firstIdOf(second) + 5}`,
    ]) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(query)}`.execute(db());
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`_${second}`);
      expect(plan).not.toMatch(new RegExp(`_rest|_20(?!${second % 100})|Seq Scan`));
    }
  });

  it('reads the history of the requested years alone', async () => {
    if (engine === 'SQLite') return;
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from history
      where at >= ${sql.lit(september(2026))} and at < ${sql.lit(september(2027))} order by at desc, id desc limit 20`.execute(
      db(),
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('history_2026');
    expect(plan).not.toMatch(/history_20(?!26)|Seq Scan|Sort/);
  });

  it('never aborts readers while partitions are created', async () => {
    if (engine === 'SQLite') return;
    const last = first + 8;
    const make = () => makeSchoolYears(db(), school.now, last);
    const making = await db()
      .transaction()
      .execute(async (reader) => {
        await sql`select count(*) from answer`.execute(reader);
        let isOver = false;
        const made = make()
          .catch((error: unknown) => error)
          .finally(() => {
            isOver = true;
          });
        // True once a statement waits for a lock, until the lock timeout or the deadlock detection ends it.
        const waits = async () =>
          (
            await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and clock_timestamp() - query_start > interval '1.5 seconds'`.execute(db())
          ).rows.length > 0;
        await vi.waitUntil(async () => isOver || (await waits()), { timeout: 60_000, interval: 50 });
        await sql`select count(*) from report`.execute(reader);
        return made;
      });
    expect(making).toBeInstanceOf(TablesBusy);
    expect((await make())?.made).toContain(last);
  });

  it('names the blocking queries at the command line', async () => {
    if (engine === 'SQLite') return;
    const last = first + 9;
    // At this level, waiting statements are not logged.
    const environment = { DATABASE_URL: school.database.location, LOG_LEVEL: 'error' };
    const years = () => runCommand('server/school-command.ts', ['years', String(last)], environment);
    const refused = await db()
      .transaction()
      .execute(async (reader) => {
        await sql`select count(*) from answer`.execute(reader);
        return years();
      });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^The tables of ${last} were not made: somebody is at work on .* run it again later\\. .*\\n$`),
      ),
    });
    expect(await years()).toEqual({ code: 0, stdout: `made ${last}\n`, stderr: '' });
  });
});
