// `npm test`, and `npm run test:all` with `--all`. Other arguments go to vitest: `npm test -- test/browser`.
import { ensureBuilt, ensureInstalled, runOnPinnedNode, testsNeedBuild } from './setup.mjs';

const all = process.argv.includes('--all');
const args = process.argv.slice(2).filter((argument) => argument !== '--all');
/** Speed goals are measured by `npm run bench`. */
const projects = args.includes('--project') ? [] : ['--project', '!goals', ...(all ? [] : ['--project', '!oldest'])];
const isChosen = all || args.some((argument) => argument.includes('.test.') || argument.startsWith('--tags-filter'));

await ensureInstalled();
if (testsNeedBuild(args)) await ensureBuilt();
if (!isChosen) {
  console.log(
    'npm run test:all runs these and: PostgreSQL throughout, the oldest browsers, large schools, every width, both ' +
      'persons with and without client JS, faults of disks and databases, upgrades, proxies and processes.',
  );
}
process.exitCode = await runOnPinnedNode(
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--root',
    '.',
    '--config',
    'test/vitest.config.ts',
    ...(isChosen ? [] : ['--tags-filter', '!thorough']),
    ...projects,
    ...args,
  ],
  { env: { ...process.env, NODE_ENV: 'test', ...(!isChosen && { EVERYDAY: '1' }) } },
);
