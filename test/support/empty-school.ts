/** Fills an empty school through the browser, as a person would. Forms, buttons and links are found by their labels. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { untilPublishFormIsLive } from './publish-form.ts';
import type { RunningServer } from './running-server.ts';

const desktop = { width: 1366, height: 768 };

/** Returns the date `days` from now in the school's time zone, in the form that a date field takes. */
export const dayFromNow = (days: number): string =>
  new Date(Date.now() + (days * 24 + 8) * 3_600_000).toISOString().slice(0, 10);

export const press = (place: Page | Locator, name: string): Promise<void> =>
  place.getByRole('button', { name, exact: true }).last().click();
export const follow = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).last().click();

/** Fills form fields, which are found by label. A select gets the option with this name. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const found = page
      .getByLabel(label, { exact: true })
      .or(page.getByLabel(`${label} *`, { exact: true }))
      .last();
    const isSelect = await found.evaluate((element) => element.tagName === 'SELECT');
    await (isSelect ? found.selectOption({ label: value }) : found.fill(value));
  }
}

/** Returns the latest status message. No dialog may be open. */
export const statusText = (page: Page): Promise<string> => page.locator('[role=status]').first().innerText();

/**
 * Sets up the school as its first administrator, without client JS, at the setup address of the server. Ends on the
 * start page.
 */
export async function setUpSchool(
  browser: Browser,
  server: RunningServer,
  fields: Record<string, string>,
): Promise<{ context: BrowserContext; page: Page; address: string }> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: desktop });
  const page = await context.newPage();
  const address = (await readFile(path.join(server.varDir, 'setup-address'), 'utf8')).trim();
  await page.goto(address);
  await fill(page, {
    教务姓名: '周敏',
    用户名: 'zhoumin',
    密码: 'School2026',
    确认密码: 'School2026',
    ...fields,
  });
  await press(page, '从空白开始');
  await page.waitForURL('**/admin');
  return { context, page, address };
}

/** Signs a lecturer in for the first time, with the first password. Ends on the start page. */
export async function signInFirstTime(
  browser: Browser,
  server: RunningServer,
  { username, password }: { username: string; password: string },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: desktop, locale: 'zh-CN' });
  const page = await context.newPage();
  await page.goto(`${server.base}/login`);
  await fill(page, { 用户名: username, 密码: password });
  await press(page, '登录');
  expect(await page.innerText('main')).toContain('请先修改初始密码');
  await fill(page, { 新密码: 'Lecturer2026', 确认密码: 'Lecturer2026' });
  await press(page, '修改密码');
  await page.waitForURL(`${server.base}/`);
  return { context, page };
}

/** Publishes a homework with one new question to the only course. Starts on the lecturer's start page. */
export async function publishNewQuestion(page: Page): Promise<void> {
  const intent = (name: string) => page.click(`button[name=intent][value="${name}"]:visible`);
  await follow(page, '布置作业');
  await untilPublishFormIsLive(page);
  await intent('new');
  await page.waitForURL('**/homework/publish/question**');
  await page.waitForLoadState('networkidle');
  await page.locator('select[name=new_type]').selectOption({ label: '简答题' });
  await page.locator('[id="right_answer"]').waitFor();
  for (const [id, text] of [
    ['ques_stem', '说明勾股定理。'],
    ['right_answer', '直角边的平方和等于斜边的平方。'],
  ]) {
    await page.click(`[id="${id}"]`);
    await page.locator(`[id="${id}"].ProseMirror`).waitFor();
    await page.keyboard.type(text ?? '');
  }
  await page.locator('select[name=facility_value]').selectOption('1');
  await press(page, '保存');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await untilPublishFormIsLive(page);
  await intent('course');
  await page.locator('dialog li input').check();
  await press(page.locator('dialog'), '确定');
  await page.waitForSelector('dialog', { state: 'detached' });
  await untilPublishFormIsLive(page);
  await page.fill('#name', '第一次作业');
  await page.fill('#ending_time', `${dayFromNow(2)}T22:00`);
  await page.locator('input[inputmode=decimal]').first().fill('10');
  await intent('publish');
  await page.waitForURL(({ pathname }) => pathname !== '/homework/publish');
  expect(await statusText(page)).toContain('发布成功');
}
