/** A single list: columns are guessed, corrected, and remembered per source. */
import { describe, expect, it } from 'vitest';
import { addBoundAdmin } from '../support/bound-admin.ts';
import { importCalls, outcomeOf } from '../support/import-calls.ts';
import { csv, sheetFile } from '../support/import-files.ts';
import { classSheet, officeFile, teacherSheet } from '../support/office-sheets.ts';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('column mapping of a list', (opened) => {
  const school = () => opened();
  const { admin, sendFile: upload, rows, mustApply } = importCalls(school);
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

  describe('facts missing in an office list', () => {
    it('is asked for each file: the classes of the sheets', async () => {
      const students = await officeFile({
        高一1班: classSheet('高一（1）班', [['张三', '男', 'K1', '', '']]),
        说明: classSheet('', [['李四', '女', 'K2', '', '']]),
      });
      const { id, columns } = (await upload('年级组', '高一.xlsx', students)).body.data;
      expect(columns).toBe('guessed');
      const list = await show(id);
      expect([list.sheets, list.identity, list.username]).toEqual([
        [
          { name: '高一1班', class_name: '高一（1）班', is_read: 1 },
          { name: '说明', class_name: '', is_read: 1 },
        ],
        '',
        '',
      ]);
      const map = (more: object) =>
        admin().post(`import/${id}/mapping`, {
          kind: 'student',
          columns: list.columns.map(({ field }: { field: string }) => field),
          ...more,
        });
      const none = [
        { class_name: '', is_read: 0 },
        { class_name: '', is_read: 0 },
      ];
      expect((await map({ sheets: none })).body.errors).toEqual({ sheets: ['请选择至少一个工作表'] });
      expect((await map({ sheets: [{ class_name: '班'.repeat(101), is_read: 1 }, none[1]] })).body.errors).toEqual({
        'class-0': ['名称不能超过100个字'],
      });
      expect(outcomeOf(await map({ sheets: [none[0]] }))).toEqual([422, '名单的列与文件不一致，请刷新后重试']);
      const chosen = [{ class_name: ' 高一甲班 ', is_read: 1 }, none[1]];
      expect(outcomeOf(await map({ sheets: chosen }))).toEqual([200, '已检查']);
      expect((await show(id)).sheets).toEqual([
        { name: '高一1班', class_name: '高一甲班', is_read: 1 },
        { name: '说明', class_name: '', is_read: 0 },
      ]);
      expect(await labels(id)).toEqual(['student K1 张三', 'membership 高一甲班/K1 高一甲班 张三']);
      // In the next file of the source, the sheets are asked about again.
      const next = (await upload('年级组', '高一新.xlsx', students)).body.data;
      expect([next.columns, (await show(next.id)).sheets]).toEqual(['guessed', list.sheets]);
    });

    it('adds missing classes if the person chooses that, and asks about similar names', async () => {
      const { db } = school().database;
      const { org_name } = await db.selectFrom('school').select('org_name').orderBy('id').executeTakeFirstOrThrow();
      const students = await officeFile({
        初三1班: classSheet('初三（1）班', [['张新班', '男', 'J1', '', '父138']]),
        初三2班: classSheet('初三(2)班', [['李新班', '女', 'J2', '', '']]),
        初三3班: classSheet('', [
          ['王新班', '女', 'J3', '', ''],
          ['赵新班', '男', 'J4', '', ''],
        ]),
      });
      const made = await admin().post('classes', { name: '初三年级2班', school_id: 1, valid_type: 1 });
      const { id } = (await upload('新学校', '初三.xlsx', students)).body.data;
      const { columns, new_classes, schools } = await show(id);
      expect([new_classes, made.status]).toEqual([0, 200]);
      const mapped = await admin().post(`import/${id}/mapping`, {
        kind: 'student',
        columns: columns.map(({ field }: { field: string }) => field),
        new_classes: 1,
        school: schools.length > 0 ? org_name : '',
      });
      expect(outcomeOf(mapped)).toEqual([200, '已检查']);
      const verdicts = async (kind: string) =>
        (await rows(id, `&kind=${kind}`)).map(
          ({ label, verdict }: { label: string; verdict: string }) => `${verdict} ${label}`,
        );
      const doubted = (await rows(id, '&doubted=1')).map(({ kind }: { kind: string }) => kind);
      expect([doubted, (await rows(id, '&kind=class'))[0].doubts]).toEqual([['student'], []]);
      expect(await verdicts('class')).toEqual(['new 初三（1）班', 'new 初三3班']);
      expect(await verdicts('grade')).toEqual(['new 初三']);
      expect(await verdicts('membership')).toEqual([
        'new 初三（1）班 张新班',
        'match 初三(2)班 李新班',
        'new 初三3班 王新班',
        'new 初三3班 赵新班',
      ]);
      await mustApply(id);
      const classes = await db
        .selectFrom('class_student')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .innerJoin('student', 'student.id', 'class_student.student_id')
        .leftJoin('grade', 'grade.id', 'class.grade_id')
        .select(['class.name', 'student.nickname', 'grade.name as grade'])
        .where('student.nickname', 'like', '%新班')
        .orderBy('student.number')
        .execute();
      expect(classes.map(({ name, nickname, grade }) => `${grade} ${name} ${nickname}`)).toEqual([
        '初三 初三（1）班 张新班',
        '初三 初三3班 王新班',
        '初三 初三3班 赵新班',
      ]);
      // The file again adds nothing.
      const again = (await upload('新学校', '初三.xlsx', students)).body.data;
      expect((await rows(again.id, '&verdict=new')).length).toBe(0);
    });

    it('adds classes by default while a school has none', async () => {
      const bound = await addBoundAdmin(school(), { can_people: 1, can_teaching: 1 });
      const form = new FormData();
      form.set('source', '新校名单');
      const students = await officeFile({ Sheet1: classSheet('初二（7）班', [['张新校', '男', 'F1', '', '']]) });
      form.set('file', new File([new Uint8Array(students)], '初二.xlsx'));
      const { id } = (await bound.ask('POST', 'import/upload', form)).body.data;
      const list = (await bound.ask('GET', `import/${id}/mapping`)).body.data;
      expect(list.new_classes).toBe(1);
      const columns = list.columns.map(({ field }: { field: string }) => field);
      await bound.ask('POST', `import/${id}/mapping`, { kind: 'student', columns, new_classes: 0 });
      expect((await bound.ask('GET', `import/${id}/mapping`)).body.data.new_classes).toBe(0);
    });

    it('adds one class with a complete list, and keeps the others', async () => {
      const { db } = school().database;
      const { org_name } = await db.selectFrom('school').select('org_name').orderBy('id').executeTakeFirstOrThrow();
      const first = { 高三1班: classSheet('高三（1）班', [['张高三', '男', 'Z1', '', '']]) };
      const second = { ...first, 高三2班: classSheet('高三（2）班', [['李高三', '女', 'Z2', '', '']]) };
      const apply = async (sheets: typeof first) => {
        const { id } = (await upload('完整花名册', '高三.xlsx', await officeFile(sheets))).body.data;
        const { columns, schools } = await show(id);
        const mapped = await admin().post(`import/${id}/mapping`, {
          kind: 'student',
          mode: 'bulk',
          columns: columns.map(({ field }: { field: string }) => field),
          new_classes: 1,
          school: schools.length > 0 ? org_name : '',
        });
        expect(outcomeOf(mapped)).toEqual([200, '已检查']);
        await mustApply(id);
        return (await rows(id)).map(({ verdict, label }: Record<string, string>) => `${verdict} ${label}`);
      };
      await apply(first);
      expect(await apply(second)).toEqual([
        'new 李高三',
        'new 高三（2）班',
        'new 高三（2）班 李高三',
        'unchanged 张高三',
        'unchanged 高三（1）班 张高三',
      ]);
    });

    it('adds a class whose name exists only in a school that the administrator does not manage', async () => {
      const bound = await addBoundAdmin(school(), { can_people: 1, can_teaching: 1 });
      const made = await admin().post('classes', { name: '初二（7）班', school_id: 1, valid_type: 1 });
      const form = new FormData();
      form.set('source', '分校名单');
      const students = await officeFile({ Sheet1: classSheet('初二（7）班', [['张分校', '男', 'F1', '', '']]) });
      form.set('file', new File([new Uint8Array(students)], '初二.xlsx'));
      const { body } = await bound.ask('POST', 'import/upload', form);
      const { columns } = (await bound.ask('GET', `import/${body.data.id}/mapping`)).body.data;
      const mapped = await bound.ask('POST', `import/${body.data.id}/mapping`, {
        kind: 'student',
        columns: columns.map(({ field }: { field: string }) => field),
        new_classes: 1,
      });
      expect([made.status, outcomeOf(mapped)]).toEqual([200, [200, '已检查']]);
      const { list } = (await bound.ask('GET', `import/${body.data.id}/rows`)).body.data;
      expect(list.map(({ kind, verdict, label }: Record<string, string>) => `${kind} ${verdict} ${label}`)).toEqual([
        'student new 张分校',
        'class new 初二（7）班',
        'membership new 初二（7）班 张分校',
      ]);
    });

    it('of staff is refused until it is chosen', async () => {
      const teachers = await officeFile({ 教师: teacherSheet('教师名单') });
      const { id, columns } = (await upload('人事处', '教师.xlsx', teachers)).body.data;
      expect(columns).toBe('open');
      const list = await show(id);
      expect([list.kind, list.failure, list.sheets]).toEqual(['staff', '没有找到“用户名”所在的列，请指定', []]);
      const map = (more: object) =>
        admin().post(`import/${id}/mapping`, { kind: 'staff', columns: ['姓名', '身份', '手机号'], ...more });
      expect(outcomeOf(await map({}))).toEqual([422, '请指定“用户名”是哪一列，或选择没有写明时怎么读取']);
      expect(outcomeOf(await map({ identity: '讲师', username: 'pinyin' }))).toEqual([200, '已检查']);
      expect(await labels(id)).toEqual([
        'staff wangli0001 王丽',
        'staff liqiang0002 李强',
        'staff zhaomin0003 赵敏',
        'staff zengrong0004 曾荣',
        'staff zhoulan0005 周兰',
      ]);
      expect(await show(id)).toMatchObject({ identity: '讲师', username: 'pinyin', failure: '' });
      const doubts = (await admin().get(`import/${id}/remarks?tone=doubted`)).body.data.list;
      expect(doubts.map(({ message }: { message: string }) => message)).toEqual([
        '“校长”不知道是什么身份，已按“讲师”读取，请核对',
      ]);
    });
  });
});
