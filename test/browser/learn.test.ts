/** A lecturer on a PC and a student on a scriptless phone exchange homework. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, expect } from 'vitest';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { storeSetting } from '#server/school/settings.ts';
import { faultsInLightAndDark } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { addExam } from '../support/exams.ts';
import { it } from '../support/fixtures.ts';
import { addPaper } from '../support/paper.ts';
import { sizeOf } from '../support/pictures.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';
import { thorough } from '../support/thorough.ts';

const phone = {
  viewport: { width: 390, height: 800 },
  isMobile: true,
  hasTouch: true,
  javaScriptEnabled: false,
  locale: 'zh-CN',
} as const;
const mobile = '13700001234';

let school: TestSchool;
let server: SchoolServer;
let browser: Browser;
let lecturer: BrowserContext;
const windows: BrowserContext[] = [];

it.beforeAll(async ({ browser: started }) => {
  browser = started;
  school = await openTestSchool('SQLite');
  const { db } = school.database;
  process.env.LEARN_TOKEN = (await issueServiceToken(db, { name: '学员端', now: noon })).token;
  await storeSetting(db, 'sms_webhook_url', 'https://sms.example/');
  await db.updateTable('student').set({ mobile }).where('id', '=', uid()).execute();
  server = await serveSchool(school);
  lecturer = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN' });
  await server.signIn(lecturer, 'teacher');
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  delete process.env.LEARN_TOKEN;
  await lecturer?.close();
  await server?.close();
  await school?.close();
});

const uid = () => school.students.k1[0] as number;
const button = (words: string) => `button:is(:text-is("${words}"), :has(:text-is("${words}")))`;
const flashText = (page: Page) => page.locator('[data-flash]').innerText();

/** An exam open to the student's school. */
async function publishedExam(exam: { name?: string; limit?: number }, more: { attempts?: number } = {}) {
  const { db } = school.database;
  const { school_id } = await db
    .selectFrom('student')
    .select('school_id')
    .where('id', '=', uid())
    .executeTakeFirstOrThrow();
  const added = await addExam(db, { creator: school.people.teacher.id, school: school_id, ...exam });
  await db
    .updateTable('exam')
    .set({ ...more, published_at: noon })
    .where('id', '=', added.id)
    .execute();
  return added;
}

/** Signs in with the received code. */
async function openPhone(at = '/learn', from = browser): Promise<Page> {
  const context = await from.newContext(phone);
  if (from === browser) windows.push(context);
  const page = await context.newPage();
  await page.goto(server.base + at);
  await page.fill('#number', mobile);
  await page.click(button('获取验证码'));
  await page.waitForSelector('#code');
  const { db } = school.database;
  const message = await db.selectFrom('sms_outbox').select('content').orderBy('id', 'desc').executeTakeFirstOrThrow();
  await page.fill('#code', /\d{6}/.exec(message.content)?.[0] ?? '');
  await page.click(button('登录'));
  await page.waitForURL(server.base + at);
  // Deletes the stored code, so that the next sign-in need not wait for another one.
  await db.deleteFrom('learner_code').execute();
  return page;
}

const photograph = (colour: string) =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: colour } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** Publishes without client JS from earlier homework. */
async function publish(name: string): Promise<void> {
  const earlier = await addPaper(school, { creator: 'teacher', classes: [school.classes.k2], publishTime: noon - day });
  const trueOrFalse = ['正确', '错误'].map((content, at) => ({ id: at + 1, content, is_right: at + 1 }));
  await school.database.db
    .updateTable('homework_question')
    .set({ ques_option: JSON.stringify(trueOrFalse) })
    .where('id', '=', earlier.questions.part)
    .execute();
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  windows.push(context);
  await server.signIn(context, 'teacher');
  const page = await context.newPage();
  const confirm = async () => {
    await page.click(`dialog ${button('确定')}`);
    await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  };
  await page.goto(`${server.base}/homework/publish?course_id=${school.courses.shared}`);
  await page.fill('#name', name);
  await page.fill('#ending_time', '2026-11-23T22:00');
  await page.locator('[name=right_answers][value="2"]').check();
  await page.click('button[name=intent][value="history"]:visible');
  await page.locator('dialog input[name=pick]').first().check();
  await confirm();
  for (const score of await page.locator('input[name^="score."]').all()) {
    if ((await score.inputValue()) === '') await score.fill('5');
  }
  await page.click('button[name=intent][value="publish"]:visible');
  await page.waitForLoadState();
  expect(page.url(), await page.innerText('main').catch(() => '')).toContain('/homework?tab=main');
  expect(await page.locator('text=作业发布成功').count()).toBe(1);
}

it('homework goes from publishing through a photographed answer to the marked picture', async () => {
  await publish('集合练习');
  const page = await openPhone('/learn/homework');
  await page.click('a:has-text("集合练习")');
  expect(await page.innerText('main')).not.toMatch(/参考答案|见课本|正确答案/);
  // Saves with a camera photo and continues.
  await page.locator('input[type=radio]').nth(0).check();
  await page.locator('textarea').first().fill('解：由题意');
  const camera = page.locator('input[capture=environment]').first();
  expect(await camera.getAttribute('accept')).toBe('image/jpeg,image/png,image/gif,image/webp');
  await camera.setInputFiles({ name: '照片.jpg', mimeType: 'image/jpeg', buffer: await photograph('#7a8') });
  await page.click(button('保存草稿'));
  expect(await flashText(page)).toBe('草稿已保存');
  expect(await page.locator('textarea').first().inputValue()).toBe('解：由题意');
  const kept = page.locator('ul img').first();
  const { width, height } = await sizeOf(kept);
  expect(height).toBeGreaterThan(width);
  // Blanks are announced before submission.
  await page.click(button('提交作业'));
  expect(await page.locator('[role=alert]').first().innerText()).toContain(
    '您还有2题未作答，确定提交？第3.1、3.2题没有作答',
  );
  await page.locator('input[type=radio]').nth(2).check();
  await page.locator('textarea').nth(1).fill('略');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.click(button('提交作业'));
  expect(await flashText(page)).toBe('提交成功');
  const waiting = await page.content();
  expect(waiting).toContain('待批改');
  expect(waiting).not.toMatch(/参考答案|见课本|正确答案/);

  // The lecturer draws, grades and finishes.
  const { db } = school.database;
  const report = await db
    .selectFrom('report')
    .select('id')
    .where('student_id', '=', uid())
    .where('status', '=', 2)
    .executeTakeFirstOrThrow();
  const desk = await lecturer.newPage();
  await desk.goto(`${server.base}/homework/approve?report_id=${report.id}&class_id=0`);
  await desk.waitForSelector('button:has-text("快捷键")');
  await desk.click('button:has-text("批注")');
  await desk.waitForSelector('dialog[open] canvas');
  await desk.click(`dialog[open] [role=toolbar] ${button('对')}`);
  await desk.mouse.click(640, 420);
  await desk.click('dialog[open] [role=toolbar] button:has-text("保存")');
  await desk.waitForSelector('text=保存成功');
  const hasMarks = async () =>
    (await db.selectFrom('answer').select('review_images').where('report_id', '=', report.id).execute()).some(
      ({ review_images }) => review_images.includes('/files/'),
    );
  await expect.poll(hasMarks).toBe(true);
  await desk.keyboard.press('f');
  await desk.keyboard.press('c');
  await desk.keyboard.type('步骤完整');
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('Enter');
  const scored = async () =>
    (await db.selectFrom('answer').select('score').where('report_id', '=', report.id).execute()).filter(
      ({ score }) => score === null,
    ).length;
  await expect.poll(scored).toBe(1);
  await desk.keyboard.press('f');
  await desk.keyboard.press('Enter');
  await expect.poll(scored).toBe(0);
  await desk.keyboard.press('Enter');
  await desk.waitForSelector('dialog[open] >> text=完成后不能再修改评分');
  await desk.keyboard.press('Enter');
  const status = async () =>
    (await db.selectFrom('report').select('status').where('id', '=', report.id).executeTakeFirstOrThrow()).status;
  await expect.poll(status).toBe(3);
  await desk.close();

  // The student sees the result.
  await page.goto(`${server.base}/learn/homework?state=done`);
  await page.click('a:has-text("集合练习")');
  const seen = await page.innerText('main');
  for (const words of ['得分', '步骤完整', '正确答案', '见课本']) expect(seen).toContain(words);
  const image = page.locator('img[alt="第1张，有老师的批注"]');
  expect((await sizeOf(image)).width).toBeGreaterThan(0);
  expect(await image.getAttribute('src')).toMatch(/^\/learn\/files\/.+\.jpg$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

it('learner pages are accessible in both colours on phone and PC', thorough, async () => {
  await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
  const { db } = school.database;
  const exam = await publishedExam({ name: '长'.repeat(60) });
  const notice = { class_id: school.classes.k1, title: '长'.repeat(50), content: '<p>周一</p>', staff_id: null };
  const { id } = await db
    .insertInto('class_notice')
    .values({ ...notice, created_at: noon, updated_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow();
  const signedIn = await openPhone(`/learn/exams/${exam.id}`);
  await signedIn.click(button('开始考试'));
  // axe needs a script.
  const storageState = await signedIn.context().storageState();
  const context = await browser.newContext({ ...phone, isMobile: false, javaScriptEnabled: true, storageState });
  windows.push(context);
  const page = await context.newPage();
  const homework = await db.selectFrom('homework').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const questions = exam.questions.map((_, at) => `/exams/${exam.id}/take?at=${at + 1}`);
  const found: string[] = [];
  for (const path of [
    '',
    '/homework',
    '/homework?state=done',
    `/homework/${homework.id}`,
    '/exams',
    `/exams/${exam.id}`,
    ...questions,
    `/exams/${exam.id}/hand-in`,
    '/lessons',
    `/lessons?from=${noon + 100 * day}`,
    '/leave',
    '/leave/ask?class_id=1&course_id=1&period_id=1',
    '/notices',
    `/notices/${id}`,
    '/homework/999999',
  ]) {
    await page.goto(`${server.base}/learn${path}`);
    for (const width of [390, 1366]) {
      await page.setViewportSize({ width, height: 800 });
      const shown = await page.evaluate(() => document.documentElement.scrollWidth);
      if (shown > width) found.push(`${path} is ${shown} px wide at ${width}`);
      found.push(...(await faultsInLightAndDark(page)).map((fault) => `${path} ${width}: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

it('leave is requested, approved and shown', async () => {
  const { db } = school.database;
  await db
    .insertInto('period')
    .values({
      course_id: school.courses.shared,
      title: '第三讲 数列',
      lecturer_id: school.people.teacher.id,
      chapter_id: null,
      start_play: noon + 7200,
      total_time: 3600,
      advance_time: 10,
    })
    .execute();
  const page = await openPhone('/learn/lessons');
  await page.locator('li:has-text("第三讲 数列") a:has-text("请假")').click();
  await page.fill('#leave_cause', '咳'.repeat(101));
  await page.click(button('提交'));
  expect(await page.innerText('main')).toContain('请假原因不能超过100个字');
  expect(await page.inputValue('#leave_cause')).toBe('咳'.repeat(101));
  await page.fill('#leave_cause', '发烧');
  await page.click(button('提交'));
  await page.waitForURL('**/learn/leave');
  expect(await page.innerText('li:has-text("第三讲 数列")')).toContain('待审批');
  const inbox = await lecturer.newPage();
  await inbox.goto(`${server.base}/leave`);
  const row = inbox.locator('tr', { hasText: '发烧' });
  await row
    .locator('a:is(:text-is("同意"), :has(:text-is("同意"))), button:is(:text-is("同意"), :has(:text-is("同意")))')
    .first()
    .click();
  const confirming = inbox.locator('dialog button[type=submit]');
  if (await confirming.count()) await confirming.last().click();
  await expect
    .poll(
      async () =>
        (await db.selectFrom('attendance').select('op_status').where('leave_cause', '=', '发烧').executeTakeFirst())
          ?.op_status,
    )
    .toBe(2);
  await inbox.close();
  await page.reload();
  expect(await page.innerText('li:has-text("第三讲 数列")')).toContain('已同意');
  await page.click(button('撤回请假'));
  expect(await flashText(page)).toBe('已撤回请假');
  expect(await page.innerText('li:has-text("第三讲 数列")')).toContain('已撤回');
});

it('an exam counts down, and saves before its end', thorough, async () => {
  const { db } = school.database;
  const exam = await publishedExam({ limit: 20 });
  const started = await openPhone(`/learn/exams/${exam.id}`);
  await started.click(button('开始考试'));
  expect(await started.innerText('[data-time-left]')).toBe('还剩20秒');
  const storageState = await started.context().storageState();
  const context = await browser.newContext({ ...phone, isMobile: false, javaScriptEnabled: true, storageState });
  windows.push(context);
  const page = await context.newPage();
  await page.goto(`${server.base}/learn/exams/${exam.id}/take?at=6`);
  await page.waitForFunction(() => /^还剩1.秒$/.test(document.querySelector('[data-time-left]')?.textContent ?? ''));
  await page.fill(`[name=q${exam.questions[5]}]`, '还没有保存');
  const savedAnswer = () =>
    db
      .selectFrom('exam_attempt_answer')
      .select('user_answer')
      .where('question_id', '=', exam.questions[5] ?? 0)
      .executeTakeFirst();
  await expect.poll(async () => (await savedAnswer())?.user_answer).toContain('还没有保存');
});

it('an exam continues after the browser was killed', thorough, async () => {
  const { db } = school.database;
  const exam = await publishedExam({ limit: 3600 }, { attempts: 1 });

  const killed = await launchChromium();
  const first = await openPhone(`/learn/exams/${exam.id}`, killed);
  await first.click(button('开始考试'));
  await first.waitForURL('**/take');
  await first.locator('input[type=radio]').nth(1).check();
  await first.click(button('下一题'));
  expect(await first.innerText('main')).toContain('第2题');
  await first.locator('input[type=radio]').nth(0).check();
  await first.click('[aria-label^="第6题"]');
  await first.locator('textarea').fill('写了一半');
  await first.locator('#is_sign').check();
  await first.click(button('保存'));
  await killed.close();

  school.setNow(noon + 1200);
  const page = await openPhone(`/learn/exams/${exam.id}`);
  expect(await page.innerText('main')).toContain('还剩40分00秒');
  await page.click(`a:has-text("继续作答")`);
  expect(await page.locator('input[type=radio]').nth(1).isChecked()).toBe(true);
  expect(await page.locator('[data-done]').count()).toBe(3);
  await page.click('[aria-label="第6题，已作答，已标记"]');
  expect(await page.locator('textarea').inputValue()).toBe('写了一半');
  expect(await page.content()).not.toMatch(/right_answer|is_right|正确答案/);
  await page.locator('textarea').fill('写完了');
  await page.click(button('去交卷'));
  expect(await page.innerText('main')).toContain('已作答3题，共8题');
  await page.click(button('确定交卷'));
  expect(await flashText(page)).toBe('交卷成功');
  expect(await page.innerText('main')).toContain('已交卷，等待批改');
  const answers = await db
    .selectFrom('exam_answer')
    .select(['question_id', 'user_answer'])
    .where('user_answer', '<>', '')
    .where('question_id', 'in', exam.questions)
    .orderBy('question_id')
    .execute();
  expect(answers.map(({ user_answer }) => user_answer)).toEqual([
    '2',
    '1',
    JSON.stringify({ content: '写完了', images: [] }),
  ]);
});

/** The signed-in student with scripts. */
async function withScripts(at: string, page: Page): Promise<Page> {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ ...phone, isMobile: false, javaScriptEnabled: true, storageState });
  windows.push(context);
  const opened = await context.newPage();
  await opened.goto(server.base + at);
  return opened;
}

// Other products lost text here: Artemis 1770, PrairieLearn 13203, sakai PR 14744.
it('exam text survives offline, and is saved when online', async () => {
  const { db } = school.database;
  const exam = await publishedExam({ limit: 3600 });
  const started = await openPhone(`/learn/exams/${exam.id}`);
  await started.click(button('开始考试'));
  const page = await withScripts(`/learn/exams/${exam.id}/take?at=6`, started);
  const field = `[name=q${exam.questions[5]}]`;
  expect(await page.innerText('main')).toContain('一、全部题目');
  await page.waitForFunction(() => document.querySelector('[data-save-state]') !== null);
  server.setDown(true);
  try {
    await page.fill(field, '断网时写的一整页');
    await page.click(button('下一题'));
    await page.locator('[data-save-state]:has-text("没有网络")').waitFor();
    expect(await page.inputValue(field)).toBe('断网时写的一整页');
    expect(await page.content()).not.toContain('已保存');
  } finally {
    server.setDown(false);
  }
  await page.click(button('保存'));
  await page.locator('[data-flash]').waitFor();
  expect(await flashText(page)).toBe('已保存');
  const saved = db
    .selectFrom('exam_attempt_answer')
    .select('user_answer')
    .where('question_id', '=', exam.questions[5] ?? 0);
  expect((await saved.executeTakeFirstOrThrow()).user_answer).toContain('断网时写的一整页');
});

it('homework text is offered after a reload, and a photo uploads at once', async () => {
  const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
  const address = `/learn/homework/${paper.homeworkId}`;
  const page = await withScripts(address, await openPhone(address));
  const field = `[name=q${paper.questions.essay}]`;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.fill(field, '写到一半');
  server.setDown(true);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('draft learner ')));
  server.setDown(false);
  await page.reload();
  await page.click(button('恢复上次未提交的内容'));
  expect(await page.inputValue(field)).toBe('写到一半');
  await page.setInputFiles(`[name=q${paper.questions.essay}_file]`, {
    name: '照片.jpg',
    mimeType: 'image/jpeg',
    buffer: await photograph('#888'),
  });
  await page.locator('[data-pictures] img').waitFor();
  const draft = () =>
    school.database.db
      .selectFrom('answer_draft')
      .innerJoin('report', 'report.id', 'answer_draft.report_id')
      .select('answer_draft.answers')
      .where('report.homework_id', '=', paper.homeworkId)
      .executeTakeFirst();
  await expect.poll(async () => (await draft())?.answers).toMatch(/写到一半.*\/files\//);
});
