/** The formula panel of the question editor, by keys and by its palette. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it } from '../support/fixtures.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

const add = '/homework/question/add';
const stem = '#ques_stem.ProseMirror';
const field = 'fieldset[aria-label="公式"] textarea';
const stored = (page: Page) => page.inputValue('[name=ques_stem]');
const isLive = (page: Page) => page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });

/** Opens the editor of the stem, and the panel by its key. */
async function openPanel(page: Page): Promise<void> {
  await isLive(page);
  await page.click('#ques_stem');
  await page.locator(stem).waitFor();
  await page.keyboard.press('Alt+Equal');
  await page.locator(field).waitFor();
}

async function openAt(width: number) {
  const context = await demo.browser.newContext({ viewport: { width, height: 800 }, locale: 'zh-CN' });
  const page = await demo.signIn(context, 'teacher', add);
  return { page, close: () => context.close() };
}

describe('the formula panel', () => {
  it('writes a formula by the shortcuts that teachers know', async ({ signedIn }) => {
    const page = await signedIn('teacher', add);
    await openPanel(page);
    await page.keyboard.type('1/2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('>=sqrt2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('alpha x^10');
    expect(await page.inputValue(field)).toBe('\\frac{1}{2}\\ge \\sqrt{2}\\alpha x^10');
    await page.locator('fieldset[aria-label="公式"] math').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' 后');
    await page.locator(`${stem} math`).waitFor();
    expect(await stored(page)).toContain('data-latex="\\frac{1}{2}\\ge \\sqrt{2}\\alpha x^{10}"');
    expect(await page.locator(stem).innerText()).toMatch(/ 后$/);
  });

  it('completes commands, takes templates from the palette, and undoes a shortcut', async ({ signedIn }) => {
    const page = await signedIn('assist', add);
    await openPanel(page);
    await page.keyboard.type('1');
    await page.locator('fieldset[aria-label="公式"] math').waitFor();
    const asked = page.waitForResponse((response) => response.request().postData()?.includes('the\\"') ?? false);
    await page.keyboard.type('\\the');
    await page.locator('[role=option]').first().waitFor();
    // The server does not know the command yet; the last formula stays.
    await asked;
    expect(await page.locator('fieldset[aria-label="公式"] math').count()).toBe(1);
    expect(await page.getByText('请检查命令的拼写').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.inputValue(field)).toBe('1\\theta ');
    await page.getByRole('button', { name: '矩阵和方程组' }).click();
    await page.getByRole('button', { name: '方程组', exact: true }).click();
    await page.keyboard.type('x');
    await page.keyboard.press('Tab');
    await page.keyboard.type('y');
    expect(await page.inputValue(field)).toBe('1\\theta \\begin{cases} x \\\\ y \\end{cases}');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('a!=');
    expect(await page.inputValue(field)).toBe('a\\ne ');
    await page.keyboard.press('Control+z');
    expect(await page.inputValue(field)).toBe('a!=');
  });

  it('says what is wrong beside the formula, and keeps the text', async ({ signedIn }) => {
    const page = await signedIn('teacher', add);
    await openPanel(page);
    await page.keyboard.type('\\frac{1}{2');
    await page.keyboard.press('Enter');
    await page.getByText('有花括号“{”没有对应的“}”').waitFor();
    expect(await page.inputValue(field)).toBe('\\frac{1}{2');
    await page.keyboard.type('}\\foo');
    await page.getByText('请检查命令的拼写').waitFor();
    await page.keyboard.press('Enter');
    await page.locator(`${stem} [data-latex]`).waitFor({ state: 'detached' });
    expect(await page.inputValue(field)).toBe('\\frac{1}{2}\\foo');
    expect(await page.locator(field).getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps the typed formula when closed by Escape, and opens an existing one by Enter and double click', async ({
    signedIn,
  }) => {
    const page = await signedIn('assist', add);
    await openPanel(page);
    await page.keyboard.type('a+b');
    await page.keyboard.press('Escape');
    await page.locator(field).waitFor({ state: 'detached' });
    await page.keyboard.type('甲');
    await page.keyboard.press('Alt+Equal');
    expect(await page.inputValue(field)).toBe('a+b');
    await page.keyboard.press('Enter');
    await page.locator(`${stem} math`).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.locator(field).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type('+c');
    await page.keyboard.press('Enter');
    await expect.poll(() => stored(page)).toContain('data-latex="a+b+c"');
    await page.locator(`${stem} math`).dblclick();
    await page.locator(field).waitFor();
    expect(await page.inputValue(field)).toBe('a+b+c');
    expect(await stored(page)).toContain('甲');
  });

  it.each([1366, 390])('fits %i px and has no accessibility faults', async (width) => {
    const { page, close } = await openAt(width);
    await openPanel(page);
    await page.keyboard.type('\\al');
    await page.locator('[role=option]').first().waitFor();
    const panel = await page.locator('fieldset[aria-label="公式"]').first().boundingBox();
    expect(panel?.x).toBeGreaterThanOrEqual(0);
    expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('[role=option]').first().waitFor({ state: 'detached' });
    await page.keyboard.type('{');
    await page.getByText('没有对应的“}”').waitFor();
    await close();
  });
});
