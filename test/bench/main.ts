/**
 * `npm run bench`: measures the product as ratios within one run, so that results are comparable between machines.
 * Takes a few minutes; the first run also creates the large school in the data folder.
 *
 *   npm run bench [-- [--quick] [PART …]]   parts: `server`, `visits`, `memory`, `grading`, `learners`, `import`
 *
 * Without a part it measures all parts, and the goals that tests name. DATABASE_URL names a PostgreSQL with the large
 * school (`npm run demo -- --size large`): the server's cost is then measured there too, and printed next to SQLite's.
 * The small school is created in a database on the same server.
 */
import http from 'node:http';
import path from 'node:path';
import { varFolder } from '#server/platform/db/location.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Felt, feel, middleOf, withoutStyles } from './browser.ts';
import { measureExport } from './export.ts';
import { measureGrading } from './grading.ts';
import { measureImport } from './import.ts';
import { measureLearners } from './learners.ts';
import { measureMemory } from './memory.ts';
import { smallBeside } from './postgres.ts';
import { fillSchool, smallSchool } from './schools.ts';
import { dropStatic, layStatic, staticAddress } from './screens.ts';
import { type BenchServer, cpuInTurns, get, signIn, startServer } from './server.ts';

const quick = process.argv.includes('--quick');
const requests = quick ? 200 : 1000;
const schools = { small: smallSchool, large: process.env.BENCH_LARGE ?? path.join(varFolder(), 'bench-large') };
type Engine = 'SQLite' | 'PostgreSQL';
const results: { engine: Engine; measure: string; value: string; goal: string; met: boolean }[] = [];
const noteOf = (engine: Engine) => (measure: string, value: string, goal: string, met: boolean) => {
  results.push({ engine, measure, value, goal, met });
  const where = engine === 'SQLite' ? '' : `${engine}: `;
  console.log(`${met ? 'ok  ' : 'MISS'} ${where}${measure}: ${value} (goal ${goal})`);
};
const note = noteOf('SQLite');
const ratio = (value: number) => `${value.toFixed(2)}×`;

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);

const screens = [
  ['HomeworkManage, lecturer', '/homework?tab=main', 'teacher', 'Teach2026'],
  ['HomeworkManage, assistant', '/homework?tab=main', 'assist', 'Assist2026'],
] as const;

fillSchool('small', schools.small);
const postgres = process.env.DATABASE_URL;
const small = postgres && (await smallBeside(postgres, schools.small));
const engines = [
  { engine: 'SQLite', databaseUrl: undefined, small: undefined },
  ...(postgres && small ? [{ engine: 'PostgreSQL', databaseUrl: postgres, small } as const] : []),
] as const;

interface Part {
  /** True if measured on the large school. */
  isLarge?: boolean;
  measure(): Promise<void>;
}

const parts: Record<string, Part> = {
  server: {
    isLarge: true,
    async measure() {
      for (const one of engines) await measureServer(one);
    },
  },
  visits: { isLarge: true, measure: measureVisits },
  memory: {
    isLarge: true,
    async measure() {
      for (const { engine, databaseUrl } of engines)
        await measureMemory(schools.large, noteOf(engine), { quick, databaseUrl });
    },
  },
  grading: { measure: () => measureGrading(schools.small, note, { quick }) },
  learners: {
    async measure() {
      for (const { engine, small } of engines)
        await measureLearners(schools.small, noteOf(engine), { quick, databaseUrl: small });
    },
  },
  import: {
    async measure() {
      for (const { engine, databaseUrl } of engines)
        await measureImport(noteOf(engine), { share: quick ? 0.1 : 1, databaseUrl });
    },
  },
};
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no such part: ${unknown}; there are ${Object.keys(parts)}`);
for (const [name, { isLarge, measure }] of Object.entries(parts)) {
  if (!isWanted(name)) continue;
  if (isLarge) fillSchool('large', schools.large);
  await measure();
}

if (postgres) {
  console.log('\nWhat the server costs, on SQLite and on PostgreSQL:');
  const onSqlite = results.filter(({ engine }) => engine === 'SQLite');
  for (const { measure, value, goal } of results.filter(({ engine }) => engine === 'PostgreSQL')) {
    const other =
      onSqlite.find((one) => one.measure === measure) ??
      onSqlite.find((one) => kindOf(one.measure) === kindOf(measure));
    console.log(`  ${measure} (goal ${goal})\n    ${(other?.value ?? '-').padEnd(44)} ${value}`);
  }
}
console.log(`\n${results.filter(({ met }) => met).length} of ${results.length} goals met`);
process.exitCode = results.every(({ met }) => met) ? 0 : 1;

// ---- server CPU: a screen against a static page of the same size through the same server ---------
async function measureServer({ engine, databaseUrl, small: smallUrl }: (typeof engines)[number]): Promise<void> {
  const note = noteOf(engine);
  const large = await startServer({ port: 4390, varDir: schools.large, databaseUrl });
  const small = await startServer({ port: 4391, varDir: schools.small, databaseUrl: smallUrl });
  note(
    'start to first answer, demo school present',
    `${Math.round(small.firstAnswer)} ms`,
    '≤ 2000 ms',
    small.firstAnswer <= 2000,
  );
  try {
    for (const [name, address, username, password] of screens) {
      const cookie = await signIn(large.base, username, password);
      const smallCookie = await signIn(small.base, username, password);
      const html = await (await fetch(large.base + address, { headers: { cookie } })).text();
      layStatic(html);
      const count = requests / 4;
      const ofLarge = { of: large, cookie, count };
      const ofSmall = { of: small, cookie: smallCookie, count };
      // Measures both schools' servers in turns.
      const seconds = await cpuInTurns(
        {
          large: { ...ofLarge, path: address },
          page: { ...ofLarge, path: staticAddress },
          small: { ...ofSmall, path: address },
          pageOfSmall: { ...ofSmall, path: staticAddress },
        },
        { rounds: 12, warming: 4 },
      );
      const milliseconds = (of: number) => `${(of * 1000).toFixed(2)} ms`;
      note(
        `${name}: server CPU against a static page`,
        `${ratio(seconds.large / seconds.page)} (${milliseconds(seconds.large)} against ${milliseconds(seconds.page)})`,
        '≤ 5×',
        seconds.large / seconds.page <= 5,
      );
      note(
        `${name}: a million submissions against the small school`,
        ratio(seconds.large / seconds.small),
        '≤ 1.2×',
        seconds.large / seconds.small <= 1.2,
      );
      // The bytes are the same on both engines.
      if (engine === 'SQLite') await bytesOfVisits(large, name, address, cookie, html);
    }

    // ---- analysis: the same tab over a homework of equal size, in a small and in a large school ------
    const [ofLarge, ofSmall] = await equalHomework(large, small);
    for (const tab of ['0', '1', '2', '3']) {
      const address = (id: number) => `/homework/detail?hw_id=${id}&class_id=0&tab=${tab}`;
      const cookies = {
        large: await signIn(large.base, 'teacher', 'Teach2026'),
        small: await signIn(small.base, 'teacher', 'Teach2026'),
      };
      const count = Math.ceil(requests / 5);
      const seconds = await cpuInTurns(
        {
          large: { of: large, path: address(ofLarge), cookie: cookies.large, count },
          small: { of: small, path: address(ofSmall), cookie: cookies.small, count },
        },
        { rounds: 2, warming: 1 },
      );
      note(
        `HomeworkDetail, tab ${tab}: a million submissions against the small school`,
        ratio(seconds.large / seconds.small),
        '≤ 1.5×',
        seconds.large / seconds.small <= 1.5,
      );
    }

    // ---- a page while a whole school goes out --------------------------------------------------------
    await measureExport(large, note);
  } finally {
    dropStatic();
    await Promise.all([large.stop(), small.stop()]);
  }
}

async function measureVisits(): Promise<void> {
  const large = await startServer({ port: 4390, varDir: schools.large });
  try {
    // ---- what a slow PC feels ----------------------------------------------------------------------
    const cookie = await signIn(large.base, 'teacher', 'Teach2026');
    const browser = await launchChromium();
    const list = '/homework?tab=main';
    const html = await (await fetch(large.base + list, { headers: { cookie } })).text();
    layStatic(withoutStyles(html));
    // In turns, so that all three run under the same load. The first run of each warms up.
    const felt = { cold: [] as Felt[], warm: [] as Felt[], bare: [] as Felt[] };
    for (let run = 0; run < (quick ? 2 : 8); run += 1) {
      const turn = {
        cold: await feel(browser, large.base, list, cookie, false),
        warm: await feel(browser, large.base, list, cookie, true),
        bare: await feel(browser, large.base, staticAddress, cookie, false),
      };
      if (run > 0) for (const kind of ['cold', 'warm', 'bare'] as const) felt[kind].push(turn[kind]);
    }
    const middle = (kind: keyof typeof felt, name: keyof Felt) => middleOf(felt[kind].map((one) => one[name]));
    for (const which of ['cold', 'warm'] as const) {
      const [usable, paint] = [middle(which, 'usable'), middle(which, 'paint')];
      const most = which === 'cold' ? 900 : 800;
      const shown = `${Math.round(usable)} ms, first paint ${Math.round(paint)} ms`;
      note(`list on a slow PC, ${which}: usable`, shown, `≤ ${most} ms`, usable <= most);
      const [requested, bytes] = [middle(which, 'requests'), middle(which, 'bytes')];
      note(
        `list on a slow PC, ${which}: weight`,
        `${requested} requests, ${(bytes / 1024).toFixed(1)} KB`,
        '≤ 6 requests, 30 KB',
        requested <= 6 && bytes <= 30 * 1024,
      );
    }
    const [blocking, bare] = [middle('cold', 'blocking'), middle('bare', 'blocking')];
    note(
      'list on a slow PC, cold: blocking against the same page without any stylesheet',
      `${ratio(blocking / bare)} (${Math.round(blocking)} ms against ${Math.round(bare)} ms; layout ${Math.round(middle('cold', 'layout'))} ms against ${Math.round(middle('bare', 'layout'))} ms)`,
      '≤ 1.1×',
      blocking <= 1.1 * bare,
    );
    const style = middle('cold', 'style');
    note('list on a slow PC, cold: style', `${Math.round(style)} ms`, '≤ 60 ms', style <= 60);
    await browser.close();
  } finally {
    dropStatic();
    await large.stop();
  }
}

/** Replaces the numbers in the name of a measure, which differ between schools. */
function kindOf(measure: string): string {
  return measure.replace(/\d+/g, '#');
}

/** Finds one graded homework per school, so that their sizes are as similar as possible. Returns their ids. */
async function equalHomework(large: BenchServer, small: BenchServer): Promise<[number, number]> {
  type Row = Record<
    'id' | 'status' | 'ending_time' | 'submitted_homework_count' | 'not_revised_homework_count',
    number
  >;
  const graded = async ({ base }: { base: string }) => {
    const login = await fetch(`${base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'teacher', password: 'Teach2026' }),
    });
    const { token } = (await login.json()).data;
    const list = await fetch(`${base}/api/lector/hw/index?limit=500`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const rows = (await list.json()).data.list as Row[];
    return rows.filter(
      (row) =>
        row.status === 1 &&
        row.ending_time < Date.now() / 1000 &&
        row.not_revised_homework_count === 0 &&
        row.submitted_homework_count > 20,
    );
  };
  const [inLarge, inSmall] = await Promise.all([graded(large), graded(small)]);
  const pairs = inLarge.flatMap((a) =>
    inSmall.map((b) => ({ a, b, apart: Math.abs(a.submitted_homework_count - b.submitted_homework_count) })),
  );
  const nearest = pairs.sort((one, other) => one.apart - other.apart)[0];
  if (!nearest) throw new Error('no graded homework to compare');
  console.log(
    `comparing homework of ${nearest.a.submitted_homework_count} and ${nearest.b.submitted_homework_count} submissions`,
  );
  return [nearest.a.id, nearest.b.id];
}

/** Measures the bytes of a first visit, with the stylesheet, and of a later page without. */
async function bytesOfVisits(large: BenchServer, name: string, address: string, cookie: string, html: string) {
  const agent = new http.Agent({ keepAlive: true });
  const document = await get(agent, large.base + address, cookie);
  const assets = [...html.matchAll(/<(?:link|script)[^>]+(?:href|src)="(\/[^"]+)"/g)].map(
    (found) => found[1] as string,
  );
  let bytes = document.bytes;
  for (const asset of assets) bytes += (await get(agent, large.base + asset, cookie)).bytes;
  agent.destroy();
  const scripts = html.match(/<script(?![^>]*(?:speculationrules|data-page-keys))/g)?.length ?? 0;
  note(`${name}: scripts`, String(scripts), '0', scripts === 0);
  note(
    `${name}: first visit`,
    `${(bytes / 1024).toFixed(1)} KB in ${assets.length + 1} requests`,
    '≤ 30 KB, 6 requests',
    bytes <= 30 * 1024 && assets.length + 1 <= 6,
  );
  note(`${name}: further page`, `${(document.bytes / 1024).toFixed(1)} KB`, '≤ 15 KB', document.bytes <= 15 * 1024);
}
