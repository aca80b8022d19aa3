/** Enrolment: adding and removing members, the confirmations, and the consequences. */
import { describe, expect, it } from 'vitest';
import { recountHomework } from '#server/homework/assign.ts';
import { administratorOf } from '../support/administrators.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('class enrolment', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  let count = 0;

  /** Creates a class with these courses. */
  const theClass = async (courses: number[] = [], more: object = {}) => {
    count += 1;
    const schools = await db().selectFrom('school').select('id').orderBy('id').execute();
    const { id } = await db()
      .insertInto('class')
      .values({ name: `新班${count}`, school_id: schools[0]?.id as number, created_at: noon, ...more } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    if (courses.length > 0) {
      await db()
        .insertInto('class_course')
        .values(courses.map((course_id) => ({ class_id: id, course_id })))
        .execute();
    }
    return id;
  };
  const student = async (more: object = {}) => {
    count += 1;
    const schools = await db().selectFrom('school').select('id').orderBy('id').execute();
    const { id } = await db()
      .insertInto('student')
      .values({ nickname: `学员${count}`, school_id: schools[0]?.id as number, created_at: noon, ...more } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const nameOf = async (id: number) =>
    (await db().selectFrom('student').select('nickname').where('id', '=', id).executeTakeFirstOrThrow()).nickname;
  const classNameOf = async (id: number) =>
    (await db().selectFrom('class').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name;
  const membersOf = async (id: number, query = '') => (await admin().get(`classes/${id}/members${query}`)).body.data;
  const historyOf = async (membership: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', 'class_student')
      .where('record_id', '=', membership)
      .orderBy('id')
      .execute();
    return rows.map((row) => [row.action, JSON.parse(row.before ?? 'null'), JSON.parse(row.after ?? 'null')]);
  };
  const countsOf = (homeworkId: number) =>
    db()
      .selectFrom('homework')
      .select(['homework_count', 'submitted_homework_count', 'not_revised_homework_count'])
      .where('id', '=', homeworkId)
      .executeTakeFirstOrThrow();

  describe('joining a class', () => {
    it('adds several students at once, each with a history row', async () => {
      const id = await theClass();
      const [one, two] = [await student(), await student()];
      const answer = await admin().post(`classes/${id}/members`, { ids: [one, two] });
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      expect(answer.body.data).toEqual({ joined: 2, returned: 0, already: 0, homework: 0, brought: 0 });
      const { list, total } = await membersOf(id);
      expect(total).toBe(2);
      expect(list[0]).toMatchObject({
        student_id: one,
        joined_at: noon,
        left_at: null,
        left_reason: '',
        is_disabled: 0,
      });
      expect(await historyOf(list[0].id)).toEqual([
        ['join', null, { class_id: id, student_id: one, joined_at: noon, left_at: null }],
      ]);
      expect((await admin().get(`classes/${id}/membership`)).body.data).toMatchObject({
        id,
        present: 2,
        left: 0,
        is_running: 1,
        open_homework: 0,
      });
    });

    it('skips students already enrolled, and is refused if all are', async () => {
      const id = await theClass();
      const [one, two] = [await student(), await student()];
      await admin().post(`classes/${id}/members`, { ids: [one] });
      const again = await admin().post(`classes/${id}/members`, { ids: [one, two] });
      expect(again.body.data).toEqual({ joined: 1, returned: 0, already: 1, homework: 0, brought: 0 });
      expect(outcomeOf(await admin().post(`classes/${id}/members`, { ids: [one, two] }))).toEqual([
        409,
        '所选学员都已在班级中',
      ]);
      expect((await membersOf(id)).total).toBe(2);
    });

    it('is refused for nobody, too many students, or an ended class', async () => {
      const id = await theClass();
      expect(errorsOf(await admin().post(`classes/${id}/members`, {}))).toEqual([422, { ids: ['请选择学员'] }]);
      const many = Array.from({ length: 501 }, (_, at) => at + 1);
      expect(errorsOf(await admin().post(`classes/${id}/members`, { ids: many }))).toEqual([
        422,
        { ids: ['一次最多选择500名学员'] },
      ]);
      const over = await theClass([], { valid_type: 2, valid_time: noon - 1 });
      expect(outcomeOf(await admin().post(`classes/${over}/members`, { ids: [await student()] }))).toEqual([
        409,
        '班级已结束，不能添加学员',
      ]);
      const team = await theClass([], { class_type: 3 });
      await db()
        .insertInto('team_class')
        .values({ class_id: team, start_time: noon - day, ended_at: noon } as never)
        .execute();
      expect(outcomeOf(await admin().post(`classes/${team}/members`, { ids: [await student()] }))).toEqual([
        409,
        '班级已结束，不能添加学员',
      ]);
    });

    it('refuses disabled students, and a second student in a one-to-one class', async () => {
      const disabled = await student({ disabled_at: noon });
      const id = await theClass();
      expect(outcomeOf(await admin().post(`classes/${id}/members`, { ids: [disabled, await student()] }))).toEqual([
        409,
        `${await nameOf(disabled)}已停用，请先恢复`,
      ]);
      const alone = await theClass([], { class_type: 1 });
      expect((await admin().post(`classes/${alone}/members`, { ids: [await student()] })).status).toBe(200);
      expect(outcomeOf(await admin().post(`classes/${alone}/members`, { ids: [await student()] }))).toEqual([
        409,
        '一对一班级只能有一名学员',
      ]);
    });

    it('from another class of the same course needs confirmation', async () => {
      const { shared, theirs } = school().courses;
      const [here, there] = [await theClass([shared, theirs]), await theClass([shared])];
      const one = await student();
      await admin().post(`classes/${there}/members`, { ids: [one] });
      const foreseen = (await admin().get(`classes/${here}/members/joining?ids=${one}`)).body.data;
      const effect = `${await nameOf(one)}已在${await classNameOf(there)}学习“高一数学”`;
      expect(foreseen).toEqual({
        students: [{ id: one, name: await nameOf(one) }],
        effect,
        open_homework: 0,
        open_reports: 0,
      });
      const told = await admin().post(`classes/${here}/members`, { ids: [one] });
      expect([told.status, told.body.msg, told.body.data]).toEqual([
        409,
        `${effect}。确认无误请再次提交。`,
        { acknowledged: effect },
      ]);
      expect((await membersOf(here)).total).toBe(0);
      expect((await admin().post(`classes/${here}/members`, { ids: [one], acknowledged: effect })).status).toBe(200);
    });

    it("in the past takes effect from that day's first second, for homework too", async () => {
      const id = await theClass([school().courses.shared]);
      const homework = await school().addHomework({ creator: 'teacher', classes: [id] });
      const over = await school().addHomework({ creator: 'teacher', classes: [id], ending: noon - 1 });
      const one = await student();
      const members = `classes/${id}/members`;
      expect(errorsOf(await admin().post(members, { ids: [one], day: '2199-01-01' }))).toEqual([
        422,
        { day: ['加入日期不能晚于今天'] },
      ]);
      expect(errorsOf(await admin().post(members, { ids: [one], day: '2026-02-30' }))).toEqual([
        422,
        { day: ['日期请写成 2026-05-01 的形式'] },
      ]);
      const dayBefore = new Date((noon - 9 * day) * 1000).toISOString().slice(0, 10);
      const joined = await admin().post(members, { ids: [one], day: dayBefore, with_homework: 1 });
      expect(joined.body.data).toEqual({ joined: 1, returned: 0, already: 0, homework: 1, brought: 0 });
      expect((await membersOf(id)).list[0]).toMatchObject({ student_id: one, joined_at: noon - 9.5 * day });
      const given = await db().selectFrom('report').select('homework_id').where('student_id', '=', one).execute();
      expect(given).toEqual([{ homework_id: homework }]);
      expect(given).not.toContainEqual({ homework_id: over });
    });

    it('again is refused for a day before the last leaving', async () => {
      const id = await theClass();
      const one = await student();
      const members = `classes/${id}/members`;
      const dayOf = (days: number) => new Date((noon - days * day) * 1000).toISOString().slice(0, 10);
      await admin().post(members, { ids: [one], day: dayOf(20) });
      await admin().post(`${members}/leave`, { ids: [one], day: dayOf(10) });
      expect(errorsOf(await admin().post(members, { ids: [one], day: dayOf(10) }))).toEqual([
        422,
        { day: [`${await nameOf(one)}在该日期之后才离开班级`] },
      ]);
      expect((await admin().post(members, { ids: [one], day: dayOf(9) })).body.data).toMatchObject({ returned: 1 });
    });

    it('needs no confirmation if the other class has ended', async () => {
      const { shared } = school().courses;
      const [here, there] = [await theClass([shared]), await theClass([shared])];
      const one = await student();
      await admin().post(`classes/${there}/members`, { ids: [one] });
      await db().updateTable('class').set({ valid_type: 2, valid_time: noon }).where('id', '=', there).execute();
      expect((await admin().post(`classes/${here}/members`, { ids: [one] })).status).toBe(200);
    });

    it('assigns the open homework if requested', async () => {
      const { shared } = school().courses;
      const id = await theClass([shared]);
      const [first, late, plain] = [await student(), await student(), await student()];
      await admin().post(`classes/${id}/members`, { ids: [first] });
      const open = await school().addHomework({ creator: 'teacher', classes: [id] });
      const ended = await school().addHomework({ creator: 'teacher', classes: [id], ending: noon });
      const recalled = await school().addHomework({ creator: 'teacher', classes: [id], status: 2 });
      const other = await theClass([shared]);
      const unpublished = await school().addHomework({ creator: 'teacher', classes: [id, other], published: [other] });
      expect((await admin().get(`classes/${id}/membership`)).body.data.open_homework).toBe(1);
      const joined = await admin().post(`classes/${id}/members`, { ids: [late], with_homework: 1 });
      expect(joined.body.data).toEqual({ joined: 1, returned: 0, already: 0, homework: 1, brought: 0 });
      await admin().post(`classes/${id}/members`, { ids: [plain] });
      const given = await db().selectFrom('report').select('homework_id').where('student_id', '=', late).execute();
      expect(given).toEqual([{ homework_id: open }]);
      const none = await db().selectFrom('report').select('id').where('student_id', '=', plain).execute();
      expect(none).toEqual([]);
      expect(await countsOf(open)).toMatchObject({ homework_count: 2, submitted_homework_count: 0 });
      for (const homeworkId of [open, ended, recalled, unpublished]) {
        const before = await countsOf(homeworkId);
        await recountHomework(db(), homeworkId);
        expect(await countsOf(homeworkId)).toEqual(before);
      }
      const history = await db()
        .selectFrom('history')
        .select('after')
        .where('record', '=', 'homework')
        .where('record_id', '=', open)
        .where('action', '=', 'join')
        .execute();
      expect(history.map(({ after }) => JSON.parse(after ?? ''))).toEqual([{ class_id: id, student_ids: [late] }]);
    });

    it('keeps the grades of another class', async () => {
      const { shared } = school().courses;
      const [here, there] = [await theClass([shared]), await theClass([shared])];
      const one = await student();
      await admin().post(`classes/${there}/members`, { ids: [one] });
      const homework = await school().addHomework({ creator: 'teacher', classes: [here, there] });
      await school().submit(homework, one, false);
      await admin().post(`classes/${there}/members/leave`, { ids: [one] });
      await admin().post(`classes/${here}/members`, { ids: [one], with_homework: 1 });
      const reports = await db()
        .selectFrom('report')
        .select(['class_id', 'status'])
        .where('student_id', '=', one)
        .execute();
      expect(reports).toEqual([{ class_id: there, status: 3 }]);
      expect(await countsOf(homework)).toMatchObject({ homework_count: 1, submitted_homework_count: 1 });
    });
  });

  describe('leaving a class', () => {
    it('needs confirmation of the unfinished work', async () => {
      const { shared } = school().courses;
      const id = await theClass([shared]);
      const [one, two] = [await student(), await student()];
      await admin().post(`classes/${id}/members`, { ids: [one, two] });
      const homework = await school().addHomework({ creator: 'teacher', classes: [id] });
      await school().addHomework({ creator: 'teacher', classes: [id], ending: noon });
      await db()
        .insertInto('attendance')
        .values({
          class_id: id,
          student_id: one,
          period_id: school().periods.mine,
          op_status: 1,
          requested_at: noon,
          requested_by: null,
          decided_at: null,
          decided_by: null,
          changed_at: noon,
        })
        .execute();
      const effect = `2名学员离开${await classNameOf(id)}：1个未完成作业，1条待审批请假`;
      const foreseen = (await admin().get(`classes/${id}/members/leaving?ids=${one},${two}`)).body.data;
      expect(foreseen).toMatchObject({ effect, students: [{ id: one }, { id: two }] });
      const told = await admin().post(`classes/${id}/members/leave`, { ids: [one, two] });
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: effect }]);
      const left = await admin().post(`classes/${id}/members/leave`, {
        ids: [one, two],
        reason: ' 转学 ',
        acknowledged: effect,
      });
      expect(outcomeOf(left)).toEqual([200, '已离开班级']);
      expect(left.body.data).toEqual({ left: 2 });
      const { list, total } = await membersOf(id, '?status=2');
      expect(total).toBe(2);
      expect(list[0]).toMatchObject({ student_id: one, left_at: noon, left_reason: '转学' });
      expect((await historyOf(list[0].id)).at(-1)).toEqual([
        'leave',
        { class_id: id, student_id: one, left_at: null },
        { class_id: id, student_id: one, left_at: noon, left_reason: '转学' },
      ]);
      // Published homework keeps its expected students.
      expect(await countsOf(homework)).toMatchObject({ homework_count: 2 });
      expect(outcomeOf(await admin().post(`classes/${id}/members/leave`, { ids: [one] }))).toEqual([
        409,
        '所选学员都已不在班级中',
      ]);
    });

    it('may be in the past, but not before joining or in the future', async () => {
      const id = await theClass();
      const one = await student();
      await admin().post(`classes/${id}/members`, { ids: [one] });
      await db()
        .updateTable('class_student')
        .set({ joined_at: noon - 5 * day })
        .where('class_id', '=', id)
        .execute();
      const leaving = (day: string, reason = '') =>
        admin().post(`classes/${id}/members/leave`, { ids: [one], day, reason });
      expect(errorsOf(await leaving('2026-11-21'))).toEqual([422, { day: ['离开日期不能晚于今天'] }]);
      expect(errorsOf(await leaving('2026-11-14'))).toEqual([
        422,
        { day: [`${await nameOf(one)}在该日期之后才加入班级`] },
      ]);
      expect(errorsOf(await leaving('2026-11-18', '长'.repeat(101)))).toEqual([
        422,
        { reason: ['离开原因不能超过100个字'] },
      ]);
      expect((await leaving('2026-11-18')).status).toBe(200);
      // A student who leaves is a member until the end of the day in the school's time zone.
      expect((await membersOf(id)).list[0].left_at).toBe(noon - day - day / 2);
    });

    it('keeps the former membership when the student returns', async () => {
      const id = await theClass();
      const one = await student();
      await admin().post(`classes/${id}/members`, { ids: [one] });
      await admin().post(`classes/${id}/members/leave`, { ids: [one], reason: '休学' });
      school().setNow(noon + 3600);
      const back = await admin().post(`classes/${id}/members`, { ids: [one] });
      expect(back.body.data).toEqual({ joined: 0, returned: 1, already: 0, homework: 0, brought: 0 });
      const { list } = await membersOf(id);
      expect(list).toMatchObject([{ joined_at: noon + 3600, left_at: null, left_reason: '' }]);
      const earlier = await db().selectFrom('class_earlier_stay').selectAll().where('class_id', '=', id).execute();
      expect(earlier).toEqual([{ class_id: id, student_id: one, joined_at: noon, left_at: noon, left_reason: '休学' }]);
      expect((await historyOf(list[0].id)).map(([action]) => action)).toEqual(['join', 'leave', 'return']);
    });
  });

  it('finds members by name, pinyin, number and mobile', async () => {
    const id = await theClass();
    const ids = [
      await student({ nickname: '单小明', number: 'S-001', mobile: '13900000001' }),
      await student({ nickname: '王小红', number: 'S-002', guardian_mobile: '13900000002' }),
    ];
    await admin().post(`classes/${id}/members`, { ids });
    const findIds = async (name: string) =>
      (await membersOf(id, `?name=${encodeURIComponent(name)}`)).list.map(
        (row: { student_id: number }) => row.student_id,
      );
    expect(await findIds('小明')).toEqual([ids[0]]);
    expect(await findIds('shanxm')).toEqual([ids[0]]);
    expect(await findIds('wxh')).toEqual([ids[1]]);
    expect(await findIds('s-002')).toEqual([ids[1]]);
    expect(await findIds('0000001')).toEqual([ids[0]]);
    expect(await findIds('13900000002')).toEqual([ids[1]]);
    expect(await findIds('%')).toEqual([]);
  });

  it("offers students of the administrator's schools alone", async () => {
    const here = await theClass();
    const mine = await student();
    const there = await administratorOf(school(), { can_people: 1 });
    const theirs = await student({ school_id: there.schoolId });
    const id = await theClass([], { school_id: there.schoolId });
    for (const path of ['members', 'membership', `members/joining?ids=${theirs}`, `members/leaving?ids=${theirs}`]) {
      expect(outcomeOf(await there.ask('GET', `classes/${here}/${path}`))).toEqual([404, '班级不存在']);
    }
    expect(outcomeOf(await there.ask('POST', `classes/${here}/members`, { ids: [theirs] }))).toEqual([
      404,
      '班级不存在',
    ]);
    expect(outcomeOf(await there.ask('POST', `classes/${here}/members/leave`, { ids: [theirs] }))).toEqual([
      404,
      '班级不存在',
    ]);
    expect(outcomeOf(await there.ask('POST', `classes/${id}/members`, { ids: [theirs, mine] }))).toEqual([
      404,
      '学员不存在',
    ]);
    expect((await there.ask('POST', `classes/${id}/members`, { ids: [theirs] })).status).toBe(200);
    // An administrator of both schools may enrol across them, with confirmation.
    const told = await admin().post(`classes/${id}/members`, { ids: [mine] });
    expect([told.status, told.body.data]).toEqual([409, { acknowledged: `${await nameOf(mine)}属于总校` }]);
    const without = await administratorOf(school(), { can_teaching: 1 });
    expect(outcomeOf(await without.ask('GET', `classes/${id}/members`))).toEqual([403, '您没有管理人员的权限']);
  });
});
