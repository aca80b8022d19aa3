import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { isOldest } from './chromium.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and what axe advises beyond it. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that look at colours; the others find the same in a page of any. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as it stands, or in what one selector finds: rule and the elements, one line each. The oldest
 * browser is not asked.
 */
export async function accessibilityFaults(page: Page, within?: string): Promise<string[]> {
  if (isOldest) return [];
  await load(page);
  return runAxe(page, everyRule, within);
}

/** The same, and once more in the dark colours what these can make worse. The page must be a light one. */
export async function faultsInLightAndDark(page: Page, within?: string): Promise<string[]> {
  if (isOldest) return [];
  const inLight = await accessibilityFaults(page, within);
  const wasLight = await setScheme(page, 'dark');
  if (wasLight !== 'light') throw new Error(`the page is in ${wasLight} colours already`);
  const inDark = await runAxe(page, rulesOfColours, within);
  await setScheme(page, 'light');
  return [...inLight, ...inDark.map((fault) => `in the dark: ${fault}`)];
}

/** As a script, which the browser compiles once; what `evaluate` is given it compiles anew for each page. */
async function load(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: source });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  await session.detach();
}

/** Gives the page the colours that the server would have given it; answers those that it had. */
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
        // Where an element stands is not reported; to find the shortest way to it takes a tenth of the time.
        selectors: false,
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    },
    [runOnly, within] as const,
  );
}
