/** Several schools on one server, and administrators with partial permissions. */
import { describe, expect, it } from 'vitest';
import { addAdmin, addBoundAdmin } from '../support/bound-admin.ts';
import { importCalls, outcomeOf } from '../support/import-calls.ts';
import { csv } from '../support/import-files.ts';
import { record, ref } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const all = { can_people: 1, can_teaching: 1, can_exams: 1, can_settings: 1, can_audit: 1 } as const;

onBothEngines('imports of several schools', (opened) => {
  const school = () => opened();
  const { admin, send, sendFile, mustApply, rows, countsOf, mustUndo, idOf, show } = importCalls(school);
  const outcome = async (id: number) => {
    const [row] = await rows(id);
    return row;
  };

  describe('source names', () => {
    it('are separate for administrators of some schools: neither ids nor mappings are shared', async () => {
      const bound = await addBoundAdmin(school(), all);
      const { org_name } = await school()
        .database.db.selectFrom('school')
        .select('org_name')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      const list = csv([
        ['内码', '谁', '甲号', '乙号', '哪里'],
        ['P1', '共名一', '13822220001', '13822220002', org_name],
      ]);
      const first = await sendFile('共名', '名单.csv', list);
      const columns = ['编号', '姓名', '手机号', '家长手机号', '学校'];
      const own = first.body.data.id as number;
      await admin().post(`import/${own}/mapping`, { kind: 'student', mode: 'delta', columns });
      await mustApply(own);
      // Same id and name from another person.
      const theirs = await bound.ask('POST', 'import', {
        source: '共名',
        mode: 'delta',
        kinds: [],
        records: [record('student', 'P1', { nickname: '别人的', mobile: '13822220009' })],
      });
      expect(theirs.status).toBe(200);
      const { list: theirRows } = (await bound.ask('GET', `import/${theirs.body.data.id}/rows`)).body.data;
      expect(theirRows.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['new']);
      expect((await bound.ask('POST', `import/${theirs.body.data.id}/apply`, { confirmed: {} })).status).toBe(200);
      // Sending the first file again changes nothing.
      const again = await sendFile('共名', '名单.csv', list);
      expect(await countsOf(again.body.data.id)).toEqual({ student: [0, 0, 0, 0, 0, 0, 0, 1] });
      expect((await bound.ask('POST', `import/${theirs.body.data.id}/undo`)).status).toBe(200);
      const after = await sendFile('共名', '名单.csv', list);
      expect(await countsOf(after.body.data.id)).toEqual({ student: [0, 0, 0, 0, 0, 0, 0, 1] });
    });
  });

  describe('import permissions', () => {
    const none = { can_people: 0, can_teaching: 0, can_exams: 0, can_settings: 0, can_audit: 0 } as const;
    const refused = '您没有管理这类记录的权限';

    it('follow the manual calls; timetable and rollover need the teaching permission', async () => {
      const { db } = school().database;
      const { id: school_id } = await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
      const one = await addAdmin(school(), { school_id, ...none });
      const hold = (held: object) =>
        db
          .updateTable('staff')
          .set({ every_school: 1, ...none, ...held })
          .where('id', '=', one.id)
          .execute();
      const reasonsOf = async (held: object, record: object) => {
        await hold(held);
        const upload = { source: `权限${JSON.stringify(held)}`, mode: 'delta', kinds: [], records: [record] };
        const { status, body } = await one.ask('POST', 'import', upload);
        if (status !== 200) return [status];
        const { list } = (await one.ask('GET', `import/${body.data.id}/rows`)).body.data;
        return list.flatMap(({ reasons }: { reasons: string[] }) => reasons.slice(0, 1));
      };
      const [made, pupil, grade] = [
        record('school', 'Q1', { name: '权限学校' }),
        record('student', 'Q1', { nickname: '权限学员' }),
        record('grade', 'Q1', { name: '权限年级' }),
      ];
      expect(await reasonsOf({ can_people: 1 }, made)).toEqual([refused]);
      expect(await reasonsOf({ can_settings: 1 }, made)).toEqual([]);
      expect(await reasonsOf({ can_teaching: 1 }, pupil)).toEqual([refused]);
      expect(await reasonsOf({ can_teaching: 1, can_audit: 1 }, grade)).toEqual([]);
      expect(await reasonsOf({ can_exams: 1 }, grade)).toEqual([refused]);
      expect(await reasonsOf({ can_audit: 1 }, grade)).toEqual([403]);
      for (const path of ['import/timetable', 'import/roll-over']) {
        await hold({ can_teaching: 1 });
        expect((await one.ask('GET', path)).status).toBe(200);
        await hold({ can_people: 1 });
        expect((await one.ask('GET', path)).status).toBe(403);
      }
    });
  });

  describe('shared records', () => {
    it('are changed by name only after confirmation', async () => {
      const made = await send('甲源', [
        record('school', 'SH', { name: '共用校' }),
        record('room', 'R', { name: '共用教室', school_id: ref('school', 'SH'), seats: 30 }),
        record('term', 'T', { name: '共用学期', type: 'term', first_day: '2026-09-01', last_day: '2027-01-20' }),
      ]);
      await mustApply(made);
      const other = await send(
        '乙源',
        [
          record('school', 'S2', { name: '共用校' }),
          record('room', 'R2', { name: '共用教室', school_id: ref('school', 'S2'), seats: 99 }),
          record('term', 'T2', { name: '共用学期', type: 'term', first_day: '2026-08-01', last_day: '2027-01-20' }),
        ],
        'delta',
      );
      const verdicts = (await rows(other)).map(({ kind, verdict }: { kind: string; verdict: string }) => [
        kind,
        verdict,
      ]);
      expect(Object.fromEntries(verdicts)).toEqual({ school: 'unchanged', room: 'match', term: 'match' });
      await admin().post(`import/${other}/choices`, { match: 'same' });
      const chosen = (await rows(other)).map(({ kind, verdict }: { kind: string; verdict: string }) => [kind, verdict]);
      expect(Object.fromEntries(chosen)).toMatchObject({ room: 'changed', term: 'changed' });
    });
  });

  describe('name matching', () => {
    it('ignores bracket styles of class names, and asks about similar ones', async () => {
      const made = await send('班级源', [
        record('school', 'SH', { name: '近名校' }),
        record('class', 'K', { name: '高一（1）班', school_id: ref('school', 'SH') }),
      ]);
      await mustApply(made);
      const member = async (name: string, number: string) => {
        const list = csv([
          ['姓名', '学号', '学校', '班级'],
          [`近名${number}`, number, '近名校', name],
        ]);
        return (await sendFile('名单源', '名单.csv', list)).body.data.id as number;
      };
      const verdictOf = async (id: number) =>
        (await rows(id, '&kind=membership')).map(({ verdict, meant }: { verdict: string; meant: string }) => [
          verdict,
          meant,
        ]);
      expect(await verdictOf(await member('高一(1)班', 'N1'))).toEqual([['new', '']]);
      expect(await verdictOf(await member('高一1班', 'N2'))).toEqual([['new', '']]);
      const near = await member('高中一（1）班', 'N3');
      expect(await verdictOf(near)).toEqual([['match', '没有班级“高中一（1）班”，相近的是“高一（1）班”']]);
      await admin().post(`import/${near}/choices`, { match: 'same' });
      expect(await verdictOf(near)).toEqual([['new', '']]);
      await admin().post(`import/${near}/choices`, { match: 'new' });
      expect(await verdictOf(near)).toEqual([['refused', '']]);
    });

    it('adds a class whose name is only similar to another, chosen for this name alone', async () => {
      const made = await send('近名源', [
        record('school', 'SH', { name: '单选校' }),
        record('class', 'K1', { name: '高三（1）班', school_id: ref('school', 'SH') }),
        record('class', 'K2', { name: '高三（3）班', school_id: ref('school', 'SH') }),
      ]);
      await mustApply(made);
      const list = csv([
        ['姓名', '学号', '学校', '班级'],
        ['近生一', 'J1', '单选校', '高中三（1）班'],
        ['近生二', 'J2', '单选校', '高中三（3）班'],
        ['近生三', 'J3', '单选校', '高三（7）班'],
      ]);
      const { id } = (await sendFile('近名名单', '名单.csv', list)).body.data;
      const mapping = async () => (await admin().get(`import/${id}/mapping`)).body.data;
      const shown = await mapping();
      expect(shown.near_classes).toEqual([
        { name: '高中三（1）班', like: '高三（1）班', choice: '' },
        { name: '高中三（3）班', like: '高三（3）班', choice: '' },
      ]);
      const columns = shown.columns.map(({ field }: { field: string }) => field);
      const choose = (choices: object[]) =>
        admin().post(`import/${id}/mapping`, { kind: 'student', columns, near_classes: choices });
      const chosen = await choose([
        { name: '高中三（1）班', choice: 'new' },
        { name: '高中三（3）班', choice: 'same' },
        { name: '高三（7）班', choice: 'new' },
      ]);
      expect(outcomeOf(chosen)).toEqual([200, '已检查']);
      expect((await mapping()).near_classes.map(({ choice }: { choice: string }) => choice)).toEqual(['new', 'same']);
      expect((await rows(id, '&kind=class')).map(({ label }: { label: string }) => label)).toEqual(['高中三（1）班']);
      const verdicts = async () =>
        (await rows(id, '&kind=membership')).map(({ verdict }: { verdict: string }) => verdict);
      // A class without a similar one is added only if all missing classes are.
      expect(await verdicts()).toEqual(['new', 'new', 'refused']);
      await choose([{ name: '高中三（1）班', choice: 'new' }, { name: '高中三（3）班' }]);
      expect(await verdicts()).toEqual(['new', 'match', 'refused']);
      await choose([
        { name: '高中三（1）班', choice: 'new' },
        { name: '高中三（3）班', choice: 'same' },
      ]);
      await mustApply(id);
      const members = await opened()
        .database.db.selectFrom('class_student')
        .innerJoin('student', 'student.id', 'class_student.student_id')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .select(['student.number', 'class.name'])
        .where('student.number', 'in', ['J1', 'J2', 'J3'])
        .orderBy('student.number')
        .execute();
      expect(members).toEqual([
        { number: 'J1', name: '高中三（1）班' },
        { number: 'J2', name: '高三（3）班' },
      ]);
      // The next list of this source is read the same way, and adds the class once.
      const next = csv([
        ['姓名', '学号', '学校', '班级'],
        ['近生四', 'J4', '单选校', '高中三（3）班'],
        ['近生五', 'J5', '单选校', '高中三（1）班'],
      ]);
      const again = (await sendFile('近名名单', '名单.csv', next)).body.data.id;
      expect((await rows(again, '&kind=class')).length).toBe(0);
      expect((await rows(again, '&kind=membership')).map(({ verdict }: { verdict: string }) => verdict)).toEqual([
        'new',
        'new',
      ]);
    });

    it('treats a class with another number as a different class', async () => {
      const made = await send('班号源', [
        record('school', 'SH', { name: '班号校' }),
        record('class', 'K1', { name: '初二（1）班', school_id: ref('school', 'SH') }),
        record('class', 'K2', { name: '初三（2）班', school_id: ref('school', 'SH') }),
        record('class', 'K3', { name: '初三(2)班', school_id: ref('school', 'SH') }),
      ]);
      await mustApply(made);
      const reasonsOf = async (name: string) => {
        const list = csv([
          ['姓名', '学号', '学校', '班级'],
          ['班号生', `H${name}`, '班号校', name],
        ]);
        const { id } = (await sendFile('班号名单', '名单.csv', list)).body.data;
        const [one] = await rows(id, '&kind=membership');
        return [one.verdict, ...one.reasons];
      };
      expect(await reasonsOf('初二（１）班')).toEqual(['new']);
      expect(await reasonsOf('初二(一)班')).toEqual(['match']);
      expect(await reasonsOf('初一（1）班')).toEqual(['refused', '班级：没有找到班级“初一（1）班”']);
      expect(await reasonsOf('初二（11）班')).toEqual(['refused', '班级：没有找到班级“初二（11）班”']);
      expect(await reasonsOf('初三(2)班 ')).toEqual(['refused', '班级：有多个班级叫“初三(2)班”，分不清是哪一个']);
      // The ended class does not match.
      const ended = { valid_type: 2, valid_time: noon - day } as const;
      const { db } = school().database;
      const over = await idOf('class', 'K3');
      await db.updateTable('class').set(ended).where('id', '=', over).execute();
      expect(await reasonsOf('初三（2）班')).toEqual(['new']);
    });

    it('doubts people with the same mobile or name in one file, and names the other one', async () => {
      const names = await school().database.db.selectFrom('school').select('org_name').orderBy('id').execute();
      const own = names[0]?.org_name ?? '';
      const list = csv([
        ['姓名', '学号', '手机号', '家长手机号', '学校'],
        ['许同机', 'T1', '13855550001', '父138', own],
        ['冯同机', 'T2', '13855550001', '', own],
        ['王同名', 'T3', '', '', own],
        ['王同名', '', '13855550003', '', own],
        ['王同名', 'T5', '', '', own],
      ]);
      const { id } = (await sendFile('同机源', '名单.csv', list)).body.data;
      const told = (await rows(id, '&kind=student&doubted=1')).map(
        ({ label, doubts, effect }: { label: string; doubts: string[]; effect: string }) => [label, ...doubts, effect],
      );
      expect(told).toEqual([
        ['许同机', '家长手机号：“父138”不是11位手机号；这一格没有读取，请核对', ''],
        ['冯同机', '与本次导入的许同机（学号T1）手机号相同，请核对'],
        ['王同名', '与本次导入的王同名（手机尾号0003）同名，请核对'],
        ['王同名', '与本次导入的王同名（手机尾号0003）同名，请核对'],
      ]);
      expect(await show(id)).toMatchObject({
        to_check: 4,
        follow_ups: ['导入不发送短信', expect.stringMatching(/^新增的5名学员/)],
      });
      expect(await rows(id, '&doubted=1')).toHaveLength(4);
      await mustApply(id);
      expect((await show(id)).totals[0]).toBe(5);

      const staff = csv([
        ['身份', '用户名', '姓名', '手机号', '学校'],
        ['讲师', 'tong.1', '李同', '13855550011', own],
        ['讲师', 'tong.2', '李同', '', own],
        ['助教', 'tong.3', '赵同', '13855550011', own],
      ]);
      const second = (await sendFile('同机源二', '人员.csv', staff)).body.data.id;
      expect((await rows(second)).map(({ effect }: { effect: string }) => effect)).toEqual([
        '',
        '与本次导入的李同（用户名 tong.1）同名，请核对',
        '与本次导入的李同（用户名 tong.1）手机号相同，请核对',
      ]);
      expect((await show(second)).follow_ups).toContain('新增的3名人员还没有密码，导入后请在“人员”中打印初始密码');
    });

    it("warns about a student's mobile number that others have", async () => {
      const made = await send('同名源', [
        record('school', 'SH', { name: '同名校' }),
        record('student', '1', {
          nickname: '王同名',
          number: 'A1',
          mobile: '13833330001',
          school_id: ref('school', 'SH'),
        }),
      ]);
      await mustApply(made);
      const second = await send(
        '同名源',
        [
          record('student', '2', {
            nickname: '王同名',
            number: 'A2',
            mobile: '13833330002',
            school_id: { kind: 'school', sourceId: 'SH' } as never,
          }),
          record('student', '3', {
            nickname: '李不同',
            number: 'A3',
            mobile: '13833330001',
            school_id: { kind: 'school', sourceId: 'SH' } as never,
          }),
          record('student', '4', {
            nickname: '赵小写',
            number: 'a1',
            school_id: { kind: 'school', sourceId: 'SH' } as never,
          }),
        ],
        'delta',
      );
      expect((await rows(second)).map(({ effect }: { effect: string }) => effect)).toEqual([
        '已有同名的学员：王同名（学号A1，手机尾号0001），请核对',
        '已有手机号相同的学员：王同名（学号A1），请核对',
        '与学号“A1”只有大小写不同，请核对',
      ]);
    });
  });

  describe('undo of an import', () => {
    it('announces what cannot be undone and why, and keeps people re-enabled by hand', async () => {
      const made = await send('撤销源', [
        record('school', 'SH', { name: '撤销校' }),
        record('student', '1', { nickname: '撤一', school_id: ref('school', 'SH') }),
        record('student', '2', { nickname: '撤二', school_id: ref('school', 'SH') }),
      ]);
      await mustApply(made);
      const one = await idOf('student', '1');
      school().setNow(noon + 60);
      for (const act of ['disable', 'enable']) {
        expect((await admin().post(`students/${one}/${act}`, {})).status).toBe(200);
      }
      const tried = await admin().get(`import/${made}/undo`);
      expect(tried.body.data).toEqual({
        is_tried: 1,
        goes: [{ kind_name: '学员', count: 1, labels: ['撤二'] }],
        stays: expect.arrayContaining([{ why: '之后停用或恢复过', kind_name: '学员', count: 1, labels: ['撤一'] }]),
      });
      expect((await show(made)).state).toBe('applied');
      expect(await mustUndo(made)).toBe(2);
      const left = await school().database.db.selectFrom('student').select('id').where('id', '=', one).execute();
      expect(left).toHaveLength(1);
    });

    it('is refused after its rows are deleted', async () => {
      const made = await send('旧源', [record('grade', 'G', { name: '旧年级' })]);
      await mustApply(made);
      const { db } = school().database;
      await db
        .updateTable('import')
        .set({ applied_at: noon - 15 * day })
        .where('id', '=', made)
        .execute();
      await db.deleteFrom('import_row').where('import_id', '=', made).execute();
      expect(outcomeOf(await admin().post(`import/${made}/undo`))).toEqual([
        409,
        '导入的逐行记录已超过保存期限，不能撤销',
      ]);
      expect((await show(made)).undo_fault).toBe('导入的逐行记录已超过保存期限，不能撤销');
      expect(await outcome(made)).toBeUndefined();
    });
  });
});
