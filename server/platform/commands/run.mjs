// Runs a program of the server, after installing packages if needed: `run.mjs server/main.ts …`.
import { join, resolve } from 'node:path';
import { readConfiguration } from '../configuration/read.mjs';
import { servingEnvironment } from './server-process.mjs';
import { ensureInstalledToServe, projectRoot, runOnPinnedNode } from './setup.mjs';

const program = process.argv.slice(2);

await ensureInstalledToServe();
const configured = `--import=${new URL('../configuration/load.mjs', import.meta.url)}`;
const { values, faults } = readConfiguration(process.env);
// If settings are wrong, no folder is created; the program itself reports the faults.
const cache =
  faults.length > 0 ? {} : { NODE_COMPILE_CACHE: join(resolve(projectRoot, values.VAR_DIR.value), 'compiled') };
process.exitCode = await runOnPinnedNode([configured, ...program], {
  env: { ...process.env, ...servingEnvironment, ...cache, NODE_ENV: process.env.NODE_ENV || 'production' },
});
