import { beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

onBothEngines('the homework list', (school) => {
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    const { addHomework, submit, classes, courses, periods, students } = school();
    const { k1, k2, k3, k4 } = classes;
    ids.mine = await addHomework({
      name: '我的作业100%',
      creator: 'teacher',
      classes: [k1, k3],
      publishTime: noon - 3 * day,
    });
    ids.periodMine = await addHomework({
      name: '课时作业_甲',
      creator: 'otherTeacher',
      period: periods.mine,
      classes: [k2],
      ending: noon - day,
    });
    ids.courseOther = await addHomework({
      name: '同课程作业',
      creator: 'otherTeacher',
      period: periods.theirsInShared,
      classes: [k2, k3],
    });
    ids.theirs = await addHomework({
      name: '别人的作业',
      creator: 'otherTeacher',
      course: courses.theirs,
      classes: [k3],
    });
    ids.nobodys = await addHomework({
      name: '无人班级作业',
      creator: 'otherTeacher',
      course: courses.theirs,
      classes: [k4],
    });
    ids.partly = await addHomework({
      name: "部分'发布",
      creator: 'assist',
      classes: [k1, k2],
      published: [k1],
      publishTime: noon - 10 * day,
    });
    await submit(ids.mine, students.k1[0] as number);
    await submit(ids.mine, students.k1[1] as number, false);
    await submit(ids.mine, students.k3[1] as number);
    await submit(ids.periodMine, students.k2[0] as number);
  });

  const listNames = async (
    person: 'teacher' | 'otherTeacher' | 'assist' | 'otherAssist' | 'plainTeacher',
    search = '',
  ) => {
    const { status, body } = await school().as(person).get(`hw/index${search}`);
    expect(status).toBe(200);
    return (body.data.list as { name: string }[]).map((row) => row.name);
  };

  it('shows a lecturer published homework and that of their periods, newest first', async () => {
    expect(await listNames('teacher')).toEqual(['课时作业_甲', '我的作业100%']);
  });

  it('adds the other homework of their courses with show_other, for lecturers only', async () => {
    expect(await listNames('teacher', '?show_other=1')).toEqual([
      '同课程作业',
      '课时作业_甲',
      '我的作业100%',
      "部分'发布",
    ]);
    expect(await listNames('assist', '?show_other=1')).toEqual(await listNames('assist'));
  });

  it("shows open, ended and pending homework by the viewer's own counts", async () => {
    expect(await listNames('teacher', '?state=open')).toEqual(['我的作业100%']);
    expect(await listNames('teacher', '?state=ended')).toEqual(['课时作业_甲']);
    expect(await listNames('teacher', '?state=waiting')).toEqual(['课时作业_甲', '我的作业100%']);
    expect(await listNames('teacher', '?state=waiting&name=100')).toEqual(['我的作业100%']);
    expect(await listNames('teacher', '?state=nonsense')).toEqual(await listNames('teacher'));
    const waiting = await school().as('assist').get('hw/index?state=waiting');
    const counts = (waiting.body.data.list as { not_revised_homework_count: number }[]).map(
      (row) => row.not_revised_homework_count,
    );
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.every((count) => count > 0)).toBe(true);
    const { k1, k3 } = school().classes;
    const ofClass = async (theClass: number, search: string) =>
      (await school().as('teacher').get(`class/homework/${theClass}${search}`)).body.data.list.length as number;
    expect(await ofClass(k1, '?state=waiting')).toBe(1);
    expect(await ofClass(k3, '?state=ended')).toBe(0);
  });

  it('offers each filter value of the visible homework once', async () => {
    const names = async (person: 'teacher' | 'assist') => (await school().as(person).get('hw/names')).body.data;
    const seen = await listNames('teacher', '?show_other=1');
    const { courses, periods, publishers } = await names('teacher');
    expect(seen.length).toBeGreaterThan(courses.length);
    for (const list of [courses, periods, publishers]) expect(new Set(list).size).toBe(list.length);
    for (const course of courses) {
      expect(
        (await listNames('teacher', `?show_other=1&course_title=${encodeURIComponent(course)}`)).length,
      ).toBeGreaterThan(0);
    }
    for (const publisher of (await names('assist')).publishers) {
      expect((await listNames('assist', `?publisher_name=${encodeURIComponent(publisher)}`)).length).toBeGreaterThan(0);
    }
    const { k1, k3 } = school().classes;
    const listed = (await school().as('assist').get(`class/homework/${k1}?limit=100`)).body.data.list;
    const ofClass = (theClass: number) => school().as('assist').get(`hw/names?class_id=${theClass}`);
    const titles = new Set(listed.map(({ course_title }: { course_title: string }) => course_title));
    expect(new Set((await ofClass(k1)).body.data.courses)).toEqual(titles);
    expect((await ofClass(k3)).status).toBe(404);
  });

  it('shows an assistant the homework published to their classes', async () => {
    expect((await listNames('assist')).sort()).toEqual(
      ["部分'发布", '同课程作业', '我的作业100%', '课时作业_甲'].sort(),
    );
    expect((await listNames('otherAssist')).sort()).toEqual(['别人的作业', '同课程作业', '我的作业100%'].sort());
    expect(await listNames('plainTeacher')).toEqual([]);
  });

  it('counts all students for lecturers, and their own classes for assistants', async () => {
    const row = async (person: 'teacher' | 'assist' | 'otherAssist') =>
      (await school().as(person).get('hw/index')).body.data.list.find((one: { id: number }) => one.id === ids.mine);
    // k1 has two members after one left; k3 has five plus one of k1, who is expected once.
    expect(await row('teacher')).toMatchObject({
      homework_count: 7,
      submitted_homework_count: 3,
      not_revised_homework_count: 2,
      class_name: '一班、三班',
      is_owner: 1,
      creator_type: 1,
      teacher_name: '姓名teacher',
      assistant_name: '',
      class_count: 2,
      published_class_count: 2,
    });
    expect(await row('assist')).toMatchObject({
      homework_count: 2,
      submitted_homework_count: 2,
      not_revised_homework_count: 1,
      class_name: '一班',
      is_owner: 0,
    });
    expect(await row('otherAssist')).toMatchObject({
      homework_count: 5,
      submitted_homework_count: 1,
      not_revised_homework_count: 1,
      class_name: '三班',
    });
  });

  it.each([
    ['?name=100%25', ['我的作业100%']],
    ['?name=%25', ['我的作业100%']],
    ['?name=_', ['课时作业_甲']],
    ['?name=%E4%B8%8D%E5%AD%98%E5%9C%A8', []],
    ['?type=2', ['课时作业_甲']],
    ['?course_title=数学', ['课时作业_甲', '我的作业100%']],
    ['?periods_title=集合', ['课时作业_甲']],
    ['?publisher_name=TEACHER2', ['课时作业_甲']],
    ['?publish_start=2026-11-19', ['课时作业_甲']],
    ['?publish_start=2026-11-17&publish_end=2026-11-17', ['我的作业100%']],
    ['?publish_start=2026-11-17&publish_end=2026-11-16', ['我的作业100%']],
    ['?ending_end=2026-11-19', ['课时作业_甲']],
    ['?limit=1', ['课时作业_甲']],
    ['?limit=1&page=2', ['我的作业100%']],
    ['?page=99', ['课时作业_甲', '我的作业100%']],
    ['?sort_field=not_revised_homework_count&sort=desc', ['我的作业100%', '课时作业_甲']],
    ['?sort_field=not_revised_homework_count&sort=asc', ['课时作业_甲', '我的作业100%']],
  ])('filters by %s', async (search, expected) => {
    expect(await listNames('teacher', search)).toEqual(expected);
  });

  it.each([
    'page=-1',
    'page=abc',
    'page=1e9',
    'limit=0',
    'limit=99999999999',
    'type=9',
    'type=',
    'sort_field=password_hash&sort=asc',
    'sort=sideways',
    'publish_start=2026-02-30',
    'publish_start=yesterday',
    'course_basis_id=abc',
    'course_basis_id=99999999999999999',
    'show_other=maybe',
  ])('ignores the invalid values of ?%s', async (search) => {
    expect(await listNames('teacher', `?${search}`)).toEqual(['课时作业_甲', '我的作业100%']);
  });

  it.each([`name=${'x'.repeat(10_240)}`, "name=';drop table homework--", 'name=%F0%9F%98%80', 'name=\\', 'name=""'])(
    'searches special characters literally: ?%.30s',
    async (search) => {
      expect(await listNames('teacher', `?${search}`)).toEqual([]);
    },
  );

  it('strips NUL from the search text', async () => {
    expect(await listNames('teacher', '?name=%00100%25')).toEqual(['我的作业100%']);
  });

  it('keeps counters equal to a recount', async () => {
    const { db } = school().database;
    for (const homework of await db.selectFrom('homework').selectAll().execute()) {
      const reports = await db.selectFrom('report').selectAll().where('homework_id', '=', homework.id).execute();
      expect(homework).toMatchObject({
        homework_count: reports.length,
        submitted_homework_count: reports.filter(({ status }) => status >= 2).length,
        not_revised_homework_count: reports.filter(({ status }) => status === 2).length,
      });
    }
  });

  it('lists as many waiting reports as it counts', async () => {
    const correct = async (person: 'teacher' | 'assist' | 'otherAssist', body = {}) =>
      (await school().as(person).post('hw/correct', body)).body.data;
    const quantity = async (person: 'teacher' | 'assist' | 'otherAssist') =>
      (await school().as(person).get('hw/correct/quantity')).body.data.quantity;
    expect((await correct('teacher')).list).toHaveLength(3);
    expect((await correct('teacher', { nickname: '二班1' })).list).toMatchObject([
      { name: '课时作业_甲', nickname: '学生二班1', type: 2, periods_title: '第一讲 集合' },
    ]);
    for (const person of ['teacher', 'assist', 'otherAssist'] as const)
      expect(await quantity(person)).toBe((await correct(person)).total);
    expect(await quantity('otherAssist')).toBe(1);
  });
});

onBothEngines('recalled homework', (school) => {
  it('shows and sorts its counts as zero', async () => {
    const { classes, students, courses } = school();
    const add = (name: string, status: 1 | 2) =>
      school().addHomework({ name, creator: 'otherAssist', course: courses.theirs, classes: [classes.k3], status });
    const [open, gone] = [await add('计数甲', 1), await add('计数乙', 1)];
    for (const homework of [open, gone]) await school().submit(homework, students.k3[1] as number);
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', gone).execute();
    for (const sort of ['asc', 'desc']) {
      const { body } = await school()
        .as('otherAssist')
        .get(`hw/index?name=计数&sort_field=not_revised_homework_count&sort=${sort}`);
      const rows = body.data.list as Record<string, unknown>[];
      expect(rows.map(({ name }) => name)).toEqual(sort === 'asc' ? ['计数乙', '计数甲'] : ['计数甲', '计数乙']);
      expect(rows.find(({ name }) => name === '计数乙')).toMatchObject({
        status: 2,
        not_revised_homework_count: 0,
        submitted_homework_count: 0,
        homework_count: 0,
      });
    }
  });

  it.each(['teacher', 'assist'] as const)("has no counts in a class's list for the %s", async (who) => {
    const { classes, students } = school();
    const name = `班级计数${who}`;
    const homework = await school().addHomework({ name, creator: 'teacher', classes: [classes.k1] });
    await school().submit(homework, students.k1[0] as number);
    const counts = async () => {
      const { body } = await school().as(who).get(`class/homework/${classes.k1}?name=${name}`);
      const [row] = body.data.list;
      return [row.not_revised_homework_count, row.submitted_homework_count, row.homework_count];
    };
    expect((await counts()).every((count) => count > 0)).toBe(true);
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', homework).execute();
    expect(await counts()).toEqual([0, 0, 0]);
  });
});
