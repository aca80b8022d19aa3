/** Courses of administrators without client JS. */
import { describe, expect } from 'vitest';
import { formOf } from '../support/app.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];
const idIn = (url: string) => Number(new URL(url, 'http://x').searchParams.get('id'));
const rowsOf = (page: { document: ParentNode }) =>
  [...page.document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');

describe('course administration', () => {
  it('requires the permission', async ({ school, admin, teacher }) => {
    expect((await teacher.get('/admin/courses')).status).toBe(403);
    const { db } = school.database;
    const permit = (can_teaching: 0 | 1) =>
      db.updateTable('staff').set({ can_teaching }).where('id', '=', school.people.admin.id).execute();
    await permit(0);
    try {
      const page = await admin.get('/admin/courses');
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('您没有管理教学的权限')]);
      const home = await admin.get('/admin');
      expect(home.document.querySelector('a[href="/admin/courses"]')).toBeNull();
    } finally {
      await permit(1);
    }
    expect((await admin.get('/admin')).document.querySelectorAll('a[href="/admin/courses"]').length).toBe(2);
    expect((await admin.get('/admin/courses/detail?id=999')).status).toBe(404);
  });

  it('adds a course without losing typed text', async ({ admin }) => {
    const address = '/admin/courses/add';
    const form = formOf(await admin.get(address), '添加课程');
    const wrong = await admin.post(address, withFields(form.fields, { introduction: '写好的简介' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('课程名称不能为空')]);
    expect(wrong.document.querySelector('#introduction')?.textContent).toContain('写好的简介');
    const right = withFields(formOf(wrong, '添加课程').fields, { title: '高二数学', course_type: '2' });
    const added = await admin.follow(await admin.post(address, right));
    expect(added.text).toContain('添加成功');
    expect(added.text).toMatch(/高二数学.*小组直播课/);
    const list = await admin.get('/admin/courses?title=gesx');
    expect(rowsOf(list).length).toBe(1);
  });

  it('adds chapters and a period series after a preview', async ({ admin, school }) => {
    const list = await admin.get('/admin/courses?title=高二数学');
    const detail = list.document.querySelector('tbody a')?.getAttribute('href') ?? '';
    const id = idIn(detail);
    const chapters = `/admin/courses/detail/chapter?id=${id}&tab=chapters`;
    for (const title of ['集合', '函数']) {
      const form = formOf(await admin.get(chapters), '保存');
      await admin.post(chapters, withFields(form.fields, { title }));
    }
    const tab = `/admin/courses/detail?id=${id}&tab=chapters`;
    expect(rowsOf(await admin.get(tab))).toEqual([expect.stringContaining('集合'), expect.stringContaining('函数')]);
    const second = (await school.database.db
      .selectFrom('course_chapter')
      .select('id')
      .where('title', '=', '函数')
      .executeTakeFirstOrThrow()) as { id: number };
    const placed = await admin.follow(await admin.post(tab, { intent: `raise ${second.id}` }));
    expect(placed.text).toContain('顺序已调整');
    expect(rowsOf(placed)[0]).toContain('函数');

    const address = `/admin/courses/periods/series?course_id=${id}`;
    const page = await admin.get(address);
    const form = formOf(page, '预览');
    const wanted = {
      weekdays: '3',
      time: '19:30',
      first_day: '2026-11-23',
      count: '3',
      skip: '2026-12-02',
      lecturer_id: String(school.people.teacher.id),
      chapter_id: String(second.id),
    };
    const faulty = await admin.post(address, withFields(form.fields, { ...wanted, count: '', intent: 'preview' }));
    expect([faulty.status, faulty.text]).toEqual([422, expect.stringContaining('结束日期和节数请填写其中一项')]);
    const shown = await admin.post(address, withFields(form.fields, { ...wanted, intent: 'preview' }));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('将添加3节课时');
    expect(rowsOf(shown).map((row) => /\d{4}-\d\d-\d\d 周. [\d:至]+/.exec(row)?.[0])).toEqual([
      '2026-11-25 周三 19:30至21:00',
      '2026-12-09 周三 19:30至21:00',
      '2026-12-16 周三 19:30至21:00',
    ]);
    const save = formOf(shown, '添加3节课时');
    // Changed input is previewed again before saving.
    const changed = await admin.post(address, withFields(save.fields, { count: '2', intent: 'save' }));
    expect(changed.text).toContain('内容有修改，请核对下面的日期后再保存');
    expect(rowsOf(changed).length).toBe(2);
    const made = await admin.follow(await admin.post(address, withFields(save.fields, { intent: 'save' })));
    expect(made.text).toContain('已添加3节课时');
    expect(rowsOf(made).length).toBe(3);
    expect(made.text).toContain('姓名teacher');
  });

  it('asks nothing about live rooms for a face-to-face course', async ({ admin, school }) => {
    const { db } = school.database;
    const course = await db
      .insertInto('course')
      .values({ title: '面授', course_type: 7, school_id: 1, created_at: noon } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [id, asks] of [
      [course.id, false],
      [school.courses.shared, true],
    ] as const)
      for (const screen of ['add', 'series']) {
        const page = await admin.get(`/admin/courses/periods/${screen}?course_id=${id}`);
        expect([page.status, page.text.includes('直播间'), page.text.includes('可看回放')]).toEqual([200, asks, asks]);
      }
  });

  it('names clashes before a period is saved', async ({ admin, school }) => {
    const list = await admin.get('/admin/courses?title=高二数学');
    const id = idIn(list.document.querySelector('tbody a')?.getAttribute('href') ?? '');
    const address = `/admin/courses/periods/add?course_id=${id}`;
    const form = formOf(await admin.get(address), '添加课时');
    const wanted = { title: '加课', start_play: '2026-11-25T20:00', lecturer_id: String(school.people.teacher.id) };
    const told = await admin.post(address, withFields(form.fields, wanted));
    expect(told.status).toBe(409);
    expect(told.text).toContain('讲师姓名teacher 2026-11-25 19:30至21:00 高二数学 第1讲。确认无误请再次提交。');
    expect(told.document.querySelector('#title')?.getAttribute('value')).toBe('加课');
    const added = await admin.follow(await admin.post(address, formOf(told, '添加课时').fields));
    expect(added.text).toContain('添加成功');
    const sorted = await admin.follow(await admin.post(`/admin/courses/detail?id=${id}`, { intent: 'sort' }));
    expect(rowsOf(sorted)[1]).toContain('加课');
  });

  it('moves a period with its followers, and deletes it', async ({ admin, school }) => {
    const { db } = school.database;
    const period = await db
      .selectFrom('period')
      .select(['id', 'course_id'])
      .where('title', '=', '第2讲')
      .executeTakeFirstOrThrow();
    const dialog = (which: string) => `/admin/courses/detail/periods/${period.id}/${which}?id=${period.course_id}`;
    const page = await admin.get(dialog('move'));
    expect(page.text).toContain('之后的1节课时移动同样的时间');
    const form = formOf(page, '保存');
    const wanted = { start_play: '2026-12-10T19:30', later: '1' };
    const told = await admin.post(dialog('move'), withFields(form.fields, wanted));
    expect([told.status, told.text]).toEqual([409, expect.stringContaining('共移动2节课时。确认无误请再次提交。')]);
    const moved = await admin.follow(await admin.post(dialog('move'), formOf(told, '保存').fields));
    expect(moved.text).toContain('已调整2节课时的时间');
    expect(moved.text).toContain('2026-12-17 周四 19:30至21:00');
    const gone = formOf(await admin.get(dialog('delete')), '确定删除');
    const deleted = await admin.follow(await admin.post(dialog('delete'), gone.fields));
    expect(deleted.text).toContain('删除成功');
    expect((await admin.get(dialog('delete'))).status).toBe(404);
  });

  it('copies a course after a preview', async ({ admin, school }) => {
    const { shared } = school.courses;
    const address = `/admin/courses/copy?id=${shared}`;
    const form = formOf(await admin.get(address), '预览');
    const wanted = { title: '高一数学（下）', first_day: '2027-02-22' };
    const shown = await admin.post(address, withFields(form.fields, { ...wanted, intent: 'preview' }));
    expect(rowsOf(shown)).toEqual([
      expect.stringContaining('2027-02-26 周五'),
      expect.stringContaining('2027-02-26 周五'),
    ]);
    const save = formOf(shown, '确定复制');
    const copied = await admin.follow(await admin.post(address, withFields(save.fields, { intent: 'save' })));
    expect(copied.text).toContain('已复制课程和2节课时');
    expect(copied.text).toContain('高一数学（下）');
  });

  it('archives a course after naming the affected, and restores it', async ({ admin, school }) => {
    const { shared } = school.courses;
    await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
    const detail = await admin.get(`/admin/courses/detail?id=${shared}`);
    expect(detail.document.querySelector('a[href*="/detail/delete"]')).toBeNull();
    expect((await admin.get(`/admin/courses/detail/delete?id=${shared}`)).status).toBe(409);
    const address = `/admin/courses/detail/put-away?id=${shared}`;
    const page = await admin.get(address);
    expect(page.text).toContain('将影响17名学员，1个未截止的作业。');
    const away = await admin.follow(await admin.post(address, formOf(page, '确定停用').fields));
    expect(away.text).toMatch(/已停用.*高一数学/s);
    const back = `/admin/courses/detail/restore?id=${shared}`;
    const here = await admin.follow(await admin.post(back, formOf(await admin.get(back), '确定恢复').fields));
    expect(here.text).toContain('已恢复');
  });

  it("edits a course, and reports a colleague's change", async ({ admin, school }) => {
    const { theirs } = school.courses;
    const address = `/admin/courses/edit?id=${theirs}`;
    const [first, second] = [formOf(await admin.get(address), '保存'), formOf(await admin.get(address), '保存')];
    await admin.post(address, withFields(first.fields, { introduction: '甲' }));
    const told = await admin.post(address, withFields(second.fields, { introduction: '乙' }));
    expect([told.status, told.text]).toEqual([409, expect.stringContaining('简介现在是“甲”，您填写的是“乙”')]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('保存成功');
  });
});
