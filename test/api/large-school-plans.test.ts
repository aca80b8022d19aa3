/** @module-tag thorough */
/** No read call scans a table that grows with the school; each uses an index. */

import { sql } from 'kysely';
import pino from 'pino';
import { expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { issueClient } from '#server/oneroster/clients.ts';
import { endpoints } from '#server/oneroster/endpoints.ts';
import { tokenPath } from '#server/oneroster/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { QueryKeeper, scannedBy } from '../support/query-plans.ts';
import { readingCalls, readRequests } from '../support/readings.ts';
import { findIds } from '../support/record-ids.ts';
import { senderFor } from '../support/requests.ts';

/** Tables that grow with every student, lesson, homework, exam or year. */
const growing = new Set(
  `student class_student class_earlier_stay class_course period history question question_search question_collect
  homework homework_class homework_question homework_scope homework_reminder report answer exam_question exam_report
  exam_answer exam_score attendance study_record class_session session_student session_handout communication_record
  class_meeting class_meeting_attendance class_notice class_ware lesson_ware community_member community_post
  community_comment community_like community_collect`.split(/\s+/),
);

async function scansOf(database: OpenDatabase, keeper: QueryKeeper): Promise<string[]> {
  const scans: string[] = [];
  await database.db.connection().execute(async (connection) => {
    // On small tables the planner prefers full scans. With full scans disabled, it uses them only where no index
    // exists.
    if (database.engine === 'postgres') await sql`set enable_seqscan = off`.execute(connection);
    for (const query of keeper.kept.values()) {
      const tables = await scannedBy({ ...database, db: connection }, query, growing);
      if (tables.length > 0) scans.push(`${tables.join(', ')}: ${query.sql}`);
    }
  });
  return scans;
}

describeEngines('query plans of a large school', (engine) => {
  it.for(demoAccounts.slice(0, 2))(
    'use indexes in all read calls of $username',
    { timeout: 900_000 },
    async ({ username, identity }) => {
      const demo = await openDemoSchool(engine);
      try {
        const { database, now, storage } = demo;
        const keeper = new QueryKeeper(database);
        const db = database.db.withPlugin(keeper);
        const log = pino({ level: 'silent' });
        const api = createApi({ database: { ...database, db }, storage, now: () => now, log, checkAnswers: false });
        const { id } = await database.db
          .selectFrom('staff')
          .select('id')
          .where('username', '=', username)
          .executeTakeFirstOrThrow();
        const token = await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now });
        const ask = senderFor(api, token);
        const ids = await findIds(ask, identity, now);
        for (const call of readingCalls) {
          for (const asking of readRequests(call, identity, ids, 'filters')) await ask(asking);
        }
        expect(keeper.kept.size).toBeGreaterThan(150);
        expect(await scansOf(database, keeper)).toEqual([]);
      } finally {
        await demo.close();
      }
    },
  );

  it('use indexes in all OneRoster reads', { timeout: 900_000 }, async () => {
    const demo = await openDemoSchool(engine);
    try {
      const { database, now, storage } = demo;
      const keeper = new QueryKeeper(database);
      const log = pino({ level: 'silent' });
      const db = database.db.withPlugin(keeper);
      const api = createApi({ database: { ...database, db }, storage, now: () => now, log, checkAnswers: false });
      const { id: school } = await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
      const bound = await issueClient(db, { name: '一所', reads: ['roster', 'gradebook'], schools: [school], now });
      const every = await issueClient(db, { name: '全部', reads: ['roster', 'gradebook'], now });
      for (const { client_id, client_secret } of [bound, every]) {
        const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
        const given = await api.fetch(new Request(`http://school.test${tokenPath}`, { method: 'POST', body: form }));
        const { access_token } = (await given.json()) as { access_token: string };
        const ids: Record<string, string[]> = {};
        const ask = async (address: string, isWithinBoth: boolean) => {
          const headers = { authorization: `Bearer ${access_token}` };
          const response = await api.fetch(new Request(`http://school.test${address}`, { headers }));
          // One of two classes in one of two schools.
          expect([address, isWithinBoth ? [200, 404] : [200]]).toEqual([
            address,
            expect.arrayContaining([response.status]),
          ]);
          return (await response.json()) as Record<string, { sourcedId: string }[]>;
        };
        // Lists first: nested resources need their ids.
        const depth = ({ path }: { path: string }) => path.split(':').length;
        for (const { path, resource, isOne } of [...endpoints].sort((one, other) => depth(one) - depth(other))) {
          const words = path.split('/');
          const own = words.at(isOne ? -2 : -1) ?? '';
          const named = isOne ? [own] : [...path.matchAll(/\/(\w+)\/:/g)].map(([, word = '']) => word);
          if (named.some((word) => !ids[word])) continue;
          for (const which of named.length === 0 ? [0] : [0, 1]) {
            let address = path;
            for (const word of named) {
              const known = ids[word] ?? [];
              const id = encodeURIComponent(known[which] ?? known[0] ?? '');
              address = address.replace(new RegExp(`/${word}/:\\w+`), `/${word}/${id}`);
            }
            const rows = (await ask(address, named.length > 1))[resource.many] ?? [];
            if (isOne) continue;
            const ends = [rows[0], rows.at(-1)].flatMap((row) => (row ? [row.sourcedId] : []));
            if (named.length === 0 && ends.length > 0) ids[own] = ends;
            const [field = ''] = Object.keys(resource.fields).slice(3);
            await ask(
              `${address}?limit=5&offset=2&sort=${field}&filter=${encodeURIComponent("status='active'")}`,
              named.length > 1,
            );
            await ask(
              `${address}?filter=${encodeURIComponent("sourcedId='none' OR dateLastModified>'2026-01-01'")}`,
              named.length > 1,
            );
          }
        }
        expect(Object.keys(ids)).toEqual(
          expect.arrayContaining(['classes', 'students', 'teachers', 'enrollments', 'lineItems', 'results']),
        );
      }
      expect(keeper.kept.size).toBeGreaterThan(80);
      expect(await scansOf(database, keeper)).toEqual([]);
    } finally {
      await demo.close();
    }
  });
});
