import { beforeAll, describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon } from '../support/school.ts';
import { addLesson, addTeam, lessonTimes, type TestTeam } from '../support/team-lessons.ts';

type Attendance = 1 | 2 | 3 | null;

/**
 * The attendance table, written independently: `session record action` → result. From its start a lesson counts as held
 * with roll call; from its end, students without a record are absent.
 */
const allowed: Record<string, Attendance> = {
  '1 1 3': null,
  '1 3 1': 2,
  '1 3 4': 1,
  '1 2 2': 3,
  '1 null 1': 2,
  '1 null 4': 1,
  '2 null 1': 2,
  '2 2 2': null,
  '3 null 4': 1,
  '3 1 3': null,
  '3 3 1': 2,
  '3 3 4': 1,
  '3 2 2': 3,
};
const cells = ([1, 2, 3, 4] as const).flatMap((session) =>
  ([null, 1, 2, 3] as const).flatMap((from) => ([1, 2, 3, 4] as const).map((type) => ({ session, from, type }))),
);

onBothEngines('group classes', (school) => {
  let team: TestTeam;
  let theirs: TestTeam;
  let nobodys: TestTeam;
  const lessons = {} as Record<1 | 2 | 3 | 4, number>;
  let theirLesson: number;
  const db = () => school().database.db;
  const assist = () => school().as('assist');
  const ids = async (search = '') =>
    (await assist().get(`teamClass?limit=100${search}`)).body.data.list.map((row: { id: number }) => row.id);

  beforeAll(async () => {
    team = await addTeam(school(), { name: '数学团课' });
    theirs = await addTeam(school(), { name: '物理团课', assistant: 'otherAssist' });
    nobodys = await addTeam(school(), { name: '化学团课', assistant: null });
    lessons[1] = await addLesson(school(), { team, start: lessonTimes.held });
    lessons[2] = await addLesson(school(), { team, start: lessonTimes.coming });
    lessons[3] = await addLesson(school(), { team, start: lessonTimes.now });
    lessons[4] = await addLesson(school(), { team, start: lessonTimes.coming + day, isCancelled: true });
    theirLesson = await addLesson(school(), { team: theirs });
  });

  const set = (query: Record<string, string | number>, method: 'get' | 'post' = 'post') =>
    assist()[method](
      `teamClass/classTime/student/setAttendance?${new URLSearchParams(query as Record<string, string>)}`,
    );
  const insertStatus = async (session: number, student: number, status: Attendance) => {
    const row = { session_id: session, student_id: student, status, set_by: null, set_at: null };
    await db()
      .insertInto('session_student')
      .values({ ...row, teacher_remark_by: null, teacher_remark_at: null })
      .onConflict((conflict) => conflict.columns(['session_id', 'student_id']).doUpdateSet({ status, remark: '' }))
      .execute();
  };
  const present = async (session: number, student: number) =>
    (
      await db()
        .selectFrom('session_student')
        .select('status')
        .where('session_id', '=', session)
        .where('student_id', '=', student)
        .executeTakeFirst()
    )?.status ?? null;

  it('lists classes for their assistants, with the schools', async () => {
    const { status, body } = await assist().get('teamClass');
    expect([status, body.data.total]).toEqual([200, 1]);
    expect(body.extra.schools).toEqual([{ id: expect.any(Number), org_name: '总校' }]);
    expect(body.data.list[0]).toMatchObject({
      id: team.id,
      class_name: '数学团课',
      org_name: '总校',
      in_number: 3,
      status: 2,
      teaching_mode: 1,
      teacher_name: '姓名teacher',
      assistant_name: '姓名assist',
      sign_type_name: '按课时',
      schedule: '每周六',
    });
    expect((await school().as('teacher').get('teamClass')).status).toBe(403);
  });

  it('filters by name, status, mode and more, and ignores invalid filters', async () => {
    const ended = await addTeam(school(), { name: '结课_班', size: 0 });
    const set = { ended_at: noon - day, teaching_mode: 2 as const };
    await db().updateTable('team_class').set(set).where('class_id', '=', ended.id).execute();
    const coming = await addTeam(school(), { name: '预备班', size: 0 });
    await db()
      .updateTable('team_class')
      .set({ start_time: noon + day })
      .where('class_id', '=', coming.id)
      .execute();
    expect(await ids()).toEqual([team.id, coming.id, ended.id]);
    expect(await ids('&status=1')).toEqual([coming.id]);
    expect(await ids('&status=2')).toEqual([team.id]);
    expect(await ids('&status=3')).toEqual([ended.id]);
    expect(await ids('&teaching_mode=2')).toEqual([ended.id]);
    expect(await ids(`&class_name=${encodeURIComponent('_班')}`)).toEqual([ended.id]);
    expect(await ids('&grade_id=999')).toEqual([]);
    expect(await ids('&status=9&org_id=abc&page=-1')).toHaveLength(3);
    await db().deleteFrom('class').where('id', 'in', [ended.id, coming.id]).execute();
  });

  it.each(['teamClass/ID', 'teamClass/student/getTeamClassStudentList/ID', 'teamClass/classTime/list/ID'])(
    'answers %s for own classes, and 404 for others and state-school classes',
    async (path) => {
      const status = async (id: number | string) => (await assist().get(path.replace('ID', String(id)))).status;
      expect(await status(team.id)).toBe(200);
      for (const id of [theirs.id, nobodys.id, school().classes.k1, 'abc', 99_999]) expect(await status(id)).toBe(404);
    },
  );

  it('lists students with their contract, or without one', async () => {
    const member = await db()
      .selectFrom('class_student')
      .select('id')
      .where('student_id', '=', team.students[0] as number)
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('class_contract')
      .values({
        class_student_id: member.id,
        contracts_number: 'HT1',
        sign_type: 2,
        remaining_lessons: 7,
        periods_price: 18_050,
        lesson_minutes: 90,
        first_time: null,
      })
      .execute();
    const { data } = (await assist().get(`teamClass/student/getTeamClassStudentList/${team.id}?limit=2`)).body;
    expect([data.total, data.list.length]).toEqual([3, 2]);
    expect(data.list[0]).toMatchObject({ contracts_number: 'HT1', sign_type_name: '按期', time: 7 });
    expect(data.list[0]).toMatchObject({ periods_price: 180.5, class_time_hour: 1.5, first_time: 0 });
    expect(data.list[1]).toMatchObject({ contracts_number: '', time: 0 });
  });

  it('shows the grid: lessons in order, and a cell per expected student', async () => {
    const sessions = (await assist().get(`teamClass/classTime/list/${team.id}?limit=999999`)).body.data;
    expect(sessions.list.map((row: { id: number }) => row.id)).toEqual([
      lessons[1],
      lessons[3],
      lessons[2],
      lessons[4],
    ]);
    expect(sessions.list.map((row: { status: number }) => row.status)).toEqual([1, 3, 2, 4]);
    const late = team.students[2] as number;
    await db()
      .updateTable('class_student')
      .set({ joined_at: noon - day })
      .where('student_id', '=', late)
      .execute();
    const grid = (await assist().get(`teamClass/classTime/student/classAttendance/${team.id}`)).body.data;
    expect(grid.map((row: { clue_id: number }) => row.clue_id)).toEqual(team.students);
    const key = `${lessonTimes.held}_${lessons[1]}`;
    expect(grid[0].attendance[key]).toEqual({ status: 1, attendance: 3, remarks: '' });
    expect([Object.keys(grid[0].attendance).length, grid[2].attendance[key]]).toEqual([4, undefined]);
    // Before joining, the student is not expected.
    const answer = await set({ class_id: team.id, times_id: lessons[1], clue_id: late, type: 1 });
    expect([answer.status, answer.body.msg]).toEqual([404, '该学员不在此课次中']);
    await db()
      .updateTable('class_student')
      .set({ joined_at: noon - 90 * day })
      .where('student_id', '=', late)
      .execute();
  });

  describe('attendance in group classes', () => {
    it.each(cells)(
      'follows the table for session $session, cell $from, action $type',
      async ({ session, from, type }) => {
        const student = team.students[0] as number;
        const lesson = lessons[session];
        await insertStatus(lesson, student, from);
        const answer = await set({ class_id: team.id, times_id: lesson, clue_id: student, type, remark: '家长来电' });
        const key = `${session} ${from} ${type}`;
        if (key in allowed) {
          expect([answer.status, answer.body.msg]).toEqual([200, '操作成功']);
          expect(await present(lesson, student)).toBe(allowed[key]);
          return;
        }
        const names = { 1: '已上课', 2: '未上课', 3: '上课中', 4: '已取消' };
        const states = { null: '未标记', 1: '出勤', 2: '请假', 3: '旷课' };
        const actions = { 1: '请假', 2: '取消请假', 3: '取消出勤', 4: '手动出勤' };
        expect([answer.status, answer.body.msg]).toEqual([
          409,
          `课次${names[session]}，该学员当前为“${states[`${session === 1 && from === null ? 3 : from}`]}”，不能${actions[type]}`,
        ]);
        expect(await present(lesson, student)).toBe(from);
      },
    );

    it('requires a reason of at most 100 characters, and records who and when in the history', async () => {
      const student = team.students[1] as number;
      const query = { class_id: team.id, times_id: lessons[1], clue_id: student, type: 4 };
      await insertStatus(lessons[1], student, 3);
      const without = await set({ ...query, remark: ' ' });
      expect([without.status, without.body.errors]).toEqual([422, { remark: ['请输入出勤原因'] }]);
      const tooLong = await set({ ...query, remark: '长'.repeat(101) });
      expect([tooLong.status, tooLong.body.errors]).toEqual([422, { remark: ['原因不能超过100个字'] }]);
      expect(await present(lessons[1], student)).toBe(3);
      const reason = '长'.repeat(100);
      expect((await set({ ...query, remark: reason }, 'get')).status).toBe(200);
      const row = await db()
        .selectFrom('session_student')
        .selectAll()
        .where('session_id', '=', lessons[1])
        .where('student_id', '=', student)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 1, attend_type: 2, remark: reason, set_by: school().people.assist.id });
      const history = await db()
        .selectFrom('history')
        .selectAll()
        .where('record', '=', 'session_student')
        .where('record_id', '=', row.id)
        .execute();
      expect(history).toHaveLength(1);
      expect([history[0]?.staff_id, JSON.parse(history[0]?.before ?? ''), history[0]?.at]).toEqual([
        school().people.assist.id,
        { status: 3, remark: '' },
        noon,
      ]);
    });

    it("is refused outside the assistant's own class, its lessons and students, and for missing values", async () => {
      const student = team.students[0] as number;
      const of = (changes: object) =>
        set({ class_id: team.id, times_id: lessons[2], clue_id: student, type: 1, ...changes });
      const answers = await Promise.all([
        of({ class_id: theirs.id, times_id: theirLesson, clue_id: theirs.students[0] }),
        of({ times_id: theirLesson }),
        of({ clue_id: theirs.students[0] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      const unsaid = async (changes: object) => errorsOf(await of(changes));
      expect(await unsaid({ clue_id: '' })).toEqual([422, { clue_id: ['请选择学员'] }]);
      expect(await unsaid({ class_id: 'x', times_id: '' })).toEqual([
        422,
        { class_id: ['请选择班级'], times_id: ['请选择课次'] },
      ]);
      expect(answers[2]?.body.msg).toBe('该学员不在此课次中');
      const none = await of({ type: 5 });
      expect([none.status, none.body.msg]).toEqual([422, '请选择考勤操作']);
    });

    it('accepts JSON, where path parameters win over the body', async () => {
      const student = team.students[1] as number;
      await insertStatus(lessons[2], student, null);
      const path = 'teamClass/classTime/student/setAttendance';
      const body = { class_id: team.id, times_id: lessons[2], clue_id: student, type: 1 };
      expect((await school().as('assist').post(`${path}?times_id=999999`, body)).status).toBe(404);
      expect((await school().as('assist').post(path, body)).status).toBe(200);
      expect((await school().as('assist').post(path, body)).status).toBe(409);
    });

    it('accepts one of two simultaneous changes, and reports the other', async () => {
      const student = team.students[2] as number;
      await insertStatus(lessons[2], student, null);
      const query = { class_id: team.id, times_id: lessons[2], clue_id: student, type: 1 };
      const answers = await Promise.all([set(query), set(query), set(query)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    });
  });

  it('filters by every room in the list, including rooms of another school', async () => {
    const { db } = school().database;
    const mine = await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
    const { id: other } = await db
      .insertInto('school')
      .values({ org_name: '南校区' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const room = async (name: string, school_id: number) =>
      (await db.insertInto('room').values({ name, school_id }).returning('id').executeTakeFirstOrThrow()).id;
    const [here, there, unseen] = [
      await room('101教室', mine.id),
      await room('101教室', other),
      await room('102教室', other),
    ];
    const away = await addTeam(school(), { name: '南校区团课' });
    const hidden = await addTeam(school(), { name: '别人的团课', assistant: 'otherAssist' });
    await db.updateTable('team_class').set({ room_id: there }).where('class_id', '=', away.id).execute();
    await db.updateTable('team_class').set({ room_id: unseen }).where('class_id', '=', hidden.id).execute();
    const rooms = (await school().as('assist').get('commonFilter/room')).body.data;
    expect(rooms).toContainEqual({ id: there, name: '101教室（南校区）' });
    expect(rooms.map(({ id }: { id: number }) => id)).toContain(here);
    expect(rooms.map(({ id }: { id: number }) => id)).not.toContain(unseen);
    const found = (await school().as('assist').get(`teamClass?room_id=${there}`)).body.data.list;
    expect(found.map(({ id }: { id: number }) => id)).toEqual([away.id]);
  });

  it("lists homework by name and day, marks recalled ones, and hides other classes' homework", async () => {
    const homework = (name: string, publishTime: number, status: 1 | 2 = 1) =>
      school().addHomework({ name, creator: 'teacher', classes: [team.id], publishTime, status });
    const recalled = await homework('撤回的', noon - 3 * day, 2);
    const latest = await homework('课次作业', noon - day);
    const get = (search: string, id = team.id) =>
      assist().get(`arrangeHomework/getClassHomeWorkRecord?type=3&class_id=${id}${search}`);
    const names = async (search: string) => (await get(search)).body.data.list.map((row: { name: string }) => row.name);
    const { list } = (await get('')).body.data;
    expect(list.map((row: { hw_id: number }) => row.hw_id)).toEqual([latest, recalled]);
    expect(list[1]).toMatchObject({ hw_status: 2, submit: 0, shouldSubmit: 0, notRevise: 0, revised: 0 });
    expect(list[0]).toMatchObject({
      submit: 0,
      shouldSubmit: 3,
      notRevise: 0,
      revised: 0,
      creator_name: '姓名teacher',
    });
    expect(list[1].hw_status).toBe(2);
    expect(await names(`&hw_name=${encodeURIComponent('撤回')}`)).toEqual(['撤回的']);
    expect(await names('&start_time=2026-11-19&end_time=2026-11-19')).toEqual(['课次作业']);
    expect((await get('', theirs.id)).status).toBe(404);
    expect((await get('', school().classes.k1)).status).toBe(404);
  });
});
