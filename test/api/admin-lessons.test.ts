/** Administration of group classes with contracts, one-to-one classes, and their lessons. */
import { describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Answer, day, errorsOf, noon, outcomeOf } from '../support/school.ts';

type Lesson = { id: number; start_time: number };

onBothEngines('administration of group classes and lessons', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  const own = async () => (await db().selectFrom('school').select('id').executeTakeFirstOrThrow()).id;
  let count = 0;
  const addGroupClass = async (more: object = {}) => {
    count += 1;
    const { teacher, assist } = school().people;
    const answer = await admin().post('group-classes', {
      name: `小班${count}`,
      class_type: 3,
      school_id: await own(),
      lecturer_id: teacher.id,
      assistant_ids: [assist.id],
      course_ids: [school().courses.shared],
      teaching_mode: 2,
      start_day: '2026-11-01',
      schedule: '每周一三',
      ...more,
    });
    return answer.body.data.id as number;
  };
  const roomOf = async (name: string) =>
    (
      await db()
        .insertInto('room')
        .values({ school_id: await own(), name })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const addMember = async (classId: number, student: number) =>
    (
      await db()
        .insertInto('class_student')
        .values({ class_id: classId, student_id: student, joined_at: noon - day, left_at: null })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const lesson = (class_id: number, more: object = {}) => ({
    class_id,
    course_id: school().courses.shared,
    lecturer_id: school().people.teacher.id,
    teaching_mode: 2,
    first_day: '2026-11-23',
    start: '19:00',
    end: '20:30',
    ...more,
  });
  const sendAcknowledged = async (send: (more: object) => Promise<Answer>) => {
    const told = await send({});
    return told.status === 409 ? send(told.body.data) : told;
  };

  describe('a group class', () => {
    it('is visible to its assistant after it is added, and can be edited', async () => {
      expect(errorsOf(await admin().post('group-classes', { name: '', lecturer_id: 0 }))).toEqual([
        422,
        {
          name: ['名称不能为空'],
          class_type: ['请选择班级类型'],
          school_id: ['请选择学校'],
          start_day: ['请选择开课日期'],
        },
      ]);
      const id = await addGroupClass({ name: '数学小班' });
      const { list } = (await school().as('assist').get('teamClass')).body.data;
      expect(list).toMatchObject([
        { id, class_name: '数学小班', teacher_name: '姓名teacher', schedule: '每周一三', status: 2, teaching_mode: 2 },
      ]);
      const record = (await admin().get(`group-classes/${id}`)).body.data;
      expect(record).toMatchObject({
        lecturer_name: '姓名teacher',
        start_day: '2026-11-01',
        lessons_left: 0,
        state: 'running',
      });
      const { seen } = record;
      const room_id = await roomOf('301');
      const edit = { ...record, name: '数学小班二', room_id, subject_id: 0, grade_id: 0, classify_id: 0, seen };
      expect(outcomeOf(await admin().put(`group-classes/${id}`, edit))).toEqual([200, '保存成功']);
      expect(outcomeOf(await admin().put(`group-classes/${id}`, { ...edit, name: '别的', remarks: '新' }))).toEqual([
        409,
        expect.stringContaining('名称现在是“数学小班二”，您填写的是“别的”'),
      ]);
      expect((await admin().get(`classes?class_type=3&name=数学小班`)).body.data.total).toBe(1);
      expect((await admin().put(`classes/${id}`, { name: '甲' })).status).toBe(404);
      const theirs = { ...edit, lecturer_id: school().people.assist.id };
      expect(outcomeOf(await admin().put(`group-classes/${id}`, theirs))).toEqual([404, '讲师不存在']);
    });

    it('shows the contracts of its members', async () => {
      const id = await addGroupClass();
      const [student] = school().students.k1 as [number];
      const member = await addMember(id, student);
      const path = `group-classes/${id}/contracts/${member}`;
      const wrong = { contracts_number: '', remaining_lessons: '-1', periods_price: '1.234', lesson_minutes: '9999' };
      expect(errorsOf(await admin().put(path, wrong))).toEqual([
        422,
        {
          contracts_number: ['合同编号不能为空'],
          remaining_lessons: ['剩余课时为0到9999的整数'],
          periods_price: ['课时单价为0到99999元，最多两位小数'],
          lesson_minutes: ['每课时分钟数为0到600的整数'],
        },
      ]);
      const { seen } = (await admin().get(path)).body.data;
      const contract = {
        contracts_number: 'HT-1',
        sign_type: 1,
        remaining_lessons: '24',
        periods_price: '120.5',
        lesson_minutes: '90',
        seen,
      };
      expect(outcomeOf(await admin().put(path, contract))).toEqual([200, '保存成功']);
      expect((await admin().put(path, { ...contract, contracts_number: 'HT-2' })).status).toBe(409);
      const { list } = (await school().as('assist').get(`teamClass/student/getTeamClassStudentList/${id}`)).body.data;
      expect(list).toMatchObject([{ contracts_number: 'HT-1', time: 24, periods_price: 120.5, class_time_hour: 1.5 }]);
      const rows = (await admin().get(`group-classes/${id}/contracts`)).body.data.list;
      expect(rows).toMatchObject([{ id: member, remaining_lessons: 24, lessons_attended: 0 }]);
      expect((await admin().get(`group-classes/${id}/contracts/99999`)).status).toBe(404);
    });

    it('ends once its lessons and students are confirmed, and reopens', async () => {
      const id = await addGroupClass();
      await addMember(id, school().students.k2[0] as number);
      const { ids } = (await admin().post('lessons', lesson(id, { first_day: '2026-12-24' }))).body.data;
      expect(ids).toHaveLength(1);
      const told = await admin().post(`group-classes/${id}/end`, {});
      expect(outcomeOf(told)).toEqual([409, '1名学员，1节未上的课不会自动取消。确认无误请再次提交。']);
      expect(outcomeOf(await admin().post(`group-classes/${id}/end`, told.body.data))).toEqual([200, '班级已结束']);
      expect((await school().as('assist').get(`teamClass/${id}`)).body.data.status).toBe(3);
      expect(outcomeOf(await admin().post('lessons', lesson(id)))).toEqual([409, '该班级已结束，不能排课']);
      expect(outcomeOf(await admin().post(`classes/${id}/end`, {}))).toEqual([409, '该班级已结束']);
      expect(outcomeOf(await admin().post(`group-classes/${id}/reopen`))).toEqual([200, '班级已恢复']);
      expect((await school().as('assist').get(`teamClass/${id}`)).body.data.status).toBe(2);
      expect(outcomeOf(await admin().delete(`classes/${id}`))).toEqual([
        409,
        expect.stringContaining('1名学员、1节课'),
      ]);
    });
  });

  describe('lessons', () => {
    it('plans a series without the skipped days, after a preview', async () => {
      const id = await addGroupClass({ class_type: 1, name: '一对一' });
      const body = lesson(id, {
        first_day: '2026-11-23',
        weekdays: [1, 3],
        count: '4',
        skip: '2026-11-25',
        by_periods: 1,
      });
      const preview = (await admin().post('lessons/preview', body)).body.data;
      const days = preview.lessons.map(({ start_time }: Lesson) => (start_time - (noon + 7 * 3600)) / day);
      // `noon` is on the 20th. The lessons are on Mondays (23, 30, 7) and Wednesday the 2nd; the 25th is skipped.
      expect(days).toEqual([3, 10, 12, 17]);
      expect(preview.lessons.map((one: { chapter_title: string }) => one.chapter_title)).toEqual([
        '第一讲 集合',
        '第二讲 函数',
        '',
        '',
      ]);
      expect(preview.effect).toBe('');
      const made = await admin().post('lessons', body);
      expect(outcomeOf(made)).toEqual([200, '已排4节课']);
      const own = (await school().as('teacher').get('schedule/list?limit=50')).body.data.list;
      expect(own.filter(({ class_id }: { class_id: number }) => class_id === id)).toHaveLength(4);
      const month = (await school().as('teacher').get('teacher/courseCalendar?date=2026-11-23')).body.data;
      expect(JSON.stringify(month)).toContain('一对一');
      const { list } = (await admin().get(`lessons?class_id=${id}&status=2`)).body.data;
      expect(list.map(({ start_time }: Lesson) => start_time)).toEqual(
        preview.lessons.map(({ start_time }: Lesson) => start_time),
      );
      expect(list[0]).toMatchObject({
        lecturer_name: '姓名teacher',
        assistants: '姓名assist',
        class_type: 1,
        status: 2,
      });
    });

    it('moves a series around closed days and onto make-up workdays', async () => {
      const closed = await admin().post('holidays', {
        from: '2026-12-02',
        to: '2026-12-03',
        name: '校庆',
        is_workday: 0,
      });
      // An earlier test has planned a lesson on one of these days.
      expect(outcomeOf(closed)).toEqual([200, '添加成功，这些日子已排的1节课没有改动，见下面的列表']);
      // Makes a Sunday a workday with the lessons of a Wednesday.
      await admin().post('holidays', { from: '2026-12-06', name: '补课', is_workday: 1, as_weekday: 3 });
      const id = await addGroupClass();
      const body = lesson(id, { first_day: '2026-11-25', weekdays: [3], count: '4' });
      const { lessons, years_without_holidays } = (await admin().post('lessons/preview', body)).body.data;
      expect(years_without_holidays).toEqual([]);
      const later = lesson(id, { first_day: '2026-12-30', weekdays: [3], count: '2' });
      expect((await admin().post('lessons/preview', later)).body.data.years_without_holidays).toEqual([2027]);
      // A single lesson takes place on the chosen day, so holidays do not matter for it.
      const single = lesson(id, { first_day: '2027-01-06' });
      expect((await admin().post('lessons/preview', single)).body.data.years_without_holidays).toEqual([]);
      const days = lessons.map(({ start_time }: Lesson) => new Date(start_time * 1000).toISOString().slice(5, 10));
      expect(days).toEqual(['11-25', '12-06', '12-09', '12-16']);
      for (const { id: day } of (await admin().get('holidays?year=2026')).body.data)
        await admin().delete(`holidays/${day}`);
    });

    it('refuses each invalid field with its error', async () => {
      const id = await addGroupClass();
      const wrong = async (more: object) => errorsOf(await admin().post('lessons', lesson(id, more)));
      expect(errorsOf(await admin().post('lessons', {}))).toEqual([
        422,
        {
          class_id: ['请选择团课班级或一对一'],
          course_id: ['请选择该班级的课程'],
          lecturer_id: ['请选择讲师'],
          first_day: ['请选择上课日期'],
          start: ['请填写开始时间'],
          end: ['请填写结束时间'],
        },
      ]);
      expect(await wrong({ class_id: school().classes.k1 })).toEqual([422, { class_id: ['请选择团课班级或一对一'] }]);
      expect(await wrong({ course_id: school().courses.theirs })).toEqual([422, { course_id: ['请选择该班级的课程'] }]);
      expect(await wrong({ end: '18:00' })).toEqual([
        422,
        { end: [expect.stringContaining('结束时间须晚于开始时间')] },
      ]);
      expect(await wrong({ weekdays: [1] })).toEqual([422, { last_day: ['请填写结束日期或节数'] }]);
      expect(await wrong({ weekdays: [1], last_day: '2026-11-01' })).toEqual([
        422,
        { last_day: ['结束日期不能早于第一天'] },
      ]);
      expect(await wrong({ weekdays: [1], count: '9999' })).toEqual([422, { count: ['一次可排1到100节课'] }]);
      expect(await wrong({ weekdays: [1], last_day: '2026-11-24', skip: '2026-11-23' })).toEqual([
        422,
        { weekdays: ['这段时间内没有可排的日期'] },
      ]);
      expect(await wrong({ skip: '明天' })).toEqual([422, { skip: [expect.stringContaining('2026-05-01')] }]);
      expect(await wrong({ room_id: 9999 })).toEqual([422, { room_id: ['请选择本校的教室'] }]);
      const { plainTeacher } = school().people;
      await db().updateTable('staff').set({ disabled_at: noon }).where('id', '=', plainTeacher.id).execute();
      try {
        expect(await wrong({ lecturer_id: plainTeacher.id })).toEqual([
          422,
          { lecturer_id: ['姓名teacher3已停用，不能选择'] },
        ]);
      } finally {
        await db().updateTable('staff').set({ disabled_at: null }).where('id', '=', plainTeacher.id).execute();
      }
    });

    it('names clashes of teacher, room, class or student, and allows them when confirmed', async () => {
      const [one, other] = [await addGroupClass({ name: '甲组' }), await addGroupClass({ name: '乙组' })];
      const room_id = await roomOf('302');
      const [student] = school().students.k3 as [number];
      await addMember(one, student);
      await addMember(other, student);
      const at = { first_day: '2027-01-04', room_id };
      expect((await admin().post('lessons', lesson(one, at))).status).toBe(200);
      const told = await admin().post('lessons', lesson(other, at));
      const { acknowledged: effect } = told.body.data;
      expect(told.status).toBe(409);
      for (const words of ['姓名teacher', '302', '学生', '2027-01-04 19:00', '甲组']) expect(effect).toContain(words);
      const seen = (await admin().post('lessons/preview', lesson(other, at))).body.data;
      expect([seen.effect, seen.lessons[0].clashes.length]).toEqual([effect, 1]);
      const late = { ...at, start: '20:30', end: '21:30' };
      expect((await admin().post('lessons/preview', lesson(other, late))).body.data.effect).toBe('');
      expect((await admin().post('lessons', lesson(other, { ...at, acknowledged: effect }))).status).toBe(200);
    });

    it('moves one lesson or many, and reports simultaneous moves', async () => {
      const id = await addGroupClass();
      await addMember(id, school().students.k4[0] as number);
      const series = lesson(id, { first_day: '2027-02-01', weekdays: [1], count: '3' });
      const { ids } = (await admin().post('lessons', series)).body.data;
      const record = (await admin().get(`lessons/${ids[0]}`)).body.data;
      expect(record).toMatchObject({ day: '2027-02-01', start: '19:00', end: '20:30', students_count: 1 });
      const edit = (more: object) => admin().put(`lessons/${ids[0]}`, { ...record, ...more });
      const told = await edit({ day: '2027-02-02' });
      expect(outcomeOf(told)).toEqual([409, '1名学员改时间上课。确认无误请再次提交。']);
      const send = { day: '2027-02-02', notify: 1, ...told.body.data };
      expect(outcomeOf(await edit(send))).toEqual([200, '保存成功']);
      const messages = await db().selectFrom('sms_outbox').selectAll().where('session_id', '=', ids[0]).execute();
      expect(messages.map(({ content }) => content)).toEqual([
        expect.stringMatching(/原定于2027-02-01 19:00的课改到2027-02-02 19:00，请准时参加。$/),
      ]);
      expect(outcomeOf(await edit({ day: '2027-02-03' }))).toEqual([
        409,
        expect.stringContaining('日期现在是“2027-02-02”，您填写的是“2027-02-03”'),
      ]);
      const moves = { ids, days: '7', lecturer_id: school().people.otherTeacher.id };
      const moved = await sendAcknowledged((more) => admin().post('lessons/move', { ...moves, ...more }));
      expect([outcomeOf(moved), moved.body.data]).toEqual([[200, '课次已调整'], { count: 3 }]);
      const { list } = (await admin().get(`lessons?class_id=${id}&status=2`)).body.data;
      expect(list.map((row: { lecturer_name: string }) => row.lecturer_name)).toEqual(Array(3).fill('姓名teacher2'));
      expect((await school().as('otherTeacher').get('schedule/list')).body.data.total).toBe(3);
      expect(errorsOf(await admin().post('lessons/move', { ids }))).toEqual([422, { days: ['请填写要修改的内容'] }]);
      expect((await admin().post('lessons/move', { ids: [...ids, 99_999], days: '1' })).status).toBe(404);
    });

    it('cancels lessons with a reason, and restores them', async () => {
      const id = await addGroupClass();
      await addMember(id, school().students.k4[1] as number);
      const series = lesson(id, { first_day: '2027-03-01', weekdays: [1, 2], count: '2' });
      const { ids } = (await sendAcknowledged((more) => admin().post('lessons', { ...series, ...more }))).body.data;
      expect(errorsOf(await admin().post('lessons/cancel', { ids: [] }))).toEqual([
        422,
        { ids: ['请选择课次'], reason: ['请填写取消原因'] },
      ]);
      const body = { ids, reason: '教室维修', notify: 1 };
      const told = await admin().post('lessons/cancel', body);
      expect(outcomeOf(told)).toEqual([409, '将取消2节课，1名学员将收到短信。确认无误请再次提交。']);
      expect(outcomeOf(await admin().post('lessons/cancel', { ...body, ...told.body.data }))).toEqual([
        200,
        '课次已取消',
      ]);
      const { list } = (await admin().get(`lessons?class_id=${id}`)).body.data;
      expect(list).toMatchObject([
        { status: 4, cancel_reason: '教室维修' },
        { status: 4, cancel_reason: '教室维修' },
      ]);
      const sent = await db().selectFrom('sms_outbox').select('content').where('session_id', 'in', ids).execute();
      expect(sent).toHaveLength(2);
      expect(sent[0]?.content).toContain('已取消（教室维修）');
      expect(outcomeOf(await admin().post('lessons/cancel', { ...body, ...told.body.data }))).toEqual([
        409,
        expect.stringMatching(/2027-03-01 19:00：该课次已取消，不能取消$/),
      ]);
      const back = await sendAcknowledged((more) => admin().post('lessons/restore', { ids, ...more }));
      expect([outcomeOf(back), back.body.data]).toEqual([[200, '课次已恢复'], { count: 2 }]);
      const held = { start_time: noon - 7200, end_time: noon - 3600 };
      await db().updateTable('class_session').set(held).where('id', '=', ids[0]).execute();
      expect(outcomeOf(await admin().post('lessons/cancel', { ids: [ids[0]], reason: '晚了' }))).toEqual([
        409,
        '该课次已上课，不能取消',
      ]);
      const record = (await admin().get(`lessons/${ids[0]}`)).body.data;
      expect(outcomeOf(await admin().put(`lessons/${ids[0]}`, { ...record, day: '2028-01-03' }))).toEqual([
        409,
        '该课次已上课，不能修改',
      ]);
    });
  });
});
