/** 改判: regrading a blank changes all equal answers. */
import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper, submitHomeworkReport } from '../support/paper.ts';
import { day, errorsOf, noon, outcomeOf, type TestSchool } from '../support/school.ts';

/** A homework with a question of two blanks, 3 points each. */
async function homework(school: TestSchool) {
  const paper = await addPaper(school, {
    creator: 'teacher',
    classes: [school.classes.k2],
    period: school.periods.mine,
    ending: noon + day,
  });
  await school.database.db
    .updateTable('homework_question')
    .set({ ques_type: 7, right_answer: '北京@@3', ques_option: '[]', score: 60 })
    .where('id', '=', paper.questions.part)
    .execute();
  return paper;
}

onBothEngines('regrading a blank', (opened) => {
  const marks = async (reports: number[]) => {
    const rows = await opened()
      .database.db.selectFrom('report')
      .innerJoin('answer', 'answer.report_id', 'report.id')
      .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
      .select(['report.id', 'answer.status', 'answer.score', 'objective_score', 'user_score'])
      .where('report.id', 'in', reports)
      .where('homework_question.ques_type', '=', 7)
      .orderBy('report.id')
      .execute();
    return rows.map(({ id: _, ...mark }) => mark);
  };

  it.each(['teacher', 'assist'] as const)(
    'changes all equal answers, later ones too, and is undone (%s)',
    async (who) => {
      const school = opened();
      const paper = await homework(school);
      const students = school.students.k2 as number[];
      const given = ['北京市@@3', '北 京市@@4', '上海@@3'];
      const reports: number[] = [];
      for (const [place, part] of given.entries())
        reports.push(await submitHomeworkReport(school, paper, students[place] as number, { part }));
      const before = await marks(reports);
      expect(before.map(({ score }) => score)).toEqual([30, 0, 30]);

      const body = {
        report_id: reports[0],
        ques_id: paper.questions.part,
        blank: 1,
        right: 1,
        reason: '也可写作北京市',
      };
      const judged = await school.as(who).post('hw/review/rejudge', body);
      expect(outcomeOf(judged)).toEqual([200, '改判成功']);
      expect(judged.body.data.count).toBe(2);
      const after = await marks(reports);
      expect(after.map(({ status, score }) => [status, score])).toEqual([
        [1, 60],
        [2, 30],
        [2, 30],
      ]);
      expect(
        after.map(({ objective_score, user_score }, at) => [
          objective_score - (before[at]?.objective_score ?? 0),
          user_score - (before[at]?.user_score ?? 0),
        ]),
      ).toEqual([
        [30, 30],
        [30, 30],
        [0, 0],
      ]);

      const later = await submitHomeworkReport(school, paper, students[3] as number, { part: '北京市@@3' });
      expect((await marks([later]))[0]).toMatchObject({ status: 1, score: 60 });

      const ask = { report_id: reports[0], class_id: 0, type: 2 };
      const shown = await school.as(who).post('hw/review/detail', ask);
      const question = shown.body.data.list.find(({ id }: { id: number }) => id === paper.questions.part);
      expect(question.blanks).toEqual([
        {
          blank: 1,
          answer: '北京市',
          right: 1,
          judgment: { id: judged.body.data.judgment_id, name: `姓名${who}`, reason: '也可写作北京市' },
        },
        { blank: 2, answer: '3', right: 1, judgment: null },
      ]);

      const undone = await school.as(who).post('hw/review/undoRejudge', { judgment_id: judged.body.data.judgment_id });
      expect([...outcomeOf(undone), undone.body.data.count]).toEqual([200, '已撤销改判', 3]);
      expect(await marks(reports)).toEqual(before);
      const again = await school.as(who).post('hw/review/undoRejudge', { judgment_id: judged.body.data.judgment_id });
      expect(outcomeOf(again)).toEqual([409, '该改判已撤销，不能重复撤销']);
    },
  );

  it('marks a right answer wrong, in graded reports too', async () => {
    const school = opened();
    const paper = await homework(school);
    const report = await submitHomeworkReport(school, paper, school.students.k2[0] as number, {
      part: '北京@@3',
      essay: '',
      partEssay: '',
    });
    const body = { report_id: report, ques_id: paper.questions.part, blank: 2, right: 2, reason: '题目有误' };
    expect((await school.as('teacher').post('hw/review/rejudge', body)).status).toBe(200);
    expect((await marks([report]))[0]).toMatchObject({ status: 2, score: 30 });
  });

  it('requires a reason and a filled-in blank', async () => {
    const school = opened();
    const paper = await homework(school);
    const report = await submitHomeworkReport(school, paper, school.students.k2[0] as number, { part: '北京@@' });
    const body = { report_id: report, ques_id: paper.questions.part, blank: 1, right: 2, reason: '题目有误' };
    const post = (change: object, who: 'teacher' | 'plainTeacher' = 'teacher') =>
      school.as(who).post('hw/review/rejudge', { ...body, ...change });
    expect(errorsOf(await post({ reason: ' ' }))).toEqual([422, { reason: ['请填写改判理由'] }]);
    expect(errorsOf(await post({ reason: '长'.repeat(101) }))).toEqual([422, { reason: ['改判理由最多100个字'] }]);
    for (const blank of [2, 3, undefined]) {
      expect(errorsOf(await post({ blank }))).toEqual([422, { blank: ['请选择已作答的空'] }]);
    }
    expect(errorsOf(await post({ right: 3 }))).toEqual([422, { right: ['请选择改判为正确或错误'] }]);
    expect(outcomeOf(await post({ ques_id: paper.questions.choice }))).toEqual([409, '只有填空题可以改判']);
    expect((await post({ ques_id: 99_999_999 })).status).toBe(404);
    expect((await post({}, 'plainTeacher')).status).toBe(403);
    await school.as('teacher').post(`hw/withdraw/${paper.homeworkId}`);
    expect(outcomeOf(await post({}))).toEqual([409, '该作业已撤回，不能批改']);
  });
});
