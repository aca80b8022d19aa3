/** Calls that show one student log the view in the history. */

import pino from 'pino';
import { expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { pathOfAnyRole } from '#server/platform/calls/call.ts';
import { viewAction } from '#server/platform/db/history.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { readingCalls, readRequests } from '../support/readings.ts';
import { findIds } from '../support/record-ids.ts';
import { senderFor } from '../support/requests.ts';

const looking = readingCalls.filter(({ looks }) => looks);

it('every call about one student or submission declares its log entry', () => {
  const ofOne =
    /:reportId|(?:^|\/)students\/:id|stateschoolstudent\/:id|stateschoolstudent\/study|hw\/review\/(?:list|detail)$/;
  // Exports of many students, and grading addresses that also name a report.
  const others = /export/;
  const paths = (calls: typeof readingCalls) => calls.map((call) => String(pathOfAnyRole(call)));
  const marked = new Set(paths(looking));
  expect(marked.size).toBeGreaterThan(15);
  expect(paths(readingCalls).filter((path) => ofOne.test(path) && !others.test(path) && !marked.has(path))).toEqual([]);
});

it.each(['teacher', 'assist', 'admin'] as const)(
  'calls of %s log every view',
  { timeout: 600_000 },
  async (identity) => {
    const demo = await openDemoSchool('SQLite');
    try {
      const { database, storage } = demo;
      let clock = demo.now;
      const log = pino({ level: 'silent' });
      const api = createApi({ database, storage, now: () => clock, log, checkAnswers: true });
      const { db } = database;
      const { id } = await db
        .selectFrom('staff')
        .select('id')
        .where('username', '=', identity)
        .executeTakeFirstOrThrow();
      const token = await issueToken(db, id, { device: 'test', address: '127.0.0.1', now: clock });
      const ask = senderFor(api, token);
      const ids = await findIds(ask, identity, clock);
      const notNoted: string[] = [];
      let asked = 0;
      for (const call of looking) {
        for (const asking of readRequests(call, identity, ids, 'plain')) {
          // One row an hour, so each call runs in its own hour.
          clock += 3600;
          if ((await ask(asking)).status !== 200) continue;
          asked += 1;
          const rows = await db
            .selectFrom('history')
            .select('id')
            .where('action', '=', viewAction)
            .where('staff_id', '=', id)
            .where('at', '=', clock)
            .execute();
          if (rows.length !== 1) notNoted.push(asking.address);
        }
      }
      expect(notNoted).toEqual([]);
      expect(asked).toBeGreaterThan(4);
    } finally {
      await demo.close();
    }
  },
);
