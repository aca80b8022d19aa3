import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, outcomeOf } from '../support/school.ts';

onBothEngines('homework reminders', (school) => {
  const hour = 3600;
  const open = (more: object = {}) => {
    const { k1, k2 } = school().classes;
    return school().addHomework({ name: '函数', creator: 'teacher', classes: [k1, k2], ...more });
  };
  const outbox = (homeworkText = '函数') =>
    school()
      .database.db.selectFrom('sms_outbox')
      .select(['mobile', 'content', 'student_id'])
      .where('content', 'like', `%${homeworkText}%`)
      .orderBy('student_id')
      .execute();
  const emptied = () => school().database.db.deleteFrom('sms_outbox').execute();

  it('preview the text and its recipients', async () => {
    const { as, students } = school();
    await emptied();
    const hw = await open();
    await school().submit(hw, students.k1[0] as number);
    const { body } = await as('teacher').get(`homework/reminder/${hw}`);
    expect(body.data).toMatchObject({
      homework_name: '函数',
      refusal: null,
      ready: { total: 5 },
      recent: { total: 0, list: [] },
      unreachable: { total: 0 },
      content: expect.stringMatching(/^学生一班2同学您好，作业“函数”将于.*截止，您还没有提交，请及时完成。$/),
    });
    expect(body.data.ready.list[0]).toEqual({
      id: students.k1[1],
      nickname: '学生一班2',
      class_name: '一班',
      reminded_at: null,
      reminded_by: null,
    });
    expect(await outbox()).toEqual([]);
  });

  it('send one message each, list missing numbers, and record the sender', async () => {
    const { as, students, database, people } = school();
    await emptied();
    const hw = await open();
    const silent = students.k2[1] as number;
    const { mobile } = await database.db
      .selectFrom('student')
      .select('mobile')
      .where('id', '=', silent)
      .executeTakeFirstOrThrow();
    await database.db.updateTable('student').set({ mobile: '' }).where('id', '=', silent).execute();
    const answer = await as('teacher').post(`homework/reminder/${hw}`, {});
    expect(outcomeOf(answer)).toEqual([200, '已向5名学员发送催交短信；1人没有手机号：学生二班2']);
    expect(answer.body.data).toEqual({ sent: 5, recent: 0, unreachable: 1 });
    const sent = await outbox();
    expect(sent.map(({ student_id }) => student_id)).toEqual([
      ...students.k1.slice(0, 2),
      ...students.k2.filter((id) => id !== silent),
    ]);
    expect(sent[0]).toMatchObject({ mobile: '13800000001', content: expect.stringMatching(/^学生一班1同学/) });
    const { list } = (await as('assist').get(`homework/students/${hw}?limit=50`)).body.data;
    const of = (id: number) => list.find((row: { id: number }) => row.id === id);
    expect(of(students.k1[0] as number)).toMatchObject({ reminded_at: noon, reminded_by: expect.any(String) });
    expect(of(silent)).toMatchObject({ reminded_at: null, reminded_by: null });
    const history = await database.db
      .selectFrom('history')
      .select(['staff_id', 'action', 'after'])
      .where('record', '=', 'homework')
      .where('record_id', '=', hw)
      .where('action', '=', 'remind')
      .execute();
    expect(history).toHaveLength(1);
    expect(history[0]?.staff_id).toBe(people.teacher.id);
    expect(JSON.parse(history[0]?.after ?? '').student_ids).toHaveLength(5);
    await database.db.updateTable('student').set({ mobile }).where('id', '=', silent).execute();
  });

  it('pause for twelve hours per homework, for every sender', async () => {
    const { as, setNow } = school();
    await emptied();
    const hw = await open();
    expect((await as('assist').post(`homework/reminder/${hw}`, {})).status).toBe(200);
    setNow(noon + 12 * hour - 1);
    const again = await as('teacher').post(`homework/reminder/${hw}`, {});
    expect(again.status).toBe(409);
    expect(again.body.msg).toBe(
      '没有可以催交的学员，6人12小时内已催交：学生一班1、学生一班2、学生二班1、学生二班2、学生二班3等6人',
    );
    const plan = (await as('teacher').get(`homework/reminder/${hw}`)).body.data;
    expect([plan.ready.total, plan.recent.total, plan.refusal.code]).toEqual([0, 6, 409]);
    expect(await outbox()).toHaveLength(6);
    setNow(noon + 12 * hour);
    expect((await as('teacher').post(`homework/reminder/${hw}`, {})).body.data.sent).toBe(6);
    // The waiting time between reminders applies to each homework separately.
    const other = await open();
    expect((await as('teacher').post(`homework/reminder/${other}`, {})).body.data.sent).toBe(6);
  });

  it('send each message once for two simultaneous requests', async () => {
    const { as } = school();
    await emptied();
    const hw = await open();
    const both = await Promise.all(
      (['teacher', 'assist', 'teacher'] as const).map((who) => as(who).post(`homework/reminder/${hw}`, {})),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await outbox()).toHaveLength(6);
    const key = { 'idempotency-key': 'one-press' };
    const pressed = await open();
    const twice = await Promise.all([1, 2].map(() => as('teacher').post(`homework/reminder/${pressed}`, {}, key)));
    expect(twice.map(outcomeOf)).toEqual([1, 2].map(() => [200, '已向6名学员发送催交短信']));
    expect(await outbox()).toHaveLength(12);
  });

  it('reach one class or named students, and no student who has handed in', async () => {
    const { as, classes, students } = school();
    await emptied();
    const hw = await open();
    const [first, second] = students.k2 as [number, number];
    const named = await as('teacher').post(`homework/reminder/${hw}`, { student_ids: [first, 999_999] });
    expect(named.body.data.sent).toBe(1);
    expect(outcomeOf(await as('teacher').post(`homework/reminder/${hw}`, { student_ids: [] }))).toEqual([
      409,
      '没有未提交的学员',
    ]);
    await school().submit(hw, second);
    const inClass = await as('teacher').post(`homework/reminder/${hw}/${classes.k2}`, {});
    expect(inClass.body.data).toEqual({ sent: 2, recent: 1, unreachable: 0 });
    expect(inClass.body.msg).toBe('已向2名学员发送催交短信；1人12小时内已催交：学生二班1');
    expect((await outbox()).map(({ student_id }) => student_id)).toEqual([first, ...students.k2.slice(2)]);
  });

  it('explain for one student why no message is sent', async () => {
    const { as, students, classes, database } = school();
    await emptied();
    const hw = await open();
    const [me, silent, done] = students.k2 as [number, number, number];
    const plan = async (student: number | string, scope = `${hw}`) =>
      as('assist').get(`homework/reminder/${scope}?student_id=${student}`);
    expect((await plan(me)).body.data).toMatchObject({
      refusal: null,
      ready: { total: 1, list: [{ id: me, reminded_at: null }] },
      recent: { total: 0 },
      content: expect.stringMatching(/^学生二班1同学您好/),
    });
    expect((await as('assist').post(`homework/reminder/${hw}`, { student_ids: [me] })).body.data.sent).toBe(1);
    expect((await outbox()).map(({ student_id }) => student_id)).toEqual([me]);
    const recently = '12小时内已催交，不再重复发送';
    expect((await plan(me)).body.data).toMatchObject({
      refusal: { code: 409, msg: recently },
      ready: { total: 0 },
      recent: { total: 1, list: [{ id: me, reminded_at: noon, reminded_by: '姓名assist' }] },
    });
    expect(outcomeOf(await as('teacher').post(`homework/reminder/${hw}`, { student_ids: [me] }))).toEqual([
      409,
      recently,
    ]);
    // The others are unchanged.
    expect((await as('teacher').get(`homework/reminder/${hw}`)).body.data).toMatchObject({
      ready: { total: 5 },
      recent: { total: 1 },
    });

    const { mobile } = await database.db
      .selectFrom('student')
      .select('mobile')
      .where('id', '=', silent)
      .executeTakeFirstOrThrow();
    await database.db.updateTable('student').set({ mobile: ' ' }).where('id', '=', silent).execute();
    const unreachable = '该学员没有手机号，无法发送短信';
    expect((await plan(silent)).body.data).toMatchObject({ refusal: { msg: unreachable }, unreachable: { total: 1 } });
    expect(outcomeOf(await as('teacher').post(`homework/reminder/${hw}`, { student_ids: [silent] }))).toEqual([
      409,
      unreachable,
    ]);
    await database.db.updateTable('student').set({ mobile }).where('id', '=', silent).execute();
    await school().submit(hw, done);
    expect((await plan(done)).body.data.refusal).toEqual({ code: 409, msg: '该学员已提交作业，无需催交' });
    // Students who are not expected to submit, or who are in another class.
    for (const scope of [`${hw}/${classes.k1}`, `${hw}`]) {
      const stranger = scope === `${hw}` ? (students.k3[0] as number) : me;
      expect(outcomeOf(await plan(stranger, scope)), scope).toEqual([404, '学员不存在']);
    }
  });

  it('are refused after the deadline, when recalled, and for unseen homework', async () => {
    const { as, classes, courses } = school();
    await emptied();
    const ended = await open({ ending: noon });
    const recalled = await open({ status: 2 });
    for (const [hw, msg] of [
      [ended, '该作业已截止，不能催交'],
      [recalled, '该作业已撤回，不能催交'],
    ] as const) {
      expect(outcomeOf(await as('teacher').post(`homework/reminder/${hw}`, {}))).toEqual([409, msg]);
      expect((await as('assist').get(`homework/reminder/${hw}`)).body.data.refusal).toEqual({ code: 409, msg });
    }
    const theirs = await school().addHomework({
      creator: 'otherTeacher',
      course: courses.theirs,
      classes: [classes.k3],
      ending: noon + day,
    });
    for (const who of ['teacher', 'assist'] as const) {
      expect(outcomeOf(await as(who).post(`homework/reminder/${theirs}`, {}))).toEqual([404, '作业不存在']);
      expect((await as(who).get(`homework/reminder/${theirs}`)).status).toBe(404);
    }
    // An assistant can remind only students of the assistant's own classes.
    const wide = await open({ classes: [classes.k1, classes.k3] });
    expect((await as('assist').post(`homework/reminder/${wide}`, {})).body.data.sent).toBe(2);
    expect((await as('assist').post(`homework/reminder/${wide}/${classes.k3}`, {})).status).toBe(404);
    for (const wrong of ['abc', '-1', '99999999999']) {
      expect((await as('teacher').post(`homework/reminder/${wide}/${wrong}`, {})).status, wrong).toBe(404);
    }
    const done = await open();
    await school()
      .database.db.updateTable('report')
      .set({ status: 2, submit_time: noon })
      .where('homework_id', '=', done)
      .execute();
    expect(outcomeOf(await as('teacher').post(`homework/reminder/${done}`, {}))).toEqual([409, '没有未提交的学员']);
  });
});
