import { beforeAll, describe, expect, it } from 'vitest';
import { checkMeeting } from '#server/meetings/arrange.ts';
import { liveStatusOf } from '#server/meetings/visible.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

type Name = keyof TestSchool['people'];
const hour = 60 * 60;
const outcomeOf = ({ status, body }: { status: number; body: { msg: string } }) => [status, body.msg];

onBothEngines('head teacher', (school) => {
  const as = (name: Name) => school().as(name);
  const k1 = () => school().classes.k1;

  beforeAll(async () => {
    const { people, classes, database } = school();
    await database.db
      .insertInto('class_staff')
      .values([
        { class_id: classes.k1, staff_id: people.teacher.id, duty: 'head' },
        { class_id: classes.k3, staff_id: people.otherTeacher.id, duty: 'head' },
      ])
      .execute();
  });

  describe('notices of a head teacher', () => {
    const announce = (name: Name, body: object, headers?: Record<string, string>) =>
      as(name).post(
        'announcement',
        { title: '放假通知', content: '<p>周一放假</p>', class_id: k1(), ...body },
        headers,
      );
    const announced = async (body: object = {}): Promise<number> => {
      const answer = await announce('teacher', body);
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      return answer.body.data.id;
    };

    it("reach the class's staff, without active markup", async () => {
      const id = await announced({
        title: '  期中\n考试  ',
        content: '<p onclick="x()">带<b>笔</b> $x^2$</p><script>alert(1)</script>',
      });
      const { data } = (await as('assist').get(`announcement/${id}`)).body;
      expect(data).toMatchObject({
        title: '期中 考试',
        content: '<p>带<strong>笔</strong> $x^2$</p>',
        class_id: k1(),
        nickname: '姓名teacher',
        is_can_delete: 0,
        created_at: noon,
      });
      expect(data.shown).toContain('<math');
      expect((await as('teacher').get(`announcement/${id}`)).body.data.is_can_delete).toBe(1);
      const list = (await as('assist').get(`announcement?class_id=${k1()}`)).body.data;
      expect(list).toMatchObject({ total: 1, list: [{ id, is_can_delete: 0 }] });
      expect(list.list[0].summary).toMatch(/^带笔 <span class="katex"><math .*<msup>/);
    });

    it('are posted once for a repeated form', async () => {
      const key = { 'idempotency-key': 'notice-1' };
      const [first, again] = [await announce('teacher', {}, key), await announce('teacher', {}, key)];
      expect(again.body).toEqual(first.body);
    });

    it('need a title of at most 30 characters, and a text', async () => {
      expect(outcomeOf(await announce('teacher', { title: ' ' }))).toEqual([422, '请输入公告标题']);
      expect(outcomeOf(await announce('teacher', { title: '长'.repeat(31) }))).toEqual([422, '标题不能超过30个字']);
      expect((await announce('teacher', { title: '长'.repeat(30) })).status).toBe(200);
      for (const content of ['', ' ', '<p>&nbsp;</p>', '<script>1</script>']) {
        const { status, body } = await announce('teacher', { content });
        expect([status, body.errors], content).toEqual([422, { content: ['请输入公告内容'] }]);
      }
      for (const content of ['<img src="https://x/y.png">', '看图<img src="file:///C:/x.png">']) {
        const { status, body } = await announce('teacher', { content });
        expect([status, body.errors]).toEqual([422, { content: ['有1张图片没有上传，请上传后再插入'] }]);
      }
      expect(outcomeOf(await announce('teacher', { content: '长'.repeat(50_001) }))).toEqual([
        422,
        '公告内容过长，请精简后再发布',
      ]);
      expect(outcomeOf(await announce('teacher', { class_id: undefined }))).toEqual([422, '请选择班级']);
    });

    it('are limited to their own class', async () => {
      const only = [403, '只有班主任可以发布公告'];
      expect(outcomeOf(await announce('assist', {}))).toEqual(only);
      expect(outcomeOf(await announce('otherTeacher', {}))).toEqual(only);
      expect(outcomeOf(await announce('otherAssist', {}))).toEqual([404, '班级不存在']);
      expect(outcomeOf(await announce('plainTeacher', {}))).toEqual([404, '班级不存在']);
    });

    it('are edited and deleted by their author alone', async () => {
      const id = await announced();
      const path = `announcement/${id}`;
      const change = { title: '改期', content: '<p>周二放假</p>' };
      expect(outcomeOf(await as('assist').put(path, change))).toEqual([403, '只有班主任可以编辑公告']);
      expect(outcomeOf(await as('assist').delete(path))).toEqual([403, '只有班主任可以删除公告']);
      for (const name of ['otherAssist', 'plainTeacher'] as const) {
        expect((await as(name).get(path)).status).toBe(404);
        expect((await as(name).put(path, change)).status).toBe(404);
        expect((await as(name).delete(path)).status).toBe(404);
      }
      expect(outcomeOf(await as('teacher').put(path, { ...change, title: '长'.repeat(31) }))).toEqual([
        422,
        '标题不能超过30个字',
      ]);
      expect(outcomeOf(await as('teacher').put(path, change))).toEqual([200, '编辑成功']);
      expect((await as('assist').get(path)).body.data).toMatchObject(change);
      expect(outcomeOf(await as('teacher').delete(path))).toEqual([200, '删除成功']);
      expect(outcomeOf(await as('teacher').delete(path))).toEqual([404, '公告不存在或已被删除']);
      const history = await school()
        .database.db.selectFrom('history')
        .select('action')
        .where('record', '=', 'class_notice')
        .where('record_id', '=', id)
        .orderBy('id')
        .execute();
      expect(history).toEqual([{ action: 'publish' }, { action: 'edit' }, { action: 'delete' }]);
    });

    it("do not include the school's own notices", async () => {
      const { id } = await school()
        .database.db.insertInto('class_notice')
        .values({
          class_id: k1(),
          title: '校历',
          content: '<p>见附件</p>',
          staff_id: null,
          created_at: noon,
          updated_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const path = `announcement/${id}`;
      expect((await as('teacher').get(path)).body.data).toMatchObject({ nickname: '总校', is_can_delete: 0 });
      expect(outcomeOf(await as('teacher').delete(path))).toEqual([403, '学校发布的公告不能删除']);
      expect(outcomeOf(await as('teacher').put(path, { title: '改', content: '改' }))).toEqual([
        403,
        '学校发布的公告不能编辑',
      ]);
    });

    it('are hidden outside the class', async () => {
      const ids = async (name: Name, search = '') =>
        (await as(name).get(`announcement${search}`)).body.data.list.map((row: { class_id: number }) => row.class_id);
      expect(new Set(await ids('assist'))).toEqual(new Set([k1()]));
      expect(await ids('otherAssist')).toEqual([]);
      expect(outcomeOf(await as('otherAssist').get(`announcement?class_id=${k1()}`))).toEqual([404, '班级不存在']);
    });
  });

  describe('class meetings of a head teacher', () => {
    const create = (name: Name, body: object = {}, headers?: Record<string, string>) =>
      as(name).post(
        'class/meeting',
        {
          class_id: k1(),
          meeting_name: '家长会',
          start_time: noon + hour,
          end_time: noon + 2 * hour,
          ...body,
        },
        headers,
      );
    const addMeeting = async (body: object = {}): Promise<number> => {
      const answer = await create('teacher', body);
      expect(outcomeOf(answer)).toEqual([200, '添加成功']);
      return answer.body.data.id;
    };
    const meeting = async (id: number, name: Name = 'assist') => (await as(name).get(`class/meeting/${id}`)).body.data;

    it('are upcoming, live or ended by the clock', async () => {
      const id = await addMeeting();
      expect(await meeting(id)).toMatchObject({
        meeting_name: '家长会',
        live_status: 1,
        teacher_name: '姓名teacher',
        is_can_edit: 0,
        class_id: k1(),
        join_num: 0,
        not_join_num: 2,
      });
      expect((await meeting(id, 'teacher')).is_can_edit).toBe(1);
      const mayEnter = async (name: Name) => (await meeting(id, name)).is_can_enter;
      // The head teacher and the assistant see them; a lecturer of the class does not.
      expect([await mayEnter('teacher'), await mayEnter('assist'), await mayEnter('otherTeacher')]).toEqual([1, 1, 0]);
      for (const [now, status] of [
        [noon + hour - 1, 1],
        [noon + hour, 2],
        [noon + 2 * hour - 1, 2],
        [noon + 2 * hour, 3],
      ] as const) {
        school().setNow(now);
        expect((await meeting(id)).live_status).toBe(status);
      }
      expect(await mayEnter('teacher')).toBe(0);
      school().setNow(noon);
      expect((await as('teacher').delete(`class/meeting/${id}`)).status).toBe(200);
    });

    it('are sorted by state and time', async () => {
      const at = async (from: number, to: number) => {
        const { id } = await school()
          .database.db.insertInto('class_meeting')
          .values({
            class_id: school().classes.k3,
            meeting_name: `${from}`,
            staff_id: school().people.otherTeacher.id,
            start_time: noon + from * hour,
            end_time: noon + to * hour,
            created_at: noon,
            room_id: `r${from}`,
            teacher_code: `T${from}`,
            assistant_code: `A${from}`,
            student_code: `S${from}`,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      };
      const [later, before, live, soon, last] = [
        await at(48, 49),
        await at(-50, -49),
        await at(-1, 1),
        await at(2, 3),
        await at(-3, -2),
      ];
      const { data } = (await as('otherAssist').get(`class/meeting/lists/${school().classes.k3}`)).body;
      expect(data.list.map(({ id }: { id: number }) => id)).toEqual([live, soon, later, last, before]);
      expect(data.list.map((row: { live_status: number }) => row.live_status)).toEqual([2, 1, 1, 3, 3]);
      expect((await as('otherAssist').get(`class/meeting/lists/${k1()}`)).status).toBe(404);
    });

    it('have codes per role, unique among meetings', async () => {
      const [one, other] = [await addMeeting(), await addMeeting()];
      const codes = (await as('teacher').get(`class/meeting/code/${one}`)).body.data;
      expect(codes.teacher_code).toMatch(/^T[2-9A-HJ-NP-Z]{7}$/);
      expect(codes.assistant_code).toMatch(/^A[2-9A-HJ-NP-Z]{7}$/);
      expect(codes.student_code).toMatch(/^S[2-9A-HJ-NP-Z]{7}$/);
      const others = (await as('teacher').get(`class/meeting/code/${other}`)).body.data;
      expect(new Set([...Object.values(codes), ...Object.values(others)]).size).toBe(6);
      expect((await meeting(one)).room_id).not.toBe((await meeting(other)).room_id);
      // An assistant who is not head teacher enters as one, and sees no lecturer code.
      const { teacher_code: _, ...forAll } = codes;
      const ofAssistant = (await as('assist').get(`class/meeting/code/${one}`)).body.data;
      expect(ofAssistant).toEqual({ teacher_code: '', ...forAll });
      // A person without access gets no entry codes, but still the code for students.
      expect((await as('otherTeacher').get(`class/meeting/code/${one}`)).body.data).toEqual({
        teacher_code: '',
        assistant_code: '',
        student_code: codes.student_code,
      });
      expect((await as('otherAssist').get(`class/meeting/code/${one}`)).status).toBe(404);
    });

    it('are created once for a repeated form', async () => {
      const key = { 'idempotency-key': 'meeting-1' };
      const [first, again] = [await create('teacher', {}, key), await create('teacher', {}, key)];
      expect(again.body).toEqual(first.body);
    });

    it.each([
      [{ meeting_name: ' ' }, 'meeting_name', '请输入班会名称'],
      [{ meeting_name: '长'.repeat(51) }, 'meeting_name', '班会名称不能超过50个字'],
      [{ start_time: '' }, 'start_time', '请选择开始时间'],
      [{ end_time: 'soon' }, 'end_time', '请选择结束时间'],
      [{ end_time: noon + hour }, 'end_time', '结束时间必须晚于开始时间'],
      [{ end_time: noon + hour - 1 }, 'end_time', '结束时间必须晚于开始时间'],
      [{ start_time: noon - 2 * hour, end_time: noon }, 'end_time', '结束时间必须晚于当前时间'],
    ])('are refused with %j', async (body, field, message) => {
      const { status, body: answer } = await create('teacher', body);
      expect([status, answer.msg, answer.errors]).toEqual([422, message, { [field]: [message] }]);
    });

    it('never reuse an id, like notices', async () => {
      const id = await addMeeting();
      await as('teacher').delete(`class/meeting/${id}`);
      expect(await addMeeting()).toBeGreaterThan(id);
      const notice = async () => {
        const sent = { class_id: k1(), title: '公告', content: '<p>内容</p>' };
        expect((await as('teacher').post('announcement', sent)).status).toBe(200);
        const { list } = (await as('teacher').get(`announcement?class_id=${k1()}&limit=999999`)).body.data;
        return Math.max(...list.map((row: { id: number }) => row.id));
      };
      const first = await notice();
      await as('teacher').delete(`announcement/${first}`);
      expect(await notice()).toBeGreaterThan(first);
    });

    it('are limited to their own class, even after it has ended', async () => {
      expect(outcomeOf(await create('assist'))).toEqual([403, '只有班主任可以创建班会']);
      expect(outcomeOf(await create('otherTeacher'))).toEqual([403, '只有班主任可以创建班会']);
      expect(outcomeOf(await create('otherAssist'))).toEqual([404, '班级不存在']);
      expect(outcomeOf(await create('teacher', { class_id: undefined }))).toEqual([422, '请选择班级']);
      const { db } = school().database;
      await db.updateTable('class').set({ valid_type: 2, valid_time: noon }).where('id', '=', k1()).execute();
      expect((await create('teacher')).status).toBe(200);
      await db.updateTable('class').set({ valid_type: 1 }).where('id', '=', k1()).execute();
    });

    it('are edited until they end, and deleted, by their author alone', async () => {
      const id = await addMeeting();
      const path = `class/meeting/${id}`;
      const change = { meeting_name: '改期的家长会', start_time: noon + 2 * hour, end_time: noon + 3 * hour };
      expect(outcomeOf(await as('assist').put(path, change))).toEqual([403, '只有班主任可以编辑班会']);
      expect(outcomeOf(await as('assist').delete(path))).toEqual([403, '只有班主任可以删除班会']);
      for (const name of ['otherAssist', 'plainTeacher'] as const) {
        expect((await as(name).get(path)).status).toBe(404);
        expect((await as(name).put(path, change)).status).toBe(404);
        expect((await as(name).delete(path)).status).toBe(404);
      }
      expect(outcomeOf(await as('teacher').put(path, change))).toEqual([200, '编辑成功']);
      expect(await meeting(id)).toMatchObject(change);
      school().setNow(noon + 2 * hour);
      expect(outcomeOf(await as('teacher').put(path, { ...change, start_time: noon + 2.5 * hour }))).toEqual([
        422,
        '班会已开始，不能修改开始时间',
      ]);
      expect((await as('teacher').put(path, { ...change, end_time: noon + 4 * hour })).status).toBe(200);
      school().setNow(noon + 4 * hour);
      expect(outcomeOf(await as('teacher').put(path, change))).toEqual([409, '班会已结束，不能编辑']);
      expect(outcomeOf(await as('teacher').delete(path))).toEqual([200, '删除成功']);
      expect(outcomeOf(await as('teacher').delete(path))).toEqual([404, '班会不存在或已被删除']);
    });

    it('count attendees and absentees, including former students', async () => {
      const { db } = school().database;
      const { k3 } = school().classes;
      const [one, two, three, four, five] = school().students.k3 as [number, number, number, number, number];
      const also = school().students.k1[0] as number;
      const insert = await db
        .insertInto('class_meeting')
        .values({
          class_id: k3,
          meeting_name: '总结',
          staff_id: school().people.otherTeacher.id,
          room_id: 'counted',
          start_time: noon - 2 * hour,
          end_time: noon + hour,
          created_at: noon - day,
          teacher_code: 'T1',
          assistant_code: 'A1',
          student_code: 'S1',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const member = (id: number, change: { joined_at?: number; left_at?: number }) =>
        db.updateTable('class_student').set(change).where('class_id', '=', k3).where('student_id', '=', id).execute();
      // One member left before the meeting, two left during it, and three joined after it.
      await member(one, { joined_at: noon - day, left_at: noon - 3 * hour });
      await member(two, { joined_at: noon - day, left_at: noon });
      await member(three, { joined_at: noon + 2 * hour });
      for (const id of [four, five, also]) await member(id, { joined_at: noon - day });
      await db
        .insertInto('class_meeting_attendance')
        .values([
          { meeting_id: insert.id, student_id: four, joined_at: noon - hour },
          { meeting_id: insert.id, student_id: also, joined_at: noon - 2 * hour },
          { meeting_id: insert.id, student_id: one, joined_at: noon },
        ])
        .execute();
      const { data } = (await as('otherTeacher').get(`class/meeting/statistics/${insert.id}`)).body;
      expect(data).toMatchObject({ join_num: 3, not_join_num: 2, live_status: 2 });
      expect(data.list.map((row: { id: number; is_join: number }) => [row.id, row.is_join])).toEqual([
        [also, 1],
        [four, 1],
        [one, 1],
        [two, 0],
        [five, 0],
      ]);
      expect(data.list[0]).toMatchObject({ join_time: noon - 2 * hour });
      expect((await as('assist').get(`class/meeting/statistics/${insert.id}`)).status).toBe(404);
    });

    it("record attendees reported by the learners' application", async () => {
      const { token } = await issueServiceToken(school().database.db, { name: '学员端', now: noon });
      const id = await addMeeting();
      const early = await as('assist').get(`class/meeting/statistics/${id}`);
      expect(outcomeOf(early)).toEqual([409, '班会尚未开始，暂无统计']);
      const { student_code } = (await as('teacher').get(`class/meeting/code/${id}`)).body.data;
      const [here, left] = [school().students.k1[0] as number, school().students.k1.at(-1) as number];
      const join = async (body: object, authorization = `Bearer ${token}`) =>
        outcomeOf(
          await school().ask('/api/app/meeting/join', {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', authorization },
          }),
        );
      const sent = { uid: here, student_code };
      expect(await join(sent, `Bearer ${school().people.teacher.token}`)).toEqual([401, '应用令牌无效']);
      expect(await join(sent)).toEqual([409, '班会尚未开始']);
      school().setNow(noon + hour);
      expect(await join(sent)).toEqual([200, '操作成功']);
      school().setNow(noon + 1.5 * hour);
      expect(await join({ ...sent, student_code: student_code.toLowerCase() })).toEqual([200, '操作成功']);
      expect(await join({ uid: left, student_code })).toEqual([404, '参会码不正确']);
      expect(await join({ uid: school().students.k2[0], student_code })).toEqual([404, '参会码不正确']);
      expect(await join({ ...sent, student_code: 'S2222222' })).toEqual([404, '参会码不正确']);
      expect(await join({ uid: 'x', student_code })).toEqual([422, '学员不存在']);
      school().setNow(noon + 2 * hour);
      expect(await join(sent)).toEqual([409, '班会已结束']);
      const { data } = (await as('assist').get(`class/meeting/statistics/${id}`)).body;
      expect(data).toMatchObject({ join_num: 1, not_join_num: 1 });
      expect(data.list[0]).toMatchObject({ id: here, join_time: noon + hour });
    });
  });
});

describe('times of a meeting', () => {
  const meeting = { meeting_name: '班会', start_time: 100, end_time: 200 };
  it('determine its state', () => {
    expect([99, 100, 199, 200].map((now) => liveStatusOf(meeting, now))).toEqual([1, 2, 2, 3]);
  });
  it('can move until it starts; its end until it ends', () => {
    expect(checkMeeting({ ...meeting, start_time: 150 }, 99, meeting)).toEqual({ ...meeting, start_time: 150 });
    expect(checkMeeting({ ...meeting, start_time: 150 }, 100, meeting)).toHaveProperty('errors.start_time');
    expect(checkMeeting({ ...meeting, end_time: 300 }, 100, meeting)).toHaveProperty('end_time', 300);
  });
});
