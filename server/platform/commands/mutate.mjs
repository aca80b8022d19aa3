// `npm run mutate`: faults put into the rules one at a time, and whether a test notices. See test/mutation/main.ts.
import { ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
process.exitCode = await runOnPinnedNode(['test/mutation/main.ts', ...process.argv.slice(2)], {
  env: { ...process.env, NODE_ENV: 'test' },
});
