/** Identity provider sign-in and setup, without client JS. */

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { addStaff, setProvider } from '../support/identity.ts';
import { closedAddress } from '../support/local-server.ts';
import { follow, type OidcServer, oidcClient, startOidc } from '../support/openid-servers.ts';
import type { TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

/** Origin that the tests' browser uses. */
const site = 'http://school.test';
const providerPage = '/admin/identity/provider?kind=oidc';

let oidc: OidcServer;
beforeAll(async () => {
  oidc = await startOidc(() => site);
});
afterAll(() => oidc.close());

async function setOidc(school: TestSchool, more = {}) {
  const fields = { address: oidc.origin, client_id: oidcClient.id, secret: oidcClient.secret, name: '明德认证' };
  await setProvider(school, 'oidc', { ...fields, ...more });
  await storeSetting(school.database.db, 'site_address', site);
}

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

/** A provider's button on the sign-in page. */
const button = (page: Page, words: string) =>
  [...page.document.querySelectorAll('a')].find((one) => one.textContent === words)?.getAttribute('href') ?? '';

/** Signs in at the provider as `login` and back, up to the product's page before the redirect. */
async function comeBack(visitor: Visitor, login: string, from = '/login?redirectTo=%2Fclasses'): Promise<Page> {
  oidc.visitor = login;
  const away = await visitor.get(button(await visitor.get(from), '明德认证登录'));
  expect(away.status).toBe(302);
  const back = await follow(away.location ?? '', site);
  return visitor.get(back.pathname + back.search);
}

describe('linked provider account', () => {
  it('is linked and unlinked by both identities and administrators', async ({ school, teacher, assist, admin }) => {
    await setOidc(school);
    await school.database.db.updateTable('staff').set({ password_hash: 'a hash', must_change_password: 0 }).execute();
    const security = '/account?tab=security';
    for (const [name, visitor] of Object.entries({ teacher, assist, admin })) {
      const page = await visitor.get(security);
      expect(page.text).toContain('还没有关联');
      oidc.visitor = `own-${name}`;
      oidc.claims.set(oidc.visitor, { preferred_username: `work-${name}` });
      const away = await visitor.get(button(page, '关联'));
      const back = await follow(away.location ?? '', site);
      const come = await visitor.get(back.pathname + back.search);
      expect([come.status, come.location]).toEqual([302, security]);
      const linked = await visitor.follow(come);
      expect(linked.text).toContain('已关联“明德认证”，以后可以用它登录');
      expect(linked.text).toContain(`已关联 work-${name}`);
      // The return address works once. The second time it answers 409.
      expect((await visitor.get(back.pathname + back.search)).status).toBe(409);
      const { fields } = formOf(linked, '解除关联');
      const apart = await visitor.follow(await visitor.post(security, fields));
      expect(apart.text).toContain('已解除关联');
      expect(apart.text).toContain('还没有关联');
    }
  });

  it('reports a failed return, and keeps the only way in', async ({ school, app, teacher }) => {
    await setOidc(school);
    const security = '/account?tab=security';
    const link = async () => {
      const away = await teacher.get(button(await teacher.get(security), '关联'));
      const back = await follow(away.location ?? '', site);
      return teacher.follow(await teacher.get(back.pathname + back.search));
    };
    const { db } = school.database;
    oidc.visitor = 'taken';
    await addStaff(school, 'taken');
    await comeBack(app.visitor(), 'taken');
    expect((await link()).text).toContain('已关联另一位人员，不能再关联到您的账号');
    oidc.visitor = 'only-way';
    oidc.claims.set('only-way', { preferred_username: 'only-way' });
    expect((await link()).text).toContain('已关联 only-way');
    await db.updateTable('staff').set({ password_hash: '' }).where('id', '=', school.people.teacher.id).execute();
    const page = await teacher.get(security);
    expect(page.text).toContain('这是您唯一的登录方式，不能解除');
    const unlink = [...page.document.querySelectorAll('button')].find((one) => one.textContent === '解除关联');
    expect(unlink?.hasAttribute('disabled')).toBe(true);
  });

  it('is hidden without an active provider', async ({ school, teacher }) => {
    await setOidc(school, { is_on: 0 });
    expect((await teacher.get('/account?tab=security')).text).not.toContain('统一登录');
  });
});

describe('the sign-in page', () => {
  it('shows a button per provider, and continues to the requested page', async ({ school, app }) => {
    await setOidc(school);
    await addStaff(school, 'page1');
    const visitor = app.visitor();
    const page = await visitor.follow(await visitor.get('/classes'));
    expect(page.text).toContain('明德认证登录');
    expect(page.document.querySelector('#password')).not.toBeNull();
    const back = await comeBack(visitor, 'page1');
    expect([back.status, back.location]).toEqual([302, '/classes']);
    expect((await visitor.get('/classes')).status).toBe(200);
    // A return address works once, and in one browser.
    const stranger = app.visitor();
    const planted = await stranger.get('/login/from/oidc?code=c&state=s');
    expect([planted.status, planted.text]).toEqual([
      409,
      expect.stringContaining('本次登录已失效，请重新点击登录按钮'),
    ]);
    expect((await stranger.get('/classes')).status).toBe(302);
  });

  it('explains a failed return, and keeps the form and its target', async ({ school, app }) => {
    await setOidc(school);
    const visitor = app.visitor();
    const back = await comeBack(visitor, 'stranger1');
    expect(back.status).toBe(403);
    expect(back.text).toContain('账号“stranger1”尚未登记，已转给教务确认，确认后即可登录');
    const form = formOf(back, '登录');
    expect(form.fields).toContainEqual(['redirectTo', '/classes']);
    expect(button(back, '明德认证登录')).toBe('/login/to/oidc?redirectTo=%2Fclasses');
  });

  it('reports an unreachable provider', async ({ school, app }) => {
    await setOidc(school, { address: await closedAddress() });
    const page = await app.visitor().get('/login/to/oidc?redirectTo=https://evil.test/');
    expect(page.status).toBe(503);
    expect(page.text).toContain('暂时连接不上“明德认证”，请稍后再试，或使用密码登录');
    expect(formOf(page, '登录').fields).toContainEqual(['redirectTo', '/']);
    expect((await app.visitor().get('/login/to/nothing')).status).toBe(404);
    await setOidc(school);
  });

  it("requires the second factor's code where the provider is not enough", async ({ school, app }) => {
    await setOidc(school, { asks_code: 1 });
    await addStaff(school, 'page2', { totp_at: 1, totp_secret: 'A'.repeat(32) });
    const back = await comeBack(app.visitor(), 'page2');
    expect(back.location).toBe('/login/code?redirectTo=%2Fclasses');
    await setOidc(school);
  });

  it('redirects once to the address registered at providers', async ({ school, app }) => {
    await setOidc(school);
    await storeSetting(school.database.db, 'site_address', 'https://other.test');
    const moved = await app.visitor().get('/login/to/oidc?redirectTo=%2Fclasses');
    expect(moved.location).toBe('https://other.test/login/to/oidc?redirectTo=%2Fclasses&moved=1');
    const again = await app.visitor().get('/login/to/oidc?redirectTo=%2Fclasses&moved=1');
    expect(again.location?.startsWith(oidc.origin)).toBe(true);
    await storeSetting(school.database.db, 'site_address', site);
  });

  it('keeps a form sent after the session ended through the provider sign-in', async ({ school, app }) => {
    await setOidc(school);
    const visitor = app.visitor();
    const page = await visitor.post('/login', { username: '', password: '', resume: '/account', resume_body: 'a=b' });
    const link = [...page.document.querySelectorAll('a')].find((one) => one.textContent === '明德认证登录');
    expect(link?.getAttribute('target')).toBe('_blank');
    const kept = formOf(page, '我已登录，继续提交');
    expect([kept.action, kept.fields]).toEqual(['/account', expect.arrayContaining([['a', 'b']])]);
  });

  it('hides the password form except for the emergency account', async ({ school, app }) => {
    await setOidc(school);
    await storeSetting(school.database.db, 'password_sign_in', 'one');
    const page = await app.visitor().get('/login');
    expect(page.document.querySelector('details summary')?.textContent).toBe('应急账号登录');
    const refused = await app.visitor().post('/login', { username: 'a', password: 'b' });
    expect([refused.status, refused.document.querySelector('details')?.hasAttribute('open')]).toEqual([401, true]);
    await storeSetting(school.database.db, 'password_sign_in', 'all');
  });

  it('signs out here and then at the provider', async ({ school, app }) => {
    await setOidc(school);
    await addStaff(school, 'page3');
    const visitor = app.visitor();
    expect((await comeBack(visitor, 'page3')).status).toBe(302);
    const page = await visitor.post('/logout', {});
    expect(page.status).toBe(200);
    const onwards = button(page, '退出统一身份认证');
    expect(onwards.startsWith(`${oidc.origin}/session/end?`)).toBe(true);
    expect(page.document.querySelector('meta[http-equiv="refresh"]')?.getAttribute('content')).toContain(
      `${oidc.origin}/session/end?`,
    );
    expect((await visitor.get('/classes')).status).toBe(302);
    // The cookie fits every browser, whatever the provider's tokens.
    expect([...visitor.cookies].map((pair) => pair.join('=')).join('; ').length).toBeLessThan(2000);
  });
});

describe('provider administration', () => {
  it('sets a provider up, tests it, and keeps everything typed but the secret', async ({ admin }) => {
    const ways = formOf(await admin.get('/admin/identity'), '保存');
    const unsafe = await admin.post(
      '/admin/identity',
      withFields(ways.fields, { site_address: 'http://jw.school.test' }),
    );
    expect([unsafe.status, unsafe.text]).toEqual([
      422,
      expect.stringContaining('请填写以 https:// 开头的地址，只有域名'),
    ]);
    const saved = await admin.follow(
      await admin.post('/admin/identity', withFields(ways.fields, { site_address: 'https://jw.school.test/' })),
    );
    expect(saved.text).toContain('保存成功');
    const page = await admin.get(providerPage);
    expect(page.text).toContain('https://jw.school.test/login/from/oidc');
    const fields = withFields(formOf(page, '保存').fields, {
      name: '明德认证',
      address: oidc.origin,
      client_id: oidcClient.id,
      secret_password: oidcClient.secret,
    });
    const tried = await admin.post(providerPage, [...fields, ['intent', 'try']]);
    expect(tried.text).toContain('成功');
    expect(tried.text).not.toContain('authorization_endpoint');
    expect(tried.html).not.toContain(oidcClient.secret);
    expect(tried.document.querySelector('#client_id')?.getAttribute('value')).toBe(oidcClient.id);
    const wrong = await admin.post(providerPage, withFields(fields, { claim: 'email', is_on: '1' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('不能用来识别人员')]);
    const done = await admin.follow(await admin.post(providerPage, withFields(fields, { is_on: '1' })));
    expect(done.text).toContain('保存成功');
    expect(done.text).toMatch(/OpenID Connect\s*已启用/);
    const again = await admin.get(providerPage);
    expect(again.html).not.toContain(oidcClient.secret);
    expect(again.text).toContain('已设置，留空则不改');
  });

  it('admits waiting people', async ({ school, app, admin }) => {
    await setOidc(school);
    await addStaff(school, 'known1');
    const visitor = app.visitor();
    expect((await comeBack(visitor, 'waits1')).status).toBe(403);
    const home = await admin.get('/admin');
    expect(home.text).toMatch(/登录申请\s*\d/);
    const list = await admin.get('/admin/staff/identities?state=waiting&name=waits1');
    const dialog = button(list, '关联人员');
    const form = formOf(await admin.get(dialog), '确定关联');
    const wrong = await admin.post(dialog, withFields(form.fields, { username: 'nobody' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('没有用户名为此的人员')]);
    const linked = await admin.follow(await admin.post(dialog, withFields(form.fields, { username: 'known1' })));
    expect(linked.text).toContain('已关联，对方可以登录了');
    expect((await comeBack(visitor, 'waits1')).location).toBe('/classes');
    const shown = await admin.get('/admin/staff/identities?name=waits1');
    const removal = button(shown, '解除');
    const { fields } = formOf(await admin.get(removal), '确定解除');
    expect((await admin.follow(await admin.post(removal, fields))).text).toContain('已解除');
    expect((await visitor.get('/classes')).status).toBe(302);
  });

  it('adds or rejects unknown people', async ({ school, app, admin }) => {
    await setOidc(school);
    const visitor = app.visitor();
    await comeBack(visitor, 'waits2');
    const list = await admin.get('/admin/staff/identities?name=waits2');
    const rejection = button(list, '拒绝');
    const { fields } = formOf(await admin.get(rejection), '确定拒绝');
    expect((await admin.follow(await admin.post(rejection, fields))).text).toContain('已拒绝');
    expect((await comeBack(visitor, 'waits2')).text).toContain('教务没有通过您的登录申请');
    const addition = button(await admin.get('/admin/staff/identities?name=waits2'), '添加人员');
    const form = formOf(await admin.get(addition), '添加讲师并关联');
    expect(form.fields).toContainEqual(['username', 'waits2']);
    const { id } = await school.database.db.selectFrom('school').select('id').executeTakeFirstOrThrow();
    const added = await admin.follow(
      await admin.post(addition, withFields(form.fields, { real_name: '新老师', school_id: String(id) })),
    );
    expect(added.text).toContain('已添加并关联，对方可以登录了');
    expect((await comeBack(visitor, 'waits2')).location).toBe('/classes');
  });

  it('is hidden from administrators of one school', async ({ teacher, admin }) => {
    expect((await teacher.get('/admin/identity')).status).toBe(403);
    expect((await admin.get('/admin/identity/provider?kind=other')).status).toBe(404);
    expect((await admin.get('/admin/staff/identities/approve?link=99999')).status).toBe(404);
  });

  it('shows each kind of provider with its own terms', async ({ admin }) => {
    for (const [kind, words] of [
      ['cas', '服务地址'],
      ['wecom', '企业ID（corpid）'],
      ['dingtalk', 'Client ID（AppKey）'],
      ['feishu', 'App Secret'],
    ]) {
      expect((await admin.get(`/admin/identity/provider?kind=${kind}`)).text).toContain(words);
    }
  });
});
