import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person, '/calendar');

const newContext = (options: Parameters<Browser['newContext']>[0] = {}) =>
  demo.browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN', ...options });

/** Checks for overflow and axe violations. */
async function expectToBeSound(page: Page): Promise<void> {
  expect(await accessibilityFaults(page), page.url()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), page.url()).toBeLessThanOrEqual(0);
}

describeWays(['teacher', 'assist'] as const)('the calendar of the %s', (person) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await newContext();
    page = await signIn(context, person);
  });
  afterAll(async () => context?.close());

  it('is accessible in every view, light and dark, wide and narrow', thorough, async () => {
    for (const width of [1280, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/calendar', '/calendar?view=week', '/calendar?view=day']) {
        await page.goto(demo.base + path);
        await expectToBeSound(page);
      }
    }
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    await page.goto(`${demo.base}/calendar`);
    await expectToBeSound(page);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
  });

  it('shows a phone the day first by default', async () => {
    const tops = () =>
      Promise.all(
        [page.locator('section[aria-label$=的课程]'), page.locator('main table')].map((part) =>
          part.evaluate((element) => element.getBoundingClientRect().top),
        ),
      ) as Promise<[day: number, month: number]>;
    const current = () => page.locator('nav[aria-label=视图] [aria-current]:visible').innerText();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${demo.base}/calendar`);
    await expectToBeSound(page);
    const [day, month] = await tops();
    expect(day).toBeLessThan(month);
    expect(await current()).toContain('日');
    await page.getByRole('link', { name: '下一天' }).click();
    expect(new URL(page.url()).searchParams.has('view')).toBe(false);
    expect(new URL(page.url()).searchParams.has('date')).toBe(true);
    // A chosen month comes first.
    await page.locator('nav[aria-label=视图] >> text=月 >> visible=true').click();
    expect(new URL(page.url()).searchParams.get('view')).toBe('month');
    const chosen = await tops();
    expect(chosen[1]).toBeLessThan(chosen[0]);
    for (const width of [820, 1366]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${demo.base}/calendar`);
      const beside = await tops();
      expect(beside[0], `${width}`).toBe(beside[1]);
      expect(await current()).toContain('月');
    }
    // Print shows the wide month from any screen.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ media: 'print' });
    const printed = await tops();
    expect(printed[1]).toBeLessThan(printed[0]);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('links from the day to the live room', async () => {
    await page.goto(`${demo.base}/calendar`);
    await page.click('nav[aria-label=视图] >> text=日');
    const card = page.locator('article', { hasText: '集合易错题当堂讲解' });
    expect(await card.getAttribute('data-status')).toBe('2');
    await card.getByRole('link', { name: '进入直播' }).click();
    if (person === 'assist') {
      await page.waitForSelector('dialog');
      await expectToBeSound(page);
      await page.locator('dialog li a').first().click();
    }
    await page.waitForSelector('h1:has-text("未配置直播服务")');
    await expectToBeSound(page);
    expect(await page.innerText('dl')).toContain('集合易错题当堂讲解');
  });

  it('copies a code with one click', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: demo.base });
    await page.goto(`${demo.base}/calendar?view=day`);
    await page.locator('article', { hasText: '集合易错题当堂讲解' }).getByRole('link', { name: '参会码' }).click();
    const code = await page.inputValue('input[data-copyable]');
    await page.click('button:has-text("复制")');
    await page.waitForSelector('button:has-text("已复制")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    await expectToBeSound(page);
  });
});

describe('account screens', () => {
  it("save an assistant's changes and picture without client JS", async () => {
    const context = await newContext({ javaScriptEnabled: false });
    const page = await signIn(context, 'assist');
    await openPersonMenu(page);
    await page.click('header a[href="/account"]');
    const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: '#1864ab' } });
    const buffer = await picture.png().toBuffer();
    await page.setInputFiles('#avatar-file', { name: '头像.png', mimeType: 'image/png', buffer });
    await page.fill('#introduction', '');
    await page.click('button:has-text("保存")');
    expect(await page.innerText('#introduction-error')).toBe('简介不能为空');
    await page.fill('#introduction', '负责答疑');
    await page.click('button:has-text("保存")');
    await page.waitForSelector('text=保存成功');
    expect(await page.getAttribute('main img', 'src')).toMatch(/\.webp$/);
    await context.close();
  });

  it('are accessible on every tab, and sign out another device', thorough, async () => {
    const context = await newContext();
    const elsewhere = await newContext();
    const page = await signIn(context, 'assist');
    const phone = await signIn(elsewhere, 'assist');
    for (const path of ['/account', '/account?tab=security', '/account?tab=devices', '/calendar/subscribe']) {
      await page.goto(demo.base + path);
      await expectToBeSound(page);
    }
    await page.goto(`${demo.base}/account?tab=devices`);
    await page.click('button:has-text("退出其他全部设备")');
    await page.waitForSelector('text=已退出其他全部设备');
    await phone.goto(`${demo.base}/calendar`);
    expect(phone.url()).toContain('/login');
    await context.close();
    await elsewhere.close();
  });
});
