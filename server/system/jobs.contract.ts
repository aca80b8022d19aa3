/** What is done behind the requests: what comes again and again, and what waits in lines. */
import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { jobKinds, jobMessages, jobStates } from './rules.ts';

export const JobRow = v.object({
  /** `keeping`, `messages`, `webhook 3`, `import 12`. */
  id: v.string(),
  kind: v.picklist(jobKinds),
  /** Of the application, or of the file. */
  name: v.string(),
  state: v.picklist(jobStates),
  /** Machine and process that are doing it; empty: none. */
  holder: v.string(),
  /** How many wait in the line; null: it is none. */
  waiting: v.nullable(v.number()),
  /** Since when the one waits that has waited longest. */
  oldest_at: v.nullable(Seconds),
  /** When it was done last. */
  done_at: v.nullable(Seconds),
  /** When it is done next; null where that is at once. */
  due_at: v.nullable(Seconds),
  /** Failures in a row. */
  tries: v.number(),
  /** Why it failed last, word for word. */
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

/** What has failed, and what waits until it is tried again, is tried at once. */
export const retryJob = adminCall({
  method: 'POST',
  path: 'jobs/retry',
  title: '重试任务',
  needs: 'settings',
  body: v.object({ job: v.string() }),
  answer: v.null(),
  message: jobMessages.again,
});
