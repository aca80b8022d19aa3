/** Tests imports from upload to end: the preview equals the result, and the result can be undone. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyPlannedLeaves } from '#server/enrolment/stays.ts';
import { studentMessages } from '#server/students/rules.ts';
import { importCalls, outcomeOf, type Records, withFields } from '../support/import-calls.ts';
import { allKinds, fingerprints, record, ref, smallUpload } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const hash = (text: string) => createHash('sha1').update(text).digest('hex');

onBothEngines('an import', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const { admin, apply, mustApply, countsOf, idOf, rows, show, ...calls } = importCalls(school);
  let count = 0;
  /** Uploads of one source; each test has its own. */
  const source = () => {
    count += 1;
    return `来源${count}`;
  };
  const small = (more: Parameters<typeof smallUpload>[0] = {}) => smallUpload({ tag: count, ...more });
  const send = (name: string, records: Records, mode: 'bulk' | 'delta' = 'bulk', kinds = allKinds) =>
    calls.send(name, records, mode, kinds);
  const mustUndo = calls.mustUndo;
  const withoutReferences = (records: Records, ...ids: string[]) =>
    records.filter(
      ({ sourceId, fields }) =>
        !ids.includes(sourceId) &&
        !Object.values(fields).some(
          (value) => typeof value === 'object' && value !== null && 'sourceId' in value && ids.includes(value.sourceId),
        ),
    );

  it('reads a large file like a small one', async () => {
    const { name } = (await admin().get('staff/schools')).body.data[0];
    const people = Array.from({ length: 2000 }, (_, at) => ['很长的姓名', `大${at}`, name].join(','));
    const answer = await calls.sendFile('大文件', '名单.csv', `姓名,学号,学校\n${people.join('\n')}\n`);
    expect(outcomeOf(answer)).toEqual([200, '已上传']);
    const { id } = answer.body.data;
    expect(await countsOf(id)).toEqual({ student: [2000, 0, 0, 0, 0, 0, 0, 0] });
    expect(await show(id)).toMatchObject({ state: 'checked', file_name: '名单.csv' });
    await admin().post(`import/${id}/discard`);
    const wrong = await calls.sendFile('大文件', '坏.csv', `<html>${people.join('\n')}`);
    expect([wrong.status, wrong.body.errors.file[0]]).toEqual([422, expect.stringContaining('坏.csv：这是网页')]);
  });

  describe('import of a new school', () => {
    it('is checked without writes, applied as previewed, unchanged when repeated, and undone', async () => {
      const name = source();
      const atFirst = await fingerprints(db());
      const first = await send(name, small());
      expect(await fingerprints(db())).toEqual(atFirst);
      expect((await show(first)).state).toBe('checked');
      expect(await countsOf(first)).toMatchObject({
        school: [1, 0, 0, 0, 0, 0, 0, 0],
        staff: [3, 0, 0, 0, 0, 0, 0, 0],
        student: [6, 0, 0, 0, 0, 0, 0, 0],
        class: [2, 0, 0, 0, 0, 0, 0, 0],
        membership: [6, 0, 0, 0, 0, 0, 0, 0],
      });
      await mustApply(first);
      const student = await db()
        .selectFrom('student')
        .innerJoin('school', 'school.id', 'student.school_id')
        .innerJoin('class_student', 'class_student.student_id', 'student.id')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .select([
          'student.nickname',
          'school.org_name',
          'class.name',
          'class_student.joined_at',
          'class_student.left_at',
        ])
        .where('student.id', '=', await idOf('student', 'P1001'))
        .execute();
      expect(student).toEqual([
        { nickname: '导入学员1001', org_name: '导入校1', name: '导入1班', joined_at: noon, left_at: null },
      ]);
      expect((await admin().get(`classes/${await idOf('class', 'B2')}`)).body.data).toMatchObject({
        name: '导入2班',
        grade_name: '导入年级',
        students_count: 3,
        heads: [{ real_name: '导入老师2' }],
        assistants: [{ real_name: '导入助教' }],
        courses: [{ title: '导入数学' }],
      });

      const whole = await fingerprints(db(), ['external_id', 'history']);
      const again = await send(name, small().toReversed());
      expect((await show(again)).totals).toEqual([0, 0, 0, 0, 0, 0, 0, 30]);
      await mustApply(again);
      expect(await fingerprints(db(), ['external_id', 'history'])).toEqual(whole);

      await mustUndo(again);
      await mustUndo(first);
      expect(await fingerprints(db())).toEqual(atFirst);
      expect((await show(first)).stayed).toBe(0);
    });

    it('gives the same result for any row order', async () => {
      const name = source();
      const upload = small({ classes: 2, students: 4 });
      /** Memberships by name, since ids are never reused. */
      const shape = async () =>
        JSON.stringify(
          await db()
            .selectFrom('class')
            .innerJoin('school', 'school.id', 'class.school_id')
            .leftJoin('class_student', 'class_student.class_id', 'class.id')
            .leftJoin('student', 'student.id', 'class_student.student_id')
            .leftJoin('class_staff', 'class_staff.class_id', 'class.id')
            .leftJoin('staff', 'staff.id', 'class_staff.staff_id')
            .select(['school.org_name', 'class.name', 'student.nickname', 'student.number', 'staff.username'])
            .where('school.org_name', '=', `导入校${count}`)
            .orderBy('class.id')
            .orderBy('student.id')
            .orderBy('staff.id')
            .execute(),
        );
      const inOrder = await send(name, upload);
      await mustApply(inOrder);
      const first = await shape();
      await mustUndo(inOrder);
      const mixed = upload.toSorted((one, other) => (hash(one.sourceId) < hash(other.sourceId) ? -1 : 1));
      const inDisorder = await send(name, mixed);
      expect((await show(inDisorder)).totals).toEqual((await show(inOrder)).totals);
      await mustApply(inDisorder);
      expect(await shape()).toBe(first);
      await mustUndo(inDisorder);
    });

    it('leaves out refused rows, each with its reason', async () => {
      const name = source();
      const records = [
        ...small({ classes: 1, students: 1 }),
        record('student', 'X1', { nickname: '', school_id: ref('school', 'S1') }),
        record('student', 'X2', { nickname: '无校', school_id: ref('school', 'nowhere') }),
        record('student', 'X3', { nickname: '坏号', mobile: '12', school_id: ref('school', 'S1') }),
        record('student', 'X4', { nickname: '多余', school_id: ref('school', 'S1'), shoe: 42 }),
        record('student', 'X5', { nickname: '两次', school_id: ref('school', 'S1') }),
        record('student', 'X5', { nickname: '两次', school_id: ref('school', 'S1') }),
        record('student', 'X6', { nickname: '同号', number: '1001', school_id: ref('school', 'S1') }),
        record('membership', 'X7', { class_id: ref('class', 'B1'), student_id: ref('student', 'X1') }),
        record('staff', 'X8', {
          username: 'boss',
          real_name: '教务',
          identity: 'admin',
          school_id: ref('school', 'S1'),
        }),
        record('class_staff', 'X9', { class_id: ref('class', 'B1'), staff_id: ref('staff', 'A1'), duty: 'head' }),
        record('course', 'X10', { title: '圈', school_id: ref('school', 'S1'), parent_id: ref('course', 'X10') }),
      ];
      const id = await send(name, records);
      const refused = await rows(id, '&verdict=refused');
      expect(
        refused.map(({ source_id, reasons }: { source_id: string; reasons: string[] }) => [source_id, ...reasons]),
      ).toEqual([
        ['X1', '姓名：姓名不能为空'],
        ['X2', '学校：没有编号为“nowhere”的学校'],
        ['X3', '手机号：请输入11位手机号'],
        ['X4', 'shoe：没有这个字段'],
        ['X5', '同一记录出现了多次：记录 第20行、记录 第21行'],
        ['X5', '同一记录出现了多次：记录 第20行、记录 第21行'],
        ['X6', `学号：${studentMessages.numberTaken}`],
        ['X7', '学员：学员“X1”不能导入'],
        ['X8', '身份：教务不能导入，请在“人员”中添加'],
        ['X9', '职责：班主任须是讲师，助教须是助教'],
        ['X10', '上级：没有编号为“X10”的课程'],
      ]);
      const file = await admin().get(`import/${id}/refused`);
      expect(file.status).toBe(200);
      expect(file.body.split('\r\n')[0]).toBe('"类别","文件","行","编号","名称","内容","原因"');
      expect(file.body).toContain('手机号：请输入11位手机号');
      await mustApply(id);
      await mustUndo(id);
    });
  });

  describe('import of a known school', () => {
    it('changes, ends and restores records as the source says, and undoes all', async () => {
      const name = source();
      const upload = small({ classes: 2, students: 12 });
      const first = await send(name, upload);
      await mustApply(first);
      const [b1, c1, p1001] = [await idOf('class', 'B1'), await idOf('course', 'C1'), await idOf('student', 'P1001')];
      await school().addHomework({ creator: 'teacher', course: c1, classes: [b1] });
      const before = await fingerprints(db());

      const next = withoutReferences(
        withFields(withFields(upload, 'P1002', { nickname: '改名' }), 'B2', { name: '新2班' }),
        'P1001',
      );
      const second = await send(name, next);
      expect(await show(second)).toMatchObject({
        state: 'checked',
        effects: ['1名学员离开导入1班：1个未完成作业'],
      });
      expect(await countsOf(second)).toMatchObject({
        student: [0, 1, 0, 1, 0, 0, 0, 22],
        class: [0, 1, 0, 0, 0, 0, 0, 1],
        membership: [0, 0, 0, 1, 0, 0, 0, 23],
      });
      expect(await rows(second, '&verdict=changed')).toMatchObject([
        { label: '改名', changes: [{ name: '姓名', before: '导入学员1002', after: '改名' }] },
        { label: '新2班', changes: [{ name: '名称', before: '导入2班', after: '新2班' }] },
      ]);
      await mustApply(second);
      expect((await admin().get(`students/${p1001}`)).body.data).toMatchObject({
        is_disabled: 1,
        counts: { classes: 1 },
      });

      const third = await send(name, upload);
      expect(await countsOf(third)).toMatchObject({
        student: [0, 1, 1, 0, 0, 0, 0, 22],
        membership: [0, 0, 1, 0, 0, 0, 0, 23],
      });
      await mustApply(third);
      expect((await admin().get(`students/${p1001}`)).body.data).toMatchObject({ is_disabled: 0 });
      await mustUndo(third);
      await mustUndo(second);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('is held until the typed number confirms many departures, or runs without them', async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      await mustApply(await send(name, upload));
      const less = withoutReferences(upload, 'P1001', 'P1002');
      const id = await send(name, less);
      expect(await show(id)).toMatchObject({
        state: 'held',
        holds: [
          { kind: 'student', reason: 'leaves', number: 2, sentence: '学员：2条将离开，占20%' },
          { kind: 'membership', reason: 'leaves', number: 2 },
        ],
      });
      const refused = await admin().post(`import/${id}/apply`, { confirmed: { 'student.leaves': '2' } });
      expect(outcomeOf(refused)).toEqual([409, '导入已暂停：进班：2条将离开，占20%（确认请输入2）']);
      const without = await admin().post(`import/${id}/apply`, { departures: 0 });
      expect(without.body.data.state).toBe('applied');
      expect((await admin().get(`students/${await idOf('student', 'P1001')}`)).body.data.is_disabled).toBe(0);

      const none = await send(
        name,
        withoutReferences(upload, ...upload.flatMap(({ kind, sourceId }) => (kind === 'student' ? [sourceId] : []))),
      );
      expect((await show(none)).holds).toMatchObject([
        { kind: 'student', reason: 'empty', number: 10, sentence: '学员：原有10条，本次一条也没有' },
        { kind: 'membership', reason: 'empty', number: 10 },
      ]);
      const confirmed = await admin().post(`import/${none}/apply`, {
        confirmed: { 'student.empty': '１０', 'membership.empty': 10 },
      });
      expect(confirmed.body.data.state).toBe('applied');
    });

    it("ends a membership on the source's day, with its reason", async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      await mustApply(await send(name, upload));
      const before = await fingerprints(db());
      const stay = async (student: string) =>
        db()
          .selectFrom('class_student')
          .select(['joined_at', 'left_at', 'left_reason'])
          .where('student_id', '=', await idOf('student', student))
          .executeTakeFirstOrThrow();
      const membershipLeft = (student: string, more: object) =>
        record('membership', `B1-${student}`, {
          class_id: ref('class', 'B1'),
          student_id: ref('student', student),
          ...more,
        });
      const joined = (await stay('P1001')).joined_at;
      const records = [
        membershipLeft('P1001', { left_at: joined, left_reason: '转学' }),
        // The day is in the future, so nothing changes yet.
        membershipLeft('P1002', { left_at: noon + day, left_reason: '休学' }),
      ];
      const id = await send(name, records, 'delta');
      await mustApply(id);
      expect(await stay('P1001')).toMatchObject({ left_at: joined, left_reason: '转学' });
      expect(await stay('P1002')).toMatchObject({ left_at: null });
      const remarks = (await admin().get(`import/${id}/remarks`)).body.data.list;
      expect(remarks).toMatchObject([{ tone: 'doubted', message: '1条的离开日期还没有到，到那天会自动离开' }]);
      await admin().post(`import/${id}/undo`);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('ends a membership on a future day by a job, and undoes that before and after', async () => {
      const name = source();
      const later = noon + 3600;
      const upload = small({ classes: 1, students: 10 });
      await mustApply(await send(name, upload));
      /** Last use of a sign-in depends on the clock. */
      const marks = async () => ({ ...(await fingerprints(db())), sign_in: '' });
      const before = await marks();
      const stay = async (student = 'P1001') =>
        db()
          .selectFrom('class_student')
          .select(['left_at', 'left_reason', 'leaving_at'])
          .where('student_id', '=', await idOf('student', student))
          .executeTakeFirstOrThrow();
      const due = (at: number) => applyPlannedLeaves(db(), { now: at, most: 500 });
      const leaving = (at: number | null) => withFields(upload, 'B1-P1001', { left_at: at, left_reason: '毕业' });

      const id = await send(name, leaving(later));
      expect(await countsOf(id)).toMatchObject({ membership: [0, 1, 0, 0, 0, 0, 0, 9] });
      expect(await rows(id, '&verdict=changed')).toMatchObject([
        {
          changes: [
            { name: '离开日期', before: '' },
            { name: '离开原因', before: '', after: '毕业' },
          ],
        },
      ]);
      await mustApply(id);
      expect(await due(later - 1)).toBe(0);
      expect(await stay()).toEqual({ left_at: null, left_reason: '', leaving_at: later });
      const members = await admin().get(`classes/${await idOf('class', 'B1')}/members?name=1001`);
      expect(members.body.data.list).toMatchObject([{ left_at: null, leaving_at: later }]);
      expect((await show(await send(name, leaving(later)))).totals.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);

      // ---- undone before that day, and imported again
      await mustUndo(id);
      expect(await marks()).toEqual(before);
      const again = await send(name, leaving(later));
      await mustApply(again);

      // ---- the day of leaving
      school().setNow(later);
      expect(await due(later)).toBe(1);
      expect(await due(later)).toBe(0);
      expect(await stay()).toMatchObject({ left_at: later, left_reason: '毕业' });
      const same = await send(name, leaving(later));
      expect((await show(same)).totals.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);

      // ---- the source names the students again, and nobody has edited them by hand
      const back = await send(name, upload);
      expect(await countsOf(back)).toMatchObject({ membership: [0, 0, 1, 0, 0, 0, 0, 9] });
      await mustApply(back);
      expect(await stay()).toMatchObject({ left_at: null, leaving_at: null });
      await mustUndo(back);
      expect(await stay()).toMatchObject({ left_at: later, leaving_at: later });

      await mustUndo(again);
      expect(await marks()).toEqual(before);
    });

    it('keeps a manual withdrawal of the leaving day unless the source is chosen', async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      const leaving = withFields(upload, 'B1-P1001', { left_at: noon + day });
      await mustApply(await send(name, upload));
      await mustApply(await send(name, leaving));
      const [theClass, student] = [await idOf('class', 'B1'), await idOf('student', 'P1001')];
      const away = await admin().post(`classes/${theClass}/members/leave`, { ids: [student], acknowledged: 1 });
      expect(away.status).toBe(200);
      const joined = await admin().post(`classes/${theClass}/members`, { ids: [student], acknowledged: 1 });
      expect(joined.status).toBe(200);
      school().setNow(noon + day);
      expect(await applyPlannedLeaves(db(), { now: noon + day, most: 500 })).toBe(0);
      school().setNow(noon + 60);
      const kept = await send(name, leaving);
      expect(await rows(kept, '&verdict=conflict')).toMatchObject([
        { changes: [{ name: '离开日期', before: '', is_conflict: 1, kept: 1 }] },
      ]);
    });

    it('keeps manual changes unless the source is chosen', async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      await mustApply(await send(name, upload));
      const id = await idOf('student', 'P1001');
      const written = (await admin().get(`students/${id}`)).body.data;
      const edited = await admin().put(`students/${id}`, { ...written, nickname: '手改名', mobile: '13800000000' });
      expect(edited.status).toBe(200);

      const kept = await send(name, withFields(upload, 'P1001', { guardian_mobile: '13700000000' }));
      expect(await rows(kept, '&verdict=conflict')).toMatchObject([
        {
          label: '导入学员1001',
          changes: [
            { name: '家长手机号', before: '', after: '13700000000', is_conflict: 0 },
            { name: '姓名', before: '手改名', after: '导入学员1001', is_conflict: 1, kept: 1 },
            { name: '手机号', before: '13800000000', is_conflict: 1, kept: 1 },
          ],
        },
      ]);
      await mustApply(kept);
      const after = (await admin().get(`students/${id}`)).body.data;
      expect(after).toMatchObject({ nickname: '手改名', mobile: '13800000000', guardian_mobile: '13700000000' });

      const again = await send(name, withFields(upload, 'P1001', { guardian_mobile: '13700000000' }));
      expect((await show(again)).fields).toEqual([
        { field: 'student.nickname', name: '学员的姓名', count: 1, is_taken: 0 },
        { field: 'student.mobile', name: '学员的手机号', count: 1, is_taken: 0 },
      ]);
      const chosen = await admin().post(`import/${again}/choices`, { take: ['student.nickname'] });
      expect(outcomeOf(chosen)).toEqual([200, '已选择']);
      await mustApply(again);
      expect((await admin().get(`students/${id}`)).body.data).toMatchObject({
        nickname: '导入学员1001',
        mobile: '13800000000',
      });
    });

    it('is refused after a record has changed since the check', async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      await mustApply(await send(name, upload));
      const id = await idOf('student', 'P1003');
      const stale = await send(name, withFields(upload, 'P1002', { nickname: '改名' }));
      const written = (await admin().get(`students/${id}`)).body.data;
      await admin().put(`students/${id}`, { ...written, nickname: '中途' });
      const before = await fingerprints(db(), ['external_id', 'history']);
      const answer = await apply(stale);
      expect(outcomeOf(answer)).toEqual([
        409,
        '检查之后有1条记录已变化，请重新检查：学员“导入学员1003”原为不变，现为冲突',
      ]);
      expect(await fingerprints(db(), ['external_id', 'history'])).toEqual(before);
      expect((await admin().post(`import/${stale}/check`)).body.data.state).toBe('checked');
      await mustApply(stale);
    });

    it('keeps later changes on undo', async () => {
      const name = source();
      const upload = small({ classes: 1, students: 10 });
      const first = await send(name, upload);
      await mustApply(first);
      const [id, b1] = [await idOf('student', 'P1001'), await idOf('class', 'B1')];
      const written = (await admin().get(`students/${id}`)).body.data;
      await admin().put(`students/${id}`, { ...written, nickname: '手改名' });
      await mustUndo(first);
      expect(await rows(first, '&stayed=1')).toMatchObject([
        { label: expect.stringContaining('导入校'), stayed: expect.stringContaining('1名学员') },
        { label: '导入学员1001', stayed: '之后又修改了姓名' },
      ]);
      expect((await admin().get(`classes/${b1}`)).status).toBe(404);
      expect((await admin().get(`students/${id}`)).body.data.nickname).toBe('手改名');
      const late = await send(name, withoutReferences(upload, 'P1001'));
      await apply(late);
      await db()
        .updateTable('import')
        .set({ created_at: noon - 31 * day, applied_at: noon - 15 * day })
        .where('id', '=', late)
        .execute();
      expect(outcomeOf(await admin().post(`import/${late}/undo`))).toEqual([
        409,
        '导入的逐行记录已超过保存期限，不能撤销',
      ]);
    });
  });

  it('asks about probable matches', async () => {
    const own = (await db().selectFrom('school').select('org_name').orderBy('id').executeTakeFirstOrThrow()).org_name;
    const name = source();
    const records = [
      record('school', 'S', { name: own }),
      record('staff', 'T', {
        username: 'Teacher',
        real_name: '新名',
        identity: 'teacher',
        school_id: ref('school', 'S'),
      }),
      record('class', 'B', { name: '匹配班', school_id: ref('school', 'S') }),
      record('class_staff', 'BT', { class_id: ref('class', 'B'), staff_id: ref('staff', 'T') }),
    ];
    const id = await send(name, records, 'delta');
    expect(await countsOf(id)).toEqual({
      school: [0, 0, 0, 0, 0, 0, 0, 1],
      staff: [0, 0, 0, 0, 0, 1, 0, 0],
      class: [1, 0, 0, 0, 0, 0, 0, 0],
      class_staff: [0, 0, 0, 0, 0, 0, 1, 0],
    });
    const [row] = await rows(id, '&verdict=match');
    expect(row).toMatchObject({ label: '新名', meant: expect.stringMatching(/，用户名teacher$/) });
    const chosen = await admin().post(`import/${id}/rows/${row.id}/choice`, { match: 'same' });
    expect(outcomeOf(chosen)).toEqual([200, '已选择']);
    expect(await countsOf(id)).toMatchObject({
      staff: [0, 1, 0, 0, 0, 0, 0, 0],
      class_staff: [1, 0, 0, 0, 0, 0, 0, 0],
    });
    await mustApply(id);
    expect((await admin().get(`staff/${school().people.teacher.id}`)).body.data.real_name).toBe('新名');
    await mustUndo(id);
  });

  it('shows number and mobile of the student who probably matches', async () => {
    const first = db().selectFrom('school').select(['id', 'org_name']).orderBy('id');
    const { id: school_id, org_name: own } = await first.executeTakeFirstOrThrow();
    const student = { nickname: '重名生', number: 'CM1', mobile: '13866660001', school_id };
    expect((await admin().post('students', student)).status).toBe(200);
    const records = [
      record('school', 'S', { name: own }),
      record('student', 'N', { nickname: '重名生', school_id: ref('school', 'S') }),
    ];
    const id = await send(source(), records, 'delta');
    const [row] = await rows(id, '&kind=student');
    expect([row.verdict, row.meant]).toEqual(['match', '重名生，学号CM1，手机尾号0001']);
  });

  it('is refused after it is discarded', async () => {
    const id = await send(source(), small());
    expect(outcomeOf(await admin().post(`import/${id}/discard`))).toEqual([200, '已放弃']);
    expect(outcomeOf(await admin().post(`import/${id}/check`))).toEqual([409, '该导入已放弃，不能再检查']);
    expect(outcomeOf(await apply(id))).toEqual([409, '该导入已放弃，不能再导入']);
    expect(outcomeOf(await admin().post(`import/${id}/undo`))).toEqual([409, '该导入还没有导入，无须撤销']);
    expect(outcomeOf(await admin().post(`import/${id}/cancel`))).toEqual([409, '没有正在进行的操作']);
    expect((await admin().get('import/999999')).status).toBe(404);
    expect((await admin().get('import?state=discarded')).body.data.list[0]).toMatchObject({ id, state: 'discarded' });
  });
});
