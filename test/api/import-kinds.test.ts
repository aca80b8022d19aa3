/** Terms, groups, and group classes with contracts through imports: create, change, end, undo. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { importCalls, outcomeOf, type Records, withFields, withoutRecords } from '../support/import-calls.ts';
import { allKinds, fingerprints, record, ref, smallUpload, teamUpload } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

onBothEngines('import of terms, groups and group classes', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const { admin, mustApply, waitForJob, idOf, rows, show, ...calls } = importCalls(school);
  let count = 100;
  const source = () => {
    count += 1;
    return `团课来源${count}`;
  };
  const wholeUpload = (): Records => [...smallUpload({ tag: count, classes: 1, students: 12 }), ...teamUpload()];
  const send = (name: string, records: Records, mode: 'bulk' | 'delta' = 'bulk') =>
    calls.send(name, records, mode, allKinds);
  const mustUndo = calls.mustUndo;
  const reasonsOf = async (id: number) =>
    (await rows(id, '&verdict=refused')).map(({ source_id, reasons }: { source_id: string; reasons: string[] }) => [
      source_id,
      ...reasons,
    ]);

  it('creates them, changes nothing when repeated, and undoes', async () => {
    const name = source();
    const atFirst = await fingerprints(db());
    const first = await send(name, wholeUpload());
    expect(await fingerprints(db())).toEqual(atFirst);
    expect(await reasonsOf(first)).toEqual([]);
    await mustApply(first);
    const team = await idOf('group_class', 'U1');
    expect((await admin().get(`group-classes/${team}`)).body.data).toMatchObject({
      name: '导入团课',
      class_type: 3,
      lecturer_name: '导入老师1',
      subject_name: '导入科目',
      room_name: '101',
      teaching_mode: 2,
      schedule: '每周六上午',
      start_day: '2026-09-05',
      students_count: 2,
      courses_count: 1,
      assistants: ['导入助教'],
    });
    expect((await admin().get(`group-classes/${team}/contracts`)).body.data.list).toMatchObject([
      { nickname: '导入学员1001', contracts_number: 'HT-1', remaining_lessons: 20, periods_price: 120.5 },
      { nickname: '导入学员1002', contracts_number: '' },
    ]);
    const theClass = await idOf('class', 'B9');
    expect((await admin().get(`classes/${theClass}`)).body.data).toMatchObject({ large_class_name: '导入大班' });
    expect((await admin().get(`classes/${theClass}/groups`)).body.data.groups).toMatchObject([
      { group_name: '第一组', staff: [{ name: '导入助教' }], students: [{ name: '导入学员1001' }] },
      { group_name: '第二组', students: [] },
    ]);
    expect(await db().selectFrom('class_term').selectAll().where('class_id', '=', theClass).execute()).toHaveLength(2);
    const [member] = await db()
      .selectFrom('class_student')
      .select('joined_at')
      .where('class_id', '=', theClass)
      .execute();
    expect(member?.joined_at).toBe(1_756_656_000);

    const there = await fingerprints(db(), ['external_id', 'history']);
    const again = await send(name, wholeUpload().toReversed());
    expect((await show(again)).totals.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    await mustApply(again);
    expect(await fingerprints(db(), ['external_id', 'history'])).toEqual(there);
    await mustUndo(again);
    await mustUndo(first);
    expect(await rows(first, '&stayed=1')).toEqual([]);
    expect(await fingerprints(db())).toEqual(atFirst);
  });

  it('changes, moves and ends them, and undoes all of it', async () => {
    const name = source();
    const first = await send(name, wholeUpload());
    await mustApply(first);
    const before = await fingerprints(db());
    const inOther = withFields(wholeUpload(), 'Z-P1001', { group_id: ref('group', 'Z2') });
    const renamed = withFields(inOther, 'U1', { name: '新团课', room_id: null, remarks: '改在线上', teaching_mode: 1 });
    const signed = withFields(withFields(renamed, 'U1-P1001', { remaining_lessons: 19 }), 'U1-P1002', {
      contracts_number: 'HT-2',
    });
    const moved = withFields(withFields(signed, 'B9-P1001', { joined_at: 1_756_828_800 }), 'B9', {
      large_class_name: '另一大班',
      term_ids: [ref('term', 'Y1')],
    });
    const next = withoutRecords(withFields(moved, 'Y1a', { last_day: '2027-01-22' }), 'Z1', 'U2', 'U2-P1003');
    const second = await send(name, next);
    expect(await reasonsOf(second)).toEqual([]);
    expect(await rows(second, '&verdict=changed')).toMatchObject([
      { kind: 'term', changes: [{ name: '结束日期', before: '2027-01-20', after: '2027-01-22' }] },
      {
        kind: 'class',
        changes: [
          { name: '大班', before: '导入大班', after: '另一大班' },
          { name: '学期', before: '2026学年、上学期', after: '2026学年' },
        ],
      },
      { kind: 'membership', changes: [{ name: '加入日期', before: '2025-09-01', after: '2025-09-03' }] },
      { kind: 'group_member', changes: [{ name: '分组', before: '第一组', after: '第二组' }] },
      {
        kind: 'group_class',
        changes: [
          { name: '名称', before: '导入团课', after: '新团课' },
          { name: '教室', before: '101', after: '' },
          { name: '上课方式', before: '线下', after: '直播' },
          { name: '备注', before: '', after: '改在线上' },
        ],
      },
      { kind: 'membership', changes: [{ name: '剩余课时', before: '20', after: '19' }] },
      { kind: 'membership', changes: [{ name: '合同编号', before: '', after: 'HT-2' }] },
    ]);
    await mustApply(second);
    const theClass = await idOf('class', 'B9');
    expect((await admin().get(`classes/${theClass}/groups`)).body.data.groups).toMatchObject([
      { group_name: '第二组', students: [{ name: '导入学员1001' }] },
    ]);
    expect((await admin().get(`group-classes/${await idOf('group_class', 'U2')}`)).body.data.state).toBe('ended');
    const again = await send(name, next);
    expect((await show(again)).totals.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);

    const back = await send(name, wholeUpload());
    await mustApply(back);
    expect((await admin().get(`group-classes/${await idOf('group_class', 'U2')}`)).body.data.state).not.toBe('ended');
    await mustUndo(back);
    await mustUndo(second);
    expect(await rows(second, '&stayed=1')).toEqual([]);
    const after = await fingerprints(db());
    expect(after).toEqual(before);
  });

  it('restores archived records with their exact archive time', async () => {
    const name = source();
    await mustApply(await send(name, wholeUpload()));
    const archived = [
      ['grade', 'grade', 'G1', 'put_away_at'],
      ['category', 'classify', 'K2', 'put_away_at'],
      ['subject', 'subject', 'F1', 'put_away_at'],
      ['room', 'room', 'R1', 'put_away_at'],
      ['term', 'term', 'Y1a', 'put_away_at'],
      ['course', 'course', 'C1', 'put_away_at'],
      ['staff', 'staff', 'T1', 'disabled_at'],
      ['student', 'student', 'P1005', 'disabled_at'],
      ['group_class', 'team_class', 'U2', 'ended_at'],
    ] as const;
    const ids = await Promise.all(archived.map(([kind, , sourceId]) => idOf(kind, sourceId)));
    const momentOf = async (at: number) => {
      const [, table, , column] = archived[at] as (typeof archived)[number];
      const id = sql.ref(table === 'team_class' ? 'class_id' : 'id');
      const moment = sql.ref(column);
      const { rows: found } = await sql<{ moment: number | null }>`
        select ${moment} as moment from ${sql.table(table)} where ${id} = ${ids[at]}`.execute(db());
      return found[0]?.moment;
    };
    const moments = () => Promise.all(archived.map((_, at) => momentOf(at)));
    for (const [at, [, table, , column]] of archived.entries()) {
      const id = sql.ref(table === 'team_class' ? 'class_id' : 'id');
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${noon - (at + 1) * day} where ${id} = ${ids[at]}`.execute(
        db(),
      );
    }
    const were = archived.map((_, at) => noon - (at + 1) * day);
    expect(await moments()).toEqual(were);
    const before = await fingerprints(db());
    const back = await send(name, wholeUpload());
    // A person archived them, so the source wins only if chosen.
    expect(outcomeOf(await admin().post(`import/${back}/choices`, { take: ['*'] }))[0]).toBe(200);
    await waitForJob(back);
    await mustApply(back);
    expect(await moments()).toEqual(archived.map(() => null));
    await mustUndo(back);
    expect(await moments()).toEqual(were);
    expect(await fingerprints(db())).toEqual(before);
  });

  it("refuses with the calls' messages, and keeps manual changes", async () => {
    const name = source();
    await mustApply(await send(name, wholeUpload()));
    const faulty = [
      record('group', 'Z9', {
        class_id: ref('class', 'B9'),
        course_id: ref('course', 'C1'),
        group_name: '第三组',
        staff_ids: [ref('staff', 'T1')],
      }),
      record('group_member', 'Z-P1003', { group_id: ref('group', 'Z1'), student_id: ref('student', 'P1003') }),
      record('group_class', 'U3', { name: '无日期', class_type: 3, school_id: ref('school', 'S1') }),
      record('group_class', 'U4', { name: '无类型', school_id: ref('school', 'S1'), start_day: '2026-09-06' }),
      record('group_class', 'U5', {
        name: '助教上课',
        class_type: 3,
        school_id: ref('school', 'S1'),
        start_day: '2026-09-06',
        lecturer_id: ref('staff', 'A1'),
      }),
      record('membership', 'B9-P1004', {
        class_id: ref('class', 'B9'),
        student_id: ref('student', 'P1004'),
        contracts_number: 'HT-9',
      }),
      record('membership', 'U1-P1004', {
        class_id: ref('group_class', 'U1'),
        student_id: ref('student', 'P1004'),
        remaining_lessons: 3,
      }),
      record('membership', 'U2-P1004', { class_id: ref('group_class', 'U2'), student_id: ref('student', 'P1004') }),
      record('term', 'Y9', { name: '倒', type: 'term', first_day: '2027-01-01', last_day: '2026-01-01' }),
    ];
    const id = await send(name, faulty, 'delta');
    expect((await reasonsOf(id)).toSorted()).toEqual(
      [
        ['Y9', '结束日期：结束日期不能早于开始日期'],
        ['U3', '开课日期：请选择开课日期'],
        ['U4', '班级类型：请选择班级类型'],
        ['U5', '讲师：讲师不存在'],
        ['B9-P1004', '合同编号：只有团课和一对一的学员有合同'],
        ['U1-P1004', '合同编号：合同编号不能为空'],
        ['U2-P1004', '班级：一对一班级只能有一名学员'],
        ['Z9', '助教：请选择该班级的助教'],
        ['Z-P1003', '学员：该学员不在该班级'],
      ].toSorted(),
    );
    const team = await idOf('group_class', 'U1');
    const written = (await admin().get(`group-classes/${team}`)).body.data;
    const edit = await admin().put(`group-classes/${team}`, { ...written, schedule: '每周日', acknowledged: '' });
    expect(edit.status).toBe(200);
    const kept = await send(name, withFields(wholeUpload(), 'U1', { schedule: '每周五' }));
    expect(await rows(kept, '&verdict=conflict')).toMatchObject([
      { kind: 'group_class', changes: [{ name: '上课时间', before: '每周日', after: '每周五', kept: 1 }] },
    ]);
  });

  it('is held if a class would become empty, or a row without an id is unreadable', async () => {
    const name = source();
    const many = [...smallUpload({ tag: count, classes: 16, students: 3 })];
    await mustApply(await send(name, many));
    const some = many.filter(({ kind, sourceId }) => kind !== 'membership' || !sourceId.startsWith('B2-'));
    expect((await show(await send(name, some))).holds).toEqual([
      {
        kind: 'membership',
        reason: 'emptied',
        number: 3,
        sentence: '进班：1个班级的学员一名也没有了，3条将离开',
      },
    ]);
    const oneLess = many.filter(({ kind, sourceId }) => kind !== 'membership' || sourceId !== 'B2-P2001');
    expect((await show(await send(name, oneLess))).holds).toEqual([]);
    const unread = record('membership', '', { class_id: ref('class', 'B2'), student_id: ref('student', 'nobody') });
    expect((await show(await send(name, [...oneLess, unread]))).holds).toMatchObject([
      { kind: 'membership', reason: 'unread', number: 1 },
    ]);
  });
});
