import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { islands } from '../app/build/islands.ts';
import { buildAsFunction } from './support/build.vite.ts';

const filesWith = (text: string) =>
  globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes(text));

/** Files with speed goals. `npm run bench` runs them again, and judges the goals. */
const withGoals = filesWith('/budget.ts');

/** `npm test` does not even load them: some mount a disk or read the settings of this machine while they are loaded. */
const thoroughFiles = process.env.EVERYDAY ? filesWith('@module-tag thorough') : [];

/** Tests of rules. They open nothing and leave nothing behind, so files may share loaded modules. */
const rules =
  'test/{account,analysis,attendance,backup,calendar,community,courses,exams,grading,group-classes,homework,import,learn,lib,live,meetings,sessions,ui,year-rollover}/**/*.test.{ts,tsx}';

/**
 * Tests of calls and screens: each file has its own school and the same modules, so files share a process. Reloading
 * would take as long as most of the tests.
 */
const schools = [
  'test/{api,pages,db,demo,export,files,jobs,pdf,questions,reports,sms,support}/**/!(preview).test.{ts,tsx}',
  'test/commands/{demo,setup,staff}.test.ts',
];

/** Tests that read every page of the school on SQLite, and send every form. */
const crawl = ['test/pages/{every-screen,large-school-sqlite}.test.ts', 'test/faults/forms.test.ts'];

/** Files that also run in the oldest supported browser. */
const journeys = 'test/browser/{grading,publish,questions,attendance,calendar,import}.test.ts';

/**
 * Production mode. React's development mode records where each element was made, most of a page's cost; its warnings
 * are caught in other projects, on every screen in `large-school-postgres`.
 */
const asServed = { NODE_ENV: 'production' };

/**
 * The slowest files by far. They are small, and without the timings of an earlier run vitest would start small files
 * last.
 */
const longest = /\/(?:newcomer|backup|large-school-\w+|hostile|any-width|jobs)\.test\.ts$/;
const byLength = (one: TestSpecification, other: TestSpecification) =>
  Number(longest.test(other.moduleId)) - Number(longest.test(one.moduleId));

const inBrowser = {
  // One browser for all files of a process (support/fixtures.ts).
  isolate: false,
  // On a busy machine a browser may miss a short moment (a double click, a throttle), but not three times in a row.
  retry: process.env.CI ? 2 : 0,
};

/**
 * Runs the longest files first, and mixes `server` files with `browser` files: the former wait for timeouts and
 * restarts while the latter use the CPUs.
 */
class WaitingAmongBusy extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort(byLength);
    const waiting = sorted.filter(({ project }) => project.name === 'server');
    const busy = sorted.filter(({ project }) => project.name !== 'server');
    const merged = busy.flatMap((file, place) => (place % 3 === 0 ? [...waiting.splice(0, 1), file] : [file]));
    return [...merged, ...waiting];
  }
}

export default defineConfig({
  // `islands`: a component that a test renders may name an island. It gets the development server's address.
  plugins: [islands(), buildAsFunction()],
  test: {
    environment: 'node',
    // Receivers and providers of the tests are on this machine.
    env: { OUTGOING_HOSTS: '127.0.0.1' },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Four workers on two cores. With three, the cores were idle a quarter of the time, because tests wait for browsers,
    // server starts and time limits.
    maxWorkers: 4,
    sequence: { sequencer: WaitingAmongBusy },
    // Same header limit as the server: 10 kB filters fit into an address. A larger young generation suits short-lived
    // test data.
    execArgv: ['--max-http-header-size=131072', '--max-semi-space-size=64'],
    provide: { goals: false },
    exclude: thoroughFiles,
    tags: [{ name: 'thorough', description: 'in `npm run test:all`, not in `npm test`' }],
    // A shared machine may take ten times as long. Speed limits are separate goals.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // Some of these tests check a rule against both databases.
        test: { name: 'rules', include: [rules], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.{ts,tsx}'],
          // Files that kill processes (their own too), and one that measures its own memory.
          exclude: ['test/browser/**', ...schools, ...crawl, rules],
        },
      },
      {
        extends: true,
        test: {
          name: 'schools',
          include: schools,
          exclude: crawl,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'crawl', include: crawl, env: asServed },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], env: asServed, ...inBrowser },
      },
      {
        extends: true,
        // Part of `npm run test:all`, and of CI on Linux x64. Chromium 109 is packaged for that system only; on any other
        // these tests fail.
        test: {
          name: 'oldest',
          include: [journeys],
          env: { ...asServed, CHROMIUM_PATH: 'chromium-109' },
          ...inBrowser,
        },
      },
      {
        extends: true,
        test: {
          name: 'goals',
          include: withGoals,
          provide: { goals: true },
          // One at a time, so that measurements have the machine alone.
          fileParallelism: false,
        },
      },
    ],
  },
});
