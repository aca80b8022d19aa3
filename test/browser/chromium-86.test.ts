/** @module-tag thorough */
// Embedded browsers too old for the scripts get plain pages.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core-130';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { chromium86, launchChromium86 } from '../support/chromium.ts';
import { openPersonMenu } from '../support/fixtures.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

if (!chromium86) console.log('CHROMIUM_86 names no package: what Chromium 86 shows is not tried (test/README.md).');

describe.skipIf(!chromium86)('Chromium 86', () => {
  let server: RunningServer;
  let browser: Awaited<ReturnType<typeof launchChromium86>>;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchChromium86()]);
    page = await browser.newPage({ viewport: { width: 1366, height: 768 }, locale: 'zh-CN' });
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${server.base}/login`);
    await page.fill('#username', 'teacher');
    await page.fill('#password', demoPassword('teacher'));
    await page.click('button:has-text("登录")');
    await page.waitForURL(`${server.base}/`);
    await page.goto(`${server.base}/homework`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} is not shown`);
    return box;
  };

  test('is the running browser', async () => {
    expect(await page.evaluate(() => navigator.userAgent)).toContain('Chrome/86.');
  });

  test('filters a list, with fields in rows and normal buttons', async () => {
    await page.click('form summary:has-text("更多筛选")');
    const [from, to] = [await boxOf('[name=publish_start]'), await boxOf('[name=publish_end]')];
    expect(to.y).toBe(from.y);
    expect(to.x).toBeGreaterThan(from.x + from.width);
    expect((await boxOf('form button:has-text("查询")')).width).toBeGreaterThan(50);
    const stem = (await page.locator('tbody tr td').first().innerText()).trim();
    await page.click('form summary:has-text("更多筛选")');
    await page.fill('[name=name]', stem);
    await page.click('form button:has-text("查询")');
    await page.waitForURL(/[?&]name=./);
    const names = await page.locator('tbody tr td:first-child').allInnerTexts();
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toContain(stem);
  });

  test('shows a dialog over its list and saves it', async () => {
    await page.goto(`${server.base}/courseware`);
    // A row's menu overlaps the rows below.
    await page.click('tbody tr:has-text("编辑") summary');
    await page.click('tbody a:has-text("编辑")');
    await page.waitForSelector('dialog[open]');
    expect(await boxOf('dialog[open]')).toEqual({ x: 0, y: 0, width: 1366, height: 768 });
    const { x, y, width, height } = await boxOf('dialog[open] form');
    expect([x > 0, x + width < 1366, y > 0, y + height < 768]).toEqual([true, true, true, true]);
    await page.fill('dialog[open] [name=ware_name]', '旧浏览器里改的名字');
    await page.click('dialog[open] button:has-text("保存")');
    await page.waitForSelector('[data-flash]');
    expect(await page.innerText('tbody')).toContain('旧浏览器里改的名字');
  });

  test('shows chosen options in both colour schemes', async () => {
    const grounds = () =>
      page.$$eval('input[type=radio]', (radios) =>
        (radios as HTMLInputElement[]).map(
          (radio) => [radio.checked, getComputedStyle(radio).backgroundColor] as const,
        ),
      );
    await page.goto(`${server.base}/homework/publish`);
    for (const other of ['切换到深色', '切换到浅色']) {
      const shown = await grounds();
      const chosen = new Set(shown.filter(([checked]) => checked).map(([, ground]) => ground));
      const others = new Set(shown.filter(([checked]) => !checked).map(([, ground]) => ground));
      expect([chosen.size, others.size]).toEqual([1, 1]);
      expect(chosen).not.toEqual(others);
      await openPersonMenu(page);
      await page.click(`text=${other}`);
    }
  });

  test('grades by form, and names a better browser for drawing', async () => {
    const school = new DatabaseSync(path.join(server.varDir, 'school.db'), { readOnly: true });
    const drawn = school
      .prepare(
        `select answer.report_id, answer.question_id from answer join report on report.id = answer.report_id
         where report.status = 2 and answer.status = 4 and answer.user_answer like '%/files/%' order by answer.id`,
      )
      .all();
    school.close();
    for (const { report_id, question_id } of drawn) {
      const answered = await page.goto(
        `${server.base}/homework/approve?report_id=${report_id}&class_id=0&ques_id=${question_id}`,
      );
      if (answered?.ok()) break;
    }
    await page.waitForSelector('#user_score');
    expect(await page.locator('button:has-text("快捷键")').count()).toBe(0);
    await page.waitForSelector('a[href="/browsers"]');
    await page.fill('#user_score', '０．５');
    // The invisible default button that Enter presses.
    await page.locator('button:has-text("保存")').last().click();
    await page.waitForSelector('[data-flash][data-kind=success]');
    await page.goto(`${server.base}/browsers`);
    expect(await page.innerText('main')).toContain('Chrome 109');
  });

  test('typesets formulas', async () => {
    await page.goto(`${server.base}/exams`);
    await page.click('tbody a:has-text("预览")');
    await page.waitForSelector('mfrac');
    const [above, below] = [await boxOf('mfrac > :first-child'), await boxOf('mfrac > :last-child')];
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
    expect(await page.locator('annotation:visible').count()).toBe(0);
  });
});
