// `npm run dev`: development server with hot reload, on the first free port from PORT (3000) on. Arguments go to
// `react-router dev`.
import { ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
process.exitCode = await runOnPinnedNode([
  // Without this condition react-router would start itself again and drop our flags.
  '--conditions=development',
  `--import=${new URL('../configuration/load.mjs', import.meta.url)}`,
  'node_modules/@react-router/dev/bin.cjs',
  'dev',
  '--port',
  process.env.PORT || '3000',
  ...process.argv.slice(2),
]);
