/** @module-tag thorough */
/** Erases a student on their page; every screen that named them still works. */

import { describe, expect } from 'vitest';
import { formOf, type Visitor } from '../support/app.ts';
import { crawl } from '../support/crawl.ts';
import { studentMarks } from '../support/planted-marks.ts';
import { type PlantedStudent, plantStudent } from '../support/planted-records.ts';
import { it } from '../support/school-fixtures.ts';

const marks = Object.values(studentMarks);
const number = '20260777';
/** Homework, analysis, grading, exams, classes, circles, leave and talks. */
const shownOn = [
  '/homework/detail',
  '/homework/student',
  '/homework/answers/students',
  '/homework/approve',
  '/exams/detail',
  '/exams/approve',
  '/classes/detail',
  '/community/detail',
  '/leave',
  '/sessions/communication',
];
const some = { each: 1, eachScreen: 4 };

describe("erasure on the student's page", () => {
  let student: PlantedStudent;
  /** By visitor, the addresses of the pages that show the student. */
  const showing = new Map<Visitor, string[]>();

  it('starts from a student shown on many screens', async ({ school, teacher, assist, admin }) => {
    await school.database.db
      .insertInto('class_staff')
      .values([{ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' }])
      .execute();
    student = await plantStudent(school, { number });
    for (const visitor of [teacher, assist, admin]) {
      const found: string[] = [];
      const visit = async (address: string) => {
        const page = await visitor.get(address);
        if (page.status < 400 && marks.some((mark) => page.html.includes(mark))) found.push(address);
        return page;
      };
      const from =
        visitor === admin
          ? ['/admin', `/admin/students/detail?id=${student.id}`, '/admin/history', '/admin/waiting/posts']
          : [
              '/',
              '/homework',
              `/exams/detail?id=${student.examId}&tab=student`,
              `/exams/approve?report_id=${student.examReportId}`,
              '/classes',
              '/community',
              '/sessions',
            ];
      await crawl(visit, { from, ...some });
      showing.set(visitor, found);
    }
    const screensOf = (visitor: Visitor) =>
      new Set(showing.get(visitor)?.map((address) => new URL(address, 'http://school.test').pathname));
    for (const visitor of [teacher, assist])
      expect([...screensOf(visitor)]).toEqual(expect.arrayContaining([...shownOn]));
    const counts = [...showing.values()].map((addresses) => addresses.length);
    expect(Math.min(...counts)).toBeGreaterThan(10);
  }, 240_000);

  it('offers the data export by link', async ({ admin }) => {
    const page = await admin.get(`/admin/students/detail?id=${student.id}`);
    const link = [...page.document.querySelectorAll('a')].find((one) => one.textContent === '导出数据');
    const file = await admin.get(link?.getAttribute('href') ?? '');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain(`学员数据-${number}.zip`);
    expect((await admin.get('/admin/students/export?id=987654')).status).toBe(404);
  });

  it('requires the typed number', async ({ admin, teacher }) => {
    const address = `/admin/students/detail/erase?id=${student.id}`;
    expect((await teacher.get(address)).status).toBe(403);
    const { fields } = formOf(await admin.get(address), '确定注销');
    const refused = await admin.post(address, { ...fields, confirmation: '20260778' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('与该学员的学号或编号不一致，请重新输入'),
    ]);
    expect(refused.html).toContain('20260778');
    const erased = await admin.follow(await admin.post(address, { ...fields, confirmation: ` ${number} ` }));
    expect(erased.text).toContain('注销成功');
    expect(erased.text).toContain('已注销学员 已注销');
    expect(erased.text).not.toContain('恢复');
    const again = await admin.get(address);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('无须再次注销')]);
  });

  it('removes the name from every screen, all of which answer', async () => {
    let named = 0;
    for (const [visitor, addresses] of showing) {
      const wrong: string[] = [];
      for (const address of addresses) {
        const { status, html } = await visitor.get(address);
        if (html.includes('已注销学员')) named += 1;
        // Actions on an erased student are refused in words.
        if (status >= 500 || marks.some((mark) => html.includes(mark))) wrong.push(`${status} ${address}`);
        if (status >= 400 && status !== 409 && status !== 404) wrong.push(`${status} ${address}`);
        if (status === 404 && !/(disable|enable|delete|erase|export|leave|join|draft|identities)/.test(address))
          wrong.push(`${status} ${address}`);
      }
      expect(wrong).toEqual([]);
    }
    expect(named).toBeGreaterThan(20);
  }, 240_000);

  it('appears in the history without personal data', async ({ admin }) => {
    const page = await admin.get(`/admin/history?record=student&record_id=${student.id}`);
    expect(page.text).toContain('注销个人信息');
    expect(marks.filter((mark) => page.html.includes(mark))).toEqual([]);
  });
});
