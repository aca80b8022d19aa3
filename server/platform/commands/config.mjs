// `npm run config`: prints the settings in force. Wrong settings are reported and set the exit code.
import { ensureInstalledToServe, runOnPinnedNode } from './setup.mjs';

await ensureInstalledToServe();
const words = process.argv.slice(2);
process.exitCode = await runOnPinnedNode(['server/platform/configuration/command.ts', ...words]);
// If the settings are valid, also checks what they refer to, such as the database privileges that backups need.
if (process.exitCode === 0 && words.length === 0)
  await runOnPinnedNode(['--import=./server/platform/configuration/load.mjs', 'server/startup-warnings.ts']);
