/** Exam composition by administrators, without client JS. */
import { describe, expect } from 'vitest';
import { wordTemplate } from '#server/questions/import/template.ts';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

/** Returns the fields that the button with this intent sends. */
function pressing(page: Page, intent: string, more: Record<string, string> = {}): [string, string][] {
  const button = page.document.querySelector(`button[name=intent][value="${intent}"]`);
  if (!button) throw new Error(`no button ${intent}`);
  const fields = [...(button.closest('form') as Element).querySelectorAll('input')].map((input): [string, string] => [
    input.getAttribute('name') ?? '',
    input.getAttribute('value') ?? '',
  ]);
  return withFields(fields, { ...more, intent });
}

const idIn = (address: string | null, name = 'id') => Number(new URL(address ?? '', 'http://x').searchParams.get(name));

async function press(visitor: Visitor, page: Page, address: string, intent: string, more?: Record<string, string>) {
  return visitor.follow(await visitor.post(address, pressing(page, intent, more)));
}

/** Creates a draft with one section; returns its paper's address. */
async function drafted(admin: Visitor, name: string) {
  const form = formOf(await admin.get('/admin/exams/add'), '保存，编辑试卷');
  const added = await admin.post('/admin/exams/add', withFields(form.fields, { name, pass_score: '3' }));
  const id = idIn(added.location);
  const address = `/admin/exams/paper?id=${id}`;
  const dialog = await press(admin, await admin.get(address), address, 'section');
  const sent = withFields(formOf(dialog, '保存').fields, { name: '一、选择题' });
  const paper = await admin.follow(await admin.post(`/admin/exams/paper/section?id=${id}`, sent));
  const section = Number(/value="write (\d+)"/.exec(paper.html)?.[1]);
  return { id, address, paper, section };
}

const question = {
  ques_type: '1',
  facility_value: '3',
  'ques_option.0.content': '一',
  'ques_option.1.content': '二',
  'ques_option.2.content': '三',
  'ques_option.3.content': '四',
};

describe('exam administration', () => {
  it('appears in the navigation by permission', async ({ school, admin, teacher }) => {
    const list = await admin.get('/admin/exams');
    expect(list.text).toContain('暂无考试');
    expect(list.document.querySelector('nav[aria-label=主导航] a[href="/admin/exams"]')?.textContent).toBe('考试');
    expect((await teacher.get('/admin/exams')).status).toBe(403);
    const { db } = school.database;
    const permit = (can_exams: 0 | 1) =>
      db.updateTable('staff').set({ can_exams }).where('id', '=', school.people.admin.id).execute();
    await permit(0);
    try {
      const refused = await admin.get('/admin/exams/add');
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('您没有管理考试的权限')]);
    } finally {
      await permit(1);
    }
  });

  it('saves the particulars without losing typed text', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/exams/add'), '保存，编辑试卷');
    const wrong = await admin.post(
      '/admin/exams/add',
      withFields(form.fields, { name: '期末考试', pass_score: '六十', end_at: '不是时间' }),
    );
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('及格分应为0到10000，最多一位小数');
    expect(wrong.text).toContain('结束时间不正确');
    expect(wrong.document.querySelector('#name')?.getAttribute('value')).toBe('期末考试');
    expect(wrong.document.querySelector('#pass_score')?.getAttribute('value')).toBe('六十');
    const right = withFields(formOf(wrong, '保存，编辑试卷').fields, { pass_score: '60', end_at: '2026-11-30T18:00' });
    const paper = await admin.follow(await admin.post('/admin/exams/add', right));
    expect(paper.text).toContain('添加成功');
    expect(paper.text).toContain('试卷还没有部分');
    const list = await admin.get('/admin/exams?state=draft&name=期末');
    expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
    expect(list.text).toContain('草稿');
  });

  it('gives an exam to classes, and says so in the list and the record', async ({ admin, school }) => {
    const { k1, k2 } = school.classes;
    const { name } = await school.database.db
      .selectFrom('class')
      .select('name')
      .where('id', '=', k1)
      .executeTakeFirstOrThrow();
    const form = formOf(await admin.get('/admin/exams/add'), '保存，编辑试卷');
    const sent = withFields(form.fields, { name: '班级月考', pass_score: '3', audience: 'class' });
    const without = await admin.post('/admin/exams/add', sent);
    expect([without.status, without.text]).toEqual([422, expect.stringContaining('请选择班级')]);
    const added = await admin.post('/admin/exams/add', [...sent, ['class_ids', String(k1)]]);
    const id = idIn(added.location);
    const record = await admin.get(`/admin/exams/detail?id=${id}`);
    expect(record.text).toMatch(new RegExp(`考试对象 *${name.replaceAll(/[()（）]/g, '.')}`));
    const rows = async (class_id: number) =>
      (await admin.get(`/admin/exams?class_id=${class_id}&name=班级月考`)).document.querySelectorAll('tbody tr').length;
    expect([await rows(k1), await rows(k2)]).toEqual([1, 0]);
    const edit = await admin.get(`/admin/exams/edit?id=${id}`);
    expect(edit.document.querySelector(`#class_ids-${k1}`)?.hasAttribute('checked')).toBe(true);
    expect(edit.document.querySelector('input[name=audience][value=class]')?.hasAttribute('checked')).toBe(true);
  });

  it('composes a paper by hand; buttons keep typed scores', async ({ admin }) => {
    const { id, address, paper, section } = await drafted(admin, '手工的考试');
    expect(paper.text).toContain('一、选择题 0题，0.0 分');
    for (const stem of ['第一道', '第二道']) {
      const form = await press(admin, await admin.get(address), address, `write ${section}`);
      const to = `/admin/exams/question/add?id=${id}&section=${section}`;
      const bare = await admin.post(to, formOf(form, '保存').fields);
      expect([bare.status, bare.text]).toEqual([422, expect.stringContaining('请完善信息')]);
      const fields = withFields(formOf(form, '保存').fields, { ...question, ques_stem: stem, right_option: '1' });
      const added = await admin.follow(await admin.post(to, fields));
      expect(added.text).toContain('添加成功');
      expect(added.text).toContain(stem);
    }
    const composed = await admin.get(address);
    const scores = [...composed.document.querySelectorAll('input[name^="score-"]')].map(
      (input) => input.getAttribute('name') ?? '',
    );
    expect(scores).toHaveLength(2);
    const [first = '', second = ''] = scores;
    const wrong = await admin.post(address, pressing(composed, 'save', { [first]: '200', [second]: '2.5' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('分值应为0.1到100，最多一位小数')]);
    expect(wrong.document.querySelector(`#${second}`)?.getAttribute('value')).toBe('2.5');
    const moved = await press(admin, wrong, address, `down ${first.slice(6)}`, { [first]: '1.5' });
    expect(moved.text).toContain('总分 4.0，2题');
    expect(
      [...moved.document.querySelectorAll('input[name^="score-"]')].map((one) => one.getAttribute('name')),
    ).toEqual([second, first]);
    const each = await press(admin, moved, address, `each ${section}`, { [`each-${section}`]: '5' });
    expect(each.text).toContain('总分 10.0，2题');

    const edit = await press(admin, each, address, `edit ${first.slice(6)}`);
    expect(edit.text).toContain('编辑题目');
    const removal = await press(admin, each, address, `remove ${first.slice(6)}`);
    const to = `/admin/exams/paper/question/${first.slice(6)}?id=${id}`;
    const removed = await admin.follow(await admin.post(to, formOf(removal, '确定移除').fields));
    expect(removed.text).toContain('总分 5.0，1题');
  });

  it('picks bank questions by search and across pages', async ({ school, admin }) => {
    const teacher = school.people.teacher.id;
    const mine = [];
    for (let number = 1; number <= 12; number += 1) {
      const { body } = await school.as('teacher').post('ques/add', {
        ques_type: 2,
        ques_stem: `<p>判断${number}</p>`,
        facility_value: 2,
        right_answer: '1',
      });
      mine.push(body.data.id as number);
    }
    const { id, address, paper, section } = await drafted(admin, '选题的考试');
    const dialog = await press(admin, paper, address, `bank ${section}`);
    expect(dialog.text).toContain('老师的题库');
    const at = `/admin/exams/paper/questions?id=${id}&section=${section}&bank=colleague&owner_id=${teacher}`;
    const page = await admin.get(at);
    expect(page.document.querySelectorAll('input[name=pick]')).toHaveLength(10);
    const next = await admin.get(`${at}&page=2&picked=${mine[11]}`);
    expect(next.text).toContain('已选');
    const none = await admin.post(at, {});
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('请选择题目')]);
    const picked = await admin.follow(await admin.post(at, { picked: String(mine[11]), pick: String(mine[0]) }));
    expect(picked.text).toContain('添加成功');
    expect(picked.text).toContain('判断12');
    expect((await admin.get(`${at}&page=2`)).text).toContain('已添加');
  });

  it('imports Word into a section', async ({ admin }) => {
    const { id, address, paper, section } = await drafted(admin, '导入的考试');
    const start = await press(admin, paper, address, `import ${section}`);
    expect(start.text).toContain('导入题目到试卷');
    expect((await admin.get('/admin/exams/template/1')).status).toBe(200);
    const form = new FormData();
    form.set('file', new File([new Uint8Array(await wordTemplate())], '试卷.docx'));
    const to = `/admin/exams/import?id=${id}&section=${section}`;
    const sent = await admin.postForm(to, form);
    let preview = await admin.follow(sent);
    // The file is read in the background; the page refreshes itself.
    while (preview.text.includes('正在读取')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      preview = await admin.follow(sent);
    }
    expect(preview.text).toContain('道可以导入');
    const done = await admin.follow(await admin.post(sent.location as string, formOf(preview, '全部导入试卷').fields));
    expect(done.text).toContain('导入成功');
    expect(done.document.querySelectorAll('article').length).toBeGreaterThan(6);
  });

  it('validates, publishes, extends and closes', async ({ school, admin, teacher }) => {
    const { id, address, paper, section } = await drafted(admin, '发布的考试');
    const here = `/admin/exams/detail?id=${id}`;
    expect((await admin.get(here)).text).toContain('试卷还没有题目');
    expect((await admin.get(`/admin/exams/detail/publish?id=${id}`)).text).toContain('发布前需要处理');
    await press(admin, paper, address, 'save');
    const body = { ques_type: 2, ques_stem: '<p>对吗</p>', facility_value: 2, right_answer: '1', section_id: section };
    await school.as('admin').post(`exams/${id}/written`, body);
    await school.as('admin').post(`exams/${id}/sections/${section}/score`, { score: '5' });
    const edit = `/admin/exams/edit?id=${id}`;
    const window = { start_at: '2026-11-20T08:00', end_at: '2026-11-21T08:00' };
    const edited = await admin.follow(
      await admin.post(edit, withFields(formOf(await admin.get(edit), '保存').fields, window)),
    );
    expect(edited.text).toContain('保存成功');
    expect(edited.text).toContain('试卷检查通过，可以发布');

    const to = `/admin/exams/detail/publish?id=${id}`;
    const asked = await admin.get(to);
    expect(asked.text).toMatch(/发布给：1所学校，\d+名学员/);
    const published = await admin.follow(await admin.post(to, formOf(asked, '确定发布').fields));
    expect(published.text).toContain('发布成功');
    expect(published.text).toContain('发布的考试 进行中');
    expect((await teacher.get('/exams')).text).toContain('发布的考试');
    const fixed = await admin.get(address);
    expect(fixed.text).toContain('考试已发布，试卷不能修改');
    expect(fixed.document.querySelectorAll('main button')).toHaveLength(0);
    expect((await admin.get(`/admin/exams/import?id=${id}&section=${section}`)).status).toBe(409);
    const renamed = await admin.post(
      edit,
      withFields(formOf(await admin.get(edit), '保存').fields, { name: '改名的考试' }),
    );
    expect((await admin.follow(renamed)).text).toContain('改名的考试');

    const extending = `/admin/exams/detail/extend?id=${id}`;
    const shown = await admin.get(extending);
    const same = await admin.post(extending, formOf(shown, '确定延长').fields);
    expect([same.status, same.text]).toEqual([422, expect.stringContaining('新的结束时间应晚于现在的结束时间')]);
    const later = withFields(formOf(same, '确定延长').fields, { end_at: '2026-11-25T08:00' });
    expect((await admin.follow(await admin.post(extending, later))).text).toContain('已延长');

    const closing = `/admin/exams/detail/close?id=${id}`;
    const ending = await admin.get(closing);
    expect(ending.text).toContain('名学员，已交0份答卷');
    const closed = await admin.follow(await admin.post(closing, formOf(ending, '确定结束').fields));
    expect(closed.text).toContain('改名的考试 已结束');
    expect((await admin.get(closing)).status).toBe(409);
    const back = `/admin/exams/detail/withdraw?id=${id}`;
    const withdrawn = await admin.follow(await admin.post(back, formOf(await admin.get(back), '确定撤回').fields));
    expect(withdrawn.text).toContain('改名的考试 草稿');
    const away = `/admin/exams/detail/delete?id=${id}`;
    const removed = await admin.follow(await admin.post(away, formOf(await admin.get(away), '确定删除').fields));
    expect(removed.text).toContain('删除成功');
    expect((await admin.get(here)).status).toBe(404);
  });

  it("reports a colleague's change, and continues", async ({ school, admin }) => {
    const { id } = await school.database.db
      .insertInto('exam')
      .values({
        name: '两人的考试',
        score: 50,
        pass_score: 30,
        status: 1,
        end_at: noon + day,
        creator_id: school.people.teacher.id,
        school_id: (await school.database.db.selectFrom('school').select('id').executeTakeFirstOrThrow()).id,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const address = `/admin/exams/edit?id=${id}`;
    const [theirs, mine] = [await admin.get(address), await admin.get(address)].map((page) => formOf(page, '保存'));
    await admin.post(address, withFields(theirs?.fields ?? [], { name: '他们的' }));
    const told = await admin.post(address, withFields(mine?.fields ?? [], { name: '我的' }));
    expect([told.status, told.text]).toEqual([
      409,
      expect.stringContaining('考试名称现在是“他们的”，您填写的是“我的”'),
    ]);
    const saved = await admin.follow(await admin.post(address, formOf(told, '保存').fields));
    expect(saved.text).toContain('我的 进行中');
  });
});
