/** Simulates a person who uses a page, and counts each action. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type ScreenSize, screenSizes } from './layout.ts';

/** Cost of a task. Ticking a box, choosing an option and picking a file are clicks. A field counts once. */
export interface Effort {
  clicks: number;
  fields: number;
  keys: number;
  /** Number of page loads, without the first. */
  loads: number;
}

export interface Hand {
  page: Page;
  effort: Effort;
  /** Clicks, or taps on a touch screen. */
  press(target: Locator): Promise<void>;
  /** Presses a visible link, button or tab by its name. */
  pressNamed(name: string | RegExp, within?: Locator): Promise<void>;
  /** Types text key by key. */
  type(field: Locator, text: string): Promise<void>;
  keys(...keys: string[]): Promise<void>;
  /** Opens the file field and chooses the file. */
  giveFile(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
}

/** Opens a window of this size. `signIn` signs the person in and ends on the first page. */
export async function openUserWindow(
  browser: Browser,
  { width, height, touch }: ScreenSize,
  signIn: (context: BrowserContext) => Promise<string>,
): Promise<Hand> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  });
  const address = await signIn(context);
  const page = await context.newPage();
  await page.goto(address);
  const effort: Effort = { clicks: 0, fields: 0, keys: 0, loads: 0 };
  page.on('domcontentloaded', () => {
    effort.loads += 1;
  });
  const press = async (target: Locator) => {
    effort.clicks += 1;
    await (touch ? target.tap() : target.click());
  };
  return {
    page,
    effort,
    press,
    pressNamed: async (name, within) => {
      const found = within ?? page.locator('body');
      await press(
        found
          .locator('a, button, summary, label')
          .filter({ visible: true })
          .filter({ hasText: typeof name === 'string' ? new RegExp(`^\\s*${name}\\s*$`) : name })
          .first(),
      );
    },
    type: async (field, text) => {
      effort.fields += 1;
      await field.fill(text);
    },
    keys: async (...keys) => {
      for (const key of keys) {
        effort.keys += 1;
        await page.keyboard.press(key);
      }
    },
    giveFile: async (field, file) => {
      effort.clicks += 1;
      await field.setInputFiles(file);
    },
  };
}

/** Window sizes of a phone and of a school's PC. */
export const [phone, , desk] = screenSizes;
