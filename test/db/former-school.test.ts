/** @module-tag thorough */
/** The school of a version long ago is brought to this one with all that is in it: its screens and calls answer as others do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import type { Services } from '#server/school/context.ts';
import { migrate, stateOfSchema } from '#server/school/migrate.ts';
import { openApp, signedSession } from '../support/app.ts';
import { formerNow, layFormerSchool } from '../support/former-school.ts';
import { expectHistoryToHaveWords } from '../support/history-words.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { type Ask, askingsOf, findIds, readingCalls, screensOf } from '../support/readings.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { expectCommunityCountersToBeRight } from '../support/recount-community.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

describeEngines('a school of a former version', (engine) => {
  let folder: string;
  let made: TestDatabase | undefined;
  let database: OpenDatabase;
  let before: Map<string, number>;
  let services: Services;
  const faults: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'former-'));
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    database = openDatabase(made?.url ?? path.join(folder, 'school.db'));
    before = await layFormerSchool(database);
    await migrate(database);
    const storage = await createStorage({ directory: path.join(folder, 'files') });
    const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(JSON.parse(line).err?.message) });
    services = { database, storage, now: () => formerNow, log, checkAnswers: true };
  });
  afterAll(async () => {
    await database?.destroy();
    await made?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has all of its rows, and counts them right', async () => {
    expect((await stateOfSchema(database)).toDo).toEqual([]);
    const after = new Map<string, number>();
    for (const table of before.keys()) {
      if (table.startsWith('kysely_')) continue;
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        database.db,
      );
      after.set(table, Number(rows[0]?.count));
    }
    const lost = [...after].filter(([table, count]) => count !== before.get(table));
    expect(lost).toEqual([]);
    await expectCountersToBeRight(database.db);
    await expectCommunityCountersToBeRight(database.db);
    await expectHistoryToHaveWords(database.db);
  });

  it.for(['teacher', 'assist'] as const)('answers all that %s asks, as the calls declare it', async (identity) => {
    const { id } = await database.db
      .selectFrom('staff')
      .select('id')
      .where('username', '=', identity)
      .executeTakeFirstOrThrow();
    const token = await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now: formerNow });
    const api = createApi(services);
    const failed: string[] = [];
    const answered = new Set<unknown>();
    const ask: Ask = async ({ method, address, body }) => {
      const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
      const sent = body ? { body: JSON.stringify(body) } : {};
      const response = await api.fetch(new Request(`http://school.test${address}`, { method, headers, ...sent }));
      const text = await response.text();
      if (response.status >= 500) failed.push(`${response.status} ${method} ${address} ${faults.at(-1)}`);
      return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
    };
    const ids = await findIds(ask, identity, formerNow);
    for (const call of readingCalls) {
      for (const asking of askingsOf(call, identity, ids, 'plain'))
        if ((await ask(asking)).status === 200) answered.add(call);
    }
    expect(failed).toEqual([]);
    expect(answered.size).toBeGreaterThan(80);

    // Screens ask what the calls are asked: those of one are enough, and of the other engine some.
    if (identity === 'assist') return;
    const addresses = engine === 'SQLite' ? screensOf(ids) : ['/homework', '/exams', '/classes', '/courseware'];
    const screens = (await openApp({ services })).fetch;
    const headers = { host: 'school.test', cookie: `session=${await signedSession({ token, identity })}` };
    let shown = 0;
    for (const address of ['/', ...addresses]) {
      const response = await screens(new Request(`http://school.test${address}`, { headers }));
      if (response.status >= 500) failed.push(`${response.status} ${address} ${faults.at(-1)}`);
      else if (response.status === 200) shown += 1;
      await response.body?.cancel();
    }
    expect(failed).toEqual([]);
    expect(shown).toBeGreaterThan(engine === 'SQLite' ? 30 : 4);
  });
});
