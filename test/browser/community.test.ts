import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { sizeOf } from '../support/pictures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;
let picture: Buffer;

it.beforeAll(async ({ demo: started }) => {
  demo = started;
  const drawn = sharp({ create: { width: 60, height: 40, channels: 3, background: '#0b6b3a' } });
  picture = await drawn.png().toBuffer();
});

/** A current demo class with the person as head teacher. */
async function headedClass(person: Person): Promise<number> {
  const { list } = await demo.ask(person, 'stateschoolclass?limit=100');
  for (const { id, is_processing } of list) {
    const theClass = await demo.ask(person, `stateschoolclass/${id}`);
    const { total } = await demo.ask(person, `community/post/class/${id}`);
    if (theClass.is_header_teacher === 1 && is_processing === 1 && total > 1) return id;
  }
  throw new Error(`${person} heads no class`);
}

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person, '/community');

function newContext(javaScriptEnabled: boolean): Promise<BrowserContext> {
  const viewport = { width: 1280, height: 900 };
  return demo.browser.newContext({ javaScriptEnabled, viewport, locale: 'zh-CN' });
}

describeWays(['teacher', 'assist'] as const)('the community: %s', (person) => {
  let context: BrowserContext;
  let page: Page;
  let classId: number;

  beforeAll(async () => {
    context = await newContext(true);
    page = await signIn(context, person);
    classId = await headedClass(person);
  });
  afterAll(async () => context?.close());

  it('finds every screen accessible, and no wider than the window', thorough, async () => {
    const tab = (name: string) => `/classes/detail?id=${classId}&tab=${name}`;
    const open = async (path: string, link: string) => {
      await page.goto(demo.base + path);
      const target = page.locator(link).first();
      // The link may be in the menu of its row, which is closed.
      if (!(await target.isVisible())) await target.locator('xpath=ancestor::details/summary').click();
      await target.click();
      await page.waitForLoadState('load');
    };
    const screens: [string, string?][] = [
      [tab('circle')],
      [tab('circle'), 'article a:is(:text-is("删除"), :has(:text-is("删除")))'],
      [tab('circle'), 'article a:is(:text-is("详情"), :has(:text-is("详情")))'],
      [tab('notice')],
      [tab('notice'), 'td a:is(:text-is("查看"), :has(:text-is("查看")))'],
      [tab('notice'), 'td a:is(:text-is("删除"), :has(:text-is("删除")))'],
      [tab('meeting')],
      [tab('meeting'), 'td a:is(:text-is("参会码"), :has(:text-is("参会码")))'],
      [tab('meeting'), 'td a:is(:text-is("统计"), :has(:text-is("统计")))'],
      [`/classes/notice?class_id=${classId}`],
      [`/classes/meeting?class_id=${classId}`],
      ['/community'],
      ['/community?tab=2', 'article a:is(:text-is("详情"), :has(:text-is("详情")))'],
      ['/community?tab=3'],
      ['/community?tab=3', 'h2 a'],
    ];
    // Dialogs and details are equal for both.
    for (const [path, link] of person === 'teacher' ? screens : screens.filter(([, link]) => !link)) {
      if (link) await open(path, link);
      else await page.goto(demo.base + path);
      expect(await accessibilityFaults(page), `${path} ${link ?? ''}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1024, height: 800 });
    for (const path of [tab('circle'), tab('notice'), tab('meeting'), '/community?tab=3']) {
      await page.goto(demo.base + path);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(1024);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('writes a formatted announcement in the editor', async () => {
    await page.goto(`${demo.base}/classes/notice?class_id=${classId}`);
    await page.fill('#title', '编辑器里的公告');
    const editor = page.locator('#notice-content');
    await editor.click();
    await page.locator('[role=textbox][contenteditable=true]').waitFor();
    await page.keyboard.type('第一段 <b>');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+B');
    await page.keyboard.type('重点');
    await page.click('button:is(:text-is("发布"), :has(:text-is("发布")))');
    await page.waitForURL('**tab=notice');
    await page.click('a:is(:text-is("编辑器里的公告"), :has(:text-is("编辑器里的公告")))');
    const shown = page.locator('dialog');
    expect(await shown.locator('strong').innerText()).toBe('重点');
    expect(await shown.innerText()).toContain('第一段 <b>');
  });

  it("copies a meeting's code", async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: demo.base });
    await page.goto(`${demo.base}/classes/detail?id=${classId}&tab=meeting`);
    await page.locator('td summary').first().click();
    await page.locator('td a:is(:text-is("参会码"), :has(:text-is("参会码")))').first().click();
    const code = await page.inputValue('#student-code');
    expect(code).toMatch(/^S[2-9A-Z]{7}$/);
    await page.getByRole('button', { name: '复制：学员参会码' }).click();
    await page.locator('[role=status]:text-is("已复制")').first().waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });
});

describeWays([true, false])('a post, client JS %s', (javaScriptEnabled) => {
  it('is published with pictures, commented, liked, bookmarked and deleted', async () => {
    const context = await newContext(javaScriptEnabled);
    const page = await signIn(context, 'teacher');
    // Post of this attempt; a retry creates another.
    const text = `带图的帖子${randomUUID().slice(0, 8)}`;
    await page.goto(`${demo.base}/classes/detail?id=1&tab=circle`);
    await page.fill('#post-content', ' ');
    const files = ['一.png', '二.png'].map((name) => ({ name, mimeType: 'image/png', buffer: picture }));
    await page.setInputFiles('#post-files', files);
    await page.click('button:is(:text-is("发布"), :has(:text-is("发布")))');
    // Blank text: refused with pictures kept; client JS does not send it.
    expect(await page.innerText('#post-content-error')).toBe('请输入帖子内容');
    const chosen = await page.locator('#post-files').evaluate((field: HTMLInputElement) => field.files?.length ?? 0);
    const kept = page.locator('input[name=images]');
    expect(chosen + (await kept.count())).toBe(2);
    if (chosen > 0) await page.setInputFiles('#post-files', files.slice(0, 1));
    else await kept.nth(1).uncheck();
    await page.fill('#post-content', text);
    await page.click('button:is(:text-is("发布"), :has(:text-is("发布")))');
    const card = page.locator('article', { hasText: text });
    await card.waitFor();
    expect(await page.innerText('[role=status]')).toContain('添加成功');
    // An error replaces the earlier success message.
    await page.fill('#post-content', ' ');
    await page.click('button:is(:text-is("发布"), :has(:text-is("发布")))');
    await page.locator('#post-content-error').waitFor();
    expect(await page.locator('text=添加成功').filter({ visible: true }).count()).toBe(0);
    expect(await card.locator('img').count()).toBe(1);
    expect(await sizeOf(card.locator('img'))).toEqual({ width: 60, height: 40 });

    await card.locator('a:is(:text-is("详情"), :has(:text-is("详情")))').click();
    await page.fill('#comment', '<i>评论</i>');
    await page.click('button:is(:text-is("评论"), :has(:text-is("评论")))');
    await page.waitForSelector('li:has-text("<i>评论</i>")');
    await page.click('button:has-text("点赞 0")');
    await page.waitForSelector('button:has-text("取消点赞 1")');
    await page.click('button:is(:text-is("收藏"), :has(:text-is("收藏")))');
    await page.waitForSelector('button:is(:text-is("取消收藏"), :has(:text-is("取消收藏")))');
    await page.click('a:is(:text-is("删除"), :has(:text-is("删除")))');
    await page.click('button:is(:text-is("确定删除"), :has(:text-is("确定删除")))');
    await page.waitForURL('**tab=circle');
    expect(await page.locator('article', { hasText: text }).count()).toBe(0);
    await context.close();
  });
});
