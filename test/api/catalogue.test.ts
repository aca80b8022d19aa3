import { describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

onBothEngines('catalogue', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  let count = 0;

  /** Creates an administrator of another school, with all permissions. */
  const elsewhere = async () => {
    count += 1;
    const made = await db()
      .insertInto('school')
      .values({ org_name: `分校${count}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db()
      .insertInto('staff')
      .values({
        identity: 'admin',
        username: `bound${count}`,
        password_hash: 'none',
        real_name: '那边',
        school_id: made.id,
        disabled_at: null,
        created_at: noon,
        can_teaching: 1,
        can_settings: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db().insertInto('staff_school').values({ staff_id: id, school_id: made.id }).execute();
    const token = await issueToken(db(), id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    return { id: made.id, staff: id, ask };
  };
  const own = async () => (await db().selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow()).id;
  const historyOf = async (record: string, id: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', record)
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map((row) => [row.action, JSON.parse(row.before ?? 'null'), JSON.parse(row.after ?? 'null')]);
  };
  const addEntry = async (kind: string, body: object) => {
    const answer = await admin().post(`catalogue/${kind}`, body);
    expect(outcomeOf(answer)).toEqual([200, '添加成功']);
    return answer.body.data.id as number;
  };
  const namesOf = async (kind: string, query = 'all=1&limit=500') =>
    (await admin().get(`catalogue/${kind}?${query}`)).body.data.list.map(
      ({ name, depth }: { name: string; depth: number }) => '-'.repeat(depth) + name,
    );
  const show = async (kind: string, id: number) => (await admin().get(`catalogue/${kind}/${id}`)).body.data;
  const editableFields = async (kind: string, id: number) => {
    const { name, parent_id, school_id, seats, after_id, seen } = await show(kind, id);
    return { name, parent_id, school_id, seats, after_id, seen };
  };

  describe('catalogue entry', () => {
    it.each(['grades', 'categories', 'subjects', 'ware-categories', 'exam-categories'])(
      'of %s is added, renamed, sorted, archived and deleted',
      async (kind) => {
        const before = await namesOf(kind);
        const [first, second] = [
          await addEntry(kind, { name: '头一个' }),
          await addEntry(kind, { name: '  次  一个 ' }),
        ];
        expect(await namesOf(kind)).toEqual([...before, '头一个', '次 一个']);
        expect(
          outcomeOf(
            await admin().put(`catalogue/${kind}/${second}`, { ...(await editableFields(kind, second)), name: '次' }),
          ),
        ).toEqual([200, '保存成功']);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${second}/move`, { direction: 'up' }))).toEqual([
          200,
          '顺序已调整',
        ]);
        expect(await namesOf(kind)).toEqual([...before, '次', '头一个']);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${first}/move`, { direction: 'down' }))).toEqual([
          409,
          '已是最后一个',
        ]);
        const foremost = { ...(await editableFields(kind, first)), after_id: 0 };
        await admin().put(`catalogue/${kind}/${first}`, foremost);
        expect(await namesOf(kind)).toEqual(['头一个', ...before, '次']);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${first}/move`, { direction: 'up' }))).toEqual([
          409,
          '已是第一个',
        ]);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${second}/put-away`))).toEqual([200, '已停用']);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${second}/put-away`))).toEqual([409, '已停用']);
        expect(await namesOf(kind, 'limit=500')).toEqual(['头一个', ...before]);
        expect(errorsOf(await admin().post(`catalogue/${kind}`, { name: ' 次' }))[1].name?.[0]).toMatch(
          /^已有.+“次”（已停用，可以恢复）$/,
        );
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${second}/restore`))).toEqual([200, '已恢复']);
        expect(outcomeOf(await admin().post(`catalogue/${kind}/${second}/restore`))).toEqual([409, '未停用']);
        for (const id of [first, second])
          expect(outcomeOf(await admin().delete(`catalogue/${kind}/${id}`))).toEqual([200, '删除成功']);
        expect(await namesOf(kind)).toEqual(before);
        expect((await admin().get(`catalogue/${kind}/${first}`)).status).toBe(404);
        const record = {
          grades: 'grade',
          categories: 'classify',
          subjects: 'subject',
          'ware-categories': 'ware_classify',
        }[kind];
        const history = await historyOf(record ?? 'exam_category', second);
        expect(history.map(([action]) => action)).toEqual(['add', 'edit', 'move', 'put-away', 'restore', 'delete']);
        expect(history[1]).toEqual(['edit', { name: '次 一个' }, { name: '次' }]);
        // Ids are never reused.
        const next = await addEntry(kind, { name: '再一个' });
        expect(next).toBeGreaterThan(second);
        await admin().delete(`catalogue/${kind}/${next}`);
      },
    );

    it('of terms has a type, days and a parent, and is merged with its classes', async () => {
      const year = await addEntry('terms', {
        name: '2026学年',
        type: 'schoolYear',
        first_day: '2026-09-01',
        last_day: '2027-07-15',
      });
      const term = { name: '上学期', type: 'term', parent_id: year, first_day: '2026-09-01', last_day: '2027-01-20' };
      const autumn = await addEntry('terms', term);
      const same = await addEntry('terms', { ...term, name: '第一学期' });
      expect(await namesOf('terms')).toEqual(['2026学年', '-上学期', '-第一学期']);
      expect(errorsOf(await admin().post('catalogue/terms', { name: '下学期', type: '', first_day: '九月' }))).toEqual([
        422,
        { type: ['请选择学年或学期'], first_day: ['日期请写成 2026-09-01 的形式'] },
      ]);
      const turned = { name: '下学期', type: 'term', first_day: '2027-03-01', last_day: '2027-02-01' };
      expect(errorsOf(await admin().post('catalogue/terms', turned))).toEqual([
        422,
        { last_day: ['结束日期不能早于开始日期'] },
      ]);
      const { type, first_day, last_day, parent_name } = await show('terms', autumn);
      expect([type, first_day, last_day, parent_name]).toEqual(['term', '2026-09-01', '2027-01-20', '2026学年']);
      const edited = { ...(await editableFields('terms', autumn)), type, first_day, last_day: '2027-01-22' };
      expect(outcomeOf(await admin().put(`catalogue/terms/${autumn}`, edited))).toEqual([200, '保存成功']);
      expect((await historyOf('term', autumn)).at(-1)).toEqual([
        'edit',
        { last_day: '2027-01-20' },
        { last_day: '2027-01-22' },
      ]);
      const { k1 } = school().classes;
      for (const term_id of [autumn, same])
        await db().insertInto('class_term').values({ class_id: k1, term_id }).execute();
      expect(outcomeOf(await admin().delete(`catalogue/terms/${same}`))).toEqual([
        409,
        '正在使用，不能删除：1个班级。可以停用，停用后不再提供选择',
      ]);
      const merge = { into_id: autumn, acknowledged: '“第一学期”的1个班级将改用“上学期”，“第一学期”不再存在' };
      expect(outcomeOf(await admin().post(`catalogue/terms/${same}/merge`, merge))).toEqual([200, '合并成功']);
      expect(await db().selectFrom('class_term').selectAll().execute()).toEqual([{ class_id: k1, term_id: autumn }]);
      await db().deleteFrom('class_term').execute();
      for (const id of [autumn, year])
        expect(outcomeOf(await admin().delete(`catalogue/terms/${id}`))).toEqual([200, '删除成功']);
    });

    it('requires a unique name within the length limit', async () => {
      expect(errorsOf(await admin().post('catalogue/grades', {}))).toEqual([422, { name: ['名称不能为空'] }]);
      expect(errorsOf(await admin().post('catalogue/grades', { name: '长'.repeat(250) }))).toEqual([
        422,
        { name: ['名称不能超过50个字'] },
      ]);
      expect(errorsOf(await admin().post('catalogue/grades', { name: 'GRADE甲 ' }))).toEqual([
        422,
        { name: ['已有年级“grade甲”'] },
      ]);
      expect((await admin().get('catalogue/nothing')).status).toBe(404);
      expect(outcomeOf(await admin().get('catalogue/grades/99999'))).toEqual([404, '该年级不存在']);
      const id = await addEntry('grades', { name: '一年级' });
      const sent = { ...(await editableFields('grades', id)), name: 'grade甲' };
      expect(errorsOf(await admin().put(`catalogue/grades/${id}`, sent))).toEqual([
        422,
        { name: ['已有年级“grade甲”'] },
      ]);
      expect(
        errorsOf(await admin().put(`catalogue/grades/${id}`, { ...sent, name: '一年', after_id: 99_999 })),
      ).toEqual([422, { after_id: ['所排位置之前的一项已不在同一级，请重新选择'] }]);
      await admin().delete(`catalogue/grades/${id}`);
    });

    it('in use names its uses and cannot be deleted', async () => {
      const grade = await addEntry('grades', { name: '在用的' });
      const { k1, k2 } = school().classes;
      await db().updateTable('class').set({ grade_id: grade }).where('id', 'in', [k1, k2]).execute();
      await db().updateTable('course').set({ grade_id: grade }).where('id', '=', school().courses.shared).execute();
      expect((await show('grades', grade)).uses).toBe('2个班级、1门课程');
      expect(outcomeOf(await admin().delete(`catalogue/grades/${grade}`))).toEqual([
        409,
        '正在使用，不能删除：2个班级、1门课程。可以停用，停用后不再提供选择',
      ]);
      const options = async () =>
        (await school().as('teacher').get('commonFilter/grade')).body.data.map(({ id }: { id: number }) => id);
      expect(await options()).toContain(grade);
      await admin().post(`catalogue/grades/${grade}/put-away`);
      expect(await options()).not.toContain(grade);
      // Records keep an archived entry.
      const { body } = await school().as('teacher').get('stateschoolclass?limit=50');
      expect(JSON.stringify(body.data)).toContain('在用的');
      await db().updateTable('class').set({ grade_id: null }).where('grade_id', '=', grade).execute();
      await db().updateTable('course').set({ grade_id: null }).where('grade_id', '=', grade).execute();
      await admin().delete(`catalogue/grades/${grade}`);
    });

    it('moves below another entry with its children, never below itself', async () => {
      const upper = await addEntry('exam-categories', { name: '上' });
      const middle = await addEntry('exam-categories', { name: '中', parent_id: upper });
      const lower = await addEntry('exam-categories', { name: '下', parent_id: middle });
      // A name must be unique within its level only.
      const same = await addEntry('exam-categories', { name: '中' });
      expect(await namesOf('exam-categories')).toEqual(['上', '-中', '--下', '中']);
      const sent = await editableFields('exam-categories', upper);
      expect(errorsOf(await admin().put(`catalogue/exam-categories/${upper}`, { ...sent, parent_id: lower }))).toEqual([
        422,
        { parent_id: ['不能移到自己或自己的下级之下'] },
      ]);
      expect(errorsOf(await admin().put(`catalogue/exam-categories/${upper}`, { ...sent, parent_id: 99_999 }))).toEqual(
        [422, { parent_id: ['该上级不存在'] }],
      );
      const taken = { ...(await editableFields('exam-categories', same)), parent_id: upper };
      expect(errorsOf(await admin().put(`catalogue/exam-categories/${same}`, taken))).toEqual([
        422,
        { name: ['已有考试分类“中”'] },
      ]);
      expect(outcomeOf(await admin().delete(`catalogue/exam-categories/${middle}`))[1]).toContain('不能删除：1个下级');
      await admin().put(`catalogue/exam-categories/${middle}`, {
        ...(await editableFields('exam-categories', middle)),
        parent_id: null,
        name: '中间',
      });
      expect(await namesOf('exam-categories')).toEqual(['上', '中', '中间', '-下']);
      // Archiving includes the children, and hides them from lecturers too.
      await admin().post(`catalogue/exam-categories/${middle}/put-away`);
      expect(await namesOf('exam-categories', '')).toEqual(['上', '中']);
      const { body } = await school().as('teacher').get('teacher/testClassify');
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['上', '中']);
      for (const id of [lower, middle, same, upper]) await admin().delete(`catalogue/exam-categories/${id}`);
    });

    it('merges into another entry once the consequences are confirmed', async () => {
      const [one, other] = [
        await addEntry('categories', { name: '同步课' }),
        await addEntry('categories', { name: '同步班' }),
      ];
      const below = await addEntry('categories', { name: '同步拔高', parent_id: one });
      const { k1 } = school().classes;
      await db().updateTable('class').set({ classify_id: one }).where('id', '=', k1).execute();
      await db().updateTable('course').set({ classify_id: one }).where('id', '=', school().courses.shared).execute();
      const merge = (body: object, id = one) => admin().post(`catalogue/categories/${id}/merge`, body);
      expect(errorsOf(await merge({}))).toEqual([422, { into_id: ['请选择要合并到的一项'] }]);
      expect(errorsOf(await merge({ into_id: below }))).toEqual([422, { into_id: ['不能合并到自己或自己的下级'] }]);
      const effect = '“同步课”的1个下级、1个班级、1门课程将改用“同步班”，“同步课”不再存在';
      expect(outcomeOf(await merge({ into_id: other }))).toEqual([409, `${effect}。确认无误请再次提交。`]);
      const twice = await addEntry('categories', { name: '同步 拔高', parent_id: other });
      expect(outcomeOf(await merge({ into_id: other, acknowledged: effect }))).toEqual([
        409,
        '两者之下都有“同步拔高”，请先合并它们',
      ]);
      await admin().delete(`catalogue/categories/${twice}`);
      expect(outcomeOf(await merge({ into_id: other, acknowledged: effect }))).toEqual([200, '合并成功']);
      expect(await show('categories', other)).toMatchObject({ uses: '1个下级、1个班级、1门课程' });
      expect(await show('categories', below)).toMatchObject({ parent_id: other });
      expect((await admin().get(`catalogue/categories/${one}`)).status).toBe(404);
      expect((await historyOf('classify', one)).at(-1)).toEqual([
        'merge',
        { name: '同步课' },
        { merged_into: '同步班', records: '1个下级、1个班级、1门课程' },
      ]);
      expect((await historyOf('classify', other)).at(-1)).toMatchObject(['merge', null, { merged: '同步课' }]);
      await admin().post(`catalogue/categories/${other}/put-away`);
      const last = await addEntry('categories', { name: '另一个' });
      expect(outcomeOf(await merge({ into_id: other }, last))).toEqual([409, '要合并到的一项已停用，请先恢复']);
    });

    it.each(['grades', 'subjects', 'ware-categories', 'exam-categories'])('of %s merges into another', async (kind) => {
      const [one, other] = [await addEntry(kind, { name: '其一' }), await addEntry(kind, { name: '其二' })];
      const acknowledged = '“其一”将不再存在';
      const merged = await admin().post(`catalogue/${kind}/${one}/merge`, { into_id: other, acknowledged });
      expect(outcomeOf(merged)).toEqual([200, '合并成功']);
      expect((await admin().get(`catalogue/${kind}/${one}`)).status).toBe(404);
    });

    it('merges two simultaneous edits, and reports conflicts with both values', async () => {
      const id = await addEntry('subjects', { name: '品德' });
      const [one, other] = [await editableFields('subjects', id), await editableFields('subjects', id)];
      await admin().put(`catalogue/subjects/${id}`, { ...one, name: '道德与法治' });
      const told = await admin().put(`catalogue/subjects/${id}`, { ...other, name: '政治' });
      expect(outcomeOf(told)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：名称现在是“道德与法治”，您填写的是“政治”。再次保存将以您填写的为准。',
      ]);
      const moved = await admin().put(`catalogue/subjects/${id}`, { ...other, after_id: 0 });
      expect([moved.status, (await show('subjects', id)).name]).toEqual([200, '道德与法治']);
      const { seen } = told.body.data;
      expect((await admin().put(`catalogue/subjects/${id}`, { ...other, name: '政治', seen })).status).toBe(200);
      const length = (await historyOf('subject', id)).length;
      await admin().put(`catalogue/subjects/${id}`, await editableFields('subjects', id));
      expect((await historyOf('subject', id)).length).toBe(length);
      await admin().delete(`catalogue/subjects/${id}`);
    });
  });

  describe('room', () => {
    it('belongs to a school and has seats', async () => {
      const school_id = await own();
      const id = await addEntry('rooms', { name: '阶梯教室', school_id, seats: '120' });
      expect(await show('rooms', id)).toMatchObject({ name: '阶梯教室', seats: 120, school_name: '总校', uses: '' });
      expect(errorsOf(await admin().post('catalogue/rooms', { name: '无校' }))).toEqual([
        422,
        { school_id: ['请选择学校'] },
      ]);
      expect(errorsOf(await admin().post('catalogue/rooms', { name: '大', school_id, seats: '许多' }))).toEqual([
        422,
        { seats: ['座位数为0到9999的整数'] },
      ]);
      const there = await elsewhere();
      // The same name is free in another school.
      const other = await addEntry('rooms', { name: '阶梯教室', school_id: there.id });
      const lesson = await insertSession(school(), { room_id: id, end_time: noon + 60 });
      expect(outcomeOf(await admin().delete(`catalogue/rooms/${id}`))[1]).toContain('1节课次');
      const elsewhereNow = { ...(await editableFields('rooms', id)), school_id: there.id, name: '搬走' };
      expect(errorsOf(await admin().put(`catalogue/rooms/${id}`, elsewhereNow))).toEqual([
        422,
        { school_id: ['该教室已被使用，不能换到其他学校'] },
      ]);
      await db().deleteFrom('class_session').where('id', '=', lesson).execute();
      expect((await admin().put(`catalogue/rooms/${id}`, elsewhereNow)).status).toBe(200);
      for (const one of [id, other]) await admin().delete(`catalogue/rooms/${one}`);
    });
  });

  it('merges within a school, never across schools', async () => {
    const there = await elsewhere();
    const school_id = await own();
    const [one, other] = [
      await addEntry('rooms', { name: '合并一', school_id }),
      await addEntry('rooms', { name: '合并二', school_id }),
    ];
    const theirs = (await there.ask('POST', 'catalogue/rooms', { name: '那边的', school_id: there.id })).body.data.id;
    const merge = (id: number, into_id: number, acknowledged = '') =>
      admin().post(`catalogue/rooms/${id}/merge`, { into_id, acknowledged });
    expect(outcomeOf(await merge(one, theirs))).toEqual([409, '两间教室不属于同一所学校，不能合并']);
    const asked = await there.ask('POST', `catalogue/rooms/${one}/merge`, { into_id: theirs });
    expect(asked.status).toBe(404);
    expect((await there.ask('POST', `catalogue/rooms/${theirs}/merge`, { into_id: one })).status).toBe(422);
    const { k4 } = school().classes;
    const lesson = await insertSession(school(), { class_id: k4, room_id: one });
    expect(outcomeOf(await merge(one, other, '“合并一”的1节课次将改用“合并二”，“合并一”不再存在'))).toEqual([
      200,
      '合并成功',
    ]);
    const moved = db().selectFrom('class_session').select('room_id').where('id', '=', lesson);
    expect(await moved.executeTakeFirstOrThrow()).toEqual({ room_id: other });
    await db().deleteFrom('class_session').where('id', '=', lesson).execute();
  });

  describe('administrator of some schools', () => {
    it("edits these schools' rooms, and only reads shared entries", async () => {
      const there = await elsewhere();
      const grade = await addEntry('grades', { name: '共用' });
      await db().updateTable('class').set({ grade_id: grade }).where('id', '=', school().classes.k1).execute();
      const room = await addEntry('rooms', { name: '别校', school_id: await own() });
      const list = await there.ask('GET', 'catalogue/rooms');
      expect(list.body.data.list).toEqual([]);
      const none = [404, '该教室不存在'];
      expect(outcomeOf(await there.ask('GET', `catalogue/rooms/${room}`))).toEqual(none);
      expect(outcomeOf(await there.ask('PUT', `catalogue/rooms/${room}`, { name: '抢' }))).toEqual(none);
      expect(outcomeOf(await there.ask('POST', `catalogue/rooms/${room}/put-away`))).toEqual(none);
      expect(outcomeOf(await there.ask('DELETE', `catalogue/rooms/${room}`))).toEqual(none);
      expect(errorsOf(await there.ask('POST', 'catalogue/rooms', { name: '一', school_id: await own() }))).toEqual([
        422,
        { school_id: ['请选择学校'] },
      ]);
      expect((await there.ask('POST', 'catalogue/rooms', { name: '一', school_id: there.id })).status).toBe(200);
      const { data } = (await there.ask('GET', `catalogue/grades/${grade}`)).body;
      // Classes of other schools are not counted.
      expect([data.name, data.uses]).toEqual(['共用', '']);
      const shared = [403, '各校共用，只有管理全部学校的教务可以修改'];
      expect(outcomeOf(await there.ask('POST', 'catalogue/grades', { name: '新' }))).toEqual(shared);
      expect(outcomeOf(await there.ask('PUT', `catalogue/grades/${grade}`, { name: '改' }))).toEqual(shared);
      expect(outcomeOf(await there.ask('POST', `catalogue/grades/${grade}/move`, { direction: 'up' }))).toEqual(shared);
      expect(outcomeOf(await there.ask('DELETE', `catalogue/grades/${grade}`))).toEqual(shared);
      await db().updateTable('class').set({ grade_id: null }).where('grade_id', '=', grade).execute();
      await admin().delete(`catalogue/grades/${grade}`);
      await admin().delete(`catalogue/rooms/${room}`);
    });

    it('sees and renames these schools, but neither adds nor archives schools', async () => {
      const there = await elsewhere();
      const { list } = (await there.ask('GET', 'schools')).body.data;
      expect(list.map(({ id, staff }: { id: number; staff: number }) => [id, staff])).toEqual([[there.id, 1]]);
      expect(outcomeOf(await there.ask('GET', `schools/${await own()}`))).toEqual([404, '该学校不存在']);
      expect(outcomeOf(await there.ask('PUT', `schools/${await own()}`, { name: '抢' }))).toEqual([
        404,
        '该学校不存在',
      ]);
      const own403 = [403, '只有管理全部学校的教务可以添加、停用和删除学校'];
      expect(outcomeOf(await there.ask('POST', 'schools', { name: '新校' }))).toEqual(own403);
      expect(outcomeOf(await there.ask('POST', `schools/${there.id}/put-away`, {}))).toEqual(own403);
      expect(outcomeOf(await there.ask('DELETE', `schools/${there.id}`))).toEqual(own403);
      expect(outcomeOf(await there.ask('PUT', `schools/${there.id}`, { name: `改名${there.id}` }))).toEqual([
        200,
        '保存成功',
      ]);
    });

    it('needs the permission for the catalogue', async () => {
      const there = await elsewhere();
      await db().updateTable('staff').set({ can_settings: 0 }).where('id', '=', there.staff).execute();
      expect(outcomeOf(await there.ask('GET', 'schools'))).toEqual([403, '您没有修改设置的权限']);
      await db().updateTable('staff').set({ can_teaching: 0 }).where('id', '=', there.staff).execute();
      expect(outcomeOf(await there.ask('GET', 'catalogue/grades'))).toEqual([403, '您没有管理教学的权限']);
      expect((await school().as('teacher').get('schools')).status).toBe(403);
    });
  });

  describe('school', () => {
    it('is added, renamed by two at once, archived once confirmed, and deleted without records', async () => {
      const answer = await admin().post('schools', { name: ' 新  校 ' });
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      const { id } = answer.body.data;
      const record = async () => (await admin().get(`schools/${id}`)).body.data;
      expect(await record()).toMatchObject({
        name: '新 校',
        staff: 0,
        students: 0,
        classes: 0,
        courses: 0,
        records: '',
      });
      expect(errorsOf(await admin().post('schools', { name: '新校' }))).toEqual([422, { name: ['已有学校“新 校”'] }]);
      expect(errorsOf(await admin().post('schools', { name: '长'.repeat(250) }))).toEqual([
        422,
        { name: ['学校名称不能超过30个字'] },
      ]);
      const { seen } = await record();
      await admin().put(`schools/${id}`, { name: '东校', seen });
      const told = await admin().put(`schools/${id}`, { name: '西校', seen });
      expect(told.body.msg).toContain('学校名称现在是“东校”，您填写的是“西校”');
      const sent = { name: '西校', seen: told.body.data.seen };
      expect(outcomeOf(await admin().put(`schools/${id}`, sent))).toEqual([200, '保存成功']);
      const room = await addEntry('rooms', { name: '一', school_id: id });
      expect(outcomeOf(await admin().delete(`schools/${id}`))).toEqual([
        409,
        '该学校还有记录，不能删除：1间教室。可以停用',
      ]);
      const unsaid = await admin().post(`schools/${id}/put-away`, {});
      expect([unsaid.status, unsaid.body.data]).toEqual([409, { acknowledged: '1间教室' }]);
      expect(outcomeOf(await admin().post(`schools/${id}/put-away`, unsaid.body.data))).toEqual([200, '已停用']);
      expect(outcomeOf(await admin().post(`schools/${id}/put-away`, unsaid.body.data))).toEqual([409, '该学校已停用']);
      // An archived school takes no new records; its existing ones can be edited.
      expect(errorsOf(await admin().post('catalogue/rooms', { name: '二', school_id: id }))).toEqual([
        422,
        { school_id: ['请选择学校'] },
      ]);
      const renamed = { ...(await editableFields('rooms', room)), name: '壹' };
      expect((await admin().put(`catalogue/rooms/${room}`, renamed)).status).toBe(200);
      const person = { identity: 'teacher', username: 'late', real_name: '晚到', mobile: '', permissions: [] };
      expect(errorsOf(await admin().post('staff', { ...person, school_id: id }))).toEqual([
        422,
        { school_id: ['该学校已停用'] },
      ]);
      const { data: choices } = (await admin().get('staff/schools')).body;
      expect(choices.at(-1)).toEqual({ id, name: '西校（已停用）' });
      const { list } = (await admin().get('schools?state=away')).body.data;
      expect(list.map((one: { id: number }) => one.id)).toEqual([id]);
      expect(outcomeOf(await admin().post(`schools/${id}/restore`))).toEqual([200, '已恢复']);
      expect(outcomeOf(await admin().post(`schools/${id}/restore`))).toEqual([409, '该学校未停用']);
      await admin().delete(`catalogue/rooms/${room}`);
      expect(outcomeOf(await admin().delete(`schools/${id}`))).toEqual([200, '删除成功']);
      expect((await admin().get(`schools/${id}`)).status).toBe(404);
      expect((await historyOf('school', id)).map(([action]) => action)).toEqual([
        'add',
        'edit',
        'edit',
        'put-away',
        'restore',
        'delete',
      ]);
    });

    it('shows the counts of its records, and one school always stays active', async () => {
      const id = await own();
      const { data } = (await admin().get(`schools/${id}`)).body;
      expect(data.records).toMatch(/^\d+位人员、\d+名学员、\d+个班级、\d+门课程/);
      const others = await db()
        .updateTable('school')
        .set({ put_away_at: noon })
        .where('id', '!=', id)
        .returning('id')
        .execute();
      expect(outcomeOf(await admin().post(`schools/${id}/put-away`, { acknowledged: data.records }))).toEqual([
        409,
        '至少保留一所在用的学校',
      ]);
      for (const other of others)
        await db().updateTable('school').set({ put_away_at: null }).where('id', '=', other.id).execute();
    });
  });

  it('serialises two simultaneous changes', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin().post('catalogue/grades', { name: '同时' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const id = answers.find(({ status }) => status === 200)?.body.data.id;
    await admin().delete(`catalogue/grades/${id}`);
  });
});
