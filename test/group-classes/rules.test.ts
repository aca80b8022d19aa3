import { describe, expect, it } from 'vitest';
import {
  allowedAttendance,
  attendanceActions,
  attendanceFault,
  isPresetPresent,
  reasonFault,
  rollFault,
  rollTargets,
} from '#server/group-classes/rules.ts';
import {
  attendanceStatuses,
  type SessionStatus,
  sessionStatuses,
  type TeachingMode,
  teachingModes,
} from '#server/sessions/rules.ts';

describe('attendance change', () => {
  it('follows the table', () => {
    for (const status of sessionStatuses)
      for (const teaching_mode of teachingModes)
        for (const from of [null, ...attendanceStatuses]) {
          const lesson = { status, teaching_mode };
          const allowed = allowedAttendance(lesson, from).map(({ action }) => action);
          expect(new Set(allowed).size).toBe(allowed.length);
          expect(attendanceFault(lesson, from) === undefined).toBe(allowed.length > 0);
          for (const action of attendanceActions)
            expect(attendanceFault(lesson, from, action) === undefined).toBe(allowed.includes(action));
        }
  });

  it("allows present from a face-to-face lesson's start, except over leave", () => {
    const became = (status: SessionStatus, teaching_mode: TeachingMode) =>
      [null, ...attendanceStatuses].filter((from) =>
        allowedAttendance({ status, teaching_mode }, from).some(({ to, needsReason }) => to === 1 && !needsReason),
      );
    expect([became(2, 2), became(3, 2), became(1, 2)]).toEqual([[], [null, 3], [null, 3]]);
    expect([became(2, 1), became(3, 1), became(1, 1)]).toEqual([[], [null], [null]]);
  });

  it('allows the preset present of roll call face-to-face only', () => {
    const preset = (status: SessionStatus, teaching_mode: TeachingMode) =>
      [null, ...attendanceStatuses].filter((from) => isPresetPresent({ status, teaching_mode }, from));
    expect([preset(1, 2), preset(3, 2), preset(2, 2), preset(4, 2)]).toEqual([[null], [null], [], []]);
    expect([preset(1, 1), preset(3, 1)]).toEqual([[], []]);
  });

  it("allows a roll's displayed state", () => {
    expect(rollTargets({ status: 1, teaching_mode: 1, called: 0 }, 1)).toEqual([3]);
    expect(rollTargets({ status: 3, teaching_mode: 1, called: 0 }, 1)).toEqual([null]);
    expect(rollTargets({ status: 1, teaching_mode: 2, called: 1 }, 2)).toEqual([3]);
  });

  it("names the lesson's and student's state when refused", () => {
    expect(attendanceFault({ status: 2, teaching_mode: 1 }, null, 1)).toBeUndefined();
    expect(attendanceFault({ status: 2, teaching_mode: 1 }, null, 4)).toBe(
      '课次未上课，该学员当前为“未标记”，不能手动出勤',
    );
    expect(attendanceFault({ status: 4, teaching_mode: 1 }, 1)).toBe('课次已取消，该学员当前为“出勤”，不能修改考勤');
  });

  it('requires an assistant', () => {
    expect([rollFault('assist'), rollFault('teacher')]).toEqual([undefined, '仅助教可修改考勤']);
  });
});

describe('attendance reason', () => {
  it('is required against the clock', () => {
    expect(reasonFault({ needsReason: true }, '')).toBe('请输入出勤原因');
    expect(reasonFault({}, '')).toBeUndefined();
  });

  it('has at most 100 visible characters', () => {
    expect(reasonFault({ needsReason: true }, '😀'.repeat(100))).toBeUndefined();
    expect(reasonFault({}, '字'.repeat(101))).toBe('原因不能超过100个字');
  });
});
