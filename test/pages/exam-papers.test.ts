/** ExamPaperPreview and ExamPaperApproveView without client JS. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPdf } from '../pdf/read.ts';
import { openApp, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { addExam, everyType, review, submitExamReport } from '../support/exams.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { bytesOf, waitForFile } from '../support/wait-for-file.ts';

let school: TestSchool;
let visitors: Record<'teacher' | 'assist' | 'plainTeacher', Visitor>;
let app: Awaited<ReturnType<typeof openApp>>;
let exam: Awaited<ReturnType<typeof addExam>>;
const reports = { first: 0, last: 0, right: 0 };

beforeAll(async () => {
  const opened = await openTestSchool('SQLite');
  if (!opened) throw new Error('no SQLite');
  school = opened;
  app = await openApp(school);
  visitors = {
    teacher: await signInAs(school, app, 'teacher'),
    assist: await signInAs(school, app, 'assist'),
    plainTeacher: await signInAs(school, app, 'plainTeacher'),
  };
  const { db } = school.database;
  const { id: schoolId } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  exam = await addExam(db, { creator: school.people.teacher.id, school: schoolId });
  await db
    .updateTable('exam_question')
    .set({ ques_analysis: '<p>解析之文</p>' })
    .where('exam_id', '=', exam.id)
    .where('ques_type', '!=', 6)
    .execute();
  await db
    .updateTable('exam_section')
    .set({ introduce: '每题一分 <b>认真\n写清步骤' })
    .where('exam_id', '=', exam.id)
    .execute();
  const [one = 0, two = 0] = school.students.k1.slice(1);
  const answers = [
    '2',
    '2',
    '1,3',
    '1-3,2-3',
    '3@@6',
    '{"content":"甲","images":["/files/gone.png"]}',
    '',
    '{"content":',
  ];
  reports.first = await submitExamReport(db, exam, one, answers, { at: noon - 7200, seconds: 1859 });
  await review(db, reports.first, [150, 80]);
  reports.last = await submitExamReport(db, exam, one, answers, { at: noon - 60 });
  reports.right = await submitExamReport(db, exam, two, ['2', '1', '1,3', '1-3,2-4', '3@@5', '甲', '1', '乙'], {
    seconds: 59,
  });
  await review(db, reports.right, [200, 200]);
  await db
    .updateTable('exam_answer')
    .set({
      review_comment: '步骤完整',
      review_attachments: JSON.stringify([{ name: '范文.pdf', url: '/files/2026/01/x.pdf', ext: 'pdf' }]),
    })
    .where('report_id', '=', reports.first)
    .where('question_id', '=', exam.questions[5] ?? 0)
    .execute();
});
afterAll(() => school?.close());

const preview = (search = '', who: keyof typeof visitors = 'teacher') =>
  visitors[who].get(`/exams/preview?id=${exam.id}${search}`);
const sheet = (id: number, search = '', who: keyof typeof visitors = 'teacher') =>
  visitors[who].get(`/exams/approve/view?report_id=${id}${search}`);
const articles = (page: Page) => [...page.document.querySelectorAll('article')];
const textOf = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('exam paper preview', () => {
  it.each(['teacher', 'assist'] as const)('shows the paper without answers to a %s, without a script', async (who) => {
    const page = await preview('', who);
    expect(page.status).toBe(200);
    for (const part of [
      '期中考试',
      '考试时长60 分钟',
      '总分100.0 分',
      '及格分60.0 分',
      '题数8 题',
      '每题一分 <b>认真写清步骤',
    ]) {
      expect(page.text).toContain(part);
    }
    const titles = articles(page).map((one) => textOf(one.querySelector('h2')));
    expect(titles).toEqual([
      '1. 单选题10.0 分',
      '2. 判断题5.0 分',
      '3. 多选题15.0 分',
      '4. 连线题10.0 分',
      '5. 填空题10.0 分',
      '6. 简答题20.0 分',
      '7. 材料题30.0 分',
      '7.1. 单选题10.0 分',
      '7.2. 简答题20.0 分',
    ]);
    expect(page.text).not.toContain('正确答案');
    expect(page.document.querySelectorAll('[data-right]')).toHaveLength(0);
    expect(page.document.querySelectorAll('svg path[data-kind]')).toHaveLength(0);
    // Each explanation expands separately.
    const folds = [...page.document.querySelectorAll('article details')];
    expect(folds).toHaveLength(8);
    expect(folds.filter((one) => one.hasAttribute('open'))).toEqual([]);
    expect(page.text).toContain('第 1 空（3.0 分）第 2 空（7.0 分）');
    expect(ownScripts(page)).toEqual([]);
  });

  it('shows answers through a form', async () => {
    const off = await preview();
    const button = off.document.querySelector('[role=switch]');
    expect([textOf(button), button?.getAttribute('aria-checked')]).toEqual(['显示答案', 'false']);
    const fields = [...(button?.closest('form')?.querySelectorAll('input') ?? [])].map(
      (input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''] as [string, string],
    );
    const on = await visitors.teacher.get(`/exams/preview?${new URLSearchParams(fields)}`);
    expect(on.document.querySelector('[role=switch]')?.getAttribute('aria-checked')).toBe('true');
    const answers = articles(on).map((one) => textOf(one.querySelector('dd')));
    expect(answers).toEqual(['B', 'A', 'A、C', '1–A、2–B', '3；5', '略', 'A', 'A', '略']);
    expect(on.document.querySelectorAll('article details[open]')).toHaveLength(8);
    const lines = [...on.document.querySelectorAll('svg path[data-kind]')].map((one) => one.getAttribute('data-kind'));
    expect(lines).toEqual(['right', 'right']);
    expect(on.text).toContain('第 1 空（3.0 分）3第 2 空（7.0 分）5');
    const back = [...on.document.querySelectorAll('[role=switch]')][0]?.closest('form')?.querySelectorAll('input');
    expect([...(back ?? [])].map((input) => input.getAttribute('name'))).toEqual(['id']);
  });

  it('downloads the paper, with answers, or the sheet', async () => {
    const page = await preview();
    const buttons = [...page.document.querySelectorAll('main details button[name=intent]')];
    const action = buttons[0]?.closest('form')?.getAttribute('action') ?? '';
    const printed: string[] = [];
    for (const button of buttons) {
      const answer = await visitors.teacher.post(action, { intent: button.getAttribute('value') ?? '' });
      expect(answer.status).toBe(302);
      const headers = { authorization: `Bearer ${school.people.teacher.token}` };
      const file = await waitForFile(() => school.api.fetch(new Request(`http://api${answer.location}`, { headers })));
      printed.push((await readPdf(await bytesOf(file))).text());
    }
    expect(buttons.map(textOf)).toEqual(['试卷（不含答案）', '试卷（含答案与解析）', '答题卡']);
    expect(printed.map((text) => text.includes('解析之文'))).toEqual([false, true, false]);
    expect(printed.map((text) => text.includes('注意事项'))).toEqual([false, false, true]);
    // The paper equals the page.
    for (const article of articles(await preview())) {
      const stem = textOf(article.querySelector('p')).replace(/\s/g, '');
      if (stem) expect(printed[0]).toContain(stem);
    }
    const refused = await visitors.teacher.post('/exams/preview/download?id=999', { intent: 'paper' });
    expect([refused.status, textOf(refused.document.querySelector('h1'))]).toEqual([404, '没有找到']);
    expect(refused.text).toContain('考试不存在');
    // A GET of the download address, such as by the back button, reopens the tab.
    expect((await visitors.teacher.get(action)).location).toBe(action.replace('/download', ''));
  });

  it.each(['id=999999', 'id=x', '', 'id=1e1'])('answers 404 for ?%s', async (search) => {
    expect((await visitors.teacher.get(`/exams/preview?${search}`)).status).toBe(404);
  });

  it('stays small with 60 questions', async () => {
    const { db } = school.database;
    const { id } = await addExam(db, {
      creator: school.people.teacher.id,
      school: 1,
      questions: Array.from({ length: 60 }, (_, index) => ({
        ...(everyType[index % 7] as (typeof everyType)[number]),
        // Texts without repetition, like a real paper.
        stem: `<p>${Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x4e00 + ((index * 977 + at * 131 + at * at * index) % 2500))).join('')}</p>`,
      })),
    });
    const page = await visitors.teacher.get(`/exams/preview?id=${id}&answers=1`);
    expect(articles(page).length).toBeGreaterThan(60);
    expect(gzipSync(page.html).length).toBeLessThan(40_000);
  });
});

describe('the answer sheet', () => {
  const figures = (page: Page) =>
    Object.fromEntries(
      [...page.document.querySelectorAll('main header dl div')].map((one) => [
        textOf(one.querySelector('dt')),
        textOf(one.querySelector('dd')),
      ]),
    );

  it.each(['teacher', 'assist'] as const)('shows the result to a %s', async (who) => {
    const page = await sheet(reports.first, '', who);
    const judging = [...page.document.querySelectorAll('a')].find((link) => textOf(link) === '改判填空题');
    expect(judging?.getAttribute('href')).toBe(`/exams/approve?report_id=${reports.first}&type=2`);
    expect(figures(page)).toEqual({
      排名: '2 / 2',
      考试结果: '不及格',
      总分: '51.0/100.0',
      客观题: '28.0/60.0',
      主观题: '23.0/40.0',
      用时: '30分钟',
    });
    const titles = articles(page).map((one) => textOf(one.querySelector('h2, h3')));
    expect(titles).toEqual([
      '第 1 题单选题10.0 分★★★★★ 中等正确10.0 分',
      '第 2 题判断题5.0 分★★★★★ 中等错误0.0 分',
      '第 3 题多选题15.0 分★★★★★ 中等正确15.0 分',
      '第 4 题连线题10.0 分★★★★★ 中等错误0.0 分',
      '第 5 题填空题10.0 分★★★★★ 中等错误3.0 分',
      '第 6 题简答题20.0 分★★★★★ 中等已批改15.0 分',
      '第 7 题材料题30.0 分',
      '第 7.1 题单选题10.0 分★★★★★ 中等未作答',
      '第 7.2 题简答题20.0 分★★★★★ 中等已批改8.0 分',
    ]);
    expect(page.text).toContain('学员答案1–A（正确）、2–A（错误）正确答案1–A、2–B');
    const lines = [...page.document.querySelectorAll('svg path[data-kind]')].map((one) =>
      one.getAttribute('data-kind'),
    );
    expect(lines).toEqual(['right', 'wrong', 'missed']);
    expect(page.text).toContain('学员答案3；6正确答案3；5');
    // True and false in words, choices by letter.
    const options = articles(page).map((one) => [...one.querySelectorAll('ol li > span:first-child')].map(textOf));
    expect(options.slice(0, 2)).toEqual([
      ['A.', 'B.', 'C.', 'D.'],
      ['', ''],
    ]);
    expect(page.text).toContain('评语步骤完整PDF范文.pdf');
    expect(page.document.querySelector('img')?.getAttribute('src')).toBe('/files/gone.png');
    // Broken JSON is shown as text.
    expect(page.html).toContain('{&quot;content&quot;:'.replaceAll('&quot;', '"'));
    expect(textOf(page.document.querySelector('main header a'))).toBe('返回');
    // One script, for choosing a submission; a button works without it.
    expect(ownScripts(page).filter((script) => script.includes('src='))).toEqual([
      expect.stringContaining('/submission.island-'),
    ]);
    expect(textOf(page.document.querySelector('form:has(#submission) [data-island] button[type=submit]'))).toBe('查看');
  });

  it('hides rank, result and open scores while waiting', async () => {
    const page = await sheet(reports.last);
    expect(figures(page)).toMatchObject({ 排名: '--', 总分: '-', 客观题: '28.0/60.0', 主观题: '-' });
    expect(page.text).not.toContain('考试结果');
    expect(page.text).toContain('待批改 2');
  });

  it('shows the first minute and less than one', async () => {
    expect(figures(await sheet(reports.right))).toMatchObject({ 排名: '1 / 2', 考试结果: '及格', 用时: '0分钟' });
  });

  it('links to earlier submissions by form', async () => {
    const page = await sheet(reports.last, '&wrong=1');
    const select = page.document.querySelector('select[name=report_id]');
    const choices = [...(select?.querySelectorAll('option') ?? [])];
    expect(choices.map((one) => [one.getAttribute('value'), textOf(one)])).toEqual([
      [String(reports.last), '2026-11-20 11:59（第 2 次）'],
      [String(reports.first), '2026-11-20 10:00（第 1 次）'],
    ]);
    expect(textOf(select?.querySelector('option[selected]'))).toContain('第 2 次');
    const form = select?.closest('form');
    expect([form?.getAttribute('action'), textOf(form?.querySelector('button'))]).toEqual([
      '/exams/approve/view',
      '查看',
    ]);
    expect(form?.querySelector('input[name=wrong]')?.getAttribute('value')).toBe('1');
  });

  it('filters to wrong answers, essays and materials; the card shows the rest', async () => {
    const page = await sheet(reports.first, '&wrong=1');
    const shown = articles(page).map((one) => textOf(one.querySelector('h2, h3')).split('题')[0]);
    expect(shown).toEqual(['第 2 ', '第 4 ', '第 5 ', '第 6 ', '第 7 ', '第 7.1 ', '第 7.2 ']);
    const hrefs = [...page.document.querySelectorAll('aside ol a')].map((one) => one.getAttribute('href') ?? '');
    expect(hrefs[0]).toBe(`/exams/approve/view?report_id=${reports.first}#q${exam.questions[0]}`);
    expect(hrefs[1]).toBe(`#q${exam.questions[1]}`);
    for (const href of hrefs.filter((one) => one.startsWith('#'))) {
      expect(page.document.getElementById(href.slice(1)), href).not.toBeNull();
    }
    const whole = await sheet(reports.first);
    const labels = [...whole.document.querySelectorAll('aside ol a')].map((one) => one.getAttribute('aria-label'));
    expect(labels).toEqual(['1 正确', '2 错误', '3 正确', '4 错误', '5 错误', '6 已批改', '7.1 未作答', '7.2 已批改']);
    expect(textOf(whole.document.querySelector('aside ul'))).toBe('正确 2错误 3已批改 2未作答 1');
    const none = await addExam(school.database.db, {
      creator: school.people.teacher.id,
      school: 1,
      questions: everyType.slice(0, 1),
    });
    const right = await submitExamReport(school.database.db, none, school.students.k1[0] ?? 0, ['2']);
    expect((await sheet(right, '&wrong=1')).text).toContain('没有错题');
    expect(figures(await sheet(right))).toMatchObject({ 主观题: '-' });
  });

  it('answers 404 without access', async () => {
    const { db } = school.database;
    const other = await db.insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
    await db
      .updateTable('staff')
      .set({ school_id: other.id })
      .where('id', '=', school.people.plainTeacher.id)
      .execute();
    expect((await sheet(reports.first, '', 'plainTeacher')).status).toBe(404);
    expect((await preview('', 'plainTeacher')).status).toBe(404);
    expect((await visitors.teacher.get('/exams/approve/view?report_id=x')).status).toBe(404);
    expect((await visitors.teacher.get('/exams/approve/view')).status).toBe(404);
  });
});
