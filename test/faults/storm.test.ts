/**
 * Grading goes on while the database is restarted, the server killed, and bodies are sent that are meant to stop it: a
 * grade that was acknowledged is there, once, and every counter is what a recount says. Small here; `npm run bench --
 * storm` runs the whole one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/engine.ts';
import { wallClock } from '#server/school/calendar.ts';
import { lasting } from '../support/lasting.ts';
import { addPaper, handIn, type Paper } from '../support/paper.ts';
import { type FailingPostgres, startFailingPostgres } from '../support/postgres.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { type EngineName, openTestSchool } from '../support/school.ts';
import { lockSqlite } from '../support/sqlite-locker.ts';

const whole = process.env.STORM === 'whole';
const grades = whole ? 2_000 : 240;
/** Restarts of the database (a lock by another process, of SQLite), and kills of the server. */
const faultsOfEach = whole ? 5 : 2;

interface Scene {
  /** For `openDatabase`. */
  location: string;
  environment: Record<string, string>;
  paper: Paper;
  reports: number[];
  token: string;
}

async function prepare(engine: EngineName, folder: string, postgres?: FailingPostgres): Promise<Scene> {
  const location = postgres?.url ?? path.join(folder, 'school.db');
  const school = await openTestSchool(engine, location, wallClock());
  if (!school) throw new Error('no school');
  const classes = [school.classes.k1, school.classes.k2, school.classes.k3];
  const paper = await addPaper(school, { creator: 'teacher', classes });
  const expected = await school.database.db
    .selectFrom('report')
    .select('student_id')
    .where('homework_id', '=', paper.homeworkId)
    .execute();
  const reports: number[] = [];
  for (const { student_id } of expected) reports.push(await handIn(school, paper, student_id));
  const { token } = school.people.teacher;
  await school.close();
  const environment = { VAR_DIR: folder, DEMO: '0', LOG_LEVEL: 'silent', DATABASE_URL: postgres?.url ?? '' };
  return { location, environment, paper, reports, token };
}

interface Storm {
  /** Of each report the last acknowledged mark in points, and how many there were. */
  acknowledged: Map<number, { score: number; version: number }>;
  statuses: Map<number, number>;
  cutOff: number;
}

/** Every answer but 200 and 503 is a fault, and so is a grade that is not taken on at its version. */
async function grade({ paper, token }: Scene, storm: Storm, reportId: number, base: () => string): Promise<void> {
  const known = storm.acknowledged.get(reportId);
  // Each mark differs from the one before: what changes nothing is no further version.
  const score = ((known?.score ?? -1) + 1) % 5;
  const body = JSON.stringify({
    report_id: reportId,
    ques_id: paper.questions.essay,
    type: 2,
    user_score: score,
    version: known?.version ?? 0,
  });
  const key = crypto.randomUUID();
  const ask = async (): Promise<{ status: number; body: { data: { version: number } } }> => {
    const response = await fetch(`${base()}/api/lector/hw/review/storeQuestion`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) {
    // Nothing, or half an answer: the server was killed, and nobody knows whether it has taken the grade.
    const answer = await ask().catch(() => undefined);
    if (!answer) {
      storm.cutOff += 1;
      continue;
    }
    storm.statuses.set(answer.status, (storm.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 503) continue;
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.anything()]);
    expect(answer.body.data.version).toBe((known?.version ?? 0) + 1);
    storm.acknowledged.set(reportId, { score, version: answer.body.data.version });
    return;
  }
  throw new Error('a grade was not taken for a minute');
}

/** Sends a body in pieces, without saying how long it is; what is answered, or that the line is cut, is the server's. */
function sendHostile(base: string, type: string, pieces: Iterable<string>): Promise<void> {
  return new Promise((resolve) => {
    const headers = { origin: base, 'content-type': type, 'transfer-encoding': 'chunked' };
    const request = http.request(`${base}/login`, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('close', resolve);
    });
    request.on('error', () => resolve());
    request.on('close', () => resolve());
    const writing = pieces[Symbol.iterator]();
    const more = () => {
      for (;;) {
        const { done, value } = writing.next();
        if (done) return request.end();
        if (!request.write(value)) return request.once('drain', more);
      }
    };
    more();
  });
}

async function throwBodies(base: string): Promise<void> {
  const megabyte = 'x'.repeat(1024 * 1024);
  await Promise.all([
    sendHostile(
      base,
      'application/x-www-form-urlencoded',
      Array.from({ length: 48 }, () => 'a&'.repeat(32 * 1024)),
    ),
    sendHostile(
      base,
      'multipart/form-data; boundary=b',
      (function* () {
        for (let field = 0; field < 200; field += 1) {
          yield `--b\r\ncontent-disposition: form-data; name="f${field}"\r\n\r\n${megabyte}\r\n`;
        }
        yield '--b--\r\n';
      })(),
    ),
  ]);
}

describe('a storm of grades', () => {
  const overEngines = it.for<EngineName>(['SQLite', 'PostgreSQL']);
  overEngines('loses and doubles nothing on %s', { timeout: whole ? 1_800_000 : 120_000 }, async (engine, { skip }) => {
    const postgres = engine === 'PostgreSQL' ? await startFailingPostgres() : undefined;
    const missing = engine === 'PostgreSQL' && !postgres ? 'no PostgreSQL can be started on this machine' : undefined;
    if (missing) console.info(missing);
    skip(missing !== undefined, missing);
    const folder = await mkdtemp(path.join(tmpdir(), 'storm-'));
    let server: RunningServer | undefined;
    try {
      const scene = await prepare(engine, folder, postgres);
      const start = () => startServer(scene.environment);
      server = await start();
      const storm: Storm = { acknowledged: new Map(), statuses: new Map(), cutOff: 0 };
      let taken = 0;
      let stopped = false;
      const base = () => server?.base ?? '';
      const grader = async (reports: number[]) => {
        for (let turn = 0; !stopped && taken < grades; turn += 1) {
          await grade(scene, storm, reports[turn % reports.length] as number, base);
          taken += 1;
        }
      };
      const disturbances = [
        async (round: number) => {
          if (!postgres) {
            const lock = await lockSqlite(scene.location);
            await lasting(1_000);
            return lock.release();
          }
          await postgres.end(round % 2 ? 'QUIT' : 'INT');
          await lasting(200);
          await postgres.start();
        },
        async () => {
          await server?.kill();
          server = await start();
        },
      ];
      const trouble = async () => {
        const faults = 2 * faultsOfEach;
        for (let number = 0; number < faults; number += 1) {
          // Spread over the storm; the last grades come after the last fault.
          while (!stopped && taken < (grades * (number + 0.5)) / faults) await wait(10);
          if (stopped) return;
          const bodies = throwBodies(base());
          await disturbances[number % 2]?.(number >> 1);
          await bodies;
        }
      };
      // Each grader has reports of their own, so each knows which version their next mark is for.
      const graders = Array.from({ length: 6 }, (_, one) => scene.reports.filter((_, index) => index % 6 === one));
      const working = [...graders.map(grader), trouble()];
      await Promise.all(working).finally(async () => {
        stopped = true;
        // Also where one has failed: a server that is just being started must not outlive the test.
        await Promise.allSettled(working);
      });
      await server.kill();
      server = undefined;

      const database = openDatabase(scene.location);
      try {
        const stored = await database.db
          .selectFrom('answer')
          .innerJoin('report', 'report.id', 'answer.report_id')
          .select(['answer.report_id', 'answer.score', 'answer.version', 'report.subjective_score'])
          .where('answer.question_id', '=', scene.paper.questions.essay)
          .execute();
        expect(stored.map(({ report_id, score, version }) => ({ report_id, score, version }))).toEqual(
          stored.map(({ report_id }) => {
            const { score, version } = storm.acknowledged.get(report_id) ?? { score: 0, version: 0 };
            return { report_id, score: score * 10, version };
          }),
        );
        // Whole or not at all: the report's sum and the answer never differ.
        expect(stored.map((row) => row.subjective_score)).toEqual(stored.map((row) => row.score));
        const history = await database.db.selectFrom('history').select('id').where('action', '=', 'grade').execute();
        expect(history).toHaveLength(taken);
        await expectCountersToBeRight(database.db);
      } finally {
        await database.destroy();
      }
      // The storm was one: some were told to come again, some were cut off.
      expect((storm.statuses.get(503) ?? 0) + storm.cutOff).toBeGreaterThan(0);
      if (whole)
        console.log(
          `${engine}: ${taken} grades, answers ${JSON.stringify([...storm.statuses])}, ${storm.cutOff} cut off`,
        );
    } finally {
      await server?.stop();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
