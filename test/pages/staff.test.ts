/** Staff, passwords and first start without client JS. */
import { afterAll, beforeAll, describe, expect, it as plainly } from 'vitest';
import { openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { setupCode } from '#server/school/setup-address.ts';
import { formOf, openApp } from '../support/app.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

describe('staff administration', () => {
  it("starts with the administrator's own home and navigation", async ({ admin }) => {
    const home = await admin.follow(await admin.get('/'));
    expect(home.text).toContain('姓名admin，您好');
    expect(home.text).toMatch(/讲师 3.*助教 2.*教务 1/);
    const links = [...home.document.querySelectorAll('nav[aria-label=主导航] a')].map((link) => link.textContent);
    expect(links).toEqual([
      '管理首页',
      '学员',
      '人员',
      '课程',
      '班级',
      '团课与一对一',
      '排课',
      '考试',
      '题库',
      '基础资料',
      '圈子',
      '导入和导出',
      '学期更替',
      '学校',
      '操作记录',
      '设置',
    ]);
    expect(home.document.querySelector('header form[role=search]')).toBeNull();
    expect(home.document.querySelector('header summary[title$="账号与退出"]')?.textContent).toContain('教务');
    expect((await admin.get('/homework')).status).toBe(403);
    for (const tab of ['profile', 'security', 'devices'])
      expect((await admin.get(`/account?tab=${tab}`)).status).toBe(200);
  });

  it('requires an administrator', async ({ teacher, assist }) => {
    for (const visitor of [teacher, assist]) {
      for (const address of ['/admin', '/admin/staff', '/admin/staff/add', '/admin/staff/detail?id=1']) {
        const page = await visitor.get(address);
        expect([address, page.status]).toEqual([address, 403]);
      }
    }
  });

  it("follows the administrator's permissions", async ({ school, admin }) => {
    const { db } = school.database;
    const permit = (can_people: 0 | 1) =>
      db.updateTable('staff').set({ can_people }).where('id', '=', school.people.admin.id).execute();
    await permit(0);
    try {
      const page = await admin.get('/admin/staff/add');
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('您没有管理人员的权限')]);
      expect(
        (await admin.get('/admin')).document.querySelector('nav[aria-label=主导航] a[href="/admin/staff"]'),
      ).toBeNull();
    } finally {
      await permit(1);
    }
  });

  it('adds a person without losing typed text', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/staff/add?identity=assist'), '添加助教');
    const wrong = await admin.post(
      '/admin/staff/add?identity=assist',
      withFields(form.fields, { real_name: '韩梅梅', username: 'a b' }),
    );
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('用户名不能有空格，最多100个字符')]);
    expect(wrong.document.querySelector('#real_name')?.getAttribute('value')).toBe('韩梅梅');
    const right = withFields(formOf(wrong, '添加助教').fields, { username: 'han' });
    const added = await admin.follow(await admin.post('/admin/staff/add?identity=assist', right));
    expect(added.text).toContain('添加成功');
    expect(added.text).toContain('韩梅梅 未激活');
    const list = await admin.get('/admin/staff?name=han');
    expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
  });

  it('creates a password shown once', async ({ school, admin }) => {
    const { db } = school.database;
    const { id } = await db.selectFrom('staff').select('id').where('username', '=', 'han').executeTakeFirstOrThrow();
    const address = `/admin/staff/detail/password?id=${id}`;
    const asked = await admin.get(address);
    const given = await admin.post(address, formOf(asked, '生成密码').fields);
    const password = given.document.querySelector('dialog code')?.textContent ?? '';
    expect([given.status, password]).toEqual([200, expect.stringMatching(/^\w{12}$/)]);
    expect(given.headers.get('cache-control')).toContain('no-store');
    expect((await admin.get(address)).html).not.toContain(password);
    expect((await admin.get(`/admin/staff/detail?id=${id}`)).html).not.toContain(password);
  });

  it('prints a sheet of passwords', async ({ admin }) => {
    const page = await admin.get('/admin/staff/passwords');
    // People with a password keep it unless ticked.
    expect(page.document.querySelectorAll('input[name=pick][checked]')).toHaveLength(0);
    const pick = page.document.querySelector('input[name=pick]')?.getAttribute('value') ?? '';
    const sheet = await admin.post('/admin/staff/passwords', { pick });
    expect(sheet.text).toContain('这些密码只显示这一次');
    expect(sheet.document.querySelectorAll('li code')).toHaveLength(1);
    const nobody = await admin.post('/admin/staff/passwords', {});
    expect([nobody.status, nobody.text]).toEqual([422, expect.stringContaining('请选择人员')]);
  });

  it("reports a colleague's change, and continues", async ({ school, admin }) => {
    const { id } = school.people.plainTeacher;
    const address = `/admin/staff/edit?id=${id}`;
    const theirs = formOf(await admin.get(address), '保存');
    const mine = formOf(await admin.get(address), '保存');
    await admin.post(address, withFields(theirs.fields, { mobile: '13900000031' }));
    const told = await admin.post(address, withFields(mine.fields, { mobile: '13900000032' }));
    expect([told.status, told.text]).toEqual([
      409,
      expect.stringContaining('手机号现在是“13900000031”，您填写的是“13900000032”'),
    ]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('保存成功');
    expect(saved.text).toContain('13900000032');
  });

  it("lists a person's unfinished work before disabling", async ({ school, admin }) => {
    const { id } = school.people.assist;
    const address = `/admin/staff/detail/disable?id=${id}`;
    const asked = await admin.get(address);
    expect(asked.text).toContain('是2个班级的班主任或助教');
    const disabled = await admin.follow(await admin.post(address, formOf(asked, '确定停用').fields));
    expect(disabled.text).toContain('已停用');
    const back = `/admin/staff/detail/enable?id=${id}`;
    const enabled = await admin.follow(await admin.post(back, formOf(await admin.get(back), '确定恢复').fields));
    expect(enabled.text).toContain('已恢复');
  });
});

it('an initial password opens only the change form', async ({ school, otherTeacher }) => {
  const { db } = school.database;
  const { id } = school.people.otherTeacher;
  await db.updateTable('staff').set({ must_change_password: 1 }).where('id', '=', id).execute();
  for (const address of ['/', '/homework', '/account', '/account?tab=devices']) {
    expect([address, (await otherTeacher.get(address)).location]).toEqual([address, '/account?tab=security']);
  }
  const page = await otherTeacher.get('/account?tab=security');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('请先修改初始密码')]);
  await db.updateTable('staff').set({ must_change_password: 0 }).where('id', '=', id).execute();
  expect((await otherTeacher.get('/homework')).status).toBe(200);
});

describe('an empty school', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let code: string;
  beforeAll(async () => {
    process.env.SESSION_SECRET = 'a-secret-of-the-tests-of-32-signs';
    school = await openTestSchool('SQLite');
    const database = openDatabase(':memory:');
    await migrate(database);
    school.replace({ database });
    app = await openApp(school);
    code = (await setupCode(database.db, noon)) as string;
    // A second process that starts prints the same address.
    expect(await setupCode(database.db, noon + 5)).toBe(code);
  });
  afterAll(async () => {
    await school.services.database.destroy();
    await school.close();
  });

  plainly('is set up once, at an unguessable address', async () => {
    const visitor = app.visitor();
    const address = `/setup/${code}`;
    expect((await visitor.get(`/setup/${code.slice(1)}x`)).status).toBe(404);
    expect((await visitor.get('/setup/x')).status).toBe(404);
    const page = await visitor.get(address);
    expect(page.status).toBe(200);
    const fields = {
      school_name: '明德中学',
      real_name: '沈静',
      username: 'Shen',
      timezone: 'Asia/Urumqi',
      password: 'Secret2026',
    };
    const wrong = await visitor.post(address, { ...fields, username: '', password_confirmation: 'Secret2027' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('用户名不能为空')]);
    expect(wrong.document.querySelector('#school_name')?.getAttribute('value')).toBe('明德中学');
    expect(wrong.html).not.toContain('Secret2026');
    const both = [0, 1].map(() => visitor.post(address, { ...fields, password_confirmation: fields.password }));
    const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
    expect(statuses).toEqual([302, 404]);
    const home = await visitor.get('/admin');
    expect(home.text).toContain('沈静，您好');
    expect(home.text).toContain('明德中学');
    expect(home.text).toContain('开始使用');
    expect((await visitor.get(address)).status).toBe(404);
    const { db } = school.services.database;
    expect(await setupCode(db, noon)).toBeUndefined();
    expect(await db.selectFrom('school').select('org_name').execute()).toEqual([{ org_name: '明德中学' }]);
    expect(await db.selectFrom('staff').select(['username', 'every_school']).execute()).toEqual([
      { username: 'shen', every_school: 1 },
    ]);
  });

  plainly('gets a new address after a day', async () => {
    const database = openDatabase(':memory:');
    await migrate(database);
    const first = await setupCode(database.db, noon);
    expect(await setupCode(database.db, noon + 23 * 3600)).toBe(first);
    expect(await setupCode(database.db, noon + 25 * 3600)).not.toBe(first);
    await database.destroy();
  });
});
