// `npm run dev`: the screens with hot reload, from PORT (3000) upwards. Arguments go to `react-router dev`.
import { ensureInstalled, runOnPinnedNode } from './setup.mjs';

await ensureInstalled();
const port = process.env.PORT || '3000';
process.exitCode = await runOnPinnedNode([
  ...['node_modules/@react-router/dev/bin.cjs', 'dev', '--port', port],
  ...process.argv.slice(2),
]);
