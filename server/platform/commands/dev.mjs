// `npm run dev`: the screens with hot reload, from PORT (3000) upwards. Arguments go to `react-router dev`.
import { ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
process.exitCode = await runOnPinnedNode([
  // Without it react-router starts itself once more with it, and forgets our own flags.
  '--conditions=development',
  `--import=${new URL('../configuration/load.mjs', import.meta.url)}`,
  'node_modules/@react-router/dev/bin.cjs',
  'dev',
  '--port',
  process.env.PORT || '3000',
  ...process.argv.slice(2),
]);
