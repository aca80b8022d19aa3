// `npm run bench`: the measures, and the goals of speed that tests name (test/support/goal.ts). Arguments go to
// test/bench/main.ts; `npm run bench -- goals` is the tests' alone, `npm run bench -- storm` is test/bench/storm.ts.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const [name, ...args] = process.argv.slice(2);
const goals = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--config', 'test/vitest.config.ts'];
const judgeGoals = (/** @type {string[]} */ files) =>
  runOnPinnedNode([...goals, '--project', 'goals', ...files], { env: { ...process.env, NODE_ENV: 'test' } });
const measure = (/** @type {string[]} */ script) =>
  runOnPinnedNode(script, { env: { ...process.env, NODE_ENV: 'production' } });

if (name === 'storm') process.exitCode = await measure(['test/bench/storm.ts', ...args]);
else if (name === 'goals') process.exitCode = await judgeGoals(args);
else {
  const missed = await measure(['test/bench/main.ts', ...process.argv.slice(2)]);
  process.exitCode = (await judgeGoals([])) || missed;
}
