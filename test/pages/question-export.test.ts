import { describe, expect } from 'vitest';
import type { Visitor } from '../support/app.ts';
import { addExam } from '../support/exams.ts';
import { addPaper } from '../support/paper.ts';
import type { TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

async function addSchoolExam(school: TestSchool): Promise<number> {
  const { db } = school.database;
  const creator = school.people.teacher.id;
  const { school_id } = await db
    .selectFrom('staff')
    .select('school_id')
    .where('id', '=', creator)
    .executeTakeFirstOrThrow();
  return (await addExam(db, { creator, school: school_id as number })).id;
}

async function openDialog(visitor: Visitor, behind: string, path: string) {
  const [screen, search] = behind.split('?');
  const page = await visitor.get(`${screen}/${path}?${search}&format=gift`);
  const dialog = page.document.querySelector('dialog');
  return {
    text: dialog?.textContent ?? '',
    title: page.document.title,
    close: dialog?.querySelector('a[data-close]')?.getAttribute('href'),
    file: dialog?.querySelector('a[download]')?.getAttribute('href') ?? '',
  };
}

describe('the dialog that exports the questions of a paper', () => {
  it('shows the plan of a homework, and links to its file and back', async ({ school, teacher, otherAssist }) => {
    const { homeworkId } = await addPaper(school, {
      name: '第一单元',
      creator: 'teacher',
      classes: [school.classes.k1],
    });
    const behind = `/homework/detail?hw_id=${homeworkId}`;
    const dialog = await openDialog(teacher, behind, 'export');
    expect(dialog).toMatchObject({ title: '导出题目 · 教学后台', close: behind });
    expect(dialog.text).toContain('第一单元，共 3 道题目');
    expect((await teacher.get(dialog.file)).html).toContain('[tag:材料题:1]');
    expect((await otherAssist.get(`/homework/detail/export?hw_id=${homeworkId}`)).status).toBe(404);
  });

  it('shows the plan of an exam to staff and to administrators', async ({ school, assist, admin }) => {
    const id = await addSchoolExam(school);
    for (const [visitor, screen] of [
      [assist, '/exams/detail'],
      [admin, '/admin/exams/detail'],
    ] as const) {
      const dialog = await openDialog(visitor, `${screen}?id=${id}`, 'export');
      expect(dialog).toMatchObject({ title: '导出题目 · 教学后台', close: `${screen}?id=${id}` });
      expect(dialog.text).toContain('第4题：连线题不能导出');
      expect((await visitor.get(dialog.file)).status).toBe(200);
    }
  });

  it('offers each variant of a Word paper, and none of a spreadsheet', async ({ school, teacher }) => {
    const { homeworkId } = await addPaper(school, {
      name: '第三单元',
      creator: 'teacher',
      classes: [school.classes.k1],
    });
    const address = `/homework/detail/export?hw_id=${homeworkId}`;
    expect((await teacher.get(address)).document.querySelector('nav[aria-label="答案"]')).toBeNull();
    const page = await teacher.get(`${address}&format=docx`);
    const links = [...page.document.querySelectorAll('nav[aria-label="答案"] a')];
    expect(links.map((link) => link.textContent)).toEqual(['每题后附答案和解析', '答案附在卷末', '不含答案', '答题卡']);
    for (const [index, note] of ['', '（答案在卷末）', '（无答案）', '（答题卡）'].entries()) {
      const variant = await teacher.get(links[index]?.getAttribute('href') ?? '');
      expect(variant.document.querySelector('nav[aria-label="答案"] [aria-current]')?.textContent).toBe(
        links[index]?.textContent,
      );
      expect(variant.text).toContain(`文件名：第三单元${note}-Word 试卷-2026-11-20.docx`);
      const file = await teacher.get(variant.document.querySelector('a[download]')?.getAttribute('href') ?? '');
      expect([file.status, file.headers.get('content-disposition')]).toEqual([
        200,
        expect.stringContaining(encodeURIComponent(`第三单元${note}-Word`)),
      ]);
    }
  });

  it('is refused to who may not export', async ({ school, plainTeacher }) => {
    const { homeworkId } = await addPaper(school, {
      name: '第二单元',
      creator: 'plainTeacher',
      classes: [school.classes.k1],
    });
    expect((await plainTeacher.get(`/homework/detail/export?hw_id=${homeworkId}`)).status).toBe(403);
  });
});
