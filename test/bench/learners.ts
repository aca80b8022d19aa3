/**
 * Measures calls of learners: saving answers compared with the bare commit, polling by thousands, many hand-ins of one
 * homework at once, and an exam day with graders.
 */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '#server/api.ts';
import { type Database, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { wallClock } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import { differences, stateBefore } from '../learners/compare.ts';
import { Line } from '../learners/line.ts';
import { playLearners, quantile } from '../learners/play.ts';
import { findScene, type Scene } from '../learners/scene.ts';
import { middleOf } from './browser.ts';
import { mark, overSocket, type Send, tokenOf, waitingAnswers } from './grading.ts';
import { copyBeside } from './postgres.ts';
import { type BenchServer, startServer } from './server.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

interface Options {
  quick: boolean;
  /** True to measure the small school on PostgreSQL instead of the one in the data folder. */
  databaseUrl?: string | undefined;
}

/** Load goals: students who take an exam within `seconds`, while `graders` grade; `saves` by each student. */
const examDay = { SQLite: 1_000, PostgreSQL: 3_000, seconds: 60, saves: 8, graders: 100 } as const;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** `varDir` holds a small school; a copy of it is used. */
export async function measureLearners(varDir: string, note: Note, { quick, databaseUrl }: Options): Promise<void> {
  if (!databaseUrl) await savesAgainstCommits(varDir, note, quick ? 200 : 1_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-learners-'));
  cpSync(path.join(varDir, 'files'), path.join(folder, 'files'), { recursive: true });
  const copy = databaseUrl ? await copyBeside(databaseUrl, 'learners') : undefined;
  if (!copy) copyFileSync(path.join(varDir, 'school.db'), path.join(folder, 'school.db'));
  const database = openDatabase(copy?.url ?? path.join(folder, 'school.db'));
  const { db } = database;
  let server: BenchServer | undefined;
  try {
    const most = databaseUrl ? examDay.PostgreSQL : examDay.SQLite;
    const students = quick ? Math.round(most / 10) : most;
    const scene = await findScene(db, { students, now: wallClock() });
    if ('wrong' in scene) throw new Error(scene.wrong);
    server = await startServer({ port: 4393, varDir: folder, databaseUrl: copy?.url });
    await readLists(server, scene, note, quick ? 1 : 3);
    await handIns(server, { db, scene, note }, quick ? 100 : 400);
    await dayOfExam(server, { db, scene, note, folder }, quick ? examDay.seconds / 4 : examDay.seconds);
    await scene.end();
  } finally {
    await server?.stop();
    await database.destroy();
    await copy?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compares saving exam answers by the API with writing the same rows by bare prepared statements, in one process and
 * on one disk. Alternates, so that both run under the same load.
 */
async function savesAgainstCommits(varDir: string, note: Note, count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-saves-'));
  const file = path.join(folder, 'school.db');
  copyFileSync(path.join(varDir, 'school.db'), file);
  const database = openDatabase(file);
  const storage = await createStorage({ directory: path.join(folder, 'files') });
  const services: Services = { database, storage, now: wallClock, log: openLog(), checkAnswers: false };
  const api = createApi(services);
  const scene = await findScene(database.db, { students: 20, now: wallClock() });
  if ('wrong' in scene || !scene.exam) throw new Error('no exam');
  const { id: examId, uids } = scene.exam;
  const ask = async (method: string, address: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && { body: JSON.stringify(body) };
    const response = await api.fetch(new Request(`http://school/api/app/${address}`, { method, headers, ...sent }));
    if (response.status !== 200) throw new Error(`${address} was answered ${response.status}`);
    return ((await response.json()) as { data: never }).data as { token: string; attempt_id: number };
  };
  const learners: { token: string; attempt: number }[] = [];
  for (const uid of uids) {
    const { token } = await ask('POST', 'session', scene.token, { uid });
    const { attempt_id } = await ask('POST', `exams/${examId}/start`, token, {});
    learners.push({ token, attempt: attempt_id });
  }
  const questions = await database.db
    .selectFrom('exam_question')
    .select('id')
    .where('exam_id', '=', examId)
    .where('ques_type', '!=', 6)
    .limit(3)
    .execute();
  const bare = new DatabaseSync(file);
  bare.exec('pragma synchronous = full; pragma busy_timeout = 5000; pragma foreign_keys = on');
  const keep = bare.prepare(
    `insert into exam_attempt_answer (attempt_id, question_id, user_answer, is_sign, serial, saved_at)
     values (?, ?, ?, 0, ?, ?) on conflict (attempt_id, question_id)
     do update set user_answer = excluded.user_answer, serial = excluded.serial, saved_at = excluded.saved_at`,
  );
  const raise = bare.prepare('update exam_attempt set saves = saves + 1 where id = ?');
  const saves: number[] = [];
  const commits: number[] = [];
  for (let round = 1; round <= count; round += 1) {
    const { token, attempt } = learners[round % learners.length] as (typeof learners)[number];
    const answers = questions.map(({ id }) => ({ ques_id: id, user_answer: `${round}`, serial: 2 * round }));
    const asked = performance.now();
    await ask('POST', `exams/${examId}/answers`, token, { answers });
    saves.push(performance.now() - asked);
    const begun = performance.now();
    bare.exec('begin immediate');
    for (const { id } of questions) keep.run(attempt, id, `${round}`, 2 * round + 1, wallClock());
    raise.run(attempt);
    bare.exec('commit');
    commits.push(performance.now() - begun);
  }
  bare.close();
  await database.destroy();
  rmSync(folder, { recursive: true });
  const [save, commit] = [middleOf(saves), middleOf(commits)];
  note(
    'answers of an exam saved, against the bare commit of their rows',
    `${(save / commit).toFixed(2)}× (${save.toFixed(2)} ms against ${commit.toFixed(2)} ms)`,
    '≤ 8×',
    save <= 8 * commit,
  );
}

// ---- polling -------------------------------------------------------------------------------------

/** Milliseconds. */
const hour = 60 * 60 * 1_000;
/** Polls per second: 3,000 learners, each every ten seconds. */
const looksPerSecond = 300;
/**
 * Connections kept open, as by a proxy in front of the server (server/deploy/nginx); and a new connection per request.
 * The latter is the case of phones without a proxy: after ten seconds the server has closed the last connection.
 */
const ways = [
  { name: '', agent: new http.Agent({ keepAlive: true, maxFreeSockets: 32 }) },
  { name: ', each by a connection of its own', agent: new http.Agent({ keepAlive: false }) },
] as const;

interface Looker {
  token: string;
  list: string;
  etag: string;
}

/** Waits past the full hour if it is nearer than `seconds` (and 5 s): the ETags of all lists change then. */
async function pastTheHour(seconds: number): Promise<void> {
  const left = hour - (Date.now() % hour);
  if (left < (seconds + 5) * 1_000) await pause(left + 1_000);
}

/** Asks for the list with the ETag of the last answer. Returns the status; keeps the new ETag in `looker`. */
function look(base: string, looker: Looker, agent: http.Agent): Promise<number> {
  const { token, list, etag } = looker;
  const headers = { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) };
  return new Promise((resolve, reject) => {
    const request = http.get(`${base}/api/app/${list}`, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        looker.etag = String(answer.headers.etag ?? '');
        resolve(answer.statusCode ?? 0);
      });
    });
    request.on('error', (error) => {
      // The server had just closed the idle connection, so this tries again on another.
      if (request.reusedSocket) look(base, looker, agent).then(resolve, reject);
      else reject(error);
    });
  });
}

const sendAs = (base: string, token: string, address: string, body: object): ReturnType<Send> =>
  overSocket(base)(`app/${address}`, token, body);

async function signInAll(base: string, { token }: Scene, uids: readonly number[]): Promise<string[]> {
  const opened = await Promise.all(uids.map((uid) => sendAs(base, token, 'session', { uid })));
  return opened.map(({ data }) => data.token);
}

/**
 * Measures the share of a core that 3,000 learners take who poll every ten seconds and find nothing new. Fewer learners
 * in the data poll more often.
 */
async function readLists(server: BenchServer, scene: Scene, note: Note, rounds: number): Promise<void> {
  const lists = ['exams', 'homework', 'notices'];
  const tokens = await signInAll(server.base, scene, scene.exam?.uids ?? []);
  const lookers: Looker[] = tokens.map((token, at) => ({ token, list: lists[at % lists.length] ?? '', etag: '' }));
  /** Polls for every learner in turn, at an even rate. Returns the number of answers by status. */
  const lookRounds = async (times: number, agent: http.Agent) => {
    const statuses = new Map<number, number>();
    const began = performance.now();
    await Promise.all(
      lookers.map(async (looker, at) => {
        for (let round = 0; round < times; round += 1) {
          const moment = (round * lookers.length + at) / looksPerSecond;
          await pause(Math.max(0, began + moment * 1_000 - performance.now()));
          const status = await look(server.base, looker, agent);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    return statuses;
  };
  // The first rounds are not measured: they bring the ETags, and the costs of the start and of the sign-ins are over
  // afterwards.
  await pastTheHour(((1 + ways.length) * rounds * lookers.length) / looksPerSecond);
  await lookRounds(rounds, ways[0].agent);
  for (const { name, agent } of ways) {
    const before = await server.cpu();
    const statuses = await lookRounds(rounds, agent);
    const cost = ((await server.cpu()) - before) / (rounds * lookers.length);
    agent.destroy();
    const share = looksPerSecond * cost;
    const others = [...statuses].filter(([status]) => status !== 304).map(([status, times]) => `, ${status} ${times}×`);
    note(
      `3,000 learners who look for news every ten seconds${name}: of one core`,
      `${percent(share)} (${(cost * 1000).toFixed(3)} ms for each of ${rounds * lookers.length} looks${others.join('')})`,
      '≤ 10 %, nothing new',
      share <= 0.1 && others.length === 0,
    );
  }
}

// ---- handing in ------------------------------------------------------------------------------------

interface Played {
  db: Database;
  scene: Scene;
  note: Note;
}

/** Compares the rate of hand-ins into one homework with the rate into many, by forty students at once. */
async function handIns(server: BenchServer, { db, scene, note }: Played, students: number): Promise<void> {
  const uids = scene.exam?.uids.slice(0, students) ?? [];
  const tokens = await signInAll(server.base, scene, uids);
  const rates = { one: [] as number[], many: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    for (const kind of ['one', 'many'] as const) {
      const homeworks = await homeworkFor(db, uids, kind === 'one' ? 1 : Math.ceil(students / 10));
      const began = performance.now();
      let next = 0;
      await Promise.all(
        Array.from({ length: 40 }, async () => {
          for (let place = next++; place < uids.length; place = next++) {
            const { id, answers } = homeworks[place % homeworks.length] as (typeof homeworks)[number];
            const { status } = await sendAs(server.base, tokens[place] ?? '', `homework/${id}/submission`, {
              answers,
              confirm_blank: 1,
            });
            if (status !== 200) throw new Error(`a hand-in was answered ${status}`);
          }
        }),
      );
      // The first round warms up.
      if (round > 0) rates[kind].push(uids.length / ((performance.now() - began) / 1000));
    }
  }
  const [one, many] = [middleOf(rates.one), middleOf(rates.many)];
  note(
    'hand-ins of one homework by forty at once, against as many spread over many',
    `${percent(one / many)} (${one.toFixed(0)} against ${many.toFixed(0)} in a second)`,
    '≥ 80 %',
    one >= 0.8 * many,
  );
}

/**
 * Adds `count` copies of a homework, and assigns the students to the copies in turn. Returns each copy with answers to
 * hand in.
 */
async function homeworkFor(db: Database, uids: readonly number[], count: number) {
  const model = await db
    .selectFrom('homework')
    .innerJoin('homework_class', 'homework_class.homework_id', 'homework.id')
    .selectAll('homework')
    .select('homework_class.class_id')
    .where('homework.status', '=', 1)
    .orderBy('homework.id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { id: modelId, class_id, pinyin: _, ...fields } = model;
  const questions = await db.selectFrom('homework_question').selectAll().where('homework_id', '=', modelId).execute();
  const now = wallClock();
  const homeworks: { id: number; answers: { ques_id: number; user_answer: string }[] }[] = [];
  for (let place = 0; place < count; place += 1) {
    const own = uids.filter((_uid, at) => at % count === place);
    const counters = { homework_count: own.length, submitted_homework_count: 0, not_revised_homework_count: 0 };
    const { id } = await db
      .insertInto('homework')
      .values({ ...fields, ...counters, ending_time: now + 86_400, class_count: 1, published_class_count: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('homework_class')
      .values({ homework_id: id, class_id, published_at: now, ...counters })
      .execute();
    const asked = questions
      .filter(({ parent_id, ques_type }) => parent_id === null && ques_type !== 6)
      .map(({ id: _own, ...question }) => ({ ...question, homework_id: id, source_id: null }));
    const added = await db.insertInto('homework_question').values(asked).returning('id').execute();
    const report = { homework_id: id, class_id, submit_time: null, graded_at: null, graded_by: null };
    await db
      .insertInto('report')
      .values(own.map((student_id) => ({ ...report, student_id })))
      .execute();
    homeworks.push({ id, answers: added.map((question) => ({ ques_id: question.id, user_answer: '1' })) });
  }
  return homeworks;
}

// ---- exam day ---------------------------------------------------------------------------------------

async function dayOfExam(
  server: BenchServer,
  { db, scene, note, folder }: Played & { folder: string },
  seconds: number,
): Promise<void> {
  const before = await stateBefore(db);
  let playing = true;
  const graders = await gradersReady(server.base);
  await server.times();
  let signIns: number[] = [];
  let used = await server.cpu();
  const graded = graders(() => playing);
  const { saves } = examDay;
  const played = await playLearners(scene, {
    base: () => server.base,
    seconds,
    saves,
    lost: 0.05,
    pictures: 0.02,
    // Tokens last for weeks, so the sign-ins are measured apart.
    signedIn: true,
    onBegin: async () => {
      signIns = await server.times();
      used = await server.cpu();
    },
  }).finally(() => {
    playing = false;
  });
  const { marks, faults, ...beside } = await graded;
  const away = beside.turnedAway + turnedAway(played);
  const times = await server.times();
  const cost = (await server.cpu()) - used;
  const students = played.acknowledged.length;
  const handedIn = played.acknowledged.filter(({ report }) => report).length;
  const wrong = [...played.tally.faults, ...faults];
  for (const fault of wrong.slice(0, 5)) console.log(`  ${fault}`);
  const [middle, worst] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(
    `     ${students} students signed in before, fifty at once, within ${(played.signingIn ?? 0).toFixed(0)} s: ${Math.round(quantile(signIns, 0.5))} ms in the middle, ${Math.round(quantile(signIns, 0.99))} ms at 99 %`,
  );
  note(
    `${students} students take an exam within ${Math.round(seconds)} s beside ${examDay.graders} graders: how long the server takes`,
    `${Math.round(middle)} ms in the middle, ${Math.round(worst)} ms at 99 %; ${times.length} calls and ${marks} marks in ${played.seconds.toFixed(0)} s, ${((cost / (times.length + marks)) * 1000).toFixed(2)} ms of a processor for each`,
    '99 % ≤ 500 ms',
    worst <= 500,
  );
  const storage = await createStorage({ directory: path.join(folder, 'files') });
  const found = await differences(db, played.acknowledged, { before, storage });
  for (const line of found.slice(0, 5)) console.log(`  ${line}`);
  note(
    `${students} students take an exam: what they were told against the database`,
    `${handedIn} handed in, ${wrong.length} errors, ${away} told to come again, ${found.length} differences`,
    'all, none, none, none',
    handedIn === students && wrong.length + away + found.length === 0,
  );
}

/**
 * Looks up the answers to grade. The returned function lets every grader pause 3 to 7 s, save a mark and read the
 * report, again and again while `goesOn()` is true.
 */
async function gradersReady(base: string) {
  const line = new Line({ base: () => base, lost: 0 });
  const send: Send = async (call, token, body) => {
    const answer = await line.ask({ call, method: 'POST', path: `/api/${call}`, token, body: body as object });
    return answer ?? { status: 0, data: undefined };
  };
  const token = await tokenOf(send);
  const answers = await waitingAnswers(send, token, examDay.graders);
  return async (goesOn: () => boolean): Promise<{ marks: number; faults: string[]; turnedAway: number }> => {
    const faults: string[] = [];
    let marks = 0;
    await Promise.all(
      Array.from({ length: examDay.graders }, async (_, grader) => {
        const answer = answers[grader % answers.length];
        for (let round = 1; answer && goesOn(); round += 1) {
          await pause(3_000 + Math.random() * 4_000);
          const saved = await send('lector/hw/review/storeQuestion', token, mark(answer, round + grader));
          const read = await send('lector/hw/review/list', token, { report_id: answer.report_id });
          marks += 1;
          for (const { status } of [saved, read]) if (status !== 200) faults.push(`a grader was answered ${status}`);
        }
      }),
    );
    line.close();
    return { marks, faults, turnedAway: turnedAway(line) };
  };
}

/** Number of answers with status 503: the server was unavailable. */
const turnedAway = ({ tally }: Pick<Line, 'tally'>): number => tally.statuses.get(503) ?? 0;
