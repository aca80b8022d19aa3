/**
 * Tests that erasure removes all of a student's data, that the export of the data is complete, and that counts stay.
 */

import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { archiveLimits } from '#server/import/formats/read.ts';
import { eraseHistory } from '#server/platform/db/history.ts';
import { unsharedFileKeys } from '#server/platform/db/privacy.ts';
import { openZip } from '#server/platform/files/zip.ts';
import { repeatErasures } from '#server/privacy/erase.ts';
import { deleteErasedFiles } from '#server/privacy/removal.ts';
import { personalTables } from '#server/privacy/tables.ts';
import { administratorOf } from '../support/administrators.ts';
import { addExam, expectExamSumsToBeRight } from '../support/exams.ts';
import { record } from '../support/imports.ts';
import { applicationOf, learnerOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { filesKept, studentMarks, tablesWithMarks } from '../support/planted-marks.ts';
import { type PlantedStudent, plantStudent } from '../support/planted-records.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { type Answer, noon, outcomeOf } from '../support/school.ts';

const marks = Object.values(studentMarks);
const number = '20260777';

onBothEngines('a student who is erased', (school) => {
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  let student: PlantedStudent;
  const erase = (id = student.id, confirmation = number) => admin().post(`students/${id}/erase`, { confirmation });
  const settled = async () => deleteErasedFiles({ db: db(), storage: school().services.storage });
  const historyOf = () => db().selectFrom('history').selectAll().orderBy('id').execute();

  beforeAll(async () => {
    student = await plantStudent(school(), { number });
  });

  it('has rows in every table about students', async () => {
    const who = {
      id: student.id,
      texts: [studentMarks.name, studentMarks.mobile, studentMarks.guardian],
      actor: null,
      now: noon,
    };
    const empty: string[] = [];
    for (const { table, rows } of personalTables)
      if ((await rows(db(), who).selectAll().execute()).length === 0) empty.push(table);
    // Personal tables without a row of this student. Their rows would hold neither names nor text.
    expect(empty.sort()).toEqual([
      'class_contract',
      'class_group_student',
      'class_meeting_attendance',
      'community_member',
      'erased_source',
      'leave_batch_record',
    ]);
    expect((await tablesWithMarks(db(), [studentMarks.text])).length).toBeGreaterThan(15);
  });

  it('gets a complete export of their data', async () => {
    const answer = await school().api.fetch(
      new Request(`http://school.test/api/admin/students/${student.id}/export`, {
        headers: { authorization: `Bearer ${school().people.admin.token}` },
      }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const opened = await openZip(new Uint8Array(await answer.arrayBuffer()), 'zip', archiveLimits);
    if (!('ok' in opened)) throw new Error(opened.message);
    const zip = opened.ok;
    const data = JSON.parse(String(await zip.read('学员数据.json')));
    const rowsOf = (table: string) => data.数据.find((part: { table: string }) => part.table === table).rows;
    expect(rowsOf('student')).toMatchObject([{ nickname: studentMarks.name, mobile: studentMarks.mobile }]);
    expect(JSON.stringify(rowsOf('answer'))).toContain(`${studentMarks.text}答案`);
    expect(JSON.stringify(rowsOf('communication_record'))).toContain(`${studentMarks.text}沟通`);
    expect(rowsOf('learner_session')[0]).not.toHaveProperty('token_hash');
    expect(rowsOf('learner_link_session')).toHaveLength(1);
    expect(JSON.stringify(data)).not.toMatch(/-(?:at|of)-the-provider/);
    expect(JSON.stringify(data)).not.toContain('给苗青葵的作业');
    const files = unsharedFileKeys(student.pictures.map((path) => ({ path })));
    expect(zip.names.filter((name) => name.startsWith('files/')).sort()).toEqual(
      files.map((key) => `files/${key}`).sort(),
    );
    expect((await zip.read(`files/${files[0]}`))?.length).toBeGreaterThan(20);
    await zip.close();
    const actions = await db()
      .selectFrom('history')
      .select(['action', 'staff_id'])
      .where('record', '=', 'student')
      .where('record_id', '=', student.id)
      .where('action', 'in', ['viewed', 'export'])
      .orderBy('action')
      .execute();
    const by = school().people.admin.id;
    expect(actions).toEqual([
      { action: 'export', staff_id: by },
      { action: 'viewed', staff_id: by },
    ]);
  });

  describe('refused erasure', () => {
    it('applies to other schools and without the permission', async () => {
      const there = await administratorOf(school(), { can_people: 1 });
      const other = await administratorOf(school(), { can_people: 0, can_teaching: 1 });
      for (const [method, path] of [
        ['POST', 'erase'],
        ['GET', 'erasure'],
        ['GET', 'export'],
      ] as const) {
        const body = method === 'POST' ? { confirmation: number } : undefined;
        expect(outcomeOf(await there.ask(method, `students/${student.id}/${path}`, body))).toEqual([404, '学员不存在']);
        expect((await other.ask(method, `students/${student.id}/${path}`, body)).status).toBe(403);
      }
      expect((await school().as('teacher').post(`/api/admin/students/${student.id}/erase`, {})).status).toBe(403);
      expect((await admin().post('students/987654/erase', { confirmation: '1' })).status).toBe(404);
    });

    it("applies without the student's number", async () => {
      const answer = await erase(student.id, '20260778');
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { confirmation: ['与该学员的学号或编号不一致，请重新输入'] },
      ]);
    });

    it('applies during an exam or its submission', async () => {
      const { school_id } = await db()
        .selectFrom('student')
        .select('school_id')
        .where('id', '=', student.id)
        .executeTakeFirstOrThrow();
      const exam = await addExam(db(), {
        creator: school().people.teacher.id,
        school: school_id,
        limit: 600,
        name: '限时',
      });
      const learner = await learnerOf(school(), student.id);
      expect((await learner.post(`exams/${exam.id}/start`)).status).toBe(200);
      expect(outcomeOf(await erase())).toEqual([409, '该学员正在参加考试“限时”，请在交卷后再注销']);
      expect((await admin().get(`students/${student.id}/erasure`)).body.data.fault).toContain('限时');
      school().setNow(noon + 601);
      expect(outcomeOf(await erase())).toEqual([409, '该学员的考试“限时”正在由系统交卷，请一分钟后再试']);
      school().setNow(noon);
      expect((await learner.post(`exams/${exam.id}/submission`, { confirm_blank: 1 })).status).toBe(200);
    });

    it('applies while an import is running', async () => {
      const { id } = await db().selectFrom('import').select('id').limit(1).executeTakeFirstOrThrow();
      const at = Math.floor(Date.now() / 1000);
      await db().updateTable('import').set({ job: 'check', noted_at: at }).where('id', '=', id).execute();
      expect(outcomeOf(await erase())).toEqual([409, '正在导入数据，请在导入结束后再注销']);
      await db().updateTable('import').set({ job: '' }).where('id', '=', id).execute();
    });

    it('leaves all data', async () => {
      expect((await tablesWithMarks(db(), [studentMarks.name])).length).toBeGreaterThan(3);
    });
  });

  describe('erasure', () => {
    let before: Awaited<ReturnType<typeof historyOf>>;
    let figures: unknown;
    let waiting: number;
    const figuresOf = async () => ({
      reports: await db()
        .selectFrom('report')
        .select(['id', 'user_score', 'submit_time'])
        .where('student_id', '=', student.id)
        .orderBy('id')
        .execute(),
      exams: await db().selectFrom('exam_figures').selectAll().orderBy('exam_id').execute(),
      questions: await db().selectFrom('exam_question_figures').selectAll().orderBy('question_id').execute(),
      answers: await db()
        .selectFrom('exam_answer')
        .select(['id', 'status', 'score'])
        .where('report_id', '=', student.examReportId)
        .orderBy('id')
        .execute(),
    });

    beforeAll(async () => {
      // A pending import that includes the student.
      const records = [record('student', 'E-77', { nickname: studentMarks.name, number, mobile: '13812340009' })];
      const sent = await admin().post('import', {
        source: student.import.source,
        mode: 'delta',
        kinds: ['student'],
        records,
      });
      waiting = sent.body.data.id;
      before = await historyOf();
      figures = await figuresOf();
      const foreseen = (await admin().get(`students/${student.id}/erasure`)).body.data;
      expect(foreseen).toMatchObject({ nickname: studentMarks.name, confirmation: number, fault: '' });
      expect(foreseen.counts).toContainEqual({ table: 'answer', name: '作业答案与评语', becomes: 'emptied', count: 4 });
      expect(outcomeOf(await erase())).toEqual([200, '注销成功']);
      await settled();
    });

    it('clears every column of every table, and every file', async () => {
      expect(await tablesWithMarks(db(), marks)).toEqual([]);
      const kept = await filesKept(school());
      const theirs = unsharedFileKeys(student.pictures.map((path) => ({ path })));
      expect(kept.filter((key) => theirs.includes(key))).toEqual([]);
      expect(await db().selectFrom('erased_file').selectAll().execute()).toEqual([]);
    });

    it('withdraws pending leave', async () => {
      const leave = await db()
        .selectFrom('attendance')
        .select(['id', 'op_status', 'decided_at'])
        .where('student_id', '=', student.id)
        .where('requested_at', 'is not', null)
        .execute();
      expect(leave.map(({ op_status, decided_at }) => [op_status, decided_at])).toEqual([[4, noon]]);
    });

    it('keeps the number, marks and counts', async () => {
      const shown = (await admin().get(`students/${student.id}`)).body.data;
      expect(shown).toMatchObject({ nickname: '已注销学员', number, mobile: '', is_erased: 1, is_disabled: 1 });
      expect(await figuresOf()).toEqual(figures);
      const waiting = db().selectFrom('report').where('student_id', '=', student.id).where('status', '=', 2);
      expect(await waiting.select('id').execute()).toEqual([]);
      await expectCountersToBeRight(db());
      await expectExamSumsToBeRight(db());
      const choices = await db()
        .selectFrom('exam_answer')
        .select('user_answer')
        .where('report_id', '=', student.examReportId)
        .orderBy('question_id')
        .execute();
      expect(choices.map(({ user_answer }) => user_answer)).toEqual(['2', '1', '1,3', '1-3,2-4', '', '', '1', '']);
    });

    it('names its author in the history, which otherwise loses only content', async () => {
      const after = await historyOf();
      const emptied = new Set(
        (await db().selectFrom('erased_history').selectAll().execute()).map((row) => row.history_id),
      );
      const bare = ({ before: _, after: __, ...row }: (typeof after)[number]) => row;
      expect(after.slice(0, before.length).map(bare)).toEqual(before.map(bare));
      const changed = before.filter((row, at) => row.before !== after[at]?.before || row.after !== after[at]?.after);
      expect(changed.length).toBeGreaterThan(4);
      expect(changed.every(({ id }) => emptied.has(id))).toBe(true);
      expect(after.at(-1)).toMatchObject({
        staff_id: school().people.admin.id,
        record: 'student',
        record_id: student.id,
        action: 'erase',
        before: null,
        after: null,
      });
    });

    it('is refused a second time', async () => {
      expect(outcomeOf(await erase())).toEqual([409, '该学员的个人信息已注销，无须再次注销']);
      const { seen, ...fields } = (await admin().get(`students/${student.id}`)).body.data;
      const written = { ...fields, nickname: '回来', guardian_mobile: '', seen };
      for (const answer of [
        await admin().put(`students/${student.id}`, written),
        await admin().post(`students/${student.id}/enable`),
        await admin().post(`students/${student.id}/disable`, { reason: '', acknowledged: '' }),
        await admin().delete(`students/${student.id}`),
      ])
        expect(outcomeOf(answer)).toEqual([409, '该学员的个人信息已注销，不能再修改']);
    });

    it('stops applications from acting for the student', async () => {
      const application = await applicationOf(school());
      expect((await application.get(`me?uid=${student.id}`)).status).toBe(404);
      expect((await application.post('session', { uid: student.id })).status).toBe(404);
    });

    it('keeps the student out of later imports, and cancels pending ones', async () => {
      expect((await admin().get(`import/${waiting}`)).body.data).toMatchObject({ state: 'discarded' });
      const send = (fields: object) =>
        admin().post('import', {
          source: student.import.source,
          mode: 'delta',
          kinds: ['student'],
          records: [record('student', 'E-77', { nickname: '苗某', ...fields } as never)],
        });
      const reasons = async (answer: Answer) =>
        (await admin().get(`import/${answer.body.data.id}/rows?limit=9`)).body.data.list.map(
          (row: { verdict: string; reasons: string[] }) => [row.verdict, row.reasons[0]],
        );
      expect(await reasons(await send({ number: '' }))).toEqual([
        ['refused', '该学员的个人信息已按要求注销，不再导入；重新入学请在“学员”中手工添加'],
      ]);
      const { school_id } = (await admin().get(`students/${student.id}`)).body.data;
      const again = { nickname: '苗某', number, mobile: '', guardian_mobile: '', school_id };
      expect((await admin().post('students', again)).body.errors).toEqual({
        number: ['此学号属于已注销的学员，不能再使用'],
      });
      const undone = await admin().post(`import/${student.import.id}/undo`);
      expect(undone.status).toBe(200);
      expect((await admin().get(`students/${student.id}`)).body.data.nickname).toBe('已注销学员');
    });

    it('tells their current grader that the report is finished', async () => {
      const body = { report_id: student.reportId, question_id: student.essay, type: 2, user_score: 6, comment: '' };
      const late = await school()
        .as('teacher')
        .post('hw/review/storeQuestion', { ...body, version: 1 });
      expect(outcomeOf(late)).toEqual([409, '该作业已批改完成，不能重复批改']);
    });

    it('repeats in the next days if a request came in meanwhile', async () => {
      const { id: post_id } = await db()
        .selectFrom('community_post')
        .select('id')
        .where('student_id', '=', student.id)
        .executeTakeFirstOrThrow();
      const comment = { post_id, user_type: 1 as const, staff_id: null, student_id: student.id, created_at: noon };
      await db()
        .insertInto('community_comment')
        .values({ ...comment, content: '迟到的话' })
        .execute();
      expect(await repeatErasures(db(), noon + 60)).toBe(1);
      expect(await tablesWithMarks(db(), ['迟到的话'])).toEqual([]);
    });
  });

  describe('history table', () => {
    const rewrite = (change: object) => db().updateTable('history').set(change).where('id', '=', 1).execute();

    it('is emptied through erasure alone', async () => {
      const { id } = await db()
        .insertInto('history')
        .values({
          at: noon,
          staff_id: null,
          record: 'student',
          record_id: 1,
          action: 'edit',
          before: '{}',
          after: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const one = db().updateTable('history').where('id', '=', id);
      await expect(one.set({ before: null, after: null }).execute()).rejects.toThrow('append-only');
      await expect(rewrite({ action: 'other' })).rejects.toThrow('append-only');
      const erased = { actor: null, now: noon, studentId: student.id };
      expect(await eraseHistory(db(), [id], erased)).toBe(1);
      expect(await eraseHistory(db(), [id], erased)).toBe(0);
      expect(await db().selectFrom('history').select(['before', 'after']).where('id', '=', id).execute()).toEqual([
        { before: null, after: null },
      ]);
      // Other columns cannot change, and empty ones cannot be filled.
      await expect(one.set({ after: '{"x":1}' }).execute()).rejects.toThrow('append-only');
      await expect(one.set({ at: 1 }).execute()).rejects.toThrow('append-only');
      await expect(db().deleteFrom('history').where('id', '=', id).execute()).rejects.toThrow('append-only');
      await expect(db().deleteFrom('erased_history').execute()).rejects.toThrow('append-only');
      await expect(sql`update erased_history set at = 1`.execute(db())).rejects.toThrow('append-only');
    });
  });
});
