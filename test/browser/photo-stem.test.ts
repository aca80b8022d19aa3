/** A photograph or a scan as the stem of a question: turned, cropped, dropped, and without client JS. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type Demo, it } from '../support/fixtures.ts';
import { heicPhoto } from '../support/heic.ts';

const add = '/homework/question/add';
const input = 'label:has-text("用照片或扫描件作题干") input';
let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const isLive = (page: Page) => page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
const stored = (page: Page) => page.inputValue('[name=ques_stem]');

/** Wide, to be turned by its EXIF orientation if `orientation` is 6. */
async function photograph(orientation = 1) {
  const create = { width: 1200, height: 800, channels: 3 as const, background: '#ddd' };
  const buffer = await sharp({ create }).withMetadata({ orientation }).jpeg().toBuffer();
  return { name: '题目.jpg', mimeType: 'image/jpeg', buffer };
}

async function sizeOfStored(page: Page): Promise<[number, number]> {
  const [, path = ''] = /src="([^"]+)"/.exec(await stored(page)) ?? [];
  const bytes = await (await page.request.get(new URL(path, page.url()).href)).body();
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  return [width, height];
}

it.each([1366, 390])('a photograph becomes the stem, turned and cropped, at %i px', async (width) => {
  const context = await demo.browser.newContext({ viewport: { width, height: 800 }, locale: 'zh-CN' });
  const page = await demo.signIn(context, 'teacher', add);
  await isLive(page);
  await page.setInputFiles(input, await photograph());
  await page.locator('dialog canvas').waitFor();
  await page.click('dialog button:text-is("右转")');
  const corner = page.locator('dialog [data-corner="left top"]');
  for (let times = 0; times < 10; times += 1) await corner.press('ArrowDown');
  await page.click('dialog button:text-is("完成")');
  await expect.poll(() => stored(page)).toContain('<img src="/files/');
  const [wide, high] = await sizeOfStored(page);
  expect([wide, Math.round(high / 10)]).toEqual([800, 96]);
  // The picture stays when text is typed after it.
  await page.click('#ques_stem');
  await page.locator('#ques_stem.ProseMirror img[src]').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('如图');
  expect(await stored(page)).toMatch(/<img src="\/files\/[^>]*>.*如图/);
  await context.close();
});

it('a HEIC photograph that the browser cannot read becomes the stem', async ({ signedIn }) => {
  const page = await signedIn('assist', add);
  await isLive(page);
  await page.setInputFiles(input, { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heicPhoto() });
  await expect.poll(() => stored(page)).toContain('.jpg');
});

it('a photograph that is not taken leaves the stem as it is, and a refused one says why', async ({ signedIn }) => {
  const page = await signedIn('teacher', add);
  await isLive(page);
  await page.setInputFiles(input, await photograph());
  await page.click('dialog button:text-is("取消")');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await stored(page)).toBe('');
  await page.setInputFiles(input, { name: '坏.png', mimeType: 'image/png', buffer: Buffer.from('<html>') });
  await page.getByText('文件内容与扩展名不符').waitFor();
  expect(await stored(page)).toBe('');
});

it('a photograph that is dropped on a field stays in the form', async ({ signedIn }) => {
  const page = await signedIn('assist', add);
  await isLive(page);
  const { buffer } = await photograph(6);
  await page.locator('[id="ques_option.0.content"]').evaluate(async (field, base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], '题目.jpg', { type: 'image/jpeg' }));
    const isAllowed = field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    if (isAllowed) throw new Error('the browser would open the file');
  }, buffer.toString('base64'));
  await page.click('dialog button:text-is("完成")');
  await expect.poll(() => page.inputValue('[name="ques_option.0.content"]')).toContain('<img src="/files/');
});

it('an existing picture of the stem is turned by Enter, and stays when its upload fails', async ({ signedIn }) => {
  const page = await signedIn('teacher', add);
  await isLive(page);
  await page.setInputFiles(input, await photograph());
  await page.click('dialog button:text-is("完成")');
  await expect.poll(() => stored(page)).toContain('<img src="/files/');
  await page.click('#ques_stem');
  await page.locator('#ques_stem.ProseMirror img[src]').dblclick();
  await page.click('dialog button:text-is("右转")');
  const before = await stored(page);
  await page.route('**/files', (route) => route.abort());
  await page.click('dialog button:text-is("完成")');
  await page.getByText('图片上传失败').waitFor();
  expect(/src="[^"]+"/.exec(await stored(page))?.[0]).toBe(/src="[^"]+"/.exec(before)?.[0]);
  await page.unroute('**/files');
  await page.locator('#ques_stem.ProseMirror img[src]').click();
  await page.keyboard.press('Enter');
  await page.click('dialog button:text-is("右转")');
  await page.click('dialog button:text-is("完成")');
  await expect.poll(() => sizeOfStored(page)).toEqual([800, 1200]);
});

it('without client JS a file field takes a photograph, HEIC too', async () => {
  const context = await demo.browser.newContext({ javaScriptEnabled: false, locale: 'zh-CN' });
  const page = await demo.signIn(context, 'assist', add);
  await page.click('summary:has-text("用照片或扫描件作题干")');
  await page.setInputFiles('[name="ques_stem.file"]', {
    name: 'IMG_1.HEIC',
    mimeType: 'image/heic',
    buffer: heicPhoto(),
  });
  await page.locator('[name="ques_stem.file"] ~ button').click();
  await page.locator('#ques_stem').waitFor();
  expect(await page.inputValue('#ques_stem')).toMatch(/<img src="\/files\/[^"]+\.jpg"/);
  await context.close();
});
