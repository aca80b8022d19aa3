import { describe, expect, it } from 'vitest';
import { logView } from '#server/school/view-log.ts';
import { schoolMessages } from '#server/schools/rules.ts';
import { administratorOf } from '../support/administrators.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

const hour = 3600;

onBothEngines('students', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  const own = async () => (await db().selectFrom('school').select('id').orderBy('id').execute())[0]?.id as number;
  let count = 0;
  const studentFields = async (more: object = {}) => {
    count += 1;
    return { nickname: `新生${count}`, number: '', mobile: '', guardian_mobile: '', school_id: await own(), ...more };
  };
  const addStudent = async (more: object = {}): Promise<number> =>
    (await admin().post('students', await studentFields(more))).body.data.id;
  const showStudent = async (id: number) => (await admin().get(`students/${id}`)).body.data;
  const writtenOf = async (id: number) => {
    const { nickname, number, mobile, guardian_mobile, school_id, seen } = await showStudent(id);
    return { nickname, number, mobile, guardian_mobile, school_id, seen };
  };
  const theClass = async (more: object = {}) => {
    count += 1;
    const { id } = await db()
      .insertInto('class')
      .values({ name: `教务班${count}`, school_id: await own(), created_at: noon, ...more } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const historyOf = async (id: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', 'student')
      .where('record_id', '=', id)
      .where('action', '!=', 'viewed')
      .orderBy('id')
      .execute();
    return rows.map((row) => [
      row.staff_id,
      row.action,
      JSON.parse(row.before ?? 'null'),
      JSON.parse(row.after ?? 'null'),
    ]);
  };

  describe('adding a student', () => {
    it('stores the values', async () => {
      const fields = await studentFields({ nickname: ' 李  雷 ', number: 'A-01', mobile: '13700000001' });
      const answer = await admin().post('students', fields);
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      const { id } = answer.body.data;
      expect(await showStudent(id)).toMatchObject({
        ...fields,
        nickname: '李 雷',
        school_name: '总校',
        is_disabled: 0,
        created_at: noon,
        leaving: '',
        records: '',
        counts: { classes: 0, homework: 0, exams: 0 },
      });
      expect(await historyOf(id)).toEqual([[school().people.admin.id, 'add', null, { ...fields, nickname: '李 雷' }]]);
    });

    it('refuses missing, too long, malformed and taken values', async () => {
      expect(errorsOf(await admin().post('students', {}))).toEqual([
        422,
        { nickname: ['姓名不能为空'], school_id: ['请选择学校'] },
      ]);
      const long = await studentFields({
        nickname: '长'.repeat(250),
        number: '1 2',
        mobile: '12',
        guardian_mobile: 'x',
      });
      expect(errorsOf(await admin().post('students', long))).toEqual([
        422,
        {
          nickname: ['姓名不能超过50个字'],
          number: ['学号不能有空格，最多30个字符'],
          mobile: ['请输入11位手机号'],
          guardian_mobile: ['请输入11位手机号'],
        },
      ]);
      await addStudent({ number: 'B-01' });
      expect(errorsOf(await admin().post('students', await studentFields({ number: 'B-01' })))).toEqual([
        422,
        { number: ['该学校已有学员使用此学号'] },
      ]);
      const away = await administratorOf(school(), { can_people: 1 });
      await db().updateTable('school').set({ put_away_at: noon }).where('id', '=', away.schoolId).execute();
      const gone = await studentFields({ school_id: away.schoolId });
      expect(errorsOf(await admin().post('students', gone))).toEqual([422, { school_id: [schoolMessages.archived] }]);
      const nowhere = await studentFields({ school_id: 9999 });
      expect(errorsOf(await admin().post('students', nowhere))).toEqual([422, { school_id: ['请选择学校'] }]);
    });

    it("accepts another's mobile number once confirmed", async () => {
      await addStudent({ nickname: '韩梅梅', number: 'C-01', mobile: '13700000077' });
      const fields = await studentFields({ mobile: '13700000077' });
      const told = await admin().post('students', fields);
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: '手机号与韩梅梅（C-01，总校）相同' }]);
      expect((await admin().post('students', { ...fields, ...told.body.data })).status).toBe(200);
    });
  });

  describe('student list', () => {
    it('filters by name, pinyin, number, mobile, class, grade and state, page by page', async () => {
      const grade = await db().selectFrom('grade').select('id').executeTakeFirstOrThrow();
      const one = await addStudent({ nickname: '单雄信', number: 'Q-77', guardian_mobile: '13612345678' });
      const two = await addStudent({ nickname: '程咬金' });
      const id = await theClass({ name: '瓦岗寨', grade_id: grade.id });
      await admin().post(`classes/${id}/members`, { ids: [one] });
      const findIds = async (query: string) => {
        const { data } = (await admin().get(`students?limit=500&${query}`)).body;
        return data.list.map((row: { id: number }) => row.id);
      };
      expect(await findIds('name=单雄')).toEqual([one]);
      expect(await findIds('name=shanxx')).toEqual([one]);
      expect(await findIds('name=cyj')).toEqual([two]);
      expect(await findIds('name=q-77')).toEqual([one]);
      expect(await findIds('name=12345678')).toEqual([one]);
      expect(await findIds('class_name=瓦岗')).toEqual([one]);
      expect(await findIds(`grade_id=${grade.id}`)).toEqual([one]);
      expect(await findIds('state=unplaced')).toContain(two);
      expect(await findIds('state=unplaced')).not.toContain(one);
      expect(await findIds('name=%25')).toEqual([]);
      const sorted = (await admin().get('students?limit=3&sort_field=nickname&sort=desc')).body.data;
      const pinyin = await db().selectFrom('student').select(['id', 'pinyin']).orderBy('pinyin', 'desc').execute();
      expect(sorted.list[0].nickname).toBeTruthy();
      expect(sorted.total).toBe(pinyin.length);
      const row = (await admin().get('students?name=单雄信')).body.data.list[0];
      expect(row).toMatchObject({ classes: [{ id, name: '瓦岗寨' }], is_disabled: 0, school_name: '总校' });
    });

    it('offers classes to join', async () => {
      const open = await theClass({ name: '可选一' });
      await theClass({ name: '可选二', valid_type: 2, valid_time: noon });
      const alone = await theClass({ name: '可选三', class_type: 1 });
      const names = async () =>
        (await admin().get('students/classes?name=可选')).body.data.list.map((row: { id: number }) => row.id);
      expect(await names()).toEqual([alone, open]);
      await admin().post(`classes/${alone}/members`, { ids: [await addStudent()] });
      expect(await names()).toEqual([open]);
      const { schools, grades } = (await admin().get('students/choices')).body.data;
      expect([schools.length > 0, grades.length]).toEqual([true, 2]);
    });
  });

  describe('editing a student', () => {
    it('records each changed field in the history, and nothing without a change', async () => {
      const id = await addStudent({ nickname: '甲', number: 'D-01' });
      const fields = await writtenOf(id);
      expect(outcomeOf(await admin().put(`students/${id}`, fields))).toEqual([200, '保存成功']);
      expect(await historyOf(id)).toHaveLength(1);
      await admin().put(`students/${id}`, { ...fields, nickname: '乙', guardian_mobile: '13500000001' });
      expect((await historyOf(id)).at(-1)).toEqual([
        school().people.admin.id,
        'edit',
        { nickname: '甲', guardian_mobile: '' },
        { nickname: '乙', guardian_mobile: '13500000001' },
      ]);
    });

    it('reports simultaneous edits with both values', async () => {
      const id = await addStudent({ nickname: '甲', number: 'E-01' });
      const opened = await writtenOf(id);
      await admin().put(`students/${id}`, { ...opened, nickname: '乙' });
      const number = await admin().put(`students/${id}`, { ...opened, number: 'E-02' });
      expect(number.status).toBe(200);
      expect(await showStudent(id)).toMatchObject({ nickname: '乙', number: 'E-02' });
      const told = await admin().put(`students/${id}`, { ...opened, nickname: '丙' });
      expect(told.status).toBe(409);
      expect(told.body.msg).toContain('姓名现在是“乙”，您填写的是“丙”');
      expect(told.body.data.conflicts).toEqual([{ field: 'nickname', theirs: '乙', yours: '丙' }]);
      const again = { ...opened, nickname: '丙', seen: told.body.data.seen, number: 'E-02' };
      expect((await admin().put(`students/${id}`, again)).status).toBe(200);
    });

    it('ignores viewers when naming the last editor', async () => {
      const id = await addStudent({ nickname: '甲' });
      const opened = await writtenOf(id);
      await admin().put(`students/${id}`, { ...opened, nickname: '乙' });
      await logView({ db: db(), actor: { id: school().people.teacher.id }, now: noon }, id);
      const told = await admin().put(`students/${id}`, { ...opened, nickname: '丙' });
      expect(told.body.msg).toMatch(/^姓名admin刚刚修改了该记录/);
    });

    it('moves them to another school once it is confirmed that they stay in their classes', async () => {
      const there = await administratorOf(school(), { can_people: 1 });
      const id = await addStudent();
      await admin().post(`classes/${await theClass()}/members`, { ids: [id] });
      const fields = { ...(await writtenOf(id)), school_id: there.schoolId };
      const told = await admin().put(`students/${id}`, fields);
      const acknowledged = '该学员在1个班级中，修改学校后仍在这些班级';
      expect([told.status, told.body.data]).toEqual([409, { acknowledged }]);
      expect((await admin().put(`students/${id}`, { ...fields, acknowledged })).status).toBe(200);
      expect((await there.ask('GET', `students/${id}`)).status).toBe(200);
    });
  });

  describe('disabling a student', () => {
    it('ends their enrolments once confirmed; enabling does not restore them', async () => {
      const id = await addStudent();
      const klassId = await theClass();
      await admin().post(`classes/${klassId}/members`, { ids: [id] });
      expect((await showStudent(id)).leaving).toBe('将离开1个班级');
      const told = await admin().post(`students/${id}/disable`, { reason: '' });
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: '将离开1个班级' }]);
      const done = await admin().post(`students/${id}/disable`, { reason: '毕业', acknowledged: '将离开1个班级' });
      expect(outcomeOf(done)).toEqual([200, '已停用']);
      expect((await admin().get(`classes/${klassId}/members`)).body.data.list).toMatchObject([
        { student_id: id, left_at: noon, left_reason: '毕业', is_disabled: 1 },
      ]);
      expect(outcomeOf(await admin().post(`students/${id}/disable`, {}))).toEqual([409, '该学员已停用']);
      expect((await admin().get('students?state=disabled')).body.data.list).toMatchObject([{ id }]);
      expect(outcomeOf(await admin().post(`students/${id}/enable`))).toEqual([200, '已恢复']);
      expect(outcomeOf(await admin().post(`students/${id}/enable`))).toEqual([409, '该学员未停用']);
      expect((await showStudent(id)).is_disabled).toBe(0);
      expect((await historyOf(id)).map(([, action]) => action)).toEqual(['add', 'disable', 'enable']);
    });
  });

  describe('deleting a student', () => {
    it('works without records, and never reuses the id', async () => {
      const id = await addStudent({ nickname: '误加', number: 'F-01', mobile: '13400000001' });
      expect(outcomeOf(await admin().delete(`students/${id}`))).toEqual([200, '已删除']);
      expect((await admin().get(`students/${id}`)).status).toBe(404);
      expect((await admin().delete(`students/${id}`)).status).toBe(404);
      expect((await admin().get('students?name=误加')).body.data.total).toBe(0);
      expect(await addStudent({ number: 'F-01' })).not.toBe(id);
      const row = await db().selectFrom('student').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ nickname: '', mobile: '', number: '', pinyin: '' });
      expect((await historyOf(id)).at(-1)?.slice(1, 3)).toEqual([
        'delete',
        { nickname: '误加', number: 'F-01', mobile: '13400000001', guardian_mobile: '', school_id: await own() },
      ]);
    });

    it('is refused with the counts of records', async () => {
      const id = await addStudent();
      const klassId = await theClass();
      await admin().post(`classes/${klassId}/members`, { ids: [id] });
      await school().addHomework({ creator: 'teacher', classes: [klassId] });
      const fault = '该学员有记录，不能删除，只能停用：1个班级，1份作业';
      expect((await showStudent(id)).records).toBe(fault);
      expect(outcomeOf(await admin().delete(`students/${id}`))).toEqual([409, fault]);
    });
  });

  describe('student page', () => {
    it('shows classes, homework, attendance, leave and history', async () => {
      const { k1 } = school().classes;
      const id = await addStudent();
      await admin().post(`classes/${k1}/members`, { ids: [id] });
      const homework = await school().addHomework({ creator: 'teacher', classes: [k1], name: '周测' });
      await school().submit(homework, id, false);
      const open = await school().addHomework({ creator: 'teacher', classes: [k1], name: '月测' });
      await db()
        .insertInto('attendance')
        .values({
          class_id: k1,
          student_id: id,
          period_id: school().periods.mine,
          op_status: 1,
          leave_cause: '生病',
          requested_at: noon,
          requested_by: null,
          decided_at: null,
          decided_by: null,
          changed_at: noon,
        })
        .execute();
      const record = await showStudent(id);
      expect(record.counts).toMatchObject({ classes: 1, homework: 2, unfinished: 1, leave: 1, waiting: 1 });
      expect(record.leaving).toBe('将离开1个班级：1个未完成作业，1条待审批请假');
      const part = async (name: string) => (await admin().get(`students/${id}/${name}`)).body.data;
      expect((await part('classes')).list).toMatchObject([{ class_id: k1, left_at: null, is_latest: 1 }]);
      const given = (await part('homework')).list;
      expect(given.map((row: { homework_id: number }) => row.homework_id).sort()).toEqual([homework, open].sort());
      expect(given.find((row: { name: string }) => row.name === '周测')).toMatchObject({
        status: 3,
        score: 0,
        total: 100,
      });
      expect(given.find((row: { name: string }) => row.name === '月测')).toMatchObject({ status: 1, score: null });
      expect((await part('leave')).list).toMatchObject([{ cause: '生病', state: '请假待审批', is_waiting: 1 }]);
      expect((await part('exams')).total).toBe(0);
      expect((await part('communication')).total).toBe(0);
      expect((await part('attendance')).total).toBe(record.counts.attendance);
      const events = (await part('history')).list;
      expect(events.map((row: { action: string }) => row.action)).toEqual(['viewed', 'join', 'add']);
      expect(events[1].class_name).not.toBe('');
    });

    it('shows memberships that ended before a return', async () => {
      const id = await addStudent();
      const klassId = await theClass();
      await admin().post(`classes/${klassId}/members`, { ids: [id] });
      await admin().post(`classes/${klassId}/members/leave`, { ids: [id], reason: '休学' });
      school().setNow(noon + hour);
      await admin().post(`classes/${klassId}/members`, { ids: [id] });
      expect((await admin().get(`students/${id}/classes`)).body.data.list).toMatchObject([
        { is_latest: 1, joined_at: noon + hour, left_at: null },
        { is_latest: 0, joined_at: noon, left_at: noon, left_reason: '休学' },
      ]);
    });

    it('counts lessons and meetings of former memberships', async () => {
      const id = await addStudent();
      const team = await theClass({ class_type: 3 });
      await admin().post(`classes/${team}/members`, { ids: [id] });
      await insertSession(school(), { class_id: team, start_time: noon - 2 * hour });
      await db()
        .updateTable('class_student')
        .set({ joined_at: noon - day })
        .where('class_id', '=', team)
        .execute();
      const before = (await admin().get(`students/${id}/attendance`)).body.data;
      expect(before.list).toMatchObject([{ kind: 'session', state: '旷课', attended: 3 }]);
      await admin().post(`classes/${team}/members/leave`, { ids: [id] });
      school().setNow(noon + hour);
      await admin().post(`classes/${team}/members`, { ids: [id] });
      expect((await admin().get(`students/${id}/attendance`)).body.data).toEqual(before);
    });

    it('logs a view once per person and hour', async () => {
      const id = await addStudent();
      const looks = () =>
        db()
          .selectFrom('history')
          .select(['staff_id', 'at'])
          .where('record', '=', 'student')
          .where('record_id', '=', id)
          .where('action', '=', 'viewed')
          .orderBy('id')
          .execute();
      const { admin: person, teacher, assist } = school().people;
      await showStudent(id);
      await showStudent(id);
      expect(await looks()).toEqual([{ staff_id: person.id, at: noon }]);
      school().setNow(noon + hour);
      await showStudent(id);
      expect(await looks()).toHaveLength(2);
      // A lecturer and an assistant look at the students in their class, and at the submitted work.
      const { k1 } = school().classes;
      await admin().post(`classes/${k1}/members`, { ids: [id] });
      const member = await db()
        .selectFrom('class_student')
        .select('id')
        .where('student_id', '=', id)
        .executeTakeFirstOrThrow();
      await school().as('assist').get(`stateschoolstudent/${member.id}`);
      await school().as('assist').get(`stateschoolstudent/${member.id}`);
      expect((await looks()).map(({ staff_id }) => staff_id)).toEqual([person.id, person.id, assist.id]);
      const homework = await school().addHomework({ creator: 'teacher', classes: [k1] });
      const report = await school().submit(homework, id, false);
      expect((await school().as('teacher').get(`student/report/${report}`)).status).toBe(200);
      expect((await looks()).at(-1)?.staff_id).toBe(teacher.id);
    });
  });

  it("show the administrator's schools alone, and require the permission", async () => {
    const id = await addStudent();
    const there = await administratorOf(school(), { can_people: 1 });
    const fields = await writtenOf(id);
    const asked: [string, string, object?][] = [
      ['GET', `students/${id}`],
      ['PUT', `students/${id}`, fields],
      ['POST', `students/${id}/disable`, {}],
      ['POST', `students/${id}/enable`],
      ['DELETE', `students/${id}`],
      ...['classes', 'homework', 'exams', 'attendance', 'leave', 'communication', 'history'].map(
        (part): [string, string] => ['GET', `students/${id}/${part}`],
      ),
    ];
    for (const [method, path, body] of asked) {
      expect([path, ...outcomeOf(await there.ask(method, path, body))]).toEqual([path, 404, '学员不存在']);
    }
    expect((await there.ask('GET', 'students')).body.data.total).toBe(0);
    const mine = await there.ask('POST', 'students', { ...fields, school_id: there.schoolId });
    expect(mine.status).toBe(200);
    expect(errorsOf(await there.ask('POST', 'students', fields))).toEqual([422, { school_id: ['请选择学校'] }]);
    const without = await administratorOf(school(), { can_teaching: 1 });
    expect(outcomeOf(await without.ask('GET', 'students'))).toEqual([403, '您没有管理人员的权限']);
  });
});
