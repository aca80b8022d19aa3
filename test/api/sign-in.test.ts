import { expect, it } from 'vitest';
import { hashPassword, passwordFault, passwordMatches } from '#server/auth/password.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';

const hour = 60 * 60;

const signIn = (school: TestSchool, username: unknown, password: unknown, address = '10.0.0.1') =>
  school.ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-address': address, 'user-agent': 'Chrome/109' },
    body: JSON.stringify({ username, password }),
  });

onBothEngines('signing in', (school) => {
  const setPassword = async (username: string, password: string) =>
    school()
      .database.db.updateTable('staff')
      .set({ password_hash: await hashPassword(password) })
      .where('username', '=', username)
      .execute();
  const withToken = (token: string) => school().ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } });

  it('gives a token, the identity and the permissions', async () => {
    await setPassword('teacher', 'Teach2026');
    const { status, body } = await signIn(school(), ' Teacher ', 'Teach2026');
    expect([status, body.msg]).toEqual([200, '登录成功']);
    expect(body.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      identity: 'teacher',
      permissions: ['dispatch', 'correct'],
    });
    const me = await withToken(body.data.token);
    expect(me.body.data).toMatchObject({
      name: '姓名teacher',
      identity: 'teacher',
      settings: { timezone: 'Asia/Shanghai' },
    });
    const stored = await school()
      .database.db.selectFrom('sign_in')
      .selectAll()
      .where('device', '=', 'Chrome/109')
      .execute();
    expect(JSON.stringify(stored)).not.toContain(body.data.token);
  });

  it('answers an unknown name and a wrong password alike, also in time', async () => {
    await setPassword('teacher2', 'Teach2026');
    const took = async (username: string) => {
      const start = performance.now();
      const { status, body } = await signIn(school(), username, 'wrong', `10.0.9.${Math.random()}`);
      return { time: performance.now() - start, answer: [status, body] };
    };
    await took('nobody');
    const unknown = await took('nobody');
    const wrong = await took('teacher2');
    expect(unknown.answer).toEqual(wrong.answer);
    expect(wrong.answer).toEqual([401, { code: 401, msg: '用户名或密码不正确', data: null }]);
    expect(unknown.time / wrong.time).toBeGreaterThan(0.3);
    expect(unknown.time / wrong.time).toBeLessThan(3);
  });

  it('asks for both fields', async () => {
    const { status, body } = await signIn(school(), '', undefined);
    expect([status, body.errors]).toEqual([422, { username: ['请输入用户名'], password: ['请输入密码'] }]);
    expect((await signIn(school(), { $ne: 1 }, ['x'])).status).toBe(422);
  });

  it('stops after ten failures of one name from one address, also when sent at once, and says how long', async () => {
    await setPassword('assist', 'Assist2026');
    const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(school(), 'assist', 'wrong', '10.0.0.7')));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
    const stopped = await signIn(school(), 'assist', 'Assist2026', '10.0.0.7');
    expect(stopped.status).toBe(429);
    expect(stopped.body.msg).toMatch(/^登录失败次数过多，请\d+(分钟|秒)后再试$/);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(500);
    expect((await signIn(school(), 'assist', 'Assist2026', '10.0.0.8')).status).toBe(200);
    expect((await signIn(school(), 'teacher', 'Teach2026', '10.0.0.7')).status).toBe(200);
  });

  it('ends a token by signing out, and only that one', async () => {
    const tokens = await Promise.all(
      [1, 2].map(async () => (await signIn(school(), 'teacher', 'Teach2026')).body.data.token as string),
    );
    const out = await school().ask('/api/auth/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}` },
    });
    expect(out.status).toBe(200);
    expect((await withToken(tokens[0] as string)).status).toBe(401);
    expect((await withToken(tokens[1] as string)).status).toBe(200);
  });

  it('ends a token after twelve hours without use, and keeps one that is used', async () => {
    const token = (await signIn(school(), 'teacher', 'Teach2026')).body.data.token as string;
    for (const hours of [11, 22, 33]) {
      school().setNow(noon + hours * hour);
      expect((await withToken(token)).status, `after ${hours} hours`).toBe(200);
    }
    school().setNow(noon + 45 * hour + 1);
    expect((await withToken(token)).status).toBe(401);
    school().setNow(noon);
  });

  it('ends with the account', async () => {
    const token = (await signIn(school(), 'teacher', 'Teach2026')).body.data.token as string;
    await school()
      .database.db.updateTable('staff')
      .set({ disabled_at: noon })
      .where('username', '=', 'teacher')
      .execute();
    expect((await withToken(token)).status).toBe(401);
    expect((await signIn(school(), 'teacher', 'Teach2026')).status).toBe(401);
  });
});

it('hashes with argon2id and a salt of its own each time', async () => {
  const [one, two] = await Promise.all([hashPassword('Teach2026'), hashPassword('Teach2026')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwordMatches('Teach2026', one)).toBe(true);
  expect(await passwordMatches('Teach2025', one)).toBe(false);
  expect(await passwordMatches('x', 'broken')).toBe(false);
});

it.each([
  ['abc12', false],
  ['abcdef', false],
  ['abcde1', true],
  ['ABCDEF1', true],
  ['aB____', true],
  ['a1'.repeat(9), true],
  [`${'a1'.repeat(9)}x`, false],
])('the new password %s is fit: %s', (password, fit) => {
  expect(passwordFault(password) === undefined).toBe(fit);
});
