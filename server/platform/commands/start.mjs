// `npm start`: serves screens and API in one process or several. Listens on PORT; if it is not set, on the first free
// port from 3000 on. The server itself migrates the database and creates the demo school.
import { join, resolve } from 'node:path';
import { readConfiguration, wrongSettingsExitCode } from '../configuration/read.mjs';
import { freePort } from './process.mjs';
import { servingCommand, servingEnvironment } from './server-process.mjs';
import { ensureBuilt, ensureInstalledToServe, fail, projectRoot, runOnPinnedNode } from './setup.mjs';

const {
  values: { PORT, HOST, DRAIN_SECONDS, VAR_DIR, WEB_CONCURRENCY },
  faults,
} = readConfiguration(process.env);
if (faults.length > 0) fail(faults.map((fault) => `${fault}.`).join('\n'), wrongSettingsExitCode);
const wanted = Number(PORT.value);
/** @returns {Promise<number | undefined>} */
const firstFree = () =>
  freePort(wanted, HOST.value || undefined).catch(({ code }) =>
    fail(`HOST is no address that this machine has (${code}).`, wrongSettingsExitCode),
  );
// A port that was set explicitly must be free: nobody would find the server at another one.
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
    // Compile cache: halves the time of the next start.
    NODE_COMPILE_CACHE: join(resolve(projectRoot, VAR_DIR.value), 'compiled'),
    ...process.env,
    ...servingEnvironment,
    PORT: String(port),
  },
  leaving: Number(DRAIN_SECONDS.value) * 1_000,
});
