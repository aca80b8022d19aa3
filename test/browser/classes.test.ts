import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { pdfWithTable } from '../files/samples.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { sizeOf } from '../support/pictures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person, '/classes');

const open = async (page: Page, name: string, tab: string) => {
  await page.goto(`${demo.base}/classes?only_mine=0&name=${encodeURIComponent(name)}`);
  await page.click(`tbody a:is(:text-is("${name}"), :has(:text-is("${name}")))`);
  await page.click(`nav a:is(:text-is("${tab}"), :has(:text-is("${tab}")))`);
};

describeWays(['teacher', 'assist'] as const)('classes: %s', (person) => {
  let context: BrowserContext;
  let page: Page;
  const withScript = person === 'teacher';
  const ware = `课堂讲义（${person}）`;

  beforeAll(async () => {
    // The lecturer with client JS, the assistant without; otherwise equal.
    context = await demo.browser.newContext({
      javaScriptEnabled: withScript,
      viewport: { width: 1024, height: 800 },
      locale: 'zh-CN',
    });
    page = await signIn(context, person);
  });
  afterAll(async () => context?.close());

  it('shows more rows, and finds one student of five hundred', async () => {
    if (person === 'teacher') {
      const led = await page.locator('tbody tr').count();
      await page.uncheck('text=只看我管理的班级');
      await page.click('button:is(:text-is("查询"), :has(:text-is("查询")))');
      await page.waitForURL('**only_mine=0**');
      expect(await page.locator('tbody tr').count()).toBeGreaterThan(led);
      await page.click('a:is(:text-is("重置"), :has(:text-is("重置")))');
      expect(await page.isChecked('text=只看我管理的班级')).toBe(true);
    }
    await open(page, '高一年级直播公开课', '学员列表');
    expect(await page.innerText('main')).toContain('共 500 条');
    const nickname = await page.innerText('tbody tr:nth-child(3) td:first-child');
    const mobile = await page.innerText('tbody tr:nth-child(3) td:nth-child(2)');
    await page.fill('input[name=mobile]', mobile);
    await page.click('button:is(:text-is("查询"), :has(:text-is("查询")))');
    await page.waitForURL('**mobile=**');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.innerText('tbody td:first-child')).toBe(nickname);
  });

  it('replaces the schedule of a large class', async () => {
    await page.goto(`${demo.base}/classes?only_mine=0&name=${encodeURIComponent('高一（1）班')}`);
    await page.click('tbody a:is(:text-is("查看"), :has(:text-is("查看")))');
    const before = await page.getAttribute('dialog img', 'src');
    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();
    await page.setInputFiles('#schedule', { name: '课表.png', mimeType: 'image/png', buffer });
    await page.click('button:is(:text-is("上传"), :has(:text-is("上传")))');
    await page.waitForSelector('text=上传成功');
    // The other class of the same large class shows the same picture.
    await page.goto(`${demo.base}/classes?only_mine=0&name=${encodeURIComponent('高一（2）班')}`);
    await page.click('tbody a:is(:text-is("查看"), :has(:text-is("查看")))');
    const after = await page.getAttribute('dialog img', 'src');
    expect(after).not.toBe(before);
    expect((await sizeOf(page.locator('dialog img'))).width).toBe(40);
  });

  it('adds, edits, shows and removes courseware', async () => {
    await open(page, '高一（1）班', '班级课件');
    await page.click('a:is(:text-is("添加课件"), :has(:text-is("添加课件")))');
    if (withScript) await page.waitForSelector('#file[accept*=pptx]');
    await page.fill('#ware_name', ware);
    await page.selectOption('#classify_id', { label: '同步课程' });
    const pdf = pdfWithTable('');
    await page.setInputFiles('#file', { name: '讲义.pdf', mimeType: 'application/pdf', buffer: pdf });
    await page.click('button:is(:text-is("保存"), :has(:text-is("保存")))');
    await page.waitForSelector('text=添加成功');
    const row = page.locator('tbody tr').filter({ hasText: ware });
    expect(await row.count()).toBe(1);

    await row.locator('summary').click();
    await row.locator('text=编辑').click();
    if (withScript) await page.waitForSelector('#file[accept*=pptx]');
    await page.fill('#ware_desc', '第二版');
    await page.click('button:is(:text-is("保存"), :has(:text-is("保存")))');
    await page.waitForSelector('text=编辑成功');
    expect(await row.innerText()).toContain('第二版');
    expect(await row.innerText()).toContain('讲义.pdf');

    await row.locator('text=预览').click();
    expect(await page.innerText('h1')).toBe('讲义.pdf');
    await page.goBack();
    await row.locator('summary').click();
    await row.locator('text=移除').click();
    await page.click('button:is(:text-is("确定移除"), :has(:text-is("确定移除")))');
    await page.waitForSelector('text=移除成功');
    expect(await row.count()).toBe(0);
  });
});

describe('class screens', () => {
  it.each(['light', 'dark'] as const)('meet WCAG 2.2 AA and fit 1024 px: %s', thorough, async (scheme) => {
    const context = await demo.browser.newContext({ viewport: { width: 1024, height: 800 }, locale: 'zh-CN' });
    const page = await signIn(context, scheme === 'light' ? 'teacher' : 'assist');
    if (scheme === 'dark') {
      await openPersonMenu(page);
      await page.click('form[action="/appearance"] button');
    }
    const faults: string[] = [];
    const look = async () => {
      const found = await accessibilityFaults(page);
      if (await page.evaluate(() => document.documentElement.scrollWidth > 1024)) found.push('wider than the window');
      faults.push(...found.map((fault) => `${page.url()} ${fault}`));
    };
    await look();
    // Dark colours are shared: a few screens suffice.
    const isLight = scheme === 'light';
    for (const tab of isLight ? ['学员列表', '课程列表', '作业列表', '班级课件'] : ['课程列表', '班级课件']) {
      await open(page, '高一（1）班', tab);
      await look();
    }
    for (const link of isLight ? ['添加课件', '从课件库添加', '编辑'] : ['移除']) {
      if (link === '编辑' || link === '移除') await page.locator('tbody summary').first().click();
      await page.click(`a:is(:text-is("${link}"), :has(:text-is("${link}"))) >> nth=0`);
      await look();
      await page.click('dialog a[aria-label=关闭]');
    }
    if (isLight) {
      await page.goto(`${demo.base}/classes?only_mine=0&name=${encodeURIComponent('高一（1）班')}`);
      await page.click('tbody a:is(:text-is("查看"), :has(:text-is("查看")))');
      await look();
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
