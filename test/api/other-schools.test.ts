/**
 * Sends every call of administrators. Tokens of other roles are refused. An administrator of one school can neither
 * find nor change records of another school.
 */

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi, subjects } from '#server/api.ts';
import { catalogueKinds, isOfSchool } from '#server/catalogue/rules.ts';
import { administrationPermissions } from '#server/platform/auth/rules.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type AnyCall, isShared, pathFor } from '#server/platform/calls/call.ts';
import { tableOwners } from '#server/schema/table-owners.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { readRequests } from '../support/readings.ts';
import { findIds, type Ids } from '../support/record-ids.ts';
import { sample } from '../support/sample-bodies.ts';

let demo: DemoSchool;
let api: ReturnType<typeof createApi>;

beforeAll(async () => {
  demo = await openDemoSchool('SQLite');
  api = createApi({ ...demo, now: () => demo.now, log: pino({ level: 'silent' }), checkAnswers: true });
}, 900_000);
afterAll(async () => demo?.close());

const db = () => demo.database.db;

/** Calls of administrators alone. */
const calls: { call: AnyCall; path: string }[] = subjects
  .flatMap(({ calls: all }) => all.map(({ call }) => call as AnyCall))
  .filter((call) => !isShared(call) && pathFor(call, 'admin') !== undefined && pathFor(call, 'teacher') === undefined)
  .map((call) => ({ call, path: pathFor(call, 'admin') as string }));

async function ask(token: string, method: string, address: string, body?: unknown) {
  const isForm = body instanceof FormData;
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
  };
  const sent = body === undefined || isForm ? body : JSON.stringify(body);
  const answer = await api.fetch(new Request(`http://school.test${address}`, { method, headers, body: sent }));
  const text = await answer.text();
  const read = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: answer.status, msg: String(read.msg ?? ''), data: read.data };
}

const tokenOf = (id: number) => issueToken(db(), id, { device: 'test', address: '127.0.0.1', now: demo.now });
const staffToken = async (username: string) => {
  const found = db().selectFrom('staff').select('id').where('username', '=', username);
  return tokenOf((await found.executeTakeFirstOrThrow()).id);
};
const fillPath = (path: string) => path.replaceAll(/:\w+\??/g, '1');
const bodyFor = (call: AnyCall) => (call.method === 'GET' || call.method === 'DELETE' ? undefined : {});

it('administrator calls refuse lecturers, assistants, applications and signed-out requests', async () => {
  const { token } = await issueServiceToken(db(), { name: '学习端', now: demo.now });
  const others: [string, number][] = [
    [await staffToken('teacher'), 403],
    [await staffToken('assist'), 403],
    [token, 401],
    ['', 401],
  ];
  expect(calls.length).toBeGreaterThan(150);
  const open: string[] = [];
  for (const { call, path } of calls) {
    for (const [other, status] of others) {
      const answer = await ask(other, call.method, `/api/admin/${fillPath(path)}`, bodyFor(call));
      if (answer.status !== status) open.push(`${call.method} ${path}: ${answer.status}, not ${status}`);
    }
  }
  expect(open).toEqual([]);
});

it('administrator calls require a permission, except home and text preview', () => {
  const free = calls.filter(({ call }) => !call.needs).map(({ call, path }) => `${call.method} ${path}`);
  expect(free.sort()).toEqual(['GET overview', 'POST questions/display']);
});

// ---- the ids of another school ------------------------------------------------------------------------

/** Record named by an address, from the path before its id. */
const idsByPath = (ids: Ids, more: Record<string, number>): Record<string, unknown> => ({
  staff: ids.staff,
  schools: ids.school,
  tokens: ids.token,
  'roster-clients': ids.rosterClient,
  links: ids.identityLink,
  learners: ids.learnerLink,
  providers: 'cas',
  holidays: ids.holiday,
  students: ids.student,
  classes: ids.grouped,
  groups: ids.classGroup,
  'large-classes': ids.largeClass,
  'group-classes': ids.lessonClass,
  contracts: ids.contract,
  courses: ids.taught,
  chapters: ids.taughtChapter,
  periods: ids.taughtPeriod,
  lessons: ids.adminLesson,
  options: ids.lessonClass,
  exams: ids.adminExam,
  sections: more.section,
  questions: ids.bankQuestionOfSchool,
  handouts: ids.handedOut,
  reported: ids.reported,
  comments: 1,
  corrections: ids.correction,
  circles: ids.circle,
  points: ids.point,
  // Addresses that name no record of a school.
  catalogue: 'rooms',
  rooms: ids.room,
  importing: 'none',
  import: more.upload,
  rows: 1,
  template: 1,
  undo: 1,
});

/** Body and query fields that name a record. */
const fieldsOf = (ids: Ids, path: string): Record<string, unknown> => {
  const before = path.split('/')[0] ?? '';
  const several: Record<string, unknown> = {
    staff: ids.staff,
    handouts: ids.handedOut,
    lessons: ids.adminLesson,
    questions: ids.bankQuestionOfSchool,
    classes: ids.student,
  };
  return {
    ids: [several[before] ?? ids.student],
    school_id: ids.school,
    school_ids: [ids.school],
    class_id: ids.lessonClass,
    class_ids: [ids.grouped],
    course_id: ids.taught,
    course_ids: [ids.taught],
    parent_id: ids.taught,
    student_ids: [ids.student],
    user_ids: [ids.student],
    staff_ids: [ids.staff],
    head_ids: [ids.staff],
    assistant_ids: [ids.staff],
    lecturer_id: ids.staff,
    room_id: ids.room,
    large_class_id: ids.largeClass,
    chapter_id: ids.taughtChapter,
    group_id: ids.classGroup,
    owner_id: ids.staff,
    // Plausible values of the other fields.
    identity: 'teacher',
    name: '分校所写',
    title: '分校所写',
    real_name: '分校所写',
    nickname: '分校所写',
    username: 'from-another',
    day: '2030-01-02',
    first_day: '2030-01-02',
    start_day: '2030-01-02',
    start: '09:00',
    end: '10:00',
    time: '09:00',
  };
};

/** Records that all schools share: an administrator of one school can read but not change them. */
const ofEverySchool = /^(?:identity|points|holidays|exams\/template|catalogue\/:kind(?!\/:id))/;
/** Calls about the caller's own decisions and uploads. */
const ofOneself = /^(?:handouts\/undo|import$|exams\/importing\/text$|import\/upload$)/;

/** Another person's import. */
async function addImport(): Promise<number> {
  const source = await db()
    .insertInto('import_source')
    .values({ name: '总校的系统', created_at: demo.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const upload = await db()
    .insertInto('import')
    .values({
      source_id: source.id,
      staff_id: null,
      file_name: '总校的学员.csv',
      content_hash: '',
      mode: 'delta',
      kinds: '[]',
      state: 'checked',
      noted_at: demo.now,
      created_at: demo.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return upload.id;
}

/**
 * Returns a hash of the rows of each table. Leaves out tables that permitted calls write to: logs, sign-ins, exports,
 * imports and the question index.
 */
async function contents(): Promise<Map<string, string>> {
  const leftOut = new Set([
    'history',
    'accepted_request',
    'sign_in',
    'export_file',
    'question_import',
    'question_import_line',
    'question_search',
  ]);
  const found = new Map<string, string>();
  for (const [name, owner] of Object.entries(tableOwners)) {
    // Leaves out the tables of imports: every administrator may upload a file, which adds rows to them.
    if (leftOut.has(name) || owner === 'import') continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db());
    found.set(name, createHash('sha256').update(JSON.stringify(rows)).digest('hex'));
  }
  return found;
}

it("administrator calls do not reach another school's records", async () => {
  const admin = await staffToken('admin');
  const asAdmin = ({ method, address, body }: { method: string; address: string; body?: unknown }) =>
    ask(admin, method, address, body);
  const ids = await findIds(asAdmin, 'admin', demo.now);
  const section = await db()
    .selectFrom('exam_section')
    .select('id')
    .where('exam_id', '=', Number(ids.adminExam))
    .executeTakeFirstOrThrow();
  const there = await db().insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
  const permitted = Object.fromEntries(administrationPermissions.map((one) => [`can_${one}`, 1]));
  const bound = await db()
    .insertInto('staff')
    .values({
      identity: 'admin',
      username: 'bound',
      password_hash: 'none',
      real_name: '分校教务',
      school_id: there.id,
      disabled_at: null,
      created_at: demo.now,
      ...permitted,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db().insertInto('staff_school').values({ staff_id: bound.id, school_id: there.id }).execute();
  const token = await tokenOf(bound.id);

  const records = idsByPath(ids, { section: section.id, upload: await addImport() });
  const unnamed: string[] = [];
  const pathTo = (path: string) => {
    const parts = path.split('/');
    return parts
      .map((part, at) => {
        if (!part.startsWith(':')) return part;
        const before = parts[at - 1] ?? '';
        const value = records[before.startsWith(':') ? 'rooms' : before];
        if (value === undefined) unnamed.push(`${path}: ${part}`);
        return String(value);
      })
      .join('/');
  };
  const theClass = await db().selectFrom('class').select('name').where('id', '=', Number(ids.grouped)).execute();
  const course = await db().selectFrom('course').select('title').where('id', '=', Number(ids.taught)).execute();
  const student = await db().selectFrom('student').select('nickname').where('id', '=', Number(ids.student)).execute();
  const names = [theClass[0]?.name, course[0]?.title, student[0]?.nickname].map((name) => name ?? 'nothing');
  const before = await contents();
  const wrong: string[] = [];
  for (const { call, path } of calls) {
    const namesRecord = path.includes(':') && !ofEverySchool.test(path);
    const known = fieldsOf(ids, path);
    const noteWrong = (status: number, address: string, msg: string) =>
      wrong.push(`${call.method} ${address}: ${status} ${msg}`);
    if (!call.changes) {
      for (const { method, address, body } of readRequests(call, 'admin', ids, 'plain')) {
        const { status, msg, data } = await ask(token, method, address, body);
        // Another school's record answers 404; a list without access is empty.
        const isShared =
          ofEverySchool.test(path) ||
          catalogueKinds.some((kind) => !isOfSchool(kind) && address.startsWith(`/api/admin/catalogue/${kind}`));
        if (namesRecord && !isShared) {
          if (status !== 404) noteWrong(status, address, msg);
        } else if (!isShared && names.some((name) => JSON.stringify(data ?? '').includes(name))) {
          noteWrong(status, address, 'names what is of another school');
        }
      }
      continue;
    }
    const address = pathTo(path);
    const body = call.body ? sample(call.body, '', known) : bodyFor(call);
    const form = new FormData();
    form.set(call.upload?.field ?? '', new File([Buffer.from('%PDF-1.4\n')], 'a.pdf'));
    const query = call.query ? `?${new URLSearchParams({ acknowledged: '1' })}` : '';
    const answer = await ask(token, call.method, `/api/admin/${address}${query}`, call.upload ? form : body);
    const { status, msg } = answer;
    // These statuses refuse the upload, some of them for its format.
    const refused = call.upload ? [403, 415, 422] : [403, 404, 422];
    const expected = ofOneself.test(path) ? [200, 409, 415, 422] : namesRecord ? [404] : refused;
    if (!expected.includes(status)) noteWrong(status, address, msg);
  }
  expect(unnamed).toEqual([]);
  expect(wrong).toEqual([]);
  const after = await contents();
  expect([...after].filter(([table, hash]) => before.get(table) !== hash).map(([table]) => table)).toEqual([]);
}, 900_000);
