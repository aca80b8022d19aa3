/** Question types by their canonical code (decisions, section 3). */
export const questionTypeNames: Record<1 | 2 | 3 | 4 | 5 | 6 | 7, string> = {
  1: '单选题',
  2: '判断题',
  3: '多选题',
  4: '不定项选择题',
  5: '简答题',
  6: '材料题',
  7: '填空题',
};

export const questionTypeChoices = Object.entries(questionTypeNames).map(
  ([code, name]) => [Number(code), name] as const,
);

/** The bank list shows 5 − facility_value filled stars (decisions, section 3). */
export const bankStars = (facilityValue: number) => 5 - facilityValue;

export const difficultyChoices = [1, 2, 3, 4, 5].map(
  (value) => [value, `${value}（${'★'.repeat(bankStars(value)) || '无星'}）`] as const,
);
