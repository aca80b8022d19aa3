import { describe, expect, it } from 'vitest';
import {
  gradeOfCopy,
  nextClassName,
  nextGrade,
  nextTitle,
  promotedBeforeMessage,
  usualFate,
} from '#server/year-rollover/rules.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('suggestions of a roll-over', () => {
  it('promote each grade to the next one, and graduate the last', () => {
    const grades = named('初三', '高一', '高二', '高三', '六年级', '七年级', '2025级', '素质班');
    expect(nextGrade('六年级', grades)?.name).toBe('七年级');
    const fates = grades.map(({ name }) => [name, usualFate(name, grades)]);
    expect(fates).toEqual([
      ['初三', 'stay'],
      ['高一', 'promote'],
      ['高二', 'promote'],
      ['高三', 'graduate'],
      ['六年级', 'promote'],
      ['七年级', 'graduate'],
      ['2025级', 'stay'],
      ['素质班', 'stay'],
    ]);
  });

  it.each([
    ['高一（1）班', '高一', '高二', '高二（1）班'],
    ['高一(1)班', '高一年级', '高二年级', '高二(1)班'],
    ['七（3）班', '七年级', '八年级', '八（3）班'],
    ['七彩班', '七年级', '八年级', '七彩班'],
    ['2025级1班', '高一', '高二', '2025级1班'],
    ['火箭班', '', '高二', '火箭班'],
  ])('name the class %s of grade %s, promoted to %s, %s', (name, grade, next, expected) => {
    expect(nextClassName(name, grade, next)).toBe(expected);
  });

  it.each([
    ['高一数学', '2027-09-01', '高一数学（2027-2028学年）'],
    ['高一数学', '2027-06-20', '高一数学（2027-2028学年）'],
    ['高一数学', '2028-02-20', '高一数学（2027-2028学年下学期）'],
    ['高一数学', '2027-11-20', '高一数学（2027-2028学年下学期）'],
    ['高一数学2027学年', '2028-02-20', '高一数学2027学年（下学期）'],
    ['高一数学2027学年上学期', '2028-02-20', '高一数学2027学年下学期'],
    ['高一数学2027学年上学期', '2028-09-01', '高一数学2028学年上学期'],
    ['高一数学（2027-2028学年）', '2028-09-01', '高一数学（2028-2029学年）'],
    ['高一数学上学期', '2028-02-20', '高一数学下学期'],
  ])('title the copy of %s for %s %s', (title, day, expected) => {
    expect(nextTitle(title, day)).toBe(expected);
  });

  it('give a copy the grade that its new title names', () => {
    const grades = named('高一', '高二', '高二年级');
    const gradeFor = (newTitle: string) =>
      gradeOfCopy({ title: '高一数学', gradeName: '高一', newTitle }, grades)?.name;
    expect(gradeFor('高二数学')).toBe('高二年级');
    expect(gradeFor('高一数学（2027-2028学年）')).toBeUndefined();
    expect(gradeFor('数学')).toBeUndefined();
  });

  it('name five classes that were promoted before, and count the rest', () => {
    const classes = [1, 2, 3, 4, 5, 6].map((at) => ({ name: `${at}班`, day: '2027-07-01' }));
    expect(promotedBeforeMessage(classes)).toBe(
      '“1班”、“2班”、“3班”、“4班”、“5班”等6个班级在2027-07-01的学期更替中已经升级，这次不再升级或毕业',
    );
  });
});
