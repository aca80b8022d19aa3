import { expect, it } from 'vitest';
import type { ImportColumns, ImportState } from '#server/questions/import.contract.ts';
import { excelFile, row } from '../support/office-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, outcomeOf } from '../support/school.ts';

const strange = ['内容,甲项,乙项,对的,谁出的', '首都是哪里,北京,上海,A,王老师', '哪个是偶数,一,二,B,李老师'].join('\n');

const chosen = ['stem', 'option 0', 'option 1', 'answer', ''];

onBothEngines('columns of a spreadsheet of questions', (school) => {
  type Who = 'teacher' | 'assist' | 'admin' | 'otherTeacher';
  const baseOf = (who: Who) => (who === 'admin' ? 'exams/importing' : 'ques/importing');
  const state = async (id: string, who: Who = 'teacher'): Promise<ImportState> =>
    (
      await school()
        .as(who)
        .get(`${baseOf(who)}/${id}`)
    ).body.data;
  const columns = async (id: string, who: Who = 'teacher'): Promise<ImportColumns> =>
    (
      await school()
        .as(who)
        .get(`${baseOf(who)}/${id}/columns`)
    ).body.data;
  const isRead = (id: string, who: Who = 'teacher') =>
    expect.poll(async () => (await state(id, who)).status, { timeout: 10_000 }).toBe(2);
  /** Returns the answer once the file is read. */
  const choose = async (id: string, body: object, who: Who = 'teacher') => {
    const answer = await school()
      .as(who)
      .post(`${baseOf(who)}/${id}/columns`, body);
    if (answer.status === 200) await isRead(id, who);
    return answer;
  };
  const upload = async (file: File, who: Who = 'teacher') => {
    const form = new FormData();
    form.set('file', file);
    const { import_id } = (await school().as(who).post(baseOf(who), form)).body.data;
    await isRead(import_id, who);
    return import_id as string;
  };
  const csv = (text: string, name = '题目.csv') => new File([text], name);

  it.each(['teacher', 'assist', 'admin'] as const)(
    'are chosen by the %s, who then finds the questions',
    async (who) => {
      const id = await upload(csv(strange), who);
      expect(await state(id, who)).toMatchObject({ total: 0, has_columns: true });
      const found = await columns(id, who);
      expect(found).toMatchObject({ file_name: '题目.csv', total: 0, corrected: 0 });
      expect(found.notes.map(({ message }) => message).join()).toContain('没有找到“题干”列');
      expect(found.sheets).toEqual([
        {
          name: 'CSV',
          title_row: 1,
          columns: chosen,
          rows: strange.split('\n').map((line, index) => ({ number: index + 1, cells: line.split(',') })),
          needed: ['题干', '答案'],
        },
      ]);
      expect(found.choices.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['题干', '选项A', '知识点', '备注']),
      );
      expect(outcomeOf(await choose(id, { sheets: [{ title_row: 1, columns: chosen }] }, who))).toEqual([
        200,
        '已重新读取',
      ]);
      const { rows, total } = await state(id, who);
      expect(total).toBe(2);
      expect(rows.list.map(({ display, answer }) => [display.ques_stem, answer])).toEqual([
        ['<p>首都是哪里</p>', 'A'],
        ['<p>哪个是偶数</p>', 'B'],
      ]);
      expect((await columns(id, who)).sheets[0]?.columns).toEqual(chosen);
    },
  );

  it('reads a sheet without titles from its first row, and leaves out a sheet without columns', async () => {
    const sheets = {
      说明: row(1, ['请填写题目']),
      题目: row(1, ['单选题', '首都是哪里', '北京', '上海', 'A']) + row(2, ['单选题', '哪个是偶数', '一', '二', 'B']),
    };
    const id = await upload(new File([new Uint8Array(excelFile({ sheets }))], '题目.xlsx'));
    const found = await columns(id);
    expect(found.sheets.map(({ name, title_row, columns: guess }) => [name, title_row, guess])).toEqual([
      ['说明', 1, ['']],
      ['题目', 0, ['type', 'stem', 'option 0', 'option 1', 'answer']],
    ]);
    const body = {
      sheets: [
        { title_row: 1, columns: [''] },
        { title_row: 0, columns: ['type', 'stem', 'option 0', 'option 1', 'answer'] },
      ],
    };
    expect((await choose(id, body)).status).toBe(200);
    const read = await state(id);
    expect(read.total).toBe(2);
    expect(read.left_out).toEqual([{ where: '说明', message: '没有选择要导入的列，没有读取' }]);
  });

  it('names columns that are missing, unknown or chosen twice, and changes nothing', async () => {
    const id = await upload(csv(strange));
    const sent = (columns: string[]) => choose(id, { sheets: [{ title_row: 1, columns }] });
    expect(errorsOf(await sent(['stem', '', '', '', '']))).toEqual([422, { 'sheets.0': ['还没有选择“答案”列'] }]);
    expect(errorsOf(await sent(['', '', '', '', '']))).toEqual([
      422,
      { 'sheets.0': ['请至少为一个工作表选择要导入的列'] },
    ]);
    expect(errorsOf(await sent(['stem', 'answer', '', 'answer', '']))).toEqual([
      422,
      { 'columns.0.3': ['“答案”选了不止一列'] },
    ]);
    expect(errorsOf(await sent(['stem', 'author', '', 'answer', '']))).toEqual([
      422,
      { 'columns.0.1': ['没有这种列'] },
    ]);
    expect(errorsOf(await choose(id, {}))[0]).toBe(422);
    expect(await state(id)).toMatchObject({ status: 2, total: 0 });
  });

  it('asks before corrections are lost', async () => {
    const id = await upload(csv(`题干,答案\n首都是哪里,北京\n哪个是偶数,二`));
    const [first] = (await state(id)).rows.list;
    await school().as('teacher').post(`ques/importing/${id}/rows/${first?.row}`, {
      version: first?.version,
      score: '5',
    });
    expect((await columns(id)).corrected).toBe(1);
    const body = { sheets: [{ title_row: 1, columns: ['stem', 'answer'] }] };
    const asked = await choose(id, body);
    expect([asked.status, asked.body.data]).toEqual([409, { acknowledged: '已修改的1道题会恢复为文件的内容' }]);
    expect((await state(id)).rows.list[0]?.score).toBe(5);
    expect((await choose(id, { ...body, ...asked.body.data })).status).toBe(200);
    expect((await state(id)).rows.list.map(({ score }) => score)).toEqual([null, null]);
    expect((await state(id)).last).toBeNull();
  });

  it('belong to spreadsheets of the person alone, and need the file', async () => {
    const word = (await school().as('teacher').post('ques/importing/text', { text: '1. 甲\n答案：乙' })).body.data
      .import_id as string;
    await isRead(word);
    expect((await state(word)).has_columns).toBe(false);
    const none = await school().as('teacher').get(`ques/importing/${word}/columns`);
    expect(outcomeOf(none)).toEqual([409, '只有 Excel 和 CSV 文件可以调整列对应']);
    const id = await upload(csv(strange));
    for (const who of ['otherTeacher', 'assist', 'admin'] as const) {
      expect(
        (
          await school()
            .as(who)
            .get(`${baseOf(who)}/${id}/columns`)
        ).status,
      ).toBe(404);
      expect((await choose(id, { sheets: [{ title_row: 1, columns: chosen }] }, who)).status).toBe(404);
    }
    const { db } = school().database;
    const { file_key } = await db
      .selectFrom('question_import')
      .select('file_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await school().services.storage.delete(file_key);
    const gone = await choose(id, { sheets: [{ title_row: 1, columns: chosen }] });
    expect(outcomeOf(gone)).toEqual([409, '原文件已不在，请重新上传']);
    await school().as('teacher').delete(`ques/importing/${id}`);
    expect(outcomeOf(await school().as('teacher').get(`ques/importing/${id}/columns`))).toEqual([
      404,
      '导入预览已过期，请重新上传',
    ]);
  });

  it('deletes the kept file together with its import', async () => {
    const id = await upload(csv(strange));
    const { db } = school().database;
    const { file_key } = await db
      .selectFrom('question_import')
      .select('file_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await school().services.storage.stat(file_key)).not.toBeNull();
    await school().as('teacher').delete(`ques/importing/${id}`);
    await upload(csv(strange));
    expect(await school().services.storage.stat(file_key)).toBeNull();
  });
});
