import { expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { codeAt } from '#server/platform/auth/second-factor.ts';
import { storeSetting } from '#server/school/settings.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

const later = (steps: number) => noon + steps * 30;

onBothEngines('second factor', (opened) => {
  const school = () => opened();
  const askWith = (token: string) => (method: string, path: string, body?: object) =>
    school().ask(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  const signIn = async (username: string) => {
    const { body } = await school().ask('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'Teach2026' }),
    });
    return body.data as { token: string; awaits_code: 0 | 1 };
  };
  /** Creates a lecturer with password and second factor; returns the secret. */
  const enrol = async (username: string) => {
    const { db } = school().database;
    const { id: school_id } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
    const password_hash = await hashPassword('Teach2026');
    const person = { username, real_name: username, password_hash, school_id, identity: 'teacher' as const };
    await db
      .insertInto('staff')
      .values({ ...person, disabled_at: null, created_at: noon })
      .execute();
    const ask = askWith((await signIn(username)).token);
    const { secret, address } = (await ask('POST', '/api/auth/second-factor/secret')).body.data;
    expect(address).toContain(`secret=${secret}`);
    const turned = await ask('POST', '/api/auth/second-factor', { secret, code: codeAt(secret, noon) });
    expect(outcomeOf(turned)).toEqual([200, '两步验证已开启']);
    return { secret: secret as string, codes: turned.body.data.recovery_codes as string[], ask };
  };

  it('is required after the password, before any other answer', async () => {
    const { secret } = await enrol('wang');
    const { token, awaits_code } = await signIn('wang');
    expect(awaits_code).toBe(1);
    const ask = askWith(token);
    expect(outcomeOf(await ask('GET', '/api/lector/hw/index'))).toEqual([403, '请先输入两步验证码']);
    expect(outcomeOf(await ask('PUT', '/api/lector/update/password', {}))).toEqual([403, '请先输入两步验证码']);
    expect((await ask('GET', '/api/auth/me')).body.data.awaits_code).toBe(1);
    expect(errorsOf(await ask('POST', '/api/auth/code', { code: '' }))).toEqual([422, { code: ['请输入验证码'] }]);
    expect(errorsOf(await ask('POST', '/api/auth/code', { code: '000000' }))).toEqual([
      422,
      { code: ['验证码不正确，请确认手机时间准确'] },
    ]);
    school().setNow(later(1));
    const code = codeAt(secret, later(1));
    // The code as a phone may show and type it: with a space, in full-width digits.
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`.replace(/\d/g, (digit) =>
      String.fromCharCode(0xff10 + Number(digit)),
    );
    const signIns = async () => {
      const rows = school()
        .database.db.selectFrom('history')
        .innerJoin('staff', 'staff.id', 'history.record_id')
        .where('record', '=', 'staff')
        .where('action', '=', 'signed_in')
        .where('staff.username', '=', 'wang');
      return (await rows.select('history.id').execute()).length;
    };
    const before = await signIns();
    expect(outcomeOf(await ask('POST', '/api/auth/code', { code: typed }))).toEqual([200, '登录成功']);
    expect(await signIns()).toBe(before + 1);
    expect((await ask('GET', '/api/lector/hw/index')).status).toBe(200);
    expect(outcomeOf(await ask('POST', '/api/auth/code', { code }))).toEqual([409, '本次登录不需要验证码']);
  });

  it('accepts each code once, even for simultaneous requests', async () => {
    const { secret } = await enrol('zhang');
    school().setNow(later(1));
    const code = codeAt(secret, later(1));
    const asks = await Promise.all([1, 2].map(async () => askWith((await signIn('zhang')).token)));
    const answers = await Promise.all(asks.map((ask) => ask('POST', '/api/auth/code', { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual({
      code: ['该验证码已使用，请等待下一个'],
    });
  });

  it('accepts a recovery code once, in any spelling', async () => {
    const { codes } = await enrol('liu');
    expect(codes).toHaveLength(10);
    const [first = ''] = codes;
    const one = askWith((await signIn('liu')).token);
    expect(outcomeOf(await one('POST', '/api/auth/code', { code: first.toUpperCase().replace('-', ' ') }))).toEqual([
      200,
      '登录成功',
    ]);
    expect((await one('GET', '/api/auth/second-factor')).body.data).toMatchObject({ is_on: 1, recovery_left: 9 });
    const again = askWith((await signIn('liu')).token);
    expect((await again('POST', '/api/auth/code', { code: first })).status).toBe(422);
    const kept = await school()
      .database.db.selectFrom('staff')
      .select('recovery_codes')
      .where('username', '=', 'liu')
      .executeTakeFirstOrThrow();
    for (const code of codes) expect(kept.recovery_codes).not.toContain(code.replace('-', ''));
  });

  it('allows ten attempts in ten minutes', async () => {
    await enrol('chen');
    const ask = askWith((await signIn('chen')).token);
    const answers: number[] = [];
    for (let guess = 0; guess < 11; guess += 1)
      answers.push((await ask('POST', '/api/auth/code', { code: `${100_000 + guess}` })).status);
    expect(answers).toEqual([...Array(10).fill(422), 429]);
    // Attempts count per person, so a new sign-in does not reset them.
    const { token } = await signIn('chen');
    expect((await askWith(token)('POST', '/api/auth/code', { code: '123456' })).status).toBe(429);
  });

  it('expires after ten minutes of waiting', async () => {
    const { secret } = await enrol('yang');
    const ask = askWith((await signIn('yang')).token);
    school().setNow(noon + 601);
    expect((await ask('POST', '/api/auth/code', { code: codeAt(secret, noon + 601) })).status).toBe(401);
  });

  it('is renewed and turned off with a code', async () => {
    const { secret, codes, ask } = await enrol('zhao');
    school().setNow(later(2));
    const renewed = await ask('POST', '/api/auth/second-factor/recovery', { code: codes[0] });
    expect(outcomeOf(renewed)).toEqual([200, '恢复代码已重新生成']);
    expect(renewed.body.data.recovery_codes).not.toContain(codes[1]);
    expect((await ask('POST', '/api/auth/second-factor/off', { code: codes[1] })).status).toBe(422);
    expect(outcomeOf(await ask('POST', '/api/auth/second-factor/off', { code: codeAt(secret, later(2)) }))).toEqual([
      200,
      '两步验证已关闭',
    ]);
    expect((await signIn('zhao')).awaits_code).toBe(0);
    expect(outcomeOf(await ask('POST', '/api/auth/second-factor/off', { code: '' }))).toEqual([409, '两步验证未开启']);
    const actions = await school()
      .database.db.selectFrom('history')
      .innerJoin('staff', 'staff.id', 'history.record_id')
      .select('action')
      .where('record', '=', 'staff')
      .where('staff.username', '=', 'zhao')
      .where('action', '!=', 'signed_in')
      .orderBy('history.id')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual([
      'second-factor-on',
      'recovery-code',
      'recovery-codes',
      'second-factor-off',
    ]);
  });

  it('is enforced for the people that the school chose', async () => {
    const { db } = school().database;
    await storeSetting(db, 'second_factor', 'all');
    const lecturer = school().as('otherTeacher');
    expect(outcomeOf(await lecturer.get('hw/index'))).toEqual([403, '学校要求开启两步验证，请先开启']);
    expect((await lecturer.get('/api/auth/me')).body.data.must_set_second_factor).toBe(1);
    const { secret } = (await lecturer.post('/api/auth/second-factor/secret')).body.data;
    expect(errorsOf(await lecturer.post('/api/auth/second-factor', { secret, code: '12345' }))).toEqual([
      422,
      { code: ['验证码为6位数字'] },
    ]);
    await lecturer.post('/api/auth/second-factor', { secret, code: codeAt(secret, noon) });
    expect((await lecturer.get('hw/index')).status).toBe(200);
    expect(outcomeOf(await lecturer.post('/api/auth/second-factor/off', { code: '1' }))).toEqual([
      409,
      '学校要求开启两步验证，不能关闭',
    ]);
    await storeSetting(db, 'second_factor', 'admin');
    expect((await school().as('assist').get('hw/index')).status).toBe(200);
    expect((await school().as('admin').get('staff')).status).toBe(403);
    await storeSetting(db, 'second_factor', 'none');
    expect((await school().as('admin').get('staff')).status).toBe(200);
  });

  it('is removed by an administrator for a person who lost it', async () => {
    await enrol('wu');
    const { id } = await school()
      .database.db.selectFrom('staff')
      .select('id')
      .where('username', '=', 'wu')
      .executeTakeFirstOrThrow();
    const waiting = askWith((await signIn('wu')).token);
    const admin = school().as('admin');
    expect((await admin.get(`staff/${id}`)).body.data.has_second_factor).toBe(1);
    expect(outcomeOf(await admin.post(`staff/${id}/second-factor`))).toEqual([200, '两步验证已解除']);
    expect((await waiting('GET', '/api/auth/me')).status).toBe(401);
    expect((await signIn('wu')).awaits_code).toBe(0);
    expect(outcomeOf(await admin.post(`staff/${id}/second-factor`))).toEqual([409, '两步验证未开启']);
    expect((await school().as('teacher').post(`/api/admin/staff/${id}/second-factor`)).status).toBe(403);
  });
});
