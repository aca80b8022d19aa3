import { beforeAll, expect, it } from 'vitest';
import { addLessons } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';
import { addLesson, addTeam, lessonTimes, type TestTeam } from '../support/team-lessons.ts';

const minute = 60;

onBothEngines('roll call of a period', (school) => {
  let course: number;
  let periodId: number;
  let coming: number;
  const k1 = () => school().classes.k1;
  const uids = () => school().students.k1;
  const as = (who: 'assist' | 'teacher' | 'otherAssist' = 'assist') => school().as(who);
  const roll = async (who: 'assist' | 'teacher' = 'assist', period = periodId) =>
    (await as(who).get(`attendance/rollcall/${period}?class_id=${k1()}`)).body.data;
  const listStates = async () =>
    (await roll()).students.map((student: { op_status: number }) => student.op_status).slice(0, 3);
  const save = (marks: object[], who: 'assist' | 'teacher' | 'otherAssist' = 'assist', period = periodId) =>
    as(who).post(`attendance/rollcall/${period}`, { class_id: k1(), marks });
  const single = (uid: number, op_status: number) =>
    as('teacher').post('attendance', {
      uid,
      class_id: k1(),
      course_id: course,
      course_periods_id: periodId,
      op_status,
    });

  beforeAll(async () => {
    const { db } = school().database;
    await db
      .updateTable('class_student')
      .set({ joined_at: noon - 30 * day })
      .where('class_id', '=', k1())
      .execute();
    const lessons = await addLessons(school(), { type: 7, classes: [k1()], starts: [noon - day, noon + day] });
    course = lessons.course;
    [periodId, coming] = lessons.periods as [number, number];
  });

  it('lists all members with their state', async () => {
    const { students, classes, class_id, undoable } = await roll('teacher');
    expect(students.map(({ uid }: { uid: number }) => uid)).toEqual(uids());
    expect(students[0]).toMatchObject({ op_status: -1, is_recorded: 0 });
    expect([class_id, classes.some(({ id }: { id: number }) => id === k1()), undoable]).toEqual([k1(), true, null]);
    expect((await roll('assist', coming)).students[0]).toMatchObject({ op_status: -1 });
  });

  it('saves at once like single marks, and undoes as one', async () => {
    const [one, two, three] = uids() as [number, number, number];
    const saved = await save([
      { uid: one, from: -1, to: 0 },
      { uid: two, from: -1, to: 0 },
      { uid: three, from: -1, to: 1 },
    ]);
    expect([saved.status, saved.body.msg, saved.body.data.count]).toEqual([200, '点名已保存', 3]);
    expect(await listStates()).toEqual([0, 0, 1]);
    const { undoable } = await roll();
    expect(undoable).toEqual({ roll_id: saved.body.data.roll_id, count: 3, until: noon + 10 * minute });
    const { db } = school().database;
    const written = await db
      .selectFrom('history')
      .select(['action', 'after'])
      .where('record', '=', 'attendance')
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(written.map(({ action }) => action).toReversed()).toEqual(['attend', 'attend', 'request']);

    // Only the person who called the roll can undo it, and only once.
    expect((await as('teacher').post(`attendance/rollcall/undo/${undoable.roll_id}`)).status).toBe(404);
    const undone = await as().post(`attendance/rollcall/undo/${undoable.roll_id}`);
    expect([undone.status, undone.body.msg]).toEqual([200, '已撤销，考勤恢复为点名前']);
    expect(await listStates()).toEqual([-1, -1, -1]);
    const again = await as().post(`attendance/rollcall/undo/${undoable.roll_id}`);
    expect([again.status, again.body.msg]).toEqual([409, '已撤销，不能重复撤销']);
    expect((await roll()).undoable).toBeNull();
  });

  it("saves nothing if another person's mark came between, and names the students", async () => {
    const [one, two, three] = uids() as [number, number, number];
    await single(two, 0);
    const refused = await save([
      { uid: one, from: 5, to: 0 },
      { uid: two, from: 5, to: 1 },
    ]);
    expect([refused.status, refused.body.msg]).toEqual([
      409,
      '有人同时修改了考勤，本次未保存：学生一班2现为“出勤”，请核对后再保存',
    ]);
    expect(refused.body.data.changed).toMatchObject([{ uid: two, op_status: 0 }]);
    expect(await listStates()).toEqual([5, 0, 5]);
    // An equal mark counts as done.
    const saved = await save([
      { uid: two, from: 5, to: 0 },
      { uid: three, from: 5, to: 0 },
    ]);
    expect([saved.status, saved.body.data.count]).toEqual([200, 1]);
    expect((await save([{ uid: two, from: 5, to: 0 }])).body.data).toBeNull();

    // The undo leaves a status that was changed later.
    await single(three, 5);
    expect((await roll()).undoable).toBeNull();
    const undone = await as().post(`attendance/rollcall/undo/${saved.body.data.roll_id}`);
    expect([undone.status, undone.body.msg]).toEqual([409, '学生一班3的考勤已有新的操作，不能撤销']);
    await single(two, 5);
  });

  it('is undone within ten minutes', async () => {
    const [one] = uids() as [number];
    const { body } = await save([{ uid: one, from: 5, to: 0 }]);
    school().setNow(noon + 10 * minute + 1);
    expect((await roll()).undoable).toBeNull();
    const late = await as().post(`attendance/rollcall/undo/${body.data.roll_id}`);
    expect([late.status, late.body.msg]).toEqual([409, '点名已超过十分钟，不能撤销']);
    await single(one, 5);
  });

  it('refuses forbidden marks and unlisted students', async () => {
    const [one] = uids() as [number];
    const early = await save([{ uid: one, from: -1, to: 0 }], 'assist', coming);
    expect([early.status, early.body.msg]).toEqual([409, '学生一班1当前状态为“未点名”，不能改为“出勤”']);
    expect((await save([])).status).toBe(422);
    expect((await save([{ uid: school().students.k3[0], from: 5, to: 0 }])).status).toBe(404);
    expect((await save([{ uid: one, from: 5, to: 0 }], 'otherAssist')).status).toBe(404);
    expect((await save([{ uid: one, from: 5, to: 0 }], 'assist', 999_999)).status).toBe(404);
    const live = await addLessons(school(), { type: 2, classes: [k1()], starts: [noon - day] });
    const other = await save([{ uid: one, from: 5, to: 0 }], 'assist', live.periods[0]);
    expect([other.status, other.body.msg]).toEqual([409, '只有线下课需要点名，直播课按观看记录计出勤']);
  });

  it('counts once when repeated', async () => {
    const [one] = uids() as [number];
    const send = () =>
      as().post(
        `attendance/rollcall/${periodId}`,
        { class_id: k1(), marks: [{ uid: one, from: 5, to: 0 }] },
        { 'Idempotency-Key': 'roll-call-once' },
      );
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body.data]).toEqual([200, first.body.data]);
    await single(one, 5);
  });
});

onBothEngines('roll call of a lesson', (school) => {
  let team: TestTeam;
  let theirs: TestTeam;
  let now: number;
  let held: number;
  let foreign: number;
  const as = (who: 'assist' | 'teacher' = 'assist') => school().as(who);
  const roll = async (id: number) => (await as().get(`teamClass/classTime/rollcall/${id}`)).body.data;
  const listStatuses = async (id: number) =>
    (await roll(id)).students.map(({ status }: { status: number | null }) => status);
  const save = (id: number, marks: object[], remark = '') =>
    as().post(`teamClass/classTime/rollcall/${id}`, { marks, remark });

  beforeAll(async () => {
    team = await addTeam(school(), { name: '数学团课' });
    theirs = await addTeam(school(), { name: '物理团课', assistant: 'otherAssist' });
    now = await addLesson(school(), { team, start: lessonTimes.now });
    held = await addLesson(school(), { team, start: lessonTimes.held });
    foreign = await addLesson(school(), { team: theirs, start: lessonTimes.now });
  });

  it('marks everybody during the lesson, and undoes', async () => {
    const { students, status } = await roll(now);
    expect([status, students.map(({ clue_id }: { clue_id: number }) => clue_id)]).toEqual([3, team.students]);
    const saved = await save(
      now,
      team.students.map((clue_id) => ({ clue_id, from: null, to: 1 })),
    );
    expect([saved.status, saved.body.data.count]).toEqual([200, 3]);
    expect(await listStatuses(now)).toEqual([1, 1, 1]);
    expect((await roll(now)).undoable.roll_id).toBe(saved.body.data.roll_id);
    expect((await as().post(`teamClass/classTime/rollcall/undo/${saved.body.data.roll_id}`)).status).toBe(200);
    expect(await listStatuses(now)).toEqual([null, null, null]);
  });

  it('requires a reason against the clock', async () => {
    const [one, two] = team.students as [number, number];
    const marks = [
      { clue_id: one, from: 3, to: 1 },
      { clue_id: two, from: 3, to: 2 },
    ];
    const without = await save(held, marks);
    expect([without.status, without.body.errors]).toEqual([422, { remark: ['请输入出勤原因'] }]);
    expect(await listStatuses(held)).toEqual([3, 3, 3]);
    expect((await save(held, marks, '补签')).status).toBe(200);
    expect((await roll(held)).students).toMatchObject([
      { status: 1, remark: '补签' },
      { status: 2, remark: '' },
      { status: 3 },
    ]);
  });

  it("saves nothing if another person's mark came between", async () => {
    const [one, two] = team.students as [number, number];
    const change = { class_id: team.id, times_id: now, clue_id: one, type: 4 };
    await as().post(`teamClass/classTime/student/setAttendance?${new URLSearchParams(change as never)}`);
    // An equal mark needs nothing; a different one is refused by name.
    const refused = await save(now, [
      { clue_id: one, from: null, to: 2 },
      { clue_id: two, from: null, to: 1 },
    ]);
    expect([refused.status, refused.body.msg]).toEqual([
      409,
      '有人同时修改了考勤，本次未保存：数学团课学员1现为“出勤”，请核对后再保存',
    ]);
    expect(await listStatuses(now)).toEqual([1, null, null]);
  });

  it('belongs to its assistant; the lecturer reads it', async () => {
    const mark = [{ clue_id: theirs.students[0], from: null, to: 1 }];
    expect((await save(foreign, mark)).status).toBe(404);
    expect((await as().get(`teamClass/classTime/rollcall/${foreign}`)).status).toBe(404);
    expect((await save(now, mark)).status).toBe(404);
    const asLecturer = await as('teacher').post(`teamClass/classTime/rollcall/${now}`, { marks: mark, remark: '' });
    expect([404, 403]).toContain(asLecturer.status);
  });
});
