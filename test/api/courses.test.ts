import { describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Answer, day, errorsOf, noon, outcomeOf, type TestSchool } from '../support/school.ts';

const hour = 3600;
/** 2026-11-20 is a Friday. */
const monday = '2026-11-23';

onBothEngines('courses', (school) => {
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  const ownSchool = async () => (await db().selectFrom('school').select('id').orderBy('id').execute())[0]?.id as number;
  let count = 0;
  const addCourse = async (more: object = {}) => {
    count += 1;
    const body = { title: `新课程${count}`, course_type: 2, school_id: await ownSchool(), ...more };
    return (await admin().post('courses', body)).body.data.id as number;
  };
  const showCourse = async (id: number) => (await admin().get(`courses/${id}`)).body.data;
  const chapter = async (course: number, title = '第一单元') =>
    (await admin().post(`courses/${course}/chapters`, { title })).body.data.id as number;
  const lesson = (more: object = {}) => ({
    title: '第一课',
    periods_type: 2,
    lecturer_id: school().people.teacher.id,
    start_play: noon + 30 * day,
    minutes: 60,
    ...more,
  });
  const period = async (course: number, more: object = {}) =>
    (await admin().post(`courses/${course}/periods`, lesson(more))).body.data.id as number;
  const periodShown = async (id: number) => (await admin().get(`periods/${id}`)).body.data;
  const periodsOf = async (course: number) => (await admin().get(`courses/${course}/periods?limit=200`)).body.data.list;
  const historyOf = async (record: string, id: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', record)
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map(({ staff_id, action, before, after }) => [
      staff_id,
      action,
      JSON.parse(before ?? 'null'),
      JSON.parse(after ?? 'null'),
    ]);
  };
  const takenBy = (course: number, ...classes: number[]) =>
    db()
      .insertInto('class_course')
      .values(classes.map((class_id) => ({ class_id, course_id: course })))
      .execute();

  it('take an uploaded cover picture, or none', async () => {
    const id = await addCourse();
    const cover = (cover_img: string) => admin().put(`courses/${id}/cover`, { cover_img });
    const path = await school().keepPicture();
    expect(outcomeOf(await cover(path))).toEqual([200, '封面已更换']);
    expect((await showCourse(id)).cover_img).toBe(path);
    expect(errorsOf(await cover('/files/2026/11/none.png'))).toEqual([422, { cover_img: ['请选择封面图片'] }]);
    expect(errorsOf(await cover('https://elsewhere.test/a.png'))).toEqual([422, { cover_img: ['请选择封面图片'] }]);
    expect(outcomeOf(await cover(''))).toEqual([200, '封面已更换']);
    expect((await historyOf('course', id)).slice(1)).toEqual([
      [school().people.admin.id, 'edit', { cover_img: '' }, { cover_img: path }],
      [school().people.admin.id, 'edit', { cover_img: path }, { cover_img: '' }],
    ]);
    expect((await admin().put('courses/9999/cover', { cover_img: path })).status).toBe(404);
  });

  describe('adding a course', () => {
    it('stores the choices; the course is found by name, pinyin and every filter', async () => {
      const school_id = await ownSchool();
      const [one] = await db().selectFrom('grade').select(['id', 'name']).orderBy('id').execute();
      const body = { title: ' 高二  化学实验 ', course_type: 7, school_id, grade_id: one?.id, introduction: '动手' };
      const answer = await admin().post('courses', body);
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      const { id } = answer.body.data;
      expect(await showCourse(id)).toMatchObject({
        title: '高二 化学实验',
        course_type: 7,
        school_name: '总校',
        grade_name: one?.name,
        classify_name: '',
        periods: 0,
        classes: 0,
        students: 0,
        put_away_at: null,
        effect: '',
        delete_fault: null,
      });
      expect((await historyOf('course', id))[0]?.slice(0, 3)).toEqual([school().people.admin.id, 'add', null]);
      const findIds = async (query: string) =>
        (await admin().get(`courses?${query}`)).body.data.list.map((row: { id: number }) => row.id);
      for (const query of [
        'title=化学',
        'title=hxsy',
        'title=huaxue',
        `grade_id=${one?.id}`,
        'type=7',
        `title=化学&school_id=${school_id}&state=active`,
      ])
        expect([query, await findIds(query)]).toEqual([query, [id]]);
      for (const query of ['title=化学&type=1', 'title=化学&state=away', 'title=化学&subject_id=1', 'title=没有的'])
        expect([query, await findIds(query)]).toEqual([query, []]);
    });

    it('shows the counts of periods, classes and students', async () => {
      const { shared } = school().courses;
      const row = (await admin().get('courses?title=高一数学')).body.data.list[0];
      // The first student of 一班 is also in 三班; its last student has left.
      expect(row).toMatchObject({ id: shared, periods: 2, classes: 4, students: 17 });
    });

    it('refuses missing, too long or unknown values', async () => {
      expect(errorsOf(await admin().post('courses', {}))).toEqual([
        422,
        { title: ['课程名称不能为空'], course_type: ['请选择课程类型'], school_id: ['请选择学校'] },
      ]);
      const school_id = await ownSchool();
      const long = { title: '长'.repeat(250), course_type: 2, school_id, introduction: '长'.repeat(1001) };
      expect(errorsOf(await admin().post('courses', long))).toEqual([
        422,
        { title: ['课程名称不能超过100个字'], introduction: ['简介不能超过1000个字'] },
      ]);
      const nowhere = {
        title: '新',
        course_type: 99,
        school_id: 999,
        grade_id: 999,
        classify_id: 999,
        subject_id: 999,
      };
      expect(errorsOf(await admin().post('courses', nowhere))).toEqual([
        422,
        {
          school_id: ['请选择学校'],
          course_type: ['请选择课程类型'],
          classify_id: ['请选择分类'],
          grade_id: ['请选择年级'],
          subject_id: ['请选择科目'],
        },
      ]);
    });

    it('nests a course one level below another', async () => {
      const parent = await addCourse({ title: '总课程' });
      const child = await addCourse({ title: '分课程', parent_id: parent });
      expect(await showCourse(child)).toMatchObject({ parent_id: parent, parent_title: '总课程' });
      expect((await showCourse(parent)).children).toEqual([{ id: child, name: '分课程' }]);
      const school_id = await ownSchool();
      const fault = { parent_id: ['请选择同一学校的、自己没有上级的课程'] };
      const below = { title: '再下', course_type: 2, school_id, parent_id: child };
      expect(errorsOf(await admin().post('courses', below))).toEqual([422, fault]);
      const { title, course_type, seen } = await showCourse(parent);
      const movedUnder = (parent_id: number) => ({ title, course_type, seen, parent_id });
      expect(errorsOf(await admin().put(`courses/${parent}`, movedUnder(parent)))).toEqual([422, fault]);
      const other = await addCourse();
      expect(errorsOf(await admin().put(`courses/${parent}`, movedUnder(other)))).toEqual([
        422,
        { parent_id: ['该课程有子课程，不能再归入其他课程'] },
      ]);
    });
  });

  describe('editing a course', () => {
    const editableFields = async (id: number) => {
      const { title, course_type, classify_id, grade_id, subject_id, parent_id, introduction, course_extend, seen } =
        await showCourse(id);
      return { title, course_type, classify_id, grade_id, subject_id, parent_id, introduction, course_extend, seen };
    };

    it('writes a history row of the changes, and none without a change', async () => {
      const id = await addCourse();
      const change = { title: '改过的', course_extend: 1 };
      expect(outcomeOf(await admin().put(`courses/${id}`, { ...(await editableFields(id)), ...change }))).toEqual([
        200,
        '保存成功',
      ]);
      expect((await historyOf('course', id)).slice(1)).toEqual([
        [school().people.admin.id, 'edit', { title: expect.any(String), course_extend: 0 }, change],
      ]);
      await admin().put(`courses/${id}`, await editableFields(id));
      expect((await historyOf('course', id)).length).toBe(2);
    });

    it('merges two simultaneous edits, and reports conflicts with both values', async () => {
      const id = await addCourse({ title: '原名' });
      const [first, second] = [await editableFields(id), await editableFields(id)];
      await admin().put(`courses/${id}`, { ...first, title: '甲', introduction: '新简介' });
      const told = await admin().put(`courses/${id}`, { ...second, title: '乙' });
      expect(outcomeOf(told)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：课程名称现在是“甲”，您填写的是“乙”。再次保存将以您填写的为准。',
      ]);
      const again = { ...second, title: '乙', introduction: '新简介', seen: told.body.data.seen };
      expect((await admin().put(`courses/${id}`, again)).status).toBe(200);
      expect(await showCourse(id)).toMatchObject({ title: '乙', introduction: '新简介' });
    });

    it('archives it once the consequences are confirmed; nothing new is published to it', async () => {
      const own = school();
      const { shared } = own.courses;
      await own.addHomework({ creator: 'teacher', classes: [own.classes.k1] });
      const effect = '将影响17名学员，1个未截止的作业';
      expect((await showCourse(shared)).effect).toBe(effect);
      const renamed = { ...(await editableFields(shared)), title: '高一数学新' };
      expect(outcomeOf(await admin().put(`courses/${shared}`, renamed))).toEqual([
        409,
        `${effect}。确认无误请再次提交。`,
      ]);
      const told = await admin().post(`courses/${shared}/put-away`, {});
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: effect }]);
      const offered = async () =>
        (await own.as('teacher').get('teacher/myCourse?is_create_hw=1')).body.data.map((one: { id: number }) => one.id);
      expect(await offered()).toContain(shared);
      expect(outcomeOf(await admin().post(`courses/${shared}/put-away`, told.body.data))).toEqual([200, '已停用']);
      expect(outcomeOf(await admin().post(`courses/${shared}/put-away`, told.body.data))).toEqual([
        409,
        '该课程已停用',
      ]);
      expect(await offered()).not.toContain(shared);
      expect((await own.as('teacher').get(`hw/choose/periods/${shared}`)).status).toBe(404);
      expect(outcomeOf(await admin().post(`courses/${shared}/restore`))).toEqual([200, '已恢复']);
      expect(outcomeOf(await admin().post(`courses/${shared}/restore`))).toEqual([409, '该课程未停用']);
      expect(await offered()).toContain(shared);
    });

    it('deletes it only without records, and never reuses its id', async () => {
      const { shared } = school().courses;
      expect(outcomeOf(await admin().delete(`courses/${shared}`))).toEqual([
        409,
        '该课程有2节课时、4个班级、1个作业，不能删除，可以停用',
      ]);
      const id = await addCourse();
      const unit = await chapter(id);
      expect(outcomeOf(await admin().delete(`courses/${id}`))).toEqual([200, '删除成功']);
      expect((await admin().get(`courses/${id}`)).status).toBe(404);
      expect((await historyOf('course', id)).at(-1)?.[1]).toBe('delete');
      const next = await addCourse();
      expect(next).toBeGreaterThan(id);
      expect(await chapter(next)).toBeGreaterThan(unit);
    });
  });

  describe('chapters of a course', () => {
    it('are sorted, renamed, and deleted when empty', async () => {
      const course = await addCourse();
      const [one, two] = [await chapter(course, '甲'), await chapter(course, '乙')];
      const inOrder = async () =>
        (await admin().get(`courses/${course}/chapters`)).body.data.map((row: { title: string }) => row.title);
      expect(outcomeOf(await admin().post(`chapters/${two}/place`, { direction: 'up' }))).toEqual([200, '顺序已调整']);
      expect(await inOrder()).toEqual(['乙', '甲']);
      await admin().post(`chapters/${two}/place`, { direction: 'up' });
      expect(await inOrder()).toEqual(['乙', '甲']);
      expect((await admin().post(`chapters/${two}/place`, { direction: 'aside' })).status).toBe(422);
      const [{ seen }] = (await admin().get(`courses/${course}/chapters`)).body.data;
      expect(errorsOf(await admin().put(`chapters/${two}`, { title: ' ', seen }))).toEqual([
        422,
        { title: ['章节名称不能为空'] },
      ]);
      expect(outcomeOf(await admin().put(`chapters/${two}`, { title: '丙', seen }))).toEqual([200, '保存成功']);
      expect((await admin().put(`chapters/${two}`, { title: '丁', seen })).status).toBe(409);
      await period(course, { chapter_id: one });
      expect(outcomeOf(await admin().delete(`chapters/${one}`))).toEqual([409, '该章节有1节课时，不能删除']);
      expect(outcomeOf(await admin().delete(`chapters/${two}`))).toEqual([200, '删除成功']);
      expect((await historyOf('course_chapter', two)).map(([, action]) => action)).toEqual([
        'add',
        'place',
        'edit',
        'delete',
      ]);
    });
  });

  describe('periods of a course', () => {
    it('are added, which shows the course to their lecturer', async () => {
      const own = school();
      const course = await addCourse({ title: '新开的课' });
      const unit = await chapter(course);
      const offered = async () =>
        (await own.as('plainTeacher').get('teacher/myCourse')).body.data.map((one: { id: number }) => one.id);
      expect(await offered()).not.toContain(course);
      const id = await period(course, { chapter_id: unit, lecturer_id: own.people.plainTeacher.id });
      expect(await offered()).toContain(course);
      const periods = (await own.as('plainTeacher').get(`hw/choose/periods/${course}`)).body.data;
      expect(periods).toMatchObject([{ id, title: '第一课', is_mine: 1 }]);
      expect(await periodShown(id)).toMatchObject({
        course_title: '新开的课',
        chapter_title: '第一单元',
        lecturer_name: '姓名teacher3',
        minutes: 60,
        student_code: expect.stringMatching(/^S[2-9A-Z]{7}$/),
        later: 0,
        effect: '',
        delete_fault: null,
      });
    });

    it('refuse missing and foreign values, and a disabled lecturer', async () => {
      const own = school();
      const course = await addCourse();
      const strange = await chapter(await addCourse());
      expect(errorsOf(await admin().post(`courses/${course}/periods`, {}))).toEqual([
        422,
        {
          title: ['课时名称不能为空'],
          periods_type: ['请选择课时类型'],
          minutes: ['时长为5到720分钟'],
          start_play: ['请填写开始时间'],
        },
      ]);
      const wrong = { chapter_id: strange, lecturer_id: own.people.assist.id, periods_type: 77 };
      expect(errorsOf(await admin().post(`courses/${course}/periods`, lesson(wrong)))).toEqual([
        422,
        { chapter_id: ['请选择该课程的章节'], lecturer_id: ['请选择在用的讲师'], periods_type: ['请选择课时类型'] },
      ]);
      const { id: gone } = await db()
        .insertInto('staff')
        .values({
          identity: 'teacher',
          username: `gone${course}`,
          password_hash: 'none',
          real_name: '走了的',
          school_id: await ownSchool(),
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const kept = await period(course, { lecturer_id: gone });
      await db().updateTable('staff').set({ disabled_at: noon }).where('id', '=', gone).execute();
      expect(errorsOf(await admin().post(`courses/${course}/periods`, lesson({ lecturer_id: gone })))).toEqual([
        422,
        { lecturer_id: ['请选择在用的讲师'] },
      ]);
      // A lecturer disabled later may stay, and is marked.
      expect((await admin().put(`periods/${kept}`, { ...(await periodShown(kept)), title: '改' })).status).toBe(200);
      expect((await periodsOf(course))[0]).toMatchObject({ title: '改', lecturer_disabled: 1 });
      expect(errorsOf(await admin().post(`courses/${course}/copy`, { title: '副本', first_day: monday }))).toEqual([
        422,
        { lecturer_id: ['讲师走了的已停用，请选择新的讲师'] },
      ]);
    });

    it('name clashes before saving, and accept them on confirmation', async () => {
      const own = school();
      const [course, other] = [await addCourse({ title: '甲课' }), await addCourse({ title: '乙课' })];
      const start_play = noon + 60 * day;
      await period(course, { start_play });
      const body = lesson({ start_play: start_play + hour / 2 });
      const told = await admin().post(`courses/${other}/periods`, body);
      const clash = '与1处安排时间冲突：讲师姓名teacher 2027-01-19 12:00至13:00 甲课 第一课';
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: clash }]);
      expect((await admin().post(`courses/${other}/periods`, { ...body, ...told.body.data })).status).toBe(200);
      const quiet = { ...body, lecturer_id: own.people.plainTeacher.id };
      const same = await admin().post(`courses/${other}/periods`, quiet);
      expect(same.body.data.acknowledged).toContain('本课程 2027-01-19 12:30至13:30 乙课 第一课');
      expect((await admin().post(`courses/${await addCourse()}/periods`, quiet)).status).toBe(200);
    });

    it('start on a full minute, as lists and exports show it', async () => {
      const id = await period(await addCourse(), { start_play: noon + 65 * day + 37 });
      expect((await periodShown(id)).start_play).toBe(noon + 65 * day);
      const { seen } = await periodShown(id);
      expect(outcomeOf(await admin().post(`periods/${id}/move`, { start_play: noon + 66 * day + 59, seen }))[0]).toBe(
        200,
      );
      expect((await periodShown(id)).start_play).toBe(noon + 66 * day);
    });

    it('name the people affected by a new time, but not by a new title', async () => {
      const own = school();
      const course = await addCourse();
      await takenBy(course, own.classes.k4);
      const id = await period(course, { start_play: noon + 70 * day });
      const written = await periodShown(id);
      expect(written.effect).toBe('将影响6名学员');
      expect(outcomeOf(await admin().put(`periods/${id}`, { ...written, title: '新名' }))).toEqual([200, '保存成功']);
      const moved = { ...(await periodShown(id)), start_play: noon + 71 * day };
      const told = await admin().put(`periods/${id}`, moved);
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: '将影响6名学员' }]);
      expect((await admin().put(`periods/${id}`, { ...moved, ...told.body.data })).status).toBe(200);
      expect((await historyOf('period', id)).at(-1)).toEqual([
        own.people.admin.id,
        'edit',
        { start_play: noon + 70 * day },
        { start_play: noon + 71 * day },
      ]);
      const stale = await admin().put(`periods/${id}`, { ...written, minutes: 90, start_play: noon + 72 * day });
      expect(outcomeOf(stale)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：开始时间现在是“2027-01-30 12:00”，您填写的是“2027-01-31 12:00”。再次保存将以您填写的为准。',
      ]);
    });

    it("move alone or with all following ones, in the school's time zone", async () => {
      const own = school();
      const course = await addCourse();
      await takenBy(course, own.classes.k4);
      const at = (days: number) => noon + (80 + days) * day;
      const [first, second, third] = [
        await period(course, { start_play: at(0) }),
        await period(course, { start_play: at(7) }),
        await period(course, { start_play: at(14) }),
      ];
      const starts = async () => (await periodsOf(course)).map((row: { start_play: number }) => row.start_play);
      const { seen } = await periodShown(second);
      const body = { start_play: at(8) + hour, later: 1, seen };
      const told = await admin().post(`periods/${second}/move`, body);
      expect(told.body.data).toEqual({ acknowledged: '共移动2节课时；将影响6名学员' });
      expect(outcomeOf(await admin().post(`periods/${second}/move`, { ...body, ...told.body.data }))).toEqual([
        200,
        '已调整2节课时的时间',
      ]);
      expect(await starts()).toEqual([at(0), at(8) + hour, at(15) + hour]);
      expect((await historyOf('period', third)).at(-1)?.slice(1)).toEqual([
        'move',
        { start_play: at(14) },
        { start_play: at(15) + hour },
      ]);
      const late = await admin().post(`periods/${second}/move`, { start_play: at(9), seen });
      expect([late.status, late.body.data.conflicts[0].field]).toEqual([409, 'start_play']);
      expect(errorsOf(await admin().post(`periods/${first}/move`, { seen: '' }))).toEqual([
        422,
        { start_play: ['请填写开始时间'] },
      ]);
    });

    it('sort by hand or by time', async () => {
      const course = await addCourse();
      const [late, soon] = [
        await period(course, { title: '后', start_play: noon + 101 * day }),
        await period(course, { title: '先', start_play: noon + 100 * day }),
      ];
      const inOrder = async () => (await periodsOf(course)).map((row: { id: number }) => row.id);
      expect(await inOrder()).toEqual([late, soon]);
      expect(outcomeOf(await admin().post(`courses/${course}/periods/sort`))).toEqual([200, '已按时间排序']);
      expect(await inOrder()).toEqual([soon, late]);
      await admin().post(`periods/${soon}/place`, { direction: 'down' });
      expect(await inOrder()).toEqual([late, soon]);
    });

    it('are deleted unless attendance or work is recorded', async () => {
      const own = school();
      const course = await addCourse();
      const id = await period(course, { start_play: noon + 110 * day });
      await takenBy(course, own.classes.k4);
      const student_id = own.students.k4[0] as number;
      await db()
        .insertInto('attendance')
        .values({
          class_id: own.classes.k4,
          student_id,
          period_id: id,
          op_status: 1,
          requested_at: null,
          requested_by: null,
          decided_at: null,
          decided_by: null,
          changed_at: noon,
        })
        .execute();
      await own.addHomework({ creator: 'teacher', course, period: id, classes: [own.classes.k4] });
      expect(outcomeOf(await admin().delete(`periods/${id}`))).toEqual([
        409,
        '该课时有1条考勤和学习记录、1个作业，不能删除',
      ]);
      const free = await period(course, { start_play: noon + 111 * day });
      const effect = '将影响6名学员';
      expect(outcomeOf(await admin().delete(`periods/${free}`))).toEqual([409, `${effect}。确认无误请再次提交。`]);
      const acknowledged = encodeURIComponent(effect);
      expect(outcomeOf(await admin().delete(`periods/${free}?acknowledged=${acknowledged}`))).toEqual([
        200,
        '删除成功',
      ]);
      expect(await period(course, { start_play: noon + 112 * day })).toBeGreaterThan(free);
    });
  });

  describe('series of periods', () => {
    const series = (more: object = {}) => ({
      ...lesson(),
      titles: '集合\n函数',
      weekdays: [1, 3],
      time: '19:30',
      first_day: monday,
      count: 4,
      ...more,
    });

    it('previews its days, without the skipped ones', async () => {
      const course = await addCourse();
      const preview = await admin().post(
        `courses/${course}/periods/preview`,
        series({ skip: '2026-11-25，2026-12-01' }),
      );
      const at = (date: string) => Date.parse(`${date}T19:30:00+08:00`) / 1000;
      expect(preview.body.data.list.map((row: Record<string, unknown>) => [row.title, row.start_play])).toEqual([
        ['集合', at('2026-11-23')],
        ['函数', at('2026-11-30')],
        ['第3讲', at('2026-12-02')],
        ['第4讲', at('2026-12-07')],
      ]);
      expect(preview.body.data.acknowledged).toBe('');
      expect(await periodsOf(course)).toEqual([]);
      const made = await admin().post(`courses/${course}/periods/series`, series({ skip: '2026-11-25\n2026-12-01' }));
      expect(outcomeOf(made)).toEqual([200, '已添加4节课时']);
      expect((await periodsOf(course)).map((row: { id: number }) => row.id)).toEqual(made.body.data.ids);
      const until = series({ first_day: '2027-03-01', last_day: '2027-03-08', count: undefined });
      expect((await admin().post(`courses/${course}/periods/series`, until)).body.data.ids.length).toBe(3);
      expect((await periodsOf(course)).at(-1).title).toBe('第7讲');
    });

    it('names the years in which no holiday is known, and skips the known ones', async () => {
      const course = await addCourse();
      const body = series({ first_day: '2028-12-25', count: 3 });
      const preview = async () => (await admin().post(`courses/${course}/periods/preview`, body)).body.data;
      expect((await preview()).years_without_holidays).toEqual([2028, 2029]);
      // The holiday is before the plan begins, but it tells that the holidays of this year are recorded.
      await admin().post('holidays', { from: '2028-10-01', name: '国庆节' });
      await admin().post('holidays', { from: '2029-01-01', name: '元旦' });
      const { list, years_without_holidays, years_by_law } = await preview();
      expect([years_without_holidays, years_by_law]).toEqual([[], [2028, 2029]]);
      expect(
        list.map(({ start_play }: { start_play: number }) => new Date(start_play * 1000).toISOString().slice(0, 10)),
      ).toEqual(['2028-12-25', '2028-12-27', '2029-01-03']);
      const copy = { title: '照搬', first_day: '2030-01-01' };
      await period(course, { start_play: noon });
      const copied = (await admin().post(`courses/${course}/copy/preview`, copy)).body.data;
      expect(copied.years_without_holidays).toEqual([2030]);
      // A make-up workday tells that the announced arrangement is recorded.
      await admin().post('holidays', { from: '2028-12-31', name: '调休', is_workday: 1 });
      expect((await preview()).years_by_law).toEqual([2029]);
    });

    it('names the clashes of each period', async () => {
      const [course, other] = [await addCourse({ title: '占了的' }), await addCourse()];
      const start_play = Date.parse('2027-04-07T19:00:00+08:00') / 1000;
      await period(course, { start_play });
      const body = series({ first_day: '2027-04-05', count: 3 });
      const preview = (await admin().post(`courses/${other}/periods/preview`, body)).body.data;
      const clash = '讲师姓名teacher 2027-04-07 19:00至20:00 占了的 第一课';
      expect(preview.list.map((row: { clashes: string[] }) => row.clashes)).toEqual([[], [clash], []]);
      const told = await admin().post(`courses/${other}/periods/series`, body);
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: preview.acknowledged }]);
      const done = await admin().post(`courses/${other}/periods/series`, { ...body, ...told.body.data });
      expect(done.status).toBe(200);
    });

    it('requires weekdays, and limits the number of periods', async () => {
      const course = await addCourse();
      const errorsOfSeries = async (body: object) =>
        errorsOf(await admin().post(`courses/${course}/periods/series`, body));
      const wrong = { weekdays: [], time: '25:00', first_day: '', skip: '明天', count: 101, minutes: 3 };
      expect(await errorsOfSeries(series(wrong))).toEqual([
        422,
        {
          minutes: ['时长为5到720分钟'],
          weekdays: ['请选择上课的星期'],
          time: ['请填写上课时间'],
          first_day: ['请填写开始日期'],
          count: ['节数为1到100'],
          skip: ['日期请写成 2026-05-01 的形式，多个用逗号或换行分开'],
        },
      ]);
      expect(await errorsOfSeries(series({ last_day: '2026-12-31' }))).toEqual([
        422,
        { count: ['结束日期和节数请填写其中一项'] },
      ]);
      const turned = { last_day: '2026-11-22', count: undefined };
      expect(await errorsOfSeries(series(turned))).toEqual([422, { last_day: ['结束日期不能早于开始日期'] }]);
      const none = { weekdays: [7], last_day: '2026-11-24', count: undefined };
      expect(await errorsOfSeries(series(none))).toEqual([422, { first_day: ['这段时间内没有可排的日期'] }]);
      const long = { weekdays: [1, 2, 3, 4, 5, 6, 7], last_day: '2027-11-24', count: undefined };
      expect(await errorsOfSeries(series(long))).toEqual([422, { last_day: ['一次最多添加100节课时'] }]);
    });
  });

  describe('copying a course', () => {
    it('copies chapters and order, and each period on its weekday', async () => {
      const own = school();
      const course = await addCourse({ title: '原课', introduction: '介绍' });
      await takenBy(course, own.classes.k4);
      const [one, two] = [await chapter(course, '甲'), await chapter(course, '乙')];
      await admin().post(`chapters/${two}/place`, { direction: 'up' });
      const at = (date: string) => Date.parse(`${date}T08:30:00+08:00`) / 1000;
      for (const [title, date, chapter_id] of [
        ['周三', '2026-09-02', one],
        ['周五', '2026-09-04', two],
        ['下周三', '2026-09-09', null],
      ] as const)
        await period(course, { title, start_play: at(date), chapter_id });
      const body = { title: '新学期', first_day: '2027-02-23', skip: '2027-02-26' };
      const { list } = (await admin().post(`courses/${course}/copy/preview`, body)).body.data;
      const expected = [
        ['周三', at('2027-02-24')],
        ['周五', at('2027-03-05')],
        ['下周三', at('2027-03-10')],
      ];
      expect(list.map((row: Record<string, unknown>) => [row.title, row.start_play])).toEqual(expected);
      const copied = await admin().post(`courses/${course}/copy`, body);
      expect(outcomeOf(copied)).toEqual([200, '已复制课程和3节课时']);
      const { id } = copied.body.data;
      expect(await showCourse(id)).toMatchObject({
        title: '新学期',
        introduction: '介绍',
        classes: 0,
        periods: 3,
        chapters: 2,
      });
      const rows = await periodsOf(id);
      expect(rows.map((row: Record<string, unknown>) => [row.title, row.start_play])).toEqual(expected);
      expect(rows.map((row: Record<string, unknown>) => row.chapter_title)).toEqual(['甲', '乙', '']);
      expect(rows[0].lecturer_id).toBe(own.people.teacher.id);
      expect((await historyOf('course', id))[0]?.[3]).toMatchObject({ copied_from: course, title: '新学期' });
      const chapters = (await admin().get(`courses/${id}/chapters`)).body.data;
      expect(chapters.map((row: { title: string }) => row.title)).toEqual(['乙', '甲']);
    });

    it('names clashes of another lecturer, and copies all or nothing', async () => {
      const own = school();
      const course = await addCourse({ title: '再复制' });
      await period(course, { start_play: noon + 130 * day });
      const lecturer_id = own.people.otherTeacher.id;
      const body = { title: '给别人', first_day: '2027-08-01', lecturer_id };
      const preview = (await admin().post(`courses/${course}/copy/preview`, body)).body.data;
      expect(preview.list).toMatchObject([{ lecturer_name: '姓名teacher2', clashes: [] }]);
      await period(await addCourse(), { start_play: preview.list[0].start_play, lecturer_id });
      const before = (await admin().get('courses')).body.data.total;
      const told = await admin().post(`courses/${course}/copy`, body);
      expect(told.status).toBe(409);
      expect((await admin().get('courses')).body.data.total).toBe(before);
      const copied = await admin().post(`courses/${course}/copy`, { ...body, ...told.body.data });
      expect(copied.status).toBe(200);
      expect((await periodsOf(copied.body.data.id))[0].lecturer_id).toBe(lecturer_id);
      expect(errorsOf(await admin().post(`courses/${course}/copy`, {}))).toEqual([
        422,
        { title: ['课程名称不能为空'], first_day: ['请填写开始日期'] },
      ]);
    });
  });

  describe('courses of another school', () => {
    const elsewhere = async (own: TestSchool) => {
      const { db } = own.database;
      const { id } = await db
        .insertInto('school')
        .values({ org_name: '分校' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.updateTable('staff').set({ every_school: 0 }).where('id', '=', own.people.admin.id).execute();
      await db.insertInto('staff_school').values({ staff_id: own.people.admin.id, school_id: id }).execute();
      return id;
    };

    it('answer 404 to a bound administrator in every call', async () => {
      const own = school();
      const { shared } = own.courses;
      const course = await addCourse();
      const unit = await chapter(course);
      const inCourse = await period(course, { start_play: noon + 140 * day });
      const there = await elsewhere(own);
      const ours = await admin().post('courses', { title: '分校的课', course_type: 1, school_id: there });
      expect(ours.status).toBe(200);
      const missingCourse = [404, '课程不存在'];
      const missingChapter = [404, '章节不存在'];
      const missingPeriod = [404, '课时不存在'];
      const place = { direction: 'up' };
      const asked: [string, () => Promise<Answer>, unknown][] = [
        ['show', () => admin().get(`courses/${shared}`), missingCourse],
        ['edit', () => admin().put(`courses/${shared}`, {}), missingCourse],
        ['away', () => admin().post(`courses/${shared}/put-away`, {}), missingCourse],
        ['back', () => admin().post(`courses/${shared}/restore`), missingCourse],
        ['delete', () => admin().delete(`courses/${shared}`), missingCourse],
        ['copy', () => admin().post(`courses/${shared}/copy`, {}), missingCourse],
        ['preview', () => admin().post(`courses/${shared}/copy/preview`, {}), missingCourse],
        ['chapters', () => admin().get(`courses/${shared}/chapters`), missingCourse],
        ['chapter', () => admin().post(`courses/${shared}/chapters`, {}), missingCourse],
        ['rename', () => admin().put(`chapters/${unit}`, {}), missingChapter],
        ['place', () => admin().post(`chapters/${unit}/place`, place), missingChapter],
        ['remove', () => admin().delete(`chapters/${unit}`), missingChapter],
        ['periods', () => admin().get(`courses/${shared}/periods`), missingCourse],
        ['add', () => admin().post(`courses/${shared}/periods`, {}), missingCourse],
        ['series', () => admin().post(`courses/${shared}/periods/series`, {}), missingCourse],
        ['days', () => admin().post(`courses/${shared}/periods/preview`, {}), missingCourse],
        ['sort', () => admin().post(`courses/${shared}/periods/sort`), missingCourse],
        ['period', () => admin().get(`periods/${inCourse}`), missingPeriod],
        ['change', () => admin().put(`periods/${inCourse}`, {}), missingPeriod],
        ['order', () => admin().post(`periods/${inCourse}/place`, place), missingPeriod],
        ['move', () => admin().post(`periods/${inCourse}/move`, {}), missingPeriod],
        ['drop', () => admin().delete(`periods/${inCourse}`), missingPeriod],
      ];
      for (const [name, ask, expected] of asked) expect([name, outcomeOf(await ask())]).toEqual([name, expected]);
      const { list } = (await admin().get('courses')).body.data;
      expect(list.map((row: { title: string }) => row.title)).toEqual(['分校的课']);
      const choices = (await admin().get('courses/choices')).body.data;
      expect([choices.schools, choices.lecturers]).toEqual([[{ id: there, name: '分校' }], []]);
      const under = { title: '借用', course_type: 1, school_id: there, parent_id: shared };
      expect(errorsOf(await admin().post('courses', under))).toEqual([
        422,
        { parent_id: ['请选择同一学校的、自己没有上级的课程'] },
      ]);
      const lecturer = lesson();
      expect(errorsOf(await admin().post(`courses/${ours.body.data.id}/periods`, lecturer))).toEqual([
        422,
        { lecturer_id: ['请选择在用的讲师'] },
      ]);
    });
  });
});
