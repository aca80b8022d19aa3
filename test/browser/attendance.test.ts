/** Leave and attendance: live list updates, and accessibility. */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

async function signIn(person: Person, options: object = {}): Promise<[BrowserContext, Page]> {
  const context = await demo.browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'zh-CN',
    ...options,
  });
  return [context, await demo.signIn(context, person, '/classes')];
}

/** The demo's first class, which its lecturer and assistant share. */
async function openClass(page: Page, tab: string): Promise<string> {
  await page.goto(`${demo.base}/classes?name=${encodeURIComponent('高一（1）班')}`);
  const href = (await page.locator('tbody a[href^="/classes/detail"]').first().getAttribute('href')) as string;
  await page.goto(`${demo.base}${href}&tab=${tab}`);
  return new URL(`${demo.base}${href}`).searchParams.get('id') as string;
}

const count = (page: Page) => page.locator('nav[aria-label=班级] a:has-text("请假管理") span').innerText();

describe('the leave list', () => {
  it("shows a colleague's decision by itself, keeps ticks, and can be stopped", async () => {
    const [mine, page] = await signIn('assist');
    const [theirs, colleague] = await signIn('teacher');
    try {
      await openClass(page, 'leave');
      await openClass(colleague, 'leave');
      const before = Number(await count(page));
      const boxes = page.locator('input[name=ids]');
      await boxes.nth(1).check();
      const ticked = await boxes.nth(1).inputValue();
      await colleague.locator('tbody button', { hasText: '同意' }).first().click();
      await colleague.waitForSelector('text=可以撤销');
      await page.waitForFunction(
        (was) => document.querySelector('nav[aria-label=班级] a[aria-current] span')?.textContent === String(was - 1),
        before,
      );
      expect(await page.locator('input[name=ids]').count()).toBeLessThan(before + 1);
      expect(await page.locator('input[name=ids]:checked').inputValue()).toBe(ticked);
      // A colleague's undo reaches the page as well.
      await colleague.click('button:is(:text-is("撤销"), :has(:text-is("撤销")))');
      await colleague.waitForSelector('text=恢复为待审批');
      await page.waitForFunction(
        (was) => document.querySelector('nav[aria-label=班级] a[aria-current] span')?.textContent === String(was),
        before,
      );
    } finally {
      await mine.close();
      await theirs.close();
    }
  });

  it('decides a batch without client JS', async () => {
    const [context, page] = await signIn('teacher', { javaScriptEnabled: false });
    try {
      await openClass(page, 'leave');
      const before = Number(await count(page));
      await page.locator('input[name=ids]').nth(0).check();
      await page.locator('input[name=ids]').nth(1).check();
      await page.click('button:is(:text-is("批量拒绝"), :has(:text-is("批量拒绝")))');
      await page.click('button:is(:text-is("确定拒绝"), :has(:text-is("确定拒绝")))');
      await page.waitForSelector('text=已拒绝 2 条请假申请');
      expect(Number(await count(page))).toBe(before - 2);
      await page.click('button:is(:text-is("撤销"), :has(:text-is("撤销")))');
      expect(Number(await count(page))).toBe(before);
    } finally {
      await context.close();
    }
  });
});

describeWays(['teacher', 'assist'] as const)('attendance screens of %s', (person) => {
  it('are accessible, and fit 1024 px', thorough, async () => {
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
      await page.goto(`${demo.base}${student}`);
      await look('student');
      await page.locator('tbody a:is(:text-is("学习详情"), :has(:text-is("学习详情")))').first().click();
      await page.waitForSelector('dialog');
      await look('periods of a student');
      await page.goto(`${demo.base}/classes/detail?id=${id}&tab=leave`);
      await look('leave');
      await page.locator('input[name=ids]').first().check();
      await page.click('button:is(:text-is("批量拒绝"), :has(:text-is("批量拒绝")))');
      await page.waitForSelector('dialog');
      await look('decision');
      await page.goto(`${demo.base}/classes/detail?id=${id}&tab=courses`);
      await page.locator('a:has-text("查看考勤")').first().click();
      await page.waitForURL('**/classes/attendance**');
      await look('course');
      await page.locator('tbody a:is(:text-is("考勤详情"), :has(:text-is("考勤详情")))').first().click();
      await page.waitForSelector('dialog');
      await look('lesson');
      // The cause of leave is reachable by keyboard.
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
