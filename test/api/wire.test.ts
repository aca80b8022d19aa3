import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { apiRouter, subjects } from '#server/api.ts';
import { communityCalls } from '#server/community/api.ts';
import { type Identity, identities, permissionsFor } from '#server/platform/auth/rules.ts';
import { type ApiRouter, mountCalls } from '#server/platform/calls/answer.ts';
import { isShared, pathFor, pathOfAnyRole } from '#server/platform/calls/call.ts';
import { type Permission, prefixes } from '#server/school/call.ts';
import { schoolBackend } from '#server/school/context.ts';
import { permissionFault } from '#server/school/rules.ts';
import { describeEngines, onBothEngines } from '../support/on-both-engines.ts';
import { openTestSchool } from '../support/school.ts';

/** Every declared call with ids, under each identity's prefix. */
const declared = subjects.flatMap(({ calls }) => calls.map(({ call }) => call));
const everyCall = declared
  .filter((call) => !isShared(call))
  .flatMap((call) =>
    identities.map((role) => {
      const own = pathFor(call, role);
      const path = (own ?? pathOfAnyRole(call)).replace(/:\w+\??/g, '1');
      return { role, method: call.method, url: `${prefixes[role]}/${path}`, offered: own !== undefined };
    }),
  );

/** Calls with a permission, per identity. */
const permitted = declared.flatMap((call) =>
  identities.flatMap((role) => {
    // Administrators use unknown ids, because the call would harm a person that later tests need.
    const path = isShared(call) ? undefined : pathFor(call, role)?.replace(/:\w+\??/g, role === 'admin' ? '999' : '1');
    const url = `${prefixes[role]}/${path}`;
    return call.needs && path !== undefined
      ? [{ needs: [call.needs].flat() as Permission[], role, method: call.method, url }]
      : [];
  }),
);

/** Calls outside the prefixes, with their identities. */
const sharedCalls = declared
  .filter(isShared)
  .map((call) => ({ call, method: call.method, url: (call.path as string).replace(/:\w+\??/g, '1') }));

onBothEngines('HTTP interface', (school) => {
  it.each(everyCall)(
    "answers $method $url with 401 without a token, 403 with another identity's",
    async ({ role, method, url, offered }) => {
      const body = method === 'POST' || method === 'PUT' ? '{}' : undefined;
      const headers = body ? { 'content-type': 'application/json' } : undefined;
      expect((await school().ask(url, { method, body, headers })).status).toBe(401);
      const token = (name: Identity) => school().people[name].token;
      for (const other of identities.filter((one) => one !== role)) {
        const authorization = `Bearer ${token(other)}`;
        const wrong = await school().ask(url, { method, body, headers: { ...headers, authorization } });
        expect([wrong.status, wrong.body]).toEqual([403, { code: 403, msg: '当前身份无权访问', data: null }]);
      }
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

  it.each(permitted)('answers $method $url with 403 without the permission, despite other permissions', async (one) => {
    const { needs, role, method, url } = one;
    const { id, token } = school().people[role];
    const all = permissionsFor(role);
    const permit = (held: readonly Permission[]) => {
      const flags = Object.fromEntries(
        all.map((permission) => [`can_${permission}`, held.includes(permission) ? 1 : 0]),
      );
      return school().database.db.updateTable('staff').set(flags).where('id', '=', id).execute();
    };
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { status, body } = await school().ask(url, { method, headers, body: method === 'GET' ? undefined : '{}' });
      return [status, body?.msg];
    };
    const refused = [403, permissionFault(needs, [])];
    try {
      await permit(all.filter((permission) => !needs.includes(permission)));
      expect(await ask()).toEqual(refused);
      for (const one of needs) {
        await permit([one]);
        expect(await ask()).not.toEqual(refused);
      }
    } finally {
      await permit(all);
    }
  });

  it.each(sharedCalls)(
    'answers $method $url with 401 without a token, and admits its identities',
    async ({ call, method, url }) => {
      const body = method === 'GET' ? undefined : '{}';
      expect((await school().ask(url, { method, body })).status).toBe(401);
      for (const name of identities) {
        const headers = { authorization: `Bearer ${school().people[name].token}` };
        const { status } = await school().ask(url, { method, body, headers });
        // Other statuses of an empty request: access was granted.
        const offered = url === '/api/auth/me' ? [200] : [200, 404, 409, 422];
        expect(pathFor(call, name) === undefined ? [403] : offered).toContain(status);
      }
    },
  );

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

  it('answers an unknown path under a prefix with the JSON envelope', async () => {
    const { status, body } = await school().as('teacher').get('no/such/call');
    expect([status, body]).toEqual([404, { code: 404, msg: '接口不存在', data: null }]);
  });

  it('answers a wrong method with 405 and the allowed ones', async () => {
    const ask = async (method: string, path: string) => {
      const { status, headers, body } = await school().ask(`/api/lector/${path}`, { method });
      return [status, headers.get('allow'), body?.msg];
    };
    const refusal = '不支持该请求方式';
    expect(await ask('PUT', 'hw/index')).toEqual([405, 'GET, HEAD', refusal]);
    expect(await ask('POST', 'hw/index')).toEqual([405, 'GET, HEAD', refusal]);
    expect(await ask('PATCH', 'class/meeting/3')).toEqual([405, 'GET, HEAD, PUT, DELETE', refusal]);
    expect(await ask('OPTIONS', 'class/meeting')).toEqual([204, 'POST', undefined]);
    expect(await ask('PATCH', 'no/such/call')).toEqual([404, null, '接口不存在']);
  });

  it('prefers a literal path over one with an id, in any binding order', async () => {
    const headers = { authorization: `Bearer ${school().people.teacher.token}` };
    for (const calls of [communityCalls, communityCalls.toReversed()]) {
      const api: ApiRouter = new Hono();
      mountCalls(api, schoolBackend(school().services), calls);
      const mine = await api.request('/api/lector/community/post/mine?tab=1', { headers });
      expect(await mine.json()).toMatchObject({ code: 200, data: { list: [] } });
      const none = await api.request('/api/lector/community/post/987654', { headers });
      expect((await none.json()).code).toBe(404);
    }
  });

  it('refuses 2 MB of JSON with 413, and invalid JSON with 400', async () => {
    const large = await school()
      .as('teacher')
      .post('hw/correct', { name: 'x'.repeat(2 * 1024 * 1024) });
    expect([large.status, large.body.code]).toEqual([413, 413]);
    const { token } = school().people.teacher;
    for (const body of ['{"name":', '[]', '"text"', 'null', 'name=1']) {
      const answer = await school().ask('/api/lector/hw/correct', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([answer.status, answer.body.msg], body).toEqual([400, '请求格式不正确']);
    }
  });

  it.each(['', ' \n'])('treats the body %j as empty', async (body) => {
    const authorization = `Bearer ${school().people.teacher.token}`;
    const answer = await school().ask('/api/lector/ques/add', { method: 'POST', body, headers: { authorization } });
    expect([answer.status, answer.body.errors?.ques_stem]).toEqual([422, ['请完善信息']]);
  });

  it("adds a request id, the caller's own if valid", async () => {
    const own = await school().ask('/healthz', { headers: { 'x-request-id': 'abc-123' } });
    expect(own.headers.get('x-request-id')).toBe('abc-123');
    const made = await school().ask('/healthz', { headers: { 'x-request-id': 'a b\tc' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it("offers the school's filter values", async () => {
    expect(
      (await school().as('teacher').get('commonFilter/classify')).body.data.map(({ name }: { name: string }) => name),
    ).toEqual(['classify乙', 'classify甲']);
    expect((await school().as('assist').get('commonFilter/grade')).body.data).toHaveLength(2);
    expect((await school().as('teacher').get('commonFilter/room')).status).toBe(403);
  });
});

describeEngines('health', (engine) => {
  it('reports alive, but not ready, without the database', async () => {
    const school = await openTestSchool(engine);
    try {
      expect((await school.ask('/readyz')).status).toBe(200);
      await school.database.destroy();
      expect((await school.ask('/healthz')).status).toBe(200);
      const ready = await school.ask('/readyz');
      expect([ready.status, ready.body.msg]).toEqual([503, '数据库暂时不可用']);
      const call = await school.as('teacher').get('hw/index');
      expect([call.status, call.body.msg]).toEqual([503, '服务暂时不可用，请稍后再试']);
    } finally {
      await school.close();
    }
  });
});

onBothEngines('OpenAPI document', (school) => {
  const described = async () => (await school().ask('/api/openapi.json')).body;

  /** Lists `get /api/…/{id}` for every routed address. */
  const mounted = () =>
    apiRouter(school().services)
      .routes.filter(({ method }) => method !== 'ALL')
      .flatMap(({ method, path }) =>
        (path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path]).map(
          (one) => `${method.toLowerCase()} ${one.replace(/:(\w+)/g, '{$1}')}`,
        ),
      );

  it('lists exactly the mounted calls', async () => {
    const { paths } = await described();
    // OneRoster has its own document.
    const roster = (await school().ask('/api/openapi-oneroster.json')).body;
    const named = Object.entries<Record<string, unknown>>({ ...paths, ...roster.paths }).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    // Mounted only to answer 403 instead of 404 to the other identity.
    const refusing = new Set(
      declared
        .filter((call) => !isShared(call))
        .flatMap((call) =>
          identities
            .filter((role) => pathFor(call, role) === undefined)
            .flatMap((role) => {
              const path = `${prefixes[role]}/${pathOfAnyRole(call)}`;
              const paths = path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path];
              const methods = call.alsoPost ? [call.method, 'POST'] : [call.method];
              return methods.flatMap((method) =>
                paths.map((one) => `${method.toLowerCase()} ${one.replace(/:(\w+)/g, '{$1}')}`),
              );
            }),
        ),
    );
    const notOffered = (address: string) => refusing.has(address);
    const expected = mounted().filter((address) => named.includes(address) || !notOffered(address));
    expect([...new Set(named)].sort()).toEqual([...new Set(expected)].sort());
    expect(JSON.stringify(paths['/api/lector/hw/index'])).toContain('not_revised_homework_count');
  });

  it('names the token of each call', async () => {
    const { paths, components } = await described();
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'application']);
    const wanted = Object.entries<Record<string, { security?: object[]; tags: string[] }>>(paths)
      .filter(([path]) => path.startsWith('/api/app/'))
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, said]) => ({ path, method, ...said })));
    for (const { path, method, security, tags } of wanted) {
      const sent = method === 'get' ? undefined : '{}';
      const token = await school().ask(path.replace(/\{\w+\}/g, '1'), { method: method.toUpperCase(), body: sent });
      expect([token.status, path]).toEqual([401, path]);
      const isApplications = token.body.msg === '应用令牌无效';
      expect([path, security], path).toEqual([path, isApplications ? [{ application: [] }] : undefined]);
      expect(tags[0] === '学习端').toBe(isApplications);
    }
    expect(wanted.filter(({ security }) => security).map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/api/app/homework/{hwId}/submission',
        '/api/app/public/file',
        '/api/app/study',
        '/api/app/leave',
        '/api/app/meeting/join',
      ]),
    );
    for (const path of ['/healthz', '/api/auth/login', '/api/calendar/feed/{token}'])
      expect(Object.values<{ security?: object[] }>(paths[path])[0]?.security).toEqual([]);
  });

  it("renders as a page, with a part for learners' calls", async () => {
    const { status, body } = await school().ask('/api/docs');
    expect(status).toBe(200);
    expect(body).toContain('<h2>学习端</h2>');
    expect(body).toContain('/api/app/meeting/join');
  });
});
