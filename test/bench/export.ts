/** Measures a page's cost with and without a running school export, and the export's duration. */
import { performance } from 'node:perf_hooks';
import { type BenchServer, signIn } from './server.ts';

const page = '/admin/staff';
/** Minimum number of page requests, first without and then during the export. */
const looks = 100;

/** Returns the median and the 90th percentile of times, in milliseconds. */
function summarise(times: number[]): { middle: number; tenth: number } {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { middle: at(0.5), tenth: at(0.9) };
}

export async function measureExport(
  { base }: BenchServer,
  note: (measure: string, value: string, goal: string, met: boolean) => void,
): Promise<void> {
  const [username, password] = ['admin', 'Admin2026'];
  const cookie = await signIn(base, username, password);
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const headers = { authorization: `Bearer ${(await login.json()).data.token}`, 'content-type': 'application/json' };
  const look = async () => {
    const started = performance.now();
    const answer = await fetch(base + page, { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${page} was answered ${answer.status}`);
    return performance.now() - started;
  };
  const lookAll = async () => {
    const times: number[] = [];
    for (let at = 0; at < looks; at += 1) times.push(await look());
    return times;
  };
  await lookAll();
  const before = summarise(await lookAll());
  for (const form of ['workbook', 'oneroster']) {
    const started = performance.now();
    const asking = fetch(`${base}/api/admin/import/export`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ form }),
    });
    const times = await lookAll();
    const { data } = await (await asking).json();
    let made = await fetch(base + data.url, { headers });
    while (made.status === 202) {
      await made.body?.cancel();
      for (let at = 0; at < 10; at += 1) times.push(await look());
      made = await fetch(base + data.url, { headers });
    }
    const { byteLength } = await made.arrayBuffer();
    if (made.status !== 200) throw new Error(`the file of the school was answered ${made.status}`);
    const seconds = (performance.now() - started) / 1000;
    const { middle, tenth } = summarise(times);
    note(
      `a page while the large school goes out as ${form} (${(byteLength / 1024 ** 2).toFixed(1)} MB in ${seconds.toFixed(0)} s), against before`,
      `${(middle / before.middle).toFixed(2)}× (${middle.toFixed(1)} ms against ${before.middle.toFixed(1)} ms; a tenth over ${tenth.toFixed(0)} ms against ${before.tenth.toFixed(0)} ms)`,
      '≤ 2×',
      middle <= 2 * before.middle,
    );
  }
}
