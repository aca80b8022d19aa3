import { beforeEach, expect, it } from 'vitest';
import type { ImportRow, ImportState } from '#server/questions/import.contract.ts';
import { paragraphs, wordFile } from '../support/office-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { outcomeOf } from '../support/school.ts';

/** A paper of the template: a heading, two single-choice questions, a fragment, a short answer without an answer. */
const paper = [
  '一、选择题',
  '【题型】单选题\n【题干】下列城市中，哪一个是中华人民共和国的首都？\n【选项】A. 北京\nB. 上海\nC. 广州\n【答案】A\n【难度】2\n#####',
  '【题型】单选题\n【题干】哪些是偶数\n【选项】A. 一\nB. 二\nC. 四\n【答案】B\n【难度】3\n#####',
  '二、简答题',
  '【题型】简答题\n【题干】阅读短文\n【答案】略\n【难度】3\n#####',
  '【题型】简答题\n【题干】说明理由\n【难度】3\n#####',
].join('\n');

onBothEngines('corrections of an import', (school) => {
  const as = (who: 'teacher' | 'otherTeacher' | 'assist' = 'teacher') => school().as(who);
  let id = '';

  const upload = async (text: string, who: 'teacher' | 'assist' = 'teacher') => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(wordFile({ body: paragraphs(text) }))], '试卷.docx'));
    const { import_id } = (await as(who).post('ques/importing', form)).body.data;
    await expect.poll(async () => (await as(who).get(`ques/importing/${import_id}`)).body.data.status).toBe(2);
    return import_id as string;
  };
  const state = async (search = ''): Promise<ImportState> =>
    (await as().get(`ques/importing/${id}${search}`)).body.data;
  const rows = async (search = ''): Promise<ImportRow[]> => (await state(search)).rows.list;
  const row = async (place: number): Promise<ImportRow> => (await rows())[place - 1] as ImportRow;
  const correct = async (place: number, fields: object) => {
    const { row: at, version } = await row(place);
    return as().post(`ques/importing/${id}/rows/${at}`, { version, ...fields });
  };
  const arrange = async (place: number, act: string, more: object = {}) => {
    const { row: at, version } = await row(place);
    return as().post(`ques/importing/${id}/rows/${at}/arrange`, { version, act, ...more });
  };
  const undo = async () => as().post(`ques/importing/${id}/undo`, { number: (await state()).last?.number });

  beforeEach(async () => {
    id = await upload(paper);
  });

  it('shows the lines of the paper beside the questions that were read from them', async () => {
    const { paper: lines, format, rows: page } = await state();
    expect(format).toBe('docx-template');
    expect(lines.map(({ html }) => html).join('')).toContain('下列城市中');
    expect(page.list[0]).toMatchObject({ lines: { from: 2 }, section: '一、选择题' });
    expect(lines.find(({ line }) => line === page.list[0]?.lines?.from)?.html).toContain('题型');
  });

  it('corrects type, answer, score, difficulty and options, and names what it cannot read', async () => {
    expect(outcomeOf(await correct(2, { ques_type: '3', answer: 'bc', score: '2.5', facility_value: '4' }))).toEqual([
      200,
      '已保存',
    ]);
    expect(await row(2)).toMatchObject({
      ques_type: 3,
      answer: 'BC',
      score: 2.5,
      facility_value: 4,
      errors: [],
      can_restore: true,
    });
    await correct(2, { options: '一\n二\n四\nD. 六', answer: 'BCD' });
    expect(await row(2)).toMatchObject({ options: '一\n二\n四\n六', answer: 'BCD' });
    const wrong = await correct(2, { answer: '甲', score: '0.1', facility_value: '9' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        answer: ['答案“甲”无法识别，请填写选项字母，如A或ABC'],
        facility_value: ['难度“9”无法识别，请填写1到5（易到难）'],
        score: ['分值为0.5到500，最多一位小数'],
      },
    ]);
    expect((await correct(2, { answer: 'E' })).body.errors).toEqual({ answer: ['答案E没有对应的选项'] });
    expect(await row(2)).toMatchObject({ answer: 'BCD', score: 2.5 });
  });

  it('keeps options in the stem when the type has none, and reads them back by undo', async () => {
    await correct(1, { ques_type: '5' });
    const changed = await row(1);
    expect(changed.display.ques_stem).toContain('B. 上海');
    expect(changed.errors).toMatchObject([{ message: '缺少答案' }]);
    await undo();
    expect(await row(1)).toMatchObject({ ques_type: 1, options: '北京\n上海\n广州', answer: 'A', errors: [] });
  });

  it('refuses a correction that another window made meanwhile, and says what stands', async () => {
    const { row: at, version } = await row(1);
    const send = (fields: object) => as().post(`ques/importing/${id}/rows/${at}`, { version, ...fields });
    expect((await send({ answer: 'B' })).status).toBe(200);
    const late = await send({ answer: 'C' });
    expect([late.status, late.body.msg]).toEqual([
      409,
      '这道题刚刚在别处改过，现在是：单选题，答案B，分值空，难度2。请核对后再改',
    ]);
    expect(late.body.data).toMatchObject({ version: version + 1, answer: 'B' });
    expect((await row(1)).answer).toBe('B');
  });

  it('offers a correction for the rest of its section, and makes it at once', async () => {
    await correct(1, { ques_type: '4' });
    const { last } = await state();
    expect(last).toMatchObject({
      said: '第1题：题型改为不定项选择题',
      offer: { said: '本大题都是不定项选择题', count: 1 },
    });
    expect((await as().post(`ques/importing/${id}/repeat`, { number: last?.number })).body.data).toEqual({ count: 1 });
    expect((await rows()).map(({ ques_type }) => ques_type)).toEqual([4, 4, 5, 5]);
    expect((await as().post(`ques/importing/${id}/repeat`, { number: last?.number })).status).toBe(409);
  });

  it('corrects many questions at once', async () => {
    const all = (body: object) => as().post(`ques/importing/${id}/all`, body);
    expect((await all({ facility_value: '3' })).body.data).toEqual({ count: 1 });
    expect((await all({ score: '2', section: '一、选择题' })).body.data).toEqual({ count: 2 });
    expect((await state()).lacking).toBe(1);
    expect((await all({ empty_answer: 1 })).body.data).toEqual({ count: 1 });
    expect(await state()).toMatchObject({ lacking: 0, good: 4, total: 4 });
    expect((await rows()).map(({ score }) => score)).toEqual([2, 2, null, null]);
    expect(outcomeOf(await all({ facility_value: '3' }))).toEqual([422, '没有需要修改的题目']);
    expect(outcomeOf(await all({}))).toEqual([422, '请填写要修改的内容']);
    await undo();
    expect((await state()).lacking).toBe(1);
  });

  it('joins a question with the one before, and undoes it', async () => {
    expect(outcomeOf(await arrange(1, 'join'))).toEqual([409, '前面没有题目']);
    await arrange(4, 'join');
    expect(await rows()).toHaveLength(3);
    expect(await row(3)).toMatchObject({ display: { ques_stem: '<p>阅读短文</p><p>说明理由</p>' }, answer: '略' });
    await undo();
    expect((await rows()).map(({ display }) => display.ques_stem)).toEqual([
      expect.stringContaining('下列城市中'),
      '<p>哪些是偶数</p>',
      '<p>阅读短文</p>',
      '<p>说明理由</p>',
    ]);
  });

  it('splits a question at a line of the paper', async () => {
    id = await upload('【题型】单选题\n【题干】甲\n【选项】A. 一\nB. 二\n【答案】A\n【难度】2\n第二题的文字\n还有一行');
    const { lines } = await row(1);
    expect(outcomeOf(await arrange(1, 'split', { line: lines?.from }))).toEqual([422, '这一行不能拆分']);
    await arrange(1, 'split', { line: 7 });
    const split = await rows();
    expect(split).toHaveLength(2);
    expect(split[0]).toMatchObject({ ques_type: 1, answer: 'A', lines: { from: 1, to: 6 } });
    expect(split[1]).toMatchObject({
      ques_type: 5,
      display: { ques_stem: '<p>第二题的文字</p><p>还有一行</p>' },
      lines: { from: 7, to: 8 },
      errors: [{ where: '第7行', message: '缺少答案' }],
    });
    await undo();
    expect(await rows()).toHaveLength(1);
  });

  it('makes a material of a question and its parts, and takes it apart again', async () => {
    await correct(4, { answer: '因为' });
    await correct(4, { score: '3' });
    await arrange(3, 'material', { count: 1 });
    expect(await row(3)).toMatchObject({
      ques_type: 6,
      errors: [],
      ques_item: [{ ques_type: 5, answer: '因为', score: 3 }],
    });
    expect((await correct(3, { part_answers: ['所以'], part_scores: ['4'] })).status).toBe(200);
    expect((await row(3)).ques_item).toMatchObject([{ answer: '所以', score: 4 }]);
    await arrange(3, 'dissolve');
    expect((await rows()).map(({ state: taken, ques_type }) => [taken, ques_type])).toEqual([
      [1, 1],
      [1, 1],
      [2, 5],
      [1, 5],
    ]);
    expect((await row(4)).score).toBe(4);
    expect(outcomeOf(await arrange(4, 'dissolve'))).toEqual([409, '该题目不是材料题']);
  });

  it('leaves out what is no question and takes it back', async () => {
    await arrange(3, 'leave-out');
    expect(await state()).toMatchObject({ total: 3, out: 1 });
    expect((await rows('?only=3')).map(({ sort }) => sort)).toEqual([3]);
    expect(outcomeOf(await arrange(3, 'leave-out'))).toEqual([409, '该题目已排除']);
    await arrange(3, 'take-back');
    expect(await state()).toMatchObject({ total: 4, out: 0 });
  });

  it('puts a question back to what was read', async () => {
    await correct(1, { answer: 'B' });
    await correct(1, { answer: 'C', score: '3' });
    await arrange(1, 'restore');
    expect(await row(1)).toMatchObject({ answer: 'A', score: null, can_restore: false });
    expect(outcomeOf(await arrange(1, 'restore'))).toEqual([409, '该题目没有可以还原的内容']);
  });

  it('replaces the whole question by the rules of its form', async () => {
    const { row: at } = await row(1);
    const shown = (await as().get(`ques/importing/${id}/rows/${at}`)).body.data;
    const put = (question: object) =>
      as().put(`ques/importing/${id}/rows/${at}`, { ...shown.question, ...question, version: shown.version });
    expect((await put({ ques_stem: '' })).body.errors).toEqual({ ques_stem: ['请完善信息'] });
    expect((await put({ ques_stem: '<p>新的<script>x</script>题干</p>' })).status).toBe(200);
    expect((await row(1)).display.ques_stem).toBe('<p>新的题干</p>');
    expect((await put({})).status).toBe(409);
  });

  it('undoes only the correction that the page shows', async () => {
    await correct(1, { answer: 'B' });
    const { last } = await state();
    await correct(2, { answer: 'C' });
    const late = await as().post(`ques/importing/${id}/undo`, { number: last?.number });
    expect(outcomeOf(late)).toEqual([409, '此后又有新的修改，请核对后再操作']);
    await undo();
    await undo();
    expect((await rows()).map(({ answer }) => answer)).toEqual(['A', 'B', '略', '']);
    expect((await state()).last).toBeNull();
  });

  it('reads a pasted paper, and a second file with its answers', async () => {
    const text = '一、单选题（每题2分）\n1. 甲\nA. 一\nB. 二\n答案：B\n2. 乙\nA. 三\nB. 四\n答案：A';
    id = (await as().post('ques/importing/text', { text })).body.data.import_id;
    await expect.poll(async () => (await state()).status).toBe(2);
    expect(await state()).toMatchObject({ file_name: '粘贴的试卷.txt', format: 'text', total: 2, good: 2 });
    expect((await rows()).map(({ answer, score }) => [answer, score])).toEqual([
      ['B', 2],
      ['A', 2],
    ]);
    const { row: at, version } = await row(1);
    await as().post(`ques/importing/${id}/rows/${at}/arrange`, { version, act: 'join' });
    expect(outcomeOf(await as().post('ques/importing/text', { text: ' ' }))).toEqual([422, '请粘贴试卷的内容']);

    const form = new FormData();
    const document = (lines: string) => new Uint8Array(wordFile({ body: paragraphs(lines) }));
    form.set('file', new File([document('一、单选题\n1. 甲\nA. 一\nB. 二\n2. 乙\nA. 三\nB. 四')], '试卷.docx'));
    form.set('answers', new File([document('参考答案\n1-2 BA')], '答案.docx'));
    id = (await as().post('ques/importing', form)).body.data.import_id;
    await expect.poll(async () => (await state()).status).toBe(2);
    expect((await state()).file_name).toBe('试卷.docx + 答案.docx');
    expect((await rows()).map(({ answer }) => answer)).toEqual(['B', 'A']);
  });

  it("does not touch another person's import", async () => {
    const { row: at, version } = await row(1);
    const base = `ques/importing/${id}`;
    for (const who of ['otherTeacher', 'assist'] as const) {
      const other = as(who);
      const refused = await Promise.all([
        other.post(`${base}/rows/${at}`, { version, answer: 'B' }),
        other.get(`${base}/rows/${at}`),
        other.put(`${base}/rows/${at}`, { version }),
        other.post(`${base}/rows/${at}/arrange`, { version, act: 'leave-out' }),
        other.post(`${base}/all`, { facility_value: '5' }),
        other.post(`${base}/undo`, { number: 1 }),
        other.post(`${base}/repeat`, { number: 1 }),
      ]);
      expect(refused.map(outcomeOf)).toEqual(Array(7).fill([404, '导入预览已过期，请重新上传']));
      expect((await other.get('ques/importing')).body.data).toEqual([]);
    }
    expect(
      (await correct(99, {}).catch(() => undefined)) ?? (await as().post(`${base}/rows/5`, { version })).status,
    ).toBe(404);
  });

  it('lists what was not finished, and imports scores in the order of the paper', async () => {
    const assist = await upload(paper, 'assist');
    const own = (await as().get('ques/importing')).body.data;
    expect(own.find(({ import_id }: { import_id: string }) => import_id === id)).toMatchObject({
      file_name: '试卷.docx',
      total: 4,
      good: 3,
    });
    expect((await as('assist').get('ques/importing')).body.data).toMatchObject([{ import_id: assist }]);
    await correct(2, { score: '2' });
    await correct(4, { answer: '因为' });
    await arrange(3, 'material', { count: 1 });
    await correct(3, { score: '5' });
    const { data } = (await as().post(`ques/importing/${id}/commit`, { scope: 'all' })).body;
    expect(data).toMatchObject({ imported: 3, scores: [[null], [2], [5]] });
    const bank = (await as().get(`ques/show/${data.ids.join(',')}`)).body.data;
    expect(bank.map(({ ques_type }: { ques_type: number }) => ques_type)).toEqual([1, 1, 6]);
  });

  it('names questions that the bank has, and replaces them as an edit would', async () => {
    await correct(4, { answer: '因为' });
    await as().post(`ques/importing/${id}/commit`, { scope: 'all' });
    const total = (await as().get('ques/index')).body.data.total;
    id = await upload(paper.replace('哪一个是中华人民共和国的首都', '哪一个才是中华人民共和国的首都'));
    const again = await rows();
    expect(again.map(({ bank }) => bank?.match)).toEqual([2, 1, 1, 1]);
    expect(again[0]?.bank?.display.ques_stem).toContain('哪一个是中华');
    await arrange(1, 'replace');
    for (const place of [2, 3, 4]) await arrange(place, 'skip');
    expect((await rows()).map(({ choice }) => choice)).toEqual(['replace', 'skip', 'skip', 'skip']);
    const { data } = (await as().post(`ques/importing/${id}/commit`, { scope: 'all' })).body;
    expect(data.ids).toEqual([again[0]?.bank?.id]);
    expect((await as().get('ques/index')).body.data.total).toBe(total);
    const [edited] = (await as().get(`ques/show/${data.ids[0]}`)).body.data;
    expect(edited.ques_stem).toContain('哪一个才是');
    const noted = await school()
      .database.db.selectFrom('history')
      .select('action')
      .where('record', '=', 'question')
      .where('record_id', '=', String(data.ids[0]) as never)
      .execute();
    expect(noted.map(({ action }) => action)).toContain('edit');
  });
});
