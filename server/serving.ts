/**
 * Loaded before everything else by a process that serves (`--import`, see commands/serving.mjs): faults of the
 * settings end it before anything is made, and it stops in order.
 */
import '#server/platform/configuration/load.mjs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { startMonitoring } from '#server/monitoring.ts';
import { answerPagesFirst } from '#server/platform/calls/front.ts';
import { prepareRequests } from '#server/platform/calls/incoming.ts';
import { keepCompiledIn, setting } from '#server/platform/configuration/setting.ts';
import { makeVarFolder, varFolder } from '#server/platform/db/location.ts';
import { giveMemoryBack } from '#server/platform/processes/memory.ts';
import { stopInOrder } from '#server/stopping.ts';

// A worker of a package's own is started with the flags of its process.
if (isMainThread) {
  if (!setting('API_BASE_URL')) makeVarFolder();
  // Threads and commands run from their sources, and keep what they have compiled for the next ones.
  keepCompiledIn(path.join(varFolder(), 'compiled'));
  prepareRequests();
  answerPagesFirst();
  giveMemoryBack();
  stopInOrder();
  await startMonitoring();
}
