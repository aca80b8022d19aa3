import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharersLimit, wrongPasswordLimits } from '#server/learners/rules.ts';
import { passwordMatches } from '#server/platform/auth/password.ts';
import { storeSetting } from '#server/school/settings.ts';
import { applicationOf, type LearnerClient, learnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

vi.mock('#server/platform/auth/password.ts', { spy: true });
// Files share a process: modules loaded by an earlier file would bypass the spy.
vi.hoisted(() => vi.resetModules());
const passwords = await vi.importActual<{ passwordMatches: typeof passwordMatches }>(
  '#server/platform/auth/password.ts',
);

const minute = 60;
const number = '20260012';
const wrong = [422, { password: ['学号、手机号或密码不正确'] }];
const own = 'Xiaoman2026';

onBothEngines('passwords of learners', (school) => {
  let application: LearnerClient;
  let uid: number;
  let sibling: number;
  let at = noon;
  const db = () => school().database.db;
  const admin = () => school().as('admin');

  beforeAll(async () => {
    application = await applicationOf(school());
    [uid, sibling] = school().students.k1 as [number, number];
  });
  beforeEach(async () => {
    // Refusals are cached until the end of their window.
    at += 60 * minute;
    school().setNow(at);
    for (const table of ['learner_password', 'learner_session', 'attempt'] as const)
      await db().deleteFrom(table).execute();
    await db().updateTable('student').set({ mobile: '', number: '' }).where('id', '=', sibling).execute();
    await db().updateTable('student').set({ mobile: '', number }).where('id', '=', uid).execute();
  });

  const list = async (query = `class_id=${school().classes.k1}`) =>
    (await admin().get(`students/passwords?${query}`)).body.data;
  const give = (ids: number[], acknowledged = '') => admin().post('students/passwords', { ids, acknowledged });
  const given = async (...ids: number[]): Promise<string[]> =>
    (await give(ids)).body.data.map(({ password }: { password: string }) => password);
  const enter = (password: string, more: object = {}) => application.post('session', { number, password, ...more });
  const clientOf = (entered: Awaited<ReturnType<typeof enter>>) => learnerClient(school(), entered.body.data.token);
  const change = (learner: LearnerClient, old_password: string, new_password = own, repeated = new_password) =>
    learner.post('password', { old_password, new_password, new_password_confirmation: repeated });
  /** Signs in with a first password and replaces it. */
  const withOwn = async (more: object = {}) => {
    const [first = ''] = await given(uid);
    const learner = clientOf(await enter(first, more));
    await change(learner, '');
    return learner;
  };
  const device = (letter: string) => letter.repeat(22);
  /** Runs `work` after the next password comparison, before the sign-in continues. */
  const afterComparing = (work: () => Promise<unknown>) =>
    vi.mocked(passwordMatches).mockImplementationOnce(async (...given) => {
      const matches = await passwords.passwordMatches(...given);
      await work();
      return matches;
    });
  const printAgain = async (): Promise<string> => {
    const { acknowledged } = (await give([uid])).body.data;
    return (await give([uid], acknowledged)).body.data[0].password;
  };
  /** Adds students of no class with this mobile number. */
  const addSharers = async (mobile: string, count: number): Promise<number[]> => {
    const { id: _, ...like } = await db()
      .selectFrom('student')
      .selectAll()
      .where('id', '=', uid)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, () => ({ ...like, number: '', mobile }));
    const added = await db().insertInto('student').values(rows).returning('id').execute();
    return added.map(({ id }) => id);
  };

  it('are printed by class, with the number to sign in with', async () => {
    const { title, list: members } = await list();
    expect(title).toBe('一班');
    expect(members.find(({ id }: { id: number }) => id === uid)).toMatchObject({
      number,
      state: 'none',
      set_at: null,
      fault: '',
    });
    expect(members.find(({ id }: { id: number }) => id === sibling)).toMatchObject({
      number: '',
      fault: '没有学号和手机号，不能登录',
    });
    const made = await give([uid]);
    expect(outcomeOf(made)).toEqual([200, '初始密码已生成']);
    expect(made.body.data).toEqual([
      { id: uid, nickname: '学生一班1', number, password: expect.stringMatching(/^[2-9A-Za-z]{8}$/) },
    ]);
    expect(await list(`student_id=${uid}`)).toMatchObject({
      title: '学生一班1',
      list: [{ state: 'first', set_at: at }],
    });
    expect(JSON.stringify(await list())).not.toContain(made.body.data[0].password);
  });

  it('must be changed before anything else when they are first ones', async () => {
    const [first = ''] = await given(uid);
    const entered = await enter(first);
    expect([outcomeOf(entered), entered.body.data.must_change_password]).toEqual([[200, '登录成功'], 1]);
    const learner = clientOf(entered);
    const refused = await learner.get('me');
    expect([outcomeOf(refused), refused.body.data]).toEqual([[403, '请先修改初始密码'], { must_change_password: 1 }]);
    expect((await learner.get('homework')).status).toBe(403);
    expect((await learner.get('password')).body.data).toEqual({ must_change_password: 1, asks_old: 0 });
    expect(errorsOf(await change(learner, '', 'abc', 'abd'))).toEqual([
      422,
      {
        new_password: ['密码为6到18位，且至少包含数字、小写字母、大写字母中的两种'],
        new_password_confirmation: ['两次输入的密码不一致'],
      },
    ]);
    expect(errorsOf(await change(learner, '', first))).toEqual([422, { new_password: ['新密码不能与初始密码相同'] }]);
    expect(outcomeOf(await change(learner, ''))).toEqual([200, '密码修改成功']);
    expect((await learner.get('me')).body.data.uid).toBe(uid);
    expect(errorsOf(await enter(first))).toEqual(wrong);
    expect((await enter(own)).body.data.must_change_password).toBe(0);
    const changes = (await admin().get(`students/${uid}/history`)).body.data.list;
    expect(
      changes
        .filter(({ action }: { action: string }) => action === 'password')
        .slice(0, 2)
        .map(({ action, changes: lines }: { action: string; changes: string[] }) => [action, lines]),
    ).toEqual([
      ['password', ['登录密码：初始密码 → 本人设置']],
      ['password', ['登录密码：没有 → 初始密码']],
    ]);
  });

  it('are changed with the present one, which ends other sign-ins', async () => {
    const learner = await withOwn();
    const other = clientOf(await enter(own));
    expect((await learner.get('password')).body.data).toEqual({ must_change_password: 0, asks_old: 1 });
    expect(errorsOf(await change(learner, 'Xiaoman2025', 'Xiaoman2027'))).toEqual([
      422,
      { old_password: ['旧密码不正确'] },
    ]);
    expect((await other.get('me')).status).toBe(200);
    expect((await change(learner, own, 'Xiaoman2027')).status).toBe(200);
    expect([(await learner.get('me')).status, (await other.get('me')).status]).toEqual([200, 401]);
    expect(outcomeOf(await application.post('password', {}))).toEqual([409, '请使用学员令牌']);
  });

  it('can be chosen by a learner who signed in by text message', async () => {
    const learner = clientOf(await application.post('session', { uid }));
    expect((await learner.get('password')).body.data).toEqual({ must_change_password: 0, asks_old: 0 });
    expect((await change(learner, '')).status).toBe(200);
    expect((await enter(own)).status).toBe(200);
  });

  it('are set by a form that is sent twice, with one answer for both', async () => {
    const [first = ''] = await given(uid);
    const learner = clientOf(await enter(first));
    const both = await Promise.all([change(learner, ''), change(learner, '')]);
    expect(both.map(outcomeOf)).toEqual([
      [200, '密码修改成功'],
      [200, '密码修改成功'],
    ]);
    expect(outcomeOf(await change(learner, ''))).toEqual([200, '密码修改成功']);
    expect(errorsOf(await change(learner, '', 'Xiaoman2027'))).toEqual([422, { old_password: ['请输入旧密码'] }]);
    expect((await change(learner, own, 'Xiaoman2027')).status).toBe(200);
    expect((await change(learner, own, 'Xiaoman2027')).status).toBe(200);
    // Only the session that has set the password may repeat the request.
    const other = clientOf(await enter('Xiaoman2027'));
    await db()
      .updateTable('learner_session')
      .set({ created_at: at + 1 })
      .where('must_change_password', '=', 0)
      .execute();
    expect((await change(other, own, 'Xiaoman2027')).status).toBe(422);
    await db().updateTable('learner_session').set({ created_at: at }).execute();
    school().setNow(at + 2 * minute);
    expect((await change(learner, own, 'Xiaoman2027')).status).toBe(422);
  });

  describe('when a class is printed again', () => {
    it('refuse a sign-in with the earlier password that is checked at that moment', async () => {
      const [first = ''] = await given(uid);
      let printed = '';
      afterComparing(async () => {
        printed = await printAgain();
      });
      expect(errorsOf(await enter(first))).toEqual(wrong);
      expect(await db().selectFrom('learner_session').selectAll().execute()).toEqual([]);
      expect((await enter(printed)).status).toBe(200);
    });

    it('are not replaced by a learner whose sign-in ended at that moment', async () => {
      const [first = ''] = await given(uid);
      const learner = clientOf(await enter(first));
      afterComparing(() => db().updateTable('learner_session').set({ ended_at: at }).execute());
      expect(outcomeOf(await change(learner, ''))).toEqual([409, '密码已被修改，请重新登录']);
      expect((await enter(first)).body.data.must_change_password).toBe(1);
    });

    it('name the earlier ones that end, and end nothing unasked', async () => {
      await withOwn();
      await db().updateTable('student').set({ number: '20260013' }).where('id', '=', sibling).execute();
      const [first = ''] = await given(sibling);
      const again = await give([uid, sibling]);
      const effect = '学生一班2此前的初始密码将作废；学生一班1自己设置的密码将作废；已登录的须用新密码重新登录';
      expect([outcomeOf(again), again.body.data]).toEqual([
        [409, `${effect}。确认无误请再次提交。`],
        { acknowledged: effect },
      ]);
      expect((await application.post('session', { number: '20260013', password: first })).status).toBe(200);
      expect((await enter(own)).status).toBe(200);

      expect((await give([uid, sibling], effect)).status).toBe(200);
      expect((await application.post('session', { number: '20260013', password: first })).status).toBe(422);
      expect(errorsOf(await enter(own))).toEqual(wrong);
    });

    it('end the sign-ins of the earlier password, and no others', async () => {
      const bySms = clientOf(await application.post('session', { uid }));
      await given(uid);
      expect((await bySms.get('me')).status).toBe(200);
      const { acknowledged } = (await give([uid])).body.data;
      await give([uid], acknowledged);
      expect((await bySms.get('me')).status).toBe(401);
    });
  });

  it('are refused for those who cannot use one, and for other schools', async () => {
    expect(errorsOf(await give([]))).toEqual([422, { ids: ['请选择学员'] }]);
    const many = Array.from({ length: 101 }, (_, place) => place + 1);
    expect(errorsOf(await give(many))).toEqual([422, { ids: ['一次最多生成100人的初始密码'] }]);
    expect(outcomeOf(await give([uid, sibling]))).toEqual([409, '学生一班2：没有学号和手机号，不能登录']);
    await db().updateTable('student').set({ disabled_at: noon }).where('id', '=', uid).execute();
    expect(outcomeOf(await give([uid]))).toEqual([409, '学生一班1：该学员已停用']);
    await db().updateTable('student').set({ disabled_at: null }).where('id', '=', uid).execute();
    expect((await give([uid, 99_999])).status).toBe(404);
    for (const query of ['', 'class_id=99999', 'student_id=99999'])
      expect((await admin().get(`students/passwords?${query}`)).status).toBe(404);
    expect(await db().selectFrom('learner_password').selectAll().execute()).toEqual([]);
  });

  it('work for twenty students with one mobile, and are not printed for more', async () => {
    const mobile = '13800002027';
    await db().updateTable('student').set({ mobile, number: '' }).where('id', '=', uid).execute();
    const added = await addSharers(mobile, sharersLimit - 1);
    try {
      const last = added.at(-1) ?? 0;
      const [password = ''] = await given(last);
      expect((await enter(password, { number: mobile })).status).toBe(200);
      added.push(...(await addSharers(mobile, 1)));
      const fault = '有21名学员的手机号相同，超过20名时不能登录，请先改为不同的学号';
      expect(outcomeOf(await give([uid]))).toEqual([409, `学生一班1：${fault}`]);
      expect((await list(`student_id=${uid}`)).list[0].fault).toBe(fault);
    } finally {
      await db().deleteFrom('learner_session').execute();
      await db().deleteFrom('student').where('id', 'in', added).execute();
    }
  });

  describe('typed at the sign-in', () => {
    it('go with a number in full-width digits, with spaces, or a mobile with hyphens', async () => {
      await db().updateTable('student').set({ mobile: '13800002026' }).where('id', '=', uid).execute();
      await withOwn();
      for (const typed of [
        '２０２６００１２',
        ' 2026 0012 ',
        '138-0000-2026',
        '+86 138 0000 2026',
        '１３８００００２０２６',
      ])
        expect([typed, (await enter(own, { number: typed })).status]).toEqual([typed, 200]);
    });

    it('go with a student number in either case', async () => {
      await db().updateTable('student').set({ number: 'Sy2026001É' }).where('id', '=', uid).execute();
      const [first = ''] = await given(uid);
      for (const typed of ['Sy2026001É', 'sy2026001É', 'SY2026001É', 'ｓｙ２０２６００１É'])
        expect([typed, (await enter(first, { number: typed })).status]).toEqual([typed, 200]);
      expect((await enter(first, { number: 'sy2026001' })).status).toBe(422);
    });

    it('tell siblings with one mobile apart', async () => {
      const mobile = '13800002026';
      await db().updateTable('student').set({ mobile }).where('id', 'in', [uid, sibling]).execute();
      const [first = '', second = ''] = await given(uid, sibling);
      // Signs in with the shared mobile number, and returns the id of the student who has this password.
      const whose = async (password: string) => {
        const learner = clientOf(await enter(password, { number: mobile }));
        await change(learner, '');
        return (await learner.get('me')).body.data.uid;
      };
      expect([await whose(first), await whose(second)].sort()).toEqual([uid, sibling].sort());
      // Both have chosen the same password.
      expect(errorsOf(await enter(own, { number: mobile }))).toEqual([
        422,
        { number: ['有几名学员的号码和密码都相同，请换用学号登录，或请学校重新生成初始密码'] },
      ]);
      expect((await enter(own)).status).toBe(200);
    });

    it('do not reveal whether a learner exists', async () => {
      await given(uid);
      expect(errorsOf(await enter('Wrong2026'))).toEqual(wrong);
      expect(errorsOf(await enter('Wrong2026', { number: 'nobody' }))).toEqual(wrong);
      expect(errorsOf(await enter('x'.repeat(300)))).toEqual(wrong);
    });

    it('are limited alike whether the number exists or not', async () => {
      await db().updateTable('student').set({ mobile: '13800002026' }).where('id', '=', uid).execute();
      await given(uid);
      await storeSetting(db(), 'sign_in_tries', '2');
      const answers = async (...typed: string[]) => {
        const statuses: number[] = [];
        for (const one of typed) statuses.push((await enter('Wrong2026', { number: one })).status);
        return statuses;
      };
      try {
        const known = await answers('20260012', '2026-0012', '２０２６ 0012', '138-0000-2026', '+8613800002026');
        const unknown = await answers('99990012', '9999-0012', '９９９９ 0012', '139-0000-2026', '+8613900002026');
        expect(known).toEqual([422, 422, 429, 422, 422]);
        expect(unknown).toEqual(known);
        expect(await answers('13800002026', '13900002026')).toEqual([429, 429]);
      } finally {
        await storeSetting(db(), 'sign_in_tries', '10');
      }
    });

    it('still work before the first sign-in while others guess from another address', async () => {
      const [first = ''] = await given(uid);
      const guess = (address: string, times: number) =>
        enter('Wrong2026', { address, device: `${'g'.repeat(20)}${times}` });
      for (let times = 0; times < 11; times += 1) await guess('203.0.113.1', times);
      expect((await enter(first, { address: '203.0.113.1' })).status).toBe(429);
      expect((await enter(first, { address: '203.0.113.2' })).status).toBe(200);
    });

    it('are limited over all addresses to ten times the attempts of one address', async () => {
      const [first = ''] = await given(uid);
      await storeSetting(db(), 'sign_in_tries', '1');
      try {
        for (let times = 1; times <= 10; times += 1)
          expect((await enter('Wrong2026', { address: `203.0.113.${times}` })).status).toBe(422);
        expect((await enter(first, { address: '203.0.113.99' })).status).toBe(429);
        school().setNow(at + 1);
        expect((await enter(await printAgain(), { address: '203.0.113.99' })).status).toBe(200);
      } finally {
        await storeSetting(db(), 'sign_in_tries', '10');
      }
    });

    it('typed by one sibling do not reset the failed attempts of the other', async () => {
      const mobile = '13800002026';
      await db().updateTable('student').set({ mobile }).where('id', 'in', [uid, sibling]).execute();
      const [first = ''] = await given(uid, sibling);
      for (let times = 0; times < 9; times += 1) await enter('Wrong2026', { number: mobile });
      expect((await enter(first, { number: mobile })).status).toBe(200);
      expect((await enter('Wrong2026', { number: mobile })).status).toBe(422);
      expect((await enter('Wrong2026', { number: mobile })).status).toBe(429);
    });

    it('are limited to ten wrong ones of a learner, until the school prints a new one', async () => {
      const [first = ''] = await given(uid);
      for (let times = 0; times < 10; times += 1)
        expect((await enter('Wrong2026', { device: device(String(times)) })).status).toBe(422);
      const refused = await enter(first);
      expect(outcomeOf(refused)).toEqual([429, '密码错误次数过多，请10分钟后再试，或请学校重新生成初始密码']);
      expect(refused.headers.get('retry-after')).toBe('600');
      school().setNow(at + 10 * minute);
      expect((await enter(first)).status).toBe(200);

      for (let times = 0; times < 11; times += 1) await enter('Wrong2026');
      school().setNow(at + 11 * minute);
      const { acknowledged } = (await give([uid])).body.data;
      const [{ password }] = (await give([uid], acknowledged)).body.data;
      expect((await enter(password)).status).toBe(200);
    });

    it('still work on a device of the learner while others guess', async () => {
      await withOwn({ device: device('a') });
      for (let times = 0; times < 11; times += 1) await enter('Wrong2026', { device: device('b') });
      expect((await enter(own)).status).toBe(429);
      expect((await enter(own, { device: device('b') })).status).toBe(429);
      expect((await enter(own, { device: device('a') })).status).toBe(200);
    });

    it('are limited for one device over all learners', async () => {
      await withOwn();
      const one = device('c');
      await enter('Wrong2026', { number: 'nobody', device: one });
      const counted = await db().updateTable('attempt').set({ tries: wrongPasswordLimits.ofDevice }).execute();
      expect(Number(counted[0]?.numUpdatedRows)).toBeGreaterThan(0);
      expect((await enter(own, { device: one })).status).toBe(429);
      expect((await enter(own, { device: device('d') })).status).toBe(200);
      expect(errorsOf(await enter(own, { device: 'short' }))).toEqual([
        422,
        { device: ['设备标识为20到100个字母、数字、“-”或“_”'] },
      ]);
    });

    it('let a campus behind one address in', async () => {
      await withOwn();
      const address = '203.0.113.9';
      for (let times = 0; times < 40; times += 1)
        expect((await enter('Wrong2026', { number: `nobody ${times}`, address })).status).toBe(422);
      expect((await enter(own, { address })).status).toBe(200);
    });
  });

  it('are listed as the way in where no text message can be sent', async () => {
    expect((await application.get('session/ways')).body.data).toEqual({ code: 0, providers: [], site: '' });
  });
});
