import { beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

onBothEngines('order of classes to choose from', (school) => {
  const db = () => school().database.db;
  const ordered = ['初三(1)班', '高一（2）班', '高一(10)班', '高二(1)班', '无年级3班'];
  const theirs = (classes: readonly { id: number; name: string }[]) =>
    classes
      .map(({ name }) => name.replace(/（[^）]*(?:学校|网校|分校)）$/, ''))
      .filter((name) => ordered.includes(name));
  let own: number;
  let ids: Record<string, number>;

  beforeAll(async () => {
    const { courses, classes, people } = school();
    own = (await db().selectFrom('class').select('school_id').where('id', '=', classes.k1).executeTakeFirstOrThrow())
      .school_id;
    // The grades' ids have another order than their places.
    const grades: Record<string, number> = {};
    for (const [name, sort] of [
      ['高二', 93],
      ['高一', 92],
      ['初三', 91],
    ] as const)
      grades[name] = (
        await db().insertInto('grade').values({ name, sort }).returning('id').executeTakeFirstOrThrow()
      ).id;
    ids = {};
    for (const name of ['高一(10)班', '无年级3班', '高二(1)班', '高一（2）班', '初三(1)班']) {
      const grade_id = grades[name.slice(0, 2)] ?? null;
      const { id } = await db()
        .insertInto('class')
        .values({ name, school_id: own, grade_id, class_type: 0, valid_type: 1, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      ids[name] = id;
      await db().insertInto('class_course').values({ class_id: id, course_id: courses.shared }).execute();
      await db()
        .insertInto('class_staff')
        .values({ class_id: id, staff_id: people.teacher.id, duty: 'head' })
        .execute();
    }
  });

  it('is by grade, then by name with numbers compared as numbers, in choices of administrators', async () => {
    const admin = school().as('admin');
    expect(theirs((await admin.get('exams/choices')).body.data.classes)).toEqual(ordered);
    const timetable = (await admin.get(`import/timetable?school_id=${own}`)).body.data;
    const targets: { class_id?: number }[] = timetable.targets;
    const byId = new Map(Object.entries(ids).map(([name, id]) => [id, { id, name }]));
    expect(theirs(targets.flatMap(({ class_id }) => byId.get(class_id ?? 0) ?? []))).toEqual(ordered);
    expect(theirs((await admin.get(`import/roll-over?school_id=${own}`)).body.data.classes)).toEqual(ordered);
    const circle = await admin.post('circles', { name: '同学圈', school_id: own });
    expect(theirs((await admin.get(`circles/${circle.body.data.id}`)).body.data.classes)).toEqual(ordered);
  });

  it('is the same in choices of lecturers', async () => {
    const teacher = school().as('teacher');
    expect(theirs((await teacher.get('test/list')).body.extra.class_list)).toEqual(ordered);
    const scope = `course_basis_id=${school().courses.shared}&publish_scope=3`;
    expect(theirs((await teacher.get(`hw/publish/classes?${scope}`)).body.data)).toEqual(ordered);
  });

  it('is the same among the classes of an exam', async () => {
    const fields = { name: '月考', pass_score: '0', school_ids: [own], start_at: noon, end_at: noon + day };
    const body = { ...fields, introduce: '', limit_minutes: '', attempts: '', class_ids: Object.values(ids) };
    const { id } = (await school().as('admin').post('exams', body)).body.data;
    expect(theirs((await school().as('admin').get(`exams/${id}`)).body.data.classes)).toEqual(ordered);
  });
});
