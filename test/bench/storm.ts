/** `npm run bench -- storm`: runs the full fault tests of grading and of learners (test/faults/), on each engine. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--root',
    '.',
    '--config',
    'test/vitest.config.ts',
    'test/faults/storm.test.ts',
    'test/faults/learners.test.ts',
  ],
  { env: { ...process.env, NODE_ENV: 'test', STORM: 'whole' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
