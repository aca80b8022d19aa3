/** @module-tag thorough */
/**
 * Lecturers grade while the database is restarted, the server killed and hostile bodies are sent. Every acknowledged
 * grade is stored exactly once, and every counter equals a recount. This is the small version: `npm run bench -- storm`
 * runs the full one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/engine.ts';
import { grade, prepareGrading, type Storm } from '../support/graders.ts';
import { pauseFor } from '../support/pause.ts';
import { startFailingPostgres } from '../support/postgres.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import type { EngineName } from '../support/school.ts';
import { lockSqlite } from '../support/sqlite-locker.ts';

const whole = process.env.STORM === 'whole';
const grades = whole ? 2_000 : 240;
/** Database restarts (SQLite: a foreign lock), and server kills. */
const faultsOfEach = whole ? 5 : 2;

/** Sends a chunked body; the server answers or cuts. */
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

describe('storm of grades', () => {
  const overEngines = it.for<EngineName>(['SQLite', 'PostgreSQL']);
  overEngines('loses and doubles nothing on %s', { timeout: whole ? 1_800_000 : 120_000 }, async (engine, { skip }) => {
    const postgres = engine === 'PostgreSQL' ? await startFailingPostgres() : undefined;
    const missing = engine === 'PostgreSQL' && !postgres ? 'no PostgreSQL can be started on this machine' : undefined;
    if (missing) console.info(missing);
    skip(missing !== undefined, missing);
    const folder = await mkdtemp(path.join(tmpdir(), 'storm-'));
    let server: RunningServer | undefined;
    try {
      const scene = await prepareGrading(engine, folder, postgres?.url);
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
            await pauseFor(1_000);
            return lock.release();
          }
          await postgres.end(round % 2 ? 'QUIT' : 'INT');
          await pauseFor(200);
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
          // Spread over the storm; the last grades follow the last fault.
          while (!stopped && taken < (grades * (number + 0.5)) / faults) await wait(10);
          if (stopped) return;
          const bodies = throwBodies(base());
          await disturbances[number % 2]?.(number >> 1);
          await bodies;
        }
      };
      // Each grader owns reports, and so knows their versions.
      const graders = Array.from({ length: 6 }, (_, one) => scene.reports.filter((_, index) => index % 6 === one));
      const working = [...graders.map(grader), trouble()];
      await Promise.all(working).finally(async () => {
        stopped = true;
        // Also on failure: a starting server must not outlive the test.
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
        // Report sum and answer change together.
        expect(stored.map((row) => row.subjective_score)).toEqual(stored.map((row) => row.score));
        const history = await database.db.selectFrom('history').select('id').where('action', '=', 'grade').execute();
        expect(history).toHaveLength(taken);
        await expectCountersToBeRight(database.db);
      } finally {
        await database.destroy();
      }
      // Faults did happen: some were told to retry, some cut off.
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
