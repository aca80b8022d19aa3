/** Vitest fixtures of the running product. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { test } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { launchChromium } from './chromium.ts';
import { type RunningServer, startServer } from './running-server.ts';

export type Person = 'teacher' | 'assist' | 'admin';

export interface Demo {
  server: RunningServer;
  browser: Browser;
  base: string;
  /** Signs the browser context in, with the same result as the sign-in form. */
  authenticate(context: BrowserContext, person: Person): Promise<void>;
  /** Opens a page of the browser context at this address, signed in. */
  signIn(context: BrowserContext, person: Person, at?: string): Promise<Page>;
  /** Calls the API as this person and returns `data` of the response. `path` is below the prefix of the identity. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  ask(person: Person, path: string): Promise<any>;
}

const prefixes: Record<Person, string> = { teacher: 'lector', assist: 'assistants', admin: 'admin' };

interface Fixtures {
  $worker: {
    /** One browser for all files of a process. Windows that are still open are closed after each file. */
    browser: Browser;
  };
  $file: {
    /** The running product with a demo school. */
    demo: Demo;
    /** The running product before any school has been set up. */
    emptyServer: RunningServer;
  };
  $test: {
    /** Opens a signed-in page in a new window. The window is closed after the test. */
    signedIn(person: Person, at?: string, options?: BrowserContextOptions): Promise<Page>;
  };
}

/** Vitest's `it` with these fixtures. */
export const it = test.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which other fixtures are asked for.
    async ({}, use) => {
      const browser = await launchChromium({ isSparing: true });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  demo: [
    async ({ browser }, use) => {
      const server = await startServer();
      await use(openDemo(server, browser));
      await Promise.all(browser.contexts().map((context) => context.close()));
      await server.stop();
    },
    { scope: 'file' },
  ],
  emptyServer: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const server = await startServer({ DEMO: '0' });
      await use(server);
      await server.stop();
    },
    { scope: 'file' },
  ],
  signedIn: [
    async ({ demo }, use) => {
      const contexts: BrowserContext[] = [];
      await use(async (person, at, options) => {
        const context = await demo.browser.newContext({
          viewport: { width: 1280, height: 900 },
          locale: 'zh-CN',
          ...options,
        });
        contexts.push(context);
        return demo.signIn(context, person, at);
      });
      await Promise.all(contexts.map((context) => context.close()));
    },
    { scope: 'test' },
  ],
});

/** Signs in through the form. For tests of the form, or tests with their own browser. */
export async function fillSignIn(page: Pick<Page, 'fill' | 'click'>, person: Person): Promise<void> {
  await page.fill('#username', person);
  await page.fill('#password', demoPassword(person));
  await page.click('button:is(:text-is("登录"), :has(:text-is("登录")))');
}

/** Opens the user menu in the header, with account, colours and sign-out. */
export const openPersonMenu = (page: Pick<Page, 'click'>): Promise<void> =>
  page.click('header summary[title$="账号与退出"]');

function openDemo(server: RunningServer, browser: Browser): Demo {
  const { base } = server;
  const authenticate = async (context: BrowserContext, person: Person) => {
    const answer = await fetch(`${base}/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: person, password: demoPassword(person) }),
      headers: { origin: base },
      redirect: 'manual',
    });
    if (answer.status !== 302) throw new Error(`signing in as ${person} was answered ${answer.status}`);
    const pairs = answer.headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split(/=(.*)/));
    await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: base })));
  };
  return {
    server,
    browser,
    base,
    authenticate,
    async signIn(context, person, at = '/homework') {
      await authenticate(context, person);
      const page = await context.newPage();
      await page.goto(base + at);
      return page;
    },
    async ask(person, path) {
      const login = await fetch(`${base}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: person, password: demoPassword(person) }),
      });
      const { token } = (await login.json()).data;
      const headers = { authorization: `Bearer ${token}` };
      return (await (await fetch(`${base}/api/${prefixes[person]}/${path}`, { headers })).json()).data;
    },
  };
}
