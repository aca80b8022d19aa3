/** Every screen on a phone, on a tablet and on a school's PC. */
import { describe, expect } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { faultsInLightAndDark } from '../support/axe.ts';
import { crawl, screenOf } from '../support/crawl.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { drawNothing, layoutFaults, resizable, screenSizes } from '../support/layout.ts';
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

/** What is wrong with any screen that a person comes to, at every width. */
async function faultsOf(demo: Demo, person: Person): Promise<{ faults: string[]; screens: number }> {
  const ids = await findIds(await askAs(demo, person), person, Math.floor(Date.now() / 1000));
  // All others are the page that says so.
  const own = screensOf(ids).filter((address) => address.startsWith('/admin') === (person === 'admin'));
  const context = await demo.browser.newContext({ locale: 'zh-CN' });
  const page = await demo.signIn(context, person);
  await drawNothing(page);
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
        for (const size of screenSizes) {
          await resize(size);
          const found = await layoutFaults(page, size.touch);
          faults.push(...found.map((fault) => `${shown} at ${size.width}: ${fault}`));
        }
      }
      return { status, html: await answer.text(), location: null };
    },
    { from: ['/', ...own], each: 1, eachScreen: 1 },
  );
  await context.close();
  return { faults, screens: seen.size };
}

describe('at the widths of a phone, a tablet and a PC', () => {
  it('no screen is wider than the window, and whatever is pressed is in sight, apart, and large enough', async ({
    demo,
  }) => {
    // Side by side: while one page is laid out the server answers the other.
    const all = await Promise.all([faultsOf(demo, 'teacher'), faultsOf(demo, 'assist'), faultsOf(demo, 'admin')]);
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
    const [teaching, assisting, administering] = all.map(({ screens }) => screens);
    for (const screens of [teaching, assisting]) expect(screens).toBeGreaterThan(150);
    expect(administering).toBeGreaterThan(10);
  }, 240_000);

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
  ] as const)('%s has no accessibility faults at %s', async ([person, address], { signedIn }) => {
    const page = await signedIn(person, address);
    const resize = await resizable(page);
    for (const size of screenSizes) {
      await resize(size);
      expect(await faultsInLightAndDark(page)).toEqual([]);
    }
    await resize(screenSizes[0]);
    await page.click('header summary:has-text("菜单")');
    expect(await page.isVisible('nav[aria-label=主导航]')).toBe(true);
    expect(await faultsInLightAndDark(page)).toEqual([]);
  });
});
