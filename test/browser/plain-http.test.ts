/** @module-tag thorough */
// A school's server in its own network without https: the product needs no API that browsers reserve for secure pages.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let base: string;
const faults: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer(),
    launchChromium({ args: ['--host-resolver-rules=MAP school.lan 127.0.0.1'] }),
  ]);
  base = `http://school.lan:${new URL(server.base).port}`;
  context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: 'zh-CN' });
  page = await context.newPage();
  page.on('pageerror', ({ message }) => {
    if (!/^Transition was/.test(message)) faults.push(message);
  });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${base}/login`);
  await page.fill('#username', 'teacher');
  await page.fill('#password', 'Teach2026');
  await page.click('button:is(:text-is("登录"), :has(:text-is("登录")))');
  await page.waitForURL(`${base}/`);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('the page is not a secure context', async () => {
  expect(await page.evaluate(() => [window.isSecureContext, 'randomUUID' in crypto])).toEqual([false, false]);
});

/** Waits until the desk is hydrated: it offers its keys. */
const onDesk = () => page.waitForSelector('button:has-text("快捷键")');

test('plain http: answers are graded and the report is finished', async () => {
  await page.goto(`${base}/homework?tab=approve`);
  await page.locator('tbody button[name=intent]').first().click();
  await onDesk();
  const desk = page.url();
  const student = await page.textContent('h1');
  const waiting = page.locator('[aria-label^=答题卡] ol [aria-label$=待批改]');
  const count = await waiting.count();
  expect(count).toBeGreaterThan(0);
  for (let left = count - 1; left >= 0; left -= 1) {
    await page.keyboard.press('f');
    await page.keyboard.press('Enter');
    await expect.poll(() => waiting.count()).toBe(left);
  }
  await page.click('button:is(:text-is("完成批改"), :has(:text-is("完成批改")))');
  await page.fill('#finish-comment', '局域网里的评语');
  await page.click('dialog[open] button:is(:text-is("完成批改"), :has(:text-is("完成批改")))');
  await expect.poll(() => page.textContent('h1')).not.toBe(student);
  // The next report shows before this one's end is saved.
  await page.waitForSelector('p[role=status]:text-is("操作成功")', { state: 'attached' });
  await page.goto(desk);
  await page.waitForSelector('text=该作业已批改完成');
  await page.click('main a:has-text("查看")');
  await page.waitForSelector('text=局域网里的评语');
  expect(faults).toEqual([]);
});

test('plain http: the mark-up board draws a stroke and saves it', async () => {
  const school = new DatabaseSync(path.join(server.varDir, 'school.db'), { readOnly: true });
  const photographed = school
    .prepare(
      `select answer.id, answer.report_id, answer.question_id from answer join report on report.id = answer.report_id
       where report.status = 2 and answer.status = 4 and answer.user_answer like '%/files/%' order by answer.id`,
    )
    .all();
  let answer: unknown;
  for (const { id, report_id, question_id } of photographed) {
    answer = id;
    const desk = `${base}/homework/approve?report_id=${report_id}&class_id=0&ques_id=${question_id}`;
    if ((await page.goto(desk))?.ok()) break;
  }
  const strokes = () => {
    const { review_images } = school.prepare('select review_images from answer where id = ?').get(Number(answer)) ?? {};
    const [image] = JSON.parse(String(review_images)) as ({ draw: string; path: string } | null)[];
    return image ? JSON.parse(image.draw).draw.map(({ name }: { name: string }) => name) : [];
  };
  await onDesk();
  const marked = page.locator('figure').first();
  await marked.locator('button:is(:text-is("批注"), :has(:text-is("批注")))').click();
  const sheet = page.getByRole('application');
  await sheet.waitFor();
  await page.click('dialog[open] [role=toolbar] button:has-text("画线")');
  const { x, y, width, height } = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width * 0.3, y + height * 0.3);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.5, { steps: 6 });
  await page.mouse.up();
  expect(strokes()).toEqual([]);
  await page.click('dialog[open] [role=toolbar] button:has-text("保存")');
  await page.waitForSelector('text=保存成功');
  await page.waitForSelector('dialog', { state: 'detached' });
  await expect.poll(strokes).toEqual(['line']);
  school.close();
  await page.reload();
  await marked.locator('button:is(:text-is("修改批注"), :has(:text-is("修改批注")))').waitFor();
  expect(await marked.locator('img').getAttribute('src')).toMatch(/^\/files\/.+\.jpg$/);
  expect(faults).toEqual([]);
});

test('plain http: a homework is published, and a picture uploaded into a question', async () => {
  await page.goto(`${base}/homework/publish`);
  await untilPublishFormIsLive(page);
  await page.fill('#name', '局域网作业');
  await page.fill('#ending_time', `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T22:00`);
  await page.click('button[name=intent][value=course]:visible');
  await page.locator('dialog li[data-child] input').first().check();
  await page.click('dialog button:is(:text-is("确定"), :has(:text-is("确定")))');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.click('button[name=intent][value=history]:visible');
  await page.locator('input[name=pick]').first().check();
  await page.click('dialog button:is(:text-is("确定"), :has(:text-is("确定")))');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.waitForSelector('text=草稿已保存');
  await page.locator('button:is(:text-is("提交"), :has(:text-is("提交"))):visible').first().click();
  await page.waitForURL('**/homework?tab=main');

  await page.goto(`${base}/homework/question/add`, { waitUntil: 'networkidle' });
  await page.click('#ques_stem');
  await page.locator('#ques_stem.ProseMirror').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.locator('[aria-label*="图片"]').first().click();
  await (await choosing).setFiles({ name: '图.png', mimeType: 'image/png', buffer: png });
  await page.waitForSelector('#ques_stem img[src^="/files/"]');
  expect(faults).toEqual([]);
});

test('plain http: a copy button copies its text', async () => {
  await page.goto(`${base}/calendar?view=day`);
  await page.getByRole('link', { name: '参会码' }).first().click();
  const code = await page.inputValue('input[data-copyable]');
  await page.locator('button:has-text("复制")').first().click();
  await page.waitForSelector('button:has-text("已复制")');
  await page.goto(`${base}/courseware`);
  await page.focus('input[name=ware_name]');
  await page.keyboard.press('Control+v');
  expect(await page.inputValue('input[name=ware_name]')).toBe(code);
  expect(faults).toEqual([]);
});
