// Forms that client JS checks with the API's own schema: the same messages at the same fields as without client JS.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it } from '../support/fixtures.ts';

let demo: Demo;
it.beforeAll(({ demo: started }) => {
  demo = started;
});

const open = async (javaScriptEnabled: boolean, at: string): Promise<Page> => {
  const context = await demo.browser.newContext({ locale: 'zh-CN', javaScriptEnabled });
  return demo.signIn(context, 'assist', at);
};

/** Finds a class with the assistant as a head teacher. */
async function headedClass(): Promise<number> {
  const page = await open(false, '/classes');
  const addresses = await page
    .locator('a[href*="/classes/detail?"]')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
  for (const id of new Set(addresses.map((address) => Number(new URL(address).searchParams.get('id'))))) {
    if ((await page.goto(`${demo.base}/classes/meeting?class_id=${id}`))?.ok()) return id;
  }
  throw new Error('no class is led');
}

const readMessages = async (page: Page) => ({
  alert: await page.locator('main [role=alert]').first().innerText(),
  fields: await page.locator('main form [id$="-error"]').allInnerTexts(),
});

/** Waits until the page's form is hydrated, which the pointer triggers. */
async function waitForHydration(page: Page): Promise<void> {
  const field = page.locator('main form').locator('input:not([type=hidden]), textarea').first();
  await expect
    .poll(async () => {
      await page.mouse.move(200, 300);
      await page.mouse.move(220, 310);
      return field.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps')));
    })
    .toBe(true);
  await page.waitForLoadState('networkidle');
}

it('the meeting form shows the server’s messages without a request, and removes them once fixed', async () => {
  const at = `/classes/meeting?class_id=${await headedClass()}`;
  const plain = await open(false, at);
  await plain.click('main form button[type=submit]');
  const byServer = await readMessages(plain);
  const page = await open(true, at);
  await waitForHydration(page);
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1;
  });
  await page.click('main form button[type=submit]');
  await page.locator('main [role=alert]').waitFor();
  expect(await readMessages(page)).toEqual(byServer);
  expect(posts).toBe(0);
  await page.fill('#meeting_name', '周会');
  await expect.poll(() => page.locator('#meeting_name-error').count()).toBe(0);
  await page.fill('#start_time', '2099-01-01T10:00');
  await page.fill('#end_time', '2099-01-01T09:00');
  await page.click('main form button[type=submit]');
  await expect.poll(() => page.locator('#end_time-error').innerText()).toBe('结束时间必须晚于开始时间');
  // The server compares times with its clock; typed text is kept.
  await page.fill('#start_time', '2001-01-01T10:00');
  await page.fill('#end_time', '2001-01-01T11:00');
  await page.click('main form button[type=submit]');
  await expect.poll(() => page.locator('#end_time-error').innerText()).toBe('结束时间必须晚于当前时间');
  expect(await page.inputValue('#meeting_name')).toBe('周会');
  await Promise.all([page.context().close(), plain.context().close()]);
});

it('a date is chosen in a Chinese calendar by keyboard alone', async () => {
  const page = await open(true, `/classes/meeting?class_id=${await headedClass()}`);
  await waitForHydration(page);
  await page.fill('#start_time', '2026-11-21T08:30');
  await page.getByRole('button', { name: '开始时间：打开日历' }).press('Enter');
  const calendar = page.getByRole('dialog', { name: '开始时间：日历' });
  await calendar.getByText('2026年11月', { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await calendar.getByRole('button', { name: '2026年11月21日' }).press('ArrowRight');
  await page.keyboard.press('Enter');
  expect(await page.inputValue('#start_time')).toBe('2026-11-22T08:30');
  // Escape in an input method only cancels its composition.
  await calendar.getByRole('spinbutton', { name: '时' }).dispatchEvent('keydown', { key: 'Escape', keyCode: 229 });
  expect(await calendar.count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => calendar.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('开始时间：打开日历');
  await page.context().close();
});

it('the post form keeps text typed before hydration, and does not send an empty post', async () => {
  const page = await open(true, '/community?tab=3');
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const content = document.querySelector<HTMLTextAreaElement>('#post-content');
      if (content) content.value = '先写下的话';
    });
  });
  await page.click('main a[href*="/community/group"] >> nth=0');
  await page.waitForURL(/community\/group/);
  await waitForHydration(page);
  expect(await page.inputValue('#post-content')).toBe('先写下的话');
  await page.fill('#post-content', ' ');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect.poll(() => page.locator('#post-content-error').innerText()).toBe('请输入帖子内容');
  await page.context().close();
});

it('the notice form shows the server’s messages', async () => {
  const at = `/classes/notice?class_id=${await headedClass()}`;
  const plain = await open(false, at);
  await plain.click('main form button[type=submit]');
  const byServer = await readMessages(plain);
  const page = await open(true, at);
  await page.waitForLoadState('networkidle');
  await page.click('main form button[type=submit]');
  await page.locator('main [role=alert]').waitFor();
  expect(await readMessages(page)).toEqual(byServer);
  await Promise.all([page.context().close(), plain.context().close()]);
});
