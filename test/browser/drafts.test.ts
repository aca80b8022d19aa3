// Tests that form text that was not sent is offered to the same person again until it is sent.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type Demo, fillSignIn, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person);

async function open(person: Person = 'assist'): Promise<Page> {
  return signIn(await demo.browser.newContext({ locale: 'zh-CN', viewport: { width: 1200, height: 900 } }), person);
}

const offer = (page: Page) => page.locator('text=有一份上次未提交的内容');
const restore = (page: Page) => page.click('text=恢复上次未提交的内容');
const storedDrafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('draft ')));
/** Waits until the draft is stored, half a second after the last key. */
const waitForDraft = (page: Page, text: string) =>
  expect.poll(async () => JSON.stringify(await storedDrafts(page))).toContain(text);

/** A class whose notices and meetings the person edits. */
async function classOf(page: Page): Promise<string> {
  await page.goto(`${demo.base}/classes`);
  const addresses = await page
    .locator('a[href*="/classes/detail?"]')
    .evaluateAll((all) => [
      ...new Set(all.map((one) => /[?&]id=(\d+)/.exec((one as HTMLAnchorElement).href)?.[1] ?? '')),
    ]);
  for (const id of addresses) {
    const answer = await page.goto(`${demo.base}/classes/meeting?class_id=${id}`);
    if (answer?.ok()) return id;
  }
  throw new Error('no class is led');
}

describe('drafts on a static screen', () => {
  it('are offered after a reload and a navigation, until sent', async () => {
    const page = await open();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '还没写完的班会');
    await waitForDraft(page, '还没写完的班会');
    await page.reload();
    await offer(page).waitFor();
    expect(await page.inputValue('#meeting_name')).toBe('');
    await page.fill('#meeting_name', '另写的');
    await page.click('header nav a >> nth=0');
    await page.goto(form);
    await offer(page).waitFor();
    await page.click('button:is(:text-is("放弃"), :has(:text-is("放弃")))');
    await restore(page);
    expect(await page.inputValue('#meeting_name')).toBe('还没写完的班会');
    expect(await offer(page).count()).toBe(0);
    await page.fill('#start_time', '2099-01-01T10:00');
    await page.fill('#end_time', '2099-01-01T09:00');
    await page.click('main button[type=submit]');
    await page.locator('main [role=alert]').first().waitFor();
    expect(await page.inputValue('#meeting_name')).toBe('还没写完的班会');
    expect(await storedDrafts(page)).toHaveLength(1);
    await page.fill('#end_time', '2099-01-01T11:00');
    await page.click('main button[type=submit]');
    await page.waitForURL('**/classes/detail**');
    await page.goto(form);
    await page.waitForLoadState('networkidle');
    expect(await offer(page).count()).toBe(0);
    expect(await storedDrafts(page)).toEqual([]);
    await page.context().close();
  });

  it("of a refused form survive another form's success", thorough, async () => {
    const page = await open();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '时间还不对');
    await page.fill('#start_time', '2099-01-01T10:00');
    await page.fill('#end_time', '2099-01-01T09:00');
    await page.click('main button[type=submit]');
    await page.locator('main [role=alert]').first().waitFor();
    await openPersonMenu(page);
    await page.click('text=切换到深色');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await restore(page);
    expect(await page.inputValue('#meeting_name')).toBe('时间还不对');
    await page.context().close();
  });

  it('survive an expired session for the same person until sign-out', async () => {
    const page = await open();
    const context = page.context();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '会话过期');
    await waitForDraft(page, '会话过期');
    await context.clearCookies();
    const other = await signIn(context, 'teacher');
    await other.goto(form);
    expect(await offer(other).count()).toBe(0);
    await context.clearCookies();
    const again = await signIn(context, 'assist');
    await again.goto(form);
    await page.close();
    await again.reload();
    await offer(again).waitFor();
    await openPersonMenu(again);
    await again.click('button:has-text("退出")');
    await again.waitForURL('**/login');
    await expect.poll(() => storedDrafts(again)).toEqual([]);
    await context.close();
  });

  it('of two open tabs stay separate', async () => {
    const page = await open();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    const second = await page.context().newPage();
    await second.goto(form);
    await page.fill('#meeting_name', '第一个窗口');
    await waitForDraft(page, '第一个窗口');
    await second.fill('#meeting_name', '第二个窗口');
    await waitForDraft(page, '第二个窗口');
    expect(await storedDrafts(page)).toHaveLength(2);
    await second.reload();
    await restore(second);
    expect(await second.inputValue('#meeting_name')).toBe('第二个窗口');
    await page.close();
    await second.reload();
    await offer(second).waitFor();
    await restore(second);
    await second.reload();
    expect(JSON.stringify(await storedDrafts(second))).toContain('第一个窗口');
    await page.context().close();
  });

  it('of a duplicated tab stay its own', thorough, async () => {
    const page = await open();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '原来的窗口');
    await waitForDraft(page, '原来的窗口');
    const [copy] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate((address) => void window.open(address), form),
    ]);
    await copy.waitForLoadState('networkidle');
    expect(await offer(copy).count()).toBe(0);
    await copy.fill('#meeting_name', '复制的窗口');
    await waitForDraft(copy, '复制的窗口');
    expect(await storedDrafts(page)).toHaveLength(2);
    expect(JSON.stringify(await storedDrafts(page))).toContain('原来的窗口');
    await page.context().close();
  });

  it('survive a crashed page', async () => {
    const page = await open();
    const context = page.context();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '崩溃之前');
    await waitForDraft(page, '崩溃之前');
    const crashed = page.waitForEvent('crash');
    const session = await context.newCDPSession(page);
    // The page crashes, so this call gets no answer.
    void session.send('Page.crash').catch(() => {});
    await crashed;
    const next = await context.newPage();
    await next.goto(form);
    await restore(next);
    expect(await next.inputValue('#meeting_name')).toBe('崩溃之前');
    expect(await storedDrafts(next)).toHaveLength(1);
    await context.close();
  });

  it('of a form sent after expiry continue after sign-in, or are offered again', thorough, async () => {
    const page = await open();
    const context = page.context();
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    /** The cookie remains but its session has ended: the page redirects to sign-in. */
    const sendExpired = async () => {
      const school = new DatabaseSync(path.join(demo.server.varDir, 'school.db'), { timeout: 5000 });
      school.exec('update sign_in set used_at = 0');
      school.close();
      await page.click('main button[type=submit]');
      await page.locator('h1:text-is("登录已过期")').waitFor();
      await fillSignIn(page, 'assist');
      await page.locator('button:has-text("继续提交")').waitFor();
    };
    await page.goto(form);
    await page.fill('#meeting_name', '过期时提交');
    await page.fill('#start_time', '2099-01-01T10:00');
    await page.fill('#end_time', '2099-01-01T11:00');
    await sendExpired();
    await page.click('text=放弃并返回');
    await restore(page);
    expect(await page.inputValue('#meeting_name')).toBe('过期时提交');
    expect(await page.inputValue('#start_time')).toBe('2099-01-01T10:00');

    // Without the session cookie, the server keeps nothing of the posted form.
    await context.clearCookies({ name: 'session' });
    await page.click('main button[type=submit]');
    await page.locator('h1:text-is("登录已过期")').waitFor();
    await page.click('text=重试');
    await fillSignIn(page, 'assist');
    await restore(page);
    expect(await page.inputValue('#meeting_name')).toBe('过期时提交');

    await sendExpired();
    await page.click('button:has-text("继续提交")');
    await page.waitForURL('**/classes/detail**');
    await page.goto(form);
    await expect.poll(() => storedDrafts(page)).toEqual([]);
    expect(await offer(page).count()).toBe(0);
    await context.close();
  });

  it.each([
    // Playwright disables the back/forward cache, and headless Chromium has none.
    ['is kept by the browser', { isWhole: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] }],
    ['is loaded anew', {}],
  ])('return on the back button and keep growing: the page %s', thorough, async (_, launched) => {
    const remembering = await launchChromium(launched);
    const page = await signIn(await remembering.newContext({ locale: 'zh-CN' }), 'assist');
    const form = `${demo.base}/classes/meeting?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#meeting_name', '回来之前');
    await page.click('header nav a >> nth=0');
    await page.waitForURL((url) => !url.pathname.startsWith('/classes/meeting'));
    await page.waitForLoadState();
    // Not goBack, which waits for a load event that a cached page lacks.
    await page.evaluate(() => void setTimeout(() => window.history.back()));
    await page.waitForURL('**/classes/meeting**', { waitUntil: 'commit' });
    await expect.poll(() => page.inputValue('#meeting_name')).toBe('回来之前');
    await page.fill('#meeting_name', '回来之后');
    await waitForDraft(page, '回来之后');
    expect(await storedDrafts(page)).toHaveLength(1);
    // Already in the field, so not offered.
    expect(await offer(page).count()).toBe(0);
    await page.reload();
    await restore(page);
    expect(await page.inputValue('#meeting_name')).toBe('回来之后');
    await remembering.close();
  });

  it('do nothing without client JS', async () => {
    const context = await demo.browser.newContext({ javaScriptEnabled: false });
    const page = await signIn(context, 'assist');
    await page.goto(`${demo.base}/classes/meeting?class_id=${await classOf(page)}`);
    expect(await page.locator('#meeting_name').isVisible()).toBe(true);
    expect(await offer(page).count()).toBe(0);
    await context.close();
  });
});

describe('drafts of rich text', thorough, () => {
  it('offer a notice with formats until published', async () => {
    const page = await open();
    const form = `${demo.base}/classes/notice?class_id=${await classOf(page)}`;
    await page.goto(form);
    await page.fill('#title', '未发的公告');
    await page.click('#notice-content');
    await page.locator('#notice-content.ProseMirror').waitFor();
    await page.keyboard.press('Control+b');
    await page.keyboard.type('粗体的内容');
    await waitForDraft(page, '粗体的内容');
    await page.reload();
    await restore(page);
    expect(await page.inputValue('#title')).toBe('未发的公告');
    await page.locator('#notice-content strong').waitFor();
    expect(await page.inputValue('[name=content]')).toContain('<strong>粗体的内容</strong>');
    await page.click('main button[type=submit]');
    await page.waitForURL('**/classes/detail**');
    await page.goto(form);
    await page.waitForLoadState('networkidle');
    expect(await offer(page).count()).toBe(0);
    expect(await storedDrafts(page)).toEqual([]);
    await page.context().close();
  });

  it('offer a question with every field', async () => {
    const page = await open('teacher');
    const form = `${demo.base}/homework/question/add`;
    await page.goto(form);
    await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
    await page.selectOption('#ques_type', '6');
    await page.fill('#remark', '材料备注');
    await page.click('#ques_stem');
    await page.keyboard.type('一则材料');
    await waitForDraft(page, '一则材料');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await restore(page);
    expect(await page.inputValue('#remark')).toBe('材料备注');
    expect(await page.inputValue('#ques_type')).toBe('6');
    expect(await page.inputValue('[name=ques_stem]')).toContain('一则材料');
    await page.context().close();
  });
});
