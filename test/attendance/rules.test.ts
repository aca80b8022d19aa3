import { describe, expect, it } from 'vitest';
import {
  type AttendanceFacts,
  actionsFor,
  attendanceActionFault,
  attendanceCategory,
  batchFault,
  changedSinceFault,
  currentAttendance,
  decideFault,
  leaveActions,
  lessonStatus,
  notExpectedFault,
  type OpStatus,
  opStatuses,
  stateAfter,
  undoFault,
} from '#server/attendance/rules.ts';

const facts = (more: Partial<AttendanceFacts>): AttendanceFacts => ({
  courseType: 1,
  recorded: -1,
  watchedLive: false,
  begun: true,
  ended: true,
  called: false,
  ...more,
});

const lesson = (courseType: number) => ({ courseType, begun: true });

describe('offered attendance actions', () => {
  it.each<[OpStatus, string[], string[]]>([
    [-1, ['request'], ['request', 'attend', 'cancelAttendance']],
    [0, [], ['request', 'cancelAttendance']],
    [1, ['approve', 'reject'], ['approve', 'reject', 'attend']],
    [2, ['cancelLeave'], ['cancelLeave']],
    [3, ['request'], ['request', 'attend']],
    [4, ['request'], ['request', 'attend']],
    [5, ['request'], ['request', 'attend']],
    [6, [], []],
  ])('match state %i', (state, live, offline) => {
    expect(actionsFor(state, lesson(2))).toEqual(live);
    expect(actionsFor(state, lesson(7))).toEqual(offline);

    expect(actionsFor(state, lesson(5))).toEqual([]);
  });

  it('start with an unmarked face-to-face lesson', () => {
    const before = { courseType: 7, begun: false };
    expect(opStatuses.filter((state) => stateAfter('attend', state, before) === 0)).toEqual([5]);
    expect(opStatuses.filter((state) => stateAfter('attend', state, lesson(7)) === 0)).toEqual([-1, 1, 3, 4, 5]);
  });

  it('lead to the state they are named after', () => {
    expect(stateAfter('request', -1, lesson(1))).toBe(1);
    expect(stateAfter('approve', 1, lesson(1))).toBe(2);
    expect(stateAfter('reject', 1, lesson(1))).toBe(3);
    expect(stateAfter('cancelLeave', 2, lesson(1))).toBe(4);
    expect(stateAfter('attend', 5, lesson(7))).toBe(0);
    expect(stateAfter('cancelAttendance', 0, lesson(7))).toBe(5);
  });

  it('are the allowed ones', () => {
    for (const state of opStatuses)
      for (const type of [1, 5, 7])
        for (const action of leaveActions)
          expect(actionsFor(state, lesson(type)).includes(action)).toBe(
            stateAfter(action, state, lesson(type)) !== undefined,
          );
  });
});

describe('current attendance state', () => {
  it('follows live watching and the clock without a record', () => {
    expect(currentAttendance(facts({ ended: false }))).toBe(-1);
    expect(currentAttendance(facts({}))).toBe(5);
    expect(currentAttendance(facts({ watchedLive: true }))).toBe(0);
    expect(currentAttendance(facts({ watchedLive: true, courseType: 7, called: true }))).toBe(5);
    expect(currentAttendance(facts({ watchedLive: true, courseType: 7 })), 'before a roll is called').toBe(-1);
    expect(currentAttendance(facts({ recorded: 5, watchedLive: true }))).toBe(0);
    for (const type of [5, 6, 8, 9, 10]) expect(currentAttendance(facts({ courseType: type }))).toBe(6);
  });

  it('follows the record otherwise', () => {
    for (const recorded of [0, 1, 2, 3, 4, 6] as const) {
      for (const watchedLive of [false, true])
        expect(currentAttendance(facts({ recorded, watchedLive }))).toBe(recorded);
    }
  });
});

describe('the truancy rule', () => {
  it.each<[string, Partial<AttendanceFacts>, string]>([
    ['absent without a request', {}, 'truant'],
    ['only watched the playback', { watchedLive: false }, 'truant'],
    ['a request that nobody handled', { recorded: 1 }, 'truant'],
    ['a request that was rejected', { recorded: 3 }, 'truant'],
    ['a leave that was cancelled', { recorded: 4 }, 'truant'],
    ['on leave', { recorded: 2 }, 'leave'],
    ['asked for leave and came', { recorded: 1, watchedLive: true }, 'attended'],
    ['rejected and came', { recorded: 3, watchedLive: true }, 'attended'],
    ['a request before the lesson is over', { recorded: 1, ended: false }, 'waiting'],
    ['before the lesson is over', { ended: false }, 'waiting'],
    ['marked absent before it is over', { recorded: 5, ended: false, courseType: 7 }, 'truant'],
    ['face to face, marked attended', { recorded: 0, courseType: 7 }, 'attended'],
    ['face to face, a live record counts for nothing', { watchedLive: true, courseType: 7, called: true }, 'truant'],
    ['face to face, before a roll is called', { courseType: 7 }, 'uncalled'],
    ['face to face, a request before a roll is called', { recorded: 1, courseType: 7 }, 'uncalled'],
    ['face to face, rejected and the roll called', { recorded: 3, courseType: 7, called: true }, 'truant'],
    ['face to face, before its start', { courseType: 7, begun: false, ended: false }, 'waiting'],
    ['exempt', { recorded: 6 }, 'exempt'],
    ['video', { courseType: 5 }, 'exempt'],
  ])('follows the table: %s', (_, known, category) => {
    expect(attendanceCategory(facts(known))).toBe(category);
  });
});

it('a lesson is running between its start and end', () => {
  const times = { start_play: 100, total_time: 10 };
  expect([99, 100, 109, 110].map((now) => lessonStatus(times, now))).toEqual([1, 2, 2, 3]);
});

describe('attendance refusals', () => {
  it('name the student when several are visible', () => {
    expect(attendanceActionFault('request', -1, lesson(1))).toBeUndefined();
    expect(attendanceActionFault('request', 1, lesson(1))).toBe('该学员当前状态为“请假待审批”，不能请假');
    expect(attendanceActionFault('attend', 5, { ...lesson(1), name: '学生1' })).toBe(
      '学生1当前状态为“旷课”，不能确认出勤',
    );
    expect(attendanceActionFault('attend', 5, { ...lesson(7), name: '学生1' })).toBeUndefined();
    expect(attendanceActionFault('attend', -1, { courseType: 7, begun: false })).toBe('课时尚未开始，不能确认出勤');
  });

  it('mention a student who was not in the class', () => {
    expect(notExpectedFault({ expected: 0 })).toBe('该学员当时不在班级，不能记录考勤');
    expect(notExpectedFault({ expected: 1 })).toBeUndefined();
  });

  it('cover decisions on none, too many, or decided requests', () => {
    expect([batchFault(0), batchFault(1), batchFault(500), batchFault(501)]).toEqual([
      '请选择请假记录',
      undefined,
      undefined,
      '一次最多审批500条请假',
    ]);
    const faults = opStatuses.map((op_status) => decideFault({ name: '学生1', op_status, courseType: 1 }));
    expect(faults.map((fault) => fault === undefined)).toEqual(opStatuses.map((status) => status === 1));
    expect(decideFault({ name: '学生1', op_status: 3 })).toBe('学生1的请假当前状态为“请假被拒绝”，不能再审批');
    expect(decideFault({ name: '学生1', op_status: 1 })).toBeUndefined();
    expect(decideFault({ name: '学生1', op_status: 1, courseType: 5 })).toBe(
      '学生1的请假当前状态为“请假待审批”，不能再审批',
    );
  });

  it('cover undo: once, within ten minutes, for untouched requests', () => {
    expect(undoFault({ at: 1000, undone_at: 1001 }, 1002)).toBe('已撤销，不能重复撤销');
    expect(undoFault({ at: 1000, undone_at: null }, 1000 + 10 * 60)).toBeUndefined();
    expect(undoFault({ at: 1000, undone_at: null }, 1001 + 10 * 60)).toBe('审批已超过十分钟，不能撤销');
    const request = { name: '学生1', op_status: 4, version: 3 } as const;
    expect(changedSinceFault(request, 3)).toBeUndefined();
    expect(changedSinceFault(request, 2)).toBe('学生1的请假当前状态为“已取消请假”，已有新的操作，不能撤销');
  });
});
