/** @module-tag thorough */
/**
 * A school's data through screens without client JS: fill the template with 300 people, correct errors, publish
 * homework, import next week's file, undo it.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Download, Page } from 'playwright-core';
import { expect } from 'vitest';
import { readSheetTables } from '#server/import/formats/workbook-file.ts';
import { openZip, parsedZipLimits } from '#server/platform/files/zip.ts';
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
import { sheetFile } from '../support/import-files.ts';

type Sheets = Record<string, string[][]>;

/** The cells of a workbook that was downloaded, by sheet. */
async function sheetsOf(download: Download): Promise<Sheets> {
  const opened = await openZip(await download.path(), 'xlsx', parsedZipLimits);
  if ('refused' in opened) throw new Error(opened.message);
  const tables = await readSheetTables(opened.ok);
  const sheets = tables.map(({ name, rows }) => [name, [...rows()].map(({ cells }) => cells.map(({ text }) => text))]);
  await opened.ok.close();
  return Object.fromEntries(sheets) as Sheets;
}

/** Formats rows in the order of the columns of a template's sheet. */
const fillRows = (heads: readonly string[], rows: readonly Record<string, string>[]): string[][] => [
  [...heads],
  ...rows.map((row) => heads.map((head) => row[head] ?? '')),
];

async function downloaded(page: Page, name: string | RegExp): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name }).last().click(),
  ]);
  return download;
}

const classes = ['高一（1）班', '高一（2）班', '高一（3）班', '高一（4）班', '高一（5）班'];
const numberOf = (at: number) => String(20_260_001 + at);
const mobileOf = (at: number) => String(13_900_000_001 + at);

interface School {
  staff: Record<string, string>[];
  students: Record<string, string>[];
  members: Record<string, string>[];
}

/** 3 of the staff and 297 students in five classes. */
const school = (): School => ({
  staff: [
    { 身份: '讲师', 用户名: 'wang', 姓名: '王晓梅', 权限: '布置作业、批改作业' },
    { 身份: '讲师', 用户名: 'li', 姓名: '李卫东', 权限: '布置作业' },
    { 身份: '助教', 用户名: 'zhou', 姓名: '周小雨' },
  ],
  students: Array.from({ length: 297 }, (_, at) => ({
    姓名: `学员${String(at + 1).padStart(3, '0')}`,
    学号: numberOf(at),
    手机号: mobileOf(at),
  })),
  members: Array.from({ length: 297 }, (_, at) => ({ 班级: classes[at % 5] ?? '', 学员: numberOf(at) })),
});

/** Introduces seven faults: six make their row refused, and an invalid mobile number is left out of its row. */
function spoilt(right: School): School {
  const { staff, students, members } = structuredClone(right);
  const set = (rows: Record<string, string>[], at: number, cells: Record<string, string>) =>
    Object.assign(rows[at] ?? {}, cells);
  set(staff, 1, { 身份: '讲帅' });
  set(students, 9, { 姓名: '' });
  set(students, 19, { 手机号: '1390000' });
  set(students, 29, { 学号: '2.026E+07' });
  set(students, 39, { 学号: numberOf(38) });
  set(members, 49, { 班级: '高一（6）班' });
  set(members, 59, { 学员: '20269999' });
  return { staff, students, members };
}

it('a school comes in, is corrected, taught, comes again and is taken back', { timeout: 900_000 }, async ({
  browser,
  emptyServer: server,
}) => {
  const { context, page } = await setUpSchool(browser, server, { 学校名称: '东湖网校' });
  const open = (address: string) => page.goto(server.base + address);
  /** Returns the number of rows of a kind with this outcome, from the table of counts. */
  const readCount = async (kind: string, verdict: string): Promise<number> => {
    const table = page.locator('table', { has: page.getByText('各类记录的变化') });
    const heads = await table.locator('thead th').allInnerTexts();
    const cells = await table
      .locator('tr', { has: page.getByRole('rowheader', { name: kind, exact: true }) })
      .locator('th, td');
    const at = heads.indexOf(verdict);
    return at < 0 ? 0 : Number(await cells.nth(at).innerText());
  };

  // The template, from the home of the empty school, and the school in it.
  await follow(page, '导入文件');
  const template = await sheetsOf(await downloaded(page, '下载模板'));
  const heads = (sheet: string) => template[sheet]?.[0] ?? [];
  const file = path.join(server.varDir, '东湖网校.xlsx');
  const write = ({ staff, students, members }: School) =>
    writeFile(
      file,
      sheetFile({
        课程: fillRows(heads('课程'), [{ 课程名称: '高一数学', 类型: '直播课' }]),
        班级: fillRows(
          heads('班级'),
          classes.map((name) => ({ 班级名称: name, 班主任: '王晓梅', 助教: '周小雨', 课程: '高一数学' })),
        ),
        人员: fillRows(heads('人员'), staff),
        学员: fillRows(heads('学员'), students),
        进班: fillRows(heads('进班'), members),
      }),
    );
  const upload = async () => {
    await open('/admin/import/upload');
    await fill(page, { 来源: '教务系统' });
    await page.setInputFiles('input[type=file]', file);
    await press(page, '上传并检查');
    await page.waitForURL('**/admin/import/detail**');
  };
  await write(spoilt(school()));
  await upload();

  // Errors name sheet, row and column, also in a downloaded file.
  const refused = await sheetsOf(await downloaded(page, /^下载不能导入的\d+行$/));
  const list = Object.entries(refused).flatMap(([sheet, rows]) => rows.map((cells) => [sheet, ...cells].join(' ')));
  for (const reason of [
    /^人员 {2}讲帅 li 李卫东 .*是否应为“讲师”/,
    /^学员 .*20260010 .*“姓名”必须填写/,
    /^学员 {2}学员030 .*科学计数法/,
    /^学员 {2}学员040 .*重复/,
    /^进班 {2}高一（6）班 .*“高一（6）班”在工作表“班级”中没有/,
    /^进班 {2}.* 20269999 .*“20269999”在工作表“学员”中没有/,
  ]) {
    expect(list).toContainEqual(expect.stringMatching(reason));
  }
  await follow(page, '读取时的提示');
  await expect.poll(() => page.innerText('main')).toContain('“1390000”不是11位手机号；这一格没有读取，请核对');
  await page.goBack();
  await follow(page, '放弃');
  await press(page, '确定放弃');
  expect(await statusText(page)).toContain('已放弃');

  // The corrected file is imported as a whole.
  await write(school());
  await upload();
  expect(await page.innerText('main')).not.toContain('下载不能导入的');
  expect([await readCount('人员', '新增'), await readCount('学员', '新增'), await readCount('进班', '新增')]).toEqual([
    3, 297, 297,
  ]);
  await follow(page, '导入');
  await press(page, '确定导入');
  expect(await statusText(page)).toContain('已导入');
  await open('/admin/students');
  expect(await page.innerText('main')).toContain('共 297 条');

  // The course gets periods; its lecturer signs in with the printed password, and publishes.
  await open('/admin/courses');
  await follow(page, '高一数学');
  await follow(page, '批量添加');
  await page.getByLabel('周二').check();
  await fill(page, { 上课时间: '19:00', 从这一天开始: dayFromNow(1), 节数: '2' });
  await page.getByLabel('讲师', { exact: true }).last().selectOption({ label: '王晓梅' });
  await press(page, '预览');
  await press(page, '添加2节课时');
  await open('/admin');
  await follow(page, '打印初始密码');
  await press(page, '生成并显示');
  const password = await page.locator('li', { hasText: '王晓梅' }).locator('code').innerText();
  const { context: own, page: desk } = await signInFirstTime(browser, server, { username: 'wang', password });
  await publishNewQuestion(desk);
  expect(await desk.innerText('main')).toContain('0/297');

  // Edits a student by hand.
  await open(`/admin/students?name=${encodeURIComponent('学员005')}`);
  await follow(page, '学员005');
  await follow(page, '编辑');
  await fill(page, { 手机号: '13700000005' });
  await press(page, '保存');

  // Next week's file: three students have another number, two have left, and one number conflicts with a manual edit.
  const next = school();
  for (const at of [0, 1, 2]) Object.assign(next.students[at] ?? {}, { 手机号: `1360000000${at}` });
  Object.assign(next.students[4] ?? {}, { 手机号: '13600000005' });
  next.students.splice(295, 2);
  next.members.splice(295, 2);
  await write(next);
  await upload();
  const totals = async (kind: string) => [
    await readCount(kind, '修改'),
    await readCount(kind, '离开'),
    await readCount(kind, '冲突'),
    await readCount(kind, '不变'),
  ];
  expect([await totals('学员'), await totals('进班')]).toEqual([
    [3, 2, 1, 291],
    [0, 2, 0, 295],
  ]);
  const effects = await page.getByRole('region', { name: '影响' }).innerText();
  expect(effects).toContain('1名学员离开高一（1）班：1个未完成作业');
  await page.getByRole('row', { name: '学员' }).getByRole('link').nth(2).click();
  expect(await page.innerText('main')).toContain('手机号：手改为“13700000005”，来源为“13600000005”，保留手改');
  await follow(page, '导入');
  await press(page, '确定导入');
  expect(await statusText(page)).toContain('已导入');
  const mobile = async (name: string) => {
    await open(`/admin/students?state=all&name=${encodeURIComponent(name)}`);
    return page.innerText('main');
  };
  expect(await mobile('学员001')).toContain('13600000000');
  expect(await mobile('学员005')).toContain('13700000005');
  await open('/admin/students?state=active');
  expect(await page.innerText('main')).toContain('共 295 条');

  // After undo everybody is back, and manual changes remain.
  await open('/admin/import');
  await page.getByRole('link', { name: '东湖网校.xlsx' }).first().click();
  await follow(page, '撤销导入');
  await press(page, '确定撤销');
  expect(await statusText(page)).toContain('已撤销');
  expect(await mobile('学员001')).toContain(mobileOf(0));
  expect(await mobile('学员005')).toContain('13700000005');
  await open('/admin/students?state=active');
  expect(await page.innerText('main')).toContain('共 297 条');
  await desk.reload();
  expect(await desk.innerText('main')).toContain('0/297');
  await Promise.all([context.close(), own.close()]);
});
