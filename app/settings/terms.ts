import type { Backups } from '#server/backup/contract.ts';
import { type BackupKind, type BackupResult, failureSentences } from '#server/backup/rules.ts';
import type { accessStates } from '#server/learners/tokens.contract.ts';
import type { SecondFactorRule } from '#server/platform/auth/rules.ts';
import { formatBytes } from '#server/platform/files/rules.ts';
import type { Switch } from '#server/settings/contract.ts';
import type { NationalHolidays } from '#server/settings/holidays.contract.ts';
import type { SystemState } from '#server/system/contract.ts';
import type { JobRow } from '#server/system/jobs.contract.ts';
import {
  type JobKind,
  type JobState,
  type ReadinessState,
  repeatedJobs,
  type TextState,
} from '#server/system/rules.ts';

export const timezones = [
  ['Asia/Shanghai', '中国标准时间（北京）'],
  ['Asia/Urumqi', '新疆时间（乌鲁木齐）'],
  ['Asia/Hong_Kong', '香港'],
  ['Asia/Taipei', '台北'],
  ['Asia/Singapore', '新加坡'],
  ['Asia/Tokyo', '东京'],
  ['Asia/Bangkok', '曼谷'],
  ['Europe/London', '伦敦'],
  ['Europe/Paris', '巴黎'],
  ['America/New_York', '纽约'],
  ['America/Los_Angeles', '洛杉矶'],
  ['Australia/Sydney', '悉尼'],
] as const;

export const switchLabels: Record<Switch, string> = {
  switch_question_module: '公共题库：布置作业时可以从公共题库选题',
  class_homework_module: '课次作业：团课和一对一的课次可以布置作业',
  community_module: '社区：讲师和助教可以使用社区',
  class_circle: '班级圈子：每个班级在社区中有自己的圈子',
  show_grade: '年级：班级显示年级，并可按年级筛选',
  show_classify: '分类：班级显示分类，并可按分类筛选',
  learn_page: '学员端：学员在本站的 /learn 页面登录，交作业、考试、看课表和请假',
};

export const secondFactorLabels: Record<SecondFactorRule, string> = {
  none: '不要求，由本人决定',
  admin: '要求教务开启',
  all: '要求所有人开启',
};

export const accessStateNames: Record<(typeof accessStates)[number], string> = { 'in-use': '在用', ended: '已停用' };

export const engineNames: Record<SystemState['engine'], string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export const storageNames: Record<SystemState['storage']['kind'], string> = { folder: '数据文件夹', bucket: '存储桶' };

export const readinessLabels: Record<ReadinessState, string> = {
  up: '正常',
  newer: '正常，版本较旧',
  pending: '待更新',
  away: '不可用',
};

/**
 * Explains why a message was not delivered. `noted` is a sentence of this application, or the status that the receiver
 * returned.
 */
export function describeFailure(noted: string): string {
  if (noted === '' || /[\u4e00-\u9fff]/.test(noted)) return noted;
  const [, status] = /^status (\d+)$/.exec(noted) ?? [];
  return status ? `对方应答 ${status}` : '对方没有应答';
}

/**
 * Explains why a job failed. Repeated background jobs get a general sentence, because their errors are technical; the
 * log has them.
 */
export const describeJobFailure = ({ kind, error }: Pick<JobRow, 'kind' | 'error'>): string =>
  error !== '' && repeatedJobs.some((own) => own === kind) && !/[\u4e00-\u9fff]/.test(error)
    ? failureSentences.other
    : describeFailure(error);

const gigabyte = 1024 ** 3;

/** Formats bytes. From a gigabyte on, in GB: `12 GB`. */
export const formatSize = (bytes: number): string =>
  bytes >= gigabyte ? `${Math.round((bytes / gigabyte) * 10) / 10} GB` : formatBytes(bytes);

/**
 * Describes the national list of a year: announced, with the number of days that the school has not recorded; only the
 * days that the law fixes; or outside the data.
 */
export function nationalNote({ year, is_announced, days }: NationalHolidays): string {
  const missing = days.filter(({ present }) => !present).length;
  if (is_announced === 1)
    return `国务院办公厅已公布${year}年的安排，${missing > 0 ? `其中${missing}天还没有采用` : '每一天都已有记录'}`;
  if (days.length === 0) return `本系统没有${year}年的国家法定节假日，请在“设置-节假日”中自行添加`;
  return `${year}年只有法定日期，国务院调休安排尚未公布，或本版本还没有收录；公布后请按通知补上其余放假和调休的日子`;
}

export const backupKindNames: Record<BackupKind, string> = {
  scheduled: '自动',
  manual: '手动',
  restore_point: '升级前',
};

export const backupResultNames: Record<BackupResult, string> = {
  ok: '已校验',
  unread: '未校验',
  incomplete: '缺少附件',
  failed: '失败',
};

export const backupResultTones: Record<BackupResult, 'good' | 'plain' | 'warn' | 'bad'> = {
  ok: 'good',
  unread: 'plain',
  incomplete: 'warn',
  failed: 'bad',
};

export const backupStateSentences: Record<Backups['state'], string> = {
  none: '还没有自动备份。',
  ok: '最近一次自动备份已完成。',
  failed: '最近一次自动备份失败，请联系运行服务器的人员。',
  overdue: '自动备份已逾期，请联系运行服务器的人员。',
};

export const textSentences: Record<Exclude<TextState, 'ok'>, string> = {
  nowhere: '学校没有短信接口，最近要发的短信没有发出。',
  failing: '有短信发送失败，短信接口没有接收。',
};

/** Formats when backups are made: at a time of day (`03:30`), or at an interval of hours. */
export const formatSchedule = (every: string): string =>
  every.includes(':') ? `每天${every}自动备份` : `每${every}小时自动备份`;

/** Formats how many daily, weekly and monthly backups are kept. */
export function formatKeptBackups(keep: string): string {
  const [days, weeks, months] = keep.split(',');
  const kept = [
    `最近${days}天每天一份`,
    weeks !== '0' && `最近${weeks}周每周一份`,
    months !== '0' && `最近${months}个月每月一份`,
  ];
  return `保留${kept.filter(Boolean).join('、')}`;
}
export const jobNames: Record<JobKind, string> = {
  'hand-in': '到时自动交卷',
  leaving: '到期自动离班',
  'import-watch': '监视导入文件夹',
  keeping: '清理过期数据',
  messages: '发送短信',
  webhook: '通知应用',
  import: '导入',
};

export const jobStateNames: Record<JobState, string> = {
  fine: '正常',
  running: '执行中',
  waiting: '等待',
  failing: '失败',
};

/** Formats what a CSP report says was blocked: a keyword or an origin. */
export const blockedSourceName = (blocked: string): string =>
  ({ inline: '页面内的代码', eval: '页面内的代码', '': '未说明', '*': '其他' })[blocked] ?? blocked;

const directiveNames: Record<string, string> = {
  script: '脚本',
  style: '样式',
  img: '图片',
  font: '字体',
  connect: '连接',
  media: '音视频',
  frame: '嵌入页面',
  form: '表单',
};
/** Name of a CSP directive. `script-src-elem` counts as `script`. */
export const directiveName = (directive: string): string => directiveNames[directive.split('-')[0] ?? ''] ?? '其他';
