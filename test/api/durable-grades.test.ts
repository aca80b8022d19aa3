/** A grade that was acknowledged is there whatever happens to the server (design, section 5). */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/db/engine.ts';
import { addPaper, handIn, type Paper } from '../support/paper.ts';
import { openTestSchool } from '../support/school.ts';

const root = path.resolve(import.meta.dirname, '../..');
const rounds = 6;

let folder: string;
let token: string;
let paper: Paper;
let reports: number[];
let server: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'durable-'));
  const school = await openTestSchool('SQLite', path.join(folder, 'school.db'));
  if (!school) throw new Error('no SQLite');
  paper = await addPaper(school, {
    creator: 'teacher',
    classes: [school.classes.k1, school.classes.k2, school.classes.k3],
  });
  const expected = await school.database.db
    .selectFrom('report')
    .select('student_id')
    .where('homework_id', '=', paper.homeworkId)
    .execute();
  reports = [];
  for (const { student_id } of expected) reports.push(await handIn(school, paper, student_id));
  token = school.people.teacher.token;
  // The school's clock stands still in the tests; the server's does not.
  await school.database.db
    .updateTable('sign_in')
    .set({ used_at: Math.floor(Date.now() / 1000) })
    .execute();
  await school.close();
});

afterAll(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

/** The API as a process of its own; the address to ask. */
async function startServer(): Promise<string> {
  const port = await freePort();
  server = spawn(process.execPath, ['server/commands/api.ts'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), VAR_DIR: folder, DEMO: '0', DATABASE_URL: '', NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return address;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server does not answer');
}

const killed = () =>
  new Promise<void>((resolve) => {
    if (!server || server.signalCode !== null) resolve();
    server?.once('exit', () => resolve());
    server?.kill('SIGKILL');
  });

test('a server that is killed at any moment loses no acknowledged grade', { timeout: 120_000 }, async () => {
  const acknowledged = new Map<string, { score: number; version: number }>();
  let saves = 0;
  for (let round = 0; round < rounds; round += 1) {
    const address = await startServer();
    // Somewhere between the first save and the fiftieth.
    const end = setTimeout(() => server?.kill('SIGKILL'), 20 + Math.random() * 250);
    for (;;) {
      const report_id = reports[saves % reports.length] as number;
      const score = ((saves * 7) % 100) / 10;
      const known = acknowledged.get(String(report_id));
      saves += 1;
      const answer = await fetch(`${address}/api/lector/hw/review/storeQuestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          report_id,
          ques_id: paper.questions.essay,
          type: 2,
          user_score: score,
          version: known?.version ?? 0,
        }),
      }).then(
        async (response) => (await response.json()) as { code: number; data: { version: number } },
        () => undefined,
      );
      if (!answer) break;
      if (answer.code === 200) acknowledged.set(String(report_id), { score: score * 10, version: answer.data.version });
      // The one before the crash may have been saved although its answer never came: its version tells.
      else if (answer.code === 409)
        acknowledged.set(String(report_id), { score: Number.NaN, version: answer.data.version });
    }
    clearTimeout(end);
    await killed();

    const database = openDatabase(path.join(folder, 'school.db'));
    const stored = await database.db
      .selectFrom('answer')
      .innerJoin('report', 'report.id', 'answer.report_id')
      .select(['answer.report_id', 'answer.score', 'answer.version', 'report.subjective_score'])
      .where('answer.question_id', '=', paper.questions.essay)
      .execute();
    const history = await database.db.selectFrom('history').select('id').where('action', '=', 'grade').execute();
    await database.destroy();
    for (const { report_id, score, version, subjective_score } of stored) {
      const known = acknowledged.get(String(report_id));
      // Whole or not at all: the report's sum and the answer never differ.
      expect(subjective_score).toBe(score ?? 0);
      if (!known) continue;
      expect(version).toBeGreaterThanOrEqual(known.version);
      if (version === known.version && !Number.isNaN(known.score)) expect(score).toBeCloseTo(known.score);
    }
    expect(history).toHaveLength(stored.reduce((sum, { version }) => sum + version, 0));
  }
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(saves).toBeGreaterThan(rounds * 3);
});
