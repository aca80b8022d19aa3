/**
 * A small school for tests, with mine, theirs and nobody's records: two lecturers and two assistants with both
 * permissions, one lecturer with none. Its clock stands still at `noon` unless a test moves it.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { type Api, createApi } from '#server/api.ts';
import { publishToClasses, recountHomework } from '#server/homework/publish.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import type { Services } from '#server/school/context.ts';
import { migrate } from '#server/school/migrate.ts';
import { type QueryCost, QueryCounter } from './query-cost.ts';
import { createDatabase, type Template } from './test-database.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';
export const engineNames: EngineName[] = ['SQLite', 'PostgreSQL'];

/** 2026-11-20 12:00 in Shanghai, unix seconds. */
export const noon = 1_795_147_200;
export const day = 24 * 60 * 60;

export interface Person {
  id: number;
  identity: Identity;
  token: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  headers: Headers;
}

export interface TestSchool {
  engine: EngineName;
  database: OpenDatabase;
  services: Services;
  /** From now on the API uses these instead. */
  replace(instead: Partial<Services>): void;
  /** Where the school's files are kept. */
  filesFolder: string;
  api: Api;
  people: Record<'teacher' | 'otherTeacher' | 'plainTeacher' | 'assist' | 'otherAssist', Person>;
  courses: { shared: number; theirs: number };
  periods: { mine: number; theirsInShared: number; theirs: number };
  /** k1 and k2 are the assistant's, k3 the other assistant's, k4 nobody's. */
  classes: { k1: number; k2: number; k3: number; k4: number };
  /** Ids of students by class; the first of k1 is also in k3, and the last of k1 has left. */
  students: Record<'k1' | 'k2' | 'k3' | 'k4', number[]>;
  setNow(seconds: number): void;
  addHomework(homework: NewHomework): Promise<number>;
  /** Hands in a student's report; `waiting` for review or graded. */
  submit(homeworkId: number, studentId: number, waiting?: boolean, submitTime?: number): Promise<number>;
  as(person: keyof TestSchool['people']): Client;
  /** Uploads a small picture; answers its address. */
  keepPicture(): Promise<string>;
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** What the database has to do for `work`, alone. */
  costOf(work: () => Promise<unknown>): Promise<QueryCost>;
  close(): Promise<void>;
}

export interface Client {
  get(path: string): Promise<Answer>;
  /** A FormData goes as a form with files. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

interface NewHomework {
  name?: string;
  creator: keyof TestSchool['people'];
  course?: number;
  period?: number;
  classes: number[];
  /** Of `classes`, where it is published; all by default. */
  published?: number[];
  ending?: number;
  publishTime?: number;
  status?: 1 | 2;
}

const prefixes: Record<Identity, string> = { teacher: '/api/lector', assist: '/api/assistants' };

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** PostgreSQL takes a second for it, SQLite hardly any time. */
const migrated: Template = {
  name: 'migrated',
  async fill(url) {
    const database = openDatabase(url);
    await migrate(database);
    await database.destroy();
  },
};

/**
 * @param location the file of SQLite, or an empty database of a PostgreSQL that is the test's own
 * @param now where its clock stands at first: for a started server, which goes by the wall, the wall's
 */
export async function openTestSchool(engine: EngineName, location?: string, now = noon): Promise<TestSchool> {
  const postgres = engine === 'PostgreSQL' && !location ? await createDatabase(migrated) : undefined;
  if (engine === 'PostgreSQL' && !location && !postgres) throw new Error('there is no PostgreSQL to test on');
  const opened = openDatabase(location ?? postgres?.url ?? ':memory:');
  if (!postgres) await migrate(opened);
  const counter = new QueryCounter();
  const db = opened.db.withPlugin(counter);
  const database = { ...opened, db };
  const filesFolder = await mkdtemp(path.join(tmpdir(), 'school-files-'));
  const storage = await createStorage({ directory: filesFolder });
  const services: Services = { database, storage, now: () => now, log: pino({ level: 'silent' }), checkAnswers: true };
  let api = createApi(services);
  const id = async (inserted: Promise<{ id: number }>) => (await inserted).id;

  const schoolId = await id(
    db.insertInto('school').values({ org_name: '总校' }).returning('id').executeTakeFirstOrThrow(),
  );
  for (const table of ['classify', 'grade', 'subject'] as const) {
    await db
      .insertInto(table)
      .values([
        { name: `${table}甲`, sort: 2 },
        { name: `${table}乙`, sort: 1 },
      ] as never)
      .execute();
  }
  const person = async (identity: Identity, username: string, permitted: 0 | 1): Promise<Person> => {
    const staffId = await id(
      db
        .insertInto('staff')
        .values({
          identity,
          username,
          password_hash: 'none',
          real_name: `姓名${username}`,
          school_id: schoolId,
          can_dispatch: permitted,
          can_correct: permitted,
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return {
      id: staffId,
      identity,
      token: await issueToken(db, staffId, { device: 'test', address: '127.0.0.1', now }),
    };
  };
  const people = {
    teacher: await person('teacher', 'teacher', 1),
    otherTeacher: await person('teacher', 'teacher2', 1),
    plainTeacher: await person('teacher', 'teacher3', 0),
    assist: await person('assist', 'assist', 1),
    otherAssist: await person('assist', 'assist2', 1),
  };

  const course = (title: string) =>
    id(
      db
        .insertInto('course')
        .values({
          title,
          parent_id: null,
          school_id: schoolId,
          classify_id: null,
          grade_id: null,
          subject_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const courses = { shared: await course('高一数学'), theirs: await course('高一物理') };
  const period = (courseId: number, title: string, lecturer: Person) =>
    id(
      db
        .insertInto('period')
        .values({ course_id: courseId, title, lecturer_id: lecturer.id, chapter_id: null, start_play: noon })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const periods = {
    mine: await period(courses.shared, '第一讲 集合', people.teacher),
    theirsInShared: await period(courses.shared, '第二讲 函数', people.otherTeacher),
    theirs: await period(courses.theirs, '第一讲 运动', people.otherTeacher),
  };

  const classIds: number[] = [];
  const studentIds: number[][] = [];
  for (const [index, name] of ['一班', '二班', '三班', '四班'].entries()) {
    const classId = await id(
      db
        .insertInto('class')
        .values({
          name,
          school_id: schoolId,
          grade_id: null,
          classify_id: null,
          large_class_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    classIds.push(classId);
    await db
      .insertInto('class_course')
      .values([
        { class_id: classId, course_id: courses.shared },
        { class_id: classId, course_id: courses.theirs },
      ])
      .execute();
    const members: number[] = [];
    for (let number = 1; number <= 3 + index; number += 1) {
      members.push(
        await id(
          db
            .insertInto('student')
            .values({
              nickname: `学生${name}${number}`,
              mobile: `1380000${index}00${number}`,
              school_id: schoolId,
              created_at: noon,
            })
            .returning('id')
            .executeTakeFirstOrThrow(),
        ),
      );
    }
    studentIds.push(members);
    await db
      .insertInto('class_student')
      .values(members.map((student_id) => ({ class_id: classId, student_id, joined_at: noon, left_at: null })))
      .execute();
  }
  const [k1, k2, k3, k4] = classIds as [number, number, number, number];
  const students = {
    k1: studentIds[0] ?? [],
    k2: studentIds[1] ?? [],
    k3: studentIds[2] ?? [],
    k4: studentIds[3] ?? [],
  };
  await db
    .insertInto('class_student')
    .values({ class_id: k3, student_id: students.k1[0] as number, joined_at: noon, left_at: null })
    .execute();
  await db
    .updateTable('class_student')
    .set({ left_at: noon })
    .where('student_id', '=', students.k1.at(-1) as number)
    .execute();
  await db
    .insertInto('class_staff')
    .values([
      { class_id: k1, staff_id: people.assist.id, duty: 'assistant' },
      { class_id: k2, staff_id: people.assist.id, duty: 'assistant' },
      { class_id: k3, staff_id: people.otherAssist.id, duty: 'assistant' },
    ])
    .execute();

  const ask: TestSchool['ask'] = async (path, init) => {
    const response = await api.fetch(new Request(`http://school.test${path}`, init));
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: response.headers };
  };
  const clientOf = ({ identity, token }: Person): Client => {
    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      ask(path.startsWith('/') ? path : `${prefixes[identity]}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
      });
    return {
      get: (path) => send('GET', path),
      post: (path, body, headers) => send('POST', path, body, headers),
      put: (path, body, headers) => send('PUT', path, body, headers),
      delete: (path) => send('DELETE', path),
    };
  };

  return {
    engine,
    database,
    services,
    replace(instead) {
      Object.assign(services, instead);
      api = createApi(services);
    },
    filesFolder,
    get api() {
      return api;
    },
    people,
    courses,
    periods,
    classes: { k1, k2, k3, k4 },
    students,
    ask,
    as: (name) => clientOf(people[name]),
    async keepPicture() {
      const form = new FormData();
      form.set('base64_image', dot);
      return (await clientOf(people.teacher).post('public/imgBase64', form)).body.data.path;
    },
    costOf: (work) => counter.costOf(work),
    setNow(seconds) {
      now = seconds;
    },
    async addHomework({
      name = '测验',
      creator,
      course: courseId = courses.shared,
      period: periodId,
      classes,
      published = classes,
      ending = noon + day,
      publishTime = noon - day,
      status = 1,
    }) {
      const homeworkId = await id(
        db
          .insertInto('homework')
          .values({
            name,
            type: periodId ? 2 : 1,
            status,
            course_id: courseId,
            period_id: periodId ?? null,
            creator_id: people[creator].id,
            publish_time: publishTime,
            ending_time: ending,
            is_set_score: 2,
            publish_scope: 3,
            publish_type: published.length < classes.length ? 2 : 1,
            arrange_id: null,
            arrange_type: null,
            total_score: 1000,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
      await db
        .insertInto('homework_class')
        .values(classes.map((class_id) => ({ homework_id: homeworkId, class_id, published_at: null })))
        .execute();
      await publishToClasses(db, { homeworkId, classIds: published, now: publishTime });
      return homeworkId;
    },
    async submit(homeworkId, studentId, waiting = true, submitTime = noon) {
      const report = await db
        .updateTable('report')
        .set({ status: waiting ? 2 : 3, submit_time: submitTime })
        .where('homework_id', '=', homeworkId)
        .where('student_id', '=', studentId)
        .returning('id')
        .executeTakeFirstOrThrow();
      await recountHomework(db, homeworkId);
      return report.id;
    },
    async close() {
      await database.destroy();
      await postgres?.drop();
      await rm(filesFolder, { recursive: true, force: true });
    },
  };
}
