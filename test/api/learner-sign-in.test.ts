import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOfAddress } from '#server/learners/rules.ts';
import { storeSetting } from '#server/school/settings.ts';
import { applicationOf, type LearnerClient, learnerClient, learnerOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

const sent = '号码已登记的，验证码将发到登记的手机，10分钟内有效。1分钟后可以重新获取';
const wrong = [422, { code: ['验证码不正确或已失效，请重新获取'] }];
const minute = 60;

onBothEngines('code sign-in of learners', (school) => {
  let application: LearnerClient;
  let uid: number;
  let sibling: number;
  const db = () => school().database.db;
  const number = '20260012';
  const mobile = '13700001234';

  beforeAll(async () => {
    await storeSetting(db(), 'sms_webhook_url', 'https://sms.example/');
    application = await applicationOf(school());
    [uid, sibling] = school().students.k1 as [number, number];
    await db()
      .updateTable('student')
      .set({ number, mobile: '', guardian_mobile: mobile })
      .where('id', '=', uid)
      .execute();
  });
  beforeEach(async () => {
    school().setNow(noon);
    await db().deleteFrom('learner_code').execute();
    await db().deleteFrom('sms_outbox').execute();
  });

  const ask = (who = number, client = application) => client.post('session/code', { number: who });
  const messages = () =>
    db().selectFrom('sms_outbox').select(['mobile', 'content', 'student_id']).orderBy('id').execute();
  const codes = async () => (await messages()).map(({ content }) => /\d{6}/.exec(content)?.[0] ?? '');
  const enter = (code: string, who = number) => application.post('session', { number: who, code });

  it("sends a code to their or their guardian's mobile, valid once", async () => {
    expect(outcomeOf(await ask(` ${number} `))).toEqual([200, sent]);
    expect(await messages()).toEqual([
      { mobile, student_id: uid, content: expect.stringMatching(/^学生一班1的登录验证码为\d{6}，10分钟内有效/) },
    ]);
    const [code = ''] = await codes();
    const entered = await enter(code);
    expect(outcomeOf(entered)).toEqual([200, '登录成功']);
    expect((await learnerClient(school(), entered.body.data.token).get('me')).body.data.uid).toBe(uid);
    expect(errorsOf(await enter(code))).toEqual(wrong);
  });

  it('does not reveal if a learner exists', async () => {
    expect(outcomeOf(await ask('nobody'))).toEqual([200, sent]);
    expect(errorsOf(await enter('123456', 'nobody'))).toEqual(wrong);
    await db().updateTable('student').set({ disabled_at: noon }).where('id', '=', uid).execute();
    expect(outcomeOf(await ask())).toEqual([200, sent]);
    await db().updateTable('student').set({ disabled_at: null }).where('id', '=', uid).execute();
    const { id } = await db()
      .insertInto('school')
      .values({ org_name: '分校', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(outcomeOf(await ask(number, await applicationOf(school(), [id])))).toEqual([200, sent]);
    expect(await messages()).toEqual([]);
    expect(errorsOf(await ask(' '))).toEqual([422, { number: ['请输入学号或手机号'] }]);
    expect(errorsOf(await enter(''))).toEqual([422, { code: ['请输入验证码'] }]);
    expect(outcomeOf(await (await learnerOf(school(), uid)).post('session/code', { number }))).toEqual([
      403,
      '请使用应用的服务令牌',
    ]);
  });

  it('says that no code comes if the school sends no text messages', async () => {
    await storeSetting(db(), 'sms_webhook_url', '');
    expect(outcomeOf(await ask())).toEqual([409, '学校还没有开通短信，不能发送验证码，请联系学校']);
    expect(outcomeOf(await ask('nobody'))).toEqual([409, '学校还没有开通短信，不能发送验证码，请联系学校']);
    expect(await messages()).toEqual([]);
    await storeSetting(db(), 'sms_webhook_url', 'https://sms.example/');
  });

  it('accepts five attempts at a code within ten minutes', async () => {
    await ask();
    const [code = ''] = await codes();
    const other = code === '000000' ? '000001' : '000000';
    for (let times = 0; times < 5; times += 1) expect(errorsOf(await enter(other))).toEqual(wrong);
    expect(errorsOf(await enter(code))).toEqual(wrong);
    school().setNow(noon + minute);
    await ask();
    const again = (await codes())[1] ?? '';
    school().setNow(noon + 11 * minute);
    expect(errorsOf(await enter(again))).toEqual(wrong);
  });

  it('sends one code a minute, ten a day', async () => {
    await ask();
    await ask();
    expect(await messages()).toHaveLength(1);
    for (let times = 1; times < 12; times += 1) {
      school().setNow(noon + times * minute);
      await ask();
    }
    expect(await messages()).toHaveLength(10);
    school().setNow(noon + day);
    await ask();
    expect(await messages()).toHaveLength(11);
  });

  describe('rate limit of one address', () => {
    const askFrom = (address: string, who = 'nobody') => application.post('session/code', { number: who, address });
    const enterFrom = (address: string, code: string) => application.post('session', { number, code, address });
    const often = [429, '当前网络获取或输错验证码的次数过多，请10分钟后再试'];

    /** Sets the counter as if `tries` codes had been requested or tried. */
    const countedBefore = (tries: number) => db().updateTable('attempt').set({ tries }).execute();

    it('lets a whole campus in before an exam', async () => {
      const address = '203.0.113.6';
      for (let times = 0; times < 110; times += 1) expect((await askFrom(address, `${times}`)).status).toBe(200);
      expect((await askFrom(address, number)).status).toBe(200);
      expect((await enterFrom(address, (await codes()).at(-1) ?? '')).status).toBe(200);
    });

    it('limits codes without a sign-in within ten minutes', async () => {
      const address = '203.0.113.7';
      await askFrom(address);
      await countedBefore(codesOfAddress.max);
      const refused = await askFrom(address, number);
      expect(outcomeOf(refused)).toEqual(often);
      expect(refused.headers.get('retry-after')).toBe('600');
      expect(await messages()).toEqual([]);
      expect((await askFrom('203.0.113.8', number)).status).toBe(200);
      school().setNow(noon + 10 * minute);
      expect((await askFrom(address)).status).toBe(200);
    });

    it('limits attempts', async () => {
      const address = '2001:db8::7';
      await askFrom(address, number);
      const [code = ''] = await codes();
      for (let times = 0; times < 2; times += 1) {
        if (times > 0) await countedBefore(codesOfAddress.max - 1);
        const guess = await application.post('session', { number: `${times}`, code: '123456', address });
        expect(guess.status).toBe(422);
      }
      expect(outcomeOf(await enterFrom(address, code))).toEqual(often);
      expect(outcomeOf(await enterFrom('2001:db8::8', code))).toEqual([200, '登录成功']);
    });

    it('forgets attempts that ended in a sign-in', async () => {
      const address = '203.0.113.9';
      await askFrom(address);
      await countedBefore(codesOfAddress.max - 1);
      for (let times = 0; times < 3; times += 1) {
        school().setNow(noon + times * minute);
        expect((await askFrom(address, number)).status).toBe(200);
        expect((await enterFrom(address, (await codes()).at(-1) ?? '')).status).toBe(200);
      }
    });

    it('applies to valid addresses only', async () => {
      expect(errorsOf(await askFrom('school'))).toEqual([422, { address: ['网络地址应为IPv4或IPv6地址'] }]);
    });
  });

  it('sends siblings with one mobile number a code each', async () => {
    await db().updateTable('student').set({ mobile }).where('id', 'in', [uid, sibling]).execute();
    await ask(mobile);
    const found = await codes();
    expect(found).toHaveLength(2);
    const entered = await enter(found[1] ?? '', mobile);
    expect((await learnerClient(school(), entered.body.data.token).get('me')).body.data.uid).toBe(sibling);
    await db().updateTable('student').set({ mobile: '' }).where('id', 'in', [uid, sibling]).execute();
  });

  describe('pictures for learners', () => {
    it('are read with their token', async () => {
      const path = await school().keepPicture();
      const learner = await learnerOf(school(), uid);
      const headers = { authorization: `Bearer ${learner.token}` };
      const readPicture = (more = {}) => school().ask(`/api/app${path}`, { headers: { ...headers, ...more } });
      const first = await readPicture();
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
      const again = await readPicture({ 'if-none-match': first.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
      expect(outcomeOf(await learner.get('files/2026/11/nothing.png'))).toEqual([404, '文件不存在']);
      expect((await school().ask(`/api/app${path}`, { headers: {} })).status).toBe(401);
    });
  });
});
