// `npm run bench`: benchmarks, and the speed goals of tests (test/support/budget.ts). Arguments go to
// test/bench/main.ts and select parts; `-- goals` runs the tests only, `-- storm` test/bench/storm.ts, `-- beside`
// test/bench/import-beside.ts, and `-- operation [ROW,…]` test/faults/operation.test.ts.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const [name, ...args] = process.argv.slice(2);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--config', 'test/vitest.config.ts'];
const judge = (/** @type {string[]} */ words, /** @type {Record<string, string>} */ more = {}) =>
  runOnPinnedNode([...vitest, ...words], { env: { ...process.env, NODE_ENV: 'test', ...more } });
const judgeGoals = (/** @type {string[]} */ files) => judge(['--project', 'goals', ...files]);
const measure = (/** @type {string[]} */ script) =>
  runOnPinnedNode(script, { env: { ...process.env, NODE_ENV: 'production' } });

if (name === 'storm') process.exitCode = await measure(['test/bench/storm.ts', ...args]);
else if (name === 'operation')
  process.exitCode = await judge(['--project', 'server', 'test/faults/operation.test.ts'], { OPERATION: args.join() });
else if (name === 'beside') process.exitCode = await measure(['test/bench/import-beside.ts', ...args]);
else if (name === 'goals') process.exitCode = await judgeGoals(args);
else {
  const words = process.argv.slice(2);
  const missed = await measure(['test/bench/main.ts', ...words]);
  const isWhole = words.every((word) => word.startsWith('--'));
  process.exitCode = (isWhole && (await judgeGoals([]))) || missed;
}
