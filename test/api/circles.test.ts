import { describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('circles', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  const own = async () => (await db().selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow()).id;
  let count = 0;
  const addCircle = async () => {
    count += 1;
    const answer = await admin().post('circles', {
      name: `读书会${count}`,
      school_id: await own(),
      introduction: ' 读 ',
    });
    expect(outcomeOf(answer)).toEqual([200, '添加成功']);
    return answer.body.data.id as number;
  };
  const record = async (id: number) => (await admin().get(`circles/${id}`)).body.data;
  const members = async (id: number, query = '') => (await admin().get(`circles/${id}/members?${query}`)).body.data;
  const actionsOf = async (id: number) =>
    (
      await db()
        .selectFrom('history')
        .select('action')
        .where('record', '=', 'community_group')
        .where('record_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);
  const listOwn = async (who: 'teacher' | 'otherTeacher') => {
    const { body } = await school().as(who).get('community/group/myGroup?group_type=2');
    return body.data.list.map(({ id }: { id: number }) => id);
  };

  it('have a unique name in the school, and merge two simultaneous edits', async () => {
    const id = await addCircle();
    expect(await record(id)).toMatchObject({
      name: `读书会${count}`,
      introduction: '读',
      members: 0,
      posts: 0,
      loss: '',
    });
    const school_id = await own();
    expect(errorsOf(await admin().post('circles', {}))).toEqual([
      422,
      { name: ['圈子名称不能为空'], school_id: ['请选择学校'] },
    ]);
    const long = { name: '长'.repeat(250), introduction: '长'.repeat(501), school_id };
    expect(errorsOf(await admin().post('circles', long))).toEqual([
      422,
      { name: ['圈子名称不能超过50个字'], introduction: ['简介不能超过500个字'] },
    ]);
    expect(errorsOf(await admin().post('circles', { name: `读 书会${count}`, school_id }))).toEqual([
      422,
      { name: [`该校已有圈子“读书会${count}”`] },
    ]);
    const { seen, introduction } = await record(id);
    await admin().put(`circles/${id}`, { name: '甲', introduction, seen });
    const told = await admin().put(`circles/${id}`, { name: '乙', introduction, seen });
    expect(told.status).toBe(409);
    expect(told.body.msg).toContain('圈子名称现在是“甲”，您填写的是“乙”');
    const again = { name: '乙', introduction, seen: told.body.data.seen };
    expect(outcomeOf(await admin().put(`circles/${id}`, again))).toEqual([200, '保存成功']);
    expect(await actionsOf(id)).toEqual(['add', 'edit', 'edit']);
  });

  it('add a class and people by name, each once, and remove them', async () => {
    const id = await addCircle();
    const { k1 } = school().classes;
    const whole = await admin().post(`circles/${id}/members/class`, { class_id: k1 });
    expect(whole.status).toBe(200);
    const { added: joined } = whole.body.data;
    expect(joined).toBeGreaterThan(2);
    expect((await record(id)).members).toBe(joined);
    expect((await admin().post(`circles/${id}/members/class`, { class_id: k1 })).body.msg).toBe(
      `加入了0位成员，${joined}位已在圈子中`,
    );
    expect(errorsOf(await admin().post(`circles/${id}/members/class`, { class_id: 99_999 }))).toEqual([
      422,
      { class_id: ['请选择班级'] },
    ]);
    const { nickname } = await db()
      .selectFrom('student')
      .select('nickname')
      .where('id', '=', school().students.k4[0] as number)
      .executeTakeFirstOrThrow();
    const people = (lines: string) => admin().post(`circles/${id}/members`, { lines });
    expect(errorsOf(await people(' \n'))).toEqual([422, { lines: ['请填写成员，每行一位'] }]);
    expect(errorsOf(await people(`${nickname}\n\n没有此人`))).toEqual([422, { lines: ['第3行：本校没有“没有此人”'] }]);
    expect((await record(id)).members).toBe(joined);
    const school_id = await own();
    await db()
      .insertInto('student')
      .values([1, 2].map(() => ({ nickname: '同名', school_id, created_at: noon })))
      .execute();
    expect(errorsOf(await people('同名'))).toEqual([422, { lines: ['第1行：“同名”有2位，请填写手机号或用户名'] }]);
    expect(outcomeOf(await people(`${nickname}\nTEACHER2\n${nickname}`))[1]).toMatch(
      /^加入了\d位成员，\d位已在圈子中$/,
    );
    expect(await listOwn('otherTeacher')).toContain(id);
    const { list } = await members(id, 'user_type=2');
    const { id: other } = school().people.otherTeacher;
    expect(list.map(({ person_id }: { person_id: number }) => person_id)).toContain(other);
    const before = (await record(id)).members;
    const gone = { staff_ids: [other] };
    expect(outcomeOf(await admin().post(`circles/${id}/members/remove`, gone))).toEqual([200, '已移出']);
    expect(outcomeOf(await admin().post(`circles/${id}/members/remove`, gone))).toEqual([404, '该成员不在圈子中']);
    expect((await record(id)).members).toBe(before - 1);
    expect((await members(id, 'limit=500')).total).toBe(before - 1);
    expect(await listOwn('otherTeacher')).not.toContain(id);
    expect(await actionsOf(id)).toEqual(['add', 'join', 'join', 'remove']);
  });

  it('are archived once the lost members are confirmed, and restored', async () => {
    const id = await addCircle();
    await admin().post(`circles/${id}/members`, { lines: 'teacher' });
    expect(await listOwn('teacher')).toContain(id);
    const told = await admin().post(`circles/${id}/put-away`, {});
    expect([told.status, told.body.data]).toEqual([409, { acknowledged: '1位成员将看不到该圈子' }]);
    expect(outcomeOf(await admin().post(`circles/${id}/put-away`, told.body.data))).toEqual([200, '已停用']);
    expect(outcomeOf(await admin().post(`circles/${id}/put-away`, told.body.data))).toEqual([409, '该圈子已停用']);
    expect(await listOwn('teacher')).not.toContain(id);
    expect((await school().as('teacher').get(`community/group/${id}`)).status).toBe(404);
    const { list } = (await admin().get('circles?state=away')).body.data;
    expect(list.map((one: { id: number }) => one.id)).toEqual([id]);
    expect(outcomeOf(await admin().post(`circles/${id}/restore`))).toEqual([200, '已恢复']);
    expect(outcomeOf(await admin().post(`circles/${id}/restore`))).toEqual([409, '该圈子未停用']);
    expect(await listOwn('teacher')).toContain(id);
  });

  describe('circles of another school', () => {
    it('are hidden, including the circles of classes', async () => {
      const id = await addCircle();
      const { id: school_id } = await db()
        .insertInto('school')
        .values({ org_name: '分校' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const bound = await db()
        .insertInto('staff')
        .values({
          identity: 'admin',
          username: 'bound',
          password_hash: 'none',
          real_name: '那边',
          school_id,
          disabled_at: null,
          created_at: noon,
          can_teaching: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db().insertInto('staff_school').values({ staff_id: bound.id, school_id }).execute();
      const token = await issueToken(db(), bound.id, { device: '', address: '', now: noon });
      const ask = (method: string, path: string, body?: object) =>
        school().ask(`/api/admin/${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: body && JSON.stringify(body),
        });
      expect((await ask('GET', 'circles')).body.data.total).toBe(0);
      const none = [404, '圈子不存在'];
      expect(outcomeOf(await ask('GET', `circles/${id}`))).toEqual(none);
      expect(outcomeOf(await ask('GET', `circles/${id}/members`))).toEqual(none);
      expect(outcomeOf(await ask('PUT', `circles/${id}`, { name: '抢' }))).toEqual(none);
      expect(outcomeOf(await ask('POST', `circles/${id}/put-away`, {}))).toEqual(none);
      expect(outcomeOf(await ask('POST', `circles/${id}/members`, { lines: 'teacher' }))).toEqual(none);
      expect(outcomeOf(await ask('POST', `circles/${id}/members/remove`, { staff_ids: [1] }))).toEqual(none);
      expect(errorsOf(await ask('POST', 'circles', { name: '一', school_id: await own() }))).toEqual([
        422,
        { school_id: ['请选择学校'] },
      ]);
      const made = await ask('POST', 'circles', { name: '一', school_id });
      expect(made.status).toBe(200);
      // The circle belongs to another school than the user “teacher”.
      expect(errorsOf(await ask('POST', `circles/${made.body.data.id}/members`, { lines: 'teacher' }))).toEqual([
        422,
        { lines: ['第1行：本校没有“teacher”'] },
      ]);
      const circle = await db()
        .selectFrom('community_group')
        .select('id')
        .where('group_type', '=', 1)
        .executeTakeFirst();
      if (circle) expect((await admin().get(`circles/${circle.id}`)).status).toBe(404);
      await db().updateTable('staff').set({ can_teaching: 0 }).where('id', '=', bound.id).execute();
      expect(outcomeOf(await ask('GET', 'circles'))).toEqual([403, '您没有管理教学的权限']);
    });
  });
});
