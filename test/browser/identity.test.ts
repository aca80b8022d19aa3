/** Tests the identity provider of a school, from its setup to the single sign-out, in a browser without client JS. */

import { afterAll, beforeAll, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { type OidcServer, oidcClient, startOidc } from '../support/openid-servers.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';

let school: TestSchool;
let server: SchoolServer;
let oidc: OidcServer;
beforeAll(async () => {
  school = await openTestSchool('SQLite');
  server = await serveSchool(school);
  oidc = await startOidc(() => server.base);
});
afterAll(async () => {
  await Promise.all([oidc.close(), server.close()]);
  await school.close();
});

it('a provider is set up, and its users are admitted', async ({ browser }) => {
  const window = { javaScriptEnabled: false, locale: 'zh-CN' };
  const [office, home] = await Promise.all([browser.newContext(window), browser.newContext(window)]);
  await server.signIn(office, 'admin');
  const admin = await office.newPage();
  await admin.goto(`${server.base}/admin/identity`);
  // The form proposes the current origin of the server.
  expect(await admin.inputValue('#site_address')).toBe(server.base);
  await admin.click('button:has-text("保存")');
  await admin.getByText('保存成功').waitFor();
  await admin.click('a:text-is("OpenID Connect")');
  await admin.fill('#address', oidc.origin);
  await admin.fill('#client_id', oidcClient.id);
  await admin.fill('#secret_password', oidcClient.secret);
  await admin.click('button:has-text("试一试")');
  await admin.getByText('对方应答 200').waitFor();
  await admin.fill('#secret_password', oidcClient.secret);
  await admin.check('#is_on');
  await admin.click('button:has-text("保存")');
  await admin.getByText('已启用：教职工', { exact: true }).waitFor();

  const page = await home.newPage();
  await page.goto(`${server.base}/homework`);
  await page.click('a:has-text("统一身份认证登录")');
  await page.fill('[name=login]', 'T-3141');
  await page.click('button');
  await page.getByText('账号“T-3141”尚未登记，已转给教务确认，确认后即可登录').waitFor();

  await admin.goto(`${server.base}/admin`);
  await admin.click('a:has-text("登录申请")');
  await admin.click('a:text-is("关联人员")');
  const { id } = school.people.teacher;
  const staff = school.database.db.selectFrom('staff').select('username').where('id', '=', id);
  await admin.fill('#username', (await staff.executeTakeFirstOrThrow()).username);
  await admin.click('button:has-text("确定关联")');
  await admin.getByText('已关联，对方可以登录了').waitFor();

  // The provider's session remains; the target survives the redirects.
  await page.click('a:has-text("统一身份认证登录")');
  await page.waitForURL(`${server.base}/homework`);
  await page.click('header summary[title$="账号与退出"]');
  await page.click('button:has-text("退出")');
  await page.waitForURL(/\/session\/end/);
  await page.locator('button').first().click();
  await page.waitForURL(/\/login/);
  await page.goto(`${server.base}/homework`);
  await page.click('a:has-text("统一身份认证登录")');
  // Signed out at the provider too: it asks again.
  await page.locator('[name=login]').waitFor();
  await Promise.all([office.close(), home.close()]);
});
