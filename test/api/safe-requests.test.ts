import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { subjects } from '#server/api.ts';
import { learnerNoticeCalls } from '#server/notices/learner-application.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { fullPathFor, isShared } from '#server/platform/calls/call.ts';
import { changesByGet } from '#server/platform/calls/safe-request.ts';
import { type Identity, prefixes } from '#server/school/call.ts';
import { learnerOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { readRequests } from '../support/readings.ts';
import { findIds } from '../support/record-ids.ts';
import type { SendRequest } from '../support/requests.ts';
import { noon, type TestSchool } from '../support/school.ts';

const declared = [...subjects.flatMap(({ calls }) => calls), ...learnerNoticeCalls].map(({ call }) => call);
const changing = declared.filter(changesByGet).flatMap((call) =>
  (isShared(call) ? ['teacher'] : identities).flatMap((role) => {
    const path = fullPathFor(prefixes, call, role)?.replace(/:\w+\??/g, '1');
    return path === undefined ? [] : [{ path, allow: call.alsoPost ? 'GET, POST' : 'GET' }];
  }),
);

const looks: [what: string, method: string, headers: Record<string, string>][] = [
  ['HEAD', 'HEAD', {}],
  ['prefetch', 'GET', { 'sec-purpose': 'prefetch' }],
  ['prerender', 'GET', { 'sec-purpose': 'prefetch;prerender' }],
  ['older prefetch', 'GET', { purpose: 'prefetch' }],
];

const isKeptApart = (table: string) =>
  ['pinyin_reading', 'sign_in', 'learner_session', 'service_token'].includes(table);

/** Checksums of all rows by table, without access logs and token use. */
async function everything({ database: { db } }: TestSchool): Promise<Record<string, string>> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name).filter((name) => !isKeptApart(name));
  const hashes: Record<string, string> = {};
  for (const name of tables) {
    const all = (await db
      .selectFrom(name as 'course')
      .selectAll()
      .execute()) as unknown as Record<string, unknown>[];
    const rows = all
      .filter(({ action }) => action !== 'viewed' && action !== 'export')
      .map((row) => JSON.stringify(row));
    hashes[name] = createHash('sha256').update(rows.sort().join('\n')).digest('hex');
  }
  return hashes;
}

onBothEngines('safe requests', (school) => {
  it('include only the known GET calls with side effects', () => {
    expect(changing.length).toBeGreaterThan(8);
  });

  it.each(changing.flatMap((call) => looks.map(([what, method, headers]) => ({ ...call, what, method, headers }))))(
    'refuse $what of $path with 405',
    async ({ path, allow, method, headers }) => {
      const authorization = `Bearer ${school().people.teacher.token}`;
      const answer = await school().api.fetch(
        new Request(`http://school.test${path}`, { method, headers: { authorization, ...headers } }),
      );
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      if (method === 'GET') expect((await answer.json()).msg).toBe('不支持该请求方式');
    },
  );

  it('answer HEAD of every read call without changing a row', async () => {
    const { api } = school();
    for (const role of identities) {
      const authorization = `Bearer ${school().people[role].token}`;
      const ask: SendRequest = async ({ method, address, body }) => {
        const headers = { authorization, 'content-type': 'application/json' };
        const sent = body ? { body: JSON.stringify(body) } : {};
        const answer = await api.fetch(new Request(`http://school.test${address}`, { method, headers, ...sent }));
        const text = await answer.text();
        return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
      };
      const ids = await findIds(ask, role as Identity, noon);
      const readings = declared
        .filter((call) => call.method === 'GET' && !call.changes)
        .flatMap((call) => readRequests(call, role, ids, 'plain').map(({ address }) => address));
      const before = await everything(school());
      for (const address of readings) {
        const answer = await api.fetch(
          new Request(`http://school.test${address}`, { method: 'HEAD', headers: { authorization } }),
        );
        expect(answer.status, address).toBeLessThan(500);
      }
      expect(await everything(school())).toEqual(before);
    }
  });

  it('keep a notice unread on prefetch', async () => {
    const { database, students } = school();
    const [uid] = students.k1 as [number];
    const { class_id } = await database.db
      .selectFrom('class_student')
      .select('class_id')
      .where('student_id', '=', uid)
      .executeTakeFirstOrThrow();
    const { id } = await database.db
      .insertInto('class_notice')
      .values({
        class_id,
        staff_id: null,
        title: '期中考试安排',
        content: '<p>考试从周一开始</p>',
        created_at: noon,
        updated_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const learner = await learnerOf(school(), uid);
    expect((await learner.get(`notices/${id}`, { 'sec-purpose': 'prefetch' })).status).toBe(405);
    const list = async () =>
      (await learner.get('notices')).body.data.list.map((row: { read_at: unknown }) => row.read_at);
    expect(await list()).toEqual([null]);
    expect((await learner.get(`notices/${id}`)).status).toBe(200);
    expect(await list()).toEqual([noon]);
  });

  it.each(looks)('recall nothing by %s', async (_, method, headers) => {
    const id = await school().addHomework({ creator: 'teacher', classes: [school().classes.k1] });
    const authorization = `Bearer ${school().people.teacher.token}`;
    const address = `http://school.test/api/lector/hw/withdraw/${id}`;
    await school().api.fetch(new Request(address, { method, headers: { authorization, ...headers } }));
    const { db } = school().database;
    const { status } = await db.selectFrom('homework').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    expect(status).toBe(1);
  });

  it('recall by POST with any headers', async () => {
    const id = await school().addHomework({ creator: 'teacher', classes: [school().classes.k1] });
    const answer = await school().as('teacher').post(`hw/withdraw/${id}`, {}, { 'sec-purpose': 'prefetch' });
    expect(answer.status).toBe(200);
  });
});
