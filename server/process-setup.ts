/**
 * Loaded before everything else by a process that serves (`--import`, see commands/server-process.mjs): faults of the
 * settings end it before anything is made, and it stops in order.
 */
import '#server/platform/configuration/load.mjs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { startMonitoring } from '#server/monitoring.ts';
import { answerBeforeOthers } from '#server/platform/calls/direct.ts';
import { prepareRequests } from '#server/platform/calls/request-setup.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { makeVarFolder } from '#server/platform/db/location.ts';
import { stopInOrder } from '#server/shutdown.ts';

// A worker of a package's own is started with the flags of its process.
if (isMainThread) {
  if (!setting('API_BASE_URL')) makeVarFolder();
  prepareRequests();
  leaveOutAddresses();
  stopInOrder();
  await startMonitoring();
  // Not before the server of the figures, which listens by now.
  answerBeforeOthers();
}

/** react-router-serve logs every address with morgan, and addresses hold what somebody searched for: its format is empty. */
function leaveOutAddresses(): void {
  const morgan = createRequire(import.meta.resolve('@react-router/serve/package.json'))('morgan');
  morgan.format('tiny', () => undefined);
}
