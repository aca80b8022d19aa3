import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { pdfWithTable } from '../files/samples.ts';
import { formOf, openApp, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const day = 24 * 60 * 60;
const pdf = () => new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf');

describe('classes without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  let category: number;
  const classNames = (page: Page) =>
    [...page.document.querySelectorAll('tbody tr td:first-child a')].map((link) => link.textContent);
  const firstCells = (page: Page) =>
    [...page.document.querySelectorAll('tbody tr td:first-child')].map((cell) => cell.textContent);
  const detail = (search: string) => `/classes/detail?id=${school.classes.k1}${search}`;
  const multipart = (fields: readonly (readonly [string, string])[], file?: File) => {
    const form = new FormData();
    for (const [name, value] of fields) if (name !== 'file') form.append(name, value);
    form.append('file', file ?? new File([], ''));
    return form;
  };

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    const { db } = school.database;
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
    const { k1, k2 } = school.classes;
    const large = await db
      .insertInto('large_class')
      .values({ school_id: 1, name: '大班甲' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('class')
      .set({ large_class_id: large.id, grade_id: 1, classify_id: 1 })
      .where('id', '=', k1)
      .execute();
    await db
      .updateTable('class')
      .set({ valid_type: 2, valid_time: noon - day, group_hidden: 2 })
      .where('id', '=', k2)
      .execute();
    await db
      .insertInto('class_staff')
      .values({ class_id: k1, staff_id: school.people.teacher.id, duty: 'head' })
      .execute();
    await db.updateTable('course').set({ course_type: 2 }).where('id', '=', school.courses.theirs).execute();
    const added = await db
      .insertInto('ware_classify')
      .values({ name: '同步课程', sort: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    category = added.id;
  });
  afterAll(() => school.close());

  describe('the list', () => {
    it('shows a lecturer only led classes by default', async () => {
      const page = await teacher.get('/classes');
      expect(classNames(page)).toEqual(['一班']);
      expect(page.document.querySelector('[name=only_mine][type=checkbox]')?.hasAttribute('checked')).toBe(true);
      // An emptied checkbox sends only its hidden marker.
      const { fields } = formOf(page, '查询');
      const search = new URLSearchParams(fields.filter(([, value]) => value !== '1'));
      expect(search.getAll('only_mine')).toEqual(['0']);
      const all = await teacher.get(`/classes?${search}`);
      expect(classNames(all)).toEqual(['四班', '三班', '二班', '一班']);
      expect(all.document.querySelector('[name=only_mine][type=checkbox]')?.hasAttribute('checked')).toBe(false);
      expect(all.text).toContain('已过期');
      expect(all.text).toContain('长期有效');
      expect(classNames(await teacher.get('/classes?only_mine=0&only_mine=1'))).toEqual(['一班']);
      expect(ownScripts(page)).toEqual([]);
    });

    it('shows the last page instead of a missing one', async () => {
      const rows = async (address: string) => (await teacher.get(address)).document.querySelector('tbody')?.textContent;
      expect(await rows('/classes?only_mine=0&page=9')).toBe(await rows('/classes?only_mine=0'));
      expect(await rows('/classes?only_mine=0&page=9')).toContain('班');
      for (const tab of ['', '&tab=study', '&tab=leave', '&tab=homework']) {
        expect(await rows(detail(`${tab}&page=9`))).toBe(await rows(detail(tab)));
      }
    });

    it('shows all classes to a lecturer without own ones', async () => {
      const visitor = await signInAs(school, app, 'otherTeacher');
      const page = await visitor.get('/classes?name=三');
      expect(page.text).toContain('您管理的班级中没有符合条件的班级');
      const link = [...page.document.querySelectorAll('a')].find((one) => one.textContent === '查看全部班级');
      expect(classNames(await visitor.get(link?.getAttribute('href') ?? ''))).toEqual(['三班']);
    });

    it('hides the checkbox from assistants, and disabled filters', async () => {
      expect((await assist.get('/classes')).text).not.toContain('只看我管理的班级');
      const { db } = school.database;
      await storeSetting(db, 'show_grade', '0');
      const page = await assist.get('/classes?grade_id=2');
      await storeSetting(db, 'show_grade', '1');
      expect(classNames(page)).toEqual(['二班', '一班']);
      expect(page.text).not.toContain('年级');
      expect(classNames(await assist.get('/classes?grade_id=1'))).toEqual(['一班']);
      expect((await assist.get('/classes?grade_id=2')).text).toContain('没有符合条件的班级');
    });

    it('takes a schedule picture by form, and refuses other files', async () => {
      const address = `/classes/${school.classes.k1}/schedule?grade_id=1`;
      const page = await assist.get(address);
      expect(page.text).toContain('还没有课表');
      const { fields } = formOf(page, '上传');
      const send = (file?: File) => assist.postForm(address, multipart(fields, file));
      const none = await send();
      expect([none.status, none.text.includes('请选择课表图片')]).toEqual([422, true]);
      const text = await send(new File(['no'], '课表.docx'));
      expect([text.status, text.text.includes('课表只能是 jpg、png、gif 或 webp 格式的图片')]).toEqual([415, true]);
      const broken = await send(new File(['no picture'], '课表.png'));
      expect(broken.status).toBeGreaterThanOrEqual(400);
      expect(broken.document.querySelector('dialog')).not.toBeNull();

      const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#0a0' } })
        .png()
        .toBuffer();
      const sent = await send(new File([picture as BlobPart], '课表.png'));
      expect([sent.status, sent.location]).toEqual([302, '/classes?grade_id=1']);
      const list = await assist.follow(sent);
      expect(list.text).toContain('上传成功');
      const shown = await assist.get(address);
      const src = shown.document.querySelector('dialog img')?.getAttribute('src') ?? '';
      const file = await assist.get(src);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
      // Without a large class there is no picture.
      const other = await assist.get(`/classes/${school.classes.k2}/schedule`);
      expect(other.document.querySelector('input[type=file]')).toBeNull();
    });
  });

  describe('a class', () => {
    const tabs = (page: Page) =>
      [...page.document.querySelectorAll('nav[aria-label=班级] a')].map((link) => link.textContent);

    it('has its header and ten tabs in order', async () => {
      const page = await teacher.get(detail(''));
      expect(page.document.querySelector('h1')?.textContent).toBe('一班');
      expect(page.text).toContain('班主任姓名teacher');
      expect(tabs(page).map((label) => label?.replace(/\d+$/, ''))).toEqual([
        '学员列表',
        '课程列表',
        '作业列表',
        '学习统计',
        '班级课件',
        '教学日历',
        '请假管理',
        '班级圈子',
        '公告',
        '班会',
      ]);
      expect(page.document.querySelector('[aria-current=page]')?.textContent).toBe('班级管理');
    });

    it('answers 404 without access, and for invalid ids', async () => {
      for (const search of ['?id=x', '', '?id=0', '?id=99999', `?id=${school.classes.k3}`]) {
        const page = await assist.get(`/classes/detail${search}`);
        expect([search, page.status]).toEqual([search, 404]);
        expect(page.text).toContain('班级不存在');
      }
    });

    it('hides its circle by each of three rules, with 404 for the tab', async () => {
      const { db } = school.database;
      const circleVisibility = async (id: number) => {
        const page = await assist.get(`/classes/detail?id=${id}`);
        const addressed = await assist.get(`/classes/detail?id=${id}&tab=circle`);
        return [tabs(page).length, tabs(page).includes('班级圈子'), addressed.status];
      };
      expect(await circleVisibility(school.classes.k1)).toEqual([10, true, 200]);
      expect(await circleVisibility(school.classes.k2)).toEqual([9, false, 404]);
      for (const setting of ['community_module', 'class_circle'] as const) {
        await storeSetting(db, setting, '0');
        expect(await circleVisibility(school.classes.k1)).toEqual([9, false, 404]);
        await storeSetting(db, setting, '1');
      }
    });

    it('shows current students, and former ones if chosen', async () => {
      const page = await assist.get(detail(''));
      expect(firstCells(page)).toEqual(['学生一班1', '学生一班2']);
      const status = page.document.querySelector('select[name=status]');
      expect(status?.hasAttribute('disabled')).toBe(true);
      expect(status?.querySelector('[selected]')?.textContent).toBe('在班');
      // The checkbox overrides the address's status.
      expect(firstCells(await assist.get(detail('&status=2')))).toEqual(['学生一班1', '学生一班2']);
      const overruled = await assist.get(detail('&status=2'));
      expect(overruled.text).toContain('已勾选“仅展示在班人员”，退班学员未显示。');
      const way = [...overruled.document.querySelectorAll('main a')].find((a) => a.textContent === '查看已退班学员');
      expect(firstCells(await assist.get(way?.getAttribute('href') as string))).toEqual(['学生一班3']);
      const all = await assist.get(detail('&only_in=0'));
      expect(firstCells(all)).toEqual(['学生一班1', '学生一班2', '学生一班3']);
      expect(all.text).toContain('已退班');
      expect(firstCells(await assist.get(detail('&only_in=0&status=2')))).toEqual(['学生一班3']);
      expect((await assist.get(detail('&nickname=没有'))).text).toContain('没有符合条件的学员');
      const link = [...page.document.querySelectorAll('tbody a')][0]?.getAttribute('href');
      expect(link).toMatch(
        new RegExp(`^/classes/student\\?id=\\d+&uid=${school.students.k1[0]}&class_id=${school.classes.k1}$`),
      );
    });

    it('shows its courses, with attendance where kept', async () => {
      const page = await assist.get(detail('&tab=courses'));
      const cards = [...page.document.querySelectorAll('main li')];
      expect(cards.map((card) => card.querySelector('h2')?.textContent)).toEqual(['高一数学', '高一物理']);
      expect(cards[0]?.textContent).toContain('共 2 课时');
      expect(cards[0]?.textContent).toContain('姓名teacher、姓名teacher2');
      const links = [...page.document.querySelectorAll('main li a')].map((link) => link.getAttribute('href'));
      const { theirs } = school.courses;
      expect(links).toEqual([`/classes/attendance?id=${theirs}&course_id=${theirs}&class_id=${school.classes.k1}`]);
      const { db } = school.database;
      const { id } = await db
        .insertInto('class')
        .values({
          name: '空班',
          school_id: 1,
          grade_id: null,
          classify_id: null,
          large_class_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('class_staff')
        .values({ class_id: id, staff_id: school.people.assist.id, duty: 'assistant' })
        .execute();
      expect((await assist.get(`/classes/detail?id=${id}&tab=courses`)).text).toContain('该班级还没有课程');
      expect((await assist.get(`/classes/detail?id=${id}`)).text).toContain('暂无学员');
    });

    it('shows homework linked to this class', async () => {
      const { k1, k2 } = school.classes;
      const times = { publishTime: noon - 2 * day, ending: noon - day };
      const hw = await school.addHomework({ name: '已过', creator: 'teacher', classes: [k1, k2], ...times });
      await school.addHomework({
        name: '还在',
        creator: 'teacher',
        classes: [k1],
        publishTime: noon,
        ending: noon + day,
      });
      const page = await assist.get(detail('&tab=homework'));
      const rows = [...page.document.querySelectorAll('tbody tr')];
      expect(rows.map((row) => row.textContent?.includes('已截止'))).toEqual([false, true]);
      expect(rows[1]?.textContent).toContain('0/2');
      const href = rows[1]?.querySelector('a')?.getAttribute('href') ?? '';
      expect(href).toBe(`/classes/homework?hw_id=${hw}&class_id=${k1}`);
      expect((await assist.get(href)).status).toBe(200);
      const filtered = await assist.get(detail('&tab=homework&name=还'));
      expect(firstCells(filtered)).toEqual(['还在']);
      expect(formOf(filtered, '查询').fields).toContainEqual(['tab', 'homework']);
      const list = page.document.querySelector('[name=course_title]')?.getAttribute('list');
      expect(page.document.querySelector(`[id="${list}"] option`)?.getAttribute('value')).toBe('高一数学');
    });
  });

  it('links waiting homework to its first report for graders', async () => {
    const { classes, students } = school;
    const hw = await school.addHomework({
      name: '班里待批',
      creator: 'teacher',
      classes: [classes.k1, classes.k2],
      ending: noon - day,
    });
    await school.submit(hw, students.k2[0] as number);
    const own = await school.submit(hw, students.k1[0] as number);
    const page = await assist.get(detail('&tab=homework&name=班里待批'));
    const button = page.document.querySelector('tbody button[name=intent]');
    expect([button?.textContent, button?.getAttribute('value')]).toEqual(['去批改', `start ${hw}`]);
    const { action, fields } = formOf(page, '去批改');
    const started = await assist.post(action, fields);
    expect(started.location).toMatch(new RegExp(`^/homework/approve\\?report_id=${own}&class_id=${classes.k1}&back=`));
    await school.database.db.updateTable('homework').set({ status: 2 }).where('id', '=', hw).execute();
    const recalled = await assist.get(detail('&tab=homework&name=班里待批'));
    expect(recalled.document.querySelector('tbody button[name=intent]')).toBeNull();
  });

  describe('courseware of a class', () => {
    const list = () => assist.get(detail('&tab=courseware'));
    const dialog = (what: string) => `/classes/detail/wares/${what}?id=${school.classes.k1}&tab=courseware`;
    const wareId = async () => /wares\/(\d+)\/edit/.exec((await list()).html)?.[1] ?? '';

    it('is added by a form that keeps typed text when refused', async () => {
      const page = await assist.get(dialog('add'));
      expect(page.document.querySelector('dialog > div:last-child')?.getAttribute('style')).toContain('800px');
      const { action, fields } = formOf(page, '保存');
      const typed = fields.map(([name, value]) => [name, name === 'ware_desc' ? '第一版' : value] as const);
      const refused = await assist.postForm(action, multipart(typed));
      expect(refused.status).toBe(422);
      expect(refused.document.querySelector('#ware_name-error')?.textContent).toBe('请输入');
      expect(refused.document.querySelector('#classify_id-error')?.textContent).toBe('请选择');
      expect(refused.document.querySelector('#file-error')?.textContent).toBe('请选择');
      expect(refused.document.querySelector('textarea')?.textContent).toBe('第一版');

      const again = formOf(refused, '保存');
      const filled = again.fields.map(([name, value]) => {
        if (name === 'ware_name') return [name, '课堂讲义'] as const;
        return [name, name === 'classify_id' ? String(category) : value] as const;
      });
      const sent = await assist.postForm(again.action, multipart(filled, pdf()));
      expect([sent.status, sent.location]).toEqual([302, detail('&tab=courseware')]);
      const shown = await assist.follow(sent);
      expect(shown.text).toContain('添加成功');
      expect(firstCells(shown)).toEqual(['课堂讲义第一版']);
      expect(shown.text).toContain('讲义.pdf');
    });

    it('is edited with or without a new file', async () => {
      const page = await assist.get(dialog(`${await wareId()}/edit`));
      expect(page.text).toContain('现有文件：讲义.pdf');
      const { action, fields } = formOf(page, '保存');
      expect(fields).toContainEqual(['ware_name', '课堂讲义']);
      const renamed = fields.map(([name, value]) => [name, name === 'ware_name' ? '新名字' : value] as const);
      const sent = await assist.follow(await assist.postForm(action, multipart(renamed)));
      expect(sent.text).toContain('编辑成功');
      expect(sent.text).toContain('讲义.pdf');
      expect(firstCells(sent)).toEqual(['新名字第一版']);
      for (const what of ['999/edit', '999/remove']) expect((await assist.get(dialog(what))).status).toBe(404);
      // The address of a courseware answers 404 under another class.
      const elsewhere = `/classes/detail/wares/${await wareId()}/edit?id=${school.classes.k2}&tab=courseware`;
      expect((await assist.get(elsewhere)).status).toBe(404);
    });

    it('is chosen from the library', async () => {
      const { db } = school.database;
      const { file_id } = await db.selectFrom('class_ware').select('file_id').executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('courseware')
        .values({
          school_id: 1,
          owner_id: null,
          file_id,
          classify_id: category,
          ware_name: '库里的',
          ware_type: 1,
          created_at: noon,
          updated_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const page = await assist.get(dialog('choose'));
      const button = [...page.document.querySelectorAll('button')].find((one) => one.textContent === '确定');
      const action = button?.getAttribute('formAction') ?? '';
      const key: [string, string] = ['idempotency_key', button?.getAttribute('value') ?? ''];
      const none = await assist.post(action, [key]);
      expect([none.status, none.text.includes('请选择课件')]).toEqual([422, true]);
      const sent = await assist.follow(await assist.post(action, [['pick', String(id)], key]));
      expect(sent.text).toContain('添加成功');
      expect(firstCells(sent)).toEqual(['库里的', '新名字第一版']);
      expect((await assist.get(dialog('choose'))).text).toContain('已添加');
    });

    it('is removed after confirmation', async () => {
      const page = await assist.get(dialog(`${await wareId()}/remove`));
      expect(page.text).toContain('确定从该班级移除该课件吗？');
      const { fields } = formOf(page, '确定移除');
      const sent = await assist.follow(await assist.post(dialog(`${await wareId()}/remove`), fields));
      expect(sent.text).toContain('移除成功');
      expect(firstCells(sent)).toEqual(['新名字第一版']);
    });
  });
});
