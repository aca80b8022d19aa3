/** Sign-in of learners by the school's identity, and its administration, without client JS. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { setProvider } from '../support/identity.ts';
import { numberStudent } from '../support/learner-identity.ts';
import { closedAddress } from '../support/local-server.ts';
import { follow, type OidcServer, oidcClient, startOidc } from '../support/openid-servers.ts';
import type { TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

/** Origin that the tests' browser uses. */
const site = 'http://school.test';

let oidc: OidcServer;
beforeAll(async () => {
  oidc = await startOidc(() => site);
});
afterAll(() => oidc.close());

async function setOidc(school: TestSchool, more = {}) {
  const fields = { address: oidc.origin, client_id: oidcClient.id, secret: oidcClient.secret, name: '明德认证' };
  await setProvider(school, 'oidc', { ...fields, for_learners: 1, ...more });
  await storeSetting(school.database.db, 'site_address', site);
  await storeSetting(school.database.db, 'learn_page', '1');
}

const link = (page: Page, words: string) =>
  [...page.document.querySelectorAll('a')].find((one) => one.textContent === words)?.getAttribute('href') ?? '';

/** Signs in at the provider as `login` and back, up to the page before the last redirect. */
async function comeBack(visitor: Visitor, login: string, from = '/learn/exams'): Promise<Page> {
  oidc.visitor = login;
  const away = await visitor.get(link(await visitor.follow(await visitor.get(from)), '明德认证登录'));
  expect(away.status).toBe(302);
  const back = await follow(away.location ?? '', site);
  const onwards = await visitor.get(back.pathname + back.search);
  expect(onwards.location).toMatch(/^\/learn\/sign-in\/from\/oidc\?/);
  return visitor.get(onwards.location ?? '');
}

const uidOf = (school: TestSchool) => school.students.k1[0] ?? 0;
const linked = async (school: TestSchool, login: string, number = '1001') => {
  await setOidc(school);
  await school.database.db.deleteFrom('learner_link').execute();
  await numberStudent(school, uidOf(school), number);
  oidc.claims.set(login, { preferred_username: number, name: '小满' });
};

describe('the sign-in page of learners', () => {
  it('leads to the provider and back to the requested page', async ({ school, app }) => {
    await linked(school, 'page-1');
    const visitor = app.visitor();
    const page = await visitor.follow(await visitor.get('/learn/exams'));
    expect(page.text).toContain('或用学号、手机号登录');
    expect(page.document.querySelector('#number')).not.toBeNull();
    const back = await comeBack(visitor, 'page-1');
    expect([back.status, back.location]).toEqual([302, '/learn/exams']);
    expect((await visitor.get('/learn/exams')).status).toBe(200);
    // The learner is nobody at the door of staff, and the used return address opens nothing elsewhere.
    expect((await visitor.get('/homework')).location).toMatch(/^\/login/);
    const stranger = app.visitor();
    const planted = await stranger.get('/learn/sign-in/from/oidc?code=c&state=s');
    expect([planted.status, planted.text.includes('本次登录已失效，请重新点击登录按钮')]).toEqual([409, true]);
    expect((await stranger.get('/learn/exams')).status).toBe(302);
  });

  it('explains why nobody was signed in, and keeps the target', async ({ school, app }) => {
    await setOidc(school);
    oidc.claims.set('page-2', { preferred_username: '9'.repeat(60) });
    const back = await comeBack(app.visitor(), 'page-2');
    expect(back.status).toBe(403);
    expect(back.text).toContain('没有对应到学员，已转给学校确认，确认后即可登录');
    expect(link(back, '明德认证登录')).toBe('/learn/sign-in/to/oidc?redirectTo=%2Flearn%2Fexams');
    await setOidc(school, { address: await closedAddress() });
    const away = await app.visitor().get('/learn/sign-in/to/oidc?redirectTo=https://evil.test/');
    expect([away.status, away.text.includes('暂时连接不上“明德认证”，请稍后再试，或用其他方式登录')]).toEqual([
      503,
      true,
    ]);
    expect(formOf(away, '登录').fields).toContainEqual(['redirectTo', '/learn']);
    expect((await app.visitor().get('/learn/sign-in/to/nothing')).status).toBe(404);
  });

  it('shows buttons for learners and for staff apart', async ({ school, app }) => {
    await setOidc(school, { is_on: 0 });
    expect((await app.visitor().get('/login')).text).not.toContain('明德认证登录');
    expect((await app.visitor().get('/learn/sign-in')).text).toContain('明德认证登录');
    await setOidc(school, { for_learners: 0 });
    expect((await app.visitor().get('/login')).text).toContain('明德认证登录');
    expect((await app.visitor().get('/learn/sign-in')).text).not.toContain('明德认证登录');
    const off = await app.visitor().get('/learn/sign-in/to/oidc');
    expect([off.status, off.text.includes('学员不能用该方式登录')]).toEqual([409, true]);
  });

  it('is missing with all its addresses while the learners’ page is off', async ({ school, app }) => {
    await setOidc(school);
    await storeSetting(school.database.db, 'learn_page', '0');
    for (const path of ['/learn/sign-in', '/learn/sign-in/to/oidc', '/learn/sign-in/from/oidc?state=x'])
      expect((await app.visitor().get(path)).status, path).toBe(404);
  });

  it('redirects once to the address registered at providers', async ({ school, app }) => {
    await setOidc(school);
    await storeSetting(school.database.db, 'site_address', 'https://other.test');
    const moved = await app.visitor().get('/learn/sign-in/to/oidc?redirectTo=%2Flearn%2Fexams');
    expect(moved.location).toBe('https://other.test/learn/sign-in/to/oidc?redirectTo=%2Flearn%2Fexams&moved=1');
    expect((await app.visitor().get('/learn/sign-in/to/oidc?moved=1')).location?.startsWith(oidc.origin)).toBe(true);
    await storeSetting(school.database.db, 'site_address', site);
  });

  it('keeps a form sent after the session ended through the provider sign-in', async ({ school, app }) => {
    await linked(school, 'page-3');
    const visitor = app.visitor();
    await comeBack(visitor, 'page-3');
    const page = await visitor.get('/learn/password');
    await school.database.db.updateTable('learner_session').set({ ended_at: 1 }).execute();
    const refused = await visitor.post('/learn/password', formOf(page, '保存').fields);
    expect(refused.status).toBe(401);
    const button = [...refused.document.querySelectorAll('a')].find((one) => one.textContent === '明德认证登录');
    expect(button?.getAttribute('target')).toBe('_blank');
    expect(formOf(refused, '我已登录，继续提交').action).toBe('/learn/password');
  });

  it('signs out here and then at the provider, which leads back', async ({ school, app }) => {
    await linked(school, 'page-4');
    const visitor = app.visitor();
    await comeBack(visitor, 'page-4');
    const page = await visitor.post('/learn/sign-out', formOf(await visitor.get('/learn'), '退出').fields);
    expect([page.status, page.text.includes('已退出学员端')]).toEqual([200, true]);
    expect(link(page, '退出统一身份认证').startsWith(`${oidc.origin}/session/end?`)).toBe(true);
    expect((await visitor.get('/learn/exams')).status).toBe(302);
    expect((await visitor.get('/login?state=learn')).location).toBe('/learn/sign-in');
  });
});

describe('the link of a learner', () => {
  it('is shown to them, and removed while another way is left', async ({ school, app }) => {
    await linked(school, 'own-1');
    const visitor = app.visitor();
    await comeBack(visitor, 'own-1');
    const kept = await visitor.get('/learn/password');
    expect(kept.text).toMatch(/明德认证\s*已关联 1001，小满/);
    expect(kept.text).toContain('这是您唯一的登录方式，不能解除；请先设置密码');
    const typed = { new_password: 'Xiaoman2026', new_password_confirmation: 'Xiaoman2026' };
    const fields = formOf(kept, '保存').fields.filter(([name]) => !(name in typed));
    await visitor.follow(await visitor.post('/learn/password', [...fields, ...Object.entries(typed)]));
    const page = await visitor.get('/learn/password');
    const removed = await visitor.follow(await visitor.post('/learn/password', formOf(page, '解除关联').fields));
    expect(removed.text).toContain('已解除关联');
    expect(removed.text).not.toContain('已关联 1001');
    expect((await visitor.get('/learn/exams')).status).toBe(200);
  });

  it('is decided by administrators, beside those of staff', async ({ school, app, admin }) => {
    await setOidc(school);
    await school.database.db.deleteFrom('learner_link').execute();
    oidc.claims.set('wait-1', { preferred_username: 'W-77', name: '陆遥' });
    const visitor = app.visitor();
    expect((await comeBack(visitor, 'wait-1')).status).toBe(403);
    expect((await admin.get('/admin')).text).toMatch(/学员登录申请\s*1|1\s*学员登录申请/);
    const list = await admin.get('/admin/students/identities?state=waiting');
    expect(list.text).toContain('陆遥');
    expect(link(list, '教职工的登录关联')).toBe('/admin/staff/identities');
    expect(link(await admin.get('/admin/staff/identities'), '学员的登录关联')).toBe('/admin/students/identities');
    expect(link(await admin.get('/admin/students'), '登录关联')).toBe('/admin/students/identities');
    const approve = await admin.get(link(list, '关联学员'));
    expect(approve.text).toContain('请当面或电话核实是本人');
    const address = link(list, '关联学员');
    const filled = (number: string): [string, string][] => [
      ...formOf(approve, '确定关联').fields.filter(([name]) => name !== 'number'),
      ['number', number],
    ];
    const wrong = await admin.post(address, filled('nobody'));
    expect([wrong.status, wrong.text.includes('没有学号或手机号为此的学员')]).toEqual([422, true]);
    await numberStudent(school, uidOf(school), '1001');
    expect((await admin.follow(await admin.post(address, filled('1001')))).text).toContain('已关联，对方可以登录了');
    expect((await comeBack(visitor, 'wait-1')).location).toBe('/learn/exams');
    const remove = link(await admin.get('/admin/students/identities'), '解除');
    const question = await admin.get(remove);
    expect(question.text).toContain('解除后，用该账号的登录立即结束');
    await admin.post(remove, formOf(question, '确定解除').fields);
    expect((await visitor.get('/learn/exams')).status).toBe(302);
    const reject = link(await admin.get('/admin/students/identities'), '拒绝');
    await admin.post(reject, formOf(await admin.get(reject), '确定拒绝').fields);
    expect((await comeBack(visitor, 'wait-1')).text).toContain('学校没有通过您的登录申请');
  });
});

describe('the settings', () => {
  it('put a provider on for learners, and say so where they sign in', async ({ school, admin }) => {
    await setOidc(school, { for_learners: 0, is_on: 0 });
    const path = '/admin/identity/provider?kind=oidc';
    const page = await admin.get(path);
    expect(page.text).toContain('学号所在的字段');
    const { fields } = formOf(page, '保存');
    const saved = await admin.follow(await admin.post(path, [...fields, ['for_learners', '1']]));
    expect(saved.text).toMatch(/OpenID Connect\s*已启用：学员/);
    expect((await admin.get('/admin/settings?tab=school')).text).toContain('学员也可以用明德认证登录');
    expect((await admin.get('/admin/settings/learn')).text).toContain('也可以在登录页选择“明德认证登录”');
  });

  it('warn that no learner can sign in, until a provider is for them', async ({ school, admin }) => {
    await setOidc(school, { for_learners: 0 });
    await school.database.db.deleteFrom('learner_password').execute();
    await storeSetting(school.database.db, 'sms_webhook_url', '');
    expect((await admin.get('/admin')).text).toContain('学员还不能登录');
    await setOidc(school);
    expect((await admin.get('/admin')).text).not.toContain('学员还不能登录');
  });
});
