// `npm run demo|api|staff`: runs server/commands/NAME.ts, after the packages that it needs are there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, fail, projectRoot, runOnPinnedNode } from './setup.mjs';

const [name = '', ...args] = process.argv.slice(2);
const script = `server/commands/${name}.ts`;
if (!/^[a-z-]+$/.test(name) || !existsSync(join(projectRoot, script))) fail(`There is no command "${name}".`);

await ensureInstalled();
process.exitCode = await runOnPinnedNode([script, ...args], {
  env: { ...process.env, NODE_ENV: process.env.NODE_ENV || 'production' },
});
