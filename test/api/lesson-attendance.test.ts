import { beforeAll, beforeEach, expect, it } from 'vitest';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam, hour, type TestTeam } from '../support/team-lessons.ts';

const minute = 60;

onBothEnginesAlways('attendance of a lesson', (school) => {
  let team: TestTeam;
  let lesson: number;
  let send: (path: string, body: object, token?: string) => ReturnType<TestSchool['ask']>;
  const start = noon + 4 * hour;
  const end = start + 1.5 * hour;

  beforeAll(async () => {
    const { token: own } = await issueServiceToken(school().database.db, { name: '学员端', now: noon });
    send = (path, body, token = own) =>
      school().ask(`/api/app/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
  });
  beforeEach(async () => {
    team = await addTeam(school(), { name: '语文团课' });
    lesson = await addLesson(school(), { team, start });
  });

  const set = async (
    clue_id: number | undefined,
    type: number,
    of: { class_id?: number; times_id?: number; remark?: string } = {},
  ) => {
    const query = { class_id: team.id, times_id: lesson, clue_id, type, remark: '电话核实', ...of };
    const answer = await school()
      .as('assist')
      .post(`teamClass/classTime/student/setAttendance?${new URLSearchParams(query as never)}`);
    return answer.status;
  };
  const detail = async (of = lesson) => {
    const { data } = (await school().as('teacher').get(`teacherSchedule/detailClassTime/${of}`)).body;
    return [data.arrived, data.leave, data.truants];
  };
  const students = async (of = lesson) => {
    const { data } = (await school().as('teacher').get(`teacherSchedule/getClassTimeStudent/${of}`)).body;
    return data.list.map(({ status, attend_type }: { status: number; attend_type: number }) => [status, attend_type]);
  };
  const grid = async () => {
    const rows = (await school().as('assist').get(`teamClass/classTime/student/classAttendance/${team.id}`)).body.data;
    return rows.map((row: { attendance: Record<string, { attendance: number }> }) =>
      Object.values(row.attendance).map(({ attendance }) => attendance),
    );
  };

  it('follows the clock without writes: unmarked until the end, then absent', async () => {
    const [one, two] = team.students;
    expect(await set(two, 1)).toBe(200);
    for (const now of [start - 1, start, end - 1]) {
      school().setNow(now);
      expect(await detail()).toEqual([0, 1, 0]);
      expect(await grid()).toEqual([[null], [2], [null]]);
    }
    school().setNow(end);
    expect(await detail()).toEqual([0, 1, 2]);
    expect(await grid()).toEqual([[3], [2], [3]]);
    expect(await students()).toEqual([
      [3, 0],
      [2, 0],
      [3, 0],
    ]);
    const list = (await school().as('assist').get(`teamClass/classTime/list/${team.id}`)).body.data.list;
    expect(list).toMatchObject([{ should_arrive: 3, arrived: 0, leave: 1, truants: 2 }]);
    const noted = await school()
      .database.db.selectFrom('session_student')
      .select('status')
      .where('session_id', '=', lesson)
      .where('student_id', '<>', two as number)
      .execute();
    expect(noted.map(({ status }) => status)).toEqual([null, null]);
    // Cancelled attendance reads as absent, and can be marked again.
    expect([await set(one, 4), await set(one, 3)]).toEqual([200, 200]);
    expect(await grid()).toEqual([[3], [2], [3]]);
    expect([await set(one, 3), await set(one, 4)]).toEqual([409, 200]);
    expect(await detail()).toEqual([1, 1, 1]);
  });

  it("is called from the lesson's start, not before", async () => {
    const [one] = team.students;
    school().setNow(start - 1);
    expect(await set(one, 4)).toBe(409);
    school().setNow(start);
    expect(await set(one, 1)).toBe(409);
    expect(await set(one, 4)).toBe(200);
    expect(await students()).toEqual([
      [1, 2],
      [null, 0],
      [null, 0],
    ]);
    expect(await set(one, 3)).toBe(200);
    expect(await detail()).toEqual([0, 0, 0]);
    // Calling the roll needs no reason; contradicting an absence does.
    expect(await set(one, 4, { remark: '' })).toBe(200);
    school().setNow(end);
    expect([await set(one, 3), await set(one, 4, { remark: '' }), await set(one, 4)]).toEqual([200, 422, 200]);
  });

  it('changes a cell once for simultaneous requests, each in the history', async () => {
    const [one, two] = team.students;
    school().setNow(start);
    const many = (student: number | undefined) => Array.from({ length: 4 }, () => set(student, 4));
    expect((await Promise.all(many(one))).sort()).toEqual([200, 409, 409, 409]);
    const entering = Array.from({ length: 4 }, async () => (await send('live', { uid: two, times_id: lesson })).status);
    expect(await Promise.all(entering)).toEqual([200, 200, 200, 200]);
    expect(await detail()).toEqual([2, 0, 0]);
    school().setNow(end);
    const three = team.students[2];
    expect((await Promise.all([set(three, 1), set(three, 4)])).sort()).toEqual([200, 409]);
    const changes = await school()
      .database.db.selectFrom('history')
      .innerJoin('session_student', 'session_student.id', 'history.record_id')
      .select('history.action')
      .where('history.record', '=', 'session_student')
      .where('session_student.session_id', '=', lesson)
      .orderBy('history.id')
      .execute();
    expect(changes.map(({ action }) => action)).toEqual(['attendance', 'enter', 'attendance']);
  });

  it('lists current, then former students, each with the lessons that expected them', async () => {
    const crowd = await addTeam(school(), { name: '进进出出', size: 5 });
    const [left, gone, stays, late, last] = crowd.students as [number, number, number, number, number];
    const coming = await addLesson(school(), { team: crowd, start });
    const [held, lateStart] = [noon - 48 * hour, noon - 46.5 * hour];
    const before = await addLesson(school(), { team: crowd, start: held });
    const member = (student: number, stay: { joined_at?: number; left_at?: number }) =>
      school()
        .database.db.updateTable('class_student')
        .set(stay)
        .where('class_id', '=', crowd.id)
        .where('student_id', '=', student)
        .execute();
    await member(left, { left_at: noon - 40 * hour });
    await member(gone, { left_at: held });
    await member(late, { joined_at: lateStart });
    await member(last, { joined_at: end });
    expect(await set(stays, 1, { class_id: crowd.id, times_id: coming })).toBe(200);
    const path = `teamClass/classTime/student/classAttendance/${crowd.id}`;
    const rows = (await school().as('assist').get(path)).body.data;
    const [one, two] = [`${held}_${before}`, `${start}_${coming}`];
    expect(
      rows.map((row: { clue_id: number; valid_status: number; attendance: object }) => {
        return [row.clue_id, row.valid_status, Object.keys(row.attendance)];
      }),
    ).toEqual([
      [stays, 1, [one, two]],
      [late, 1, [two]],
      [last, 1, []],
      [left, 2, [one]],
    ]);
    expect(rows[0].attendance[two]).toEqual({ status: 2, attendance: 2, remarks: '电话核实' });
    expect((await school().as('otherAssist').get(path)).status).toBe(404);
  });

  it('of a cancelled lesson has no absences', async () => {
    const off = await addLesson(school(), { team, start, isCancelled: true });
    school().setNow(end);
    expect(await detail(off)).toEqual([0, 0, 0]);
    expect(await set(team.students[0], 4, { times_id: off })).toBe(409);
  });

  it('follows the same table in one-to-one lessons, for their assistants', async () => {
    const alone = await addTeam(school(), { name: '语文一对一', size: 1, classType: 1 });
    const own = await addLesson(school(), { team: alone, start });
    const of = { class_id: alone.id, times_id: own };
    const [student] = alone.students;
    expect([await set(student, 1, of), await set(student, 2, of)]).toEqual([200, 200]);
    school().setNow(end);
    expect(await detail(own)).toEqual([0, 0, 1]);
    expect(await set(student, 4, of)).toBe(200);
    expect(await students(own)).toEqual([[1, 2]]);
    const elsewhere = await addTeam(school(), { name: '别人的', size: 1, classType: 1, assistant: 'otherAssist' });
    const theirs = await addLesson(school(), { team: elsewhere, start });
    expect(await set(elsewhere.students[0], 4, { class_id: elsewhere.id, times_id: theirs })).toBe(404);
    // Uses the lesson of one class with the id of another class.
    expect(await set(student, 3, { class_id: team.id, times_id: own })).toBe(404);
    expect(await set(school().students.k1[0], 1, { class_id: school().classes.k1, times_id: own })).toBe(404);
    expect((await school().as('teacher').get('teamClass/classTime/student/setAttendance?type=1')).status).toBe(403);
  });

  it('is written when a learner enters the live room, from shortly before the start until the end', async () => {
    const [one, two] = team.students;
    const enter = async (uid: number | undefined, times_id = lesson) => {
      const { status, body } = await send('live', { uid, times_id });
      return [status, body.msg];
    };
    school().setNow(start - 31 * minute);
    expect(await enter(one)).toEqual([409, '该课次开始前30分钟可进入']);
    school().setNow(start - 30 * minute);
    expect(await enter(one)).toEqual([200, '操作成功']);
    school().setNow(start);
    expect(await enter(one)).toEqual([200, '操作成功']);
    expect(await students()).toEqual([
      [1, 1],
      [null, 0],
      [null, 0],
    ]);
    // Students who were on leave or removed by mistake, but are present after all.
    expect([await set(one, 3), (await enter(one))[0]]).toEqual([200, 200]);
    await school()
      .database.db.updateTable('session_student')
      .set({ status: 2, remark: '生病', set_by: school().people.assist.id, set_at: noon })
      .where('session_id', '=', lesson)
      .where('student_id', '=', two as number)
      .execute();
    expect(await enter(two)).toEqual([200, '操作成功']);
    expect(await detail()).toEqual([2, 0, 0]);
    school().setNow(end);
    expect(await enter(team.students[2])).toEqual([409, '该课次已结束']);
    expect(await detail()).toEqual([2, 0, 1]);

    const inPerson = await addLesson(school(), { team, start: end, mode: 2 });
    const off = await addLesson(school(), { team, start: end, isCancelled: true });
    expect(await enter(one, inPerson)).toEqual([409, '该课次为线下授课，没有直播间']);
    expect(await enter(one, off)).toEqual([409, '该课次已取消']);
    expect(await enter(school().students.k1[0])).toEqual([404, '课次不存在']);
    expect(await enter(one, 999_999)).toEqual([404, '课次不存在']);
    expect((await enter(undefined))[0]).toBe(422);
    expect((await send('live', { uid: one, times_id: lesson }, school().people.assist.token)).status).toBe(401);
  });

  it('is written by live watching reports until shortly after the end, not by playback', async () => {
    const [one, two, three] = team.students;
    const watch = async (uid: number | undefined, seconds: object) => {
      const { status, body } = await send('study', { uid, times_id: lesson, ...seconds });
      return [status, body.msg];
    };
    expect(await watch(one, { live_seconds: 60 })).toEqual([409, '该课次开始前30分钟可进入']);
    school().setNow(start + minute);
    expect(await watch(one, { live_seconds: 60 })).toEqual([200, '保存成功']);
    expect(await detail()).toEqual([1, 0, 0]);
    // Staff marked an absence: later reports do not change it, but a manual mark does.
    expect(await set(one, 3)).toBe(200);
    expect(await watch(one, { live_seconds: 120 })).toEqual([200, '保存成功']);
    expect(await detail()).toEqual([0, 0, 0]);
    expect(await set(one, 4)).toBe(200);
    expect(await watch(one, { live_seconds: 180 })).toEqual([200, '保存成功']);
    school().setNow(end + 5 * minute);
    expect(await watch(two, { live_seconds: 600 })).toEqual([200, '保存成功']);
    school().setNow(end + hour);
    expect(await watch(three, { live_seconds: 600 })).toEqual([200, '保存成功']);
    expect(await watch(three, { replay_seconds: 600 })).toEqual([200, '保存成功']);
    expect(await students()).toEqual([
      [1, 2],
      [1, 1],
      [3, 0],
    ]);
    expect((await send('study', { uid: one, live_seconds: 1 })).status).toBe(422);
    expect(await watch(school().students.k1[0], { live_seconds: 1 })).toEqual([404, '课次不存在']);
  });

  it('records entries and cancellations in the history', async () => {
    const [one] = team.students;
    school().setNow(start);
    await send('live', { uid: one, times_id: lesson });
    await send('live', { uid: one, times_id: lesson });
    await set(one, 3);
    const history = await school()
      .database.db.selectFrom('history')
      .innerJoin('session_student', 'session_student.id', 'history.record_id')
      .select(['history.action', 'history.staff_id', 'history.before', 'history.after'])
      .where('history.record', '=', 'session_student')
      .where('session_student.session_id', '=', lesson)
      .orderBy('history.id')
      .execute();
    expect(history.map(({ action, staff_id }) => [action, staff_id])).toEqual([
      ['enter', null],
      ['attendance', school().people.assist.id],
    ]);
    expect(JSON.parse(history[1]?.before ?? '')).toMatchObject({ status: 1 });
    expect(JSON.parse(history[1]?.after ?? '')).toMatchObject({ status: null });
  });

  it("by the learners' application is in the API document", async () => {
    const { paths } = (await school().ask('/api/openapi.json')).body as never as {
      paths: Record<string, { post?: { requestBody?: unknown } }>;
    };
    for (const path of ['live', 'study', 'leave', 'meeting/join']) {
      expect(paths[`/api/app/${path}`]?.post?.requestBody, path).toBeDefined();
    }
    expect(JSON.stringify(paths['/api/app/live'])).toContain('times_id');
  });
});
