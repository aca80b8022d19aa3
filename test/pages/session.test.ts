import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { expiredVisitor, formOf, openApp, signInAs } from '../support/app.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

describe('session of the screens', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    await school.database.db
      .updateTable('staff')
      .set({ password_hash: await hashPassword('Teach2026') })
      .where('username', '=', 'teacher')
      .execute();
    app = await openApp(school);
  });
  afterAll(() => school.close());

  const credentials = { username: 'teacher', password: 'Teach2026' };

  it('redirects to sign-in and back', async () => {
    const visitor = app.visitor();
    const away = await visitor.get('/homework?tab=approve&name=甲');
    expect([away.status, away.location]).toEqual([
      302,
      `/login?redirectTo=${encodeURIComponent('/homework?tab=approve&name=甲'.replace('甲', encodeURIComponent('甲')))}`,
    ]);
    const { fields } = formOf(await visitor.follow(away), '登录');
    const back = await visitor.post('/login', [
      ...fields.filter(([name]) => !(name in credentials)),
      ...Object.entries(credentials),
    ]);
    expect(back.location).toBe(`/homework?tab=approve&name=${encodeURIComponent('甲')}`);
    expect((await visitor.follow(back)).text).toContain('姓名teacher');
  });

  it('leads from the home page to the sign-in form once it has ended', async () => {
    const signedIn = await signInAs(school, app, 'teacher');
    expect((await signedIn.get('/login')).location).toBe('/');
    const visitor = await expiredVisitor(app);
    expect((await visitor.get('/')).location).toBe('/login');
    const form = await visitor.get('/login');
    expect([form.status, form.text.includes('密码')]).toEqual([200, true]);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example/x',
    '/\n/evil.example',
    '/\r/evil.example',
    '/.//evil.example',
    '/x\\..\\..\\/evil.example',
    '/\u0000/evil.example',
  ])('never redirects to %s', async (redirectTo) => {
    const { location } = await app.visitor().post('/login', { ...credentials, redirectTo });
    expect(location).toBe('/');
  });

  it.each([
    ['/homework?name=a..b', '/homework?name=a..b'],
    ['/homework?name=甲#top', `/homework?name=${encodeURIComponent('甲')}#top`],
  ])('redirects to %s', async (redirectTo, to) => {
    expect((await app.visitor().post('/login', { ...credentials, redirectTo })).location).toBe(to);
  });

  it("keeps another tab's form after sign-out, and nothing for strangers", async () => {
    const note = { note: '一段写了很久而不应当丢失的长长的文字说明内容' };
    const visitor = await signInAs(school, app, 'assist');
    await visitor.post('/logout', {});
    expect((await visitor.post('/homework/1/deadline', note)).html).toContain(note.note);
    const stranger = await app.visitor().post('/homework/1/deadline', note);
    expect([stranger.status, stranger.html.includes(note.note)]).toEqual([401, false]);
  });

  it('shows a typed password on request, and names the contact for a forgotten one', async () => {
    const visitor = app.visitor();
    const hidden = await visitor.get('/login?redirectTo=%2Fhomework');
    expect(hidden.document.querySelector('#password')?.getAttribute('type')).toBe('password');
    expect(hidden.text).toContain('忘记密码请联系本校管理员重置');
    const show = [...hidden.document.querySelectorAll('a')].find((a) => a.textContent === '显示密码');
    const shown = await visitor.get(show?.getAttribute('href') ?? '');
    const field = shown.document.querySelector('#password');
    expect(['type', 'autoComplete', 'spellCheck'].map((name) => field?.getAttribute(name))).toEqual([
      'text',
      'off',
      'false',
    ]);
    const { action, fields } = formOf(shown, '登录');
    const wrong = await visitor.post(action, {
      ...Object.fromEntries(fields),
      username: 'teacher',
      password: 'Wrong-1x',
    });
    expect([wrong.status, wrong.html.includes('Wrong-1x')]).toEqual([401, false]);
    expect(wrong.document.querySelector('#password')?.getAttribute('type')).toBe('text');
    const signedIn = await visitor.post(action, { ...Object.fromEntries(fields), ...credentials });
    expect(signedIn.location).toBe('/homework');
    const hide = [...shown.document.querySelectorAll('a')].find((a) => a.textContent === '隐藏密码');
    expect(hide?.getAttribute('href')).toBe('/login?redirectTo=%2Fhomework');
    // Links keep the form that waits for sign-in.
    const waiting = await app.visitor().post('/homework/1/deadline', { note: 'x' });
    expect(waiting.text).not.toContain('显示密码');
  });

  it('never redirects to a URL too long for headers', async () => {
    const long = `/homework?name=${'长'.repeat(3_000)}`;
    const away = await app.visitor().get(long);
    expect([away.status, away.location]).toEqual([302, '/login']);
    const short = await app.visitor().get(`/homework?name=${'a'.repeat(1_000)}`);
    expect(short.location).toContain('redirectTo=');
  });

  it('focuses the password after a wrong one, and the name when empty', async () => {
    const person = app.visitor();
    const focused = (page: Awaited<ReturnType<typeof person.get>>) =>
      page.document.querySelector('input[autofocus]')?.id;
    expect(focused(await person.get('/login'))).toBe('username');
    for (const [username, where] of [
      ['teacher', 'password'],
      ['', 'username'],
    ] as const) {
      const page = await person.post('/login', { username, password: 'wrong' });
      expect([username, focused(page)]).toEqual([username, where]);
    }
  });

  it('keeps the name after a wrong password, never the password', async () => {
    const page = await app.visitor().post('/login', { username: 'teacher', password: 'Wrong-pass1' });
    expect([page.status, page.document.querySelector('[role=alert]')?.textContent]).toEqual([
      401,
      '用户名或密码不正确',
    ]);
    expect(page.document.querySelector('#username')?.getAttribute('value')).toBe('teacher');
    expect(page.html).not.toContain('Wrong-pass1');
  });

  it('stores the token in a signed, http-only, lax cookie, secure on https', async () => {
    const plain = await app.visitor().post('/login', credentials);
    expect(plain.headers.getSetCookie().join()).toMatch(/session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await app.fetch(
      new Request('https://school.test/login', {
        method: 'POST',
        body: new URLSearchParams(credentials),
        headers: { origin: 'https://school.test', host: 'school.test' },
      }),
    );
    expect(secure.headers.getSetCookie().join()).toContain('Secure');
    const visitor = app.visitor();
    visitor.cookies.set('session', 'eyJ0b2tlbiI6ImZvcmdlZCJ9.AAAA');
    expect((await visitor.get('/homework')).status).toBe(302);
  });

  it('refuses a session signed for another cookie', async () => {
    const visitor = await signInAs(school, app, 'teacher');
    const valid = visitor.cookies.get('session');
    const askHomework = (cookie: string) => app.visitor().get('/homework', { cookie });
    await askHomework(`session =${valid}; session=anything`);
    expect((await askHomework('session=anything')).status).toBe(302);
    expect((await askHomework(`session=${valid}`)).status).toBe(200);
  });

  it('ends at sign-out', async () => {
    const visitor = app.visitor();
    await visitor.post('/login', credentials);
    const copied = new Map(visitor.cookies);
    expect((await visitor.post('/logout', {})).location).toBe('/login');
    expect((await visitor.get('/homework')).status).toBe(302);
    const thief = app.visitor();
    for (const [name, value] of copied) thief.cookies.set(name, value);
    expect((await thief.get('/homework')).status).toBe(302);
  });

  it('refuses forms of other sites on every route', async () => {
    const visitor = await signInAs(school, app, 'teacher');
    const hw = await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://school.test' },
    ];
    for (const headers of foreign) {
      for (const path of [`/homework/${hw}/recall`, '/login', '/logout', '/appearance', '/homework']) {
        expect((await visitor.post(path, credentials, headers)).status, `${path} ${JSON.stringify(headers)}`).toBe(403);
      }
    }
    expect((await school.as('teacher').get('hw/index')).body.data.list[0].status).toBe(1);
    expect(
      (
        await visitor.post(
          '/appearance',
          { intent: 'dark', redirectTo: '/homework' },
          { 'sec-fetch-site': 'same-origin' },
        )
      ).status,
    ).toBe(302);
  });

  it('sets a content security policy, including framing', async () => {
    const { headers, html } = await app.visitor().get('/login');
    const policy = headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.match(/script-src [^;]+/)?.[0]).not.toContain('unsafe-inline');
    for (const tag of html.match(/<script[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
    expect([headers.get('referrer-policy'), headers.get('x-frame-options')]).toEqual([
      'strict-origin-when-cross-origin',
      'DENY',
    ]);
    expect((await app.visitor().get('/login')).headers.get('content-security-policy')).not.toBe(policy);
  });

  it('answers crawlers at form addresses without an error in the log', async () => {
    for (const path of ['/appearance', '/logout'])
      expect((await app.visitor().get(path)).status, path).toBeLessThan(500);
  });

  it('switches to dark and back by a form', async () => {
    const visitor = await signInAs(school, app, 'teacher');
    const dark = await visitor.follow(await visitor.post('/appearance', { intent: 'dark', redirectTo: '/homework' }));
    expect(dark.document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
    const { fields, action } = {
      action: '/appearance',
      fields: [
        ['intent', 'light'],
        ['redirectTo', '//evil.example'],
      ] as [string, string][],
    };
    expect((await visitor.post(action, fields)).location).toBe('/');
  });

  it('keeps a form posted after expiry, and sends it after sign-in', async () => {
    const visitor = await signInAs(school, app, 'teacher');
    const hw = await school.addHomework({
      name: '改截止',
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + day,
    });
    await school.database.db
      .updateTable('sign_in')
      .set({ used_at: noon - 13 * 60 * 60 })
      .execute();
    const expired = await visitor.post(`/homework/${hw}/deadline?tab=main`, {
      ending_time: '2098-01-02T03:04',
      idempotency_key: 'once',
    });
    expect([expired.status, expired.document.querySelector('[role=alert]')?.textContent]).toEqual([
      401,
      '登录已过期，请重新登录',
    ]);
    const { fields } = formOf(expired, '登录');
    const wrong = await visitor.post('/login', [
      ...fields.filter(([name]) => name.startsWith('resume')),
      ['username', 'teacher'],
      ['password', 'nope'],
    ]);
    expect(wrong.status).toBe(401);
    const again = formOf(wrong, '登录').fields.filter(([name]) => name.startsWith('resume'));
    const resumed = await visitor.post('/login', [...again, ...Object.entries(credentials)]);
    const kept = formOf(resumed, '继续提交');
    expect(kept).toEqual({
      action: `/homework/${hw}/deadline?tab=main`,
      fields: [
        ['ending_time', '2098-01-02T03:04'],
        ['idempotency_key', 'once'],
      ],
    });
    const done = await visitor.follow(await visitor.post(kept.action, kept.fields));
    expect(done.text).toContain('调整成功');
    expect(done.text).toContain('2098-01-02 03:04');
  });

  it('keeps posted fields when the database goes down', async () => {
    const visitor = await signInAs(school, app, 'teacher');
    await school.database.destroy();
    const page = await visitor.post('/homework/1/deadline?tab=main', {
      ending_time: '2098-01-02T03:04',
      note: '一段写了很久而不应当丢失的长长的文字说明内容',
    });
    expect(page.status).toBe(503);
    expect(page.text).toContain('服务暂时不可用');
    expect(page.html).toContain('2098-01-02T03:04');
  });
});
