/** Administration's decisions: handouts, reported posts, reported questions, public questions. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addAdmin, addBoundAdmin, type BoundAdmin } from '../support/bound-admin.ts';
import { addHandout } from '../support/handouts.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { expectCommunityCountersToBeRight } from '../support/recount-community.ts';
import { type Answer, day, noon, outcomeOf } from '../support/school.ts';

const idsOf = ({ body }: Answer) => body.data.list.map(({ id }: { id: number }) => id);

const single = {
  ques_type: 1,
  ques_stem: '1+1=?',
  ques_option: [
    { id: 1, content: '1', is_right: 2 },
    { id: 2, content: '2', is_right: 1 },
  ],
  right_answer: '2',
  ques_analysis: '',
  facility_value: 1,
  remark: '原注',
};

onBothEngines('decisions', (opened) => {
  const school = () => opened();
  const db = () => opened().database.db;
  const admin = () => opened().as('admin');
  let there: BoundAdmin;
  let second: Omit<BoundAdmin, 'school'>;
  let own: number;
  beforeAll(async () => {
    own = (await db().selectFrom('school').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id;
    there = await addBoundAdmin(school(), { can_people: 1, can_teaching: 1 });
    second = await addAdmin(school(), { school_id: own, can_people: 1, can_teaching: 1 });
    const { classes, people } = school();
    await db()
      .insertInto('class_staff')
      .values({ class_id: classes.k1, staff_id: people.teacher.id, duty: 'head' })
      .execute();
  });
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
  const callEach = async (): Promise<Answer[]> =>
    Promise.all(
      [
        ['GET', 'handouts'],
        ['POST', 'handouts/decide'],
        ['GET', 'corrections'],
        ['GET', 'questions'],
        ['POST', 'questions/share'],
        ['GET', 'posts/reported'],
        ['GET', 'history'],
      ].map(([method = '', path = '']) =>
        school().ask(`/api/admin/${path}`, {
          method,
          headers: { authorization: `Bearer ${school().people.teacher.token}`, 'content-type': 'application/json' },
          ...(method === 'POST' && { body: '{}' }),
        }),
      ),
    );

  it('are refused to lecturers, and to administrators without the permission', async () => {
    expect((await callEach()).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403]);
    const none = await addAdmin(school(), { school_id: own });
    expect(outcomeOf(await none.ask('GET', 'handouts'))).toEqual([403, '您没有管理教学的权限']);
    expect(outcomeOf(await none.ask('GET', 'posts/reported'))).toEqual([403, '您没有管理人员的权限']);
    const overview = (await none.ask('GET', 'overview')).body.data;
    expect([overview.handouts_waiting, overview.corrections_waiting, overview.reports_waiting]).toEqual([0, 0, 0]);
  });

  describe('decisions on handouts', () => {
    const lesson = (name = '讲义') => addHandout(school(), name);
    const decide = (body: object) => admin().post('handouts/decide', body);
    const lecturerSees = async (id: number) =>
      (await school().as('teacher').get(`teacherSchedule/detailClassTime/${id}`)).body.data;

    it('apply to several at once, and are visible to the lecturer', async () => {
      const [one, two] = [await lesson('甲'), await lesson('乙')];
      expect(idsOf(await admin().get('handouts'))).toEqual([one, two]);
      expect((await admin().get('overview')).body.data.handouts_waiting).toBe(2);
      expect(outcomeOf(await decide({ ids: [one, two], status: 4 }))).toEqual([422, '请填写驳回原因']);
      expect(outcomeOf(await decide({ ids: [], status: 1 }))).toEqual([422, '请选择讲义']);
      expect((await decide({ ids: [one], status: 4, reason: '长'.repeat(201) })).body.errors).toEqual({
        reason: ['驳回原因不能超过200个字'],
      });
      expect(outcomeOf(await decide({ ids: [one, two], status: 4, reason: ' 缺 例题 ' }))).toEqual([200, '审核成功']);
      expect(await lecturerSees(one)).toMatchObject({ file_status: 4, file_remark: '缺 例题' });
      expect((await school().as('teacher').get('workbench')).body.data.handouts).toHaveLength(2);
      expect(idsOf(await admin().get('handouts'))).toEqual([]);
      expect((await admin().get('handouts?state=rejected')).body.data.list[0]).toMatchObject({
        decided_by: '姓名admin',
        decided_at: noon,
        file_remark: '缺 例题',
      });
      expect((await historyOf('class_session', one)).at(-1)).toEqual([
        'handout-reject',
        { file_name: '甲.pdf', handout_status: 3 },
        { file_name: '甲.pdf', handout_status: 4, file_remark: '缺 例题' },
      ]);
    });

    it("are refused to the second decider, with the first one's name and time", async () => {
      const id = await lesson('丙');
      expect((await decide({ ids: [id], status: 1 })).status).toBe(200);
      expect(outcomeOf(await second.ask('POST', 'handouts/decide', { ids: [id], status: 1 }))).toEqual([
        409,
        '《丙.pdf》已由姓名admin于12:00审核通过',
      ]);
      await db()
        .updateTable('session_handout')
        .set({ decided_at: noon - day })
        .where('session_id', '=', id)
        .execute();
      expect(outcomeOf(await second.ask('POST', 'handouts/decide', { ids: [id], status: 1 }))[1]).toBe(
        '《丙.pdf》已由姓名admin于11-19 12:00审核通过',
      );
    });

    it('are refused for a file replaced since, and for another school', async () => {
      const id = await lesson('丁');
      const [row] = (await admin().get(`handouts?ids=${id}`)).body.data.list;
      await db()
        .updateTable('session_handout')
        .set({ uploaded_at: noon + 5 })
        .where('session_id', '=', id)
        .execute();
      expect(outcomeOf(await decide({ ids: [id], status: 1, seen: row.seen }))).toEqual([
        409,
        '姓名teacher刚刚重新上传了讲义《丁.pdf》，请查看后再审核',
      ]);
      expect((await there.ask('POST', 'handouts/decide', { ids: [id], status: 1 })).status).toBe(404);
      expect((await there.ask('GET', `handouts/${id}/file`)).status).toBe(404);
      expect((await there.ask('GET', 'handouts?state=all')).body.data.total).toBe(0);
      await db().updateTable('class_session').set({ cancelled_at: noon }).where('id', '=', id).execute();
      expect(outcomeOf(await decide({ ids: [id], status: 1 }))).toEqual([409, '《丁.pdf》的课次已取消，不需要审核']);
    });

    it('are undone within ten minutes', async () => {
      school().setNow(noon + 1000);
      const id = await lesson('戊');
      const { at } = (await decide({ ids: [id], status: 1 })).body.data;
      expect((await admin().get('handouts/undoable')).body.data[0]).toMatchObject({ at, count: 1, name: '戊.pdf' });
      expect((await second.ask('POST', `handouts/undo/${at}`)).status).toBe(409);
      expect(outcomeOf(await admin().post(`handouts/undo/${at}`))).toEqual([200, '已撤销，讲义重新等待审核']);
      expect(await lecturerSees(id)).toMatchObject({ file_status: 3 });
      const again = (await decide({ ids: [id], status: 1 })).body.data.at;
      school().setNow(noon + 1000 + 601);
      expect(outcomeOf(await admin().post(`handouts/undo/${again}`))).toEqual([
        409,
        '已超过十分钟，或已有新的操作，不能撤销',
      ]);
    });
  });

  describe('decisions on reported posts', () => {
    const post = async () => {
      const { id } = (
        await school().as('teacher').post('community/post', { class_id: school().classes.k1, content: '卖答案' })
      ).body.data;
      await school().as('assist').post('community/comment', { post_id: id, content: '加我' });
      await school().as('assist').put(`community/like/${id}`, {});
      await school().as('assist').post('community/report', { post_id: id, type: 1, content: '广告' });
      return id as number;
    };
    const showReported = async (id: number) => (await admin().get(`posts/reported/${id}`)).body.data;
    const numOf = async (id: number) =>
      (await db().selectFrom('community_post').select('report_num').where('id', '=', id).executeTakeFirstOrThrow())
        .report_num;

    it('delete a post with its comments after confirmation, and restore it', async () => {
      const id = await post();
      expect((await admin().get('posts/reported')).body.data.list[0]).toMatchObject({ id, reports: 1, types: [1] });
      const told = await admin().post(`posts/reported/${id}/delete`, {});
      expect([told.status, told.body.data.acknowledged]).toEqual([409, '1条评论和1个赞将一起不再显示']);
      expect((await there.ask('POST', `posts/reported/${id}/delete`, told.body.data)).status).toBe(404);
      expect((await admin().post(`posts/reported/${id}/delete`, told.body.data)).status).toBe(200);
      expect((await school().as('assist').get(`community/post/${id}`)).status).toBe(404);
      expect(outcomeOf(await second.ask('POST', `posts/reported/${id}/dismiss`))).toEqual([
        409,
        '该帖子已由姓名admin于12:00删除',
      ]);
      await expectCommunityCountersToBeRight(db());
      expect((await second.ask('POST', `posts/reported/${id}/undo`)).status).toBe(409);
      expect((await admin().post(`posts/reported/${id}/undo`)).status).toBe(200);
      expect((await school().as('assist').get(`community/post/${id}`)).status).toBe(200);
      expect(await showReported(id)).toMatchObject({ state: 'waiting', waiting: 1 });
      await expectCommunityCountersToBeRight(db());
      expect((await historyOf('community_post', id)).map(([action]) => action)).toEqual([
        'publish',
        'like',
        'report',
        'delete',
        'undo',
      ]);
    });

    it('dismiss all reports of a post together', async () => {
      const id = await post();
      await school().as('plainTeacher').post('community/report', { post_id: id, type: 2, content: '' });
      const { waiting } = await showReported(id);
      expect((await admin().post(`posts/reported/${id}/dismiss`)).status).toBe(200);
      expect(await showReported(id)).toMatchObject({ state: 'dismissed', waiting: 0, decided_by: '姓名admin' });
      expect(await numOf(id)).toBe(0);
      expect(outcomeOf(await second.ask('POST', `posts/reported/${id}/delete`, {}))).toEqual([
        409,
        '该帖子的举报已由姓名admin于12:00驳回',
      ]);
      expect((await admin().post(`posts/reported/${id}/undo`)).status).toBe(200);
      expect(await numOf(id)).toBe(waiting);
      await expectCommunityCountersToBeRight(db());
    });

    it('delete a single comment', async () => {
      const id = await post();
      const [comment] = (await showReported(id)).comments;
      expect((await admin().delete(`posts/reported/${id}/comments/${comment.id}`)).status).toBe(200);
      expect((await admin().delete(`posts/reported/${id}/comments/${comment.id}`)).status).toBe(404);
      expect((await showReported(id)).comments).toEqual([]);
      await expectCommunityCountersToBeRight(db());
    });

    it('are unnecessary once the head teacher has deleted the post', async () => {
      const id = await post();
      await school().as('teacher').delete(`community/post/${id}`);
      expect(outcomeOf(await admin().post(`posts/reported/${id}/dismiss`))).toEqual([
        409,
        '该帖子已由姓名teacher于12:00删除',
      ]);
    });
  });

  describe('decisions on questions', () => {
    const addQuestion = async (more: object = {}) =>
      (
        await school()
          .as('teacher')
          .post('ques/add', { ...single, ...more })
      ).body.data.id as number;
    const share = (body: object) => admin().post('questions/share', body);
    const reportQuestion = async (id: number) => {
      const sent = await school()
        .as('assist')
        .post('/api/app/myExam/correction', { ques_id: id, type: 3, error_msg: '答案应为1' });
      expect(sent.status).toBe(200);
      const { id: errorReport } = await db()
        .selectFrom('question_correction')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return errorReport;
    };

    it('publish, move and withdraw a question, with the consequences named', async () => {
      const id = await addQuestion({ ques_stem: '公共的题' });
      const { id: point } = await db()
        .insertInto('knowledge_point')
        .values({ name: '集合', parent_id: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(idsOf(await admin().get('questions?bank=own&ques_stem=公共的'))).toEqual([id]);
      expect((await share({ ids: [id], is_public: 1, point_id: 9999 })).body.errors).toEqual({
        point_id: ['知识点不存在'],
      });
      expect(outcomeOf(await share({ ids: [id], is_public: 1, point_id: point }))).toEqual([200, '保存成功']);
      expect(idsOf(await school().as('assist').post('ques/public', { point_id: point }))).toEqual([id]);
      expect(idsOf(await admin().get(`questions?point_id=${point}`))).toEqual([id]);
      expect(outcomeOf(await second.ask('POST', 'questions/share', { ids: [id], is_public: 1 }))).toEqual([
        409,
        '姓名admin已将所选题目设为公共题目',
      ]);
      await school().as('assist').post('/api/app/collect', { ques_id: id, type: 3 });
      const told = await share({ ids: [id], is_public: 0 });
      expect([told.status, told.body.data]).toEqual([
        409,
        { acknowledged: '1人次收藏了所选题目，撤回后不能再看到和使用' },
      ]);
      expect((await admin().get(`questions/share/effect?ids=${id}&is_public=0`)).body.data.effect).toBe(
        told.body.data.acknowledged,
      );
      expect((await share({ ids: [id], is_public: 0, ...told.body.data })).body.data).toEqual({ count: 1 });
      expect((await admin().post('questions/move', { ids: [id] })).body.data).toEqual({ count: 1 });
      expect((await historyOf('question', id)).map(([action]) => action)).toEqual([
        'add',
        'share',
        'collect',
        'withdraw',
        'move',
      ]);
      for (const path of ['questions/share', 'questions/move'])
        expect((await there.ask('POST', path, { ids: [id], is_public: 1 })).status).toBe(404);
      expect((await there.ask('GET', `questions/${id}`)).status).toBe(404);
      expect(idsOf(await there.ask('GET', 'questions?bank=own'))).toEqual([]);
      expect(idsOf(await second.ask('GET', 'questions?bank=own&owner=teacher&ques_stem=公共的'))).toEqual([id]);
      expect(outcomeOf(await share({ ids: [], is_public: 1 }))).toEqual([422, '请先选择题目']);
    });

    it('correct a question after naming its running uses, which keep their copy', async () => {
      const id = await addQuestion({ ques_stem: '要改的题' });
      await share({ ids: [id], is_public: 1 });
      const errorReport = await reportQuestion(id);
      const other = await reportQuestion(id);
      const homework = await school().addHomework({ creator: 'teacher', classes: [school().classes.k1] });
      await db()
        .insertInto('homework_question')
        .values({
          homework_id: homework,
          source_id: id,
          parent_id: null,
          sort: 1,
          ques_type: 1,
          ques_stem: '要改的题',
          score: 10,
        })
        .execute();
      const shown = (await admin().get(`corrections/${errorReport}`)).body.data;
      expect(shown).toMatchObject({ outcome: null, others: 1, reporter: '姓名assist', question: { remark: '原注' } });
      expect(shown.effect).toMatch(/^1份未截止的作业（\d名学员）用了这道题，保留原来的内容；以后布置的用更正后的题目$/);
      expect((await there.ask('GET', `corrections/${errorReport}`)).status).toBe(404);
      const body = { ...single, ques_stem: '改好的题', seen: shown.seen };
      const editQuestion = (more: object) => admin().put(`corrections/${errorReport}/question`, { ...body, ...more });
      expect((await editQuestion({ ques_stem: '' })).body.errors.ques_stem).toBeDefined();
      expect((await editQuestion({})).body.data).toEqual({ acknowledged: shown.effect });
      // The owner edits the question meanwhile. A change of another field is kept, a change of the same field is a
      // conflict.
      await school()
        .as('teacher')
        .put(`ques/update/${id}`, { ...single, ques_stem: '我也改', remark: '新注' });
      const both = await editQuestion({ acknowledged: shown.effect });
      expect(both.status).toBe(409);
      expect(both.body.data.conflicts).toEqual([{ field: 'ques_stem', theirs: '我也改', yours: '改好的题' }]);
      const done = await editQuestion({ acknowledged: shown.effect, seen: both.body.data.seen, remark: '新注' });
      expect(outcomeOf(done)).toEqual([200, '题目已更正']);
      const [kept] = (await school().as('teacher').get(`ques/show/${id}`)).body.data;
      expect(kept).toMatchObject({ ques_stem: '改好的题', remark: '新注', is_public: 1 });
      expect(outcomeOf(await second.ask('POST', `corrections/${other}/answer`, { outcome: 3 }))).toEqual([
        409,
        '该纠错已由姓名admin于12:00处理：已更正',
      ]);
      expect((await historyOf('question', id)).at(-1)).toEqual([
        'correct',
        { ques_stem: '我也改' },
        { ques_stem: '改好的题' },
      ]);
      const own = (await school().as('assist').get(`ques/corrections/${id}`)).body.data;
      expect(own.map(({ outcome }: { outcome: number }) => outcome)).toEqual([1, 1]);
    });

    it('answer the reporter, and undo that answer', async () => {
      const id = await addQuestion();
      await share({ ids: [id], is_public: 1 });
      const errorReport = await reportQuestion(id);
      const answer = (body: object) => admin().post(`corrections/${errorReport}/answer`, body);
      expect((await answer({ outcome: 2 })).body.errors).toEqual({ reply: ['请输入回复内容'] });
      expect((await answer({ reply: 'x' })).body.errors).toEqual({ outcome: ['请选择回复或驳回'] });
      expect((await answer({ outcome: 2, reply: '长'.repeat(501) })).status).toBe(422);
      expect((await answer({ outcome: 2, reply: '答案没有错' })).status).toBe(200);
      expect((await school().as('assist').get(`ques/corrections/${id}`)).body.data[0]).toMatchObject({
        outcome: 2,
        reply: '答案没有错',
        decided_by: '姓名admin',
      });
      expect((await school().as('otherAssist').get(`ques/corrections/${id}`)).body.data).toEqual([]);
      expect((await second.ask('POST', `corrections/${errorReport}/undo`)).status).toBe(409);
      expect((await admin().post(`corrections/${errorReport}/undo`)).status).toBe(200);
      expect(idsOf(await admin().get('corrections'))).toContain(errorReport);
      // A report about a deleted question can be answered, but the question can no longer be corrected.
      await school().as('teacher').delete(`ques/del/${id}`);
      expect(outcomeOf(await admin().put(`corrections/${errorReport}/question`, single))).toEqual([
        409,
        '题目已删除，不能更正，可以回复或驳回',
      ]);
      expect((await answer({ outcome: 3 })).status).toBe(200);
    });
  });
});
