import { describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Answer, day, errorsOf, noon, outcomeOf } from '../support/school.ts';

type Row = { id: number; name: string };

onBothEngines('administration of classes', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  const own = async () => (await db().selectFrom('school').select('id').executeTakeFirstOrThrow()).id;
  let count = 0;
  const addClass = async (more: object = {}) => {
    count += 1;
    const body = { name: `新班${count}`, school_id: await own(), valid_type: 1, ...more };
    return (await admin().post('classes', body)).body.data.id as number;
  };
  const show = async (id: number) => (await admin().get(`classes/${id}`)).body.data;
  const writtenOf = async (id: number) => {
    const { name, grade_id, classify_id, large_class_id, valid_type, valid_day, is_circle_hidden, seen } =
      await show(id);
    return { name, grade_id, classify_id, large_class_id, valid_type, valid_day, is_circle_hidden, seen };
  };
  const historyOf = async (record: string, id: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', record)
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map((row) => [
      row.staff_id,
      row.action,
      JSON.parse(row.before ?? 'null'),
      JSON.parse(row.after ?? 'null'),
    ]);
  };
  const acknowledging = async (send: (acknowledged: string) => Promise<Answer>) => {
    const told = await send('');
    return { told, done: await send(told.body.data?.acknowledged ?? '') };
  };

  /** Creates another school with an administrator bound to it, a lecturer and an assistant. */
  const elsewhere = async () => {
    const { id } = await db()
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    count += 1;
    const person = async (identity: 'admin' | 'teacher' | 'assist') =>
      (
        await db()
          .insertInto('staff')
          .values({
            identity,
            username: `${identity}-away${count}`,
            password_hash: 'none',
            real_name: '那边',
            school_id: id,
            can_teaching: 1,
            disabled_at: null,
            created_at: noon,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const bound = await person('admin');
    const lecturer = await person('teacher');
    await db().insertInto('staff_school').values({ staff_id: bound, school_id: id }).execute();
    const token = await issueToken(db(), bound, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    return { id, lecturer, ask };
  };

  describe('a class', () => {
    it('is added with its staff and courses, which lecturer and assistant see at once', async () => {
      const { teacher, assist } = school().people;
      const body = {
        name: '  高一  实验班 ',
        school_id: await own(),
        valid_type: 2,
        valid_day: '2027-07-01',
        head_ids: [teacher.id],
        assistant_ids: [assist.id],
        course_ids: [school().courses.shared],
      };
      const answer = await admin().post('classes', body);
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      const { id } = answer.body.data;
      expect(await show(id)).toMatchObject({
        name: '高一 实验班',
        class_type: 0,
        state: 'running',
        valid_day: '2027-07-01',
        heads: [{ id: teacher.id, real_name: '姓名teacher', is_disabled: 0 }],
        assistants: [{ id: assist.id }],
        courses: [{ id: school().courses.shared, title: '高一数学', periods_count: 2 }],
        students_count: 0,
        end_effect: '',
        removal_fault: '',
      });
      for (const [who, query] of [
        ['teacher', '?only_mine=1'],
        ['teacher', ''],
        ['otherTeacher', ''],
        ['assist', ''],
      ] as const) {
        const { list } = (await school().as(who).get(`stateschoolclass${query}`)).body.data;
        expect([who, list.map((row: Row) => row.name)]).toEqual([who, expect.arrayContaining(['高一 实验班'])]);
      }
      const detail = (await school().as('teacher').get(`stateschoolclass/${id}`)).body.data;
      expect(detail).toMatchObject({ is_header_teacher: 1, courses_count: 1 });
      expect((await historyOf('class', id))[0]).toEqual([
        school().people.admin.id,
        'add',
        null,
        expect.objectContaining({ name: '高一 实验班', head_ids: [teacher.id] }),
      ]);
      const { list: changes } = (await admin().get(`classes/${id}/history`)).body.data;
      expect(changes).toMatchObject([
        { who: '姓名admin', record: 'class', action: 'add', at: noon, leads_to: { record: 'class', id } },
      ]);
      // The history shows people by their names, not their ids.
      expect(changes[0].changes).toContainEqual({ name: '班主任', before: '', after: '姓名teacher' });
      expect(changes[0].changes).toContainEqual({ name: '课程', before: '', after: '高一数学' });
    });

    it("refuses missing, too long, unknown, disabled or other schools' values", async () => {
      const school_id = await own();
      expect(errorsOf(await admin().post('classes', {}))).toEqual([
        422,
        { name: ['名称不能为空'], school_id: ['请选择学校'] },
      ]);
      const wrong = { name: '长'.repeat(250), school_id, grade_id: 999, valid_type: 2, valid_day: '2027-02-30' };
      expect(errorsOf(await admin().post('classes', wrong))).toEqual([
        422,
        { name: ['名称不能超过100个字'], valid_day: ['请选择有效期的最后一天'] },
      ]);
      const base = { name: '班', school_id };
      expect(errorsOf(await admin().post('classes', { ...base, grade_id: 999, large_class_id: 9 }))).toEqual([
        422,
        { grade_id: ['请选择年级'], large_class_id: ['请选择本校的大班'] },
      ]);
      const { assist, plainTeacher } = school().people;
      expect(outcomeOf(await admin().post('classes', { ...base, head_ids: [assist.id] }))).toEqual([404, '讲师不存在']);
      expect(outcomeOf(await admin().post('classes', { ...base, course_ids: [999] }))).toEqual([404, '课程不存在']);
      const away = await elsewhere();
      const theirs = { name: '班', school_id: away.id, head_ids: [school().people.teacher.id] };
      expect(outcomeOf(await away.ask('POST', 'classes', theirs))).toEqual([404, '讲师不存在']);
      expect(errorsOf(await away.ask('POST', 'classes', base))).toEqual([422, { school_id: ['请选择学校'] }]);
      await db().updateTable('staff').set({ disabled_at: noon }).where('id', '=', plainTeacher.id).execute();
      try {
        expect(errorsOf(await admin().post('classes', { ...base, head_ids: [plainTeacher.id] }))).toEqual([
          422,
          { head_ids: ['姓名teacher3已停用，不能选择'] },
        ]);
      } finally {
        await db().updateTable('staff').set({ disabled_at: null }).where('id', '=', plainTeacher.id).execute();
      }
    });

    it('finds classes by name, pinyin, type, course, head and state', async () => {
      const id = await addClass({ name: '飞鱼班', head_ids: [school().people.otherTeacher.id] });
      const names = async (query: string) =>
        (await admin().get(`classes?limit=100&${query}`)).body.data.list.map((row: Row) => row.name);
      expect(await names('name=飞鱼')).toEqual(['飞鱼班']);
      expect(await names('name=feiyu')).toEqual(['飞鱼班']);
      expect(await names(`head_id=${school().people.otherTeacher.id}`)).toEqual(['飞鱼班']);
      expect(await names(`course_id=${school().courses.theirs}`)).toEqual(['四班', '三班', '二班', '一班']);
      expect(await names('class_type=3')).toEqual([]);
      expect(await names('state=ended')).toEqual([]);
      await admin().post(`classes/${id}/end`, {});
      expect(await names('state=ended')).toEqual(['飞鱼班']);
      expect(await names('state=coming')).toEqual([]);
      const { list } = (await admin().get('classes?name=一班')).body.data;
      expect(list).toMatchObject([
        { students_count: 2, courses_count: 2, assistants: ['姓名assist'], state: 'running' },
      ]);
    });

    it('merges two simultaneous edits and reports a conflict with both values', async () => {
      const id = await addClass();
      const [first, second] = [await writtenOf(id), await writtenOf(id)];
      expect(outcomeOf(await admin().put(`classes/${id}`, { ...first, name: '甲班' }))).toEqual([200, '保存成功']);
      expect((await historyOf('class', id)).at(-1)).toEqual([
        school().people.admin.id,
        'edit',
        { name: first.name },
        { name: '甲班' },
      ]);
      const told = await admin().put(`classes/${id}`, { ...second, name: '乙班' });
      expect(outcomeOf(told)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：名称现在是“甲班”，您填写的是“乙班”。再次保存将以您填写的为准。',
      ]);
      const again = await admin().put(`classes/${id}`, { ...second, name: '乙班', seen: told.body.data.seen });
      expect(again.status).toBe(200);
      // A field that the form leaves unchanged keeps the value of the other editor.
      expect((await admin().put(`classes/${id}`, { ...second, is_circle_hidden: 1 })).status).toBe(200);
      expect(await show(id)).toMatchObject({ name: '乙班', is_circle_hidden: 1 });
      const before = (await historyOf('class', id)).length;
      await admin().put(`classes/${id}`, await writtenOf(id));
      expect((await historyOf('class', id)).length).toBe(before);
    });

    it('puts a class into terms and takes it out, and keeps them when they are left out', async () => {
      const termOf = async (name: string, more: object = {}) =>
        (
          await db()
            .insertInto('term')
            .values({ name, type: 'term', parent_id: null, first_day: '2026-09-01', put_away_at: null, ...more })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      const [other, one] = [await termOf('下学期', { first_day: '2027-02-20' }), await termOf('上学期')];
      const year = await termOf('学年', { type: 'schoolYear', last_day: '2027-07-20' });
      const over = await termOf('去年', { first_day: '2025-09-01', last_day: '2026-01-20' });
      const away = await termOf('停用', { put_away_at: noon });
      const { terms } = (await admin().get('classes/options')).body.data;
      expect(terms.map(({ id }: { id: number }) => id)).toEqual([year, one, other]);

      const id = await addClass({ name: '学期班', term_ids: [over, one] });
      expect((await show(id)).terms.map(({ name }: { name: string }) => name)).toEqual(['上学期', '去年']);
      await admin().put(`classes/${id}`, { ...(await writtenOf(id)), name: '学期一班' });
      expect((await show(id)).term_ids).toEqual([one, over]);

      await db().updateTable('term').set({ put_away_at: noon }).where('id', '=', over).execute();
      const stale = await writtenOf(id);
      expect((await admin().put(`classes/${id}`, { ...stale, term_ids: [over, other] })).status).toBe(200);
      expect((await historyOf('class', id)).at(-1)?.slice(2)).toEqual([
        { term_ids: [one, over] },
        { term_ids: [other, over].sort((a, b) => a - b) },
      ]);
      const conflict = await admin().put(`classes/${id}`, { ...stale, term_ids: [] });
      expect(outcomeOf(conflict)[1]).toContain('学期现在是“下学期、去年”，您填写的是“无”');
      for (const unknown of [away, 99_999])
        expect(errorsOf(await admin().put(`classes/${id}`, { ...(await writtenOf(id)), term_ids: [unknown] }))).toEqual(
          [422, { term_ids: ['所选学期中有的不存在或已停用'] }],
        );
      await admin().put(`classes/${id}`, { ...(await writtenOf(id)), term_ids: [] });
      expect((await show(id)).term_ids).toEqual([]);
    });

    it('removes a course or the head teacher once the consequences are confirmed', async () => {
      const { teacher, otherTeacher, plainTeacher } = school().people;
      const { k2 } = school().classes;
      await school().addHomework({ creator: 'teacher', classes: [k2] });
      await db()
        .insertInto('period')
        .values({
          course_id: school().courses.shared,
          title: '后天',
          lecturer_id: teacher.id,
          chapter_id: null,
          start_play: noon + 2 * day,
        })
        .execute();
      const { courses_seen: seen } = await show(k2);
      const without = { course_ids: [school().courses.theirs], seen };
      const { told, done } = await acknowledging((acknowledged) =>
        admin().put(`classes/${k2}/courses`, { ...without, acknowledged }),
      );
      expect(outcomeOf(told)).toEqual([
        409,
        '不再上《高一数学》：4名学员，1个未截止的作业，1个未上的课时，1位讲师不再看到该班级。确认无误请再次提交。',
      ]);
      expect(outcomeOf(done)).toEqual([200, '保存成功']);
      expect((await school().as('teacher').get(`stateschoolclass/${k2}`)).status).toBe(404);
      const back = { course_ids: [school().courses.theirs, school().courses.shared] };
      await acknowledging(async (acknowledged) =>
        admin().put(`classes/${k2}/courses`, { ...back, seen: (await show(k2)).courses_seen, acknowledged }),
      );
      expect((await school().as('teacher').get(`stateschoolclass/${k2}`)).status).toBe(200);

      const staffed = async (head_ids: number[], acknowledged = '') => {
        const { staff_seen, assistants } = await show(k2);
        const assistant_ids = assistants.map((one: Row) => one.id);
        return admin().put(`classes/${k2}/staff`, { head_ids, assistant_ids, seen: staff_seen, acknowledged });
      };
      expect((await staffed([plainTeacher.id])).status).toBe(200);
      expect((await school().as('plainTeacher').get('stateschoolclass?only_mine=1')).body.data.total).toBe(1);
      expect(outcomeOf(await staffed([otherTeacher.id]))).toEqual([
        409,
        expect.stringMatching(/^姓名teacher3不再是班主任，4名学员，1个未截止的作业，/),
      ]);
      const last = await staffed([]);
      expect(outcomeOf(last)).toEqual([
        409,
        expect.stringMatching(/^该班级将没有班主任，没有人能发布公告和安排班会，姓名teacher3不再是班主任，4名学员/),
      ]);
      expect((await staffed([], last.body.data.acknowledged)).status).toBe(200);
      expect((await historyOf('class', k2)).at(-1)?.[1]).toBe('staff');
    });

    it('warns that students already take a course in another class', async () => {
      const { k3 } = school().classes;
      const { id: course } = await db()
        .insertInto('course')
        .values({
          title: '高一化学',
          parent_id: null,
          school_id: await own(),
          classify_id: null,
          grade_id: null,
          subject_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const taking = async (id: number) => {
        const { courses, courses_seen } = await show(id);
        const course_ids = [...courses.map((one: Row) => one.id), course];
        return admin().put(`classes/${id}/courses`, { course_ids, seen: courses_seen });
      };
      expect((await taking(school().classes.k1)).status).toBe(200);
      expect(outcomeOf(await taking(k3))).toEqual([409, '1名学员已在其他班级上《高一化学》。确认无误请再次提交。']);
    });

    it('ends and reopens a class, and deletes it only without records', async () => {
      const { k4 } = school().classes;
      const told = await admin().post(`classes/${k4}/end`, {});
      expect([told.status, told.body.data.acknowledged]).toEqual([409, expect.stringMatching(/^6名学员/)]);
      expect((await show(k4)).end_effect).toBe(told.body.data.acknowledged);
      expect(outcomeOf(await admin().post(`classes/${k4}/end`, told.body.data))).toEqual([200, '班级已结束']);
      expect(outcomeOf(await admin().post(`classes/${k4}/end`, told.body.data))).toEqual([409, '该班级已结束']);
      const { list } = (await school().as('otherTeacher').get('stateschoolclass?name=四班')).body.data;
      expect(list).toMatchObject([{ is_processing: 0 }]);
      expect(outcomeOf(await admin().post(`classes/${k4}/reopen`))).toEqual([200, '班级已恢复']);
      expect(outcomeOf(await admin().post(`classes/${k4}/reopen`))).toEqual([409, '该班级没有结束']);
      expect(outcomeOf(await admin().delete(`classes/${k4}`))).toEqual([409, '该班级有6名学员，不能删除，可以结束']);
      const id = await addClass({ course_ids: [school().courses.shared], assistant_ids: [school().people.assist.id] });
      expect(outcomeOf(await admin().delete(`classes/${id}`))).toEqual([200, '删除成功']);
      expect((await admin().get(`classes/${id}`)).status).toBe(404);
      expect(await addClass()).toBeGreaterThan(id);
    });
  });

  describe('groups of a class', () => {
    it('have assistants of the class, and each student at most once', async () => {
      const { k1 } = school().classes;
      const course_id = school().courses.shared;
      const { assist, otherAssist } = school().people;
      const path = `classes/${k1}/groups`;
      const add = (more: object) => admin().post(path, { group_name: '一组', course_id, staff_ids: [], ...more });
      expect(errorsOf(await add({ group_name: ' ' }))).toEqual([422, { group_name: ['分组名称不能为空'] }]);
      expect(errorsOf(await add({ staff_ids: [otherAssist.id] }))).toEqual([
        422,
        { staff_ids: ['请选择该班级的助教'] },
      ]);
      expect(errorsOf(await add({ course_id: 999 }))).toEqual([422, { course_id: ['请选择该班级的课程'] }]);
      const first = (await add({ staff_ids: [assist.id] })).body.data.id;
      expect(errorsOf(await add({}))).toEqual([422, { group_name: ['该课程已有同名的分组'] }]);
      const second = (await add({ group_name: '二组' })).body.data.id;
      const [one, two, gone] = school().students.k1 as [number, number, number];
      const place = (group_id: number, student_ids: number[]) =>
        admin().post(`classes/${k1}/placements`, { course_id, group_id, student_ids });
      expect((await place(first, [one, two])).body.data).toEqual({ count: 2 });
      expect((await place(second, [two])).body.data).toEqual({ count: 1 });
      expect(outcomeOf(await place(first, [gone]))).toEqual([409, '所选学员中有人不在该班级']);
      expect(errorsOf(await place(first, []))).toEqual([422, { student_ids: ['请选择学员'] }]);
      expect((await place(999, [one])).status).toBe(404);
      const { groups, ungrouped } = (await admin().get(path)).body.data;
      expect(groups.map((group: { students: Row[] }) => group.students.map(({ id }) => id))).toEqual([[one], [two]]);
      expect(ungrouped).toEqual([{ course_id, course_title: '高一数学', students: [] }]);
      expect(outcomeOf(await admin().delete(`${path}/${first}`))).toEqual([409, '该分组有1名学员，请先移到其他分组']);
      expect((await place(0, [one])).body.data).toEqual({ count: 1 });
      expect(outcomeOf(await admin().delete(`${path}/${first}`))).toEqual([200, '删除成功']);
      const { courses, courses_seen } = await show(k1);
      const course_ids = courses.map((taken: Row) => taken.id).filter((id: number) => id !== course_id);
      expect(outcomeOf(await admin().put(`classes/${k1}/courses`, { course_ids, seen: courses_seen }))).toEqual([
        409,
        '《高一数学》在该班级有1个分组，请先删除分组',
      ]);
      const edited = { group_name: '乙组', staff_ids: [assist.id], seen: groups[1].seen };
      expect(outcomeOf(await admin().put(`${path}/${second}`, edited))).toEqual([200, '保存成功']);
      expect(outcomeOf(await admin().put(`${path}/${second}`, { ...edited, group_name: '丙组' }))).toEqual([
        409,
        expect.stringContaining('名称现在是“乙组”，您填写的是“丙组”'),
      ]);
      // The assistant's calendar links to the group's room.
      const date = '2026-11-20';
      const calendar = (await school().as('assist').get(`courseCalendar?date=${date}`)).body.data;
      expect(JSON.stringify(calendar)).toContain('乙组');
    });
  });

  it('names large classes and puts classes into them', async () => {
    const school_id = await own();
    expect(errorsOf(await admin().post('large-classes', {}))).toEqual([
      422,
      { name: ['名称不能为空'], school_id: ['请选择学校'] },
    ]);
    const { id } = (await admin().post('large-classes', { name: '高一大班', school_id })).body.data;
    const { k1 } = school().classes;
    await admin().put(`classes/${k1}`, { ...(await writtenOf(k1)), large_class_id: id });
    const { seen, classes } = (await admin().get(`large-classes/${id}`)).body.data;
    expect(classes).toEqual([{ id: k1, name: '一班' }]);
    expect((await admin().put(`large-classes/${id}`, { name: '高一理科大班', seen })).status).toBe(200);
    expect((await admin().put(`large-classes/${id}`, { name: '别的', seen })).status).toBe(409);
    expect((await admin().get('large-classes?name=理科')).body.data.total).toBe(1);
    expect((await school().as('assist').get('stateschoolclass/large/list')).body.data).toEqual([
      { id, name: '高一理科大班' },
    ]);
  });

  it('hides everything of another school', async () => {
    const away = await elsewhere();
    const { k1 } = school().classes;
    const { id: large } = (await admin().post('large-classes', { name: '甲', school_id: await own() })).body.data;
    const { id: group } = (
      await admin().post(`classes/${k1}/groups`, { group_name: '别校', course_id: school().courses.shared })
    ).body.data;
    const asked: [string, string, object?][] = [
      ['GET', `classes/${k1}`],
      ['PUT', `classes/${k1}`, { name: '甲' }],
      ['PUT', `classes/${k1}/staff`, {}],
      ['PUT', `classes/${k1}/courses`, {}],
      ['POST', `classes/${k1}/end`, {}],
      ['POST', `classes/${k1}/reopen`, {}],
      ['DELETE', `classes/${k1}`],
      ['GET', `classes/${k1}/history`],
      ['GET', `classes/${k1}/groups`],
      ['POST', `classes/${k1}/groups`, {}],
      ['PUT', `classes/${k1}/groups/${group}`, {}],
      ['DELETE', `classes/${k1}/groups/${group}`],
      ['POST', `classes/${k1}/placements`, {}],
      ['GET', `large-classes/${large}`],
      ['PUT', `large-classes/${large}`, { name: '甲' }],
      ['GET', `group-classes/${k1}`],
      ['PUT', `group-classes/${k1}`, {}],
      ['POST', `group-classes/${k1}/end`, {}],
      ['GET', `group-classes/${k1}/contracts`],
    ];
    for (const [method, path, body] of asked)
      expect([method, path, (await away.ask(method, path, body)).status]).toEqual([method, path, 404]);
    expect((await away.ask('GET', 'classes')).body.data.total).toBe(0);
    expect((await away.ask('GET', 'classes/options')).body.data.courses).toEqual([]);
    for (const who of ['teacher', 'assist'] as const) {
      const { identity } = school().people[who];
      expect([identity, (await school().as(who).get('/api/admin/classes')).status]).toEqual([identity, 403]);
    }
  });
});
