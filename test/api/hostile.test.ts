/** @module-tag thorough */
/**
 * Fuzzes every call: each field in turn gets another type, a huge value, an extreme day, or unstorable characters. The
 * answer must be a refusal or a success, never a 500.
 */

import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiDescription, createApi, subjects } from '#server/api.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type AnyCall, pathFor } from '#server/platform/calls/call.ts';
import { type Identity, pathForIdentity, prefixes } from '#server/school/call.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { readRequests } from '../support/readings.ts';
import { findIds, type Ids } from '../support/record-ids.ts';
import type { ApiRequest, SendRequest } from '../support/requests.ts';
import { fieldsOf, oddDays, type ReadSchema, sample, takesDays } from '../support/sample-bodies.ts';

const odd = {
  'a NUL': 'a\u0000b',
  'half a character': '\ud800',
  'a list': ['a\u0000b'],
  'an object': { a: 1 },
  'more than an id': 2 ** 31,
  'more than a number of the database': 1e300,
  'a half': 0.5,
};
const oddInAddress = ['%00', '2147483648', '-1', '1,%00'];

/** True for required fields. Optional ones are left out, so that only one field of a request is wrong. */
const isNeeded = ({ type }: ReadSchema) => type !== 'optional' && type !== 'fallback';

type Way = (string | number)[];

/** Paths to every value within `value`. */
function waysInto(value: unknown): Way[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...waysInto(inner).map((way) => [step, ...way])];
  });
}

function withOdd(value: unknown, [step, ...rest]: Way, instead: unknown): unknown {
  if (step === undefined) return instead;
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? withOdd(one, rest, instead) : one));
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: withOdd(fields[step], rest, instead) };
}

/** Optional fields that a successful call needs, by a part of its path. */
const complete: [path: string, fields: (ids: Ids) => Record<string, unknown>][] = [
  ['omework/publish', (ids) => publication(ids)],
  ['hw/publish', (ids) => publication(ids)],
  ['staff/passwords', ({ staff }) => ({ ids: staff })],
  ['hw/review/', () => ({ class_id: 0, user_score: 1, review_comment: '好', remark: '好' })],
  ['testDetail/', () => ({ score: 1, remark: '好' })],
  ['ques/', () => ({ ques_type: 5, ques_option: [], right_answer: '<p>略</p>' })],
  ['myExam/correction', () => ({ type: 1 })],
  ['app/collect', () => ({ type: 1 })],
  ['schedule/communication', ({ lessonStudent }) => ({ user_id: lessonStudent })],
  ['community/report', () => ({ type: 1 })],
  ['class/meeting', () => ({ meeting_name: '班会', start_time: '2030-01-02 10:00', end_time: '2030-01-02 11:00' })],
  ['courseWare/library', () => ({ ware_name: '课件', classify_id: 1 })],
  ['courseWare', ({ ware }) => ({ ware_id: ware })],
  ['stateschoolcourseware', ({ ware }) => ({ ware_name: '课件', classify_id: 1, ware_type: 1, ware_ids: [ware] })],
  ['leave/setOpStatus', () => ({ op_status: 2, leave_cause: '事假' })],
  ['leave', ({ attendedClass, attended }) => ({ class_id: attendedClass, course_id: attended })],
  ['attendance', ({ attendedClass, attended }) => ({ class_id: attendedClass, course_id: attended, op_status: 0 })],
  ['/update', () => ({ real_name: '姓名', introduction: '简介' })],
  // Limits history exports to a few rows: a full one takes two seconds, sixty times over.
  ['history/export', ({ today }) => ({ start: today, who: 'newcomer' })],
];
const publication = ({ course, bankQuestion }: Ids) => ({
  course_basis_id: course,
  course_periods_id: undefined,
  publish_scope: 3,
  type: 1,
  is_set_score: 1,
  name: '测验',
  remark: '',
  ending_time: 4_000_000_000,
  question: [{ id: bankQuestion }],
});

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Left out: they end the session that the test uses, or wait. */
const leftOut = /logout|account\/devices|update\/password/;

describeEngines('malformed requests', (engine) => {
  let demo: DemoSchool;
  let api: ReturnType<typeof createApi>;
  const errors: string[] = [];

  beforeAll(async () => {
    demo = await openDemoSchool(engine);
    const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line).err?.stack) });
    api = createApi({ ...demo, now: () => demo.now, log, checkAnswers: true });
  }, 900_000);
  afterAll(async () => demo?.close());

  const tokenOf = async (role: Identity) => {
    const { db } = demo.database;
    const { id } = await db.selectFrom('staff').select('id').where('username', '=', role).executeTakeFirstOrThrow();
    return issueToken(db, id, { device: 'test', address: '127.0.0.1', now: demo.now });
  };
  const askingWith = (token: string) => {
    const authorization = `Bearer ${token}`;
    return async (method: string, address: string, body?: unknown) => {
      const isForm = body instanceof FormData;
      const sent = isForm || body === undefined ? body : JSON.stringify(body);
      const headers = { authorization, ...(isForm ? {} : { 'content-type': 'application/json' }) };
      const answer = await api.fetch(new Request(`http://school.test${address}`, { method, body: sent, headers }));
      const text = await answer.text();
      return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined, text };
    };
  };

  const idsByField = (ids: Ids, picture: string) => ({
    hw_id: ids.own,
    class_id: ids.class,
    ques_id: ids.asked,
    question_id: ids.examQuestion,
    test_id: ids.exam,
    times_id: ids.lesson,
    period_id: ids.period,
    course_periods_id: ids.period,
    uid: ids.member,
    user_id: ids.member,
    course_basis_id: ids.course,
    course_id: ids.course,
    fid: ids.fid,
    group_id: ids.group,
    post_id: ids.post,
    arrange_id: ids.lesson,
    url: picture,
    path: picture,
    avatar: picture,
    images: picture,
    reportId: ids.examPending,
    hwId: ids.own,
    classId: ids.class,
    id: ids.own ?? ids.staff,
  });

  /** Sends a call with one wrong value at a time; returns answers that are neither refusal nor success. */
  const bugsOf = async (
    call: AnyCall,
    path: string,
    { ask, names, plain }: { ask: ReturnType<typeof askingWith>; names: Record<string, unknown>; plain?: ApiRequest },
  ): Promise<string[]> => {
    const bugs: string[] = [];
    const fillPath = (text: string) => text.replaceAll(/:(\w+)\??/g, (_, name) => String(names[name] ?? 1));
    const tryOut = async (address: string, what: string, body?: unknown) => {
      const { status } = await ask(call.method, address, body);
      if (status >= 500)
        bugs.push(`${call.method} ${address.slice(0, 100)} with ${what}: ${errors.at(-1)?.slice(0, 400)}`);
    };
    const address = plain?.address ?? fillPath(path);
    const [start = '', search] = address.split('?');
    for (const [field, schema] of Object.entries(fieldsOf(call.query))) {
      const others = new URLSearchParams(search);
      others.delete(field);
      const values = takesDays(schema, field) ? [...oddInAddress, ...oddDays.map(encodeURIComponent)] : oddInAddress;
      for (const one of values) await tryOut(`${start}?${others}&${field}=${one}`, one);
    }
    for (const [parameter] of path.matchAll(/:\w+\??/g)) {
      const body = call.method === 'GET' || call.upload ? undefined : {};
      for (const one of oddInAddress) await tryOut(fillPath(path.replace(parameter, one)), one, body);
    }
    if (!call.body) return bugs;
    const fields = fieldsOf(call.body);
    const whole = Object.entries({ ...(sample(call.body, '', names) as object), ...(plain?.body as object) });
    const needed = whole.filter(([name]) => name in names || (fields[name] && isNeeded(fields[name])));
    const send = (what: string, body: Record<string, unknown>) => {
      if (!call.upload) return tryOut(address, what, body);
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) form.set(name, String(value));
      form.set(call.upload.field, new File([Buffer.from('%PDF-1.4\n')], 'a\u0000b.pdf'));
      return tryOut(address, what, form);
    };
    await send('what is needed', Object.fromEntries(needed));
    for (const [field, value] of whole) {
      if (takesDays(fields[field], field)) {
        for (const one of oddDays) await send(`${field} = ${one}`, { ...Object.fromEntries(needed), [field]: one });
      }
      for (const way of [[], ...waysInto(value)]) {
        for (const [what, one] of Object.entries(odd)) {
          const body = { ...Object.fromEntries(needed), [field]: withOdd(value, way, one) };
          await send(`${[field, ...way].join('.')} = ${what}`, body);
        }
      }
    }
    return bugs;
  };

  it.each(identities)('get a refusal or success for %s', { timeout: 900_000 }, async (role) => {
    const ask = askingWith(await tokenOf(role));
    const asPerson: SendRequest = ({ address, method, body }) => ask(method, address, body);
    const ids = await findIds(asPerson, role, demo.now);
    const picture = new FormData();
    picture.set('base64_image', dot);
    const kept = await ask('POST', `${prefixes[role]}/public/imgBase64`, picture);
    const bugs: string[] = [];
    for (const { call } of subjects.flatMap(({ calls }) => calls)) {
      const path = pathForIdentity(call, role);
      if (path === undefined || call.method === 'DELETE' || leftOut.test(path)) continue;
      // Both roles share one function.
      if (role === 'assist' && pathFor(call, 'teacher') === pathFor(call, 'assist')) continue;
      const [plain] = readRequests(call, role, ids, 'plain');
      const report_id = path.includes('testDetail') ? ids.examPending : ids.pending;
      const more = complete.filter(([part]) => path.includes(part)).map(([, fields]) => fields(ids));
      const names = Object.assign({ ...idsByField(ids, kept.data.path), report_id }, ...more);
      bugs.push(...(await bugsOf(call, path, { ask, names, plain })));
    }
    expect(bugs).toEqual([]);
  });

  it("get a refusal or success for the learners' application", { timeout: 900_000 }, async () => {
    const { db } = demo.database;
    const { token } = await issueServiceToken(db, { name: '学习端', now: demo.now });
    const ask = askingWith(token);
    const calls = apiDescription.subjects.find(({ name }) => name === '学习端')?.calls ?? [];
    expect(calls.length).toBeGreaterThan(4);
    const open = await db
      .selectFrom('report')
      .innerJoin('homework_question', 'homework_question.homework_id', 'report.homework_id')
      .select(['report.homework_id as hwId', 'report.student_id as uid', 'homework_question.id as ques_id'])
      .where('report.status', '=', 1)
      .where('homework_question.ques_type', '=', 5)
      .executeTakeFirstOrThrow();
    const bugs: string[] = [];
    for (const { call } of calls) bugs.push(...(await bugsOf(call, String(call.path), { ask, names: open })));
    expect(bugs).toEqual([]);
  });

  it('get a refusal at sign-in', async () => {
    const ask = askingWith('');
    for (const one of Object.values(odd)) {
      for (const body of [
        { username: one, password: 'Teach2026' },
        { username: 'teacher', password: one },
      ]) {
        expect((await ask('POST', '/api/auth/login', body)).status).toBeLessThan(500);
      }
    }
  });
});
