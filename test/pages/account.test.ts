import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { formOf, openApp, type Page, signInAs, typedText, type Visitor } from '../support/app.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

let school: TestSchool;
let app: Awaited<ReturnType<typeof openApp>>;
let assist: Visitor;
let teacher: Visitor;

beforeAll(async () => {
  school = await openTestSchool('SQLite');
  const { db } = school.database;
  await db.updateTable('sign_in').set({ device: windows }).execute();
  await db
    .updateTable('staff')
    .set({ password_hash: await hashPassword('Assist2026') })
    .execute();
  app = await openApp(school);
  assist = await signInAs(school, app, 'assist');
  teacher = await signInAs(school, app, 'teacher');
});
afterAll(() => school.close());

const messageAt = (page: Page, id: string) => page.document.querySelector(`#${id}-error`)?.textContent;
const fieldValue = (page: Page, id: string) => page.document.querySelector(`#${id}`)?.getAttribute('value');

describe('the profile', () => {
  const send = (page: Page, typed: Record<string, string>, file?: File) => {
    const form = new FormData();
    for (const [name, value] of formOf(page, '保存').fields) if (name !== 'avatar_file') form.set(name, value);
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    form.set('avatar_file', file ?? new File([], ''));
    return assist.postForm('/account', form);
  };
  const picture = async () =>
    new File(
      [
        new Uint8Array(
          await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a33' } })
            .png()
            .toBuffer(),
        ),
      ],
      '头像.png',
    );

  it('is linked from the header', async () => {
    const page = await assist.get('/homework');
    const menu = page.document.querySelector('header details:has(a[href="/account"])');
    expect(menu?.querySelector('summary')?.textContent).toContain('姓名assist');
  });

  it('appears next to password and devices, for both identities', async () => {
    for (const person of [assist, teacher]) {
      const page = await person.get('/account');
      const tabs = [...page.document.querySelectorAll('nav[aria-label=账号] a')].map((tab) => tab.textContent);
      expect(tabs).toEqual(['个人信息', '账号安全', '登录设备']);
      expect(fieldValue(page, 'real_name')).toContain('姓名');
    }
    expect((await teacher.get('/account?tab=security')).document.querySelectorAll('input[type=password]').length).toBe(
      3,
    );
  });

  it('keeps typed text and the sent picture when a field is refused', async () => {
    const page = await assist.get('/account');
    // The page loads no script except the one that keeps the draft of the introduction.
    const scripts = [...page.document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src') ?? '');
    expect(scripts.filter((src) => !/island|drafts/.test(src))).toEqual([]);
    const refused = await send(page, { real_name: '  ', introduction: '很长'.repeat(101) }, await picture());
    expect(refused.status).toBe(422);
    expect(messageAt(refused, 'real_name')).toBe('姓名不能为空');
    expect(messageAt(refused, 'introduction')).toBe('简介不能超过200个字');
    expect(typedText(refused.document.querySelector('#introduction') as Element)).toBe('很长'.repeat(101));
    const shown = refused.document.querySelector('img')?.getAttribute('src');
    expect(shown).toMatch(/^\/files\//);

    const saved = await send(refused, { real_name: '陈晓彤', introduction: '答疑' });
    expect([saved.status, saved.location]).toEqual([302, '/account']);
    const after = await assist.follow(saved);
    expect(after.text).toContain('保存成功');
    expect(after.text).toContain('陈晓彤');
    expect(fieldValue(after, 'real_name')).toBe('陈晓彤');
    const avatar = after.document.querySelector('img')?.getAttribute('src') as string;
    expect(avatar).toMatch(/\.webp$/);
    expect((await assist.get(avatar)).headers.get('content-type')).toBe('image/webp');
  });

  it('refuses a non-picture by field', async () => {
    const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg');
    const page = await send(await assist.get('/account'), { introduction: '新的简介' }, svg);
    expect(page.status).toBe(415);
    expect(messageAt(page, 'avatar-file')).toBe('头像支持 gif、jpeg、jpg、png 格式的图片');
    expect(typedText(page.document.querySelector('#introduction') as Element)).toBe('新的简介');
  });

  it('shows the stored avatar, not the refused picture', async () => {
    const page = await assist.get('/account');
    const kept = page.document.querySelector('img')?.getAttribute('src');
    const whole = new Uint8Array(await (await picture()).arrayBuffer());
    const damaged = await send(page, {}, new File([whole.subarray(0, 120)], '半张.png'));
    expect([damaged.status, messageAt(damaged, 'avatar-file')]).toEqual([422, '图片已损坏，无法打开']);
    expect(damaged.document.querySelector('img')?.getAttribute('src')).toBe(kept);
    const empty = await send(damaged, {}, new File([], '空.png'));
    expect([empty.status, messageAt(empty, 'avatar-file')]).toEqual([422, '文件内容为空']);
    expect((await send(empty, {})).status).toBe(302);
  });
});

describe('the password', () => {
  it('reports errors by field, and shows no password again', async () => {
    const page = await assist.get('/account?tab=security');
    for (const label of ['旧密码', '新密码', '确认密码']) expect(page.text).toContain(label);
    const refused = await assist.post('/account?tab=security', {
      old_password: 'Wrong-2026',
      new_password: 'abcdefg',
      new_password_confirmation: 'abcdefh',
    });
    expect(refused.status).toBe(422);
    expect(messageAt(refused, 'new_password')).toBe('密码为6到18位，且至少包含数字、小写字母、大写字母中的两种');
    expect(messageAt(refused, 'new_password_confirmation')).toBe('两次输入的密码不一致');
    for (const secret of ['Wrong-2026', 'abcdefg', 'abcdefh']) expect(refused.html).not.toContain(secret);
  });

  it('is changed while the person stays signed in', async () => {
    const fields = formOf(await assist.get('/account?tab=security'), '修改密码').fields.filter(
      ([name]) => name === 'idempotency_key',
    );
    const typed: [string, string][] = [
      ['old_password', 'Assist2026'],
      ['new_password', 'Newpass2026'],
      ['new_password_confirmation', 'Newpass2026'],
    ];
    const done = await assist.post('/account?tab=security', [...fields, ...typed]);
    expect(done.location).toBe('/account?tab=security');
    expect((await assist.follow(done)).text).toContain('密码修改成功');
    const again = await assist.post('/account?tab=security', [...fields, ...typed]);
    expect((await assist.follow(again)).text).toContain('密码修改成功');
  });
});

describe('signed-in devices', () => {
  it('are listed, and signed out one by one or all at once', async () => {
    const { db } = school.database;
    const device = (name: string) =>
      issueToken(db, school.people.teacher.id, { device: name, address: '::ffff:10.0.0.9', now: noon });
    const tokens = [await device(phone), await device('curl/8'), await device(windows)];
    const page = await teacher.get('/account?tab=devices');
    expect(page.text).toContain('Chrome 126 · Windows当前设备');
    expect(page.text).toContain('Safari 17 · iPhone');
    expect(page.text).toContain('未知设备');
    expect(page.text).toContain('地址 10.0.0.9');
    const button = [...page.document.querySelectorAll('li button')].find((one) =>
      one.getAttribute('aria-label')?.includes('iPhone'),
    );
    const one = await teacher.post('/account?tab=devices', { intent: button?.getAttribute('value') as string });
    expect((await teacher.follow(one)).text).toContain('已退出该设备');
    const isIn = async (token: string | undefined) =>
      (await school.ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })).status === 200;
    expect([await isIn(tokens[0]), await isIn(tokens[1])]).toEqual([false, true]);
    const gone = await teacher.post('/account?tab=devices', { intent: button?.getAttribute('value') as string });
    expect([gone.status, gone.document.querySelector('[role=alert]')?.textContent]).toEqual([
      404,
      '该设备不存在或已退出',
    ]);
    const all = await teacher.post('/account?tab=devices', { intent: 'sign-out others' });
    expect((await teacher.follow(all)).text).toContain('已退出其他全部设备');
    expect([await isIn(tokens[1]), await isIn(tokens[2])]).toEqual([false, false]);
    expect((await teacher.get('/account?tab=devices')).text).not.toContain('退出其他全部设备');
  });
});
