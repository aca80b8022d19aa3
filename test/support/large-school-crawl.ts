/**
 * Tests every screen and every read call for every role, with the planner statistics of a large school: small schools
 * have none, and plans depend on them.
 */

import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Api, createApi } from '#server/api.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import { openApp, signedSession } from './app.ts';
import { bareScores } from './bare-scores.ts';
import { inReachBeside } from './behind-dialog.ts';
import { builtRoutes } from './built-routes.ts';
import { crawl, type Visit } from './crawl.ts';
import { type DemoSchool, openDemoSchool } from './demo-school.ts';
import { plantLargeSchoolStatistics } from './large-school-statistics.ts';
import { readingCalls, readRequests, uncoveredReadings } from './readings.ts';
import { findIds, type Ids } from './record-ids.ts';
import type { SendRequest } from './requests.ts';
import type { EngineName } from './school.ts';
import { screenAddresses } from './screen-addresses.ts';

const zone = 'Asia/Shanghai';

/** Records without a list: drafts, imports and exports, visible to their maker alone. */
const withoutList = [
  'hw/draft/:id',
  '/exports/:token',
  'ques/importing/:importId',
  'ques/importing/:importId/rows/:row',
  'ques/importing/:importId/columns',
  'exams/importing/:importId',
  'exams/importing/:importId/rows/:row',
  'exams/importing/:importId/columns',
  'files/:year/:month/:name',
];

/** One person per identity reads all scores; the other people see different screens. */
const first = ['teacher', 'assist'];

/** Some of the screens that show scores. */
const withScores = ['/homework/detail', '/homework/preview', '/exams/detail', '/exams/approve/view', '/exams/preview'];

/** Declares the tests; one file for each engine, since a build of the screens serves one school. */
export function answersEverythingOf(engine: EngineName): void {
  it('has sample values for every read call', () => {
    expect(uncoveredReadings()).toEqual([]);
  });

  if (engine === 'SQLite' || inject('postgres')) describe(`large school on ${engine}`, () => declare(engine));
  else it.skip(`a large school on ${engine}: none here, the top of the run says why`);
}

function declare(engine: EngineName): void {
  let demo: DemoSchool;
  let database: OpenDatabase;
  let services: Services;
  let api: Api;
  let screens: (request: Request) => Promise<Response>;
  const faults: string[] = [];
  /** 09:00: later in the day its lessons are over and have no join codes. */
  let now: number;
  const answered = new Set<unknown>();
  const visitedRoutes = new Set<string>();
  const dialogs = new Set<string>();
  /** Per person: scores without exactly one decimal, and the pages where scores were looked for. */
  const bare = new Map(first.map((username) => [username, { found: [] as string[], places: new Set<string>() }]));

  beforeAll(async () => {
    demo = await openDemoSchool(engine);
    now = dayStart(dayOf(demo.now, zone), zone) + 9 * 3600;
    const { storage } = demo;
    ({ database } = demo);
    await plantLargeSchoolStatistics(database);
    const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(JSON.parse(line).err?.message) });
    services = { database, storage, now: () => now, log, checkAnswers: true };
    api = createApi(services);
    screens = (await openApp({ services })).fetch;
  });
  afterAll(async () => {
    await demo?.close();
  });

  it.for(demoAccounts)(
    'answers every call and screen of $username',
    { timeout: 900_000 },
    async ({ username, identity }) => {
      const { id } = await database.db
        .selectFrom('staff')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow();
      const token = await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now });
      const failed: string[] = [];

      const ask: SendRequest = async ({ method, address, body }) => {
        const response = await api.fetch(
          new Request(`http://school.test${address}`, {
            method,
            headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
        );
        const text = await response.text();
        if (response.status >= 500)
          failed.push(`${response.status} ${method} ${address} ${JSON.stringify(body)} ${faults.at(-1)}`);
        return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
      };
      const ids: Ids = await findIds(ask, identity, now);
      const isFirst = first.includes(username) || identity === 'admin';
      // With each filter alone.
      const each = isFirst ? 'filters' : 'plain';
      for (const call of readingCalls) {
        for (const asking of readRequests(call, identity, ids, each)) {
          const { status } = await ask(asking);
          if (status === 200) answered.add(call);
        }
      }

      if (!isFirst && engine === 'PostgreSQL') {
        expect(failed).toEqual([]);
        return;
      }
      const cookie = `session=${await signedSession({ token, identity })}`;
      // On PostgreSQL the calls already cover the screens' queries; SQLite's planner is the one that fails.
      const isWhole = isFirst && engine === 'SQLite';
      const scores = isWhole ? bare.get(username) : undefined;
      // Reports of the first exam, which both people see; the crawl also reaches exams that nobody took.
      const taken = isWhole
        ? await database.db.selectFrom('exam_report').select('id').orderBy('id').limit(3).execute()
        : [];
      const sheets = taken.flatMap(({ id: report }) => [
        `/exams/approve/view?report_id=${report}`,
        `/exams/approve?report_id=${report}`,
      ]);
      const visit: Visit = async (address) => {
        const response = await screens(
          new Request(`http://school.test${address}`, { headers: { host: 'school.test', cookie } }),
        );
        const html = await response.text();
        if (response.status >= 500) failed.push(`${response.status} ${address} ${faults.at(-1)}`);
        if (html.includes('<dialog open')) dialogs.add(new URL(address, 'http://school.test').pathname);
        if (scores && response.status === 200) {
          scores.found.push(...bareScores(html).map((found) => `${address} ${found}`));
          scores.places.add(new URL(address, 'http://school.test').pathname);
        }
        for (const beside of inReachBeside(html)) failed.push(`${address} has in reach beside its dialog: ${beside}`);
        return { status: response.status, html, location: response.headers.get('location') };
      };
      const { visited } = await crawl(visit, {
        from: [
          '/',
          ...screenAddresses(ids),
          ...(isWhole ? ['/homework', '/homework?tab=approve', '/exams', ...sheets] : []),
        ],
        each: isWhole ? 3 : 1,
        eachScreen: isWhole ? 4 : 1,
      });
      const { idsAt } = await builtRoutes();
      for (const { address, status } of visited) {
        // A dialog refused for its record's state has still read the record.
        if (status < 500) for (const id of idsAt(address)) visitedRoutes.add(id);
      }
      expect(failed).toEqual([]);
    },
  );

  if (engine === 'SQLite') {
    it.for(first)('shows every score with one decimal to %s', (username) => {
      expect(bare.get(username)?.found).toEqual([]);
      // Proves that the crawl reached pages with scores.
      expect([...(bare.get(username)?.places ?? [])]).toEqual(expect.arrayContaining(withScores));
    });
  }

  it('leaves out no call and no screen', async () => {
    const unanswered = readingCalls.filter((call) => !answered.has(call)).map(({ path: named }) => named);
    expect(unanswered).toEqual(withoutList);
    // On PostgreSQL only one screen of each kind was read.
    if (engine === 'PostgreSQL') return;
    const { build } = await builtRoutes();
    // Excluded: learners' pages (pages/learn.test.ts), identity provider pages (pages/identity.test.ts), and questions of
    // an import (faults/forms.test.ts).
    const elsewhere = /^Learn|^learn\/|^LoginBegin$|^LoginReturn$|^account\/logout$|Import(?:Edit|Columns)$/;
    const pages = Object.values(build.routes).flatMap((route) =>
      route?.module.default && !elsewhere.test(route.id) ? [route.id] : [],
    );
    expect(pages.filter((id) => !visitedRoutes.has(id)).sort()).toEqual([]);
    // Some dialogs are forbidden by the state of the first record found.
    expect(dialogs.size).toBeGreaterThan(40);
  });
}
