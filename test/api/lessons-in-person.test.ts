/** Face-to-face lessons: attendance is unknown before the roll call. */
import { beforeEach, describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, outcomeOf } from '../support/school.ts';
import { addLesson, addTeam, hour, type TestTeam } from '../support/team-lessons.ts';

const minute = 60;

onBothEngines('face-to-face lesson', (school) => {
  let team: TestTeam;
  let lesson: number;
  const start = noon + 4 * hour;
  const end = start + 1.5 * hour;

  beforeEach(async () => {
    team = await addTeam(school(), { name: '书法团课' });
    lesson = await addLesson(school(), { team, start, mode: 2 });
  });

  const as = (who: 'assist' | 'teacher' | 'otherAssist' = 'assist') => school().as(who);
  const set = (clue_id: number | undefined, type: number, remark = '') => {
    const query = { class_id: String(team.id), times_id: String(lesson), clue_id: String(clue_id), type: String(type) };
    return as().post(`teamClass/classTime/student/setAttendance?${new URLSearchParams({ ...query, remark })}`);
  };
  const detail = async () => {
    const { data } = (await as('teacher').get(`teacherSchedule/detailClassTime/${lesson}`)).body;
    return [data.should_arrive, data.arrived, data.leave, data.truants, data.uncalled];
  };
  const statuses = async () => {
    const { list } = (await as('teacher').get(`teacherSchedule/getClassTimeStudent/${lesson}`)).body.data;
    return list.map(({ status }: { status: number | null }) => status);
  };
  const grid = async () => {
    const rows = (await as().get(`teamClass/classTime/student/classAttendance/${team.id}`)).body.data;
    return rows.map((row: { attendance: Record<string, { attendance: number }> }) =>
      Object.values(row.attendance).map(({ attendance }) => attendance),
    );
  };
  const roll = async () => (await as().get(`teamClass/classTime/rollcall/${lesson}`)).body.data;
  const call = (marks: { clue_id: number | undefined; from: number | null; to: number | null }[]) =>
    as().post(`teamClass/classTime/rollcall/${lesson}`, { remark: '', marks });
  const undo = (id: number) => as().post(`teamClass/classTime/rollcall/undo/${id}`);

  it('has no absences before its roll call, even after its end, and counts students as not called', async () => {
    for (const [now, uncalled] of [
      [start - 1, 0],
      [start, 3],
      [end + hour, 3],
    ] as const) {
      school().setNow(now);
      expect(await statuses()).toEqual([null, null, null]);
      expect(await detail()).toEqual([3, 0, 0, 0, uncalled]);
      expect(await grid()).toEqual([[null], [null], [null]]);
    }
    const { list } = (await as().get(`teamClass/classTime/list/${team.id}`)).body.data;
    expect(list).toMatchObject([{ should_arrive: 3, arrived: 0, leave: 0, truants: 0, uncalled: 3, teaching_mode: 2 }]);
    const of = (await school().as('admin').get(`students/${team.students[0]}/attendance`)).body.data.list;
    expect(of.find(({ id, kind }: { id: number; kind: string }) => kind === 'session' && id === lesson)).toMatchObject({
      state: '未点名',
      attended: 0,
    });
  });

  it('marks unmarked students absent as soon as one is marked', async () => {
    const [one, two, three] = team.students;
    school().setNow(start - 1);
    expect((await set(two, 1)).status).toBe(200);
    school().setNow(start);
    // Leave does not count as a roll call.
    expect(await statuses()).toEqual([null, 2, null]);
    expect(await detail()).toEqual([3, 0, 1, 0, 2]);
    expect((await set(one, 4)).status).toBe(200);
    expect(await statuses()).toEqual([1, 2, 3]);
    expect(await detail()).toEqual([3, 1, 1, 1, 0]);
    expect(await grid()).toEqual([[1], [2], [3]]);
    // The third student has no row, and may still become present without a reason.
    const noted = () =>
      school()
        .database.db.selectFrom('session_student')
        .select('status')
        .where('session_id', '=', lesson)
        .where('student_id', '=', three as number)
        .executeTakeFirst();
    expect((await noted())?.status ?? null).toBe(null);
    expect((await set(three, 4)).status).toBe(200);
    school().setNow(end + hour);
    expect(await detail()).toEqual([3, 2, 1, 0, 0]);
  });

  it('stores an absence as a mark; withdrawn leave is no roll call', async () => {
    const [one, two] = team.students;
    school().setNow(start);
    expect((await set(two, 1)).status).toBe(200);
    expect((await set(two, 2)).status).toBe(200);
    expect(await statuses()).toEqual([null, null, null]);
    expect((await set(one, 3)).status).toBe(200);
    expect(await statuses()).toEqual([3, 3, 3]);
    expect((await set(one, 4)).status).toBe(200);
    expect((await set(one, 3)).status).toBe(200);
    expect(await statuses()).toEqual([3, 3, 3]);
    expect((await set(one, 1)).status).toBe(200);
    // The only status has become leave, so the roll counts as not called again.
    expect(await statuses()).toEqual([2, null, null]);
  });

  it('refuses a mark before its start, like the roll call', async () => {
    const [one] = team.students;
    school().setNow(start - 1);
    expect(outcomeOf(await set(one, 4))).toEqual([409, '课次未上课，该学员当前为“未点名”，不能手动出勤']);
    expect(outcomeOf(await set(one, 3))).toEqual([409, '课次未上课，该学员当前为“未点名”，不能标记旷课']);
    expect(await statuses()).toEqual([null, null, null]);
  });

  describe('roll call', () => {
    it('is saved at once from the start on, and undone', async () => {
      const [one, two, three] = team.students;
      const marks = [
        { clue_id: one, from: null, to: 1 },
        { clue_id: two, from: null, to: 3 },
        { clue_id: three, from: null, to: 2 },
      ];
      school().setNow(start - 1);
      expect((await call(marks)).status).toBe(409);
      school().setNow(start);
      expect(await roll()).toMatchObject({ teaching_mode: 2, called: 0, status: 3 });
      const called = await call(marks);
      expect(outcomeOf(called)).toEqual([200, '点名已保存']);
      expect(await statuses()).toEqual([1, 3, 2]);
      expect((await roll()).called).toBe(1);
      expect((await undo(called.body.data.roll_id)).status).toBe(200);
      expect(await statuses()).toEqual([null, null, null]);
    });

    it("accepts an absence that follows from another student's mark", async () => {
      const [one, two, three] = team.students;
      school().setNow(start);
      expect((await set(one, 4)).status).toBe(200);
      expect(await statuses()).toEqual([1, 3, 3]);
      const late = await call([
        { clue_id: two, from: null, to: 1 },
        { clue_id: three, from: null, to: 3 },
      ]);
      expect(late.status).toBe(200);
      expect(await statuses()).toEqual([1, 1, 3]);
      expect((await call([{ clue_id: one, from: null, to: 3 }])).status).toBe(409);
    });
  });

  describe('single mark', () => {
    it('is undone within ten minutes by its author, and the roll is uncalled again', async () => {
      const [one] = team.students;
      school().setNow(start);
      await set(one, 4);
      const { undoable } = await roll();
      expect(undoable).toMatchObject({ count: 1, until: start + 10 * minute });
      expect((await as('otherAssist').post(`teamClass/classTime/rollcall/undo/${undoable.roll_id}`)).status).toBe(404);
      school().setNow(start + 10 * minute + 1);
      expect(outcomeOf(await undo(undoable.roll_id))).toEqual([409, '点名已超过十分钟，不能撤销']);
      expect((await roll()).undoable).toBe(null);
      school().setNow(start + 10 * minute);
      expect((await undo(undoable.roll_id)).status).toBe(200);
      expect(await statuses()).toEqual([null, null, null]);
      expect(await detail()).toEqual([3, 0, 0, 0, 3]);
    });

    it('cannot be undone once changed by others; in live lessons the undo works alike', async () => {
      const [one] = team.students;
      school().setNow(start);
      await set(one, 4);
      const { undoable } = await roll();
      school().setNow(start + 1);
      await set(one, 3);
      expect(outcomeOf(await undo(undoable.roll_id))).toEqual([409, '书法团课学员1的考勤已有新的操作，不能撤销']);
      lesson = await addLesson(school(), { team, start, mode: 1 });
      await set(one, 4);
      const live = await roll();
      expect(live.undoable).toMatchObject({ count: 1 });
      expect((await undo(live.undoable.roll_id)).status).toBe(200);
      expect(await statuses()).toEqual([null, null, null]);
    });
  });

  it('of a live lesson follows the clock, and its undo shows absent', async () => {
    const [one] = team.students;
    lesson = await addLesson(school(), { team, start, mode: 1 });
    school().setNow(start);
    await set(one, 4);
    expect(await statuses()).toEqual([1, null, null]);
    expect(await detail()).toEqual([3, 1, 0, 0, 0]);
    school().setNow(end);
    expect(await statuses()).toEqual([1, 3, 3]);
    expect((await call([{ clue_id: one, from: 1, to: 3 }])).status).toBe(200);
    expect(await statuses()).toEqual([3, 3, 3]);
    expect(outcomeOf(await set(one, 4))[0]).toBe(422);
  });
});
