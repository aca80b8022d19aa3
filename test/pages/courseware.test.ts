import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coursewareMessages, materialsAddedLimit } from '#server/courseware/rules.ts';
import { pdfWithTable } from '../files/samples.ts';
import { formOf, openApp, ownScripts, signInAs, type Visitor } from '../support/app.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

const pdf = () => new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf');

describe('courseware without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  let category: number;
  let lesson: number;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    const { db } = school.database;
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
    const added = await db
      .insertInto('ware_classify')
      .values({ name: '同步课程', sort: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    category = added.id;
    lesson = await insertSession(school);
  });
  afterAll(() => school.close());

  /** Sends a form with a file like a browser: fields in order, the file last. */
  const send = async (visitor: Visitor, path: string, fields: [string, string][], file: File) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    form.append('file', file);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `http://school.test${path}`;
    const headers = { cookie, host: 'school.test', origin: 'http://school.test' };
    const response = await app.fetch(new Request(url, { method: 'POST', body: form, headers }));
    const html = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/);
      visitor.cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location'), html };
  };
  /** The dialog's form with typed values. */
  const fillForm = async (visitor: Visitor, path: string, typed: Record<string, string>) => {
    const page = await visitor.get(path);
    const { action, fields } = formOf(page, '上传');
    const kept = fields.filter(([name]) => !(name in typed) && name !== 'file');
    return { action, fields: [...kept, ...Object.entries(typed)] };
  };
  const toLibrary = async (visitor: Visitor, name: string, file: File = pdf()) => {
    const typed = { ware_type: '1', ware_name: name, classify_id: String(category), ware_desc: '说明文字' };
    const { action, fields } = await fillForm(visitor, '/courseware/upload', typed);
    return send(visitor, action, fields, file);
  };

  it('loads a script in the upload dialog alone', async () => {
    const list = await teacher.get('/courseware');
    expect([list.status, list.text.includes('暂无课件')]).toEqual([200, true]);
    expect(ownScripts(list)).toEqual([]);
    expect(ownScripts(await teacher.get('/courseware/upload'))).not.toEqual([]);
    expect((await teacher.get('/courseware?ware_name=zzz')).text).toContain('没有符合条件的课件');
  });

  it('uploads by form, once for a repeated one', async () => {
    const typed = { ware_type: '1', ware_name: '我的讲义', classify_id: String(category), ware_desc: '' };
    const { action, fields } = await fillForm(teacher, '/courseware/upload', typed);
    const sent = await send(teacher, action, fields, pdf());
    expect([sent.status, sent.location]).toEqual([302, '/courseware']);
    await send(teacher, action, fields, pdf());
    const list = await teacher.get('/courseware');
    expect(list.text).toContain('上传成功');
    expect(list.text.match(/我的讲义/g)?.length).toBe(1);
    expect((await assist.get('/courseware')).text).toContain('暂无课件');
  });

  it('returns a refused form with a message and typed text', async () => {
    const refused = await toLibrary(teacher, '假图', new File(['<script>alert(1)</script>'], '图.png'));
    expect(refused.status).toBe(415);
    expect(refused.html).toContain('文件内容与扩展名不符，请检查后重新上传');
    expect(refused.html).toContain('value="假图"');
    expect(refused.html).toContain('说明文字');
    expect(refused.html).toMatch(new RegExp(`<option value="${category}" selected`));
    const { action, fields } = await fillForm(teacher, '/courseware/upload', { ware_type: '1', ware_name: '' });
    const missing = await send(teacher, action, fields, pdf());
    expect(missing.status).toBe(422);
    expect(missing.html).toMatch(/id="classify_id-error">请选择/);
  });

  it('edits and removes own uploads', async () => {
    await toLibrary(teacher, '旧名');
    const list = await teacher.get('/courseware?ware_name=旧名');
    const link = (text: string) =>
      [...list.document.querySelectorAll('a')].find((a) => a.textContent === text)?.getAttribute('href') as string;
    const edit = await teacher.get(link('编辑'));
    const { fields } = formOf(edit, '保存');
    const fieldsNamed = (name: string) =>
      [...fields.filter(([field]) => field !== 'ware_name'), ['ware_name', name]] as [string, string][];
    const refused = await teacher.post(link('编辑'), fieldsNamed(' '));
    expect([refused.status, refused.document.querySelector('#ware_name-error')?.textContent]).toEqual([422, '请输入']);
    const edited = await teacher.follow(await teacher.post(link('编辑'), fieldsNamed('新名')));
    expect(edited.text).toContain('编辑成功');
    expect((await assist.get(link('编辑'))).status).toBe(404);
    const question = await teacher.get(link('移除'));
    expect(question.text).toContain('新名');
    const removed = await teacher.follow(await teacher.post(link('移除'), formOf(question, '确定移除').fields));
    expect(removed.text).toContain('移除成功');
    expect((await teacher.get('/courseware')).text).not.toContain('新名');
  });

  it('chooses across pages for a lesson, lists its files, and removes one', async () => {
    for (let number = 1; number <= 22; number += 1) await toLibrary(teacher, `第${number}讲`);
    const path = `/courseware/choose?times_id=${lesson}&times_type=3`;
    const first = await teacher.get(path);
    // A screen, not a dialog, so the navigation is reachable.
    expect(first.document.querySelector('[inert]')).toBeNull();
    // On a phone the checkbox column has no label; facts have one.
    expect(first.html).toContain('content:"类型 "');
    expect(first.html).not.toContain('content:"选择 "');
    const idOn = (page: typeof first, name: string) =>
      [...page.document.querySelectorAll('input[name=pick]')]
        .find((box) => box.getAttribute('aria-label') === `选择${name}`)
        ?.getAttribute('value') as string;
    const { fields } = formOf(first, '下一页');
    const search = new URLSearchParams([...fields, ['pick', idOn(first, '第22讲')]]);
    const second = await teacher.get(`/courseware/choose?${search}`);
    expect(second.text).toContain('已选 1 个课件（其中 1 个在其他页）');
    const form = formOf(second, '确定');
    const button = [...second.document.querySelectorAll('button')].find((one) => one.textContent === '确定');
    const target = button?.getAttribute('formAction') as string;
    expect(target).toContain(`times_id=${lesson}`);
    const sent = await teacher.post(target, [...form.fields, ['pick', idOn(second, '第1讲')]]);
    expect(sent.location).toContain('/courseware/lesson');
    const list = await teacher.follow(sent);
    expect(list.text).toContain('添加成功');
    expect(list.text).toMatch(/第22讲.*第1讲|第1讲.*第22讲/);
    expect((await teacher.get(path)).text).toContain('已添加');

    const none = await teacher.post(path, []);
    expect([none.status, none.text.includes('请选择课件')]).toEqual([422, true]);
    const handed = await teacher.post('/courseware/choose?return=/homework', [
      ['pick', '7'],
      ['pick', '8'],
    ]);
    expect(handed.location).toBe('/homework?ware_ids=7,8');
    const many = Array.from({ length: materialsAddedLimit + 1 }, (_, index) => index + 1).join(',');
    const tooMany = await teacher.post('/courseware/choose?return=/homework', [['picked', many]]);
    expect([tooMany.status, tooMany.text.includes(coursewareMessages.tooMany)]).toEqual([422, true]);
    const all = await teacher.get(`/courseware/choose?return=/homework&picked=${many}`);
    expect(all.text).toContain(`已选 ${materialsAddedLimit + 1} 个课件`);

    const theirs = await assist.get(`/courseware/lesson?times_id=${lesson}&times_type=3`);
    expect(theirs.text).toContain('第22讲');
    expect(theirs.text).not.toContain('移除');
    const link = [...list.document.querySelectorAll('a')].find((a) => a.textContent === '移除');
    const address = link?.getAttribute('href') as string;
    expect((await assist.get(address)).status).toBe(403);
    const removed = await teacher.post(address, formOf(await teacher.get(address), '确定移除').fields);
    expect((await teacher.follow(removed)).text).toContain('移除成功');
  });

  it('uploads to a lesson, and opens files for permitted people', async () => {
    const path = `/courseware/lesson/upload?times_id=${lesson}&times_type=3`;
    const { action, fields } = await fillForm(assist, path, { ware_type: '1', is_sync: '2', ware_name: '助教补充' });
    const sent = await send(assist, action, fields, pdf());
    expect(sent.location).toBe(`/courseware/lesson?times_id=${lesson}&times_type=3`);
    const list = await teacher.get(sent.location as string);
    expect(list.text).toContain('助教补充');
    const link = [...list.document.querySelectorAll('a')].find(
      (a) => a.getAttribute('aria-label') === '预览：助教补充',
    );
    const preview = await teacher.get(link?.getAttribute('href') as string);
    const address = preview.document.querySelector('iframe')?.getAttribute('src') as string;
    const file = await teacher.get(address);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(file.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await teacher.get(address, { range: 'bytes=0-3' })).html).toBe('%PDF');
    const stranger = await signInAs(school, app, 'otherTeacher');
    expect((await stranger.get(address)).status).toBe(404);
    expect((await stranger.get(link?.getAttribute('href') as string)).status).toBe(404);
    expect((await stranger.get(sent.location as string)).status).toBe(404);
    expect((await app.visitor().get(address)).status).toBe(302);
    expect((await teacher.get('/courseware/preview?fid=x')).status).toBe(404);
  });
});
