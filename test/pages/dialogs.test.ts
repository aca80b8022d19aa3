/** Every dialog of the product, over whichever screen it opens: what stands around it is out of reach. */
import { parseHTML } from 'linkedom';
import { matchRoutes } from 'react-router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { openApp, signedSession } from '../support/app.ts';
import { builtRoutes, type RouteTree } from '../support/built-routes.ts';
import { addressesOf, crawl, type Visit } from '../support/crawl.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { type Ask, findIds, screensOf } from '../support/readings.ts';

/** What can be pressed, followed or typed into, outside of the dialog and of what is inert. */
const inReach = (document: Document): string[] =>
  [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((element) => !element.closest('dialog, [inert], template'))
    .map((element) => element.outerHTML.slice(0, 120));

describe('dialogs', () => {
  let demo: DemoSchool;
  let tree: RouteTree[];
  let api: ReturnType<typeof createApi>;
  let screens: (request: Request) => Promise<Response>;
  /** Routes that showed a dialog, and those over a screen that showed something else. */
  const shown = new Set<string>();
  const overScreens = new Set<string>();

  beforeAll(async () => {
    demo = await openDemoSchool('SQLite');
    const services = { database: demo.database, storage: demo.storage, now: () => demo.now };
    const { fetch } = await openApp({ services } as Parameters<typeof openApp>[0]);
    screens = fetch;
    ({ tree } = await builtRoutes());
    api = createApi(services as Parameters<typeof createApi>[0]);
    const frame = tree.flatMap(({ children }) => children).find(({ id }) => id === 'shell/layout');
    const below = (route: RouteTree): string[] => route.children.flatMap((one) => [one.id, ...below(one)]);
    for (const screen of frame?.children ?? []) for (const id of below(screen)) overScreens.add(id);
  });
  afterAll(() => demo?.close());

  it.for(['teacher', 'assist'] as const)(
    'leave nothing around them in reach: %s',
    { timeout: 240_000 },
    async (who) => {
      const { db } = demo.database;
      const { id } = await db.selectFrom('staff').select('id').where('username', '=', who).executeTakeFirstOrThrow();
      const token = await issueToken(db, id, { device: 'test', address: '127.0.0.1', now: demo.now });
      const ask: Ask = async ({ method, address, body }) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const request = new Request(`http://school.test${address}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        });
        const response = await api.fetch(request);
        const text = await response.text();
        return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
      };
      const cookie = `session=${await signedSession({ token, identity: who })}`;
      const faults: string[] = [];
      /** Links to dialogs, of which the crawl follows the first: that one may be forbidden by the state of its record. */
      const links = new Map<string, string>();
      const routeOf = (address: string) =>
        matchRoutes(tree, new URL(address, 'http://school.test').pathname)?.at(-1)?.route.id ?? '';
      const visit: Visit = async (address) => {
        const headers = { host: 'school.test', cookie };
        const response = await screens(new Request(`http://school.test${address}`, { headers }));
        const html = await response.text();
        const { status } = response;
        if (process.env.SEEN)
          process.stdout.write(
            `${status} ${address} ${html.slice(0, 60).replace(/\n/g, ' ')} ${response.headers.get('location')}\n`,
          );
        if (status === 200 && html.startsWith('<')) {
          const { document } = parseHTML(html);
          const route = routeOf(address);
          for (const link of addressesOf(html, address))
            if (overScreens.has(routeOf(link))) links.set(link, routeOf(link));
          const isDialog = document.querySelector('dialog[open]') !== null;
          if (isDialog) shown.add(route);
          if (isDialog && inReach(document).length > 0) faults.push(`${address}: ${inReach(document)[0]}`);
          if (!isDialog && overScreens.has(route)) faults.push(`${address}: no dialog`);
          if (!isDialog && document.querySelector('header[inert]'))
            faults.push(`${address}: the header is out of reach`);
        }
        return { status, html, location: response.headers.get('location') };
      };
      await crawl(visit, { from: ['/', ...screensOf(await findIds(ask, who, demo.now))], each: 1, eachScreen: 2 });
      for (const [link, route] of links) if (!shown.has(route)) await visit(link);
      expect(faults).toEqual([]);
    },
  );

  it('are all of them seen', () => {
    expect(overScreens.size).toBeGreaterThan(40);
    expect([...overScreens].filter((id) => !shown.has(id))).toEqual([]);
  });
});
