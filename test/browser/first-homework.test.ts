/** @module-tag thorough */
/**
 * From an empty folder to a homework that a student handed in on a phone: through screens alone, without an environment
 * variable or a text message. Counts what people press and type on the way.
 */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { learnSignIn } from '#app/learn/screens.ts';
import { dayFromNow, fill, setUpSchool, statusText } from '../support/empty-school.ts';
import { it } from '../support/fixtures.ts';
import { sheetFile } from '../support/import-files.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';
import { startServer } from '../support/running-server.ts';
import { createDatabase } from '../support/test-database.ts';

const pc = { viewport: { width: 1366, height: 768 }, locale: 'zh-CN' };
const phone = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' };

/** Folder for pictures of the way, if anybody wants to see it. */
const pictures = process.env.PICTURES;

const students = Array.from({ length: 30 }, (_, at) => ({ name: `学员${at + 1}`, number: `S${2_026_101 + at}` }));
const lists = {
  人员: [
    ['身份', '用户名', '姓名', '权限'],
    ['讲师', 'lin', '林晓芸', '布置作业、批改作业'],
  ],
  课程: [
    ['课程名称', '类型'],
    ['高一数学', '直播课'],
  ],
  课时: [
    ['课程', '课时名称', '日期', '开始时间', '时长（分钟）', '讲师'],
    ['高一数学', '勾股定理', dayFromNow(1), '19:00', '90', '林晓芸'],
  ],
  班级: [
    ['班级名称', '班主任', '课程'],
    ['高一（1）班', '林晓芸', '高一数学'],
  ],
  学员: [['姓名', '学号'], ...students.map(({ name, number }) => [name, number])],
  进班: [['班级', '学员'], ...students.map(({ number }) => ['高一（1）班', number])],
};

/** Counts presses and typed fields. A choice from a list and a chosen file are presses. */
function counter() {
  const count = { presses: 0, fields: 0 };
  let step = 0;
  const look = async (page: Page): Promise<void> => {
    if (!pictures) return;
    step += 1;
    mkdirSync(pictures, { recursive: true });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: path.join(pictures, `${String(step).padStart(2, '0')}.png`), fullPage: true });
  };
  return {
    count,
    look,
    async press(page: Page, name: string): Promise<void> {
      await look(page);
      count.presses += 1;
      const link = page.getByRole('link', { name, exact: true });
      const button = page.getByRole('button', { name, exact: true });
      await ((await link.count()) > 0 ? link : button).last().click();
    },
    async choose(act: () => Promise<unknown>): Promise<void> {
      count.presses += 1;
      await act();
    },
    async type(page: Page, fields: Record<string, string>): Promise<void> {
      count.fields += Object.keys(fields).length;
      await fill(page, fields);
    },
    async write(page: Page, id: string, text: string): Promise<void> {
      count.fields += 1;
      await page.click(`[id="${id}"]`);
      await page.locator(`[id="${id}"].ProseMirror`).waitFor();
      await page.keyboard.type(text);
    },
  };
}

describeEngines('a new school', (engine) => {
  it('has its first homework handed in after 35 presses and 15 typed fields', { timeout: 480_000 }, async ({
    browser,
  }) => {
    const database = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const server = await startServer({ DEMO: '0', ...(database && { DATABASE_URL: database.url }) });
    onTestFinished(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await server.stop();
      await database?.drop();
    });
    const { count, look, press, choose, type, write } = counter();
    const home = (page: Page) => choose(() => page.goto(`${server.base}/admin`));

    const { page } = await setUpSchool(browser, server, { 学校名称: '明德中学' });
    count.fields += 5;
    count.presses += 1;

    const file = path.join(server.varDir, '名单.xlsx');
    await writeFile(file, sheetFile(lists));
    await press(page, '导入文件');
    await choose(() => page.setInputFiles('input[type=file]', file));
    await press(page, '上传并检查');
    await page.waitForURL('**/admin/import/detail**');
    await press(page, '导入');
    await press(page, '确定导入');
    expect(await statusText(page)).toContain('已导入');

    await home(page);
    await press(page, '打印初始密码');
    await press(page, '生成并显示');
    const lecturerPassword = await page.locator('li', { hasText: '林晓芸' }).locator('code').innerText();
    await home(page);
    await press(page, '打开学员端');
    await choose(() => page.getByLabel('学员端').last().check());
    await press(page, '保存');
    await press(page, '选择班级，打印初始密码');
    await press(page, '高一（1）班');
    await press(page, '成员');
    await press(page, '打印初始密码');
    await press(page, '生成并显示');
    await look(page);
    const [first] = students;
    const slip = page.locator('li', { hasText: first?.number });
    expect(await slip.innerText()).toContain(`${server.base}/learn`);
    const learnerPassword = await slip.locator('code').innerText();

    const ofLecturer = await browser.newContext(pc);
    const desk = await ofLecturer.newPage();
    await desk.goto(`${server.base}/login`);
    await type(desk, { 用户名: 'lin', 密码: lecturerPassword });
    await press(desk, '登录');
    await type(desk, { 新密码: 'Lecturer2026', 确认密码: 'Lecturer2026' });
    await press(desk, '修改密码');
    await desk.waitForURL(`${server.base}/`);
    await press(desk, '布置作业');
    await untilPublishFormIsLive(desk);
    await press(desk, '新建题目');
    await desk.waitForURL('**/homework/publish/question**');
    await desk.waitForLoadState('networkidle');
    await choose(() => desk.locator('select[name=new_type]').selectOption({ label: '简答题' }));
    await desk.locator('[id="right_answer"]').waitFor();
    await write(desk, 'ques_stem', '说明勾股定理。');
    await write(desk, 'right_answer', '直角边的平方和等于斜边的平方。');
    await press(desk, '保存');
    await desk.waitForURL(({ pathname }) => pathname === '/homework/publish');
    await untilPublishFormIsLive(desk);
    await press(desk, '明晚 22:00');
    await choose(() => desk.getByLabel('不设置分数（按正确率批改）').check());
    await press(desk, '提交');
    await desk.waitForURL(({ pathname }) => pathname !== '/homework/publish');
    expect(await statusText(desk)).toContain('发布成功');

    const ofLearner = await browser.newContext(phone);
    const own = await ofLearner.newPage();
    // The QR code of the slip opens this address.
    await own.goto(server.base + learnSignIn.href({ number: first?.number, by: 'password' }));
    await type(own, { 密码: learnerPassword });
    await press(own, '登录');
    await type(own, { 新密码: 'Student2026', 再输入一次: 'Student2026' });
    await press(own, '保存');
    await own.waitForURL(`${server.base}/learn`);
    await choose(() =>
      own
        .getByRole('link', { name: /高一数学/ })
        .first()
        .click(),
    );
    await look(own);
    count.fields += 1;
    await own.locator('textarea').first().fill('两条直角边的平方和等于斜边的平方');
    await press(own, '提交作业');
    expect(await own.locator('[data-flash]').innerText()).toContain('提交成功');
    await look(own);

    expect(count.presses).toBeLessThanOrEqual(35);
    expect(count.fields).toBeLessThanOrEqual(15);
  });
});
