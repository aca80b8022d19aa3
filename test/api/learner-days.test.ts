import { beforeAll, describe, expect, it } from 'vitest';
import { learnerApiDescription } from '#server/api.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { addExam } from '../support/exams.ts';
import { type LearnerClient, learnerClient, learnerOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper } from '../support/paper.ts';
import { type Answer, day, noon } from '../support/school.ts';
import { addLesson, addTeam, hour } from '../support/team-lessons.ts';

const outcomeOf = ({ status, body }: Answer) => [status, body.msg];

onBothEngines("learner's days", (school) => {
  let learner: LearnerClient;
  let other: LearnerClient;
  let stranger: LearnerClient;
  let uid: number;
  const db = () => school().database.db;

  beforeAll(async () => {
    const [one, two] = school().students.k1 as [number, number];
    uid = one;
    learner = await learnerOf(school(), one);
    other = await learnerOf(school(), two);
    stranger = await learnerOf(school(), school().students.k4[0] as number);
  });

  const addPeriod = async (start_play: number, more: object = {}) => {
    const { id } = await db()
      .insertInto('period')
      .values({
        course_id: school().courses.shared,
        title: '第三讲 数列',
        lecturer_id: school().people.teacher.id,
        chapter_id: null,
        start_play,
        total_time: hour,
        advance_time: 10,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };

  describe('schedule of a learner', () => {
    const entry = async (kind: string, id: number, client = learner) =>
      (await client.get(`lessons?from=${noon - day}&to=${noon + 5 * day}`)).body.data.list.find(
        (one: { kind: string; id: number }) => one.kind === kind && one.id === id,
      );

    it('has a period, joinable a little before its start', async () => {
      const id = await addPeriod(noon + hour);
      const early = await entry('period', id);
      expect(early).toMatchObject({
        title: '第三讲 数列',
        course: { name: '高一数学' },
        class: { name: '一班' },
        nickname: '姓名teacher',
        live_status: 1,
        join: { state: 'early', opens_at: noon + hour - 600 },
        op_status: null,
      });
      school().setNow(noon + hour - 600);
      expect((await entry('period', id)).join.state).toBe('open');
      school().setNow(noon + 2 * hour);
      expect((await entry('period', id)).join.state).toBe('over');
      await db().updateTable('period').set({ allow_enter: 1 }).where('id', '=', id).execute();
      expect((await entry('period', id)).join).toMatchObject({ state: 'closed', reason: '该课时未开放进入直播间' });
    });

    it('has a lesson, whose entry counts as attendance and which can be rated', async () => {
      const team = await addTeam(school(), { name: '语文团课' });
      const lesson = await addLesson(school(), { team, start: noon + hour });
      const member = await learnerOf(school(), team.students[0] as number);
      expect((await entry('course', lesson, member)).join).toMatchObject({ state: 'early', opens_at: noon + hour / 2 });
      expect(await entry('course', lesson)).toBeUndefined();
      school().setNow(noon + hour);
      expect((await member.post('live', { times_id: lesson })).status).toBe(200);
      expect(await entry('course', lesson, member)).toMatchObject({ attended: 1, join: { state: 'open' } });
      const feedback = (content: string, client = member) => client.post('feedback', { times_id: lesson, content });
      expect(outcomeOf(await feedback('好'))).toEqual([409, '该课次上课中，不能评价']);
      school().setNow(noon + 4 * hour);
      expect(outcomeOf(await feedback(' '))).toEqual([422, '请输入评价内容']);
      expect(outcomeOf(await feedback('字'.repeat(201)))).toEqual([422, '评价内容不能超过200个字']);
      expect(outcomeOf(await feedback('讲得很清楚'))).toEqual([200, '评价成功']);
      expect(outcomeOf(await feedback('好', learner))).toEqual([404, '课次不存在']);
      const { list } = (await school().as('teacher').get(`teacherSchedule/getClassTimeStudent/${lesson}`)).body.data;
      expect(list[0]).toMatchObject({ status: 1, student_remark: '讲得很清楚' });
    });

    it('has a class meeting, with its code while it is open', async () => {
      const { id } = await db()
        .insertInto('class_meeting')
        .values({
          class_id: school().classes.k1,
          meeting_name: '期中总结',
          start_time: noon + hour,
          end_time: noon + 2 * hour,
          staff_id: school().people.teacher.id,
          room_id: 'r',
          teacher_code: 'T1',
          assistant_code: 'A1',
          student_code: 'S1',
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect((await entry('meeting', id)).join).toMatchObject({ state: 'early', code: '' });
      school().setNow(noon + hour);
      expect((await entry('meeting', id)).join).toMatchObject({ state: 'open', code: 'S1' });
      await learner.post('meeting/join', { student_code: 'S1' });
      expect((await entry('meeting', id)).attended).toBe(1);
    });

    it('is sent again after two entries swap, or one moves elsewhere', async () => {
      const team = await addTeam(school(), { name: '换课的团课' });
      const starts = [noon + 26 * hour, noon + 28 * hour];
      const ids: number[] = [];
      for (const start of starts) ids.push(await addLesson(school(), { team, start }));
      const member = await learnerOf(school(), team.students[0] as number);
      const tagOf = async () =>
        (await member.get(`lessons?from=${noon + day}&to=${noon + 2 * day}`)).headers.get('etag') ?? '';
      const tags = [await tagOf()];
      for (const [place, id] of ids.entries()) {
        const start_time = starts[1 - place] as number;
        const end_time = start_time + 1.5 * hour;
        await db().updateTable('class_session').set({ start_time, end_time }).where('id', '=', id).execute();
      }
      tags.push(await tagOf());
      const room = await db()
        .insertInto('room')
        .values({ name: '302', school_id: 1, put_away_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db().updateTable('class_session').set({ room_id: room.id }).where('id', 'in', ids).execute();
      tags.push(await tagOf());
      expect(new Set(tags).size).toBe(tags.length);
    });

    it('answers 304 while nothing is planned, recorded or started', async () => {
      const id = await addPeriod(noon + 3 * hour);
      const path = `lessons?from=${noon}&to=${noon + day}`;
      const tagOf = async () => (await learner.get(path)).headers.get('etag') ?? '';
      const tags = [await tagOf()];
      expect((await learner.get(path, { 'if-none-match': tags[0] as string })).status).toBe(304);
      await db()
        .updateTable('period')
        .set({ start_play: noon + 4 * hour })
        .where('id', '=', id)
        .execute();
      tags.push(await tagOf());
      school().setNow(noon + 4 * hour - 600);
      tags.push(await tagOf());
      school().setNow(noon + 4 * hour);
      tags.push(await tagOf());
      expect(new Set(tags).size).toBe(tags.length);
    });
  });

  describe('leave of a learner', () => {
    it('is requested, shown with its state, and withdrawn before the period', async () => {
      const period = await addPeriod(noon + 2 * day);
      const cell = { class_id: school().classes.k1, course_id: school().courses.shared, course_periods_id: period };
      for (let times = 0; times < 2; times += 1) {
        const asked = await learner.post('leave', { ...cell, leave_cause: '生病' });
        expect([...outcomeOf(asked), asked.body.data]).toEqual([
          200,
          '已提交请假申请，等待审批',
          { id: expect.any(Number) },
        ]);
      }
      expect(outcomeOf(await learner.post('leave', { ...cell, leave_cause: '外出' }))).toEqual([
        409,
        '已提交过请假申请，正在等待审批',
      ]);
      const findLeave = async (since = '') =>
        (await learner.get(`leave?since=${since}`)).body.data.list.find(
          (one: { period: { id: number } }) => one.period.id === period,
        );
      const asked = await findLeave();
      expect(asked).toMatchObject({ op_status: 1, leave_cause: '生病', requested_at: noon, decided_at: null });
      const tag = (await learner.get('leave')).headers.get('etag') ?? '';
      expect((await learner.get('leave', { 'if-none-match': tag })).status).toBe(304);
      school().setNow(noon + hour);
      const { since } = (await learner.get('leave')).body.data;
      expect(await findLeave(since)).toBeUndefined();
      expect((await school().as('assist').put(`leave/setOpStatus/${asked.id}`, { op_status: 2 })).status).toBe(200);
      expect(await findLeave(since)).toMatchObject({ op_status: 2, decided_at: noon + hour, decided_by: '姓名assist' });
      expect(outcomeOf(await learner.post('leave', { ...cell, leave_cause: '生病' }))).toEqual([
        409,
        '请假已同意，不用再次请假',
      ]);
      expect((await learner.get('leave', { 'if-none-match': tag })).status).toBe(200);
      const cancel = (client = learner) => client.post(`leave/${asked.id}/cancel`);
      expect(outcomeOf(await cancel(other))).toEqual([404, '请假记录不存在']);
      expect(outcomeOf(await cancel())).toEqual([200, '已撤回请假']);
      expect(outcomeOf(await cancel())).toEqual([200, '已撤回请假']);
      expect(await findLeave()).toMatchObject({ op_status: 4 });
      const again = await learner.post('leave', { ...cell, leave_cause: '' });
      expect(again.status).toBe(200);
      // The reason of the leave may be added later, but only once.
      const withCause = await learner.post('leave', { ...cell, leave_cause: '看牙' });
      expect([withCause.status, withCause.body.data]).toEqual([200, again.body.data]);
      expect(await findLeave()).toMatchObject({ op_status: 1, leave_cause: '看牙' });
      expect((await learner.post('leave', { ...cell, leave_cause: '' })).status).toBe(409);
      await db()
        .updateTable('period')
        .set({ start_play: noon + hour })
        .where('id', '=', period)
        .execute();
      expect(outcomeOf(await cancel())).toEqual([409, '课时已开始，不能撤回请假']);
    });
  });

  it('says for each period whether it may be requested, or why not', async () => {
    const course_type = (type: number) =>
      db().updateTable('course').set({ course_type: type }).where('id', '=', school().courses.shared).execute();
    const { course_type: before } = await db()
      .selectFrom('course')
      .select('course_type')
      .where('id', '=', school().courses.shared)
      .executeTakeFirstOrThrow();
    const period = await addPeriod(noon + 2 * day);
    const cell = { class_id: school().classes.k1, course_id: school().courses.shared, course_periods_id: period };
    const flag = async () =>
      (await learner.get('lessons')).body.data.list.find(
        ({ kind, id }: { kind: string; id: number }) => kind === 'period' && id === period,
      ).may_ask_leave;
    expect(await flag()).toBe(1);
    await course_type(5);
    try {
      expect(await flag()).toBe(0);
      expect(outcomeOf(await learner.post('leave', { ...cell, leave_cause: '' }))).toEqual([
        409,
        '该课时不计考勤，不用请假',
      ]);
    } finally {
      await course_type(before);
    }
    const strange = { ...cell, class_id: school().classes.k4 };
    expect(outcomeOf(await learner.post('leave', { ...strange, leave_cause: '' }))).toEqual([404, '您不在该班级']);
  });

  describe('notices of a learner', () => {
    it("are read by the class's members and marked as read", async () => {
      const { id } = await db()
        .insertInto('class_notice')
        .values({
          class_id: school().classes.k1,
          title: '期中安排',
          content: '<p>周一开始</p>',
          staff_id: school().people.teacher.id,
          created_at: noon - hour,
          updated_at: noon - hour,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const tag = (await learner.get('notices')).headers.get('etag') ?? '';
      expect((await learner.get('notices')).body.data.list).toMatchObject([{ id, title: '期中安排', read_at: null }]);
      expect((await learner.get('notices', { 'if-none-match': tag })).status).toBe(304);
      school().setNow(noon + 5);
      expect((await learner.get(`notices/${id}`)).body.data).toMatchObject({
        content: '<p>周一开始</p>',
        read_at: noon + 5,
        nickname: '姓名teacher',
      });
      school().setNow(noon + 9);
      expect((await learner.get(`notices/${id}`)).body.data.read_at).toBe(noon + 5);
      expect((await learner.get('notices', { 'if-none-match': tag })).status).toBe(200);
      expect((await other.get('notices')).body.data.list[0].read_at).toBeNull();
      expect(outcomeOf(await stranger.get(`notices/${id}`))).toEqual([404, '公告不存在或已被删除']);
      await db().deleteFrom('class_notice').where('id', '=', id).execute();
      expect((await learner.get('notices')).body.data.list).toEqual([]);
    });

    it('are sent again after each of two edits in a second', async () => {
      const { k2 } = school().classes;
      await db()
        .insertInto('class_staff')
        .values({ class_id: k2, staff_id: school().people.assist.id, duty: 'head' })
        .execute();
      const reader = await learnerOf(school(), school().students.k2[0] as number);
      const notice = { class_id: k2, title: '补课', content: '<p>周二</p>' };
      const { id } = (await school().as('assist').post('announcement', notice)).body.data;
      const tags = [(await reader.get('notices')).headers.get('etag')];
      for (const title of ['补课（改）', '补课（再改）']) {
        const edited = await school().as('assist').put(`announcement/${id}`, { title, content: notice.content });
        expect(edited.status).toBe(200);
        tags.push((await reader.get('notices')).headers.get('etag'));
      }
      expect(new Set(tags).size).toBe(tags.length);
    });

    it('are reported as removed to clients that follow the list', async () => {
      const { k1 } = school().classes;
      const head = school().people.assist.id;
      await db().insertInto('class_staff').values({ class_id: k1, staff_id: head, duty: 'head' }).execute();
      const notice = { class_id: k1, title: '停课通知', content: '<p>周一</p>' };
      const post = async () => (await school().as('assist').post('announcement', notice)).body.data.id as number;
      const first = await post();
      school().setNow(noon + hour);
      const { since, list, removed } = (await learner.get('notices')).body.data;
      expect([list.map(({ id }: { id: number }) => id), removed]).toEqual([[first], []]);
      const tag = (await learner.get(`notices?since=${since}`)).headers.get('etag') ?? '';
      school().setNow(noon + 2 * hour);
      // A client that starts over has not seen this post.
      const unseen = await post();
      for (const id of [first, unseen])
        expect((await school().as('assist').delete(`announcement/${id}`)).status).toBe(200);
      const next = await learner.get(`notices?since=${since}`, { 'if-none-match': tag });
      expect([next.status, next.body.data]).toMatchObject([200, { list: [], removed: [first] }]);
      expect((await learner.get('notices')).body.data).toMatchObject({ list: [], removed: [] });
      expect((await stranger.get(`notices?since=${since}`)).body.data.removed).toEqual([]);
    });

    it('of a class are sent to learners who join later, and reported as removed to those who leave', async () => {
      const { k1 } = school().classes;
      const uid = school().students.k4[1] as number;
      const reader = await learnerOf(school(), uid);
      const { id } = await db()
        .insertInto('class_notice')
        .values({ class_id: k1, title: '班规', content: '<p>一</p>', created_at: noon - hour, updated_at: noon - hour })
        .returning('id')
        .executeTakeFirstOrThrow();
      const admin = () => school().as('admin');
      const confirmed = async (path: string, body: object) => {
        const told = await admin().post(path, body);
        const { acknowledged = '' } = told.body.data ?? {};
        return told.status === 409 ? admin().post(path, { ...body, acknowledged }) : told;
      };
      school().setNow(noon + 3 * hour);
      expect((await reader.get('notices')).body.data.list).toEqual([]);
      const seenAll = `${noon}-0`;
      expect((await confirmed(`classes/${k1}/members`, { ids: [uid], day: '2026-11-03' })).status).toBe(200);
      const joined = (await reader.get(`notices?since=${seenAll}`)).body.data;
      expect(joined.list.map((row: { id: number }) => row.id)).toEqual([id]);
      expect(joined.removed).not.toContain(id);
      school().setNow(noon + 4 * hour);
      expect((await confirmed(`classes/${k1}/members/leave`, { ids: [uid], day: '2026-11-06' })).status).toBe(200);
      const left = (await reader.get(`notices?since=${joined.since}`)).body.data;
      expect(left.list).toEqual([]);
      expect(left.removed).toContain(id);
    });
  });

  it('continue after any cursor', async () => {
    for (const list of ['homework', 'exams', 'leave', 'notices', 'circle']) {
      for (const since of ['999999999999-9999999999', '0-9999999999', `${noon}-0`, '-1-1', '1', 'x']) {
        const answer = await learner.get(`${list}?since=${since}`);
        expect([list, since, answer.status]).toEqual([list, since, 200]);
      }
    }
  });

  describe('courseware of a learner', () => {
    const addFile = async (name: string) => {
      const stored = await school().services.storage.put(
        (async function* () {
          yield new TextEncoder().encode(name);
        })(),
        { extension: 'pdf', contentType: 'application/pdf', limit: 1000 },
      );
      if (!('ok' in stored)) throw new Error('not stored');
      const { id } = await db()
        .insertInto('ware_file')
        .values({ storage_key: stored.ok.key, name, extension: 'pdf', size: 9, uploaded_by: null, uploaded_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    };

    it("covers their classes, and a lesson's handout once approved", async () => {
      const file = await addFile('集合.pdf');
      await db()
        .insertInto('class_ware')
        .values({
          class_id: school().classes.k1,
          file_id: file,
          courseware_id: null,
          classify_id: null,
          ware_name: '集合',
          ware_type: 1,
          added_by: school().people.teacher.id,
          created_at: noon,
          updated_at: noon,
        })
        .execute();
      const { data } = (await learner.get('courseware')).body;
      expect(data).toMatchObject({ list: [{ file_id: file, name: '集合', of: 'class' }], more: 0 });
      expect((await learner.get(`courseware?since=${data.since}`)).body.data.list).toEqual([]);
      const bytes = await learner.get(`courseware/${file}`);
      expect([bytes.status, bytes.body, bytes.headers.get('content-type')]).toEqual([
        200,
        '集合.pdf',
        'application/pdf',
      ]);
      expect((await stranger.get(`courseware/${file}`)).status).toBe(404);
      const team = await addTeam(school(), { name: '英语团课' });
      const lesson = await addLesson(school(), { team, start: noon });
      const handout = await addFile('讲义.pdf');
      const row = { session_id: lesson, file_id: handout, file_name: '讲义', uploaded_by: school().people.teacher.id };
      await db()
        .insertInto('session_handout')
        .values({ ...row, uploaded_at: noon, status: 3 })
        .execute();
      const member = await learnerOf(school(), team.students[0] as number);
      expect(outcomeOf(await member.get('courseware?lesson=999999'))).toEqual([404, '课次不存在']);
      const wares = async () => (await member.get(`courseware?lesson=${lesson}`)).body.data.list;
      expect(await wares()).toEqual([]);
      expect((await member.get(`courseware/${handout}`)).status).toBe(404);
      await db().updateTable('session_handout').set({ status: 1 }).where('session_id', '=', lesson).execute();
      expect(await wares()).toMatchObject([{ file_id: handout, of: 'handout', times_id: lesson }]);
      expect((await member.get(`courseware/${handout}`)).status).toBe(200);
    });
  });

  describe('circle of a learner', () => {
    it('reports removed posts to clients that follow it', async () => {
      const { id } = (await learner.post('circle', { class_id: school().classes.k1, content: '写错了' })).body.data;
      school().setNow(noon + hour);
      const { since } = (await other.get('circle')).body.data;
      await db()
        .updateTable('community_post')
        .set({ deleted_at: noon + 2 * hour })
        .where('id', '=', id)
        .execute();
      school().setNow(noon + 2 * hour);
      const { list, removed } = (await other.get(`circle?since=${since}`)).body.data;
      expect([list, removed]).toEqual([[], [id]]);
      expect((await other.get('circle')).body.data.removed).toEqual([]);
      expect((await stranger.get(`circle?since=${since}`)).body.data.removed).toEqual([]);
    });

    it('is sent again when one like replaces another', async () => {
      const publish = async (content: string) =>
        (await learner.post('circle', { class_id: school().classes.k1, content })).body.data.id as number;
      const [one, two] = [await publish('一'), await publish('二')];
      await other.post(`circle/${one}/like`);
      const tag = (await learner.get('circle')).headers.get('etag') ?? '';
      await other.post(`circle/${one}/like`, { like: 0 });
      await other.post(`circle/${two}/like`);
      expect((await learner.get('circle', { 'if-none-match': tag })).status).toBe(200);
      await db().updateTable('community_post').set({ deleted_at: noon }).where('id', 'in', [one, two]).execute();
    });

    it('takes posts, comments and likes of members, each once', async () => {
      const post = { class_id: school().classes.k1, content: ' 谁有笔记？ ' };
      const { id } = (await learner.post('circle', post)).body.data;
      expect((await learner.post('circle', post)).body.data).toEqual({ id });
      expect(outcomeOf(await stranger.post('circle', post))).toEqual([404, '班级不存在']);
      expect(outcomeOf(await learner.post('circle', { ...post, content: ' ' }))).toEqual([422, '请输入帖子内容']);
      const lost = { ...post, content: '图', images: ['/files/2026/11/nothing.png'] };
      expect((await learner.post('circle', lost)).body.errors).toEqual({ images: ['图片不存在，请重新上传'] });
      const comment = await other.post(`circle/${id}/comment`, { content: '我有' });
      expect(outcomeOf(comment)).toEqual([200, '评论成功']);
      expect((await other.post(`circle/${id}/comment`, { content: '我有' })).body.data).toEqual(comment.body.data);
      for (let times = 0; times < 2; times += 1) {
        expect((await other.post(`circle/${id}/like`)).body.data).toEqual({ like_num: 1, is_like: 1 });
      }
      const shown = (await other.get(`circle/${id}`)).body.data;
      expect(shown).toMatchObject({
        content: '谁有笔记？',
        nickname: '学生一班1',
        like_num: 1,
        comment_num: 1,
        is_like: 1,
        is_own: 0,
        comments: [{ content: '我有', nickname: '学生一班2', is_own: 1 }],
      });
      const tag = (await learner.get('circle')).headers.get('etag') ?? '';
      expect((await learner.get('circle', { 'if-none-match': tag })).status).toBe(304);
      expect((await other.post(`circle/${id}/like`, { like: 0 })).body.data).toEqual({ like_num: 0, is_like: 0 });
      expect((await learner.get('circle', { 'if-none-match': tag })).status).toBe(200);
      expect((await learner.get('circle')).body.data.list).toMatchObject([
        { id, is_own: 1, class_id: school().classes.k1 },
      ]);
      expect((await stranger.get('circle')).body.data.list).toEqual([]);
      expect((await stranger.post(`circle/${id}/comment`, { content: '我' })).status).toBe(404);
      // Staff read the learner's post like any other one.
      const { list } = (await school().as('assist').get(`community/class/${school().classes.k1}`)).body.data ?? {};
      if (list) expect(list[0]).toMatchObject({ id, user_type: 1 });
    });
  });

  describe('report of a learner', () => {
    it('covers one course with its periods and no other', async () => {
      const { data } = (await learner.get(`report?course=${school().courses.shared}`)).body;
      expect(data.list[0]).toMatchObject({ class: { name: '一班' }, title: '高一数学' });
      expect(data.periods.map(({ title }: { title: string }) => title)).toContain('第一讲 集合');
      expect((await learner.get('report')).body.data.list.length).toBeGreaterThan(data.list.length);
      expect(outcomeOf(await learner.get('report?course=999999'))).toEqual([404, '课程不存在']);
    });
  });

  describe('right answers', () => {
    it('appear in no call before grading', async () => {
      const paper = await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
      const secret = '机密';
      await db()
        .updateTable('homework_question')
        .set({ right_answer: secret, ques_analysis: secret })
        .where('homework_id', '=', paper.homeworkId)
        .execute();
      const { school_id } = await db()
        .selectFrom('student')
        .select('school_id')
        .where('id', '=', uid)
        .executeTakeFirstOrThrow();
      const exam = await addExam(db(), { creator: school().people.teacher.id, school: school_id });
      await db()
        .updateTable('exam_question')
        .set({ right_answer: secret, ques_analysis: secret })
        .where('exam_id', '=', exam.id)
        .execute();
      const { token } = await issueServiceToken(db(), { name: '学习端', now: noon });
      const client = learnerClient(school(), token);
      const ids: Record<string, number> = {
        hwId: paper.homeworkId,
        examId: exam.id,
        noticeId: 1,
        postId: 1,
        fileId: 1,
        year: 2026,
        month: 11,
        name: 1,
      };
      const answers: string[] = [];
      const keep = ({ body }: Answer) => answers.push(typeof body === 'string' ? body : JSON.stringify(body));
      const readAll = async () => {
        for (const { call } of learnerApiDescription.subjects.flatMap((subject) => subject.calls)) {
          if (call.method !== 'GET') continue;
          const path = String(call.path)
            .replace('/api/app/', '')
            .replace(/:(\w+)/g, (_, name: string) => {
              const id = ids[name];
              if (id === undefined) throw new Error(`which ${name} is asked for?`);
              return String(id);
            });
          keep(await client.get(`${path}?uid=${uid}`));
        }
      };
      const essay = { ques_id: paper.questions.essay, user_answer: { content: '解' } };
      await readAll();
      keep(await client.post(`homework/${paper.homeworkId}/draft`, { uid, version: 0, answers: [essay] }));
      keep(await client.post(`homework/${paper.homeworkId}/draft`, { uid, version: 0, answers: [] }));
      keep(await client.post(`exams/${exam.id}/start`, { uid }));
      const first = { ques_id: exam.questions[0], user_answer: '1' };
      keep(await client.post(`exams/${exam.id}/answers`, { uid, answers: [first] }));
      await readAll();
      keep(await client.post(`homework/${paper.homeworkId}/submission`, { uid, answers: [essay] }));
      keep(
        await client.post(`exams/${exam.id}/submission`, {
          uid,
          answers: [{ ques_id: exam.questions[5], user_answer: { content: '解' } }],
        }),
      );
      await readAll();
      expect(answers.length).toBeGreaterThan(40);
      const leaking = answers.filter((answer) => /机密|is_right|right_answer|ques_analysis|answer_html/.test(answer));
      expect(leaking).toEqual([]);
      // Proves that the check above would find the score: after grading it appears.
      await db().updateTable('report').set({ status: 3 }).where('homework_id', '=', paper.homeworkId).execute();
      await db().updateTable('homework').set({ right_answers: 2 }).where('id', '=', paper.homeworkId).execute();
      expect(JSON.stringify((await client.get(`homework/${paper.homeworkId}?uid=${uid}`)).body)).toContain(secret);
    });
  });
});
