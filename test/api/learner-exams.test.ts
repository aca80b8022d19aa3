import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handInOverdue } from '#server/exams/overdue-attempts.ts';
import { recountExam } from '#server/exams/recount.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { addExam } from '../support/exams.ts';
import { type LearnerClient, learnerClient } from '../support/learner.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { type Answer, noon } from '../support/school.ts';

const outcomeOf = ({ status, body }: Answer) => [status, body.msg];
const minute = 60;

onBothEnginesAlways('exam of learners', (school) => {
  let exam: Awaited<ReturnType<typeof addExam>>;
  let token: string;
  const db = () => school().database.db;
  const uid = () => school().students.k1[0] as number;

  beforeAll(async () => {
    ({ token } = await issueServiceToken(db(), { name: '学习端', now: noon }));
  });

  /** One student on one device. */
  const device = (student = uid()): Pick<LearnerClient, 'get' | 'post'> => {
    const client = learnerClient(school(), token);
    return {
      get: (path, headers) => client.get(`exams/${exam.id}${path}?uid=${student}`, headers),
      post: (path, body = {}) => client.post(`exams/${exam.id}/${path}`, { uid: student, ...body }),
    };
  };
  const set = (change: object) => db().updateTable('exam').set(change).where('id', '=', exam.id).execute();
  const attempt = (student = uid()) =>
    db()
      .selectFrom('exam_attempt')
      .selectAll()
      .where('exam_id', '=', exam.id)
      .where('student_id', '=', student)
      .orderBy('id', 'desc')
      .executeTakeFirst();
  const answer = (place: number, user_answer: unknown, serial = 0) => ({
    ques_id: exam.questions[place],
    user_answer,
    serial,
  });
  const savedAnswers = async (reportId: number) => {
    const rows = await db()
      .selectFrom('exam_answer')
      .select(['question_id', 'user_answer'])
      .where('report_id', '=', reportId)
      .execute();
    return exam.questions.map((id) => rows.find(({ question_id }) => question_id === id)?.user_answer);
  };

  beforeEach(async () => {
    const { school_id } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid())
      .executeTakeFirstOrThrow();
    exam = await addExam(db(), { creator: school().people.teacher.id, school: school_id, limit: 60 * minute });
    await set({ attempts: 1, published_at: noon, end_at: noon + 180 * minute });
  });

  it("starts once by the server's clock, and continues on another device", async () => {
    const before = (await device().get('')).body.data;
    expect(before).toMatchObject({ state: 'running', attempt: null, paper: null, handed_in: 0, result: null });
    expect(outcomeOf(await device().post('answers', { answers: [answer(0, [2])] }))).toEqual([409, '请先开始考试']);
    const begun = await device().post('start');
    expect(outcomeOf(begun)).toEqual([200, '考试已开始']);
    expect(begun.body.data).toMatchObject({ started_at: noon, ends_at: noon + 60 * minute, now: noon });
    school().setNow(noon + minute);
    const again = (await device().post('start')).body.data;
    expect(again).toEqual({ ...begun.body.data, now: noon + minute });
    await device().post('answers', { answers: [answer(0, [2])] });
    const other = (await device().get('')).body.data;
    expect(other.attempt).toEqual({ started_at: noon, ends_at: noon + 60 * minute });
    expect(other.answers).toMatchObject([{ ques_id: exam.questions[0], user_answer: '2', saved_at: noon + minute }]);
    expect(other.paper[0].questions).toHaveLength(exam.questions.length);
    expect(other.paper[0].questions[3].ques_option[0]).toMatchObject({ id: 1, side: 'left', label: '1' });
  });

  it('starts once for two simultaneous devices', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => device().post('start')));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.map(({ body }) => body.data.attempt_id)).size).toBe(1);
  });

  it('starts for a whole class at once, and refuses each learner without access', async () => {
    const [first = 0, second = 0, handedIn = 0, late = 0] = school().students.k4;
    const { id: elsewhere } = await db()
      .insertInto('school')
      .values({ org_name: '外校', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const stranger = uid();
    const { school_id } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', stranger)
      .executeTakeFirstOrThrow();
    const move = (to: number) =>
      db().updateTable('student').set({ school_id: to }).where('id', '=', stranger).execute();
    await set({ limit_time: 10 * minute, attempts: 2 });
    for (const one of [handedIn, late]) await device(one).post('start');
    await device(handedIn).post('submission', { confirm_blank: 1 });
    school().setNow(noon + 11 * minute);
    await set({ attempts: 1 });
    await move(elsewhere);
    try {
      const all = await Promise.all(
        [first, stranger, handedIn, late, first, second].map((one) => device(one).post('start')),
      );
      expect(all.map(outcomeOf)).toEqual([
        [200, '考试已开始'],
        [404, '考试不存在'],
        [409, '该考试只能提交1次'],
        [409, '该考试只能提交1次'],
        [200, '考试已开始'],
        [200, '考试已开始'],
      ]);
      expect(all[0]?.body.data).toEqual(all[4]?.body.data);
      expect(all[5]?.body.data).toMatchObject({ started_at: noon + 11 * minute, ends_at: noon + 21 * minute });
      // Before the new start was refused, the overdue attempt was handed in.
      expect(await attempt(late)).toMatchObject({ handed_in_at: noon + 10 * minute, by_server: 1 });
    } finally {
      await move(school_id);
      for (const one of [first, second]) await device(one).post('submission', { confirm_blank: 1 });
    }
  });

  it('signs in a class at once, each with an own token, and no disabled learner', async () => {
    const students = school().students.k4;
    const application = learnerClient(school(), token);
    const [disabled = 0] = students;
    const setDisabled = (disabled_at: number | null) =>
      db().updateTable('student').set({ disabled_at }).where('id', '=', disabled).execute();
    await setDisabled(noon);
    const all = await Promise.all([...students, 999_999].map((one) => application.post('session', { uid: one })));
    await setDisabled(null);
    expect(all.map(({ status }) => status)).toEqual([403, ...students.slice(1).map(() => 200), 404]);
    const learners = all
      .filter(({ status }) => status === 200)
      .map(({ body }) => learnerClient(school(), body.data.token));
    const ended = learners.pop() as LearnerClient;
    await ended.post('session/end');
    const asked = await Promise.all([...learners, ended].map((learner) => learner.get('me')));
    expect(asked.map(({ body }) => body.data?.uid ?? body.msg)).toEqual([...students.slice(1, -1), '应用令牌无效']);
  });

  it("keeps a device's latest write in any order of arrival, and reports it", async () => {
    await device().post('start');
    await device().post('answers', { answers: [answer(0, [3], 20), answer(4, '3@@', 20)] });
    expect((await device().post('answers', { answers: [answer(0, [1], 10)] })).status).toBe(409);
    await device().post('answers', { answers: [answer(4, '3@@5', 21)] });
    const { answers } = (await device().get('')).body.data;
    expect(answers.map(({ user_answer }: { user_answer: string }) => user_answer)).toEqual(['3', '3@@5']);
    const wrong = await device().post('answers', { answers: [{ ques_id: 999_999, user_answer: '1' }] });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { 'answers.0': ['答案与考试题目不符'] }]);
  });

  it('hands in saved and submitted answers, and the same again on repeat', async () => {
    await device().post('start');
    await device().post('answers', { answers: [answer(0, [2], 1)] });
    school().setNow(noon + 10 * minute);
    const handed = await device().post('submission', { answers: [answer(1, [1], 2)] });
    expect(outcomeOf(handed)).toEqual([200, '交卷成功']);
    expect(handed.body.data).toMatchObject({ test_status: 3, submit_time: noon + 10 * minute, by_server: 0 });
    const { report_id } = handed.body.data;
    expect((await savedAnswers(report_id)).slice(0, 3)).toEqual(['2', '1', '']);
    expect((await device().post('submission', { answers: [answer(1, [1], 2)] })).body.data).toEqual(handed.body.data);
    expect((await device().post('submission')).body.data).toEqual(handed.body.data);
    const other = await device().post('submission', { answers: [answer(1, [2], 3)] });
    expect(outcomeOf(other)).toEqual([409, '该考试已交卷，不能重复提交']);
    expect(outcomeOf(await device().post('answers', { answers: [] }))).toEqual([409, '该考试已交卷，不能重复提交']);
    expect(outcomeOf(await device().post('start'))).toEqual([409, '该考试只能提交1次']);
    const { id = 0 } = (await attempt()) ?? {};
    const left = db().selectFrom('exam_attempt_answer').select('attempt_id').where('attempt_id', '=', id);
    expect(await left.execute()).toEqual([]);
    const report = await db()
      .selectFrom('exam_report')
      .selectAll()
      .where('id', '=', report_id)
      .executeTakeFirstOrThrow();
    expect(report).toMatchObject({ answer_time: 10 * minute, user_score: 150, is_effective: 1 });
  });

  it('costs two statements per poll, and six per single save besides begin and commit', async () => {
    const { token: own } = (await learnerClient(school(), token).post('session', { uid: uid() })).body.data;
    const learner = learnerClient(school(), own);
    await learner.post(`exams/${exam.id}/start`);
    for (const path of ['exams', `exams/${exam.id}`]) {
      const etag = (await learner.get(path)).headers.get('etag') ?? '';
      const poll = () => learner.get(path, { 'if-none-match': etag });
      // The first request in a while also reads the school's settings.
      await poll();
      const polled = await school().costOf(poll);
      expect(polled.queries).toBeLessThanOrEqual(2);
    }
    const saveTwo = () => learner.post(`exams/${exam.id}/answers`, { answers: [answer(0, [2]), answer(1, [1])] });
    expect((await school().costOf(saveTwo)).queries).toBeLessThanOrEqual(6);
  });

  it("saves a whole class's answers at once, and refuses each wrong one", async () => {
    const students = school().students.k4;
    for (const one of students) await device(one).post('start');
    const save = (some: readonly number[], serial: number) =>
      Promise.all(some.map((one) => device(one).post('answers', { answers: [answer(0, [(one % 3) + 1], serial)] })));
    const all = await save(students, 1);
    expect(all.map(({ status }) => status)).toEqual(students.map(() => 200));
    const kept = await db()
      .selectFrom('exam_attempt_answer')
      .innerJoin('exam_attempt', 'exam_attempt.id', 'exam_attempt_answer.attempt_id')
      .select(['student_id', 'user_answer', 'saves'])
      .where('exam_id', '=', exam.id)
      .orderBy('student_id')
      .execute();
    const expected = students.toSorted((one, next) => one - next);
    expect(kept).toEqual(expected.map((one) => ({ student_id: one, user_answer: `${(one % 3) + 1}`, saves: 1 })));
    // Each wrong request gets its own answer, and the others are saved.
    const [first = 0, second = 0, third = 0] = students;
    const stranger = school().students.k1[0] as number;
    const mixed = await Promise.all([
      device(first).post('answers', { answers: [answer(1, [1], 2)] }),
      device(second).post('answers', { answers: [{ ques_id: 999_999, user_answer: '1' }] }),
      device(stranger).post('answers', { answers: [answer(1, [1], 2)] }),
      device(third).post('submission', { answers: [answer(1, [1], 2)] }),
      // Different questions, since the order of the two is undefined.
      device(first).post('answers', { answers: [answer(2, [2], 3)] }),
    ]);
    expect(mixed.map(outcomeOf)).toEqual([
      [200, '已保存'],
      [422, '答案与考试题目不符'],
      [409, '请先开始考试'],
      [200, '交卷成功'],
      [200, '已保存'],
    ]);
    const { answers } = (await device(first).get('')).body.data;
    expect(answers.map(({ user_answer }: { user_answer: string }) => user_answer)).toEqual([
      `${(first % 3) + 1}`,
      '1',
      '2',
    ]);
  });

  it('counts simultaneous submissions', async () => {
    const students = school().students.k4.slice(0, 4);
    for (const one of students) await device(one).post('start');
    const body = { answers: [answer(0, [1]), answer(5, { content: '解' })] };
    const all = await Promise.all([...students, ...students].map((one) => device(one).post('submission', body)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const figures = await db().selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).execute();
    expect(figures).toMatchObject([{ student_count: 4, submitted_count: 4, graded_count: 0, answer_time_sum: 0 }]);
  });

  it.each([
    ['their own time', { attempts: 1 }, noon + 60 * minute],
    ['the end of the exam', { end_at: noon + 30 * minute }, noon + 30 * minute],
  ])('is handed in by the server at %s, in any process', async (_, change, end) => {
    await set(change);
    await device().post('start');
    await device().post('answers', { answers: [answer(0, [2])] });
    school().setNow(end - 1);
    expect((await device().post('answers', { answers: [answer(1, [1])] })).status).toBe(200);
    expect((await handInOverdue(db(), end - 1)).handedIn).toBe(0);
    school().setNow(end);
    const late = await device().post('answers', { answers: [answer(2, [1])] });
    expect(outcomeOf(late)).toEqual([409, '考试时间已到，由系统按已保存的答案交卷']);
    // The server runs again hours later, as after an outage.
    school().setNow(end + 600 * minute);
    const runs = await Promise.all([handInOverdue(db(), end + 600 * minute), handInOverdue(db(), end + 600 * minute)]);
    expect(runs.reduce((sum, { handedIn }) => sum + handedIn, 0)).toBeGreaterThanOrEqual(1);
    const { by_server, handed_in_at, report_id } = (await attempt()) ?? {};
    expect([by_server, handed_in_at]).toEqual([1, end]);
    expect((await savedAnswers(report_id ?? 0)).slice(0, 3)).toEqual(['2', '1', '']);
    expect(await handInOverdue(db(), end + 600 * minute)).toEqual({ handedIn: 0, failed: 0 });
  });

  it("is handed in by the student's first request after the time is up", async () => {
    await set({ attempts: 2 });
    for (const look of ['exams', `exams/${exam.id}`]) {
      await device().post('start');
      await device().post('answers', { answers: [answer(0, [2])] });
      const { ends_at } = (await device().get('')).body.data.attempt;
      school().setNow(ends_at + 1);
      const seen = (await learnerClient(school(), token).get(`${look}?uid=${uid()}&limit=200`)).body.data;
      const row = seen.list?.find(({ id }: { id: number }) => id === exam.id) ?? seen;
      expect(row).toMatchObject({ attempt: null, may_go_on: 0, result: { submit_time: expect.any(Number) } });
      expect(await attempt()).toMatchObject({ handed_in_at: ends_at, by_server: 1 });
    }
    expect((await device().get('')).body.data.handed_in).toBe(2);
  });

  it('continues from the automatic submission when its end is moved', async () => {
    const figures = async () => [
      await db().selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).execute(),
      await db().selectFrom('exam_score').selectAll().where('exam_id', '=', exam.id).execute(),
      await db()
        .selectFrom('exam_question_figures')
        .selectAll()
        .where('question_id', 'in', exam.questions as [number])
        .orderBy('question_id')
        .execute(),
      await db()
        .selectFrom('exam_wrong_option')
        .selectAll()
        .where('question_id', 'in', exam.questions as [number])
        .execute(),
    ];
    await set({ limit_time: 60 * minute, end_at: noon + 30 * minute });
    const other = school().students.k1[1] as number;
    await device(other).post('start');
    await device(other).post('submission', { answers: [answer(0, [1])] });
    await device().post('start');
    await device().post('answers', { answers: [answer(0, [1]), answer(1, [1])] });
    school().setNow(noon + 31 * minute);
    await handInOverdue(db(), noon + 31 * minute);
    expect((await device().get('')).body.data).toMatchObject({ state: 'closed', handed_in: 1, may_go_on: 0 });
    await set({ end_at: noon + 50 * minute });
    expect((await device().get('')).body.data).toMatchObject({ attempt: null, handed_in: 1, may_go_on: 1 });
    const begun = await Promise.all([device().post('start'), device().post('start')]);
    expect(begun.map(outcomeOf)).toEqual([
      [200, '考试已开始'],
      [200, '考试已开始'],
    ]);
    expect(begun[0]?.body.data).toMatchObject({ started_at: noon, ends_at: noon + 50 * minute });
    const going = (await device().get('')).body.data;
    expect(going).toMatchObject({ handed_in: 0, may_go_on: 0, result: null });
    expect(going.answers.map((one: { user_answer: string }) => one.user_answer)).toEqual(['1', '1']);
    await device().post('answers', { answers: [answer(0, [2])] });
    expect(outcomeOf(await device().post('submission'))).toEqual([200, '交卷成功']);
    expect((await device().get('')).body.data).toMatchObject({ handed_in: 1, may_go_on: 0 });
    const moved = await figures();
    await recountExam(db(), exam.id);
    expect(await figures()).toEqual(moved);
    // Learners who handed in themselves do not continue.
    expect(outcomeOf(await device().post('start'))).toEqual([409, '该考试只能提交1次']);
    expect(outcomeOf(await device(other).post('start'))).toEqual([409, '该考试只能提交1次']);
  });

  describe('exam continued after the automatic submission', () => {
    const essay = (content: string) => answer(5, { content });
    const teacher = () => school().as('teacher');
    const mark = (report_id: number, score: number) =>
      teacher().post('testDetail/approveQuestion', {
        report_id,
        question_id: exam.questions[5],
        type: 2,
        score,
        version: 0,
        remark: '条理清楚',
      });
    const finish = (report_id: number) => teacher().post('testDetail/approved', { report_id });
    const essayOf = (reportId: number) =>
      db()
        .selectFrom('exam_answer')
        .selectAll()
        .where('report_id', '=', reportId)
        .where('question_id', '=', exam.questions[5] as number)
        .executeTakeFirstOrThrow();
    const handedInByServer = async () => {
      await set({ limit_time: 60 * minute, end_at: noon + 30 * minute });
      await device().post('start');
      await device().post('answers', { answers: [answer(0, [1]), essay('解')] });
      school().setNow(noon + 31 * minute);
      await handInOverdue(db(), noon + 31 * minute);
      return (await attempt())?.report_id ?? 0;
    };
    const goOn = async () => {
      await set({ end_at: noon + 50 * minute });
      expect(outcomeOf(await device().post('start'))).toEqual([200, '考试已开始']);
    };
    const figures = () =>
      db().selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id).executeTakeFirstOrThrow();

    it('keeps its report and the marks of unchanged answers', async () => {
      const reportId = await handedInByServer();
      expect((await mark(reportId, 3)).status).toBe(200);
      const { id } = await essayOf(reportId);
      await goOn();
      expect(outcomeOf(await finish(reportId))).toEqual([409, '考试已延长，学员正在继续作答，交卷后才能完成批改']);
      expect((await teacher().post('testDetail/approvedAll', { report_id: reportId })).status).toBe(409);
      await device().post('answers', { answers: [answer(0, [2])] });
      const again = await device().post('submission');
      expect(again.body.data).toMatchObject({ report_id: reportId, test_status: 3 });
      expect(await essayOf(reportId)).toMatchObject({ id, score: 30, review_comment: '条理清楚', status: 5 });
      const { user_score, subjective_score } = await db()
        .selectFrom('exam_report')
        .selectAll()
        .where('id', '=', reportId)
        .executeTakeFirstOrThrow();
      expect(subjective_score).toBe(30);
      const moved = await figures();
      expect(moved).toMatchObject({ submitted_count: 1, graded_count: 1, score_sum: user_score });
      await recountExam(db(), exam.id);
      expect(await figures()).toEqual(moved);
    });

    it('keeps the mark of a changed answer in the history', async () => {
      const reportId = await handedInByServer();
      await mark(reportId, 3);
      await finish(reportId);
      expect(await figures()).toMatchObject({ graded_count: 1 });
      const { id } = await essayOf(reportId);
      await goOn();
      const moreText = [{ ...essay('解：完整的解答'), version: 2 }];
      expect(outcomeOf(await device().post('submission', { answers: moreText }))).toEqual([200, '交卷成功']);
      expect(await essayOf(reportId)).toMatchObject({
        id,
        score: null,
        status: 4,
        review_comment: '',
        reviewed_by: null,
      });
      const history = await db()
        .selectFrom('history')
        .select(['record', 'record_id', 'before', 'after'])
        .where('action', '=', 'resubmit')
        .where((eb) =>
          eb.or([
            eb.and([eb('record', '=', 'exam_answer'), eb('record_id', '=', id)]),
            eb.and([eb('record', '=', 'exam_report'), eb('record_id', '=', reportId)]),
          ]),
        )
        .orderBy('id')
        .execute();
      expect(
        history.map(({ record, before, after }) => [record, JSON.parse(before ?? ''), JSON.parse(after ?? '')]),
      ).toEqual([
        ['exam_answer', expect.objectContaining({ score: 30, comment: '条理清楚' }), { status: 4, score: null }],
        ['exam_report', expect.objectContaining({ test_status: 3 }), expect.objectContaining({ test_status: 2 })],
      ]);
      const moved = await figures();
      expect(moved).toMatchObject({ submitted_count: 1, graded_count: 0, score_sum: 0 });
      await recountExam(db(), exam.id);
      expect(await figures()).toEqual(moved);
    });

    it('keeps what another device has saved next to an answer', async () => {
      await set({ limit_time: 60 * minute, end_at: noon + 30 * minute });
      await device().post('start');
      await device().post('answers', { answers: [answer(0, [1])] });
      const own = async () =>
        (await learnerClient(school(), token).post('session', { uid: uid() })).body.data.token as string;
      const other = learnerClient(school(), await own());
      const stale = { answers: [{ ques_id: exam.questions[0], user_answer: [2], version: 0 }] };
      expect((await other.post(`exams/${exam.id}/answers`, stale)).status).toBe(409);
      school().setNow(noon + 31 * minute);
      await handInOverdue(db(), noon + 31 * minute);
      await goOn();
      const { answers } = (await device().get('')).body.data;
      expect(answers).toMatchObject([{ user_answer: '1', aside: [{ user_answer: '2' }] }]);
      await device().post('submission');
    });
  });

  it("never exceeds the learner's own time limit, however far its end is moved", async () => {
    await set({ limit_time: 10 * minute, end_at: noon + 10 * minute });
    await device().post('start');
    await handInOverdue(db(), noon + 10 * minute);
    await set({ end_at: noon + 90 * minute });
    school().setNow(noon + 11 * minute);
    expect((await device().get('')).body.data.may_go_on).toBe(0);
    expect(outcomeOf(await device().post('start'))).toEqual([409, '该考试只能提交1次']);
  });

  it('asks once for confirmation of blank answers', async () => {
    await device().post('start');
    await device().post('answers', { answers: [answer(0, null), answer(4, '@@ '), answer(5, { content: ' ' })] });
    const ask = (answers: object[] = []) => device().post('submission', { answers, confirm_blank: 0 });
    const asked = await ask();
    expect([asked.status, asked.body.msg, Object.keys(asked.body.errors)]).toEqual([
      422,
      `您还有${exam.questions.length}题未作答，确定提交？`,
      ['confirm_blank'],
    ]);
    // Answers of the refused submission are saved, and need not be sent again.
    const partly = await ask([answer(0, [1]), answer(4, '3@@')]);
    expect([partly.status, partly.body.msg, partly.body.errors]).toEqual([
      422,
      `您还有${exam.questions.length - 2}题未作答，确定提交？`,
      { confirm_blank: ['未作答：第2、3、4、6、7.1、7.2题'] },
    ]);
    expect(await attempt()).toMatchObject({ handed_in_at: null });
    expect(outcomeOf(await device().post('submission', { confirm_blank: 1 }))).toEqual([200, '交卷成功']);
  });

  it.each([
    [0, '7', '没有这个选项'],
    [0, 'A', '没有这个选项'],
    [0, [1, 2], '该题只能选择一项'],
    [0, '-1', '没有这个选项'],
    [0, '1.5', '没有这个选项'],
    [3, '1-2', '没有这个选项'],
    [3, '5-1', '没有这个选项'],
  ])('refuses an answer outside the options of question %i: %s', async (place, given, sentence) => {
    await device().post('start');
    const body = { answers: [answer(1, [1]), answer(place, given)] };
    for (const path of ['answers', 'submission']) {
      const refused = await device().post(path, body);
      expect([refused.status, refused.body.errors]).toEqual([422, { 'answers.1': [sentence] }]);
    }
    for (const fine of [' 2 ', '２']) {
      expect((await device().post('answers', { answers: [answer(0, fine)] })).status).toBe(200);
    }
  });

  it('tells late submitters what was handed in for them', async () => {
    await device().post('start');
    await device().post('answers', { answers: [answer(0, [2])] });
    school().setNow(noon + 61 * minute);
    const late = await device().post('submission', { answers: [answer(1, [1])] });
    expect(outcomeOf(late)).toEqual([409, '考试时间已到，由系统按已保存的答案交卷']);
    expect(late.body.data).toMatchObject({ by_server: 1, submit_time: noon + 60 * minute });
    expect((await savedAnswers(late.body.data.report_id)).slice(0, 2)).toEqual(['2', '']);
  });

  it('is listed again and sends an event after the automatic submission, however late', async () => {
    await device().post('start');
    const later = await addExam(db(), { creator: school().people.teacher.id, school: 1 });
    const published = { published_at: noon + 100 * minute };
    await db().updateTable('exam').set(published).where('id', '=', later.id).execute();
    school().setNow(noon + 200 * minute);
    const client = learnerClient(school(), token);
    const { since } = (await client.get(`exams?uid=${uid()}&limit=200`)).body.data;
    await handInOverdue(db(), noon + 200 * minute);
    const { list } = (await client.get(`exams?uid=${uid()}&limit=200&since=${since}`)).body.data;
    expect(list.find(({ id }: { id: number }) => id === exam.id)).toMatchObject({
      handed_in: 1,
      result: { submit_time: noon + 60 * minute },
    });
    const told = db().selectFrom('learner_event').select('at').orderBy('id', 'desc').limit(1);
    expect(await told.executeTakeFirst()).toEqual({ at: noon + 200 * minute });
  });

  it('is listed again after a submission that does not count', async () => {
    await set({ attempts: 2 });
    await device().post('start');
    await device().post('submission', { answers: [answer(0, [2])] });
    await device().post('start');
    school().setNow(noon + 10 * minute);
    const client = learnerClient(school(), token);
    const { since } = (await client.get(`exams?uid=${uid()}&limit=200`)).body.data;
    await device().post('submission', { answers: [answer(0, [1])] });
    const { list } = (await client.get(`exams?uid=${uid()}&limit=200&since=${since}`)).body.data;
    expect(list.find(({ id }: { id: number }) => id === exam.id)).toMatchObject({
      handed_in: 2,
      attempt: null,
      result: { submit_time: noon },
    });
  });

  it('lasts longer when extended, and ends when closed', async () => {
    await set({ limit_time: 0, end_at: noon + 30 * minute });
    await device().post('start');
    await set({ end_at: noon + 50 * minute });
    school().setNow(noon + 40 * minute);
    expect((await device().post('answers', { answers: [answer(0, [2])] })).body.data.ends_at).toBe(noon + 50 * minute);
    await set({ end_at: noon + 40 * minute });
    expect((await handInOverdue(db(), noon + 40 * minute)).handedIn).toBe(1);
    expect((await device().get('')).body.data).toMatchObject({ state: 'closed', attempt: null, handed_in: 1 });
  });

  it('is open within its window, and to its schools', async () => {
    await set({ start_at: noon + minute });
    expect(outcomeOf(await device().post('start'))).toEqual([409, '该考试尚未开始，不能作答']);
    await set({ start_at: null, end_at: noon });
    expect(outcomeOf(await device().post('start'))).toEqual([409, '该考试已结束，不能作答']);
    await set({ status: 2, end_at: null });
    expect(outcomeOf(await device().post('start'))).toEqual([404, '考试不存在']);
    const { id } = await db()
      .insertInto('school')
      .values({ org_name: '分校', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { school_id: own } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid())
      .executeTakeFirstOrThrow();
    await set({ status: 1, school_id: id });
    expect(outcomeOf(await device().get(''))).toEqual([404, '考试不存在']);
    expect(outcomeOf(await device().post('submission'))).toEqual([404, '考试不存在']);
    await db().insertInto('exam_school').values({ exam_id: exam.id, school_id: own }).execute();
    expect((await device().get('')).status).toBe(200);
  });

  it('cannot be withdrawn during an attempt', async () => {
    await set({ creator_id: school().people.admin.id });
    await device().post('start');
    const refused = await school().as('admin').post(`exams/${exam.id}/withdraw`, { acknowledged: '' });
    expect(outcomeOf(refused)).toEqual([409, '有1名学员正在作答，不能撤回']);
  });

  it('is listed after changes, and answers 304 otherwise', async () => {
    const client = learnerClient(school(), token);
    const list = async (since = '') => (await client.get(`exams?uid=${uid()}&limit=200&since=${since}`)).body.data;
    const findExam = async (since?: string) =>
      (await list(since)).list.find(({ id }: { id: number }) => id === exam.id);
    expect(await findExam()).toMatchObject({ state: 'running', attempt: null, result: null });
    const tagOf = async () => (await device().get('')).headers.get('etag') ?? '';
    const tags = [await tagOf()];
    expect((await device().get('', { 'if-none-match': tags[0] as string })).status).toBe(304);
    school().setNow(noon + 31);
    const { since } = await list();
    expect(await findExam(since)).toBeUndefined();
    await device().post('start');
    expect(await findExam(since)).toMatchObject({ attempt: { started_at: noon + 31 } });
    tags.push(await tagOf());
    for (const text of ['1', '2']) {
      await device().post('answers', { answers: [answer(0, text)] });
      tags.push(await tagOf());
    }
    await device().post('submission');
    tags.push(await tagOf());
    expect(await findExam(since)).toMatchObject({
      attempt: null,
      handed_in: 1,
      result: { user_score: 10, is_pass: 0 },
    });
    school().setNow(noon + 180 * minute);
    tags.push(await tagOf());
    expect(new Set(tags).size).toBe(tags.length);
    await set({ status: 2, changed_at: noon + 180 * minute });
    expect(await findExam()).toBeUndefined();
    expect(await findExam(since)).toMatchObject({ state: 'withdrawn' });
  });

  describe('exam results', () => {
    const submit = async () => {
      await device().post('start');
      await device().post('answers', { answers: [answer(0, [2]), answer(5, '我的解')] });
      return (await device().post('submission')).body.data.report_id as number;
    };

    it('show right answers once reviewed and no longer taken by anybody', async () => {
      const reportId = await submit();
      expect((await device().get('')).body.data.result).toMatchObject({ test_status: 2, user_score: null });
      await db()
        .updateTable('exam_report')
        .set({ test_status: 3, user_score: 300, comment: '继续努力' })
        .where('id', '=', reportId)
        .execute();
      const reviewed = (await device().get('')).body.data;
      expect(reviewed).toMatchObject({ paper: null, comment: '继续努力', result: { user_score: 30, is_pass: 0 } });
      school().setNow(noon + 180 * minute);
      const closed = (await device().get('')).body.data;
      const [first, , , , , essay] = closed.paper[0].questions;
      expect(first.result).toMatchObject({ status: 1, user_score: 10, user_answer: '2', right_answer: '2' });
      expect(essay.result).toMatchObject({ answer_content: '我的解', answer_html: '略' });
    });

    it('never show right answers for a repeatable exam without end', async () => {
      await set({ end_at: null, attempts: 0 });
      const id = await submit();
      await db().updateTable('exam_report').set({ test_status: 3 }).where('id', '=', id).execute();
      expect((await device().get('')).body.data).toMatchObject({ paper: null, result: { test_status: 3 } });
    });

    it('wait for the last attempt of an exam without end', async () => {
      await set({ end_at: null, attempts: 2 });
      const reviewed = (id: number) =>
        db().updateTable('exam_report').set({ test_status: 3 }).where('id', '=', id).execute();
      await reviewed(await submit());
      expect((await device().get('')).body.data.paper).toBeNull();
      await reviewed(await submit());
      expect((await device().get('')).body.data.paper).not.toBeNull();
    });
  });

  it('contain no right answers until then', async () => {
    await device().post('start');
    const taking = await device().get('');
    expect(JSON.stringify(taking.body)).not.toMatch(/is_right|right_answer|analysis|answer_html|略/);
  });
});
