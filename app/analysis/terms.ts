import type { AnswerGroup } from '#server/analysis/question.contract.ts';
import { reportStatusNames } from '#server/homework/rules.ts';

export const detailTabNames = { 0: '提交详情', 1: '题目分析', 2: '成绩单', 3: '成绩分布' } as const;

export const reportStatusChoices = [
  [1, reportStatusNames[1]],
  [2, reportStatusNames[2]],
  [3, reportStatusNames[3]],
] as const;

/** In the transcript every status but graded counts as not submitted. */
export const transcriptStatusChoices = [
  [3, reportStatusNames[3]],
  [1, reportStatusNames[1]],
] as const;

export const answerGroupNames: Record<AnswerGroup, string> = {
  right: '正确人数',
  wrong: '错误人数',
  answered: '已作答',
  unanswered: '未作答',
};

export const answerGroups = Object.keys(answerGroupNames) as AnswerGroup[];

export const noFiguresYet = '截止后且老师批改完成后才有数据';

export type BandId = 100 | 90 | 80 | 70 | 60 | 0;

/** By score or, where the homework is rated, by correct rate; either way in percent. */
export const bandNames: Record<BandId, string> = {
  100: '90%以上～100%',
  90: '80%以上～90%',
  80: '70%以上～80%',
  70: '60%以上～70%',
  60: '0～60%',
  0: '未提交',
};

/** Told apart by every kind of colour vision (Okabe and Ito, 2008), also by their order in lightness. */
export const bandColors: Record<BandId, string> = {
  100: '#009e73',
  90: '#56b4e9',
  80: '#0072b2',
  70: '#e69f00',
  60: '#d55e00',
  0: '#8c8c8c',
};
