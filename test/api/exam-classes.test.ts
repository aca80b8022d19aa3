import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addExam, submitExamReport } from '../support/exams.ts';
import { applicationOf, type LearnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('exam given to classes', (school) => {
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  let learners: LearnerClient;
  let own: number;
  let exam: number;

  beforeAll(async () => {
    learners = await applicationOf(school());
    const { school_id } = await db()
      .selectFrom('class')
      .select('school_id')
      .where('id', '=', school().classes.k1)
      .executeTakeFirstOrThrow();
    own = school_id;
  });

  const fields = (more: object = {}) => ({
    name: '月考',
    introduce: '',
    pass_score: '3',
    limit_minutes: '60',
    attempts: '1',
    start_at: noon - day,
    end_at: noon + day,
    school_ids: [own],
    ...more,
  });
  const record = async (id = exam) => (await admin().get(`exams/${id}`)).body.data;
  const edit = async (more: object) => {
    const { seen } = await record();
    return admin().put(`exams/${exam}`, fields({ seen, ...more }));
  };
  const statusFor = async (who: 'teacher' | 'assist' | 'otherTeacher' | 'otherAssist') =>
    (await school().as(who).get(`testDetail/getTestInfo/${exam}`)).status;
  const listFor = async (uid: number) =>
    (await learners.get(`exams?uid=${uid}`)).body.data.list.filter(({ id }: { id: number }) => id === exam);
  const statusOf = async (uid: number) => (await learners.get(`exams/${exam}?uid=${uid}`)).status;

  /** A published exam of the class k1 by somebody who neither teaches nor assists it. */
  beforeEach(async () => {
    const made = await addExam(db(), { creator: school().people.admin.id, school: own, name: '月考', passScore: 30 });
    exam = made.id;
    await db()
      .updateTable('exam')
      .set({ by_class: 1, start_at: noon - day, end_at: noon + day, changed_at: noon - day, attempts: 1 })
      .where('id', '=', exam)
      .execute();
    await db().insertInto('exam_class').values({ exam_id: exam, class_id: school().classes.k1 }).execute();
  });

  it('is stored with its classes, and with the classes of chosen grades', async () => {
    const { k1, k2 } = school().classes;
    const { id: grade } = await db()
      .insertInto('grade')
      .values({ name: '高一', sort: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db().updateTable('class').set({ grade_id: grade }).where('id', 'in', [k1, k2]).execute();
    const choices = (await admin().get('exams/choices')).body.data;
    expect(choices.grades).toEqual([{ id: grade, name: '高一' }]);
    expect(choices.classes.filter((one: { grade_id: number }) => one.grade_id === grade)).toHaveLength(2);
    const made = await admin().post('exams', fields({ audience: 'grade', grade_ids: [grade] }));
    expect(outcomeOf(made)).toEqual([200, '添加成功']);
    const { classes, reach } = await record(made.body.data.id);
    expect(classes.map(({ id }: { id: number }) => id).sort()).toEqual([k1, k2].sort());
    expect(reach).toMatch(/^2个班级，\d+名学员$/);
  });

  it('is given to whole schools by default, and keeps its classes in an edit without an audience', async () => {
    const { id } = (await admin().post('exams', fields())).body.data;
    expect(await record(id)).toMatchObject({ classes: [] });
    expect(outcomeOf(await edit({ name: '第一次月考' }))).toEqual([200, '保存成功']);
    expect(await record()).toMatchObject({ name: '第一次月考', classes: [{ id: school().classes.k1 }] });
  });

  it('refuses an audience without classes, and classes of another school', async () => {
    const there = await db()
      .insertInto('school')
      .values({ org_name: '外校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: foreign } = await db()
      .insertInto('class')
      .values({ name: '外班', school_id: there.id, created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow();
    const refused = async (more: object) => errorsOf(await admin().post('exams', fields(more)));
    expect(await refused({ audience: 'class' })).toEqual([422, { class_ids: ['请选择班级'] }]);
    expect(await refused({ audience: 'grade' })).toEqual([422, { grade_ids: ['请选择年级'] }]);
    expect(await refused({ audience: 'grade', grade_ids: [99_999] })).toEqual([
      422,
      { grade_ids: ['所选年级在所选学校没有班级'] },
    ]);
    expect(await refused({ class_ids: [foreign] })).toEqual([422, { class_ids: ['所选班级已结束，或不属于所选学校'] }]);
  });

  it('is visible to staff who teach or assist one of its classes, and 404 to others', async () => {
    expect(await statusFor('teacher')).toBe(200);
    expect(await statusFor('assist')).toBe(200);
    expect(await statusFor('otherAssist')).toBe(404);
    const list = (await school().as('otherAssist').get('test/list')).body.data.list;
    expect(list.filter(({ id }: { id: number }) => id === exam)).toEqual([]);
  });

  it('shows its papers for grading to staff of its classes alone', async () => {
    const id = await submitExamReport(db(), { id: exam, questions: [] }, school().students.k1[1] as number, []);
    expect((await school().as('assist').get(`testDetail/report/${id}`)).status).toBe(200);
    expect((await school().as('otherAssist').get(`testDetail/report/${id}`)).status).toBe(404);
  });

  it('is listed for learners of its classes, and 404 for learners of another class', async () => {
    const [inside, outside] = [school().students.k1[1] as number, school().students.k4[0] as number];
    expect(await listFor(inside)).toHaveLength(1);
    expect(await listFor(outside)).toEqual([]);
    expect(await statusOf(inside)).toBe(200);
    expect(await statusOf(outside)).toBe(404);
    expect((await learners.post(`exams/${exam}/start`, { uid: outside })).status).toBe(404);
    expect((await learners.post(`exams/${exam}/start`, { uid: inside })).status).toBe(200);
  });

  it('reaches a learner who joins a class later, and changes the version of their list', async () => {
    const uid = school().students.k4[1] as number;
    const before = await learners.get(`exams?uid=${uid}`);
    const version = before.headers.get('etag') as string;
    expect((await learners.get(`exams?uid=${uid}`, { 'if-none-match': version })).status).toBe(304);
    await db()
      .insertInto('class_student')
      .values({ class_id: school().classes.k1, student_id: uid, joined_at: noon, left_at: null })
      .execute();
    const after = await learners.get(`exams?uid=${uid}&since=${before.body.data.since}`, { 'if-none-match': version });
    expect(after.status).toBe(200);
    expect(after.body.data.list).toContainEqual(expect.objectContaining({ id: exam, state: 'running' }));
    await db()
      .deleteFrom('class_student')
      .where('student_id', '=', uid)
      .where('class_id', '=', school().classes.k1)
      .execute();
  });

  it('reaches clients that follow the list of a learner who joins or leaves with a past day', async () => {
    const { k1 } = school().classes;
    const uid = school().students.k4[0] as number;
    await db()
      .updateTable('exam')
      .set({ published_at: noon - 12 * day })
      .where('id', '=', exam)
      .execute();
    // Another exam moves the cursor beyond the days of joining and leaving.
    const newer = await addExam(db(), { creator: school().people.admin.id, school: own, status: 1 });
    await db()
      .updateTable('exam')
      .set({ changed_at: noon - 60 })
      .where('id', '=', newer.id)
      .execute();
    let { since } = (await learners.get(`exams?uid=${uid}`)).body.data;
    const statesSince = async () => {
      const { data } = (await learners.get(`exams?uid=${uid}&since=${since}`)).body;
      since = data.since;
      return data.list.flatMap((row: { id: number; state: string }) => (row.id === exam ? [row.state] : []));
    };
    const confirmed = async (path: string, body: object) => {
      const told = await admin().post(path, body);
      const { acknowledged = '' } = told.body.data ?? {};
      return told.status === 409 ? admin().post(path, { ...body, acknowledged }) : told;
    };
    expect(await statesSince()).toEqual([]);
    expect((await confirmed(`classes/${k1}/members`, { ids: [uid], day: '2026-11-03' })).status).toBe(200);
    expect(await statesSince()).toEqual(['running']);
    school().setNow(noon + 120);
    expect((await confirmed(`classes/${k1}/members/leave`, { ids: [uid], day: '2026-11-06' })).status).toBe(200);
    expect(await statesSince()).toEqual(['withdrawn']);
    school().setNow(noon);
    await db().deleteFrom('class_student').where('student_id', '=', uid).where('class_id', '=', k1).execute();
  });

  it('stays with a student who leaves the class after beginning it, and with nobody else who leaves', async () => {
    const [began, idle] = school().students.k1.slice(1, 3) as [number, number];
    await learners.post(`exams/${exam}/start`, { uid: began });
    const leave = (left_at: number | null) =>
      db()
        .updateTable('class_student')
        .set({ left_at })
        .where('student_id', 'in', [began, idle])
        .where('class_id', '=', school().classes.k1)
        .execute();
    await leave(noon);
    expect(await statusOf(began)).toBe(200);
    expect(await statusOf(idle)).toBe(404);
    await leave(null);
  });

  it('can be given to further classes after its publication, whose learners are told', async () => {
    const { k1, k2 } = school().classes;
    const uid = school().students.k2[0] as number;
    expect(await statusOf(uid)).toBe(404);
    expect(outcomeOf(await edit({ audience: 'class', class_ids: [k1, k2] }))).toEqual([200, '保存成功']);
    expect(await statusOf(uid)).toBe(200);
    const told = await db()
      .selectFrom('learner_event')
      .select('student_id')
      .where('kind', '=', 'exam.published')
      .where('record_id', '=', exam)
      .execute();
    const students = told.map(({ student_id }) => student_id);
    expect(students).toContain(uid);
    expect(students).not.toContain(school().students.k1[1]);
  });

  it('refuses to take the classes of learners who have begun it, and says how many', async () => {
    const { k1, k2 } = school().classes;
    await learners.post(`exams/${exam}/start`, { uid: school().students.k1[1] });
    expect(errorsOf(await edit({ audience: 'class', class_ids: [k2] }))).toEqual([
      422,
      { class_ids: ['已有1名学员作答，不能取消他们的班级'] },
    ]);
    expect((await record()).classes).toEqual([expect.objectContaining({ id: k1 })]);
    expect(outcomeOf(await edit({ audience: 'school' }))).toEqual([200, '保存成功']);
    expect(errorsOf(await edit({ audience: 'class', class_ids: [k2] }))[0]).toBe(422);
  });

  it('is reported as removed to clients of a class that loses it, and to no others', async () => {
    const { k2 } = school().classes;
    const [inside, outside] = [school().students.k1[1] as number, school().students.k4[0] as number];
    // The outsider left the class before the exam was published.
    const former = {
      class_id: school().classes.k1,
      student_id: outside,
      joined_at: noon - 9 * day,
      left_at: noon - 5 * day,
    };
    await db().insertInto('class_student').values(former).execute();
    await db()
      .updateTable('exam')
      .set({ published_at: noon - day })
      .where('id', '=', exam)
      .execute();
    const positions = await Promise.all(
      [inside, outside].map(async (uid) => (await learners.get(`exams?uid=${uid}`)).body.data.since),
    );
    expect(outcomeOf(await edit({ audience: 'class', class_ids: [k2] }))).toEqual([200, '保存成功']);
    const changed = async (uid: number, since: string) =>
      (await learners.get(`exams?uid=${uid}&since=${since}`)).body.data.list.filter(
        ({ id }: { id: number }) => id === exam,
      );
    expect(await changed(inside, positions[0])).toEqual([expect.objectContaining({ state: 'withdrawn' })]);
    expect(await changed(outside, positions[1])).toEqual([]);
    expect(await statusOf(inside)).toBe(404);
  });

  it('is found by class, with the exams of whole schools', async () => {
    const found = async (class_id: number) =>
      (await admin().get(`exams?class_id=${class_id}&limit=999`)).body.data.list.map(({ id }: { id: number }) => id);
    const whole = (await addExam(db(), { creator: school().people.admin.id, school: own, status: 1 })).id;
    expect(await found(school().classes.k1)).toEqual(expect.arrayContaining([exam, whole]));
    expect(await found(school().classes.k4)).not.toContain(exam);
    expect(await found(school().classes.k4)).toContain(whole);
  });

  it('keeps its class from being deleted', async () => {
    const answer = await admin().delete(`classes/${school().classes.k1}`);
    expect(outcomeOf(answer)[1]).toContain('场考试');
  });
});
