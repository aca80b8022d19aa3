import { beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';

const question = { ques_type: 5, ques_stem: '简述光合作用', right_answer: '把光能变为化学能', facility_value: 3 };

onBothEngines('the knowledge point of an own question', (school) => {
  let leaf: number;

  beforeAll(async () => {
    const algebra = await addPoint('函数');
    leaf = await addPoint('单调性', algebra);
    await addPoint('图象', algebra);
    await addPoint('图象', await addPoint('方程'));
  });

  async function addPoint(name: string, parent_id: number | null = null): Promise<number> {
    const { id } = await school()
      .database.db.insertInto('knowledge_point')
      .values({ name, parent_id, sort: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const add = (point?: string) =>
    school()
      .as('teacher')
      .post('ques/add', { ...question, point });
  const show = async (id: number) => (await school().as('teacher').get(`ques/show/${id}`)).body.data[0];

  it('is found by its path, or by a name that is unique', async () => {
    for (const point of ['函数 / 单调性', '函数/单调性', '单调性', ' 单调性 ']) {
      const found = await show((await add(point)).body.data.id);
      expect([found.point_id, found.point_path, found.point_name]).toEqual([leaf, '函数 / 单调性', '单调性']);
    }
    expect((await show((await add()).body.data.id)).point_path).toBe('');
  });

  it('is refused if no point or several have the name', async () => {
    const refused = async (point: string) => {
      const { status, body } = await add(point);
      return [status, body.errors];
    };
    expect(await refused('奇偶性')).toEqual([422, { point: ['没有知识点“奇偶性”，请从列表中选择'] }]);
    expect(await refused('图象')).toEqual([
      422,
      { point: ['有2个知识点叫“图象”，请写上级：函数 / 图象、方程 / 图象'] },
    ]);
  });

  it('stays when an edit does not name it, and changes with a history row', async () => {
    const { id } = (await add('单调性')).body.data;
    const edit = (more: object) =>
      school()
        .as('teacher')
        .put(`ques/update/${id}`, { ...question, ...more });
    await edit({ facility_value: 4 });
    expect((await show(id)).point_id).toBe(leaf);
    await edit({ facility_value: 4, point: '方程 / 图象' });
    expect((await show(id)).point_path).toBe('方程 / 图象');
    await edit({ facility_value: 4, point: '' });
    expect((await show(id)).point_id).toBeNull();
    const list = (await school().as('teacher').get(`ques/history/${id}`)).body.data;
    expect(list.slice(0, 2).map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ name: '知识点', before: '图象', after: '' }],
      [{ name: '知识点', before: '单调性', after: '图象' }],
    ]);
  });

  it('narrows the list, with the points below it', async () => {
    const { id } = (await add('方程 / 图象')).body.data;
    const listed = async (point: string) =>
      (
        await school()
          .as('teacher')
          .get(`ques/index?point=${encodeURIComponent(point)}&limit=100`)
      ).body.data.list.map((row: { id: number; point_name: string }) => [row.id, row.point_name]);
    expect(await listed('方程')).toEqual([[id, '图象']]);
    expect((await listed('函数')).every(([, name]: [number, string]) => name === '单调性')).toBe(true);
    expect((await listed('函数')).length).toBe(4);
    expect(await listed('没有')).toEqual([]);
  });
});
