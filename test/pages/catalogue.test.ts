/** Schools, catalogues, knowledge points and circles without client JS. */
import { describe, expect } from 'vitest';
import { formOf, type Page } from '../support/app.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];
const namesIn = (page: Page) =>
  [...page.document.querySelectorAll('tbody tr td:first-child')].map((cell) =>
    [...cell.querySelectorAll('a, span')]
      .filter((one) => one.getAttribute('aria-label'))
      .reduce((text, fold) => text.replace(fold.textContent ?? '', ''), cell.textContent ?? ''),
  );

describe('catalogues', () => {
  it('have a tab each, including knowledge points', async ({ admin }) => {
    const page = await admin.get('/admin/catalogue');
    const tabs = [...page.document.querySelectorAll('nav[aria-label=基础资料] a')].map((tab) => tab.textContent);
    expect(tabs).toEqual(['年级', '分类', '科目', '知识点', '教室', '学期', '课件分类', '考试分类']);
    expect(namesIn(page)).toEqual(['grade乙', 'grade甲']);
    expect(page.document.querySelector('nav[aria-label=主导航] [aria-current]')?.textContent).toContain('基础资料');
    const points = await admin.get('/admin/points');
    expect(points.document.querySelector('nav[aria-label=基础资料] [aria-current]')?.textContent).toBe('知识点');
    expect(points.text).toContain('暂无知识点');
  });

  it('take an entry without losing typed text', async ({ admin }) => {
    const address = '/admin/catalogue/add?kind=rooms';
    const form = formOf(await admin.get(address), '添加');
    const wrong = await admin.post(address, withFields(form.fields, { name: '一'.repeat(51), seats: '四十' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('名称不能超过50个字')]);
    expect(wrong.text).toContain('座位数为0到9999的整数');
    expect(wrong.document.querySelector('#seats')?.getAttribute('value')).toBe('四十');
    const right = withFields(formOf(wrong, '添加').fields, { name: '一号教室', seats: '40' });
    const added = await admin.follow(await admin.post(address, right));
    expect(added.text).toContain('添加成功');
    expect(added.document.querySelector('tbody tr')?.textContent).toMatch(/一号教室总校40未使用在用/);
  });

  it('of terms have days, and are offered in timetable and rollover', async ({ admin }) => {
    const address = '/admin/catalogue/add?kind=terms';
    const { fields } = formOf(await admin.get(address), '添加');
    const days = { first_day: '2027-03-01', last_day: '2027-02-01' };
    const wrong = await admin.post(address, withFields(fields, { name: '春季学期', type: '', ...days }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请选择学年或学期')]);
    const right = withFields(formOf(wrong, '添加').fields, { type: 'term', last_day: '2027-07-10' });
    const added = await admin.follow(await admin.post(address, right));
    expect(added.document.querySelector('tbody tr')?.textContent).toMatch(
      /春季学期学期2027-03-01至2027-07-10未使用在用/,
    );
    const plan = await admin.get('/admin/import/timetable');
    const term = [...plan.document.querySelectorAll('select[name=term] option')].find(
      (option) => option.textContent === '春季学期',
    );
    const chosen = await admin.get(`/admin/import/timetable?term=${term?.getAttribute('value')}`);
    const shown = Object.fromEntries(formOf(chosen, '展开并检查').fields);
    expect([shown.first_day, shown.weeks]).toEqual(['2027-03-01', '19']);
    const change = await admin.get('/admin/import/roll-over');
    expect(change.document.querySelector('select[name=term_id]')?.textContent).toContain('春季学期（2027-03-01起）');
  });

  it('are sorted, archived and restored', async ({ admin }) => {
    const list = await admin.get('/admin/catalogue');
    const { fields } = formOf(list, '下移');
    const intent = list.document.querySelector('button[aria-label="下移：grade乙"]')?.getAttribute('value') ?? '';
    const moved = await admin.follow(await admin.post('/admin/catalogue', withFields(fields, { intent })));
    expect(namesIn(moved)).toEqual(['grade甲', 'grade乙']);
    const away = moved.document.querySelector('a[aria-label="停用：grade乙"]')?.getAttribute('href') ?? '';
    const asked = await admin.get(away);
    expect(asked.text).toContain('停用后不再提供选择');
    const done = await admin.follow(await admin.post(away, formOf(asked, '确定停用').fields));
    expect(namesIn(done)).toEqual(['grade甲']);
    const all = await admin.get('/admin/catalogue?all=1');
    expect(namesIn(all)).toEqual(['grade甲', 'grade乙']);
    const back = all.document.querySelector('a[aria-label="恢复：grade乙"]')?.getAttribute('href') ?? '';
    const restored = await admin.follow(await admin.post(back, formOf(await admin.get(back), '确定恢复').fields));
    expect(restored.text).toContain('已恢复');
  });

  it("name an entry's uses, and a colleague's simultaneous change", async ({ school, admin }) => {
    const { db } = school.database;
    const { id } = await db.selectFrom('grade').select('id').where('name', '=', 'grade甲').executeTakeFirstOrThrow();
    await db.updateTable('class').set({ grade_id: id }).where('id', '=', school.classes.k1).execute();
    const list = await admin.get('/admin/catalogue');
    expect(list.document.querySelector('button[aria-label="删除：grade甲"]')?.getAttribute('title')).toContain(
      '1个班级',
    );
    const refused = await admin.get(`/admin/catalogue/${id}/delete`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('正在使用，不能删除：1个班级')]);
    const address = `/admin/catalogue/${id}/edit`;
    const theirs = formOf(await admin.get(address), '保存');
    const mine = formOf(await admin.get(address), '保存');
    await admin.post(address, withFields(theirs.fields, { name: '高一' }));
    const told = await admin.post(address, withFields(mine.fields, { name: '高中一年级' }));
    expect([told.status, told.text]).toEqual([
      409,
      expect.stringContaining('名称现在是“高一”，您填写的是“高中一年级”'),
    ]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('高中一年级');
  });

  it('are closed to lecturers and assistants', async ({ teacher, assist }) => {
    for (const visitor of [teacher, assist])
      for (const address of ['/admin/catalogue', '/admin/points', '/admin/schools', '/admin/schools/add'])
        expect([address, (await visitor.get(address)).status]).toEqual([address, 403]);
  });
});

describe('knowledge points', () => {
  it('are pasted with errors by line, and expanded by address', async ({ admin }) => {
    const address = '/admin/points/many';
    const form = formOf(await admin.get(address), '添加');
    const wrong = await admin.post(address, withFields(form.fields, { lines: '代数\n    方程\n  函数' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('第3行：缩进与上面各行都对不齐')]);
    expect(wrong.document.querySelector('#lines')?.textContent).toContain('代数\n    方程\n  函数');
    const right = withFields(formOf(wrong, '添加').fields, { lines: '代数\n  方程\n    一元\n  函数\n几何' });
    const added = await admin.follow(await admin.post(address, right));
    expect(added.text).toContain('添加了5个知识点');
    expect(namesIn(added)).toEqual(['代数', '几何']);
    const unfold = added.document.querySelector('a[aria-label="展开：代数"]')?.getAttribute('href') ?? '';
    const open = await admin.get(unfold);
    expect(namesIn(open)).toEqual(['代数', '方程', '函数', '几何']);
    expect(open.document.querySelector('a[aria-label="收起：代数"]')).not.toBeNull();
    expect(namesIn(await admin.get('/admin/points?whole=1'))).toEqual(['代数', '方程', '一元', '函数', '几何']);
  });

  it('are added below another, renamed, moved and deleted', async ({ school, admin }) => {
    const { db } = school.database;
    const idOf = async (name: string) =>
      (await db.selectFrom('knowledge_point').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
    const [algebra, geometry] = [await idOf('代数'), await idOf('几何')];
    const below = `/admin/points/add?under=${geometry}`;
    const asked = await admin.get(below);
    expect(asked.text).toContain('上级：几何');
    const added = await admin.follow(await admin.post(below, withFields(formOf(asked, '添加').fields, { name: '角' })));
    expect(namesIn(added)).toEqual(['代数', '几何', '角']);
    const move = `/admin/points/move?id=${await idOf('方程')}`;
    const choose = await admin.get(move);
    expect(choose.text).toContain('现在位于：代数');
    expect(choose.text).toContain('1个下级随之移动');
    const { fields } = formOf(choose, '移到其下');
    const moved = await admin.follow(await admin.post(move, withFields(fields, { intent: `under ${geometry}` })));
    expect(moved.text).toContain('移动成功');
    expect(namesIn(moved)).toEqual(['代数', '几何', '角', '方程']);
    const self = await admin.post(`/admin/points/move?id=${geometry}`, {
      intent: `under ${await idOf('方程')}`,
      from_id: '0',
    });
    expect([self.status, self.text]).toEqual([409, expect.stringContaining('不能移到自己或自己的下级之下')]);
    const refused = await admin.get(`/admin/points/${algebra}/delete`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('还有1个下级，不能删除')]);
    const gone = `/admin/points/${await idOf('函数')}/delete`;
    const deleted = await admin.follow(await admin.post(gone, formOf(await admin.get(gone), '确定删除').fields));
    expect(deleted.text).toContain('删除成功');
  });
});

describe('schools', () => {
  it('are listed with record counts, added, renamed, and archived after confirmation', async ({ admin }) => {
    const list = await admin.get('/admin/schools');
    expect(list.document.querySelector('tbody tr')?.textContent).toMatch(/^总校\d+\d+\d+\d+在用/);
    const add = '/admin/schools/add';
    const taken = await admin.post(add, withFields(formOf(await admin.get(add), '添加').fields, { name: '总 校' }));
    expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('已有学校“总校”')]);
    const added = await admin.follow(await admin.post(add, withFields(formOf(taken, '添加').fields, { name: '分校' })));
    expect(added.document.querySelectorAll('tbody tr')).toHaveLength(2);
    const away = added.document.querySelector('a[aria-label="停用：总校"]')?.getAttribute('href') ?? '';
    const asked = await admin.get(away);
    expect(asked.text).toMatch(/该校还有\d+位人员、\d+名学员/);
    const done = await admin.follow(await admin.post(away, formOf(asked, '确定停用').fields));
    expect(done.text).toContain('已停用');
    const back = done.document.querySelector('a[aria-label="恢复：总校"]')?.getAttribute('href') ?? '';
    await admin.post(back, formOf(await admin.get(back), '确定恢复').fields);
    const gone = added.document.querySelector('a[aria-label="删除：分校"]')?.getAttribute('href') ?? '';
    const deleted = await admin.follow(await admin.post(gone, formOf(await admin.get(gone), '确定删除').fields));
    expect(deleted.document.querySelectorAll('tbody tr')).toHaveLength(1);
  });
});

describe('circles', () => {
  it('are added, filled with a class and people, and archived after naming the lost members', async ({
    school,
    admin,
    teacher,
  }) => {
    const add = '/admin/circles/add';
    const made = await admin.follow(
      await admin.post(add, withFields(formOf(await admin.get(add), '添加').fields, { name: '读书会' })),
    );
    expect(made.text).toContain('圈子还没有成员');
    const at = (dialog: string) => made.document.querySelector(`a[href*="/${dialog}?"]`)?.getAttribute('href') ?? '';
    const { fields } = formOf(await admin.get(at('class')), '加入');
    const joined = await admin.follow(
      await admin.post(at('class'), withFields(fields, { class_id: String(school.classes.k1) })),
    );
    expect(joined.text).toMatch(/加入了\d+位成员/);
    const people = formOf(await admin.get(at('people')), '加入').fields;
    const wrong = await admin.post(at('people'), withFields(people, { lines: 'teacher\n没有此人' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('第2行：本校没有“没有此人”')]);
    expect(wrong.document.querySelector('#lines')?.textContent).toBe('teacher\n没有此人');
    await admin.post(at('people'), withFields(formOf(wrong, '加入').fields, { lines: 'teacher' }));
    expect((await teacher.get('/community?tab=3')).text).toContain('读书会');
    const asked = await admin.get(at('put-away'));
    expect(asked.text).toMatch(/\d+位成员将看不到该圈子/);
    const away = await admin.follow(await admin.post(at('put-away'), formOf(asked, '确定停用').fields));
    expect(away.text).toContain('已停用');
    expect((await teacher.get('/community?tab=3')).text).not.toContain('读书会');
    const { id } = school.people.teacher;
    const row = away.document.querySelector(`button[value="remove staff ${id}"]`);
    expect(row).not.toBeNull();
    const here = formOf(away, '移出');
    const gone = await admin.follow(
      await admin.post(here.action, withFields(here.fields, { intent: `remove staff ${id}` })),
    );
    expect(gone.text).toContain('已移出');
    expect((await teacher.get('/admin/circles')).status).toBe(403);
  });

  it('keep typed text of two circles separate', async ({ admin }) => {
    const draftsOf = async (name: string) => {
      const add = '/admin/circles/add';
      const made = await admin.follow(
        await admin.post(add, withFields(formOf(await admin.get(add), '添加').fields, { name })),
      );
      const hrefs = ['edit', 'people'].map(
        (dialog) => made.document.querySelector(`a[href*="/${dialog}?"]`)?.getAttribute('href') ?? '',
      );
      const pages = await Promise.all(hrefs.map((href) => admin.get(href)));
      return pages.map(({ document }) => document.querySelector('[data-draft]')?.getAttribute('data-draft'));
    };
    const drafts = [...(await draftsOf('书法社')), ...(await draftsOf('航模社'))];
    expect(drafts).not.toContain(undefined);
    expect(new Set(drafts).size).toBe(4);
  });
});
