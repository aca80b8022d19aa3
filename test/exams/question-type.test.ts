import { describe, expect, test } from 'vitest';
import { examTypeName, fromExamType, toExamType } from '#server/exams/rules.ts';
import { questionTypeNames, questionTypes } from '#server/questions/rules.ts';

/** The type names in the order of the codes, written out by hand; below for exams. */
const canonical = ['单选题', '判断题', '多选题', '不定项选择题', '简答题', '材料题', '填空题'];
const examReading = ['单选题', '多选题', '判断题', '不定项选择题', '简答题', '材料题', '填空题'];

describe('the two numberings of question types', () => {
  test.each(questionTypes)('keep the name of canonical type %i', (code) => {
    expect(questionTypeNames[code]).toBe(canonical[code - 1]);
    expect(examTypeName(toExamType(code))).toBe(canonical[code - 1]);
    expect(examReading[toExamType(code) - 1]).toBe(canonical[code - 1]);
  });

  test.each(questionTypes)('convert exam type %i to the canonical one and back', (code) => {
    expect(examTypeName(code)).toBe(examReading[code - 1]);
    expect(toExamType(fromExamType(code))).toBe(code);
    expect(fromExamType(toExamType(code))).toBe(code);
  });

  test('use all seven codes once, in either direction', () => {
    expect(new Set(questionTypes.map(toExamType)).size).toBe(7);
    expect(new Set(questionTypes.map(fromExamType)).size).toBe(7);
  });

  test('name exam type 4 with two columns 连线题', () => {
    expect(examTypeName(4, true)).toBe('连线题');
  });

  test.each([0, 8, -1, 1.5, Number.NaN])('refuse %d as a type', (code) => {
    expect(() => toExamType(code)).toThrow();
    expect(() => fromExamType(code)).toThrow();
  });
});
