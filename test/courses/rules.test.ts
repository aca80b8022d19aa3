import { describe, expect, it } from 'vitest';
import {
  addDays,
  courseKindOf,
  courseKinds,
  courseTypesOf,
  deleteCourseFault,
  deletePeriodFault,
  effectSentence,
  joinSentences,
  seriesDays,
  seriesLimit,
  shiftDays,
  weekdayOf,
} from '#server/courses/rules.ts';

describe('series days', () => {
  it('have weekdays Monday to Sunday', () => {
    expect(['2026-11-23', '2026-11-29', '2026-11-30', '1969-12-29'].map(weekdayOf)).toEqual([1, 7, 1, 1]);
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });

  it('follow the weekdays until a day or count, without skipped ones', () => {
    const series = { weekdays: [1, 3], first_day: '2026-11-24', skip: ['2026-11-30'] };
    expect(seriesDays({ ...series, count: 3 })).toEqual(['2026-11-25', '2026-12-02', '2026-12-07']);
    expect(seriesDays({ ...series, last_day: '2026-12-07' })).toEqual(['2026-11-25', '2026-12-02', '2026-12-07']);
    expect(seriesDays({ ...series, last_day: '2026-11-24' })).toEqual([]);
    const daily = { weekdays: [1, 2, 3, 4, 5, 6, 7], first_day: '2026-01-01', skip: [] };
    expect(seriesDays({ ...daily, last_day: '2026-12-31' }).length).toBe(seriesLimit + 1);
    // A Saturday on which the lessons of a Wednesday are held is a Wednesday, and no Saturday.
    const worked = new Map([['2026-11-28', 3]]);
    const plain = { first_day: '2026-11-24', skip: [], worked };
    expect(seriesDays({ ...plain, weekdays: [3], count: 2 })).toEqual(['2026-11-25', '2026-11-28']);
    expect(seriesDays({ ...plain, weekdays: [6], count: 1 })).toEqual(['2026-12-05']);
    expect(seriesDays({ ...daily, weekdays: [], count: 1 })).toEqual([]);
  });

  it('keep weekday and distance when moved', () => {
    const days = ['2026-09-02', '2026-09-04', '2026-09-04', '2026-09-16'];
    // A Wednesday and a Friday; the first day is a Thursday.
    expect(shiftDays(days, '2027-02-25', [])).toEqual(['2027-03-03', '2027-03-05', '2027-03-05', '2027-03-17']);
    expect(shiftDays(days, '2027-03-03', [])).toEqual(['2027-03-03', '2027-03-05', '2027-03-05', '2027-03-17']);
    expect(shiftDays(days, '2025-09-03', [])).toEqual(['2025-09-03', '2025-09-05', '2025-09-05', '2025-09-17']);
    expect(shiftDays([], '2027-03-03', [])).toEqual([]);
  });

  it('move a week later with their followers when skipped, in any order', () => {
    expect(shiftDays(['2026-09-09', '2026-09-02', '2026-09-04'], '2027-03-03', ['2027-03-05', '2027-03-12'])).toEqual([
      '2027-03-24',
      '2027-03-03',
      '2027-03-19',
    ]);
  });
});

describe('course kinds', () => {
  it('cover every type', () => {
    expect(courseKinds.map(courseKindOf)).toEqual([...courseKinds]);
    expect([3, 15, 4, 16, 99].map(courseKindOf)).toEqual([2, 2, 1, 1, 5]);
    expect(courseTypesOf(2)).toEqual({ types: [2, 3, 15], among: true });
    expect(courseTypesOf(1)).toEqual({ types: [1, 4, 16], among: true });
    expect(courseTypesOf(7)).toEqual({ types: [7], among: true });
    expect(courseTypesOf(5).among).toBe(false);
  });
});

describe('consequence messages', () => {
  it('name existing records only', () => {
    const none = { periods: 0, classes: 0, children: 0, homework: 0, sessions: 0 };
    expect(deleteCourseFault(none)).toBeUndefined();
    expect(deleteCourseFault({ ...none, children: 2, sessions: 1 })).toBe(
      '该课程有2门子课程、1个课次，不能删除，可以停用',
    );
    expect(deletePeriodFault({ attendance: 0, homework: 0, sessions: 0 })).toBeUndefined();
    expect(effectSentence({ students: 36, homework: 2 })).toBe('将影响36名学员，2个未截止的作业');
    expect(effectSentence({ students: 0 })).toBeUndefined();
    expect(joinSentences(undefined, '甲', undefined, '乙')).toBe('甲；乙');
    expect(joinSentences(undefined)).toBeUndefined();
  });
});
