/** The learners' door without client JS: the switch and its address, printed passwords, sign-in by password. */
import { beforeEach, describe, expect } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const number = '20260012';
const own = 'Xiaoman2026';

/** Fields of the form, some of them typed. */
const filled = (page: Page, button: string, typed: Record<string, string>): [string, string][] => [
  ...formOf(page, button).fields.filter(([name]) => !(name in typed)),
  ...Object.entries(typed),
];
const signIn = async (person: Visitor, password: string, from = '/learn/sign-in') =>
  person.post('/learn/sign-in', filled(await person.get(from), '登录', { number, password }));

it.beforeAll(async ({ school }) => {
  const { db } = school.database;
  await storeSetting(db, 'learn_page', '1');
  const [first = 0, ...others] = school.students.k1;
  await db.updateTable('student').set({ number }).where('id', '=', first).execute();
  await db.updateTable('student').set({ number: '', mobile: '' }).where('id', 'in', others).execute();
});
let at = noon;
beforeEach(() => {
  at += 3600;
});

describe('printing first passwords', () => {
  it('shows each once, with the address and a QR code, for the learner to sign in with', async ({
    school,
    app,
    admin,
  }) => {
    school.setNow(at);
    const members = await admin.get(`/admin/students/class?id=${school.classes.k1}`);
    const link = [...members.document.querySelectorAll('a')].find((one) => one.textContent === '打印初始密码');
    const address = link?.getAttribute('href') ?? '';
    expect(address).toBe(`/admin/students/passwords?class_id=${school.classes.k1}`);
    const choosing = await admin.get(address);
    expect(choosing.text).toContain('打印初始密码：一班');
    expect(choosing.text).toContain('学生一班2（没有学号和手机号，不能登录）');
    const { fields } = formOf(choosing, '生成并显示');
    expect(fields.filter(([name]) => name === 'pick')).toEqual([['pick', String(school.students.k1[0])]]);
    const sheet = await admin.post(address, fields);
    expect([sheet.status, sheet.text.includes('http://school.test/learn')]).toEqual([200, true]);
    expect(sheet.document.querySelectorAll('li svg[role=img]')).toHaveLength(1);
    const password = sheet.document.querySelector('li code')?.textContent ?? '';

    const person = app.visitor();
    const entered = await signIn(person, password, '/learn/sign-in?redirectTo=%2Flearn%2Fexams');
    expect(entered.location).toBe('/learn/password?redirectTo=%2Flearn%2Fexams');
    // Every other page redirects to the new password first.
    expect((await person.get('/learn/lessons')).location).toBe('/learn/password?redirectTo=%2Flearn%2Flessons');
    const choice = await person.get(entered.location ?? '');
    expect(choice.text).toContain('您用学校印发的初始密码登录，请先改为自己的密码');
    const typed = { new_password: own, new_password_confirmation: `${own}x` };
    const wrong = await person.post('/learn/password', filled(choice, '保存', typed));
    expect([wrong.status, wrong.text.includes('两次输入的密码不一致'), wrong.html.includes(own)]).toEqual([
      422,
      true,
      false,
    ]);
    const saved = await person.post(
      '/learn/password',
      filled(wrong, '保存', { ...typed, new_password_confirmation: own }),
    );
    expect(saved.location).toBe('/learn/exams');
    expect((await person.follow(saved)).text).toContain('密码修改成功');
    expect((await signIn(app.visitor(), own)).location).toBe('/learn');
  });

  it('leads a learner whose session ended to the sign-in form', async ({ school, app }) => {
    school.setNow(at);
    const person = app.visitor();
    expect((await signIn(person, own)).location).toBe('/learn');
    expect((await person.get('/learn/sign-in')).location).toBe('/learn');
    await school.database.db.deleteFrom('learner_session').execute();
    expect((await person.get('/learn')).location).toBe('/learn/sign-in');
    const form = await person.get('/learn/sign-in');
    expect([form.status, form.text.includes('密码')]).toEqual([200, true]);
  });

  it('does not speak of changing to a learner without a password', async ({ school, app }) => {
    school.setNow(at);
    const person = app.visitor();
    await signIn(person, own);
    expect((await person.get('/learn/password')).text).toContain('修改后，在其他设备上的登录会退出');
    const rows = await school.database.db.deleteFrom('learner_password').returningAll().execute();
    expect((await person.get('/learn/password')).text).toContain('您还没有密码。设置密码后');
    await school.database.db.insertInto('learner_password').values(rows).execute();
  });

  it('names who can open the learners’ pages, without a link that leads to a refusal', async ({ school, admin }) => {
    school.setNow(at);
    const { db } = school.database;
    const address = `/admin/students/passwords?class_id=${school.classes.k1}`;
    const may = (can_people: 0 | 1, can_settings: 0 | 1) =>
      db.updateTable('staff').set({ can_people, can_settings }).where('username', '=', 'admin').execute();
    const closed = async () => {
      const page = await admin.get(address);
      return [
        page.text.includes('请管理全部学校的教务开启'),
        page.html.includes('href="/admin/settings">设置</a>中开启'),
      ];
    };
    const doorLeads = async () => (await admin.get('/admin/settings')).text.includes('选择班级，打印初始密码');
    try {
      expect(await doorLeads()).toBe(true);
      await may(0, 1);
      expect(await doorLeads()).toBe(false);
      await may(1, 1);
      await storeSetting(db, 'learn_page', '0');
      expect(await closed()).toEqual([false, true]);
      await may(1, 0);
      expect(await closed()).toEqual([true, false]);
    } finally {
      await may(1, 1);
      await storeSetting(db, 'learn_page', '1');
    }
  });

  it('warns of an address that phones cannot open', async ({ school, admin }) => {
    school.setNow(at);
    const { db } = school.database;
    const choosing = `/admin/students/passwords?class_id=${school.classes.k1}`;
    const pages = [choosing, '/admin/settings', '/admin/settings/learn'];
    const warnings = async () =>
      await Promise.all(pages.map(async (page) => (await admin.get(page)).text.match(/这个地址[^。]*/)?.[0]));
    expect(await warnings()).toEqual([undefined, undefined, undefined]);
    try {
      await storeSetting(db, 'site_address', 'http://localhost:8080');
      const machine = '这个地址只有服务器本机能打开，学员的手机打不开';
      expect(await warnings()).toEqual([machine, machine, machine]);
      expect((await admin.get('/admin/staff/passwords')).text).toContain(
        '这个地址只有服务器本机能打开，别的电脑打不开',
      );
      await storeSetting(db, 'site_address', 'https://192.168.1.20');
      const network = '这个地址在内网中，学员不连学校的网络时打不开';
      expect(await warnings()).toEqual([network, network, network]);
      expect((await admin.get(choosing)).html).toContain('href="/admin/identity">统一登录</a>');
    } finally {
      await storeSetting(db, 'site_address', '');
    }
  });

  it('asks before it ends an earlier password', async ({ school, admin, app }) => {
    school.setNow(at);
    const address = `/admin/students/passwords?student_id=${school.students.k1[0]}`;
    const choosing = await admin.get(address);
    expect(choosing.text).toContain('已有自己的密码');
    const form = formOf(choosing, '生成并显示').fields;
    expect(form.filter(([name]) => name === 'pick')).toEqual([]);
    const picked: [string, string][] = [...form, ['pick', String(school.students.k1[0])]];
    const asked = await admin.post(address, picked);
    expect(asked.status).toBe(409);
    expect(asked.text).toContain('学生一班1自己设置的密码将作废；已登录的须用新密码重新登录');
    expect((await signIn(app.visitor(), own)).location).toBe('/learn');
    const made = await admin.post(address, formOf(asked, '作废原来的密码并重新生成').fields);
    expect([made.status, made.document.querySelectorAll('li code').length]).toEqual([200, 1]);
    const refused = await signIn(app.visitor(), own);
    expect([refused.status, refused.text.includes('学号、手机号或密码不正确')]).toEqual([422, true]);
    // Sending the same form again makes no new passwords.
    expect((await admin.post(address, picked)).status).toBe(409);
  });
});

describe('a form sent after the session expired', () => {
  it('goes on after a first password was changed', async ({ school, admin, app }) => {
    school.setNow(at);
    const { db } = school.database;
    const address = `/admin/students/passwords?student_id=${school.students.k1[0]}`;
    await db.deleteFrom('learner_password').execute();
    const { fields } = formOf(await admin.get(address), '生成并显示');
    const sheet = await admin.post(address, fields);
    const password = sheet.document.querySelector('li code')?.textContent ?? '';
    const person = app.visitor();
    await signIn(person, password);
    await db.updateTable('learner_session').set({ ended_at: at }).execute();
    const asking = '/learn/leave/ask?class_id=1&course_id=1&period_id=1';
    const expired = await person.post(asking, { leave_cause: '发烧' });
    expect([expired.status, expired.text.includes('获取验证码')]).toEqual([401, false]);
    const choice = await person.post('/learn/sign-in', filled(expired, '登录', { number, password }));
    expect(choice.text).toContain('设置自己的密码');
    const typed = { new_password: own, new_password_confirmation: 'other' };
    const wrong = await person.post('/learn/password', filled(choice, '保存', typed));
    const saved = await person.post(
      '/learn/password',
      filled(wrong, '保存', { ...typed, new_password_confirmation: own }),
    );
    const again = formOf(saved, '继续提交');
    expect(again.action).toBe(asking);
    expect(again.fields).toContainEqual(['leave_cause', '发烧']);
  });
});

describe('where no text message can be sent', () => {
  it('the sign-in offers no code, and says how to come in', async ({ app }) => {
    const page = await app.visitor().get('/learn/sign-in');
    expect(page.text).toContain('学校没有开通短信，请用密码登录');
    expect(page.text).not.toContain('验证码');
    const empty = await app.visitor().post('/learn/sign-in', { intent: 'password', number: ' ', password: '' });
    expect([empty.status, empty.text.includes('请输入学号或手机号'), empty.text.includes('请输入密码')]).toEqual([
      422,
      true,
      true,
    ]);
  });

  it('the administrator’s home and 系统 say it', async ({ school, admin }) => {
    school.setNow(at);
    const { db } = school.database;
    expect((await admin.get('/admin/system')).text).toContain('短信不会发出，学员不能用验证码登录');
    await db.deleteFrom('learner_password').execute();
    expect((await admin.get('/admin')).text).toContain('学员端已开启，但学校没有短信接口，没有印发初始密码');
    const lost = {
      message_id: 'lost',
      mobile: '13700001234',
      content: '停课',
      created_at: at,
      next_try_at: at,
      session_id: null,
      student_id: null,
      delivered_at: at,
    };
    await db.insertInto('sms_outbox').values(lost).execute();
    expect((await admin.get('/admin')).text).toContain('学校没有短信接口，最近要发的短信没有发出');
    await storeSetting(db, 'sms_webhook_url', 'https://sms.example/');
    const fine = (await admin.get('/admin')).text;
    expect([fine.includes('学员端已开启'), /短信(没有发出|发送失败)/.test(fine)]).toEqual([false, false]);
    await db.updateTable('sms_outbox').set({ delivered_at: null, tries: 3 }).execute();
    expect((await admin.get('/admin')).text).toContain('有短信发送失败');
    expect((await admin.get('/admin/system')).text).not.toContain('短信不会发出');
    await db.deleteFrom('sms_outbox').execute();
    await storeSetting(db, 'sms_webhook_url', '');
  });
});

describe('where text messages are sent', () => {
  it('the sign-in offers both ways', async ({ school, app }) => {
    await storeSetting(school.database.db, 'sms_webhook_url', 'https://sms.example/');
    const page = await app.visitor().get('/learn/sign-in');
    expect(formOf(page, '获取验证码').fields.map(([name]) => name)).not.toContain('password');
    const link = [...page.document.querySelectorAll('a')].find((one) => one.textContent === '用密码登录');
    const other = await app.visitor().get(link?.getAttribute('href') ?? '');
    expect(formOf(other, '登录').fields.map(([name]) => name)).toContain('password');
    await storeSetting(school.database.db, 'sms_webhook_url', '');
  });
});

describe('the switch', () => {
  it('shows the address and its QR code, to print', async ({ school, admin }) => {
    const shown = await admin.get('/admin/settings');
    expect(shown.text).toContain('学员的登录地址：http://school.test/learn');
    expect(shown.document.querySelector('svg[role=img]')?.getAttribute('aria-label')).toBe('学员端二维码');
    const poster = await admin.get('/admin/settings/learn');
    expect(poster.text).toContain('用学号或手机号和学校印发的初始密码登录');
    expect(poster.document.querySelectorAll('svg[role=img]')).toHaveLength(1);
    await storeSetting(school.database.db, 'site_address', 'https://study.example');
    expect((await admin.get('/admin/settings/learn')).text).toContain('https://study.example/learn');
    await storeSetting(school.database.db, 'site_address', '');
    await storeSetting(school.database.db, 'learn_page', '0');
    expect((await admin.get('/admin/settings')).text).not.toContain('学员的登录地址');
    await storeSetting(school.database.db, 'learn_page', '1');
  });
});
