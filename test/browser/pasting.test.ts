/** A paste from Word: formulas, and pictures whose bytes are in the RTF of the clipboard. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';

const stem = '#ques_stem.ProseMirror';
const stored = (page: Page) => page.inputValue('[name=ques_stem]');

async function openStem(page: Page): Promise<void> {
  await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
  await page.click('#ques_stem');
  await page.locator(stem).waitFor();
}

const picture = (background: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
const inRtf = (png: Buffer) => `{\\*\\shppict{\\pict\\pngblip\\bliptag1{\\*\\blipuid 00ff}\n${png.toString('hex')}}}`;
const inHtml = (name: string) => `<img src="file:///C:/Temp/msohtmlclip1/01/${name}" width=30 height=20>`;

const fraction = '<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>';
const formula = `<!--[if gte msEquation 12]><m:oMath>${fraction}</m:oMath><![endif]--><![if !msEquation]>${inHtml('clip_image001.png')}<![endif]>`;

const paste = (page: Page, at: string, html: string, rtf = '', plain = '文字', png = '') =>
  page.locator(at).evaluate(
    (field, [written, rich, words, base64]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', written);
      clipboardData.setData('text/rtf', rich);
      clipboardData.setData('text/plain', words);
      if (base64) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      }
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, rtf, plain, png] as const,
  );

/** Holds uploads back until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/files', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

it('a paste from Word keeps its formula and pictures in their places while typing goes on', async ({ signedIn }) => {
  const page = await signedIn('teacher', '/homework/question/add');
  await openStem(page);
  await page.keyboard.type('前');
  const release = await holdUploads(page);
  const rtf = `{\\rtf1 {\\mmath{\\mmathPict{\\pict\\pngblip 00}}}${inRtf(await picture('#f00'))}${inRtf(await picture('#00f'))}}`;
  const html = `<p>求${formula}的值${inHtml('clip_image003.png')}，如图${inHtml('clip_image005.png')}</p>`;
  await paste(page, stem, html, rtf);
  await page.getByText('正在上传图片，还有2张').waitFor();
  await page.keyboard.type('接着写');
  await page.getByRole('button', { name: '保存', exact: true }).last().click();
  await page.getByText('图片还在上传，请等上传完成再保存').waitFor();
  release();
  await page.locator(`${stem} img[src*="/files/"]`).nth(1).waitFor();
  expect(await stored(page)).toMatch(
    /^<p>前求<span [^>]*data-latex="\\frac\{1\}\{2\}"[^>]*>[^<]*<\/span>的值<img [^>]*>，如图<img [^>]*>接着写<\/p>$/,
  );
  // Undo takes places and pictures together, and redo brings pictures, not places.
  const written = await stored(page);
  await page.locator(stem).focus();
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+z');
  expect(await stored(page)).not.toContain('<img');
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+y');
  expect(await stored(page)).toBe(written);
});

it('a paste whose pictures are refused says so, and marks their places', async ({ signedIn }) => {
  const page = await signedIn('assist', '/homework/question/add');
  await openStem(page);
  const rtf = `{\\rtf1 {\\*\\shppict{\\pict\\emfblip 0100}}${inRtf(await picture('#0f0'))}}`;
  await paste(page, stem, `<p>甲${inHtml('1.png')}乙${inHtml('2.png')}丙</p>`, rtf);
  await page.getByText('有1张图片没有粘贴进来').waitFor();
  expect(await stored(page)).toMatch(/^<p>甲［图片］乙<img [^>]*src="\/files\/[^>]*>丙<\/p>$/);
});

it('a paste takes its picture from the RTF, or else from the picture of the clipboard', async ({ signedIn }) => {
  const page = await signedIn('teacher', '/homework/question/add');
  await openStem(page);
  const whole = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const html = `<p>看图${inHtml('1.png')}</p>`;
  const width = async (index: number) => {
    const picture = page.locator(`${stem} img[src*="/files/"]`).nth(index);
    await picture.waitFor();
    return picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    });
  };
  await paste(page, stem, html, `{\\rtf1 ${inRtf(await picture('#0f0'))}}`, '看图', whole.toString('base64'));
  expect(await width(0)).toBe(30);
  await paste(page, stem, html, '{\\rtf1 {\\*\\shppict{\\pict\\emfblip 0100}}}', '看图', whole.toString('base64'));
  expect(await width(1)).toBe(300);
});

it('a paste before the editor has loaded waits for it', async ({ signedIn }) => {
  const page = await signedIn('teacher');
  let load = () => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/rich-editor/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto(new URL('/homework/question/add', page.url()).href);
  await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
  await page.click('#ques_stem');
  await page.keyboard.type('水是');
  await paste(page, 'textarea#ques_stem', '<p>H<sub>2</sub>O</p>', '', 'H2O');
  load();
  await page.locator(`${stem} sub`).waitFor();
  expect(await stored(page)).toBe('<p>水是H<sub>2</sub>O</p>');
});

it('a paste without the code that reads formulas keeps its text, and says so', async ({ signedIn }) => {
  const page = await signedIn('assist', '/homework/question/add');
  await openStem(page);
  await page.route(/foreign-formulas/, (route) => route.abort());
  await paste(page, stem, `<p>求${formula}</p>`, '', '求1/2');
  await page.getByText('只粘贴了文字').waitFor();
  expect(await stored(page)).toBe('<p>求1/2</p>');
});
