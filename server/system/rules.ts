/** Labels and states of the parts of the server and of background jobs. */
import { failuresUntilAlert } from '#server/platform/background/rules.ts';

export const queueNames = {
  messages: '短信',
  webhooks: '应用通知',
  imports: '导入任务',
  exports: '导出文件',
} as const;

export const readinessNames = { database: '数据库', storage: '文件存储', migrations: '数据库结构' } as const;
export type ReadinessName = keyof typeof readinessNames;

/** States of a part of the server. `newer`: a newer version has migrated the database; this version can still serve. */
export const readinessStates = ['up', 'newer', 'pending', 'away'] as const;
export type ReadinessState = (typeof readinessStates)[number];

export const isReadinessGood = (state: ReadinessState): boolean => state === 'up' || state === 'newer';

/** Message of a server that is not ready, by the first part that is not. */
export const notReadyMessages: Record<ReadinessName, string> = {
  database: '数据库暂时不可用',
  storage: '文件存储暂时不可用',
  migrations: '数据库结构尚未更新',
};

/**
 * Tells whether another process uses the file storage of this one. `elsewhere`: it serves with another storage.
 * `refused`: it has another storage and did not start serving.
 */
export const filesOfProcess = ['here', 'elsewhere', 'refused', 'unknown'] as const;
export type FilesOfProcess = (typeof filesOfProcess)[number];

// ---- Background jobs -----------------------------------------------------------------------------------

/** Scheduled jobs, in the order in which the screen lists them. */
export const repeatedJobs = ['hand-in', 'leaving', 'import-watch', 'keeping'] as const;
/** Kinds of background work: scheduled jobs, and the queues of text messages, webhooks and imports. */
export const jobKinds = [...repeatedJobs, 'messages', 'webhook', 'import'] as const;
export type JobKind = (typeof jobKinds)[number];

/**
 * States of a job. `failing`: it failed several times and needs attention. `waiting`: it is in progress or is retried
 * automatically.
 */
export const jobStates = ['fine', 'running', 'waiting', 'failing'] as const;
export type JobState = (typeof jobStates)[number];

/** Seconds behind schedule until a job counts as stuck. */
export const jobStuckAfter = 600;

interface JobFacts {
  isHeld: boolean;
  tries: number;
  dueAt: number;
}

export function jobState({ isHeld, tries, dueAt }: JobFacts, now: number): JobState {
  if (tries >= failuresUntilAlert || (!isHeld && now - dueAt > jobStuckAfter)) return 'failing';
  if (isHeld) return 'running';
  return tries > 0 ? 'waiting' : 'fine';
}

export const queueState = ({ waiting, stuck }: { waiting: number; stuck: number }): JobState => {
  if (stuck > 0) return 'failing';
  return waiting > 0 ? 'waiting' : 'fine';
};

export const missingJob = '任务不存在或已经完成';

export const jobMessages = {
  everySchool: '任务属于整个系统，只有管理全部学校的教务可以查看',
  late: '没有进程在执行，请确认服务已启动',
  lost: '处理它的进程已经结束，请到导入页面重新操作',
  again: '已安排重试，马上执行',
};

/** `nowhere`: messages are due, but the school has no receiver. `failing`: the receiver does not take them. */
export const textStates = ['ok', 'nowhere', 'failing'] as const;
export type TextState = (typeof textStates)[number];
