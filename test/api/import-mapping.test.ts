/** A single list: columns are guessed, corrected, and remembered per source. */
import { describe, expect, it } from 'vitest';
import { importCalls, outcomeOf } from '../support/import-calls.ts';
import { csv, sheetFile } from '../support/import-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('column mapping of a list', (opened) => {
  const school = () => opened();
  const { admin, sendFile: upload } = importCalls(school);
  const show = async (id: number, query = '') => (await admin().get(`import/${id}/mapping${query}`)).body.data;
  const fields = async (id: number, query = '') =>
    (await show(id, query)).columns.map(({ head, field }: { head: string; field: string }) => `${head}=${field}`);
  const labels = async (id: number) =>
    (await admin().get(`import/${id}/rows`)).body.data.list.map(
      ({ kind, label, source_id }: { kind: string; label: string; source_id: string }) =>
        `${kind} ${source_id} ${label}`,
    );

  const strange = csv([
    ['内码', '谁', '几号', '电话'],
    ['X1', '王小一', '7001', '13811110001'],
    ['X2', '王小二', '7002', '13811110002'],
  ]);

  it("is guessed, corrected, and reused for the source's next list", async () => {
    const { status, body } = await upload('学籍', '名单.csv', strange);
    expect([status, body.data]).toEqual([200, { id: body.data.id, state: 'checked', job: '', columns: 'guessed' }]);
    const { id } = body.data;
    expect(await fields(id)).toEqual(['内码=', '谁=姓名', '几号=', '电话=手机号']);
    const list = await show(id);
    expect(list).toMatchObject({ kind: 'student', mode: 'delta', failure: '', required: ['姓名'] });
    expect(list.examples).toEqual([
      ['X1', '王小一', '7001', '13811110001'],
      ['X2', '王小二', '7002', '13811110002'],
    ]);
    expect(list.choices).toEqual(['编号', '姓名', '学号', '手机号', '家长手机号', '学校', '班级']);
    const answer = await admin().post(`import/${id}/mapping`, {
      kind: 'student',
      mode: 'delta',
      columns: ['编号', '姓名', '学号', '家长手机号'],
    });
    expect(outcomeOf(answer)).toEqual([200, '已检查']);
    expect(answer.body.data).toMatchObject({ id, state: 'checked' });
    expect(await labels(id)).toEqual(['student X1 王小一', 'student X2 王小二']);
    expect(await fields(id)).toEqual(['内码=编号', '谁=姓名', '几号=学号', '电话=家长手机号']);

    // In another order, with an additional column.
    const next = await upload(
      '学籍',
      '下周.csv',
      csv([
        ['几号', '谁', '内码', '学校'],
        ['7001', '王小一', 'X1', ''],
      ]),
    );
    expect(next.body.data).toMatchObject({ state: 'checked', columns: '' });
    expect(await labels(next.body.data.id)).toEqual(['student X1 王小一']);
    const more = await upload(
      '学籍',
      '再下周.csv',
      csv([
        ['几号', '谁', '内码', '备注'],
        ['7001', '王小一', 'X1', '新'],
      ]),
    );
    expect(more.body.data.columns).toBe('guessed');
    expect(await fields(more.body.data.id)).toEqual(['几号=学号', '谁=姓名', '内码=编号', '备注=']);
    // Another source is guessed again.
    expect((await upload('别处', '名单.csv', strange)).body.data.columns).toBe('guessed');
  });

  it('requires the essential columns', async () => {
    const bare = csv([
      ['甲列', '乙列'],
      ['1', 'zhang.san'],
    ]);
    const { body } = await upload('空白', '名单.csv', bare);
    expect(body.data).toMatchObject({ state: 'uploaded', columns: 'open' });
    const { id } = body.data;
    expect((await show(id)).failure).toBe('没有找到“姓名”所在的列，请指定');
    const map = (columns: string[], kind = 'student') => admin().post(`import/${id}/mapping`, { kind, columns });
    expect(outcomeOf(await map(['', '']))).toEqual([422, '请指定“姓名”是哪一列']);
    expect((await map(['姓名', '姓名'])).body.errors).toEqual({ 'column-1': ['“姓名”只能对应一列'] });
    expect(outcomeOf(await map(['姓名']))).toEqual([422, '名单的列与文件不一致，请刷新后重试']);
    expect((await map(['', ''], 'staff')).body.errors.columns).toHaveLength(3);
    expect(outcomeOf(await map(['学号', '姓名']))).toEqual([200, '已检查']);
    expect(await labels(id)).toEqual([expect.stringMatching(/^student .*1 zhang.san$/)]);
  });

  it('of staff is guessed for CSV and single-sheet workbooks', async () => {
    const bytes = sheetFile({
      Sheet1: [
        ['岗位', '工号', '姓名'],
        ['讲师', 'w91', '钱老师'],
      ],
    });
    const { id } = (await upload('人事', '教师.xlsx', bytes)).body.data;
    expect((await show(id)).kind).toBe('staff');
    expect(await fields(id)).toEqual(['岗位=身份', '工号=用户名', '姓名=姓名']);
    expect(await fields(id, '?kind=student')).toEqual(['岗位=', '工号=', '姓名=姓名']);
    const columns = ['身份', '用户名', '姓名'];
    expect(outcomeOf(await admin().post(`import/${id}/mapping`, { kind: 'staff', mode: 'bulk', columns }))).toEqual([
      200,
      '已检查',
    ]);
    expect((await admin().get(`import/${id}`)).body.data).toMatchObject({ mode: 'bulk', columns_fault: '' });
  });

  describe('refused column mapping', () => {
    it('applies to own workbooks, applied imports, empty mappings, and other people', async () => {
      const whole = sheetFile({
        学员: [
          ['姓名', '学号'],
          ['赵六六', '8001'],
        ],
      });
      const { data } = (await upload('模板', '学校.xlsx', whole)).body;
      expect(data.columns).toBe('');
      expect(outcomeOf(await admin().get(`import/${data.id}/mapping`))).toEqual([
        409,
        '只有人员或学员的单张名单需要指定各列的含义',
      ]);
      expect((await admin().get('import/999999/mapping')).status).toBe(404);
      const { id } = (
        await upload(
          '应用',
          '名单.csv',
          csv([
            ['姓名', '学号'],
            ['孙七七', '8002'],
          ]),
        )
      ).body.data;
      expect((await admin().post(`import/${id}/apply`, {})).status).toBe(200);
      const again = await admin().post(`import/${id}/mapping`, { kind: 'student', columns: ['学号', '姓名'] });
      expect(outcomeOf(again)).toEqual([409, '该导入已导入，不能再检查']);
      expect((await school().as('teacher').get(`/api/admin/import/${id}/mapping`)).status).toBe(403);
    });

    it('applies once the file is deleted', async () => {
      const { id } = (await upload('旧的', '名单.csv', strange)).body.data;
      const { db } = school().database;
      const kept = await db.selectFrom('import').select('file_key').where('id', '=', id).executeTakeFirstOrThrow();
      await school().services.storage.delete(kept.file_key);
      const answer = await admin().post(`import/${id}/mapping`, { kind: 'student', columns: ['', '姓名', '', ''] });
      expect(outcomeOf(answer)).toEqual([409, '文件已不再保存，请重新上传']);
    });
  });
});
