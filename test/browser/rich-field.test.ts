// The first keys in a rich text field: the plain field takes them until the editor has loaded.
import type { Browser, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { hasPackagedChromium, launchChromium109 } from '../support/chromium.ts';
import { type Demo, fillSignIn, it } from '../support/fixtures.ts';
import { pauseFor } from '../support/pause.ts';
import { thorough } from '../support/thorough.ts';

const typed = '第一个字就丢了吗abcdefgh';
let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** `lost`: how many requests for the editor fail, as when a connection drops. */
async function openForm(
  from: Pick<Browser, 'newContext'>,
  { path = '/homework/question/add', lost = 0 } = {},
): Promise<Page> {
  let fetched = 0;
  const page = await (await from.newContext({ locale: 'zh-CN', viewport: { width: 1200, height: 900 } })).newPage();
  await page.goto(`${demo.base}/login`);
  await fillSignIn(page, 'teacher');
  await page.waitForURL(`${demo.base}/`);
  // The editor is delayed, so that keys arrive before it.
  await page.route(/rich-editor/, async (route) => {
    fetched += 1;
    if (fetched <= lost) return route.abort();
    await pauseFor(700);
    await route.continue();
  });
  await page.goto(demo.base + path);
  return page;
}

const isLive = (page: Page) => page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
const editor = (page: Page, id = 'ques_stem') => page.locator(`#${id}.ProseMirror`);

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Types key by key while the editor replaces the plain field, and once more afterwards. */
async function typeThroughout(page: Page, id = 'ques_stem'): Promise<void> {
  for (const key of typed) await page.keyboard.type(key, { delay: 40 });
  await editor(page, id).waitFor();
  await page.keyboard.type('完');
}

const paste = (page: Page, html: string, picture?: string) =>
  editor(page).evaluate(
    async (field, [written, address]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', written);
      if (address) {
        const bytes = await (await fetch(address)).blob();
        clipboardData.items.add(new File([bytes], '图.png', { type: 'image/png' }));
      }
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, picture] as const,
  );

it('a rich text field names pasted pictures without an address, until the next paste', async () => {
  const page = await openForm(demo.browser);
  await isLive(page);
  await page.click('#ques_stem');
  await editor(page).waitFor();
  const drawn = '<svg width="9" height="9"><rect width="9" height="9"/></svg>';
  await paste(
    page,
    `<p>甲${drawn}乙<img srcset="https://x.test/1.png 2x">丙<i class="icon"><svg aria-hidden="true"></svg></i></p>`,
  );
  await page.getByText('有2张图片没有粘贴进来').waitFor();
  expect(await editor(page).innerText()).toBe('甲［图片］乙［图片］丙');
  await paste(page, '<p>丁</p>');
  await page.getByText('图片没有粘贴进来').waitFor({ state: 'detached' });
  await page.context().close();
});

it('a rich text field uploads no picture for somebody else who has signed in meanwhile', async () => {
  const page = await openForm(demo.browser);
  await isLive(page);
  await page.click('#ques_stem');
  await editor(page).waitFor();
  await demo.authenticate(page.context(), 'assist');
  await paste(page, '<p>看图<img src="file:///C:/x.png"></p>', '/icon-192.png');
  await page.getByText('请由周明远登录后继续提交').waitFor();
  expect(await editor(page).locator('img[src*="/files/"]').count()).toBe(0);
  await page.context().close();
});

describe('a rich text field loses no key', () => {
  it.each(['mouse', 'Tab'])('when entered by %s, on a machine five times slower', thorough, async (way) => {
    const page = await openForm(demo.browser);
    await isLive(page);
    await slowDown(page, 5);
    if (way === 'mouse') await page.click('#ques_stem');
    else {
      await page.focus('#ques_type');
      await page.keyboard.press('Tab');
    }
    await typeThroughout(page);
    expect(await editor(page).innerText()).toBe(`${typed}完`);
    expect(await page.inputValue('[name=ques_stem]')).toContain(`${typed}完`);
    await page.context().close();
  });

  it('typed before any script has loaded', async () => {
    const page = await openForm(demo.browser);
    await page.route(/\.js$/, async (route) => {
      await pauseFor(400);
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.locator('textarea#ques_stem').waitFor();
    await page.click('#ques_stem');
    await typeThroughout(page);
    expect(await editor(page).innerText()).toBe(`${typed}完`);
    await page.context().close();
  });

  it('typed after existing text, before any script has loaded', thorough, async () => {
    const page = await openForm(demo.browser, { path: '/homework?tab=ques' });
    const ids = await page
      .locator('a[href*="/homework/question/edit?"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    const area = page.locator('textarea#ques_analysis');
    for (const address of ids) {
      await page.goto(address);
      if ((await page.locator('#ques_analysis').innerText()) !== '') break;
    }
    await page.route(/\.js$/, async (route) => {
      await pauseFor(400);
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await area.waitFor();
    const before = await area.inputValue();
    expect(before).not.toBe('');
    await area.click();
    await page.keyboard.press('Control+End');
    await typeThroughout(page, 'ques_analysis');
    expect(await editor(page, 'ques_analysis').innerText()).toBe(`${before}${typed}完`);
    await page.context().close();
  });

  it('and keeps the caret, spaces and lines when the editor takes over', async () => {
    const page = await openForm(demo.browser);
    await isLive(page);
    await page.click('#ques_stem');
    await page.keyboard.type('甲 乙 ');
    await page.keyboard.press('Enter');
    await page.keyboard.type('丙丁');
    await page.keyboard.press('ArrowLeft');
    await editor(page).waitFor();
    await page.keyboard.type('X');
    expect(await editor(page).locator('p').allTextContents()).toEqual(['甲 乙 ', '丙X丁']);
    await page.context().close();
  });

  it('and keeps an input method’s composition when the editor takes over', async () => {
    const page = await openForm(demo.browser);
    await isLive(page);
    const come = page.waitForResponse(/rich-editor/);
    await page.click('#ques_stem');
    await page.keyboard.type('一二三四');
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'wu', selectionStart: 2, selectionEnd: 2 });
    await (await come).finished();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await page.locator('textarea#ques_stem').inputValue()).toBe('一二三四wu');
    await session.send('Input.insertText', { text: '五' });
    await editor(page).waitFor();
    expect(await editor(page).innerText()).toBe('一二三四五');
    await page.keyboard.type('六');
    expect(await editor(page).innerText()).toBe('一二三四五六');
    await page.context().close();
  });

  it('when the editor fails to load three times', async () => {
    const page = await openForm(demo.browser, { lost: 3 });
    await isLive(page);
    await page.click('#ques_stem');
    await typeThroughout(page);
    expect(await editor(page).innerText()).toBe(`${typed}完`);
    await page.context().close();
  });

  it('typed in formatted text while the editor loads', thorough, async () => {
    const page = await openForm(demo.browser);
    await isLive(page);
    await page.click('#ques_stem');
    await editor(page).waitFor();
    await page.keyboard.press('Control+b');
    await page.keyboard.type('粗体');
    await page.fill('#remark', '格式');
    await page.selectOption('#ques_type', '5');
    await page.click('#right_answer');
    await editor(page, 'right_answer').waitFor();
    await page.keyboard.type('答');
    await page.selectOption('#facility_value', '1');
    await page.locator('button:has-text("保存")').last().click();
    await page.waitForURL('**/homework?tab=ques**');
    await page.locator('tbody tr').first().locator('a:has-text("编辑")').click();
    await isLive(page);
    await page.focus('#ques_stem');
    await page.keyboard.press('End');
    await typeThroughout(page);
    expect(await editor(page).innerText()).toBe(`粗体${typed}完`);
    expect(await page.inputValue('[name=ques_stem]')).not.toContain('\ue000');
    await page.context().close();
  });
});

describe.skipIf(!hasPackagedChromium)('a rich text field in the oldest browser', thorough, () => {
  it('loses no key', async () => {
    const oldest = await launchChromium109();
    const page = await openForm(oldest as unknown as Browser);
    await isLive(page);
    await page.click('#ques_stem');
    await typeThroughout(page);
    expect(await editor(page).innerText()).toBe(`${typed}完`);
    await oldest.close();
  });

  it('takes a paste from Word, and names the picture that it cannot take', async () => {
    const oldest = await launchChromium109();
    const page = await openForm(oldest as unknown as Browser);
    await isLive(page);
    await page.click('#ques_stem');
    await editor(page).waitFor();
    await paste(page, '<p>看图<img src="file:///C:/x.png">作答</p>');
    await page.getByText('有1张图片没有粘贴进来').waitFor();
    expect(await editor(page).innerText()).toBe('看图［图片］作答');
    await oldest.close();
  });
});
