/**
 * What every screen costs the server over the large school: processor time, as a ratio to its own HTML as a static file
 * of the same server, statements and bytes. One address of each screen in each of its tabs, dialogs as well.
 */
import { rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { demoAccounts } from '#server/demo/accounts.ts';
import { crawl, screenOf } from '../support/crawl.ts';
import { type Ask, findIds, screensOf } from '../support/readings.ts';
import { type BenchServer, cpuInTurns, cpuPerRequest, get, signIn, startServer, Unanswered } from './server.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

/** Scripts of a page: none, those of pieces of it, or the page's own. */
type Script = '' | 'pieces' | 'page';

export interface Screen {
  username: string;
  cookie: string;
  address: string;
  html: string;
  script: Script;
}

export interface Cost extends Screen {
  /** Milliseconds of processor time. */
  cpu: number;
  /** The same screen in the small school, where it is there: as long as this one, or not. */
  small: { cpu: number; isAlike: boolean } | undefined;
  /** Times that of its HTML as a file. */
  ratio: number;
  /** The least of three requests. */
  queries: number;
  /** Bytes as they travel. */
  bytes: number;
  /** Milliseconds on PostgreSQL, where the bench has one. */
  postgres: number | undefined;
  /** The ratio of the first rounds, where it came near to what is too much and was measured for longer. */
  first?: number;
}

/** What pages of the same HTML cost as files of the same server, and that file's address. */
const staticFile = path.resolve('build/client/bench-static.html');
export const staticAddress = '/static/bench-static.html';
export const layStatic = (html: string) => writeFileSync(staticFile, html);
export const dropStatic = () => rmSync(staticFile, { force: true });

const scriptOf = (html: string): Script =>
  html.includes('__reactRouterContext') ? 'page' : /<script[^>]* src=/.test(html) ? 'pieces' : '';

const nameOf = ({ username, address }: Pick<Screen, 'username' | 'address'>) => `${username} ${screenOf(address)}`;

/** Every screen that a lecturer and an assistant come to: one address of each. */
export async function findScreens(server: BenchServer): Promise<Screen[]> {
  const found = new Map<string, Screen>();
  for (const { username, password, identity } of demoAccounts.slice(0, 2)) {
    const cookie = await signIn(server.base, username, password);
    const ids = await findIds(await askAs(server, username, password), identity, Math.floor(Date.now() / 1000));
    const visit = async (address: string) => {
      const answer = await fetch(server.base + address, { headers: { cookie }, redirect: 'manual' });
      const html = await answer.text();
      const isPage = answer.status === 200 && /^text\/html/.test(answer.headers.get('content-type') ?? '');
      const name = nameOf({ username, address });
      if (isPage && !found.has(name)) found.set(name, { username, cookie, address, html, script: scriptOf(html) });
      return { status: answer.status, html, location: answer.headers.get('location') };
    };
    await crawl(visit, { from: ['/', ...screensOf(ids)], each: 1, eachScreen: 1 });
  }
  return [...found.values()];
}

async function askAs({ base }: BenchServer, username: string, password: string): Promise<Ask> {
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username, password }),
  });
  const { token } = (await login.json()).data;
  return async ({ method, address, body }) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? json : {}) };
    const answer = await fetch(base + address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };
}

/** What a table of screens is measured with. */
export interface Measured {
  server: BenchServer;
  /** With the small school. */
  small: BenchServer;
  postgres: BenchServer | undefined;
  /** Rounds of ten requests of each; half as many come before. */
  rounds: number;
}

/**
 * Measures and prints them all, the dearest first.
 * @param databaseUrl a PostgreSQL that holds the same school, for a column of its own
 */
export async function measureScreens(
  schools: { small: string; large: string },
  note: Note,
  { quick, databaseUrl }: { quick: boolean; databaseUrl: string | undefined },
): Promise<void> {
  const nodeFlags = [`--import=${new URL('count-queries.ts', import.meta.url)}`];
  const varDir = schools.large;
  const server = await startServer({ port: 4395, varDir, nodeFlags });
  const small = await startServer({ port: 4398, varDir: schools.small, nodeFlags });
  const postgres = databaseUrl ? await startServer({ port: 4396, varDir, databaseUrl }) : undefined;
  try {
    const rounds = quick ? 4 : 10;
    const screens = await findScreens(server);
    const costs = await costsOf(screens, { server, small, postgres, rounds });
    print(costs);
    noteAgainstSmall(costs, note);
    await noteHomeAndSearch(screens, costs, note, { server, small, postgres, rounds });
    const plain = costs.filter(({ script }) => script === '').sort((one, other) => other.ratio - one.ratio);
    const [worst] = plain;
    const over = plain.filter(({ ratio }) => ratio > mostTimes);
    const firstOver = plain.filter(({ first = 0 }) => first > mostTimes);
    note(
      `server CPU of the ${plain.length} screens without a script against their HTML as static pages`,
      `${over.length} over, ${firstOver.length} in the first rounds; the dearest ${worst?.ratio.toFixed(1)}×, ${worst?.address}`,
      `each ≤ ${mostTimes}×`,
      over.length === 0,
    );
  } finally {
    dropStatic();
    await Promise.all([server.stop(), small.stop(), postgres?.stop()]);
  }
}

/** Statistics read what the school has, and may grow a little with it; lists and pages read what they show. */
const statistics = /^\/(homework\/(detail|statistics|student-statistics|answers)|classes\/homework)\b|\btab=study\b/;
const mostOfSmall = (address: string) => (statistics.test(address) ? 1.5 : 1.2);
const overSmall = ({ cpu, small, address }: Pick<Cost, 'cpu' | 'small' | 'address'>) =>
  small?.isAlike ? cpu / small.cpu / mostOfSmall(address) : 0;

function noteAgainstSmall(costs: readonly Cost[], note: Note): void {
  const alike = costs.filter(({ small }) => small?.isAlike).sort((one, other) => overSmall(other) - overSmall(one));
  const over = alike.filter((cost) => overSmall(cost) > 1);
  const shown = (over.length > 0 ? over : alike.slice(0, 1)).map(
    ({ username, address, cpu, small }) => `${(cpu / (small?.cpu ?? cpu)).toFixed(2)}× ${username} ${address}`,
  );
  note(
    `server CPU of the ${alike.length} screens whose HTML is as long as in the small school, within a twentieth (of ${costs.length}), against them there`,
    `${over.length} over: ${shown.join(', ')}`,
    'each ≤ 1.2×, statistics ≤ 1.5×',
    over.length === 0,
  );
}

/** What is looked for: a name, how it sounds, the end of a mobile, what a question says, and what none says so often. */
const searched = ['李', 'zh', '1380', '函数', '函数'.repeat(50)];

async function noteHomeAndSearch(
  screens: readonly Screen[],
  costs: readonly Cost[],
  note: Note,
  measured: Measured,
): Promise<void> {
  const both = ({ cpu, postgres }: Cost) =>
    `${cpu.toFixed(1)} ms${postgres ? `, PostgreSQL ${postgres.toFixed(1)} ms` : ''}`;
  const slower = ({ cpu, postgres = 0 }: Cost) => Math.max(cpu, postgres);
  for (const cost of costs.filter(({ address }) => address === '/')) {
    note(
      `home over the large school, ${cost.username}: server CPU, and queries (the least of three) with that of the sign-in`,
      `${both(cost)}, ${cost.queries} queries`,
      '≤ 10 ms, 13 queries',
      slower(cost) <= 10 && cost.queries <= 13,
    );
  }
  for (const home of screens.filter(({ address }) => address === '/')) {
    const found: { word: string; cost: Cost }[] = [];
    for (const word of searched) {
      const address = `/search?q=${encodeURIComponent(word)}`;
      found.push({ word, cost: await costOf({ ...home, address }, undefined, measured) });
    }
    note(
      `search over the large school, ${home.username}: server CPU`,
      found.map(({ word, cost }) => `${word.slice(0, 10)} ${both(cost)}`).join('; '),
      'each ≤ 50 ms',
      found.every(({ cost }) => slower(cost) <= 50),
    );
  }
}

/** What each of these screens costs. */
export async function costsOf(screens: readonly Screen[], measured: Measured): Promise<Cost[]> {
  const { server, small, rounds } = measured;
  const inSmall = new Map((await findScreens(small)).map((screen) => [nameOf(screen), screen]));
  // What is compiled and kept is there before anything is measured.
  const warm = (of: BenchServer, { address, cookie }: Screen) =>
    whileThere(() => cpuPerRequest(of, address, cookie, rounds * 5));
  for (const screen of screens) await warm(server, screen);
  for (const screen of inSmall.values()) await warm(small, screen);
  const costs: Cost[] = [];
  for (const screen of screens) {
    const its = inSmall.get(nameOf(screen));
    const cost = await whileThere(() => costOf(screen, its, measured));
    if (!cost) continue;
    // Once in some six hundred requests the whole heap is collected, 40 to 70 ms, twice that where memory is given back: half
    // a millisecond of each page of ten rounds, or a quarter of what its file costs. What comes near is measured for longer.
    const longer = isNear(cost) && (await whileThere(() => costOf(screen, its, { ...measured, rounds: rounds * 3 })));
    costs.push(longer ? { ...longer, first: cost.ratio } : cost);
  }
  return costs;
}

/** Undefined, and said, where the screen is gone by now. */
async function whileThere<T>(measuring: () => Promise<T>): Promise<T | undefined> {
  try {
    return await measuring();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    console.log(`not measured: ${error.message}`);
    return undefined;
  }
}

/** No screen without a script may cost more, in times of its HTML as a file. */
const mostTimes = 8;
const isNear = (cost: Cost) => (cost.script === '' && cost.ratio > mostTimes - 1) || overSmall(cost) > 0.9;

async function costOf(
  screen: Screen,
  inSmall: Screen | undefined,
  { server, small, postgres, rounds }: Measured,
): Promise<Cost> {
  const { address, cookie, username, html } = screen;
  layStatic(html);
  const agent = new http.Agent({ keepAlive: true });
  const { bytes } = await get(agent, server.base + address, cookie);
  const queries = await leastQueries(agent, server.base + address, cookie);
  agent.destroy();
  const password = demoAccounts.find((account) => account.username === username)?.password ?? '';
  const its = inSmall && { of: small, cookie: inSmall.cookie };
  const onPostgres = postgres && { of: postgres, cookie: await signIn(postgres.base, username, password) };
  const asked = {
    large: { of: server, path: address, cookie, count: 10 },
    file: { of: server, path: staticAddress, cookie, count: 30 },
    small: its && { ...its, path: inSmall.address, count: 10 },
    // Its own share of what the large school's process is asked for: what a file leaves behind is collected beside a screen.
    fileOfSmall: its && { ...its, path: staticAddress, count: 30 },
    postgres: onPostgres && { ...onPostgres, path: address, count: 10 },
  };
  const seconds = await cpuInTurns(asked, { rounds, warming: Math.ceil(rounds / 2) });
  return {
    ...screen,
    cpu: seconds.large * 1000,
    ratio: seconds.large / seconds.file,
    small: inSmall && { cpu: seconds.small * 1000, isAlike: Math.abs(inSmall.html.length / html.length - 1) <= 0.05 },
    postgres: postgres && seconds.postgres * 1000,
    queries,
    bytes,
  };
}

/**
 * The least of three requests. All of the process are counted, and now and then something else comes between: the school's
 * settings are read anew every few seconds, work behind the requests is looked for, and once a minute it is noted that a
 * sign-in is in use.
 */
async function leastQueries(agent: http.Agent, url: string, cookie: string): Promise<number> {
  const counted: number[] = [];
  for (const _ of [1, 2, 3]) counted.push((await get(agent, url, cookie)).queries);
  return Math.min(...counted);
}

export function print(costs: readonly Cost[]): void {
  const withPostgres = costs.some(({ postgres }) => postgres !== undefined);
  console.log(
    `\n  static      CPU  of small  ${withPostgres ? 'PostgreSQL  ' : ''}queries    HTML    sent  script  screen`,
  );
  for (const cost of costs.toSorted((one, other) => other.cpu - one.cpu)) {
    const cells = [
      `${cost.ratio.toFixed(1)}×`.padStart(8),
      `${cost.cpu.toFixed(2)} ms`.padStart(8),
      (cost.small ? `${(cost.cpu / cost.small.cpu).toFixed(2)}×` : '-').padStart(9),
      ...(withPostgres ? [`${cost.postgres?.toFixed(2) ?? '-'} ms`.padStart(11)] : []),
      String(cost.queries).padStart(8),
      kilobytes(Buffer.byteLength(cost.html)).padStart(8),
      kilobytes(cost.bytes).padStart(8),
      cost.script.padEnd(7),
      `${cost.username} ${cost.address}`,
    ];
    console.log(cells.join(' '));
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
