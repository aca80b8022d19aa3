/** Labels of history fields that homework and exams share. */

export const answerResultNames = { 1: '正确', 2: '错误', 3: '未作答', 4: '待批改', 5: '已批改' };

/** Labels of a judgment (改判) in the history. */
export const rejudgeFields = {
  question: '题目编号',
  blank: '空',
  is_right: ['改判为', { 1: '正确', 2: '错误' }],
  reason: '理由',
  answers: '改变的答案数',
} as const;
