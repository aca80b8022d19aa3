import type { AnswerGroup } from '#server/analysis/question.contract.ts';
import { lowDiscrimination } from '#server/analysis/rules.ts';
import { reportStatusNames } from '#server/grading/rules.ts';

export const detailTabNames = { 0: '提交详情', 1: '题目分析', 2: '成绩单', 3: '成绩分布' } as const;

export const statisticsTabNames = { 0: '统计表', 1: '统计图' } as const;

export const reportStatusChoices = [
  [1, reportStatusNames[1]],
  [2, reportStatusNames[2]],
  [3, reportStatusNames[3]],
] as const;

/** Statuses to filter a transcript by. It counts every status except graded as not submitted. */
export const transcriptStatusChoices = [
  [3, reportStatusNames[3]],
  [1, reportStatusNames[1]],
] as const;

export const answerGroupNames: Record<AnswerGroup, string> = {
  right: '正确人数',
  part: '部分正确',
  wrong: '错误人数',
  answered: '已作答',
  unanswered: '未作答',
  waiting: '待批改',
};

export const answerGroups = Object.keys(answerGroupNames) as AnswerGroup[];

const groupDeeds: Record<AnswerGroup, string> = {
  right: '答对',
  part: '部分答对',
  wrong: '答错',
  answered: '已作答',
  unanswered: '未作答',
  waiting: '待批改',
};

/** Formats a title, such as 第2题答错的17人. `unit` is 人, or 份 if a student may submit several times. */
export const groupTitle = (number: string, group: AnswerGroup, count: number, unit: '人' | '份' = '人') =>
  `第${number}题${groupDeeds[group]}的${count}${unit}`;

/** Levels of a rate: lower bound in percent, word, and color (the same colors as for score bands). */
const rateLevels = [
  { least: 80, word: '良好', color: '#0072b2' },
  { least: 70, word: '较好', color: '#3f9fd8' },
  { least: 60, word: '一般', color: '#e69f00' },
  { least: 40, word: '需讲评', color: '#d55e00' },
  { least: 0, word: '重点讲评', color: '#a3241a' },
] as const;
const worst = rateLevels[4];

export const rateLegend = '低于40%为重点讲评，40%～59%为需讲评，60%～69%为一般，70%～79%为较好，80%及以上为良好';

export const scoreRateLevel = (percent: number): (typeof rateLevels)[number] =>
  rateLevels.find(({ least }) => percent >= least) ?? worst;

/**
 * Thresholds of an average rate in percent, tried in this order: remedial homework offers the questions below 60, or
 * below 80 if none is below 60.
 */
export const remedialThresholds = [60, 80] as const;

const highDiscrimination = 30;

/** Describes the discrimination of a question: whether students with a good total did better on it. */
export function discriminationWords(index: number): string {
  if (index < 0) return '相反，总分低的学员反而答得好';
  if (index < lowDiscrimination) return '弱，总分高低的学员答得差不多';
  return index < highDiscrimination ? '中，总分高的学员答得较好' : '强，总分高的学员明显答得好';
}

export const noFiguresYet = '截止后且老师批改完成后才有数据';

export type BandId = 100 | 90 | 80 | 70 | 60 | 0;

/** Score bands in percent. They divide the score or, in rated homework, the correct rate. */
export const bandNames: Record<BandId, string> = {
  100: '90%以上～100%',
  90: '80%以上～90%',
  80: '70%以上～80%',
  70: '60%以上～70%',
  60: '0～60%',
  0: '未提交',
};

/** Shades of one hue, darkest for the best band. Grey for not submitted. */
export const bandColors: Record<BandId, string> = {
  100: '#0b4f8a',
  90: '#1f74b8',
  80: '#4d97d1',
  70: '#7fb5e0',
  60: '#a9cfeb',
  0: '#8c8c8c',
};
