/** @module-tag thorough */
/** Every screen on a phone, on a tablet and on a school's PC. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { accessibilityFaults, faultsInLightAndDark } from '../support/axe.ts';
import { crawl, screenOf } from '../support/crawl.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { drawNothing, layoutFaults, resizable, type ScreenSize, screenSizes } from '../support/layout.ts';
import { type Ask, findIds, screensOf } from '../support/readings.ts';

async function askAs({ base }: Demo, username: Person): Promise<Ask> {
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

/** Of a screen that is loaded: what is wrong with it, one line each; `isKnown` where somebody else's was looked at. */
type Look = (page: Page, resize: (size: ScreenSize) => Promise<void>, isKnown: boolean) => Promise<string[]>;

/** How it lies at every width; where it is known by another person's, whose words differ, on a phone: there is least room. */
const layoutOf: Look = async (page, resize, isKnown) => {
  const faults: string[] = [];
  for (const size of isKnown ? screenSizes.slice(0, 1) : screenSizes) {
    await resize(size);
    const found = await layoutFaults(page, size.touch);
    faults.push(...found.map((fault) => `at ${size.width}: ${fault}`));
  }
  return faults;
};

/** What stays at the lower edge covers part of a row, which can be scrolled: axe takes it for too small. */
function layStickyBars(): void {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { position, bottom } = getComputedStyle(element);
    if (position === 'sticky' && bottom !== 'auto') element.style.position = 'static';
  }
}

/** What axe finds at every width, in both colours. */
const barriersOf: Look = async (page, resize) => {
  const faults: string[] = [];
  for (const size of screenSizes) {
    await resize(size);
    await page.evaluate(layStickyBars);
    // A grid that its script has drawn light stays so; its dark colours are tried in analysis.test.ts.
    const find = page.url().includes('view=grid') ? accessibilityFaults : faultsInLightAndDark;
    faults.push(...(await find(page)).map((fault) => `at ${size.width}: ${fault}`));
  }
  return faults;
};

/** What a look finds on any screen that a person comes to. */
async function faultsOf(
  demo: Demo,
  person: Person,
  { look, draws, known }: { look: Look; draws: boolean; known: Set<string> },
): Promise<{ faults: string[]; screens: number }> {
  const ids = await findIds(await askAs(demo, person), person, Math.floor(Date.now() / 1000));
  // All others are the page that says so.
  const own = screensOf(ids).filter((address) => address.startsWith('/admin') === (person === 'admin'));
  const context = await demo.browser.newContext({ locale: 'zh-CN' });
  const page = await demo.signIn(context, person);
  if (!draws) await drawNothing(page);
  const resize = await resizable(page);
  const seen = new Set<string>();
  const faults: string[] = [];
  await crawl(
    async (address) => {
      // A chart that is drawn for a wide window is late to follow it. The screen that is left need not follow at all.
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

/** Side by side: while one page is laid out the server answers the other. */
async function expectNoFaults(demo: Demo, how: { look: Look; draws: boolean }): Promise<void> {
  const people = ['teacher', 'assist', 'admin'] as const;
  const known = new Set<string>();
  const all = await Promise.all(people.map((person) => faultsOf(demo, person, { ...how, known })));
  expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  const [teaching, assisting, administering] = all.map(({ screens }) => screens);
  for (const screens of [teaching, assisting]) expect(screens).toBeGreaterThan(150);
  expect(administering).toBeGreaterThan(10);
}

/** One for all screens of a person: what it has loaded once it does not load again. */
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

describe('at the widths of a phone, a tablet and a PC', () => {
  // What is wrong with a layout is wrong the next time as well, minutes later.
  it('no screen is wider than the window, and whatever is pressed is in sight, apart, and large enough', {
    timeout: 900_000,
    retry: 0,
  }, async ({ demo }) => {
    await expectNoFaults(demo, { look: layoutOf, draws: false });
  });

  // Minutes: for whoever changes what all screens have in common.
  it.runIf(process.env.AXE === 'all')(
    'axe finds nothing on any screen',
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
  ] as const)('%s has no accessibility faults at %s', async ([person, address], { demo }) => {
    const { page, resize } = await windowOf(demo, person);
    await page.goto(demo.base + address);
    for (const size of screenSizes) {
      await resize(size);
      // What stands on a tablet stands on a phone or a PC as well, in the same colours.
      const find = size.width === 820 ? accessibilityFaults : faultsInLightAndDark;
      expect(await find(page), `at ${size.width}`).toEqual([]);
    }
    await resize(screenSizes[0]);
    await page.click('header summary:has-text("菜单")');
    expect(await page.isVisible('nav[aria-label=主导航]')).toBe(true);
    expect(await faultsInLightAndDark(page, 'header'), 'with the menu').toEqual([]);
  });
});
