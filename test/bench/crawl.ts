/**
 * Every screen and every reading call of the large school beside those of the small one: none fails, and none takes
 * ten times as long, but for the file of a whole school. Sizes are compared by kind, an address without its ids.
 */
import { demoAccounts } from '#server/demo/accounts.ts';
import { crawl, kindOf, type Visit } from '../support/crawl.ts';
import { type Ask, askingsOf, findIds, readingCalls, screensOf } from '../support/readings.ts';
import type { BenchServer } from './server.ts';
import { signIn } from './server.ts';

interface Crawled {
  /** Milliseconds by who and what, the fastest of its kind. */
  times: Map<string, number>;
  /** Asks for the same as what was fastest of its kind, and keeps it where it is faster. */
  again: Map<string, () => Promise<void>>;
  /** What was answered with a status from 500 on. */
  failed: string[];
}

/** Makes a file of the whole school beside the requests; what that costs them is a measure of its own (export.ts). */
const growing = ['/api/admin/import/export'];

/** Below this no ratio says anything: the clock and the network are as large. Milliseconds. */
const noise = 15;

async function crawlSchool({ base }: BenchServer, usernames: readonly string[]): Promise<Crawled> {
  const times = new Map<string, number>();
  const again = new Map<string, () => Promise<void>>();
  const failed: string[] = [];
  const now = Math.floor(Date.now() / 1000);
  for (const { username, password, identity } of demoAccounts.filter((one) => usernames.includes(one.username))) {
    const note = (what: string, milliseconds: number, askAgain: () => Promise<unknown>) => {
      const kind = `${username} ${what}`;
      if (milliseconds >= (times.get(kind) ?? Number.POSITIVE_INFINITY)) return;
      times.set(kind, milliseconds);
      again.set(kind, async () => void (await askAgain()));
    };
    const login = await fetch(`${base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { token } = (await login.json()).data;
    const ask: Ask = async (asked) => {
      const { method, address, body } = asked;
      const started = performance.now();
      const answer = await fetch(base + address, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      note(`${method} ${kindOf(address)} ${Object.keys(body ?? {})}`, performance.now() - started, () => ask(asked));
      if (answer.status >= 500)
        failed.push(`${answer.status} ${username} ${method} ${address} ${JSON.stringify(body)}`);
      return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
    };
    const ids = await findIds(ask, identity, now);
    // Twice: the first time prepares statements and reads pages of the file.
    for (const _ of [1, 2]) {
      for (const call of readingCalls) {
        const askings = askingsOf(call, identity, ids, 'plain').filter(({ address }) => !growing.includes(address));
        for (const asking of askings) await ask(asking);
      }
    }
    const cookie = await signIn(base, username, password);
    const visit: Visit = async (address) => {
      let answer = await fetch(base + address, { headers: { cookie }, redirect: 'manual' });
      const html = await answer.text();
      const started = performance.now();
      answer = await fetch(base + address, { headers: { cookie }, redirect: 'manual' });
      await answer.text();
      note(`screen ${kindOf(address)}`, performance.now() - started, () => visit(address));
      if (answer.status >= 500) failed.push(`${answer.status} ${username} ${address}`);
      return { status: answer.status, html, location: answer.headers.get('location') };
    };
    await crawl(visit, { from: ['/', ...screensOf(ids)], each: 1, eachScreen: 6 });
  }
  return { times, again, failed };
}

export async function measureCrawl(
  schools: { large: BenchServer; small: BenchServer },
  note: (measure: string, value: string, goal: string, met: boolean) => void,
  { quick }: { quick: boolean },
): Promise<void> {
  const usernames = quick ? ['teacher', 'assist'] : demoAccounts.map(({ username }) => username);
  const small = await crawlSchool(schools.small, usernames);
  const large = await crawlSchool(schools.large, usernames);
  const comparedTimes = () =>
    [...large.times].flatMap(([kind, inLarge]) => {
      const inSmall = small.times.get(kind);
      return inSmall === undefined ? [] : [{ kind, inLarge, inSmall, ratio: inLarge / Math.max(inSmall, noise / 10) }];
    });
  // Each is asked for once; a pause of the machine, or of collecting, falls on some of thousands.
  const isOver = ({ inLarge, ratio }: { inLarge: number; ratio: number }) => inLarge > noise && ratio > 10;
  const over = comparedTimes().filter(isOver);
  for (const { kind } of over) for (const _ of [2, 3]) await large.again.get(kind)?.();
  const failed = [...small.failed, ...large.failed];
  for (const one of failed.slice(0, 20)) console.log(`  ${one}`);
  note('every screen and reading call: failed', String(failed.length), '0', failed.length === 0);

  const compared = comparedTimes();
  const worst = compared
    .filter(({ inLarge }) => inLarge > noise)
    .sort((one, other) => other.ratio - one.ratio)
    .slice(0, 10);
  console.log('\nslower in the large school than in the small one, the worst ten:');
  for (const { kind, inLarge, inSmall, ratio } of worst) {
    console.log(
      `  ${ratio.toFixed(1).padStart(5)}×  ${inLarge.toFixed(0)} ms against ${inSmall.toFixed(0)} ms  ${kind}`,
    );
  }
  const slowest = worst[0]?.ratio ?? 1;
  note(
    `a large school against a small one, the worst of ${compared.length} kinds of screens and calls (the least of three for the ${over.length} that were over)`,
    `${slowest.toFixed(1)}×`,
    '≤ 10×',
    slowest <= 10,
  );
}
