import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';

const question = { ques_type: 5, ques_stem: '简述光合作用', right_answer: '把光能变为化学能', facility_value: 3 };

onBothEngines('the tags of own questions', (school) => {
  const as = (who: 'teacher' | 'otherTeacher' | 'assist' = 'teacher') => school().as(who);
  const add = (tags?: string, who: 'teacher' | 'otherTeacher' | 'assist' = 'teacher') =>
    as(who).post('ques/add', { ...question, tags });
  const added = async (tags?: string): Promise<number> => (await add(tags)).body.data.id;
  const show = async (id: number) => (await as().get(`ques/show/${id}`)).body.data[0].tags;
  const listed = async (query: string) =>
    (await as().get(`ques/index?limit=100&${query}`)).body.data.list.map((row: { id: number }) => row.id);
  const tagged = (tag: string) => listed(`tag=${encodeURIComponent(tag)}`);

  it('are separated by spaces, commas and 、, and count once whatever their case and width', async () => {
    expect(await show(await added('期中 函数,难题，必考、ＡＢＣ　abc\t期中'))).toEqual([
      '期中',
      '函数',
      '难题',
      '必考',
      'ＡＢＣ',
    ]);
    expect(await show(await added())).toEqual([]);
  });

  it('are refused if one is too long, or if there are too many', async () => {
    const refused = async (tags: string) => {
      const { status, body } = await add(tags);
      return [status, body.errors];
    };
    expect(await refused('字'.repeat(21))).toEqual([422, { tags: [`标签不能超过20个字：${'字'.repeat(21)}`] }]);
    expect(await refused('1 2 3 4 5 6 7 8 9 10 11')).toEqual([422, { tags: ['一道题最多10个标签'] }]);
    expect((await add(`${'😀'.repeat(20)} 1 2 3 4 5 6 7 8 9`)).status).toBe(200);
  });

  it('stay when an edit does not name them, and change with a history row', async () => {
    const id = await added('甲 乙');
    const edit = (more: object) => as().put(`ques/update/${id}`, { ...question, ...more });
    await edit({ facility_value: 4 });
    expect(await show(id)).toEqual(['甲', '乙']);
    await edit({ facility_value: 4, tags: '乙 丙' });
    expect(await show(id)).toEqual(['乙', '丙']);
    await edit({ facility_value: 4, tags: '' });
    expect(await show(id)).toEqual([]);
    const rows = (await as().get(`ques/history/${id}`)).body.data;
    expect(rows.slice(0, 3).map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ name: '标签', before: '乙、丙', after: '' }],
      [{ name: '标签', before: '甲、乙', after: '乙、丙' }],
      [{ name: '难度', before: '3', after: '4' }],
    ]);
  });

  it('narrow the list to questions with all of them, beside the other filters', async () => {
    const both = await added('滤一 滤二');
    const one = await added('滤一');
    expect(await tagged('滤一')).toEqual([one, both]);
    expect(await tagged('滤二，滤一')).toEqual([both]);
    expect(await tagged('滤')).toEqual([]);
    expect(await listed(`tag=${encodeURIComponent('滤一')}&ques_stem=${encodeURIComponent('光合')}`)).toEqual([
      one,
      both,
    ]);
    expect(await listed(`tag=${encodeURIComponent('滤一')}&ques_type=1`)).toEqual([]);
    const folded = await added('Ｆold');
    expect(await tagged('fOLD')).toEqual([folded]);
    // A total is cached until the bank changes.
    await as().post('ques/tags', { ids: [one], add: '', remove: '滤一' });
    expect((await as().get(`ques/index?tag=${encodeURIComponent('滤一')}`)).body.data.total).toBe(1);
  });

  it('are listed with the number of their questions, the most used first, for their owner alone', async () => {
    await school().database.db.deleteFrom('question_tag').execute();
    await added('少 多');
    await added('多');
    await add('别人的', 'otherTeacher');
    expect((await as().get('ques/tags')).body.data).toEqual([
      { name: '多', questions: 2 },
      { name: '少', questions: 1 },
    ]);
    expect((await as('assist').get('ques/tags')).body.data).toEqual([]);
  });

  it('are added to many questions at once and removed from them, each with a history row', async () => {
    const ids = [await added('旧'), await added('新'), await added()];
    const set = (body: object) => as().post('ques/tags', { ids, ...body });
    expect((await set({ add: '新', remove: '旧' })).body).toMatchObject({ msg: '保存成功', data: { count: 2 } });
    for (const id of ids) expect(await show(id)).toEqual(['新']);
    const actions = async (id: number) => (await as().get(`ques/history/${id}`)).body.data.length;
    expect([await actions(ids[0] as number), await actions(ids[1] as number)]).toEqual([2, 1]);
  });

  it('are set for all of the questions or for none', async () => {
    const full = await added('1 2 3 4 5 6 7 8 9 10');
    const free = await added('1');
    const theirs = (await add('别', 'otherTeacher')).body.data.id;
    const set = (body: object) => as().post('ques/tags', body);
    const refused = async (body: object) => {
      const { status, body: answer } = await set(body);
      return [status, answer.errors ?? answer.msg];
    };
    expect(await refused({ ids: [free, full], add: '11' })).toEqual([
      422,
      { add: ['1道题目会超过10个标签，请先移除一些'] },
    ]);
    expect(await refused({ ids: [free, theirs], add: '11' })).toEqual([404, '题目不存在']);
    expect(await refused({ ids: [free], add: ' ' })).toEqual([
      422,
      { add: ['请填写要添加的标签，或勾选要移除的标签'] },
    ]);
    expect(await refused({ ids: [free], add: '字'.repeat(21) })).toEqual([
      422,
      { add: [`标签不能超过20个字：${'字'.repeat(21)}`] },
    ]);
    expect(await refused({ ids: [], add: '11' })).toEqual([422, { ids: ['请先选择题目'] }]);
    expect(await show(free)).toEqual(['1']);
    expect((await set({ ids: [full], add: '11', remove: '1' })).status).toBe(200);
  });

  it('are shown to the owner of a public question alone', async () => {
    const id = await added('私下');
    await school().database.db.updateTable('question').set({ is_public: 1 }).where('id', '=', id).execute();
    const tags = async (who: 'teacher' | 'otherTeacher') =>
      (await as(who).get(`ques/public/detail/${id}`)).body.data[0].tags;
    expect([await tags('teacher'), await tags('otherTeacher')]).toEqual([['私下'], []]);
  });
});
