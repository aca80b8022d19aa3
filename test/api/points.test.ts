import { describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('knowledge points', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  const subject = async (at = 0) =>
    (await db().selectFrom('subject').select('id').orderBy('id').execute())[at]?.id as number;
  const addPoint = async (name: string, parent_id?: number) => {
    const body = { name, parent_id, subject_id: parent_id === undefined ? await subject() : undefined };
    const answer = await admin().post('points', body);
    expect(outcomeOf(answer)).toEqual([200, '添加成功']);
    return answer.body.data.id as number;
  };
  interface Row {
    id: number;
    name: string;
    path: string[];
    children: number;
    questions: number;
    is_open: number;
  }
  const rows = async (query: string): Promise<Row[]> => (await admin().get(`points?${query}`)).body.data.list;
  const names = async (query: string) => (await rows(query)).map(({ name, path }) => '-'.repeat(path.length) + name);
  const record = async (id: number) => (await admin().get(`points/${id}`)).body.data;
  const actionsOf = async (id: number) => {
    const history = await db()
      .selectFrom('history')
      .select(['action', 'before', 'after'])
      .where('record', '=', 'knowledge_point')
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return history.map(({ action, before, after }) => [
      action,
      JSON.parse(before ?? 'null'),
      JSON.parse(after ?? 'null'),
    ]);
  };

  it('are added in bulk from indented lines', async () => {
    const body = { subject_id: await subject(), lines: '代数\n  方程\n    一元\n  函数\n几何\n  角' };
    const answer = await admin().post('points/many', body);
    expect([answer.status, answer.body.msg, answer.body.data]).toEqual([
      200,
      '添加了6个知识点',
      { added: 6, known: 0 },
    ]);
    expect(await names('whole=1')).toEqual(['代数', '-方程', '--一元', '-函数', '几何', '-角']);
    expect(await names('')).toEqual(['代数', '几何']);
    const [algebra] = await rows('');
    expect(await names(`open=${algebra?.id}`)).toEqual(['代数', '-方程', '-函数', '几何']);
    const again = await admin().post('points/many', { ...body, lines: '代 数\n\t方程\n\t\t二元\n\t数列' });
    expect(again.body.msg).toBe('添加了2个知识点，2个已有');
    expect(await names('whole=1')).toEqual(['代数', '-方程', '--一元', '--二元', '-函数', '-数列', '几何', '-角']);
    expect(errorsOf(await admin().post('points/many', { lines: '甲\n    乙\n  丙' }))).toEqual([
      422,
      { lines: ['第3行：缩进与上面各行都对不齐'] },
    ]);
    expect(errorsOf(await admin().post('points/many', { lines: '' }))).toEqual([
      422,
      { lines: ['请填写知识点，每行一个'] },
    ]);
    // Lecturers see the same tree.
    const { data } = (await school().as('teacher').get('ques/point')).body;
    expect(data.map(({ name }: Row) => name)).toEqual(['代数', '几何']);
    expect((await rows(`name=元`)).map(({ path }) => path)).toEqual([
      ['代数', '方程'],
      ['代数', '方程'],
    ]);
    expect(await names(`whole=1&subject_id=${await subject(1)}`)).toEqual([]);
  });

  describe('knowledge point', () => {
    it('needs a unique name among its siblings, and an existing parent', async () => {
      const id = await addPoint('概率');
      expect(errorsOf(await admin().post('points', { name: '' }))).toEqual([422, { name: ['名称不能为空'] }]);
      expect(errorsOf(await admin().post('points', { name: '长'.repeat(250) }))).toEqual([
        422,
        { name: ['名称不能超过100个字'] },
      ]);
      expect(errorsOf(await admin().post('points', { name: '概 率' }))).toEqual([
        422,
        { name: ['最上级已有知识点“概率”'] },
      ]);
      expect(errorsOf(await admin().post('points', { name: '一', parent_id: 99_999 }))).toEqual([
        422,
        { parent_id: ['该上级知识点不存在'] },
      ]);
      expect(errorsOf(await admin().post('points', { name: '一', subject_id: 99_999 }))).toEqual([
        422,
        { subject_id: ['该科目不存在'] },
      ]);
      const below = await addPoint('概率', id);
      expect(errorsOf(await admin().post('points', { name: '概率', parent_id: id }))).toEqual([
        422,
        { name: ['“概率”之下已有知识点“概率”'] },
      ]);
      expect(outcomeOf(await admin().get('points/99999'))).toEqual([404, '该知识点不存在']);
      for (const one of [below, id]) await admin().delete(`points/${one}`);
    });

    it('is renamed by two at once, and its subject stays that of the root', async () => {
      const id = await addPoint('统计');
      const { seen, subject_id, subject_name } = await record(id);
      expect([subject_id, subject_name]).toEqual([await subject(), 'subject甲']);
      await admin().put(`points/${id}`, { name: '统计学', subject_id, seen });
      const told = await admin().put(`points/${id}`, { name: '数据', subject_id, seen });
      expect(told.status).toBe(409);
      expect(told.body.msg).toContain('名称现在是“统计学”，您填写的是“数据”');
      const other = await admin().put(`points/${id}`, { name: '统计', subject_id: await subject(1), seen });
      expect([other.status, (await record(id)).name, (await record(id)).subject_name]).toEqual([
        200,
        '统计学',
        'subject乙',
      ]);
      await admin().delete(`points/${id}`);
    });

    it("moves below another, never below itself, nor over a colleague's change", async () => {
      const top = await addPoint('甲');
      const below = await addPoint('乙', top);
      const lowest = await addPoint('丙', below);
      const other = await addPoint('丁');
      const move = (id: number, body: object) => admin().post(`points/${id}/move`, body);
      expect(outcomeOf(await move(top, { parent_id: lowest }))).toEqual([409, '不能移到自己或自己的下级之下']);
      expect(outcomeOf(await move(top, { parent_id: top }))).toEqual([409, '不能移到自己或自己的下级之下']);
      expect(outcomeOf(await move(below, { parent_id: top }))).toEqual([409, '已在该位置']);
      expect(outcomeOf(await move(below, { parent_id: other, from_id: top }))).toEqual([200, '移动成功']);
      expect((await record(lowest)).path).toEqual(['丁', '乙']);
      const late = await move(below, { from_id: top });
      expect(outcomeOf(late)).toEqual([409, '姓名admin刚刚把该知识点移到了“丁”之下，请确认后再移动']);
      expect(late.body.data).toEqual({ from_id: other });
      // A point that is moved to the top level keeps the subject that it had.
      expect(outcomeOf(await move(below, { from_id: other }))).toEqual([200, '移动成功']);
      expect(await record(below)).toMatchObject({ path: [], subject_name: 'subject甲' });
      expect((await actionsOf(below)).at(-1)).toEqual(['move', { parent_id: other }, { parent_id: 0 }]);
      const same = await addPoint('乙', other);
      expect(outcomeOf(await move(same, {}))).toEqual([409, '最上级已有知识点“乙”']);
      for (const id of [same, lowest, below, other, top]) await admin().delete(`points/${id}`);
    });

    it('swaps places with its siblings', async () => {
      const top = await addPoint('序');
      const [one, two] = [await addPoint('一', top), await addPoint('二', top)];
      expect(outcomeOf(await admin().post(`points/${two}/order`, { direction: 'up' }))).toEqual([200, '顺序已调整']);
      expect((await names(`open=${top}`)).slice(-2)).toEqual(['-二', '-一']);
      expect(outcomeOf(await admin().post(`points/${two}/order`, { direction: 'up' }))).toEqual([409, '已是第一个']);
      expect(outcomeOf(await admin().post(`points/${one}/order`, { direction: 'down' }))).toEqual([
        409,
        '已是最后一个',
      ]);
      for (const id of [one, two, top]) await admin().delete(`points/${id}`);
    });

    it('merges into another with its questions and children', async () => {
      const [one, other] = [await addPoint('集合'), await addPoint('集合与逻辑')];
      const [below, same] = [await addPoint('子集', one), await addPoint('补集', other)];
      const { id: owner_id } = school().people.teacher;
      const question = await db()
        .insertInto('question')
        .values({
          owner_id,
          parent_id: null,
          point_id: one,
          ques_type: 5,
          ques_stem: '<p>题</p>',
          stem_text: '题',
          created_at: noon,
          updated_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const merge = (body: object) => admin().post(`points/${one}/merge`, body);
      expect(errorsOf(await merge({ into_id: below }))).toEqual([422, { into_id: ['不能合并到自己或自己的下级'] }]);
      const acknowledged = '“集合”的1个下级、1道题目将改用“集合与逻辑”，“集合”不再存在';
      expect(outcomeOf(await merge({ into_id: other }))).toEqual([409, `${acknowledged}。确认无误请再次提交。`]);
      expect(outcomeOf(await merge({ into_id: other, acknowledged }))).toEqual([200, '合并成功']);
      expect(await record(other)).toMatchObject({ children: 2, questions: 1 });
      expect((await record(below)).parent_id).toBe(other);
      expect((await record(same)).parent_id).toBe(other);
      expect((await admin().get(`points/${one}`)).status).toBe(404);
      expect((await actionsOf(one)).at(-1)).toMatchObject(['merge', { name: '集合' }, { merged_into: '集合与逻辑' }]);
      await db().deleteFrom('question').where('id', '=', question.id).execute();
    });

    it('is deleted without questions and children', async () => {
      const top = await addPoint('有题');
      const below = await addPoint('题', top);
      const question = {
        owner_id: school().people.teacher.id,
        parent_id: null,
        point_id: top,
        ques_type: 5,
        ques_stem: '<p>题</p>',
        stem_text: '题',
        created_at: noon,
        updated_at: noon,
      };
      await db().insertInto('question').values(question).execute();
      expect(outcomeOf(await admin().delete(`points/${top}`))).toEqual([409, '该知识点还有1个下级、1道题目，不能删除']);
      expect(await record(top)).toMatchObject({ children: 1, questions: 1 });
      expect(outcomeOf(await admin().delete(`points/${below}`))).toEqual([200, '删除成功']);
      await db().deleteFrom('question').where('point_id', '=', top).execute();
      expect(outcomeOf(await admin().delete(`points/${top}`))).toEqual([200, '删除成功']);
      expect((await actionsOf(top)).map(([action]) => action)).toEqual(['add', 'delete']);
    });
  });

  it('count their questions through writes, moves and deletions', async () => {
    const [one, other] = [await addPoint('一处'), await addPoint('另一处')];
    const questionRow = (point_id: number | null) => ({
      owner_id: school().people.teacher.id,
      parent_id: null,
      point_id,
      ques_type: 5,
      ques_stem: '<p>题</p>',
      stem_text: '题',
      created_at: noon,
      updated_at: noon,
    });
    const countQuestions = async () => {
      const counted = [];
      for (const id of [one, other]) counted.push((await record(id)).questions);
      return counted;
    };
    const ids = await db()
      .insertInto('question')
      .values([one, one, one, other, null].map(questionRow))
      .returning('id')
      .execute();
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids.map(({ id }) => id);
    const place = (id: number, point_id: number | null) =>
      db().updateTable('question').set({ point_id }).where('id', '=', id).execute();
    expect(await countQuestions()).toEqual([3, 1]);
    const moved = await admin().post('questions/move', { ids: `${first},${fifth}`, point_id: other });
    expect([outcomeOf(moved), await countQuestions()]).toEqual([
      [200, '保存成功'],
      [2, 3],
    ]);
    await place(second, null);
    await place(third, one);
    expect(await countQuestions()).toEqual([1, 3]);
    // A material's part is deleted with it.
    await db().updateTable('question').set({ parent_id: third }).where('id', '=', fourth).execute();
    await db().deleteFrom('question').where('id', '=', third).execute();
    expect(await countQuestions()).toEqual([0, 2]);
    await db().updateTable('question').set({ point_id: one }).where('point_id', '=', other).execute();
    expect(await countQuestions()).toEqual([2, 0]);
    await db().deleteFrom('question').where('id', 'in', [first, second, fifth]).execute();
    expect(await countQuestions()).toEqual([0, 0]);
    for (const id of [one, other]) expect(outcomeOf(await admin().delete(`points/${id}`))).toEqual([200, '删除成功']);
  });

  it('are shared: administrators of some schools only read them', async () => {
    const { id: school_id } = await db()
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db()
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
    await db().insertInto('staff_school').values({ staff_id: id, school_id }).execute();
    const token = await issueToken(db(), id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    const point = await addPoint('共用');
    expect((await ask('GET', 'points')).status).toBe(200);
    const refused = [403, '各校共用，只有管理全部学校的教务可以修改'];
    expect(outcomeOf(await ask('POST', 'points', { name: '一' }))).toEqual(refused);
    expect(outcomeOf(await ask('POST', 'points/many', { lines: '一' }))).toEqual(refused);
    expect(outcomeOf(await ask('PUT', `points/${point}`, { name: '一' }))).toEqual(refused);
    expect(outcomeOf(await ask('POST', `points/${point}/move`, {}))).toEqual(refused);
    expect(outcomeOf(await ask('DELETE', `points/${point}`))).toEqual(refused);
    await admin().delete(`points/${point}`);
  });

  it('take a constant number of queries, few or thousands', async () => {
    const queries = async () => (await school().costOf(async () => void (await rows('whole=1')))).queries;
    const before = await queries();
    const point = (name: string, sort = 0) => ({ name, sort, parent_id: null, subject_id: null });
    const many = Array.from({ length: 5000 }, (_, at) => point(`点${at}`, at));
    for (let at = 0; at < many.length; at += 500)
      await db()
        .insertInto('knowledge_point')
        .values(many.slice(at, at + 500))
        .execute();
    const answer = await admin().get('points?whole=1');
    expect([answer.body.data.total > 5000, answer.body.data.list.length]).toEqual([true, 200]);
    expect(await queries()).toBe(before);
    // A picker receives its visible part only.
    const [below] = await db()
      .insertInto('knowledge_point')
      .values([{ ...point('点下'), parent_id: (await rows('name=点4999'))[0]?.id ?? null }])
      .returning('id')
      .execute();
    const listChoices = async (query: string) =>
      (await school().as('teacher').get(`ques/point/pick?${query}`)).body.data;
    const one = { id: expect.any(Number), name: '点4999', children: [], more: 1 };
    expect(await listChoices('point_name=点4999')).toEqual({ points: [one], is_part: 1 });
    const shown = { ...one, more: undefined, children: [{ id: below?.id, name: '点下', children: [] }] };
    expect(await listChoices('point_name=点下')).toEqual({ points: [shown], is_part: 1 });
    expect((await listChoices(`point_id=${below?.id}`)).points.at(-1)).toEqual(shown);
    expect((await listChoices('point_name=点')).points).toHaveLength(50);
    const { points, is_part } = (await admin().get('exams/bank/choices?point_name=点下')).body.data;
    expect([points, is_part]).toEqual([[shown], 1]);
  });
});
