import { describe, expect } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { formOf, ownScripts, signedSession } from '../support/app.ts';
import { addLessons, record } from '../support/lessons.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

describe('workbench', () => {
  it('is the first page, and says when nothing is pending', async ({ teacher, assist }) => {
    for (const person of [teacher, assist]) {
      const page = await person.get('/');
      expect(page.status).toBe(200);
      for (const words of ['节已结束或取消', '没有待批改的作业。', '没有待审批的请假。'])
        expect(page.text).toContain(words);
      for (const words of ['待批改试卷', '48小时内截止', '被驳回的讲义', '作业草稿', '新的帖子'])
        expect(page.text).not.toContain(words);
      expect(page.document.querySelector('header nav a[aria-current]')?.textContent).toBe('工作台');
      expect(ownScripts(page)).toEqual([]);
    }
  });

  it('links to pending work', async ({ school, teacher, assist }) => {
    const { addHomework, submit, classes, students } = school;
    const homework = await addHomework({
      name: '待批改',
      creator: 'teacher',
      classes: [classes.k2],
      ending: noon - day,
    });
    const report = await submit(homework, students.k2[0] as number);
    await submit(homework, students.k2[1] as number, false);
    await addHomework({ name: '快截止', creator: 'teacher', classes: [classes.k2], ending: noon + day });
    const { periods } = await addLessons(school, { type: 2, classes: [classes.k2], starts: [noon + 600, noon + day] });
    const cell = { classId: classes.k2, studentId: students.k2[0] as number, periodId: periods[1] as number };
    const leave = await record(school, cell, 1);
    for (const person of [teacher, assist]) {
      const page = await person.get('/');
      expect(page.text).toContain('今天是11月20日 周五');
      const part = (name: string) => page.document.querySelector(`section[aria-label="${name}"]`);
      expect(part('今天的课')?.querySelectorAll('article')).toHaveLength(1);
      expect(part('待批改作业')?.textContent).toContain('1/2');
      expect(part('48小时内截止')?.textContent?.replace(/\s+/g, ' ')).toContain(
        '4人未交：学生二班1、学生二班2、学生二班3、学生二班4',
      );
      expect(part('48小时内截止')?.textContent).toContain('还剩24小时');
      const { action, fields } = formOf(page, '继续批改');
      expect((await person.post(action, fields)).location).toContain(`report_id=${report}`);
      expect(part('待审批的请假')?.textContent).toMatch(/学生二班1.*二班.*明天 12:00 未开始\s+课程类型2 第2讲/s);
    }
    const person = teacher;
    const { action, fields } = formOf(await person.get('/'), '同意');
    const done = await person.follow(await person.post(action, fields));
    expect(done.text).toContain('已同意 1 条请假申请，10分钟内可以撤销');
    expect(done.text).toContain('没有待审批的请假。');
    // A repeated form counts once; an outdated page gets a message.
    expect((await person.follow(await person.post(action, fields))).text).toContain('已同意 1 条请假申请');
    const late = fields.map(([name, value]): [string, string] => [name, name === 'intent' ? `reject ${leave}` : value]);
    expect((await person.follow(await person.post(action, late))).text).toContain('不能再审批');
    expect((await school.as('teacher').get(`leave/inbox?ids=${leave}`)).body.data.list[0].op_status).toBe(2);
  });

  it('decides several requests except unticked ones', async ({ school, assist }) => {
    const { classes, students } = school;
    const { periods } = await addLessons(school, { type: 2, classes: [classes.k2], starts: [noon + day] });
    const cell = { classId: classes.k2, periodId: periods[0] as number };
    const ids: number[] = [];
    for (const studentId of students.k2.slice(0, 3)) ids.push(await record(school, { ...cell, studentId }, 1));
    const page = await assist.get('/');
    const all = [...page.document.querySelectorAll('section a')].find((a) => a.textContent === '批量同意');
    const address = all?.getAttribute('href') as string;
    const dialog = await assist.get(address);
    expect(dialog.text).toContain('确定同意这 3 条请假申请吗？取消勾选的不处理。');
    const { fields } = formOf(dialog, '确定同意');
    const postWithout = (...left: number[]) =>
      assist.post(
        address,
        fields.filter(([name, value]) => name !== 'ids' || !left.includes(Number(value))),
      );
    const refused = await postWithout(...ids);
    expect([refused.status, refused.text.includes('请选择请假记录')]).toEqual([422, true]);
    expect(refused.document.querySelectorAll('dialog [name=ids][checked]')).toHaveLength(0);
    await postWithout(ids[1] as number);
    const { list } = (await school.as('assist').get(`leave/inbox?ids=${ids}`)).body.data;
    expect(list.map(({ id, op_status }: { id: number; op_status: number }) => [id, op_status]).sort()).toEqual(
      ids.map((id) => [id, id === ids[1] ? 1 : 2]),
    );
  });

  it('shows pending counts on every page, updated at once', async ({ school, otherAssist }) => {
    const { classes, students } = school;
    const { periods } = await addLessons(school, { type: 2, classes: [classes.k3], starts: [noon + day] });
    const cell = { classId: classes.k3, studentId: students.k3[0] as number, periodId: periods[0] as number };
    const id = await record(school, cell, 1);
    const navigationCounts = async () => {
      const page = await otherAssist.get('/calendar');
      const links = [...page.document.querySelectorAll('header nav a')].map((a) => a.textContent);
      return links.find((text) => text?.startsWith('班级管理'));
    };
    expect(await navigationCounts()).toBe('班级管理1条请假待审批');
    const decide = `/leave/leave/decide?op_status=3&ids=${id}`;
    await otherAssist.post(decide, formOf(await otherAssist.get(decide), '确定拒绝').fields);
    expect(await navigationCounts()).toBe('班级管理');
  });

  it('shows equal counts in navigation and page without further queries', async ({ school, app }) => {
    const { addHomework, submit, classes, students } = school;
    const homework = await addHomework({ name: '待批改', creator: 'teacher', classes: [classes.k2] });
    await submit(homework, students.k2[0] as number);
    const { id, identity } = school.people.teacher;
    // A visitor who has just signed in, for whom nothing is cached.
    const arrive = async () => {
      const visitor = app.visitor();
      const token = await issueToken(school.database.db, id, { device: 'test', address: '127.0.0.1', now: noon });
      visitor.cookies.set('session', await signedSession({ token, identity }));
      return visitor;
    };
    // A new visitor for each page view, so that nothing is cached.
    const fresh = [await arrive(), await arrive(), await arrive()];
    const { queries } = await school.costOf(async () => {
      const page = await fresh.pop()?.get('/');
      const links = [...(page?.document.querySelectorAll('header nav a') ?? [])].map((a) => a.textContent ?? '');
      const waiting = page?.document.querySelector('section[aria-label="待批改作业"] h2 span')?.textContent;
      expect(Number(waiting)).toBeGreaterThan(0);
      expect(links).toContain(`作业管理${waiting}份作业待批改`);
    });
    const { queries: ofTheCall } = await school.costOf(() => school.as('teacher').get('workbench'));
    expect(queries).toBe(ofTheCall);
  });

  it('names who assigns classes, on each empty screen of a person without one', async ({ school, app, teacher }) => {
    const { db } = school.database;
    const { id: school_id } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
    const arrive = async (identity: 'teacher' | 'assist') => {
      const values = { username: `new-${identity}`, password_hash: 'none', real_name: '新来的', school_id };
      const { id } = await db
        .insertInto('staff')
        .values({ ...values, identity, disabled_at: null, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      const visitor = app.visitor();
      const token = await issueToken(db, id, { device: 'test', address: '127.0.0.1', now: noon });
      visitor.cookies.set('session', await signedSession({ token, identity }));
      return visitor;
    };
    const lecturer = await arrive('teacher');
    const assistant = await arrive('assist');
    for (const path of ['/', '/classes?only_mine=0', '/sessions', '/exams'])
      expect([path, (await lecturer.get(path)).text]).toEqual([path, expect.stringContaining('教务')]);
    expect((await lecturer.get('/')).text).toContain('您还没有班级。教务把您设为班主任');
    for (const path of ['/', '/classes', '/sessions', '/curriculum', '/exams'])
      expect([path, (await assistant.get(path)).text]).toEqual([path, expect.stringContaining('教务')]);
    expect((await assistant.get('/')).text).toContain('您还没有班级。教务在班级资料中把您设为助教');
    expect((await teacher.get('/')).text).not.toContain('您还没有班级');
  });

  it('hides grading and publishing without the permissions', async ({ school, plainTeacher }) => {
    const { addHomework, submit, classes, students } = school;
    const homework = await addHomework({ name: '待批改', creator: 'teacher', classes: [classes.k2] });
    await submit(homework, students.k2[0] as number);
    const page = await plainTeacher.get('/');
    expect(page.text).not.toContain('待批改作业');
    expect(page.text).not.toContain('布置作业');
  });
});

describe('the start list', () => {
  it('says what happens without a step, and collapses once all are dismissed', async ({ admin, school }) => {
    const page = await admin.get('/admin');
    expect(page.text).toMatch(/已完成：.*添加讲师和助教/);
    expect(page.text).toContain('没有备份，服务器损坏时全部记录无法找回。');
    const buttons = [...page.document.querySelectorAll('section[aria-label="开始使用"] button[value^="away"]')];
    const intents = buttons.map((button) => button.getAttribute('value') ?? '');
    expect(intents).toContain('away backup');
    const link = page.document.querySelector('section[aria-label="开始使用"] a[href*="holidays"]');
    expect((await admin.get(link?.getAttribute('href') ?? '')).text).toContain('采用国家法定节假日');
    let home = page;
    const press = async (intent = '') => {
      home = await admin.follow(await admin.post('/admin', [['intent', intent]]));
    };
    for (const intent of intents.slice(1)) await press(intent);
    expect(home.document.querySelectorAll('button[value^="away"]')).toHaveLength(1);
    await press(intents.at(-1)?.replace('away', 'back'));
    expect(home.document.querySelectorAll('button[value^="away"]')).toHaveLength(2);
    await press(intents.at(-1));
    await press(intents[0]);
    expect(home.text).not.toContain('开始使用');
    expect(home.document.querySelector('main summary')?.textContent).toBe(`不需要的（${intents.length}）`);
    await press('back backup');
    expect(home.text).toContain('没有备份，服务器损坏时全部记录无法找回。');
    await press('away backup');
    const { db } = school.services.database;
    const kept = await db.selectFrom('setting').select('name').where('name', 'like', 'start%').execute();
    expect(kept).toHaveLength(intents.length);
  });
});
