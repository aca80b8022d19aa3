import { describe, expect, test } from 'vitest';
import {
  choiceLabel,
  examPoints,
  examSubmitFault,
  isMatching,
  matchingPairs,
  optionLabel,
} from '#server/exams/rules.ts';
import { examOptions } from '#server/exams/stored-options.ts';

const list = [
  { id: 1, content: '甲', is_right: 1 },
  { id: 2, content: '乙', is_right: 2 },
];
const columns = [
  { id: 1, content: '一', is_right: 2, side: 'left' },
  { id: 2, content: '二', is_right: 2, side: 'left' },
  { id: 3, content: '甲', is_right: 2, side: 'right' },
  { id: 4, content: '乙', is_right: 2, side: 'right' },
];

describe('options of exam questions', () => {
  test('are read alike from JSON text and from a list', () => {
    expect(examOptions(JSON.stringify(list))).toEqual(list);
    expect(examOptions(list)).toEqual(list);
  });

  test.each(['{', '', 'null', '{"id":1}', '[1,null,"x"]', undefined, null, 7])('are empty for %j', (broken) => {
    expect(examOptions(broken)).toEqual([]);
  });

  test('keep valid fields and drop the others', () => {
    expect(examOptions([{ id: '3', content: 7, is_right: '1', side: 'top' }, 'x', 5, { id: 1.5 }])).toEqual([
      { id: 3, content: '', is_right: 1 },
    ]);
    expect(examOptions(columns)).toEqual(columns);
  });

  test('make a matching question if they have two columns', () => {
    expect(isMatching(examOptions(columns.slice(0, 2)))).toBe(false);
    expect(isMatching(examOptions(columns.slice(2)))).toBe(false);

    expect(isMatching(examOptions(columns))).toBe(true);
    expect(isMatching(examOptions(list))).toBe(false);
    expect(isMatching([])).toBe(false);
  });

  test('are paired by a matching answer, whose invalid pairs are dropped', () => {
    expect(matchingPairs('1-3, 2-4')).toEqual([
      { left: 1, right: 3 },
      { left: 2, right: 4 },
    ]);
    expect(matchingPairs('1,2-,x-y,-3')).toEqual([]);
  });

  test('are labelled for each column separately', () => {
    expect(choiceLabel(examOptions(list), '2')).toBe('B');
    expect(choiceLabel(examOptions(columns), '2-3')).toBe('2–A');
    expect(choiceLabel(examOptions(list), '9')).toBe('9');
    expect(choiceLabel(examOptions(list), '甲')).toBe('甲');
    expect(optionLabel(examOptions(columns), 9)).toBe('9');
    expect([1, 2, 3, 4].map((id) => optionLabel(examOptions(columns), id))).toEqual(['1', '2', 'A', 'B']);
  });
});

test('an exam accepts submissions while published, open and with attempts left', () => {
  const open = { status: 1, start_at: null, end_at: null, attempts: 0 };
  const first = { at: 100, earlier: 0 };
  expect(examSubmitFault(open, first)).toBeUndefined();
  expect(examSubmitFault({ ...open, start_at: 100, end_at: 101, attempts: 1 }, first)).toBeUndefined();
  expect(examSubmitFault({ ...open, status: 2 }, first)).toBe('该考试未发布，不能提交');
  expect(examSubmitFault({ ...open, start_at: 101 }, first)).toBe('该考试尚未开始，不能提交');
  expect(examSubmitFault({ ...open, end_at: 100 }, first)).toBe('该考试已结束，不能提交');
  expect(examSubmitFault({ ...open, attempts: 2 }, { at: 100, earlier: 2 })).toBe('该考试只能提交2次');
});

test('exam scores are stored in tenths of a point', () => {
  expect([examPoints(0), examPoints(5), examPoints(1000)]).toEqual([0, 0.5, 100]);
});
