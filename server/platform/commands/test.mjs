// `npm test`: all tests. Arguments go to vitest: `npm test -- test/browser` runs those of one folder.
import { ensureBuilt, ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
process.exitCode = await runOnPinnedNode(
  [
    ...['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--config', 'test/vitest.config.ts'],
    ...['--project', 'server', '--project', 'browser'],
    ...process.argv.slice(2),
  ],
  { env: { ...process.env, NODE_ENV: 'test' } },
);
