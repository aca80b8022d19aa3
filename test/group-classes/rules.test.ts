import { describe, expect, it } from 'vitest';
import {
  allowedAttendance,
  attendanceActions,
  attendanceFault,
  reasonFault,
  rollFault,
} from '#server/group-classes/rules.ts';
import { attendanceStatuses, sessionStatuses } from '#server/sessions/rules.ts';

describe('attendance is changed', () => {
  it('as the table allows, and not otherwise', () => {
    for (const session of sessionStatuses)
      for (const from of [null, ...attendanceStatuses]) {
        const allowed = allowedAttendance(session, from).map(({ action }) => action);
        expect(attendanceFault(session, from) === undefined).toBe(allowed.length > 0);
        for (const action of attendanceActions)
          expect(attendanceFault(session, from, action) === undefined).toBe(allowed.includes(action));
      }
  });

  it('or it is said how the lesson and the student stand', () => {
    expect(attendanceFault(2, null, 1)).toBeUndefined();
    expect(attendanceFault(2, null, 4)).toBe('课次未上课，该学员当前为“未标记”，不能手动出勤');
    expect(attendanceFault(4, 1)).toBe('课次已取消，该学员当前为“出勤”，不能修改考勤');
  });

  it('by assistants', () => {
    expect([rollFault('assist'), rollFault('teacher')]).toEqual([undefined, '仅助教可修改考勤']);
  });
});

describe('a reason', () => {
  it('is given where the clock is contradicted', () => {
    expect(reasonFault({ needsReason: true }, '')).toBe('请输入出勤原因');
    expect(reasonFault({}, '')).toBeUndefined();
  });

  it('has at most 100 characters as a reader counts them', () => {
    expect(reasonFault({ needsReason: true }, '😀'.repeat(100))).toBeUndefined();
    expect(reasonFault({}, '字'.repeat(101))).toBe('原因不能超过100个字');
  });
});
