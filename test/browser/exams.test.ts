/** Finding exams and results in the demo school. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it } from '../support/fixtures.ts';
import { describeWays } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const exams = { teacher: '高一数学第一学期期中考试', assist: '高一英语周测（第十周）' };

describeWays([
  { person: 'teacher', javaScriptEnabled: true },
  { person: 'assist', javaScriptEnabled: false },
] as const)('exams: $person, client JS $javaScriptEnabled', ({ person, javaScriptEnabled }) => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await demo.browser.newContext({
      javaScriptEnabled,
      viewport: { width: 1024, height: 800 },
      locale: 'zh-CN',
    });
    page = await demo.signIn(context, person, '/exams');
  });
  afterAll(async () => context?.close());

  /** Page title, content and fit. */
  async function expectFit(): Promise<void> {
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1024);
  }

  it('filters the list by category, with every level in one select', async () => {
    await expectFit();
    const [above, below] = person === 'teacher' ? ['阶段考试', '期中考试'] : ['日常测验', '周测'];
    const category = page.locator('select[name=classify_id]');
    const all = await page.locator('tbody tr').count();
    for (const name of [above, below]) {
      await category.selectOption(
        (await category.locator('option', { hasText: name }).getAttribute('value')) as string,
      );
      await page.click('button:is(:text-is("查询"), :has(:text-is("查询")))');
      await page.waitForURL('**classify_id=**');
      await page.waitForLoadState();
      expect(await category.locator('option:checked').innerText()).toContain(name);
      expect(await page.locator('tbody tr').count()).toBeLessThan(all);
      expect(await page.locator('tbody tr').filter({ hasText: exams[person] }).count()).toBe(1);
    }
    await expectFit();
  });

  it('opens the four tabs', async () => {
    await page
      .locator('tbody tr')
      .filter({ hasText: exams[person] })
      .getByRole('link', { name: exams[person], exact: true })
      .click();
    await page.waitForURL('**/exams/detail**');
    expect(await page.locator('h1').innerText()).toBe(exams[person]);
    expect(await page.locator('a:is(:text-is("批改"), :has(:text-is("批改")))').count()).toBeGreaterThan(0);
    await expectFit();
    await page.click('a:is(:text-is("成绩统计"), :has(:text-is("成绩统计")))');
    await page.waitForURL('**tab=score**');
    expect(await page.locator('table tbody tr').count()).toBe(10);
    await page.click('a:has-text("图表视图")');
    await page.waitForURL('**view=chart**');
    if (javaScriptEnabled) await page.waitForSelector('figure path.recharts-rectangle');
    expect(await page.locator('table tbody tr').count()).toBe(10);
    await expectFit();
    await page.click('a:is(:text-is("学员统计"), :has(:text-is("学员统计")))');
    await page.waitForURL('**tab=student**');
    expect(await page.locator('tbody tr td').first().innerText()).toBe('1');
    await page.click('th a:has-text("用时")');
    await page.waitForURL('**sort_field=answer_time**');
    await expectFit();
    await page.click('a:is(:text-is("题目统计"), :has(:text-is("题目统计")))');
    await page.waitForURL('**tab=question**');
    expect(await page.locator('table').nth(1).innerText()).toContain('连线题');
    await expectFit();
  });

  it('exports the students', async () => {
    await page.click('a:is(:text-is("学员统计"), :has(:text-is("学员统计")))');
    await page.waitForURL('**tab=student**');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:is(:text-is("导出"), :has(:text-is("导出")))'),
    ]);
    expect(download.suggestedFilename()).toBe(`${exams[person]}-学员统计.xlsx`);
  });
});
