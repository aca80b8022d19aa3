/** No reading call goes through a table that grows with the school: of whatever it asks there is an index. */
import { sql } from 'kysely';
import pino from 'pino';
import { expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { QueryKeeper, scannedBy } from '../support/query-plans.ts';
import { type Ask, askingsOf, findIds, readingCalls } from '../support/readings.ts';

/** Of each there is more with every student, lesson, homework, exam or year. */
const growing = new Set(
  `student class_student class_earlier_stay class_course period history question question_search question_collect
  homework homework_class homework_question homework_scope homework_reminder report answer exam_question exam_report
  exam_answer exam_score attendance study_record class_session session_student session_handout communication_record
  class_meeting class_meeting_attendance class_notice class_ware lesson_ware community_member community_post
  community_comment community_like community_collect`.split(/\s+/),
);

describeEngines('the reading calls of a large school', (engine) => {
  it.for(demoAccounts.slice(0, 2))(
    'of $username find by indexes what they read',
    { timeout: 240_000 },
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
        const ask: Ask = async ({ method, address, body }) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const sent = body ? { body: JSON.stringify(body) } : {};
          const response = await api.fetch(new Request(`http://school.test${address}`, { method, headers, ...sent }));
          const text = await response.text();
          return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
        };
        const ids = await findIds(ask, identity, now);
        for (const call of readingCalls) {
          for (const asking of askingsOf(call, identity, ids, 'filters')) await ask(asking);
        }
        expect(keeper.kept.size).toBeGreaterThan(150);
        const scans: string[] = [];
        await database.db.connection().execute(async (connection) => {
          // In tables as small as these it would read everything; without, it reads so what it cannot read otherwise.
          if (database.engine === 'postgres') await sql`set enable_seqscan = off`.execute(connection);
          for (const query of keeper.kept.values()) {
            const tables = await scannedBy({ ...database, db: connection }, query, growing);
            if (tables.length > 0) scans.push(`${tables.join(', ')}: ${query.sql}`);
          }
        });
        expect(scans).toEqual([]);
      } finally {
        await demo.close();
      }
    },
  );
});
