/** Background work: scheduled jobs and queues. */
import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { jobKinds, jobMessages, jobStates } from './rules.ts';

export const JobRow = v.object({
  /** Such as `keeping`, `messages`, `webhook 3`, `import 12`. */
  id: v.string(),
  kind: v.picklist(jobKinds),
  /** Name of the application or file. */
  name: v.string(),
  state: v.picklist(jobStates),
  /** Host and process running it; '' if none. */
  holder: v.string(),
  /** Items in the queue; null if it is no queue. */
  waiting: v.nullable(v.number()),
  /** When the oldest waiting item was queued. */
  oldest_at: v.nullable(Seconds),
  /** Last successful run. */
  done_at: v.nullable(Seconds),
  /** Next run; null if it is due now. */
  due_at: v.nullable(Seconds),
  /** Failures in a row. */
  tries: v.number(),
  /** Error of the last failure, verbatim. */
  error: v.string(),
  may_retry: v.picklist([0, 1]),
});
export type JobRow = v.InferOutput<typeof JobRow>;

export const listJobs = adminCall({
  method: 'GET',
  path: 'jobs',
  title: '任务列表',
  needs: 'settings',
  answer: v.array(JobRow),
});

/** Retries a failed or waiting job at once. */
export const retryJob = adminCall({
  method: 'POST',
  path: 'jobs/retry',
  title: '重试任务',
  needs: 'settings',
  body: v.object({ job: v.string() }),
  answer: v.null(),
  message: jobMessages.again,
});
