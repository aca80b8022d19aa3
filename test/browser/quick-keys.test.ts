import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';

/** Pages that hydrate nothing else, that have an island form, and that hydrate a whole form. */
const pages = ['/', '/homework?tab=main', '/leave', '/account', '/homework/publish', '/homework/question/add'];

describe('the keys for search and help', () => {
  it('work on every page, but not while typing', async ({ signedIn }) => {
    const page = await signedIn('teacher', pages[0] ?? '/');
    const search = page.getByRole('searchbox', { name: /^搜索学员/ });
    for (const address of pages) {
      await page.goto(new URL(address, page.url()).href);
      await page.locator('[aria-keyshortcuts]').waitFor();
      expect([address, await search.getAttribute('aria-keyshortcuts')]).toEqual([address, '/ Control+K']);
      await page.keyboard.press('/');
      expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
      // In a text field, the key types its letter.
      await page.keyboard.press('/');
      expect(await search.inputValue()).toBe('/');
      await search.fill('');
      await search.blur();
      await page.keyboard.press('Control+k');
      expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
      await search.blur();
      const help = page.context().waitForEvent('page');
      await page.keyboard.press('?');
      const opened = await help;
      await opened.waitForURL('**/shortcuts');
      await opened.close();
    }
  });
});

describe('the Escape key', () => {
  it.for(['/courseware/upload', '/calendar/subscribe'])('closes the dialog %s', async (address, { signedIn }) => {
    const page = await signedIn('teacher', address);
    await page.getByRole('dialog').waitFor();
    await page.locator('[aria-keyshortcuts]').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(address.replace(/\/\w+$/, ''));
  });
});
