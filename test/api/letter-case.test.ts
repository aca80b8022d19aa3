/** A fill-in question stores if letter case counts, and so does each copy. */
import { beforeAll, expect, it } from 'vitest';
import { scoreExamAnswer } from '#server/exams/submission.ts';
import { learnerOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, outcomeOf } from '../support/school.ts';

onBothEngines('case-insensitive fill-in question', (school) => {
  const db = () => school().database.db;
  const teacher = () => school().as('teacher');
  const admin = () => school().as('admin');
  const questionFields = (ignore_case?: 0 | 1) => ({
    ques_type: 7,
    ques_stem: '<p>首都是____</p>',
    right_answer: 'Beijing',
    facility_value: 1,
    ...(ignore_case !== undefined && { ignore_case }),
  });
  const inBank: Record<'any' | 'exact', number> = { any: 0, exact: 0 };
  const ofBank = async (id: number) => (await teacher().get(`ques/show/${id}`)).body.data[0];

  beforeAll(async () => {
    inBank.any = (await teacher().post('ques/add', questionFields(1))).body.data.id;
    inBank.exact = (await teacher().post('ques/add', questionFields())).body.data.id;
  });

  it('is stored and edited in a bank', async () => {
    expect([(await ofBank(inBank.any)).ignore_case, (await ofBank(inBank.exact)).ignore_case]).toEqual([1, 0]);
    const { id } = (await teacher().post('ques/add', questionFields(1))).body.data;
    await teacher().put(`ques/update/${id}`, questionFields(0));
    expect((await ofBank(id)).ignore_case).toBe(0);
    const { before, after } = await db()
      .selectFrom('history')
      .select(['before', 'after'])
      .where('record', '=', 'question')
      .where('record_id', '=', id)
      .where('action', '=', 'edit')
      .executeTakeFirstOrThrow();
    expect([JSON.parse(before ?? ''), JSON.parse(after ?? '')]).toEqual([{ ignore_case: 1 }, { ignore_case: 0 }]);
    // Other question types ignore the field.
    const essay = await teacher().post('ques/add', { ...questionFields(1), ques_type: 5, right_answer: '<p>北京</p>' });
    expect((await ofBank(essay.body.data.id)).ignore_case).toBe(0);
  });

  it('is offered to colleagues once public', async () => {
    const { id } = (await teacher().post('ques/add', questionFields(1))).body.data;
    await db().updateTable('question').set({ is_public: 1 }).where('id', '=', id).execute();
    const [shown] = (await school().as('otherTeacher').get(`ques/public/detail/${id}`)).body.data;
    expect(shown.ignore_case).toBe(1);
  });

  it('stays so when published, answered and copied, without telling learners', async () => {
    const { courses, students } = school();
    const published = await teacher().post('hw/publish', {
      course_basis_id: courses.shared,
      publish_scope: 3,
      type: 1,
      name: '大小写',
      remark: '',
      ending_time: noon + day,
      is_set_score: 2,
      question: [
        { id: inBank.any, ques_score: 5 },
        { id: inBank.exact, ques_score: 5 },
        { ...questionFields(1), ques_score: 5 },
        { ...questionFields(), ques_score: 5 },
      ],
    });
    expect(outcomeOf(published)).toEqual([200, '作业发布成功']);
    const { id } = published.body.data;
    const copied = (await teacher().get(`hw/copy/${id}`)).body.data.question;
    expect(copied.map((one: { ignore_case: number }) => one.ignore_case)).toEqual([1, 0, 1, 0]);

    const learner = await learnerOf(school(), students.k2[0] as number);
    const shown = (await learner.get(`homework/${id}`)).body.data;
    expect(JSON.stringify(shown)).not.toContain('ignore_case');
    const answers = copied.map((one: { id: number }) => ({ ques_id: one.id, user_answer: ' BEIJING ' }));
    expect((await learner.post(`homework/${id}/submission`, { answers })).status).toBe(200);
    const marks = await db()
      .selectFrom('answer')
      .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
      .select('answer.score')
      .where('homework_question.homework_id', '=', id)
      .where('answer.user_answer', '<>', '')
      .orderBy('homework_question.sort')
      .execute();
    expect(marks.map(({ score }) => score)).toEqual([50, 0, 50, 0]);
  });

  it('stays so in exam papers, by hand and from a bank', async () => {
    await db().updateTable('question').set({ is_public: 1 }).where('id', '=', inBank.any).execute();
    const exam = await admin().post('exams', {
      name: '大小写',
      introduce: '',
      pass_score: '3',
      limit_minutes: '60',
      attempts: '2',
      start_at: noon - day,
      end_at: noon + day,
      school_ids: [1],
    });
    const { id } = exam.body.data;
    const section_id = (await admin().post(`exams/${id}/sections`, { name: '一', introduce: '' })).body.data.id;
    const byHand = (await admin().post(`exams/${id}/written`, { ...questionFields(1), section_id })).body.data.ids[0];
    const picked = await admin().post(`exams/${id}/questions`, { ids: [inBank.any], section_id });
    const storedQuestion = (questionId: number) =>
      db().selectFrom('exam_question').selectAll().where('id', '=', questionId).executeTakeFirstOrThrow();
    for (const questionId of [byHand, picked.body.data.ids[0]]) {
      const question = await storedQuestion(questionId);
      expect(question.ignore_case).toBe(1);
      expect(scoreExamAnswer({ ...question, score: 50 }, 'bEIJING')).toEqual({ status: 1, score: 50 });
    }
    const { seen, ignore_case } = (await admin().get(`exams/${id}/questions/${byHand}`)).body.data;
    expect(ignore_case).toBe(1);
    expect(outcomeOf(await admin().put(`exams/${id}/questions/${byHand}`, { ...questionFields(0), seen }))).toEqual([
      200,
      '编辑成功',
    ]);
    expect((await storedQuestion(byHand)).ignore_case).toBe(0);
  });
});
