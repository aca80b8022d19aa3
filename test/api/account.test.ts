import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { idleLimit, issueToken } from '#server/platform/auth/sign-in.ts';
import { defaultPolicy } from '#server/school/settings.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('own account', (school) => {
  beforeAll(async () => {
    await school()
      .database.db.updateTable('staff')
      .set({ password_hash: await hashPassword('Assist2026') })
      .execute();
  });
  const staff = (id: number) =>
    school().database.db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const signInAgain = (id: number, device = 'Mozilla/5.0') =>
    issueToken(school().database.db, id, { device, address: '10.0.0.9', now: noon });
  const isSignedIn = async (token: string) =>
    (await school().ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })).status === 200;

  describe('profile', () => {
    const uploadAs = async (person: 'teacher' | 'assist', bytes: Uint8Array, name: string): Promise<string> => {
      const form = new FormData();
      form.set('file', new File([new Uint8Array(bytes)], name));
      const answer = await school().as(person).post('public/file', form);
      expect(answer.body.msg).toBe('上传成功');
      return answer.body.data.path;
    };
    const upload = (bytes: Uint8Array, name: string) => uploadAs('assist', bytes, name);
    const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp') =>
      sharp({ create: { width: 600, height: 400, channels: 3, background: '#1864ab' } })
        .withExif({ IFD0: { Copyright: 'somebody' } })
        .toFormat(format)
        .toBuffer();
    const save = (body: object) => school().as('assist').put('assistant/update', body);
    const good = { real_name: ' 陈晓彤 ', introduction: '答疑' };

    it('shows and saves the profile, and re-encodes the avatar', async () => {
      for (const [format, name] of [
        ['png', 'a.png'],
        ['jpeg', 'a.jpg'],
        ['jpeg', 'a.jpeg'],
        ['gif', 'a.gif'],
      ] as const) {
        const sent = await upload(await picture(format), name);
        const saved = await save({ ...good, avatar: sent });
        expect([saved.status, saved.body.msg]).toEqual([200, '保存成功']);
        const { data } = (await school().as('assist').get('information')).body;
        expect(data).toMatchObject({ real_name: '陈晓彤', introduction: '答疑', mobile: '' });
        expect(data.avatar).not.toBe(sent);
        const kept = await school().services.storage.readWhole(data.avatar.slice('/files/'.length), 1e6);
        const made = await sharp(kept as Uint8Array).metadata();
        expect([made.format, made.width, made.height, made.exif]).toEqual(['webp', 256, 256, undefined]);
      }
      const { avatar } = (await school().as('assist').get('information')).body.data;
      expect((await save({ ...good, avatar })).status).toBe(200);
      expect((await school().as('assist').get('information')).body.data.avatar).toBe(avatar);
      expect((await school().as('otherAssist').get('information')).body.data.avatar).toBe('');
    });

    it('requires each field', async () => {
      const { body, status } = await save({});
      expect(status).toBe(422);
      expect(body.errors).toEqual({
        avatar: ['头像不能为空'],
        real_name: ['姓名不能为空'],
        introduction: ['简介不能为空'],
      });
      const { avatar } = (await school().as('assist').get('information')).body.data;
      const errorsOf = async (form: object) => (await save({ ...good, avatar, ...form })).body.errors;
      expect(await errorsOf({ real_name: '   ' })).toEqual({ real_name: ['姓名不能为空'] });
      expect(await errorsOf({ introduction: '字'.repeat(201) })).toEqual({ introduction: ['简介不能超过200个字'] });
      expect((await save({ ...good, avatar, introduction: '😀'.repeat(200) })).status).toBe(200);
    });

    it('accepts only pictures, whatever the file is called', async () => {
      const before = (await school().as('assist').get('information')).body.data.avatar;
      const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
      const html = new TextEncoder().encode('<html><script>alert(1)</script></html>');
      for (const [bytes, name] of [
        [svg, 'a.svg'],
        [svg, 'a.png'],
        [html, 'a.html'],
        [html, 'a.gif'],
      ] as const) {
        const form = new FormData();
        form.set('file', new File([bytes], name));
        expect((await school().as('assist').post('public/file', form)).status, name).toBe(415);
        // The avatar call refuses an unsuitable file even if another call has stored it.
        const stored = await school().services.storage.put(
          (async function* () {
            yield bytes;
          })(),
          { extension: name.split('.')[1] as string, limit: 1e6 },
        );
        if (!('ok' in stored)) throw new Error('not stored');
        const refused = await save({ ...good, avatar: `/files/${stored.ok.key}` });
        expect([refused.status, Object.keys(refused.body.errors)], name).toEqual([
          name.endsWith('.png') || name.endsWith('.gif') ? 422 : 415,
          ['avatar'],
        ]);
      }
      expect((await save({ ...good, avatar: await upload(await picture('webp'), 'a.webp') })).status).toBe(415);
      for (const elsewhere of [
        'https://evil.example/a.png',
        '/files/2026/01/none.png',
        '../a.png',
        'javascript:alert(1)',
      ]) {
        expect((await save({ ...good, avatar: elsewhere })).status, elsewhere).toBe(422);
      }
      expect((await school().as('assist').get('information')).body.data.avatar).toBe(before);
    });

    it('works for lecturers too, each with a profile of their own', async () => {
      const avatar = await uploadAs('teacher', await picture('png'), 'a.png');
      const own = { avatar, real_name: '孙老师', introduction: '教数学' };
      const saved = await school().as('teacher').put('lector/update', own);
      expect([saved.status, saved.body.msg]).toEqual([200, '保存成功']);
      expect((await school().as('teacher').get('information')).body.data).toMatchObject({
        real_name: '孙老师',
        introduction: '教数学',
      });
      expect((await school().as('assist').get('information')).body.data.real_name).toBe('陈晓彤');
      const wrong = await school().as('teacher').put('update/password', { old_password: 'Wrong2026' });
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, expect.arrayContaining(['new_password'])]);
    });
  });

  describe('password', () => {
    const change = (old_password: string, new_password: string, again = new_password, headers = {}) =>
      school()
        .as('assist')
        .put('update/password', { old_password, new_password, new_password_confirmation: again }, headers);

    it('refuses a password that breaks any rule and changes nothing', async () => {
      const errorsOf = async (...form: Parameters<typeof change>) => {
        const { status, body } = await change(...form);
        expect(status).toBe(422);
        return body.errors;
      };
      const weak = '密码为6到18位，且至少包含数字、小写字母、大写字母中的两种';
      expect(await errorsOf('', '', '')).toEqual({ old_password: ['请输入旧密码'], new_password: ['请输入新密码'] });
      expect(await errorsOf('short', 'Newpass1')).toEqual({ old_password: ['密码长度为6到16位'] });
      expect(await errorsOf('x'.repeat(17), 'Newpass1')).toEqual({ old_password: ['密码长度为6到16位'] });
      expect(await errorsOf('x'.repeat(100_000), 'Newpass1')).toEqual({ old_password: ['密码长度为6到16位'] });
      expect(await errorsOf('Wrong2026', 'Newpass1')).toEqual({ old_password: ['旧密码不正确'] });
      for (const bad of ['abc12', 'a1'.repeat(10), 'abcdefgh', '12345678', 'ABCDEFGH', '!!!!!!!!']) {
        expect(await errorsOf('Assist2026', bad), bad).toEqual({ new_password: [weak] });
      }
      expect(await errorsOf('Assist2026', 'Newpass1', 'Newpass2')).toEqual({
        new_password_confirmation: ['两次输入的密码不一致'],
      });
      expect(await errorsOf('Assist2026', 'Assist2026')).toEqual({ new_password: ['新密码不能与旧密码相同'] });
    });

    it('changes the password once, ends the other sessions and keeps the current one', async () => {
      const { assist, otherAssist } = school().people;
      const elsewhere = await signInAgain(assist.id);
      const others = await signInAgain(otherAssist.id);
      const key = { 'idempotency-key': 'change-1' };
      const changed = await change('Assist2026', 'a1'.repeat(9), undefined, key);
      expect([changed.status, changed.body.msg]).toEqual([200, '密码修改成功']);
      // Posts the same form again, as a double click would.
      expect((await change('Assist2026', 'a1'.repeat(9), undefined, key)).body.msg).toBe('密码修改成功');
      expect([await isSignedIn(assist.token), await isSignedIn(elsewhere), await isSignedIn(others)]).toEqual([
        true,
        false,
        true,
      ]);
      const login = (password: string) =>
        school().ask('/api/auth/login', { method: 'POST', body: JSON.stringify({ username: 'assist', password }) });
      expect((await login('Assist2026')).status).toBe(401);
      expect((await login('a1'.repeat(9))).status).toBe(200);
      // 18 characters: longer than new passwords may be, but valid as an old one.
      expect((await change('a1'.repeat(9), 'Assist2026')).status).toBe(200);
      const history = await school()
        .database.db.selectFrom('history')
        .select(['action', 'staff_id', 'before', 'after'])
        .where('record', '=', 'staff')
        .where('action', '=', 'password')
        .execute();
      expect(history).toContainEqual({ action: 'password', staff_id: assist.id, before: null, after: null });
    });

    it('limits attempts at the old password', async () => {
      const { password_hash } = await staff(school().people.otherAssist.id);
      const guess = () =>
        school().as('otherAssist').put('update/password', {
          old_password: 'Guess2026',
          new_password: 'Newpass1',
          new_password_confirmation: 'Newpass1',
        });
      const statuses: number[] = [];
      for (let number = 0; number < 11; number += 1) statuses.push((await guess()).status);
      expect(statuses).toEqual([...Array(10).fill(422), 429]);
      expect((await staff(school().people.otherAssist.id)).password_hash).toBe(password_hash);
    });
  });

  describe('signed-in devices', () => {
    it('lists the devices, and signs out one or all others', async () => {
      const { teacher, otherTeacher } = school().people;
      const phone = await signInAgain(teacher.id, 'Phone');
      const tablet = await signInAgain(teacher.id, 'Tablet');
      const theirs = await signInAgain(otherTeacher.id, 'Theirs');
      const list = async () => (await school().as('teacher').get('account/devices')).body.data;
      const devices = await list();
      expect(devices.map((one: { device: string; is_current: number }) => [one.device, one.is_current])).toEqual([
        ['test', 1],
        ['Tablet', 0],
        ['Phone', 0],
      ]);
      const idOf = (device: string) => devices.find((one: { device: string }) => one.device === device).id;
      const ended = await school()
        .as('teacher')
        .delete(`account/devices/${idOf('Phone')}`);
      expect(ended.body.msg).toBe('已退出该设备');
      expect([await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([false, true]);
      expect(
        (
          await school()
            .as('teacher')
            .delete(`account/devices/${idOf('Phone')}`)
        ).status,
      ).toBe(404);
      expect(
        (
          await school()
            .as('teacher')
            .delete(`account/devices/${idOf('test')}`)
        ).status,
      ).toBe(409);
      const [, other] = (await school().as('otherTeacher').get('account/devices')).body.data;
      expect((await school().as('teacher').delete(`account/devices/${other.id}`)).status).toBe(404);
      expect((await school().as('teacher').delete('account/devices')).body.data).toEqual({ count: 1 });
      expect([await isSignedIn(tablet), await isSignedIn(theirs), await isSignedIn(teacher.token)]).toEqual([
        false,
        true,
        true,
      ]);
      expect(await list()).toHaveLength(1);
    });

    it('hides devices unused for too long, and does not count them as signed out', async () => {
      const { plainTeacher } = school().people;
      const [forgotten, used] = [
        await signInAgain(plainTeacher.id, 'Forgotten'),
        await signInAgain(plainTeacher.id, 'Used'),
      ];
      for (const [device, ago] of [
        ['Forgotten', idleLimit(defaultPolicy) + 1],
        ['Used', idleLimit(defaultPolicy)],
      ] as const)
        await school()
          .database.db.updateTable('sign_in')
          .set({ used_at: noon - ago })
          .where('device', '=', device)
          .execute();
      const devices = (await school().as('plainTeacher').get('account/devices')).body.data as { device: string }[];
      expect(devices.map(({ device }) => device)).toEqual(['test', 'Used']);
      expect((await school().as('plainTeacher').delete('account/devices')).body.data).toEqual({ count: 1 });
      expect([await isSignedIn(used), await isSignedIn(forgotten)]).toEqual([false, false]);
    });

    it('names a device by at most 300 characters of its user agent', async () => {
      const { otherAssist } = school().people;
      await signInAgain(otherAssist.id, `${'x'.repeat(300)}y`);
      const devices = (await school().as('otherAssist').get('account/devices')).body.data as { device: string }[];
      expect(devices.map(({ device }) => device)).toContain('x'.repeat(300));
    });
  });
});
