/** A question with formula, picture, options and the right answer, written by keys alone. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { hasPackagedChromium, launchChromium109 } from '../support/chromium.ts';
import { type Demo, fillSignIn, it } from '../support/fixtures.ts';
import { thorough } from '../support/thorough.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** Presses Tab until the focus is where it should be; fails if the focus comes back or stays. */
async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${selector} is not reached by ${key}`);
}

const editorOf = (id: string) => `[id="${id}"].ProseMirror`;

/** Writes a question from the empty form to the list, without a pointer. */
async function writeByKeys(page: Page, words: string): Promise<void> {
  await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
  await tabTo(page, '[id="ques_type"]');
  await page.keyboard.press('Tab');
  await page.keyboard.type(words);
  await page.locator(editorOf('ques_stem')).waitFor();
  await page.keyboard.press('Alt+Equal');
  await page.locator('fieldset[aria-label="公式"] textarea').waitFor();
  await page.keyboard.type('1/2');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator(`${editorOf('ques_stem')} math`).waitFor();
  await tabTo(page, '[aria-label="插入图片"]', 'Shift+Tab');
  const chosen = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  const create = { width: 40, height: 20, channels: 3 as const, background: '#1864ab' };
  const buffer = await sharp({ create }).png().toBuffer();
  await (await chosen).setFiles({ name: '图.png', mimeType: 'image/png', buffer });
  await page.locator(`${editorOf('ques_stem')} img[src*="/files/"]`).waitFor();
  for (const [index, text] of ['甲', '乙', '丙', '丁'].entries()) {
    await tabTo(page, `[id="ques_option.${index}.content"]`);
    await page.keyboard.type(text);
    await page.locator(editorOf(`ques_option.${index}.content`)).waitFor();
  }
  // The radio buttons of the options are one stop; arrows choose among them.
  await tabTo(page, '[name=right_option]', 'Shift+Tab');
  await page.keyboard.press('Space');
  await tabTo(page, '#facility_value');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/homework\?tab=ques/);
  expect(await page.locator('[role=status]').first().innerText()).toBe('添加成功');
  expect(await page.locator('tbody tr').first().innerText()).toContain(words);
}

describe('a question by keys alone', () => {
  it('is written, with formula, picture, options and right answer', async ({ signedIn }) => {
    const page = await signedIn('teacher', '/homework/question/add');
    await writeByKeys(page, '只用键盘');
    await page.locator('tbody tr').first().locator('a:has-text("编辑")').focus();
    await page.keyboard.press('Enter');
    await page.locator('#ques_stem math').waitFor();
    await page.locator('#ques_stem img').waitFor();
    expect(await page.locator('[name=right_option]:checked').count()).toBe(1);
  });

  it('is sent with its formula, or not at all', async ({ signedIn }) => {
    const page = await signedIn('assist', '/homework/question/add');
    await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
    await page.focus('#ques_stem');
    await page.locator(editorOf('ques_stem')).waitFor();
    await page.keyboard.press('Alt+Equal');
    await page.locator('fieldset[aria-label="公式"] textarea').waitFor();
    await page.keyboard.type('x+1');
    await page.getByRole('button', { name: '保存', exact: true }).last().press('Enter');
    await page.getByText('公式还没有插入，请先插入或取消').waitFor();
    expect(await page.inputValue('fieldset[aria-label="公式"] textarea')).toBe('x+1');
  });

  it('has its keys on the page of shortcuts', async ({ signedIn }) => {
    const page = await signedIn('teacher', '/shortcuts');
    for (const name of ['添加、编辑题目', '输入公式']) await page.getByRole('heading', { name }).waitFor();
  });

  it.skipIf(!hasPackagedChromium)('is written in the oldest browser', thorough, async () => {
    const oldest = await launchChromium109();
    const page = await (await oldest.newContext({ locale: 'zh-CN' })).newPage();
    await page.goto(`${demo.base}/login`);
    await fillSignIn(page, 'teacher');
    await page.waitForURL(`${demo.base}/`);
    await page.goto(`${demo.base}/homework/question/add`);
    await writeByKeys(page as unknown as Page, '旧浏览器只用键盘');
    await oldest.close();
  });
});
