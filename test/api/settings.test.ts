import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { schoolPolicy, schoolSettings } from '#server/school/settings.ts';
import { addLesson, addPeriod } from '../support/calendar-school.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('settings for all schools', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const showSettings = async () => (await admin().get('settings')).body.data;
  const historyOf = async (record: string) => {
    const rows = await school()
      .database.db.selectFrom('history')
      .select(['action', 'before', 'after'])
      .where('record', '=', record)
      .orderBy('id')
      .execute();
    return rows.map(({ action, before, after }) => [action, JSON.parse(before ?? 'null'), JSON.parse(after ?? 'null')]);
  };

  /** Creates an administrator of another school only. */
  const addBoundAdmin = async () => {
    const { db } = school().database;
    const { id } = await db.insertInto('school').values({ org_name: '分校' }).returning('id').executeTakeFirstOrThrow();
    const person = await db
      .insertInto('staff')
      .values({
        identity: 'admin',
        username: `bound${id}`,
        password_hash: 'none',
        real_name: '那边',
        school_id: id,
        can_settings: 1,
        disabled_at: null,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('staff_school').values({ staff_id: person.id, school_id: id }).execute();
    const token = await issueToken(db, person.id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    return { id, ask };
  };

  describe('school settings', () => {
    it('take effect at once, with a history row', async () => {
      const { school: before } = await showSettings();
      const body = {
        school_name: ' 明德  中学 ',
        timezone: 'Asia/Urumqi',
        switches: before.switches.filter((one: string) => one !== 'community_module'),
        seen: before.seen,
      };
      expect(outcomeOf(await admin().put('settings/school', body))).toEqual([200, '保存成功']);
      expect(await schoolSettings(school().database.db, noon)).toMatchObject({
        school_name: '明德 中学',
        timezone: 'Asia/Urumqi',
        community_module: false,
        class_circle: true,
      });
      const [, first, last] = (await historyOf('setting')).at(-1) ?? [];
      expect([first.school_name, last.school_name, last.timezone]).toEqual(['', '明德 中学', 'Asia/Urumqi']);
      // An unchanged save writes no row.
      const count = (await historyOf('setting')).length;
      await admin().put('settings/school', { ...body, seen: (await showSettings()).school.seen });
      expect(await historyOf('setting')).toHaveLength(count);
      await admin().put('settings/school', {
        ...body,
        timezone: 'Asia/Shanghai',
        seen: (await showSettings()).school.seen,
      });
    });

    it('enforce their limits', async () => {
      const { seen } = (await showSettings()).sign_in;
      expect(
        errorsOf(
          await admin().put('settings/sign-in', {
            sign_in_tries: '2',
            sign_in_hours: '1.5',
            second_factor: 'some',
            seen,
          }),
        ),
      ).toEqual([
        422,
        {
          sign_in_tries: ['请输入3到50的整数'],
          sign_in_hours: ['请输入1到720的整数'],
          second_factor: ['请选择'],
        },
      ]);
      const keeping = {
        keep_sign_ins: '179',
        keep_messages: '',
        keep_imports: '0',
        keep_uploads: '31',
        keep_exports: '91',
        keep_drafts: '29',
        keep_previews: '91',
      };
      expect(errorsOf(await admin().put('settings/keeping', keeping))).toEqual([
        422,
        {
          keep_sign_ins: ['请输入180到3650的整数'],
          keep_messages: ['请输入1到3650的整数'],
          keep_imports: ['请输入14到3650的整数'],
          keep_uploads: ['请输入1到30的整数'],
          keep_exports: ['请输入1到90的整数'],
          keep_drafts: ['请输入30到3650的整数'],
          keep_previews: ['请输入1到90的整数'],
        },
      ]);
      expect(errorsOf(await admin().put('settings/school', { school_name: '名'.repeat(31), timezone: 'x' }))).toEqual([
        422,
        { school_name: ['不能超过30个字'] },
      ]);
      expect(errorsOf(await admin().put('settings/school', { school_name: '', timezone: 'Mars/Base' }))).toEqual([
        422,
        { timezone: ['请选择时区'] },
      ]);
    });

    it('report simultaneous edits with both values', async () => {
      const { seen } = (await showSettings()).keeping;
      const rest = { keep_uploads: '1', keep_exports: '7', keep_drafts: '180', keep_previews: '7' };
      const one = { keep_sign_ins: '365', keep_messages: '60', keep_imports: '30', ...rest, seen };
      await admin().put('settings/keeping', one);
      const other = await admin().put('settings/keeping', { ...one, keep_messages: '120' });
      expect(outcomeOf(other)).toEqual([
        409,
        expect.stringContaining('短信记录现在是“60”，您填写的是“120”。再次保存将以您填写的为准。'),
      ]);
      const again = { ...one, keep_messages: '120', seen: other.body.data.seen };
      expect(outcomeOf(await admin().put('settings/keeping', again))).toEqual([200, '保存成功']);
      expect((await schoolPolicy(school().database.db, noon)).keep_messages).toBe(120);
    });

    it('limit password attempts', async () => {
      const { sign_in } = await showSettings();
      await admin().put('settings/sign-in', {
        sign_in_tries: '3',
        sign_in_hours: '12',
        second_factor: 'none',
        seen: sign_in.seen,
      });
      const tries: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        const { status } = await school().ask('/api/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-client-address': '10.9.9.9' },
          body: JSON.stringify({ username: 'teacher', password: 'Wrong2026' }),
        });
        tries.push(status);
      }
      expect(tries).toEqual([401, 401, 401, 429]);
    });

    it('end idle sessions', async () => {
      const { sign_in } = await showSettings();
      await admin().put('settings/sign-in', {
        sign_in_tries: '10',
        sign_in_hours: '2',
        second_factor: 'none',
        seen: sign_in.seen,
      });
      const { db } = school().database;
      const { id } = await db
        .selectFrom('staff')
        .select('id')
        .where('username', '=', 'teacher')
        .executeTakeFirstOrThrow();
      const token = await issueToken(db, id, { device: '', address: '', now: noon });
      const me = () => school().ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
      school().setNow(noon + 2 * 3600 + 1);
      expect((await me()).status).toBe(401);
      school().setNow(noon);
      expect((await me()).status).toBe(200);
    });

    it('never show a secret, and keep it when left empty', async () => {
      const live = { live_url: '', live_playback_url: '', bbb_url: 'https://bbb.example/bigbluebutton' };
      expect(errorsOf(await admin().put('settings/live', { ...live, bbb_secret: '' }))).toEqual([
        422,
        { bbb_secret: ['请同时填写服务器地址和密钥'] },
      ]);
      await admin().put('settings/live', { ...live, bbb_secret: 'S3cret-of-room' });
      const answer = await admin().get('settings');
      expect(JSON.stringify(answer.body)).not.toContain('S3cret-of-room');
      expect(answer.body.data.live.has_bbb_secret).toBe(1);
      const { seen } = answer.body.data.live;
      await admin().put('settings/live', { ...live, bbb_url: 'https://two.example', bbb_secret: '', seen });
      expect(await schoolPolicy(school().database.db, noon)).toMatchObject({
        bbb_url: 'https://two.example',
        bbb_secret: 'S3cret-of-room',
      });
      expect(JSON.stringify(await historyOf('setting'))).not.toContain('S3cret-of-room');
      await admin().put('settings/live', {
        ...live,
        bbb_url: '',
        bbb_secret: '',
        seen: (await showSettings()).live.seen,
      });
      expect((await schoolPolicy(school().database.db, noon)).bbb_secret).toBe('');
    });

    it('are hidden from administrators of some schools', async () => {
      const { ask } = await addBoundAdmin();
      const fault = [403, '这些设置对全部学校有效，只有管理全部学校的教务可以修改'];
      expect(outcomeOf(await ask('GET', 'settings'))).toEqual(fault);
      expect(outcomeOf(await ask('PUT', 'settings/school', { school_name: '改', timezone: 'Asia/Shanghai' }))).toEqual(
        fault,
      );
      expect(outcomeOf(await ask('PUT', 'settings/sign-in', {}))).toEqual(fault);
      expect(outcomeOf(await ask('PUT', 'settings/keeping', {}))).toEqual(fault);
      expect(outcomeOf(await ask('PUT', 'settings/messages', {}))).toEqual(fault);
      expect(outcomeOf(await ask('PUT', 'settings/live', {}))).toEqual(fault);
      expect(outcomeOf(await ask('POST', 'settings/messages/try', {}))).toEqual(fault);
      expect(outcomeOf(await ask('POST', 'settings/live/try', {}))).toEqual(fault);
      expect(outcomeOf(await ask('POST', 'settings/logo', {}))).toEqual(fault);
      expect((await school().as('teacher').get('/api/admin/settings')).status).toBe(403);
    });

    it('take a picture as logo', async () => {
      expect(errorsOf(await admin().post('settings/logo', { logo: '/files/2026/11/none.png' }))).toEqual([
        422,
        { logo: ['请上传 PNG 或 JPG 图片'] },
      ]);
      const logo = await school().keepPicture();
      expect(outcomeOf(await admin().post('settings/logo', { logo }))).toEqual([200, '保存成功']);
      expect((await showSettings()).school.school_logo).toMatch(/^[0-9a-f]{8}$/);
      await admin().post('settings/logo', { logo: '' });
      expect((await showSettings()).school.school_logo).toBe('');
    });
  });

  describe('trial call of a service', () => {
    const received: { body: string; key: string | undefined }[] = [];
    let status = 200;
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const key = request.headers['idempotency-key'] as string | undefined;
        received.push({ body: Buffer.concat(chunks).toString(), key });
        response.writeHead(status, { location: 'http://elsewhere.example/' });
        response.end(
          request.url?.includes('getMeetings') ? '<response><returncode>FAILED</returncode></response>' : '余额不足',
        );
      });
    });
    let url = '';
    beforeAll(async () => {
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/send`;
    });
    afterAll(() => new Promise((resolve) => receiver.close(resolve)));
    const trial = (body: object) => admin().post('settings/messages/try', body);

    it('shows the status, never the body, and saves nothing', async () => {
      const good = await trial({ sms_webhook_url: url, mobile: '13900000001' });
      expect(good.body.data).toMatchObject({ ok: true, status: 200, said: '' });
      const [message] = received;
      expect(JSON.parse(message?.body ?? '')).toMatchObject({ mobile: '13900000001', id: message?.key });
      status = 402;
      expect((await trial({ sms_webhook_url: url, mobile: '13900000001' })).body.data).toMatchObject({
        ok: false,
        status: 402,
        said: '',
      });
      // Redirects are not followed.
      status = 302;
      expect((await trial({ sms_webhook_url: url, mobile: '13900000001' })).body.data).toMatchObject({
        ok: false,
        status: 302,
        said: '对方要求改用另一个地址，请填写最终的地址',
      });
      status = 200;
      expect((await showSettings()).messages.sms_webhook_url).toBe('');
      expect((await trial({ sms_webhook_url: 'http://127.0.0.1:9/', mobile: '13900000001' })).body.data).toMatchObject({
        ok: false,
        status: null,
      });
    });

    it('is skipped while a field is invalid', async () => {
      const count = received.length;
      expect(errorsOf(await trial({ sms_webhook_url: 'ftp://x', mobile: '123' }))).toEqual([
        422,
        {
          sms_webhook_url: ['请填写以 http:// 或 https:// 开头的地址，不能有“#”和用户名，最多500个字符'],
          mobile: ['请输入11位手机号'],
        },
      ]);
      expect(received).toHaveLength(count);
    });

    it('reaches a BigBlueButton server without a URL template', async () => {
      const body = { live_url: '', live_playback_url: '', bbb_url: url.replace('/send', ''), bbb_secret: 'geheim' };
      const answer = (await admin().post('settings/live/try', body)).body.data;
      expect(answer).toMatchObject({ ok: false, status: 200, said: '应答的内容不符，请检查地址和密钥' });
    });
  });

  describe('application tokens', () => {
    const submit = (token: string, uid: number) =>
      school().ask('/api/app/study', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ uid, course_periods_id: 999_999, live_seconds: 1 }),
      });
    const someone = async () =>
      await school().database.db.selectFrom('student').select(['id', 'school_id']).executeTakeFirstOrThrow();

    it('are shown once, listed and revoked', async () => {
      const made = await admin().post('tokens', { name: ' 学习端 ', every_school: 1 });
      expect(outcomeOf(made)).toEqual([200, '令牌已生成']);
      const { id, token } = made.body.data;
      expect(token).toMatch(/^app_[\w-]{43}$/);
      const { list } = (await admin().get('tokens?name=学习')).body.data;
      expect(list[0]).toMatchObject({ id, name: '学习端', every_school: 1, used_at: null, ended_at: null });
      expect(JSON.stringify(list)).not.toContain(token);
      const { id: uid } = await someone();
      expect(outcomeOf(await submit(token, uid))).toEqual([404, '课时不存在']);
      expect((await admin().get(`tokens/${id}`)).body.data.used_at).toBe(noon);
      expect(outcomeOf(await admin().post(`tokens/${id}/end`))).toEqual([200, '令牌已停用']);
      expect(outcomeOf(await admin().post(`tokens/${id}/end`))).toEqual([409, '该令牌已停用']);
      expect((await submit(token, uid)).status).toBe(401);
      expect((await admin().get('tokens?state=in-use&name=学习')).body.data.total).toBe(0);
    });

    it("reach their schools' students alone", async () => {
      const { id: elsewhere } = await addBoundAdmin();
      const { id: uid, school_id } = await someone();
      const there = (await admin().post('tokens', { name: '分校', school_ids: [elsewhere] })).body.data.token;
      expect(outcomeOf(await submit(there, uid))).toEqual([404, '学员不存在']);
      const here = (await admin().post('tokens', { name: '本校', school_ids: [school_id] })).body.data.token;
      expect(outcomeOf(await submit(here, uid))).toEqual([404, '课时不存在']);
    });

    it('explain missing access', async () => {
      expect(errorsOf(await admin().post('tokens', { name: '' }))).toEqual([422, { name: ['请填写应用名称'] }]);
      expect(errorsOf(await admin().post('tokens', { name: '甲' }))).toEqual([
        422,
        { school_ids: ['请选择至少一所学校'] },
      ]);
    });

    it('have no more access than their creator', async () => {
      const { id, ask } = await addBoundAdmin();
      const all = (await admin().post('tokens', { name: '全部', every_school: 1 })).body.data.id;
      expect(errorsOf(await ask('POST', 'tokens', { name: '甲', every_school: 1 }))).toEqual([
        422,
        { every_school: ['只有管理全部学校的教务可以授予'] },
      ]);
      expect((await ask('POST', 'tokens', { name: '甲', school_ids: [(await someone()).school_id] })).status).toBe(422);
      expect((await ask('POST', 'tokens', { name: '甲', school_ids: [id] })).status).toBe(200);
      const { list } = (await ask('GET', 'tokens')).body.data;
      expect(list.map(({ name }: { name: string }) => name)).toEqual(['甲']);
      expect(outcomeOf(await ask('POST', `tokens/${all}/end`))).toEqual([404, '该令牌不存在']);
      expect(outcomeOf(await ask('GET', `tokens/${all}`))).toEqual([404, '该令牌不存在']);
    });
  });

  describe('holidays', () => {
    const add = (body: object) => admin().post('holidays', body);

    it('are added by range and removed by day', async () => {
      expect(outcomeOf(await add({ from: '2026-10-01', to: '2026-10-07', name: '国庆节' }))).toEqual([200, '添加成功']);
      await add({ from: '2026-10-10', name: '调休', is_workday: 1, as_weekday: 3 });
      const { data } = (await admin().get('holidays?year=2026')).body;
      expect(data.map(({ day }: { day: string }) => day.slice(5))).toEqual([
        '10-01',
        '10-02',
        '10-03',
        '10-04',
        '10-05',
        '10-06',
        '10-07',
        '10-10',
      ]);
      expect(data[7]).toMatchObject({ is_workday: 1, as_weekday: 3 });
      expect(data[0]).toMatchObject({ is_workday: 0, as_weekday: null });
      expect(outcomeOf(await admin().delete(`holidays/${data[0].id}`))).toEqual([200, '删除成功']);
      expect(outcomeOf(await admin().delete(`holidays/${data[0].id}`))).toEqual([404, '该日期不存在']);
      expect((await historyOf('holiday')).at(-1)).toEqual([
        'delete',
        { day: '2026-10-01', name: '国庆节', is_workday: 0, as_weekday: null },
        null,
      ]);
    });

    it('are refused as a whole', async () => {
      await add({ from: '2027-01-01', name: '元旦' });
      expect(errorsOf(await add({ from: '2026-12-30', to: '2027-01-02', name: '年末' }))).toEqual([
        422,
        { from: ['2027-01-01已有记录'] },
      ]);
      expect(
        (await admin().get('holidays?year=2026')).body.data.some(({ name }: { name: string }) => name === '年末'),
      ).toBe(false);
      expect(errorsOf(await add({ from: '2027-03-05', to: '2027-03-01', name: '春' }))).toEqual([
        422,
        { to: ['结束日期不能早于开始日期'] },
      ]);
      expect(errorsOf(await add({ from: '2027-03-01', to: '2037-03-01', name: '长' }))).toEqual([
        422,
        { to: ['一次最多添加60天'] },
      ]);
      expect(errorsOf(await add({ from: '2027-02-30' }))).toEqual([
        422,
        { from: ['请选择日期'], name: ['请填写名称'] },
      ]);
    });

    it('are edited one by one, with the lessons of a new day off', async () => {
      await add({ from: '2063-03-04', name: '校庆', is_workday: 1, as_weekday: 2 });
      await add({ from: '2063-03-06', name: '运动会' });
      const [first, second] = (await admin().get('holidays?year=2063')).body.data;
      const edit = (body: object) => admin().put(`holidays/${first.id}`, body);
      const form = (await admin().get(`holidays/${first.id}`)).body.data;
      expect(form).toMatchObject({ day: '2063-03-04', name: '校庆', is_workday: 1, as_weekday: 2 });
      expect(errorsOf(await edit({ ...form, day: second.day }))).toEqual([422, { day: ['2063-03-06已有记录'] }]);
      expect(errorsOf(await edit({ ...form, day: '2063-02-30', name: ' ' }))).toEqual([
        422,
        { day: ['请选择日期'], name: ['请填写名称'] },
      ]);
      await addPeriod(school(), { title: '校庆的课', start: Date.parse('2063-03-05T10:00+08:00') / 1000 });
      const moved = await edit({ ...form, day: '2063-03-05', is_workday: 0 });
      expect(outcomeOf(moved)).toEqual([200, '保存成功，这一天已排的1节课没有改动']);
      expect((await historyOf('holiday')).at(-1)).toEqual([
        'edit',
        { day: '2063-03-04', is_workday: 1, as_weekday: 2 },
        { day: '2063-03-05', is_workday: 0, as_weekday: null },
      ]);
      expect(outcomeOf(await edit({ ...form, name: '校庆日' }))).toEqual([200, '保存成功']);
      const [after] = (await admin().get('holidays?year=2063')).body.data;
      expect(after).toMatchObject({ day: '2063-03-05', name: '校庆日', is_workday: 0, as_weekday: null });
      const late = await edit({ ...form, name: '建校日' });
      expect(outcomeOf(late)).toEqual([
        409,
        '姓名admin刚刚修改了该记录：名称现在是“校庆日”，您填写的是“建校日”。再次保存将以您填写的为准。',
      ]);
      expect(outcomeOf(await admin().put('holidays/999999', form))).toEqual([404, '该日期不存在']);
      expect((await admin().get('holidays/999999')).status).toBe(404);
    });

    it('are added once when two administrators add the same day at the same moment', async () => {
      const answers = await Promise.all([
        add({ from: '2064-05-04', name: '青年节' }),
        add({ from: '2064-05-04', name: '青年节' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect((await admin().get('holidays?year=2064')).body.data).toHaveLength(1);
    });

    describe('of the national list', () => {
      interface Listed {
        id: number;
        day: string;
        name: string;
        is_workday: number;
        as_weekday: number | null;
        present: object | null;
        lesson_count: number;
        lessons: object[];
      }
      const national = async (year: number) => (await admin().get(`holidays/national?year=${year}`)).body.data;
      const recorded = async (year: number): Promise<Listed[]> =>
        (await admin().get(`holidays?year=${year}`)).body.data;
      const adopt = (days: object[]) => admin().post('holidays/national', { days });
      const emptied = () => school().database.db.deleteFrom('holiday').execute();

      it('are recorded as chosen, make-up workdays with the weekday that they follow', async () => {
        await emptied();
        const { is_announced, days } = await national(2026);
        expect([is_announced, days.length]).toEqual([1, 39]);
        const chosen = days.filter(({ day }: Listed) => !day.startsWith('2026-02'));
        const answer = await adopt(
          chosen.map(({ day, as_weekday }: Listed) => ({ day, as_weekday: day === '2026-10-10' ? 4 : as_weekday })),
        );
        expect([outcomeOf(answer), answer.body.data]).toEqual([[200, '添加成功'], { count: 28 }]);
        const rows = await recorded(2026);
        expect(rows.map(({ day }) => day)).toEqual(chosen.map(({ day }: Listed) => day));
        const dayOf = (day: string) => rows.find((row) => row.day === day);
        expect(dayOf('2026-10-10')).toMatchObject({ name: '国庆节', is_workday: 1, as_weekday: 4 });
        expect(dayOf('2026-01-04')).toMatchObject({ name: '元旦', is_workday: 1, as_weekday: 5 });
        expect(dayOf('2026-10-05')).toMatchObject({ name: '国庆节', is_workday: 0, as_weekday: null });
        const left = (await national(2026)).days.filter(({ present }: Listed) => present === null);
        expect(left.map(({ day }: Listed) => day.slice(0, 7))).toEqual(Array(11).fill('2026-02'));
        expect((await historyOf('holiday')).at(-1)).toEqual([
          'add',
          null,
          { day: '2026-10-10', name: '国庆节', is_workday: 1, as_weekday: 4 },
        ]);
      });

      it('are the days by law of a year without an announced arrangement', async () => {
        const { is_announced, days } = await national(2061);
        expect([is_announced, days.length]).toEqual([0, 13]);
        expect(days.every(({ is_workday }: Listed) => is_workday === 0)).toBe(true);
      });

      it('are refused as a whole: no day, no national day, a recorded day', async () => {
        await emptied();
        await add({ from: '2026-05-02', name: '劳动节' });
        expect(errorsOf(await adopt([]))).toEqual([422, { days: ['请至少选择一天'] }]);
        expect(errorsOf(await admin().post('holidays/national', {}))).toEqual([422, { days: ['请至少选择一天'] }]);
        expect(errorsOf(await adopt([{ day: '2026-05-01' }, { day: '2026-05-12' }, { day: '2026' }]))).toEqual([
          422,
          { days: ['2026-05-12、2026不在国家法定节假日中'] },
        ]);
        expect(errorsOf(await adopt([{ day: '2026-05-01' }, { day: '2026-05-02' }]))).toEqual([
          422,
          { days: ['2026-05-02已有记录'] },
        ]);
        expect(await recorded(2026)).toHaveLength(1);
        const { ask } = await addBoundAdmin();
        expect((await ask('POST', 'holidays/national', { days: [{ day: '2026-05-01' }] })).status).toBe(403);
      });

      it('leave lessons as they are, and say which stand on them', async () => {
        await emptied();
        const at = (time: string) => Date.parse(`${time}+08:00`) / 1000;
        const start = at('2061-10-01T09:00');
        const period = await addPeriod(school(), { title: '第五讲', lecturer: 'teacher', start });
        const lesson = await addLesson(school(), { lecturer: 'otherTeacher', start: start + 3600 });
        await addLesson(school(), { lecturer: 'teacher', start, cancelled: true });
        await addPeriod(school(), { title: '前一天', start: at('2061-09-30T23:59') });
        const midnight = await addPeriod(school(), { title: '当天最后', start: at('2061-10-03T23:59') });
        const course = await school().database.db.selectFrom('course').select('title').executeTakeFirstOrThrow();
        const expected = [
          {
            kind: 'period',
            id: period,
            start_time: start,
            class_name: '',
            course_title: course.title,
            title: '第五讲',
            lecturer_name: '姓名teacher',
          },
          { kind: 'session', id: lesson, start_time: start + 3600, class_name: '小班', lecturer_name: '姓名teacher2' },
        ];
        const onDay = (days: Listed[], day: string) => days.find((one) => one.day === day);
        const before = (await national(2061)).days;
        expect(onDay(before, '2061-10-01')).toMatchObject({ lesson_count: 2, lessons: expected });
        expect(onDay(before, '2061-10-02')).toMatchObject({ lesson_count: 0, lessons: [] });
        const answer = await adopt(before.map(({ day }: Listed) => ({ day })));
        expect(outcomeOf(answer)).toEqual([200, '添加成功，这些日子已排的3节课没有改动，见下面的列表']);
        const rows = await recorded(2061);
        expect(onDay(rows, '2061-10-01')).toMatchObject({ lesson_count: 2, lessons: expected });
        expect(onDay(rows, '2061-10-03')).toMatchObject({ lesson_count: 1, lessons: [{ id: midnight }] });
        const { start_play } = await school()
          .database.db.selectFrom('period')
          .select('start_play')
          .where('id', '=', period)
          .executeTakeFirstOrThrow();
        expect(start_play).toBe(start);
        const { ask } = await addBoundAdmin();
        const theirs: Listed[] = (await ask('GET', 'holidays?year=2061')).body.data;
        expect(onDay(theirs, '2061-10-01')).toMatchObject({ lesson_count: 0, lessons: [] });
      });

      it('name five lessons of a day, and count those that have not begun', async () => {
        await emptied();
        await school().database.db.deleteFrom('period').execute();
        const hours = [-1, 0, 1, 2, 3, 4, 5];
        for (const hour of hours) await addPeriod(school(), { title: `${hour}时`, start: noon + hour * 3600 });
        await add({ from: new Date(noon * 1000).toISOString().slice(0, 10), name: '校庆' });
        const [today] = await recorded(2026);
        expect(today?.lesson_count).toBe(6);
        expect(today?.lessons).toMatchObject(['0时', '1时', '2时', '3时', '4时'].map((title) => ({ title })));
      });

      it('count as known years for planners, make-up workdays alone do not', async () => {
        await emptied();
        await add({ from: '2028-10-10', name: '调休', is_workday: 1 });
        await add({ from: '2027-05-01', name: '劳动节' });
        expect((await admin().get('holidays/years')).body.data).toEqual([2027]);
        expect((await admin().get('holidays/years?by_law=1')).body.data).toEqual([2027]);
        await add({ from: '2027-10-09', name: '调休', is_workday: 1 });
        expect((await admin().get('holidays/years?by_law=1')).body.data).toEqual([]);
      });
    });

    it('say how many lessons stand on days added by hand', async () => {
      await addPeriod(school(), { title: '运动会那天', start: Date.parse('2062-04-20T10:00+08:00') / 1000 });
      const answer = await add({ from: '2062-04-20', name: '运动会' });
      expect(outcomeOf(answer)).toEqual([200, '添加成功，这些日子已排的1节课没有改动，见下面的列表']);
      const worked = await add({ from: '2062-04-22', name: '补课', is_workday: 1 });
      expect(outcomeOf(worked)).toEqual([200, '添加成功']);
    });

    it('are read-only for administrators of some schools', async () => {
      const { ask } = await addBoundAdmin();
      expect((await ask('GET', 'holidays?year=2027')).status).toBe(200);
      expect((await ask('POST', 'holidays', { from: '2027-05-01', name: '劳动节' })).status).toBe(403);
      const [{ id }] = (await admin().get('holidays?year=2027')).body.data;
      expect((await ask('PUT', `holidays/${id}`, { day: '2027-05-02', name: '劳动节' })).status).toBe(403);
    });
  });
});
