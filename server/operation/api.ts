import { handle } from '#server/school/context.ts';
import { listJobs, retryJob } from './contract.ts';
import { jobs, retry } from './jobs.ts';

/** What an administrator of all schools sees of the machine. */
export const operationCalls = [
  handle(listJobs, jobs),
  handle(retryJob, ({ body, ...context }) => retry(context, body.job)),
];
