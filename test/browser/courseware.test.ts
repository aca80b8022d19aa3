import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { pdfWithTable } from '../files/samples.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** A lecturer without client JS is tried in pages/courseware.test.ts. */
const ways = [
  { person: 'teacher', javaScriptEnabled: true },
  { person: 'assist', javaScriptEnabled: true },
  { person: 'assist', javaScriptEnabled: false },
] as const;
const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: pdfWithTable('') });

const newContext = (javaScriptEnabled: boolean) =>
  demo.browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 }, locale: 'zh-CN' });

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person, '/courseware');

describeWays(ways)('courseware: $person, client JS $javaScriptEnabled', ({ person, javaScriptEnabled }) => {
  let context: BrowserContext;
  let page: Page;
  const title = `上传的讲义${javaScriptEnabled ? '甲' : '乙'}`;

  beforeAll(async () => {
    context = await newContext(javaScriptEnabled);
    page = await signIn(context, person);
  });
  afterAll(async () => context?.close());

  it('uploads, finds, previews and removes a file', async () => {
    await page.click('text=上传课件');
    await page.waitForSelector('#file');
    if (javaScriptEnabled) {
      await page.waitForSelector('#file[accept*=pptx]');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setInputFiles('#file', pdf('图.html'));
      expect(await page.innerText('#file-error')).toContain('不支持的文件格式');
      await page.setInputFiles('#file', pdf('讲义.pdf'));
      expect(await page.locator('#file-error').count()).toBe(0);
      // Changing the type clears the file.
      await page.selectOption('#ware_type', '3');
      expect(await page.inputValue('#file')).toBe('');
      await page.selectOption('#ware_type', '1');
      await page.click('button:is(:text-is("上传"), :has(:text-is("上传")))');
      expect(await page.innerText('#file-error')).toBe('请选择');
    }
    await page.fill('#ware_name', title);
    await page.setInputFiles('#file', { ...pdf('假.docx') });
    await page.selectOption('#classify_id', { label: '同步课程' });
    await page.click('button:is(:text-is("上传"), :has(:text-is("上传")))');
    await page.waitForSelector('#file-error');
    expect(await page.innerText('#file-error')).toContain('文件内容与扩展名不符');
    expect(await page.inputValue('#ware_name')).toBe(title);
    await page.setInputFiles('#file', pdf('讲义.pdf'));
    await page.click('button:is(:text-is("上传"), :has(:text-is("上传")))');
    await page.waitForSelector('text=上传成功');

    await page.fill('input[name=ware_name]', title);
    await page.click('button:has-text("查询")');
    const row = page.locator('tbody tr').filter({ hasText: title });
    expect(await row.count()).toBe(1);
    await row.locator('a:is(:text-is("预览"), :has(:text-is("预览")))').click();
    await page.waitForSelector('iframe');
    await page.goBack();
    await row.locator('summary').click();
    await row.locator('a:is(:text-is("移除"), :has(:text-is("移除")))').click();
    await page.click('button:is(:text-is("确定移除"), :has(:text-is("确定移除")))');
    await page.waitForSelector('text=移除成功');
    expect(await page.locator('tbody tr').filter({ hasText: title }).count()).toBe(0);
  });

  it('has no accessibility faults', thorough, async () => {
    for (const path of ['/courseware', '/courseware/upload', '/courseware/choose']) {
      await page.goto(demo.base + path);
      // The checks need client JS.
      if (javaScriptEnabled) expect(await accessibilityFaults(page), path).toEqual([]);
    }
  });
});

it('a long upload shows its progress and can be cancelled', async () => {
  const context = await newContext(true);
  const page = await signIn(context, 'teacher');
  const session = await context.newCDPSession(page);
  await page.goto(`${demo.base}/courseware/upload`);
  await page.waitForSelector('#file[accept*=pptx]');
  await page.selectOption('#classify_id', { label: '同步课程' });
  const buffer = Buffer.concat([pdfWithTable(''), Buffer.alloc(8_000_000, 32)]);
  await page.setInputFiles('#file', { ...pdf('长.pdf'), buffer });
  await session.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  await page.click('button:is(:text-is("上传"), :has(:text-is("上传")))');
  await page.waitForSelector('progress');
  await page.click('button:is(:text-is("取消上传"), :has(:text-is("取消上传")))');
  await page.waitForSelector('text=已取消上传');
  await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  expect(await page.locator('progress').count()).toBe(0);
  await context.close();
});
