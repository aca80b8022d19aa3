import { expect, test } from 'vitest';
import { examRanks, isPassed } from '#server/exams/pass-and-rank.ts';
import { recountExam } from '#server/exams/recount.ts';
import { submitExam } from '#server/exams/submission.ts';
import { wrongChoices } from '#server/exams/wrong-choices.ts';
import { addExam, expectExamSumsToBeRight, review, submitExamReport } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const right = ['2', '1', '1,3', '2-4,1-3', '3@@５'];

onBothEngines('the figures of an exam', (school) => {
  const makeExam = (more: { passScore?: number } = {}) =>
    addExam(school().database.db, { creator: school().people.teacher.id, school: 1, ...more });
  const storedReport = (id: number) =>
    school().database.db.selectFrom('exam_report').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('scores objective answers on submission, with a score for each blank', async () => {
    const { db } = school().database;
    const exam = await makeExam();
    const [student] = school().students.k2 as [number];
    const report = await storedReport(
      await submitExamReport(db, exam, student, [...right.slice(0, 4), '3@@6', '答', '1', '答']),
    );
    expect(report).toMatchObject({ test_status: 2, objective_score: 400 + 30 + 100, subjective_score: 0 });
    expect(report).toMatchObject({ user_score: 530, is_effective: 1, is_finish_conditions: 1, graded_at: null });
    const answers = await db.selectFrom('exam_answer').select(['status', 'score']).orderBy('question_id').execute();
    expect(answers.map(({ status }) => status)).toEqual([1, 1, 1, 1, 2, 4, 1, 4]);
    expect(answers.map(({ score }) => score)).toEqual([100, 50, 150, 100, 30, null, 100, null]);
  });

  test('ranks graded reports, equal scores sharing a rank', async () => {
    const { db } = school().database;
    const exam = await makeExam();
    const scores: number[] = [];
    for (const [index, student] of school().students.k4.entries()) {
      const id = await submitExamReport(db, exam, student, [...right, '答', '1', '答']);
      // Every report has 600 for its choices. The last one stays ungraded.
      if (index < 5) await review(db, id, [[200, 100, 200, 0, 100][index] as number, 0]);
      if (index < 5) scores.push((await storedReport(id)).user_score);
    }
    expect(scores).toEqual([800, 700, 800, 600, 700]);
    const { rankOf, ranked } = await examRanks(db, exam.id, scores);
    expect(scores.map(rankOf)).toEqual([1, 3, 1, 5, 3]);
    expect(ranked).toBe(5);
    await expectExamSumsToBeRight(db);
  });

  test('counts a student’s best graded submission, the later of equals, else the last', async () => {
    const { db } = school().database;
    const exam = await makeExam();
    const [student] = school().students.k1 as [number];
    const hand = (answers: string[], at: number) => submitExamReport(db, exam, student, answers, { at });
    const countingReports = async () => {
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
    expect(await countingReports()).toEqual([second]);
    await review(db, first, [100]);
    expect(await countingReports()).toEqual([first]);
    await review(db, second, [100]);
    expect(await countingReports()).toEqual([second]);
    const blank = await hand([], noon + day);
    expect(await storedReport(blank)).toMatchObject({ test_status: 3, user_score: 0, is_finish_conditions: 0 });
    expect(await countingReports()).toEqual([second]);
    const figures = await db.selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).executeTakeFirst();
    expect(figures).toMatchObject({ student_count: 1, submitted_count: 3, graded_count: 3, passed_count: 2 });
    await db.updateTable('exam_report').set({ is_effective: 0 }).where('exam_id', '=', exam.id).execute();
    await recountExam(db, exam.id);
    expect(await countingReports()).toEqual([second]);
    await expectExamSumsToBeRight(db);
  });

  test('prefers a graded submission to a later ungraded one, even with a score of 0', async () => {
    const { db } = school().database;
    const exam = await makeExam();
    const countingOf = async (student: number) => {
      const reports = db.selectFrom('exam_report').select('id').where('exam_id', '=', exam.id);
      return (await reports.where('student_id', '=', student).where('is_effective', '=', 1).execute()).map(
        ({ id }) => id,
      );
    };
    const [one, two] = school().students.k2 as [number, number];
    const blank = await submitExamReport(db, exam, one, [], { at: noon });
    await submitExamReport(db, exam, one, [...right, '答'], { at: noon + 1 });
    expect(await countingOf(one)).toEqual([blank]);
    // Ungraded: the latest submit time counts, whatever the order of arrival; of equals, the second.
    const last = await submitExamReport(db, exam, two, [...right, '答'], { at: noon });
    await submitExamReport(db, exam, two, [...right, '答'], { at: noon - 1 });
    expect(await countingOf(two)).toEqual([last]);
    const again = await submitExamReport(db, exam, two, [...right, '答'], { at: noon });
    expect(await countingOf(two)).toEqual([again]);
    await expectExamSumsToBeRight(db);
  });

  test('counts a student who changed schools in both, each with its own submissions', async () => {
    const { db } = school().database;
    const exam = await addExam(db, {
      creator: school().people.teacher.id,
      school: 1,
      questions: [
        { type: 1, score: 100, right: '2' },
        { type: 5, score: 100, right: '略' },
      ],
    });
    const [student] = school().students.k3 as [number];
    await submitExamReport(db, exam, student, ['2', '答'], { at: noon });
    const branch = await db.insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
    const move = (school_id: number) =>
      db.updateTable('student').set({ school_id }).where('id', '=', student).execute();
    await move(branch.id);
    const there = await submitExamReport(db, exam, student, ['1', '答'], { at: noon + 1 });
    await review(db, there, [100]);
    await move(1);
    const figures = await db.selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).execute();
    expect(figures.map(({ student_count, submitted_count }) => [student_count, submitted_count])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await expectExamSumsToBeRight(db);
  });

  test('stores the student’s flags, and grades a submission without subjective answers at once', async () => {
    const { db } = school().database;
    const exam = await addExam(db, {
      creator: school().people.teacher.id,
      school: 1,
      questions: [1, 2].map(() => ({ type: 1, score: 100, right: '2' })),
    });
    const [studentId] = school().students.k3 as [number];
    const answers = exam.questions.map((questionId, index) => ({ questionId, userAnswer: '2', isSigned: index === 0 }));
    const submission = { examId: exam.id, studentId, answers, answerTime: 1, submitTime: noon };
    const { reportId } = (await submitExam(db, submission)) as { reportId: number };
    const kept = await db.selectFrom('exam_answer').select('is_sign').where('report_id', '=', reportId).execute();
    expect(kept.map(({ is_sign }) => is_sign)).toEqual([1, 0]);
    expect(await storedReport(reportId)).toMatchObject({ test_status: 3, graded_at: noon, graded_by: null });
  });

  test('accepts a submission to an exam without questions', async () => {
    const { db } = school().database;
    const exam = await addExam(db, { creator: school().people.teacher.id, school: 1, questions: [] });
    const [student] = school().students.k3 as [number];
    expect(await storedReport(await submitExamReport(db, exam, student, []))).toMatchObject({
      test_status: 3,
      user_score: 0,
    });
    await expectExamSumsToBeRight(db);
  });

  test('refuses a submission with an unknown exam, question or student, a repeated question or an unpublished exam', async () => {
    const { db } = school().database;
    const exam = await makeExam();
    const draft = await addExam(db, { creator: school().people.teacher.id, school: 1, status: 2 });
    const [studentId] = school().students.k1 as [number];
    const base = { examId: exam.id, studentId, answers: [], answerTime: 1, submitTime: noon };
    expect(await submitExam(db, { ...base, examId: 999_999 })).toMatchObject({ kind: 'missing' });
    expect(await submitExam(db, { ...base, examId: draft.id })).toMatchObject({ kind: 'conflict' });
    const answers = [{ questionId: 999_999, userAnswer: '1' }];
    expect(await submitExam(db, { ...base, answers })).toMatchObject({ kind: 'invalid' });
    const twice = ['1', '2'].map((userAnswer) => ({ questionId: exam.questions[0] as number, userAnswer }));
    expect(await submitExam(db, { ...base, answers: twice })).toMatchObject({ kind: 'invalid' });
    expect(await submitExam(db, { ...base, studentId: 999_999 })).toMatchObject({ kind: 'missing' });
    const reports = await db.selectFrom('exam_report').select('id').where('exam_id', '=', exam.id).execute();
    expect(reports).toEqual([]);
  });
});

test('a report has passed if it is graded and reaches the pass score', () => {
  const exam = { pass_score: 600 };
  expect(isPassed({ test_status: 3, user_score: 600 }, exam)).toBe(true);
  expect(isPassed({ test_status: 3, user_score: 599 }, exam)).toBe(false);
  expect(isPassed({ test_status: 2, user_score: 700 }, exam)).toBe(false);
});

test('wrong choices are listed once each, and only for questions with options', () => {
  expect(wrongChoices({ ques_type: 4, right_answer: '1-3' }, '1-3,1-4, 1-4')).toEqual(['1-4']);
  expect(wrongChoices({ ques_type: 5, right_answer: '' }, '7')).toEqual([]);
  expect(wrongChoices({ ques_type: 7, right_answer: '3' }, '7')).toEqual([]);
});
