import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '#server/api.ts';
import { coursewareExtensions } from '#server/courseware/rules.ts';
import { accountsOfDemo, demoAccounts, isDemoUsername } from '#server/demo/accounts.ts';
import { fillDemoSchool, largeSchool } from '#server/demo/school.ts';
import { answerStatus, isMaterial, isSubjective, markedStatus, rateChoices } from '#server/grading/rules.ts';
import { reportTotals, type ScoredAnswer, scoreAnswer } from '#server/grading/scoring.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { acceptFile } from '#server/platform/files/accept.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { migrate } from '#server/schema/migrate.ts';
import { storageForTest } from '../files/samples.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { expectCommunityCountersToBeRight } from '../support/recount-community.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

/** 2026-11-20 12:00 in Shanghai. */
const now = 1_795_147_200;
const day = 24 * 60 * 60;

interface Row {
  id: number;
  name: string;
  status: number;
  type: number;
  publish_type: number;
  is_owner: number;
  ending_time: number;
  publish_time: number;
  class_name: string;
  class_count: number;
  published_class_count: number;
  homework_count: number;
  submitted_homework_count: number;
  not_revised_homework_count: number;
}

const filesFolder = mkdtempSync(path.join(tmpdir(), 'files-'));
afterAll(() => rmSync(filesFolder, { recursive: true, force: true }));

const prefixes = { teacher: '/api/lector', assist: '/api/assistants' };

/** Signs in with the demo password, as a person does. */
async function signIn(database: OpenDatabase, username: string) {
  const storage = await createStorage({ directory: filesFolder });
  const services = { database, storage, now: () => now, log: pino({ level: 'silent' }), checkAnswers: true };
  const api = createApi(services);
  const account = demoAccounts.find((one) => one.username === username);
  if (!account) throw new Error(`no demo account ${username}`);
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', ...init.headers };
    const response = await api.fetch(new Request(`http://school.test${path}`, { ...init, headers }));
    return (await response.json()) as { code: number; msg: string; data: never };
  };
  const { password } = account;
  const { data } = await ask('/api/auth/login', { method: 'POST', body: JSON.stringify({ username, password }) });
  const { token, identity } = data as { token: string; identity: 'teacher' | 'assist' };
  const authorization = { authorization: `Bearer ${token}` };
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await ask(`${prefixes[identity]}/${path}`, { ...init, headers: authorization });
    expect(answer.code, `${path}: ${answer.msg}`).toBe(200);
    return answer.data;
  };
  return {
    identity,
    call,
    homework: async (more = '') => (await call<{ list: Row[] }>(`hw/index?limit=200${more}`)).list,
  };
}

async function countOf(db: Database, table: keyof Tables): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Rescores every stored answer, and compares scores and report sums. */
async function expectScoresToBeRight(db: Database): Promise<void> {
  const homeworks = new Map((await db.selectFrom('homework').selectAll().execute()).map((one) => [one.id, one]));
  const questions = await db.selectFrom('homework_question').selectAll().execute();
  const questionOf = new Map(questions.map((question) => [question.id, question]));
  const answersOf = new Map<number, (ScoredAnswer & { subjective: boolean; question: number })[]>();
  const wrong: unknown[] = [];
  for (const answer of await db.selectFrom('answer').selectAll().execute()) {
    const question = questionOf.get(answer.question_id);
    const homework = question && homeworks.get(question.homework_id);
    if (!question || !homework) throw new Error('an answer without question');
    const scored = scoreAnswer(question, answer.user_answer);
    const isReviewed = answer.reviewed_by !== null;
    const given = answer.score ?? -1;
    const isFit = !isReviewed
      ? answer.status === scored.status && answer.score === scored.score
      : scored.status === answerStatus.waiting &&
        answer.status === markedStatus(question.score, given) &&
        given >= 0 &&
        given <= question.score &&
        (homework.is_set_score === 2 || rateChoices.some((rate) => rate === given));
    if (!isFit) wrong.push({ answer, question });
    const known = answersOf.get(answer.report_id) ?? [];
    known.push({
      status: answer.status as ScoredAnswer['status'],
      score: answer.score,
      subjective: isSubjective(question.ques_type),
      question: question.id,
    });
    answersOf.set(answer.report_id, known);
  }
  const asked = new Map<number, number>();
  for (const question of questions) {
    if (!isMaterial(question.ques_type)) asked.set(question.homework_id, (asked.get(question.homework_id) ?? 0) + 1);
  }
  for (const report of await db.selectFrom('report').selectAll().execute()) {
    const answers = answersOf.get(report.id) ?? [];
    const homework = homeworks.get(report.homework_id);
    const { submit_time, answer_time } = report;
    const totals = reportTotals(answers);
    const isFit =
      submit_time === null
        ? report.status === 1 && answers.length === 0 && report.user_score === 0
        : report.status === totals.status &&
          report.user_score === totals.user_score &&
          report.objective_score === totals.objective_score &&
          report.subjective_score === totals.subjective_score &&
          answers.length === asked.get(report.homework_id) &&
          submit_time > (homework?.publish_time ?? 0) &&
          submit_time < (homework?.ending_time ?? 0) &&
          submit_time <= now &&
          answer_time > 0 &&
          (report.graded_at === null) === (report.status === 2) &&
          (report.graded_at ?? now) <= now;
    if (!isFit) wrong.push({ report, totals });
  }
  for (const homework of homeworks.values()) {
    const own = questions.filter((question) => question.homework_id === homework.id);
    const top = own.filter((question) => question.parent_id === null);
    if (homework.total_score !== top.reduce((sum, question) => sum + question.score, 0)) wrong.push({ homework });
    for (const question of top.filter((one) => isMaterial(one.ques_type))) {
      const parts = own.filter((part) => part.parent_id === question.id);
      if (question.score !== parts.reduce((sum, part) => sum + part.score, 0)) wrong.push({ question });
    }
    if (homework.is_set_score === 1 && homework.total_score !== 100 * (asked.get(homework.id) ?? 0))
      wrong.push({ homework });
  }
  expect(wrong.slice(0, 3), `${wrong.length} wrong`).toEqual([]);
}

describeEngines('the small demo school', (engine) => {
  let postgres: TestDatabase | undefined;
  let database: OpenDatabase;

  beforeAll(async () => {
    if (engine === 'PostgreSQL') postgres = await createDatabase();
    database = openDatabase(postgres?.url ?? ':memory:');
    await migrate(database);
    expect(await fillDemoSchool(database, { size: 'small', now })).toBe(true);
  });
  afterAll(async () => {
    await database?.destroy();
    await postgres?.drop();
  });

  test('has counters and scores that agree with the rules', async () => {
    await expectCountersToBeRight(database.db);
    await expectScoresToBeRight(database.db);
    await expectCommunityCountersToBeRight(database.db);
  });

  test.each(['teacher', 'assist'])(
    'shows %s posts, groups, announcements and meetings of every state',
    async (username) => {
      const person = await signIn(database, username);
      type Rows = { list: { id: number; is_header_teacher?: 0 | 1 }[]; total: number };
      const total = async (path: string) => (await person.call<Rows>(path)).total;
      for (const tab of [0, 1, 2])
        expect(await total(`community/post/mine?tab=${tab}`), `tab ${tab}`).toBeGreaterThan(0);
      expect(await total('community/post/mine?tab=2')).toBeGreaterThan(10);
      const groups = await total('community/group/myGroup?group_type=2');
      expect(username === 'teacher' ? groups > 10 : groups > 0 && groups <= 10).toBe(true);
      const { list } = await person.call<Rows>('stateschoolclass?limit=100');
      const headed: number[] = [];
      const withoutCircle = new Set<number>();
      for (const { id } of list) {
        const theClass = await person.call<{ is_header_teacher: 0 | 1; group_hidden: 1 | 2 }>(`stateschoolclass/${id}`);
        if (theClass.is_header_teacher === 1) headed.push(id);
        if (theClass.group_hidden === 2) withoutCircle.add(id);
      }
      const states = new Set<number>();
      for (const id of headed) {
        if (!withoutCircle.has(id)) {
          const posts = await person.call<{ list: { user_type: number }[] }>(`community/post/class/${id}?limit=100`);
          expect(new Set(posts.list.map(({ user_type }) => user_type)), 'authors').toContain(4);
        }
        expect(await total(`announcement?class_id=${id}`)).toBeGreaterThan(1);
        const meetings = await person.call<{ list: { live_status: number }[] }>(`class/meeting/lists/${id}`);
        for (const { live_status } of meetings.list) states.add(live_status);
      }
      expect(headed).not.toEqual([]);
      expect(withoutCircle.size).toBe(1);
      // The one class that the assistant leads has not arranged its next meeting yet.
      expect([...states].sort()).toEqual(username === 'assist' ? [2, 3] : [1, 2, 3]);
    },
  );

  test('has reports of the students who were members at publication', async () => {
    const { db } = database;
    const reports = await db
      .selectFrom('report')
      .select(['homework_id', 'student_id', 'class_id', 'status'])
      .orderBy('homework_id')
      .orderBy('student_id')
      .execute();
    const members = await db
      .selectFrom('class_student')
      .innerJoin('homework_class', 'homework_class.class_id', 'class_student.class_id')
      .select((eb) => ['homework_id', 'student_id', eb.fn.min<number>('class_student.class_id').as('class_id')])
      .whereRef('joined_at', '<=', 'published_at')
      .where((eb) => eb.or([eb('left_at', 'is', null), eb('left_at', '>', eb.ref('published_at'))]))
      .groupBy(['homework_id', 'student_id'])
      .orderBy('homework_id')
      .orderBy('student_id')
      .execute();
    // Returned students also have homework from before.
    const returned = await db
      .selectFrom('class_student')
      .select('student_id')
      .where('joined_at', '=', now - 4 * day)
      .executeTakeFirstOrThrow();
    const ofOthers = (report: { student_id: number }) => report.student_id !== returned.student_id;
    expect(reports.filter(ofOthers).map(({ status, ...report }) => report)).toEqual(members.filter(ofOthers));
    expect(reports.some((report) => !ofOthers(report))).toBe(true);
    expect([...new Set(reports.map((report) => report.status))].sort()).toEqual([1, 2, 3]);
  });

  test('is filled once', async () => {
    const staff = await countOf(database.db, 'staff');
    expect(await fillDemoSchool(database, { size: 'small', now })).toBe(false);
    expect(await countOf(database.db, 'staff')).toBe(staff);
  });

  test('lets everybody on the sign-in page sign in', async () => {
    expect(await accountsOfDemo(database.db)).toEqual(demoAccounts);
    for (const { username, identity } of demoAccounts) {
      expect((await signIn(database, username)).identity).toBe(identity);
    }
    const staff = await database.db.selectFrom('staff').select('username').execute();
    expect(staff.filter(({ username }) => !isDemoUsername(username))).toEqual([]);
  });

  test.each([
    ['teacher', 50, 70],
    ['assist', 33, 50],
  ])('shows %s homework of every kind', async (username, least, most) => {
    const person = await signIn(database, username);
    const list = await person.homework();
    expect(list.length).toBeGreaterThanOrEqual(least);
    expect(list.length).toBeLessThanOrEqual(most);
    const ended = list.filter((row) => row.status === 1 && row.ending_time < now);
    const isDone = (row: Row) => row.submitted_homework_count > 0 && row.not_revised_homework_count === 0;
    const canContinue = (row: Row) =>
      row.is_owner === 1 &&
      row.status === 1 &&
      row.publish_type === 2 &&
      row.published_class_count < row.class_count &&
      row.ending_time > now;
    const kinds: Record<string, Row[]> = {
      done: ended.filter(isDone),
      waiting: ended.filter((row) => row.not_revised_homework_count > 0),
      'not handed in': ended.filter((row) => row.submitted_homework_count === 0),
      open: list.filter((row) => row.status === 1 && row.ending_time > now),
      'just published': list.filter((row) => now - row.publish_time < day / 2),
      recalled: list.filter((row) => row.status === 2),
      own: list.filter((row) => row.is_owner === 1),
      "others'": list.filter((row) => row.is_owner === 0),
      'to continue': list.filter(canContinue),
      'course homework': list.filter((row) => row.type === 1),
      'period homework': list.filter((row) => row.type === 2),
      'several classes': list.filter((row) => row.class_name.split('、').length >= 3),
      'long name': list.filter((row) => row.name.length === 20),
    };
    const missing = Object.keys(kinds).filter((kind) => kinds[kind]?.length === 0);
    expect(missing).toEqual([]);
    expect(list.filter((row) => row.name.length > 20 || row.publish_time > now)).toEqual([]);

    const [done] = kinds.done as [Row];
    expect((await person.call<{ published: unknown[] }>(`hw/class/published/${done.id}`)).published).not.toEqual([]);
    expect((await person.call<{ list: unknown[] }>('hw/correct', {})).list).not.toEqual([]);
    const [partly] = kinds['to continue'] as [Row];
    type Classes = { unpublished: { id: number }[] };
    const { unpublished } = await person.call<Classes>(`hw/class/published/${partly.id}`);
    await person.call(`hw/class/publish/${partly.id}/${unpublished.map(({ id }) => id).join(',')}`, {});
    await expectCountersToBeRight(database.db);
  });

  test('shows the lecturer more homework of their courses on request, and has some that neither account sees', async () => {
    const teacher = await signIn(database, 'teacher');
    const assist = await signIn(database, 'assist');
    const own = await teacher.homework();
    const courses = await teacher.homework('&show_other=1');
    expect(courses.length).toBeGreaterThan(own.length + 5);
    const seen = new Set([...courses, ...(await assist.homework())].map((row) => row.id));
    expect((await countOf(database.db, 'homework')) - seen.size).toBeGreaterThan(5);
    const both = new Set(own.map((row) => row.id));
    expect((await assist.homework()).filter((row) => both.has(row.id)).length).toBeGreaterThan(10);
  });

  test('has a lecturer without permissions and one who sees nothing', async () => {
    const plain = await signIn(database, 'teacher3');
    expect((await plain.homework()).length).toBeGreaterThan(0);
    const newcomer = await signIn(database, 'newcomer');
    expect(await newcomer.homework('&show_other=1')).toEqual([]);
    expect((await newcomer.call<{ list: unknown[] }>('ques/index')).list).toEqual([]);
    expect(await newcomer.call('hw/correct/quantity')).toEqual({ quantity: 0 });
  });

  test.each(['teacher', 'assist'])('shows %s a bank with every type of question', async (username) => {
    const person = await signIn(database, username);
    const { list } = await person.call<{ list: { ques_type: number; stem_text: string; ques_stem: string }[] }>(
      'ques/index?limit=200',
    );
    expect(list.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(list.map((question) => question.ques_type))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(list.filter((question) => /<\/?(p|sub|b|i|br)\b/.test(question.stem_text))).toEqual([]);
    expect(list.some((question) => question.ques_stem.startsWith('<p>'))).toBe(true);
  });

  test('has homework classes of 12 to 45 members, with a shared name and one who left', async () => {
    const members = await database.db
      .selectFrom('class_student')
      .innerJoin('student', 'student.id', 'class_student.student_id')
      .innerJoin('class', 'class.id', 'class_student.class_id')
      // Group classes and one-to-one lessons are smaller.
      .where('class.class_type', '=', 0)
      .where('class.id', 'in', (eb) => eb.selectFrom('homework_class').select('homework_class.class_id'))
      .select(['class_id', 'left_at', 'nickname'])
      .orderBy('class_student.id')
      .execute();
    const sizes = new Map<number, number>();
    for (const member of members) {
      if (member.left_at === null) sizes.set(member.class_id, (sizes.get(member.class_id) ?? 0) + 1);
    }
    expect(sizes.size).toBeGreaterThanOrEqual(8);
    expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(12);
    expect(Math.max(...sizes.values())).toBe(45);
    expect(members.filter((member) => member.left_at !== null)).toHaveLength(1);
    const first = members.filter((member) => member.class_id === members[0]?.class_id).map((one) => one.nickname);
    expect(first.length - new Set(first).size).toBeGreaterThanOrEqual(1);
    expect(Math.max(...members.map((member) => member.nickname.length))).toBeGreaterThan(12);
  });

  test.each(['teacher', 'assist'] as const)(
    'shows %s scheduled lessons in every state, some with homework',
    async (username) => {
      const person = await signIn(database, username);
      type Session = { id: number; status: number; class_type: number; user_id: number; clue_name: string };
      const { list } = await person.call<{ list: Session[] }>('schedule/list?limit=200');
      expect([...new Set(list.map(({ status }) => status))].sort()).toEqual([1, 2, 3, 4]);
      expect([...new Set(list.map(({ class_type }) => class_type))].sort()).toEqual([1, 3]);
      for (const { class_type, user_id, clue_name } of list) {
        expect([user_id > 0, clue_name !== '']).toEqual([class_type === 1, class_type === 1]);
      }
      const records = await Promise.all(
        list.map(({ id }) =>
          person.call<{ list: { submit: number; shouldSubmit: number }[] }>(
            `arrangeHomework/getHomeWorkRecord?type=3&type_id=${id}`,
          ),
        ),
      );
      expect(records.flatMap((record) => record.list).length).toBeGreaterThanOrEqual(2);
    },
  );

  test('has lessons from weeks ago to weeks ahead, and today', async () => {
    const periods = await database.db.selectFrom('period').select('start_play').execute();
    const days = periods.map(({ start_play }) => Math.floor((start_play - now) / day));
    expect(Math.min(...days)).toBeLessThan(-40);
    expect(Math.max(...days)).toBeGreaterThan(30);
    expect(days).toContain(0);
  });

  test('has lower ids than any new record', async () => {
    const { id } = await database.db
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(3);
  });
});

test('the demo school has the same people and texts on every day', async () => {
  const texts = await Promise.all(
    [now, now + 400 * day].map(async (today) => {
      const database = openDatabase(':memory:');
      await migrate(database);
      await fillDemoSchool(database, { size: 'small', now: today });
      const { db } = database;
      const students = await db.selectFrom('student').select(['id', 'nickname', 'mobile']).orderBy('id').execute();
      const homeworks = await db.selectFrom('homework').select(['id', 'name', 'total_score']).orderBy('id').execute();
      const answers = await db.selectFrom('answer').select(['user_answer', 'score']).orderBy('id').limit(500).execute();
      await database.destroy();
      return JSON.stringify({ students, homeworks, answers });
    }),
  );
  expect(texts[0]).toBe(texts[1]);
});

test('a reduced large school has the right numbers, counters and scores', async () => {
  const [small, database] = [openDatabase(':memory:'), openDatabase(':memory:')];
  await Promise.all([migrate(small), migrate(database)]);
  const size = {
    ...largeSchool,
    groups: 2,
    studentsPerClass: 10,
    submissions: 50,
    homeworks: 50,
    teams: 6,
    lessons: 8,
    exams: 3,
    examStudents: 14,
    publicQuestions: 1000,
    posts: [4, 9] as const,
    notices: [2, 4] as const,
  };
  await fillDemoSchool(small, { size: 'small', now });
  await fillDemoSchool(database, { size, now });
  const { db } = database;
  /** Counts the rows beyond those of the small school, which have the first ids. */
  const countAdded = async (table: Parameters<typeof countOf>[1]) =>
    (await countOf(db, table)) - (await countOf(small.db, table));
  const classes = db
    .selectFrom('class')
    .where('class.class_type', '=', 0)
    .where('class.id', '>', await countOf(small.db, 'class'));
  expect(await classes.select('class.id').execute()).toHaveLength(20);
  const students = classes.innerJoin('class_student', 'class_student.class_id', 'class.id').select('student_id');
  expect(await students.distinct().execute()).toHaveLength(200);
  expect(await countOf(db, 'staff')).toBe(16);
  // Every account offered on the sign-in page.
  for (const { username } of demoAccounts) await signIn(database, username);
  for (const table of ['community_post', 'class_notice', 'class_meeting'] as const)
    expect(await countAdded(table)).toBeGreaterThan(20);
  expect(await countAdded('class_session')).toBeGreaterThanOrEqual(2 * 6 * 8);
  expect(await countAdded('exam')).toBe(2 * 3);
  expect(await countAdded('exam_report')).toBeGreaterThanOrEqual(2 * 3 * 14);
  expect(await countAdded('attendance')).toBeGreaterThan(20 * 10 * 90);
  const ofPapers = await db
    .selectFrom('question')
    .select('stem_text')
    .where('parent_id', 'is', null)
    .where('is_public', '=', 1)
    .where('id', '>', await countOf(small.db, 'question'))
    .execute();
  expect(ofPapers).toHaveLength(1000);
  expect(new Set(ofPapers.map(({ stem_text }) => stem_text)).size).toBe(1000);
  const homeworks = db
    .selectFrom('homework')
    .where('arrange_id', 'is', null)
    .where('id', '>', await countOf(small.db, 'homework'));
  const { count, submitted, waiting, answers } = await homeworks
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('submitted_homework_count').as('submitted'),
      eb.fn.sum<number>('not_revised_homework_count').as('waiting'),
      eb
        .selectFrom('answer')
        .innerJoin('report', 'report.id', 'answer.report_id')
        .where('report.homework_id', 'in', homeworks.select('homework.id'))
        .select((of) => of.fn.countAll<number>().as('answers'))
        .as('answers'),
    ])
    .executeTakeFirstOrThrow();
  expect(count).toBe(100);
  expect(submitted).toBeGreaterThan(4900);
  expect(submitted).toBeLessThan(5100);
  expect(Number(answers) / submitted).toBeCloseTo(5, 0);
  expect(waiting / submitted).toBeGreaterThan(0.02);
  expect(waiting / submitted).toBeLessThan(0.05);
  await expectCountersToBeRight(db);
  await expectCommunityCountersToBeRight(db);
  await expectScoresToBeRight(db);
  for (const username of ['teacher', 'assist']) {
    const list = await (await signIn(database, username)).homework();
    expect(list.some((row) => row.ending_time < now && row.not_revised_homework_count === 0)).toBe(true);
    expect(list.some((row) => row.ending_time > now)).toBe(true);
    expect(list.some((row) => row.is_owner === 1)).toBe(true);
    expect(list.some((row) => row.not_revised_homework_count > 0)).toBe(true);
  }
  await Promise.all([small.destroy(), database.destroy()]);
});

test('a large school has more rows in every table that grows with a school', async () => {
  const size = {
    ...largeSchool,
    groups: 2,
    classes: 2,
    studentsPerClass: 8,
    homeworks: 10,
    submissions: 10,
    teams: 6,
    lessons: 8,
    exams: 11,
    examStudents: 8,
    publicQuestions: 10,
    posts: [4, 9] as const,
    notices: [2, 4] as const,
  };
  const rowsOf = async (filled: 'small' | typeof size) => {
    const database = openDatabase(':memory:');
    await migrate(database);
    const { storage } = await storageForTest();
    await fillDemoSchool(database, { size: filled, now, storage });
    const rows = new Map<string, number>();
    for (const { name } of await database.db.introspection.getTables()) {
      // Excludes SQLite's own index tables.
      if (!/^question_search_/.test(name)) rows.set(name, await countOf(database.db, name as keyof Tables));
    }
    await database.destroy();
    return rows;
  };
  const [inSmall, inLarge] = await Promise.all([rowsOf('small'), rowsOf(size)]);
  /** Tables with one row per school, and those that only signed-in people fill. */
  const same = [
    'setting',
    'school',
    'room',
    'grade',
    'subject',
    'classify',
    'knowledge_point',
    'exam_category',
    'ware_classify',
    'community_collect',
    'community_report',
    'question_correction',
    'question_count',
    'holiday',
    'service_token',
    'roster_client',
    'identity_link',
    'learner_link',
    'external_id',
    'import',
    'import_remark',
    'import_row',
    'import_source',
    'term',
  ];
  const filled = [...inSmall].filter(([, rows]) => rows > 0).map(([name]) => name);
  expect(filled.length).toBeGreaterThan(50);
  expect(filled.filter((name) => (inLarge.get(name) ?? 0) <= (inSmall.get(name) ?? 0)).sort()).toEqual(same.sort());
  expect(same.filter((name) => inLarge.get(name) !== inSmall.get(name))).toEqual([]);
});

test('the demo school has courseware for both identities, and files that match their extensions', async () => {
  const database = openDatabase(':memory:');
  await migrate(database);
  const { storage, directory } = await storageForTest();
  expect(await fillDemoSchool(database, { size: 'small', now, storage })).toBe(true);
  const files = await database.db.selectFrom('ware_file').selectAll().execute();
  for (const { name, storage_key, size } of files) {
    const file = { name, size, path: `${directory}/${storage_key}` };
    expect(await acceptFile(file, coursewareExtensions[1].concat('zip', 'mp3', 'wav')), name).toHaveProperty('ok');
  }
  for (const username of ['teacher', 'assist']) {
    const person = await signIn(database, username);
    const { list } = await person.call<{ list: { ware_type: number; is_owner: number; ware_name: string }[] }>(
      'courseWare?limit=100',
    );
    expect(list.length).toBeGreaterThan(18);
    expect([...new Set(list.map((ware) => ware.ware_type))].sort()).toEqual([1, 2, 3]);
    expect([...new Set(list.map((ware) => ware.is_owner))].sort()).toEqual([0, 1]);
    expect(list.map((ware) => ware.ware_name)).not.toContain('完形填空专练');
    expect(list.map((ware) => ware.ware_name)).not.toContain('中考物理实验汇总');
    expect((await person.call<unknown[]>('courseWareClassify')).length).toBe(6);
  }
  const onPaper = await database.db
    .selectFrom('answer')
    .select('user_answer')
    .where('user_answer', 'like', '%/files/%')
    .execute();
  const photographs = new Set(onPaper.flatMap(({ user_answer }) => JSON.parse(user_answer).images as string[]));
  expect(photographs.size).toBe(3);
  const posts = await database.db.selectFrom('community_post').select('images').execute();
  const pictures = new Set(posts.flatMap(({ images }) => JSON.parse(images) as string[]));
  expect(pictures.size).toBe(9);
  const classes = await database.db.selectFrom('class').select(['schedule_image', 'cover_image']).execute();
  const courses = await database.db.selectFrom('course').select('cover_img').execute();
  const ofClasses = new Set(
    [...classes.flatMap(Object.values), ...courses.flatMap(Object.values)].filter((address) => address !== ''),
  );
  expect(ofClasses.size).toBe(5);
  const staff = await database.db.selectFrom('staff').select(['username', 'avatar']).execute();
  expect(staff.filter(({ avatar }) => avatar === '').map(({ username }) => username)).toEqual(['newcomer', 'admin']);
  const avatars = new Set(staff.flatMap(({ avatar }) => avatar || []));
  expect(await fillDemoSchool(database, { size: 'small', now, storage })).toBe(false);
  expect(
    (await readdir(directory, { recursive: true })).filter((name) => /\.\w+$/.test(name) && !name.startsWith('.'))
      .length,
  ).toBe(files.length + photographs.size + pictures.size + ofClasses.size + avatars.size);
  await database.destroy();
});
