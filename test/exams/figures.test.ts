import { expect, test } from 'vitest';
import { examRanks } from '#server/exams/figures.ts';
import { submitExam } from '#server/exams/submission.ts';
import { addExam, expectExamSumsToBeRight, handIn, review } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const right = ['2', '1', '1,3', '2-4,1-3', '3@@５'];

onBothEngines('the sums of an exam', (school) => {
  const made = (more: { passScore?: number } = {}) =>
    addExam(school().database.db, { creator: school().people.teacher.id, school: 1, ...more });
  const stored = (id: number) =>
    school().database.db.selectFrom('exam_report').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('objective answers are scored on handing in, each blank for its own tenths', async () => {
    const { db } = school().database;
    const exam = await made();
    const [student] = school().students.k2 as [number];
    const report = await stored(await handIn(db, exam, student, [...right.slice(0, 4), '3@@6', '答', '1', '答']));
    expect(report).toMatchObject({ test_status: 2, objective_score: 400 + 30 + 100, subjective_score: 0 });
    expect(report).toMatchObject({ user_score: 530, is_effective: 1, is_finish_conditions: 1, graded_at: null });
    const answers = await db.selectFrom('exam_answer').select(['status', 'score']).orderBy('question_id').execute();
    expect(answers.map(({ status }) => status)).toEqual([1, 1, 1, 1, 2, 4, 1, 4]);
    expect(answers.map(({ score }) => score)).toEqual([100, 50, 150, 100, 30, null, 100, null]);
  });

  test('ranks are those of a competition, among graded reports only', async () => {
    const { db } = school().database;
    const exam = await made();
    const scores: number[] = [];
    for (const [index, student] of school().students.k4.entries()) {
      const id = await handIn(db, exam, student, [...right, '答', '1', '答']);
      // 600 by choices; the last one waits.
      if (index < 5) await review(db, id, [[200, 100, 200, 0, 100][index] as number, 0]);
      if (index < 5) scores.push((await stored(id)).user_score);
    }
    expect(scores).toEqual([800, 700, 800, 600, 700]);
    const { rankOf, graded } = await examRanks(db, exam.id, scores);
    expect(scores.map(rankOf)).toEqual([1, 3, 1, 5, 3]);
    expect(graded).toBe(5);
    await expectExamSumsToBeRight(db);
  });

  test('of several submissions the best graded one counts, then the later, while none is graded the last', async () => {
    const { db } = school().database;
    const exam = await made();
    const [student] = school().students.k1 as [number];
    const hand = (answers: string[], at: number) => handIn(db, exam, student, answers, { at });
    const counting = async () => {
      const rows = await db
        .selectFrom('exam_report')
        .select('id')
        .where('exam_id', '=', exam.id)
        .where('is_effective', '=', 1)
        .execute();
      return rows.map(({ id }) => id);
    };
    const first = await hand([...right, '答'], noon - day);
    const second = await hand([...right, '答'], noon);
    expect(await counting()).toEqual([second]);
    await review(db, first, [100]);
    expect(await counting()).toEqual([first]);
    await review(db, second, [100]);
    expect(await counting()).toEqual([second]);
    const blank = await hand([], noon + day);
    expect(await stored(blank)).toMatchObject({ test_status: 3, user_score: 0, is_finish_conditions: 0 });
    expect(await counting()).toEqual([second]);
    const figures = await db.selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).executeTakeFirst();
    expect(figures).toMatchObject({ student_count: 1, submitted_count: 3, graded_count: 3, passed_count: 2 });
    await expectExamSumsToBeRight(db);
  });

  test('what is no exam, no question of it, or not published is refused, and leaves nothing behind', async () => {
    const { db } = school().database;
    const exam = await made();
    const draft = await addExam(db, { creator: school().people.teacher.id, school: 1, status: 2 });
    const [studentId] = school().students.k1 as [number];
    const base = { examId: exam.id, studentId, answers: [], answerTime: 1, submitTime: noon };
    expect(await submitExam(db, { ...base, examId: 999_999 })).toMatchObject({ kind: 'missing' });
    expect(await submitExam(db, { ...base, examId: draft.id })).toMatchObject({ kind: 'conflict' });
    const answers = [{ questionId: 999_999, userAnswer: '1' }];
    expect(await submitExam(db, { ...base, answers })).toMatchObject({ kind: 'invalid' });
    const reports = await db.selectFrom('exam_report').select('id').where('exam_id', '=', exam.id).execute();
    expect(reports).toEqual([]);
  });
});
