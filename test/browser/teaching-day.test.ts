/** @module-tag thorough */
/**
 * A teaching day of both identities, with and without client JS: calendar, live room, lesson, homework, leave,
 * attendance, evaluation, community and password.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Demo, it, type Person } from '../support/fixtures.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** Current passwords; the assistant's changes. */
const passwords: Record<Person, string> = { teacher: 'Teach2026', assist: 'Assist2026', admin: 'Admin2026' };

async function openAs(person: Person, javaScriptEnabled: boolean, password = passwords[person]): Promise<Page> {
  const context = await demo.browser.newContext({
    javaScriptEnabled,
    viewport: { width: 1280, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${demo.base}/login`);
  await page.fill('#username', person);
  await page.fill('#password', password);
  await page.click('button:is(:text-is("登录"), :has(:text-is("登录")))');
  await page.waitForURL(`${demo.base}/`);
  return page;
}

const open = (page: Page, path: string) => page.goto(demo.base + path);
const statusText = (page: Page) => page.locator('[role=status], [role=alert]').first().innerText();
const deadline = () => `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T22:00`;
/** Calendar cards of lessons that are live now. */
const cardNow = (page: Page, text: string) =>
  page.locator('article, li').filter({ hasText: '直播中' }).filter({ hasText: text });

/** From the calendar into the live room, which without a provider says so. */
async function enterLive(page: Page, kind: string): Promise<void> {
  await open(page, '/calendar');
  await cardNow(page, kind).locator('a:is(:text-is("进入直播"), :has(:text-is("进入直播")))').first().click();
  await page.waitForURL('**/live**');
  expect(await page.innerText('main')).toContain('未配置直播服务');
}

/** From the calendar to one's own live lesson, publishes homework for it and returns to it. */
async function publishFromLesson(page: Page, name: string): Promise<void> {
  await open(page, '/calendar');
  await cardNow(page, '团课').locator('a:is(:text-is("课次详情"), :has(:text-is("课次详情")))').first().click();
  await page.waitForURL('**/sessions/class**');
  expect(await page.innerText('main')).toContain('基本信息');
  await page.click('a:is(:text-is("布置作业"), :has(:text-is("布置作业")))');
  await page.waitForURL('**/homework/publish**');
  await page.waitForLoadState('networkidle');
  await page.click('button[name=intent][value="history"]:visible');
  await page.waitForSelector('dialog');
  await page.locator('input[name=pick]').first().check();
  await page.click('dialog button:is(:text-is("确定"), :has(:text-is("确定")))');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await page.waitForLoadState('networkidle');
  await page.fill('#name', name);
  await page.fill('#ending_time', deadline());
  await page.locator('button:is(:text-is("提交"), :has(:text-is("提交"))):visible').first().click();
  await page.waitForURL('**/sessions/class**');
  expect(await statusText(page)).toContain('发布成功');
}

describe.each([true, false])('a teaching day, client JS %s', (javaScript) => {
  test('of a lecturer', async () => {
    const page = await openAs('teacher', javaScript);
    await enterLive(page, '团课');
    await publishFromLesson(page, `课后巩固${javaScript}`);

    // Cancels a future lesson by the lecturer's leave.
    await open(page, '/sessions?status=2');
    await page.locator('a:is(:text-is("请假"), :has(:text-is("请假")))').last().click();
    await page.waitForSelector('dialog[open]');
    expect(await page.innerText('dialog')).toContain('请假后该课次将取消，并短信通知学员，确定请假吗？');
    await page.click('dialog button:is(:text-is("确定请假"), :has(:text-is("确定请假")))');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await statusText(page)).toContain('请假成功');

    // Approves a leave request; the list shows the decision.
    await open(page, '/classes');
    await page.getByLabel('只看我管理的班级').uncheck();
    await page.click('button:is(:text-is("查询"), :has(:text-is("查询")))');
    await page.locator('a', { hasText: '高一年级直播公开课' }).first().click();
    await page.locator('a', { hasText: '请假管理' }).first().click();
    await page.waitForURL('**tab=leave**');
    const waiting = page.locator('tr', { hasText: '待审批' });
    await waiting
      .first()
      .locator('a:is(:text-is("同意"), :has(:text-is("同意"))), button:is(:text-is("同意"), :has(:text-is("同意")))')
      .click();
    const confirming = page.locator('dialog button[type=submit]');
    if (await confirming.count()) await confirming.last().click();
    await page.waitForSelector('dialog', { state: 'detached' });
    await expect.poll(() => statusText(page)).toContain('已同意 1 条请假申请');

    // Evaluates a student of a past lesson.
    await open(page, '/sessions?status=1&class_type=3');
    await page.locator('a:is(:text-is("详情"), :has(:text-is("详情")))').first().click();
    await page.waitForURL('**/sessions/class**');
    await page.locator('a:is(:text-is("评价"), :has(:text-is("评价")))').first().click();
    await page.waitForSelector('dialog[open]');
    await page.fill('dialog textarea', '今天的推导很完整。');
    await page.locator('dialog button[type=submit]').last().click();
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await statusText(page)).toContain('评价成功');
    expect(await page.innerText('main')).toContain('今天的推导很完整。');

    // Comments on a post of the circle.
    await open(page, '/community');
    await page.locator('a:is(:text-is("详情"), :has(:text-is("详情")))').first().click();
    await page.waitForURL('**/community/**');
    await page.fill('textarea', '写得好 <b>赞</b>');
    await page.locator('form:has(textarea) button[type=submit]').first().click();
    await page.waitForLoadState();
    await expect.poll(() => page.innerText('main')).toContain('写得好 <b>赞</b>');
    await page.context().close();
  });

  test('of an assistant', async () => {
    const page = await openAs('assist', javaScript);
    await enterLive(page, '团课');
    await publishFromLesson(page, `助教布置${javaScript}`);

    // Corrects the attendance of an absent student in a group class, with a reason.
    await open(page, '/curriculum');
    await page.locator('a', { hasText: '高一英语读写小班课' }).first().click();
    await page.locator('a:is(:text-is("考勤"), :has(:text-is("考勤")))').first().click();
    await page.locator('td button', { hasText: '旷课' }).first().click();
    await page.waitForSelector('dialog[open]');
    const manual = page.locator('dialog a', { hasText: '出勤' });
    if (await manual.count()) await manual.first().click();
    await page.waitForSelector('dialog textarea, dialog input[name=remark]');
    await page.fill('dialog [name=remark]', '网络中断，已电话核实');
    await page.locator('dialog button[type=submit]').last().click();
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await statusText(page)).toContain('成功');

    // Changes the password: other sign-ins end, this one stays.
    const elsewhere = await openAs('assist', javaScript);
    const next = javaScript ? 'Assist2027' : 'Assist2028';
    await open(page, '/account?tab=security');
    await page.fill('[name=old_password]', passwords.assist);
    await page.fill('[name=new_password]', next);
    await page.fill('[name=new_password_confirmation]', next);
    await page.locator('form:has([name=old_password]) button[type=submit]').click();
    await page.waitForLoadState();
    await expect.poll(() => statusText(page)).toContain('密码修改成功');
    passwords.assist = next;
    await open(elsewhere, '/homework');
    expect(elsewhere.url()).toContain('/login');
    await open(page, '/homework');
    expect(page.url()).not.toContain('/login');
    await page.context().close();
    await elsewhere.context().close();
  });
});
