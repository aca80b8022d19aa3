/** @module-tag thorough */
// Browsers that the other tests use.
import { expect, test, vi } from 'vitest';
import { hasPackagedChromium, launchChromium } from '../support/chromium.ts';

async function headingShownBy(browser: Awaited<ReturnType<typeof launchChromium>>): Promise<string | null> {
  const page = await browser.newPage();
  await page.goto(`data:text/html,<meta charset="utf-8"><h1>${encodeURIComponent('作业管理')}</h1>`);
  return page.textContent('h1');
}

test('the local browser renders', async () => {
  await using browser = await launchChromium();
  expect(await headingShownBy(browser)).toBe('作业管理');
});

test.skipIf(!hasPackagedChromium)('the packaged browser renders on systems without one', async () => {
  vi.stubEnv('CHROMIUM_PATH', 'packaged');
  await using browser = await launchChromium();
  expect(browser.version()).toMatch(/^153\./);
  expect(await headingShownBy(browser)).toBe('作业管理');
  vi.unstubAllEnvs();
});

test('a configured but missing browser is not replaced', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
  await expect(launchChromium()).rejects.toThrow('CHROMIUM_PATH');
  vi.unstubAllEnvs();
});
