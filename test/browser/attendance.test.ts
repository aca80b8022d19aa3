/** Leave and attendance in a browser: the list that keeps itself up to date, and no barriers on any of the screens. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

let server: RunningServer;
let browser: Browser;
const accounts = { teacher: 'Teach2026', assist: 'Assist2026' };

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function signIn(person: keyof typeof accounts, options: object = {}): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN', ...options });
  const page = await context.newPage();
  await page.goto(`${server.base}/login?redirectTo=%2Fclasses`);
  await page.fill('#username', person);
  await page.fill('#password', accounts[person]);
  await page.click('button:has-text("登录")');
  await page.waitForURL('**/classes**');
  return [context, page];
}

/** The demo's first class, whose lecturer and assistant both look after it. */
async function openClass(page: Page, tab: string): Promise<string> {
  await page.goto(`${server.base}/classes?name=${encodeURIComponent('高一（1）班')}`);
  const href = (await page.locator('tbody a[href^="/classes/detail"]').first().getAttribute('href')) as string;
  await page.goto(`${server.base}${href}&tab=${tab}`);
  return new URL(`${server.base}${href}`).searchParams.get('id') as string;
}

const count = (page: Page) => page.locator('nav[aria-label=班级] a:has-text("请假管理") span').innerText();

describe('the leave list', () => {
  it('shows by itself what a colleague decided, keeps what is ticked, and is told to stop', async () => {
    const [mine, page] = await signIn('assist');
    const [theirs, colleague] = await signIn('teacher');
    try {
      await openClass(page, 'leave');
      await openClass(colleague, 'leave');
      const before = Number(await count(page));
      const boxes = page.locator('input[name=ids]');
      await boxes.nth(1).check();
      const ticked = await boxes.nth(1).inputValue();
      await colleague.locator('tbody a:text-is("同意")').first().click();
      await colleague.click('button:text-is("确定同意")');
      await colleague.waitForSelector('text=可以撤销');
      await page.waitForFunction(
        (was) => document.querySelector('nav[aria-label=班级] a[aria-current] span')?.textContent === String(was - 1),
        before,
        { timeout: 15_000 },
      );
      expect(await page.locator('input[name=ids]').count()).toBeLessThan(before + 1);
      expect(await page.locator('input[name=ids]:checked').inputValue()).toBe(ticked);
      // Taking it back comes through as well.
      await colleague.click('button:text-is("撤销")');
      await colleague.waitForSelector('text=恢复为待审批');
      await page.waitForFunction(
        (was) => document.querySelector('nav[aria-label=班级] a[aria-current] span')?.textContent === String(was),
        before,
        { timeout: 15_000 },
      );
    } finally {
      await mine.close();
      await theirs.close();
    }
  });

  it('is decided in a batch without client JS', async () => {
    const [context, page] = await signIn('teacher', { javaScriptEnabled: false });
    try {
      await openClass(page, 'leave');
      const before = Number(await count(page));
      await page.locator('input[name=ids]').nth(0).check();
      await page.locator('input[name=ids]').nth(1).check();
      await page.click('button:text-is("批量拒绝")');
      await page.click('button:text-is("确定拒绝")');
      await page.waitForSelector('text=已拒绝 2 条请假申请');
      expect(Number(await count(page))).toBe(before - 2);
      await page.click('button:text-is("撤销")');
      expect(Number(await count(page))).toBe(before);
    } finally {
      await context.close();
    }
  });
});

describe.each(['teacher', 'assist'] as const)('the screens of %s', (person) => {
  it('have no barriers, and fit into 1024 px', async () => {
    const [context, page] = await signIn(person);
    try {
      const id = await openClass(page, 'study');
      const looked: string[] = [];
      const look = async (name: string) => {
        const faults = await accessibilityFaults(page);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        looked.push(
          ...faults.map((fault) => `${name}: ${fault}`),
          ...(width > 1024 ? [`${name}: ${width} px wide`] : []),
        );
      };
      await page.setViewportSize({ width: 1024, height: 800 });
      await look('study');
      const student = await page.locator('tbody a').first().getAttribute('href');
      await page.goto(`${server.base}${student}`);
      await look('student');
      await page.locator('tbody a:text-is("学习详情")').first().click();
      await page.waitForSelector('dialog');
      await look('periods of a student');
      await page.goto(`${server.base}/classes/detail?id=${id}&tab=leave`);
      await look('leave');
      await page.locator('tbody a:text-is("拒绝")').first().click();
      await page.waitForSelector('dialog');
      await look('decision');
      await page.goto(`${server.base}/classes/detail?id=${id}&tab=courses`);
      await page.locator('a:has-text("查看考勤")').first().click();
      await page.waitForURL('**/classes/attendance**');
      await look('course');
      await page.locator('tbody a:text-is("考勤详情")').first().click();
      await page.waitForSelector('dialog');
      await look('lesson');
      // The cause of a leave is shown to the keyboard as well.
      const cause = page.locator('dialog td button').first();
      if ((await cause.count()) > 0) {
        await cause.focus();
        expect(await page.locator('dialog [role=tooltip]').first().isVisible()).toBe(true);
      }
      await page.locator('dialog tbody a').first().click();
      await page.waitForSelector('dialog form');
      await look('question');
      expect(looked).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
