import { beforeAll, describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

type Name = keyof TestSchool['people'];

onBothEngines('state-school classes', (school) => {
  const names = async (person: Name, search = '') =>
    (await school().as(person).get(`stateschoolclass${search}`)).body.data.list.map(
      (klass: { name: string }) => klass.name,
    );

  beforeAll(async () => {
    const { db } = school().database;
    const { classes, people } = school();
    const { id: large } = await db
      .insertInto('large_class')
      .values({ school_id: 1, name: '大班甲' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('class')
      .set({ large_class_id: large, grade_id: 1, classify_id: 2 })
      .where('id', 'in', [classes.k1, classes.k3])
      .execute();
    await db
      .updateTable('class')
      .set({ valid_type: 2, valid_time: noon - day, group_hidden: 2 })
      .where('id', '=', classes.k2)
      .execute();
    await db
      .insertInto('class_staff')
      .values([
        { class_id: classes.k1, staff_id: people.teacher.id, duty: 'head' },
        { class_id: classes.k4, staff_id: people.plainTeacher.id, duty: 'head' },
      ])
      .execute();
    // A group class of the same course and assistant is no state-school class.
    const { id: group } = await db
      .insertInto('class')
      .values({
        ...{ name: '团课班', school_id: 1, grade_id: null, classify_id: null, large_class_id: null },
        ...{ class_type: 3, created_at: noon },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('class_course').values({ class_id: group, course_id: school().courses.shared }).execute();
    await db
      .insertInto('class_staff')
      .values([
        { class_id: group, staff_id: people.assist.id, duty: 'assistant' },
        { class_id: group, staff_id: people.teacher.id, duty: 'head' },
      ])
      .execute();
  });

  describe('who sees which', () => {
    it('shows a lecturer the classes of their courses and those whose head they are', async () => {
      expect(await names('teacher')).toEqual(['四班', '三班', '二班', '一班']);
      expect(await names('teacher', '?only_mine=1')).toEqual(['一班']);
      expect(await names('plainTeacher')).toEqual(['四班']);
    });

    it('shows an assistant the classes that they assist', async () => {
      expect(await names('assist')).toEqual(['二班', '一班']);
      expect(await names('otherAssist')).toEqual(['三班']);
      // The box is the lecturers'; an assistant is head of none.
      expect(await names('assist', '?only_mine=1')).toEqual([]);
    });

    it.each<[Name, 'k1' | 'k2' | 'k3' | 'k4', number]>([
      ['teacher', 'k4', 200],
      ['plainTeacher', 'k4', 200],
      ['plainTeacher', 'k1', 404],
      ['assist', 'k1', 200],
      ['assist', 'k3', 404],
      ['otherAssist', 'k3', 200],
      ['otherAssist', 'k4', 404],
    ])('answers %s about %s with %i', async (person, klass, status) => {
      const { body } = await school().as(person).get(`stateschoolclass/${school().classes[klass]}`);
      expect(body.code).toBe(status);
      if (status === 404) expect(body.msg).toBe('班级不存在');
    });

    it('answers 404 for what is no class', async () => {
      for (const id of ['0', 'abc', '999999', '99999999999']) {
        expect((await school().as('teacher').get(`stateschoolclass/${id}`)).status).toBe(404);
      }
    });
  });

  it('lists a class with its students of today, its large class and its valid time', async () => {
    const { list, total, page, limit } = (await school().as('assist').get('stateschoolclass')).body.data;
    expect({ total, page, limit }).toEqual({ total: 2, page: 1, limit: 20 });
    expect(list[0]).toMatchObject({
      name: '二班',
      students_count: 4,
      is_processing: 0,
      valid_type: 2,
      large_class_id: 0,
    });
    // One of its three students has left.
    expect(list[1]).toMatchObject({
      ...{ name: '一班', students_count: 2, is_processing: 1, valid_type: 1, valid_time: 0 },
      ...{ grade_name: 'grade甲', classify_name: 'classify乙', large_class_name: '大班甲', schedule_image: '' },
    });
  });

  it('filters by name, grade and classification, and drops nonsense', async () => {
    expect(await names('teacher', `?name=${encodeURIComponent('三')}`)).toEqual(['三班']);
    expect(await names('teacher', '?grade_id=1&classify_id=2')).toEqual(['三班', '一班']);
    expect(await names('teacher', '?grade_id=2')).toEqual([]);
    expect(await names('teacher', '?grade_id=x&classify_id=-1&page=0&limit=2')).toEqual(['四班', '三班']);
  });

  it('names the large classes of the classes that one sees', async () => {
    expect((await school().as('assist').get('stateschoolclass/large/list')).body.data).toEqual([
      { id: expect.any(Number), name: '大班甲' },
    ]);
    expect((await school().as('plainTeacher').get('stateschoolclass/large/list')).body.data).toEqual([]);
  });

  it('tells of a class who leads and who teaches it', async () => {
    const { people, classes } = school();
    const { data } = (await school().as('teacher').get(`stateschoolclass/${classes.k1}`)).body;
    expect(data).toMatchObject({
      ...{ class_name: '一班', students_count: 2, courses_count: 2, group_hidden: 1, is_header_teacher: 1 },
      head_teachers: [{ id: people.teacher.id, real_name: '姓名teacher' }],
      teachers: [{ real_name: '姓名teacher' }, { real_name: '姓名teacher2' }],
    });
    const other = (await school().as('otherTeacher').get(`stateschoolclass/${classes.k2}`)).body.data;
    expect(other).toMatchObject({ group_hidden: 2, is_header_teacher: 0, valid_type: 2, valid_time: noon - day });
  });
});
