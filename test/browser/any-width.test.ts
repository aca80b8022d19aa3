/** @module-tag thorough */
/** Checks every screen at the widths of a phone, a tablet and a school's PC. */

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { accessibilityFaults, faultsInLightAndDark } from '../support/axe.ts';
import { crawl, screenOf } from '../support/crawl.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { drawNothing, layoutFaults, resizable, type ScreenSize, screenSizes } from '../support/layout.ts';
import { findIds } from '../support/record-ids.ts';
import type { SendRequest } from '../support/requests.ts';
import { screenAddresses } from '../support/screen-addresses.ts';

async function senderFor({ base }: Demo, username: Person): Promise<SendRequest> {
  const json = { 'content-type': 'application/json' };
  const credentials = JSON.stringify({ username, password: demoPassword(username) });
  const login = await fetch(`${base}/api/auth/login`, { method: 'POST', headers: json, body: credentials });
  const { token } = (await login.json()).data;
  return async ({ method, address, body }) => {
    const sent = body
      ? { headers: { authorization: `Bearer ${token}`, ...json }, body: JSON.stringify(body) }
      : undefined;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(base + address, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };
}

/** Lists a loaded screen's faults, one line each; `isKnown` if checked for another person. */
type Look = (page: Page, resize: (size: ScreenSize) => Promise<void>, isKnown: boolean) => Promise<string[]>;

/** Checks the layout at every width, or only on a phone if the screen was checked for another person. */
const layoutOf: Look = async (page, resize, isKnown) => {
  const faults: string[] = [];
  for (const size of isKnown ? screenSizes.slice(0, 1) : screenSizes) {
    await resize(size);
    const found = await layoutFaults(page, size.touch);
    faults.push(...found.map((fault) => `at ${size.width}: ${fault}`));
  }
  return faults;
};

/** A sticky bottom bar covers part of a row that can scroll; axe counts it as too small. */
function layStickyBars(): void {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { position, bottom } = getComputedStyle(element);
    if (position === 'sticky' && bottom !== 'auto') element.style.position = 'static';
  }
}

/** Axe violations at every width, in light and dark. */
const barriersOf: Look = async (page, resize) => {
  const faults: string[] = [];
  for (const size of screenSizes) {
    await resize(size);
    await page.evaluate(layStickyBars);
    // A hydrated grid stays light; analysis.test.ts checks its dark colours.
    const find = page.url().includes('view=grid') ? accessibilityFaults : faultsInLightAndDark;
    faults.push(...(await find(page)).map((fault) => `at ${size.width}: ${fault}`));
  }
  return faults;
};

/** Checks for every visited screen. */
async function faultsOf(
  demo: Demo,
  person: Person,
  { look, draws, known }: { look: Look; draws: boolean; known: Set<string> },
): Promise<{ faults: string[]; screens: number }> {
  const ids = await findIds(await senderFor(demo, person), person, Math.floor(Date.now() / 1000));
  // Addresses of the other kind would only show the refusal page.
  const own = screenAddresses(ids).filter((address) => address.startsWith('/admin') === (person === 'admin'));
  const context = await demo.browser.newContext({ locale: 'zh-CN' });
  const page = await demo.signIn(context, person);
  if (!draws) await drawNothing(page);
  const resize = await resizable(page);
  const seen = new Set<string>();
  const faults: string[] = [];
  await crawl(
    async (address) => {
      // Hides the screen that is left: its charts would shrink first, with a delay.
      await page.evaluate(() => {
        document.documentElement.style.display = 'none';
      });
      await resize(screenSizes[0]);
      const answer = await page.goto(demo.base + address).catch((error: Error) => {
        if (!error.message.includes('Download is starting')) throw error;
      });
      const status = answer?.status() ?? 0;
      if (!answer?.headers()['content-type']?.startsWith('text/html')) return { status, html: '', location: null };
      const shown = page.url().slice(demo.base.length);
      const screen = screenOf(shown);
      if (!seen.has(screen)) {
        seen.add(screen);
        const isKnown = known.has(screen);
        known.add(screen);
        faults.push(...(await look(page, resize, isKnown)).map((fault) => `${shown} ${fault}`));
      }
      return { status, html: await answer.text(), location: null };
    },
    { from: ['/', ...own], each: 1, eachScreen: 1 },
  );
  await context.close();
  return { faults, screens: seen.size };
}

/** Checks two screens at once: the server renders one while the browser lays out the other. */
async function expectNoFaults(demo: Demo, how: { look: Look; draws: boolean }): Promise<void> {
  const people = ['teacher', 'assist', 'admin'] as const;
  const known = new Set<string>();
  const all = await Promise.all(people.map((person) => faultsOf(demo, person, { ...how, known })));
  expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  const [teaching, assisting, administering] = all.map(({ screens }) => screens);
  for (const screens of [teaching, assisting]) expect(screens).toBeGreaterThan(150);
  expect(administering).toBeGreaterThan(10);
}

/** One page for all screens of a person, to reuse its cache. */
const windows = new Map<Person, Promise<{ page: Page; resize(size: ScreenSize): Promise<void> }>>();

function windowOf(demo: Demo, person: Person) {
  const known = windows.get(person);
  if (known) return known;
  const opened = (async () => {
    const page = await demo.signIn(await demo.browser.newContext({ locale: 'zh-CN' }), person);
    return { page, resize: await resizable(page) };
  })();
  windows.set(person, opened);
  return opened;
}

describe('screens at phone, tablet and PC width', () => {
  // Layout faults are stable; a second try minutes later confirms them.
  it('fit the window, with visible, separate, large enough controls', {
    timeout: 900_000,
    retry: 0,
  }, async ({ demo }) => {
    await expectNoFaults(demo, { look: layoutOf, draws: false });
  });

  // Takes minutes: for changes to shared components.
  it.runIf(process.env.AXE === 'all')(
    'have no axe violations',
    async ({ demo }) => {
      await expectNoFaults(demo, { look: barriersOf, draws: true });
    },
    3_600_000,
  );

  it.for([
    ['teacher', '/'],
    ['teacher', '/homework?tab=main'],
    ['teacher', '/homework/publish'],
    ['teacher', '/classes'],
    ['assist', '/leave'],
    ['assist', '/curriculum'],
    ['assist', '/calendar'],
    ['assist', '/courseware'],
    ['admin', '/admin'],
    ['admin', '/admin/staff'],
    ['admin', '/admin/staff/add'],
    ['admin', '/admin/courses'],
    ['admin', '/admin/schools'],
    ['admin', '/admin/catalogue?kind=categories'],
    ['admin', '/admin/points?whole=1'],
    ['admin', '/admin/circles'],
    ['admin', '/admin/exams'],
    ['admin', '/admin/exams/add'],
    ['admin', '/admin/students'],
    ['admin', '/admin/students/detail?id=1'],
    ['admin', '/admin/students/class?id=1'],
  ] as const)('have no axe violations for %s at %s', async ([person, address], { demo }) => {
    const { page, resize } = await windowOf(demo, person);
    await page.goto(demo.base + address);
    for (const size of screenSizes) {
      await resize(size);
      // Tablet content also appears on a phone or PC in the same colours.
      const find = size.width === 820 ? accessibilityFaults : faultsInLightAndDark;
      expect(await find(page), `at ${size.width}`).toEqual([]);
    }
    await resize(screenSizes[0]);
    await page.click('header summary:has-text("菜单")');
    expect(await page.isVisible('nav[aria-label=主导航]')).toBe(true);
    expect(await faultsInLightAndDark(page, 'header'), 'with the menu').toEqual([]);
  });
});
