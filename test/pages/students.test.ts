/** Students and enrolment without client JS. */
import { describe, expect } from 'vitest';
import { formOf } from '../support/app.ts';
import { noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

describe('students', () => {
  it('are added without losing typed text', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/students/add'), '添加学员');
    const wrong = await admin.post(
      '/admin/students/add',
      withFields(form.fields, { nickname: '韩梅梅', mobile: '12', number: 'P-01' }),
    );
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请输入11位手机号')]);
    expect(wrong.document.querySelector('#nickname')?.getAttribute('value')).toBe('韩梅梅');
    const right = withFields(formOf(wrong, '添加学员').fields, { mobile: '13800009991' });
    const added = await admin.follow(await admin.post('/admin/students/add', right));
    expect(added.text).toContain('添加成功');
    expect(added.text).toContain('韩梅梅 在用');
    expect(added.text).toContain('没有加入过班级');
    const twin = formOf(await admin.get('/admin/students/add'), '添加学员');
    const told = await admin.post(
      '/admin/students/add',
      withFields(twin.fields, { nickname: '韩双双', mobile: '13800009991' }),
    );
    expect([told.status, told.text]).toEqual([
      409,
      expect.stringContaining('手机号与韩梅梅（P-01，总校）相同。确认无误请再次提交。'),
    ]);
    const again = await admin.follow(await admin.post('/admin/students/add', formOf(told, '添加学员').fields));
    expect(again.text).toContain('韩双双 在用');
    const list = await admin.get('/admin/students?name=hmm&sort_field=number&sort=desc');
    expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
    expect((await admin.get('/admin/students?name=没有这样的人')).text).toContain('没有符合条件的学员，清除筛选');
  });

  it('are edited by two, with a conflict shown', async ({ school, admin }) => {
    const id = school.students.k2[0];
    const address = `/admin/students/edit?id=${id}`;
    const theirs = formOf(await admin.get(address), '保存');
    const mine = formOf(await admin.get(address), '保存');
    await admin.post(address, withFields(theirs.fields, { number: 'T-1' }));
    const told = await admin.post(address, withFields(mine.fields, { number: 'T-2' }));
    expect([told.status, told.text]).toEqual([409, expect.stringContaining('学号现在是“T-1”，您填写的是“T-2”')]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('保存成功');
    expect(saved.text).toContain('T-2');
  });

  it('have everything on one page, each part complete', async ({ school, admin }) => {
    const id = school.students.k1[0];
    for (let at = 0; at < 6; at += 1) {
      await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], name: `周测${at}` });
    }
    const page = await admin.get(`/admin/students/detail?id=${id}`);
    const parts = [...page.document.querySelectorAll('main section h2')].map((heading) => heading.textContent);
    expect(parts).toEqual(['班级', '作业', '考试', '考勤', '请假', '沟通', '操作记录']);
    expect(page.text).toContain('全部作业（6）');
    const whole = await admin.get(`/admin/students/detail?id=${id}&tab=homework`);
    expect(whole.document.querySelectorAll('tbody tr')).toHaveLength(6);
    expect((await admin.get(`/admin/students/detail?id=${id}&tab=history`)).text).toContain('查看');
    for (const tab of ['classes', 'exams', 'attendance', 'leave', 'communication'])
      expect((await admin.get(`/admin/students/detail?id=${id}&tab=${tab}`)).status).toBe(200);
  });

  it('are disabled after naming the classes they leave, and restored', async ({ school, admin }) => {
    const id = school.students.k3[2];
    const address = `/admin/students/detail/disable?id=${id}`;
    const asked = await admin.get(address);
    expect(asked.text).toContain('将离开1个班级');
    const done = await admin.follow(await admin.post(address, formOf(asked, '确定停用').fields));
    expect(done.text).toContain('已停用');
    expect((await admin.get(address)).status).toBe(409);
    const back = `/admin/students/detail/enable?id=${id}`;
    const enabled = await admin.follow(await admin.post(back, formOf(await admin.get(back), '确定恢复').fields));
    expect(enabled.text).toContain('已恢复');
  });

  it('are deleted without records', async ({ school, admin }) => {
    const { db } = school.database;
    const own = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
    const { id } = await db
      .insertInto('student')
      .values({ nickname: '误加', school_id: own.id, created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow();
    const address = `/admin/students/detail/delete?id=${id}`;
    const gone = await admin.follow(await admin.post(address, formOf(await admin.get(address), '确定删除').fields));
    expect(gone.text).toContain('已删除');
    const page = await admin.get(`/admin/students/detail?id=${id}`);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('学员不存在')]);
    const kept = await admin.get(`/admin/students/detail/delete?id=${school.students.k4[0]}`);
    expect([kept.status, kept.text]).toEqual([409, expect.stringContaining('该学员有记录，不能删除，只能停用')]);
  });

  it('join a class together with its open homework, and leave it', async ({ school, admin }) => {
    const { k3, k4 } = school.classes;
    await school.addHomework({ creator: 'teacher', classes: [k4], name: '期中练习' });
    const [one, two] = school.students.k3.slice(3);
    const picking = `/admin/students/pick?class_id=${k4}&back=${encodeURIComponent(`/admin/students/class?id=${k4}`)}`;
    const page = await admin.get(picking);
    expect(page.text).toContain('选择加入四班的学员');
    const nobody = await admin.post(picking, {});
    expect([nobody.status, nobody.text]).toEqual([422, expect.stringContaining('请选择学员')]);
    const asked = await admin.follow(await admin.post(picking, { pick: [String(one), String(two)] }));
    expect(asked.text).toContain('已在三班学习“高一数学”');
    expect(asked.text).toContain('同时布置班级未截止的1个作业给他们');
    const address = `/admin/students/class/join?id=${k4}&ids=${one},${two}&back=/admin/students/class?id=${k4}`;
    const joined = await admin.follow(await admin.post(address, formOf(asked, '确定加入').fields));
    expect(joined.text).toContain('添加成功');
    expect(joined.document.querySelectorAll('tbody input[name=ids]')).toHaveLength(school.students.k4.length + 2);
    const given = await school.database.db
      .selectFrom('report')
      .select('id')
      .where('class_id', '=', k4)
      .where('student_id', 'in', [one as number, two as number])
      .execute();
    expect(given).toHaveLength(2);
    const leaving = `/admin/students/class/leave?id=${k4}&ids=${one}&ids=${two}`;
    const going = await admin.get(leaving);
    expect(going.text).toContain('2名学员离开四班：1个未完成作业');
    const wrong = await admin.post(
      leaving,
      withFields(formOf(going, '确定离开').fields, { day: '2026-11-25', reason: '分班调整' }),
    );
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('离开日期不能晚于今天')]);
    expect(wrong.document.querySelector('#reason')?.getAttribute('value')).toBe('分班调整');
    const gone = await admin.follow(
      await admin.post(leaving, withFields(formOf(wrong, '确定离开').fields, { day: '', acknowledged: '' })),
    );
    expect(gone.status).toBe(409);
    const left = await admin.follow(await admin.post(leaving, formOf(gone, '确定离开').fields));
    expect(left.text).toContain('已离开班级');
    expect(left.text).toContain('分班调整');
    const back = await admin.get(`/admin/students/class/join?id=${k4}&ids=${one}`);
    expect(back.text).toContain('四班');
    // The other way round: students are chosen first, then the class.
    const chosen = await admin.follow(await admin.post('/admin/students/pick', { pick: String(one) }));
    expect(chosen.text).toContain('为1名学员选择班级');
    expect(chosen.html).toContain(`/admin/students/class/join?id=${k3}`);
  });

  it('requires the permission 管理人员 for every screen of students', async ({ school, admin, teacher, assist }) => {
    const id = school.students.k1[0];
    const addresses = [
      '/admin/students',
      '/admin/students/add',
      `/admin/students/edit?id=${id}`,
      `/admin/students/detail?id=${id}`,
      '/admin/students/pick',
      `/admin/students/join?ids=${id}`,
      `/admin/students/class?id=${school.classes.k1}`,
      `/admin/students/class/join?id=${school.classes.k4}&ids=${id}`,
      `/admin/students/class/leave?id=${school.classes.k1}&ids=${id}`,
    ];
    const { db } = school.database;
    const permit = (can_people: 0 | 1) =>
      db.updateTable('staff').set({ can_people }).where('id', '=', school.people.admin.id).execute();
    for (const address of addresses) expect([address, (await admin.get(address)).status]).toEqual([address, 200]);
    await permit(0);
    try {
      for (const visitor of [teacher, assist, admin]) {
        for (const address of addresses) {
          const page = await visitor.get(address);
          expect([address, page.status]).toEqual([address, 403]);
        }
      }
    } finally {
      await permit(1);
    }
    for (const address of ['/admin/students/edit?id=99999', '/admin/students/detail', '/admin/students/class?id=x'])
      expect((await admin.get(address)).status).toBe(404);
  });
});
