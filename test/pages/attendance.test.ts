import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordStudy } from '#server/attendance/study.ts';
import { formOf, openApp, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { addLessons, record } from '../support/lessons.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

describe('study and attendance without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let assist: Visitor;
  let live: { course: number; periods: number[] };
  let offline: { course: number; periods: number[] };
  let classId: number;
  let members: Map<number, number>;
  let students: [number, number, number, number];

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    const { db } = school.database;
    classId = school.classes.k2;
    students = school.students.k2 as typeof students;
    await db.deleteFrom('class_course').where('class_id', '=', classId).execute();
    await db
      .updateTable('class_student')
      .set({ joined_at: noon - 30 * day })
      .where('class_id', '=', classId)
      .execute();
    const classes = [classId];
    live = await addLessons(school, { type: 2, classes, starts: [noon - day, noon + day], title: '直播课' });
    offline = await addLessons(school, { type: 7, classes, starts: [noon - 2 * day], title: '面授课' });
    await addLessons(school, { type: 10, classes, starts: [noon - 2 * day], title: '图文课' });
    const rows = await db
      .selectFrom('class_student')
      .select(['id', 'student_id'])
      .where('class_id', '=', classId)
      .execute();
    members = new Map(rows.map(({ id, student_id }) => [student_id, id]));
    await recordStudy(db, { studentId: students[0], periodId: live.periods[0] as number, liveSeconds: 119 });
    app = await openApp(school);
    assist = await signInAs(school, app, 'assist');
  });
  afterAll(() => school.close());

  const rowOf = (page: Page, name: string) =>
    [...page.document.querySelectorAll('tbody tr')].find((tr) => tr.textContent?.includes(name));
  const cells = (page: Page, name: string) =>
    [...(rowOf(page, name)?.querySelectorAll('td') ?? [])].map((td) => td.textContent?.replace(/\s+/g, ' ').trim());
  const linkIn = (element: Element | undefined, text: string) =>
    [...(element?.querySelectorAll('a') ?? [])].find((a) => a.textContent === text)?.getAttribute('href') as string;
  const pendingLeave = (studentId: number, periodId = live.periods[1] as number) =>
    record(school, { classId, studentId, periodId }, 1);
  const stateOf = async (id: number) =>
    (
      await school.database.db
        .selectFrom('attendance')
        .select('op_status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).op_status;
  const tab = (name: string, more = '') => `/classes/detail?id=${classId}&tab=${name}${more}`;

  describe('学习统计', () => {
    it('shows truncated minutes, whole percentages and their rules, without a script', async () => {
      const page = await assist.get(tab('study'));
      expect([page.status, ownScripts(page)]).toEqual([200, []]);
      // 119 seconds of two live hours are 1.65 %.
      expect(cells(page, '学生二班1').slice(3)).toEqual(['1分钟', '1%', '1', '0', '0', '1', '0/0']);
      const truants = async (sort: string) =>
        [
          ...(await assist.get(`${tab('study')}&sort_field=truant_times&sort=${sort}`)).document.querySelectorAll(
            'tbody tr',
          ),
        ].map((row) => Number(row.children[7]?.textContent));
      const fewest = await truants('asc');
      expect(fewest).toHaveLength(4);
      expect(fewest).toEqual(fewest.toSorted((one, other) => one - other));
      expect((await truants('desc')).at(0)).toBe(fewest.at(-1));
      const hints = [...page.document.querySelectorAll('[role=tooltip]')].map((one) => one.textContent);
      expect(hints).toContain('未出勤且没有已同意的请假，或直播未到只看回放，均计为旷课。');
      expect(hints).toContain('统计除图文课和线下课以外的课程。');
    });

    it('keeps filters in the address, and says when nothing matches', async () => {
      const page = await assist.get(tab('study', '&nickname=二班3&org_id=1'));
      expect([...page.document.querySelectorAll('tbody tr')]).toHaveLength(1);
      expect(page.document.querySelector('[name=nickname]')?.getAttribute('value')).toBe('二班3');
      expect(page.document.querySelector('[name=org_id] option[selected]')?.textContent).toBe('总校');
      const none = await assist.get(tab('study', '&mobile=zzz'));
      expect(none.text).toContain('没有符合条件的学员');
      expect((await assist.get(tab('study', '&page=0&org_id=x&limit=-3'))).status).toBe(200);
    });

    it('exports a file through a form', async () => {
      const page = await assist.get(tab('study', '&nickname=二班3'));
      const { action, fields } = formOf(page, '导出');
      const made = await assist.post(action, fields);
      expect(made.location).toMatch(/^\/exports\//);
      const file = await assist.get(made.location as string);
      expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain('二班-学习统计.xlsx');
    });
  });

  describe('请假管理', () => {
    it('offers actions and checkboxes on pending rows only, with their count', async () => {
      const waiting = await pendingLeave(students[0]);
      await record(school, { classId, studentId: students[1], periodId: live.periods[1] as number }, 2);
      await record(school, { classId, studentId: students[2], periodId: live.periods[1] as number }, 3);
      const page = await assist.get(tab('leave'));
      const boxes = [...page.document.querySelectorAll('input[name=ids]')].map((box) => box.getAttribute('value'));
      expect(boxes).toEqual([String(waiting)]);
      const words = (name: string) =>
        [...(rowOf(page, name)?.querySelectorAll('button[value]') ?? [])].map((button) => button.textContent);
      expect([words('学生二班1'), words('学生二班2'), words('学生二班3')]).toEqual([['同意', '拒绝'], [], []]);
      expect(rowOf(page, '学生二班2')?.textContent).toContain('已同意');
      expect(rowOf(page, '学生二班3')?.textContent).toContain('已拒绝');
      for (const name of ['leave', 'students']) {
        const label = [...(await assist.get(tab(name))).document.querySelectorAll('nav[aria-label=班级] a')].find((a) =>
          a.textContent?.includes('请假管理'),
        );
        expect(label?.textContent).toBe('请假管理1');
      }
      const empty = await assist.get(`/classes/detail?id=${school.classes.k1}&tab=leave`);
      expect(empty.text).toContain('暂无请假记录');
    });

    it('selects all pending requests on one page', async () => {
      const waiting = await Promise.all(students.slice(0, 3).map((student) => pendingLeave(student)));
      const page = await assist.get(tab('leave'));
      const all = [...page.document.querySelectorAll('main a')].find((a) => a.textContent?.startsWith('全选待审批'));
      expect(all?.textContent).toBe('全选待审批（3）');
      const chosen = await assist.get(all?.getAttribute('href') as string);
      const ticked = [...chosen.document.querySelectorAll('input[name=ids]')].map((box) => [
        Number(box.getAttribute('value')),
        box.hasAttribute('checked'),
      ]);
      expect(ticked.toSorted()).toEqual(waiting.map((id) => [id, true]).toSorted());
      expect(chosen.text).toContain('取消全选');
      await school.database.db.updateTable('attendance').set({ op_status: 3 }).where('id', 'in', waiting).execute();
      expect((await assist.get(tab('leave'))).text).not.toContain('全选待审批');
    });

    it('asks for confirmation of a batch, then offers undo', async () => {
      const ids = await Promise.all([pendingLeave(students[0]), pendingLeave(students[1])]);
      const page = await assist.get(tab('leave'));
      const { action, fields } = formOf(page, '批量同意');
      // A browser adds the ticked boxes.
      const search = new URLSearchParams([...fields, ...ids.map((id): [string, string] => ['ids', String(id)])]);
      const dialog = await assist.get(`${action}?${search}`);
      expect(dialog.document.querySelector('dialog[open]')?.textContent).toContain('确定同意这 2 条请假申请吗？');
      expect(dialog.document.querySelector('dialog[open]')?.textContent).toContain('学生二班2');
      expect(dialog.document.querySelector('main')?.hasAttribute('inert')).toBe(true);
      const question = formOf(dialog, '确定同意');
      const done = await assist.post(`${action}?${search}`, question.fields);
      expect(done.location).toBe(tab('leave'));
      const after = await assist.follow(done);
      // The message is shown once, with an undo button.
      expect(after.document.querySelector('[data-flash]')).toBeNull();
      expect(after.text).toContain('已同意 2 条请假申请');
      expect(await Promise.all(ids.map(stateOf))).toEqual([2, 2]);

      const undo = formOf(after, '撤销');
      const undone = await assist.follow(await assist.post(undo.action, undo.fields));
      expect(undone.text).toContain('已撤销，请假申请恢复为待审批');
      expect(undone.text).not.toContain('可以撤销');
      expect(await Promise.all(ids.map(stateOf))).toEqual([1, 1]);
      // A second tab still shows the button; its request is refused without changes.
      const again = await assist.post(
        undo.action,
        undo.fields.filter(([name]) => name !== 'idempotency_key'),
      );
      expect([again.status, again.text.includes('已撤销，不能重复撤销')]).toEqual([409, true]);
    });

    it('offers undo for ten minutes, to the decider alone', async () => {
      const id = await pendingLeave(students[3]);
      await school.as('assist').put(`leave/setOpStatus/${id}`, { op_status: 3 });
      expect((await assist.get(tab('leave'))).text).toContain('已拒绝 1 条请假申请');
      const teacher = await signInAs(school, app, 'teacher');
      expect((await teacher.get(tab('leave'))).text).not.toContain('可以撤销');
      school.setNow(noon + 601);
      expect((await assist.get(tab('leave'))).text).not.toContain('可以撤销');
    });

    it("explains an empty selection, and a colleague's earlier decision", async () => {
      const nothing = await assist.get(`/classes/detail/leave/decide?id=${classId}&tab=leave&op_status=2`);
      expect(nothing.document.querySelector('dialog')?.textContent).toContain('请先勾选待审批的请假申请。');
      const id = await pendingLeave(students[0]);
      const page = await assist.get(tab('leave'));
      const batch = formOf(page, '批量拒绝');
      const href = `${batch.action}?${new URLSearchParams([...batch.fields, ['ids', String(id)]])}`;
      const dialog = await assist.get(href);
      expect(dialog.text).toContain('确定拒绝该请假申请吗？');
      const own = formOf(page, '拒绝');
      await school.as('teacher').put(`leave/setOpStatus/${id}`, { op_status: 2 });
      // The same request can be sent from the confirmation or from the row.
      for (const [address, fields] of [
        [href, formOf(dialog, '确定拒绝').fields],
        [own.action, [['intent', `reject ${id} `]]],
      ] satisfies [string, [string, string][]][]) {
        const refused = await assist.post(address, fields);
        expect(refused.status).toBe(409);
        expect(refused.document.querySelector('[role=alert]')?.textContent).toBe(
          '学生二班1的请假当前状态为“已请假”，不能再审批',
        );
      }
      expect(await stateOf(id)).toBe(2);
    });

    it('decides one request at once, and continues at the next', async () => {
      await school.database.db.updateTable('attendance').set({ op_status: 3 }).where('op_status', '=', 1).execute();
      const ids = [await pendingLeave(students[0]), await pendingLeave(students[1])];
      const open = await assist.get('/leave');
      const shown = [...open.document.querySelectorAll('input[name=ids]')].map((box) =>
        Number(box.getAttribute('value')),
      );
      expect(shown.toSorted()).toEqual(ids.toSorted());
      const [first, second] = shown as [number, number];
      const { action, fields } = formOf(open, '同意');
      const done = await assist.post(action, fields);
      expect(done.location).toBe(`/leave#leave-${second}`);
      expect(await Promise.all([first, second].map(stateOf))).toEqual([2, 1]);
      // Repeating a button is the same request; another button is a new one.
      expect((await assist.post(action, fields)).status).toBe(302);
      const last = fields.map(([name, value]): [string, string] => [
        name,
        name === 'intent' ? `reject ${second} ` : value,
      ]);
      expect((await assist.post(action, last)).location).toBe('/leave');
      const after = await assist.get('/leave');
      expect(after.text).toContain('已拒绝 1 条请假申请');
      expect(after.text).toContain('此前的');
      expect(await Promise.all([first, second].map(stateOf))).toEqual([2, 3]);
      const undo = formOf(after, '撤销');
      await assist.post(undo.action, undo.fields);
      expect(await Promise.all([first, second].map(stateOf))).toEqual([2, 1]);
      // Unknown ids, and ids of other classes, decide nothing.
      for (const [intent, status] of [
        ['approve', 422],
        ['approve x', 404],
        ['reject 999999', 404],
        ['agree 1', 400],
      ] as const)
        expect([intent, (await assist.post(action, [['intent', intent]])).status]).toEqual([intent, status]);
    });

    it('decides the rest of a batch partly decided by others, and names those', async () => {
      await school.database.db.updateTable('attendance').set({ op_status: 3 }).where('op_status', '=', 1).execute();
      const ids = [await pendingLeave(students[0]), await pendingLeave(students[1]), await pendingLeave(students[2])];
      const { action, fields } = formOf(await assist.get('/leave'), '批量同意');
      const address = `${action}?${new URLSearchParams([...fields, ...ids.map((id) => ['ids', String(id)])])}`;
      const asked = await assist.get(address);
      await school.as('teacher').put(`leave/setOpStatus/${ids[0]}`, { op_status: 3 });
      // A colleague decides one request before or after the confirmation. Nothing is lost, and one click decides the
      // rest.
      const refusedThere = await assist.post(address, formOf(asked, '确定同意').fields);
      expect(refusedThere.status).toBe(409);
      for (const page of [refusedThere, await assist.get(address)]) {
        const dialog = page.document.querySelector('dialog[open]')?.textContent ?? '';
        expect(dialog).toContain('这 1 条已由他人处理');
        expect(dialog).toMatch(/学生二班1，.*请假被拒绝.*今天 12:00/);
        expect(dialog).toContain('确定同意其余 2 条请假申请吗？');
      }
      const done = await assist.post(address, formOf(refusedThere, '同意其余 2 条').fields);
      expect(done.status).toBe(302);
      expect(await Promise.all(ids.map(stateOf))).toEqual([3, 2, 2]);
      // Once all are decided, the main button leads back.
      const over = await assist.get(address);
      expect(over.status).toBe(409);
      const [way] = over.document.querySelectorAll('main [role=alert] ~ div a');
      expect([way?.textContent, way?.getAttribute('href')?.startsWith('/leave')]).toEqual(['返回', true]);
    });

    it('undoes each recent decision, and returns to the workbench if it came from there', async () => {
      await school.database.db.updateTable('attendance').set({ op_status: 3 }).where('op_status', '=', 1).execute();
      await school.database.db.updateTable('leave_batch').set({ undone_at: noon }).execute();
      const ids = [await pendingLeave(students[0]), await pendingLeave(students[1])];
      for (const id of ids) {
        const address = `/leave/leave/decide?op_status=2&ids=${id}&back=${encodeURIComponent('/')}`;
        const done = await assist.post(address, formOf(await assist.get(address), '确定同意').fields);
        expect(done.location).toBe('/');
        const home = await assist.follow(done);
        expect(home.text).toContain('已同意 1 条请假申请，10分钟内可以撤销');
        // Messages with a link stay until dismissed.
        expect(home.document.querySelector('[data-flash] a[aria-label="关闭提示"]')?.getAttribute('href')).toBe('/');
      }
      for (const left of [2, 1]) {
        const page = await assist.get('/leave');
        const buttons = [...page.document.querySelectorAll('button[value^="undo "]')];
        expect(buttons).toHaveLength(left);
        const value = buttons.at(-1)?.getAttribute('value') ?? '';
        const { action, fields } = formOf(page, '撤销');
        await assist.post(action, [...fields.filter(([name]) => name === 'redirectTo'), ['intent', value]]);
        expect(await stateOf(ids[2 - left] as number)).toBe(1);
      }
    });

    it('decides requests of all classes in one list, and returns to it', async () => {
      const first = school.classes.k1;
      await school.database.db.updateTable('attendance').set({ op_status: 3 }).where('op_status', '=', 1).execute();
      const [one, two] = [
        await pendingLeave(students[0]),
        await record(
          school,
          { classId: first, studentId: school.students.k1[0] as number, periodId: live.periods[1] as number },
          1,
        ),
      ];
      const page = await assist.get('/leave');
      expect([...page.document.querySelectorAll('input[name=ids]')].length).toBe(2);
      for (const name of ['一班', '二班']) expect(rowOf(page, name)?.textContent).toContain('直播课');
      const narrowed = await assist.get(`/leave?class_id=${first}`);
      expect([...narrowed.document.querySelectorAll('tbody tr')].length).toBe(1);
      const all = [...page.document.querySelectorAll('main a')].find((a) => a.textContent === '全选待审批（2）');
      const chosen = await assist.get(all?.getAttribute('href') as string);
      const { action, fields } = formOf(chosen, '批量同意');
      const ticked = [...chosen.document.querySelectorAll('input[name=ids][checked]')].map((box): [string, string] => [
        'ids',
        box.getAttribute('value') as string,
      ]);
      const address = `${action}?${new URLSearchParams([...fields, ...ticked])}`;
      const dialog = await assist.get(address);
      const asked = dialog.document.querySelector('dialog[open]')?.textContent?.replace(/\s+/g, ' ');
      expect(asked).toContain('确定同意这 2 条请假申请吗？');
      expect(asked).toMatch(/学生一班1.*一班：直播课，.*明天 12:00/);
      // Cancelling keeps the ticked boxes, all or one.
      const backTo = async (from: string) => assist.get(linkIn((await assist.get(from)).document.body, '取消'));
      const boxes = async (from: string) =>
        [...(await backTo(from)).document.querySelectorAll('input[name=ids][checked]')].map((box) =>
          box.getAttribute('value'),
        );
      expect((await boxes(address)).length).toBe(2);
      const unticked = formOf(page, '批量同意');
      const byBox = `${unticked.action}?${new URLSearchParams([...unticked.fields, ['ids', String(two)]])}`;
      expect(await boxes(byBox)).toEqual([String(two)]);
      const done = await assist.post(address, formOf(dialog, '确定同意').fields);
      expect(done.location).toMatch(/^\/leave/);
      const after = await assist.follow(done);
      expect(after.text).toContain('没有待审批的请假');
      expect(after.text).toContain('已同意 2 条请假申请');
      expect((await assist.get('/leave?waiting=0')).text).toContain('已同意');
      const undo = formOf(after, '撤销');
      await assist.follow(await assist.post(undo.action, undo.fields));
      expect(await Promise.all([one, two].map(stateOf))).toEqual([1, 1]);
    });

    it('sends live updates only to people who see the class', async () => {
      const foreign = await signInAs(school, app, 'otherAssist');
      expect((await foreign.get(`/classes/leave/stream?id=${classId}`)).status).toBe(404);
      expect((await assist.get('/classes/leave/stream?id=x')).status).toBe(404);
    });
  });

  describe('StudentDetail', () => {
    const address = () => `/classes/student?id=${members.get(students[0])}&uid=${students[0]}&class_id=${classId}`;

    it('shows the student and courses, with a dash where time is not counted', async () => {
      const page = await assist.get(address());
      expect([page.status, ownScripts(page)]).toEqual([200, []]);
      for (const word of ['昵称', '手机号', '入班时间', '入班方式', '报名入班', '导出'])
        expect(page.text).toContain(word);
      expect(cells(page, '直播课').slice(2, 7)).toEqual(['1分钟', '1%', '1', expect.any(String), '0']);
      expect(cells(page, '面授课').slice(2, 4)).toEqual(['-', '-']);
      expect(cells(page, '图文课').slice(2, 4)).toEqual(['-', '-']);
    });

    it("opens a course's periods in a dialog", async () => {
      const page = await assist.get(address());
      const dialog = await assist.get(linkIn(rowOf(page, '直播课'), '学习详情'));
      expect(dialog.document.querySelector('dialog h2')?.textContent).toBe('学习详情：直播课');
      expect(cells(dialog, '第1讲').slice(2)).toEqual(['60分钟', '1分钟', '3%', '出勤', '-']);
      expect(linkIn(dialog.document.querySelector('dialog') as Element, '✕')).toBe(
        `/classes/student?id=${members.get(students[0])}&uid=${students[0]}&class_id=${classId}`,
      );
      const plain = await assist.get(linkIn(rowOf(page, '图文课'), '学习详情'));
      expect(cells(plain, '第1讲').slice(3)).toEqual(['-', '-', '不计考勤', '-']);
    });

    it('exports, and answers 404 to others', async () => {
      const page = await assist.get(address());
      const { action, fields } = formOf(page, '导出');
      expect((await assist.post(action, fields)).location).toMatch(/^\/exports\//);
      const foreign = await signInAs(school, app, 'otherAssist');
      expect((await foreign.get(address())).status).toBe(404);
      expect((await assist.get('/classes/student')).status).toBe(404);
    });
  });

  describe('AttendInfo', () => {
    const address = (course: number) => `/classes/attendance?id=${course}&course_id=${course}&class_id=${classId}`;

    it('shows the course and its lessons with counts', async () => {
      const page = await assist.get(address(live.course));
      expect([page.status, ownScripts(page)]).toEqual([200, []]);
      for (const word of ['学习人数', '导出', '授课时长', '应到', '考勤详情']) expect(page.text).toContain(word);
      expect(cells(page, '第1讲').slice(2, 9)).toEqual(['60分钟', '已结束', '1', '0', '3', '0', '4']);
      const { action, fields } = formOf(page, '导出');
      expect((await assist.post(action, fields)).location).toMatch(/^\/exports\//);
      expect((await assist.get(address(999_999))).status).toBe(404);
    });

    it.each([1, 5, 10])('answers 404 for a course of type %i, which has no attendance', async (type) => {
      const { course } = await addLessons(school, { type, classes: [classId], starts: [noon - 60] });
      expect((await assist.get(address(course))).status).toBe(404);
    });

    it("pages a lesson's students over the page of lessons it was opened from", async () => {
      const { db } = school.database;
      const { periods, course } = await addLessons(school, {
        type: 2,
        classes: [school.classes.k1],
        starts: Array.from({ length: 21 }, (_, index) => noon - (index + 1) * 60),
        title: '多课时',
      });
      const created = Array.from({ length: 25 }, (_, n) => ({ nickname: `新生${n}`, school_id: 1, created_at: noon }));
      const rows = await db.insertInto('student').values(created).returning('id').execute();
      const joined = rows.map(({ id }) => ({ class_id: school.classes.k1, student_id: id, left_at: null }));
      await db
        .insertInto('class_student')
        .values(joined.map((row) => ({ ...row, joined_at: noon - day })))
        .execute();
      const list = await assist.get(
        `/classes/attendance?id=${course}&course_id=${course}&class_id=${school.classes.k1}&page=2`,
      );
      const first = await assist.get(linkIn(rowOf(list, '第21讲'), '考勤详情'));
      expect(first.document.querySelectorAll('dialog tbody tr')).toHaveLength(20);
      const dialog = first.document.querySelector('dialog') as unknown as Document;
      const jump = formOf({ ...first, document: dialog }, '跳转');
      const fields = jump.fields.map(([name, value]): [string, string] => [name, name === 'page' ? '2' : value]);
      const second = await assist.get(`${jump.action}?${new URLSearchParams(fields)}`);
      expect(second.document.querySelector('dialog h2')?.textContent).toBe('考勤详情：第21讲');
      expect(second.document.querySelectorAll('dialog tbody tr').length).toBeLessThan(20);
      const question = await assist.get(linkIn(second.document.querySelector('dialog tbody') as Element, '请假'));
      const back = linkIn(question.document.querySelector('dialog') as Element, '取消');
      expect(new URL(back, 'http://x').searchParams.toString()).toBe(
        `id=${course}&course_id=${course}&class_id=${school.classes.k1}&behind-page=2&period_id=${periods[20]}&page=2`,
      );
    });

    it('asks for confirmation of each action in a face-to-face lesson', async () => {
      const open = async () =>
        assist.get(linkIn(rowOf(await assist.get(address(offline.course)), '第1讲'), '考勤详情'));
      const actions = (page: Page) =>
        [...(rowOf(page, '学生二班1')?.querySelectorAll('a') ?? [])].map((a) => a.textContent);
      const act = async (word: string, question: string, typed: [string, string][] = []) => {
        const href = linkIn(rowOf(await open(), '学生二班1'), word);
        const dialog = await assist.get(href);
        expect(dialog.document.querySelector('dialog')?.textContent).toContain(question);
        const { fields } = formOf(dialog, '确定');
        return assist.follow(
          await assist.post(href, [...fields.filter(([name]) => !typed.some(([one]) => one === name)), ...typed]),
        );
      };
      expect(actions(await open())).toEqual(['请假', '确认出勤', '标记旷课']);
      expect(rowOf(await act('确认出勤', '确定该学员已出勤吗？'), '学生二班1')?.textContent).toContain('出勤');
      expect(actions(await open())).toEqual(['请假', '取消出勤']);
      await act('取消出勤', '确定取消出勤吗？');
      const undo = formOf(await open(), '撤销');
      expect((await assist.follow(await assist.post(undo.action, undo.fields))).text).toContain('已撤销');
      expect(rowOf(await open(), '学生二班1')?.textContent).toContain('出勤');
      await act('取消出勤', '确定取消出勤吗？');
      const approved = await act('请假', '确定为该学员请假吗？', [['leave_cause', '发烧']]);
      expect(approved.text).toContain('请假成功');
      expect(actions(approved)).toEqual(['取消请假']);
      await act('取消请假', '确定取消请假吗？');
      const asked = await act('请假', '确定为该学员请假吗？', [
        ['leave_cause', '<b>感冒</b>'],
        ['approve', ''],
      ]);
      expect(asked.text).toContain('已提交请假申请，等待审批');
      const hint = rowOf(asked, '学生二班1')?.querySelector('[role=tooltip]');
      expect(hint?.textContent).toBe('请假原因：<b>感冒</b>');
      expect(actions(asked)).toEqual(['同意请假', '拒绝请假', '确认出勤']);
      await act('同意请假', '确定同意该请假申请吗？');
      expect(actions(await open())).toEqual(['取消请假']);
      const cancelled = await act('取消请假', '确定取消请假吗？');
      expect(rowOf(cancelled, '学生二班1')?.textContent).toContain('已取消请假');
      expect(actions(cancelled)).toEqual(['请假', '确认出勤']);
    });

    it('returns a too long cause with a message', async () => {
      const href = `/classes/attendance/lesson/mark?id=${live.course}&class_id=${classId}&period_id=${live.periods[0]}&uid=${students[3]}&action=request`;
      const dialog = await assist.get(href);
      const { fields } = formOf(dialog, '确定');
      const long = '病'.repeat(101);
      const refused = await assist.post(
        href,
        fields.map(([name, value]): [string, string] => [name, name === 'leave_cause' ? long : value]),
      );
      expect(refused.status).toBe(422);
      expect(refused.document.querySelector('#leave_cause-error')?.textContent).toBe('请假原因不能超过100个字');
      expect(refused.document.querySelector('#leave_cause')?.textContent).toBe(long);
    });

    it('shows the current state where an action is no longer possible', async () => {
      const id = await record(school, { classId, studentId: students[1], periodId: live.periods[1] as number }, 1);
      const href = `/classes/attendance/lesson/mark?id=${live.course}&class_id=${classId}&period_id=${live.periods[1]}&uid=${students[1]}&action=approve`;
      const dialog = await assist.get(href);
      const { fields } = formOf(dialog, '确定');
      await school.as('teacher').put(`leave/setOpStatus/${id}`, { op_status: 3 });
      const refused = await assist.post(href, fields);
      expect([refused.status, refused.text.includes('的请假当前状态为“请假被拒绝”')]).toEqual([409, true]);
      const late = await assist.get(href);
      expect([late.status, late.text.includes('请假被拒绝')]).toEqual([409, true]);
      expect((await assist.get(href.replace('approve', 'destroy'))).status).toBe(404);
    });
  });

  it('offers the same actions in an ended class', async () => {
    const { db } = school.database;
    const ends = (valid_type: number) =>
      db
        .updateTable('class')
        .set({ valid_type, valid_time: noon - 60 })
        .where('id', '=', classId)
        .execute();
    const waiting = await pendingLeave(students[2]);
    const lesson = `id=${live.course}&class_id=${classId}&period_id=${live.periods[1]}`;
    await ends(2);
    const page = await assist.get(`/classes/attendance/lesson?${lesson}`);
    const asked = await assist.get(`/classes/attendance/lesson/mark?${lesson}&uid=${students[3]}&action=request`);
    await ends(1);
    const offered = [...page.document.querySelectorAll('dialog tbody a')].map((a) => a.textContent);
    expect(offered).toEqual(expect.arrayContaining(['同意请假', '拒绝请假', '请假']));
    expect([asked.text.includes('确定为该学员请假吗？'), asked.document.querySelector('dialog form')]).not.toContain(
      null,
    );
    await school.as('assist').put(`leave/setOpStatus/${waiting}`, { op_status: 3 });
  });

  it('hides its dialogs and screens from others', async () => {
    const foreign = await signInAs(school, app, 'otherAssist');
    for (const path of [
      tab('study'),
      tab('leave'),
      `/classes/attendance?id=${live.course}&class_id=${classId}`,
      `/classes/attendance/lesson?id=${live.course}&class_id=${classId}&period_id=${live.periods[0]}`,
      `/classes/student/periods?id=${members.get(students[0])}&course_id=${live.course}`,
    ]) {
      expect((await foreign.get(path)).status, path).toBe(404);
    }
  });
});
