/**
 * Loads first in every serving process (`--import`, see commands/server-process.mjs): wrong settings end it before anything
 * is made, requests are prepared, and it shuts down in order.
 */
import '#server/platform/configuration/load.mjs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { startMonitoring } from '#server/monitoring.ts';
import { installFastPath } from '#server/platform/calls/direct.ts';
import { prepareRequests } from '#server/platform/calls/request-setup.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { makeVarFolder } from '#server/platform/db/location.ts';
import { installGracefulShutdown } from '#server/shutdown.ts';

// Worker threads of packages start with the flags of the process, so they load this file too. They need no setup.
if (isMainThread) {
  if (!setting('API_BASE_URL')) makeVarFolder();
  prepareRequests();
  leaveOutAddresses();
  installGracefulShutdown();
  await startMonitoring();
  // Installed after the metrics server listens, so that only later servers get the fast path.
  installFastPath();
}

/** Silences morgan: react-router-serve logs whole addresses with it, and they hold search terms. */
function leaveOutAddresses(): void {
  const morgan = createRequire(import.meta.resolve('@react-router/serve/package.json'))('morgan');
  morgan.format('tiny', () => undefined);
}
