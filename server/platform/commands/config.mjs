// `npm run config`: what is in force here, and what is wrong with it, which is told and ends no other way than by its code.
import { ensureInstalledToServe, runOnPinnedNode } from './setup.mjs';

await ensureInstalledToServe();
const words = process.argv.slice(2);
process.exitCode = await runOnPinnedNode(['server/platform/configuration/command.ts', ...words]);
// The settings are right: what they lead to, such as a database whose user may not do what backups need.
if (process.exitCode === 0 && words.length === 0)
  await runOnPinnedNode(['--import=./server/platform/configuration/load.mjs', 'server/startup-warnings.ts']);
