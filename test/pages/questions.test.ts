import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOwnerField } from '#app/lib/form-owner.ts';
import { excelTemplate, wordTemplate } from '#server/questions/import/template.ts';
import {
  expiredVisitor,
  formOf,
  openApp,
  ownScripts,
  type Page,
  signInAs,
  typedText,
  type Visitor,
} from '../support/app.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';

const single = {
  ques_type: 1,
  ques_stem: '下列词语中没有错别字的是',
  ques_option: [
    { id: 1, content: '再接再厉', is_right: 1 },
    { id: 2, content: '一愁莫展', is_right: 2 },
  ],
  facility_value: 2,
};

describe('the question bank without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
  });
  afterAll(() => school.close());

  const add = async (who: 'teacher' | 'assist' | 'otherTeacher', question: object): Promise<number> =>
    (await school.as(who).post('ques/add', question)).body.data.id;
  const publish = (id: number) =>
    school.database.db.updateTable('question').set({ is_public: 1 }).where('id', '=', id).execute();
  const alerts = (page: Page) => [...page.document.querySelectorAll('[role=alert]')].map((one) => one.textContent);

  /** Fields of the question form with changes, and the pressed button. */
  const fieldsOf = (page: Page, changes: Record<string, string | string[]>, operation = 'save') => {
    const { fields } = formOf(page, '切换题型');
    const left = fields.filter(([name]) => name !== 'intent' && !(name in changes));
    const changed = Object.entries(changes).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return [...left, ...changed, ['intent', operation]] as [string, string][];
  };
  const typedIn = (page: Page, name: string) => {
    const control = page.document.querySelector(`[name="${name}"]`);
    return control?.tagName === 'TEXTAREA' ? typedText(control) : control?.getAttribute('value');
  };

  describe('question list', () => {
    it('previews each question beside its stem, in a small page', async () => {
      for (let index = 0; index < 25; index += 1) {
        await add('assist', { ...single, ques_stem: `<p>第 ${index} 题 $x^${index}$</p>${'长'.repeat(500)}` });
      }
      const page = await assist.get('/homework?tab=ques');
      expect(page.document.querySelectorAll('tbody tr')).toHaveLength(20);
      const preview = page.document.querySelector('tbody tr ol')?.textContent;
      expect(preview).toContain('A再接再厉');
      expect(page.html).toContain('<math');
      expect(ownScripts(page)).toEqual([]);
      expect(gzipSync(page.html).length).toBeLessThan(15 * 1024);
      for (const text of ['添加题目', '导入题目', '查看', '编辑', '删除']) expect(page.text).toContain(text);
    });

    it('adds tags in the form, narrows the list by them, and sets them for the ticked ones', async () => {
      const form = await teacher.get('/homework/question/add');
      expect(form.document.querySelector('[name=tags]')?.getAttribute('list')).toBe('own-tags');
      const refused = await teacher.post(
        '/homework/question/add',
        fieldsOf(form, { ques_stem: '标签题', tags: '字'.repeat(21) }),
      );
      expect([refused.status, typedIn(refused, 'tags')]).toEqual([422, '字'.repeat(21)]);
      expect(alerts(refused).join()).toContain('标签：标签不能超过20个字');
      const [id, other] = [await add('teacher', { ...single, tags: '期中 难题' }), await add('teacher', single)];
      const edit = await teacher.get(`/homework/question/edit?id=${id}`);
      expect(typedIn(edit, 'tags')).toBe('期中、难题');
      const list = await teacher.get('/homework?tab=ques&tag=难题');
      expect(list.document.querySelectorAll('tbody tr')).toHaveLength(1);
      expect(list.document.querySelector('tbody ul[aria-label=标签] a')?.getAttribute('href')).toBe(
        `/homework?tab=ques&tag=${encodeURIComponent('期中')}`,
      );
      const dialog = `/homework/questions/tags?tab=ques&ids=${id},${other}`;
      const asked = await teacher.get(dialog);
      expect(asked.text).toContain('已选 2 道题目');
      const wrong = await teacher.post(dialog, formOf(asked, '保存').fields);
      expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请填写要添加的标签')]);
      const { fields } = formOf(asked, '保存');
      const kept = fields.filter(([name]) => name !== 'add');
      const done = await teacher.post(dialog, [...kept, ['add', '期末'], ['remove', '期中'], ['remove', '难题']]);
      expect(done.status).toBe(302);
      expect((await teacher.get('/homework?tab=ques&tag=期末')).document.querySelectorAll('tbody tr')).toHaveLength(2);
      expect((await teacher.get('/homework?tab=ques&tag=期中')).text).toContain('没有符合条件的题目');
      expect((await teacher.get(`/homework/question?id=${id}`)).text).toContain('期末');
      expect((await teacher.get('/homework/questions/tags?tab=ques')).text).toContain('请先选择题目');
      expect((await assist.get(dialog)).status).toBe(404);
    });

    it('shows similar questions side by side, merges them, and takes the merge back', async () => {
      const other = { ...single, ques_stem: '下列各组词语中没有任何一个错别字的一组是哪一组' };
      const [kept, gone] = [
        await add('otherTeacher', { ...other, ques_stem: `${other.ques_stem}呢`, tags: '甲' }),
        await add('otherTeacher', { ...other, ques_stem: `${other.ques_stem}吗`, tags: '乙' }),
      ];
      const owner = await signInAs(school, app, 'otherTeacher');
      const address = '/homework/question/similar';
      expect((await owner.get('/homework?tab=ques')).document.querySelector(`a[href="${address}"]`)).not.toBeNull();
      const list = await owner.get(address);
      expect([...list.document.querySelectorAll('mark')].map((one) => one.textContent)).toEqual([
        '呢',
        '吗',
        '甲',
        '乙',
      ]);
      expect(list.text).toMatch(/相似度 \d\d%/);
      const marked = await owner.post(address, [...formOf(list, '不是重复').fields]);
      expect(marked.status).toBe(302);
      expect((await owner.get(address)).text).toContain('没有相同或相近的题目');
      await owner.post(`${address}?marked=1`, formOf(await owner.get(`${address}?marked=1`), '恢复比对').fields);
      const link = `${address}/merge?kept=${kept}&gone=${gone}`;
      expect((await owner.get(address)).document.querySelector(`a[href="${link}"]`)).not.toBeNull();
      const dialog = await owner.get(link);
      expect(dialog.text).toContain('甲、乙');
      await school.as('otherTeacher').post('ques/tags', { ids: [gone], add: '丙', remove: '' });
      const stale = await owner.post(link, formOf(dialog, '确定合并').fields);
      expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('其中一道题目刚刚被修改')]);
      expect((await owner.post(link, formOf(stale, '确定合并').fields)).status).toBe(302);
      const record = await owner.get(`/homework/question/record?id=${kept}`);
      expect(record.text).toContain(`并入的题目：${other.ques_stem}吗`);
      expect((await owner.post(`/homework/question/record?id=${kept}`, formOf(record, '撤销合并').fields)).status).toBe(
        302,
      );
      expect((await owner.get(`/homework/question?id=${gone}`)).text).toContain('丙');
      expect((await teacher.get(link)).status).toBe(404);
    });

    it('shows the last page instead of a missing one', async () => {
      const [page, last] = [
        await assist.get('/homework?tab=ques&page=9'),
        await assist.get('/homework?tab=ques&page=2'),
      ];
      expect(page.document.querySelectorAll('tbody tr').length).toBeGreaterThan(0);
      const listParts = (one: typeof page) =>
        ['tbody', 'nav[aria-label=分页]'].map((part) => one.document.querySelector(part)?.textContent);
      expect(listParts(page)).toEqual(listParts(last));
    });

    it('deletes one or several after confirmation, and none of others', async () => {
      const formula = { ...single, ques_stem: '设 $x^2=4$，词语正确的是' };
      const ids = [await add('teacher', formula), await add('teacher', single), await add('teacher', single)];
      const one = await teacher.get(`/homework/questions/delete?tab=ques&page=1&ids=${ids[0]}`);
      expect(one.text).toContain('是否删除该题');
      expect(one.document.querySelector('dialog li math')).not.toBeNull();
      const form = formOf(one, '确定删除');
      const done = await teacher.post(`/homework/questions/delete?tab=ques&ids=${ids[0]}`, form.fields);
      expect(done.location).toBe('/homework?tab=ques');
      expect((await teacher.get('/homework?tab=ques')).text).toContain('删除成功');

      const search = `tab=ques&ques_stem=词语&ids=${ids[1]}&ids=${ids[2]}`;
      const several = await teacher.get(`/homework/questions/delete?${search}`);
      expect(several.text).toContain('是否移除选中题目？');
      expect(several.document.querySelector('main')?.hasAttribute('inert')).toBe(true);
      const after = await teacher.post(`/homework/questions/delete?${search}`, formOf(several, '确定删除').fields);
      expect(decodeURIComponent(after.location ?? '')).toBe('/homework?tab=ques&ques_stem=词语');
      expect((await teacher.get('/homework/questions/delete?tab=ques')).text).toContain('请先选择题目');

      const theirs = await add('otherTeacher', single);
      expect((await teacher.get(`/homework/questions/delete?ids=${theirs}`)).status).toBe(404);
      const forced = await teacher.post(`/homework/questions/delete?ids=${theirs}`, []);
      expect([forced.status, forced.location]).toEqual([404, null]);
      expect((await school.as('otherTeacher').get(`ques/show/${theirs}`)).status).toBe(200);
    });
  });

  describe('export', () => {
    it('offers each format, says what it cannot hold, and links to the file', async () => {
      const ids = [await add('teacher', single), await add('teacher', { ...single, ques_type: 5, right_answer: '答' })];
      const list = await teacher.get('/homework?tab=ques');
      expect(list.html).toMatch(/<button[^>]* formaction="\/homework\/questions\/export"/i);
      const address = `/homework/questions/export?tab=ques&ids=${ids.join('&ids=')}`;
      const page = await teacher.get(address);
      expect(page.text).toContain('我的题目，共 2 道题目');
      expect(page.text).toContain('所选题目的内容都能保留');
      const aiken = [...page.document.querySelectorAll('nav a')].find((link) => link.textContent === 'Aiken');
      const other = await teacher.get(aiken?.getAttribute('href') ?? '');
      expect(other.text).toContain('可导出 1 道');
      expect(other.text).toContain('第2题：简答题，这种格式不支持，没有导出');
      const download = other.document.querySelector('dialog a[download]')?.getAttribute('href') ?? '';
      const file = await teacher.get(download);
      expect(file.status).toBe(200);
      expect(file.html).toContain('ANSWER: A');
      expect(other.document.querySelector('dialog a[data-close]')?.getAttribute('href')).toBe('/homework?tab=ques');
    });

    it('exports what the filter finds, if nothing is ticked, and hides the button of an empty export', async () => {
      await add('teacher', { ...single, ques_stem: '只有这一题叫做星火' });
      const page = await teacher.get(`/homework/questions/export?tab=ques&ques_stem=${encodeURIComponent('星火')}`);
      expect(page.text).toContain('共 1 道题目');
      const download = page.document.querySelector('dialog a[download]')?.getAttribute('href') ?? '';
      expect((await teacher.get(download)).status).toBe(200);
      const none = await teacher.get('/homework/questions/export?tab=ques&ques_stem=nothing-has-this-stem');
      expect(none.text).toContain('没有可以导出的题目');
      expect(none.document.querySelector('dialog a[download]')).toBeNull();
    });

    it("answers 404 for somebody else's question", async () => {
      const theirs = await add('otherTeacher', single);
      expect((await teacher.get(`/homework/questions/export?tab=ques&ids=${theirs}`)).status).toBe(404);
      expect((await teacher.get(`/homework/question/export/gift?ids=${theirs}`)).status).toBe(404);
    });
  });

  describe('question form', () => {
    it('keeps everything through each operation, and saves it', async () => {
      let page = await teacher.get('/homework/question/add');
      for (const text of ['题型', '题干', '难度', '解析', '备注', '保存']) expect(page.text).toContain(text);
      const typed = {
        ques_stem: '第一行\n第二行 <b>a</b>',
        'ques_option.0.content': '甲',
        'ques_option.1.content': '乙',
        facility_value: '4',
        remark: '备注',
      };
      page = await teacher.post('/homework/question/add', fieldsOf(page, typed, 'add-option -'));
      expect(page.status).toBe(200);
      expect(page.document.querySelectorAll('[name=right_option]')).toHaveLength(5);
      expect(typedIn(page, 'ques_stem')).toBe('第一行\n第二行 <b>a</b>');

      page = await teacher.post('/homework/question/add', fieldsOf(page, {}, 'ask-option - 4'));
      expect(page.text).toContain('确定删除该选项吗？');
      page = await teacher.post('/homework/question/add', fieldsOf(page, {}, 'remove-option - 4'));
      expect(page.document.querySelectorAll('[name=right_option]')).toHaveLength(4);

      page = await teacher.post('/homework/question/add', fieldsOf(page, {}, 'preview'));
      expect(page.document.querySelector('#preview')?.textContent).toContain('第二行 <b>a</b>');

      const wrong = fieldsOf(page, { ques_analysis: '由 $\\frac{1}{2$ 得 $\\ce{H2O}$' }, 'preview');
      const shown = await teacher.post('/homework/question/add', wrong);
      expect(shown.document.querySelectorAll('#preview math')).toHaveLength(1);
      expect(alerts(shown)).toEqual(['有公式的写法不对，按原文显示，请检查 $ 之间的 LaTeX']);
      expect(alerts(page)).toEqual([]);

      page = await teacher.post('/homework/question/add', fieldsOf(page, { right_option: '0' }));
      expect(page.status).toBe(422);
      expect(alerts(page)[0]).toContain('请完善信息');
      expect(page.text).toContain('选项C内容不能为空');
      expect(typedIn(page, 'ques_option.1.content')).toBe('乙');
      expect(typedIn(page, 'remark')).toBe('备注');
      const described = page.document.querySelector('[name="ques_option.2.content"]');
      expect(described?.getAttribute('aria-describedby')).toBe('ques_option.2.content-error');

      const complete = { 'ques_option.2.content': '丙', 'ques_option.3.content': '丁', right_option: '0' };
      const saved = await teacher.post('/homework/question/add', fieldsOf(page, complete));
      expect(saved.location).toBe('/homework?tab=ques');
      const list = await teacher.get('/homework?tab=ques');
      expect(list.text).toContain('添加成功');
      expect(list.text).toContain('第一行 第二行 <b>a</b>');
    });

    it('saves once for a repeated form', async () => {
      const page = await teacher.get('/homework/question/add');
      const fields = fieldsOf(page, {
        ques_type: '5',
        new_type: '5',
        ques_stem: '只存一次',
        right_answer: '答',
        facility_value: '1',
      });
      await teacher.post('/homework/question/add', fields);
      await teacher.post('/homework/question/add', fields);
      expect((await school.as('teacher').get('ques/index?ques_stem=只存一次')).body.data.total).toBe(1);
    });

    it('builds a material question: parts are added, moved and removed', async () => {
      let page = await teacher.get('/homework/question/add');
      page = await teacher.post(
        '/homework/question/add',
        fieldsOf(page, { new_type: '6', ques_stem: '材料' }, 'change-type -'),
      );
      expect(typedIn(page, 'ques_stem')).toBe('材料');
      page = await teacher.post(
        '/homework/question/add',
        fieldsOf(page, { 'ques_item.0.ques_stem': '甲题', 'ques_item.0.new_type': '5' }, 'change-type ques_item.0.'),
      );
      page = await teacher.post(
        '/homework/question/add',
        fieldsOf(page, { 'ques_item.0.right_answer': '答' }, 'add-item'),
      );
      const moved = await teacher.post('/homework/question/add', fieldsOf(page, {}, 'move-down 0'));
      expect([typedIn(moved, 'ques_item.0.ques_stem'), typedIn(moved, 'ques_item.1.ques_stem')]).toEqual(['', '甲题']);
      expect(alerts(await teacher.post('/homework/question/add', fieldsOf(moved, {}, 'move-up 0')))).toEqual([
        '已经是第一题',
      ]);
      expect(alerts(await teacher.post('/homework/question/add', fieldsOf(moved, {}, 'move-down 1')))).toEqual([
        '已经是最后一题',
      ]);
      const asked = await teacher.post('/homework/question/add', fieldsOf(moved, {}, 'ask-item 0'));
      expect(asked.text).toContain('是否移除该题目？');
      page = await teacher.post('/homework/question/add', fieldsOf(asked, {}, 'remove-item 0'));
      expect(typedIn(page, 'ques_item.0.right_answer')).toBe('答');
      expect(alerts(await teacher.post('/homework/question/add', fieldsOf(page, {}, 'ask-item 0')))).toEqual([
        '至少保留一道小题',
      ]);
      const saved = await teacher.post('/homework/question/add', fieldsOf(page, { facility_value: '3' }));
      expect(saved.location).toBe('/homework?tab=ques');
    });

    it('keeps fields hidden by a change of type', async () => {
      let page = await teacher.get('/homework/question/add');
      const typed = { 'ques_option.0.content': '甲', right_option: '0', new_type: '5' };
      page = await teacher.post('/homework/question/add', fieldsOf(page, typed, 'change-type -'));
      expect(page.document.querySelector('textarea[name="ques_option.0.content"]')).toBeNull();
      page = await teacher.post('/homework/question/add', fieldsOf(page, { new_type: '1' }, 'change-type -'));
      expect(typedIn(page, 'ques_option.0.content')).toBe('甲');
      expect(page.document.querySelector('[name=right_option][checked]')?.getAttribute('value')).toBe('0');
    });

    it('asks for a second look after a type change without its button', async () => {
      const page = await teacher.get('/homework/question/add');
      const again = await teacher.post('/homework/question/add', fieldsOf(page, { new_type: '7', ques_stem: '填空' }));
      expect(alerts(again)).toEqual(['题型已切换，请填写后再保存']);
      expect(typedIn(again, 'ques_stem')).toBe('填空');
      expect(again.document.querySelector('[name="right_answer.0"]')).not.toBeNull();
    });

    it('inserts a picture; an invalid one changes nothing', async () => {
      const page = await teacher.get('/homework/question/add');
      const send = async (file: File) => {
        const form = new FormData();
        for (const [name, value] of fieldsOf(page, { ques_stem: '看图' }, 'upload ques_stem')) form.append(name, value);
        form.set('ques_stem.file', file);
        const cookie = [...teacher.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const headers = { cookie, origin: 'http://school.test', host: 'school.test' };
        const url = 'http://school.test/homework/question/add';
        const response = await app.fetch(new Request(url, { method: 'POST', body: form, headers }));
        return { status: response.status, html: await response.text() };
      };
      const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
      const taken = await send(new File([new Uint8Array(picture)], '图.png'));
      const path = /\/files\/\d{4}\/\d{2}\/[a-z0-9]+\.png/.exec(taken.html)?.[0] ?? '';
      expect(taken.html).toContain(`看图&lt;p&gt;&lt;img src=&quot;${path}`);
      const refused = await send(new File(['<html>'], '图.png'));
      expect(refused.status).toBe(415);
      expect(refused.html).toContain('看图</textarea>');
      expect((await send(new File([], ''))).html).toContain('请选择要插入的图片');

      const shown = await teacher.get(path);
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(shown.headers.get('content-security-policy')).toContain('sandbox');
      const stranger = await app.visitor().get(path);
      expect([stranger.status, stranger.location?.startsWith('/login')]).toEqual([302, true]);
      expect((await teacher.get(path.replace(/\w{5}\.png/, 'aaaaa.png'))).status).toBe(404);
    });

    it('keeps typed text when the session has expired', async () => {
      const page = await teacher.get('/homework/question/add');
      const fields = fieldsOf(page, { ques_stem: '很长很长很长很长很长很长很长很长很长的一道题目' });
      const expired = await expiredVisitor(app);
      const answer = await expired.post('/homework/question/add', fields);
      expect(answer.status).toBe(401);
      expect(answer.text).toContain('很长很长很长很长很长很长很长很长很长的一道题目');
    });

    it('edits own questions alone', async () => {
      const id = await add('teacher', { ...single, ques_stem: '<p>带<strong>格式</strong></p>', remark: '旧备注' });
      const page = await teacher.get(`/homework/question/edit?id=${id}`);
      expect(typedIn(page, 'ques_stem')).toBe('<p>带<strong>格式</strong></p>');
      expect(typedIn(page, 'remark')).toBe('旧备注');
      expect(page.document.querySelector('[name=right_option][checked]')?.getAttribute('value')).toBe('0');
      const saved = await teacher.post(`/homework/question/edit?id=${id}`, fieldsOf(page, { remark: '新备注' }));
      expect(saved.location).toBe('/homework?tab=ques');
      const { body } = await school.as('teacher').get(`ques/show/${id}`);
      expect(body.data[0]).toMatchObject({ remark: '新备注', ques_stem: '<p>带<strong>格式</strong></p>' });
      expect((await assist.get(`/homework/question/edit?id=${id}`)).status).toBe(404);
      const theirs = fieldsOf(page, {});
      expect((await assist.post(`/homework/question/edit?id=${id}`, theirs)).status).toBe(409);
      const own = theirs.filter(([name]) => name !== formOwnerField);
      expect((await assist.post(`/homework/question/edit?id=${id}`, own)).status).toBe(404);
      for (const address of ['', '?id=', '?id=x']) {
        expect((await teacher.get(`/homework/question/edit${address}`)).status).toBe(404);
      }
    });
  });

  describe('question page', () => {
    it('shows formulas, options and answer, with actions on own questions', async () => {
      const id = await add('teacher', {
        ...single,
        ques_stem: '求 $\\frac12$ 的值',
        ques_analysis: '略',
        remark: '私',
      });
      const page = await teacher.get(`/homework/question?id=${id}`);
      for (const text of ['题干', '答案', '解析', '难度', '正确答案', '备注', '私', '编辑', '删除']) {
        expect(page.text).toContain(text);
      }
      expect(page.html).toContain('<math');
      expect(page.text).not.toContain('纠错');
      expect((await assist.get(`/homework/question?id=${id}`)).status).toBe(404);
    });

    it('bookmarks and reports a public question', async () => {
      const id = await add('otherTeacher', { ...single, remark: '他人备注' });
      await publish(id);
      let page = await assist.get(`/homework/question?id=${id}`);
      expect(page.text).not.toContain('他人备注');
      expect(page.text).not.toContain('编辑');
      await assist.post(`/homework/question?id=${id}`, formOf(page, '☆ 收藏').fields);
      page = await assist.get(`/homework/question?id=${id}`);
      expect(page.text).toContain('收藏成功');
      await assist.post(`/homework/question?id=${id}`, formOf(page, '★ 取消收藏').fields);
      expect((await assist.get(`/homework/question?id=${id}`)).text).toContain('取消收藏成功');

      const dialog = await assist.get(`/homework/question/correction?id=${id}`);
      const address = `/homework/question/correction?id=${id}`;
      const { fields } = formOf(dialog, '提交');
      const refused = await assist.post(address, fields);
      expect(refused.status).toBe(422);
      for (const text of ['请选择纠错类型', '请输入纠错内容']) expect(refused.text).toContain(text);
      const half = await assist.post(address, [...fields, ['type', '2'], ['error_msg', '']]);
      expect(half.document.querySelector('[name=type][checked]')?.getAttribute('value')).toBe('2');
      const sent = await assist.post(address, [
        ...fields.filter(([name]) => name !== 'error_msg'),
        ['type', '2'],
        ['error_msg', '选项B有错字'],
      ]);
      expect(sent.location).toBe(`/homework/question?id=${id}`);
      expect((await assist.get(`/homework/question?id=${id}`)).text).toContain('提交成功');
    });
  });

  describe('question import page', () => {
    const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, address = '/homework/question/import') => {
      const form = new FormData();
      form.set('file', new File([bytes], name));
      const cookie = [...teacher.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
      const headers = { cookie, origin: 'http://school.test', host: 'school.test' };
      const url = `http://school.test${address}`;
      const response = await app.fetch(new Request(url, { method: 'POST', body: form, headers }));
      return { status: response.status, location: response.headers.get('location'), html: await response.text() };
    };
    const preview = async (address: string): Promise<Page> => {
      for (;;) {
        const page = await teacher.get(address);
        if (!page.html.includes('http-equiv="refresh"')) return page;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };

    it('returns to the homework in progress with imported questions ticked and scored', async () => {
      const start = await teacher.get('/homework/publish');
      const { action, fields } = formOf(start, '导入题目');
      const typed = fields.map(([name, value]): [string, string] => [name, name === 'name' ? '导入中' : value]);
      const left = await teacher.post(action, typed);
      expect(left.location).toMatch(/^\/homework\/question\/import\?publishing=/);
      const opened = await teacher.get(left.location as string);
      expect(opened.text).toContain('上传并预览');
      const { location } = await upload('题目.docx', new Uint8Array(await wordTemplate()), left.location as string);
      const page = await preview(location as string);
      const done = await teacher.post(location as string, formOf(page, '全部导入，选入作业').fields);
      expect(done.location).toMatch(/^\/homework\/publish\/questions\?/);
      const picker = await teacher.follow(done);
      expect(picker.document.querySelectorAll('input[name=pick][checked]')).toHaveLength(7);
      const { fields: picked } = formOf(picker, '确定');
      const form = await teacher.follow(await teacher.post(done.location as string, picked));
      expect(form.document.querySelector('#name')?.getAttribute('value')).toBe('导入中');
      expect(form.document.querySelectorAll('tr[data-key]')).toHaveLength(7);
    });

    it('offers the templates', async () => {
      const page = await teacher.get('/homework/question/import');
      for (const text of ['导入题目', '下载Word模板', '下载Excel模板', '上传']) expect(page.text).toContain(text);
      for (const format of [1, 2]) {
        const file = await teacher.get(`/homework/question/template/${format}`);
        expect(file.headers.get('content-disposition')).toMatch(/^attachment; .*\.(docx|xlsx)/);
      }
    });

    it.each([
      ['题目.docx', wordTemplate],
      ['题目.xlsx', excelTemplate],
    ])('previews %s by question and imports it', async (name, template) => {
      const { location } = await upload(name, new Uint8Array(await template()));
      const page = await preview(location as string);
      expect(page.text).toContain('7 道可以导入');
      expect(page.document.querySelectorAll('main ol > li h2').length).toBeGreaterThanOrEqual(7);
      const before = (await school.as('teacher').get('ques/index')).body.data.total;
      const done = await teacher.post(location as string, formOf(page, '全部导入').fields);
      expect(done.location).toBe('/homework?tab=ques');
      expect((await teacher.get('/homework?tab=ques')).text).toContain('导入成功');
      expect((await school.as('teacher').get('ques/index')).body.data.total).toBeGreaterThanOrEqual(before + 7);
      const gone = await teacher.get(location as string);
      expect([gone.status, gone.text.includes('导入预览已过期')]).toEqual([404, true]);
    });

    it('shows each message in a line under 导入提示', async () => {
      const wrong = await upload('题目.doc', new Uint8Array([1, 2, 3]));
      expect(wrong.status).toBe(415);
      expect(wrong.html).toMatch(/导入提示<\/h2><p>这是旧版 Word .+请用 Word 或 WPS 打开，另存为 \.docx 后再导入<\/p>/);
      const damaged = await upload('题目.docx', new Uint8Array([1, 2, 3]));
      const page = await preview(damaged.location as string);
      expect(alerts(page)[0]).toMatch(/^导入提示.*文件/);
      expect(page.text).toContain('上传并预览');
    });

    it('corrects, arranges and undoes without client JS, and finds the import again', async () => {
      const { location } = await upload('练习.docx', new Uint8Array(await wordTemplate()));
      const here = location as string;
      const rowOf = (page: Page, place: number) => page.document.querySelectorAll('main ol > li[data-row]')[place - 1];
      /** Presses a button of a question after typing into its fields. */
      const pressIn = async (page: Page, place: number, intent: string, typed: Record<string, string> = {}) => {
        const form = rowOf(page, place)?.querySelector('form');
        const fields = [...(form?.querySelectorAll('input, select, textarea') ?? [])].map((field): [string, string] => {
          const name = field.getAttribute('name') ?? '';
          const chosen = field.querySelector('option[selected]')?.getAttribute('value');
          const value = field.getAttribute('value') ?? chosen ?? field.textContent ?? '';
          return [name, typed[name] ?? (field.querySelector('option') ? (chosen ?? '') : value)];
        });
        return teacher.post(here, [...fields, ['intent', intent]]);
      };
      const open = () => preview(here);
      const answerOf = (page: Page, place: number) =>
        rowOf(page, place)?.querySelector('[name=answer]')?.getAttribute('value');
      expect(rowOf(await open(), 1)?.querySelector('select[name=ques_type] option[selected]')?.textContent).toBe(
        '单选题',
      );

      const saved = await pressIn(await open(), 1, 'save', { answer: 'B', score: '2.5' });
      expect(saved.location).toMatch(/#q-\d+$/);
      expect(answerOf(await open(), 1)).toBe('B');
      expect((await open()).text).toContain('第1题：分值改为2.5，改了答案');

      const refused = await pressIn(await open(), 1, 'save', { answer: 'Z', score: '3' });
      expect([refused.status, answerOf(refused, 1)]).toEqual([422, 'Z']);
      expect(refused.text).toContain('答案Z没有对应的选项');

      const [tab, otherTab] = [await open(), await open()];
      await pressIn(tab, 1, 'save', { answer: 'C' });
      const late = await pressIn(otherTab, 1, 'save', { answer: 'D' });
      expect(late.status).toBe(409);
      expect(late.text).toContain('这道题刚刚在别处改过，现在是：单选题，答案C');
      expect(answerOf(late, 1)).toBe('D');

      await pressIn(await open(), 2, 'leave-out', { score: '4' });
      const out = await teacher.get(`${here}&only=3`);
      expect(out.document.querySelectorAll('li[data-row]')).toHaveLength(1);
      expect((await open()).text).toContain('1 道已排除');
      await teacher.post(here, formOf(await open(), '撤销').fields);
      const back = await open();
      expect(back.text).not.toContain('1 道已排除');
      expect(rowOf(back, 2)?.querySelector('[name=score]')?.getAttribute('value')).toBe('4');

      const all = formOf(back, '修改').fields.map(([name, value]): [string, string] =>
        name === 'facility_value' ? [name, '5'] : [name, value],
      );
      expect((await teacher.follow(await teacher.post(here, all))).text).toMatch(/已修改\d道题/);

      const whole = await teacher.get(
        rowOf(await open(), 1)
          ?.querySelector('a[data-key=e]')
          ?.getAttribute('href') as string,
      );
      expect(whole.text).toContain('编辑待导入的题目');
      expect((await teacher.get('/homework/question/import')).text).toContain('未完成的导入');
    });

    it('reads a pasted paper, and says what is missing', async () => {
      const page = await teacher.get('/homework/question/import');
      const empty = await teacher.post('/homework/question/import', formOf(page, '识别').fields);
      expect([empty.status, empty.text.includes('请粘贴试卷的内容')]).toEqual([422, true]);
    });

    it('can be cancelled', async () => {
      const { location } = await upload('题目.docx', new Uint8Array(await wordTemplate()));
      const page = await preview(location as string);
      const dropped = await teacher.post(location as string, formOf(page, '放弃并重新上传').fields);
      expect(dropped.location).toBe('/homework/question/import');
      expect((await teacher.get(location as string)).status).toBe(404);
    });
  });

  it('requires the permission', async () => {
    const plain = await signInAs(school, app, 'plainTeacher');
    expect((await plain.get('/homework/question/import?id=abcdefghijklmnopqrstuvwx')).status).toBe(403);
    const closed = await plain.get('/homework/question/add');
    expect([closed.status, closed.document.querySelector('main form')]).toEqual([403, null]);
    const { fields } = formOf(await teacher.get('/homework/question/add'), '切换题型');
    const own = fields.filter(([name]) => name !== formOwnerField);
    const refused = await plain.post(
      '/homework/question/add',
      own.map(([name, value]): [string, string] => [name, name === 'intent' ? 'save' : value]),
    );
    expect(refused.text).toContain('您没有布置作业的权限');
  });
});
