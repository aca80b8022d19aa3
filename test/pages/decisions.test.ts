/** Administrators' pending decisions and the history, without client JS. */
import { describe, expect } from 'vitest';
import { recordHistory } from '#server/platform/db/history.ts';
import { formOf } from '../support/app.ts';
import { addHandout } from '../support/handouts.ts';
import { noon, type TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

async function addReported({ people, as, database: { db } }: TestSchool, stem: string): Promise<number> {
  const question = await as('teacher').post('ques/add', {
    ques_type: 5,
    ques_stem: stem,
    right_answer: '略',
    facility_value: 1,
  });
  const ques_id = question.body.data.id;
  await as('admin').post('questions/share', { ids: [ques_id], is_public: 1 });
  await as('assist').post('/api/app/myExam/correction', { ques_id, type: 1, error_msg: '少了条件' });
  const { id } = await db
    .selectFrom('question_correction')
    .select('id')
    .where('staff_id', '=', people.assist.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

describe('pending decisions', () => {
  it("appear on administrators' home pages alone", async ({ school, admin, teacher }) => {
    await addHandout(school, '首页');
    expect((await admin.get('/admin')).text).toMatch(/讲义待审核 1.*题目纠错 0.*帖子举报 0/);
    for (const address of ['/admin/waiting/handouts', '/admin/waiting/posts', '/admin/waiting/questions'])
      expect([(await teacher.get(address)).status, (await admin.get(address)).status]).toEqual([403, 200]);
    await school.database.db.deleteFrom('session_handout').execute();
  });

  it('reject a handout with a required reason, and undo that', async ({ school, admin }) => {
    const id = await addHandout(school, '第一课');
    const list = await admin.get('/admin/waiting/handouts');
    expect(list.text).toContain('第一课.pdf');
    const address = `/admin/waiting/handouts/decide?ids=${id}&status=4`;
    const { fields } = formOf(await admin.get(address), '确定驳回');
    const empty = await admin.post(address, withFields(fields, { reason: '' }));
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('请填写驳回原因')]);
    const done = await admin.follow(await admin.post(address, withFields(fields, { reason: '缺少例题' })));
    expect(done.text).toContain('没有待审核的讲义');
    expect(done.text).toContain('已驳回 1 份讲义');
    const undo = formOf(done, '撤销');
    const undone = await admin.follow(
      await admin.post('/admin/waiting/handouts', [...undo.fields, ['intent', `undo ${noon}`]]),
    );
    expect(undone.text).toContain('第一课.pdf');
    // A colleague has decided the same record first.
    const again = formOf(await admin.get(address), '确定驳回').fields;
    await school.as('admin').post('handouts/decide', { ids: [id], status: 1 });
    expect((await admin.get(address)).text).toContain('已由他人处理');
    const late = await admin.post(address, withFields(again, { reason: '缺少例题' }));
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('审核通过')]);
    const none = await admin.get('/admin/waiting/handouts/decide?status=1');
    expect(none.text).toContain('请先勾选待审核的讲义');
  });

  it('show the formula in the stem of a reported question', async ({ school, admin }) => {
    await addReported(school, '函数$f(x)=\\sqrt{x-1}$的定义域是');
    const { html, text } = await admin.get('/admin/waiting/questions');
    expect(html).toContain('<msqrt>');
    expect(text).not.toContain('\\sqrt{x-1}$');
  });

  it('correct a reported question in its form, and inform the reporter', async ({ school, admin, assist }) => {
    const id = await addReported(school, '已知a，求b');
    const detail = await admin.get(`/admin/waiting/questions/detail?id=${id}`);
    expect(detail.text).toContain('少了条件');
    const address = `/admin/waiting/questions/edit?id=${id}`;
    const { fields } = formOf(await admin.get(address), '保存');
    const save = (more: Record<string, string>) =>
      admin.post(address, [...withFields(fields, more), ['intent', 'save']]);
    const wrong = await save({ ques_stem: '' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请完善信息')]);
    const done = await admin.follow(await save({ ques_stem: '已知a=1，求b' }));
    expect(done.text).toContain('题目已更正');
    expect((await admin.get(address)).status).toBe(409);
    const { question_id } = await school.database.db
      .selectFrom('question_correction')
      .select('question_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect((await assist.get(`/homework/question?id=${question_id}`)).text).toMatch(/我的纠错.*少了条件.*已更正/);
  });

  it('answer or dismiss a reported question', async ({ school, admin }) => {
    const id = await addReported(school, '另一题');
    const address = `/admin/waiting/questions/detail/answer?id=${id}&outcome=2`;
    const { fields } = formOf(await admin.get(address), '确定回复');
    expect((await admin.post(address, withFields(fields, { reply: '' }))).text).toContain('请输入回复内容');
    const done = await admin.follow(await admin.post(address, withFields(fields, { reply: '条件在上一题' })));
    expect(done.text).toContain('条件在上一题');
    expect(done.text).toContain('前可以撤销');
  });

  it('delete a post after naming its comments', async ({ school, admin }) => {
    const { id } = (
      await school.as('teacher').post('community/post', { class_id: school.classes.k1, content: '代写作业' })
    ).body.data;
    await school.as('assist').post('community/comment', { post_id: id, content: '加我' });
    await school.as('assist').post('community/report', { post_id: id, type: 1, content: '广告' });
    expect((await admin.get('/admin/waiting/posts')).text).toContain('代写作业');
    const address = `/admin/waiting/posts/detail/delete?id=${id}`;
    const dialog = await admin.get(address);
    expect(dialog.text).toContain('1条评论将一起不再显示');
    const done = await admin.follow(await admin.post(address, formOf(dialog, '确定删除').fields));
    expect(done.text).toContain('帖子已删除');
    expect((await admin.get(address)).status).toBe(409);
    expect((await admin.get('/admin/waiting/posts/detail?id=999')).status).toBe(404);
  });

  it('publish and move several questions', async ({ school, admin }) => {
    const add = async (ques_stem: string) =>
      (await school.as('teacher').post('ques/add', { ques_type: 5, ques_stem, right_answer: '略', facility_value: 1 }))
        .body.data.id as number;
    const ids = [await add('未公开一'), await add('未公开二')];
    const { id: point } = await school.database.db
      .insertInto('knowledge_point')
      .values({ name: '集合', parent_id: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await admin.get('/admin/questions?bank=own&ques_stem=未公开')).text).toContain('未公开二');
    const address = `/admin/questions/share?bank=own&chosen=${ids.join(',')}`;
    const { fields } = formOf(await admin.get(address), '确定设为公共');
    await admin.follow(await admin.post(address, withFields(fields, { point_id: String(point) })));
    const list = await admin.get(`/admin/questions?point_id=${point}`);
    expect(list.text).toMatch(/未公开二.*未公开一/);
    const moving = `/admin/questions/move?chosen=${ids[0]}`;
    const moved = await admin.post(
      moving,
      withFields(formOf(await admin.get(moving), '确定移动').fields, { point_id: '' }),
    );
    expect((await admin.follow(moved)).text).toContain('保存成功');
    expect((await admin.get(`/admin/questions/detail?id=${ids[0]}`)).text).toContain('未公开一');
  });
});

describe('the history', () => {
  it('describes events in words, and links to their record', async ({ school, admin, teacher }) => {
    await recordHistory(school.database.db, {
      actor: school.people.admin,
      now: noon,
      record: 'staff',
      recordId: school.people.teacher.id,
      action: 'edit',
      before: { mobile: '' },
      after: { mobile: '13900000000' },
    });
    const page = await admin.get('/admin/history?action=edit');
    expect(page.text).toMatch(/姓名admin.*修改.*姓名teacher.*手机号：13900000000/);
    const href = `/admin/staff/detail?id=${school.people.teacher.id}`;
    expect(page.document.querySelector(`main a[href="${href}"]`)).not.toBeNull();
    const one = await admin.get(`/admin/history?record=staff&record_id=${school.people.teacher.id}`);
    expect(one.text).toContain('13900000000');
    expect((await teacher.get('/admin/history')).status).toBe(403);
    expect((await admin.get('/admin/history?who=nobody')).text).toContain('没有符合条件的操作记录');
    const exported = await admin.post(
      '/admin/history?action=edit',
      formOf(page, '导出').fields.concat([['intent', 'export']]),
    );
    expect([exported.status, exported.location]).toEqual([302, expect.stringMatching(/^\/exports\//)]);
  });
});
