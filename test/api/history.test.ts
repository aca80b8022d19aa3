/** The history through the administrator's calls: by person, student, record, action and day. */
import { beforeAll, expect, it } from 'vitest';
import { recordHistory } from '#server/platform/db/history.ts';
import { addAdmin, addBoundAdmin } from '../support/bound-admin.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

interface Shown {
  id: number;
  action_name: string;
  record_name: string;
  title: string;
  leads_to: { record: string; id: number } | null;
  who: string;
  changes: { name: string; before: string; after: string }[];
}

onBothEnginesAlways('the history', (opened) => {
  const admin = () => opened().as('admin');
  const rows = async (query = ''): Promise<Shown[]> => (await admin().get(`history?${query}`)).body.data.list;
  let student: number;
  let report: number;
  beforeAll(async () => {
    const { people, classes, students, database } = opened();
    student = students.k1[0] as number;
    const homework = await opened().addHomework({ name: '第一次作业', creator: 'teacher', classes: [classes.k1] });
    report = await opened().submit(homework, student);
    const note = (change: { record: string; recordId: number; action: string; before?: unknown; after?: unknown }) =>
      recordHistory(database.db, { before: null, after: null, actor: people.teacher, now: noon - 2 * day, ...change });
    await note({ record: 'homework', recordId: homework, action: 'publish', after: { class_ids: [classes.k1] } });
    await note({
      record: 'homework',
      recordId: homework,
      action: 'deadline',
      before: { ending_time: noon },
      after: { ending_time: noon + day },
    });
    await note({
      record: 'report',
      recordId: report,
      action: 'finish',
      before: { status: 2 },
      after: { status: 3, user_score: 85 },
    });
    await admin().post('staff', {
      identity: 'teacher',
      username: 'new',
      real_name: '新老师',
      school_id: 1,
      permissions: ['dispatch'],
    });
  });

  it("shows changes in the screens' words", async () => {
    const [added, finished, deadline, published] = await rows();
    expect(added).toMatchObject({ who: '姓名admin', action_name: '添加', record_name: '人员', title: '新老师' });
    expect(added?.changes).toContainEqual({ name: '所属学校', before: '', after: '总校' });
    expect(added?.changes).toContainEqual({ name: '权限', before: '', after: '布置作业' });
    expect(finished).toMatchObject({ action_name: '完成批改', title: '学生一班1《第一次作业》' });
    expect(finished?.leads_to).toEqual({ record: 'student', id: student });
    expect(finished?.changes).toEqual([
      { name: '状态', before: '待批改', after: '已批改' },
      { name: '得分', before: '', after: '8.5' },
    ]);
    expect(deadline?.changes).toEqual([{ name: '截止时间', before: '2026-11-20 12:00', after: '2026-11-21 12:00' }]);
    expect(published?.changes).toEqual([{ name: '班级', before: '', after: '一班' }]);
  });

  it('filters by person, record, student, action and day', async () => {
    const actionLabels = async (query: string) =>
      (await rows(query)).map((row) => `${row.action_name}${row.record_name}`);
    expect(await actionLabels('who=姓名teacher')).toEqual(['完成批改作业答卷', '调整截止时间作业', '发布作业']);
    expect(await actionLabels(`staff_id=${opened().people.admin.id}&record=staff`)).toEqual(['添加人员']);
    expect(await actionLabels('record=homework')).toEqual(['调整截止时间作业', '发布作业']);
    expect(await actionLabels('record=homework&action=publish')).toEqual(['发布作业']);
    expect(await actionLabels('action=finish')).toEqual(['完成批改作业答卷']);
    expect(await actionLabels(`student_id=${student}`)).toEqual(['完成批改作业答卷']);
    expect(await actionLabels(`student=学生一班1&action=publish`)).toEqual([]);
    expect(await actionLabels(`record=report&record_id=${report}`)).toEqual(['完成批改作业答卷']);
    expect(await actionLabels('start=2026-11-19')).toEqual(['添加人员']);
    expect(await actionLabels('end=2026-11-18&who=姓名teacher')).toHaveLength(3);
    expect(await actionLabels('who=nobody-is-called-this')).toEqual([]);
    const { body } = await admin().get('history?limit=2&page=2');
    expect([body.data.total, body.data.page, body.data.list.length]).toEqual([4, 2, 2]);
  });

  it('includes sign-ins, failed sign-ins and exports', async () => {
    const signIn = (password: string) =>
      opened().ask('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Chrome 109' },
        body: JSON.stringify({ username: 'teacher', password }),
      });
    expect((await signIn('Wrong2026')).status).toBe(401);
    const [failed] = await rows('action=sign-in-failed');
    expect(failed).toMatchObject({ who: '', title: '姓名teacher', action_name: '登录失败' });
    expect(failed?.changes).toContainEqual({ name: '设备', before: '', after: 'Chrome 109' });
    const { password_hash } = await opened()
      .database.db.selectFrom('staff')
      .select('password_hash')
      .where('username', '=', 'teacher')
      .executeTakeFirstOrThrow();
    expect(password_hash).toBe('none');
    const file = await admin().post('history/export', { record: 'homework' });
    expect(file.body.data.url).toMatch(/^\/exports\//);
    expect((await rows('action=export'))[0]).toMatchObject({ who: '姓名admin', title: '操作记录.xlsx' });
  });

  it("is limited to an administrator's schools", async () => {
    const there = await addBoundAdmin(opened(), { can_audit: 1 });
    expect((await there.ask('GET', 'history')).body.data.total).toBe(0);
    expect((await there.ask('GET', `history?record=report&record_id=${report}`)).status).toBe(404);
    expect((await there.ask('GET', `history?student_id=${student}`)).body.data.total).toBe(0);
    const here = await addAdmin(opened(), { school_id: 1, can_audit: 1 });
    // Other acts of administrators of all schools are left out. The history of a record of these schools shows every
    // change.
    const seen = (await here.ask('GET', 'history')).body.data.list.map((row: Shown) => row.who);
    expect(seen).not.toContain('姓名admin');
    expect(seen).toContain('姓名teacher');
    const { id } = await opened()
      .database.db.selectFrom('staff')
      .select('id')
      .where('username', '=', 'new')
      .executeTakeFirstOrThrow();
    // An administrator of few people uses another query; the rows must be equal.
    const filters = ['', '?action=grade', '?action=signed_in', '?record=report', '?who=teacher'];
    const search = () =>
      Promise.all(filters.map(async (filter) => (await here.ask('GET', `history${filter}`)).body.data.list));
    const before = await search();
    await opened()
      .database.db.insertInto('staff')
      .values(
        Array.from({ length: 60 }, (_, place) => ({
          identity: 'teacher' as const,
          username: `many${place}`,
          password_hash: '',
          real_name: '别校的人',
          school_id: there.school,
          can_dispatch: 0 as const,
          can_correct: 0 as const,
          disabled_at: null,
          created_at: noon,
        })),
      )
      .execute();
    expect(await search()).toEqual(before);
    expect((await opened().as('admin').get('history?who=别校')).body.data).toMatchObject({ total: 0, some_named: 1 });
    const own = (await here.ask('GET', `history?record=staff&record_id=${id}`)).body.data.list;
    expect(own.map((row: Shown) => row.who)).toEqual(['姓名admin']);
    expect((await addAdmin(opened(), { school_id: 1 }).then((none) => none.ask('GET', 'history'))).status).toBe(403);
  });

  it('shows marks with one decimal, and ratings in percent', async () => {
    const { people, classes, students, database } = opened();
    const homework = await opened().addHomework({ name: '评等作业', creator: 'teacher', classes: [classes.k1] });
    const rated = { is_set_score: 1 as const, total_score: 1000 };
    await database.db.updateTable('homework').set(rated).where('id', '=', homework).execute();
    const id = await opened().submit(homework, students.k1[1] as number);
    const note = (action: string, recordId: number, user_score: number, at: number) =>
      recordHistory(database.db, {
        actor: people.assist,
        now: at,
        record: 'report',
        recordId,
        action,
        before: null,
        after: { user_score },
      });
    await note('finish', id, 705, noon - 9 * day);
    await note('finish', report, 310, noon - 8 * day);
    const shown = await rows('who=姓名assist&record=report&end=2026-11-13');
    expect(shown.map(({ changes }) => changes[0]?.after)).toEqual(['31.0', '70%']);
  });

  it("hides acts of a school's people on other schools' records", async () => {
    const { database, people, students } = opened();
    const { db } = database;
    const there = await addBoundAdmin(opened(), { can_audit: 1 });
    const grader = await db
      .insertInto('staff')
      .values({
        identity: 'teacher',
        username: 'grader-there',
        password_hash: '',
        real_name: '那边的老师',
        school_id: there.school,
        can_dispatch: 1,
        can_correct: 1,
        disabled_at: null,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const own = await db
      .insertInto('student')
      .values({ nickname: '那边的学员', school_id: there.school, mobile: '', avatar: '', created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow();
    const note = (record: string, recordId: number, action: string) =>
      recordHistory(db, {
        actor: grader,
        now: noon,
        record,
        recordId,
        action,
        before: null,
        after: record === 'report' ? { user_score: 25 } : null,
      });
    await note('report', report, 'finish');
    await note('student', students.k1[0] as number, 'edit');
    await note('staff', people.teacher.id, 'edit');
    await note('student', own.id, 'edit');
    await note('class_notice', 999_999, 'delete');
    for (const query of ['', '?who=grader-there', `?staff_id=${grader.id}`, '?action=edit', '?record=student']) {
      const { list, total } = (await there.ask('GET', `history${query}`)).body.data;
      const records = list.map(({ title }: Shown) => title);
      expect([query, records.filter((title: string) => title === '那边的学员'), total]).toEqual([
        query,
        ['那边的学员'],
        list.length,
      ]);
      expect(JSON.stringify(list)).not.toMatch(/第一次作业|姓名teacher/);
    }
    // A deleted record is shown to the school of the person who changed it.
    expect((await there.ask('GET', 'history?record=class_notice')).body.data.total).toBe(1);
    await db.updateTable('staff').set({ disabled_at: noon }).where('id', '=', grader.id).execute();
  });
});
