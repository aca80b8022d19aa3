import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';

/** Pages with a form that keeps itself, with a form that is taken over, and with the router. */
const withScript = ['/account', '/homework/publish', '/homework/question/add'];

describe('the keys for search and help', () => {
  it('work wherever a page runs a script, save where somebody types, and are announced there alone', async ({
    signedIn,
  }) => {
    const page = await signedIn('teacher', withScript[0] ?? '/');
    const search = page.getByRole('searchbox', { name: /^搜索学员/ });
    for (const address of withScript) {
      await page.goto(new URL(address, page.url()).href);
      await page.locator('[aria-keyshortcuts]').waitFor();
      expect([address, await search.getAttribute('aria-keyshortcuts')]).toEqual([address, '/ Control+K']);
      await page.keyboard.press('/');
      expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
      // Typed there it is a letter.
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
      expect(await opened.locator('[aria-keyshortcuts]').count()).toBe(0);
      await opened.close();
    }
  });
});
