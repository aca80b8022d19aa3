import { beforeAll, expect, it } from 'vitest';
import { addExam, submitExamReport } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { chance, type MadeHomework, makeHomework } from '../support/random-homework.ts';

const question = {
  ques_type: 1,
  ques_stem: '下列词语中没有错别字的是',
  ques_option: [
    { id: 1, content: '再接再厉', is_right: 1 },
    { id: 2, content: '一愁莫展', is_right: 2 },
  ],
  facility_value: 2,
};

onBothEngines('the record of a question', (school) => {
  let id: number;
  let made: MadeHomework[];

  const uses = async () => (await school().as('teacher').get(`ques/uses/${id}`)).body.data;

  beforeAll(async () => {
    id = (await school().as('teacher').post('ques/add', question)).body.data.id;
    expect(await uses()).toEqual({
      list: [],
      total: 0,
      hidden: 0,
      graded: 0,
      facility: null,
      discrimination: null,
    });
    made = [];
    for (const seed of [3, 8]) {
      made.push(await makeHomework(school(), chance(seed), { mode: 2, students: 40, questions: 4, types: [1, 3] }));
    }
    for (const { questions } of made) await setSource(questions[1]?.id as number);
  });

  const setSource = (copy: number) =>
    school().database.db.updateTable('homework_question').set({ source_id: id }).where('id', '=', copy).execute();

  it('says of each homework what its analysis says', async () => {
    const { list, total, hidden } = await uses();
    expect([list.length, total, hidden]).toEqual([2, 2, 0]);
    for (const { id: homework, questions } of made) {
      const use = list.find((one: { id: number }) => one.id === homework);
      const rows = (await school().as('teacher').get(`homework/question/analysis/${homework}`)).body.data;
      const row = rows.find(({ _id }: { _id: number }) => _id === questions[1]?.id);
      expect([use.kind, use.graded, use.facility, use.discrimination]).toEqual([
        'homework',
        row.graded,
        row.facility,
        row.discrimination,
      ]);
    }
  });

  it('sums up the scores of all graded reports', async () => {
    const graded = made.flatMap(({ reports, questions }) =>
      reports.filter(({ status }) => status === 3).map((report) => ({ report, asked: questions[1] })),
    );
    const most = graded.reduce((sum, { asked }) => sum + (asked?.full ?? 0), 0);
    const scored = graded.reduce(
      (sum, { report, asked }) => sum + (report.answers.find(({ questionId }) => questionId === asked?.id)?.score ?? 0),
      0,
    );
    const found = await uses();
    expect([found.graded, found.facility]).toEqual([graded.length, Math.floor((scored * 100) / most)]);
  });

  it('counts homework that the user may not see, without its name', async () => {
    const theirs = await school().addHomework({
      name: '别人的作业',
      creator: 'otherTeacher',
      course: school().courses.theirs,
      classes: [school().classes.k3],
    });
    const copy = await school()
      .database.db.insertInto('homework_question')
      .values({ homework_id: theirs, source_id: id, sort: 1, ques_type: 1, ques_stem: '题干', score: 100 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const found = await uses();
    expect([found.total, found.hidden, found.list.length]).toEqual([3, 1, 2]);
    expect(JSON.stringify(found)).not.toContain('别人的作业');
    await school().database.db.deleteFrom('homework_question').where('id', '=', copy.id).execute();
  });

  it('covers the papers of an exam that count', async () => {
    const { db } = school().database;
    const { teacher } = school().people;
    const { school_id } = await db
      .selectFrom('staff')
      .select('school_id')
      .where('id', '=', teacher.id)
      .executeTakeFirstOrThrow();
    const exam = await addExam(db, {
      name: '月考',
      creator: teacher.id,
      school: school_id,
      questions: [
        { type: 1, score: 100, right: '1', options: JSON.stringify(question.ques_option) },
        { type: 1, score: 300, right: '1', options: JSON.stringify(question.ques_option) },
      ],
    });
    await db
      .updateTable('exam_question')
      .set({ source_id: id })
      .where('id', '=', exam.questions[1] as number)
      .execute();
    const students = school().students.k1;
    await submitExamReport(db, exam, students[0] as number, ['1', '1']);
    await submitExamReport(db, exam, students[1] as number, ['1', '2']);
    await submitExamReport(db, exam, students[2] as number, ['2', '2']);
    const use = (await uses()).list.find(({ kind }: { kind: string }) => kind === 'exam');
    expect([use.name, use.graded, use.facility]).toEqual(['月考', 3, 33]);
    await db
      .updateTable('exam_question')
      .set({ source_id: null })
      .where('id', '=', exam.questions[1] as number)
      .execute();
  });

  it('leaves out recalled homework', async () => {
    const homework = made[0]?.id as number;
    const set = (status: 1 | 2) =>
      school().database.db.updateTable('homework').set({ status }).where('id', '=', homework).execute();
    await set(2);
    expect((await uses()).total).toBe(1);
    await set(1);
  });

  it('lists what each edit changed, latest first', async () => {
    await school()
      .as('teacher')
      .put(`ques/update/${id}`, { ...question, facility_value: 4 });
    const list = (await school().as('teacher').get(`ques/history/${id}`)).body.data;
    expect([list.length, list[0].action_name, list[0].changes, list[1].action]).toEqual([
      2,
      '修改',
      [{ name: '难度', before: '2', after: '4' }],
      'add',
    ]);
  });

  it('is 404 for everybody but the owner', async () => {
    for (const path of [`ques/uses/${id}`, `ques/history/${id}`]) {
      const { status, body } = await school().as('otherTeacher').get(path);
      expect([status, body.msg]).toEqual([404, '题目不存在']);
    }
  });
});
