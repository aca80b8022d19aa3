import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { pdfWithTable } from '../files/samples.ts';
import { formOf, openApp, ownScripts, type Page, signInAs, typedText, type Visitor } from '../support/app.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam, hour, lessonTimes, type TestTeam } from '../support/team-lessons.ts';

let school: TestSchool;
let teacher: Visitor;
let assist: Visitor;
let team: TestTeam;
let alone: TestTeam;
const lessons = {} as Record<'held' | 'coming' | 'going' | 'off' | 'oneToOne' | 'oneToOneHeld', number>;

beforeAll(async () => {
  school = await openTestSchool('SQLite');
  const app = await openApp(school);
  [teacher, assist] = [await signInAs(school, app, 'teacher'), await signInAs(school, app, 'assist')];
  team = await addTeam(school, { name: '数学团课' });
  alone = await addTeam(school, { name: '数学一对一', classType: 1, size: 1 });
  lessons.held = await addLesson(school, { team, start: lessonTimes.held });
  lessons.coming = await addLesson(school, { team });
  lessons.going = await addLesson(school, { team, start: lessonTimes.now, mode: 2 });
  lessons.off = await addLesson(school, { team, start: noon + 5 * day, isCancelled: true });
  lessons.oneToOne = await addLesson(school, { team: alone });
});
afterAll(async () => school.close());

const links = (page: Page) =>
  [...page.document.querySelectorAll('main a')].map((link) => [link.textContent?.trim(), link.getAttribute('href')]);
const linkTo = (page: Page, text: string) => links(page).find(([name]) => name === text)?.[1];
const isLevel0 = (page: Page) => ownScripts(page).length === 0;
/** Sends the button's form with other typed values. */
const submit = (visitor: Visitor, page: Page, button: string, typed: Record<string, string> = {}) => {
  const { action, fields } = formOf(page, button);
  const all = { ...Object.fromEntries(fields), ...typed };
  return visitor.post(action || (page as Page & { path: string }).path, all);
};
const open = async (visitor: Visitor, path: string) => Object.assign(await visitor.get(path), { path });
const setting = (name: 'class_homework_module' | 'show_grade' | 'show_classify', value: '0' | '1') =>
  storeSetting(school.database.db, name, value);

describe('group classes', () => {
  const cellButton = (page: Page, cell: string) =>
    [...page.document.querySelectorAll('button[name=cell]')].find((one) => one.getAttribute('value') === cell);
  const grid = () => open(assist, `/curriculum/detail?id=${team.id}&tab=2`);
  const dialog = (cell: string, type = '') =>
    open(assist, `/curriculum/detail/attendance?id=${team.id}&tab=2&cell=${cell}${type && `&type=${type}`}`);
  const note = async (session: number, student: number, status: 1 | 2 | 3) => {
    const row = { session_id: session, student_id: student, status, set_by: null, set_at: null };
    await school.database.db
      .insertInto('session_student')
      .values({ ...row, teacher_remark_by: null, teacher_remark_at: null })
      .onConflict((conflict) => conflict.columns(['session_id', 'student_id']).doUpdateSet({ status }))
      .execute();
  };

  it('have a menu entry and screens for assistants alone', async () => {
    const page = await open(assist, '/curriculum');
    expect([page.status, isLevel0(page), page.text.includes('团课管理')]).toEqual([200, true, true]);
    expect(page.text).toContain('数学团课');
    expect((await teacher.get('/sessions')).text).not.toContain('团课管理');
    expect((await teacher.get('/curriculum')).status).toBe(403);
    expect((await teacher.get(`/curriculum/detail?id=${team.id}`)).status).toBe(403);
    expect((await assist.get('/curriculum/detail?id=abc')).status).toBe(404);
    expect((await assist.get('/curriculum?class_name=zzz')).text).toContain('没有符合条件的班级');
  });

  it('are found by classroom', async () => {
    const { db } = school.database;
    const taught = await addTeam(school, { name: '在教室上的团课' });
    const room = await db
      .insertInto('room')
      .values({ name: '301教室', school_id: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('team_class').set({ room_id: room.id }).where('class_id', '=', taught.id).execute();
    const found = await open(assist, `/curriculum?room_id=${room.id}`);
    expect(found.document.querySelector('select[name=room_id] option[selected]')?.textContent).toBe('301教室');
    const rows = [...found.document.querySelectorAll('main tbody tr')].map((row) => row.textContent);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/在教室上的团课.*301教室/);
    expect((await open(assist, `/curriculum?room_id=${room.id + 1}`)).text).toContain('没有符合条件的班级');
  });

  it('have grade and category columns by setting, and a school column with several schools', async () => {
    const headers = async () =>
      [...(await open(assist, '/curriculum')).document.querySelectorAll('main th')].map((th) => th.textContent);
    expect(await headers()).toEqual(expect.arrayContaining(['年级', '分类', '科目']));
    expect(await headers()).not.toContain('校区');
    await setting('show_grade', '0');
    await setting('show_classify', '0');
    expect((await headers()).filter((one) => one === '年级' || one === '分类')).toEqual([]);
    // A hidden filter hides nothing.
    expect((await assist.get('/curriculum?grade_id=999&classify_id=999')).text).toContain('数学团课');
    await setting('show_grade', '1');
    await setting('show_classify', '1');
    const second = await school.database.db
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await headers()).toContain('校区');
    await school.database.db.deleteFrom('school').where('id', '=', second.id).execute();
  });

  it('change attendance in the grid after confirmation, and return to the cell', async () => {
    const [student] = team.students as [number];
    const cell = `${lessons.coming},${student}`;
    const before = await grid();
    expect([isLevel0(before), cellButton(before, cell)?.textContent]).toEqual([true, '未标记']);
    // A cancelled lesson has no actions.
    expect(cellButton(before, `${lessons.off},${student}`)).toBeUndefined();
    const asked = await dialog(cell);
    expect(asked.text).toContain('确定为该学员请假吗？');
    const sent = await submit(assist, asked, '确定');
    expect(sent.location).toBe(`/curriculum/detail?id=${team.id}&tab=2&at=${cell}#at`);
    const after = await assist.follow(sent);
    expect([after.text.includes('操作成功'), after.document.querySelector('#at')?.textContent]).toEqual([true, '请假']);
    const back = await dialog(cell);
    expect(back.text).toContain('确定取消请假吗？');
    // A colleague has cancelled the leave meanwhile, and the dialog says so.
    await school.database.db
      .updateTable('session_student')
      .set({ status: null })
      .where('session_id', '=', lessons.coming)
      .execute();
    const late = await submit(assist, back, '确定');
    expect([late.status, late.text.includes('课次未上课，该学员当前为“未标记”，不能取消请假')]).toEqual([409, true]);
  });

  it('offer two ways to correct an absence; the manual one needs a reason and keeps typed text', async () => {
    const [, student] = team.students as [number, number];
    const cell = `${lessons.held},${student}`;
    await note(lessons.held, student, 3);
    const choice = await dialog(cell);
    const offered = [...choice.document.querySelectorAll('dialog a')].map((one) => one.textContent?.trim());
    expect(offered).toEqual(expect.arrayContaining(['请假', '手动出勤']));
    const asked = await dialog(cell, '4');
    const empty = await submit(assist, asked, '确定', { remark: '' });
    expect([empty.status, empty.text.includes('请输入出勤原因')]).toEqual([422, true]);
    const typed = '迟'.repeat(101);
    const long = await submit(assist, asked, '确定', { remark: typed });
    expect([long.status, long.text.includes('原因不能超过100个字')]).toEqual([422, true]);
    expect(typedText(long.document.querySelector('#remark') as Element)).toBe(typed);
    const done = await assist.follow(await submit(assist, asked, '确定', { remark: '迟到补签' }));
    expect(done.document.querySelector('#at')?.getAttribute('title')).toBe('迟到补签');
    expect((await dialog(cell)).text).toContain('确定取消出勤吗？');
    expect((await dialog(`${lessons.held}-99999`)).text).toContain('该学员不在此课次中');
  });

  it('call the roll during a lesson, and undo it', async () => {
    const [, , student] = team.students as [number, number, number];
    const live = await addLesson(school, { team, start: lessonTimes.now });
    const cell = `${live},${student}`;
    expect(cellButton(await grid(), cell)?.textContent).toBe('未标记');
    const asked = await dialog(cell);
    expect(asked.text).toContain('确定将该学员标记为出勤吗？');
    const reason = asked.document.querySelector('#remark') as Element;
    expect([typedText(reason), reason.hasAttribute('required'), asked.text.includes('选填')]).toEqual([
      '',
      false,
      true,
    ]);
    const marked = await assist.follow(await submit(assist, asked, '确定'));
    expect(marked.document.querySelector('#at')?.textContent).toBe('出勤');
    expect(marked.document.querySelector('#at')?.getAttribute('title')).toBeNull();
    const back = await dialog(cell);
    expect(back.text).toContain('确定取消出勤吗？取消后为未标记，可再标记为出勤；到下课仍未标记则记为旷课。');
    const undone = await assist.follow(await submit(assist, back, '确定'));
    expect(undone.document.querySelector('#at button')?.textContent).toBe('未标记');
    // Leaves one lesson in progress for the next tests.
    await school.database.db.updateTable('class_session').set({ cancelled_at: noon }).where('id', '=', live).execute();
  });

  it("count each lesson in the grid as its screen does, with former students' rows", async () => {
    const crowd = await addTeam(school, { name: '有人退班', size: 4 });
    const lesson = await addLesson(school, { team: crowd, start: lessonTimes.held });
    const coming = await addLesson(school, { team: crowd });
    const [one, two, left] = crowd.students as [number, number, number];
    await note(lesson, one, 1);
    await note(lesson, two, 2);
    await note(lesson, left, 1);
    const leaving = { left_at: lessonTimes.held + day };
    await school.database.db.updateTable('class_student').set(leaving).where('student_id', '=', left).execute();
    const page = await open(assist, `/curriculum/detail?id=${crowd.id}&tab=2`);
    const rows = [...page.document.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows.map(([, held, next]) => [held, next])).toEqual([
      ['出勤', '未标记'],
      ['请假', '未标记'],
      ['旷课', '未标记'],
      ['出勤', ''],
    ]);
    expect(rows[3]?.[0]).toContain('已退班');
    const counts = [...page.document.querySelectorAll('tfoot tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(counts).toEqual([
      ['出勤', '2', '0'],
      ['请假', '1', '0'],
      ['旷课', '1', '0'],
    ]);
    const detail = (await open(assist, `/sessions/class?id=${lesson}`)).text.replace(/\s+/g, '');
    for (const words of ['应到4人', '出勤2人', '请假1人', '旷课1人']) expect(detail).toContain(words);
    expect((await open(assist, `/sessions/class?id=${coming}`)).text.replace(/\s+/g, '')).toContain('旷课0人');
  });

  it('show a grid of 50 students and 60 lessons without client JS in at most 60 KB', async () => {
    const large = await addTeam(school, { name: '大班', size: 50 });
    const sessions: number[] = [];
    for (let number = 0; number < 60; number += 1) {
      sessions.push(await addLesson(school, { team: large, start: noon + (number - 30) * day + hour }));
    }
    for (const session of sessions.slice(0, 30)) {
      const row = { session_id: session, set_by: null, set_at: null, teacher_remark_by: null, teacher_remark_at: null };
      const statuses = [1, 1, 1, 2, 3, null] as const;
      await school.database.db
        .insertInto('session_student')
        .values(
          large.students.map((student_id) => ({
            ...row,
            student_id,
            status: statuses[(student_id * session) % 6] ?? null,
          })),
        )
        .execute();
    }
    const page = await assist.get(`/curriculum/detail?id=${large.id}&tab=2`);
    expect(page.document.querySelectorAll('tbody td')).toHaveLength(3000);
    expect(isLevel0(page)).toBe(true);
    expect(gzipSync(page.html).byteLength).toBeLessThanOrEqual(60 * 1024);
  });

  it('list homework without links to recalled ones, and no tab without the module', async () => {
    await school.addHomework({ name: '撤回的作业', creator: 'teacher', classes: [team.id], status: 2 });
    const here = `/curriculum/detail?id=${team.id}&tab=3`;
    const page = await open(assist, here);
    const row = [...page.document.querySelectorAll('tbody tr')].find((one) => one.textContent?.includes('撤回的作业'));
    expect([row?.textContent?.includes('已撤回'), row?.querySelector('button')?.hasAttribute('disabled')]).toEqual([
      true,
      true,
    ]);
    // Recalled homework shows no counts.
    expect([...(row?.querySelectorAll('td') ?? [])].filter((cell) => cell.textContent === '-')).toHaveLength(3);
    expect(row?.textContent).not.toContain('/');
    await setting('class_homework_module', '0');
    const without = await open(assist, here);
    expect([without.text.includes('剩余课时'), linkTo(without, '作业')]).toEqual([true, undefined]);
    await setting('class_homework_module', '1');
  });
});

describe('scheduled lessons', () => {
  it('are cards or a list, with the current one marked and filters in the address', async () => {
    for (const visitor of [teacher, assist]) {
      const cards = await open(visitor, '/sessions');
      expect([cards.status, isLevel0(cards)]).toEqual([200, true]);
      expect(cards.document.querySelectorAll('main li[data-live]')).toHaveLength(1);
      const list = await open(visitor, '/sessions?view=list&class_type=1');
      expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
      expect(linkTo(list, '卡片')).toBe('/sessions?class_type=1');
    }
    expect((await assist.get('/sessions?start_at=2020-01-01&end_at=2020-01-02')).text).toContain('没有符合条件的课次');
  });

  it('offer possible actions: the live room, and leave for lecturers', async () => {
    const actions = async (visitor: Visitor, status: number) =>
      links(await open(visitor, `/sessions?status=${status}&class_type=3`)).map(([name]) => name);
    expect(await actions(teacher, 2)).toEqual(expect.arrayContaining(['进入直播', '详情', '沟通记录', '请假']));
    expect(await actions(assist, 2)).not.toContain('请假');
    // A lesson held face-to-face has no live room.
    expect(await actions(teacher, 3)).not.toContain('进入直播');
    expect(await actions(teacher, 1)).not.toContain('进入直播');
  });

  it('redirect to their one screen, and answer 404 to others', async () => {
    const page = await open(teacher, `/sessions/class?id=${lessons.held}`);
    expect([page.status, isLevel0(page)]).toEqual([200, true]);
    expect(linkTo(page, '布置作业')).toBe(
      `/homework/publish?arrange_id=${lessons.held}&arrange_type=4&back=${encodeURIComponent(`/sessions/class?id=${lessons.held}&tab=homework`)}`,
    );
    const moved = await teacher.get(`/sessions/class?id=${lessons.oneToOne}`);
    expect(moved.location).toBe(`/sessions/one-to-one?id=${lessons.oneToOne}`);
    const plain = await signInAs(school, await openApp(school), 'otherTeacher');
    expect((await plain.get(`/sessions/class?id=${lessons.held}`)).status).toBe(404);
    expect((await teacher.get('/sessions/class?id=x')).status).toBe(404);
  });

  it('change attendance on their own screens, one-to-one too; lecturers read only', async () => {
    lessons.oneToOneHeld = await addLesson(school, { team: alone, start: lessonTimes.held });
    const here = `/sessions/one-to-one?id=${lessons.oneToOneHeld}`;
    const before = await open(assist, here);
    expect([isLevel0(before), before.text.replace(/\s+/g, '').includes('旷课1人')]).toEqual([true, true]);
    const href = linkTo(before, '手动出勤') as string;
    const asked = await open(assist, href);
    expect(asked.document.querySelector('dialog a[title=关闭]')?.getAttribute('href')).toBe(here);
    const empty = await submit(assist, asked, '确定', { remark: ' ' });
    expect([empty.status, empty.text.includes('请输入出勤原因')]).toEqual([422, true]);
    const sent = await submit(assist, asked, '确定', { remark: '电话核实在线听课' });
    expect(sent.location).toBe(here);
    const marked = await assist.follow(sent);
    expect([marked.text.includes('操作成功'), marked.text.includes('电话核实在线听课')]).toEqual([true, true]);
    expect(marked.text).toContain('出勤（手动）');
    const cancel = await open(assist, linkTo(marked, '取消出勤') as string);
    expect(cancel.text).toContain('确定取消出勤吗？取消后记为旷课，可再标记为出勤或请假。');
    const again = await assist.follow(await submit(assist, cancel, '确定'));
    const leave = await open(assist, linkTo(again, '请假') as string);
    expect(leave.text).toContain('确定为该学员请假吗？');
    const excused = await assist.follow(await submit(assist, leave, '确定'));
    expect(excused.text.replace(/\s+/g, '')).toContain('请假1人');
    // An outdated dialog is refused with the current state.
    const late = await submit(assist, cancel, '确定', { idempotency_key: 'another' });
    expect([late.status, late.text.includes('该学员当前为“请假”，不能取消出勤')]).toEqual([409, true]);

    const theirs = await open(teacher, here);
    const names = links(theirs).map(([name]) => name);
    expect(['请假', '取消请假', '取消出勤', '手动出勤'].filter((name) => names.includes(name))).toEqual([]);
    expect((await teacher.get(href)).status).toBe(403);
    expect((await assist.get(href.replace(/student=\d+/, 'student=99999'))).status).toBe(404);
    const group = await open(assist, `/sessions/class?id=${lessons.coming}`);
    expect(linkTo(group, '请假')).toContain('/sessions/class/attendance?');
  });

  it('evaluate a student once, and keep typed text on refusal', async () => {
    const here = `/sessions/class?id=${lessons.held}`;
    const href = linkTo(await open(teacher, here), '评价') as string;
    const asked = await open(teacher, href);
    expect(asked.text).toContain('最多 100 个字');
    // The page behind a dialog is inert.
    expect(asked.document.querySelector('[aria-label=面包屑]')?.hasAttribute('inert')).toBe(true);
    const long = await submit(teacher, asked, '提交', { remark: '好'.repeat(101) });
    expect([long.status, typedText(long.document.querySelector('#remark') as Element).length]).toEqual([422, 101]);
    const done = await teacher.follow(await submit(teacher, asked, '提交', { remark: '思路清楚' }));
    expect([done.text.includes('评价成功'), done.text.includes('思路清楚')]).toEqual([true, true]);
    const disabled = [...done.document.querySelectorAll('button[disabled]')].filter(
      (one) => one.textContent === '评价',
    );
    expect(disabled).toHaveLength(1);
    // The address of the dialog shows why it is refused, and no form. Assistants cannot evaluate.
    const over = await open(teacher, href);
    expect([over.text.includes('该学员已评价，不能重复评价'), over.document.querySelector('#remark')]).toEqual([
      true,
      null,
    ]);
    expect((await assist.get(href)).status).toBe(403);
    const twice = await submit(teacher, asked, '提交', { remark: '另一条', idempotency_key: 'another' });
    expect([twice.status, twice.text.includes('该学员已评价，不能重复评价')]).toEqual([409, true]);
    expect(typedText(twice.document.querySelector('#remark') as Element)).toBe('另一条');
    expect(links(await open(assist, here)).some(([name]) => name === '评价')).toBe(false);
  });

  it('close dialogs to the list page they were opened from', async () => {
    const closing = (page: Page) => page.document.querySelector('dialog a[title=关闭]')?.getAttribute('href');
    const crowd = await addTeam(school, { name: '大课', size: 25 });
    const [held, coming] = [
      await addLesson(school, { team: crowd, start: lessonTimes.held }),
      await addLesson(school, { team: crowd, start: noon + 2 * day }),
    ];
    const second = await open(teacher, `/sessions/class?id=${held}&page=2`);
    const asked = await open(teacher, linkTo(second, '评价') as string);
    expect(closing(asked)).toBe(`/sessions/class?id=${held}&page=2`);
    expect((await submit(teacher, asked, '提交', { remark: '认真' })).location).toBe(
      `/sessions/class?id=${held}&page=2`,
    );
    const homework = await open(teacher, `/sessions/class?id=${coming}&tab=homework`);
    for (const action of ['请假', '上传讲义']) {
      const dialog = await open(teacher, linkTo(homework, action) as string);
      expect(closing(dialog)).toBe(`/sessions/class?id=${coming}&tab=homework`);
    }
  });

  it('take a handout by form', async () => {
    const asked = await open(assist, `/sessions/class/handout?id=${lessons.coming}`);
    const { action } = formOf(asked, '上传');
    const form = (file: File) => {
      const sent = new FormData();
      sent.set('file', file);
      return sent;
    };
    const wrong = await assist.postForm(action, form(new File(['<svg/>'], '图.svg')));
    // Errors appear above the form and at the field.
    expect(wrong.document.querySelector('dialog form [role=alert]')?.textContent).toContain('不支持');
    expect([wrong.status, wrong.document.querySelector('#file-error')?.textContent]).toEqual([
      415,
      expect.stringContaining('不支持'),
    ]);
    const done = await assist.follow(
      await assist.postForm(action, form(new File([new Uint8Array(pdfWithTable(''))], '讲义一.pdf'))),
    );
    expect([done.text.includes('上传成功'), done.text.includes('待审核'), done.text.includes('讲义一.pdf')]).toEqual([
      true,
      true,
      true,
    ]);
    await school.database.db
      .updateTable('session_handout')
      .set({ status: 4, file_remark: '第三页有误' })
      .where('session_id', '=', lessons.coming)
      .execute();
    const rejected = await open(teacher, `/sessions/class?id=${lessons.coming}`);
    expect([rejected.text.includes('驳回原因：第三页有误'), linkTo(rejected, '重新上传') !== undefined]).toEqual([
      true,
      true,
    ]);
  });

  it('store notes of talks', async () => {
    const here = `/sessions/communication?id=${lessons.held}&user_id=${team.students[0]}`;
    const page = await open(teacher, here);
    // Each label has one field: ids are unique.
    const ids = [...page.document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const empty = await submit(teacher, page, '添加', { content: '' });
    expect([empty.status, empty.text.includes('请输入沟通内容')]).toEqual([422, true]);
    const done = await teacher.follow(await submit(teacher, page, '添加', { content: '约定下周再谈' }));
    expect([done.text.includes('添加成功'), done.text.includes('约定下周再谈')]).toEqual([true, true]);
    // A filter by a student who is not in the lesson is ignored.
    const all = await open(assist, `/sessions/communication?id=${lessons.held}&user_id=${alone.students[0]}`);
    expect([all.status, all.text.includes('约定下周再谈')]).toEqual([200, true]);
  });

  it('cancel for teacher leave once, and report an outdated form without loss', async () => {
    const lesson = await addLesson(school, { team, start: noon + 3 * day });
    const asked = await open(teacher, `/sessions/${lesson}/leave?status=2`);
    expect(asked.text).toContain('请假后该课次将取消，并短信通知学员，确定请假吗？');
    const handout = await open(assist, `/sessions/class/handout?id=${lesson}`);
    const done = await submit(teacher, asked, '确定请假');
    expect(done.location).toBe('/sessions?status=2');
    expect((await teacher.follow(done)).text).toContain('请假成功');
    const messages = await school.database.db
      .selectFrom('sms_outbox')
      .select('id')
      .where('session_id', '=', lesson)
      .execute();
    expect(messages).toHaveLength(3);

    const again = await submit(teacher, asked, '确定请假', { idempotency_key: 'another' });
    expect([again.status, again.text.includes('该课次已取消，不能重复请假')]).toEqual([409, true]);
    const form = new FormData();
    form.set('file', new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf'));
    const late = await assist.postForm(formOf(handout, '上传').action, form);
    expect([late.status, late.text.includes('该课次已取消，不能上传讲义')]).toEqual([409, true]);

    const closed = await open(assist, `/sessions/class/handout?id=${lesson}`);
    expect([closed.text.includes('该课次已取消，不能上传讲义'), closed.document.querySelector('#file')]).toEqual([
      true,
      null,
    ]);

    const page = await open(teacher, `/sessions/class?id=${lesson}&tab=homework`);
    expect(page.text).toContain('老师或学员请假，该课次已取消');
    for (const gone of ['作业列表', '布置作业', '请假', '进入直播', '上传讲义', '上传课件']) {
      expect(linkTo(page, gone)).toBeUndefined();
    }
  });

  it('have no homework tab without the homework module', async () => {
    const here = `/sessions/class?id=${lessons.held}&tab=homework`;
    expect((await open(teacher, here)).text).toContain('该课次还没有布置作业');
    await setting('class_homework_module', '0');
    const page = await open(teacher, here);
    expect([linkTo(page, '作业列表'), linkTo(page, '布置作业')]).toEqual([undefined, undefined]);
    const typed = await open(teacher, `/homework/publish?arrange_id=${lessons.held}&arrange_type=4`);
    expect(typed.text).toContain('课次作业功能未开启');
    await setting('class_homework_module', '1');
  });
});
