/** Ungraded submissions leave the grading lists when their student is erased. */
import { expect, it } from 'vitest';
import { addExam, expectExamSumsToBeRight, submitExamReport } from '../support/exams.ts';
import { importCalls } from '../support/import-calls.ts';
import { record } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { expectCountersToBeRight } from '../support/recount.ts';

onBothEngines('erasure of a student with ungraded answers', (opened) => {
  it('removes them from every grading list, and all counters equal a recount', async () => {
    const { database, students, classes, people, addHomework, submit, as } = opened();
    const { db } = database;
    const [erased, other] = students.k1 as [number, number];
    const homework = await addHomework({ name: '待批作业', creator: 'teacher', classes: [classes.k1] });
    await submit(homework, erased);
    await submit(homework, other);
    const { school_id, number } = await db
      .selectFrom('student')
      .select(['school_id', 'number'])
      .where('id', '=', erased)
      .executeTakeFirstOrThrow();
    const exam = await addExam(db, { creator: people.teacher.id, school: school_id, name: '待批考试' });
    const essay = ['2', '', '', '', '', '我的解答'];
    const report = await submitExamReport(db, exam, erased, essay);
    await submitExamReport(db, exam, other, essay);
    await expectCountersToBeRight(db);
    await expectExamSumsToBeRight(db);

    const said = await as('admin').post(`students/${erased}/erase`, { confirmation: number || `${erased}` });
    expect(said.body.msg).toBe('注销成功');
    const homeworkReports = await db
      .selectFrom('report')
      .select(['student_id', 'status', 'graded_by'])
      .where('homework_id', '=', homework)
      .where('student_id', 'in', [erased, other])
      .orderBy('student_id')
      .execute();
    const byAdmin = { student_id: erased, status: 3, graded_by: people.admin.id };
    expect(homeworkReports).toEqual([byAdmin, { student_id: other, status: 2, graded_by: null }]);
    const examReports = await db
      .selectFrom('exam_report')
      .select(['test_status', 'id'])
      .where('exam_id', '=', exam.id)
      .where('test_status', '=', 2)
      .execute();
    expect(examReports.map(({ id }) => id)).not.toContain(report);
    const waiting = await db
      .selectFrom('exam_answer')
      .select('id')
      .where('report_id', '=', report)
      .where('status', '=', 4)
      .execute();
    expect(waiting).toEqual([]);
    const { not_revised_homework_count } = await db
      .selectFrom('homework')
      .select('not_revised_homework_count')
      .where('id', '=', homework)
      .executeTakeFirstOrThrow();
    expect(not_revised_homework_count).toBe(1);
    await expectCountersToBeRight(db);
    await expectExamSumsToBeRight(db);
  });

  it('survives an import row that was uploaded before and never applied', async () => {
    const { database, students } = opened();
    const { send, rows } = importCalls(() => opened());
    const [, , id] = students.k1 as [number, number, number];
    const { nickname, number } = await database.db
      .selectFrom('student')
      .select(['nickname', 'number'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await database.db.updateTable('student').set({ mobile: '13844440001' }).where('id', '=', id).execute();
    const theirs = [record('student', 'P-1', { nickname, mobile: '13844440001' })];
    const verdictOf = async () => {
      const [row] = await rows(await send('未应用', theirs, 'delta'));
      return [row.verdict, row.reasons[0] ?? ''];
    };
    expect((await verdictOf())[0]).toBe('match');
    const erased = await opened()
      .as('admin')
      .post(`students/${id}/erase`, { confirmation: number || `${id}` });
    expect(erased.body.msg).toBe('注销成功');
    expect(await verdictOf()).toEqual(['refused', expect.stringContaining('注销')]);
  });
});
