import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { islands } from '../app/ui/islands.vite.ts';

/** Those that have a goal of speed: `npm run bench` runs them once more, and judges it. */
const withGoals = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('/goal.ts'));

/** Tests of rules: they open nothing and leave nothing behind, so files may share what they have loaded. */
const rules =
  'test/{account,analysis,attendance,calendar,community,correction,exams,group-classes,homework,lib,live,meetings,sessions,ui}/**/*.test.{ts,tsx}';

/**
 * Tests of the calls and of the screens: each file has a school of its own, so what they have loaded is the same for
 * all; to load it anew for each takes as long as most of them do.
 */
const schools = 'test/{api,pages}/**/*.test.ts';

export default defineConfig({
  // A piece of a screen that is tried alone may name an island; it is then one of the development server's.
  plugins: [islands()],
  test: {
    environment: 'node',
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Three on two cores: a test waits for its browser, or for a database that is made to fail, a fifth of its time.
    maxWorkers: 3,
    // As the server runs: filters of 10 kB fit into an address.
    execArgv: ['--max-http-header-size=131072'],
    provide: { goals: false },
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: [rules], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/browser/**', schools, rules],
          testTimeout: 40_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'schools', include: [schools], isolate: false, testTimeout: 40_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // One browser for all files of a process (support/fixtures.ts).
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A browser on a busy machine may miss a moment (a double click, a throttle); it does not miss it three times.
          retry: process.env.CI ? 2 : 0,
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
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
