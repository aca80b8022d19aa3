// `npm run bench`: the measures. Arguments go to test/bench/main.ts; `npm run bench -- storm` is test/bench/storm.ts.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const [name, ...args] = process.argv.slice(2);
const script = name === 'storm' ? ['test/bench/storm.ts', ...args] : ['test/bench/main.ts', ...process.argv.slice(2)];
process.exitCode = await runOnPinnedNode(script, {
  env: { ...process.env, NODE_ENV: 'production' },
});
