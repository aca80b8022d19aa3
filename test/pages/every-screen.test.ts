import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Identity } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { openApp, signedSession } from '../support/app.ts';
import { crawl } from '../support/crawl.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';

let demo: DemoSchool;
let screens: (request: Request) => Promise<Response>;
const faults: string[] = [];

beforeAll(async () => {
  demo = await openDemoSchool('SQLite');
  const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(JSON.parse(line).err?.message) });
  const { database, storage } = demo;
  const services = { database, storage, now: () => demo.now, log, checkAnswers: true };
  screens = (await openApp({ services })).fetch;
});
afterAll(async () => {
  await demo?.close();
});

it.for<Identity>(['teacher', 'assist', 'admin'])(
  'every screen that the %s reaches by links answers',
  async (identity) => {
    const { id } = await demo.database.db
      .selectFrom('staff')
      .select('id')
      .where('username', '=', identity)
      .executeTakeFirstOrThrow();
    const token = await issueToken(demo.database.db, id, { device: 'test', address: '127.0.0.1', now: demo.now });
    const cookie = `session=${await signedSession({ token, identity })}`;
    const { visited } = await crawl(
      async (address) => {
        const headers = { host: 'school.test', cookie };
        const response = await screens(new Request(`http://school.test${address}`, { headers }));
        return { status: response.status, html: await response.text(), location: response.headers.get('location') };
      },
      { from: ['/'], each: 1, eachScreen: 1 },
    );
    expect(visited.filter(({ status }) => status >= 500)).toEqual([]);
    expect(faults).toEqual([]);
    expect(visited.length).toBeGreaterThan(100);
  },
);
