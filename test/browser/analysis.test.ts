import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;
/** Fully graded, ended homework of the demo school, visible to both identities. */
let hw: number;
/** A homework with short answers. */
let short: number;

it.beforeAll(async ({ demo: started }) => {
  demo = started;
  const [taught, assisted] = await Promise.all([gradedHomework('teacher'), gradedHomework('assist')]);
  const both = taught.filter((id) => assisted.includes(id));
  hw = both[0] as number;
  for (const id of both) {
    short = id;
    if (await hasShortAnswers(id)) break;
  }
});

async function hasShortAnswers(id: number): Promise<boolean> {
  const answer = await demo.ask('teacher', `homework/questionsTypeStatistics/${id}`);
  return answer.some(({ type }: { type: number }) => type === 5);
}

/** Ids of the ended, fully graded homework visible to a person. */
async function gradedHomework(person: Person): Promise<number[]> {
  type Row = Record<
    'id' | 'status' | 'ending_time' | 'not_revised_homework_count' | 'submitted_homework_count',
    number
  >;
  const rows = (await demo.ask(person, 'hw/index?limit=200')).list as Row[];
  return rows
    .filter(
      (row) =>
        row.status === 1 &&
        row.ending_time < Date.now() / 1000 &&
        row.not_revised_homework_count === 0 &&
        row.submitted_homework_count > 20,
    )
    .map(({ id }) => id);
}

async function visitor(
  person: Person,
  options: object = {},
): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await demo.browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'zh-CN',
    ...options,
  });
  await demo.authenticate(context, person);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return { context, page, errors };
}

const address = (search: string) => `${demo.base}/homework/detail?hw_id=${hw}&class_id=0${search}`;
const grid =
  '[data-island] .mantine-Table-root, [data-island] table.mrt-table, [data-island] [class*=MRT_Table-module]';

describeWays(['teacher', 'assist'] as const)('grids and charts for the %s', (person) => {
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    ({ context, page, errors } = await visitor(person));
  });
  afterAll(async () => context?.close());

  const headers = async () => (await page.locator('[data-island] thead th').allInnerTexts()).map((text) => text.trim());
  /** Chooses from a column's menu. */
  const choose = async (column: string, item: string) => {
    const header = page.locator('[data-island] thead th').filter({ hasText: new RegExp(`^\\s*${column}`) });
    await header.last().locator('button[aria-label="列操作"]').click();
    await page.locator('[role=menuitem]', { hasText: item }).first().click();
    await page.locator('[role=menuitem]').first().waitFor({ state: 'detached' });
  };

  it('closes overlays by Escape and by an outside click', async () => {
    await page.goto(address('&tab=2&view=grid'));
    await page.waitForSelector(grid);
    const filters = page.locator('form details[name=menu]');
    const summary = filters.locator('summary');
    const isOpen = () => filters.evaluate((details) => (details as HTMLDetailsElement).open);
    const hasFocus = () => summary.evaluate((element) => document.activeElement === element);
    await summary.click();
    await page.getByLabel('提交时间从').focus();
    await page.keyboard.press('Escape');
    expect([await isOpen(), await hasFocus()]).toEqual([false, true]);
    await summary.click();
    await page.mouse.click(20, 600);
    expect(await isOpen()).toBe(false);
    await page.locator('header summary[title]').click();
    const account = page.getByRole('link', { name: '我的账号' });
    expect(await account.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await account.isVisible()).toBe(false);
  });

  it('hides, moves and pins columns, and remembers that', async () => {
    await page.goto(address('&tab=2&view=grid'));
    await page.waitForSelector(grid);
    expect(await headers()).toContain('班级');
    await choose('班级', '隐藏');
    await expect.poll(headers).not.toContain('班级');
    const before = await headers();
    const rank = before.findIndex((text) => text.startsWith('排名'));
    await choose('排名', '左移一列');
    await expect.poll(async () => (await headers()).findIndex((text) => text.startsWith('排名'))).toBe(rank - 1);
    await choose('总分', '固定至左边');
    await expect.poll(async () => (await headers())[0]).toContain('总分');
    const left = await headers();
    await page.reload();
    await page.waitForSelector(grid);
    await expect.poll(headers).toEqual(left);
  });

  it("resizes columns by the header's edge and fills the screen", async () => {
    await page.goto(address('&tab=1&view=grid'));
    await page.waitForSelector(grid);
    const header = page.locator('[data-island] thead th', { hasText: '题干' });
    const width = async () => (await header.boundingBox())?.width ?? 0;
    const was = await width();
    const handle = header.locator('[class*=ResizeHandle]').first();
    const box = (await handle.boundingBox()) as { x: number; y: number; width: number; height: number };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(was + 60);
    await page.click('[data-island] button[aria-label="全屏切换"], [data-island] button[aria-label*="全屏"]');
    await expect
      .poll(async () => (await page.locator('[data-island] > *').first().boundingBox())?.width ?? 0)
      .toBeGreaterThan(1270);
    await page.keyboard.press('Escape');
  });

  it('opens the details of a question', async () => {
    await page.goto(address('&tab=1&view=grid'));
    await page.waitForSelector(grid);
    await page.locator('[data-island] tbody button[aria-label="展开"]').first().click();
    await page.waitForSelector('[data-island] >> text=区分度');
  });

  it('draws the doughnut with the numbers of the table', async () => {
    await page.goto(address('&tab=3&view=chart'));
    await page.waitForSelector('[data-island] svg .recharts-pie-sector');
    const counts = (await page.locator('main table tbody td:nth-child(3)').allInnerTexts()).map(Number);
    expect(await page.locator('.recharts-pie-sector').count()).toBe(counts.filter((count) => count > 0).length);
    const legend = await page.locator('[data-island] li').allInnerTexts();
    expect(legend.map((text) => Number(/：(\d+) 人/.exec(text)?.[1]))).toEqual(counts);
  });

  it('draws the rates from 0 to 100 in steps of 20, the bars 28 wide, with their values on hover', async () => {
    await page.goto(`${demo.base}/homework/statistics?hw_id=${hw}&class_id=0&tab=1`);
    await page.waitForSelector('.recharts-bar-rectangle path');
    const texts = await page.locator('figure').first().locator('svg text').allTextContents();
    const ticks = texts.filter((text) => text.endsWith('%'));
    expect(ticks.map((text) => text.trim())).toEqual(['0%', '20%', '40%', '60%', '80%', '100%']);
    const bar = page.locator('.recharts-bar-rectangle path').first();
    expect(Number(await bar.getAttribute('width'))).toBe(28);
    await bar.hover();
    const shown = (await page.locator('main table').first().locator('tbody tr').first().innerText()).replace(
      /\s+/g,
      ' ',
    );
    await expect
      .poll(async () => (await page.locator('.recharts-tooltip-wrapper').first().innerText()).match(/\d+%/g)?.join())
      .toBe(shown.match(/\d+%/g)?.join());
  });

  it('read chart values by keyboard, and say that short answers have no rate', async () => {
    await page.goto(`${demo.base}/homework/statistics?hw_id=${short}&class_id=0&tab=1`);
    await page.waitForSelector('.recharts-bar-rectangle path');
    const types = await page.locator('main table').first().locator('tbody tr').allInnerTexts();
    expect(types.some((row) => row.startsWith('简答题'))).toBe(true);
    const chart = page.getByRole('application', { name: '各题型完全正确率与得分率' });
    const tooltip = page.locator('.recharts-tooltip-wrapper').first();
    await chart.focus();
    // Focus is on the first type.
    for (const [index, row] of types.entries()) {
      if (index > 0) await chart.press('ArrowRight');
      const shown = row.split(/\s+/).slice(-2).join();
      await expect.poll(async () => (await tooltip.innerText()).match(/\d+%|-/g)?.join()).toBe(shown);
    }
  });

  it('log no error', () => {
    expect(errors).toEqual([]);
  });
});

describeWays([true, false])('analysis details, client JS %s', (javaScriptEnabled) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    ({ context, page } = await visitor('teacher', { javaScriptEnabled }));
  });
  afterAll(async () => context?.close());

  it('shows the stem and the explanations on hover and by keyboard', async () => {
    await page.goto(address('&tab=1'));
    const stem = page.locator('tbody td:nth-child(2) button').first();
    const more = page.locator(`#${await stem.getAttribute('aria-describedby')}`);
    expect(await more.isVisible()).toBe(false);
    await stem.hover();
    await expect.poll(() => more.isVisible()).toBe(true);
    // Moving the pointer into the tooltip keeps it open.
    const box = await more.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 12, { steps: 5 });
    expect(await more.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await expect.poll(() => more.isVisible()).toBe(false);
    expect(await more.evaluate((element) => getComputedStyle(element).transitionDelay.split(', '))).toContain('0.1s');
    await stem.focus();
    expect(await more.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
  });

  it('leave no gap for missing charts, and name the script', thorough, async () => {
    await page.goto(address('&tab=3&view=chart'));
    if (javaScriptEnabled) await page.waitForSelector('[data-island] .recharts-pie-sector');
    else expect((await page.locator('[data-chart-space]').boundingBox())?.height ?? 0).toBe(0);
    expect(await page.locator('[data-island] a[href="/browsers"]').count()).toBe(javaScriptEnabled ? 0 : 1);
  });

  it('export by button, and switch tabs', thorough, async () => {
    await page.goto(address(''));
    for (const tab of ['题目分析', '成绩单', '成绩分布'])
      await page.click(`nav a:is(:text-is("${tab}"), :has(:text-is("${tab}")))`);
    expect(page.url()).toContain('tab=3');
    await page.goto(address('&tab=2'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:is(:text-is("导出"), :has(:text-is("导出")))'),
    ]);
    expect(download.suggestedFilename()).toMatch(/-成绩单\.xlsx$/);
  });

  if (javaScriptEnabled) {
    it.each([
      ['&tab=0'],
      ['&tab=1'],
      ['&tab=2'],
      ['&tab=3'],
      ['&tab=3&view=chart', '[data-island] .recharts-pie-sector'],
      ['&tab=1&view=grid', grid],
    ])('have no axe violations: %s', async (search, drawn?: string) => {
      await page.goto(address(search));
      if (drawn) await page.waitForSelector(drawn);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it.each(['statistics', 'answers', 'preview'])('have no axe violations: %s', async (screen) => {
      await page.goto(`${demo.base}/homework/${screen}?hw_id=${hw}&class_id=0`, { waitUntil: 'networkidle' });
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  }
});

describe('weight of a first visit', () => {
  /** Transferred bytes by type. */
  async function weigh(path: string): Promise<{ total: number; script: number }> {
    const { context, page } = await visitor('teacher');
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const kinds = new Map<string, string>();
    const weight = { total: 0, script: 0 };
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      weight.total += encodedDataLength;
      if (kinds.get(requestId) === 'Script') weight.script += encodedDataLength;
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    await context.close();
    return weight;
  }

  it.each(['', '&tab=1', '&tab=2', '&tab=3'])(
    'is at most 40 KB without scripts except 2 KB of keyboard: %s',
    async (search) => {
      const { total, script } = await weigh(address(search));
      // One kilobyte more than the file, for HTTP headers.
      expect(script).toBeLessThan(3 * 1024);
      expect(total).toBeLessThan(40 * 1024);
    },
  );

  it.each([
    ['&tab=1&view=grid', 295],
    ['&tab=2&view=grid', 295],
    ['&tab=3&view=chart', 235],
  ])('with %s is at most %i KB of script', async (search, most) => {
    const { script } = await weigh(address(search));
    expect(script).toBeGreaterThan(0);
    expect(script).toBeLessThan(most * 1024);
  });

  it('of the statistics charts is at most 260 KB of script', async () => {
    const { script } = await weigh(`${demo.base}/homework/statistics?hw_id=${hw}&class_id=0&tab=1`);
    expect(script).toBeLessThan(260 * 1024);
  });
});
