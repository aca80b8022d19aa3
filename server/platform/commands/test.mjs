// `npm test`: all tests. Arguments go to vitest: `npm test -- test/browser` runs those of one folder.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

const args = process.argv.slice(2);
// The goals of speed are `npm run bench`'s, and the oldest browser is CI's.
const projects = args.includes('--project') ? [] : ['--project', '!goals', '--project', '!oldest'];

await ensureInstalled();
await ensureBuilt();
process.exitCode = await runOnPinnedNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--config', 'test/vitest.config.ts', ...projects, ...args],
  { env: { ...process.env, NODE_ENV: 'test' } },
);
