import { expect, it, vi } from 'vitest';
import { passwordFault } from '#server/account/rules.ts';
import { hashInTurn, maxHashes, maxWaitingHashes, TooManyHashes } from '#server/platform/auth/hashing.ts';
import { hashPassword, passwordMatches } from '#server/platform/auth/password.ts';
import { defaultSettings, schoolSettings, storedSetting, storeSetting } from '#server/school/settings.ts';
import { goal, judgesGoals } from '../support/budget.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';

vi.mock('#server/platform/auth/password.ts', { spy: true });
// Files share a process: modules loaded by an earlier file would bypass the spy.
vi.hoisted(() => vi.resetModules());

const hour = 60 * 60;

const signIn = (school: TestSchool, username: unknown, password: unknown, address = '10.0.0.1') =>
  school.ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-address': address, 'user-agent': 'Chrome/109' },
    body: JSON.stringify({ username, password }),
  });

onBothEnginesAlways('sign-in', (school) => {
  const setPassword = async (username: string, password: string) =>
    school()
      .database.db.updateTable('staff')
      .set({ password_hash: await hashPassword(password) })
      .where('username', '=', username)
      .execute();
  const withToken = (token: string) => school().ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } });

  it('accepts a user name in full-width letters, also if stored so', async () => {
    await setPassword('teacher', 'Teach2026');
    expect((await signIn(school(), 'Ｔｅａｃｈｅｒ', 'Teach2026')).body.data?.identity).toBe('teacher');
    const staff = school().database.db.updateTable('staff');
    await staff.set({ username: 'ｔｅａｃｈｅｒ' }).where('username', '=', 'teacher').execute();
    try {
      expect((await signIn(school(), 'ｔｅａｃｈｅｒ', 'Teach2026')).status).toBe(200);
    } finally {
      await staff.set({ username: 'teacher' }).where('username', '=', 'ｔｅａｃｈｅｒ').execute();
    }
  });

  it('returns a token, the identity and the permissions', async () => {
    await setPassword('teacher', 'Teach2026');
    const { status, body } = await signIn(school(), ' Teacher ', 'Teach2026');
    expect([status, body.msg]).toEqual([200, '登录成功']);
    expect(body.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      identity: 'teacher',
      permissions: ['dispatch', 'correct'],
      awaits_code: 0,
    });
    const me = await withToken(body.data.token);
    expect(me.body.data).toMatchObject({
      name: '姓名teacher',
      identity: 'teacher',
      // A new school has defaults: everything is on.
      settings: {
        timezone: 'Asia/Shanghai',
        switch_question_module: true,
        class_homework_module: true,
        community_module: true,
        class_circle: true,
        show_grade: true,
        show_classify: true,
        learn_page: false,
      },
    });
    const stored = await school()
      .database.db.selectFrom('sign_in')
      .selectAll()
      .where('device', '=', 'Chrome/109')
      .execute();
    expect(JSON.stringify(stored)).not.toContain(body.data.token);
  });

  it('answers an unknown name like a wrong password, with equal hashing cost', async () => {
    await setPassword('teacher2', 'Teach2026');
    const took = async (username: string) => {
      vi.mocked(passwordMatches).mockClear();
      const start = performance.now();
      const { status, body } = await signIn(school(), username, 'wrong', `10.0.9.${Math.random()}`);
      const time = performance.now() - start;
      // A hash states its cost: $argon2id$v=19$m=…,t=…,p=…
      const compared = vi.mocked(passwordMatches).mock.calls.map(([, hash]) => hash.split('$').slice(0, 4));
      return { time, compared, answer: [status, body] };
    };
    await took('nobody');
    const unknown = await took('nobody');
    const wrong = await took('teacher2');
    expect(unknown.answer).toEqual(wrong.answer);
    expect(wrong.answer).toEqual([401, { code: 401, msg: '用户名或密码不正确', data: null }]);
    expect(wrong.compared).toHaveLength(1);
    expect(unknown.compared).toEqual(wrong.compared);
    if (!judgesGoals) return;
    goal('signing in: an unknown name against a wrong password', unknown.time / wrong.time, 3, '×');
    goal('signing in: a wrong password against an unknown name', wrong.time / unknown.time, 3, '×');
  });

  it('requires both fields', async () => {
    const { status, body } = await signIn(school(), '', undefined);
    expect([status, body.errors]).toEqual([422, { username: ['请输入用户名'], password: ['请输入密码'] }]);
    // Non-text values get a Chinese message too.
    const wrong = await signIn(school(), { $ne: 1 }, ['x']);
    expect(wrong.status).toBe(422);
    expect(JSON.stringify(wrong.body.errors)).not.toMatch(/[a-z]{3,} [a-z]{3,}/i);
  });

  it('blocks a name from one address after ten failures, and says for how long', async () => {
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

  it('blocks an address after a hundred failures over all names, except people who signed in there', async () => {
    await setPassword('assist2', 'Assist2026');
    const address = '10.0.0.77';
    const { db } = school().database;
    const { school_id } = await db.selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
    // Some names exist, with cheap hashes.
    const guessed = Array.from({ length: 78 }, (_, number) => ({
      identity: 'assist' as const,
      username: `guess-${Math.floor(number / 26)}-${number % 26}`,
      password_hash: `$argon2id$v=19$m=8,t=1,p=1$${'s'.repeat(22)}$${'h'.repeat(43)}`,
      real_name: '',
      school_id,
      can_dispatch: 0 as const,
      can_correct: 0 as const,
      disabled_at: null,
      created_at: noon,
    }));
    await db.insertInto('staff').values(guessed).execute();
    expect((await signIn(school(), 'assist2', 'Assist2026', address)).status).toBe(200);
    const tries: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const names = Array.from({ length: 26 }, (_, number) => `guess-${round}-${number}`);
      const answers = await Promise.all(names.map((name) => signIn(school(), name, 'wrong', address)));
      tries.push(...answers.map(({ status }) => status));
    }
    expect(tries.filter((status) => status === 401)).toHaveLength(100);
    expect(tries.filter((status) => status === 429)).toHaveLength(4);
    await setPassword('teacher2', 'Teach2026');
    expect((await signIn(school(), 'teacher2', 'Teach2026', address)).status).toBe(429);
    expect((await signIn(school(), 'teacher2', 'Teach2026', '10.0.0.78')).status).toBe(200);
    expect((await signIn(school(), 'assist2', 'Assist2026', address)).status).toBe(200);
    expect((await signIn(school(), 'assist2', 'wrong', address)).status).toBe(401);
  });

  it('refuses a password that is replaced while it is checked', async () => {
    await setPassword('teacher', 'Teach2026');
    const { passwordMatches: compare } = await vi.importActual<{ passwordMatches: typeof passwordMatches }>(
      '#server/platform/auth/password.ts',
    );
    vi.mocked(passwordMatches).mockImplementationOnce(async (...given) => {
      const matches = await compare(...given);
      await setPassword('teacher', 'Teach2027');
      return matches;
    });
    const tokens = async () => (await school().database.db.selectFrom('sign_in').select('id').execute()).length;
    const before = await tokens();
    expect((await signIn(school(), 'teacher', 'Teach2026')).body).toMatchObject({
      code: 401,
      msg: '用户名或密码不正确',
    });
    expect(await tokens()).toBe(before);
    expect((await signIn(school(), 'teacher', 'Teach2027')).status).toBe(200);
    await setPassword('teacher', 'Teach2026');
  });

  it('ends only its own token at sign-out', async () => {
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

  it('ends a token after twelve idle hours', async () => {
    const token = (await signIn(school(), 'teacher', 'Teach2026')).body.data.token as string;
    for (const hours of [11, 22, 33]) {
      school().setNow(noon + hours * hour);
      expect((await withToken(token)).status, `after ${hours} hours`).toBe(200);
    }
    school().setNow(noon + 45 * hour + 1);
    expect((await withToken(token)).status).toBe(401);
  });

  it('keeps a token for exactly twelve hours after its own last use', async () => {
    const [used, unused] = (await Promise.all(
      [1, 2].map(async () => (await signIn(school(), 'teacher', 'Teach2026')).body.data.token),
    )) as [string, string];
    school().setNow(noon + 6 * hour);
    expect((await withToken(used)).status).toBe(200);
    school().setNow(noon + 12 * hour + 1);
    expect((await withToken(unused)).status).toBe(401);
    school().setNow(noon + 18 * hour);
    expect((await withToken(used)).status).toBe(200);
    school().setNow(noon + 30 * hour);
    expect((await withToken(used)).status).toBe(200);
  });

  it("records a token's use at most once a minute", async () => {
    const start = noon + 30 * hour;
    const usedAgainAfter = async (seconds: number) => {
      school().setNow(start);
      const { token } = (await signIn(school(), 'teacher', 'Teach2026')).body.data as { token: string };
      school().setNow(start + seconds);
      expect((await withToken(token)).status).toBe(200);
      return token;
    };
    const [minute, sooner] = [await usedAgainAfter(60), await usedAgainAfter(59)];
    school().setNow(start + 12 * hour + 59);
    expect((await withToken(sooner)).status).toBe(401);
    school().setNow(start + 12 * hour + 60);
    expect((await withToken(minute)).status).toBe(200);
  });

  it('returns each permission of the person', async () => {
    for (const [can_dispatch, can_correct, permissions] of [
      [1, 0, ['dispatch']],
      [0, 1, ['correct']],
      [0, 0, []],
      [1, 1, ['dispatch', 'correct']],
    ] as const) {
      await school()
        .database.db.updateTable('staff')
        .set({ can_dispatch, can_correct })
        .where('username', '=', 'teacher')
        .execute();
      const { body } = await signIn(school(), 'teacher', 'Teach2026');
      expect(body.data.permissions).toEqual(permissions);
      expect((await withToken(body.data.token)).body.data.permissions).toEqual(permissions);
      const headers = { authorization: `Bearer ${body.data.token}`, 'content-type': 'application/json' };
      const review = await school().ask('/api/lector/hw/review/list', { method: 'POST', headers, body: '{}' });
      const refused = [403, '您没有批改权限'];
      expect([review.status, review.body.msg]).toEqual(can_correct ? [404, '作业不存在'] : refused);
    }
  });

  it("follows changed settings at once, and another server's within five seconds", async () => {
    const { db } = school().database;
    const elsewhere = (value: string) =>
      db.updateTable('setting').set({ value }).where('name', '=', 'show_grade').execute();
    const changed = { ...defaultSettings, show_grade: false };
    await schoolSettings(db, noon);
    await storeSetting(db, 'show_grade', '0');
    expect(await schoolSettings(db, noon)).toEqual(changed);
    await elsewhere('1');
    expect(await schoolSettings(db, noon + 4)).toEqual(changed);
    expect(await schoolSettings(db, noon + 5)).toEqual(defaultSettings);
    await storeSetting(db, 'timezone', 'Asia/Urumqi');
    expect(await schoolSettings(db, noon + 5)).toEqual({ ...defaultSettings, timezone: 'Asia/Urumqi' });
    await storeSetting(db, 'timezone', defaultSettings.timezone);
    expect(await schoolSettings(db, noon + 5)).toEqual(defaultSettings);
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

it('password hashing runs a few at a time, queues some, and refuses more', async () => {
  let [running, most] = [0, 0];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hash = async () => {
    running += 1;
    most = Math.max(most, running);
    await held;
    running -= 1;
  };
  const asked = Array.from({ length: maxHashes + maxWaitingHashes + 1 }, () => hashInTurn(hash));
  await expect(asked.pop()).rejects.toThrow(TooManyHashes);
  release();
  await Promise.all(asked);
  expect(most).toBe(maxHashes);
  expect(maxHashes).toBeLessThanOrEqual(4);
  await hashInTurn(hash);
});

it.each([
  ['show_grade', 'on', '1'],
  ['show_grade', 'YES', '1'],
  ['show_grade', 'off', '0'],
  ['show_grade', 'False', '0'],
  ['show_grade', '', undefined],
  ['show_grade', 'Asia/Shanghai', undefined],
  ['timezone', 'Asia/Urumqi', 'Asia/Urumqi'],
  ['timezone', 'on', undefined],
  ['timezone', '', undefined],
] as const)('setting %s given as %j is stored as %j', (name, written, kept) => {
  expect(storedSetting(name, written)).toBe(kept);
});

it('password hashes use argon2id with a fresh salt', async () => {
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
])('new password %s is acceptable: %s', (password, fit) => {
  expect(passwordFault(password) === undefined).toBe(fit);
});
