/** Timetable and rollover without client JS: form, preview and errors. */
import { describe, expect } from 'vitest';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { it } from '../support/school-fixtures.ts';
import { addTeam } from '../support/team-lessons.ts';

type Fields = [name: string, value: string][];

/** Replaces some of the form's fields. */
const withFields = (fields: Fields, values: Record<string, string>): Fields => [
  ...fields.filter(([name]) => !(name in values)),
  ...Object.entries(values),
];
/** Displayed value of a field. */
const shownIn = (page: Page, name: string) =>
  formOf(page, '展开并检查').fields.find(([field]: [string, string]) => field === name)?.[1];

describe('a timetable', () => {
  const ruled = (school: { people: { teacher: { id: number } }; courses: { shared: number } }, team: number) => ({
    name: '秋季课表',
    first_day: '2026-11-23',
    weeks: '3',
    'rules.0.target': `${team}:${school.courses.shared}`,
    'rules.0.weekday': '2',
    'rules.0.start': '09:00',
    'rules.0.end': '10:30',
    'rules.0.lecturer_id': String(school.people.teacher.id),
  });
  const open = async (admin: Visitor, address = '/admin/import/timetable') => {
    const page = await admin.get(address);
    expect(page.status).toBe(200);
    return { page, fields: formOf(page, '展开并检查').fields as Fields };
  };

  it('is written, previewed by week, applied and reopened', async ({ school, admin }) => {
    expect((await admin.get('/admin/import')).text).toContain('排课表');
    const team = await addTeam(school, { name: '页面团课' });
    const { fields } = await open(admin);
    const checked = await admin.follow(
      await admin.post('/admin/import/timetable', withFields(fields, ruled(school, team.id))),
    );
    expect(checked.text).toContain('秋季课表：2026-11-23 起的一周');
    expect(checked.text).toContain('09:00–10:30');
    expect(checked.text).toContain('页面团课');
    const detail = checked.document.querySelector('a[href^="/admin/import/detail"]')?.getAttribute('href') ?? '';
    expect((await admin.get(detail)).text).toContain('页面团课 2026-11-24 09:00');
    const apply = detail.replace('/detail?', '/detail/apply?');
    const done = await admin.follow(await admin.post(apply, formOf(await admin.get(apply), '确定导入').fields));
    expect(done.text).toContain('已导入');

    const { page } = await open(admin);
    const latest = [...page.document.querySelectorAll('a')].find(
      ({ textContent }) => textContent === '在上次课表上修改',
    );
    const again = await open(admin, latest?.getAttribute('href') ?? '');
    expect(shownIn(again.page, 'rules.0.start')).toBe('09:00');
    expect(shownIn(again.page, 'rules.0.target')).toBe(`${team.id}:${school.courses.shared}`);
    const held = await admin.follow(
      await admin.post(latest?.getAttribute('href') ?? '', withFields(again.fields, { 'rules.0.start': '08:30' })),
    );
    expect(held.text).toContain('08:30–10:30');
    expect(held.text).toContain('离开');
    const empty = await admin.get(`${held.location ?? detail.replace('/detail?', '/week?')}&day=2030-01-01`);
    expect(empty.text).toContain('没有课');
  });

  it('keeps typed text on errors, and drops empty lines', async ({ school, admin }) => {
    const team = await addTeam(school, { name: '错误团课' });
    const { fields } = await open(admin);
    const values = ruled(school, team.id);
    const second = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name.replace('rules.0.', 'rules.2.'), value]),
    );
    const refused = await admin.post(
      '/admin/import/timetable',
      withFields(fields, { ...second, 'rules.2.end': '08:00', 'rules.2.lecturer_id': '' }),
    );
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('请选择讲师');
    expect(refused.text).toContain('结束时间须晚于开始时间');
    expect(shownIn(refused, 'rules.0.end')).toBe('08:00');
    const more = await admin.post('/admin/import/timetable', withFields(fields, { ...values, intent: 'more' }));
    expect(more.status).toBe(200);
    expect(more.document.querySelectorAll('fieldset')).toHaveLength(5);
    expect(shownIn(more, 'rules.0.start')).toBe('09:00');
    const none = await admin.post('/admin/import/timetable', withFields(fields, { name: '空' }));
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('请至少填写一条规则')]);
    expect((await admin.get('/admin/import/timetable?from=99999')).status).toBe(404);
    expect((await admin.get('/admin/import/week?id=99999')).status).toBe(404);
  });
});

describe('rollover', () => {
  it('is written by class, checked and applied', async ({ school, admin }) => {
    const page = await admin.get('/admin/import/roll-over');
    expect(page.status).toBe(200);
    const { fields } = formOf(page, '检查') as { fields: Fields };
    const nothing = await admin.post('/admin/import/roll-over', fields);
    expect([nothing.status, nothing.text]).toEqual([
      422,
      expect.stringContaining('没有要升级、毕业、留级的班级，没有要进入的学期，也没有要复制的课程'),
    ]);
    const id = school.classes.k1;
    const grade = await school.database.db
      .insertInto('grade')
      .values({ name: '升入年级' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const promoted = withFields(fields, { [`class-${id}-fate`]: 'promote', [`class-${id}-name`]: '' });
    const refused = await admin.post('/admin/import/roll-over', promoted);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('请填写升级后的班级名称')]);
    const right = withFields(promoted, { [`class-${id}-name`]: '升级班', [`class-${id}-grade_id`]: String(grade.id) });
    const checked = await admin.follow(await admin.post('/admin/import/roll-over', right));
    expect(checked.text).toContain('学期更替');
    expect(checked.text).toContain('升级班');
  });

  it('says where a missing next grade is added', async ({ school, admin }) => {
    const { db } = school.database;
    const { id } = await db.selectFrom('grade').select('id').orderBy('id').executeTakeFirstOrThrow();
    const ofClass = db.updateTable('class').where('id', '=', school.classes.k1);
    await ofClass.set({ grade_id: id }).execute();
    try {
      expect((await admin.get('/admin/import/roll-over')).text).toContain('没有要升入的年级时，先在“基础资料”中添加');
    } finally {
      await ofClass.set({ grade_id: null }).execute();
    }
  });

  it('needs one press in the usual case, and says afterwards that it was done', async ({ school, admin }) => {
    const { db } = school.database;
    const [first] = await Promise.all(
      ['页一', '页二'].map((name) => db.insertInto('grade').values({ name }).returning('id').executeTakeFirstOrThrow()),
    );
    const id = school.classes.k1;
    await db.updateTable('class').set({ name: '页一1班', grade_id: first?.id }).where('id', '=', id).execute();
    const term = { type: 'term', first_day: '2027-09-01', parent_id: null, put_away_at: null } as const;
    await db
      .insertInto('term')
      .values({ name: '新学年', ...term })
      .execute();
    const page = await admin.get('/admin/import/roll-over');
    const { fields } = formOf(page, '检查') as { fields: Fields };
    expect(new Map(fields).get(`grade-${first?.id}-fate`)).toBe('promote');
    const posted = await admin.post('/admin/import/roll-over', fields);
    const checked = await admin.follow(posted);
    expect(checked.text).toContain('页二1班');
    expect(checked.text).not.toContain('已暂停');
    const importId = /id=(\d+)/.exec(posted.location ?? '')?.[1];
    const applied = await school.as('admin').post(`import/${importId}/apply`, {});
    expect(applied.status).toBe(200);
    expect((await admin.get('/admin/classes')).text).toContain('页二1班');
    const again = await admin.get('/admin/import/roll-over');
    expect(again.text).toContain('再做一次不会重复升级');
  });
});
