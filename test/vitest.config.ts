import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { islands } from '../app/build/islands.ts';
import { buildAsFunction } from './support/build.vite.ts';

const filesWith = (text: string) =>
  globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes(text));

/** Files with a goal of speed: `npm run bench` runs them once more, and judges it. */
const withGoals = filesWith('/budget.ts');

/** `npm test` does not even load them: some mount a disk or read the settings of this machine while they are loaded. */
const thoroughFiles = process.env.EVERYDAY ? filesWith('@module-tag thorough') : [];

/** Tests of rules: they open nothing and leave nothing behind, so files may share what they have loaded. */
const rules =
  'test/{account,analysis,attendance,backup,calendar,community,correction,courses,exams,group-classes,homework,import,learn,lib,live,meetings,sessions,ui}/**/*.test.{ts,tsx}';

/**
 * Tests of the calls, of the screens and of what stands behind them: each file has a school of its own, so what they have
 * loaded is the same for all; to load it anew for each takes as long as most of them do.
 */
const schools = [
  'test/{api,pages,db,demo,export,files,jobs,pdf,questions,reports,sms,support}/**/!(preview).test.{ts,tsx}',
  'test/commands/{demo,setup,staff}.test.ts',
];

/** Tests that read every page of SQLite's school, and send every form of it. */
const crawl = ['test/pages/{every-screen,large-school-sqlite}.test.ts', 'test/faults/forms.test.ts'];

/** Grading, publishing, questions, attendance, calendar and import: what the oldest browser is tried with. */
const journeys = 'test/browser/{correction,publish,questions,attendance,calendar,import}.test.ts';

/**
 * As the product is served. In development React notes for each element where it was made, which is most of what a page
 * costs; what it warns of is heard in the other projects, on every screen in `large-school-postgres`.
 */
const asServed = { NODE_ENV: 'production' };

/** They take longest by far, and are short to read: without an earlier run to go by, vitest would have them last. */
const longest = /\/(?:large-school-\w+|hostile|any-width|jobs)\.test\.ts$/;

const inBrowser = {
  // One browser for all files of a process (support/fixtures.ts).
  isolate: false,
  // A browser on a busy machine may miss a moment (a double click, a throttle); it does not miss it three times.
  retry: process.env.CI ? 2 : 0,
};

/**
 * The longest of a project first, as vitest has it, and those of `server` among those of `browser`: the first wait for
 * time limits and restarts, the others keep the processors busy. Side by side neither waits for the other.
 */
class WaitingAmongBusy extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ project }) => project.name === 'server');
    const busy = sorted
      .filter(({ project }) => project.name !== 'server')
      .sort((one, other) => Number(longest.test(other.moduleId)) - Number(longest.test(one.moduleId)));
    const merged = busy.flatMap((file, place) => (place % 3 === 0 ? [...waiting.splice(0, 1), file] : [file]));
    return [...merged, ...waiting];
  }
}

export default defineConfig({
  // A piece of a screen that is tried alone may name an island; it is then one of the development server's.
  plugins: [islands(), buildAsFunction()],
  test: {
    environment: 'node',
    // Receivers and providers of the tests are on this machine.
    env: { OUTGOING_HOSTS: '127.0.0.1' },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Four on two cores: three left a quarter of their time to nobody, for tests wait for browsers, starts, and time limits.
    maxWorkers: 4,
    sequence: { sequencer: WaitingAmongBusy },
    // As the server runs: filters of 10 kB fit into an address. The young memory is larger: most of what a test makes is
    // for one page or one answer.
    execArgv: ['--max-http-header-size=131072', '--max-semi-space-size=64'],
    provide: { goals: false },
    exclude: thoroughFiles,
    tags: [{ name: 'thorough', description: 'in `npm run test:all`, not in `npm test`' }],
    // A machine that others use as well may take ten times as long. What must be fast says so by a goal.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // Some of them hold a rule against both databases.
        test: { name: 'rules', include: [rules], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.{ts,tsx}'],
          // Those that end processes, their own among them, and one that measures what its own keeps in memory.
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
        // CI alone runs it, on the systems that it is packaged for.
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
          // One at a time: what is measured has the machine to itself.
          fileParallelism: false,
        },
      },
    ],
  },
});
