/** Tests that changes by staff write readable history rows. */
import { beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { pdfWithTable } from '../files/samples.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

interface Row {
  action_name: string;
  who: string;
  changes: unknown[];
}

onBothEngines('history rows', (school) => {
  const historyOf = async (record: string, id: number): Promise<Row[]> =>
    (await school().as('admin').get(`history?record=${record}&record_id=${id}`)).body.data.list;
  const rows = async (record: string, id: number) =>
    (await historyOf(record, id)).map(({ action_name, who }) => `${who} ${action_name}`);
  const changes = async (record: string, id: number) => (await historyOf(record, id)).map((row) => row.changes);

  it('record every change of a notice from its posting on', async () => {
    const { k1 } = school().classes;
    await school()
      .database.db.insertInto('class_staff')
      .values({ class_id: k1, staff_id: school().people.assist.id, duty: 'head' })
      .onConflict((known) => known.doNothing())
      .execute();
    const notice = { class_id: k1, title: '期中安排', content: '<p>周一</p>' };
    const { id } = (await school().as('assist').post('announcement', notice)).body.data;
    expect(await rows('class_notice', id)).toEqual(['姓名assist 发布']);
  });

  it('record posts and comments', async () => {
    const teacher = school().as('teacher');
    const post = (await teacher.post('community/post', { class_id: school().classes.k1, content: '开学了' })).body.data
      .id;
    const comment = (await teacher.post('community/comment', { post_id: post, content: '好' })).body.data.id;
    expect(await rows('community_post', post)).toEqual(['姓名teacher 发布']);
    expect(await rows('community_comment', comment)).toEqual(['姓名teacher 添加']);
  });

  it('record likes, bookmarks and reports of a post, each once, and their removal', async () => {
    const { k1 } = school().classes;
    const post = (await school().as('assist').post('community/post', { class_id: k1, content: '运动会' })).body.data.id;
    const teacher = school().as('teacher');
    await teacher.put(`community/like/${post}`, { is_like: 1 });
    await teacher.put(`community/like/${post}`, { is_like: 1 });
    await teacher.put(`community/like/${post}`, { is_like: 0 });
    await teacher.put(`community/like/${post}`, { is_like: 0 });
    const { collect_id } = (await teacher.post('community/collect', { post_id: post })).body.data;
    await teacher.post('community/collect', { post_id: post });
    await teacher.put(`community/collect/${collect_id}`);
    expect((await teacher.put(`community/collect/${collect_id}`)).status).toBe(404);
    await teacher.post('community/report', { post_id: post, type: 1, content: '广告' });
    expect((await teacher.post('community/report', { post_id: post, type: 1, content: '广告' })).status).toBe(409);
    expect(await rows('community_post', post)).toEqual([
      '姓名teacher 举报',
      '姓名teacher 取消收藏',
      '姓名teacher 收藏',
      '姓名teacher 取消点赞',
      '姓名teacher 点赞',
      '姓名assist 发布',
    ]);
  });

  it("record changes of a grader's pinned comments, and no unchanged ones", async () => {
    const { id } = school().people.assist;
    const grader = school().as('assist');
    const pinned = { ...(await grader.get('hw/review/pinned')).body.data };
    const [first = ''] = Object.keys(pinned);
    expect((await grader.put('hw/review/pinned', { ...pinned, [first]: '书写工整' })).status).toBe(200);
    expect((await grader.put('hw/review/pinned', { ...pinned, [first]: '书写工整' })).status).toBe(200);
    expect(await rows('staff', id)).toEqual(['姓名assist 修改常用评语']);
    expect(await changes('staff', id)).toEqual([[{ name: '按键', before: '', after: first.toUpperCase() }]]);
  });

  describe('history of courseware', () => {
    let category: number;
    let lesson: number;
    const teacher = () => school().as('teacher');
    const upload = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ware_type: '1', ...fields })) form.set(name, value);
      form.set('file', new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf'));
      expect((await teacher().post('courseWare/upload', form)).status).toBe(200);
      return (await teacher().get('courseWare')).body.data.list[0]?.id;
    };
    beforeAll(async () => {
      const { db } = school().database;
      const made = db.insertInto('ware_classify').values({ name: '同步', sort: 1 }).returning('id');
      category = (await made.executeTakeFirstOrThrow()).id;
      lesson = await insertSession(school());
    });

    it('records library uploads, edits and deletions; ids are never reused', async () => {
      const classify_id = String(category);
      const id = await upload({ classify_id, ware_name: '第一讲' });
      const edited = { classify_id: category, ware_name: '第二讲', ware_desc: '' };
      expect((await teacher().put(`courseWare/library/${id}`, edited)).status).toBe(200);
      // An unchanged edit writes no row.
      expect((await teacher().put(`courseWare/library/${id}`, edited)).status).toBe(200);
      expect((await teacher().delete(`courseWare/library/${id}`)).status).toBe(200);
      const noted = ['姓名teacher 删除', '姓名teacher 修改', '姓名teacher 添加'];
      expect(await rows('courseware', id)).toEqual(noted);
      expect((await changes('courseware', id))[1]).toEqual([{ name: '课件名称', before: '第一讲', after: '第二讲' }]);
      const next = await upload({ classify_id, ware_name: '第三讲' });
      expect(next).toBeGreaterThan(id);
      expect(await rows('courseware', id)).toEqual(noted);
    });

    it('records files of a lesson: chosen, uploaded and removed', async () => {
      const ware = await upload({ classify_id: String(category), ware_name: '选中的' });
      const chosen = { times_id: lesson, ware_id: ware };
      expect((await teacher().post('courseWare', chosen)).status).toBe(200);
      // This courseware was chosen before, so nothing changes.
      expect((await teacher().post('courseWare', chosen)).status).toBe(200);
      await upload({ times_id: String(lesson), ware_name: '只给这节课', is_sync: '2' });
      const [{ id }] = (await teacher().get(`courseWare/lesson?times_id=${lesson}`)).body.data;
      expect((await teacher().delete(`courseWare/${id}`)).status).toBe(200);
      expect(await rows('class_session', lesson)).toEqual([
        '姓名teacher 移除课件',
        '姓名teacher 添加课件',
        '姓名teacher 添加课件',
      ]);
      expect(await changes('class_session', lesson)).toEqual([
        [{ name: '课件', before: '选中的', after: '' }],
        [{ name: '课件', before: '', after: '只给这节课' }],
        [{ name: '课件', before: '', after: '选中的' }],
      ]);
    });
  });

  it('record a talk with a student, under its lesson', async () => {
    const lesson = await insertSession(school());
    const [user_id] = school().students.k1;
    const talk = { user_id, content: '课后沟通' };
    expect((await school().as('teacher').post(`schedule/communication/${lesson}`, talk)).status).toBe(200);
    expect(await rows('class_session', lesson)).toEqual(['姓名teacher 添加沟通记录']);
  });

  it('record devices that a person signs out', async () => {
    const { id } = school().people.otherTeacher;
    const { db } = school().database;
    const person = school().as('otherTeacher');
    for (const device of ['一', '二', '三']) await issueToken(db, id, { device, address: '127.0.0.1', now: noon });
    const devices: { id: number; is_current: number }[] = (await person.get('account/devices')).body.data;
    const other = devices.find(({ is_current }) => is_current === 0)?.id;
    expect((await person.delete(`account/devices/${other}`)).status).toBe(200);
    expect((await person.delete('account/devices')).status).toBe(200);
    // The second call finds no device left.
    expect((await person.delete('account/devices')).status).toBe(200);
    expect(await changes('staff', id)).toEqual([
      [{ name: '结束登录的设备数', before: '', after: '2' }],
      [{ name: '结束登录的设备数', before: '', after: '1' }],
    ]);
  });

  it('record a calendar address, created and revoked', async () => {
    const teacher = school().as('teacher');
    expect((await teacher.post('calendar/feed', {})).status).toBe(200);
    expect((await teacher.delete('calendar/feed')).status).toBe(200);
    expect(await rows('staff', school().people.teacher.id)).toEqual([
      '姓名teacher 停用日历订阅地址',
      '姓名teacher 更换日历订阅地址',
    ]);
  });

  it('record changes of own questions: added, edited, bookmarked, reported and deleted', async () => {
    const written = {
      ques_type: 1,
      ques_stem: '<p>一加一</p>',
      ques_option: [
        { id: 1, content: '1', is_right: 2 },
        { id: 2, content: '2', is_right: 1 },
      ],
      right_answer: '2',
      ques_analysis: '',
      facility_value: 3,
      remark: '',
    };
    const teacher = school().as('teacher');
    const { id } = (await teacher.post('ques/add', written)).body.data;
    expect((await teacher.put(`ques/update/${id}`, { ...written, facility_value: 4 })).status).toBe(200);
    // An unchanged edit writes no row.
    expect((await teacher.put(`ques/update/${id}`, { ...written, facility_value: 4 })).status).toBe(200);
    const { collect_id } = (await teacher.post('/api/app/collect', { ques_id: id, type: 3 })).body.data;
    await teacher.post('/api/app/collect', { ques_id: id, type: 3 });
    expect((await teacher.put(`/api/app/collect/cancel/${collect_id}/3`)).status).toBe(200);
    const mistake = { ques_id: id, type: 3, error_msg: '答案应为2' };
    expect((await teacher.post('/api/app/myExam/correction', mistake)).status).toBe(200);
    const { id: reported } = await school()
      .database.db.selectFrom('question_correction')
      .select('id')
      .where('question_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await rows('question_correction', reported)).toEqual(['姓名teacher 提交纠错']);
    expect((await teacher.delete(`ques/del/${id}`)).status).toBe(200);
    expect(await rows('question', id)).toEqual([
      '姓名teacher 删除',
      '姓名teacher 取消收藏',
      '姓名teacher 收藏',
      '姓名teacher 修改',
      '姓名teacher 添加',
    ]);
    const stored = await school()
      .database.db.selectFrom('history')
      .select(['before', 'after'])
      .where('record', '=', 'question')
      .where('record_id', '=', id)
      .where('action', '=', 'edit')
      .where('at', '=', noon)
      .execute();
    expect(stored).toEqual([{ before: '{"facility_value":3}', after: '{"facility_value":4}' }]);
  });
});
