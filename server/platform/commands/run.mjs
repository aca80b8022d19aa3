// Runs a program of the server after the packages that it needs are there: `run.mjs server/main.ts …`.
import { ensureInstalledToServe, runOnPinnedNode } from './setup.mjs';

const program = process.argv.slice(2);

await ensureInstalledToServe();
const configured = `--import=${new URL('../configuration/load.mjs', import.meta.url)}`;
process.exitCode = await runOnPinnedNode([configured, ...program], {
  env: { ...process.env, NODE_ENV: process.env.NODE_ENV || 'production' },
});
