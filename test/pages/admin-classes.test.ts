/** Administrators' screens without client JS: all types of classes, and lessons. */
import { describe, expect } from 'vitest';
import { formOf } from '../support/app.ts';
import { noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

type Fields = [string, string][];
const withFields = (fields: Fields, more: Record<string, string>): Fields => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

describe('classes', () => {
  it('are added with staff and courses, without losing typed text', async ({ school, admin }) => {
    const { teacher, assist } = school.people;
    const address = '/admin/classes/add';
    const form = formOf(await admin.get(address), '添加班级');
    const more = { name: '', valid_type: '2', head_ids_1: String(teacher.id), assistant_ids_1: String(assist.id) };
    const wrong = await admin.post(address, withFields(form.fields, { ...more, grade_id: '1' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('名称不能为空')]);
    expect(wrong.text).toContain('请选择有效期的最后一天');
    const chosen = wrong.document.querySelector('[name=head_ids_1] option[selected]');
    expect(chosen?.getAttribute('value')).toBe(String(teacher.id));
    const right = withFields(formOf(wrong, '添加班级').fields, {
      name: '高一实验班',
      valid_day: '2027-07-01',
      course_ids_1: String(school.courses.shared),
    });
    const added = await admin.follow(await admin.post(address, right));
    expect(added.text).toContain('添加成功');
    expect(added.text).toContain('高一实验班 进行中');
    const list = await admin.get('/admin/classes?name=shiyan');
    expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
    expect(list.text).toContain('姓名teacher');
  });

  it('have their terms on the form', async ({ school, admin }) => {
    const term = await school.database.db
      .insertInto('term')
      .values({ name: '表单学期', type: 'term', parent_id: null, first_day: '2026-09-01', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const address = `/admin/classes/edit?id=${school.classes.k1}`;
    const form = formOf(await admin.get(address), '保存');
    const saved = await admin.follow(await admin.post(address, [...form.fields, ['term_ids', String(term.id)]]));
    expect(saved.text).toContain('学期表单学期');
    expect(new Map(formOf(await admin.get(address), '保存').fields).get('term_ids')).toBe(String(term.id));
    const without = formOf(await admin.get(address), '保存').fields.filter(([name]) => name !== 'term_ids');
    expect((await admin.follow(await admin.post(address, without))).text).toContain('学期未设置');
  });

  it('name the consequences before a course is removed', async ({ school, admin }) => {
    const { k2 } = school.classes;
    await school.addHomework({ creator: 'teacher', classes: [k2] });
    const address = `/admin/classes/detail?id=${k2}&tab=courses`;
    const { fields } = formOf(await admin.get(address), '保存');
    const without = fields.filter(([name, value]) => name !== 'course_ids' || value !== String(school.courses.shared));
    expect(without.length).toBe(fields.length - 1);
    const told = await admin.post(address, without);
    expect([told.status, told.text]).toEqual([409, expect.stringContaining('4名学员，1个未截止的作业')]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('保存成功');
    expect(saved.text).not.toContain('高一数学（');
  });

  it('show staff, groups with students, a large class and a history', async ({ school, admin }) => {
    const { k1 } = school.classes;
    const here = `/admin/classes/detail?id=${k1}`;
    const staff = formOf(await admin.get(`${here}&tab=staff`), '保存');
    const headed = withFields(staff.fields, { head_ids_1: String(school.people.plainTeacher.id) });
    const saved = await admin.follow(await admin.post(`${here}&tab=staff`, headed));
    expect(saved.document.querySelector('[name=head_ids]')?.getAttribute('value')).toBe(
      String(school.people.plainTeacher.id),
    );
    const dialog = `/admin/classes/detail/groups/add?id=${k1}&tab=groups`;
    const group = formOf(await admin.get(dialog), '添加');
    const added = await admin.follow(
      await admin.post(
        dialog,
        withFields(group.fields, { group_name: '一组', course_id: String(school.courses.shared) }),
      ),
    );
    expect(added.text).toContain('一组（0人）');
    const [student] = school.students.k1 as [number];
    const { fields } = formOf(added, '移动');
    const { id } = await school.database.db.selectFrom('class_group').select('id').executeTakeFirstOrThrow();
    const place = withFields(fields, { student_ids: String(student), group_id: String(id) });
    const moved = await admin.follow(await admin.post(`${here}&tab=groups`, place));
    expect(moved.text).toContain('一组（1人）');
    const large = formOf(await admin.get('/admin/classes/large/add'), '添加');
    const named = await admin.follow(
      await admin.post('/admin/classes/large/add', withFields(large.fields, { name: '高一大班' })),
    );
    expect(named.text).toContain('高一大班');
    const history = await admin.get(`${here}&tab=history`);
    expect(history.text).toContain('修改班主任与助教');
  });

  it('end, reopen, and are deleted without records', async ({ school, admin }) => {
    const { k4 } = school.classes;
    const end = `/admin/classes/detail/end?id=${k4}`;
    const asked = await admin.get(end);
    expect(asked.text).toContain('6名学员');
    const ended = await admin.follow(await admin.post(end, formOf(asked, '确定结束').fields));
    expect(ended.text).toContain('已结束');
    const reopen = `/admin/classes/detail/reopen?id=${k4}`;
    const open = await admin.follow(await admin.post(reopen, formOf(await admin.get(reopen), '确定恢复').fields));
    expect(open.text).toContain('进行中');
    const remove = await admin.get(`/admin/classes/detail/remove?id=${k4}`);
    expect([remove.status, remove.text]).toEqual([409, expect.stringContaining('6名学员')]);
    const { db } = school.database;
    const { id } = await db
      .insertInto('class')
      .values({ name: '空班', school_id: 1, grade_id: null, classify_id: null, large_class_id: null, created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow();
    const empty = `/admin/classes/detail/remove?id=${id}`;
    const removed = await admin.follow(await admin.post(empty, formOf(await admin.get(empty), '确定删除').fields));
    expect(removed.text).toContain('删除成功');
  });

  it("require the administrator's permission", async ({ school, admin, teacher, assist }) => {
    const addresses = [
      '/admin/classes',
      '/admin/classes/add',
      `/admin/classes/edit?id=${school.classes.k1}`,
      `/admin/classes/detail?id=${school.classes.k1}`,
      '/admin/classes/large',
      '/admin/group-classes',
      '/admin/group-classes/add',
      '/admin/lessons',
      '/admin/lessons/add',
      '/admin/lessons/cancel?pick=1',
    ];
    for (const visitor of [teacher, assist])
      for (const address of addresses) expect([address, (await visitor.get(address)).status]).toEqual([address, 403]);
    for (const address of addresses) expect([address, (await admin.get(address)).status]).toEqual([address, 200]);
    const { db } = school.database;
    const permit = (can_teaching: 0 | 1) =>
      db.updateTable('staff').set({ can_teaching }).where('id', '=', school.people.admin.id).execute();
    await permit(0);
    try {
      for (const address of addresses) expect([address, (await admin.get(address)).status]).toEqual([address, 403]);
    } finally {
      await permit(1);
    }
    expect((await admin.get('/admin/classes/detail?id=99999')).status).toBe(404);
  });
});

describe('group classes and lessons', () => {
  it('are added and planned as a series after a preview', async ({ school, admin, assist, teacher }) => {
    const address = '/admin/group-classes/add?class_type=3';
    const form = formOf(await admin.get(address), '添加团课班级');
    const team = withFields(form.fields, {
      name: '物理小班',
      lecturer_id: String(school.people.teacher.id),
      assistant_ids_1: String(school.people.assist.id),
      course_ids_1: String(school.courses.shared),
    });
    const added = await admin.follow(await admin.post(address, team));
    expect(added.text).toContain('添加成功');
    const id = new URL(added.location ?? '', 'http://screen').searchParams.get('id') ?? '';
    const { id: classId } = await school.database.db
      .selectFrom('class')
      .select('id')
      .where('name', '=', '物理小班')
      .executeTakeFirstOrThrow();
    expect(id === '' || id === String(classId)).toBe(true);
    expect((await assist.get('/curriculum')).text).toContain('物理小班');

    const plan = `/admin/lessons/add?class_id=${classId}`;
    const page = await admin.get(plan);
    const lessons = withFields(formOf(page, '预览').fields, {
      first_day: '2026-11-23',
      weekdays: '1',
      count: '2',
      start: '19:00',
      end: '20:00',
    });
    const looked = await admin.post(plan, lessons);
    expect(looked.text).toContain('将排2节课');
    expect(looked.text).toContain('2026-11-30');
    const again = formOf(looked, '保存排课');
    const saved = await admin.follow(await admin.post(plan, again.fields));
    expect(saved.text).toContain('已排2节课');
    expect(saved.document.querySelectorAll('tbody tr')).toHaveLength(2);
    expect((await teacher.get('/sessions?view=list')).text).toContain('物理小班');

    // The same time again clashes for lecturer and class.
    const clash = await admin.post(plan, withFields(formOf(page, '保存排课').fields, Object.fromEntries(lessons)));
    expect(clash.text).toContain('时间冲突');
  });

  it('are cancelled in bulk with a reason', async ({ school, admin }) => {
    const { db } = school.database;
    const rows = await db.selectFrom('class_session').select('id').orderBy('id').execute();
    const address = `/admin/lessons/cancel?${rows.map(({ id }) => `pick=${id}`).join('&')}`;
    const page = await admin.get(address);
    expect(page.text).toContain(`已选${rows.length}节课`);
    const { fields } = formOf(page, '确定取消课次');
    const none = await admin.post(address, fields);
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('请填写取消原因')]);
    const told = await admin.post(address, withFields(fields, { reason: '教室维修' }));
    expect([told.status, told.text]).toEqual([409, expect.stringContaining(`将取消${rows.length}节课`)]);
    const done = await admin.follow(await admin.post(address, formOf(told, '确定取消课次').fields));
    expect(done.text).toContain('课次已取消');
    const list = await admin.get('/admin/lessons?status=4');
    expect(list.text).toContain('教室维修');
  });
});
