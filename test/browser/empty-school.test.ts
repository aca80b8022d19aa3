/** @module-tag thorough */
/**
 * From an empty folder to a graded homework through screens alone: an administrator sets the school up without client
 * JS, a lecturer signs in and publishes, a student submits through the school's own application, and the lecturer
 * grades.
 */
import { expect } from 'vitest';
import {
  dayFromNow,
  fill,
  follow,
  press,
  publishNewQuestion,
  setUpSchool,
  signInFirstTime,
  statusText,
} from '../support/empty-school.ts';
import { it } from '../support/fixtures.ts';

const students = Array.from({ length: 30 }, (_, at) => `学员${String(at + 1).padStart(2, '0')}`);

it('an empty school is set up, taught in and graded through its screens', { timeout: 900_000 }, async ({
  browser,
  emptyServer: server,
}) => {
  // The school and its first administrator, at an address that works once.
  const { context, page, address } = await setUpSchool(browser, server, {
    学校名称: '明德中学',
    时区: '中国标准时间（北京）',
  });
  const open = (path: string) => page.goto(server.base + path);
  expect((await page.goto(address))?.status()).toBe(404);

  // Staff. The home page of the empty school links to each step.
  await open('/admin');
  await follow(page, '添加讲师和助教');
  await fill(page, { 姓名: '林晓芸', 用户名: 'lin' });
  await press(page, '添加讲师');
  await follow(page, '再添加一人');
  await follow(page, '助教');
  await fill(page, { 姓名: '陈浩', 用户名: 'chen' });
  await press(page, '添加助教');
  await open('/admin');
  await follow(page, '打印初始密码');
  await press(page, '生成并显示');
  const card = page.locator('li', { hasText: '林晓芸' });
  const firstPassword = await card.locator('code').innerText();

  // Students, one by one.
  await open('/admin');
  await follow(page, '添加学员');
  for (const [at, name] of students.entries()) {
    if (at > 0) await follow(page, '再添加一名学员');
    await fill(page, { 姓名: name, 学号: `2026${at + 100}` });
    await press(page, '添加学员');
  }
  await open('/admin/students');
  expect(await page.innerText('main')).toContain('共 30 条');
  const uid = Number(
    /id=(\d+)/.exec((await page.getByRole('link', { name: '学员30', exact: true }).getAttribute('href')) ?? '')?.[1],
  );

  // A course with its twelve periods.
  await open('/admin');
  await follow(page, '添加课程，批量排出课时');
  await fill(page, { 课程名称: '高一数学', 课程类型: '直播课' });
  await press(page, '添加课程');
  await follow(page, '批量添加');
  await page.getByLabel('周二').check();
  await page.getByLabel('周四').check();
  await fill(page, { 上课时间: '19:00', 从这一天开始: dayFromNow(1), 节数: '12', 讲师: '林晓芸' });
  await press(page, '预览');
  await press(page, '添加12节课时');
  expect(await statusText(page)).toContain('已添加12节课时');
  expect(await page.locator('tbody tr').count()).toBe(12);

  // A class with its head, assistant and course, and all students at once.
  await open('/admin');
  await follow(page, '添加班级，选择班主任、助教、课程和学员');
  await fill(page, { 班级名称: '高一（1）班' });
  await page.locator('select[name=head_ids_1]').selectOption({ label: '林晓芸' });
  await page.locator('select[name=assistant_ids_1]').selectOption({ label: '陈浩' });
  await page.locator('select[name=course_ids_1]').selectOption({ label: '高一数学' });
  await press(page, '添加班级');
  await follow(page, '成员');
  await follow(page, '添加学员');
  await follow(page, '选中本页的30名学员');
  await press(page, '确定');
  await press(page, '确定加入');
  expect(await page.innerText('main')).toContain('共 30 条');

  // A group class with a contract and four lessons.
  await open('/admin/group-classes');
  await follow(page, '添加团课或一对一');
  await fill(page, { 班级名称: '数学提高小组', 讲师: '林晓芸', 开课日期: dayFromNow(0) });
  await page.locator('select[name=assistant_ids_1]').selectOption({ label: '陈浩' });
  await page.locator('select[name=course_ids_1]').selectOption({ label: '高一数学' });
  await press(page, '添加团课班级');
  const team = page.url();
  await follow(page, '成员');
  await follow(page, '添加学员');
  await page.getByRole('checkbox', { name: '选择学员30' }).check();
  await press(page, '确定');
  // The screen warns that they already learn this course elsewhere.
  expect(await page.innerText('main')).toContain('学员30已在高一（1）班学习“高一数学”');
  await press(page, '确定加入');
  await page.goto(team);
  await follow(page, '合同与课时');
  await follow(page, '填写：学员30');
  await fill(page, { 合同编号: 'HT-1', 剩余课时: '20', '课时单价（元）': '150', 每课时分钟数: '60' });
  await press(page, '保存');
  await follow(page, '课次');
  await follow(page, '添加课次');
  await page.getByLabel('周三').check();
  await fill(page, { 开始时间: '16:00', 结束时间: '17:00', '日期（多节课时为第一天）': dayFromNow(1), 节数: '4' });
  await press(page, '保存排课');
  expect(await statusText(page)).toContain('已排4节课');

  // An exam, composed by hand and published to the school.
  await open('/admin/exams');
  await follow(page, '添加考试');
  await fill(page, { 考试名称: '摸底考试', 及格分: '3', '考试时长（分钟）': '40' });
  await press(page, '保存，编辑试卷');
  await press(page, '添加部分');
  await fill(page, { 部分名称: '一、选择题' });
  await press(page, '保存');
  await press(page, '手工添加：一、选择题');
  await page.fill('textarea[id=ques_stem]', '一加一等于几');
  for (const [at, text] of ['一', '二', '三', '四'].entries())
    await page.fill(`textarea[id="ques_option.${at}.content"]`, text);
  await page.locator('input[name=right_option]').nth(1).check();
  await page.locator('select[name=facility_value]').selectOption('1');
  await press(page, '保存');
  await page.getByLabel('一、选择题每题分值', { exact: true }).fill('5');
  await press(page, '设为每题分值：一、选择题');
  await press(page, '检查与发布');
  await follow(page, '发布');
  expect(await page.innerText('dialog')).toContain('1所学校，30名学员');
  await press(page, '确定发布');
  expect(await statusText(page)).toContain('发布成功');

  // Token of the learners' application.
  await open('/admin/tokens');
  await follow(page, '生成令牌');
  await fill(page, { 应用名称: '学习端' });
  await press(page, '生成令牌');
  const token = await page.locator('main code').innerText();

  // The lecturer signs in with the first password and publishes to the class.
  const { context: own, page: desk } = await signInFirstTime(browser, server, {
    username: 'lin',
    password: firstPassword,
  });
  await publishNewQuestion(desk);
  expect(await desk.innerText('main')).toContain('0/30');

  // A student submits homework 1 of the school with question 1.
  const handedIn = await fetch(`${server.base}/api/app/homework/1/submission`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ uid, answers: [{ ques_id: 1, user_answer: { content: '勾三股四弦五' } }] }),
  });
  expect([handedIn.status, (await handedIn.json()).msg]).toEqual([200, '提交成功']);

  // The lecturer grades it.
  await desk.goto(`${server.base}/`);
  await desk.getByText('去批改', { exact: true }).click();
  await desk.waitForURL('**/homework/approve**');
  await desk.waitForLoadState('networkidle');
  expect(await desk.innerText('main')).toContain('勾三股四弦五');
  await desk.fill('#user_score', '8');
  await desk.press('#user_score', 'Enter');
  await desk.getByRole('button', { name: '完成批改' }).first().click();
  await desk.locator('dialog').getByRole('button', { name: '完成批改' }).click();
  await desk.waitForURL(({ pathname }) => pathname !== '/homework/approve');
  await desk.goto(`${server.base}/homework/detail?hw_id=1&class_id=0&status=3`);
  expect(await desk.innerText('main')).toContain('学员30');
  await Promise.all([context.close(), own.close()]);
});
