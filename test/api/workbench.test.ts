import { beforeAll, describe, expect, it } from 'vitest';
import { addExam, submitExamReport } from '../support/exams.ts';
import { addLessons, hour, record } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';
import { addLesson, addTeam, lessonTimes } from '../support/team-lessons.ts';

onBothEngines('workbench', (school) => {
  const ids: Record<string, number> = {};
  const show = async (name: 'teacher' | 'assist' | 'otherTeacher' | 'otherAssist' | 'plainTeacher') =>
    (await school().as(name).get('workbench')).body.data;
  const counts = async (name: 'teacher' | 'assist' | 'otherTeacher' | 'otherAssist' | 'plainTeacher') =>
    (await school().as(name).get('workbench/counts')).body.data;

  beforeAll(async () => {
    const { addHomework, submit, classes, courses, students, people, database } = school();
    const { db } = database;
    const [one, two, three] = students.k2 as [number, number, number];
    ids.waits = await addHomework({ name: '待批改', creator: 'teacher', classes: [classes.k2], ending: noon - day });
    await submit(ids.waits, one);
    await submit(ids.waits, two);
    await submit(ids.waits, three, false);
    ids.due = await addHomework({ name: '快截止', creator: 'teacher', classes: [classes.k2], ending: noon + day });
    await submit(ids.due, one, false);
    await addHomework({ name: '还早', creator: 'teacher', classes: [classes.k2], ending: noon + 3 * day });
    await addHomework({
      name: '别人的',
      creator: 'otherTeacher',
      course: courses.theirs,
      classes: [classes.k3],
      ending: noon + day,
    });
    const { course, periods } = await addLessons(school(), {
      type: 2,
      classes: [classes.k2],
      starts: [noon + hour, noon + day],
      title: '直播课',
    });
    ids.course = course;
    await record(school(), { classId: classes.k2, studentId: one, periodId: periods[1] as number }, 1);
    const exam = await addExam(db, { creator: people.teacher.id, school: 1, name: '月考' });
    await submitExamReport(db, exam, one, ['2', '1', '1,3', '1-3,2-4', '3@@5', '写了', '1', '写了']);
    ids.exam = exam.id;
    const team = await addTeam(school(), { name: '团课' });
    ids.lesson = await addLesson(school(), { team, start: lessonTimes.coming });
    const file = await db
      .insertInto('ware_file')
      .values({
        storage_key: 'none',
        name: '讲义.pdf',
        extension: 'pdf',
        size: 1,
        uploaded_by: people.teacher.id,
        uploaded_at: noon - day,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: lesson } = await db
      .insertInto('session_handout')
      .values({
        session_id: ids.lesson,
        file_id: file.id,
        file_name: '讲义.pdf',
        status: 4,
        file_remark: '第三页有误',
        uploaded_by: people.teacher.id,
        uploaded_at: noon - day,
      })
      .returning('session_id as id')
      .executeTakeFirstOrThrow();
    expect(lesson).toBe(ids.lesson);
  });

  it.each(['teacher', 'assist'] as const)('shows the %s pending work with progress', async (name) => {
    const { homework, exams, leave, handouts, lessons } = await show(name);
    expect(homework).toMatchObject({
      total: 1,
      reports: 2,
      list: [{ id: ids.waits, name: '待批改', waiting: 2, submitted: 3 }],
    });
    expect(exams).toMatchObject({
      total: 1,
      reports: 1,
      list: [{ id: ids.exam, name: '月考', waiting: 1, submitted: 1 }],
    });
    expect(leave.total).toBe(1);
    expect(leave.list[0]).toMatchObject({ name: '学生二班1', class_name: '二班', course_basis_title: '直播课' });
    expect(handouts).toMatchObject([{ id: ids.lesson, class_name: '团课', file_remark: '第三页有误' }]);
    // Today's lessons only.
    expect(lessons.filter(({ course_title }: { course_title: string }) => course_title === '直播课')).toHaveLength(1);
    expect(await counts(name)).toEqual({ corrections: 2, exams: 1, leave: 1 });
  });

  it('lists homework due in two days, with missing students', async () => {
    for (const name of ['teacher', 'assist'] as const) {
      const { due } = await show(name);
      expect(due).toMatchObject([
        { id: ids.due, name: '快截止', submitted: 1, missing: ['学生二班2', '学生二班3', '学生二班4'] },
      ]);
    }
  });

  it("hides others' work", async () => {
    const { homework, leave, handouts, due } = await show('otherAssist');
    expect([homework.total, leave.total, handouts]).toEqual([0, 0, []]);
    expect(due.map(({ name }: { name: string }) => name)).toEqual(['别人的']);
  });

  it("counts a school's exam papers only for people who teach or set an exam", async () => {
    const { database, people, courses, students } = school();
    const { db } = database;
    const waits = async () => [
      (await show('plainTeacher')).exams.list.map(({ name }: { name: string }) => name),
      (await counts('plainTeacher')).exams,
    ];
    await db.updateTable('staff').set({ can_correct: 1 }).where('id', '=', people.plainTeacher.id).execute();
    expect(await waits()).toEqual([[], 0]);
    const own = await addExam(db, { creator: people.plainTeacher.id, school: 1, name: '自己的考试' });
    await submitExamReport(db, own, students.k2[0] as number, [
      '2',
      '1',
      '1,3',
      '1-3,2-4',
      '3@@5',
      '写了',
      '1',
      '写了',
    ]);
    expect(await waits()).toEqual([['自己的考试'], 1]);
    const { id } = await db
      .insertInto('period')
      .values({
        course_id: courses.shared,
        title: '第九讲',
        sort: 9,
        start_play: noon - day,
        lecturer_id: people.plainTeacher.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await waits()).toEqual([['月考', '自己的考试'], 2]);
    await db.deleteFrom('period').where('id', '=', id).execute();
    await db.updateTable('staff').set({ can_correct: 0 }).where('id', '=', people.plainTeacher.id).execute();
  });

  it('counts grading only for people who may grade', async () => {
    const { homework, exams, drafts } = await show('plainTeacher');
    expect([homework, exams, drafts.total]).toEqual([null, null, 0]);
    expect(await counts('plainTeacher')).toMatchObject({ corrections: 0, exams: 0 });
  });

  it('lists the latest draft of each started publication until published or discarded', async () => {
    const teacher = school().as('teacher');
    const { courses } = school();
    const keep = async (key: string, name: string, in_place = 1) =>
      (
        await teacher.post('hw/draft', {
          form: JSON.stringify({ name }),
          key,
          name,
          course_basis_id: courses.shared,
          question_count: 2,
          address: '/homework/publish?course_id=7',
          in_place,
        })
      ).body.data.id;
    const drafts = async (name = 'teacher') => (await show(name as 'teacher')).drafts;
    const first = await keep('one', '第一次');
    school().setNow(noon + 1);
    const second = await keep('two', '第二次', 0);
    school().setNow(noon + 2);
    expect(await keep('one', '第一次，改过')).toBe(first);
    const address = '/homework/publish?course_id=7';
    const facts = { course_title: '高一数学', question_count: 2, address };
    const two = { id: second, key: 'two', name: '第二次', ...facts, saved_at: noon + 1 };
    expect(await drafts()).toEqual({
      total: 2,
      list: [{ id: first, key: 'one', name: '第一次，改过', ...facts, saved_at: noon + 2 }, two],
    });
    expect(await drafts('otherTeacher')).toEqual({ total: 0, list: [] });
    // Another publication keeps the drafts.
    await school().addHomework({
      name: '发布了',
      creator: 'teacher',
      classes: [school().classes.k2],
      publishTime: noon + 3,
      ending: noon + 9 * day,
    });
    await school().as('otherTeacher').post('hw/draft/drop', { key: 'one' });
    expect((await drafts()).total).toBe(2);
    expect((await teacher.post('hw/draft/drop', { key: 'one' })).body.msg).toBe('草稿已删除');
    expect(await drafts()).toEqual({ total: 1, list: [two] });
    await teacher.post('hw/draft/drop', { key: 'two' });
  });

  it("keeps a repeated draft's time", async () => {
    const teacher = school().as('teacher');
    const keep = async (form: string, in_place: 0 | 1) =>
      (await teacher.post('hw/draft', { form, key: 'same', name: '同一份', question_count: 1, in_place })).body.data.id;
    const listDrafts = async () =>
      (await show('teacher')).drafts.list.map(({ id, saved_at }: { id: number; saved_at: number }) => [id, saved_at]);
    school().setNow(noon + 10);
    const back = await keep('甲', 0);
    school().setNow(noon + 20);
    expect(await keep('甲', 0)).toBe(back);
    expect(await listDrafts()).toEqual([[back, noon + 10]]);
    const inPlace = await keep('甲', 1);
    expect(await keep('甲', 1)).toBe(inPlace);
    expect(await listDrafts()).toEqual([[inPlace, noon + 10]]);
    expect(await keep('乙', 1)).toBe(inPlace);
    expect(await listDrafts()).toEqual([[inPlace, noon + 20]]);
    // A draft reached through the browser's history keeps its content.
    school().setNow(noon + 30);
    expect((await teacher.get(`hw/draft/${back}`)).body.data.form).toBe('甲');
    expect(await keep('甲', 0)).not.toBe(back);
    expect((await listDrafts())[0]?.[1]).toBe(noon + 30);
    await teacher.post('hw/draft/drop', { key: 'same' });
  });

  it('stores no empty draft, and lists no emptied one', async () => {
    const teacher = school().as('teacher');
    const keep = async (is_empty: 0 | 1, in_place: 0 | 1) =>
      (await teacher.post('hw/draft', { form: `${is_empty}`, key: 'emptied', is_empty, in_place })).body.data.id;
    const total = async () => (await show('teacher')).drafts.total;
    expect([await keep(1, 0), await keep(1, 1)]).toEqual([null, null]);
    const id = await keep(0, 1);
    expect(await total()).toBe(1);
    school().setNow(noon + 40);
    expect(await keep(1, 1)).toBe(id);
    expect(await total()).toBe(0);
    school().setNow(noon + 50);
    expect(await keep(0, 1)).toBe(id);
    expect(await total()).toBe(1);
    await teacher.post('hw/draft/drop', { key: 'emptied' });
  });

  it("hides titles of courses that the draft's owner no longer sees", async () => {
    const teacher = school().as('teacher');
    await teacher.post('hw/draft', { form: '{}', key: 'theirs', course_basis_id: school().courses.theirs });
    expect((await show('teacher')).drafts.list[0]).toMatchObject({ course_title: '', question_count: 0 });
    await teacher.post('hw/draft/drop', { key: 'theirs' });
  });

  it("shows others' posts, and comments on own ones", async () => {
    const { database, classes, people, students } = school();
    const { db } = database;
    const { id: group_id } = await db
      .insertInto('community_group')
      .values({ name: '一班', class_id: classes.k2, group_type: 1, school_id: 1, created_at: noon - day })
      .returning('id')
      .executeTakeFirstOrThrow();
    const none = { deleted_at: null, deleted_by: null };
    const post = (
      author: { user_type: 1 | 2; student_id: number | null; staff_id: number | null },
      content: string,
      at: number,
    ) =>
      db
        .insertInto('community_post')
        .values({ ...author, ...none, group_id, content, created_at: at })
        .returning('id')
        .executeTakeFirstOrThrow();
    const student = { user_type: 1 as const, student_id: students.k2[0] as number, staff_id: null };
    await post(student, '早已说过', noon - 3 * day);
    await post(student, '第三题怎么做', noon - hour);
    const own = await post(
      { user_type: 2, staff_id: people.teacher.id, student_id: null },
      '大家加油',
      noon - 2 * hour,
    );
    await db
      .insertInto('community_comment')
      .values({ ...student, post_id: own.id, content: '谢谢老师', created_at: noon - 60 })
      .execute();
    const news = (await show('teacher')).news as { content: string; is_comment: number; class_id: number }[];
    expect(news.map(({ content, is_comment }) => [content, is_comment])).toEqual([
      ['谢谢老师', 1],
      ['第三题怎么做', 0],
    ]);
    expect(news[0]).toMatchObject({ class_id: classes.k2, nickname: '学生二班1', post_id: own.id });
  });

  it('runs at most twelve queries besides the sign-in', async () => {
    const { queries } = await school().costOf(() => school().as('teacher').get('workbench'));
    expect(queries).toBeLessThanOrEqual(1 + 12);
  });

  describe('lessons waiting for roll call', () => {
    const rolls = async (name: 'teacher' | 'assist' | 'otherTeacher' | 'otherAssist') => {
      const { total, list } = (await show(name)).rolls;
      return [total, list.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`)];
    };

    it('are started face-to-face lessons without a mark, the latest first', async () => {
      const { classes, students } = school();
      const { periods } = await addLessons(school(), {
        type: 7,
        classes: [classes.k2],
        starts: [noon + hour, noon + 2 * hour, noon + 4 * hour],
        title: '线下课',
      });
      const team = await addTeam(school(), { name: '线下团课' });
      const held = await addLesson(school(), { team, start: noon - day, mode: 2 });
      await addLesson(school(), { team, start: noon - day, mode: 1 });
      await addLesson(school(), { team, start: noon - 31 * day, mode: 2 });
      await addLesson(school(), { team, start: noon + day, mode: 2 });
      await addLesson(school(), { team, start: noon - day, mode: 2, isCancelled: true });
      const empty = await addTeam(school(), { name: '还没有人', size: 0 });
      await addLesson(school(), { team: empty, start: noon - day, mode: 2 });
      await addLesson(school(), { team: await addTeam(school(), { assistant: null }), start: noon - day, mode: 2 });

      // Leave does not count as a roll call.
      const [one] = students.k2;
      await record(school(), { classId: classes.k2, studentId: one as number, periodId: periods[0] as number }, 2);
      school().setNow(noon + 3 * hour);
      const all = [`period ${periods[1]}`, `period ${periods[0]}`, `session ${held}`];
      expect(await rolls('assist')).toEqual([3, all]);
      expect(await rolls('otherAssist')).toEqual([0, []]);
      expect((await rolls('teacher'))[1]).toContain(`session ${held}`);

      await record(school(), { classId: classes.k2, studentId: one as number, periodId: periods[0] as number }, 5);
      const set = { class_id: String(team.id), times_id: String(held), clue_id: String(team.students[0]), type: '4' };
      const path = `teamClass/classTime/student/setAttendance?${new URLSearchParams(set)}`;
      expect((await school().as('assist').post(path)).status).toBe(200);
      expect(await rolls('assist')).toEqual([1, [`period ${periods[1]}`]]);
    });

    it('exclude lessons with every student on leave', async () => {
      const { classes } = school();
      const { periods } = await addLessons(school(), {
        type: 7,
        classes: [classes.k2],
        starts: [noon],
        title: '线下课',
      });
      const period = periods[0] as number;
      const team = await addTeam(school(), { name: '都请假的团课' });
      const lesson = await addLesson(school(), { team, start: noon, mode: 2 });
      school().setNow(noon + hour);
      const all = [2, [`period ${period}`, `session ${lesson}`]];
      expect(await rolls('assist')).toEqual(all);

      const { body } = await school().as('assist').get(`attendance/rollcall/${period}?class_id=${classes.k2}`);
      const [last, ...others] = body.data.students.map(({ uid }: { uid: number }) => uid);
      for (const studentId of others) await record(school(), { classId: classes.k2, studentId, periodId: period }, 2);
      await record(school(), { classId: classes.k2, studentId: last, periodId: period }, 1);
      const leave = async (student: number) => {
        const set = { class_id: String(team.id), times_id: String(lesson), clue_id: String(student), type: '1' };
        const path = `teamClass/classTime/student/setAttendance?${new URLSearchParams(set)}`;
        expect((await school().as('assist').post(path)).status).toBe(200);
      };
      for (const student of team.students.slice(1)) await leave(student);
      expect(await rolls('assist')).toEqual(all);

      await record(school(), { classId: classes.k2, studentId: last, periodId: period }, 2);
      expect(await rolls('assist')).toEqual([1, [`session ${lesson}`]]);
      await leave(team.students[0] as number);
      expect(await rolls('assist')).toEqual([0, []]);
    });

    it('cost a constant number of queries', async () => {
      const team = await addTeam(school(), { name: '很多线下课' });
      const more = async (count: number) => {
        for (let at = 0; at < count; at += 1) await addLesson(school(), { team, start: noon - day - at * 60, mode: 2 });
        return school().costOf(() => school().as('assist').get('workbench'));
      };
      expect(await more(20)).toEqual(await more(6));
      expect((await show('assist')).rolls.total).toBeGreaterThanOrEqual(26);
    });
  });
});
