import type { AnswerGroup } from '#server/analysis/question.contract.ts';

export const answerGroupNames: Record<AnswerGroup, string> = {
  right: '正确人数',
  wrong: '错误人数',
  answered: '已作答',
  unanswered: '未作答',
};

export const answerGroups = Object.keys(answerGroupNames) as AnswerGroup[];
