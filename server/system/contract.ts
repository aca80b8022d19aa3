/** State of the running server, for administrators of all schools. */
import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { filesOfProcess, queueNames, type ReadinessName, readinessNames, readinessStates } from './rules.ts';

const keysOf = <Name extends string>(names: Record<Name, string>) => Object.keys(names) as [Name, ...Name[]];

/** Sizes in bytes. */
export const SystemState = v.object({
  version: v.string(),
  node: v.string(),
  engine: v.picklist(['sqlite', 'postgres']),
  engine_version: v.string(),
  database_bytes: v.nullable(v.number()),
  migration: v.object({
    latest: v.string(),
    at: Seconds,
    pending: v.array(v.string()),
    newer: v.array(v.string()),
  }),
  ready: v.array(
    v.object({ name: v.picklist(keysOf<ReadinessName>(readinessNames)), state: v.picklist(readinessStates) }),
  ),
  queues: v.array(
    v.object({
      name: v.picklist(keysOf(queueNames)),
      waiting: v.number(),
      oldest_at: v.nullable(Seconds),
      failing: v.number(),
      error: v.string(),
    }),
  ),
  /** 0: text messages go nowhere, because no receiver is set. */
  sends_texts: v.picklist([0, 1]),
  /**
   * File storage. `place`: path of the folder, or name of the bucket. `files`, `bytes` and `free` are null if unknown.
   */
  storage: v.object({
    kind: v.picklist(['folder', 'bucket']),
    place: v.string(),
    files: v.nullable(v.number()),
    bytes: v.nullable(v.number()),
    free: v.nullable(v.number()),
  }),
  /** State of the backups; null if this server makes none. */
  backup: v.nullable(v.object({ succeeded_at: v.nullable(Seconds), failure: v.string() })),
  /** Day of the last completed run of the retention job; '' if there was none. */
  cleared_on: v.string(),
  processes: v.array(
    v.object({
      host: v.string(),
      pid: v.number(),
      version: v.string(),
      started_at: Seconds,
      seen_at: Seconds,
      /** 1: the process has sent no heartbeat for some minutes. */
      is_gone: v.picklist([0, 1]),
      memory: v.number(),
      /**
       * Tells whether the process uses the same file storage as this one. `refused`: it uses another storage and so did
       * not start serving.
       */
      files: v.picklist(filesOfProcess),
    }),
  ),
  /** Content security policy violations reported by browsers. */
  policy_reports: v.object({
    count: v.number(),
    last: v.array(
      v.object({
        directive: v.string(),
        blocked: v.string(),
        page: v.string(),
        source: v.string(),
        count: v.number(),
        last_at: Seconds,
      }),
    ),
  }),
});
export type SystemState = v.InferOutput<typeof SystemState>;

export const showSystem = adminCall({
  method: 'GET',
  path: 'system',
  title: '系统状态',
  description: '版本、数据库、后台任务、存储、备份与正在运行的进程。限管理全部学校的教务。',
  needs: 'settings',
  answer: SystemState,
});
