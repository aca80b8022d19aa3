/** Exams by sheet: given to classes or grades, also of the same file. They become drafts of whoever applies the import. */
import { expect, it } from 'vitest';
import { addAdmin } from '../support/bound-admin.ts';
import { importCalls, outcomeOf, withFields } from '../support/import-calls.ts';
import { sheetFile } from '../support/import-files.ts';
import { fingerprints, record, ref } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

onBothEngines('import of exams', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const { admin, apply, send, sendFile, mustApply, mustUndo, rows, idOf, show } = importCalls(school);
  let count = 0;
  const source = () => {
    count += 1;
    return `考试来源${count}`;
  };
  const exam = (id: number) => admin().get(`exams/${id}`);
  /** Rows in the order of their ids in the source. */
  const examRows = async (id: number): Promise<{ verdict: string; reasons: string[]; stayed: string }[]> =>
    (await rows(id, '&kind=exam')).sort((one: { source_id: string }, other: { source_id: string }) =>
      one.source_id < other.source_id ? -1 : 1,
    );
  const reasonsOf = async (id: number) => (await examRows(id)).flatMap(({ reasons }) => reasons);
  const verdictsOf = async (id: number) => (await examRows(id)).map(({ verdict }) => verdict);
  const stayedOf = async (id: number) => (await examRows(id)).map(({ stayed }) => stayed);

  /** A school with a grade of two classes, and one class without a grade. */
  const upload = (tag: number) => [
    record('school', 'S', { name: `考试校${tag}` }),
    record('grade', 'G', { name: `考级${tag}` }),
    ...['A', 'B'].map((id) =>
      record('class', id, { name: `考${tag}${id}班`, school_id: ref('school', 'S'), grade_id: ref('grade', 'G') }),
    ),
    record('class', 'C', { name: `考${tag}C班`, school_id: ref('school', 'S') }),
    record('exam', 'E1', {
      name: '年级考',
      school_ids: [ref('school', 'S')],
      grade_ids: [ref('grade', 'G')],
      start_at: noon + day,
      end_at: noon + day + 7200,
      limit_minutes: 120,
      pass_score: 60.5,
    }),
    record('exam', 'E2', { name: '班级考', class_ids: [ref('class', 'A'), ref('class', 'C')], attempts: 0 }),
    record('exam', 'E3', { name: '全校考', school_ids: [ref('school', 'S')], introduce: '带尺' }),
  ];

  it('adds drafts for grades, classes and whole schools of the same file, and undoes them', async () => {
    const before = await fingerprints(db());
    const name = source();
    const id = await send(name, upload(count));
    expect(await reasonsOf(id)).toEqual([]);
    expect(await fingerprints(db())).toEqual(before);
    await mustApply(id);
    const ofGrade = (await exam(await idOf('exam', 'E1'))).body.data;
    expect(ofGrade).toMatchObject({
      name: '年级考',
      state: 'draft',
      is_own: 1,
      pass_score: 60.5,
      limit_minutes: 120,
      attempts: 1,
      start_at: noon + day,
      end_at: noon + day + 7200,
      schools: [{ name: `考试校${count}` }],
      classes: [{ name: `考${count}A班` }, { name: `考${count}B班` }],
    });
    expect((await exam(await idOf('exam', 'E2'))).body.data).toMatchObject({
      attempts: 0,
      start_at: null,
      schools: [{ name: `考试校${count}` }],
      classes: [{ name: `考${count}A班` }, { name: `考${count}C班` }],
    });
    expect((await exam(await idOf('exam', 'E3'))).body.data).toMatchObject({ introduce: '带尺', classes: [] });
    // The same file again changes nothing, although the grade is now spelled out as classes.
    expect(await verdictsOf(await send(name, upload(count)))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    await mustUndo(id);
    expect(await fingerprints(db())).toEqual(before);
  });

  it('changes a draft, and keeps it and its changes once it is published or has a paper', async () => {
    const name = source();
    const first = await send(name, upload(count));
    await mustApply(first);
    const second = await send(
      name,
      withFields(upload(count), 'E2', { name: '班级考二', class_ids: [ref('class', 'B')], pass_score: 1 }),
    );
    expect(await verdictsOf(second)).toEqual(['unchanged', 'changed', 'unchanged']);
    await mustApply(second);
    const [e1, e2] = [await idOf('exam', 'E1'), await idOf('exam', 'E2')];
    expect((await exam(e2)).body.data).toMatchObject({
      name: '班级考二',
      pass_score: 1,
      classes: [{ name: `考${count}B班` }],
    });
    await db().updateTable('exam').set({ status: 1, published_at: noon }).where('id', '=', Number(e2)).execute();
    await db()
      .insertInto('exam_section')
      .values({ exam_id: Number(e1), name: '一', sort: 1 })
      .execute();
    const third = await send(name, withFields(upload(count), 'E2', { name: '改名' }));
    expect(await reasonsOf(third)).toEqual(['名称：考试已发布，请在“考试”中修改']);
    await mustUndo(second);
    expect((await exam(e2)).body.data.name).toBe('班级考二');
    expect(await stayedOf(second)).toContain('考试已发布，请在“考试”中修改');
    await mustUndo(first);
    expect(await stayedOf(first)).toEqual(['试卷已有内容', '之后又修改了名称、及格分、班级', '']);
  });

  it('refuses what the form refuses, with the same sentences', async () => {
    const name = source();
    const one = (id: string, fields: object) => record('exam', id, { school_ids: [ref('school', 'S')], ...fields });
    const id = await send(name, [
      ...upload(count).filter(({ kind }) => kind !== 'exam'),
      record('grade', 'G0', { name: `空级${count}` }),
      record('school', 'S2', { name: `考试分校${count}` }),
      one('X1', { name: '' }),
      one('X2', { name: '倒时', start_at: noon + day, end_at: noon }),
      one('X3', { name: '空年级', grade_ids: [ref('grade', 'G0')] }),
      one('X4', { name: '别校', school_ids: [ref('school', 'S2')], class_ids: [ref('class', 'A')] }),
      one('X5', { name: '无类', category_name: '没有这一类' }),
      record('exam', 'X6', { name: '没有学校' }),
      one('X7', { name: '过分', pass_score: 10.55 }),
    ]);
    expect(await reasonsOf(id)).toEqual([
      '名称：请填写考试名称',
      '结束时间：结束时间应晚于开始时间',
      '年级：所选年级在所选学校没有班级',
      '班级：所选班级已结束，或不属于所选学校',
      '考试分类：没有考试分类“没有这一类”',
      '学校：请选择学校',
      expect.stringMatching(/^及格分：/),
    ]);
  });

  it('reads the sheet 考试: names in any width, and similar ones after a choice', async () => {
    const name = source();
    await mustApply(
      await send(name, [
        record('school', 'S', { name: `考试校${count}` }),
        record('class', 'A', { name: `高一（${count}1）班`, school_id: ref('school', 'S') }),
      ]),
    );
    const sheet = sheetFile({
      考试: [
        ['考试名称', '班级', '开始日期', '开始时间', '结束时间', '及格分'],
        ['A月考', `高一(${count}1)班`, '2026-12-01', '08:00', '10:00', '60'],
        ['B补考', `高中一（${count}1）班`, '2026-12-02', '', '', ''],
        ['C误考', `高三（${count}1）班`, '2026-12-03', '', '', ''],
      ],
    });
    const made = await sendFile(`${name}表`, '考试.xlsx', sheet);
    expect(outcomeOf(made)).toEqual([200, '已上传']);
    const { id } = made.body.data;
    expect(await verdictsOf(id)).toEqual(['new', 'match', 'refused']);
    expect(await reasonsOf(id)).toEqual([`班级：没有找到班级“高三（${count}1）班”`]);
    await admin().post(`import/${id}/choices`, { match: 'same' });
    expect(await verdictsOf(id)).toEqual(['new', 'new', 'refused']);
    await apply(id);
    expect((await show(id)).state).toBe('applied');
    const list = (await admin().get('exams?name=考')).body.data.list;
    const own = list.filter(
      ({ classes }: { classes: { name: string }[] }) => classes[0]?.name === `高一（${count}1）班`,
    );
    expect(own.map(({ name: called }: { name: string }) => called).sort()).toEqual(['A月考', 'B补考']);
    // Sent by another source, the draft is probably the same.
    expect((await verdictsOf((await sendFile(source(), '考试.xlsx', sheet)).body.data.id))[0]).toBe('match');
  });

  it('needs the permission for exams, which is enough for a file of exams', async () => {
    const name = source();
    await mustApply(
      await send(
        name,
        upload(count).filter(({ kind }) => kind !== 'exam'),
      ),
    );
    const { k1 } = school().classes;
    const file = () => {
      const form = new FormData();
      form.set('source', name);
      form.set(
        'file',
        new File(
          [
            new Uint8Array(
              sheetFile({
                考试: [
                  ['考试名称', '班级'],
                  ['权限考', className],
                ],
              }),
            ),
          ],
          '考试.xlsx',
        ),
      );
      return form;
    };
    const { name: className, school_id } = await db()
      .selectFrom('class')
      .select(['name', 'school_id'])
      .where('id', '=', k1)
      .executeTakeFirstOrThrow();
    const permitted = await addAdmin(school(), { school_id, can_exams: 1 });
    const other = await addAdmin(school(), { school_id, can_people: 1 });
    const verdictFor = async (person: typeof permitted) => {
      const sent = await person.ask('POST', 'import/upload', file());
      const { id } = sent.body.data;
      await expect.poll(async () => (await person.ask('GET', `import/${id}`)).body.data.job).toBe('');
      return (await person.ask('GET', `import/${id}/rows`)).body.data.list.map(
        ({ verdict, reasons }: { verdict: string; reasons: string[] }) => [verdict, ...reasons],
      );
    };
    expect(await verdictFor(permitted)).toEqual([['new']]);
    expect(await verdictFor(other)).toEqual([['refused', '您没有管理这类记录的权限']]);
    expect((await permitted.ask('GET', 'import/template')).status).toBe(200);
  });
});
