/** Sign-in through identity providers: the redirect there and back, linking, and refusals. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressRateLimit } from '#server/identity/rules.ts';
import { codeAt, newSecret } from '#server/platform/auth/second-factor.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { storeSetting } from '#server/school/settings.ts';
import {
  addStaff,
  begin,
  challengeOf,
  complete,
  newBrowser,
  outcomeOf,
  providerAddress,
  setProvider,
  site,
} from '../support/identity.ts';
import { type CasServer, startCas } from '../support/identity-servers.ts';
import { closedAddress } from '../support/local-server.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Forger, follow, type OidcServer, oidcClient, startForger, startOidc } from '../support/openid-servers.ts';
import { noon } from '../support/school.ts';

const expired = [409, '本次登录已失效，请重新点击登录按钮'];
const refused = [403, '“统一身份认证”没有确认您的身份，请重新登录'];

onBothEngines('sign-in through a provider', (school) => {
  let oidc: OidcServer;
  let cas: CasServer;
  let forger: Forger;
  beforeAll(async () => {
    [oidc, cas, forger] = await Promise.all([startOidc(() => site), startCas(), startForger()]);
  });
  afterAll(async () => {
    await Promise.all([oidc.close(), cas.close(), forger.close()]);
  });
  const setOidc = (more = {}) =>
    setProvider(school(), 'oidc', {
      address: oidc.origin,
      client_id: oidcClient.id,
      secret: oidcClient.secret,
      ...more,
    });
  const setForger = () =>
    setProvider(school(), 'oidc', { address: forger.origin, client_id: oidcClient.id, secret: oidcClient.secret });
  const setCas = (more = {}) => setProvider(school(), 'cas', { address: `${cas.origin}/cas`, ...more });

  /** Signs in with the real provider as `login`. */
  const signInBy = async (login: string, browser = newBrowser()) => {
    oidc.visitor = login;
    const back = await follow((await providerAddress(school(), 'oidc', browser)).href, site);
    return complete(school(), 'oidc', browser, back.search.slice(1));
  };
  const links = async (query = '') => (await school().as('admin').get(`identity/links${query}`)).body.data.list;
  const linkOf = async (number: string) =>
    (await links()).find((one: { number: string }) => one.number === number) as { id: number; state: string };
  const asks = (token: string, path = '/api/auth/me', init: RequestInit = {}) =>
    school().ask(path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
  const actionsOf = async (record: string, id: number) =>
    (
      await school()
        .database.db.selectFrom('history')
        .select('action')
        .where('record', '=', record)
        .where('record_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);

  it("links a person by number once, then recognises the provider's subject", async () => {
    expect(outcomeOf(await setOidc())).toEqual([200, '保存成功']);
    const id = await addStaff(school(), 'g1001');
    oidc.claims.set('subject-g', { preferred_username: 'G1001' });
    const first = await signInBy('subject-g');
    expect(outcomeOf(first)).toEqual([200, '登录成功']);
    expect(first.body.data).toMatchObject({ identity: 'teacher', awaits_code: 0, return_to: '/homework' });
    const me = await asks(first.body.data.token);
    // A person without a password need not change one.
    expect(me.body.data).toMatchObject({ id, must_change_password: 0 });
    expect(await linkOf('G1001')).toMatchObject({ state: 'linked', staff: { id, username: 'g1001' } });
    expect(await actionsOf('staff', id)).toContain('signed_in');
    // The number belongs to another person by now; the link stays, whatever number or e-mail changes.
    await addStaff(school(), 'g1002');
    oidc.claims.set('subject-g', { preferred_username: 'g1002', email: 'g1002@school.test' });
    const again = await signInBy('subject-g');
    expect((await asks(again.body.data.token)).body.data.id).toBe(id);
  });

  describe('linking while signed in', () => {
    const own = async (token: string) => (await asks(token, '/api/lector/account/identities')).body.data;
    const apart = (token: string, provider = 'oidc') =>
      asks(token, `/api/lector/account/identities/${provider}`, { method: 'DELETE' });
    /**
     * Links an account by signing in at the provider as `login`. `back` is the token that returns from the provider.
     */
    const linkAs = async (login: string, token: string, back = token) => {
      oidc.visitor = login;
      const browser = newBrowser();
      const post = (path: string, body: object, by: string) =>
        asks(by, `/api/auth/identity/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const begun = await post('begin', { provider: 'oidc', browser, return_to: '/account', link: '1' }, token);
      if (begun.status !== 200) return begun;
      const { search } = await follow(begun.body.data.address, site);
      return post('complete', { provider: 'oidc', browser, sent: search.slice(1) }, back);
    };
    const member = async (username: string, password_hash: string) => {
      const id = await addStaff(school(), username);
      const { db } = school().database;
      await db.updateTable('staff').set({ password_hash, must_change_password: 0 }).where('id', '=', id).execute();
      return { id, token: await issueToken(db, id, { device: '', address: '', now: noon }) };
    };

    it('links any number after signing in at the provider, and unlinks', async () => {
      await setOidc();
      const { id, token } = await member('own1', 'some hash');
      oidc.claims.set('own-subject', { preferred_username: 'x-77' });
      expect(await own(token)).toMatchObject([{ provider: 'oidc', is_linked: 0, fault: '' }]);
      const linked = await linkAs('own-subject', token);
      expect(outcomeOf(linked)).toEqual([200, '已关联“统一身份认证”，以后可以用它登录']);
      expect(linked.body.data).toEqual({ is_linking: 1, return_to: '/account' });
      expect(await own(token)).toMatchObject([{ is_linked: 1, number: 'x-77', fault: '' }]);
      const there = (await signInBy('own-subject')).body.data.token;
      expect((await asks(there)).body.data.id).toBe(id);
      // These are refused: a second account of the same person, and an account that is linked to somebody else.
      oidc.claims.set('own-second', { preferred_username: 'x-78' });
      expect((await linkAs('own-second', token)).body.msg).toBe('您已关联“统一身份认证”的另一个账号，请先解除');
      const other = await member('own2', 'some hash');
      expect(outcomeOf(await linkAs('own-subject', other.token))).toEqual([
        409,
        '该“统一身份认证”账号已关联另一位人员，不能再关联到您的账号',
      ]);
      const { id: link } = await linkOf('x-77');
      expect(outcomeOf(await apart(token))).toEqual([200, '已解除关联']);
      expect(await actionsOf('identity_link', link)).toEqual(['link', 'remove']);
      expect(await own(token)).toMatchObject([{ is_linked: 0 }]);
      expect((await asks(there)).status).toBe(401);
      expect((await asks(token)).status).toBe(200);
      expect(outcomeOf(await apart(token))).toEqual([404, '您没有关联该登录方式']);
    });

    it('is refused if another person returns from the provider', async () => {
      await setOidc();
      const [one, other] = [await member('own3', 'some hash'), await member('own4', 'some hash')];
      oidc.claims.set('own-third', { preferred_username: 'x-79' });
      expect(outcomeOf(await linkAs('own-third', one.token, other.token))).toEqual(expired);
      expect(outcomeOf(await linkAs('own-third', one.token, 'none'))).toEqual(expired);
      expect((await linkAs('own-third', 'none')).status).toBe(401);
      expect(await own(one.token)).toMatchObject([{ is_linked: 0 }]);
      expect(await own(other.token)).toMatchObject([{ is_linked: 0 }]);
    });

    it('keeps the only way to sign in', async () => {
      await setOidc();
      const { id, token } = await member('own5', '');
      oidc.claims.set('own-fifth', { preferred_username: 'x-80' });
      expect((await linkAs('own-fifth', token)).status).toBe(200);
      const only = '这是您唯一的登录方式，不能解除';
      expect(await own(token)).toMatchObject([{ is_linked: 1, fault: only }]);
      expect(outcomeOf(await apart(token))).toEqual([409, only]);
      const { db } = school().database;
      await db.updateTable('staff').set({ password_hash: 'some hash' }).where('id', '=', id).execute();
      await storeSetting(db, 'password_sign_in', 'one');
      expect(outcomeOf(await apart(token))).toEqual([409, only]);
      await storeSetting(db, 'password_sign_in', 'all');
      expect(outcomeOf(await apart(token))).toEqual([200, '已解除关联']);
    });
  });

  it('refuses a number already linked to another account of the provider', async () => {
    await setOidc();
    const id = await addStaff(school(), 'g1100');
    oidc.claims.set('first', { preferred_username: 'g1100' });
    oidc.claims.set('second', { preferred_username: 'g1100' });
    expect((await signInBy('first')).status).toBe(200);
    expect(outcomeOf(await signInBy('second'))).toEqual([403, '账号“g1100”尚未登记，已转给教务确认，确认后即可登录']);
    const [waits] = await links('?state=waiting&name=g1100');
    expect(
      outcomeOf(await school().as('admin').post(`identity/links/${waits.id}/approve`, { username: 'g1100' })),
    ).toEqual([409, '该人员已关联“统一身份认证”的另一个账号，请先解除']);
    expect(id).toBeGreaterThan(0);
  });

  it("never makes an administrator by the provider's number", async () => {
    await setOidc();
    await setCas();
    const id = await addStaff(school(), 'head1', { identity: 'admin' });
    oidc.claims.set('whoever', { preferred_username: 'HEAD1' });
    const pendingRefusal = (number: string) => [403, `账号“${number}”尚未登记，已转给教务确认，确认后即可登录`];
    expect(outcomeOf(await signInBy('whoever'))).toEqual(pendingRefusal('HEAD1'));
    const browser = newBrowser();
    const service = (await providerAddress(school(), 'cas', browser)).searchParams.get('service') ?? '';
    const state = new URL(service).searchParams.get('state');
    const ticket = cas.issue('head1', service);
    expect(outcomeOf(await complete(school(), 'cas', browser, `state=${state}&ticket=${ticket}`))).toEqual(
      pendingRefusal('head1'),
    );
    for (const one of await links('?state=waiting&name=head1')) {
      expect(one).toMatchObject({ state: 'waiting', staff: null });
    }
    // An administrator may still be linked by hand.
    const link = await linkOf('HEAD1');
    const approved = await school().as('admin').post(`identity/links/${link.id}/approve`, { username: 'head1' });
    expect(approved.status).toBe(200);
    const { token } = (await signInBy('whoever')).body.data;
    expect((await asks(token)).body.data).toMatchObject({ id, identity: 'admin' });
  });

  it('uses the subject as number unless a claim is configured', async () => {
    await setOidc({ claim: '' });
    const id = await addStaff(school(), 'subject-7');
    await addStaff(school(), 'of-another');
    oidc.claims.set('subject-7', { preferred_username: 'of-another' });
    const { token } = (await signInBy('subject-7')).body.data;
    expect((await asks(token)).body.data.id).toBe(id);
  });

  it('queues unknown people for an administrator, who links, adds, rejects and unlinks', async () => {
    await setOidc();
    const overview = async () => (await school().as('admin').get('overview')).body.data.identities_waiting;
    const before = await overview();
    expect(outcomeOf(await signInBy('x2001'))).toEqual([403, '账号“x2001”尚未登记，已转给教务确认，确认后即可登录']);
    expect(await overview()).toBe(before + 1);
    const { id } = await linkOf('x2001');
    const admin = school().as('admin');
    expect((await admin.post(`identity/links/${id}/approve`, { username: 'nobody' })).body.errors).toEqual({
      username: ['没有用户名为此的人员'],
    });
    const staff = await addStaff(school(), 'li2001');
    expect(outcomeOf(await admin.post(`identity/links/${id}/approve`, { username: ' LI2001 ' }))).toEqual([
      200,
      '已关联，对方可以登录了',
    ]);
    const signedIn = await signInBy('x2001');
    expect((await asks(signedIn.body.data.token)).body.data.id).toBe(staff);
    expect(outcomeOf(await admin.post(`identity/links/${id}/unlink`))).toEqual([200, '已解除，其用该方式的登录已结束']);
    expect((await asks(signedIn.body.data.token)).status).toBe(401);
    // Once unlinked, the number no longer links anybody.
    expect((await signInBy('x2001')).status).toBe(403);
    expect(outcomeOf(await admin.post(`identity/links/${id}/reject`))).toEqual([200, '已拒绝']);
    expect(outcomeOf(await signInBy('x2001'))).toEqual([403, '教务没有通过您的登录申请，如有疑问请联系本校教务']);
    expect(outcomeOf(await admin.post(`identity/links/${id}/reject`))).toEqual([409, '该申请已被拒绝']);
    const { id: school_id } = await school().database.db.selectFrom('school').select('id').executeTakeFirstOrThrow();
    const written = { identity: 'assist', username: 'x2001', real_name: '新助教', school_id, permissions: ['correct'] };
    const added = await admin.post(`identity/links/${id}/add`, written);
    expect(outcomeOf(added)).toEqual([200, '已添加并关联，对方可以登录了']);
    const assistant = await signInBy('x2001');
    expect(assistant.body.data).toMatchObject({ identity: 'assist', permissions: ['correct'] });
    expect(await actionsOf('identity_link', id)).toEqual(['request', 'approve', 'remove', 'reject', 'approve']);
    // Lecturers cannot decide.
    expect((await school().as('teacher').post(`/api/admin/identity/links/${id}/reject`)).status).toBe(403);
  });

  it('refuses disabled people with the reason', async () => {
    await setOidc();
    const id = await addStaff(school(), 'gone1', { disabled_at: noon });
    expect(outcomeOf(await signInBy('gone1'))).toEqual([403, '您的账号已停用，不能登录，请联系本校教务']);
    expect(await actionsOf('staff', id)).toEqual(['sign-in-failed']);
  });

  it('accepts the provider as first factor, and asks for the second where required', async () => {
    const secret = newSecret();
    await addStaff(school(), 'two1', { totp_at: noon, totp_secret: secret });
    await setOidc({ asks_code: 0 });
    expect((await signInBy('two1')).body.data.awaits_code).toBe(0);
    await setOidc({ asks_code: 1 });
    const { token, awaits_code } = (await signInBy('two1')).body.data;
    expect(awaits_code).toBe(1);
    expect(outcomeOf(await asks(token, '/api/lector/hw/index'))).toEqual([403, '请先输入两步验证码']);
    const code = JSON.stringify({ code: codeAt(secret, noon) });
    expect((await asks(token, '/api/auth/code', { method: 'POST', body: code })).status).toBe(200);
    expect((await asks(token)).body.data.awaits_code).toBe(0);
  });

  it('finishes once, in time, in the browser that started', async () => {
    await setOidc();
    await addStaff(school(), 'once1');
    oidc.visitor = 'once1';
    const browser = newBrowser();
    const back = await follow((await providerAddress(school(), 'oidc', browser)).href, site);
    const sent = back.search.slice(1);
    // Login CSRF: another browser has a different key, or none.
    expect(outcomeOf(await complete(school(), 'oidc', newBrowser(), sent))).toEqual(expired);
    expect(outcomeOf(await complete(school(), 'oidc', '', sent))).toEqual(expired);
    expect(outcomeOf(await complete(school(), 'cas', browser, sent))).toEqual(expired);
    expect((await complete(school(), 'oidc', browser, sent)).status).toBe(200);
    expect(outcomeOf(await complete(school(), 'oidc', browser, sent))).toEqual(expired);
    const late = await follow((await providerAddress(school(), 'oidc', browser)).href, site);
    school().setNow(noon + 601);
    expect(outcomeOf(await complete(school(), 'oidc', browser, late.search.slice(1)))).toEqual(expired);
  });

  it('allows several windows of one browser at once', async () => {
    await setOidc();
    await addStaff(school(), 'tabs1');
    oidc.visitor = 'tabs1';
    const browser = newBrowser();
    const ways = await Promise.all(['/a', '/b', '/c'].map((to) => providerAddress(school(), 'oidc', browser, to)));
    const ends = [];
    for (const way of ways) {
      const back = await follow(way.href, site);
      ends.push((await complete(school(), 'oidc', browser, back.search.slice(1))).body.data.return_to);
    }
    expect(ends).toEqual(['/a', '/b', '/c']);
  });

  it('refuses a code of another state, of another client, or a made-up one', async () => {
    await setOidc();
    await addStaff(school(), 'code1');
    oidc.visitor = 'code1';
    const browser = newBrowser();
    const [mine, other] = [
      await providerAddress(school(), 'oidc', browser),
      await providerAddress(school(), 'oidc', browser),
    ];
    const code = (await follow(other.href, site)).searchParams.get('code') ?? '';
    const state = mine.searchParams.get('state') ?? '';
    // The verifier belongs to the other attempt, so the exchange fails.
    expect(outcomeOf(await complete(school(), 'oidc', browser, `code=${code}&state=${state}`))).toEqual(refused);
    const again = (await providerAddress(school(), 'oidc', browser)).searchParams.get('state') ?? '';
    expect(outcomeOf(await complete(school(), 'oidc', browser, `code=made-up&state=${again}`))).toEqual(refused);
    const asked = await providerAddress(school(), 'oidc', browser);
    const foreign = new URL(asked);
    foreign.searchParams.set('client_id', 'another');
    const sent = (await follow(foreign.href, site)).search.slice(1);
    expect(outcomeOf(await complete(school(), 'oidc', browser, sent))).toEqual(refused);
  });

  it('reports a denied consent, and returns only to own pages', async () => {
    await setOidc();
    expect(outcomeOf(await signInBy('nobody'))).toEqual([
      403,
      '您没有同意通过“统一身份认证”登录，请重新登录或使用密码登录',
    ]);
    await addStaff(school(), 'open1');
    for (const to of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
      oidc.visitor = 'open1';
      const browser = newBrowser();
      const back = await follow((await providerAddress(school(), 'oidc', browser, to)).href, site);
      expect((await complete(school(), 'oidc', browser, back.search.slice(1))).body.data.return_to).toBe('/');
    }
  });

  it.each([
    ['another issuer', { iss: 'https://evil.test' }],
    ['another audience', { aud: 'another' }],
    ['several audiences without us as the party', { aud: [oidcClient.id, 'another'], azp: 'another' }],
    ['a past end', { exp: Math.floor(Date.now() / 1000) - 120, iat: Math.floor(Date.now() / 1000) - 600 }],
    ['another nonce', { nonce: 'of another way' }],
    ['no nonce', { nonce: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that no database stores', { sub: 'a\u0000b' }],
  ])('refuses a token with %s', async (_what, claims) => {
    await setForger();
    Object.assign(forger, { claims, foreignKey: false, refuse: undefined });
    const browser = newBrowser();
    const asked = await providerAddress(school(), 'oidc', browser);
    forger.nonce = asked.searchParams.get('nonce') ?? '';
    const sent = `code=c&state=${asked.searchParams.get('state')}`;
    expect(outcomeOf(await complete(school(), 'oidc', browser, sent))).toEqual(refused);
    // PKCE: the challenge is the hash of the stored verifier.
    expect(challengeOf(forger.sent.get('code_verifier') ?? '')).toBe(asked.searchParams.get('code_challenge'));
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
  });

  it('refuses a foreign signature, and tolerates a small clock difference', async () => {
    await setForger();
    await addStaff(school(), 'forged');
    const answerForged = async (more: Partial<Forger>) => {
      Object.assign(forger, { claims: {}, foreignKey: false, refuse: undefined, ...more });
      const browser = newBrowser();
      const asked = await providerAddress(school(), 'oidc', browser);
      forger.nonce = asked.searchParams.get('nonce') ?? '';
      return complete(school(), 'oidc', browser, `code=c&state=${asked.searchParams.get('state')}`);
    };
    expect(outcomeOf(await answerForged({ foreignKey: true }))).toEqual(refused);
    expect(outcomeOf(await answerForged({ refuse: { status: 401, error: 'invalid_client' } }))).toEqual([
      503,
      '“统一身份认证”的设置有误，暂时不能使用，请联系本校教务',
    ]);
    expect(outcomeOf(await answerForged({ refuse: { status: 400, error: 'invalid_grant' } }))).toEqual(refused);
    const now = Math.floor(Date.now() / 1000);
    expect((await answerForged({ claims: { iat: now + 45, exp: now + 345 } })).status).toBe(200);
    expect((await answerForged({ claims: { iat: now - 300, exp: now - 45 } })).status).toBe(200);
    expect(
      outcomeOf(await answerForged({ claims: { preferred_username: undefined, sub: 'without a number' } })),
    ).toEqual([403, '“统一身份认证”没有提供您的工号，请联系本校教务']);
  });

  it('throttles one address only', async () => {
    const goFrom = (address: string) =>
      school().ask('/api/auth/identity/begin', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [clientAddressHeader]: address },
        body: JSON.stringify({ provider: 'oidc', browser: 'no key', return_to: '/' }),
      });
    await setOidc();
    const { max, window } = addressRateLimit;
    for (let sent = 0; sent < max; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => goFrom('192.0.2.7')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
    }
    const late = await goFrom('192.0.2.7');
    expect(outcomeOf(late)).toEqual([429, '登录过于频繁，请稍后再试']);
    expect(late.headers.get('retry-after')).toBe(String(window));
    // Stored in the database, so other processes count it too.
    const { db } = school().database;
    const kept = await db.selectFrom('attempt').select('tries').where('tries', '>', max).executeTakeFirst();
    expect(kept?.tries).toBe(max + 1);
    expect((await goFrom('192.0.2.8')).status).toBe(409);
  });

  it('reports an unreachable provider while passwords keep working', async () => {
    await setProvider(school(), 'oidc', { address: await closedAddress(), client_id: 'a', secret: 'b' });
    expect(outcomeOf(await begin(school(), 'oidc', newBrowser()))).toEqual([
      503,
      '暂时连接不上“统一身份认证”，请稍后再试，或使用密码登录',
    ]);
    const ways = (await school().ask('/api/auth/identity')).body.data;
    expect(ways).toMatchObject({ passwords: 'all', site });
    expect(ways.providers.map(({ kind }: { kind: string }) => kind)).toContain('oidc');
  });

  it('signs out at the provider too, and accepts its back-channel logout', async () => {
    await setForger();
    school().setNow(Math.floor(Date.now() / 1000));
    await addStaff(school(), 'out1');
    const signIn = async (sid: string) => {
      Object.assign(forger, {
        claims: { sub: 'out', preferred_username: 'out1', sid },
        foreignKey: false,
        refuse: undefined,
      });
      const browser = newBrowser();
      const asked = await providerAddress(school(), 'oidc', browser);
      forger.nonce = asked.searchParams.get('nonce') ?? '';
      const sent = `code=c&state=${asked.searchParams.get('state')}`;
      return (await complete(school(), 'oidc', browser, sent)).body.data.token as string;
    };
    const tell = (token: string) =>
      school().ask('/api/auth/identity/oidc/logout', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
    const isIn = async (token: string) => (await asks(token)).status === 200;

    const leaving = await signIn('s0');
    const left = await asks(leaving, '/api/auth/identity/leave', { method: 'POST', body: '{}' });
    const onwards = new URL(left.body.data.onwards);
    expect(onwards.href.startsWith(`${forger.origin}/end?`)).toBe(true);
    expect(onwards.searchParams.get('post_logout_redirect_uri')).toBe(`${site}/login`);
    expect(onwards.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3);
    expect(await isIn(leaving)).toBe(false);

    const [one, two] = [await signIn('s1'), await signIn('s2')];
    const before = Math.floor(Date.now() / 1000);
    for (const wrong of [
      await forger.logoutToken({ sid: 's1', nonce: 'n' }),
      await forger.logoutToken({ sid: 's1', events: {} }),
      await forger.logoutToken({ sid: 's1', aud: 'another' }),
      await forger.logoutToken({ sid: 's1', iss: 'https://evil.test' }),
      await forger.logoutToken({ sid: 's1', iat: before - 3600, exp: before - 3000 }),
      await forger.logoutToken({ sid: 's1' }, true),
      await forger.logoutToken({}),
      'nothing',
    ])
      expect((await tell(wrong)).status).toBe(400);
    expect([await isIn(one), await isIn(two)]).toEqual([true, true]);
    expect((await tell(await forger.logoutToken({ sid: 's1', sub: 'out' }))).status).toBe(200);
    expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
    const everywhere = await forger.logoutToken({ sub: 'out' });
    expect((await tell(everywhere)).status).toBe(200);
    expect(await isIn(two)).toBe(false);
    // A repeated logout token ends no newer session.
    school().setNow(Math.floor(Date.now() / 1000) + 120);
    const later = await signIn('s3');
    expect((await tell(everywhere)).status).toBe(200);
    expect(await isIn(later)).toBe(true);
  });

  it('validates a CAS ticket, and accepts its single logout', async () => {
    expect(outcomeOf(await setCas({ claim: 'employeeNumber' }))).toEqual([200, '保存成功']);
    await addStaff(school(), 'c3001');
    const browser = newBrowser();
    const asked = await providerAddress(school(), 'cas', browser);
    expect(asked.href.startsWith(`${cas.origin}/cas/login?`)).toBe(true);
    const service = asked.searchParams.get('service') ?? '';
    const state = new URL(service).searchParams.get('state');
    expect(service).toBe(`${site}/api/auth/identity/cas?state=${state}`);
    const landed = await school().api.fetch(new Request(`${service}&ticket=ST-1`));
    expect([landed.status, landed.headers.get('location')]).toEqual([
      302,
      `/login/from/cas?state=${state}&ticket=ST-1`,
    ]);
    const ticket = cas.issue('zhang.san', service, { employeeNumber: 'C3001', cn: '张&amp;三' });
    const signedIn = await complete(school(), 'cas', browser, `state=${state}&ticket=${ticket}`);
    expect(outcomeOf(signedIn)).toEqual([200, '登录成功']);
    const { token } = signedIn.body.data;
    expect((await asks(token)).status).toBe(200);
    const slo = (text: string) =>
      school().ask('/api/auth/identity/cas', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logoutRequest: text }).toString(),
      });
    await slo(cas.logoutRequest('ST-of-somebody-else')).catch(() => {});
    await slo('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').catch(() => {});
    expect((await asks(token)).status).toBe(200);
    await slo(cas.logoutRequest(ticket)).catch(() => {});
    expect((await asks(token)).status).toBe(401);

    const tryService = async (make: (service: string) => string) => {
      const way = (await providerAddress(school(), 'cas', browser)).searchParams.get('service') ?? '';
      const of = new URL(way).searchParams.get('state');
      return outcomeOf(await complete(school(), 'cas', browser, `state=${of}&ticket=${make(way)}`));
    };
    expect(await tryService(() => 'ST-made-up')).toEqual(refused);
    // A ticket that was issued for another service is refused.
    expect(await tryService(() => cas.issue('zhang.san', 'https://evil.test/'))).toEqual([
      503,
      '“统一身份认证”的设置有误，暂时不能使用，请联系本校教务',
    ]);
    expect(await tryService((way) => cas.issue('without', way))).toEqual([
      403,
      '“统一身份认证”没有提供您的工号，请联系本校教务',
    ]);
    // Characters that neither XML nor PostgreSQL can store.
    expect(await tryService((way) => cas.issue('zhang&#0;san', way, { employeeNumber: 'C3001' }))).toEqual([
      503,
      '暂时连接不上“统一身份认证”，请稍后再试，或使用密码登录',
    ]);
    expect(await tryService((way) => cas.issue('z'.repeat(5_000), way, { employeeNumber: 'C3001' }))).toEqual(refused);
    for (const broken of ['away', 'no XML'] as const) {
      cas.broken = broken;
      expect(await tryService((way) => cas.issue('zhang.san', way))).toEqual([
        503,
        '暂时连接不上“统一身份认证”，请稍后再试，或使用密码登录',
      ]);
    }
    cas.broken = undefined;
    const left = await setCas({ claim: '' });
    expect(left.status).toBe(200);
  });

  it('is configured by administrators of all schools, with errors by field', async () => {
    const errors = async (kind: string, fields: object) =>
      (
        await school()
          .as('admin')
          .put(`identity/providers/${kind}`, { name: '登录', is_on: 1, seen: '', ...fields })
      ).body.errors;
    expect(await errors('wecom', {})).toEqual({
      client_id: ['请填写企业ID（corpid）'],
      organization: ['请填写应用ID（AgentId）'],
      secret: ['请填写应用密钥（Secret）'],
    });
    const filled = { address: 'http://sso.school.test', client_id: 'a', secret: 'b', claim: 'Email' };
    expect(await errors('oidc', filled)).toEqual({
      address: ['请填写以 https:// 开头的地址：身份信息不能明文传输'],
      claim: ['姓名、昵称、邮箱和手机号可由本人修改或会重复，不能用来识别人员，请填写工号或学号所在的字段'],
    });
    const shown = JSON.stringify((await school().as('admin').get('identity')).body);
    expect(shown).not.toContain(oidcClient.secret);
    const tried = await school().as('admin').post('identity/providers/oidc/try', {
      name: '登录',
      address: oidc.origin,
      client_id: 'a',
      secret: 'b',
    });
    expect(tried.body.data).toMatchObject({ ok: true, status: 200 });
    const wrong = await school().as('admin').post('identity/providers/cas/try', { name: '登录', address: oidc.origin });
    expect(wrong.body.data).toMatchObject({ ok: false, status: 404 });
    const right = await school()
      .as('admin')
      .post('identity/providers/cas/try', { name: '登录', address: `${cas.origin}/cas/` });
    expect(right.body.data).toMatchObject({ ok: true, status: 200 });
    expect((await school().as('teacher').get('/api/admin/identity')).status).toBe(403);
  });

  it('restricts passwords to one account once a provider has worked', async () => {
    const { db } = school().database;
    const admin = school().as('admin');
    const { ways } = (await admin.get('identity')).body.data;
    const me = (await admin.get('/api/auth/me')).body.data.id as number;
    await db.updateTable('staff').set({ must_change_password: 0 }).where('id', '=', me).execute();
    const written = { site_address: site, password_sign_in: 'one', emergency_staff: String(me), seen: ways.seen };
    const turn = async (more = {}) => outcomeOf(await admin.put('identity/ways', { ...written, ...more }));
    const all = (await admin.get('identity')).body.data.providers as Record<string, unknown>[];
    for (const one of all.filter(({ is_on }) => is_on === 1))
      await admin.put(`identity/providers/${one.kind}`, { ...one, secret: '', is_on: 0 });
    expect(await turn()).toEqual([409, '请先启用一种登录方式，再关闭密码登录']);
    await db.updateTable('sign_in').set({ provider: '' }).execute();
    await setOidc();
    expect(await turn()).toEqual([409, '还没有人用已启用的登录方式登录过，请先试着登录一次，再关闭密码登录']);
    await addStaff(school(), 'pass1');
    expect((await signInBy('pass1')).status).toBe(200);
    expect((await admin.put('identity/ways', { ...written, emergency_staff: '' })).body.errors).toEqual({
      emergency_staff: ['请选择一名管理全部学校、能管理人员和修改设置的教务'],
    });
    await setOidc({ address: await closedAddress() });
    expect((await turn())[1]).toMatch(/^已启用的登录方式目前都连接不上，不能关闭密码登录：统一身份认证对方拒绝连接/);
    await setOidc();
    expect(await turn()).toEqual([200, '保存成功']);
    const signIn = async (username: string, password: string) =>
      outcomeOf(
        await school().ask('/api/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username, password }),
        }),
      );
    const { hashPassword } = await import('#server/platform/auth/password.ts');
    const password_hash = await hashPassword('Right2026');
    await db.updateTable('staff').set({ password_hash }).where('username', '=', 'pass1').execute();
    await db.updateTable('staff').set({ password_hash }).where('id', '=', me).execute();
    const { username } = await db.selectFrom('staff').select('username').where('id', '=', me).executeTakeFirstOrThrow();
    const off = [401, '用户名或密码不正确，或本校已关闭密码登录，请使用上方的按钮登录'];
    // The answer reveals neither a right password nor the remaining account.
    expect(await signIn('pass1', 'Right2026')).toEqual(off);
    expect(await signIn('pass1', 'Wrong2026')).toEqual(off);
    expect(await signIn(username, 'Wrong2026')).toEqual(off);
    expect(await signIn(username, 'Right2026')).toEqual([200, '登录成功']);
    // While password sign-in is off, neither the last provider nor the emergency account can be disabled.
    expect(outcomeOf(await setOidc({ is_on: 0 }))).toEqual([
      409,
      '密码登录已关闭，请先恢复密码登录，再停用最后一种登录方式',
    ]);
    expect(outcomeOf(await admin.post(`staff/${me}/disable`, { acknowledged: '' }))[1]).toBe(
      '该教务是密码登录关闭期间的应急账号，请先恢复密码登录或更换应急账号',
    );
    await storeSetting(db, 'password_sign_in', 'all');
    expect(await signIn('pass1', 'Right2026')).toEqual([200, '登录成功']);
  });
});
