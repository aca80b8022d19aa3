/**
 * A student changes class while homework is open: galah #386, Submitty #11874, TEAMMATES #251. Ungraded reports move to
 * the new class if it has the same homework.
 */
import { describe, expect, it } from 'vitest';
import { plannedLeavesJob } from '#server/enrolment/planned-leaves.ts';
import { importCalls, withoutRecords } from '../support/import-calls.ts';
import { record, ref, smallUpload } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper, submitHomeworkReport } from '../support/paper.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { noon, outcomeOf } from '../support/school.ts';

onBothEngines('a student who changes class while homework is open', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  const { apply, mustApply, idOf, send, mustUndo } = importCalls(school);

  /** Moves a student from one class to another, as an administrator does. */
  async function move(student: number, from: number, to: number, more: object = { with_homework: 1 }) {
    const left = await admin().post(`classes/${from}/members/leave`, { ids: [student], acknowledged: 1 });
    const told = left.body.data?.acknowledged;
    if (told) await admin().post(`classes/${from}/members/leave`, { ids: [student], acknowledged: told });
    return (await admin().post(`classes/${to}/members`, { ids: [student], ...more })).body.data;
  }
  const reportsOf = (student: number, homework: readonly number[]) =>
    db()
      .selectFrom('report')
      .select(['homework_id', 'class_id', 'status'])
      .where('student_id', '=', student)
      .where('homework_id', 'in', homework)
      .orderBy('homework_id')
      .execute();
  const waitingOf = async (who: 'assist' | 'otherAssist') =>
    (await school().as(who).post('hw/correct', { limit: 500 })).body.data.list.map(
      (row: { report_id: number }) => row.report_id,
    );
  const countsOf = async (homework: number, theClass: number) =>
    db()
      .selectFrom('homework_class')
      .select(['homework_count', 'submitted_homework_count', 'not_revised_homework_count'])
      .where('homework_id', '=', homework)
      .where('class_id', '=', theClass)
      .executeTakeFirstOrThrow();

  it('takes ungraded, started and untouched reports to the new class; graded ones stay', async () => {
    const { k2, k3 } = school().classes;
    const [student = 0] = school().students.k2;
    const papers = [];
    for (let at = 0; at < 4; at += 1)
      papers.push(await addPaper(school(), { creator: 'teacher', classes: [k2, k3] }, 2));
    const [waiting, begun, untouched, graded] = papers as [
      (typeof papers)[0],
      (typeof papers)[0],
      (typeof papers)[0],
      (typeof papers)[0],
    ];
    const all = papers.map(({ homeworkId }) => homeworkId);
    const elsewhere = await addPaper(school(), { creator: 'teacher', classes: [k2] }, 2);
    const report = await submitHomeworkReport(school(), waiting, student);
    await submitHomeworkReport(school(), graded, student);
    await school().submit(graded.homeworkId, student, false);
    const { id: draftOf } = await db()
      .selectFrom('report')
      .select('id')
      .where('homework_id', '=', begun.homeworkId)
      .where('student_id', '=', student)
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('answer_draft')
      .values({ report_id: draftOf, version: 1, answers: '[]', answer_time: 5, saved_at: 1 })
      .execute();
    expect(await waitingOf('assist')).toContain(report);
    expect(await waitingOf('otherAssist')).not.toContain(report);
    const before = await countsOf(waiting.homeworkId, k2);
    const there = await countsOf(waiting.homeworkId, k3);

    await admin().post(`classes/${k2}/members/leave`, { ids: [student] });
    const foreseen = (await admin().get(`classes/${k3}/members/joining?ids=${student}`)).body.data;
    expect(foreseen.open_reports).toBe(3);
    expect(await move(student, k2, k3)).toEqual({ joined: 1, returned: 0, already: 0, homework: 0, brought: 3 });

    expect(await reportsOf(student, all)).toEqual([
      { homework_id: waiting.homeworkId, class_id: k3, status: 2 },
      { homework_id: begun.homeworkId, class_id: k3, status: 1 },
      { homework_id: untouched.homeworkId, class_id: k3, status: 1 },
      { homework_id: graded.homeworkId, class_id: k2, status: 3 },
    ]);
    expect(await reportsOf(student, [elsewhere.homeworkId])).toMatchObject([{ class_id: k2 }]);
    const counts = (one: typeof before, step: number) => ({
      homework_count: one.homework_count + step,
      submitted_homework_count: one.submitted_homework_count + step,
      not_revised_homework_count: one.not_revised_homework_count + step,
    });
    expect(await countsOf(waiting.homeworkId, k2)).toEqual(counts(before, -1));
    expect(await countsOf(waiting.homeworkId, k3)).toEqual(counts(there, 1));
    await expectCountersToBeRight(db());
    expect(await db().selectFrom('answer_draft').selectAll().where('report_id', '=', draftOf).execute()).toHaveLength(
      1,
    );

    // From now on the assistant of the new class grades it, and no longer that of the old one.
    expect(await waitingOf('otherAssist')).toContain(report);
    expect(await waitingOf('assist')).not.toContain(report);
    const readReport = (who: 'assist' | 'otherAssist') =>
      school().as(who).post('hw/review/list', { report_id: report, type: 1 });
    expect((await readReport('otherAssist')).body.data.report_info.class_name).toBe('三班');
    expect((await readReport('assist')).status).toBe(404);
    const history = await db()
      .selectFrom('history')
      .select(['action', 'before', 'after', 'staff_id'])
      .where('record', '=', 'report')
      .where('record_id', '=', report)
      .where('action', '=', 'move')
      .execute();
    expect(
      history.map(({ before, after, staff_id }) => [JSON.parse(before ?? ''), JSON.parse(after ?? ''), staff_id]),
    ).toEqual([[{ class_id: k2 }, { class_id: k3 }, school().people.admin.id]]);

    // Moves the student back.
    expect(await move(student, k3, k2)).toEqual({ joined: 0, returned: 1, already: 0, homework: 0, brought: 3 });
    expect(await countsOf(waiting.homeworkId, k2)).toEqual(before);
    expect(await countsOf(waiting.homeworkId, k3)).toEqual(there);
    expect(await waitingOf('assist')).toContain(report);
    await expectCountersToBeRight(db());
  });

  it('takes no report along when joining without homework, nor one recalled or unpublished there', async () => {
    const { k1, k3 } = school().classes;
    const student = school().students.k1[1] as number;
    const both = await school().addHomework({ creator: 'teacher', classes: [k1, k3] });
    const recalled = await school().addHomework({ creator: 'teacher', classes: [k1, k3], status: 2 });
    const planned = await school().addHomework({ creator: 'teacher', classes: [k1, k3], published: [k1] });
    const all = [both, recalled, planned];
    expect(await move(student, k1, k3, {})).toMatchObject({ joined: 1, homework: 0, brought: 0 });
    expect((await reportsOf(student, all)).map(({ class_id }) => class_id)).toEqual([k1, k1, k1]);
    await move(student, k3, k1, {});
    expect(await move(student, k1, k3)).toMatchObject({ returned: 1 });
    expect((await reportsOf(student, all)).map(({ class_id }) => class_id)).toEqual([k3, k1, k1]);
    await expectCountersToBeRight(db());
  });

  it('is given the homework missing so far, and the answer counts the given and the moved reports', async () => {
    const { k2, k3 } = school().classes;
    const student = school().students.k2[1] as number;
    const both = await school().addHomework({ creator: 'teacher', classes: [k2, k3] });
    const here = await school().addHomework({ creator: 'teacher', classes: [k3] });
    const answer = await move(student, k2, k3);
    expect(answer.brought).toBeGreaterThan(0);
    const standing = await db()
      .selectFrom('report')
      .select('id')
      .where('student_id', '=', student)
      .where('class_id', '=', k3)
      .execute();
    expect(answer.homework + answer.brought).toBe(standing.length);
    expect(await reportsOf(student, [both, here])).toEqual([
      { homework_id: both, class_id: k3, status: 1 },
      { homework_id: here, class_id: k3, status: 1 },
    ]);
    await expectCountersToBeRight(db());
  });

  describe('through an import', () => {
    it('takes open reports along, whatever the row order, and gets them back by the undo', async () => {
      const upload = smallUpload({ tag: 7, students: 3 });
      const kinds = [...new Set(upload.map(({ kind }) => kind))];
      await mustApply(await send('转班', upload, 'bulk', kinds));
      const [from, to] = [await idOf('class', 'B1'), await idOf('class', 'B2')];
      const student = await idOf('student', 'P1001');
      const paper = await addPaper(school(), { creator: 'teacher', classes: [from, to] }, 2);
      const begun = await school().addHomework({ creator: 'teacher', classes: [from, to] });
      await submitHomeworkReport(school(), paper, student);
      const all = [paper.homeworkId, begun];
      const before = await reportsOf(student, all);
      expect(before.map(({ class_id }) => class_id)).toEqual([from, from]);

      const moved = [
        ...withoutRecords(upload, 'B1-P1001'),
        record('membership', 'B2-P1001', { class_id: ref('class', 'B2'), student_id: ref('student', 'P1001') }),
      ];
      const id = await send('转班', moved, 'bulk', kinds);
      await apply(id);
      expect(await reportsOf(student, all)).toEqual(before.map((one) => ({ ...one, class_id: to })));
      await expectCountersToBeRight(db());

      expect(await mustUndo(id)).toBe(0);
      expect(await reportsOf(student, all)).toEqual(before);
      await expectCountersToBeRight(db());
    });

    it('keeps the reports in the first class until that is left', async () => {
      const upload = smallUpload({ tag: 8, students: 3 });
      const kinds = [...new Set(upload.map(({ kind }) => kind))];
      await mustApply(await send('两班', upload, 'bulk', kinds));
      const [from, to] = [await idOf('class', 'B1'), await idOf('class', 'B2')];
      const student = await idOf('student', 'P1001');
      const homework = await school().addHomework({ creator: 'teacher', classes: [from, to] });
      const also = record('membership', 'B2-P1001', {
        class_id: ref('class', 'B2'),
        student_id: ref('student', 'P1001'),
      });
      await mustApply(await send('两班', [...upload, also], 'bulk', kinds));
      expect(await reportsOf(student, [homework])).toMatchObject([{ class_id: from }]);
      // The reports move once the first class is left.
      const id = await send('两班', [...withoutRecords(upload, 'B1-P1001'), also], 'bulk', kinds);
      await apply(id);
      expect(await reportsOf(student, [homework])).toMatchObject([{ class_id: to }]);
      await mustUndo(id);
      expect(await reportsOf(student, [homework])).toMatchObject([{ class_id: from }]);
    });
  });

  it('takes the reports along when the planned leave comes due', async () => {
    const { k2, k3 } = school().classes;
    const student = school().students.k2[2] as number;
    const homework = await school().addHomework({ creator: 'teacher', classes: [k2, k3] });
    await admin().post(`classes/${k3}/members`, { ids: [student], acknowledged: 1 });
    await db()
      .insertInto('class_student')
      .values({ class_id: k3, student_id: student, joined_at: noon, left_at: null })
      .onConflict((known) => known.columns(['class_id', 'student_id']).doNothing())
      .execute();
    expect(await reportsOf(student, [homework])).toMatchObject([{ class_id: k2 }]);
    await db()
      .updateTable('class_student')
      .set({ leaving_at: noon })
      .where('class_id', '=', k2)
      .where('student_id', '=', student)
      .execute();
    await plannedLeavesJob(school().services).run();
    expect(await reportsOf(student, [homework])).toMatchObject([{ class_id: k3 }]);
    await expectCountersToBeRight(db());
  });

  it('has the new class of a report in the history', async () => {
    const rows = await admin().get('history?record=report&action=move&limit=1');
    expect(outcomeOf(rows)[0]).toBe(200);
    expect(JSON.stringify(rows.body.data.list[0])).toContain('转到其他班级');
  });
});
