/** @module-tag thorough */
/**
 * Students take an exam and do a homework while the server is killed, the database restarted and connections are cut.
 * Every acknowledged answer is stored exactly once, and every sum equals a recount. This is the small version: `npm run
 * bench -- storm` runs the full one, and `npm run learners` runs against any server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { wallClock } from '#server/school/calendar.ts';
import { differences, stateBefore } from '../learners/compare.ts';
import { playLearners } from '../learners/play.ts';
import { addStudents, findScene } from '../learners/scene.ts';
import { addExam, expectExamSumsToBeRight, submitExamReport } from '../support/exams.ts';
import { applicationOf } from '../support/learner.ts';
import { addPaper } from '../support/paper.ts';
import { pauseFor } from '../support/pause.ts';
import { startFailingPostgres } from '../support/postgres.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { day, type EngineName, openTestSchool } from '../support/school.ts';
import { lockSqlite } from '../support/sqlite-locker.ts';

const whole = process.env.STORM === 'whole';
/** Students who take the exam. Others do the homework. */
const students = whole ? 300 : 20;
const seconds = whole ? 90 : 8;
const kills = whole ? 5 : 2;
const restarts = whole ? 2 : 1;

interface Scene {
  location: string;
  environment: Record<string, string>;
  token: string;
  examId: number;
  homeworkId: number;
}

async function prepare(engine: EngineName, folder: string, url: string | undefined): Promise<Scene> {
  const location = url ?? path.join(folder, 'school.db');
  const school = await openTestSchool(engine, location, wallClock());
  if (!school) throw new Error('no school');
  const { db } = school.database;
  const { school_id } = await db
    .selectFrom('student')
    .select('school_id')
    .where('id', '=', school.students.k1[0] as number)
    .executeTakeFirstOrThrow();
  await addStudents(db, school_id, students, wallClock());
  const exam = await addExam(db, { creator: school.people.teacher.id, school: school_id });
  await db.updateTable('exam').set({ attempts: 1, published_at: wallClock() }).where('id', '=', exam.id).execute();
  const { homeworkId } = await addPaper(school, {
    creator: 'teacher',
    classes: [school.classes.k1, school.classes.k2],
  });
  await db
    .updateTable('homework')
    .set({ ending_time: wallClock() + day })
    .where('id', '=', homeworkId)
    .execute();
  const { token } = await applicationOf(school);
  await school.close();
  const environment = { VAR_DIR: folder, DEMO: '0', LOG_LEVEL: 'silent', DATABASE_URL: url ?? '' };
  return { location, environment, token, examId: exam.id, homeworkId };
}

describe('comparison with the database', () => {
  it('detects lost, doubled and miscounted answers', async () => {
    const school = await openTestSchool('SQLite', ':memory:', wallClock());
    if (!school) throw new Error('no school');
    const { db } = school.database;
    const [uid = 0, other = 0, third = 0] = school.students.k1;
    const { id: examId, questions } = await addExam(db, { creator: school.people.teacher.id, school: 1 });
    const before = await stateBefore(db);
    const told = { kind: 'exam' as const, recordId: examId, saves: 0, pictures: [], started: false };
    const [question = 0] = questions;
    const id = await submitExamReport(db, { id: examId, questions }, uid, ['2']);
    const { submit_time: submitTime } = await db
      .selectFrom('exam_report')
      .select('submit_time')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const report = { id, submitTime };
    const right = { ...told, uid, answers: new Map([[question, '2']]), report };
    expect(await differences(db, [right], { before })).toEqual([]);
    const wrong = [
      { ...right, started: true },
      { ...right, answers: new Map([[question, '3']]) },
      { ...right, report: { id, submitTime: submitTime + 1 } },
      { ...told, uid: other, answers: new Map([[question, '2']]), report: { ...report, id: id + 1 } },
    ];
    expect(await differences(db, wrong, { before })).toEqual([
      `student ${uid}, exam ${examId}: the start is lost`,
      `student ${uid}, exam ${examId}, question ${question}: another answer than the last`,
      `student ${uid}, exam ${examId}: handed in at another time than it was told`,
      `student ${other}, exam ${examId}: handed in as report ${id + 1}, which is lost`,
      `student ${other}, exam ${examId}, question ${question}: the answer is lost`,
    ]);
    await submitExamReport(db, { id: examId, questions }, uid, ['2']);
    await submitExamReport(db, { id: examId, questions }, third, []);
    await db.updateTable('exam_figures').set({ submitted_count: 2 }).where('exam_id', '=', examId).execute();
    expect(await differences(db, [right], { before })).toEqual([
      `student ${uid}, exam ${examId}: handed in 2 times`,
      `exam ${examId}: 2 reports in its sums, 3 counted`,
    ]);
    await school.close();
  });
});

describe('storm of learners', () => {
  const overEngines = it.for<EngineName>(['SQLite', 'PostgreSQL']);
  overEngines('loses and doubles nothing on %s', { timeout: whole ? 900_000 : 240_000 }, async (engine, { skip }) => {
    const postgres = engine === 'PostgreSQL' ? await startFailingPostgres() : undefined;
    const missing = engine === 'PostgreSQL' && !postgres ? 'no PostgreSQL can be started on this machine' : undefined;
    if (missing) console.info(missing);
    skip(missing !== undefined, missing);
    const folder = await mkdtemp(path.join(tmpdir(), 'learners-'));
    let server: RunningServer | undefined;
    try {
      const { location, environment, ...wishes } = await prepare(engine, folder, postgres?.url);
      const before = openDatabase(location);
      const state = await stateBefore(before.db);
      const scene = await findScene(before.db, { ...wishes, students, now: wallClock() });
      await before.destroy();
      if ('wrong' in scene) throw new Error(scene.wrong);
      server = await startServer(environment);
      let playing = true;
      const playedOut = playLearners(scene, {
        base: () => server?.base ?? '',
        seconds,
        lost: 0.2,
        pictures: 0.3,
        saves: 4,
        poll: 1,
      }).finally(() => {
        playing = false;
      });
      const restart = async (round: number) => {
        if (!postgres) {
          const lock = await lockSqlite(location);
          await pauseFor(1_000);
          return lock.release();
        }
        await postgres.end(round % 2 ? 'QUIT' : 'INT');
        await pauseFor(200);
        await postgres.start();
      };
      const trouble = async () => {
        for (let round = 0; round < kills && playing; round += 1) {
          await pauseFor((seconds * 1_000) / (kills + 1));
          await server?.kill();
          server = await startServer(environment);
          if (round < restarts) await restart(round);
        }
      };
      const [played] = await Promise.all([playedOut, trouble()]).finally(async () => {
        // Also on failure: a starting server must not outlive the test.
        while (playing) await wait(10);
      });
      await server.kill();
      server = undefined;

      const { tally, acknowledged } = played;
      expect(tally.faults).toEqual([]);
      expect(acknowledged.filter(({ report }) => report).length).toBe(acknowledged.length);
      expect(new Set(acknowledged.map(({ kind }) => kind))).toEqual(new Set(['exam', 'homework']));
      const database = openDatabase(location);
      try {
        const storage = await createStorage({ directory: path.join(folder, 'files') });
        expect(await differences(database.db, acknowledged, { before: state, storage })).toEqual([]);
        await expectExamSumsToBeRight(database.db);
        await expectCountersToBeRight(database.db);
      } finally {
        await database.destroy();
      }
      // Faults did happen.
      expect(tally.cut).toBeGreaterThan(0);
      expect((tally.statuses.get(503) ?? 0) + tally.broken).toBeGreaterThan(0);
    } finally {
      await server?.stop();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
