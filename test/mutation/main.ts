/**
 * `npm run mutate [-- files]`: puts small faults (mutants) into the rules, one at a time, and asks whether a test
 * notices. Without files it takes all that `rules` names; files may be patterns (`server/exams/*.ts`).
 *
 * The tests of the rules and of the API run on SQLite, in one process with the lowest priority. A mutant that nothing
 * noticed is printed with its line, unless `equal.json` says why nobody could notice it; below 95 % the exit code is 1.
 * They are also kept: `--again` tries only those that earlier runs left (of the named files), after a test was mended.
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import type { Plugin } from 'vite';
import { createVitest } from 'vitest/node';
import { type Mutant, mutate } from './mutants.ts';
import type { Entry } from './runner.ts';

/** Who sees what, rules, scoring and state machines of every subject. */
const rules = [
  'server/*/{visible,rules,scope,settings,figures}.ts',
  'server/platform/{files,text}/rules.ts',
  'server/homework/{scoring,numbering,answer-review,submission,publication,actions}.ts',
  'server/correction/{round,same,next}.ts',
  'server/exams/{submission,statistics}.ts',
  'server/analysis/{item-statistics,distribution}.ts',
  'server/attendance/{mark,leave}.ts',
  'server/group-classes/attendance.ts',
  'server/sessions/{leave,handout}.ts',
  'server/platform/auth/sign-in.ts',
  'server/platform/calls/{answer,bind,read,local,idempotency,transaction,outcome}.ts',
  'server/live/room.ts',
  'server/calendar/entry.ts',
  'server/questions/{points,marks}.ts',
];
/** Not those that fill a large school, nor those whose work is done by other processes. */
const tests = [
  'test/{api,account,attendance,calendar,community,correction,exams,group-classes}/**/*.test.ts',
  'test/{homework,live,meetings,questions,sessions,export}/**/*.test.ts',
];
const withoutTests = ['**/large-*.test.ts', '**/word-import.test.ts', '**/excel-import.test.ts'];
const least = 0.95;
/** Milliseconds without any news. */
const hangsAfter = 180_000;

/** A pattern, or one of the names within its braces, that no file has any more is a rule that nobody tries. */
function filesOf(pattern: string): string[] {
  const [, before = '', names = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  const patterns = names ? names.split(',').map((name) => before + name + after) : [pattern];
  return patterns.flatMap((one) => {
    const found = globSync(one, { exclude: ['node_modules/**'] }).sort();
    if (found.length === 0) throw new Error(`no file is called ${one}`);
    return found;
  });
}

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
setPriority(15);

const onlyAgain = process.argv.includes('--again');
const options = process.argv.slice(2).filter((one) => one !== '--again');
const onlyTests = options.filter((one) => one.includes('.test.'));
const chosen = options.filter((one) => !one.includes('.test.'));
const files = [...new Set((chosen.length > 0 ? chosen : rules).flatMap(filesOf))];
for (const pattern of [...tests, ...withoutTests]) filesOf(pattern);
/** Names of the mutants that nothing noticed when their file was last tried. */
const leftFile = 'node_modules/.cache/mutation/left.json';
const readLeft = () => (existsSync(leftFile) ? (JSON.parse(readFileSync(leftFile, 'utf8')) as string[]) : []);
const leftBefore = readLeft();
const mutants: Mutant[] = [];
const codes = new Map<string, string>();
for (const file of files) {
  const mutated = mutate(file, readFileSync(file, 'utf8'), mutants.length);
  mutants.push(...mutated.mutants);
  codes.set(path.resolve(file), mutated.code);
}
const equal = JSON.parse(readFileSync(path.join(import.meta.dirname, 'equal.json'), 'utf8')) as Record<string, string>;
const known = mutants.filter(({ name }) => name in equal);
const tried = mutants.filter(({ name }) => !(name in equal) && (!onlyAgain || leftBefore.includes(name)));
const folder = mkdtempSync(path.join(tmpdir(), 'mutation-'));
const journal = path.join(folder, 'journal');
const start = Date.now();
console.log(`${tried.length} mutants of ${files.length} files, journal in ${journal}.`);

const entries = (): Entry[] =>
  readFileSync(journal, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);

/** Mutants that stopped the process in which they ran: noticed, by nothing going on. */
const hung: number[] = [];
const instrument: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform: (_, id) => codes.get(id.split('?')[0] ?? id),
};

/** One worker over what is not done; false when it hung and another has to go on. */
async function work(): Promise<boolean> {
  const vitest = await createVitest(
    'test',
    {
      root,
      config: false,
      watch: false,
      environment: 'node',
      include: onlyTests.length > 0 ? onlyTests : tests,
      exclude: withoutTests,
      setupFiles: ['test/support/setup.ts'],
      runner: 'test/mutation/runner.ts',
      testNamePattern: /^(?!.*PostgreSQL)/,
      testTimeout: 20_000,
      hookTimeout: 20_000,
      pool: 'forks',
      isolate: false,
      // The instrumented text is of this run alone.
      fsModuleCache: false,
      fileParallelism: false,
      maxWorkers: 1,
      execArgv: ['--max-http-header-size=131072'],
      reporters: [{}],
    },
    { plugins: [instrument] },
  );
  const found = await vitest.globTestSpecifications();
  vitest.provide('mutation', {
    mutants,
    tried: tried.flatMap(({ id }) => (hung.includes(id) ? [] : [id])),
    testFiles: found.length,
    journal,
  });
  let stuck = false;
  const watch = setInterval(() => {
    const all = entries();
    const last = all.at(-1);
    const isStuck = last?.event === 'try' && Date.now() - statSync(journal).mtimeMs > hangsAfter;
    if (!isStuck && last?.event !== 'done') return;
    if (last.event === 'try') hung.push(last.mutant);
    stuck = isStuck;
    // A worker that is done may still hold what its tests have left open: it is not waited for.
    const worker = all.findLast((entry) => entry.event === 'worker');
    if (worker) process.kill(worker.pid, 'SIGKILL');
    clearInterval(watch);
  }, 5000);
  const progress = setInterval(report, 60_000);
  try {
    const run = await vitest.runTestSpecifications(found);
    const isDone = entries().at(-1)?.event === 'done';
    if (!stuck && !isDone) for (const error of run.unhandledErrors) console.error(error);
  } finally {
    clearInterval(watch);
    clearInterval(progress);
    await vitest.close();
  }
  return !stuck;
}

function report(): void {
  const all = entries();
  const killed = all.filter(({ event }) => event === 'killed').length;
  const survived = all.filter(({ event }) => event === 'survived').length;
  const minutes = Math.round((Date.now() - start) / 60_000);
  console.log(`${minutes} min: ${killed} noticed, ${survived} not`);
}

function keepLeft(): void {
  const others = readLeft().filter((name) => !files.some((file) => name.startsWith(`${file} `)));
  mkdirSync(path.dirname(leftFile), { recursive: true });
  writeFileSync(leftFile, JSON.stringify([...others, ...left.map(({ name }) => name)]));
}

while (tried.length > 0 && !(await work()));

const all = entries();
for (const entry of all)
  if (entry.event === 'broken') console.log(`Fails as it is, and is not asked: ${entry.file}, ${entry.why}`);
const noticed = new Set([...all.flatMap((entry) => (entry.event === 'killed' ? [entry.mutant] : [])), ...hung]);
const reached = new Set(all.flatMap((entry) => (entry.event === 'file' ? entry.reached : [])));
const left = tried.filter(({ id }) => !noticed.has(id));
keepLeft();
for (const file of files) {
  const [first, ...others] = left.filter((one) => one.file === file);
  if (!first) continue;
  console.log(`\n${file}`);
  for (const { id, line, name } of [first, ...others])
    console.log(`  ${line}${reached.has(id) ? '' : ' (no test comes here)'}: ${name.slice(file.length + 1)}`);
}
console.log('');
console.table(
  Object.fromEntries(
    files.map((file) => {
      const of = (list: Mutant[]) => list.filter((one) => one.file === file).length;
      const [count, same, open] = [of(tried), of(known), of(left)];
      const share = count === 0 ? 100 : Math.floor((1000 * (count - open)) / count) / 10;
      return [file, { tried: count, killed: count - open, equal: same, left: open, '%': share }];
    }),
  ),
);
const share = tried.length === 0 ? 1 : 1 - left.length / tried.length;
const minutes = ((Date.now() - start) / 60_000).toFixed(1);
console.log(
  `${tried.length - left.length} of ${tried.length} noticed (${(100 * share).toFixed(1)} %), ${minutes} minutes.`,
);
if (chosen.length === 0)
  for (const name of Object.keys(equal))
    if (!mutants.some((one) => one.name === name)) console.log(`equal.json names a mutant that is no more: ${name}`);
rmSync(folder, { recursive: true });
process.exitCode = share < least ? 1 : 0;
