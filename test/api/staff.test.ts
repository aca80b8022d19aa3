import { describe, expect, it } from 'vitest';
import { passwordMatches } from '#server/platform/auth/password.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf, type TestSchool } from '../support/school.ts';

const li = {
  identity: 'teacher',
  username: 'Li.Lei',
  real_name: '李雷',
  mobile: '13900000001',
  permissions: ['dispatch'],
};

onBothEngines('staff', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const own = async () => (await school().database.db.selectFrom('school').select('id').execute())[0]?.id as number;
  let count = 0;
  const addStaff = async (more: object = {}) => {
    count += 1;
    const body = { ...li, username: `li${count}`, mobile: '', school_id: await own(), ...more };
    return (await admin().post('staff', body)).body.data.id as number;
  };
  const show = async (id: number) => (await admin().get(`staff/${id}`)).body.data;
  const writtenOf = async (id: number) => {
    const { username, real_name, mobile, school_id, permissions, every_school, schools, seen } = await show(id);
    const school_ids = schools.map((one: { id: number }) => one.id);
    return { username, real_name, mobile, school_id, permissions, every_school, school_ids, seen };
  };
  const historyOf = async (id: number) => {
    const rows = await school()
      .database.db.selectFrom('history')
      .selectAll()
      .where('record', '=', 'staff')
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map((row) => [
      row.staff_id,
      row.action,
      JSON.parse(row.before ?? 'null'),
      JSON.parse(row.after ?? 'null'),
    ]);
  };

  /** Creates another school with a bound administrator and a lecturer. */
  const elsewhere = async (own: TestSchool, more: Partial<Record<`can_${'people' | 'settings'}`, Flag>> = {}) => {
    const { db } = own.database;
    const { id } = await db.insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
    count += 1;
    const person = (identity: 'admin' | 'teacher') => ({
      identity,
      username: `${identity}-there${count}`,
      password_hash: 'none',
      real_name: '那边',
      school_id: id,
      disabled_at: null,
      created_at: noon,
    });
    const bound = await db
      .insertInto('staff')
      .values({ ...person('admin'), can_people: 1, ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('staff_school').values({ staff_id: bound.id, school_id: id }).execute();
    const lecturer = await db.insertInto('staff').values(person('teacher')).returning('id').executeTakeFirstOrThrow();
    const token = await issueToken(db, bound.id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      own.ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    return { id, bound: bound.id, lecturer: lecturer.id, ask };
  };

  describe('adding staff', () => {
    it('stores the values, without a password', async () => {
      const school_id = await own();
      const answer = await admin().post('staff', { ...li, school_id });
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      const { id } = answer.body.data;
      expect(await show(id)).toMatchObject({
        ...li,
        username: 'li.lei',
        school_name: '总校',
        is_new: 1,
        was_given: 0,
        is_disabled: 0,
        used_at: null,
        duties: '',
      });
      const after = { ...li, username: 'li.lei', school_id, every_school: 0, school_ids: [] };
      expect(await historyOf(id)).toEqual([[school().people.admin.id, 'add', null, after]]);
      const login = await school().ask('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'li.lei', password: 'none' }),
      });
      expect(login.status).toBe(401);
    });

    it('refuses missing, too long and taken values', async () => {
      const school_id = await own();
      expect(errorsOf(await admin().post('staff', {}))).toEqual([
        422,
        {
          identity: ['请选择身份'],
          username: ['用户名不能为空'],
          real_name: ['姓名不能为空'],
          school_id: ['请选择学校'],
        },
      ]);
      const long = { ...li, school_id, real_name: '长'.repeat(250), username: 'a b', mobile: '12' };
      expect(errorsOf(await admin().post('staff', long))).toEqual([
        422,
        {
          username: ['用户名不能有空格，最多100个字符'],
          real_name: ['姓名不能超过50个字'],
          mobile: ['请输入11位手机号'],
        },
      ]);
      const taken = { ...li, school_id, mobile: '', username: 'TEACHER' };
      expect(errorsOf(await admin().post('staff', taken))).toEqual([422, { username: ['该用户名已被使用'] }]);
      const unfit = { ...li, school_id, mobile: '', username: 'unfit', permissions: ['people'] };
      expect(errorsOf(await admin().post('staff', unfit))).toEqual([422, { permissions: ['该身份没有所选的权限'] }]);
      const nowhere = { ...li, school_id: 999, mobile: '', username: 'nowhere' };
      expect(errorsOf(await admin().post('staff', nowhere))).toEqual([422, { school_id: ['请选择学校'] }]);
      const unbound = { ...li, identity: 'admin', school_id, mobile: '', username: 'unbound', permissions: ['people'] };
      expect(errorsOf(await admin().post('staff', unbound))).toEqual([422, { school_ids: ['请选择至少一所学校'] }]);
    });

    it("accepts another's mobile number once confirmed", async () => {
      await addStaff({ mobile: '13900000077', real_name: '韩梅梅', username: 'han' });
      const body = { ...li, username: 'same', mobile: '13900000077', school_id: await own() };
      const told = await admin().post('staff', body);
      expect([told.status, told.body.data]).toEqual([409, { acknowledged: '手机号与韩梅梅（han）相同' }]);
      expect(told.body.msg).toBe('手机号与韩梅梅（han）相同。确认无误请再次提交。');
      expect((await admin().post('staff', { ...body, ...told.body.data })).status).toBe(200);
    });
  });

  describe('staff list', () => {
    it('filters by name, identity and state, page by page', async () => {
      const id = await addStaff({ real_name: '唯一的人', username: 'only-one' });
      const list = async (query: string) => (await admin().get(`staff?${query}`)).body.data;
      expect((await list('name=唯一')).list.map((row: { id: number }) => row.id)).toEqual([id]);
      expect((await list('name=ONLY-')).total).toBe(1);
      expect((await list('name=唯一&state=new')).total).toBe(1);
      expect((await list('name=唯一&state=active')).total).toBe(0);
      expect((await list('identity=assist')).list.map((row: { username: string }) => row.username)).toEqual([
        'assist2',
        'assist',
      ]);
      const { list: rows, total } = await list('limit=2&page=999');
      expect(rows.length).toBe(total % 2 === 0 ? 2 : 1);
    });
  });

  describe('editing staff', () => {
    it('writes a history row of the changes', async () => {
      const id = await addStaff();
      const written = await writtenOf(id);
      const change = { real_name: '李蕾', permissions: ['correct', 'dispatch'] };
      expect(outcomeOf(await admin().put(`staff/${id}`, { ...written, ...change }))).toEqual([200, '保存成功']);
      expect((await historyOf(id)).at(-1)).toEqual([
        school().people.admin.id,
        'edit',
        { real_name: '李雷', permissions: ['dispatch'] },
        { real_name: '李蕾', permissions: ['dispatch', 'correct'] },
      ]);
      const before = (await historyOf(id)).length;
      await admin().put(`staff/${id}`, await writtenOf(id));
      expect((await historyOf(id)).length).toBe(before);
    });

    it("names a field's editor in a conflict, despite later sign-ins and passwords", async () => {
      const id = await addStaff();
      const [first, second] = [await writtenOf(id), await writtenOf(id)];
      await admin().put(`staff/${id}`, { ...first, real_name: '甲' });
      const since = { record: 'staff', record_id: id, before: null, staff_id: id, at: noon };
      const { db } = school().database;
      for (const action of ['signed_in', 'password'])
        await db
          .insertInto('history')
          .values({ ...since, action, after: JSON.stringify({ address: '' }) })
          .execute();
      expect((await admin().put(`staff/${id}`, { ...second, real_name: '乙' })).body.msg).toMatch(/^姓名admin刚刚修改/);
    });

    it('merges simultaneous edits, and reports conflicts with both values', async () => {
      const id = await addStaff();
      const [first, second] = [await writtenOf(id), await writtenOf(id)];
      await admin().put(`staff/${id}`, { ...first, real_name: '甲', mobile: '13900000002' });
      const told = await admin().put(`staff/${id}`, { ...second, real_name: '乙', username: `other${id}` });
      expect(outcomeOf(told)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：姓名现在是“甲”，您填写的是“乙”。再次保存将以您填写的为准。',
      ]);
      expect(told.body.data.conflicts).toEqual([{ field: 'real_name', theirs: '甲', yours: '乙' }]);
      expect(await show(id)).toMatchObject({ real_name: '甲', mobile: '13900000002' });
      // A repeated form does not revert a mobile changed meanwhile.
      const again = { ...second, real_name: '乙', username: `other${id}` };
      expect((await admin().put(`staff/${id}`, { ...again, seen: told.body.data.seen })).status).toBe(200);
      expect(await show(id)).toMatchObject({ real_name: '乙', username: `other${id}`, mobile: '13900000002' });
      // A field that the form leaves unchanged keeps the change of the other editor.
      const left = await writtenOf(id);
      await admin().put(`staff/${id}`, { ...(await writtenOf(id)), mobile: '' });
      expect((await admin().put(`staff/${id}`, { ...left, real_name: '丙' })).status).toBe(200);
      expect(await show(id)).toMatchObject({ real_name: '丙', mobile: '' });
    });
  });

  describe('disabling staff', () => {
    it('names the unfinished work before, and is reversible', async () => {
      const { db } = school().database;
      const id = await addStaff();
      const { shared } = school().courses;
      await db
        .insertInto('period')
        .values({ course_id: shared, title: '明天', lecturer_id: id, chapter_id: null, start_play: noon + day })
        .execute();
      const told = await admin().post(`staff/${id}/disable`, {});
      const duties = '还有1节课未上，最近一节：2026-11-21 12:00';
      expect(outcomeOf(told)).toEqual([409, `${duties}。确认无误请再次提交。`]);
      expect((await show(id)).duties).toBe(duties);
      expect(outcomeOf(await admin().post(`staff/${id}/disable`, { acknowledged: duties }))).toEqual([200, '已停用']);
      expect(outcomeOf(await admin().post(`staff/${id}/disable`, { acknowledged: duties }))).toEqual([
        409,
        '该人员已停用',
      ]);
      expect(outcomeOf(await admin().post(`staff/${id}/enable`))).toEqual([200, '已恢复']);
      expect(outcomeOf(await admin().post(`staff/${id}/enable`))).toEqual([409, '该人员未停用']);
      expect((await historyOf(id)).slice(1).map(([by, action]) => [by, action])).toEqual([
        [school().people.admin.id, 'disable'],
        [school().people.admin.id, 'enable'],
      ]);
    });

    it('is refused for the last administrator of people of all schools', async () => {
      const { id } = school().people.admin;
      const last = '至少保留一位能管理全部学校人员的教务';
      expect(outcomeOf(await admin().post(`staff/${id}/disable`, {}))).toEqual([409, last]);
      const written = await writtenOf(id);
      const without = { ...written, permissions: ['teaching', 'exams', 'settings', 'audit'] };
      expect(outcomeOf(await admin().put(`staff/${id}`, without))).toEqual([409, last]);
      const bound = { ...written, every_school: 0, school_ids: [await own()] };
      expect(outcomeOf(await admin().put(`staff/${id}`, bound))).toEqual([409, last]);
      const withoutSettings = { ...written, permissions: ['people', 'teaching', 'exams'] };
      expect(outcomeOf(await admin().put(`staff/${id}`, withoutSettings))).toEqual([
        409,
        '至少保留一位管理全部学校、有“修改设置”“查看操作记录”权限的教务，否则无人能再授予',
      ]);
    });

    it('is refused for the last person able to grant a permission', async () => {
      const { id } = school().people.admin;
      const people = await addStaff({
        username: 'of-people',
        identity: 'admin',
        every_school: 1,
        permissions: ['people'],
      });
      const rest = ['teaching', 'exams', 'settings', 'audit'];
      const others = await addStaff({ username: 'of-rest', identity: 'admin', every_school: 1, permissions: rest });
      const fault =
        '至少保留一位管理全部学校、有“管理教学”“管理考试”“修改设置”“查看操作记录”权限的教务，否则无人能再授予';
      expect(outcomeOf(await admin().post(`staff/${id}/disable`, {}))).toEqual([409, fault]);
      const written = await writtenOf(id);
      expect(outcomeOf(await admin().put(`staff/${id}`, { ...written, permissions: rest }))).toEqual([409, fault]);
      for (const other of [people, others]) expect((await admin().post(`staff/${other}/disable`, {})).status).toBe(200);
    });
  });

  describe('new password', () => {
    it('is shown once, and must be changed before anything else', async () => {
      const id = await addStaff({ username: 'first', identity: 'teacher', permissions: ['dispatch', 'correct'] });
      const given = await admin().post('staff/passwords', { ids: [id] }, { 'idempotency-key': 'same' });
      expect(given.body.data).toEqual([{ id, real_name: '李雷', username: 'first', password: expect.any(String) }]);
      const { password } = given.body.data[0];
      // The password is stored neither with repeatable responses nor in the history.
      const { db } = school().database;
      const kept = await db.selectFrom('accepted_request').select('answer').execute();
      expect(JSON.stringify([kept, await historyOf(id)])).not.toContain(password);
      const send = (path: string, method: string, body?: object, token?: string, headers?: Record<string, string>) =>
        school().ask(path, {
          method,
          headers: {
            'content-type': 'application/json',
            ...headers,
            ...(token && { authorization: `Bearer ${token}` }),
          },
          body: body && JSON.stringify(body),
        });
      const login = await send('/api/auth/login', 'POST', { username: 'first', password });
      const { token } = login.body.data;
      const refused = [403, '请先修改初始密码'];
      expect(outcomeOf(await send('/api/lector/hw/index', 'GET', undefined, token))).toEqual(refused);
      expect(outcomeOf(await send('/api/lector/information', 'GET', undefined, token))).toEqual(refused);
      expect((await send('/api/auth/me', 'GET', undefined, token)).body.data.must_change_password).toBe(1);
      const change = (chosen: string, old_password = '', headers = {}) =>
        send(
          '/api/lector/update/password',
          'PUT',
          { old_password, new_password: chosen, new_password_confirmation: chosen },
          token,
          headers,
        );
      // After sign-in with a first password, the old password is not asked for.
      for (const old of ['', password])
        expect(errorsOf(await change(password, old))).toEqual([422, { new_password: ['新密码不能与初始密码相同'] }]);
      expect(errorsOf(await change('Chosen2026', 'Wrong2026'))).toEqual([422, { old_password: ['旧密码不正确'] }]);
      for (const _ of ['once', 'twice'])
        expect((await change('Chosen2026', '', { 'idempotency-key': 'first' })).status).toBe(200);
      expect(errorsOf(await change('Other2026'))).toEqual([422, { old_password: ['请输入旧密码'] }]);
      expect((await send('/api/lector/hw/index', 'GET', undefined, token)).status).toBe(200);
      expect(outcomeOf(await admin().post('staff/passwords', { ids: [id] }))).toEqual([
        409,
        '李雷：该人员已有自己的密码，请使用“重置密码”',
      ]);
    });

    it('replaces a forgotten one and ends all sessions; not for oneself', async () => {
      const id = await addStaff();
      const { db } = school().database;
      await issueToken(db, id, { device: '', address: '', now: noon });
      expect((await show(id)).sign_ins).toBe(1);
      const { status, body } = await admin().post(`staff/${id}/password`);
      expect(status).toBe(200);
      const { password_hash, must_change_password } = await db
        .selectFrom('staff')
        .select(['password_hash', 'must_change_password'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect([await passwordMatches(body.data.password, password_hash), must_change_password]).toEqual([true, 1]);
      expect((await show(id)).sign_ins).toBe(0);
      const { id: self } = school().people.admin;
      expect(outcomeOf(await admin().post(`staff/${self}/password`))).toEqual([409, '请在“我的账号”中修改自己的密码']);
    });

    it('is refused for nobody, and for too many people', async () => {
      expect(errorsOf(await admin().post('staff/passwords', { ids: [] }))).toEqual([422, { ids: ['请选择人员'] }]);
      const ids = Array.from({ length: 101 }, (_, at) => at + 1);
      expect((await admin().post('staff/passwords', { ids })).status).toBe(422);
      expect((await admin().post('staff/passwords', { ids: [99_999] })).status).toBe(404);
    });
  });

  it('signs a person out everywhere', async () => {
    const id = await addStaff();
    await issueToken(school().database.db, id, { device: '', address: '', now: noon });
    expect((await admin().post(`staff/${id}/sign-out`)).body).toMatchObject({
      data: { count: 1 },
      msg: '已结束全部登录',
    });
    expect((await show(id)).sign_ins).toBe(0);
  });

  describe('staff of another school', () => {
    it('answer 404 to a bound administrator in every call', async () => {
      const there = await elsewhere(school());
      const ours = school().people.teacher.id;
      const asked: [string, string, object?][] = [
        ['GET', `staff/${ours}`],
        ['PUT', `staff/${ours}`, { ...li }],
        ['POST', `staff/${ours}/disable`, {}],
        ['POST', `staff/${ours}/enable`, {}],
        ['POST', `staff/${ours}/sign-out`, {}],
        ['POST', `staff/${ours}/password`, {}],
        ['POST', 'staff/passwords', { ids: [ours] }],
      ];
      for (const [method, path, body] of asked)
        expect([path, outcomeOf(await there.ask(method, path, body))]).toEqual([path, [404, '该人员不存在']]);
      const { list } = (await there.ask('GET', 'staff')).body.data;
      expect(list.map(({ id }: { id: number }) => id)).toEqual([there.lecturer, there.bound]);
      expect((await there.ask('GET', 'staff/schools')).body.data).toEqual([{ id: there.id, name: '分校' }]);
      expect((await there.ask('GET', 'overview')).body.data).toMatchObject({ schools: 1, lecturers: 1, students: 0 });
      expect((await there.ask('GET', `staff/${there.lecturer}`)).status).toBe(200);
    });

    it('never get permissions that the editor lacks', async () => {
      const there = await elsewhere(school());
      const body = { ...li, username: `more${there.id}`, mobile: '', school_id: there.id };
      const administrator = { ...body, identity: 'admin', school_ids: [there.id] };
      expect(errorsOf(await there.ask('POST', 'staff', { ...administrator, permissions: ['settings'] }))).toEqual([
        422,
        { permissions: ['不能授予您自己没有的权限'] },
      ]);
      expect(
        errorsOf(await there.ask('POST', 'staff', { ...administrator, permissions: ['people'], every_school: 1 })),
      ).toEqual([422, { every_school: ['只有管理全部学校的教务可以授予'] }]);
      const ours = await own();
      const wider = { ...administrator, permissions: ['people'], school_ids: [there.id, ours] };
      expect(errorsOf(await there.ask('POST', 'staff', wider))).toEqual([422, { school_ids: ['请选择至少一所学校'] }]);
      expect((await there.ask('POST', 'staff', { ...administrator, permissions: ['people'] })).status).toBe(200);
    });

    it('with more permissions cannot be edited', async () => {
      const there = await elsewhere(school());
      const { db } = school().database;
      const { id } = await db
        .insertInto('staff')
        .values({
          identity: 'admin',
          username: `boss${there.id}`,
          password_hash: 'none',
          real_name: '主任',
          school_id: there.id,
          can_people: 1,
          can_settings: 1,
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.insertInto('staff_school').values({ staff_id: id, school_id: there.id }).execute();
      expect((await there.ask('GET', `staff/${id}`)).status).toBe(200);
      expect(outcomeOf(await there.ask('POST', `staff/${id}/password`, {}))).toEqual([
        403,
        '该教务拥有您没有的权限，不能由您修改',
      ]);
    });
  });
});
