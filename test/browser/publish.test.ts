import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { isOldest } from '../support/chromium.ts';
import { type Demo, fillSignIn, it, type Person } from '../support/fixtures.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** A lecturer without client JS is tried in pages/publish.test.ts. */
const ways = (
  [
    { person: 'teacher', javaScriptEnabled: true, width: 1280 },
    // A phone.
    { person: 'assist', javaScriptEnabled: true, width: 390 },
    { person: 'assist', javaScriptEnabled: false, width: 1280 },
  ] as const
).filter(({ javaScriptEnabled }) => javaScriptEnabled || !isOldest);

async function openAs(person: Person, javaScriptEnabled = true, width = 1280): Promise<Page> {
  const isPhone = width < 700;
  const context = await demo.browser.newContext({
    isMobile: isPhone,
    hasTouch: isPhone,
    javaScriptEnabled,
    viewport: { width, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  });
  return demo.signIn(context, person);
}

const publishPath = () => `${demo.base}/homework/publish`;
async function openForm(page: Page, search = '', javaScriptEnabled = true): Promise<void> {
  await page.goto(publishPath() + search);
  if (javaScriptEnabled) await untilPublishFormIsLive(page);
}
/** Waits for background requests and the offer of a draft. */
const openWhole = (page: Page) => page.goto(publishPath(), { waitUntil: 'networkidle' });
const op = (value: string) => `button[name=intent][value="${value}"]:visible`;
const rows = (page: Page) => page.locator('tr[data-key]');
const keys = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.key));
const noDialog = (page: Page) => page.waitForSelector('dialog', { state: 'detached' });
/** Confirms the open dialog, and waits for the whole form behind it. */
async function confirm(page: Page): Promise<void> {
  await page.click('dialog button:is(:text-is("确定"), :has(:text-is("确定")))');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await page.waitForLoadState();
  await noDialog(page);
}
/** Three days from now, as the browser's field takes it. */
const deadline = () => `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T22:00`;

async function chooseCourse(page: Page): Promise<void> {
  await page.click(op('course'));
  await page.waitForSelector('dialog');
  // The first course without child courses.
  await page.locator('dialog li[data-child] input').first().check();
  await confirm(page);
}

async function takeFromHistory(page: Page, count: number): Promise<void> {
  await page.click(op('history'));
  await page.waitForSelector('dialog');
  for (let index = 0; index < count; index += 1) await page.locator('input[name=pick]').nth(index).check();
  await confirm(page);
}

/** A text area without client JS, an editor with it. */
async function fillRich(page: Page, path: string, text: string, hasEditor: boolean): Promise<void> {
  if (!hasEditor) return page.fill(`textarea[id="${path}"]`, text);
  await page.click(`[id="${path}"]`);
  await page.waitForFunction(() => document.activeElement?.getAttribute('contenteditable') === 'true');
  await page.keyboard.type(text);
}

describeWays(ways)('publishing: $person, client JS $javaScriptEnabled, $width wide', (way) => {
  const { person, javaScriptEnabled, width } = way;
  let page: Page;
  const name = `浏览器作业${person === 'teacher' ? '讲' : '助'}${javaScriptEnabled ? 1 : 0}`;

  beforeAll(async () => {
    page = await openAs(person, javaScriptEnabled, width);
  });
  afterAll(async () => page?.context().close());

  it('chooses a course, picks and writes questions, orders and scores them, and publishes', async () => {
    await openForm(page, '', javaScriptEnabled);
    await page.fill('#name', name);
    await page.fill('#remark', '独立完成');
    await page.fill('#ending_time', deadline());
    await chooseCourse(page);
    await takeFromHistory(page, 2);
    await page.click(op('bank'));
    await page.waitForSelector('dialog');
    await page.locator('input[name=pick]').first().check();
    const counted = (await page.innerText('dialog [role=status]')).replace(/\s+/g, ' ');
    if (javaScriptEnabled) expect(counted).toContain('已选 1 题');
    await page.click('dialog button:has-text("公共题库")');
    await page.waitForURL('**bank=public**');
    await page.locator('input[name=pick]').first().check();
    await confirm(page);
    const taken = await rows(page).count();

    await page.click(op('new'));
    await page.waitForURL('**/publish/question**');
    if (javaScriptEnabled) await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
    await fillRich(page, 'ques_stem', '3 的平方是多少？', javaScriptEnabled);
    for (const [index, text] of ['6', '9', '12', '27'].entries()) {
      await fillRich(page, `ques_option.${index}.content`, text, javaScriptEnabled);
    }
    await page.locator('[name=right_option]').nth(1).check();
    await page.selectOption('[name=facility_value]', '2');
    await page.locator('button:has-text("保存")').last().click();
    await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
    await page.waitForLoadState();
    expect(await rows(page).count()).toBe(taken + 1);
    expect(await rows(page).last().innerText()).toContain('3 的平方是多少？');
    expect(await page.inputValue('#name')).toBe(name);

    const last = (await keys(page)).at(-1);
    await page.locator(`input[name=selected][value="${last}"]`).check();
    await page.click(op('up'));
    await expect.poll(async () => (await keys(page)).at(-2)).toBe(last);
    await page.click(op('down'));
    await expect.poll(async () => (await keys(page)).at(-1)).toBe(last);
    await page.click(op('down'));
    await page.waitForSelector('text=已经是最后一题');

    await page.click(op('publish'));
    await page.waitForSelector('#refusal');
    expect(await page.innerText('#refusal')).toContain('请设置题目分数');
    await page.click(op('batch'));
    for (const field of await page.locator('[name^="batch."]').all()) await field.fill('2.5');
    await page.click(op('apply-batch'));
    await noDialog(page);
    expect(await page.inputValue(`[name="score.${last}.0"]`)).toBe('2.5');
    // Fill-ins in a material are not scored by the batch dialog.
    for (const score of await page.locator('input[name^="score."]').all()) {
      if ((await score.inputValue()) === '') await score.fill('3');
    }

    await page.click(op('publish'));
    await page.waitForURL('**/homework?tab=main');
    expect(await page.locator('text=作业发布成功').count()).toBe(1);
    const top = page.locator('tbody tr').first();
    expect(await top.innerText()).toContain(name);

    await top.locator('summary').click();
    await top.locator('a:has-text("复制")').click();
    await page.waitForURL('**type=copy**');
    expect(await page.inputValue('#name')).toBe(name);
    expect(await page.inputValue('#remark')).toBe('独立完成');
    expect(await rows(page).count()).toBe(taken + 1);
    expect(await rows(page).last().locator('input[inputmode=decimal]').inputValue()).toBe('2.5');
  });

  // The checks need client JS.
  if (!javaScriptEnabled) return;
  it.skipIf(isOldest)('has no accessibility faults in any state', thorough, async () => {
    // Scrolls until the 提交 bar is below the table.
    const scrollToEnd = () => page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await openForm(page, '?course_id=');
    expect(await accessibilityFaults(page)).toEqual([]);
    await takeFromHistory(page, 1);
    await page.locator('input[name=selected]').first().check();
    await scrollToEnd();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.click(op('remove'));
    await page.waitForSelector('dialog');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator(op('cancel')).first().click();
    await noDialog(page);
    await page.click(op('publish'));
    await page.waitForSelector('#name-error');
    await scrollToEnd();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('#name', '改好了');
    await page.waitForSelector('#name-error', { state: 'detached' });
    expect(await page.innerText('#refusal')).not.toContain('请输入作业名称');
    await page.click(op('course'));
    await page.waitForSelector('dialog');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await noDialog(page);
  });
});

describe('the publish form with client JS', () => {
  let page: Page;
  let context: BrowserContext;
  let documents: string[] = [];

  beforeAll(async () => {
    page = await openAs('teacher');
    context = page.context();
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()));
  });
  afterAll(async () => context?.close());

  it('works without loading a page, and keeps the keyboard focus', async () => {
    await openForm(page);
    documents = [];
    await takeFromHistory(page, 3);
    const before = await keys(page);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('value'));
    await page.locator(`button[value="down ${before[0]}"]`).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect((await keys(page)).slice(0, 3)).toEqual([before[1], before[2], before[0]]);
    expect(await focused()).toBe(`down ${before[0]}`);

    const [handle, target] = [page.locator('[data-handle]').nth(2), rows(page).nth(0)];
    const [from, to] = [await handle.boundingBox(), await target.boundingBox()];
    if (!from || !to) throw new Error('nothing to drag');
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x + 4, from.y - 20, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 3 });
    await page.mouse.up();
    expect((await keys(page)).slice(0, 3)).toEqual([before[0], before[1], before[2]]);

    await page.click(op('batch'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('batch.1');
    await page.keyboard.press('Escape');
    await noDialog(page);
    expect(await focused()).toBe('batch');
    await page.locator('input[inputmode=decimal]').first().fill('7.5');
    expect(await page.locator('#question').innerText()).toMatch(/总分 [\d.]+ 分/);
    expect(documents).toEqual([]);
    // An unchanged form saves no draft when the page closes.
    await openForm(page);
    await page.evaluate(() => localStorage.clear());
  });

  it('offers its draft back after a reload and an expired sign-in, and deletes it on publishing', async () => {
    const search = '?course_id=';
    await openForm(page, search);
    await page.fill('#name', '没写完的作业');
    await takeFromHistory(page, 1);
    await page.fill('#remark', '草稿里的备注');
    await page.waitForSelector('text=草稿已保存');
    // Leaves without publishing; the draft is offered on return.
    await openForm(page);
    await page.click('text=恢复草稿');
    expect(await page.inputValue('#name')).toBe('没写完的作业');
    expect(await page.inputValue('#remark')).toBe('草稿里的备注');
    expect(await rows(page).count()).toBeGreaterThan(0);

    await chooseCourse(page);
    await page.fill('#ending_time', deadline());
    const cookies = await context.cookies();
    await context.clearCookies({ name: 'session' });
    await page.click(op('publish'));
    await page.waitForSelector('text=登录已过期');
    expect(await page.inputValue('#name')).toBe('没写完的作业');
    await page.click('text=重新登录');
    await fillSignIn(page, 'teacher');
    await page.waitForURL('**/homework/publish**');
    await page.click('text=恢复草稿');
    expect(await page.inputValue('#name')).toBe('没写完的作业');
    expect(cookies.length).toBeGreaterThan(0);

    await page.click(op('publish'));
    await page.waitForURL('**/homework?tab=main');
    expect(await page.locator('tbody tr').first().innerText()).toContain('没写完的作业');
    await openWhole(page);
    expect(await page.locator('text=恢复草稿').count()).toBe(0);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  /** Leaves the page first, because a form saves its draft on leaving; then deletes the drafts. */
  async function forgetDrafts(): Promise<void> {
    await page.goto('about:blank');
    await openForm(page);
    await page.evaluate(() => localStorage.clear());
    await openForm(page);
  }

  it('saves a new draft while an older one is offered, also after questions are picked', async () => {
    await forgetDrafts();
    await page.fill('#name', '旧的草稿');
    await page.waitForSelector('text=草稿已保存');
    await page.reload();
    await page.waitForSelector('text=恢复草稿');
    await page.fill('#name', '新写的');
    await page.waitForSelector('text=草稿已保存');
    await takeFromHistory(page, 2);
    const taken = await rows(page).count();
    expect(taken).toBeGreaterThan(0);
    await page.fill('#remark', '取题之后写的');
    await expect.poll(() => page.evaluate(() => JSON.stringify(Object.values(localStorage)))).toContain('取题之后写的');
    await openForm(page);
    await page.click('text=恢复草稿');
    expect(await page.inputValue('#name')).toBe('新写的');
    expect(await page.inputValue('#remark')).toBe('取题之后写的');
    expect(await rows(page).count()).toBe(taken);
    // The older draft remains behind the newer one.
    await openForm(page);
    await page.click('text=放弃草稿');
    await page.click('text=恢复草稿');
    expect(await page.inputValue('#name')).toBe('旧的草稿');
    expect(await rows(page).count()).toBe(0);
  });

  it('saves its draft on the server, where another browser continues or deletes it', async () => {
    await forgetDrafts();
    await page.fill('#name', '在家里写完');
    await page.waitForSelector('text=草稿已存在本机');
    await page.waitForSelector('text=草稿已保存');
    const other = await openAs('teacher');
    await other.goto(demo.base);
    const draft = other.locator('section[aria-label="作业草稿"] li', { hasText: '在家里写完' });
    await draft.getByRole('link', { name: /继续布置/ }).click();
    await other.waitForURL('**/homework/publish**');
    expect(await other.inputValue('#name')).toBe('在家里写完');
    await other.goto(demo.base);
    await draft.locator('summary').click();
    await draft.getByRole('button', { name: /确定删除/ }).click();
    await other.getByText('草稿已删除').waitFor();
    expect(await draft.count()).toBe(0);
    await other.context().close();
  });

  it('does not save a draft for somebody else who has signed in meanwhile, and says so', async () => {
    await forgetDrafts();
    await demo.authenticate(page.context(), 'assist');
    await page.fill('#name', '换人后写的');
    await page.getByText('请由周明远登录后继续提交').waitFor();
    expect(JSON.stringify(await demo.ask('assist', 'workbench'))).not.toContain('换人后写的');
    await demo.authenticate(page.context(), 'teacher');
    await page.fill('#name', '换回来写的');
    await page.waitForSelector('text=草稿已保存');
    await forgetDrafts();
  });

  it('forgets a discarded draft', async () => {
    await forgetDrafts();
    await page.fill('#name', '不要了');
    await page.waitForSelector('text=草稿已保存');
    await page.reload();
    await page.click('text=放弃草稿');
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.locator('text=恢复草稿').count()).toBe(0);
    expect(await page.inputValue('#name')).toBe('');
  });

  it.skipIf(isOldest)('weighs at most 176 KB in 12 requests, with all its files', async () => {
    const fresh = await (await demo.browser.newContext({ storageState: await context.storageState() })).newPage();
    const sizes: Promise<number>[] = [];
    fresh.on('response', (response) => {
      sizes.push(
        response.body().then(
          (body) => gzipSync(body).byteLength,
          () => 0,
        ),
      );
    });
    await openWhole(fresh);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(20 * 1024);
    expect(total / 1024).toBeLessThan(176);
    // Files queue on a slow line.
    expect(sizes.length).toBeLessThanOrEqual(12);
    await fresh.context().close();
  });
});

it('the publish form fits 1024 px with long names', thorough, async () => {
  const page = await openAs('teacher', true, 1024);
  await openForm(page);
  await takeFromHistory(page, 5);
  await page.fill('#name', '很长的作业名称'.repeat(5));
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  await page.click(op('history'));
  await page.waitForSelector('dialog');
  expect(await overflow()).toBe(0);
  await page.context().close();
});
