// `npm start`: the screens and the API in one process, or in several. PORT is where to listen; without it, 3000 is where to start looking
// for a free port. The server itself migrates the database and makes the demo school.
import { join, resolve } from 'node:path';
import { readConfiguration, wrongSettings } from '../configuration/read.mjs';
import { freePort } from './process.mjs';
import { servingCommand, servingEnvironment } from './server-process.mjs';
import { ensureBuilt, ensureInstalledToServe, fail, projectRoot, runOnPinnedNode } from './setup.mjs';

const {
  values: { PORT, HOST, DRAIN_SECONDS, VAR_DIR, WEB_CONCURRENCY },
  faults,
} = readConfiguration(process.env);
if (faults.length > 0) fail(faults.map((fault) => `${fault}.`).join('\n'), wrongSettings);
const wanted = Number(PORT.value);
/** @returns {Promise<number | undefined>} */
const firstFree = () =>
  freePort(wanted, HOST.value || undefined).catch(({ code }) =>
    fail(`HOST is no address that this machine has (${code}).`, wrongSettings),
  );
// Whoever said where it is to be found would not find it elsewhere.
if (PORT.from !== 'default' && wanted !== 0 && (await firstFree()) !== wanted) {
  fail(`Port ${wanted} is taken, or this user may not open it.`);
}

await ensureInstalledToServe();
await ensureBuilt();

const port = await firstFree();
if (port === undefined) fail(`No port from ${wanted} on is free, or this user may not open it.`);
if (port !== wanted && wanted !== 0) console.log(`Port ${wanted} is taken; using ${port}.`);

process.exitCode = await runOnPinnedNode(servingCommand(Number(WEB_CONCURRENCY.value)), {
  env: {
    // The next start takes over what this one compiles: half the time.
    NODE_COMPILE_CACHE: join(resolve(projectRoot, VAR_DIR.value), 'compiled'),
    ...process.env,
    ...servingEnvironment,
    PORT: String(port),
  },
  leaving: Number(DRAIN_SECONDS.value) * 1_000,
});
