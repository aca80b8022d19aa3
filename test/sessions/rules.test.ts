import { describe, expect, it } from 'vitest';
import { entryFault, materialFault, remarkFault, roomFault, type SessionStatus } from '#server/sessions/rules.ts';

const start = 1_795_147_200;
const lesson = (status: SessionStatus, teaching_mode: 1 | 2 = 1) => ({ status, teaching_mode, start_time: start });

describe('lesson room', () => {
  it.each([
    ['half an hour before it', lesson(2), start - 30 * 60, undefined],
    ['a second earlier', lesson(2), start - 30 * 60 - 1, '该课次开始前30分钟可进入'],
    ['when it is cancelled', lesson(4), start, '该课次已取消'],
    ['when it is taught in person', lesson(3, 2), start, '该课次为线下授课，没有直播间'],
    ['when it was held', lesson(1), start + 7200, undefined],
  ])('is %s: %s', (_, session, now, fault) => {
    expect(roomFault(session, now)).toBe(fault);
  });

  it('can be entered until the lesson ends', () => {
    expect(entryFault(lesson(3), start)).toBeUndefined();
    expect(entryFault(lesson(1), start + 7200)).toBe('该课次已结束');
    expect(entryFault(lesson(4), start)).toBe('该课次已取消');
  });
});

it('a cancelled lesson takes no courseware', () => {
  expect(([1, 2, 3, 4] as const).map((status) => materialFault({ status }))).toEqual([
    undefined,
    undefined,
    undefined,
    '该课次已取消，不能添加课件',
  ]);
});

it('an evaluation has 1 to 100 visible characters', () => {
  expect(remarkFault('')).toBe('请输入评价内容');
  expect(remarkFault('😀'.repeat(100))).toBeUndefined();
  expect(remarkFault('字'.repeat(101))).toBe('评价内容不能超过100个字');
});
