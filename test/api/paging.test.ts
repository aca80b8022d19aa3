/** Tests every paged call that the contracts declare, on the demo school. */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi, subjects } from '#server/api.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { type Identity, pathForIdentity } from '#server/school/call.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { describeEngines } from '../support/on-both-engines.ts';

const fieldsOf = (schema: unknown): string[] =>
  Object.keys((schema as { entries?: object } | undefined)?.entries ?? {});
const isPaged = ({ query, body }: AnyCall) => fieldsOf(query ?? body).includes('limit');
const answersPage = ({ answer }: AnyCall) =>
  ['list', 'total', 'page', 'limit'].every((one) => fieldsOf(answer).includes(one));

const paged = subjects
  .flatMap(({ calls }) => calls.map(({ call }) => call as AnyCall))
  .filter((call) => isPaged(call) && answersPage(call))
  .flatMap((call) =>
    identities.flatMap((role) => {
      const address = pathForIdentity(call, role);
      return address === undefined ? [] : [{ role, call, address }];
    }),
  );

/** Sources of ids for paths and fields: the person's lists. */
const homework = 'hw/index';
const classes = 'stateschoolclass';
const courses = 'stateschoolcourse';
const students = 'stateschoolstudent';
const sources: [address: RegExp, fields: Record<string, string>][] = [
  [/homework\/students\/:hwId$/, { hwId: homework, classId: classes }],
  [/class\/homework\/students/, { hwId: homework, classId: classes }],
  [/homework\/transcripts/, { hwId: homework, classId: '' }],
  [/studyanalysis|leave\/getLeaveList|class\/homework\/:classId$|post\/class|meeting\/lists/, { classId: classes }],
  [/stateschoolstudent\/study/, { id: students, course_id: courses }],
  [/stateschoolcourse\/study/, { id: courses, classId: classes, period_id: 'period' }],
  [/stateschoolstudent$|stateschoolcourse$|stateschoolcourseware$|announcement$/, { class_id: classes }],
  [/group\/post\/:id/, { id: 'community/group/myGroup' }],
  [/review\/detail/, { report_id: 'hw/correct', hw_id: 'hw/correct', type: 'tab' }],
  [/test\/answerStudents/, { id: 'test/list', questionId: 'examQuestion', group: 'answers' }],
  [/testDetail\/list|studentStatistics/, { id: 'test/list', test_id: 'test/list' }],
  [/teamClass\/.*(List|list)\/:id/, { id: 'teamClass' }],
  [/getClassHomeWorkRecord/, { class_id: 'teamClass' }],
  [/getHomeWorkRecord/, { type_id: 'schedule/list' }],
  [/admin\/catalogue\/:kind$/, { kind: 'kind' }],
  [/admin\/circles\/:id/, { id: 'circles' }],
  [/admin\/students\/:id\/homework/, { id: 'report' }],
  [/admin\/students\/:id\/exams/, { id: 'exam_report' }],
  [/admin\/students\/:id\/communication/, { id: 'communication_record' }],
  [/admin\/students\/:id/, { id: 'admin/students' }],
  [/admin\/classes\/:id/, { id: 'admin/classes' }],
  [/admin\/courses\/:id/, { id: 'admin/courses' }],
  [/admin\/group-classes\/:id/, { id: 'group-classes' }],
  [/admin\/exams\/bank/, { bank: 'bank' }],
  [/admin\/import\/:id/, { id: 'admin/import' }],
  [/getClassTimeStudent|schedule\/communication/, { id: 'schedule/list' }],
];

describeEngines('paged lists', (engine) => {
  let demo: DemoSchool;
  let ask: (
    role: Identity,
    call: Pick<AnyCall, 'method' | 'body'>,
    address: string,
    fields: Record<string, unknown>,
  ) => Promise<Answer>;

  interface Answer {
    code: number;
    data: { list: Record<string, unknown>[]; total: number; page: number; limit: number };
  }

  beforeAll(async () => {
    demo = await openDemoSchool(engine);
    const { database, storage, now } = demo;
    await addDecided(database.db, now);
    const api = createApi({
      database,
      storage,
      now: () => now,
      log: pino({ level: 'silent' }),
      checkAnswers: true,
    });
    const tokens = new Map<Identity, string>();
    for (const username of identities) {
      const { id } = await database.db
        .selectFrom('staff')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow();
      tokens.set(username, await issueToken(database.db, id, { device: 'test', address: '', now }));
    }
    ask = async (role, { method, body }, address, fields) => {
      const url = new URL(address, 'http://school.test');
      const headers: Record<string, string> = { authorization: `Bearer ${tokens.get(role)}` };
      if (body) headers['content-type'] = 'application/json';
      else for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
      const init = body ? { method, headers, body: JSON.stringify(fields) } : { method, headers };
      return (await (await api.fetch(new Request(url, init))).json()) as Answer;
    };
  });
  afterAll(() => demo?.close());

  const known = new Map<string, Promise<unknown[]>>();
  /** Ids from one of the person's lists, read once. */
  function idsFrom(role: Identity, source: string): Promise<unknown[]> {
    const key = `${role} ${source}`;
    const ids = known.get(key) ?? readIds(role, source);
    known.set(key, ids);
    return ids;
  }

  async function readIds(role: Identity, source: string): Promise<unknown[]> {
    if (source === 'tab') return [1, 2];
    if (source === '') return [''];
    if (source === 'answers') return ['wrong'];
    if (source === 'kind') return ['grades'];
    if (source === 'report' || source === 'exam_report' || source === 'communication_record') {
      const { db } = demo.database;
      const rows = await db.selectFrom(source).select('student_id').distinct().limit(50).execute();
      return rows.map(({ student_id }) => student_id);
    }
    if (source === 'bank') return ['public'];
    if (source === 'examQuestion') {
      const { db } = demo.database;
      return (await db.selectFrom('exam_question').select('id').orderBy('id').execute()).map(({ id }) => id);
    }
    if (source === 'period') {
      const { db } = demo.database;
      return (await db.selectFrom('period').select('id').orderBy('id').execute()).map(({ id }) => id);
    }
    const found = paged.find((one) => one.role === role && one.address.endsWith(`/${source}`));
    if (!found) return [];
    const scopes: Record<string, unknown>[] =
      source === courses || source === students
        ? (await idsFrom(role, classes)).map((class_id) => ({ class_id }))
        : [{}];
    const ids = new Set<unknown>();
    for (const scope of scopes) {
      const { data } = await ask(role, found.call, found.address, {
        ...scope,
        limit: scope.class_id === undefined ? 300 : 5,
      });
      for (const row of data?.list ?? []) ids.add(row.id ?? row.hw_id);
    }
    return [...ids];
  }

  async function* places({ role, call, address }: (typeof paged)[number]) {
    const [, fields = {}] = sources.find(([pattern]) => pattern.test(address)) ?? [];
    const names = Object.keys(fields).filter(
      (name) => address.includes(`:${name}`) || fieldsOf(call.query ?? call.body).includes(name),
    );
    let all: Record<string, unknown>[] = [{}];
    for (const name of names) {
      const ids = await idsFrom(role, fields[name] as string);
      all = all.flatMap((one) => ids.map((id) => ({ ...one, [name]: id })));
    }
    for (const given of all) {
      let filled = address;
      const rest: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(given)) {
        if (filled.includes(`:${name}`))
          filled = filled.replace(new RegExp(`/?:${name}\\??`), value === '' ? '' : `/${value}`);
        else rest[name] = value;
      }
      yield { filled, rest };
    }
  }

  it.each(paged)('answer the last page when a page beyond it is requested: $role $address', async (one) => {
    let best: { filled: string; rest: Record<string, unknown>; total: number } | undefined;
    for await (const place of places(one)) {
      const { code, data } = await ask(one.role, one.call, place.filled, { ...place.rest, limit: 1 });
      if (code === 200 && data.total > (best?.total ?? 0)) best = { ...place, total: data.total };
      if ((best?.total ?? 0) > 1) break;
    }
    if (!best) throw new Error('the demo school has no rows for this list: say in `sources` where its ids come from');
    const { filled, rest, total } = best;
    const beyond = await ask(one.role, one.call, filled, { ...rest, page: 9999, limit: 1 });
    const last = await ask(one.role, one.call, filled, { ...rest, page: total, limit: 1 });
    expect(beyond.data).toMatchObject({ total, page: total, limit: 1 });
    expect(beyond.data.list).toHaveLength(1);
    expect(beyond).toEqual(last);
    const whole = await ask(one.role, one.call, filled, { ...rest, page: 1, limit: 999_999 });
    expect(whole.data.list).toHaveLength(total);
    expect(whole.data.list.at(-1)).toEqual(last.data.list[0]);
  });
});

describe('page rows', () => {
  it.each([
    [{ page: 1, limit: 20 }, 0, { page: 1, offset: 0 }],
    [{ page: 7, limit: 20 }, 0, { page: 1, offset: 0 }],
    [{ page: 2, limit: 20 }, 20, { page: 1, offset: 0 }],
    [{ page: 2, limit: 20 }, 21, { page: 2, offset: 20 }],
    [{ page: 999_999, limit: 999_999 }, 21, { page: 1, offset: 0 }],
  ])('are %j of %i', async (asked, total, { page, offset }) => {
    const answer = await pageOf(total, asked, (range) => [range]);
    const list = total === 0 ? [] : [{ limit: asked.limit, offset }];
    expect(answer).toEqual({ list, total, page, limit: asked.limit });
  });
});

/**
 * Rows the demo school lacks: two changes each of a class and a student, two error reports, two imports with two rows
 * and remarks each, and two copies of a question of each bank.
 */
async function addDecided(db: Database, now: number): Promise<void> {
  const first = (table: 'class' | 'student' | 'staff' | 'question') =>
    db.selectFrom(table).select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
  const { id: staff_id } = await first('staff');
  const { id: question_id } = await db
    .selectFrom('question')
    .select('id')
    .where('is_public', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const username of identities) {
    const question = await db
      .selectFrom('question')
      .innerJoin('staff', 'staff.id', 'question.owner_id')
      .selectAll('question')
      .where('staff.username', '=', username)
      .where('question.ques_type', '=', 1)
      .where('question.parent_id', 'is', null)
      .orderBy('question.id')
      .limit(1)
      .executeTakeFirst();
    if (!question) continue;
    const { id: _, ...copy } = question;
    await db.insertInto('question').values([copy, copy]).execute();
  }
  for (const name of ['旧', '新']) {
    for (const [record, table] of [
      ['class', 'class'],
      ['student', 'student'],
    ] as const) {
      const { id: record_id } = await first(table);
      const after = JSON.stringify(record === 'class' ? { name } : { nickname: name });
      await db
        .insertInto('history')
        .values({ at: now, staff_id, record, record_id, action: 'edit', before: null, after })
        .execute();
    }
    await db
      .insertInto('question_correction')
      .values({ question_id, stem_text: '题干', staff_id, type: 1, error_msg: name, created_at: now })
      .execute();
    const { id: source_id } = await db
      .insertInto('import_source')
      .values({ name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: import_id } = await db
      .insertInto('import')
      .values({
        source_id,
        staff_id,
        file_name: name,
        content_hash: '',
        mode: 'bulk',
        kinds: '[]',
        state: 'checked',
        noted_at: now,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const place of [1, 2]) {
      const at = { import_id, file: name, place };
      const row = {
        ...at,
        kind: 'student',
        source_id: `${place}`,
        state: 'active',
        fields: '{}',
        verdict: 'new',
      } as const;
      await db.insertInto('import_row').values(row).execute();
      await db
        .insertInto('import_remark')
        .values({ ...at, tone: 'forgiven', field: '', message: name })
        .execute();
    }
  }
}
