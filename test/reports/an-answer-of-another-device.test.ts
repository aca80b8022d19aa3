/** Two devices write one exam attempt, and the clock of one is wrong. */
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { addExam } from '../support/exams.ts';
import { type LearnerClient, learnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Answer, noon } from '../support/school.ts';

// sakai PR 14743 (SAK-44349): a stale tab overwrites. toebes/ciphers 236, odoo PR 207485: a device's clock is wrong.
onBothEngines('an exam answer saved by two devices', (school) => {
  let exam: Awaited<ReturnType<typeof addExam>>;
  let token: string;
  const db = () => school().database.db;
  const uid = () => school().students.k1[0] as number;
  const milliseconds = noon * 1_000;

  beforeAll(async () => {
    ({ token } = await issueServiceToken(db(), { name: '学习端', now: noon }));
  });
  beforeEach(async () => {
    const { school_id } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid())
      .executeTakeFirstOrThrow();
    exam = await addExam(db(), { creator: school().people.teacher.id, school: school_id, limit: 3600 });
    await db().updateTable('exam').set({ attempts: 0, published_at: noon }).where('id', '=', exam.id).execute();
  });

  /** Uses the application's own token by default, else the token of a sign-in. */
  const device = (bearer = token) => {
    const client: LearnerClient = learnerClient(school(), bearer);
    return {
      exam: async () => (await client.get(`exams/${exam.id}?uid=${uid()}`)).body.data,
      post: (path: string, body = {}) => client.post(`exams/${exam.id}/${path}`, { uid: uid(), ...body }),
      save: (answer: object) => client.post(`exams/${exam.id}/answers`, { uid: uid(), answers: [answer] }),
    };
  };
  const signIn = async () =>
    device((await learnerClient(school(), token).post('session', { uid: uid() })).body.data.token);
  const answer = (place: number, user_answer: unknown, more: { serial?: number; version?: number } = {}) => ({
    ques_id: exam.questions[place],
    user_answer,
    ...more,
  });
  const currentAnswer = async (place = 0) =>
    (await device().exam()).answers.find(({ ques_id }: { ques_id: number }) => ques_id === exam.questions[place]);
  const outcomeOf = ({ status, body }: Answer) => [status, body.msg];
  const submittedAnswer = async (reportId: number, place: number) => {
    const row = db()
      .selectFrom('exam_answer')
      .select('user_answer')
      .where('report_id', '=', reportId)
      .where('question_id', '=', exam.questions[place] as number);
    return (await row.executeTakeFirstOrThrow()).user_answer;
  };
  const otherDevice = '其他设备已保存新的内容，请核对后再保存';

  it('is the later one, though the first device’s clock is ahead', async () => {
    await device().post('start');
    for (const ahead of [600_000, 86_400_000]) {
      await device().save(answer(0, [2], { serial: milliseconds + ahead }));
      expect(outcomeOf(await device().save(answer(0, [1], { serial: milliseconds })))).toEqual([200, '已保存']);
      expect((await currentAnswer()).user_answer).toBe('1');
    }
  });

  it('is the later one, though that device sends no serial; the earlier one is kept aside', async () => {
    await device().post('start');
    await device().save(answer(0, [2], { serial: milliseconds }));
    expect((await device().save(answer(0, [1]))).status).toBe(200);
    expect(await currentAnswer()).toMatchObject({ user_answer: '1', aside: [{ user_answer: '2' }] });
  });

  it('is submitted as last changed, though the first device’s clock was ahead', async () => {
    await device().post('start');
    await device().save(answer(5, { content: '短' }, { serial: milliseconds + 600_000 }));
    const handedIn = await device().post('submission', {
      answers: [answer(5, { content: '写了一整页' }, { serial: milliseconds })],
    });
    expect(outcomeOf(handedIn)).toEqual([200, '交卷成功']);
    expect(JSON.parse(await submittedAnswer(handedIn.body.data.report_id, 5)).content).toBe('写了一整页');
  });

  it('is not overwritten by a device that has not read it, which is sent the stored answer', async () => {
    const [one, other] = [await signIn(), await signIn()];
    await one.post('start');
    const first = await one.save(answer(0, [2], { version: 0 }));
    expect(first.body.data).toMatchObject({ saved: 1, answers: [{ version: 1 }] });
    const both = await other.post('answers', {
      answers: [answer(0, [1], { version: 0 }), answer(1, [1], { version: 0 })],
    });
    expect(outcomeOf(both)).toEqual([409, otherDevice]);
    expect(both.body.data).toMatchObject({
      saved: 1,
      not_kept: [{ ques_id: exam.questions[0], user_answer: '2', version: 1 }],
    });
    expect(await currentAnswer(0)).toMatchObject({ user_answer: '2', version: 1, aside: [{ user_answer: '1' }] });
    expect(await currentAnswer(1)).toMatchObject({ user_answer: '1', version: 1 });
    // A device that has read the answer may overwrite it.
    expect((await other.save(answer(0, [1], { version: 1 }))).body.data.answers).toMatchObject([{ version: 2 }]);
    // Saving the same answer again is no conflict.
    expect((await other.save(answer(0, [1], { version: 0 }))).status).toBe(200);
    expect(await currentAnswer(0)).toMatchObject({ user_answer: '1', version: 2 });
  });

  it('stays when a submission brings an older one, and the submission is refused', async () => {
    const [one, other] = [await signIn(), await signIn()];
    await one.post('start');
    await one.save(answer(5, { content: '写了一整页' }, { version: 0 }));
    const stale = { answers: [answer(5, { content: '短' }, { version: 0 })] };
    for (let times = 0; times < 2; times += 1) {
      const refused = await other.post('submission', stale);
      expect(outcomeOf(refused)).toEqual([409, otherDevice]);
      expect(refused.body.data.not_kept).toMatchObject([{ version: 1 }]);
    }
    const handedIn = await other.post('submission');
    expect(JSON.parse(await submittedAnswer(handedIn.body.data.report_id, 5)).content).toBe('写了一整页');
    const again = await other.post('submission', stale);
    expect(outcomeOf(again)).toEqual([409, '该考试已交卷，不能重复提交']);
    expect(again.body.data).toMatchObject({ report_id: handedIn.body.data.report_id });
  });

  it('is ordered by serial within one device, never between devices', async () => {
    const [one, other] = [await signIn(), await signIn()];
    await one.post('start');
    await one.save(answer(0, [2], { serial: milliseconds - 20 }));
    expect((await one.save(answer(0, [3], { serial: milliseconds - 30 }))).status).toBe(409);
    // Its clock is five minutes behind, but a serial orders only the saves of its own device.
    expect((await other.save(answer(0, [1], { serial: milliseconds - 300_000 }))).status).toBe(200);
    expect(await currentAnswer()).toMatchObject({
      user_answer: '1',
      aside: [{ user_answer: '2' }, { user_answer: '3' }],
    });
  });

  it('is kept, in place or aside, whatever clocks the devices have', async () => {
    const save = fc.record({
      device: fc.nat({ max: 1 }),
      option: fc.integer({ min: 1, max: 4 }),
      serial: fc.option(fc.integer({ min: -1e9, max: 1e9 }), { nil: undefined }),
      read: fc.boolean(),
    });
    const devices = [await signIn(), await signIn()];
    await fc.assert(
      fc.asyncProperty(fc.array(save, { minLength: 2, maxLength: 6 }), async (saves) => {
        await device().post('start');
        for (const { device: by, option, serial, read } of saves) {
          const version = read ? ((await currentAnswer())?.version ?? 0) : undefined;
          const claimed = serial === undefined ? {} : { serial: milliseconds + serial };
          const sent = answer(0, [option], { ...claimed, ...(version !== undefined && { version }) });
          const { status } = await (devices[by] ?? device()).save(sent);
          const { user_answer, aside } = await currentAnswer();
          const kept = [user_answer, ...aside.map((one: { user_answer: string }) => one.user_answer)];
          expect(kept).toContain(String(option));
          if (status === 200) expect(user_answer).toBe(String(option));
          if (version !== undefined) expect(status).toBe(200);
        }
        await device().post('submission', { confirm_blank: 1 });
      }),
      { numRuns: 8 },
    );
  });
});
