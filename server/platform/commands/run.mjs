// `npm run demo|api|staff`: runs one of the programs of server/, after the packages that it needs are there.
import { ensureInstalled, fail, runOnPinnedNode } from './setup.mjs';

/** @type {Record<string, string>} */
const programs = {
  api: 'server/main.ts',
  demo: 'server/demo/command.ts',
  staff: 'server/account/staff-command.ts',
};

const [name = '', ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
if (!program) fail(`There is no command "${name}".`);

await ensureInstalled();
process.exitCode = await runOnPinnedNode([/** @type {string} */ (program), ...args], {
  env: { ...process.env, NODE_ENV: process.env.NODE_ENV || 'production' },
});
