/** What a person is told of the work behind the requests. */
import { failingFrom } from '#server/platform/background/rules.ts';

/** What comes again and again, in the order of the screen. */
export const repeatedJobs = ['hand-in', 'import-watch', 'keeping'] as const;
/** Those, and what stands in lines: text messages, what an application is told, uploads that are being imported. */
export const jobKinds = [...repeatedJobs, 'messages', 'webhook', 'import'] as const;
export type JobKind = (typeof jobKinds)[number];

/** `failing`: it failed several times, and somebody has to look; `waiting`: tried again by itself, or on its way. */
export const jobStates = ['fine', 'running', 'waiting', 'failing'] as const;
export type JobState = (typeof jobStates)[number];

/** Seconds behind its time after which nobody seems to do it. */
export const lateAfter = 600;

interface JobFacts {
  isHeld: boolean;
  tries: number;
  dueAt: number;
}

export function jobState({ isHeld, tries, dueAt }: JobFacts, now: number): JobState {
  if (tries >= failingFrom || (!isHeld && now - dueAt > lateAfter)) return 'failing';
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
