/**
 * Measures grading: the cost of a durable grade against a bare commit, fifty graders at once over sockets, and the
 * grading screen on a slow PC.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createApi } from '#server/api.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import type { Services } from '#server/school/context.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Felt, feel, middleOf } from './browser.ts';
import { type BenchServer, signIn, startServer } from './server.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

const graders = 50;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

/** `varDir` is the data folder of a school; a copy of it is graded. */
export async function measureGrading(varDir: string, note: Note, { quick }: { quick: boolean }): Promise<void> {
  await savesAgainstCommits(varDir, note, quick ? 300 : 1500);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-grading-'));
  copyFileSync(path.join(varDir, 'school.db'), path.join(folder, 'school.db'));
  const server = await startServer({ port: 4393, varDir: folder });
  try {
    const send = overSocket(server.base);
    const token = await tokenOf(send);
    const waiting = await waitingAnswers(send, token, graders * 4);
    await manyGraders(send, token, waiting, note);
    await slowPc(server, waiting[0]?.report_id, note, quick ? 1 : 5);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

// ---- the API -----------------------------------------------------------------------------------

export interface WaitingAnswer {
  report_id: number;
  ques_id: number;
  full: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: graders });

// biome-ignore lint/suspicious/noExplicitAny: whatever the call answers; a wrong shape ends the bench.
export type Send = (call: string, token: string, body: unknown) => Promise<{ status: number; data: any }>;

export const overSocket =
  (base: string): Send =>
  (call, token, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      http
        .request(`${base}/api/${call}`, { method: 'POST', agent, headers }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, data: JSON.parse(Buffer.concat(parts).toString()).data }),
          );
        })
        .on('error', reject)
        .end(JSON.stringify(body));
    });

export const tokenOf = async (send: Send): Promise<string> =>
  (await send('auth/login', '', { username: 'teacher', password: 'Teach2026' })).data.token;

/** Lists waiting answers of scored homework, at most one per report. */
export async function waitingAnswers(send: Send, token: string, most: number): Promise<WaitingAnswer[]> {
  const { list } = (await send('lector/hw/correct', token, { limit: most * 2 })).data;
  const found: WaitingAnswer[] = [];
  for (const { report_id } of list) {
    const { report_info, subject_card_info } = (await send('lector/hw/review/list', token, { report_id })).data;
    const waits = subject_card_info.find((item: { status: number }) => item.status === 4);
    if (report_info.is_set_score !== 2 || !waits) continue;
    const body = { report_id, type: 1, ques_id: waits.question_id };
    const [question] = (await send('lector/hw/review/detail', token, body)).data.list;
    found.push({ report_id, ques_id: waits.question_id, full: question.ques_score });
    if (found.length === most) break;
  }
  return found;
}

export const mark = ({ report_id, ques_id, full }: WaitingAnswer, round: number) => ({
  report_id,
  ques_id,
  type: 2,
  user_score: Math.min(full, (round % 10) / 2),
  review_comment: `第${round}次`,
});

/**
 * Compares the whole call (sign-in, rules, history) with writing the same three rows by bare prepared statements, in
 * one process and on one disk. Alternates, so that both run under the same load.
 */
async function savesAgainstCommits(varDir: string, note: Note, count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-saves-'));
  const file = path.join(folder, 'school.db');
  copyFileSync(path.join(varDir, 'school.db'), file);
  const database = openDatabase(file);
  const services: Services = {
    database,
    storage: await createStorage(storageSettings()),
    now: () => Math.floor(Date.now() / 1000),
    log: openLog(),
    checkAnswers: false,
  };
  const api = createApi(services);
  const send: Send = async (call, token, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = new Request(`http://school/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await api.fetch(request);
    return { status: response.status, data: ((await response.json()) as { data: never }).data };
  };
  const token = await tokenOf(send);
  const answers = await waitingAnswers(send, token, 50);
  const bare = new DatabaseSync(file);
  bare.exec('pragma synchronous = full; pragma busy_timeout = 5000');
  const rows = [
    bare.prepare('update answer set review_comment = ?, version = version + 1 where report_id = ? and question_id = ?'),
    bare.prepare('update report set user_score = user_score + ? where id = ? and ? > 0'),
    bare.prepare(
      "insert into history (at, staff_id, record, record_id, action, before, after) values (?, null, 'bench', ?, ?, '{}', '{}')",
    ),
  ] as const;
  const saves: number[] = [];
  const commits: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const answer = answers[round % answers.length] as WaitingAnswer;
    const asked = performance.now();
    const { status } = await send('lector/hw/review/storeQuestion', token, mark(answer, round));
    saves.push(performance.now() - asked);
    if (status !== 200) throw new Error(`a save was answered ${status}`);
    const begun = performance.now();
    bare.exec('begin immediate');
    rows[0].run(`第${round}次`, answer.report_id, answer.ques_id);
    rows[1].run(0, answer.report_id, answer.ques_id);
    rows[2].run(services.now(), answer.report_id, 'grade');
    bare.exec('commit');
    commits.push(performance.now() - begun);
  }
  bare.close();
  await database.destroy();
  rmSync(folder, { recursive: true });
  const [save, commit] = [middleOf(saves), middleOf(commits)];
  note(
    'durable grade against the bare commit of its rows',
    `${(save / commit).toFixed(2)}× (${save.toFixed(2)} ms against ${commit.toFixed(2)} ms)`,
    '≤ 5×',
    save <= 5 * commit,
  );
}

/** Every grader saves a mark and reads the next report, in a loop. Reports errors and the duration of a save. */
async function manyGraders(send: Send, token: string, answers: readonly WaitingAnswer[], note: Note) {
  const saves: number[] = [];
  let refused = 0;
  // Opens the connections before measuring: Node accepts one new connection per event loop turn.
  await Promise.all(Array.from({ length: graders }, () => send('lector/hw/correct', token, { limit: 1 })));
  await Promise.all(
    Array.from({ length: graders }, async (_, grader) => {
      for (let round = 0; round < 6; round += 1) {
        // Grades own reports only: a colleague's mark would be a conflict.
        const own = answers.filter((_answer, place) => place % graders === grader);
        const answer = own[round % own.length];
        if (!answer) return;
        const asked = performance.now();
        const saved = await send('lector/hw/review/storeQuestion', token, mark(answer, round + 1));
        saves.push(performance.now() - asked);
        const read = await send('lector/hw/review/list', token, { report_id: answer.report_id });
        refused += [saved, read].filter(({ status }) => status !== 200).length;
      }
    }),
  );
  const worst = saves.toSorted((a, b) => a - b)[Math.floor(saves.length * 0.95)] ?? 0;
  note(
    `${graders} graders at once, ${saves.length} saves and as many reports read`,
    `${refused} refused; a save ${Math.round(middleOf(saves))} ms in the middle, ${Math.round(worst)} ms at 95 %`,
    'none refused',
    refused === 0 && saves.length > 0,
  );
}

async function slowPc(server: BenchServer, report: number | undefined, note: Note, runs: number): Promise<void> {
  const cookie = await signIn(server.base, 'teacher', 'Teach2026');
  const address = `/homework/approve?report_id=${report}&class_id=0`;
  const browser = await launchChromium();
  for (const warm of [false, true]) {
    const felt: Felt[] = [];
    for (let run = 0; run < runs; run += 1) felt.push(await feel(browser, server.base, address, cookie, warm));
    const middle = (name: keyof Felt) => middleOf(felt.map((one) => one[name]));
    const [usable, requests, bytes] = [middle('usable'), middle('requests'), middle('bytes')];
    const which = warm ? 'warm' : 'cold';
    const most = warm ? 700 : 1600;
    note(
      `grading screen on a slow PC, ${which}: usable`,
      `${Math.round(usable)} ms, first paint ${Math.round(middle('paint'))} ms, blocking ${Math.round(middle('blocking'))} ms`,
      `≤ ${most} ms`,
      usable <= most,
    );
    note(
      `grading screen on a slow PC, ${which}: weight`,
      `${requests} requests, ${kilobytes(bytes)}`,
      '≤ 12 requests, 160 KB',
      requests <= 12 && bytes <= 160 * 1024,
    );
  }
  await browser.close();
}
