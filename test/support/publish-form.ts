import type { Page } from 'playwright-core';

/** The form of a homework has come to life in this page: it no longer carries what the server holds for it. */
export async function untilPublishFormIsLive(page: Page): Promise<void> {
  await page.waitForSelector('input[name=held][value=""]', { state: 'attached' });
}
