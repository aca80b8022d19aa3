/** Background work: scheduled jobs, and queues. */
import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { jobKinds, jobMessages, jobStates } from './rules.ts';

export const JobRow = v.object({
  /** Id of the job, such as `keeping`, `messages`, `webhook 3`, `import 12`. */
  id: v.string(),
  kind: v.picklist(jobKinds),
  /** Name of the webhook's application, or of the imported file. */
  name: v.string(),
  state: v.picklist(jobStates),
  /** Host and process that run the job; '' if none does. */
  holder: v.string(),
  /** Number of items in the queue; null if the job is no queue. */
  waiting: v.nullable(v.number()),
  /** When the oldest waiting item was queued. */
  oldest_at: v.nullable(Seconds),
  /** When the job last ran successfully. */
  done_at: v.nullable(Seconds),
  /** When the job runs next; null if it is due now. */
  due_at: v.nullable(Seconds),
  /** Failures in a row. */
  tries: v.number(),
  /** Error text of the last failure. */
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
