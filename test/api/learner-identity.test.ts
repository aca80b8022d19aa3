/** Sign-in of learners through identity providers: linking by student number, waiting, refusals, the two doors apart. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { usernameLimit } from '#server/account/rules.ts';
import { learnerAttempts, maxReturnSeconds } from '#server/identity/rules.ts';
import { isLearnerState } from '#server/identity/sign-in.contract.ts';
import { storeSetting } from '#server/school/settings.ts';
import { addStaff, complete, newBrowser, outcomeOf, providerAddress, setProvider, site } from '../support/identity.ts';
import { type CasServer, startCas } from '../support/identity-servers.ts';
import { applicationOf, type LearnerClient, learnerClient } from '../support/learner.ts';
import {
  beginAsLearner,
  completeAsLearner,
  device,
  numberStudent,
  returnedQuery,
  signInAsLearner,
} from '../support/learner-identity.ts';
import { closedAddress } from '../support/local-server.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Forger, follow, type OidcServer, oidcClient, startForger, startOidc } from '../support/openid-servers.ts';
import { type Answer, noon } from '../support/school.ts';

const expired = [409, '本次登录已失效，请重新点击登录按钮'];
const unconfirmed = [403, '“统一身份认证”没有确认您的身份，请重新登录'];
const waits = (number: string) => [403, `账号“${number}”没有对应到学员，已转给学校确认，确认后即可登录`];

onBothEngines('sign-in of learners through a provider', (school) => {
  let oidc: OidcServer;
  let cas: CasServer;
  let forger: Forger;
  let application: LearnerClient;
  let uid: number;
  let other: number;
  beforeAll(async () => {
    [oidc, cas, forger] = await Promise.all([startOidc(() => site), startCas(), startForger()]);
    application = await applicationOf(school());
    [uid, other] = school().students.k1 as [number, number];
  });
  afterAll(() => Promise.all([oidc.close(), cas.close(), forger.close()]));
  const db = () => school().database.db;
  const setOidc = (more = {}) =>
    setProvider(school(), 'oidc', {
      address: oidc.origin,
      client_id: oidcClient.id,
      secret: oidcClient.secret,
      learner_claim: '',
      for_learners: 1,
      ...more,
    });
  beforeEach(async () => {
    school().setNow(noon);
    await db().deleteFrom('learner_link').execute();
    await db().deleteFrom('identity_link').execute();
    await db().deleteFrom('attempt').execute();
    await db().updateTable('student').set({ number: '', disabled_at: null }).execute();
    await setOidc();
  });

  const signIn = (login: string, more?: Parameters<typeof signInAsLearner>[3]) =>
    signInAsLearner(application, oidc, login, more);
  const clientOf = ({ body }: Answer) => learnerClient(school(), body.data.token);
  const who = async (answer: Answer) => (await clientOf(answer).get('me')).body.data?.uid;
  const admin = () => school().as('admin');
  const links = async (query = '') => (await admin().get(`identity/learners${query}`)).body.data.list;
  const linkOf = async (number: string) =>
    (await links()).find((one: { number: string }) => one.number === number) as { id: number; state: string };
  const historyOf = async (id: number) =>
    db()
      .selectFrom('history')
      .select(['action', 'after'])
      .where('record', '=', 'learner_link')
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
  /** Signs in at the staff door as `login`. */
  const signInAsStaff = async (login: string) => {
    oidc.visitor = login;
    const browser = newBrowser();
    const back = await follow((await providerAddress(school(), 'oidc', browser)).href, site);
    return complete(school(), 'oidc', browser, back.search.slice(1));
  };

  describe('linking', () => {
    it('links a learner by the folded student number once, then recognises the subject', async () => {
      await numberStudent(school(), uid, 'S-1001a');
      oidc.claims.set('sub-1', { preferred_username: ' s-1001A ' });
      const first = await signIn('sub-1');
      expect(outcomeOf(first)).toEqual([200, '登录成功']);
      expect(first.body.data).toMatchObject({ return_to: '/learn/exams' });
      expect(await who(first)).toBe(uid);
      // The number belongs to another learner by now, and the account says that number.
      await numberStudent(school(), other, 'S-2002');
      oidc.claims.set('sub-1', { preferred_username: 'S-2002' });
      expect(await who(await signIn('sub-1'))).toBe(uid);
      const link = await linkOf('s-1001A');
      expect(link).toMatchObject({ state: 'linked', student: { id: uid } });
      expect((await historyOf(link.id)).map(({ action }) => action)).toEqual(['add']);
    });

    it('makes a second account with the number of a linked learner wait', async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      oidc.claims.set('sub-2', { preferred_username: '1001' });
      expect(await who(await signIn('sub-1'))).toBe(uid);
      expect(outcomeOf(await signIn('sub-2'))).toEqual(waits('1001'));
      const [second] = await links('?state=waiting');
      expect(outcomeOf(await admin().post(`identity/learners/${second.id}/approve`, { number: '1001' }))).toEqual([
        409,
        '该学员已关联“统一身份认证”的另一个账号，请先解除',
      ]);
    });

    it('does not guess between learners of several schools, or with one who left', async () => {
      const { id: school_id } = await db()
        .insertInto('school')
        .values({ org_name: '分校' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db().updateTable('student').set({ number: '1001' }).where('id', '=', uid).execute();
      await db()
        .updateTable('student')
        .set({ number: '1001', school_id, disabled_at: noon })
        .where('id', '=', other)
        .execute();
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      await db().updateTable('student').set({ disabled_at: null }).where('id', '=', other).execute();
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      const { id } = await linkOf('1001');
      const approve = (body: object) => admin().post(`identity/learners/${id}/approve`, body);
      expect((await approve({ number: '1001' })).body.errors.number[0]).toMatch(
        /^有2名学员的号码相同：学生一班1（总校）、学生一班2（分校），请选择学校，或填写学号$/,
      );
      expect(outcomeOf(await approve({ number: '1001', school_id }))).toEqual([200, '已关联，对方可以登录了']);
      expect(await who(await signIn('sub-1'))).toBe(other);
      await db().updateTable('student').set({ number: '' }).execute();
      await db()
        .updateTable('student')
        .set(({ selectFrom }) => ({ school_id: selectFrom('student').select('school_id').where('id', '=', uid) }))
        .where('id', '=', other)
        .execute();
    });

    it('compares the whole of a very long number', async () => {
      await numberStudent(school(), uid, '7'.repeat(usernameLimit));
      oidc.claims.set('sub-1', { preferred_username: '7'.repeat(usernameLimit + 1) });
      expect((await signIn('sub-1')).status).toBe(403);
      oidc.claims.set('sub-2', { preferred_username: '7'.repeat(usernameLimit) });
      expect(await who(await signIn('sub-2'))).toBe(uid);
    });

    it('does not take a mobile number as a student number', async () => {
      await db().updateTable('student').set({ mobile: '13700001234' }).where('id', '=', uid).execute();
      oidc.claims.set('sub-1', { preferred_username: '13700001234' });
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('13700001234'));
      await db().updateTable('student').set({ mobile: '' }).where('id', '=', uid).execute();
    });

    it('reads the student number from a field of its own', async () => {
      await setOidc({ scope: 'openid profile', learner_claim: 'employee_no' });
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: 'x', employee_no: '1001' });
      expect(await who(await signIn('sub-1'))).toBe(uid);
      oidc.claims.set('sub-2', { preferred_username: '1001' });
      expect(outcomeOf(await signIn('sub-2'))).toEqual([403, '“统一身份认证”没有提供您的学号，请联系学校']);
      expect((await setOidc({ learner_claim: 'email' })).body.errors).toEqual({
        learner_claim: ['姓名、昵称、邮箱和手机号可由本人修改或会重复，不能用来识别人员，请填写工号或学号所在的字段'],
      });
    });
  });

  describe('waiting', () => {
    it('matches a waiting account again once its learner exists, until an administrator decides', async () => {
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      const before = (await admin().get('overview')).body.data.learner_identities_waiting;
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      expect((await admin().get('overview')).body.data.learner_identities_waiting).toBe(before + 1);
      await numberStudent(school(), uid, '1001');
      const first = await signIn('sub-1');
      expect(await who(first)).toBe(uid);
      const { id } = await linkOf('1001');
      expect(outcomeOf(await admin().post(`identity/learners/${id}/unlink`))).toEqual([
        200,
        '已解除，其用该方式的登录已结束',
      ]);
      expect((await clientOf(first).get('me')).status).toBe(401);
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      expect(outcomeOf(await admin().post(`identity/learners/${id}/reject`))).toEqual([200, '已拒绝']);
      const rejected = [403, '学校没有通过您的登录申请，如有疑问请联系学校'];
      expect(outcomeOf(await signIn('sub-1'))).toEqual(rejected);
      expect(outcomeOf(await admin().post(`identity/learners/${id}/reject`))).toEqual([409, '该申请已被拒绝']);
      expect((await historyOf(id)).map(({ action }) => action)).toEqual(['request', 'add', 'remove', 'reject']);
    });

    it('is decided by administrators of all schools alone, for a learner who exists', async () => {
      oidc.claims.set('sub-1', { preferred_username: 'x-9' });
      await signIn('sub-1');
      const { id } = await linkOf('x-9');
      const approve = (number: string) => admin().post(`identity/learners/${id}/approve`, { number });
      expect((await approve('')).body.errors).toEqual({ number: ['请填写学员的学号或手机号'] });
      expect((await approve('nobody')).body.errors).toEqual({ number: ['没有学号或手机号为此的学员'] });
      await numberStudent(school(), uid, '1001');
      await db().updateTable('student').set({ disabled_at: noon }).where('id', '=', uid).execute();
      expect((await approve('1001')).body.errors).toEqual({ number: ['该学员已停用'] });
      await db().updateTable('student').set({ disabled_at: null }).where('id', '=', uid).execute();
      await db().updateTable('staff').set({ every_school: 0 }).where('id', '=', school().people.admin.id).execute();
      expect(outcomeOf(await approve('1001'))).toEqual([403, '登录申请不分学校，只有管理全部学校的教务可以处理']);
      await db().updateTable('staff').set({ every_school: 1 }).where('id', '=', school().people.admin.id).execute();
      expect(outcomeOf(await approve(' 1001 '))).toEqual([200, '已关联，对方可以登录了']);
      expect(outcomeOf(await approve('1001'))).toEqual([409, '该申请已关联学员，请先解除']);
      expect(outcomeOf(await admin().post('identity/learners/999999/approve', { number: '1' }))).toEqual([
        404,
        '该登录申请不存在',
      ]);
      expect(await who(await signIn('sub-1'))).toBe(uid);
    });
  });

  describe('the two doors', () => {
    it('give a learner no session of staff, and staff none of a learner', async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      expect(await who(await signIn('sub-1'))).toBe(uid);
      expect(outcomeOf(await signInAsStaff('sub-1'))).toEqual([
        403,
        '账号“1001”尚未登记，已转给教务确认，确认后即可登录',
      ]);
      await addStaff(school(), 't-1001');
      oidc.claims.set('sub-2', { preferred_username: 'T-1001' });
      expect((await signInAsStaff('sub-2')).status).toBe(200);
      await numberStudent(school(), other, 'T-1001');
      expect(outcomeOf(await signIn('sub-2'))).toEqual(waits('T-1001'));
      // An administrator may still link the account at both doors.
      const { id } = await linkOf('T-1001');
      expect((await admin().post(`identity/learners/${id}/approve`, { number: 'T-1001' })).status).toBe(200);
      const both = await signIn('sub-2');
      expect(await who(both)).toBe(other);
      const headers = { authorization: `Bearer ${both.body.data.token}` };
      expect((await school().ask('/api/lector/hw/index', { headers })).status).toBe(401);
      const { token } = (await signInAsStaff('sub-2')).body.data;
      expect((await learnerClient(school(), token).get('me')).status).toBe(401);
    });

    it('do not take one number for a lecturer and a learner', async () => {
      await addStaff(school(), '3003');
      await numberStudent(school(), uid, '3003');
      oidc.claims.set('sub-1', { preferred_username: '3003' });
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('3003'));
      expect((await signInAsStaff('sub-1')).status).toBe(403);
      // With a field for each, equal numbers mean two people.
      await db().deleteFrom('learner_link').execute();
      await db().deleteFrom('identity_link').execute();
      await setOidc({ learner_claim: 'employee_no' });
      oidc.claims.set('sub-2', { preferred_username: 'z', employee_no: '3003' });
      expect(await who(await signIn('sub-2'))).toBe(uid);
      oidc.claims.set('sub-3', { preferred_username: '3003' });
      expect((await signInAsStaff('sub-3')).status).toBe(200);
    });

    it('complete their own sign-ins only', async () => {
      await numberStudent(school(), uid, '1001');
      await addStaff(school(), 't-1002');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      const browser = newBrowser();
      const sent = await returnedQuery(application, { oidc, login: 'sub-1', browser });
      expect(isLearnerState(new URLSearchParams(sent).get('state'))).toBe(true);
      expect(outcomeOf(await complete(school(), 'oidc', browser, sent))).toEqual(expired);
      expect((await completeAsLearner(application, 'oidc', browser, sent)).status).toBe(200);
      oidc.visitor = 't-1002';
      const staff = (await follow((await providerAddress(school(), 'oidc', browser)).href, site)).search.slice(1);
      expect(isLearnerState(new URLSearchParams(staff).get('state'))).toBe(false);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, staff))).toEqual(expired);
      expect((await complete(school(), 'oidc', browser, staff)).status).toBe(200);
    });

    it('are opened apart', async () => {
      await setOidc({ for_learners: 0 });
      const off = [409, '学员不能用该方式登录'];
      const browser = newBrowser();
      expect(outcomeOf(await beginAsLearner(application, 'oidc', browser))).toEqual(off);
      expect((await application.get('session/ways')).body.data).toEqual({ code: 0, providers: [], site });
      await setOidc({ is_on: 0 });
      expect((await application.get('session/ways')).body.data.providers).toEqual([
        { kind: 'oidc', name: '统一身份认证' },
      ]);
      const methods = await school().ask('/api/auth/identity');
      expect(methods.body.data.providers).toEqual([]);
      // Switched off while the learner is at the provider.
      const sent = await returnedQuery(application, { oidc, login: 'sub-1', browser });
      await setOidc({ for_learners: 0 });
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, sent))).toEqual(off);
      expect(outcomeOf(await beginAsLearner(application, 'none' as 'oidc', browser))).toEqual([
        404,
        '没有这种登录方式',
      ]);
    });
  });

  describe('an attack', () => {
    beforeEach(async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
    });

    it('finishes no sign-in twice, late, in another browser, by another provider or application', async () => {
      const browser = newBrowser();
      const sent = await returnedQuery(application, { oidc, login: 'sub-1', browser });
      // Login CSRF: the attacker's return address in the learner's browser, which has another key or none.
      expect(outcomeOf(await completeAsLearner(application, 'oidc', newBrowser(), sent))).toEqual(expired);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', '', sent))).toEqual(expired);
      expect(outcomeOf(await completeAsLearner(application, 'cas', browser, sent))).toEqual(expired);
      const second = await applicationOf(school());
      expect(outcomeOf(await completeAsLearner(second, 'oidc', browser, sent))).toEqual(expired);
      expect((await completeAsLearner(application, 'oidc', browser, sent)).status).toBe(200);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, sent))).toEqual(expired);
      const late = await returnedQuery(application, { oidc, login: 'sub-1', browser });
      school().setNow(noon + maxReturnSeconds + 1);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, late))).toEqual(expired);
    });

    it('cannot swap the code or the state', async () => {
      const browser = newBrowser();
      const [mine, theirs] = [
        await returnedQuery(application, { oidc, login: 'sub-1', browser }),
        await returnedQuery(application, { oidc, login: 'sub-1', browser }),
      ].map((sent) => new URLSearchParams(sent));
      theirs?.set('state', mine?.get('state') ?? '');
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, String(theirs)))).toEqual(unconfirmed);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, 'state=learn-x&code=c'))).toEqual(expired);
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, ''))).toEqual(expired);
    });

    it.each([
      ['another nonce', { nonce: 'of another way' }],
      ['another issuer', { iss: 'https://evil.test' }],
      ['another audience', { aud: 'another' }],
      ['no subject', { sub: undefined }],
      ['a subject that no database stores', { sub: 'a\u0000b' }],
      ['a subject of a page', { sub: 'a'.repeat(4000) }],
    ])('is refused for a token with %s', async (_what, claims) => {
      await setOidc({ address: forger.origin });
      Object.assign(forger, {
        claims: { preferred_username: '1001', ...claims },
        foreignKey: false,
        refuse: undefined,
      });
      const browser = newBrowser();
      const asked = new URL((await beginAsLearner(application, 'oidc', browser)).body.data.address);
      forger.nonce = asked.searchParams.get('nonce') ?? '';
      const sent = `code=c&state=${asked.searchParams.get('state')}`;
      expect(outcomeOf(await completeAsLearner(application, 'oidc', browser, sent))).toEqual(unconfirmed);
      expect(await links()).toEqual([]);
    });

    it('leads to pages of this site only', async () => {
      for (const return_to of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/a\nb'])
        expect((await signIn('sub-1', { more: { return_to } })).body.data.return_to).toBe('/learn');
    });

    it('is slowed down by device and address, while sign-ins that succeed do not count', async () => {
      const from = { device, address: '203.0.113.9' };
      for (let times = 0; times < 3; times += 1) await signIn('sub-1', { more: from });
      const begins = Array.from({ length: learnerAttempts.ofDevice }, () =>
        beginAsLearner(application, 'oidc', 'no key', from),
      );
      expect(new Set((await Promise.all(begins)).map(({ status }) => status))).toEqual(new Set([409]));
      const refused = await beginAsLearner(application, 'oidc', newBrowser(), from);
      expect(outcomeOf(refused)).toEqual([429, '当前设备或网络登录未成功的次数过多，请10分钟后再试']);
      expect((await beginAsLearner(application, 'oidc', newBrowser(), { ...from, device: `${device}b` })).status).toBe(
        200,
      );
    });

    it('is not done with the token of a learner', async () => {
      const learner = clientOf(await signIn('sub-1'));
      const alone = [403, '请使用应用的服务令牌'];
      expect(outcomeOf(await beginAsLearner(learner, 'oidc', newBrowser()))).toEqual(alone);
      expect(outcomeOf(await completeAsLearner(learner, 'oidc', newBrowser(), 'state=x'))).toEqual(alone);
      expect(outcomeOf(await learner.get('session/ways'))).toEqual(alone);
      expect(outcomeOf(await application.get('identities'))).toEqual([409, '请使用学员令牌']);
    });
  });

  describe('a refusal', () => {
    it('says that the provider is away, or that consent was denied', async () => {
      await setOidc({ address: await closedAddress() });
      const begun = await beginAsLearner(application, 'oidc', newBrowser());
      expect(outcomeOf(begun)).toEqual([503, '暂时连接不上“统一身份认证”，请稍后再试，或用其他方式登录']);
      expect(begun.body.data).toEqual({ return_to: '/learn/exams' });
      await setOidc();
      expect(outcomeOf(await signIn('nobody'))).toEqual([
        403,
        '您没有同意通过“统一身份认证”登录，请重新登录或用其他方式登录',
      ]);
      await storeSetting(db(), 'site_address', '');
      expect(outcomeOf(await beginAsLearner(application, 'oidc', newBrowser()))).toEqual([
        503,
        '“统一身份认证”的设置有误，暂时不能使用，请联系学校',
      ]);
    });

    it('says that the account is disabled at the provider', async () => {
      await setProvider(school(), 'cas', { address: `${cas.origin}/cas`, for_learners: 1 });
      const browser = newBrowser();
      const asked = new URL((await beginAsLearner(application, 'cas', browser)).body.data.address);
      const state = new URL(asked.searchParams.get('service') ?? '').searchParams.get('state');
      expect(
        outcomeOf(await completeAsLearner(application, 'cas', browser, `state=${state}&ticket=ST-unknown`)),
      ).toEqual(unconfirmed);
    });

    it('says that a learner has left, and ends their sign-ins', async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      const before = await signIn('sub-1');
      await db().updateTable('student').set({ disabled_at: noon }).where('id', '=', uid).execute();
      expect(outcomeOf(await signIn('sub-1'))).toEqual([403, '该学员已停用，不能登录']);
      expect((await clientOf(before).get('me')).status).toBe(401);
    });

    it('hides learners of schools that the application has no access to', async () => {
      const { id } = await db()
        .insertInto('school')
        .values({ org_name: '另一所' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const bound = await applicationOf(school(), [id]);
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      expect(outcomeOf(await signInAsLearner(bound, oidc, 'sub-1'))).toEqual([404, '学员不存在']);
    });

    it('links nobody to a learner who was erased', async () => {
      await numberStudent(school(), uid, '1001');
      await db().updateTable('student').set({ erased_at: noon, disabled_at: noon }).where('id', '=', uid).execute();
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      expect(await linkOf('1001')).toMatchObject({ state: 'waiting', student: null });
      await db().updateTable('student').set({ erased_at: null, disabled_at: null }).where('id', '=', uid).execute();
    });

    it('lets go of a learner who was deleted', async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
      expect(await who(await signIn('sub-1'))).toBe(uid);
      await db().updateTable('student').set({ number: '', deleted_at: noon }).where('id', '=', uid).execute();
      expect(outcomeOf(await signIn('sub-1'))).toEqual(waits('1001'));
      await db().updateTable('student').set({ deleted_at: null }).where('id', '=', uid).execute();
    });
  });

  describe('signing out', () => {
    beforeEach(async () => {
      await numberStudent(school(), uid, '1001');
      oidc.claims.set('sub-1', { preferred_username: '1001' });
    });

    it('leads to the provider, which leads back to the page of learners', async () => {
      const learner = clientOf(await signIn('sub-1'));
      const { onwards } = (await learner.post('session/identity/end')).body.data;
      const address = new URL(onwards);
      expect(address.origin).toBe(oidc.origin);
      expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${site}/login`);
      expect(address.searchParams.get('state')).toBe('learn');
      expect((await learner.get('me')).status).toBe(401);
    });

    it('stays here for somebody who signed in otherwise', async () => {
      const { body } = await application.post('session', { uid });
      const learner = learnerClient(school(), body.data.token);
      expect((await learner.post('session/identity/end')).body.data).toEqual({ onwards: '' });
      expect((await learner.get('me')).status).toBe(401);
    });

    it('is told by the provider, also while it is for learners only', async () => {
      await setOidc({ address: forger.origin, is_on: 0 });
      Object.assign(forger, {
        claims: { preferred_username: '1001', sub: 'sub-9' },
        foreignKey: false,
        refuse: undefined,
      });
      const browser = newBrowser();
      const asked = new URL((await beginAsLearner(application, 'oidc', browser)).body.data.address);
      forger.nonce = asked.searchParams.get('nonce') ?? '';
      const sent = `code=c&state=${asked.searchParams.get('state')}`;
      school().setNow(Math.floor(Date.now() / 1000) - 5);
      await db()
        .updateTable('learner_link_attempt')
        .set({ created_at: Math.floor(Date.now() / 1000) })
        .execute();
      const answer = await completeAsLearner(application, 'oidc', browser, sent);
      expect(await who(answer)).toBe(uid);
      const logout_token = await forger.logoutToken({ sub: 'sub-9' });
      const told = await school().ask('/api/auth/identity/oidc/logout', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ logout_token })),
      });
      expect(told.status).toBe(200);
      expect((await clientOf(answer).get('me')).status).toBe(401);
    });
  });

  it('lets learners see their link, and remove it while another way is left', async () => {
    await numberStudent(school(), uid, '1001');
    oidc.claims.set('sub-1', { preferred_username: '1001', name: '小满' });
    const [here, elsewhere] = [clientOf(await signIn('sub-1')), clientOf(await signIn('sub-1'))];
    const only = '这是您唯一的登录方式，不能解除；请先设置密码';
    const own = async () => (await here.get('identities')).body.data;
    expect(await own()).toEqual([
      expect.objectContaining({ provider: 'oidc', number: '1001', name: '小满', fault: only }),
    ]);
    const remove = () => here.post('identities/remove', { provider: 'oidc' });
    expect(outcomeOf(await remove())).toEqual([409, only]);
    // A printed password that was never used does not count.
    const password = { student_id: uid, password_hash: 'a hash', set_at: noon };
    await db()
      .insertInto('learner_password')
      .values({ ...password, is_first: 1 })
      .execute();
    expect(outcomeOf(await remove())).toEqual([409, only]);
    await db().updateTable('learner_password').set({ is_first: 0 }).where('student_id', '=', uid).execute();
    const { id } = await linkOf('1001');
    expect(outcomeOf(await remove())).toEqual([200, '已解除关联']);
    expect((await historyOf(id)).map(({ action }) => action)).toEqual(['add', 'remove']);
    expect(await own()).toEqual([]);
    expect((await here.get('me')).status).toBe(200);
    expect((await elsewhere.get('me')).status).toBe(401);
    expect(outcomeOf(await remove())).toEqual([404, '您没有关联该登录方式']);
    await db().deleteFrom('learner_password').execute();
  });

  it('leaves with a learner who is erased, and its history loses the number', async () => {
    const third = school().students.k1[2] ?? 0;
    await numberStudent(school(), third, '1003');
    oidc.claims.set('sub-1', { preferred_username: '1003' });
    const learner = clientOf(await signIn('sub-1'));
    const { id: first } = await linkOf('1003');
    await admin().post(`identity/learners/${first}/unlink`);
    await admin().post(`identity/learners/${first}/approve`, { number: '1003' });
    // Unlinked by then: only the history names the learner.
    await admin().post(`identity/learners/${first}/unlink`);
    oidc.claims.set('sub-2', { preferred_username: '1003' });
    expect(await who(await signIn('sub-2'))).toBe(third);
    const { id: second } = (await links('?state=linked'))[0];
    expect(outcomeOf(await admin().post(`students/${third}/erase`, { confirmation: '1003' }))[0]).toBe(200);
    expect(await links()).toEqual([]);
    for (const id of [first, second])
      expect((await historyOf(id)).map(({ after }) => after).join()).not.toContain('1003');
    expect((await learner.get('me')).status).toBe(401);
  });

  it('keeps the codes of text messages as another way', async () => {
    await numberStudent(school(), uid, '1001');
    oidc.claims.set('sub-1', { preferred_username: '1001' });
    const learner = clientOf(await signIn('sub-1'));
    await db().updateTable('student').set({ guardian_mobile: '13700001234' }).where('id', '=', uid).execute();
    expect((await learner.post('identities/remove', { provider: 'oidc' })).status).toBe(409);
    await storeSetting(db(), 'sms_webhook_url', 'https://sms.example/');
    expect((await learner.post('identities/remove', { provider: 'oidc' })).status).toBe(200);
    await storeSetting(db(), 'sms_webhook_url', '');
    await db().updateTable('student').set({ guardian_mobile: '' }).where('id', '=', uid).execute();
  });
});
