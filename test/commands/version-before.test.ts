/** @module-tag thorough */
/**
 * Two versions serve one school side by side, as they do while one takes the other's place: the version before the newest
 * migration has opened the database and goes on when this one has migrated it. What either writes the other reads, and
 * whatever the one before may be asked it answers. Its code is its own, from the history of the clone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '#server/demo/accounts.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { wallClock } from '#server/school/calendar.ts';
import { type Identity, prefixes } from '#server/school/call.ts';
import { knownMigrations, stateOfSchema } from '#server/school/migrate.ts';
import { differences, stateBefore } from '../learners/compare.ts';
import { playLearners } from '../learners/play.ts';
import { findScene } from '../learners/scene.ts';
import { runCommand } from '../support/commands.ts';
import { expectExamSumsToBeRight } from '../support/exams.ts';
import { expectHistoryToHaveWords } from '../support/history-words.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { askingsOf, findIds, type Ids, readingCalls } from '../support/readings.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { expectCommunityCountersToBeRight } from '../support/recount-community.ts';
import { type RunningServer, startApi } from '../support/running-server.ts';
import type { EngineName } from '../support/school.ts';
import { expectSchoolsOfRecords } from '../support/schools-of-records.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';
import { takeVersionBefore } from '../support/version-before.ts';

const sides = ['before', 'now'] as const;
type Side = (typeof sides)[number];
const people = ['teacher', 'assist', 'admin'] as const satisfies Identity[];
/** Who writes, and who reads it. */
const turns = [
  ['before', 'now'],
  ['now', 'before'],
] as const satisfies [Side, Side][];

interface Told {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the call answers.
  data: any;
  msg: string;
}

const before = await takeVersionBefore();
if ('missing' in before) {
  describe.skip(`the version before, beside this one: ${before.missing}`, () => {
    it('serves', () => undefined);
  });
} else {
  afterAll(() => before.remove());
  describeEngines(`the version of ${before.latest}, beside this one`, (engine) => besides(engine, before.folder));
}

function besides(engine: EngineName, former: string): void {
  let folder: string;
  let made: TestDatabase | undefined;
  let database: OpenDatabase;
  const servers = {} as Record<Side, RunningServer>;
  const tokens = {} as Record<Identity, string>;

  const ask = async (side: Side, token: string, address: string, body?: unknown, method?: string): Promise<Told> => {
    const response = await fetch(`${servers[side].base}${address}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { data, msg = '' } = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, data, msg };
  };
  const as = (who: Identity, side: Side, path: string, body?: unknown, method?: string) =>
    ask(side, tokens[who], `${prefixes[who]}/${path}`, body, method);
  /** What is answered to what must be taken. */
  const done = async (answer: Promise<Told>) => {
    const { status, msg, data } = await answer;
    expect([status, msg]).toEqual([200, expect.any(String)]);
    return data;
  };
  const idsOf = (who: Identity, side: Side): Promise<Ids> =>
    findIds(({ method, address, body }) => ask(side, tokens[who], address, body, method), who, wallClock());

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'versions-'));
    made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const environment = { VAR_DIR: folder, DATABASE_URL: made?.url ?? '', DEMO: '0', RESTORE_POINTS: '0' };
    const filled = await runCommand('server/demo/command.ts', [], environment, undefined, former);
    expect(filled).toMatchObject({ code: 0, stderr: '' });
    servers.before = await startApi(environment, former);
    servers.now = await startApi(environment);
    database = openDatabase(made?.url ?? path.join(folder, 'school.db'));
  });
  afterAll(async () => {
    for (const side of sides) await servers[side]?.stop();
    await database?.destroy();
    await made?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is ready on what this version has migrated', async () => {
    expect((await stateOfSchema(database)).done).toEqual(knownMigrations);
    for (const side of sides) await done(ask(side, '', '/readyz'));
  });

  it('signs people in for each other', async () => {
    for (const [writer, reader] of turns) {
      for (const username of people) {
        const { token } = await done(
          ask(writer, '', '/api/auth/login', { username, password: demoPassword(username) }),
        );
        expect(await done(ask(reader, token, '/api/auth/me'))).toMatchObject({ identity: username });
        tokens[username] = token;
      }
    }
  });

  it('publishes, keeps drafts and answers of students who are sent to either, and grades what they have handed in', async () => {
    const storage = await createStorage({ directory: path.join(folder, 'files') });
    const state = await stateBefore(database.db);
    const play = async (homeworkId?: number) => {
      const scene = await findScene(database.db, { students: 6, now: wallClock(), ...(homeworkId && { homeworkId }) });
      if ('wrong' in scene) throw new Error(scene.wrong);
      let calls = 0;
      const base = () => servers[sides[calls++ % 2] as Side].base;
      const played = await playLearners(scene, { base, seconds: 1, lost: 0, pictures: 0.3, saves: 2, poll: 0.1 });
      await scene.end();
      expect(played.tally.faults).toEqual([]);
      expect(played.acknowledged.filter(({ report }) => !report)).toEqual([]);
      expect(await differences(database.db, played.acknowledged, { before: state, storage })).toEqual([]);
      return played.acknowledged.map(({ report }) => report?.id ?? 0);
    };
    expect(await play()).toHaveLength(6);

    const ids = await idsOf('teacher', 'now');
    const scope = await Promise.all(
      [1, 2, 3].map(async (publish_scope) => {
        const query = `course_basis_id=${ids.course}&publish_scope=${publish_scope}`;
        const classes = await done(as('teacher', 'now', `hw/publish/classes?${query}`));
        return {
          publish_scope,
          students: Math.max(0, ...classes.map((one: { students_count: number }) => one.students_count)),
        };
      }),
    );
    const { publish_scope } = scope.find(({ students }) => students > 4) ?? {};
    for (const [writer, reader] of turns) {
      const name = `并行版本 ${writer}`;
      const { id } = await done(
        as('teacher', writer, 'hw/publish', {
          course_basis_id: ids.course,
          type: 1,
          name,
          ending_time: wallClock() + 86_400,
          is_set_score: 2,
          publish_scope,
          remark: '',
          question: [
            {
              ques_type: 1,
              ques_stem: '1+1=?',
              ques_option: [
                { content: '2', is_right: 1 },
                { content: '3', is_right: 2 },
              ],
              facility_value: 3,
              ques_score: 5,
            },
            { ques_type: 5, ques_stem: '简述集合的定义', right_answer: '略', facility_value: 2, ques_score: 10 },
          ],
        }),
      );
      expect((await done(as('teacher', reader, `hw/index?name=${encodeURIComponent(name)}`))).list).toMatchObject([
        { id },
      ]);
      const reports = await play(id);
      expect(reports).toHaveLength(6);
      const listed = async (side: Side) => {
        const { list } = await done(as('teacher', side, `homework/students/${id}?status=3&limit=100`));
        return list.map((one: { report_id: number }) => one.report_id).sort();
      };
      for (const report_id of reports) {
        const essay = async (side: Side) =>
          (await done(as('teacher', side, 'hw/review/detail', { report_id, type: 1 }))).list[0];
        const { id: ques_id, version } = await essay(reader);
        const mark = { report_id, ques_id, type: 2, user_score: 7.5, version, review_comment: '写得清楚' };
        const saved = await done(as('teacher', writer, 'hw/review/storeQuestion', mark));
        const again = { ...mark, user_score: 8, version: saved.version };
        const later = await done(as('teacher', reader, 'hw/review/storeQuestion', again));
        expect(await essay(writer)).toMatchObject({
          user_score: 8,
          version: later.version,
          review_comment: '写得清楚',
        });
        await done(as('teacher', writer, 'hw/review/storeReview', { report_id }));
      }
      for (const side of sides) expect(await listed(side)).toEqual(reports.toSorted());
    }
  });

  it('takes leave that the other was asked for, and knows who has changed what', async () => {
    const { attended, attendedClass } = await idsOf('teacher', 'now');
    const lessons = (await done(as('teacher', 'now', `stateschoolcourse/studyperiods/${attended}/${attendedClass}`)))
      .list;
    const cells: { uid: number; class_id: number; course_id: number; course_periods_id: number }[] = [];
    const students = (side: Side, period: number) =>
      done(
        as(
          'teacher',
          side,
          `stateschoolcourse/studystudents/${attended}/${attendedClass}?period_id=${period}&limit=100`,
        ),
      );
    for (const { id } of lessons)
      for (const { uid, op_status } of (await students('now', id)).list)
        if ([-1, 3, 4, 5].includes(op_status))
          cells.push({ uid, class_id: Number(attendedClass), course_id: Number(attended), course_periods_id: id });
    expect(cells.length).toBeGreaterThan(1);
    for (const [place, [writer, reader]] of turns.entries()) {
      const cell = cells[place];
      if (!cell) throw new Error('nobody to ask leave for');
      const stateOn = async (side: Side) => {
        const { list } = await students(side, cell.course_periods_id);
        return list.find((one: { uid: number }) => one.uid === cell.uid);
      };
      await done(as('teacher', writer, 'leave', { ...cell, leave_cause: '看病' }));
      const { leave_id } = await stateOn(reader);
      await done(as('teacher', reader, `leave/setOpStatus/${leave_id}`, { op_status: 2 }, 'PUT'));
      expect(await stateOn(writer)).toMatchObject({ op_status: 2, leave_cause: '看病' });
      await done(as('teacher', writer, 'leave/cancel', cell));
      expect(await stateOn(reader)).toMatchObject({ op_status: 4 });

      const name = `${place}年级`;
      const { id } = await done(as('admin', writer, 'catalogue/grades', { name }));
      const history = (side: Side) => done(as('admin', side, 'history?limit=20'));
      const { list } = await history(reader);
      expect(list[0]).toMatchObject({ record_id: id, title: name, action: 'add' });
      expect(list).toEqual((await history(writer)).list);
    }
  });

  // Assistants are answered by the calls of lecturers; what this version reads of a former one is asked elsewhere.
  it.for(['teacher', 'admin'] as const)('answers %s as the version before', async (who) => {
    const failed: string[] = [];
    let answered = 0;
    const ids = await idsOf(who, 'before');
    for (const call of readingCalls.filter(({ file }) => !file)) {
      for (const { method, address, body } of askingsOf(call, who, ids, 'plain')) {
        const { status, msg } = await ask('before', tokens[who], address, body, method);
        if (status === 200) answered += 1;
        if (status >= 500) failed.push(`${status} ${method} ${address} ${msg}`);
      }
    }
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(50);
  });

  it('leaves sums, words and schools of all records as either would alone', async () => {
    await expectCountersToBeRight(database.db);
    await expectCommunityCountersToBeRight(database.db);
    await expectExamSumsToBeRight(database.db);
    await expectHistoryToHaveWords(database.db);
    await expectSchoolsOfRecords(database.db);
  });
}
