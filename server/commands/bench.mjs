// `npm run bench`: the measures (design, section 7). Arguments go to test/bench/main.ts.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
process.exitCode = await runOnPinnedNode(['test/bench/main.ts', ...process.argv.slice(2)], {
  env: { ...process.env, NODE_ENV: 'production' },
});
