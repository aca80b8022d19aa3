/** WeCom, DingTalk and Feishu, against fakes that follow their documentation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addStaff,
  challengeOf,
  complete,
  newBrowser,
  outcomeOf,
  providerAddress,
  setProvider,
  site,
} from '../support/identity.ts';
import { type CloudServer, startDingtalk, startFeishu, startWecom } from '../support/identity-servers.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';

let school: TestSchool;
let wecom: CloudServer;
let dingtalk: CloudServer;
let feishu: CloudServer;
beforeAll(async () => {
  [school, wecom, dingtalk, feishu] = await Promise.all([
    openTestSchool('SQLite'),
    startWecom(),
    startDingtalk(),
    startFeishu(),
  ]);
});
afterAll(async () => {
  await Promise.all([wecom.close(), dingtalk.close(), feishu.close()]);
  await school.close();
});

const setup = (name: string) => [503, `“${name}”的设置有误，暂时不能使用，请联系本校教务`];
const refusalOf = (name: string) => [403, `“${name}”没有确认您的身份，请重新登录`];
const away = (name: string) => [503, `暂时连接不上“${name}”，请稍后再试，或使用密码登录`];
const outsider = (name: string) => [403, `您不是本校在“${name}”中的成员，不能登录`];

/** Signs in: to the provider, and back with `sent`. */
async function signIn(kind: 'wecom' | 'dingtalk' | 'feishu', sent: Record<string, string>) {
  const browser = newBrowser();
  const address = await providerAddress(school, kind, browser);
  const state = address.searchParams.get('state') ?? '';
  const query = new URLSearchParams({ ...sent, state }).toString();
  return { address, answer: await complete(school, kind, browser, query) };
}

/** Signs in while one path of the provider gives another answer. Returns the message of the sign-in. */
async function saidWhile(
  server: CloudServer,
  path: string,
  answer: { status?: number; answer: unknown },
  ask: () => Promise<{ answer: Parameters<typeof outcomeOf>[0] }>,
) {
  server.instead.set(path, answer);
  try {
    return outcomeOf((await ask()).answer);
  } finally {
    server.instead.delete(path);
  }
}

describe('企业微信', () => {
  const set = (more = {}) =>
    setProvider(school, 'wecom', {
      client_id: 'wwcorp',
      organization: '1000002',
      secret: 'wecom-secret',
      address: wecom.origin,
      ...more,
    });

  it("exchanges the code for the member's account", async () => {
    expect(outcomeOf(await set())).toEqual([200, '保存成功']);
    await addStaff(school, 'zhangsan');
    const { address, answer } = await signIn('wecom', { code: 'code-ZhangSan' });
    expect(address.pathname).toBe('/wwlogin/sso/login');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      login_type: 'CorpApp',
      appid: 'wwcorp',
      agentid: '1000002',
      redirect_uri: `${site}/login/from/wecom`,
    });
    expect(outcomeOf(answer)).toEqual([200, '登录成功']);
    const asked = wecom.asked.map(({ path, query }) => [path, Object.fromEntries(query)]);
    expect(asked).toEqual([
      ['/cgi-bin/gettoken', { corpid: 'wwcorp', corpsecret: 'wecom-secret' }],
      ['/cgi-bin/auth/getuserinfo', { access_token: 'accesstoken000001', code: 'code-ZhangSan' }],
    ]);
  });

  it('signs in without a QR code inside its own app', async () => {
    const sent = { provider: 'wecom', browser: newBrowser(), return_to: '/' };
    const { body } = await school.ask('/api/auth/identity/begin', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 wxwork/4.1 MicroMessenger/7.0' },
      body: JSON.stringify(sent),
    });
    const address = new URL(body.data.address);
    expect([address.pathname, address.hash]).toEqual(['/connect/oauth2/authorize', '#wechat_redirect']);
    expect(address.searchParams.get('scope')).toBe('snsapi_base');
  });

  it('may take the number from a custom field of the corporation', async () => {
    await set({ claim: '工号' });
    await addStaff(school, 'w1001');
    const { answer } = await signIn('wecom', { code: 'code-liming' });
    expect(outcomeOf(answer)).toEqual([200, '登录成功']);
    await set();
  });

  it("explains WeCom's error codes", async () => {
    const again = () => signIn('wecom', { code: 'code-ZhangSan' });
    expect(outcomeOf((await signIn('wecom', { code: 'used' })).answer)).toEqual(refusalOf('企业微信'));
    expect(outcomeOf((await signIn('wecom', { code: 'outside-1' })).answer)).toEqual(outsider('企业微信'));
    expect(outcomeOf((await signIn('wecom', {})).answer)).toEqual([
      403,
      '您没有同意通过“企业微信”登录，请重新登录或使用密码登录',
    ]);
    const path = '/cgi-bin/auth/getuserinfo';
    const notAllowed = { errcode: 60020, errmsg: 'not allow to access from your ip' };
    expect(await saidWhile(wecom, path, { answer: notAllowed }, again)).toEqual(setup('企业微信'));
    const busy = { errcode: -1, errmsg: 'system error' };
    expect(await saidWhile(wecom, path, { answer: busy }, again)).toEqual(away('企业微信'));
    await set({ secret: 'wrong' });
    expect(outcomeOf((await again()).answer)).toEqual(setup('企业微信'));
  });

  it('reports the error code of a test, but neither token nor answer text', async () => {
    const attempt = async (secret: string) => {
      const fields = { name: '企业微信', client_id: 'wwcorp', organization: '1', address: wecom.origin, secret };
      return (await school.as('admin').post('identity/providers/wecom/try', fields)).body.data;
    };
    const good = await attempt('wecom-secret');
    expect(good).toMatchObject({ ok: true, status: 200, said: '' });
    const bad = await attempt('wrong');
    expect(bad).toMatchObject({ ok: false, status: 200, said: '对方的错误码为 40001，请检查设置' });
  });
});

describe('钉钉', () => {
  const set = (more = {}) =>
    setProvider(school, 'dingtalk', { client_id: 'dingkey', secret: 'ding-secret', address: dingtalk.origin, ...more });

  it("exchanges the code for the member's job number", async () => {
    expect(outcomeOf(await set({ organization: 'dingcorp' }))).toEqual([200, '保存成功']);
    await addStaff(school, 'd2002');
    const { address, answer } = await signIn('dingtalk', { authCode: 'auth-1' });
    expect(address.pathname).toBe('/oauth2/auth');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'dingkey',
      response_type: 'code',
      scope: 'openid corpid',
      corpId: 'dingcorp',
      redirect_uri: `${site}/login/from/dingtalk`,
    });
    expect(outcomeOf(answer)).toEqual([200, '登录成功']);
    expect(
      dingtalk.asked.map(({ path, body, headers }) => [path, body, headers['x-acs-dingtalk-access-token']]),
    ).toEqual([
      [
        '/v1.0/oauth2/userAccessToken',
        { clientId: 'dingkey', clientSecret: 'ding-secret', code: 'auth-1', grantType: 'authorization_code' },
        undefined,
      ],
      ['/v1.0/contact/users/me', {}, 'user-token'],
      ['/v1.0/oauth2/accessToken', { appKey: 'dingkey', appSecret: 'ding-secret' }, undefined],
      ['/topapi/user/getbyunionid', { unionid: 'union-1' }, undefined],
      ['/topapi/v2/user/get', { userid: 'manager7' }, undefined],
    ]);
  });

  it("explains DingTalk's error codes", async () => {
    const again = () => signIn('dingtalk', { authCode: 'auth-2' });
    const code = { code: 'invalidParameter.authCode.notFound', requestid: 'r', message: '不存在的临时授权码' };
    const path = '/v1.0/oauth2/userAccessToken';
    expect(await saidWhile(dingtalk, path, { status: 400, answer: code }, again)).toEqual(refusalOf('钉钉'));
    const secret = { code: 'invalidClientIdOrSecret', requestid: 'r', message: '无效的clientId或者clientSecret' };
    expect(await saidWhile(dingtalk, path, { status: 400, answer: secret }, again)).toEqual(setup('钉钉'));
    const unavailable = { status: 503, answer: { code: 'ServiceUnavailable' } };
    expect(await saidWhile(dingtalk, path, unavailable, again)).toEqual(away('钉钉'));
    const nobody = { errcode: 60121, errmsg: '找不到该用户', request_id: 'r' };
    const member = '/topapi/user/getbyunionid';
    expect(await saidWhile(dingtalk, member, { answer: nobody }, again)).toEqual(outsider('钉钉'));
    const contact = { errcode: 0, errmsg: 'ok', result: { contact_type: 1, userid: 'x' } };
    expect(await saidWhile(dingtalk, member, { answer: contact }, again)).toEqual(outsider('钉钉'));
    const unlicensed = { errcode: 60011, errmsg: '没有调用该接口的权限' };
    expect(await saidWhile(dingtalk, member, { answer: unlicensed }, again)).toEqual(setup('钉钉'));
    const without = { errcode: 0, errmsg: 'ok', result: { userid: 'manager8', name: '新人', job_number: '' } };
    const other = { errcode: 0, errmsg: 'ok', result: { contact_type: 0, userid: 'manager8' } };
    dingtalk.instead.set(member, { answer: other });
    expect(await saidWhile(dingtalk, '/topapi/v2/user/get', { answer: without }, again)).toEqual([
      403,
      '“钉钉”没有提供您的工号，请联系本校教务',
    ]);
    dingtalk.instead.clear();
    await set({ organization: 'another corporation' });
    expect(outcomeOf((await again()).answer)).toEqual(outsider('钉钉'));
  });
});

describe('飞书', () => {
  const set = (more = {}) =>
    setProvider(school, 'feishu', { client_id: 'cli_a', secret: 'feishu-secret', address: feishu.origin, ...more });

  it('exchanges the code with the PKCE verifier', async () => {
    expect(outcomeOf(await set())).toEqual([200, '保存成功']);
    await addStaff(school, 'f3003');
    const { address, answer } = await signIn('feishu', { code: 'f-code' });
    expect(address.pathname).toBe('/open-apis/authen/v1/authorize');
    expect(outcomeOf(answer)).toEqual([200, '登录成功']);
    const [token, user] = feishu.asked;
    expect(token?.body).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'cli_a',
      client_secret: 'feishu-secret',
      code: 'f-code',
      redirect_uri: `${site}/login/from/feishu`,
    });
    expect(challengeOf(String(token?.body.code_verifier))).toBe(address.searchParams.get('code_challenge'));
    expect([user?.path, user?.headers.authorization]).toEqual(['/open-apis/authen/v1/user_info', 'Bearer u-token']);
  });

  it("explains Feishu's error codes", async () => {
    const again = () => signIn('feishu', { code: 'f-code' });
    const path = '/open-apis/authen/v2/oauth/token';
    const answer = (code: number, error: string, status = 400) => ({
      status,
      answer: { code, error, error_description: 'See the troubleshooting guide.' },
    });
    expect(await saidWhile(feishu, path, answer(20003, 'invalid_grant'), again)).toEqual(refusalOf('飞书'));
    expect(await saidWhile(feishu, path, answer(20004, 'invalid_grant'), again)).toEqual(refusalOf('飞书'));
    expect(await saidWhile(feishu, path, answer(20002, 'invalid_client'), again)).toEqual(setup('飞书'));
    expect(await saidWhile(feishu, path, answer(20071, 'invalid_request'), again)).toEqual(setup('飞书'));
    expect(await saidWhile(feishu, path, answer(20050, 'server_error', 500), again)).toEqual(away('飞书'));
    expect(outcomeOf((await signIn('feishu', { error: 'access_denied' })).answer)).toEqual([
      403,
      '您没有同意通过“飞书”登录，请重新登录或使用密码登录',
    ]);
    const nobody = { answer: { code: 0, msg: 'success', data: { name: '无工号', open_id: 'ou-9' } } };
    expect(await saidWhile(feishu, '/open-apis/authen/v1/user_info', nobody, again)).toEqual([
      403,
      '“飞书”没有提供您的工号，请联系本校教务',
    ]);
  });
});

it('prefers a secret from the environment over a stored one', async () => {
  process.env.WECOM_SECRET = 'wecom-secret';
  try {
    const set = await setProvider(school, 'wecom', {
      client_id: 'wwcorp',
      organization: '1000002',
      secret: 'wrong',
      address: wecom.origin,
    });
    expect(set.status).toBe(200);
    expect((await signIn('wecom', { code: 'code-ZhangSan' })).answer.status).toBe(200);
    const { providers } = (await school.as('admin').get('identity')).body.data;
    expect(providers.find(({ kind }: { kind: string }) => kind === 'wecom')).toMatchObject({ from_environment: 1 });
  } finally {
    delete process.env.WECOM_SECRET;
  }
});
