import { beforeEach, expect, it } from 'vitest';
import type { ImportRow, ImportState } from '#server/questions/import.contract.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, outcomeOf } from '../support/school.ts';

const paper =
  '一、单选题\n1. 首都是哪里\nA. 北京\nB. 上海\n答案：A\n2. 哪个是偶数\nA. 一\nB. 二\n答案：A\n二、简答题\n3. 说明理由\n答案：略';

onBothEngines('corrections of an import into an exam', (school) => {
  const admin = () => school().as('admin');
  let id = '';

  const state = async (search = ''): Promise<ImportState> =>
    (await admin().get(`exams/importing/${id}${search}`)).body.data;
  const row = async (place: number): Promise<ImportRow> => (await state()).rows.list[place - 1] as ImportRow;
  const correct = async (place: number, fields: object) => {
    const { row: at, version } = await row(place);
    return admin().post(`exams/importing/${id}/rows/${at}`, { version, ...fields });
  };
  const arrange = async (place: number, act: string) => {
    const { row: at, version } = await row(place);
    return admin().post(`exams/importing/${id}/rows/${at}/arrange`, { version, act });
  };

  beforeEach(async () => {
    id = (await admin().post('exams/importing/text', { text: paper })).body.data.import_id;
    await expect.poll(async () => (await state()).status).toBe(2);
  });

  it('corrects, repeats for the section, undoes, and finds conflicts', async () => {
    const { row: at, version } = await row(2);
    expect(outcomeOf(await correct(2, { answer: 'b', score: '2' }))).toEqual([200, '已保存']);
    expect(await row(2)).toMatchObject({ answer: 'B', score: 2 });
    const late = await admin().post(`exams/importing/${id}/rows/${at}`, { version, answer: 'A' });
    expect([late.status, late.body.data]).toMatchObject([409, { answer: 'B' }]);
    const { last } = await state();
    expect(last?.offer).toEqual({ said: '本大题都是2分', count: 1 });
    expect(outcomeOf(await admin().post(`exams/importing/${id}/repeat`, { number: last?.number }))).toEqual([
      200,
      '已保存',
    ]);
    expect((await state()).rows.list.map(({ score }) => score)).toEqual([2, 2, null]);
    const { last: repeated } = await state();
    expect(outcomeOf(await admin().post(`exams/importing/${id}/undo`, { number: repeated?.number }))).toEqual([
      200,
      '已撤销',
    ]);
    expect((await state()).rows.list.map(({ score }) => score)).toEqual([null, 2, null]);
    expect(outcomeOf(await correct(1, { answer: 'Q' }))[0]).toBe(422);
  });

  it('corrects many questions, replaces one, and leaves one out; the paper takes the corrected ones', async () => {
    const all = await admin().post(`exams/importing/${id}/all`, { score: '3', facility_value: '4' });
    expect(all.body.data).toEqual({ count: 3 });
    await arrange(1, 'leave-out');
    expect(await state()).toMatchObject({ total: 2, out: 1 });
    const { row: at } = await row(2);
    const { version, question } = (await admin().get(`exams/importing/${id}/rows/${at}`)).body.data;
    const edited = { ...question, ques_stem: '<p>哪个数是偶数</p>', version };
    expect(outcomeOf(await admin().put(`exams/importing/${id}/rows/${at}`, edited))).toEqual([200, '已保存']);

    const own = await school().database.db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
    const exam = (
      await admin().post('exams', {
        name: '期中考试',
        introduce: '',
        pass_score: '3',
        limit_minutes: '60',
        attempts: '2',
        start_at: noon - day,
        end_at: noon + day,
        school_ids: [own.id],
      })
    ).body.data.id as number;
    const section = (await admin().post(`exams/${exam}/sections`, { name: '一', introduce: '' })).body.data.id;
    const taken = await admin().post(`exams/${exam}/importing/${id}`, { section_id: section, scope: 'all' });
    expect(outcomeOf(taken)).toEqual([200, '导入成功']);
    const [part] = (await admin().get(`exams/${exam}/paper`)).body.data.detail;
    expect(
      part.question.map(({ ques_stem, ques_score }: { ques_stem: string; ques_score: number }) => [
        ques_stem,
        ques_score,
      ]),
    ).toEqual([
      ['<p>哪个数是偶数</p>', 3],
      ['<p>说明理由</p>', 3],
    ]);
  });

  it('belongs to its maker: lecturers do not find it, and each identity has its own list', async () => {
    expect((await school().as('teacher').get(`ques/importing/${id}`)).status).toBe(404);
    expect(
      (await admin().get('exams/importing')).body.data.map((one: { import_id: string }) => one.import_id),
    ).toContain(id);
    expect((await school().as('teacher').get('ques/importing')).body.data).toEqual([]);
  });
});
