import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { isOldest } from './chromium.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of WCAG 2.2 AA, and axe's best practices. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules about colours. All other rules give the same result in light and dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Runs axe on the page, or within one selector. Returns a line per fault, with rule and element. Does nothing in the
 * oldest browser.
 */
export async function accessibilityFaults(page: Page, within?: string): Promise<string[]> {
  if (isOldest) return [];
  await load(page);
  return runAxe(page, everyRule, within);
}

/** Runs axe on a light page, then the colour rules again in dark mode. */
export async function faultsInLightAndDark(page: Page, within?: string): Promise<string[]> {
  if (isOldest) return [];
  const inLight = await accessibilityFaults(page, within);
  const wasLight = await setScheme(page, 'dark');
  if (wasLight !== 'light') throw new Error(`the page is in ${wasLight} colours already`);
  const inDark = await runAxe(page, rulesOfColours, within);
  await setScheme(page, 'light');
  return [...inLight, ...inDark.map((fault) => `in the dark: ${fault}`)];
}

/**
 * Loads axe into the page. A browser compiles an evaluated script once, but `page.evaluate` would compile it for each
 * page.
 */
async function load(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: source });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  await session.detach();
}

/** Sets the colour scheme as the server would render it. Returns the previous scheme. */
function setScheme(page: Page, scheme: 'light' | 'dark'): Promise<string | undefined> {
  return page.evaluate((next) => {
    const { dataset } = document.documentElement;
    const before = dataset.mantineColorScheme;
    dataset.mantineColorScheme = next;
    for (const island of document.querySelectorAll<HTMLElement>('[data-mantine-color-scheme]'))
      island.dataset.mantineColorScheme = next;
    document.querySelector('meta[name="color-scheme"]')?.setAttribute('content', next);
    return before;
  }, scheme);
}

function runAxe(page: Page, runOnly: string[], within?: string): Promise<string[]> {
  return page.evaluate(
    async ([rules, selector]) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            context: Document | string,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await axe.run(selector ?? document, {
        runOnly: rules,
        resultTypes: ['violations'],
        // Selectors are not reported, because computing the shortest one takes ten times as long.
        selectors: false,
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    },
    [runOnly, within] as const,
  );
}
