import type { Page } from 'playwright-core';

/** Waits until the publish form is hydrated: its `held` field is then empty. */
export async function untilPublishFormIsLive(page: Page): Promise<void> {
  await page.waitForSelector('input[name=held][value=""]', { state: 'attached' });
}
