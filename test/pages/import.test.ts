import { describe, expect } from 'vitest';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { rosterTexts, smallRoster, zipOf } from '../support/import-files.ts';
import { fingerprints, smallUpload } from '../support/imports.ts';
import { classSheet, officeFile, teacherSheet } from '../support/office-sheets.ts';
import { it } from '../support/school-fixtures.ts';

const json = (records: object[], mode = 'bulk') => JSON.stringify({ mode, records });

describe('import screens', () => {
  const uploadFile = async (admin: Visitor, name: string, content: string | Uint8Array, source = '教务系统') => {
    const { fields } = formOf(await admin.get('/admin/import/upload'), '上传并检查');
    const form = new FormData();
    for (const [field, value] of fields) form.append(field, field === 'source' ? source : value);
    form.append('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
    return admin.postForm('/admin/import/upload', form);
  };

  const idOf = ({ location }: Page) => new URL(location ?? '', 'http://school.test').searchParams.get('id');
  /** Opens the dialog at an address and presses its button. */
  const confirmed = async (admin: Visitor, address: string, button: string) =>
    admin.follow(await admin.post(address, formOf(await admin.get(address), button).fields));

  it('upload, preview, apply and undo a file', async ({ school, admin }) => {
    expect((await admin.get('/admin/import')).text).toContain('还没有导入过');
    const before = await fingerprints(school.database.db);
    const records = smallUpload({ tag: 5, classes: 1, students: 10 });
    const sent = await uploadFile(admin, '名单.json', json(records));
    const checked = await admin.follow(sent);
    expect(checked.text).toContain('已上传');
    expect(checked.text).toContain('名单.json 已检查');
    const id = idOf(sent);
    expect(checked.document.querySelector('[aria-label="影响"]')).toBeNull();
    const fresh = await admin.get(`/admin/import/detail?id=${id}&kind=student&verdict=new&name=1003`);
    expect(fresh.document.querySelectorAll('main tbody tr').length).toBeGreaterThan(0);
    expect(fresh.text).toContain('导入学员1003');
    // Every record type and field has a Chinese label.
    const all = await admin.get(`/admin/import/detail?id=${id}&limit=500`);
    expect(all.text).toContain('权限');
    expect(all.text).not.toMatch(/[a-z]+_[a-z]+：|dispatch|：空/);

    const first = `/admin/import/detail/apply?id=${id}`;
    const dialog = await admin.get(first);
    expect(dialog.text).toContain('新增');
    expect(dialog.text).toContain('导入不发送短信');
    expect(dialog.text).toContain('新增的2名人员还没有密码，导入后请在“人员”中打印初始密码');
    expect((await confirmed(admin, first, '确定导入')).text).toContain('已导入');

    const less = records.filter(({ sourceId }) => !/P1001|P1002/.test(sourceId));
    const resent = await uploadFile(admin, '次日.json', json(less));
    const held = await admin.follow(resent);
    expect(held.text).toContain('学员：2条将离开，占20%');
    expect(held.text).toContain('2名学员离开导入1班');
    const second = idOf(resent);
    const address = `/admin/import/detail/apply?id=${second}`;
    const { fields } = formOf(await admin.get(address), '确定导入');
    const refused = await admin.post(address, fields);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('导入已暂停')]);
    const typed = fields.map(([name, value]): [string, string] => [name, name.startsWith('held-') ? '２' : value]);
    const gone = await admin.follow(await admin.post(address, typed));
    expect(gone.text).toContain('已导入');

    const undo = (await admin.get(`/admin/import/detail/undo?id=${id}`)).text;
    expect(undo).toContain('人员2条（导入老师1、导入助教）');
    expect(undo).toContain('保留：学员2条（导入学员1001、导入学员1002）');
    expect(undo).toContain('撤销与导入一样不发送消息');
    for (const one of [second, id]) {
      expect((await confirmed(admin, `/admin/import/detail/undo?id=${one}`, '确定撤销')).text).toContain('已撤销');
    }
    const { sign_in: _, ...now } = await fingerprints(school.database.db);
    expect(before).toMatchObject(now);
    expect((await admin.get('/admin/import?state=undone')).document.querySelectorAll('tbody tr')).toHaveLength(2);
  });

  it('show unreadable rows next to the counts, with links', async ({ admin }) => {
    const lines = ['编号,姓名,学号', 'r1,张一,R1', 'r2,,R2', 'r3,张三,1.38E+10'];
    const page = await admin.follow(await uploadFile(admin, '名单.csv', lines.join('\n'), '缺名单'));
    const link = [...page.document.querySelectorAll('main a')].find((a) => a.textContent === '2处读取时就不能导入');
    const told = await admin.get(link?.getAttribute('href') ?? '');
    expect([...told.document.querySelectorAll('tbody tr')].length).toBe(2);
    expect(told.text).toContain('“姓名”必须填写');
  });

  it('describe a package, and let the source win if chosen', async ({ school, admin }) => {
    const sent = await uploadFile(admin, '名册.zip', zipOf(rosterTexts(smallRoster())), '名册');
    expect((await admin.follow(sent)).text).toContain('名册.zip');
    const first = `/admin/import/detail/apply?id=${idOf(sent)}`;
    expect((await confirmed(admin, first, '确定导入')).text).toContain('已导入');
    const { db } = school.database;
    const teacher = await db
      .selectFrom('staff')
      .select(['id', 'real_name'])
      .where('username', '=', 'chen.laoshi')
      .executeTakeFirstOrThrow();
    await db.updateTable('staff').set({ real_name: '手改名' }).where('id', '=', teacher.id).execute();

    const resent = await uploadFile(admin, '名册.zip', zipOf(rosterTexts(smallRoster())), '名册');
    expect((await admin.follow(resent)).text).toContain('手改为“手改名”');
    const next = idOf(resent);
    const choices = `/admin/import/detail/choices?id=${next}`;
    const { fields } = formOf(await admin.get(choices), '保存并重新检查');
    const chosen = await admin.follow(await admin.post(choices, [...fields, ['take', 'staff.real_name']]));
    expect(chosen.text).toContain('已选择');
    expect(chosen.text).toContain('采用来源');
    expect((await admin.get(`/admin/import/reading?id=${next}`)).status).toBe(200);
    const discarded = await confirmed(admin, `/admin/import/detail/discard?id=${next}`, '确定放弃');
    expect(discarded.text).toContain('已放弃');
  });

  it("ask for a list's columns, and read the next one the same way", async ({ admin }) => {
    const list = '甲列,乙列,丙列\nX1,zhang.san,13811110001\nX2,li.si,13811110002\n';
    const asked = await admin.follow(await uploadFile(admin, '名单.csv', list, '学籍'));
    expect(asked.text).toContain('各列的含义');
    expect(asked.text).toContain('没有找到“姓名”所在的列，请指定');
    expect(
      [...asked.document.querySelectorAll('[aria-label="文件的前几行"] td')].map((cell) => cell.textContent),
    ).toEqual(['X1', 'zhang.san', '13811110001', 'X2', 'li.si', '13811110002']);
    const { action, fields } = formOf(asked, '保存并检查');
    const chooseColumns = (columns: Record<string, string>) =>
      fields.map(([name, value]): [string, string] => [name, columns[name] ?? value]);
    const twice = await admin.post(action, chooseColumns({ 'column-0': '姓名', 'column-1': '姓名' }));
    expect([twice.status, twice.text]).toEqual([422, expect.stringContaining('“姓名”只能对应一列')]);
    expect(twice.document.querySelector('#column-1 option[selected]')?.textContent).toBe('姓名');
    const read = await admin.follow(
      await admin.post(action, chooseColumns({ 'column-0': '编号', 'column-1': '姓名' })),
    );
    expect(read.text).toContain('名单.csv 已检查');
    expect(read.text).toContain('zhang.san');
    const again = await admin.follow(await uploadFile(admin, '下周.csv', list, '学籍'));
    expect(again.text).toContain('下周.csv 已检查');
    // Staff have other columns, at their own address.
    const staff = await admin.get(action.replace('kind=student', 'kind=staff'));
    expect(staff.text).toContain('这是人员名单');
    expect([...staff.document.querySelectorAll('#column-0 option')].map((one) => one.textContent)).toContain('用户名');
  });

  it('ask once for the classes of the sheets, the identity and the user names', async ({ admin }) => {
    const students = await officeFile({
      高一1班: classSheet('高一（1）班', [['张三', '男', 'K1', '', '父138']]),
      高一2班: classSheet('', [['李四', '女', 'K2', '', '']]),
    });
    const asked = await admin.follow(await uploadFile(admin, '高一.xlsx', students, '年级组'));
    const { action, fields } = formOf(asked, '保存并检查');
    const valuesOf = (name: RegExp) => fields.filter(([field]) => name.test(field)).map(([, value]) => value);
    expect([valuesOf(/^class-/), valuesOf(/^sheets$/)]).toEqual([
      ['高一（1）班', '高一2班'],
      ['0', '1'],
    ]);
    const none = await admin.post(
      action,
      fields.filter(([name]) => name !== 'sheets'),
    );
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('请选择至少一个工作表')]);
    const school = asked.document.querySelector('#school option:nth-child(2)')?.textContent ?? '';
    const first = fields
      .filter(([name, value]) => name !== 'sheets' || value === '0')
      .map(([name, value]): [string, string] => [name, { 'class-0': '没有的班', school }[name] ?? value]);
    const read = await admin.follow(await admin.post(action, first));
    expect(read.text).toContain('没有找到班级“没有的班”');
    expect(read.text).toContain('有1条进班不能导入。还没有的班级，可以在各列的含义中选择新建。');
    expect(read.text).toContain('家长电话：“父138”不是11位手机号；这一格没有读取，请核对');
    const look = [...read.document.querySelectorAll('main a')].find((a) => a.textContent === '1条需要核对');
    const doubted = await admin.get(look?.getAttribute('href') ?? '');
    expect(
      [...doubted.document.querySelectorAll('tbody tr')].filter((row) => row.textContent?.includes('张三')),
    ).toHaveLength(1);
    expect(read.text).not.toContain('李四');

    const others = await officeFile({
      Sheet1: classSheet('第九中学高一（1）班学生名单', [['张外校', '女', 'W1', '', '']]),
    });
    const foreign = await admin.follow(await uploadFile(admin, '别校.xlsx', others, '别校'));
    const filled = formOf(foreign, '保存并检查');
    const doubtful = await admin.follow(await admin.post(filled.action, filled.fields));
    const title = 'Sheet1：标题写的是“第九中学”，不是本系统的学校，请确认没有选错文件';
    expect(doubtful.text).toContain(title);
    const apply = [...doubtful.document.querySelectorAll('main a')].find((a) => a.textContent === '导入');
    expect((await admin.get(apply?.getAttribute('href') ?? '')).text).toContain(title);

    const teachers = await officeFile({ 教师: teacherSheet('教师名单') });
    const open = await admin.follow(await uploadFile(admin, '教师.xlsx', teachers, '人事处'));
    expect(open.text).toContain('没有找到“用户名”所在的列，请指定');
    const form = formOf(open, '保存并检查');
    const answered = form.fields.map(([name, value]): [string, string] => [
      name,
      { identity: '讲师', username: 'pinyin', school }[name] ?? value,
    ]);
    const staff = await admin.follow(await admin.post(form.action, answered));
    expect(staff.text).toContain('zengrong0004');
  });

  it('let a class with a similar name be the known one or a new one, each by itself', async ({ school, admin }) => {
    const { db } = school.database;
    const { org_name } = await db
      .selectFrom('class')
      .innerJoin('school', 'school.id', 'class.school_id')
      .select('school.org_name')
      .where('class.id', '=', school.classes.k1)
      .executeTakeFirstOrThrow();
    await db.updateTable('class').set({ name: '高一（8）班' }).where('id', '=', school.classes.k1).execute();
    const list = `姓名,学号,学校,班级\n近甲,N801,${org_name},高中一（8）班\n`;
    const sent = await uploadFile(admin, '名单.csv', list, '近名');
    const id = idOf(sent);
    expect((await admin.follow(sent)).text).toContain(
      '有1条进班的班级只有名称相近的。是哪一个班级，或者新建，可以在各列的含义中按班级选择。',
    );
    const mapping = await admin.get(`/admin/import/mapping?id=${id}`);
    expect(mapping.text).toContain('还没有这个班级，相近的是“高一（8）班”。');
    const { action, fields } = formOf(mapping, '保存并检查');
    expect(fields).toContainEqual(['near-0', 'ask']);
    const chosen = fields.map(([name, value]): [string, string] => [name, name === 'near-0' ? 'new' : value]);
    const read = await admin.follow(await admin.post(action, chosen));
    expect(read.text).toContain('新增学员1班级1进班1');
    expect(read.text).not.toContain('只有名称相近的');
    // The choice is shown again, and a row can be decided by itself as long as nothing is chosen for the class.
    expect(formOf(await admin.get(`/admin/import/mapping?id=${id}`), '保存并检查').fields).toContainEqual([
      'near-0',
      'new',
    ]);
    const back = await admin.follow(await admin.post(action, fields));
    const choose = [...back.document.querySelectorAll('main a')].find((a) => a.textContent === '选择');
    expect((await admin.get(choose?.getAttribute('href') ?? '')).text).toContain('不是，这一行不导入');
  });

  it('offer export and roll-over only to administrators who may use them', async ({ school, admin }) => {
    expect((await admin.get('/admin/import')).text).toMatch(/导出工作簿.*排课表.*学期更替/);
    await school.database.db
      .updateTable('staff')
      .set({ can_people: 0, can_teaching: 0 })
      .where('id', '=', school.people.admin.id)
      .execute();
    const page = await admin.get('/admin/import');
    expect(page.text).not.toMatch(/导出工作簿|排课表/);
    expect(page.text).toContain('上传文件');
    expect((await admin.get('/admin/import/upload')).text).toContain('下载模板');
  });

  it("show folder imports on administrators' home pages", async ({ school, admin }) => {
    const before = /导入待确认\s*(\d+)/.exec((await admin.get('/admin')).text)?.[1];
    const { db } = school.database;
    const last = await db.selectFrom('import').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    await db.updateTable('import').set({ state: 'held', found: 1, staff_id: null }).where('id', '=', last.id).execute();
    const home = await admin.get('/admin');
    expect(Number(/导入待确认\s*(\d+)/.exec(home.text)?.[1])).toBe(Number(before) + 1);
    const link = [...home.document.querySelectorAll('a')].find((one) => one.textContent?.startsWith('导入待确认'));
    expect((await admin.get(link?.getAttribute('href') ?? '')).text).toContain('导入文件夹');
  });

  it('keep typed text on an invalid file', async ({ admin }) => {
    const refused = await uploadFile(admin, '空.xlsx', '', '我的来源');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('文件是空的')]);
    expect(refused.document.querySelector('#source')?.getAttribute('value')).toBe('我的来源');
    expect((await admin.get('/admin/import/detail?id=99999')).status).toBe(404);
    expect((await admin.get('/admin/import/refused?id=99999')).status).toBe(404);
  });
});
