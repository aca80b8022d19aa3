import { handle } from '#server/school/context.ts';
import { showSystem } from './contract.ts';
import { listJobs, retryJob } from './jobs.contract.ts';
import { listBackgroundJobs, retryBackgroundJob } from './jobs.ts';
import { systemState } from './state.ts';

/** Calls of the system pages, for administrators of all schools: server state and background jobs. */
export const systemCalls = [
  handle(showSystem, systemState),
  handle(listJobs, listBackgroundJobs),
  handle(retryJob, ({ body, ...context }) => retryBackgroundJob(context, body.job)),
];
