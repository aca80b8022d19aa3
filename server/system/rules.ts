/** The words of what a running server is made of. */
export const queueNames = {
  messages: '短信',
  webhooks: '应用通知',
  imports: '导入任务',
  exports: '导出文件',
} as const;

export const readinessNames = { database: '数据库', storage: '文件存储', migrations: '数据库结构' } as const;
export type ReadinessName = keyof typeof readinessNames;

/** `newer`: another version has changed the database already; this one still serves from it. */
export const readinessStates = ['up', 'newer', 'pending', 'away'] as const;
export type ReadinessState = (typeof readinessStates)[number];

export const isGood = (state: ReadinessState): boolean => state === 'up' || state === 'newer';

/** What a server that is not ready says, by what is missing first. */
export const notReady: Record<ReadinessName, string> = {
  database: '数据库暂时不可用',
  storage: '文件存储暂时不可用',
  migrations: '数据库结构尚未更新',
};
