import { describe, expect, it } from 'vitest';
import { subjects } from '#server/api.ts';
import { isShared, pathFor, rolePrefix } from '#server/http/call.ts';
import { onBothEngines } from '../support/on-both-engines.ts';

/** Every declared call with ids filled in, for each identity's prefix. */
const declared = subjects.flatMap(({ calls }) => calls.map(({ call }) => call));
const everyCall = declared
  .filter((call) => !isShared(call))
  .flatMap((call) =>
    (['teacher', 'assist'] as const).map((role) => {
      const own = pathFor(call, role);
      const path = (own ?? (pathFor(call, role === 'teacher' ? 'assist' : 'teacher') as string)).replace(
        /:\w+\??/g,
        '1',
      );
      return { role, method: call.method, url: `${rolePrefix[role]}/${path}`, offered: own !== undefined };
    }),
  );

/** Those outside the prefixes, which either identity has. */
const sharedCalls = declared
  .filter(isShared)
  .map((call) => ({ method: call.method, url: (call.path as string).replace(/:\w+\??/g, '1') }));

onBothEngines('the wire', (school) => {
  it.each(everyCall)(
    '$method $url: 401 without a token, 403 with the other identity’s',
    async ({ role, method, url, offered }) => {
      const body = method === 'POST' || method === 'PUT' ? '{}' : undefined;
      const headers = body ? { 'content-type': 'application/json' } : undefined;
      expect((await school().ask(url, { method, body, headers })).status).toBe(401);
      const token = (name: 'teacher' | 'assist') => school().people[name].token;
      const wrong = await school().ask(url, {
        method,
        body,
        headers: { ...headers, authorization: `Bearer ${token(role === 'teacher' ? 'assist' : 'teacher')}` },
      });
      expect([wrong.status, wrong.body]).toEqual([403, { code: 403, msg: '当前身份无权访问', data: null }]);
      if (!offered) {
        const mine = await school().ask(url, {
          method,
          body,
          headers: { ...headers, authorization: `Bearer ${token(role)}` },
        });
        expect([mine.status, mine.body.msg]).toEqual([403, '当前身份没有此功能']);
      }
    },
  );

  it.each(sharedCalls)('$method $url: 401 without a token, open to either identity', async ({ method, url }) => {
    const body = method === 'GET' ? undefined : '{}';
    expect((await school().ask(url, { method, body })).status).toBe(401);
    for (const name of ['teacher', 'assist'] as const) {
      const headers = { authorization: `Bearer ${school().people[name].token}` };
      const { status } = await school().ask(url, { method, body, headers });
      expect([404, 422]).toContain(status);
    }
  });

  it('never takes a cookie for a token', async () => {
    const { token } = school().people.teacher;
    const { status } = await school().ask('/api/lector/hw/index', {
      headers: { cookie: `session=${token}; token=${token}` },
    });
    expect(status).toBe(401);
  });

  it.each(['', 'Bearer', 'Bearer x', 'Basic dGVhY2hlcjo=', `Bearer ${'x'.repeat(43)}`])(
    'refuses the authorization %j',
    async (authorization) => {
      expect((await school().ask('/api/lector/hw/index', { headers: { authorization } })).status).toBe(401);
    },
  );

  it('answers an unknown path under a prefix in the envelope', async () => {
    const { status, body } = await school().as('teacher').get('no/such/call');
    expect([status, body]).toEqual([404, { code: 404, msg: '接口不存在', data: null }]);
  });

  it('refuses 2 MB of JSON with 413 and what is not JSON with 400', async () => {
    const large = await school()
      .as('teacher')
      .post('hw/correct', { name: 'x'.repeat(2 * 1024 * 1024) });
    expect([large.status, large.body.code]).toEqual([413, 413]);
    const { token } = school().people.teacher;
    for (const body of ['{"name":', '[]', '"text"', 'name=1']) {
      const answer = await school().ask('/api/lector/hw/correct', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([answer.status, answer.body.msg], body).toEqual([400, '请求格式不正确']);
    }
  });

  it('gives every answer a request id, the caller’s own where it is fit', async () => {
    const own = await school().ask('/healthz', { headers: { 'x-request-id': 'abc-123' } });
    expect(own.headers.get('x-request-id')).toBe('abc-123');
    const made = await school().ask('/healthz', { headers: { 'x-request-id': 'a b\tc' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('offers the filters of the school', async () => {
    expect(
      (await school().as('teacher').get('commonFilter/classify')).body.data.map(({ name }: { name: string }) => name),
    ).toEqual(['classify乙', 'classify甲']);
    expect((await school().as('assist').get('commonFilter/grade')).body.data).toHaveLength(2);
    expect((await school().as('teacher').get('commonFilter/room')).status).toBe(403);
  });
});

onBothEngines('health', (school) => {
  it('says that the process runs even when the database is away, and that it is not ready then', async () => {
    expect((await school().ask('/readyz')).status).toBe(200);
    await school().database.destroy();
    expect((await school().ask('/healthz')).status).toBe(200);
    const ready = await school().ask('/readyz');
    expect([ready.status, ready.body.msg]).toEqual([503, '数据库暂时不可用']);
    const call = await school().as('teacher').get('hw/index');
    expect([call.status, call.body.msg]).toEqual([503, '服务暂时不可用，请稍后再试']);
  });
});

describe('the description of the API', () => {
  it('names every call under both prefixes', async () => {
    const { openApi } = await import('#server/http/describe.ts');
    const { paths } = openApi(subjects);
    for (const { method, url, offered } of everyCall) {
      const found = Object.entries(paths).find(([path]) => new RegExp(`^${path.replace(/\{\w+\}/g, '1')}$`).test(url));
      if (offered) expect(found?.[1][method.toLowerCase()], `${method} ${url}`).toBeDefined();
    }
    expect(paths['/api/lector/hw/withdraw/{id}']).toHaveProperty('post');
    expect(JSON.stringify(paths['/api/lector/hw/index'])).toContain('not_revised_homework_count');
  });
});
