import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { countOf } from '#server/platform/db/page.ts';
import { excelTemplate, wordTemplate } from '#server/questions/import/template.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const word = async () => new Uint8Array(await wordTemplate());
const excel = async () => new Uint8Array(await excelTemplate());

/** The Word template with a right answer outside the options. */
async function wrongWord(): Promise<Uint8Array<ArrayBuffer>> {
  const parts = unzipSync(await word());
  const name = 'word/document.xml';
  const xml = strFromU8(parts[name] as Uint8Array);
  const wrong = xml.replace(/(【答案】(?:<[^>]*>)*)A(?=<)/, '$1Z');
  if (wrong === xml) throw new Error('the template has no answer A to spoil');
  parts[name] = strToU8(wrong);
  return new Uint8Array(zipSync(parts));
}

function formWith(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new File([bytes], name));
  return form;
}

onBothEngines('question import', (school) => {
  const total = async (who: 'teacher' | 'assist') => (await school().as(who).get('ques/index')).body.data.total;
  /** Counts questions recorded as added in the history. */
  const noted = () =>
    countOf(
      school()
        .database.db.selectFrom('history')
        .where('record', '=', 'question')
        .where('action', '=', 'add')
        .where('staff_id', '=', school().people.teacher.id),
    );
  const send = (path: string, form: FormData, headers?: Record<string, string>) =>
    school().as('teacher').post(path, form, headers);
  const readWhenDone = async (id: string, search = '') => {
    for (;;) {
      const answer = await school().as('teacher').get(`ques/importing/${id}${search}`);
      if (answer.body.data?.status !== 1) return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('accepts both templates unchanged, in order, for the importer alone', async () => {
    const imported = await send('ques/import/1', formWith('题目.docx', await word()));
    expect(imported.body).toEqual({ code: 200, msg: '导入成功', data: null });
    const list = (await school().as('teacher').get('ques/index?limit=100')).body.data;
    expect(new Set(list.list.map((row: { ques_type: number }) => row.ques_type))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 7]),
    );
    expect(await total('assist')).toBe(0);
    expect(await noted()).toBe(list.total);
    const before = list.total;
    expect((await send('ques/import/2', formWith('题目.xlsx', await excel()))).status).toBe(200);
    expect(await total('teacher')).toBeGreaterThan(before);
    expect(await noted()).toBe(await total('teacher'));
  });

  it('runs once for a repeated form', async () => {
    const before = await total('teacher');
    const headers = { 'idempotency-key': 'import-once' };
    const first = await send('ques/import/1', formWith('题目.docx', await word()), headers);
    const after = await total('teacher');
    const again = await send('ques/import/1', formWith('题目.docx', await word()), headers);
    expect(again.body).toEqual(first.body);
    expect(after).toBeGreaterThan(before);
    expect(await total('teacher')).toBe(after);
  });

  it('imports nothing from a faulty file, and locates the fault', async () => {
    const before = await total('teacher');
    const refused = await send('ques/import/1', formWith('题目.docx', await wrongWord()));
    expect([refused.status, refused.body.msg]).toEqual([422, '导入失败，请按提示修改后重新导入']);
    expect(refused.body.err).toHaveLength(1);
    expect(refused.body.err[0]).toMatch(/^第\d+行：/);
    expect(await total('teacher')).toBe(before);
  });

  it.each([
    ['a Word file as Excel', 'ques/import/2', '题目.docx', 415],
    ['a Word file named .xlsx', 'ques/import/2', '题目.xlsx', 422],
    ['a program named .docx', 'ques/import/1', '题目.docx', 422],
    ['another format', 'ques/import/3', '题目.docx', 404],
  ])('refuses %s', async (_, path, name, status) => {
    const bytes = name === '题目.docx' && status === 422 ? strToU8('MZ\u0090program') : await word();
    const refused = await send(path, formWith(name, new Uint8Array(bytes)));
    expect(refused.status).toBe(status);
    if (status !== 404) expect(refused.body.err).toEqual([expect.any(String)]);
  });

  it('requires a form with a file', async () => {
    const none = await send('ques/import/1', new FormData());
    expect([none.status, none.body.msg]).toEqual([422, '请选择要上传的文件']);
    expect((await school().as('teacher').post('ques/import/1', {})).status).toBe(415);
  });

  it('previews each question, then imports all', async () => {
    const { import_id } = (await send('ques/importing', formWith('../期中 题目.docx', await word()))).body.data;
    const { data } = (await readWhenDone(import_id, '?limit=3')).body;
    expect(data).toMatchObject({ file_name: '期中 题目.docx', status: 2, good: data.total, notes: [] });
    expect(data.rows.list).toHaveLength(3);
    expect(data.rows.list[0]).toMatchObject({
      sort: 1,
      ques_type: 1,
      place: expect.stringMatching(/^第\d+行$/),
      display: { right_answer: 'A' },
      errors: [],
    });
    expect((await readWhenDone(import_id, '?only=1')).body.data.rows.total).toBe(0);

    // Only the uploader can read the import.
    expect((await school().as('otherTeacher').get(`ques/importing/${import_id}`)).status).toBe(404);
    expect((await school().as('otherTeacher').post(`ques/importing/${import_id}/commit`, {})).status).toBe(404);

    const before = await total('teacher');
    const committed = await school().as('teacher').post(`ques/importing/${import_id}/commit`, { scope: 'all' });
    expect(committed.body).toMatchObject({ code: 200, msg: '导入成功', data: { imported: data.total } });
    expect(committed.body.data.ids.length).toBe(data.total);
    expect(await total('teacher')).toBe(before + data.total);
    expect(await noted()).toBe(before + data.total);
    expect((await school().as('teacher').post(`ques/importing/${import_id}/commit`, {})).status).toBe(404);
  });

  it('imports only valid questions if chosen, else none', async () => {
    const { import_id } = (await send('ques/importing', formWith('题目.docx', await wrongWord()))).body.data;
    const { data } = (await readWhenDone(import_id, '?only=1')).body;
    expect(data.good).toBe(data.total - 1);
    expect(data.rows.list).toMatchObject([{ errors: [{ where: expect.any(String), message: expect.any(String) }] }]);

    const before = await total('teacher');
    const all = await school().as('teacher').post(`ques/importing/${import_id}/commit`, { scope: 'all' });
    expect([all.status, all.body.err.length]).toEqual([422, 1]);
    expect(await total('teacher')).toBe(before);
    const good = await school().as('teacher').post(`ques/importing/${import_id}/commit`, { scope: 'good' });
    expect(good.body.data).toMatchObject({ imported: data.good });
    expect(await total('teacher')).toBe(before + data.good);
  });

  it('explains an unreadable file in the preview', async () => {
    const { import_id } = (await send('ques/importing', formWith('题目.docx', strToU8('not a zip')))).body.data;
    const { data } = (await readWhenDone(import_id)).body;
    expect(data).toMatchObject({ status: 3, message: expect.stringMatching(/[\u4e00-\u9fff]/) });
    expect((await school().as('teacher').post(`ques/importing/${import_id}/commit`, {})).body.err).toEqual([
      data.message,
    ]);
    const wrong = await send('ques/importing', formWith('题目.exe', strToU8('x')));
    expect([wrong.status, wrong.body.err]).toEqual([415, [expect.stringMatching(/^只能导入 \.docx、.* 格式的文件$/)]]);
  });

  it.each([
    ['题目.doc', '请用 Word 或 WPS 打开，另存为 .docx'],
    ['题目.wps', '请用 Word 或 WPS 打开，另存为 .docx'],
    ['成绩.et', '请用 Excel 或 WPS 打开，另存为 .xlsx'],
    ['扫描.pdf', '另存为 .docx'],
    ['拍照.jpg', '不能识别图片中的文字'],
    ['课件.pptx', '请把题目放进 Word'],
  ])('says what to do with %s', async (name, advice) => {
    const wrong = await send('ques/importing', formWith(name, strToU8('x')));
    expect([wrong.status, wrong.body.err]).toEqual([415, [expect.stringContaining(advice)]]);
  });

  it('says of a document with macros that they are not run, under any name', async () => {
    const parts = unzipSync(await word());
    const name = '[Content_Types].xml';
    const types = strFromU8(parts[name] as Uint8Array);
    parts[name] = strToU8(
      types.replace(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        'application/vnd.ms-word.document.macroEnabled.main+xml',
      ),
    );
    const macros = new Uint8Array(zipSync(parts));
    for (const file of ['题目.docm', '题目.docx']) {
      const { import_id } = (await send('ques/importing', formWith(file, macros))).body.data;
      const { data } = (await readWhenDone(import_id)).body;
      expect(data).toMatchObject({ status: 3, message: expect.stringMatching(/宏不会运行.*另存为不含宏的 \.docx/) });
    }
  });

  it('lists imports of the same second with the latest first', async () => {
    const started: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { body } = await send('ques/importing', formWith(`${count}.docx`, strToU8(String(count))));
      started.unshift(body.data.import_id);
    }
    const list = (await school().as('teacher').get('ques/importing')).body.data;
    expect(list.slice(0, 4).map((one: { import_id: string }) => one.import_id)).toEqual(started);
  });

  it('drops a preview after a week or on request', async () => {
    const start = async () => (await send('ques/importing', formWith('题目.xlsx', await excel()))).body.data.import_id;
    const [kept, dropped] = [await start(), await start()];
    expect((await school().as('otherTeacher').delete(`ques/importing/${dropped}`)).status).toBe(404);
    expect((await school().as('teacher').delete(`ques/importing/${dropped}`)).status).toBe(200);
    expect((await school().as('teacher').get(`ques/importing/${dropped}`)).status).toBe(404);
    expect((await readWhenDone(kept)).status).toBe(200);
    const week = 7 * day;
    await school()
      .database.db.updateTable('question_import')
      .set({ updated_at: noon - week })
      .where('id', '=', kept)
      .execute();
    const late = await school().as('teacher').get(`ques/importing/${kept}`);
    expect([late.status, late.body.msg]).toEqual([404, '导入预览已过期，请重新上传']);
    await start();
    const left = await school().database.db.selectFrom('question_import').select('id').execute();
    expect(left.map(({ id }) => id)).not.toContain(kept);
    expect(left.map(({ id }) => id)).not.toContain(dropped);
  });

  it('offers the templates as files', async () => {
    for (const format of [1, 2]) {
      const answer = await school().as('assist').get(`ques/template/${format}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toContain(format === 1 ? '.docx' : '.xlsx');
    }
    expect((await school().as('assist').get('ques/template/3')).status).toBe(404);
    expect((await school().as('plainTeacher').get('ques/template/1')).status).toBe(403);
  });
});
