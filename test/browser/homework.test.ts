import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { accessibilityFaults, faultsInLightAndDark } from '../support/axe.ts';
import { type Demo, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** A lecturer without client JS is tried in pages/homework.test.ts, and here in the list itself. */
const ways = [
  { person: 'teacher', javaScriptEnabled: true },
  { person: 'assist', javaScriptEnabled: true },
  { person: 'assist', javaScriptEnabled: false },
  { person: 'teacher', javaScriptEnabled: false },
] as const;

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person);

describeWays(ways)('the homework list: $person, client JS $javaScriptEnabled', ({ person, javaScriptEnabled }) => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await demo.browser.newContext({
      javaScriptEnabled,
      viewport: { width: 1280, height: 900 },
      locale: 'zh-CN',
    });
    page = await signIn(context, person);
  });
  afterAll(async () => context?.close());

  const rows = () => page.locator('tbody tr');
  /** Finds the first row that offers the action; returns its name. */
  const findAction = async (action: string): Promise<string> => {
    await page.goto(`${demo.base}/homework?tab=main&limit=200`);
    const row = rows()
      .filter({ has: page.locator(`:text-is("${action}")`) })
      .first();
    return (await row.locator('td').first().innerText()).trim();
  };
  const rowOf = (name: string) => rows().filter({ hasText: name }).first();

  it('filters, sorts and pages', async () => {
    await page.goto(`${demo.base}/homework?tab=main`);
    expect(await rows().count()).toBe(20);
    await page.click('a[rel=next]');
    expect(page.url()).toContain('page=2');
    await page.click('th a:has-text("未批改")');
    expect(page.url()).toContain('sort_field=not_revised_homework_count');
    const waiting = (await page.locator('tbody td:nth-child(3)').allInnerTexts()).map(Number);
    expect(waiting).toEqual([...waiting].sort((a, b) => b - a));
    await page.selectOption('select[name=type]', '2');
    await page.click('button:has-text("查询")');
    expect(new Set(await page.locator('tbody td:nth-child(8)').allInnerTexts())).toEqual(new Set(['课时作业']));
    expect(page.url()).toContain('sort_field');
    await page.fill('input[name=name]', '没有这样的作业');
    await page.click('button:has-text("查询")');
    expect(await page.locator('text=没有符合条件的作业').count()).toBe(1);
    await page.click('text=清除筛选');
    expect(await rows().count()).toBe(20);
    await page.fill('input[name=page]', '2');
    await page.click('button:has-text("跳转")');
    expect(page.url()).toContain('page=2');
    await page.click('a:has-text("重置")');
    expect(page.url()).not.toContain('page=2');
  });

  if (person === 'teacher' && !javaScriptEnabled) return;

  it('moves a deadline', async () => {
    await page.goto(`${demo.base}/homework?tab=main&limit=200`);
    const row = rows()
      .filter({ has: page.locator('details a:has-text("调整截止时间")') })
      .first();
    const name = (await row.locator('td').first().innerText()).trim();
    await row.locator('summary').click();
    await row.locator('a:has-text("调整截止时间")').click();
    await page.fill('#ending_time', '2099-06-01T18:30');
    await page.click('button:has-text("确定")');
    expect(await page.locator('[role=status]').innerText()).toBe('调整成功');
    expect(await rowOf(name).innerText()).toContain('2099-06-01 18:30');
  });

  it('continues publishing once a class is chosen', async () => {
    const name = await findAction('继续发布');
    await rowOf(name).locator('summary').click();
    await rowOf(name).locator('a:has-text("继续发布")').click();
    await page.click('dialog button:has-text("发布")');
    expect(await page.locator('dialog [role=alert]').innerText()).toBe('请选择班级');
    if (await page.locator('dialog a:has-text("全选")').count()) await page.click('dialog a:has-text("全选")');
    else await page.check('dialog input[type=checkbox]');
    await page.click('dialog button:has-text("发布")');
    expect(await page.locator('[role=status]').innerText()).toBe('继续发布成功');
  });

  it('recalls once after confirmation; cancel and close change nothing', async () => {
    await page.goto(`${demo.base}/homework?tab=main&limit=200`);
    const row = rows()
      .filter({ has: page.locator('details a:has-text("撤回")') })
      .last();
    const href = (await row.locator('details a:has-text("撤回")').getAttribute('href')) as string;
    const id = /homework\/(\d+)/.exec(href)?.[1] as string;
    const countRecalled = () => page.locator(`tr:has(a[href*="hw_id=${id}&"]) >> text=已撤回`).count();
    await row.locator('summary').click();
    await row.locator('details a:has-text("撤回")').click();
    await page.waitForSelector('dialog h2:focus');
    await page.click('dialog a:has-text("取消")');
    expect(await countRecalled()).toBe(0);
    await page.goto(demo.base + href);
    await page.click('dialog a[aria-label=关闭]');
    expect(await countRecalled()).toBe(0);
    await page.goto(demo.base + href);
    // A double click recalls once.
    await page.dblclick('button:has-text("确定撤回")');
    await page.waitForSelector('[role=status]');
    expect(await page.locator('[role=status]').innerText()).toBe('作业撤回成功以原内容重新布置✕');
    expect(await countRecalled()).toBe(1);
  });

  it('changes and remembers tabs, switches to dark and signs out', async () => {
    await page.click('a:has-text("作业批改")');
    expect(await page.locator('th:has-text("提交时间")').count()).toBe(1);
    await page.goto(`${demo.base}/homework`);
    expect(await page.locator('th:has-text("提交时间")').count()).toBe(1);
    await page.click('a:has-text("我的题目")');
    expect(await rows().count()).toBeGreaterThan(5);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    expect(await page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    await openPersonMenu(page);
    await page.click('button:has-text("退出")');
    await page.goto(`${demo.base}/homework`);
    expect(page.url()).toContain('/login');
  });
});

describe.each(['teacher', 'assist'] as const)('every homework screen of %s', thorough, (person) => {
  it('has no accessibility faults, light and dark', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main&limit=200');
    const dialogs = await page
      .locator('a[href*="/recall"], a[href*="/deadline"], a[href*="/continue"]')
      .evaluateAll((links) => {
        const hrefs = links.map((link) => link.getAttribute('href') as string);
        return ['recall', 'deadline', 'continue'].flatMap(
          (name) => hrefs.find((href) => href.includes(`/${name}`)) ?? [],
        );
      });
    for (const path of [
      '/homework?tab=main',
      '/homework?tab=approve',
      '/homework?tab=ques',
      '/homework?name=zzz',
      '/no/such/page',
      ...dialogs,
    ]) {
      await page.goto(demo.base + path);
      expect(await faultsInLightAndDark(page), path).toEqual([]);
    }
    // The server renders dark for people who chose it.
    await page.goto(`${demo.base}/homework?tab=main`);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('fits 1024 px and a phone, and has the actions of a row on one line', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework', { viewport: { width: 1024, height: 768 } });
    for (const path of ['/homework?tab=main', '/homework?tab=approve', '/homework?tab=ques']) {
      await page.goto(demo.base + path);
      const wider = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main section')].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      );
      expect(Math.max(...wider), path).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
      await page.setViewportSize({ width: 1366, height: 768 });
      const lines = await page.locator('tbody td:last-child').evaluateAll((cells) =>
        cells.map((cell) => {
          const actions = [...cell.querySelectorAll('a, button, summary')].filter((action) => action.checkVisibility());
          return new Set(actions.map((action) => action.getBoundingClientRect().top)).size;
        }),
      );
      expect(Math.max(...lines), path).toBe(1);
      await page.setViewportSize({ width: 1024, height: 768 });
    }
  });
});

it('the sign-in page has no accessibility faults', async () => {
  const page = await demo.browser.newPage();
  await page.goto(`${demo.base}/login`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.close();
});
