import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { pdfWithTable } from '../files/samples.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

async function signIn(person: Person, javaScriptEnabled = true): Promise<Page> {
  const context = await demo.browser.newContext({
    javaScriptEnabled,
    viewport: { width: 1280, height: 900 },
    locale: 'zh-CN',
  });
  await demo.authenticate(context, person);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(message.text());
  });
  await page.goto(`${demo.base}/sessions`);
  return page;
}

/** Address of the first lesson card or row. */
const firstDetail = (page: Page) => page.locator('a:has-text("详情")').first().getAttribute('href') as Promise<string>;

describeWays(['teacher', 'assist'] as const)('scheduled lessons: %s', (person) => {
  it('have no accessibility faults', thorough, async () => {
    const page = await signIn(person);
    const faults: unknown[] = [];
    const look = async (path: string) => {
      await page.goto(demo.base + path);
      faults.push(...(await accessibilityFaults(page)).map((fault) => ({ path, fault })));
    };
    await look('/sessions');
    await look('/sessions?view=list&status=2&class_type=3');
    await page.goto(`${demo.base}/sessions?status=1&class_type=3&view=list`);
    const held = await firstDetail(page);
    await page.goto(`${demo.base}/sessions?class_type=1&view=list`);
    const alone = await firstDetail(page);
    await page.goto(`${demo.base}/sessions?status=4&view=list`);
    const cancelled = await firstDetail(page);
    await look(held);
    await look(`${held}&tab=homework`);
    await look(alone);
    await look(cancelled);
    await look(held.replace('/sessions/class', '/sessions/communication'));
    // A future lesson without an approved handout, which could not be replaced.
    await page.goto(`${demo.base}/sessions?status=2&view=list`);
    const toCome = await page
      .locator('a:has-text("详情")')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') as string));
    const upload = page.getByRole('link', { name: /^(上传讲义|重新上传)$/ });
    for (const lesson of toCome) {
      await page.goto(demo.base + lesson);
      if ((await upload.count()) > 0) break;
    }
    await look((await upload.getAttribute('href')) as string);
    expect(await page.locator('dialog[open] input[type=file]').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe('a lecturer at a scheduled lesson', () => {
  it('evaluates with a counter, uploads a handout and takes leave', async () => {
    const page = await signIn('teacher');
    // Opens the evaluation by keyboard.
    await page.goto(`${demo.base}/sessions?status=1&class_type=3`);
    await page.click('a:has-text("详情") >> nth=0');
    const before = await page.locator('button:has-text("评价")[disabled]').count();
    await page.locator('td a:is(:text-is("评价"), :has(:text-is("评价")))').first().press('Enter');
    await page.locator('dialog').getByText('0/100', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('#remark', '思路清楚，');
    await page.locator('dialog').getByText('5/100', { exact: true }).waitFor();
    await page.click('dialog button:is(:text-is("提交"), :has(:text-is("提交")))');
    await page.waitForSelector('text=评价成功');
    expect(await page.locator('button:has-text("评价")[disabled]').count()).toBe(before + 1);

    await page.goto(`${demo.base}/sessions?status=2&class_type=3`);
    const coming = page
      .locator('main li', { has: page.locator('a:is(:text-is("请假"), :has(:text-is("请假")))') })
      .first();
    await coming.locator('a:is(:text-is("详情"), :has(:text-is("详情")))').click();
    const here = page.url();
    if (await page.locator('a:is(:text-is("上传讲义"), :has(:text-is("上传讲义")))').count()) {
      await page.click('a:is(:text-is("上传讲义"), :has(:text-is("上传讲义")))');
      await page.waitForLoadState('networkidle');
      await page.setInputFiles('#file', { name: '图.html', mimeType: 'text/html', buffer: Buffer.from('<p>') });
      await page.waitForSelector('#file-error:has-text("不支持")');
      await page.setInputFiles('#file', { name: '讲义.pdf', mimeType: 'application/pdf', buffer: pdfWithTable('') });
      await page.click('dialog button:is(:text-is("上传"), :has(:text-is("上传")))');
      await page.waitForSelector('text=待审核');
      expect(page.url()).toBe(here);
    }
    await page.click('main a:is(:text-is("请假"), :has(:text-is("请假")))');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.click('button:is(:text-is("确定请假"), :has(:text-is("确定请假")))');
    await page.waitForSelector('text=老师或学员请假，该课次已取消');
    expect(await page.locator('a:is(:text-is("作业列表"), :has(:text-is("作业列表")))').count()).toBe(0);
    await page.context().close();
  });
});

describe('an assistant at a group class', () => {
  it('sees no accessibility faults', thorough, async () => {
    const page = await signIn('assist');
    await page.goto(`${demo.base}/curriculum`);
    const faults: unknown[] = await accessibilityFaults(page);
    const detail = await firstDetail(page);
    for (const tab of [1, 2, 3]) {
      await page.goto(`${demo.base + detail}&tab=${tab}`);
      faults.push(...(await accessibilityFaults(page)).map((fault) => ({ tab, fault })));
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([true, false])('marks attendance in the grid, client JS %s', async (javaScriptEnabled) => {
    const page = await signIn('assist', javaScriptEnabled);
    await page.goto(`${demo.base}/curriculum`);
    await page.goto(`${demo.base + (await firstDetail(page))}&tab=2`);
    // Name and header stay in place while the grid scrolls.
    const name = page.locator('tbody th').first();
    const left = (await name.boundingBox())?.x;
    await page.locator('section[aria-label="考勤"]').evaluate((element) => element.scrollTo(400, 0));
    expect((await name.boundingBox())?.x).toBe(left);
    const absent = page.locator('td[data-a="3"] button').first();
    const cell = await absent.getAttribute('value');
    await absent.click();
    await page.click('dialog a:is(:text-is("手动出勤"), :has(:text-is("手动出勤")))');
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('#remark', '迟到，已补签');
    await page.click('dialog button:is(:text-is("确定"), :has(:text-is("确定")))');
    await page.waitForURL(/#at$/);
    expect(await page.innerText('#flash, [role=status]')).toContain('操作成功');
    const changed = page.locator('td#at');
    expect([await changed.getAttribute('title'), await changed.locator('button').getAttribute('value')]).toEqual([
      '迟到，已补签',
      cell,
    ]);
    // The changed cell is in sight.
    const box = await changed.boundingBox();
    expect(box && box.x >= (left ?? 0) && box.x < 1280 && box.y > 0 && box.y < 900).toBe(true);
    await page.context().close();
  });
});
