/** Tests 改判 in exams: sets an answer to a blank right or wrong, together with all equal answers in the exam. */
import { expect, it } from 'vitest';
import { recountExam } from '#server/exams/recount.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { addExam, type NewQuestion, submitExamReport } from '../support/exams.ts';
import { learnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

const blanks: NewQuestion = { type: 7, score: 60, right: '北京@@3', stem: '<p>____ ____</p>' };

onBothEngines('regrading a blank of an exam', (school) => {
  const db = () => school().database.db;
  const teacher = () => school().as('teacher');
  const exam = async (more: object = {}) => {
    const { school_id } = await db()
      .selectFrom('staff')
      .select('school_id')
      .where('id', '=', school().people.teacher.id)
      .executeTakeFirstOrThrow();
    const added = await addExam(db(), {
      creator: school().people.teacher.id,
      school: school_id,
      passScore: 60,
      questions: [blanks, { type: 5, score: 40, right: '略' }],
      ...more,
    });
    await db()
      .updateTable('exam')
      .set({ attempts: 0, published_at: noon, end_at: noon + day })
      .where('id', '=', added.id)
      .execute();
    return added;
  };
  const reportOf = (id: number) =>
    db().selectFrom('exam_report').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const marks = (ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => [(await reportOf(id)).objective_score, (await reportOf(id)).user_score]));
  const figures = async (id: number) => [
    await db().selectFrom('exam_figures').selectAll().where('exam_id', '=', id).execute(),
    await db().selectFrom('exam_score').selectAll().where('exam_id', '=', id).orderBy('user_score').execute(),
    await db()
      .selectFrom('exam_question_figures')
      .innerJoin('exam_question', 'exam_question.id', 'exam_question_figures.question_id')
      .selectAll('exam_question_figures')
      .where('exam_id', '=', id)
      .orderBy('question_id')
      .execute(),
  ];
  const expectRightFigures = async (id: number) => {
    const moved = await figures(id);
    await recountExam(db(), id);
    expect(moved).toEqual(await figures(id));
  };

  it.each(['teacher', 'assist'] as const)(
    'changes all equal answers, sums and ranks, and is undone (%s)',
    async (who) => {
      const [one = 0, two = 0, three = 0, four = 0] = school().students.k2;
      const { id, questions } = await exam();
      const reports = [
        // This submission has no waiting answer, so it is graded at once.
        await submitExamReport(db(), { id, questions }, one, ['北京市@@3']),
        await submitExamReport(db(), { id, questions }, two, ['北 京市@@4', JSON.stringify({ content: '答' })]),
        await submitExamReport(db(), { id, questions }, three, ['北京@@4']),
      ];
      const before = await marks(reports);
      expect(before).toEqual([
        [30, 30],
        [0, 0],
        [30, 30],
      ]);
      const body = { report_id: reports[0], question_id: questions[0], blank: 1, right: 1, reason: '也可写作北京市' };
      const judged = await school().as(who).post('testDetail/rejudge', body);
      expect([...outcomeOf(judged), judged.body.data.count]).toEqual([200, '改判成功', 2]);
      expect(await marks(reports)).toEqual([
        [60, 60],
        [30, 30],
        [30, 30],
      ]);
      const [sums] = await figures(id);
      expect(sums).toMatchObject([{ submitted_count: 3, graded_count: 2, passed_count: 1, score_sum: 90 }]);
      await expectRightFigures(id);

      const { token } = await issueServiceToken(db(), { name: '学习端', now: noon });
      const learner = learnerClient(school(), token);
      await learner.post(`exams/${id}/start`, { uid: four });
      const answers = [{ ques_id: questions[0], user_answer: '北京市@@3' }];
      const later = await learner.post(`exams/${id}/submission`, { uid: four, answers });
      expect(await marks([later.body.data.report_id])).toEqual([[60, 60]]);

      const shown = (await school().as(who).get(`testDetail/approved/${reports[0]}`)).body.data.objective_question[0];
      expect(shown.blanks).toEqual([
        {
          blank: 1,
          answer: '北京市',
          right: 1,
          judgment: { id: judged.body.data.judgment_id, name: `姓名${who}`, reason: '也可写作北京市' },
        },
        { blank: 2, answer: '3', right: 1, judgment: null },
      ]);

      const undo = () => school().as(who).post('testDetail/undoRejudge', { judgment_id: judged.body.data.judgment_id });
      const undone = await undo();
      expect([...outcomeOf(undone), undone.body.data.count]).toEqual([200, '已撤销改判', 3]);
      expect(await marks(reports)).toEqual(before);
      await expectRightFigures(id);
      expect(outcomeOf(await undo())).toEqual([409, '该改判已撤销，不能重复撤销']);

      const history = await db()
        .selectFrom('history')
        .select(['record', 'action', 'before', 'after'])
        .where('record', '=', 'exam')
        .where('record_id', '=', id)
        .orderBy('id')
        .execute();
      expect(
        history.map(({ action, before, after }) => [action, JSON.parse(before ?? 'null'), JSON.parse(after ?? '')]),
      ).toEqual([
        ['rejudge', null, { question: questions[0], blank: 1, is_right: 1, reason: '也可写作北京市', answers: 2 }],
        ['undo', { question: questions[0], blank: 1, is_right: 1, reason: '也可写作北京市' }, { answers: 3 }],
      ]);
      const entries = (await school().as(who).get(`testDetail/approvedHistory/${reports[0]}`)).body.data;
      expect(entries).toMatchObject([
        { action: 'rejudge', sort: '1', before: 6, after: 3 },
        { action: 'rejudge', sort: '1', before: 3, after: 6 },
      ]);
    },
  );

  it('treats answers as equal despite letter case where case does not count', async () => {
    const [one = 0, two = 0] = school().students.k2;
    for (const ignore_case of [0, 1] as const) {
      const { id, questions } = await exam({ questions: [{ ...blanks, right: 'DNA@@3' }] });
      await db()
        .updateTable('exam_question')
        .set({ ignore_case })
        .where('id', '=', questions[0] as number)
        .execute();
      const report_id = await submitExamReport(db(), { id, questions }, one, ['Rna@@3']);
      const other = await submitExamReport(db(), { id, questions }, two, ['RNA@@3']);
      const body = { report_id, question_id: questions[0], blank: 1, right: 1, reason: '也对' };
      expect((await teacher().post('testDetail/rejudge', body)).body.data.count).toBe(ignore_case + 1);
      expect(await marks([report_id, other])).toEqual([[60, 60], ignore_case ? [60, 60] : [30, 30]]);
    }
  });

  it('may change which submission of a student counts', async () => {
    const [one = 0] = school().students.k2;
    const { id, questions } = await exam({ questions: [blanks] });
    const first = await submitExamReport(db(), { id, questions }, one, ['北京市@@3']);
    const second = await submitExamReport(db(), { id, questions }, one, ['北京@@4'], { at: noon + 60 });
    const effective = async () => [(await reportOf(first)).is_effective, (await reportOf(second)).is_effective];
    expect(await effective()).toEqual([0, 1]);
    const body = { report_id: first, question_id: questions[0], blank: 1, right: 1, reason: '也对' };
    expect((await teacher().post('testDetail/rejudge', body)).status).toBe(200);
    expect(await effective()).toEqual([1, 0]);
    await expectRightFigures(id);
  });

  it('requires a reason and a filled-in blank of a visible question', async () => {
    const { id, questions } = await exam();
    const report_id = await submitExamReport(db(), { id, questions }, school().students.k2[0] as number, ['北京@@']);
    const body = { report_id, question_id: questions[0], blank: 1, right: 2, reason: '题目有误' };
    const post = (change: object, who: 'teacher' | 'plainTeacher' = 'teacher') =>
      school()
        .as(who)
        .post('testDetail/rejudge', { ...body, ...change });
    expect(errorsOf(await post({ reason: ' ' }))).toEqual([422, { reason: ['请填写改判理由'] }]);
    for (const blank of [2, 3, undefined]) {
      expect(errorsOf(await post({ blank }))).toEqual([422, { blank: ['请选择已作答的空'] }]);
    }
    expect(outcomeOf(await post({ question_id: questions[1] }))).toEqual([409, '只有填空题可以改判']);
    expect((await post({ question_id: 99_999_999 })).status).toBe(404);
    expect((await post({ report_id: 99_999_999 })).status).toBe(404);
    expect((await post({}, 'plainTeacher')).status).toBe(403);
    expect((await teacher().post('testDetail/undoRejudge', { judgment_id: 99_999_999 })).status).toBe(404);
  });
});
