// `npm run config`: what is in force here, and what is wrong with it, which is told and ends no other way than by its code.
import { ensureInstalledToServe, runOnPinnedNode } from './setup.mjs';

await ensureInstalledToServe();
process.exitCode = await runOnPinnedNode(['server/platform/configuration/command.ts', ...process.argv.slice(2)]);
