// `npm start`: the screens and the API in one process. PORT (3000) is where to start looking for a free port, HOST the
// address to listen on (all). The server itself migrates the database and makes the demo school.
import { resolve } from 'node:path';
import { freePort } from './process.mjs';
import { compiledBefore, servingEnvironment, servingFlags } from './serving.mjs';
import { ensureBuilt, ensureInstalledToServe, fail, projectRoot, runOnPinnedNode } from './setup.mjs';

const wanted = Number(process.env.PORT || 3000);
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) fail(`PORT=${process.env.PORT} is not a port.`);

await ensureInstalledToServe();
await ensureBuilt();

const port = await freePort(wanted, process.env.HOST || undefined);
if (port === undefined) fail(`No port from ${wanted} on is free, or this user may not open it.`);
if (port !== wanted && wanted !== 0) console.log(`Port ${wanted} is taken; using ${port}.`);

const cache = compiledBefore(projectRoot, resolve(projectRoot, process.env.VAR_DIR || 'var'));
const server = ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'];
process.exitCode = await runOnPinnedNode([...servingFlags, ...server], {
  env: { ...process.env, ...servingEnvironment, ...cache, PORT: String(port) },
});
