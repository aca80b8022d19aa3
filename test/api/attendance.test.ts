import readXlsxFile from 'read-excel-file/node';
import { beforeAll, expect, it } from 'vitest';
import { recordStudy } from '#server/attendance/study.ts';
import { returnToClass } from '#server/enrolment/stays.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { dayOf } from '#server/school/calendar.ts';
import { addLessons, hour, record } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Client, day, noon, type TestSchool } from '../support/school.ts';

type OpStatus = -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6;
const states: OpStatus[] = [-1, 0, 1, 2, 3, 4, 5, 6];
const courseTypes = [1, 2, 3, 4, 5, 7, 8, 10, 15, 16];
const withoutAttendance = [5, 8, 10];
const actions = ['request', 'approve', 'reject', 'cancelLeave', 'attend', 'cancelAttendance'] as const;
type Action = (typeof actions)[number];

/** The attendance rules, written independently of the product. */
function expectedState(
  state: OpStatus,
  action: Action,
  { courseType, begun }: { courseType: number; begun: boolean },
): OpStatus | undefined {
  if (withoutAttendance.includes(courseType)) return undefined;
  const step = `${state}>${{ request: 1, approve: 2, reject: 3, cancelLeave: 4, attend: 0, cancelAttendance: 5 }[action]}`;
  const always = ['-1>1', '1>2', '1>3', '2>4', '5>1', '3>1', '4>1'];
  const offline = ['0>1', '0>5', '5>0'];
  const fromStart = begun ? ['-1>0', '1>0', '3>0', '4>0', '-1>5'] : [];
  const allowed = courseType === 7 ? [...always, ...offline, ...fromStart] : always;
  return allowed.includes(step) ? (Number(step.split('>')[1]) as OpStatus) : undefined;
}

const stateNames = ['出勤', '请假待审批', '已请假', '请假被拒绝', '已取消请假', '旷课', '不计考勤'];
const nameOf = (state: OpStatus, courseType = 0) =>
  state === -1 ? (courseType === 7 ? '未点名' : '未记录') : stateNames[state];

interface Cell {
  uid: number;
  class_id: number;
  course_id: number;
  course_periods_id: number;
}

function act(client: Client, action: Action, cell: Cell, leaveId: number) {
  if (action === 'request') return client.post('leave', cell);
  if (action === 'cancelLeave') return client.post('leave/cancel', cell);
  if (action === 'attend') return client.post('attendance', { ...cell, op_status: 0 });
  if (action === 'cancelAttendance') return client.post('attendance', { ...cell, op_status: 5 });
  return client.put(`leave/setOpStatus/${leaveId}`, { op_status: action === 'approve' ? 2 : 3 });
}

const storedState = async ({ database: { db } }: TestSchool, id: number) =>
  (await db.selectFrom('attendance').select('op_status').where('id', '=', id).executeTakeFirstOrThrow()).op_status;

onBothEngines('attendance state × action × course type', (school) => {
  const lessons = new Map<number, { course: number; period: number }>();
  beforeAll(async () => {
    for (const type of courseTypes) {
      const starts = [noon + hour];
      const { course, periods } = await addLessons(school(), { type, classes: [school().classes.k1], starts });
      lessons.set(type, { course, period: periods[0] as number });
    }
  });

  it('lets a student be marked present from the start of the lesson on', async () => {
    const { course, periods } = await addLessons(school(), {
      type: 7,
      classes: [school().classes.k1],
      starts: [noon + hour],
    });
    school().setNow(noon + hour);
    const [uid = 0, other = 0] = school().students.k1;
    const place = { classId: school().classes.k1, periodId: periods[0] as number };
    const cell = { uid, class_id: place.classId, course_id: course, course_periods_id: place.periodId };
    await record(school(), { ...place, studentId: other }, 0);
    for (const state of states.filter((one) => one !== -1)) {
      for (const action of ['attend', 'cancelAttendance'] as const) {
        const id = await record(school(), { ...place, studentId: uid }, state);
        const next = expectedState(state, action, { courseType: 7, begun: true });
        const answer = await act(school().as('teacher'), action, cell, id);
        expect([answer.status, await storedState(school(), id)], `${state} ${action}`).toEqual(
          next === undefined ? [409, state] : [200, next],
        );
      }
    }
  });

  it.each(courseTypes.flatMap((type) => (['teacher', 'assist'] as const).map((who) => ({ type, who }))))(
    'follows the table for course type $type as $who',
    async ({ type, who }) => {
      const { course, period } = lessons.get(type) as { course: number; period: number };
      const { k1 } = school().classes;
      const uid = school().students.k1[0] as number;
      const cell = { uid, class_id: k1, course_id: course, course_periods_id: period };
      for (const state of states) {
        for (const action of actions) {
          const id = await record(school(), { classId: k1, studentId: uid, periodId: period }, state);
          const answer = await act(school().as(who), action, cell, id);
          const next = expectedState(state, action, { courseType: type, begun: false });
          const about = `${state} ${action} in ${type}`;
          expect(answer.status, about).toBe(next === undefined ? 409 : 200);
          expect(await storedState(school(), id), about).toBe(next ?? state);
          const shown = withoutAttendance.includes(type) ? 6 : state;
          if (next === undefined && (action === 'approve' || action === 'reject')) {
            expect(answer.body.msg, about).toContain(`“${nameOf(state)}”`);
          } else if (
            next === undefined &&
            expectedState(state, action, { courseType: type, begun: true }) !== undefined
          ) {
            expect(answer.body.msg, about).toMatch(/^课时尚未开始，不能/);
          } else if (next === undefined) expect(answer.body.msg, about).toContain(`“${nameOf(shown, type)}”`);
        }
      }
    },
  );
});

onBothEngines('leave of all classes', (school) => {
  it('is one list, sorted by lesson time', async () => {
    const { k1, k2, k3 } = school().classes;
    const later = await addLessons(school(), { type: 2, classes: [k1], starts: [noon + 3 * day], title: '后来的课' });
    const sooner = await addLessons(school(), { type: 2, classes: [k2], starts: [noon + day], title: '先上的课' });
    const foreign = await addLessons(school(), { type: 2, classes: [k3], starts: [noon + day], title: '别人的课' });
    const ask = async (lessons: { periods: number[] }, classId: number, studentId: number, status: OpStatus) =>
      record(school(), { classId, studentId, periodId: lessons.periods[0] as number }, status);
    const [one, two] = school().students.k1 as [number, number];
    const [three, four] = school().students.k2 as [number, number];
    const laterId = await ask(later, k1, one, 1);
    const decidedId = await ask(later, k1, two, 2);
    const soonerId = await ask(sooner, k2, three, 1);
    const lastId = await ask(sooner, k2, four, 1);
    await ask(foreign, k3, school().students.k3[0] as number, 1);
    const inbox = async (search = '') => {
      const { body } = await school().as('assist').get(`leave/inbox${search}`);
      return (body.data.list as { id: number }[]).map(({ id }) => id);
    };
    expect(await inbox()).toEqual([lastId, soonerId, laterId, decidedId]);
    expect(await inbox('?waiting=1')).toEqual([lastId, soonerId, laterId]);
    expect(await inbox(`?class_id=${k1}`)).toEqual([laterId, decidedId]);
    expect(await inbox(`?class_id=${k3}`)).toEqual([]);
    expect(await inbox('?title=先上')).toEqual([lastId, soonerId]);
    expect(await inbox(`?end=${dayOf(noon + day, 'Asia/Shanghai')}`)).toEqual([lastId, soonerId]);
    expect(await inbox(`?start=${dayOf(noon + 2 * day, 'Asia/Shanghai')}`)).toEqual([laterId, decidedId]);
    expect(await inbox(`?ids=${laterId},999999`)).toEqual([laterId]);
    const { body } = await school().as('assist').get('leave/inbox?limit=1');
    expect(body.data).toMatchObject({
      total: 4,
      list: [{ class_id: k2, course_basis_title: '先上的课', op_status: 1 }],
    });

    // Undoing one decision over two classes restores both.
    const batch = await school().as('assist').put(`leave/setOpStatus/${soonerId},${laterId}`, { op_status: 2 });
    const undoable = async (who: 'assist' | 'teacher') =>
      (await school().as(who).get('leave/inbox/undoable')).body.data;
    expect(await undoable('assist')).toMatchObject([{ batch_id: batch.body.data.batch_id, op_status: 2, count: 2 }]);
    expect(await undoable('teacher')).toEqual([]);
    await school().as('assist').post(`leave/undo/${batch.body.data.batch_id}`);
    expect(await undoable('assist')).toEqual([]);
    expect(await inbox('?waiting=1')).toEqual([lastId, soonerId, laterId]);
  });
});

onBothEngines('leave', (school) => {
  let course: number;
  let periods: number[];
  let cells: { classId: number; studentId: number; periodId: number }[];
  beforeAll(async () => {
    const { k1, k2, k3 } = school().classes;
    ({ course, periods } = await addLessons(school(), {
      type: 2,
      classes: [k1, k2, k3],
      starts: [noon + hour, noon + 2 * hour],
    }));
    const periodId = periods[0] as number;
    cells = school().students.k2.map((studentId) => ({ classId: k2, studentId, periodId }));
  });
  const pending = () => Promise.all(cells.map((cell) => record(school(), cell, 1)));
  const statesOf = (ids: number[]) => Promise.all(ids.map((id) => storedState(school(), id)));

  it('lists pending requests first, with course, period and cause, and counts them', async () => {
    const ids = await pending();
    await school().as('assist').put(`leave/setOpStatus/${ids[0]}`, { op_status: 3 });
    const { k2 } = school().classes;
    const { body } = await school().as('teacher').get(`leave/getLeaveList/${k2}`);
    expect(body.data.total).toBe(4);
    expect(body.data.list.map((row: { op_status: number }) => row.op_status)).toEqual([1, 1, 1, 3]);
    expect(body.data.list[3]).toMatchObject({
      id: ids[0],
      name: '学生二班1',
      leave_cause: '发烧',
      course_basis_title: '课程类型2',
      course_periods_title: '第1讲',
      course_periods_status: 1,
      decided_by: '姓名assist',
      decided_at: noon,
    });
    const pulse = await school().as('teacher').get(`leave/pending/${k2}`);
    expect(pulse.body.data.pending).toBe(3);
  });

  it('lists pending requests, then the latest first, page by page', async () => {
    const { k1 } = school().classes;
    const [one, two] = school().students.k1 as [number, number];
    const add = async (studentId: number, period: number, state: 1 | 3 | 4, requested_at: number) => {
      const id = await record(school(), { classId: k1, studentId, periodId: periods[period] as number }, state);
      await school().database.db.updateTable('attendance').set({ requested_at }).where('id', '=', id).execute();
      return id;
    };
    const cancelled = await add(one, 0, 4, noon + 30);
    const late = await add(two, 1, 1, noon + 20);
    const rejected = await add(two, 0, 3, noon + 30);
    const early = await add(one, 1, 1, noon + 10);
    const listIds = async (search: string) => {
      const { body } = await school().as('assist').get(`leave/getLeaveList/${k1}?${search}`);
      return body.data.list.map((row: { id: number; op_status: number; requested_at: number }) => [
        row.id,
        row.op_status,
        row.requested_at,
      ]);
    };
    const rows = [
      [late, 1, noon + 20],
      [early, 1, noon + 10],
      [rejected, 3, noon + 30],
      [cancelled, 4, noon + 30],
    ];
    expect(await listIds('limit=10')).toEqual(rows);
    expect(await listIds('limit=3&page=2')).toEqual(rows.slice(3));
  });

  it('has a version that changes with every change in the class, and with no other', async () => {
    const { k1, k2 } = school().classes;
    const mark = async () => (await school().as('assist').get(`leave/pending/${k1}`)).body.data.mark as string;
    const [uid, two] = school().students.k1 as [number, number];
    const cell = { uid, class_id: k1, course_id: course, course_periods_id: periods[0] as number };
    // The first records: one approved and one cancelled, so the pending count is unchanged.
    const id = await record(school(), { classId: k1, studentId: uid, periodId: periods[0] as number }, 2);
    await record(school(), { classId: k1, studentId: two, periodId: periods[1] as number }, 1);
    const others = await pending();
    const before = await mark();
    school().setNow(noon + 5);
    await school().as('assist').put(`leave/setOpStatus/${others[0]}`, { op_status: 2 });
    expect(await mark()).toBe(before);
    school().setNow(noon + 6);
    const approved = await mark();
    expect((await school().as('assist').post('leave/cancel', cell)).status).toBe(200);
    expect(await mark()).not.toBe(approved);
    school().setNow(noon);
    expect(await storedState(school(), id)).toBe(4);
    await school().database.db.deleteFrom('attendance').where('class_id', 'in', [k1, k2]).execute();
    expect((await school().as('assist').get(`leave/pending/${k1}`)).body.data).toEqual({ pending: 0, mark: '0' });
  });

  it('records who decided a batch and when, and changes its version', async () => {
    const ids = await pending();
    const { k2 } = school().classes;
    const before = (await school().as('assist').get(`leave/pending/${k2}`)).body.data.mark;
    const { status, body } = await school()
      .as('assist')
      .put(`leave/setOpStatus/${ids.join(',')}`, { op_status: 2 });
    expect([status, body.msg]).toEqual([200, '操作成功']);
    expect(await statesOf(ids)).toEqual([2, 2, 2, 2]);
    expect((await school().as('assist').get(`leave/pending/${k2}`)).body.data.mark).not.toBe(before);
    const history = await school()
      .database.db.selectFrom('history')
      .selectAll()
      .where('record', '=', 'attendance')
      .where('record_id', '=', ids[2] as number)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(history).toMatchObject({ at: noon, staff_id: school().people.assist.id, action: 'approve' });
    expect([history.before, history.after]).toEqual(['{"op_status":1}', '{"op_status":2}']);
  });

  it('changes nothing if one id is decided, foreign, unknown or no request', async () => {
    const ids = await pending();
    const { k3 } = school().classes;
    const foreign = await record(
      school(),
      { classId: k3, studentId: school().students.k3[1] as number, periodId: periods[0] as number },
      1,
    );
    await school().as('teacher').put(`leave/setOpStatus/${ids[3]}`, { op_status: 3 });
    const ask = (list: (number | string)[], op_status: unknown = 2) =>
      school()
        .as('assist')
        .put(`leave/setOpStatus/${list.join(',')}`, { op_status });
    const decided = await ask(ids);
    expect([decided.status, decided.body.msg]).toEqual([409, '学生二班4的请假当前状态为“请假被拒绝”，不能再审批']);
    for (const list of [
      [...ids.slice(0, 2), foreign],
      [ids[0] as number, 999_999],
      [ids[0] as number, 'x'],
    ]) {
      const answer = await ask(list);
      expect(answer.status, String(list)).toBe(404);
    }
    for (const wrong of [1, 4, 0, 5, 'x', null]) expect((await ask(ids.slice(0, 1), wrong)).status).toBe(422);
    const none = await school().as('assist').put('leave/setOpStatus', { op_status: 2 });
    expect([none.status, none.body.errors]).toEqual([422, { ids: ['请选择请假记录'] }]);
    const many = await ask(Array.from({ length: 501 }, (_, index) => index + 1));
    expect([many.status, many.body.msg]).toEqual([422, '一次最多审批500条请假']);
    expect((await ask(Array.from({ length: 500 }, (_, index) => 100_000 + index))).status).toBe(404);
    expect(await statesOf([...ids, foreign])).toEqual([1, 1, 1, 3, 1]);
  });

  it('answers 409 with the first decision to the second of two simultaneous decisions', async () => {
    const [id] = await pending();
    const answers = await Promise.all(
      (['teacher', 'assist'] as const).map((who, index) =>
        school()
          .as(who)
          .put(`leave/setOpStatus/${id}`, { op_status: 2 + index }),
      ),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await storedState(school(), id as number)).toBe(2 + won);
    expect(answers[1 - won]?.body.msg).toContain(won === 0 ? '“已请假”' : '“请假被拒绝”');
    expect(answers[1 - won]?.body.data).toEqual({ id, op_status: 2 + won });
  });

  it('accepts one of two: undoing a decision, or cancelling the approved leave', async () => {
    const { k2 } = school().classes;
    const [uid] = school().students.k2 as [number];
    const cell = { uid, class_id: k2, course_id: course, course_periods_id: periods[0] as number };
    for (let round = 0; round < 8; round += 1) {
      const [id] = await pending();
      const { body } = await school().as('assist').put(`leave/setOpStatus/${id}`, { op_status: 2 });
      const undo = () => school().as('assist').post(`leave/undo/${body.data.batch_id}`);
      const cancel = () => school().as('teacher').post('leave/cancel', cell);
      const answers = await Promise.all(round % 2 ? [undo(), cancel()] : [cancel(), undo()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect(await storedState(school(), id as number)).toBe((won === 0) === (round % 2 === 1) ? 1 : 4);
    }
  });

  it('lets the decider undo a batch once within ten minutes, unless it was changed since', async () => {
    const decide = async (who: 'teacher' | 'assist') => {
      const ids = await pending();
      const { body } = await school()
        .as(who)
        .put(`leave/setOpStatus/${ids.join(',')}`, { op_status: 2 });
      return { ids, undo: (by = who) => school().as(by).post(`leave/undo/${body.data.batch_id}`) };
    };
    const first = await decide('assist');
    expect((await first.undo('teacher')).status).toBe(404);
    school().setNow(noon + 600);
    const undone = await first.undo();
    expect([undone.status, undone.body.msg]).toEqual([200, '已撤销，请假申请恢复为待审批']);
    expect(await statesOf(first.ids)).toEqual([1, 1, 1, 1]);
    expect([(await first.undo()).status, (await first.undo()).body.msg]).toEqual([409, '已撤销，不能重复撤销']);

    school().setNow(noon);
    const late = await decide('teacher');
    school().setNow(noon + 601);
    expect([(await late.undo()).status, (await late.undo()).body.msg]).toEqual([409, '审批已超过十分钟，不能撤销']);
    school().setNow(noon);

    const touched = await decide('teacher');
    const { k2 } = school().classes;
    const uid = school().students.k2[1] as number;
    const cell = { uid, class_id: k2, course_id: course, course_periods_id: periods[0] as number };
    expect((await school().as('assist').post('leave/cancel', cell)).status).toBe(200);
    const refused = await touched.undo();
    expect([refused.status, refused.body.msg]).toEqual([
      409,
      '学生二班2的请假当前状态为“已取消请假”，已有新的操作，不能撤销',
    ]);
    expect(await statesOf(touched.ids)).toEqual([2, 4, 2, 2]);
  });

  it("lists the person's own decisions in the class that can still be undone, the latest first", async () => {
    const { k1, k2 } = school().classes;
    const { db } = school().database;
    const at = noon + 2 * hour;
    school().setNow(at);
    const ids = await pending();
    const decide = async (some: number[], op_status: 2 | 3) => {
      const { body } = await school()
        .as('assist')
        .put(`leave/setOpStatus/${some.join(',')}`, { op_status });
      return body.data.batch_id as number;
    };
    const nameUndoable = async (who: 'assist' | 'teacher' = 'assist', classId = k2) => {
      const { status, body } = await school().as(who).get(`leave/undoable/${classId}`);
      expect(status).toBe(200);
      return body.data;
    };
    const undo = async (batch: number) => (await school().as('assist').post(`leave/undo/${batch}`)).status;
    expect(await nameUndoable()).toEqual([]);
    const until = at + 600;
    const first = await decide(ids.slice(0, 2), 2);
    const second = await decide(ids.slice(2, 3), 3);
    const kept = { batch_id: first, op_status: 2, count: 2, name: '学生二班1', until };
    expect(await nameUndoable()).toEqual([
      { batch_id: second, op_status: 3, count: 1, name: '学生二班3', until },
      kept,
    ]);
    expect([await nameUndoable('teacher'), await nameUndoable('assist', k1)]).toEqual([[], []]);
    expect((await school().as('otherAssist').get(`leave/undoable/${k2}`)).body.msg).toBe('班级不存在');

    expect(await undo(second)).toBe(200);
    const told = await db
      .selectFrom('history')
      .select(['action', 'before', 'after', 'staff_id'])
      .where('record', '=', 'attendance')
      .where('record_id', '=', ids[2] as number)
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(told).toMatchObject([
      { action: 'undo', before: '{"op_status":3}', after: '{"op_status":1}', staff_id: school().people.assist.id },
      { action: 'reject', before: '{"op_status":1}', after: '{"op_status":3}' },
    ]);
    expect(await nameUndoable()).toEqual([kept]);
    school().setNow(until);
    expect(await nameUndoable()).toEqual([kept]);
    school().setNow(until + 1);
    expect(await nameUndoable()).toEqual([]);
    school().setNow(until);
    expect(await undo(first)).toBe(200);
    expect(await statesOf(ids)).toEqual([1, 1, 1, 1]);

    // Undo is refused for a class that the person has left, and once somebody else has changed one of the records.
    const third = await decide(ids, 2);
    const assists = db.updateTable('class_staff').where('class_id', '=', k2);
    await assists.set({ duty: 'head' }).where('staff_id', '=', school().people.assist.id).execute();
    expect(await undo(third)).toBe(404);
    await assists.set({ duty: 'assistant' }).where('staff_id', '=', school().people.assist.id).execute();
    const [uid] = school().students.k2 as [number];
    const cell = { uid, class_id: k2, course_id: course, course_periods_id: periods[0] as number };
    expect((await school().as('teacher').post('leave/cancel', cell)).status).toBe(200);
    expect(await nameUndoable()).toEqual([]);
  });

  it('shows who decided last, and who requested', async () => {
    const { k1 } = school().classes;
    const { db } = school().database;
    const offline = await addLessons(school(), { type: 7, classes: [k1], starts: [noon + hour] });
    const [uid] = school().students.k1 as [number];
    const [period] = offline.periods as [number];
    const cell = { uid, class_id: k1, course_id: offline.course, course_periods_id: period };
    const listStates = async () => {
      const { body } = await school().as('assist').get(`leave/getLeaveList/${k1}`);
      return body.data.list.map((row: { op_status: number; decided_by: string; decided_at: number }) => [
        row.op_status,
        row.decided_by,
        row.decided_at,
      ]);
    };
    const mark = (op_status: 0 | 5) =>
      school()
        .as('teacher')
        .post('attendance', { ...cell, op_status });
    // The student is present without a request, so there is nothing to decide.
    const id = await record(school(), { classId: k1, studentId: uid, periodId: period }, 5);
    expect((await mark(0)).status).toBe(200);
    expect(await listStates()).toEqual([[0, '', 0]]);
    const told = db.selectFrom('history').select(['action', 'before', 'after']).where('record', '=', 'attendance');
    expect(await told.where('record_id', '=', id).executeTakeFirst()).toEqual({
      action: 'attend',
      before: '{"op_status":5}',
      after: '{"op_status":0}',
    });
    await db.updateTable('attendance').set({ requested_at: null }).where('id', '=', id).execute();
    expect((await school().as('assist').put(`leave/setOpStatus/${id}`, { op_status: 2 })).status).toBe(404);
    expect(await listStates()).toEqual([]);

    await school().as('assist').post('leave', cell);
    const asked = await db.selectFrom('attendance').select('requested_by').where('id', '=', id).executeTakeFirst();
    expect(asked?.requested_by).toBe(school().people.assist.id);
    expect(await listStates()).toEqual([[1, '', 0]]);
    await school().as('assist').put(`leave/setOpStatus/${id}`, { op_status: 2 });
    school().setNow(noon + 60);
    await school().as('teacher').post('leave/cancel', cell);
    expect(await listStates()).toEqual([[4, '姓名teacher', noon + 60]]);
    await school().as('assist').post('leave', cell);
    expect(await listStates()).toEqual([[1, '', 0]]);
    school().setNow(noon);
    await db.deleteFrom('attendance').where('id', '=', id).execute();
  });

  it('requests leave for a student as pending, with a cause of at most 100 characters', async () => {
    const { k1 } = school().classes;
    const uid = school().students.k1[0] as number;
    const cell = { uid, class_id: k1, course_id: course, course_periods_id: periods[1] as number };
    const long = await school()
      .as('assist')
      .post('leave', { ...cell, leave_cause: '病'.repeat(101) });
    expect([long.status, long.body.errors]).toEqual([422, { leave_cause: ['请假原因不能超过100个字'] }]);
    const made = await school()
      .as('assist')
      .post('leave', { ...cell, leave_cause: ` ${'病'.repeat(100)} ` });
    expect([made.status, made.body.msg]).toEqual([200, '已提交请假申请，等待审批']);
    const { body } = await school().as('assist').get(`leave/getLeaveList/${k1}`);
    expect(body.data.list).toMatchObject([{ uid, op_status: 1, leave_cause: '病'.repeat(100), decided_at: 0 }]);
    const again = await school().as('teacher').post('leave', cell);
    expect([again.status, again.body.msg]).toEqual([409, '该学员当前状态为“请假待审批”，不能请假']);
  });

  it('creates one request for a double click', async () => {
    const { k1 } = school().classes;
    const uid = school().students.k1[1] as number;
    const cell = { uid, class_id: k1, course_id: course, course_periods_id: periods[1] as number };
    const send = () => school().as('assist').post('leave', cell, { 'idempotency-key': 'one-click' });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('answers 404 for an unseen class, and for ids that do not belong together', async () => {
    const { k1, k2, k3 } = school().classes;
    const cell = {
      uid: school().students.k1[0] as number,
      class_id: k1,
      course_id: course,
      course_periods_id: periods[0] as number,
    };
    for (const who of ['otherAssist', 'plainTeacher'] as const) {
      const client = school().as(who);
      for (const answer of [
        await client.post('leave', cell),
        await client.post('leave/cancel', cell),
        await client.post('attendance', { ...cell, op_status: 0 }),
        await client.get(`leave/getLeaveList/${k1}`),
        await client.get(`leave/pending/${k1}`),
      ]) {
        expect([answer.status, answer.body.msg], who).toEqual([404, '班级不存在']);
      }
    }
    const { theirs } = school().periods;
    for (const wrong of [
      { uid: school().students.k2[0] },
      { class_id: k2 },
      { course_id: school().courses.theirs },
      { course_periods_id: theirs },
      { class_id: k3, uid: school().students.k3[1] },
      { uid: 999_999 },
    ]) {
      const answer = await school()
        .as('assist')
        .post('leave', { ...cell, ...wrong });
      expect(answer.status, JSON.stringify(wrong)).toBe(404);
    }
    // A student in two classes can have leave from the lessons of either.
    const uid = school().students.k1[0] as number;
    expect(
      (
        await school()
          .as('otherAssist')
          .post('leave', { ...cell, uid, class_id: k3 })
      ).status,
    ).toBe(200);
    const none = await school().as('assist').post('leave', {});
    expect([none.status, Object.keys(none.body.errors)]).toEqual([
      422,
      ['uid', 'class_id', 'course_id', 'course_periods_id'],
    ]);
    const zero = await school()
      .as('assist')
      .post('leave', { ...cell, uid: 0 });
    expect([zero.status, zero.body.msg]).toEqual([422, '请选择学员']);
    const mark = await school()
      .as('assist')
      .post('attendance', { ...cell, op_status: 2 });
    expect([mark.status, mark.body.msg]).toEqual([422, '请选择出勤或取消出勤']);
  });

  it('refuses a student who was not in the class then, and still corrects an ended class', async () => {
    const { db } = school().database;
    const { k1 } = school().classes;
    const gone = school().students.k1.at(-1) as number;
    const cell = { uid: gone, class_id: k1, course_id: course, course_periods_id: periods[0] as number };
    const left = await school().as('assist').post('leave', cell);
    expect([left.status, left.body.msg]).toEqual([409, '该学员当时不在班级，不能记录考勤']);
    await returnToClass(db, { classId: k1, studentId: gone, joinedAt: noon + 60, now: noon + 60 });
    expect((await school().as('assist').post('leave', cell)).status).toBe(200);

    await db.updateTable('class').set({ valid_type: 2, valid_time: noon }).where('id', '=', k1).execute();
    const ended = await school()
      .as('assist')
      .post('leave', { ...cell, course_periods_id: periods[1] as number });
    expect([ended.status, ended.body.msg]).toEqual([200, '已提交请假申请，等待审批']);
    const { body } = await school().as('assist').get(`leave/getLeaveList/${k1}`);
    const settled = await school().as('assist').put(`leave/setOpStatus/${body.data.list[0].id}`, { op_status: 3 });
    expect(settled.status).toBe(200);
    await db.updateTable('class').set({ valid_type: 1, valid_time: 0 }).where('id', '=', k1).execute();
  });
});

onBothEngines('study progress and attendance of lessons', (school) => {
  let live: { course: number; periods: number[] };
  let offline: { course: number; periods: number[] };
  let video: { course: number; periods: number[] };
  let text: { course: number; periods: number[] };
  let members: Map<number, number>;
  beforeAll(async () => {
    const { db } = school().database;
    const { k2 } = school().classes;
    // Removes the two courses that every class takes.
    await db.deleteFrom('class_course').where('class_id', '=', k2).execute();
    await db
      .updateTable('class_student')
      .set({ joined_at: noon - 9 * day })
      .where('class_id', '=', k2)
      .execute();
    const past = [noon - 2 * day, noon - day];
    const classes = [k2];
    live = await addLessons(school(), { type: 2, classes, starts: [...past, noon + day], title: '直播课' });
    offline = await addLessons(school(), { type: 7, classes, starts: past, title: '面授课' });
    video = await addLessons(school(), { type: 5, classes, starts: past, title: '录播课' });
    text = await addLessons(school(), { type: 10, classes, starts: past, title: '图文课' });
    const rows = await db.selectFrom('class_student').select(['id', 'student_id']).where('class_id', '=', k2).execute();
    members = new Map(rows.map(({ id, student_id }) => [student_id, id]));

    const [one, two, three] = school().students.k2 as [number, number, number];
    const [first, second] = live.periods as [number, number];
    const watch = (studentId: number, periodId: number, liveSeconds: number, replaySeconds = 0) =>
      recordStudy(db, { studentId, periodId, liveSeconds, replaySeconds });
    // Student one: 60 seconds live, reported twice and late; time beyond the lesson's length is capped.
    await watch(one, first, 60);
    await watch(one, first, 60);
    await watch(one, first, 30);
    await watch(one, second, 0, 2 * hour);
    // Student two: playback only, so absent; attended a face-to-face lesson; on leave in the other.
    await watch(two, first, 0, 600);
    await record(school(), { classId: k2, studentId: two, periodId: offline.periods[0] as number }, 0);
    await record(school(), { classId: k2, studentId: two, periodId: offline.periods[1] as number }, 2);
    // Student three: asked for leave but came; was refused leave and did not come; watched a video and studied a text
    // lesson.
    await record(school(), { classId: k2, studentId: three, periodId: first }, 1);
    await watch(three, first, 1200);
    await record(school(), { classId: k2, studentId: three, periodId: second }, 3);
    await watch(three, video.periods[0] as number, 0, 1800);
    await watch(three, text.periods[0] as number, 0, 900);
  });
  const study = async (query = '') =>
    (await school().as('assist').get(`stateschoolclass/studyanalysis/${school().classes.k2}${query}`)).body;

  it('counts truancy in live and face-to-face courses only', async () => {
    const { data, extra } = await study();
    const counts = data.list.map((row: Record<string, number>) => [
      row.attend_times,
      row.leave_times,
      row.truant_times,
      row.uncalled_times,
    ]);
    expect(counts).toEqual([
      // Two live and two face-to-face lessons are over. The first student attended one live lesson, and saw the other only
      // as a playback. The second face-to-face lesson has no roll; a student on leave in it counts as on leave.
      [1, 0, 2, 1],
      [1, 1, 2, 0],
      [1, 0, 2, 1],
      [0, 0, 3, 1],
    ]);
    expect(extra.schools).toEqual([{ id: expect.any(Number), name: '总校' }]);
  });

  it('sums seconds without text and face-to-face courses, and truncates the percentage', async () => {
    const { data } = await study();
    const row = (index: number) => [data.list[index].study_length, data.list[index].progress_rate];
    // Five lessons of one hour: 60 + 3600 of 18,000 seconds are 20.3 %.
    expect(row(0)).toEqual([60 + 2 * hour, 20]);
    expect(row(1)).toEqual([600, 3]);
    expect(row(2)).toEqual([1200 + 1800, 16]);
    expect(row(3)).toEqual([0, 0]);
  });

  it('leaves out recalled homework', async () => {
    const { k2 } = school().classes;
    const [one, two] = school().students.k2 as [number, number];
    const given = await school().addHomework({ creator: 'teacher', course: live.course, classes: [k2] });
    await school().addHomework({ creator: 'teacher', classes: [k2], status: 2 });
    const second = await school().addHomework({ creator: 'teacher', course: offline.course, classes: [k2] });
    await school().submit(given, one);
    await school().submit(second, one, false);
    await school().submit(given, two);
    const { data } = await study();
    const counts = data.list.map((row: Record<string, number>) => [row.hw_submit_times, row.hw_assign_times]);
    expect(counts).toEqual([
      [2, 2],
      [1, 2],
      [0, 2],
      [0, 2],
    ]);
    const courses = (
      await school()
        .as('teacher')
        .get(`stateschoolstudent/studycourses/${members.get(one)}`)
    ).body.data;
    expect(courses.list.map((row: Record<string, number>) => [row.hw_submit_times, row.hw_assign_times])).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
  });

  it('filters by nickname, mobile and campus, and pages', async () => {
    const names = async (query: string) =>
      (await study(query)).data.list.map(({ nickname }: { nickname: string }) => nickname);
    expect(await names('?nickname=二班2')).toEqual(['学生二班2']);
    expect(await names('?mobile=003')).toEqual(['学生二班3']);
    expect(await names('?org_id=999')).toEqual([]);
    expect(await names('?nickname=%25')).toEqual([]);
    expect(await names('?page=2&limit=3')).toEqual(['学生二班4']);
    expect((await study('?page=2&limit=3')).data.total).toBe(4);
  });

  it('gives homework of a course that the class does not take its own row, so that the sums agree', async () => {
    const { k2 } = school().classes;
    const one = school().students.k2[0] as number;
    const given = await school().addHomework({
      creator: 'otherTeacher',
      course: school().courses.theirs,
      classes: [k2],
    });
    const { list, total } = (
      await school()
        .as('teacher')
        .get(`stateschoolstudent/studycourses/${members.get(one)}`)
    ).body.data;
    expect(list.find((row: { title: string }) => row.title === '高一物理')).toMatchObject({
      section_num: 0,
      attend_times: 0,
      hw_submit_times: 0,
      hw_assign_times: 1,
    });
    expect(total).toBe(list.length);
    const inClass = (await study()).data.list.find(({ uid }: { uid: number }) => uid === one);
    for (const key of ['hw_assign_times', 'hw_submit_times', 'attend_times', 'truant_times']) {
      const sum = list.reduce((before: number, row: Record<string, number>) => before + (row[key] ?? 0), 0);
      expect(sum, key).toBe(inClass[key]);
    }
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', given).execute();
  });

  it('shows a student, their courses and the periods of a course', async () => {
    const [, two] = school().students.k2 as [number, number];
    const id = members.get(two);
    const client = school().as('teacher');
    const shown = (await client.get(`stateschoolstudent/${id}`)).body.data;
    expect(shown).toMatchObject({ uid: two, nickname: '学生二班2', class_name: '二班', created_at: noon - 9 * day });
    const courses = (await client.get(`stateschoolstudent/studycourses/${id}`)).body.data;
    const row = (title: string) => courses.list.find((course: { title: string }) => course.title === title);
    expect(row('直播课')).toMatchObject({ section_num: 3, attend_times: 0, truant_times: 2, study_length: 600 });
    expect(row('面授课')).toMatchObject({ section_num: 2, attend_times: 1, leave_times: 1, study_length: 0 });
    expect(row('录播课')).toMatchObject({ attend_times: 0, leave_times: 0, truant_times: 0 });
    const periodsOf = async (course: number) =>
      (await client.get(`stateschoolstudent/studyperiods/${id}?course_id=${course}`)).body.data.list;
    expect(await periodsOf(live.course)).toMatchObject([
      { op_status: 5, study_length: 600, progress_rate: 16, leave_id: null, total_time: hour },
      { op_status: 5, study_length: 0 },
      { op_status: -1 },
    ]);
    expect(await periodsOf(offline.course)).toMatchObject([
      { op_status: 0 },
      { op_status: 2, leave_id: expect.any(Number), leave_cause: '发烧' },
    ]);
    expect(await periodsOf(video.course)).toMatchObject([{ op_status: 6 }, { op_status: 6 }]);
  });

  it('shows the lessons of a course with their counts and attendees', async () => {
    const { k2 } = school().classes;
    const client = school().as('assist');
    const course = (await client.get(`stateschoolcourse/${live.course}`)).body.data;
    expect(course).toMatchObject({ title: '直播课', study_count: 4, course_type: 2, chapter_num: 0, section_num: 3 });
    const lessons = (await client.get(`stateschoolcourse/studyperiods/${live.course}/${k2}`)).body.data.list;
    const counts = ({ attend_num, leave_num, truant_num, total_num, status }: Record<string, number>) => [
      attend_num,
      leave_num,
      truant_num,
      total_num,
      status,
    ];
    expect(lessons.map(counts)).toEqual([
      [2, 0, 2, 4, 3],
      [0, 0, 4, 4, 3],
      [0, 0, 0, 4, 1],
    ]);
    const offlineLessons = (await client.get(`stateschoolcourse/studyperiods/${offline.course}/${k2}`)).body.data.list;
    expect(offlineLessons.map(({ uncalled_num }: Record<string, number>) => uncalled_num)).toEqual([0, 3]);
    expect(offlineLessons.map(counts)).toEqual([
      [1, 0, 3, 4, 3],
      [0, 1, 0, 4, 3],
    ]);
    const there = await client.get(
      `stateschoolcourse/studystudents/${live.course}/${k2}?period_id=${live.periods[0]}&limit=3`,
    );
    expect(there.body.data).toMatchObject({
      total: 4,
      // Pending requests come first.
      list: [
        { nickname: '学生二班3', op_status: 1, leave_cause: '发烧', leave_id: expect.any(Number) },
        { nickname: '学生二班1', op_status: 0, leave_id: null },
        { nickname: '学生二班2', op_status: 5 },
      ],
    });
  });

  it('counts a returned student in the lessons of both stays, not in between', async () => {
    const { db } = school().database;
    const { k2 } = school().classes;
    const four = school().students.k2[3] as number;
    await db
      .updateTable('class_student')
      .set({ left_at: noon - 2 * day + 1 })
      .where('student_id', '=', four)
      .execute();
    const totals = async () =>
      (await school().as('assist').get(`stateschoolcourse/studyperiods/${live.course}/${k2}`)).body.data.list.map(
        ({ total_num }: { total_num: number }) => total_num,
      );
    expect(await totals()).toEqual([4, 3, 3]);
    expect((await study()).data.total).toBe(3);
    await returnToClass(db, { classId: k2, studentId: four, joinedAt: noon, now: noon });
    expect(await totals()).toEqual([4, 3, 4]);
    const row = (await study('?nickname=二班4')).data.list[0];
    expect(row.truant_times).toBe(2);
    const periods = await school()
      .as('assist')
      .get(`stateschoolstudent/studyperiods/${members.get(four)}?course_id=${live.course}`);
    expect(periods.body.data.list.map(({ op_status }: { op_status: number }) => op_status)).toEqual([5, 6, -1]);
  });

  it('exports the displayed rows', async () => {
    const { k2 } = school().classes;
    const [one] = school().students.k2 as [number];
    const client = school().as('assist');
    const sheets = async (path: string, body: object) => {
      const { body: answer } = await client.post(path, body);
      const { token } = school().people.assist;
      const file = await school().api.fetch(
        new Request(`http://school.test${answer.data.url}`, { headers: { authorization: `Bearer ${token}` } }),
      );
      expect(file.status).toBe(200);
      const name = decodeURIComponent(file.headers.get('content-disposition') ?? '');
      return { name, sheets: await readXlsxFile(Buffer.from(await file.arrayBuffer())) };
    };
    const whole = await sheets('stateschoolclass/studyanalysis/export', { class_id: k2, nickname: '二班1' });
    expect(whole.name).toContain('二班-学习统计.xlsx');
    expect(whole.sheets[0]?.data).toEqual([
      [
        '学员',
        '手机号',
        '校区',
        '学习时长（分钟）',
        '学习进度',
        '出勤次数',
        '请假次数',
        '旷课次数',
        '未点名次数',
        '作业提交次数',
        '作业布置次数',
      ],
      ['学生二班1', '1380000100', '总校', 121, 0.2, 1, 0, 2, 1, 2, 2].map((cell) =>
        cell === '1380000100' ? expect.stringMatching(/^1380000/) : cell,
      ),
    ]);
    const student = await sheets('stateschoolstudent/exportStudy', { id: members.get(one) });
    expect(student.name).toContain('学生二班1-学习详情.xlsx');
    const member = ['学生二班1', expect.any(String), '二班'];
    expect(student.sheets.map(({ sheet }) => sheet)).toEqual(['学习详情', '课时详情']);
    expect(student.sheets[0]?.data[0]?.slice(0, 4)).toEqual(['学员', '手机号', '班级', '课程']);
    expect(student.sheets[0]?.data[1]?.slice(0, 3)).toEqual(member);
    expect(student.sheets[1]?.data).toHaveLength(1 + 3 + 2 + 2 + 2);
    expect(student.sheets[1]?.data[1]?.slice(0, 5)).toEqual([...member, expect.any(String), '第1讲']);
    expect(student.sheets[0]?.data.slice(1).map((row) => row.slice(3))).toEqual([
      ['直播课', 3, 121, expect.any(Number), 1, 0, 1, 0, 1, 1],
      ['面授课', 2, '-', '-', 0, 0, 1, 1, 1, 1],
      ['录播课', 2, 0, 0, 0, 0, 0, 0, 0, 0],
      ['图文课', 2, '-', '-', 0, 0, 0, 0, 0, 0],
    ]);
    const lessons = await sheets('stateschoolcourse/exportStudy', { id: live.course, class: k2 });
    expect(lessons.name).toContain('二班-直播课-考勤.xlsx');
    expect(lessons.sheets.map(({ sheet }) => sheet)).toEqual(['课时考勤', '学员考勤']);
    expect(lessons.sheets[0]?.data.slice(1).map((row) => [row[0], ...row.slice(2)])).toEqual([
      ['第1讲', 60, 2, 0, 2, 0, 4],
      ['第2讲', 60, 0, 0, 3, 0, 3],
      ['第3讲', 60, 0, 0, 0, 0, 4],
    ]);
    // When these lessons took place, the class had four, three and four students.
    expect(lessons.sheets[1]?.data).toHaveLength(1 + 4 + 3 + 4);
    expect(lessons.sheets[1]?.data[1]).toEqual([
      '第1讲',
      '学生二班3',
      expect.any(String),
      '请假待审批',
      '发烧',
      '出勤',
    ]);
  });

  it.each([
    ['GET', 'stateschoolclass/studyanalysis/$class'],
    ['GET', 'stateschoolstudent/$member'],
    ['GET', 'stateschoolstudent/studycourses/$member'],
    ['GET', 'stateschoolstudent/studyperiods/$member?course_id=$course'],
    ['GET', 'stateschoolcourse/$course?class_id=$class'],
    ['GET', 'stateschoolcourse/studyperiods/$course/$class'],
    ['GET', 'stateschoolcourse/studystudents/$course/$class?period_id=$period'],
    ['POST', 'stateschoolclass/studyanalysis/export'],
    ['POST', 'stateschoolstudent/exportStudy'],
    ['POST', 'stateschoolcourse/exportStudy'],
  ])('answers 404 to %s %s for an unseen class, and for invalid ids', async (method, path) => {
    const ids = (who: { class: number; member: number; course: number; period: number }) => ({
      url: path.replace(/\$(\w+)/g, (_, name: keyof typeof who) => String(who[name])),
      body: path.includes('analysis')
        ? { class_id: who.class }
        : path.includes('student')
          ? { id: who.member }
          : { id: who.course, class: who.class },
    });
    const mine = {
      class: school().classes.k2,
      member: members.get(school().students.k2[0] as number) as number,
      course: live.course,
      period: live.periods[0] as number,
    };
    const ask = (who: 'assist' | 'otherAssist' | 'plainTeacher' | 'teacher', asked: ReturnType<typeof ids>) =>
      method === 'GET' ? school().as(who).get(asked.url) : school().as(who).post(asked.url, asked.body);
    expect((await ask('assist', ids(mine))).status).toBe(200);
    expect((await ask('teacher', ids(mine))).status).toBe(200);
    for (const who of ['otherAssist', 'plainTeacher'] as const) expect((await ask(who, ids(mine))).status).toBe(404);
    const wrong = { class: 999_999, member: 999_999, course: 999_999, period: 999_999 };
    expect((await ask('assist', ids(wrong))).status).toBe(404);
    if (method === 'POST') expect((await school().as('assist').post(path, {})).status).toBe(404);
  });

  it("answers 404 for a course that the class does not take, and for another course's period", async () => {
    const { k2 } = school().classes;
    const { shared } = school().courses;
    const client = school().as('assist');
    for (const path of [
      `stateschoolcourse/${shared}?class_id=${k2}`,
      `stateschoolcourse/studyperiods/${shared}/${k2}`,
      // Courses without attendance.
      `stateschoolcourse/studyperiods/${video.course}/${k2}`,
      `stateschoolcourse/studyperiods/${text.course}/${k2}`,
      `stateschoolcourse/studystudents/${live.course}/${k2}?period_id=${offline.periods[0]}`,
      `stateschoolcourse/studystudents/${live.course}/${k2}`,
      `stateschoolstudent/studyperiods/${members.get(school().students.k2[0] as number)}?course_id=${shared}`,
      'stateschoolstudent/x',
      `stateschoolclass/studyanalysis/${'9'.repeat(11)}`,
    ]) {
      expect((await client.get(path)).status, path).toBe(404);
    }
  });
});

onBothEngines("events from the learners' application", (school) => {
  let cell: Cell;
  let send: (path: string, body: unknown, token?: string) => ReturnType<TestSchool['ask']>;
  beforeAll(async () => {
    const { k1 } = school().classes;
    const starts = [noon + hour];
    const { course, periods } = await addLessons(school(), { type: 2, classes: [k1], starts });
    const uid = school().students.k1[0] as number;
    cell = { uid, class_id: k1, course_id: course, course_periods_id: periods[0] as number };
    const { token: own } = await issueServiceToken(school().database.db, { name: '学员端', now: noon });
    send = (path, body, token = own) =>
      school().ask(`/api/app/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
  });
  const readCell = async () => {
    const { course_id, class_id, course_periods_id } = cell;
    const { body } = await school()
      .as('assist')
      .get(`stateschoolcourse/studystudents/${course_id}/${class_id}?period_id=${course_periods_id}`);
    return body.data.list.find(({ uid }: { uid: number }) => uid === cell.uid);
  };

  it('create a pending leave request', async () => {
    const { db } = school().database;
    const k1 = db.updateTable('class').where('id', '=', school().classes.k1);
    await k1.set({ class_type: 3 }).execute();
    expect((await send('leave', cell)).body).toMatchObject({ code: 404, msg: '班级不存在' });
    await k1.set({ class_type: 0 }).execute();
    // Staff had requested leave for this period before, and it was refused.
    await school().as('assist').post('leave', cell);
    await db.updateTable('attendance').set({ op_status: 3 }).execute();
    const asked = await send('leave', { ...cell, leave_cause: '发烧' });
    expect([asked.status, asked.body.msg]).toEqual([200, '已提交请假申请，等待审批']);
    expect(await readCell()).toMatchObject({ op_status: 1, leave_cause: '发烧' });
    const again = await send('leave', cell);
    expect([again.status, again.body.msg]).toEqual([409, '已提交过请假申请，正在等待审批']);
    const { requested_by } = await school()
      .database.db.selectFrom('attendance')
      .select('requested_by')
      .executeTakeFirstOrThrow();
    expect(requested_by).toBeNull();
  });

  it('set the watched time to the highest sum; a repeated or late smaller sum changes nothing', async () => {
    const { uid, course_periods_id } = cell;
    const other = school().students.k1[1] as number;
    const { db } = school().database;
    const { start_play } = await db
      .selectFrom('period')
      .select('start_play')
      .where('id', '=', course_periods_id)
      .executeTakeFirstOrThrow();
    const watched = () => db.selectFrom('study_record').select('live_seconds').executeTakeFirst();
    school().setNow(start_play - hour);
    await send('study', { uid: other, course_periods_id, live_seconds: 600 });
    expect(await watched(), 'before the room is open').toEqual({ live_seconds: 0 });
    school().setNow(start_play + 700);
    await send('study', { uid: other, course_periods_id, live_seconds: 5000, replay_seconds: 0 });
    const most = (await watched())?.live_seconds ?? 0;
    expect(most >= 700 && most < 5000, 'at most what has passed').toBe(true);
    await db.deleteFrom('study_record').execute();
    for (const live_seconds of [600, 600, 300]) {
      const kept = await send('study', { uid: other, course_periods_id, live_seconds });
      expect([kept.status, kept.body.msg]).toEqual([200, '保存成功']);
    }
    const marked = await db
      .selectFrom('attendance')
      .select('op_status')
      .where('student_id', '=', other)
      .where('period_id', '=', course_periods_id)
      .execute();
    expect(marked).toEqual([{ op_status: 0 }]);
    school().setNow(start_play + 2 * day);
    await send('study', { uid: other, course_periods_id, live_seconds: 3000, replay_seconds: 60 });
    const rows = await school().database.db.selectFrom('study_record').selectAll().execute();
    expect(rows.map(({ live_seconds, replay_seconds }) => [live_seconds, replay_seconds])).toEqual([[600, 60]]);
    expect((await send('study', { uid: 999_999, course_periods_id })).status).toBe(404);
    expect((await send('study', { uid, course_periods_id: 999_999 })).status).toBe(404);
    for (const wrong of [{ live_seconds: -1 }, { live_seconds: 1.5 }, { replay_seconds: 1e9 }, { uid: 'x' }]) {
      expect((await send('study', { uid, course_periods_id, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    }
  });

  it("are refused without an application's token", async () => {
    for (const path of ['leave', 'study']) {
      for (const token of ['', 'app_no-such-token-at-all', school().people.assist.token]) {
        expect((await send(path, cell, token)).status).toBe(401);
      }
    }
  });
});
