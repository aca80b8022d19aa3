import { beforeEach, expect, it } from 'vitest';
import type { ImportRow, ImportState } from '#server/questions/import.contract.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, outcomeOf } from '../support/school.ts';

const sheet = [
  '题型,题干,答案,知识点,备注',
  '简答题,说明单调性,略,函数/单调性,甲',
  '简答题,说明集合,略,集合；单调性,乙',
  '简答题,说明数列,略,等差数列,',
  '简答题,再说明数列,略,等差数列,丙',
  '简答题,没有知识点,略,,',
].join('\n');

onBothEngines('knowledge points of imported questions', (school) => {
  const as = (who: 'teacher' | 'assist' | 'admin' = 'teacher') => school().as(who);
  let id = '';

  const upload = async (
    text: string,
    name = '题目.csv',
    base = 'ques/importing',
    who: 'teacher' | 'admin' = 'teacher',
  ) => {
    const form = new FormData();
    form.set('file', new File([text], name));
    const { import_id } = (await as(who).post(base, form)).body.data;
    const status = async () => (await as(who).get(`${base}/${import_id}`)).body.data.status;
    await expect.poll(status, { timeout: 10_000 }).toBe(2);
    return import_id as string;
  };
  const state = async (): Promise<ImportState> => (await as().get(`ques/importing/${id}`)).body.data;
  const row = async (place: number): Promise<ImportRow> => (await state()).rows.list[place - 1] as ImportRow;
  const correct = async (place: number, fields: object) => {
    const { row: at, version } = await row(place);
    return as().post(`ques/importing/${id}/rows/${at}`, { version, ...fields });
  };
  const points = async () => (await state()).rows.list.map(({ point }) => point);

  beforeEach(async () => {
    const add = async (name: string, parent_id?: number) =>
      (await as('admin').post('points', { name, parent_id, subject_id: undefined })).body.data?.id as number;
    const { db } = school().database;
    const found = await db.selectFrom('knowledge_point').select('id').where('name', '=', '单调性').executeTakeFirst();
    if (!found) {
      await add('单调性', await add('函数'));
      await add('集合');
      await add('数列');
    }
    id = await upload(sheet);
  });

  it('are matched by path or name, and an unknown one is said', async () => {
    expect(await points()).toEqual(['函数 / 单调性', '集合', '等差数列', '等差数列', '']);
    const { rows, unknown_points } = await state();
    expect(unknown_points).toEqual([{ point: '等差数列', total: 2 }]);
    expect(rows.list.map(({ point_note }) => point_note !== '')).toEqual([false, false, true, true, false]);
    expect(rows.list[2]?.point_note).toContain('写在备注里');
    expect(rows.list[1]).toMatchObject({ remark: '乙 单调性' });
    expect(rows.list[1]?.losses.map(({ message }) => message)).toContain('知识点只保留“集合”，“单调性”写在备注里');
  });

  it('go to the bank, or to the remark where the school has none such', async () => {
    const { data } = (await as().post(`ques/importing/${id}/commit`, { scope: 'all' })).body;
    const list = (await as().get('ques/index?limit=10')).body.data.list.filter((one: { id: number }) =>
      data.ids.includes(one.id),
    );
    const stored = data.ids.map((one: number) => {
      const { point_name, remark } = list.find((found: { id: number }) => found.id === one);
      return [point_name, remark];
    });
    expect(stored).toEqual([
      ['单调性', '甲'],
      ['集合', '乙 单调性'],
      ['', '等差数列'],
      ['', '丙 等差数列'],
      ['', ''],
    ]);
    const filtered = (await as().get(`ques/index?point=${encodeURIComponent('函数')}&limit=100`)).body.data.list;
    expect(filtered.map((one: { id: number }) => one.id)).toContain(data.ids[0]);
  });

  it('are corrected for one question, then for all with the same text, and taken back', async () => {
    expect(errorsOf(await correct(3, { point: '等比' }))).toEqual([422, { point: [expect.stringContaining('等比')] }]);
    expect(outcomeOf(await correct(3, { point: '等差数列', facility_value: '4' }))).toEqual([200, '已保存']);
    expect((await row(3)).facility_value).toBe(4);
    expect(outcomeOf(await correct(3, { point: '数列' }))).toEqual([200, '已保存']);
    const { last } = await state();
    expect(last).toMatchObject({
      said: '第3题：知识点改为“数列”',
      offer: { said: '“等差数列”都改为“数列”', count: 1 },
    });
    await as().post(`ques/importing/${id}/repeat`, { number: last?.number });
    expect(await points()).toEqual(['函数 / 单调性', '集合', '数列', '数列', '']);
    expect((await state()).unknown_points).toEqual([]);
    await as().post(`ques/importing/${id}/undo`, { number: (await state()).last?.number });
    expect(await points()).toEqual(['函数 / 单调性', '集合', '数列', '等差数列', '']);
    await correct(1, { point: '' });
    const { row: at, version } = await row(1);
    await as().post(`ques/importing/${id}/rows/${at}/arrange`, { version, act: 'restore' });
    expect((await row(1)).point).toBe('函数 / 单调性');
  });

  it('are set for many questions, and in the form of the whole question', async () => {
    const all = await as().post(`ques/importing/${id}/all`, { point: '集合' });
    expect(all.body.data).toEqual({ count: 4 });
    expect(new Set(await points())).toEqual(new Set(['集合']));
    expect(errorsOf(await as().post(`ques/importing/${id}/all`, { point: '没有' }))[0]).toBe(422);
    const { row: at } = await row(5);
    const { version, question } = (await as().get(`ques/importing/${id}/rows/${at}`)).body.data;
    expect(question.point).toBe('集合');
    const edited = await as().put(`ques/importing/${id}/rows/${at}`, { ...question, point: '数列', version });
    expect(outcomeOf(edited)).toEqual([200, '已保存']);
    expect((await row(5)).point).toBe('数列');
  });

  it('reads knowledge points of a paper apart from its sources', async () => {
    const { import_id } = (
      await as().post('ques/importing/text', {
        text: '1. 首都是哪里\n答案：北京\n【知识点】集合\n【来源】期中考试\n2. 说明理由\n答案：略\n【考点】没有的考点',
      })
    ).body.data;
    id = import_id;
    await expect.poll(async () => (await state()).status).toBe(2);
    const { rows } = await state();
    expect(rows.list.map(({ point, remark }) => [point, remark])).toEqual([
      ['集合', '期中考试'],
      ['没有的考点', ''],
    ]);
  });

  it.each(['xlsx', 'moodle-xml', 'gift', 'qti21', 'qti30', 'docx'])(
    'come back from an export as %s',
    async (format) => {
      const { data } = (await as().post(`ques/importing/${id}/commit`, { scope: 'good' })).body;
      const file = await as().get(`ques/export/${format}?ids=${data.ids[0]},${data.ids[1]}`);
      expect(file.status).toBe(200);
      const bytes = await school().api.fetch(
        new Request(`http://school.test/api/lector/ques/export/${format}?ids=${data.ids[0]},${data.ids[1]}`, {
          headers: { authorization: `Bearer ${school().people.teacher.token}` },
        }),
      );
      const name = /filename\*=UTF-8''([^;]+)/.exec(bytes.headers.get('content-disposition') ?? '')?.[1] ?? 'a.zip';
      const form = new FormData();
      form.set('file', new File([await bytes.arrayBuffer()], decodeURIComponent(name)));
      id = (await as().post('ques/importing', form)).body.data.import_id;
      await expect.poll(async () => (await state()).status, { timeout: 10_000 }).toBe(2);
      expect(await points()).toEqual(['函数 / 单调性', '集合']);
    },
  );

  it('drops knowledge points of an import into an exam, and the preview says so', async () => {
    const file = await upload(sheet, '题目.csv', 'exams/importing', 'admin');
    const { rows, unknown_points } = (await as('admin').get(`exams/importing/${file}`)).body.data;
    expect(unknown_points).toEqual([]);
    expect(rows.list[0]).toMatchObject({ point_note: '试卷的题目没有知识点，导入后不会保留' });
  });

  it('keeps knowledge points of a file imported without a preview', async () => {
    const { data } = (await as().post(`ques/importing/${id}/commit`, { scope: 'good' })).body;
    const response = await school().api.fetch(
      new Request(`http://school.test/api/lector/ques/export/xlsx?ids=${data.ids[0]},${data.ids[2]}`, {
        headers: { authorization: `Bearer ${school().people.teacher.token}` },
      }),
    );
    const form = new FormData();
    form.set('file', new File([await response.arrayBuffer()], '题目.xlsx'));
    const imported = await as().post('ques/import/2', form);
    expect(outcomeOf(imported)).toEqual([200, '导入成功']);
    const [last, first] = (await as().get('ques/index?limit=2')).body.data.list;
    expect([first, last].map(({ point_name, remark }) => [point_name, remark])).toEqual([
      ['单调性', '甲'],
      ['', '等差数列'],
    ]);
  });
});
