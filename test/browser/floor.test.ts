/** @module-tag thorough */
// Oldest supported browser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPackagedChromium, launchChromium109 } from '../support/chromium.ts';

if (!hasPackagedChromium) console.log('Chromium 109 is packaged for Linux x64 only: its tests are skipped.');

describe.skipIf(!hasPackagedChromium)('Chromium 109', () => {
  let browser: Awaited<ReturnType<typeof launchChromium109>>;
  beforeAll(async () => {
    browser = await launchChromium109();
  });
  afterAll(() => browser.close());

  test('starts and renders', async () => {
    const page = await browser.newPage();
    await page.goto(`data:text/html,<meta charset="utf-8"><h1>${encodeURIComponent('作业管理')}</h1>`);
    expect(await page.textContent('h1')).toBe('作业管理');
    expect(await page.evaluate(() => navigator.userAgent)).toContain('Chrome/109.');
    await page.close();
  });

  test('continues after a page is closed', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('data:text/html,<script>document.title="JS"</script><noscript><p>JS off</p></noscript>');
    expect(await page.textContent('p')).toBe('JS off');
    await context.close();
    expect(browser.isConnected()).toBe(true);
  });
});
