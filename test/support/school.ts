/**
 * A small school for tests. It has two lecturers and two assistants with both permissions, one lecturer without any,
 * and records of each. Its clock stands at `noon` unless a test moves it.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { inject, onTestFinished } from 'vitest';
import { type Api, createApi } from '#server/api.ts';
import { publishToClasses, recountHomework } from '#server/homework/assign.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { migrate } from '#server/schema/migrate.ts';
import { prefixes } from '#server/school/call.ts';
import type { Services } from '#server/school/context.ts';
import { type QueryCost, QueryCounter } from './query-cost.ts';
import { day, layRecords, noon, type Person, type SchoolRecords } from './school-records.ts';
import { createDatabase, type Template } from './test-database.ts';

export { day, noon };

export type EngineName = 'SQLite' | 'PostgreSQL';
export const engineNames: EngineName[] = ['SQLite', 'PostgreSQL'];

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  headers: Headers;
}

/** Returns status and message of a response. */
export const outcomeOf = ({ status, body }: Answer): [status: number, message: string] => [status, body.msg];
export const errorsOf = ({ status, body }: Answer): [status: number, errors: Record<string, string[]>] => [
  status,
  body.errors,
];

export interface TestSchool extends SchoolRecords {
  engine: EngineName;
  database: OpenDatabase;
  services: Services;
  /** Replaces services of the API for all later calls. */
  replace(instead: Partial<Services>): void;
  /** Folder of the school's stored files. */
  filesFolder: string;
  api: Api;
  /** Moves the clock until the end of the test. */
  setNow(seconds: number): void;
  addHomework(homework: NewHomework): Promise<number>;
  /** Hands in a student's report: `waiting` for grading, or graded. */
  submit(homeworkId: number, studentId: number, waiting?: boolean, submitTime?: number): Promise<number>;
  as(person: keyof TestSchool['people']): Client;
  /** Uploads a small picture. Returns its address. */
  keepPicture(): Promise<string>;
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** Returns what `work` costs in queries and rows. */
  costOf(work: () => Promise<unknown>): Promise<QueryCost>;
  close(): Promise<void>;
}

export interface Client {
  get(path: string): Promise<Answer>;
  /** A FormData body is sent as multipart. */
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
  /** The `classes` to which the homework is published. Default: all. */
  published?: number[];
  ending?: number;
  publishTime?: number;
  status?: 1 | 2;
}

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * On PostgreSQL the school is copied from a template, because filling it takes a second. SQLite in memory is filled
 * faster than copied.
 */
const atNoon: Template = {
  name: 'school',
  async fill(url) {
    const database = openDatabase(url);
    await migrate(database);
    await writeFile(recordsAtNoon(), JSON.stringify(await layRecords(database.db, noon)));
    await database.destroy();
  },
};
const recordsAtNoon = () => path.join(inject('templates'), 'school.json');

/** Creates a school's database and its records. */
async function layDatabase(
  engine: EngineName,
  location: string | undefined,
  now: number,
): Promise<{ database: OpenDatabase; records: SchoolRecords; drop?: () => Promise<void> }> {
  if (engine === 'PostgreSQL' && !location) {
    const copy = await createDatabase(atNoon);
    if (!copy) throw new Error('there is no PostgreSQL to test on');
    const records: SchoolRecords = JSON.parse(await readFile(recordsAtNoon(), 'utf8'));
    return { database: openDatabase(copy.url), records, drop: copy.drop };
  }
  const database = openDatabase(location ?? ':memory:');
  await migrate(database);
  return { database, records: await layRecords(database.db, now) };
}

/**
 * @param location file of SQLite, or an empty PostgreSQL database of the test @param now start of its clock; the wall
 * time for a running server
 */
export async function openTestSchool(engine: EngineName, location?: string, now = noon): Promise<TestSchool> {
  const { database: opened, records, drop } = await layDatabase(engine, location, now);
  const counter = new QueryCounter();
  const db = opened.db.withPlugin(counter);
  const database = { ...opened, db };
  const atFirst = now;
  const filesFolder = await mkdtemp(path.join(tmpdir(), 'school-files-'));
  const storage = await createStorage({ directory: filesFolder });
  const services: Services = { database, storage, now: () => now, log: pino({ level: 'silent' }), checkAnswers: true };
  let api = createApi(services);
  const { people, courses, periods, classes, students } = records;

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
    classes,
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
      onTestFinished(() => {
        now = atFirst;
      });
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
      const { id: homeworkId } = await db
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
        .executeTakeFirstOrThrow();
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
      await drop?.();
      // A background task may still be writing a file.
      await rm(filesFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
