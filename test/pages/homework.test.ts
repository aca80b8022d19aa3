import { describe, expect } from 'vitest';
import { formOf, ownScripts, type Page, signInAs } from '../support/app.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

describe('HomeworkManage without client JS', () => {
  const row = (page: { document: Document }, name: string) =>
    [...page.document.querySelectorAll('tbody tr')]
      .find((tr) => tr.textContent?.includes(name))
      ?.textContent?.replace(/\s+/g, ' ');

  it('sends no script and stays small', async ({ teacher }) => {
    const page = await teacher.get('/homework');
    expect(page.status).toBe(200);
    expect(ownScripts(page)).toEqual([]);
    // The only script is the one for the keyboard, which every page has.
    expect(page.html).toMatch(/<script[^>]*data-page-keys/);
    expect(page.html).toContain('rel="stylesheet"');
  });

  it('shows the empty list, and the empty filter result with a reset', async ({ teacher }) => {
    expect((await teacher.get('/homework')).text).toContain('暂无作业');
    const filtered = await teacher.get('/homework?name=zzz');
    expect(filtered.text).toContain('没有符合条件的作业');
    expect([...filtered.document.querySelectorAll('a')].map((a) => a.textContent)).toContain('清除筛选');
  });

  it('offers the lecturer’s checkbox to lecturers only', async ({ teacher, assist }) => {
    expect((await teacher.get('/homework')).text).toContain('显示非本人授课课时的作业');
    expect((await assist.get('/homework')).text).not.toContain('显示非本人授课课时的作业');
  });

  it("hides the course filter for a course's address, and keeps the course", async ({ school, teacher }) => {
    const page = await teacher.get(`/homework?course_basis_id=${school.courses.shared}`);
    expect(page.document.querySelector('[name=course_title]')).toBeNull();
    expect(page.document.querySelector('form [name=course_basis_id]')?.getAttribute('value')).toBe(
      String(school.courses.shared),
    );
  });

  it('recalls through a dialog, and returns to the same list', async ({ school, teacher }) => {
    const hw = await school.addHomework({
      name: '要撤回的',
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + day,
    });
    const list = await teacher.get('/homework?name=要撤回');
    const link = [...list.document.querySelectorAll('a')]
      .find((a) => a.textContent === '撤回')
      ?.getAttribute('href') as string;
    const dialog = await teacher.get(link);
    expect(dialog.document.querySelector('dialog[open]')?.textContent).toContain(
      '撤回后学员将看不到该作业，作业记录也将消失，且不可恢复，确定撤回吗？',
    );
    expect(dialog.document.querySelector('main')?.hasAttribute('inert')).toBe(true);
    expect(dialog.text).toContain('要撤回的');
    const { fields } = formOf(dialog, '确定撤回');
    // A double click sends the form twice.
    const [first, second] = [await teacher.post(link, fields), await teacher.post(link, fields)];
    expect([first.status, second.status]).toEqual([302, 302]);
    const back = await teacher.follow(second);
    expect(back.text).toContain('作业撤回成功');
    expect(row(back, '要撤回的')).toContain('已撤回');
    const anew = [...back.document.querySelectorAll('a')].find((a) => a.textContent === '以原内容重新布置');
    const copied = await teacher.get(anew?.getAttribute('href') ?? '');
    expect(copied.document.querySelector('#name')?.getAttribute('value')).toBe('要撤回的');
    expect((await teacher.get('/homework')).text).not.toContain('作业撤回成功');

    const again = await teacher.post(`/homework/${hw}/recall`, { idempotency_key: 'another' });
    expect(again.status).toBe(409);
    expect(again.document.querySelector('[role=alert]')?.textContent).toBe('该作业已撤回，不能重复撤回');
  });

  it('requires a class, keeps choices, selects all, and publishes', async ({ school, teacher }) => {
    const { k1, k2, k3 } = school.classes;
    const hw = await school.addHomework({
      name: '部分发布的',
      creator: 'teacher',
      classes: [k1, k2, k3],
      published: [k1],
      ending: noon + day,
    });
    expect(row(await teacher.get('/homework'), '部分发布的')).toContain('继续发布');
    const none = await teacher.post(`/homework/${hw}/continue`, { idempotency_key: 'a' });
    expect([none.status, none.document.querySelector('[role=alert]')?.textContent]).toEqual([422, '请选择班级']);
    const mixed = await teacher.post(`/homework/${hw}/continue`, {
      idempotency_key: 'b',
      class_ids: [String(k2), String(k1)],
    });
    expect([mixed.status, mixed.document.querySelector('[role=alert]')?.textContent]).toEqual([
      409,
      '一班已发布过该作业，请勿重复发布',
    ]);
    expect(mixed.document.querySelector(`[name=class_ids][value="${k2}"]`)?.hasAttribute('checked')).toBe(true);
    const all = await teacher.get(`/homework/${hw}/continue?tab=main&select=all`);
    const { fields } = formOf(all, '发布');
    expect(fields.filter(([name]) => name === 'class_ids').map(([, value]) => Number(value))).toEqual([k2, k3]);
    const done = await teacher.follow(await teacher.post(`/homework/${hw}/continue?tab=main`, fields));
    expect(done.text).toContain('继续发布成功');
    expect(row(done, '部分发布的')).not.toContain('继续发布');
  });

  it('moves the deadline, and returns a refused one', async ({ school, teacher }) => {
    const hw = await school.addHomework({
      name: '改截止的',
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + day,
    });
    const path = `/homework/${hw}/deadline?tab=main`;
    const early = await teacher.post(path, { ending_time: '2020-01-02T03:04' });
    expect([early.status, early.document.querySelector('#ending_time')?.getAttribute('value')]).toEqual([
      422,
      '2020-01-02T03:04',
    ]);
    expect(early.document.querySelector('#ending_time-error')?.textContent).toBe('截止时间不能早于昨天');
    expect((await teacher.post(path, { ending_time: '' })).text).toContain('请选择截止时间');
    const done = await teacher.follow(await teacher.post(path, { ending_time: '2099-12-31T23:59' }));
    expect(done.text).toContain('调整成功');
    expect(row(done, '改截止的')).toContain('2099-12-31 23:59');
  });

  it('confirms a past deadline, for that deadline alone', async ({ school, teacher }) => {
    const hw = await school.addHomework({ name: '提前截止', creator: 'teacher', classes: [school.classes.k1] });
    const path = `/homework/${hw}/deadline?tab=main`;
    const opened = await teacher.get(path);
    expect(opened.text).toContain('已布置给2名学员，其中0名已提交');
    const evening = [...opened.document.querySelectorAll('dialog a')].find((a) => a.textContent === '明晚 22:00');
    const preset = await teacher.get(evening?.getAttribute('href') ?? '');
    expect(preset.document.querySelector('#ending_time')?.getAttribute('value')).toMatch(/T22:00$/);
    const asked = await teacher.post(path, { ending_time: '2026-11-20T08:00' });
    expect([asked.status, asked.text.includes('截止时间已过，学员将不能提交')]).toEqual([422, true]);
    const { fields } = formOf(asked, '仍然调整');
    const other = fields.map(([name, value]): [string, string] => [
      name,
      name === 'ending_time' ? '2026-11-20T07:00' : value,
    ]);
    expect((await teacher.post(path, other)).status).toBe(422);
    expect((await teacher.follow(await teacher.post(path, fields))).text).toContain('调整成功');
  });

  it('names the number affected by a recall', async ({ school, teacher }) => {
    const hw = await school.addHomework({ name: '要撤回的', creator: 'teacher', classes: [school.classes.k1] });
    await school.submit(hw, school.students.k1[0] as number, false);
    const page = await teacher.get(`/homework/${hw}/recall?tab=main`);
    expect(page.text).toContain('已布置给2名学员，其中1名已提交');
  });

  it('answers 作业不存在 with nothing to grade', async ({ school, teacher }) => {
    const hw = await school.addHomework({ name: '无人提交', creator: 'teacher', classes: [school.classes.k1] });
    const back = await teacher.follow(await teacher.post('/homework?tab=main', { intent: `start ${hw}` }));
    expect(back.text).toContain('作业不存在');
    const report = await school.submit(hw, school.students.k1[0] as number);
    const started = await teacher.post('/homework?tab=main', { intent: `start ${hw}` });
    expect(started.location).toBe(
      `/homework/approve?report_id=${report}&class_id=0&back=${encodeURIComponent('/homework?tab=main')}`,
    );
  });

  it("offers a row's actions by the rules", async ({ school, teacher }) => {
    await school.addHomework({
      name: '别人发布的',
      creator: 'otherTeacher',
      period: school.periods.mine,
      classes: [school.classes.k1],
      ending: noon + day,
    });
    await school.addHomework({
      name: '已截止的',
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon - day,
    });
    const page = await teacher.get('/homework');
    expect(row(page, '别人发布的')).not.toMatch(/复制|更多|撤回/);
    expect(row(page, '已截止的')).toContain('复制');
    const more = [...page.document.querySelectorAll('tr')].find((tr) => tr.textContent?.includes('已截止的'));
    expect([...(more?.querySelectorAll('button[disabled]') ?? [])].map((one) => one.textContent)).toEqual([
      '调整截止时间',
    ]);
    const recalled = [...page.document.querySelectorAll('tr')].find((tr) => tr.textContent?.includes('已撤回'));
    expect(
      [...(recalled?.querySelectorAll('button[disabled]') ?? [])].map((button) => [
        button.textContent,
        button.getAttribute('title'),
      ]),
    ).toEqual([['', '调整截止时间：该作业已撤回，不能调整截止时间；撤回：该作业已撤回，不能重复撤回']]);
    expect(recalled?.querySelector('details')).toBeNull();
    expect(recalled?.textContent).toContain('以原内容重新布置');
    expect(recalled?.textContent).not.toContain('去批改');
    // Recalled homework shows no counts and no period.
    const counts = [...(recalled?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
    expect(counts.filter((count) => count === '-')).toHaveLength(4);
    expect(counts.join(' ')).not.toMatch(/\d+\/\d+/);
  });

  it("remembers the browser's last tab", async ({ assist }) => {
    await assist.get('/homework?tab=ques');
    expect(
      (await assist.get('/homework')).document.querySelector('nav [aria-current=page][href*=ques]'),
    ).not.toBeNull();
    await assist.get('/homework?tab=main', { 'sec-purpose': 'prefetch' });
    expect(
      (await assist.get('/homework')).document.querySelector('nav [aria-current=page][href*=ques]'),
    ).not.toBeNull();
    expect(
      (await assist.get('/homework?tab=main')).document.querySelector('nav [aria-current=page][href*=main]'),
    ).not.toBeNull();
  });

  it('shows permitted tabs only', async ({ school, app }) => {
    const plain = await signInAs(school, app, 'plainTeacher');
    const page = await plain.get('/homework');
    expect(page.text).not.toMatch(/作业批改|我的题目|布置作业/);
    expect((await plain.get('/homework?tab=approve')).status).toBe(403);
  });

  it('reports a reversed date range by field, and reads it in order', async ({ teacher }) => {
    const turned = await teacher.get('/homework?publish_start=2099-12-01&publish_end=2000-01-01');
    const right = await teacher.get('/homework?publish_start=2000-01-01&publish_end=2099-12-01');
    const rowsOf = ({ document }: typeof turned) =>
      [...document.querySelectorAll('tbody tr')].map((row) => row.textContent);
    expect(rowsOf(turned).length).toBeGreaterThan(0);
    expect(rowsOf(turned)).toEqual(rowsOf(right));
    const range = turned.document.querySelector('fieldset[aria-describedby]');
    expect(range?.querySelector('legend')?.textContent).toBe('发布时间');
    expect(range?.querySelector(`[id="${range.getAttribute('aria-describedby')}"]`)?.textContent).toBe(
      '起止颠倒，已按从早到晚查询',
    );
    expect(turned.document.querySelector('[name=publish_start]')?.getAttribute('value')).toBe('2099-12-01');
    expect(right.text).not.toContain('起止颠倒');
  });

  it('survives any list address', async ({ teacher }) => {
    for (const search of [
      'page=-1',
      'page=abc',
      'type=9',
      'publish_start=2026-12-01&publish_end=2026-01-01',
      `name=${'长'.repeat(3_400)}`,
      'name=%00',
      'name=%25_%27%22',
      'name=😀',
      'tab=nothing',
      'sort=x&sort_field=y',
    ]) {
      expect((await teacher.get(`/homework?${search}`)).status, search).toBe(200);
    }
  });

  it("answers 404 for invalid ids and others' records", async ({ school, teacher }) => {
    const theirs = await school.addHomework({
      creator: 'otherTeacher',
      course: school.courses.theirs,
      classes: [school.classes.k4],
    });
    for (const id of ['abc', '0', '99999999999', String(theirs)]) {
      const page = await teacher.get(`/homework/${id}/recall`);
      expect([page.status, page.document.querySelector('[role=alert]')?.textContent], id).toEqual([404, '作业不存在']);
    }
    expect((await teacher.get('/no/such/page')).status).toBe(404);
  });

  it('links from a missing record to its list', async ({ school, teacher, assist }) => {
    const theirs = await school.addHomework({
      creator: 'otherAssist',
      course: school.courses.theirs,
      classes: [school.classes.k4],
    });
    const ways = (page: Page) =>
      [...page.document.querySelectorAll('main a')].map((a) => [a.textContent, a.getAttribute('href')]);
    const gone = await teacher.get(`/homework/detail?hw_id=${theirs}&class_id=0`);
    expect([gone.status, ways(gone).slice(0, 2)]).toEqual([
      404,
      [
        ['返回作业管理', '/homework'],
        ['返回首页', '/'],
      ],
    ]);
    expect(ways(await assist.get('/exams/detail?id=999999'))[0]).toEqual(['返回考试管理', '/exams']);
    expect(ways(await teacher.get('/no/such/page'))[0]).toEqual(['返回首页', '/']);
  });

  it("refuses a dialog of one homework over another's page", async ({ school, teacher }) => {
    const [one, other] = [
      await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day }),
      await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day }),
    ];
    for (const dialog of ['deadline', 'continue']) {
      const page = await teacher.get(`/homework/detail/${one}/${dialog}?hw_id=${other}`);
      expect([page.status, page.document.querySelector('dialog')]).toEqual([404, null]);
    }
    const address = `/homework/detail/${one}/deadline?hw_id=${other}`;
    expect((await teacher.post(address, { ending_time: '2027-01-01T00:00' })).status).toBe(404);
    expect((await teacher.get(`/homework/detail/${one}/deadline?hw_id=${one}`)).status).toBe(200);
  });

  it('shows twenty rows a page', async ({ school, assist }) => {
    for (let number = 1; number <= 21; number += 1)
      await school.addHomework({
        name: `第${number}次`,
        creator: 'assist',
        classes: [school.classes.k2],
        publishTime: noon - number * day,
      });
    const page = await assist.get('/homework?name=次');
    expect(page.document.querySelectorAll('tbody tr')).toHaveLength(20);
    expect(page.text).toContain('共 21 条');
    const next = page.document.querySelector('[rel=next]')?.getAttribute('href') as string;
    expect((await assist.get(next)).document.querySelectorAll('tbody tr')).toHaveLength(1);
  });

  it('lists grading and questions with their columns', async ({ teacher }) => {
    const heads = (page: Page) => [...page.document.querySelectorAll('th')].map((th) => th.textContent);
    // The specification requires one row per waiting report, with student and time.
    const gradingList = await teacher.get('/homework?tab=approve');
    expect(heads(gradingList)).toEqual([
      '作业名称',
      '学生',
      '提交时间',
      '类型',
      '课程',
      '课时',
      '发布人',
      '发布时间',
      '操作',
    ]);
    const [report] = [...gradingList.document.querySelectorAll('tbody tr')];
    expect(report?.querySelector('button[name=intent]')?.getAttribute('value')).toMatch(/^start \d+ \d+$/);
    const groupsHref = [...gradingList.document.querySelectorAll('a')].find(
      (a) => a.textContent?.trim() === '按作业查看',
    );
    const groups = await teacher.get(groupsHref?.getAttribute('href') ?? '');
    expect(heads(groups)).toEqual(['作业名称', '批改进度', '类型', '课程', '课时', '发布人', '发布时间', '操作']);
    const [group, students] = [...groups.document.querySelectorAll('tbody tr')];
    expect(group?.textContent).toMatch(/\d+% \d+\/\d+/);
    expect(group?.querySelector('button[name=intent]')?.getAttribute('value')).toMatch(/^start \d+$/);
    expect(students?.querySelector('summary')?.textContent).toMatch(/^1份待批改，最早提交时间 /);
    expect(students?.querySelector('summary time')?.getAttribute('title')).toMatch(/^2026/);
    expect(students?.querySelector('button[name=intent]')?.getAttribute('value')).toMatch(/^start \d+ \d+$/);
    expect(gradingList.text).toMatch(/作业批改 ?1/);
    expect((await teacher.get('/homework?tab=ques')).text).toContain('暂无题目');
  });
});
