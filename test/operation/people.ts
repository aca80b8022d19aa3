/** Simulates a hundred people at work: learners in an exam, graders, and staff who read pages and post forms. */
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { mark, type Send, type WaitingAnswer } from '../bench/grading.ts';
import { type Before, differences } from '../learners/compare.ts';
import { Line } from '../learners/line.ts';
import { playLearners } from '../learners/play.ts';
import type { Scene } from '../learners/scene.ts';
import type { Acknowledged } from '../learners/student.ts';
import type { Watch } from './watch.ts';

export const crowd = { learners: 60, graders: 20, staff: 20 } as const;

export interface School {
  base: string;
  /** TLS certificate of the school. */
  ca: string;
}

// ---- a browser -----------------------------------------------------------------------------------------

interface Told {
  status: number;
  headers: { location?: string | undefined; 'set-cookie'?: string[] | undefined };
  body: string;
}

/** Rejects if the server does not answer, or sends no byte for as long as a person would wait. */
export function browse(
  { base, ca }: School,
  agent: https.Agent,
  address: string,
  { cookie = '', form }: { cookie?: string; form?: Record<string, string> } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString();
    const request = https.request(base + address, {
      ca,
      agent,
      method: body === undefined ? 'GET' : 'POST',
      timeout: 30_000,
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(body !== undefined && {
          origin: base,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        }),
      },
    });
    request.on('timeout', () => request.destroy(new Error('nothing for 30 seconds')));
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { location, 'set-cookie': cookies } = response.headers;
        const headers = { location, 'set-cookie': cookies };
        resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(parts).toString() });
      });
    });
    request.end(body);
  });
}

export const newAgent = (): https.Agent => new https.Agent({ keepAlive: true, maxFreeSockets: 64 });

export async function signIn(school: School, username: string, password: string): Promise<string> {
  const agent = newAgent();
  const { status, headers } = await browse(school, agent, '/login', { form: { username, password } });
  agent.destroy();
  const cookie = headers['set-cookie']?.[0]?.split(';')[0];
  if (status !== 302 || !cookie) throw new Error(`signing in as ${username} was answered ${status}`);
  return cookie;
}

/** Message of an error page: its heading or first words. */
const sentenceOf = (body: string): string =>
  (/role="alert"[^>]*>(?:<[^>]+>)*([^<]+)/.exec(body) ?? /<h1[^>]*>([^<]+)/.exec(body))?.[1]?.trim() ??
  body
    .replace(/<[^>]+>/g, ' ')
    .trim()
    .slice(0, 60);

// ---- what they were told that the school has -----------------------------------------------------------

/** Acknowledged changes of all rows of the run's table, compared with the database at the end. */
export class Ledger {
  /** By report and question. */
  readonly marks = new Map<
    string,
    { report: number; question: number; score: number; version: number; times: number }
  >();
  readonly notices = new Set<string>();
  readonly learners: Acknowledged[] = [];

  get acknowledged(): number {
    const marked = [...this.marks.values()].reduce((sum, { times }) => sum + times, 0);
    const learnt = this.learners.reduce(
      (sum, { started, answers, pictures, report }) =>
        sum + Number(started) + answers.size + pictures.length + Number(report !== undefined),
      0,
    );
    return marked + this.notices.size + learnt;
  }

  /** Copies the current state. */
  copy(): Ledger {
    const copied = new Ledger();
    for (const [key, value] of this.marks) copied.marks.set(key, { ...value });
    for (const title of this.notices) copied.notices.add(title);
    copied.learners.push(...this.learners);
    return copied;
  }

  /** Returns one line for each acknowledged change that is missing or stored twice. */
  async lostFrom(db: Database, { before, storage }: { before: Before; storage: Storage }): Promise<string[]> {
    const found = await differences(db, this.learners, { before, storage });
    const answers = await db
      .selectFrom('answer')
      .select(['report_id', 'question_id', 'score', 'version'])
      .where('report_id', 'in', [0, ...[...this.marks.values()].map(({ report }) => report)])
      .execute();
    for (const { report, question, score, version } of this.marks.values()) {
      const kept = answers.find((one) => one.report_id === report && one.question_id === question);
      const where = `mark of report ${report}, question ${question}`;
      if (!kept || kept.version < version) found.push(`${where}: version ${version} is lost`);
      else if (kept.version === version && kept.score !== score * 10) found.push(`${where}: ${score} is ${kept.score}`);
    }
    const notices = await db.selectFrom('class_notice').select('title').where('title', 'like', '值班公告%').execute();
    const titles = new Map<string, number>();
    for (const { title } of notices) titles.set(title, (titles.get(title) ?? 0) + 1);
    for (const title of this.notices) if (!titles.has(title)) found.push(`notice ${title}: lost`);
    for (const [title, times] of titles) if (times > 1) found.push(`notice ${title}: there ${times} times`);
    return found;
  }
}

// ---- at work ---------------------------------------------------------------------------------------------

export interface Work {
  school: School;
  watch: Watch;
  ledger: Ledger;
  token: string;
  cookie: string;
  /** Class that the signed-in lecturer is the head teacher of. */
  classId: number;
  answers: readonly (WaitingAnswer & { version: number })[];
}

/**
 * Counts unexpected answers and abandoned requests. Learners run for so many seconds, the others until those end and
 * `isEndReached` is true.
 */
export async function atWork(work: Work, scene: Scene, seconds: number, isOver: () => boolean): Promise<string[]> {
  const { school, watch, ledger } = work;
  let playing = true;
  const goesOn = () => playing || !isOver();
  const others = [
    ...Array.from({ length: crowd.graders }, (_, place) => gradeOn(work, place, goesOn)),
    ...Array.from({ length: crowd.staff }, (_, place) => readAndPost(work, place, goesOn)),
  ];
  const played = await playLearners(scene, {
    base: () => school.base,
    ca: school.ca,
    watch: (sent) => watch.calls.push(sent),
    seconds,
    saves: 8,
    lost: 0.02,
    pictures: 0.25,
  }).finally(() => {
    playing = false;
  });
  ledger.learners.push(...played.acknowledged);
  return [...played.tally.faults, ...(await Promise.all(others)).flat()];
}

/** Each grader has their own answers, and so knows the version after the next mark. */
async function gradeOn({ school, watch, ledger, token, answers }: Work, grader: number, goesOn: () => boolean) {
  const line = new Line({
    base: () => school.base,
    ca: school.ca,
    lost: 0.02,
    watch: (sent) => watch.calls.push(sent),
  });
  const own = answers.filter((_, place) => place % crowd.graders === grader);
  const send: Send = async (call, _, body) => {
    const answer = await line.ask({ call, method: 'POST', path: `/api/${call}`, token, body: body as object });
    if (answer && answer.status !== 200) line.tally.faults.push(`${call}: ${answer.status} ${answer.msg}`);
    return { status: answer?.status ?? 0, data: answer?.data };
  };
  for (let round = 1; goesOn() && own.length > 0; round += 1) {
    await pause(700 + Math.random() * 1_200);
    const answer = own[round % own.length] as Work['answers'][number];
    const key = `${answer.report_id} ${answer.ques_id}`;
    const known = ledger.marks.get(key);
    // Each mark differs from the previous one, because an unchanged mark makes no new version.
    const score = known?.score === 0.5 ? 1 : 0.5;
    const sent = { ...mark(answer, 0), user_score: score, version: known?.version ?? answer.version };
    const saved = await send('lector/hw/review/storeQuestion', token, sent);
    if (saved.status === 200) {
      const { version } = saved.data;
      if (version !== sent.version + 1) line.tally.faults.push(`mark ${key}: ${version} after ${sent.version}`);
      const { report_id: report, ques_id: question } = answer;
      ledger.marks.set(key, { report, question, score, version, times: (known?.times ?? 0) + 1 });
    }
    await send('lector/hw/review/list', token, { report_id: answer.report_id });
  }
  line.close();
  return line.tally.faults;
}

const addresses = ['/', '/homework?tab=main', '/classes', '/exams', '/homework?tab=approve', '/calendar'];
let noticesWritten = 0;

/** Reads pages. Every fifth time posts a notice, and submits it again if it was not accepted. */
async function readAndPost({ school, watch, ledger, cookie, classId }: Work, place: number, goesOn: () => boolean) {
  const agent = newAgent();
  const faults: string[] = [];
  const meet = async (address: string, form?: Record<string, string>): Promise<Told | undefined> => {
    const began = performance.now();
    const answer = await browse(school, agent, address, { cookie, ...(form && { form }) }).catch((error) => error);
    const told = answer instanceof Error ? undefined : (answer as Told);
    const status = told?.status;
    watch.pages.push({
      call: `${form ? 'form' : 'page'} ${address}`,
      began,
      ended: performance.now(),
      status,
      msg: told ? sentenceOf(told.body) : String(answer.message),
      ...(form && { isKept: told?.body.includes(form.title ?? '') ?? false }),
    });
    if (status !== undefined && status !== 503 && status !== 200 && status !== 302)
      faults.push(`${form ? 'form' : 'page'} ${address}: ${status} ${sentenceOf(told?.body ?? '')}`);
    if (told?.headers.location?.startsWith('/login')) faults.push(`${address}: signed out`);
    return told;
  };
  for (let round = place; goesOn(); round += 1) {
    await pause(500 + Math.random() * 1_500);
    if (round % 5 > 0) {
      await meet(addresses[round % addresses.length] as string);
      continue;
    }
    const address = `/classes/notice?class_id=${classId}`;
    const page = await meet(address);
    const idempotency_key = /name="idempotency_key" value="([^"]+)"/.exec(page?.body ?? '')?.[1];
    if (!idempotency_key) continue;
    noticesWritten += 1;
    const title = `值班公告${noticesWritten}`;
    // Submits the form again if there was no answer, because its page is still open.
    for (let tries = 0; tries < 30; tries += 1) {
      const sent = await meet(address, { title, content: '内容', idempotency_key });
      if (sent?.status === 302) {
        ledger.notices.add(title);
        break;
      }
      await pause(1_000);
    }
  }
  agent.destroy();
  return faults;
}
