/** From a figure to its students and the follow-up actions, without client JS. */
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOf, openApp, type Page, signInAs, type Visitor } from '../support/app.ts';
import { chance, type MadeHomework, makeHomework } from '../support/random-homework.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

describe('analysis actions without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  let done: MadeHomework;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    done = await makeHomework(school, chance(3), {
      mode: 2,
      students: 40,
      questions: 8,
      types: [1, 2, 3, 5, 6, 7],
      graded: 1,
    });
    await school.database.db.updateTable('homework').set({ name: '函数测验' }).where('id', '=', done.id).execute();
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
  });
  afterAll(() => school.close());

  const analysis = (search = '') => `/homework/detail?hw_id=${done.id}&class_id=0&tab=1${search}`;
  const link = (page: Page, text: string) =>
    [...page.document.querySelectorAll('a')]
      .find((a) => a.textContent?.trim().startsWith(text))
      ?.getAttribute('href') ?? '';
  const heads = (page: Page) => [...page.document.querySelectorAll('main thead th')];
  /** A table whose rows expand. */
  const cells = (page: Page) =>
    [...page.document.querySelectorAll('main tbody tr')]
      .filter((tr) => !tr.closest('details') && tr.children.length > 1)
      .map((tr) => [...tr.children].map((td) => td.textContent?.trim() ?? ''));
  /** Link to the finished export. */
  const fileAt = async (location: string | null): Promise<Response> => {
    const cookie = [...teacher.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await app.fetch(new Request(`http://school.test${location}`, { headers: { cookie } }));
    return file.headers.has('content-disposition') ? file : fileAt(location);
  };
  const columnOf = (page: Page, name: string) => heads(page).findIndex((th) => th.textContent?.startsWith(name));

  it('sorts by the worst question by default', async () => {
    const page = await teacher.get(analysis());
    const rate = columnOf(page, '平均正确率');
    const rates = cells(page).map((row) => Number(/^(\d+)%/.exec(row[rate] ?? '')?.[1]));
    expect(rates).toHaveLength(done.questions.length);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    expect(heads(page)[rate]?.getAttribute('aria-sort')).toBe('ascending');
    const wrong = await teacher.get(
      heads(page)[columnOf(page, '错误人数')]?.querySelector('a')?.getAttribute('href') ?? '',
    );
    // From another order, the first click returns to the worst first.
    const back = heads(wrong)[rate]?.querySelector('a')?.getAttribute('href') ?? '';
    expect(back).toContain('sort_field=average_right_rate&sort=asc');
    const ofPaper = await teacher.get(heads(page)[0]?.querySelector('a')?.getAttribute('href') ?? '');
    expect(cells(ofPaper).map(([number]) => number)).toEqual(done.questions.map(({ number }) => number));
  });

  it('counts each submitter once, and describes rates in words', async () => {
    const page = await teacher.get(analysis());
    const submitted = done.reports.filter(({ status }) => status !== 1).length;
    const places = ['正确人数', '部分正确', '错误人数', '未作答人数'].map((name) => columnOf(page, name));
    for (const row of cells(page)) {
      expect(places.reduce((sum, place) => sum + Number(row[place]), 0)).toBe(submitted);
      expect(row[columnOf(page, '平均正确率')]).toMatch(/^\d+% (重点讲评|需讲评|一般|较好|良好)$/);
    }
    expect(page.text).toMatch(/区分度 -?[\d.]+（(相反|弱|中|强)，/);
  });

  it('shows the same number as 得分率 in statistics and 平均正确率 in the analysis', async () => {
    const page = await teacher.get(analysis('&sort_field=number&sort=asc'));
    const statistics = await teacher.get(`/homework/statistics?hw_id=${done.id}&class_id=0`);
    const [, questions] = [...statistics.document.querySelectorAll('main table')];
    const names = [...(questions?.querySelectorAll('thead th') ?? [])].map((th) => th.textContent ?? '');
    expect(names.some((name) => name.startsWith('完全正确率'))).toBe(true);
    const scoreRate = names.findIndex((name) => name.startsWith('得分率'));
    expect(
      [...(questions?.querySelectorAll('tbody tr') ?? [])].map(
        (tr) => tr.querySelectorAll('td')[scoreRate]?.textContent?.trim().split('%')[0],
      ),
    ).toEqual(cells(page).map((row) => row[columnOf(page, '平均正确率')]?.split('%')[0]));
  });

  it('links a count to its students with answers, numbers to copy, and a file', async () => {
    const page = await teacher.get(analysis());
    const question = done.questions.find(({ type, id }) => {
      const wrong = done.reports.filter(({ answers }) =>
        answers.some(({ questionId, status }) => questionId === id && status === 2),
      );
      return type === 1 && wrong.length > 1;
    });
    const id = question?.id ?? 0;
    const wrong = done.reports.filter(({ answers }) =>
      answers.some(({ questionId, status }) => questionId === id && status === 2),
    );
    const opens = [...page.document.querySelectorAll('main tbody a')]
      .map((a) => a.getAttribute('href') ?? '')
      .find((href) => href.includes(`ques_id=${id}&group=wrong`));
    const dialog = await teacher.get(opens ?? '');
    const students = [...dialog.document.querySelectorAll('dialog tbody tr')];
    expect(dialog.document.querySelector('dialog h2')?.textContent).toBe(
      `第${question?.number}题答错的${wrong.length}人`,
    );
    expect(students.map((tr) => tr.querySelector('td')?.textContent).sort()).toEqual(
      wrong.map(({ nickname }) => nickname).sort(),
    );
    const sheet = students[0]?.querySelector('a')?.getAttribute('href') ?? '';
    expect(sheet).toMatch(new RegExp(`^/homework/approve/view\\?report_id=\\d+&class_id=0#q${id}$`));
    const opened = await teacher.get(sheet.split('#')[0] ?? '');
    expect(opened.document.getElementById(`q${id}`)).not.toBeNull();
    expect(students[0]?.textContent).toContain('13900000000');
    const copied = dialog.document.getElementById('copied-names')?.getAttribute('value') ?? '';
    expect(copied.split('、').sort()).toEqual(wrong.map(({ nickname }) => nickname).sort());
    expect(link(dialog, '✕')).toBe(analysis());

    const { action, fields } = formOf(dialog, '导出');
    const file = await fileAt((await teacher.post(action, fields)).location);
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain(
      `函数测验-第${question?.number}题-答错学员.xlsx`,
    );
    const table = await readSheet(Buffer.from(await file.arrayBuffer()));
    expect(table[0]).toEqual(['学员姓名', '班级', '手机号']);
    expect(table).toHaveLength(wrong.length + 1);

    const remedy = [...dialog.document.querySelectorAll('dialog a')].find(
      (a) => a.textContent?.trim() === '生成订正作业',
    );
    const form = await teacher.get(remedy?.getAttribute('href') ?? '');
    expect(form.document.querySelector('[name=name]')?.getAttribute('value')).toBe('订正：函数测验');
    expect(form.text).toMatch(/作业发布到班级，已选择有学员未答对的\d个班级：.*人未答对/);
    expect(form.text).toContain('共 1 题');
  });

  it('exports a displayed band, and students without a report by name', async () => {
    const open = (await teacher.get(`/homework/detail?hw_id=${done.id}&class_id=0&tab=3`)).document
      .querySelectorAll('main tbody tr')
      .item(5)
      .querySelector('a')
      ?.getAttribute('href');
    const dialog = await teacher.get(open ?? '');
    expect(dialog.document.querySelector('dialog tbody a')).toBeNull();
    const { action, fields } = formOf(dialog, '导出');
    const file = await fileAt((await teacher.post(action, fields)).location);
    expect(await readSheet(Buffer.from(await file.arrayBuffer()))).toHaveLength(
      done.reports.filter(({ status }) => status === 1).length + 1,
    );
  });

  it('previews a reminder before sending it, and shows who was reminded', async () => {
    const { k1, k2 } = school.classes;
    const hw = await school.addHomework({ name: '明天交', creator: 'teacher', classes: [k1, k2], ending: noon + day });
    const list = `/homework/detail?hw_id=${hw}&class_id=0&status=1`;
    const address = link(await assist.get(list), '一键催交');
    const dialog = await assist.get(address);
    expect(dialog.text).toContain('将向 6 名学员各发送一条短信');
    expect(dialog.text).toContain('学生一班1同学您好，作业“明天交”将于');
    const sent = await assist.post(address, formOf(dialog, '发送给 6 人').fields);
    expect(sent.location).toBe(list);
    const after = await assist.follow(sent);
    expect(after.text).toContain('已向6名学员发送催交短信');
    expect(after.document.querySelector('main tbody tr')?.textContent).toMatch(/未提交已催交：.*（姓名assist）/);
    const again = await teacher.get(link(await teacher.get(list), '一键催交'));
    expect(again.text).toContain('没有可以催交的学员');
    expect(again.text).toContain('6 名学员12小时内已催交，不再发送');
    expect(again.document.querySelector('dialog form')).toBeNull();
    const refused = await teacher.post(`/homework/detail/remind?hw_id=${hw}&class_id=0`, { idempotency_key: 'x' });
    expect(refused.status).toBe(409);
    const ended = await teacher.get(`/homework/detail/remind?hw_id=${done.id}&class_id=0`);
    expect([ended.status, ended.text.includes('该作业已截止，不能催交')]).toEqual([409, true]);
  });

  it('reminds one student from their row, and explains a refused repeat', async () => {
    const { k1, k2 } = school.classes;
    const hw = await school.addHomework({ name: '后天交', creator: 'teacher', classes: [k1, k2], ending: noon + day });
    const list = `/homework/detail?hw_id=${hw}&class_id=0`;
    const row = (page: Page) => page.document.querySelector('main tbody tr');
    for (const [person, number] of [
      [teacher, 1],
      [assist, 2],
    ] as const) {
      const before = await person.get(`${list}&nickname=${encodeURIComponent(`学生一班${number}`)}`);
      const address = row(before)?.querySelector('a[aria-label^=催交]')?.getAttribute('href') ?? '';
      const dialog = await person.get(address);
      expect(dialog.document.querySelector('dialog h2')?.textContent).toBe('催交');
      expect(dialog.text).toContain(`将发送一条短信给学生一班${number}`);
      expect(dialog.text).toContain(`学生一班${number}同学您好，作业“后天交”将于`);
      const sent = await person.post(address, formOf(dialog, '发送短信').fields);
      const after = await person.follow(sent);
      expect(after.text).toContain('已向1名学员发送催交短信');
      expect(row(after)?.textContent).toMatch(/已催交：.*（姓名(teacher|assist)）/);
      const again = row(after)?.querySelector('button[aria-label^=催交]');
      expect([again?.hasAttribute('disabled'), again?.getAttribute('title')]).toEqual([
        true,
        '12小时内已催交，不再重复发送',
      ]);
      const refused = await person.get(address);
      expect(refused.document.querySelector('dialog form')).toBeNull();
      expect(refused.text).toContain('12小时内已催交，不再重复发送');
      expect(refused.text).toMatch(new RegExp(`学生一班${number}.*已催交：.*（姓名(teacher|assist)）`));
      const pressed = await person.post(address, { idempotency_key: `again ${number}` });
      expect([pressed.status, pressed.text.includes('12小时内已催交，不再重复发送')]).toEqual([409, true]);
    }
    const unknown = `/homework/detail/remind?hw_id=${hw}&class_id=0&student_id=999999`;
    expect([(await teacher.get(unknown)).status, (await teacher.get(unknown)).text.includes('学员不存在')]).toEqual([
      404,
      true,
    ]);
    // After the deadline the button is gone.
    const ended = await teacher.get(`/homework/detail?hw_id=${done.id}&class_id=0&status=1`);
    expect(ended.document.querySelector('main tbody [aria-label^=催交]')).toBeNull();
  });

  it("shows each student's progress in the transcript, equal to the student's page", async () => {
    for (const person of [teacher, assist]) {
      const page = await person.get(`/homework/detail?hw_id=${done.id}&class_id=0&tab=2&status=3`);
      const [row] = cells(page);
      expect(row?.[columnOf(page, '进步情况')]).toMatch(/^(\/|持平|[+−]\d+ (明显)?(进步|退步))$/);
    }
  });

  it('compares a student with the previous homework', async () => {
    const report = done.reports.find(({ status }) => status === 3);
    const page = await teacher.get(`/homework/student-statistics?hw_id=${done.id}&class_id=0&report_id=${report?.id}`);
    expect(page.text).toMatch(/进步情况 ?本次得分率 \d+%，排名 \d+\/\d+（(靠前|中上|中下|靠后)）/);
  });
});
