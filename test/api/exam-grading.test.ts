import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { examReportReview } from '#server/grading-desk/exam-review.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { addExam, expectExamSumsToBeRight, submitExamReport } from '../support/exams.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { essayOf } from '../support/paper.ts';
import { QueryKeeper } from '../support/query-plans.ts';
import { noon, type TestSchool } from '../support/school.ts';

const right = ['2', '1', '1,3', '1-3,2-4', '3@@5'];

onBothEnginesAlways('exam grading', (theSchool) => {
  const db = () => theSchool().database.db;
  const makeExam = (more: { passScore?: number; creator?: number; school?: number } = {}) =>
    addExam(db(), { creator: theSchool().people.teacher.id, school: 1, ...more });
  type Made = Awaited<ReturnType<typeof makeExam>>;
  const student = (place: number, of: 'k1' | 'k2' | 'k3' | 'k4' = 'k4') => theSchool().students[of][place] as number;
  const submitAnswers = (exam: Made, place: number, at = noon) =>
    submitExamReport(db(), exam, student(place), [...right, essayOf('答'), '1', essayOf('再答')], { at });
  const open = async (reportId: number, who: keyof TestSchool['people'] = 'teacher', more = '') =>
    theSchool().as(who).get(`testDetail/approved/${reportId}${more}`);
  const save = (body: object, who: keyof TestSchool['people'] = 'teacher') =>
    theSchool()
      .as(who)
      .post('testDetail/approveQuestion', { version: 0, ...body });
  const finish = (report_id: number, more: object = {}, who: keyof TestSchool['people'] = 'teacher') =>
    theSchool()
      .as(who)
      .post('testDetail/approved', { report_id, ...more });
  const essays = (exam: Made) => [exam.questions[5] as number, exam.questions[7] as number] as const;
  async function addWaitingReport(more: Parameters<typeof makeExam>[0] = {}) {
    const exam = await makeExam(more);
    const [essay, part] = essays(exam);
    return { exam, essay, part, reportId: await submitAnswers(exam, 0) };
  }
  async function mark(exam: Made, reportId: number, scores: [number, number] = [20, 20]) {
    for (const [place, question_id] of essays(exam).entries()) {
      expect((await save({ report_id: reportId, question_id, score: scores[place] })).status).toBe(200);
    }
  }

  test('starts with the submission that has waited longest, of a visible exam', async () => {
    const exam = await makeExam();
    const later = await submitAnswers(exam, 0, noon + 60);
    const first = await submitAnswers(exam, 1, noon);
    const start = async (who: keyof TestSchool['people'], test_id: unknown = exam.id) => {
      const { status, body } = await theSchool().as(who).post('testDetail/review/id', { test_id });
      return [status, body.data?.report_id];
    };
    const findListed = async (more = '') => {
      const { list } = (await theSchool().as('teacher').get(`test/list?limit=100${more}`)).body.data;
      return list.find(({ id }: { id: number }) => id === exam.id);
    };
    expect(await start('teacher')).toEqual([200, first]);
    expect(await findListed('&waiting=1')).toMatchObject({ submitted: 2, waiting: 2 });
    for (const reportId of [first, later]) {
      await mark(exam, reportId);
      expect((await finish(reportId)).status).toBe(200);
    }
    expect(await start('teacher')).toEqual([200, null]);
    expect(await findListed()).toMatchObject({ submitted: 2, waiting: 0 });
    expect(await findListed('&waiting=1')).toBeUndefined();
    expect((await start('plainTeacher'))[0]).toBe(403);
    for (const nobody of [999_999, 'abc', null]) expect((await start('teacher', nobody))[0]).toBe(404);
  });

  test('shows the head, the questions with exam type numbers, and the cards with the parts of a material', async () => {
    const { exam, reportId, essay, part } = await addWaitingReport();
    const next = await submitAnswers(exam, 1, noon + 60);
    const { data } = (await open(reportId)).body;
    expect(data.report_info).toMatchObject({
      report_id: reportId,
      exam_id: exam.id,
      test_name: '期中考试',
      test_status: 2,
      answer_time: 600,
      objective_score: 60,
      objective_total_score: 60,
      subjective_score: 0,
      subjective_total_score: 40,
      user_score: 60,
      sum_score: 100,
      pass_score: 60,
      waiting_count: 2,
      submit_time: noon,
    });
    // Stored: single 1, judgement 2, multiple 3, matching 4, fill-in 7. The exam API swaps 2 and 3.
    expect(data.objective_question.map((question: { ques_type: number }) => question.ques_type)).toEqual([
      1, 3, 2, 4, 7, 1,
    ]);
    expect(data.subject_question).toMatchObject([
      { id: essay, ques_type: 5, sort: '6', status: 4, get_score: null, version: 0, answer_content: '答' },
      { id: part, ques_type: 5, sort: '7.2', parent_id: exam.all[6], parent_ques_item: '<p>第7题</p>' },
    ]);
    expect(data.subject_card_info).toEqual([
      { question_id: essay, sort: '6', is_review: 2, status: 4 },
      { question_id: part, sort: '7.2', is_review: 2, status: 4 },
    ]);
    expect(data.objective_card_info.map(({ sort }: { sort: string }) => sort)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '7.1',
    ]);
    expect(data.next_report_id).toBe(next);
    expect((await open(reportId, 'teacher', `?skip=${next}`)).body.data.next_report_id).not.toBe(next);
  });

  test('shows a part with the files of its material and its own', async () => {
    const { exam, reportId, part } = await addWaitingReport();
    const file = (name: string) => [{ name, url: `/files/${name}`, ext: 'pdf' }];
    for (const [id, name] of [
      [exam.all[6], '材料.pdf'],
      [part, '小题.pdf'],
    ] as const) {
      await db()
        .updateTable('exam_question')
        .set({ attachments: JSON.stringify(file(name)) })
        .where('id', '=', id ?? 0)
        .execute();
    }
    const { subject_question } = (await open(reportId)).body.data;
    expect(subject_question[0].attachments).toEqual([]);
    expect(subject_question[1].attachments).toEqual([...file('材料.pdf'), ...file('小题.pdf')]);
  });

  test.each([
    [8.5, 8.5, 5],
    ['２０', 20, 1],
    [0, 0, 2],
  ])('saves %j as %d', async (score, user_score, status) => {
    const { reportId, essay } = await addWaitingReport();
    const answer = await save({ report_id: reportId, question_id: essay, score, remark: '好' });
    expect(answer.body).toMatchObject({ code: 200, msg: '保存成功', data: { user_score, status, version: 1 } });
    const { data } = (await open(reportId)).body;
    expect(data.report_info).toMatchObject({ user_score: 60 + user_score, subjective_score: user_score });
    expect(data.subject_question[0]).toMatchObject({
      get_score: user_score,
      remark: '好',
      reviewer_name: '姓名teacher',
    });
    await expectExamSumsToBeRight(db());
  });

  test.each([
    ['', '请填写本题得分'],
    [undefined, '请填写本题得分'],
    ['八', '得分只能填写数字'],
    [5.55, '得分最多一位小数'],
    [-1, '得分应在0.0到20.0之间'],
    [20.1, '得分应在0.0到20.0之间'],
  ])('refuses %j: %s', async (score, message) => {
    const { reportId, essay } = await addWaitingReport();
    const answer = await save({ report_id: reportId, question_id: essay, score });
    expect([answer.status, answer.body.errors]).toEqual([422, { score: [message] }]);
  });

  test('refuses a comment of 301, a tenth image, and marks of objective, blank and unknown questions', async () => {
    const { exam, reportId, essay } = await addWaitingReport();
    const body = { report_id: reportId, question_id: essay, score: 5 };
    const long = await save({ ...body, remark: '评'.repeat(301) });
    expect([long.status, long.body.errors]).toEqual([422, { remark: ['评语最多300个字'] }]);
    const ten = await save({ ...body, image: Array.from({ length: 10 }, () => '/files/x.png') });
    expect([ten.status, ten.body.errors]).toEqual([422, { image: ['图片最多9张'] }]);
    const objective = await save({ ...body, question_id: exam.questions[0] });
    expect([objective.status, objective.body.msg]).toEqual([409, '客观题由系统评分，不能批改']);
    const unknown = await save({ ...body, question_id: 99_999_999 });
    expect([unknown.status, unknown.body.msg]).toEqual([404, '题目不存在']);
    const blank = await submitExamReport(db(), exam, student(1), right);
    expect((await open(blank)).body.data.report_info.test_status).toBe(3);
    const late = await save({ ...body, report_id: blank });
    expect([late.status, late.body.msg]).toEqual([409, '该答卷已批改完成，不能重复批改']);
  });

  test('keeps drawings and attachments through a later save', async () => {
    const { exam, essay } = await addWaitingReport();
    const reportId = await submitExamReport(db(), exam, student(2), [
      ...right,
      essayOf('', ['/files/a.png', '/files/b.png']),
    ]);
    const file = { name: '批注.png', url: await theSchool().keepPicture(), ext: 'png' };
    const body = { report_id: reportId, question_id: essay };
    const image = [null, { draw: '{"bg":[],"draw":[]}', path: file.url }];
    const gone = { ...file, url: `/files/2026/11/${'a'.repeat(26)}.png` };
    const lost = await save({ ...body, type: 1, review_attachments: [gone] });
    expect([lost.status, lost.body.errors]).toEqual([
      422,
      { review_attachments: ['附件“批注.png”不存在，请重新上传'] },
    ]);
    const nowhere = await save({ ...body, type: 1, image: [null, { draw: '', path: gone.url }] });
    expect([nowhere.status, nowhere.body.errors]).toEqual([422, { image: ['图片不存在，请重新保存标记'] }]);
    expect((await save({ ...body, type: 1, image, review_attachments: [file] })).body.data.status).toBe(4);
    expect((await save({ ...body, version: 1, score: 9 })).status).toBe(200);
    expect((await open(reportId)).body.data.subject_question[0]).toMatchObject({
      answerImages: [
        { url: '/files/a.png', draw: '', path: '' },
        { url: '/files/b.png', ...image[1] },
      ],
      review_attachments: [file],
      get_score: 9,
    });
  });

  test("reports a colleague's simultaneous save, and overwrites it only on confirmation", async () => {
    const { reportId, essay } = await addWaitingReport();
    const body = { report_id: reportId, question_id: essay };
    await save({ ...body, score: 8 }, 'assist');
    const refused = await save({ ...body, score: 3 });
    expect([refused.status, refused.body.msg]).toEqual([409, '该题已由姓名assist批改，得分8.0']);
    expect(refused.body.data).toEqual({ user_score: 8, name: '姓名assist', by_me: 0, version: 1 });
    expect((await save({ ...body, score: 3, version: 1 })).body.data).toMatchObject({ user_score: 3, version: 2 });
    // An identical repeat is saved once.
    expect((await save({ ...body, score: 3, version: 1 })).body.data.version).toBe(2);
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', 'exam_answer')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(rows.map(({ before, after }) => [before, after].map((side) => JSON.parse(side ?? '{}').score))).toEqual([
      [80, 30],
      [null, 80],
    ]);
    await expectExamSumsToBeRight(db());
  });

  test('finishes once when no answer waits; rank and pass follow, and the next submission comes', async () => {
    const exam = await makeExam({ passScore: 800 });
    const reports: number[] = [];
    for (const place of [0, 1, 2]) reports.push(await submitAnswers(exam, place, noon + place));
    const [one, two, three] = reports as [number, number, number];
    const early = await finish(one);
    expect([early.status, early.body.msg]).toEqual([409, '还有题目未批改，不能完成批改']);
    await mark(exam, one, [10, 5]);
    expect((await finish(one, { remark: '评'.repeat(301) })).status).toBe(422);
    const done = await finish(one, { remark: '继续努力' });
    expect(done.body).toMatchObject({ code: 200, data: { ranking: 1, is_pass: 2, next_report_id: two } });
    const twice = await finish(one);
    expect([twice.status, twice.body.msg]).toEqual([409, '该答卷已批改完成，不能重复批改']);
    await mark(exam, two, [20, 20]);
    expect((await finish(two, { skip: [three] })).body.data).toMatchObject({ ranking: 1, is_pass: 1 });
    const { report_info } = (await theSchool().as('teacher').get(`testDetail/report/${one}`)).body.data;
    expect(report_info).toMatchObject({ ranking: 2, user_count: 2, is_pass: 2, comment: '继续努力', user_score: 75 });
    expect((await open(three)).body.data.report_info.waiting_count).toBe(1);
    const history = await db()
      .selectFrom('history')
      .select('id')
      .where('record', '=', 'exam_report')
      .where('record_id', '=', one)
      .execute();
    expect(history).toHaveLength(1);
    await expectExamSumsToBeRight(db());
  });

  test('finishes once for two simultaneous requests, and moves the sums once', async () => {
    const { exam, reportId } = await addWaitingReport();
    await mark(exam, reportId);
    const answers = await Promise.all([finish(reportId), finish(reportId, {}, 'assist')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expectExamSumsToBeRight(db());
  });

  test('loses no point with many graders on one exam', async () => {
    const exam = await makeExam();
    const reports: number[] = [];
    for (const place of [0, 1, 2, 3, 4]) reports.push(await submitAnswers(exam, place, noon + place));
    const saves = reports.flatMap((report_id) =>
      essays(exam).map((question_id) => save({ report_id, question_id, score: 7.5 })),
    );
    expect([...new Set((await Promise.all(saves)).map(({ status }) => status))]).toEqual([200]);
    const ended = await Promise.all(reports.map((report) => finish(report)));
    expect([...new Set(ended.map(({ status }) => status))]).toEqual([200]);
    await expectExamSumsToBeRight(db());
  });

  test('answers "no such record" for exams of others, and requires the permission', async () => {
    const { reportId, essay } = await addWaitingReport();
    const draft = await makeExam({ creator: theSchool().people.otherTeacher.id });
    const theirs = await submitAnswers(draft, 0);
    await db().updateTable('exam').set({ status: 2 }).where('id', '=', draft.id).execute();
    for (const id of [theirs, 99_999_999]) {
      expect((await open(id)).status).toBe(404);
      expect((await save({ report_id: id, question_id: essays(draft)[0], score: 5 })).body.msg).toBe('答卷不存在');
      expect((await finish(id)).status).toBe(404);
    }
    expect((await save({ question_id: essay, score: 5 })).status).toBe(404);
    expect((await open(reportId, 'assist')).status).toBe(200);
    expect((await open(reportId, 'plainTeacher')).status).toBe(403);
    expect((await save({ report_id: reportId, question_id: essay, score: 5 }, 'plainTeacher')).status).toBe(403);
    expect((await finish(reportId, {}, 'plainTeacher')).status).toBe(403);
  });

  test("offers a grader's earlier comments on a question to nobody else", async () => {
    const { exam, reportId, essay } = await addWaitingReport();
    const other = await submitAnswers(exam, 1);
    await save({ report_id: reportId, question_id: essay, score: 5, remark: '步骤完整' });
    const offered = async (who: 'teacher' | 'assist') =>
      (await open(other, who)).body.data.subject_question[0].my_comments;
    expect([await offered('teacher'), await offered('assist')]).toEqual([['步骤完整'], []]);
  });

  test('grades by question in submission order, or in one shuffle for everybody', async () => {
    const exam = await makeExam();
    const reports: number[] = [];
    for (const place of [0, 1, 2, 3]) reports.push(await submitAnswers(exam, place, noon + place));
    const [one, two, three, four] = reports as [number, number, number, number];
    const [essay] = essays(exam);
    const round = async (more: object = {}, who: 'teacher' | 'assist' = 'teacher') =>
      (
        await theSchool()
          .as(who)
          .post('testDetail/approvedQuestion', { report_id: one, question_id: essay, ...more })
      ).body.data;
    const ids = (data: { list: { report_id: number }[] }) => data.list.map(({ report_id }) => report_id);
    await save({ report_id: two, question_id: essay, score: 20 });
    const data = await round();
    expect(ids(data)).toEqual([one, two, three, four]);
    expect(data).toMatchObject({ position: 0, next_report_id: three, finishable_count: 0 });
    expect(data.counts).toEqual({ total: 4, right: 1, wrong: 0, unanswered: 0, waiting: 3, reviewed: 0 });
    expect((await round({ skip: [three] })).next_report_id).toBe(four);
    const shuffled = await round({ order: 'shuffled' });
    expect(ids(shuffled)).toEqual(ids(await round({ order: 'shuffled' }, 'assist')));
    expect(ids(shuffled).toSorted()).toEqual(ids(data).toSorted());
    for (const question_id of [exam.questions[0], 99_999_999]) expect(await round({ question_id })).toBeNull();
  });

  test('finishes all fully marked submissions in one request', async () => {
    const exam = await makeExam();
    const reports: number[] = [];
    for (const place of [0, 1, 2]) reports.push(await submitAnswers(exam, place, noon + place));
    const [one, two, three] = reports as [number, number, number];
    const end = () => theSchool().as('teacher').post('testDetail/approvedAll', { report_id: one });
    const early = await end();
    expect([early.status, early.body.msg]).toEqual([409, '没有可以完成批改的答卷']);
    await mark(exam, one);
    await mark(exam, two, [5, 5]);
    expect((await end()).body.data).toEqual({ count: 2, exam_id: exam.id, next_report_id: three });
    expect((await open(two)).body.data.report_info).toMatchObject({ test_status: 3, waiting_count: 1 });
    await expectExamSumsToBeRight(db());
  });

  test('shows changes to everybody who sees the submission', async () => {
    const { exam, reportId } = await addWaitingReport();
    await mark(exam, reportId, [5, 20]);
    await save({ report_id: reportId, question_id: essays(exam)[0], score: 6, version: 1, remark: '改分' }, 'assist');
    await save({ report_id: reportId, question_id: essays(exam)[0], score: 7, version: 2 });
    await finish(reportId);
    const history = await theSchool().as('plainTeacher').get(`testDetail/approvedHistory/${reportId}`);
    expect(history.body.data).toMatchObject([
      { action: 'finish', name: '姓名teacher', after: 87 },
      // A comment appears with the change that wrote it.
      { action: 'grade', name: '姓名teacher', sort: '6', before: 6, after: 7, comment: null },
      { action: 'grade', name: '姓名assist', sort: '6', before: 5, after: 6, comment: '改分' },
      { action: 'grade', sort: '7.2', before: null, after: 20 },
      { action: 'grade', sort: '6', before: null, after: 5 },
    ]);
    expect((await theSchool().as('teacher').get('testDetail/approvedHistory/99999999')).status).toBe(404);
  });

  test('finds equal answers and comments by index, without a full scan', async () => {
    const { database, people } = theSchool();
    // PostgreSQL's planner chooses by table size, and these tables are small.
    if (database.engine === 'postgres') return;
    const { reportId } = await addWaitingReport();
    const keeper = new QueryKeeper(database);
    const actor = { ...people.teacher, identity: 'teacher', schoolId: 1 } as unknown as Actor;
    await examReportReview(db().withPlugin(keeper), actor, { reportId, skip: [], now: noon });
    const indexOf = async (words: string) => {
      const query = [...keeper.kept.values()].find((one) => one.sql.includes(words));
      const plan = CompiledQuery.raw(`explain query plan ${query?.sql}`, [...(query?.parameters ?? [])]);
      return JSON.stringify((await db().executeQuery(plan)).rows);
    };
    expect(await indexOf('"exam_answer"."answer_key", count(*)')).toContain('exam_answer_same');
    expect(await indexOf('"review_comment", count(*)')).toContain('exam_answer_comment');
  });

  test('lists equal answers by name, grades them together, and undoes that', async () => {
    const exam = await makeExam();
    const text = (place: number) => (place === 3 ? '别的' : ' 相同的答案 ');
    const reports: number[] = [];
    for (const place of [0, 1, 2, 3]) {
      const answers = [...right, essayOf(text(place)), '1', essayOf(`各自${place}`)];
      reports.push(await submitExamReport(db(), exam, student(place), answers, { at: noon + place }));
    }
    const [one, two, three] = reports as [number, number, number];
    const [essay] = essays(exam);
    const ask = (call: string, body: object, who: 'teacher' | 'assist' = 'teacher') =>
      theSchool().as(who).post(`testDetail/${call}`, body);
    const counts = async () =>
      (await open(one)).body.data.subject_question.map(({ same_count }: { same_count: number }) => same_count);
    expect(await counts()).toEqual([2, 0]);
    const answers = (await ask('approvedSame', { report_id: one, question_id: essay })).body.data;
    expect(answers.map(({ report_id }: { report_id: number }) => report_id)).toEqual([two, three]);
    const body = { report_id: one, question_id: essay, version: 0, score: 21, answers };
    const high = await ask('approveSame', body);
    expect([high.status, high.body.errors]).toEqual([422, { score: ['得分应在0.0到20.0之间'] }]);
    const twice = await ask('approveSame', { ...body, score: 12, answers: [...answers, answers[0]] });
    expect([twice.status, twice.body.errors]).toEqual([422, { answers: ['同一份答案只能选择一次'] }]);
    const done = await ask('approveSame', { ...body, score: 12, remark: '好' });
    expect(done.body.data.count).toBe(3);
    for (const report of [one, two, three]) {
      const { report_info, subject_question } = (await open(report)).body.data;
      expect([report_info.user_score, subject_question[0].get_score, subject_question[0].remark]).toEqual([
        72,
        12,
        '好',
      ]);
    }
    await expectExamSumsToBeRight(db());
    const again = await ask('approveSame', { ...body, score: 12 });
    expect([again.status, again.body.msg.includes('已被批改或不再相同')]).toEqual([409, true]);
    await save({ report_id: three, question_id: essay, score: 20, version: 1 }, 'assist');
    const { batch_id } = done.body.data;
    expect((await ask('undoSame', { batch_id }, 'assist')).status).toBe(404);
    // Homework calls do not know a batch of an exam.
    expect((await theSchool().as('teacher').post('hw/review/undoSame', { batch_id })).status).toBe(404);
    const undone = (await ask('undoSame', { batch_id })).body.data;
    expect([undone.undone, undone.kept.length]).toEqual([2, 1]);
    expect(await counts()).toEqual([1, 0]);
    expect((await ask('undoSame', { batch_id })).status).toBe(409);
    await expectExamSumsToBeRight(db());
  });
});
