import { gzipSync } from 'node:zlib';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallClock } from '#server/school/calendar.ts';
import { formOf, openApp, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { addClass, addStudent, chance, type MadeHomework, makeHomework } from '../support/random-homework.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

describe('the analysis of homework without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  /** Ended and fully graded; with scores and with ratings. */
  let done: MadeHomework;
  let rated: MadeHomework;
  /** Ended, with a report waiting. */
  let waiting: MadeHomework;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    const makeSeeded = (seed: number, wishes: object) => makeHomework(school, chance(seed), wishes);
    done = await makeSeeded(3, { mode: 2, students: 40, questions: 8, types: [1, 2, 3, 5, 6, 7], graded: 1 });
    rated = await makeSeeded(4, { mode: 1, students: 12, questions: 4, types: [1, 5], graded: 1 });
    waiting = await makeSeeded(5, { mode: 2, students: 12, questions: 3, types: [5], graded: 0, submitted: 1 });
    const { db } = school.database;
    await db
      .updateTable('homework')
      .set({ ending_time: noon - day })
      .execute();
    await db.updateTable('homework').set({ name: '函数测验' }).where('id', '=', done.id).execute();
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
  });
  afterAll(() => school.close());

  const detail = (hw: number, search = '') => `/homework/detail?hw_id=${hw}&class_id=0${search}`;
  const rows = (page: Page) =>
    [...page.document.querySelectorAll('main tbody tr')].map((tr) =>
      (tr.textContent ?? '').replace(/\s+/g, ' ').trim(),
    );
  const link = (page: Page, text: string) =>
    [...page.document.querySelectorAll('a')].find((a) => a.textContent?.trim() === text)?.getAttribute('href') ?? '';
  const button = (page: Page, text: string) =>
    [...page.document.querySelectorAll('button')].find((one) => one.textContent?.trim() === text);

  it.each([0, 1, 2, 3])('shows tab %i without a script, in few bytes', async (tab) => {
    const page = await teacher.get(detail(done.id, `&tab=${tab}`));
    expect(page.status).toBe(200);
    expect(ownScripts(page)).toEqual([]);
    expect(gzipSync(page.html).length).toBeLessThan(15 * 1024);
  });

  it("shows rings, counts, a summary by type and the homework's details on every tab", async () => {
    const page = await teacher.get(detail(done.id, '&tab=2'));
    const submitted = done.reports.filter(({ status }) => status !== 1).length;
    expect(page.text).toContain(`${submitted}已交`);
    expect(page.text).toContain('100%批改率');
    expect(page.text).toMatch(/合计 \d+ 题，总分 [\d.]+ 分/);
    expect(page.document.querySelector('main details')?.textContent).toContain('课程作业');
    expect(page.document.querySelector('main details')?.textContent).toContain('高一数学');
    // Each class links to the homework within that class, under another label.
    const inClass = await teacher.get(`${link(page, '随机甲班')}&tab=3`);
    expect(inClass.text).toContain('班级人数');
    expect((await teacher.get(detail(done.id, '&tab=3'))).text).toContain('应交人数');
  });

  it('filters submissions, keeps typed text, and offers a reset', async () => {
    const missing = done.reports.filter(({ status }) => status === 1);
    const page = await teacher.get(detail(done.id, '&status=1&limit=100'));
    expect(rows(page)).toHaveLength(missing.length);
    expect(page.document.querySelector('select[name=status] option[selected]')?.getAttribute('value')).toBe('1');
    expect(button(page, '查看')?.hasAttribute('disabled')).toBe(true);
    const none = await teacher.get(detail(done.id, '&nickname=没有这个人'));
    expect(none.text).toContain('没有符合条件的学员');
    expect((await teacher.get(link(none, '清除筛选'))).text).not.toContain('没有符合条件的学员');
    expect(link(none, '重置')).toBe(`/homework/detail?hw_id=${done.id}&class_id=0`);
  });

  it('offers 批改 for waiting reports only to graders', async () => {
    const page = await teacher.get(detail(waiting.id, '&status=2'));
    expect(link(page, '批改')).toMatch(/^\/homework\/approve\?report_id=\d+&class_id=0&back=%2Fhomework%2Fdetail/);
    await school.database.db
      .updateTable('staff')
      .set({ can_correct: 0 })
      .where('id', '=', school.people.teacher.id)
      .execute();
    const without = await teacher.get(detail(waiting.id, '&status=2'));
    expect(link(without, '查看')).toMatch(/^\/homework\/approve\/view\?report_id=\d+&class_id=0$/);
    await school.database.db
      .updateTable('staff')
      .set({ can_correct: 1 })
      .where('id', '=', school.people.teacher.id)
      .execute();
  });

  it('shows no figures before the deadline or with waiting reports', async () => {
    const open = await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
    for (const hw of [open, waiting.id]) {
      for (const tab of [1, 2, 3]) {
        for (const view of ['', '&view=grid', '&view=chart']) {
          expect((await teacher.get(detail(hw, `&tab=${tab}${view}`))).text).toContain(
            '截止后且老师批改完成后才有数据',
          );
        }
      }
      expect((await teacher.get(detail(hw))).text).not.toContain('截止后且老师批改完成后才有数据');
    }
  });

  it('shows stem and material next to a question, sorts by column, and expands details', async () => {
    const page = await teacher.get(detail(done.id, '&tab=1'));
    const first = page.document.querySelector('tbody td:nth-child(2)');
    const described = first?.querySelector('button')?.getAttribute('aria-describedby') ?? '';
    expect(page.document.getElementById(described)?.getAttribute('role')).toBe('tooltip');
    expect(page.text).toContain('材料');
    expect(page.text).toContain('主观题得0分为错误');
    expect(page.text).toContain('选项分布（已提交');
    const href = [...page.document.querySelectorAll('th a')]
      .find((a) => a.textContent?.startsWith('正确人数'))
      ?.getAttribute('href') as string;
    expect(href).toContain('sort_field=right_count&sort=desc');
    const sorted = await teacher.get(href);
    const column = [...sorted.document.querySelectorAll('tbody td:nth-child(5)')].map((td) => Number(td.textContent));
    expect(column).toEqual([...column].sort((a, b) => b - a));
    expect(column.length).toBe(done.questions.length);
    expect(sorted.document.querySelector('th[aria-sort=descending]')?.textContent).toContain('正确人数');
  });

  it('shows the transcript with medals, and a slash without a submission', async () => {
    const page = await teacher.get(detail(done.id, '&tab=2&limit=100'));
    const medals = [...page.document.querySelectorAll('[data-rank]')].map((one) => one.getAttribute('data-rank'));
    expect(medals[0]).toBe('1');
    expect(Math.max(...medals.map(Number))).toBeLessThanOrEqual(3);
    const last = rows(page).at(-1) ?? '';
    expect(last).toContain('未提交');
    expect(last.match(/\//g)).toHaveLength(8);
    expect(page.text).toMatch(/总题数 \d+ 题，[\d.]+ 分/);
    expect(page.text).toMatch(/平均用时 \d+分钟/);
    const ratedPage = await teacher.get(detail(rated.id, '&tab=2'));
    expect(ratedPage.text).toContain('总分（正确率）');
    expect(rows(ratedPage)[0]).toMatch(/\d+%/);
  });

  it('filters the transcript by minute, and exports the result', async () => {
    const times = done.reports.flatMap(({ submitTime }) => (submitTime === null ? [] : [submitTime]));
    const latest = Math.max(...times);
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Asia/Shanghai',
      dateStyle: 'short',
      timeStyle: 'short',
    })
      .format(latest * 1000)
      .replace(' ', 'T');
    const within = times.filter((time) => Math.floor(time / 60) >= Math.floor(latest / 60)).length;
    const filtered = await teacher.get(detail(done.id, `&tab=2&start_at=${local}&end_at=${local}`));
    expect(rows(filtered)).toHaveLength(within);
    expect(filtered.document.querySelector('[name=start_at]')?.getAttribute('value')).toBe(local);

    const { action, fields } = formOf(filtered, '导出');
    const sent = await teacher.post(action, fields);
    expect([sent.status, sent.location]).toEqual([302, expect.stringMatching(/^\/exports\/[\w-]+$/)]);
    const cookie = [...teacher.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await app.fetch(new Request(`http://school.test${sent.location}`, { headers: { cookie } }));
    expect(file.status).toBe(200);
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain('函数测验-成绩单.xlsx');
    expect(await readSheet(Buffer.from(await file.arrayBuffer()))).toHaveLength(within + 1);

    // API clients open the address with a token; other people's sessions cannot.
    const { token } = school.people.teacher;
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.fetch(new Request(`http://school.test${sent.location}`, { headers }))).status).toBe(200);
    expect((await assist.get(sent.location as string)).status).toBe(404);
    expect((await app.visitor().get(sent.location as string)).location).toContain('/login');

    school.setNow(noon + 3601);
    const late = await teacher.get(sent.location as string);
    expect([late.status, late.document.querySelector('[role=alert]')?.textContent]).toEqual([
      410,
      '下载链接已过期，请重新导出',
    ]);
  });

  it('shows the progress of a large export, and downloads it when ready', async () => {
    const { action, fields } = formOf(await teacher.get(detail(done.id, '&tab=2')), '导出');
    const address = (await teacher.post(action, fields)).location as string;
    const token = address.split('/').at(-1) as string;
    const { db } = school.database;
    // A file's age is measured in wall time, not the school's clock.
    const set = (values: { state: 1 | 2 | 3; done: number }) =>
      db
        .updateTable('export_file')
        .set({ ...values, total: 90, updated_at: wallClock() })
        .where('token', '=', token)
        .execute();
    await set({ state: 1, done: 30 });
    const making = await teacher.follow(await teacher.get(address));
    expect(making.text).toContain('已完成 30/90');
    expect(making.document.querySelector('progress')?.getAttribute('value')).toBe('30');
    expect(making.document.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')).toBe('2');
    await set({ state: 2, done: 90 });
    const ready = await teacher.get(`${address}?wait=1`);
    expect(ready.text).toContain('文件已生成');
    expect(link(ready, '下载')).toBe(address);
    expect(ready.document.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')).toBe(`0; url=${address}`);
  });

  it("shows the distribution, and a band's students in a dialog over it", async () => {
    for (const view of ['', '&view=chart']) {
      const page = await teacher.get(detail(done.id, `&tab=3${view}`));
      expect(rows(page)).toHaveLength(6);
      const empty = [...page.document.querySelectorAll('tbody tr')].filter(
        (tr) => tr.querySelector('td:nth-child(3)')?.textContent === '0',
      );
      for (const tr of empty) expect(tr.querySelector('button')?.hasAttribute('disabled')).toBe(true);
      const open = page.document.querySelector('tbody a')?.getAttribute('href') as string;
      const dialog = await teacher.get(open);
      expect(dialog.document.querySelector('main')?.hasAttribute('inert')).toBe(true);
      const number = Number(/共 (\d+) 人/.exec(dialog.text)?.[1]);
      expect(dialog.document.querySelectorAll('dialog tbody tr')).toHaveLength(number);
      expect(number).toBeGreaterThan(0);
      expect(link(dialog, '✕')).toBe(`/homework/detail?hw_id=${done.id}&class_id=0&tab=3${view}`);
    }
    expect((await teacher.get(detail(rated.id, '&tab=3'))).text).toContain('最高正确率');
    expect((await teacher.get(detail(done.id, '&tab=3'))).text).toContain('最高分');
  });

  it('warns of rates from few reports', async () => {
    const few = await makeHomework(school, chance(9), { mode: 2, students: 3, questions: 2, types: [1], submitted: 1 });
    await school.database.db
      .updateTable('homework')
      .set({ ending_time: noon - 1 })
      .where('id', '=', few.id)
      .execute();
    expect((await teacher.get(detail(few.id, '&tab=1'))).text).toContain('（n=3）');
    expect((await teacher.get(detail(few.id, '&tab=1'))).text).toContain('少于 5 份，不作判断');
    expect((await teacher.get(detail(done.id, '&tab=1'))).text).not.toContain('（n=');
    const statistics = (hw: number) => teacher.get(`/homework/statistics?hw_id=${hw}&class_id=0`);
    expect(rows(await statistics(few.id))[0]).toMatch(/%（n=3）.*%（n=3）$/);
    expect((await statistics(done.id)).text).not.toContain('（n=');
  });

  it.each([
    ['&tab=1&view=grid', 'question-grid.island'],
    ['&tab=2&view=grid', 'transcript-grid.island'],
    ['&tab=3&view=chart', 'distribution-chart.island'],
  ])('shows the same rows as the script would: %s', async (search, island) => {
    const page = await teacher.get(detail(done.id, search));
    const plain = await teacher.get(detail(done.id, search.replace(/&view=\w+/, '')));
    expect(rows(page)).toEqual(rows(plain));
    expect(page.document.querySelector(`[data-island="${island}"]`)).not.toBeNull();
    expect(ownScripts(page).join()).toMatch(/<script type="module" src="\/static\/assets\/[\w.-]+\.js"/);
  });

  it('offers more classes and a new deadline by the rules, and returns to the same screen', async () => {
    const { k1, k2 } = school.classes;
    const mine = await school.addHomework({
      name: '可继续的',
      creator: 'teacher',
      classes: [k1, k2],
      published: [k1],
      ending: noon + day,
    });
    const page = await teacher.get(detail(mine, '&status=1'));
    const dialog = await teacher.get(link(page, '继续发布'));
    expect(dialog.document.querySelector('dialog')?.textContent).toContain('二班');
    expect(link(dialog, '取消')).toBe(detail(mine, '&status=1'));
    const nothing = await teacher.post(link(page, '继续发布'), { idempotency_key: 'none' });
    expect([nothing.status, nothing.document.querySelector('[role=alert]')?.textContent]).toEqual([422, '请选择班级']);
    const sent = await teacher.post(link(page, '继续发布'), { idempotency_key: 'one', class_ids: String(k2) });
    expect(sent.location).toBe(detail(mine, '&status=1'));
    const after = await teacher.follow(sent);
    expect(after.text).toContain('继续发布成功');
    expect([
      button(after, '继续发布')?.hasAttribute('disabled'),
      button(after, '继续发布')?.getAttribute('title'),
    ]).toEqual([true, '该作业已发布到全部班级，不能继续发布']);

    const deadline = await teacher.post(link(after, '调整截止时间'), {
      idempotency_key: 'two',
      ending_time: '2099-01-01T08:00',
    });
    expect(deadline.location).toBe(detail(mine, '&status=1'));
    expect((await teacher.follow(deadline)).text).toContain('2099-01-01 08:00');

    // The button is disabled or missing for somebody else than the owner, within one class, for a lesson, and without
    // the permission.
    expect(button(await assist.get(detail(mine)), '调整截止时间')?.getAttribute('title')).toBe(
      '只有发布人可以执行此操作',
    );
    for (const search of [`/homework/detail?hw_id=${mine}&class_id=${k1}`, `${detail(mine)}&from=arrange`]) {
      expect((await teacher.get(search)).text).not.toContain('调整截止时间');
    }
    expect(button(await teacher.get(detail(done.id)), '调整截止时间')?.getAttribute('title')).toBe(
      '该作业已截止，不能调整截止时间',
    );
    await school.database.db.updateTable('homework').set({ status: 2 }).where('id', '=', mine).execute();
    const recalled = await teacher.get(detail(mine));
    expect(recalled.text).toContain('已撤回');
    expect(recalled.text).toContain('该作业已撤回，作业记录已消失');
    expect(recalled.text).toMatch(/-\s*应交/);
    expect(recalled.text).toMatch(/-\s*提交率/);
    expect(button(recalled, '调整截止时间')?.getAttribute('title')).toBe('该作业已撤回，不能调整截止时间');
  });

  it('shows the details of a scheduled lesson', async () => {
    const page = await teacher.get(`${detail(done.id)}&from=arrange`);
    expect(
      [...page.document.querySelectorAll('form[aria-label=筛选] :is(input, select)[name]')].map((one) =>
        one.getAttribute('name'),
      ),
    ).toEqual(['hw_id', 'class_id', 'from', 'nickname', 'class_name', 'status', 'start_at', 'end_at']);
    expect(rows(await teacher.get(`${detail(done.id)}&from=arrange&class_name=甲&limit=100`))).toHaveLength(
      done.reports.filter(({ classId }) => classId === done.classes.assist).length,
    );
  });

  it("treats a scheduled lesson's class like any other", async () => {
    const inClass = (id: number) => teacher.get(`/homework/detail?hw_id=${done.id}&class_id=${id}&from=arrange`);
    expect((await inClass(done.classes.assist)).status).toBe(200);
    expect((await inClass(999_999)).status).toBe(404);
  });

  it('lists absentees of the last three homeworks within a class', async () => {
    const classId = await addClass(school, '缺交班', school.people.assist.id);
    await addStudent(school, classId, '从不交作业的学生');
    let hw = 0;
    for (const age of [3, 2, 1]) {
      hw = await school.addHomework({
        name: `第${age}次`,
        creator: 'teacher',
        classes: [classId],
        publishTime: noon - age * day,
        ending: noon - 60,
      });
    }
    const inClass = await assist.get(`/classes/homework?hw_id=${hw}&class_id=${classId}`);
    expect(inClass.text).toContain('最近三次作业均未提交：1 人');
    expect(inClass.text).toContain('从不交作业的学生');
    expect((await assist.get(detail(hw))).text).not.toContain('最近三次作业均未提交');
  });

  it('shows statistics, and a dash for short answers', async () => {
    for (const visitor of [teacher, assist]) {
      const page = await visitor.get(`/homework/statistics?hw_id=${done.id}&class_id=0`);
      expect(page.status).toBe(200);
      const short = rows(page).find((row) => row.startsWith('简答题'));
      expect(short).toMatch(/^简答题-/);
      const charts = await visitor.get(link(page, '统计图'));
      expect(rows(charts)).toEqual(rows(page));
      expect(link(page, '作业详情')).toBe(`/homework/detail?hw_id=${done.id}&class_id=0`);
    }
  });

  it('shows the questions, their answers by student, and one student', async () => {
    const preview = await teacher.get(`/homework/preview?hw_id=${done.id}&answers=1`);
    expect(preview.text).toContain('作业预览');
    expect(preview.document.querySelectorAll('[data-right]').length).toBeGreaterThan(0);
    // Right answers are hidden until requested.
    const given = await teacher.get(`/homework/preview?hw_id=${done.id}`);
    expect(given.document.querySelector('[role=switch]')?.getAttribute('aria-checked')).toBe('false');
    expect(given.document.querySelectorAll('article')).toHaveLength(
      preview.document.querySelectorAll('article').length,
    );
    expect(given.document.querySelectorAll('[data-right]')).toHaveLength(0);
    expect(given.text).not.toContain('正确答案');
    const answers = await teacher.get(`/homework/answers?hw_id=${done.id}&class_id=0`);
    expect(answers.document.querySelectorAll('article')).toHaveLength(done.questions.length);
    const open = answers.document.querySelector('article li a')?.getAttribute('href') as string;
    const dialog = await teacher.get(open);
    expect(dialog.document.querySelector('dialog h2')?.textContent).toMatch(/^第\d+(\.\d+)?题答对的\d+人$/);
    expect(link(dialog, '✕')).toMatch(/^\/homework\/answers\?.*#question-\d+$/);
    expect((await teacher.get(open.replace('group=right', 'group=nonsense'))).status).toBe(404);
    const report = done.reports.find(({ status }) => status === 3);
    const student = await teacher.get(
      `/homework/student-statistics?hw_id=${done.id}&class_id=0&report_id=${report?.id}`,
    );
    expect(student.text).toContain(report?.nickname);
    expect(student.text).toContain('批改人无');
  });

  it.each([
    '/homework/detail',
    '/homework/detail?hw_id=abc',
    '/homework/detail?hw_id=99999999',
    '/homework/detail?hw_id=1&class_id=abc',
    '/homework/detail?hw_id=1&class_id=99999999',
    '/homework/statistics?hw_id=0',
    '/homework/preview?hw_id=1e3',
    '/homework/answers?hw_id=',
    '/homework/student-statistics?hw_id=1&report_id=abc',
  ])('answers 404: %s', async (path) => {
    expect((await teacher.get(path)).status).toBe(404);
  });

  it('falls back to the first tab, and ignores unknown orders and views', async () => {
    expect((await teacher.get(detail(done.id, '&tab=9'))).text).toContain('手机号');
    expect((await teacher.get(detail(done.id, '&tab=1&view=chart&sort_field=x'))).html).not.toContain('data-island');
    expect((await teacher.get(detail(done.id, '&tab=2&start_at=nonsense&page=x'))).status).toBe(200);
  });

  it('refuses unknown exports', async () => {
    expect((await teacher.post(detail(done.id), { intent: 'coffee' })).status).toBe(400);
    const paper = await assist.post(detail(done.id), { intent: 'paper' });
    expect(paper.status).toBe(403);
  });
});
