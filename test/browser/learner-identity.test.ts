/** A learner on a phone signs in by the school's identity, hands homework in and signs out, with and without client JS. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { it } from '../support/fixtures.ts';
import { setProvider } from '../support/identity.ts';
import { numberStudent } from '../support/learner-identity.ts';
import { type OidcServer, oidcClient, startOidc } from '../support/openid-servers.ts';
import { addPaper } from '../support/paper.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';

let school: TestSchool;
let server: SchoolServer;
let oidc: OidcServer;
beforeAll(async () => {
  school = await openTestSchool('SQLite');
  server = await serveSchool(school);
  oidc = await startOidc(() => server.base);
  const { db } = school.database;
  const fields = { address: oidc.origin, client_id: oidcClient.id, secret: oidcClient.secret };
  await setProvider(school, 'oidc', { ...fields, is_on: 0, for_learners: 1 });
  await storeSetting(db, 'site_address', server.base);
  await storeSetting(db, 'learn_page', '1');
});
afterAll(async () => {
  await Promise.all([oidc.close(), server.close()]);
  await school.close();
});

describe.each([
  ['without client JS', false, '20260012'],
  ['with client JS', true, '20260013'],
])('a learner %s', (_name, javaScriptEnabled, number) => {
  it('signs in by the provider, hands homework in, and signs out at both', async ({ browser }) => {
    const [first = 0, second = 0] = school.students.k1;
    const uid = javaScriptEnabled ? second : first;
    await numberStudent(school, uid, number);
    const paper = { creator: 'teacher', classes: [school.classes.k1], ending: noon + day } as const;
    const { homeworkId } = await addPaper(school, { ...paper, classes: [...paper.classes] });
    const phone = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' };
    const context = await browser.newContext({ ...phone, javaScriptEnabled });
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    const address = `${server.base}/learn/homework/${homeworkId}`;
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.click('a:has-text("统一身份认证登录")');
    await page.fill('[name=login]', number);
    await page.click('button');
    await page.waitForURL(address);

    await page.locator('input[type=radio]').nth(0).check();
    await page.locator('textarea').first().fill('解：由题意');
    await page.click('button:has-text("提交作业")');
    // Blank answers are asked about once.
    await page.getByText('您还有2题未作答，确定提交？').waitFor();
    await page.click('button:has-text("提交作业")');
    await page.getByText('提交成功').waitFor();
    const reports = school.database.db.selectFrom('report').select('status').where('homework_id', '=', homeworkId);
    expect(await reports.where('student_id', '=', uid).executeTakeFirst()).toEqual({ status: 2 });

    await page.goto(`${server.base}/learn/password`);
    await page.getByText(`已关联 ${number}`).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.click('header button:has-text("退出")');
    await page.waitForURL(/\/session\/end/);
    await page.locator('button').first().click();
    // Signed out at the provider too: whoever is next at this device is asked.
    await page.waitForURL(`${server.base}/learn/sign-in`);
    await page.click('a:has-text("统一身份认证登录")');
    await page.locator('[name=login]').waitFor();
    await context.close();
  });
});
