import { describe, expect } from 'vitest';
import { formOf, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { addExam, everyType, review, submitExamReport } from '../support/exams.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const right = ['2', '1', '1,3', '1-3,2-4', '3@@5', '答', '1', '答'];

describe('exam screens without client JS', () => {
  let plain: Visitor;
  let exam: { id: number; questions: number[] };
  let empty: { id: number };
  let draftOfOther: { id: number };
  let branch = 0;

  it.beforeAll(async ({ school, app }) => {
    const { db } = school.database;
    const { teacher: me, otherTeacher } = school.people;
    const categories = await db
      .insertInto('exam_category')
      .values([
        { name: '阶段考试', parent_id: null, sort: 1 },
        { name: '期中', parent_id: 1, sort: 2 },
      ])
      .returning('id')
      .execute();
    exam = await addExam(db, { creator: me.id, school: 1, name: '期中考试', category: categories[1]?.id, limit: 5400 });
    empty = await addExam(db, { creator: me.id, school: 1, name: '无人参加的考试', limit: 0 });
    draftOfOther = await addExam(db, { creator: otherTeacher.id, school: 1, status: 2 });
    const [first = 0, second = 0, third = 0] = school.students.k2;
    await review(db, await submitExamReport(db, exam, first, right, { at: noon - 2 * day, seconds: 125 }), [200, 200]);
    await review(
      db,
      await submitExamReport(db, exam, second, ['4', '2', ...right.slice(2)], { at: noon - day }),
      [0, 0],
    );
    await submitExamReport(db, exam, third, right, { at: noon - 3600, seconds: 30 });
    plain = await signInAs(school, app, 'plainTeacher');
  });

  const rows = (page: Page, caption: string) =>
    [...page.document.querySelectorAll('table')]
      .find((table) => table.querySelector('caption')?.textContent === caption)
      ?.querySelectorAll('tbody tr');
  const texts = (page: Page, caption: string) =>
    [...(rows(page, caption) ?? [])].map((row) => (row.textContent ?? '').replace(/\s+/g, ' ').trim());
  const links = (page: Page, text: string) =>
    [...page.document.querySelectorAll('a')].filter((a) => a.textContent === text).map((a) => a.getAttribute('href'));
  const detail = (search = '') => `/exams/detail?id=${exam.id}${search}`;

  it('appear in the navigation, without scripts, in few bytes', async ({ teacher }) => {
    const page = await teacher.get('/exams');
    expect(page.status).toBe(200);
    const inNavigation = [...page.document.querySelectorAll('header nav a')].map((a) => a.getAttribute('href'));
    expect(inNavigation).toContain('/exams');
    expect(ownScripts(page)).toEqual([]);
    const tab = await teacher.get(detail('&tab=question'));
    expect(ownScripts(tab)).toEqual([]);
  });

  it('list exams with actions', async ({ teacher }) => {
    const page = await teacher.get('/exams');
    expect(texts(page, '考试列表')).toHaveLength(2);
    expect(links(page, '详情')).toContain(`/exams/detail?id=${exam.id}`);
    expect(links(page, '预览')).toContain(`/exams/preview?id=${exam.id}`);
    expect((await teacher.get('/exams?name=zzz')).text).toContain('没有符合条件的考试');
    expect(links(await teacher.get('/exams?name=zzz'), '清除筛选')).toEqual(['/exams']);
  });

  it('suggest names and creators of visible exams', async ({ school, teacher, assist }) => {
    for (const person of [teacher, assist]) {
      const page = await person.get('/exams');
      const suggested = (name: string) => {
        const list = page.document.querySelector(`[name=${name}]`)?.getAttribute('list');
        return [...page.document.querySelectorAll(`[id="${list}"] option`)].map((option) =>
          option.getAttribute('value'),
        );
      };
      const { body } = await school.as(person === teacher ? 'teacher' : 'assist').get('test/list?limit=100');
      const rows = body.data.list as { name: string; nickname: string }[];
      expect(new Set(suggested('name'))).toEqual(new Set(rows.map(({ name }) => name)));
      expect(new Set(suggested('nickname'))).toEqual(new Set(rows.map(({ nickname }) => nickname)));
    }
    const stranger = await school.as('otherAssist').get('test/names');
    expect(stranger.status).toBe(200);
  });

  it('show the number of waiting papers, and link to the oldest', async ({ teacher }) => {
    const page = await teacher.get('/exams?waiting=1');
    expect(texts(page, '考试列表')).toHaveLength(1);
    const row = rows(page, '考试列表')?.item(0);
    expect(links(page, '1')).toEqual([`/exams/detail?id=${exam.id}&test_status=2`]);
    const button = row?.querySelector('button[name=intent]');
    expect([button?.textContent, button?.getAttribute('value')]).toEqual(['继续批改', `start ${exam.id}`]);
    const started = await teacher.post('/exams?waiting=1', { intent: `start ${exam.id}` });
    expect(started.location).toMatch(/^\/exams\/approve\?report_id=\d+&back=%2Fexams%3Fwaiting%3D1$/);
  });

  it('offer every category level; a category includes its children', async ({ teacher }) => {
    const page = await teacher.get('/exams');
    const choices = [...page.document.querySelectorAll('select[name=classify_id] option')];
    expect(choices.map((one) => one.getAttribute('value'))).toEqual(expect.arrayContaining(['', '1', '2']));
    expect(texts(await teacher.get('/exams?name=&classify_id=1&status=&nickname='), '考试列表')).toHaveLength(1);
    const below = await teacher.get('/exams?classify_id=2');
    expect(texts(below, '考试列表')[0]).toContain('期中考试');
    expect(below.document.querySelector('select[name=classify_id] option[selected]')?.getAttribute('value')).toBe('2');
  });

  it('show the school filter with several schools only', async ({ school, teacher }) => {
    const one = await teacher.get('/exams');
    expect(one.document.querySelector('[name=school_id]')).toBeNull();
    expect(one.text).not.toContain('总校');
    const { db } = school.database;
    ({ id: branch } = await db
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow());
    const shared = await addExam(db, {
      creator: school.people.otherTeacher.id,
      school: branch,
      shared: [1],
      name: '联考',
      questions: everyType.slice(0, 1),
    });
    const several = await teacher.get('/exams');
    expect(several.document.querySelector('[name=school_id]')?.textContent).toBe('全部总校分校');
    expect(several.text).toContain('共享给：总校');
    await db.deleteFrom('exam_school').where('exam_id', '=', shared.id).execute();
    await db.updateTable('exam').set({ school_id: 1, status: 2 }).where('id', '=', shared.id).execute();
  });

  it('head an exam with its figures; a limit of 0 shows none', async ({ teacher }) => {
    const page = await teacher.get(detail());
    expect(page.document.querySelector('h1')?.textContent).toBe('期中考试');
    for (const fact of ['总分100.0', '及格分60.0', '参加人数3 人', '考试时长90 分钟']) {
      expect(page.document.querySelector('dl')?.textContent).toContain(fact);
    }
    expect((await teacher.get(`/exams/detail?id=${empty.id}`)).text).toContain('考试时长不限时');
  });

  it('offer grading by permission, and viewing to all', async ({ teacher, assist }) => {
    const page = await teacher.get(detail());
    expect(links(page, '批改')).toHaveLength(1);
    expect(links(page, '批改')[0]).toMatch(/^\/exams\/approve\?report_id=\d+$/);
    expect(links(page, '查看')).toHaveLength(3);
    expect(links(page, '查看')[0]).toMatch(/^\/exams\/approve\/view\?report_id=\d+$/);
    expect(links(await plain.get(detail()), '批改')).toEqual([]);
    expect(links(await assist.get(detail()), '批改')).toHaveLength(1);
  });

  it('hide marks of waiting papers, and show times and whole minutes', async ({ teacher }) => {
    const waiting = await teacher.get(detail('&test_status=2'));
    expect(texts(waiting, '试卷列表')).toHaveLength(1);
    expect(texts(waiting, '试卷列表')[0]).toMatch(/100\.0--0分钟\S+ \d\d:\d\d-待批改批改查看$/);
    expect(waiting.document.querySelector('tbody time')?.getAttribute('title')).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d$/);
    expect(texts(await teacher.get(detail('&pass_status=1')), '试卷列表')[0]).toContain('2分钟');
  });

  it('keep filters in form and page addresses', async ({ teacher }) => {
    const page = await teacher.get(detail('&username=学生&start_at=2020-01-01T08:00&limit=1'));
    expect(texts(page, '试卷列表')).toHaveLength(1);
    expect(Object.fromEntries(formOf(page, '查询').fields)).toMatchObject({
      id: String(exam.id),
      username: '学生',
      start_at: '2020-01-01T08:00',
      limit: '1',
    });
    expect(links(page, '下一页')[0]).toBe(
      `/exams/detail?id=${exam.id}&username=%E5%AD%A6%E7%94%9F&start_at=2020-01-01T08%3A00&page=2&limit=1`,
    );
  });

  it('show score statistics as bars in a table', async ({ teacher }) => {
    const page = await teacher.get(detail('&tab=score'));
    for (const figure of [
      '平均正确率72.5%',
      '平均分72.5',
      '最高分100.0',
      '最低分45.0',
      '及格人数1 人',
      '及格率50.0%',
    ]) {
      expect(page.document.querySelector('main > dl')?.textContent).toContain(figure);
    }
    expect(texts(page, '成绩分布')).toHaveLength(10);
    expect(texts(page, '成绩分布')[9]).toBe('90.0～100.0 分150.0%');
    expect(page.document.querySelector('[data-island="score-chart.island"]')).toBeNull();
    const chart = await teacher.get(links(page, '图表视图')[0] ?? '');
    expect(chart.document.querySelector('[data-island="score-chart.island"]')).not.toBeNull();
    expect(texts(chart, '成绩分布')).toEqual(texts(page, '成绩分布'));
  });

  it('say when there is nothing to count', async ({ teacher }) => {
    const none = (tab: string) => teacher.get(`/exams/detail?id=${empty.id}&tab=${tab}`);
    expect((await none('paper')).text).toContain('暂无学员提交试卷');
    expect((await none('score')).text).toContain('暂无学员提交试卷');
    expect((await none('student')).text).toContain('暂无学员提交试卷');
    expect(texts(await none('question'), '题目统计')).toHaveLength(8);
    // The average of nobody is a dash, in both tables.
    const lines = texts(await none('question'), '各题型统计');
    expect(lines.slice(2)).toEqual([expect.stringMatching(/^-+$/), expect.stringMatching(/^-+$/)]);
  });

  it('rank students, sort on the server and export the rows shown', async ({ teacher }) => {
    const page = await teacher.get(detail('&tab=student'));
    expect(texts(page, '学员统计').map((text) => text.slice(0, 1))).toEqual(['1', '2', '-']);
    const sorted = await teacher.get(detail('&tab=student&sort_field=user_score&sort=asc'));
    expect(texts(sorted, '学员统计')[0]).toMatch(/^2/);
    const made = await teacher.post(detail('&tab=student&test_status=3'), { intent: 'export' });
    expect(made.status).toBe(302);
    expect(made.location).toMatch(/^\/exports\/[\w-]+$/);
    // Until it is ready, the address shows a page with the progress.
    const type = async () => (await teacher.get(made.location as string)).headers.get('content-type');
    await expect.poll(type).toContain('spreadsheetml');
  });

  it("use exam types, and number a material's parts", async ({ teacher }) => {
    const page = await teacher.get(detail('&tab=question'));
    const list = texts(page, '题目统计');
    const named = list.map(
      (text) => /(单选题|多选题|判断题|连线题|填空题|简答题)/.exec(text.replace(/第\d题/g, ''))?.[1],
    );
    expect(named).toEqual(['单选题', '判断题', '多选题', '连线题', '填空题', '简答题', '单选题', '简答题']);
    expect(list[6]).toMatch(/^7\.1/);
    expect(list[0]).toContain('50.0%');
    const rates = async (sort: string) =>
      [
        ...(await teacher.get(detail(`&tab=question&sort_field=right_rate&sort=${sort}`))).document.querySelectorAll(
          'td',
        ),
      ].flatMap(({ textContent }) => {
        // Two papers are too few for a verdict.
        const rate = /^([\d.]+)%（n=2）(?: 待批改 1)?$/.exec(textContent ?? '')?.[1];
        return rate === undefined ? [] : [Number(rate)];
      });
    const worstFirst = await rates('asc');
    expect(worstFirst).toHaveLength(8);
    expect(worstFirst).toEqual(worstFirst.toSorted((one, other) => one - other));
    expect(await rates('desc')).toEqual(worstFirst.toReversed());
  });

  it("link a question's count to its answer sheets, numbers and file", async ({ school, teacher, assist }) => {
    const here = detail('&tab=question&sort_field=wrong_count&sort=desc');
    const page = await teacher.get(here);
    const counts = [...page.document.querySelectorAll('td a[href*="&group="]')];
    expect(counts.map((a) => a.getAttribute('aria-label'))).toEqual(
      expect.arrayContaining(['1，第1题错误人数学员', '1，第6题待批改学员']),
    );
    // Nobody skipped a question, and a zero has no link.
    expect(counts.filter((a) => a.getAttribute('href')?.includes('unanswered'))).toEqual([]);
    for (const person of [teacher, assist]) {
      for (const count of counts) {
        const dialog = await person.get(count.getAttribute('href') ?? '');
        expect(dialog.document.querySelectorAll('dialog tbody tr')).toHaveLength(Number(count.textContent));
        expect(dialog.document.querySelector('dialog h2')?.textContent).toMatch(
          new RegExp(`^第[\\d.]+题.+的${count.textContent}份$`),
        );
      }
    }
    const hrefOf = (label: string) =>
      counts.find((a) => a.getAttribute('aria-label') === label)?.getAttribute('href') ?? '';
    const waiting = await teacher.get(hrefOf('1，第6题待批改学员'));
    expect(waiting.document.querySelector('dialog tbody')?.textContent).toContain('待批改');

    const dialog = await teacher.get(hrefOf('1，第1题错误人数学员'));
    const [row] = dialog.document.querySelectorAll('dialog tbody tr');
    const student = await school.database.db
      .selectFrom('student')
      .select(['nickname', 'mobile'])
      .where('id', '=', school.students.k2[1] ?? 0)
      .executeTakeFirstOrThrow();
    expect([...(row?.children ?? [])].map((cell) => cell.textContent)).toEqual([
      student.nickname,
      student.mobile,
      '0.0',
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
    ]);
    const sheet = row?.querySelector('a')?.getAttribute('href') ?? '';
    expect(sheet).toMatch(/^\/exams\/approve\/view\?report_id=\d+#q\d+$/);
    const [address = '', anchor = ''] = sheet.split('#');
    expect((await teacher.get(address)).document.getElementById(anchor)).not.toBeNull();
    const copied = (id: string) => dialog.document.getElementById(id)?.getAttribute('value');
    expect([copied('copied-names'), copied('copied-mobiles')]).toEqual([student.nickname, student.mobile]);
    expect(links(dialog, '✕')).toEqual([here]);

    const { action, fields } = formOf(dialog, '导出');
    const made = await teacher.post(action, fields);
    expect(made.location).toMatch(/^\/exports\/[\w-]+$/);
    const type = async () => (await teacher.get(made.location as string)).headers.get('content-type');
    await expect.poll(type).toContain('spreadsheetml');
  });

  it("answer 404 for students of others' drafts, missing or foreign questions", async ({ teacher }) => {
    const dialog = (id: number, question: number | undefined, group = 'wrong') =>
      `/exams/detail/question?id=${id}&tab=question&question_id=${question}&group=${group}`;
    const [first] = exam.questions;
    for (const address of [
      dialog(draftOfOther.id, first),
      dialog(empty.id, first),
      dialog(exam.id, 99_999_999),
      dialog(exam.id, first, 'x'),
    ]) {
      expect((await teacher.get(address)).status, address).toBe(404);
    }
  });

  it.for(['0', '999999', 'x', ''])('answer 404 for the exam id %j', async (id, { teacher }) => {
    for (const tab of ['', '&tab=score', '&tab=student', '&tab=question']) {
      expect((await teacher.get(`/exams/detail?id=${id}${tab}`)).status).toBe(404);
    }
  });

  it("answer 404 for others' drafts", async ({ teacher }) => {
    expect((await teacher.get(`/exams/detail?id=${draftOfOther.id}`)).status).toBe(404);
    expect((await teacher.post(`/exams/detail?id=${draftOfOther.id}&tab=student`, { intent: 'export' })).location).toBe(
      `/exams/detail?id=${draftOfOther.id}&tab=student`,
    );
  });
});
