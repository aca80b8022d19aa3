import { expect, test } from 'vitest';
import {
  judgementOptionIds,
  readBlanks,
  readChoices,
  readDifficulty,
  readJudgement,
  readType,
} from '#server/questions/import/spelling.ts';

test.each([
  ['A', [1]],
  ['ab', [1, 2]],
  ['A、B', [1, 2]],
  ['A,B', [1, 2]],
  ['Ａ，Ｃ', [1, 3]],
  ['A B', [1, 2]],
  ['A\tC\n', [1, 3]],
  ['C；A', [1, 3]],
  ['（B）', [2]],
  ['答案：ABD。', [1, 2, 4]],
  ['故选A', [1]],
  ['选项C', [3]],
  ['1、3', [1, 3]],
  ['1 3', [1, 3]],
  ['A和C', [1, 3]],
  ['AA', [1]],
] as const)('reads choices %j', (text, ids) => {
  expect(readChoices(text)).toEqual(ids);
});

test.each(['', '甲', 'A甲', '27', '√', '——'])('reads no choices from %j', (text) => {
  expect(readChoices(text)).toBeUndefined();
});

test.each(['对', '正确', '√', '✓', '✔️', 'T', 'true', 'TRUE', '是', '（√）', '答案：正确。', 'Ｔ'])(
  'reads %j as right',
  (text) => {
    expect(readJudgement(text)).toBe(1);
  },
);

test.each(['错', '错误', '×', '✗', '✘', 'x', 'F', 'false', '否', '不对', '(×)', '❌'])('reads %j as wrong', (text) => {
  expect(readJudgement(text)).toBe(2);
});

test.each(['', '也许', '对错', '1'])('reads %j as neither right nor wrong', (text) => {
  expect(readJudgement(text)).toBeUndefined();
});

test.each([
  ['1', 1],
  ['５', 5],
  ['三', 3],
  ['易', 1],
  ['较易', 2],
  ['中', 3],
  ['中等', 3],
  ['较难', 4],
  ['难', 5],
  ['★★★★', 4],
  ['★★☆☆☆', 2],
  ['⭐️⭐️', 2],
  ['3星', 3],
  ['难度：2', 2],
  ['四级', 4],
  ['4.0', 4],
] as const)('reads the difficulty %j', (text, value) => {
  expect(readDifficulty(text)).toBe(value);
});

test.each(['', '0', '6', '0.6', '12', '★★★★★★', '★难', '很好'])('reads no difficulty from %j', (text) => {
  expect(readDifficulty(text)).toBeUndefined();
});

test.each([
  ['单选题', 1],
  ['判断', 2],
  ['多项选择题', 3],
  ['不定项 选择题', 4],
  ['问答题', 5],
  ['论述', 5],
  ['材料题', 6],
  ['填空题。', 7],
] as const)('reads the type %j', (text, type) => {
  expect(readType(text)).toBe(type);
});

test.each([
  ['甲@@乙', ['甲', '乙']],
  ['甲＠＠乙；丙', ['甲', '乙；丙']],
  ['甲；乙;丙', ['甲', '乙', '丙']],
  ['甲；', ['甲']],
  ['①甲；②乙', ['甲', '乙']],
  ['（1）甲；（2）乙', ['甲', '乙']],
  ['1.5；2.5', ['1.5', '2.5']],
  ['甲@@@@丙', ['甲', '', '丙']],
] as const)('reads the blanks %j', (text, blanks) => {
  expect(readBlanks(text)).toEqual(blanks);
});

test.each([
  [['正确', '错误'], { right: 1 }],
  [['×', '√'], { right: 2 }],
  [['x', 'y'], undefined],
])('reads the options %j as true and false, unless they are variables', (contents, expected) => {
  expect(judgementOptionIds(contents)).toEqual(expected);
});
