/** Exam grading by keyboard, with conflicts, offline and without client JS. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { addExam, submitExamReport } from '../support/exams.ts';
import { it } from '../support/fixtures.ts';
import { essayOf } from '../support/paper.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';

const right = ['2', '1', '1,3', '1-3,2-3', '3@@5'];
let school: TestSchool;
let server: SchoolServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];

it.beforeAll(async ({ browser: started }) => {
  browser = started;
  school = await openTestSchool('SQLite');
  server = await serveSchool(school);
});
afterAll(async () => {
  await server?.close();
  await school?.close();
});
beforeEach(async () => {
  faults = [];
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await server.signIn(context, 'teacher');
  page = await context.newPage();
  watch(page);
});
afterEach(async () => {
  server.setDown(false);
  await context.close();
  expect(faults).toEqual([]);
});

function watch(opened: Page): void {
  opened.on('pageerror', (error) => {
    // Chromium's message for a navigation that overtakes a view transition.
    if (!/^Transition was/.test(error.message)) faults.push(error.message);
  });
  opened.on('console', (message) => {
    const isNetwork = /Failed to load resource|net::ERR/.test(message.text());
    if (message.type() === 'error' && !isNetwork) faults.push(message.text());
  });
}

/** Creates an exam with `count` submissions that wait for grading. No other exam has any. */
async function addReports(count: number) {
  const { db } = school.database;
  await db.updateTable('exam_report').set({ test_status: 3 }).execute();
  const exam = await addExam(db, { creator: school.people.teacher.id, school: 1, name: '期末考试' });
  const reports: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const answers = [...right, essayOf(`答${place}`), '1', essayOf('再答')];
    reports.push(
      await submitExamReport(db, exam, school.students.k4[place] as number, answers, { at: noon - 100 + place }),
    );
  }
  return { exam, essay: exam.questions[5] as number, reports };
}

async function open(report: number | undefined): Promise<void> {
  await page.goto(`${server.base}/exams/approve?report_id=${report}`);
  // Once these keys are offered, the desk is hydrated.
  await page.waitForSelector('button:has-text("快捷键")');
}
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const scores = async (report: number | undefined) => {
  const rows = await school.database.db
    .selectFrom('exam_answer')
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .select('exam_answer.score')
    .where('report_id', '=', report ?? 0)
    .where('ques_type', '=', 5)
    .orderBy('question_id')
    .execute();
  return rows.map(({ score }) => score);
};
const isFinished = async (report: number | undefined) => {
  const row = await school.database.db
    .selectFrom('exam_report')
    .select('test_status')
    .where('id', '=', report ?? 0)
    .executeTakeFirst();
  return row?.test_status === 3;
};
const expectSoon = (look: () => Promise<unknown>, value: unknown) => expect.poll(look, { interval: 30 }).toEqual(value);

it('two submissions are graded by keyboard alone', async () => {
  const { exam, reports } = await addReports(2);
  await open(reports[0]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await press('1', '5', '.', '5', 'Enter');
  expect(await page.textContent('article h2')).toContain('第 7.2 题');
  // One key gives full marks, and two Enters finish.
  await press('f', 'Enter', 'Enter');
  await page.waitForSelector('dialog');
  await press('Enter');
  await expect.poll(() => page.textContent('article')).toContain('答1');
  await expectSoon(() => scores(reports[0]), [155, 200]);
  await expectSoon(() => isFinished(reports[0]), true);
  expect(page.url()).toContain(`/exams/approve?report_id=${reports[1]}`);
  await press('z', 'Enter', '8', 'Enter', 'Enter');
  await page.waitForSelector('dialog');
  await press('Enter');
  await page.waitForURL(`**/exams/detail?id=${exam.id}`);
  expect(await scores(reports[1])).toEqual([0, 80]);
  expect(await isFinished(reports[1])).toBe(true);
});

it('arrow keys save, S skips, and exam drafts stay separate from homework', async () => {
  const { reports } = await addReports(2);
  await open(reports[0]);
  await press('7', 'Escape', 'ArrowRight');
  await expectSoon(() => scores(reports[0]), [70, null]);
  server.setDown(true);
  await press('9', 'Enter');
  await page.waitForSelector('text=1 项批改保存失败');
  const names = await page.evaluate(() => Object.keys(localStorage));
  expect(names.filter((name) => name.startsWith('exam-grading '))).not.toEqual([]);
  expect(names.filter((name) => name.startsWith('grading '))).toEqual([]);
  server.setDown(false);
  await expectSoon(() => scores(reports[0]), [70, 90]);
  await press('s');
  await expect.poll(() => page.textContent('article')).toContain('答1');
});

it('a grader chooses between both marks of a conflict', async () => {
  const { reports, essay } = await addReports(1);
  await open(reports[0]);
  const theirs = { report_id: reports[0], question_id: essay, score: 8, version: 0 };
  await school.as('assist').post('testDetail/approveQuestion', theirs);
  await press('3', 'Enter');
  await page.waitForSelector('dialog:has-text("姓名assist")');
  expect(await page.textContent('dialog')).toContain('8.0 分');
  await page.click('dialog button:has-text("使用我的评分")');
  await expectSoon(() => scores(reports[0]), [30, null]);
});

it('a submission is graded and finished by forms without client JS', async () => {
  const { exam, reports } = await addReports(1);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await server.signIn(plain, 'teacher');
  const form = await plain.newPage();
  await form.goto(`${server.base}/exams/approve?report_id=${reports[0]}`);
  for (const score of ['12.5', '20']) {
    await form.fill('#user_score', score);
    await form.click('form#grade button:has-text("保存")');
  }
  await form.click('button:has-text("完成批改")');
  await form.fill('#comment', '继续努力');
  await form.click('dialog button:has-text("完成批改")');
  expect(form.url()).toBe(`${server.base}/exams/detail?id=${exam.id}`);
  expect(await scores(reports[0])).toEqual([125, 200]);
  expect(await isFinished(reports[0])).toBe(true);
  await plain.close();
});
