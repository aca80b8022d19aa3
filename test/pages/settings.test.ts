/** Settings, tokens, holidays and second factor without client JS. */
import { describe, expect } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { codeAt } from '#server/platform/auth/second-factor.ts';
import { storeSetting } from '#server/school/settings.ts';
import { formOf } from '../support/app.ts';
import { addPeriod } from '../support/calendar-school.ts';
import { noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const withFields = (fields: [string, string][], more: Record<string, string>): [string, string][] => [
  ...fields.filter(([name]) => !(name in more)),
  ...Object.entries(more),
];

describe('settings', () => {
  it('are saved by forms without losing typed text', async ({ admin }) => {
    const address = '/admin/settings?tab=sign-in';
    const form = formOf(await admin.get(address), '保存');
    const wrong = await admin.post(address, withFields(form.fields, { sign_in_tries: '99', sign_in_hours: '24' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请输入3到50的整数')]);
    expect(wrong.document.querySelector('#sign_in_hours')?.getAttribute('value')).toBe('24');
    const right = await admin.follow(
      await admin.post(address, withFields(formOf(wrong, '保存').fields, { sign_in_tries: '8' })),
    );
    expect(right.text).toContain('保存成功');
    expect(right.document.querySelector('#sign_in_tries')?.getAttribute('value')).toBe('8');
  });

  it('store an unticked switch, and the name in the header', async ({ admin, teacher }) => {
    const form = formOf(await admin.get('/admin/settings'), '保存');
    const fields = withFields(form.fields, { school_name: '明德中学' }).filter(
      ([, value]) => value !== 'community_module',
    );
    const page = await admin.follow(await admin.post('/admin/settings', fields));
    expect(page.document.querySelector('header')?.textContent).toContain('明德中学');
    expect((await teacher.get('/community')).status).toBe(404);
    const again = formOf(page, '保存');
    await admin.post('/admin/settings', [
      ...withFields(again.fields, { school_name: '' }),
      ['switches', 'community_module'],
    ]);
    expect((await teacher.get('/community')).status).toBe(200);
  });

  it('never send a secret back', async ({ admin }) => {
    const address = '/admin/settings?tab=live';
    const form = formOf(await admin.get(address), '保存');
    const refused = await admin.post(
      address,
      withFields(form.fields, { bbb_url: 'bbb.example', bbb_secret_password: 'S3cret-of-room' }),
    );
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('请填写以 http:// 或 https:// 开头')]);
    expect(refused.html).not.toContain('S3cret-of-room');
    expect(refused.document.querySelector('#bbb_url')?.getAttribute('value')).toBe('bbb.example');
  });

  it("show a service's answer, and keep typed text", async ({ admin }) => {
    const address = '/admin/settings?tab=messages';
    const form = formOf(await admin.get(address), '试一试');
    const page = await admin.post(
      address,
      withFields(form.fields, { intent: 'try', sms_webhook_url: 'http://127.0.0.1:9/sms', mobile: '13900000001' }),
    );
    expect(page.status).toBe(200);
    expect(page.document.querySelector('[role=status]')?.textContent).toMatch(/未成功.*设置尚未保存/s);
    expect(page.document.querySelector('#sms_webhook_url')?.getAttribute('value')).toBe('http://127.0.0.1:9/sms');
  });

  it('are closed to others', async ({ teacher, assist }) => {
    for (const visitor of [teacher, assist])
      for (const address of ['/admin/settings', '/admin/tokens', '/admin/tokens/add', '/admin/holidays'])
        expect([address, (await visitor.get(address)).status]).toEqual([address, 403]);
  });
});

describe('tokens and holidays', () => {
  it('show a token once, list and revoke it', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/tokens/add'), '生成令牌');
    const nameless = await admin.post('/admin/tokens/add', withFields(form.fields, { name: ' ' }));
    expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining('请填写应用名称')]);
    const made = await admin.post('/admin/tokens/add', withFields(form.fields, { name: '学习端' }));
    const token = made.document.querySelector('code')?.textContent ?? '';
    expect(token).toMatch(/^app_/);
    const list = await admin.get('/admin/tokens');
    expect(list.html).not.toContain(token);
    expect(list.text).toMatch(/学习端全部学校.*从未使用在用/);
    const end = list.document.querySelector('a[href^="/admin/tokens/end"]')?.getAttribute('href') ?? '';
    const ended = await admin.follow(await admin.post(end, formOf(await admin.get(end), '确定停用').fields));
    expect(ended.text).toMatch(/学习端全部学校.*已停用/);
  });

  it('add a OneRoster client with a secret shown once, and revoke it', async ({ admin, assist }) => {
    const form = formOf(await admin.get('/admin/roster-clients/add'), '添加');
    const nothing = withFields(form.fields, { name: '' }).filter(([name]) => name !== 'reads');
    const wrong = await admin.post('/admin/roster-clients/add', nothing);
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('请填写系统名称')]);
    expect(wrong.text).toContain('请选择至少一项可读取的内容');
    const made = await admin.post('/admin/roster-clients/add', withFields(form.fields, { name: '区教育平台' }));
    const [id, secret, address] = [...made.document.querySelectorAll('code')].map((code) => code.textContent);
    expect(id).toMatch(/^or_/);
    expect(address).toBe('/ims/oneroster/token');
    const list = await admin.get('/admin/roster-clients');
    expect(list.html).not.toContain(secret);
    expect(list.text).toMatch(/区教育平台全部学校名册、成绩.*从未使用在用/);
    const end = list.document.querySelector('a[href^="/admin/roster-clients/end"]')?.getAttribute('href') ?? '';
    const ended = await admin.follow(await admin.post(end, formOf(await admin.get(end), '确定停用').fields));
    expect(ended.text).toMatch(/区教育平台全部学校.*已停用/);
    expect((await assist.get('/admin/roster-clients')).status).toBe(403);
  });

  it("set a webhook address beside an application's token", async ({ admin }) => {
    const form = formOf(await admin.get('/admin/tokens/add'), '生成令牌');
    await admin.post('/admin/tokens/add', withFields(form.fields, { name: '通知应用' }));
    const list = await admin.get('/admin/tokens');
    const address = list.document.querySelector('a[href^="/admin/tokens/webhook"]')?.getAttribute('href') ?? '';
    const screen = await admin.get(address);
    const wrong = await admin.post(address, withFields(formOf(screen, '保存').fields, { url: 'ftp://x' }));
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringContaining('请填写以 http:// 或 https:// 开头的地址'),
    ]);
    expect(wrong.document.querySelector('#url')?.getAttribute('value')).toBe('ftp://x');
    const url = 'https://learners.test/events';
    const kept = await admin.post(address, withFields(formOf(wrong, '保存').fields, { url }));
    expect(kept.document.querySelector('code')?.textContent).toMatch(/^[\w-]{43}$/);
    const shown = await admin.get(address);
    expect(shown.document.querySelector('#url')?.getAttribute('value')).toBe(url);
    expect(shown.text).toContain('没有等待送达的通知');
    const ended = await admin.follow(await admin.post(address, [['intent', 'end']]));
    expect(ended.text).toContain('已停止通知');
    expect(ended.document.querySelector('#url')?.getAttribute('value')).toBe('');
  });

  it('add holidays to a year, and remove them', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/holidays'), '添加');
    const days = { name: '国庆节', from: '2027-10-01', to: '2027-10-03' };
    const backwards = await admin.post('/admin/holidays', withFields(form.fields, { ...days, to: '2027-09-01' }));
    expect([backwards.status, backwards.text]).toEqual([422, expect.stringContaining('结束日期不能早于开始日期')]);
    expect(backwards.document.querySelector('#name')?.getAttribute('value')).toBe('国庆节');
    const page = await admin.follow(await admin.post('/admin/holidays', withFields(form.fields, days)));
    expect(page.text).toContain('2027-10-02 周六国庆节放假');
    const remove = page.document.querySelector('a[href*="/admin/holidays/remove"]')?.getAttribute('href') ?? '';
    const left = await admin.follow(await admin.post(remove, formOf(await admin.get(remove), '确定删除').fields));
    expect(left.document.querySelectorAll('tbody tr')).toHaveLength(2);
  });

  it('edit one holiday in a dialog, and keep the typed text when it is refused', async ({ admin }) => {
    const add = formOf(await admin.get('/admin/holidays'), '添加');
    await admin.post('/admin/holidays', withFields(add.fields, { name: '校庆', from: '2065-04-01', to: '' }));
    const list = await admin.get('/admin/holidays?year=2065');
    const edit = list.document.querySelector('a[href*="/admin/holidays/edit"]')?.getAttribute('href') ?? '';
    const form = formOf(await admin.get(edit), '保存');
    expect(new Map(form.fields).get('day')).toBe('2065-04-01');
    const refused = await admin.post(edit, withFields(form.fields, { name: '', day: '2065-04-02' }));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('请填写名称')]);
    expect(refused.document.querySelector('#day')?.getAttribute('value')).toBe('2065-04-02');
    const fields = withFields(form.fields, { name: '校庆补课', day: '2065-04-04', is_workday: '1', as_weekday: '5' });
    const saved = await admin.follow(await admin.post(edit, fields));
    expect(saved.text).toContain('2065-04-04 周六校庆补课上课 按周五的课表');
  });
});

describe('the national holidays', () => {
  it('are shown with standing lessons, chosen, and recorded', async ({ school, admin }) => {
    const start = Date.parse('2061-10-02T09:00+08:00') / 1000;
    await addPeriod(school, { title: '国庆的课', lecturer: 'teacher', start });
    const year = await admin.get('/admin/holidays?year=2061');
    expect(year.text).toContain('国务院调休安排尚未公布');
    const address = year.document.querySelector('a[href*="/admin/holidays/national"]')?.getAttribute('href') ?? '';
    const page = await admin.get(address);
    expect(page.text).toContain('1节，不改动');
    expect(page.text).toContain('国庆的课');
    const form = formOf(page, '采用勾选的日子');
    const none = await admin.post(
      address,
      form.fields.filter(([name]) => name !== 'days'),
    );
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('请至少选择一天')]);
    expect(none.document.querySelectorAll('input[name=days]:checked')).toHaveLength(0);
    const chosen = form.fields.filter(([, value]) => value !== '2061-01-01');
    const done = await admin.follow(await admin.post(address, chosen));
    expect(done.text).toContain('已排的1节课没有改动');
    expect(done.document.querySelectorAll('tbody tr')).toHaveLength(12);
    expect(done.text).toContain('国庆的课');
    const left = await admin.get(address);
    expect(left.document.querySelectorAll('input[name=days]')).toHaveLength(1);
    await admin.post('/admin/holidays', [
      ['name', '元旦补课'],
      ['from', '2061-01-01'],
      ['is_workday', '1'],
    ]);
    expect((await admin.get(address)).text).toContain('已有：元旦补课 上课 与上述安排不同');
  });

  it('say how much of an announced year is left, and that a year outside the data has no list', async ({ admin }) => {
    const announced = await admin.get('/admin/holidays?year=2025');
    expect(announced.text).toMatch(/国务院办公厅已公布2025年的安排，其中\d+天还没有采用/);
    for (const year of [2003, 2100]) {
      const page = await admin.get(`/admin/holidays/national?year=${year}`);
      expect(page.text).toContain(`本系统没有${year}年的国家法定节假日`);
      expect(page.text).not.toContain('尚未公布');
    }
  });

  it('are linked from planners in a new tab, one link a year', async ({ school, admin }) => {
    const { db } = school.services.database;
    const kept = await db.selectFrom('holiday').selectAll().execute();
    await db.deleteFrom('holiday').execute();
    const note = (await admin.get('/admin/import/timetable')).document.querySelector('[role=note]');
    expect(note?.textContent).toContain('采用2026年的国家法定节假日、采用2027年的国家法定节假日');
    const links = [...(note?.querySelectorAll('a') ?? [])];
    expect(links.map((link) => link.getAttribute('target'))).toEqual(['_blank', '_blank']);
    if (kept.length > 0) await db.insertInto('holiday').values(kept).execute();
  });

  it('offer a make-up workday with the weekday that it stands in for', async ({ admin }) => {
    const form = formOf(await admin.get('/admin/holidays/national?year=2026'), '采用勾选的日子');
    const fields = new Map(form.fields);
    expect([fields.get('as_weekday.2026-05-09'), fields.get('as_weekday.2026-10-10')]).toEqual(['2', '3']);
    const chosen = withFields(form.fields, { 'as_weekday.2026-10-10': '' });
    const done = await admin.follow(await admin.post('/admin/holidays/national?year=2026', chosen));
    expect(done.text).toContain('2026-05-09 周六劳动节上课 按周二的课表');
    expect(done.text).toContain('2026-10-10 周六国庆节上课');
    expect(done.text).not.toContain('2026-10-10 周六国庆节上课 按');
  });
});

describe('second factor', () => {
  it('is set up in the account, required at sign-in, and continues to the target', async ({ school, app, teacher }) => {
    expect(
      (await teacher.get('/account?tab=security')).document.querySelector('a[href="/account/second-factor"]'),
    ).not.toBeNull();
    const ahead = await teacher.get('/account/second-factor', { 'sec-purpose': 'prefetch' });
    expect([ahead.status, ahead.headers.get('allow')]).toEqual([405, 'GET']);
    const form = formOf(await teacher.get('/account/second-factor'), '开启两步验证');
    const secret = new Map(form.fields).get('secret') ?? '';
    const wrong = await teacher.post('/account/second-factor', withFields(form.fields, { code: '12', intent: 'on' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('验证码为6位数字')]);
    // The secret stays, because the authenticator app has it already.
    const again = formOf(wrong, '开启两步验证');
    expect(new Map(again.fields).get('secret')).toBe(secret);
    const done = await teacher.post(
      '/account/second-factor',
      withFields(again.fields, { code: codeAt(secret, noon), intent: 'on' }),
    );
    const codes = [...done.document.querySelectorAll('li code')].map((one) => one.textContent ?? '');
    expect(codes).toHaveLength(10);

    const { db } = school.database;
    await db
      .updateTable('staff')
      .set({ password_hash: await hashPassword('Teach2026') })
      .where('username', '=', 'teacher')
      .execute();
    const visitor = app.visitor();
    const asked = await visitor.follow(
      await visitor.post('/login', { username: 'teacher', password: 'Teach2026', redirectTo: '/classes' }),
    );
    expect(asked.text).toContain('请输入手机验证器上显示的6位数字');
    // Every other page redirects to this one first.
    const elsewhere = await visitor.get('/homework');
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([302, '/login/code?redirectTo=%2Fhomework']);
    const code = formOf(asked, '继续');
    const refused = await visitor.post('/login/code', withFields(code.fields, { code: '999999' }));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('验证码不正确')]);
    const classes = await visitor.follow(
      await visitor.post('/login/code', withFields(formOf(refused, '继续').fields, { code: codes[0] ?? '' })),
    );
    expect(classes.text).toContain('班级管理');
    await db.updateTable('staff').set({ totp_at: null, totp_secret: '' }).where('username', '=', 'teacher').execute();
  });

  it('is set up first where required', async ({ school, assist }) => {
    const { db } = school.database;
    await storeSetting(db, 'second_factor', 'all');
    try {
      const page = await assist.follow(await assist.get('/homework'));
      expect(page.text).toContain('学校要求开启两步验证，开启后才能使用其他功能');
    } finally {
      await storeSetting(db, 'second_factor', 'none');
    }
  });
});
