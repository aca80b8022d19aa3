/** The protocol of 钉钉 (DingTalk): exchanges the code for a corporation member with a job number. */
import { answerCheck, testAddress } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderError } from './provider.ts';
import { fetchJson, nestedObject, type ProviderAnswer, textField } from './provider-request.ts';

const hosts = ({ address }: KnownProvider) => ({
  login: address || 'https://login.dingtalk.com',
  api: address || 'https://api.dingtalk.com',
  members: address || 'https://oapi.dingtalk.com',
});

/** Checks a response of the newer API, with textual error codes. @throws ProviderError */
function checkAnswer({ status, answer }: { status: number; answer: ProviderAnswer }): ProviderAnswer {
  if (status === 200) return answer;
  const code = textField(answer, 'code');
  const detail = `status ${status}, ${code} ${textField(answer, 'message')}`.slice(0, 300);
  if (status >= 500) throw new ProviderError('away', detail);
  const isOurs = /^(?:invalidClientIdOrSecret|InvalidAuthentication|Forbidden\.)|clientId|appKey|appSecret/i.test(code);
  throw new ProviderError(isOurs ? 'setup' : 'refused', detail);
}

/** Error codes that mean: not a member of this corporation. */
const unknownMember = [60121, 60122, 33012, 40103];

/** Checks a response of the older API, with numeric error codes. @throws ProviderError */
function result({ status, answer }: { status: number; answer: ProviderAnswer }): ProviderAnswer {
  const code = Number(answer.errcode ?? -1);
  if (code === 0) return nestedObject(answer, 'result');
  const detail = `status ${status}, errcode ${code} ${textField(answer, 'errmsg')}`.slice(0, 300);
  if (code === -1) throw new ProviderError('away', detail);
  if (unknownMember.includes(code)) throw new ProviderError('outsider', detail);
  throw new ProviderError('setup', detail);
}

export const dingtalk: Protocol = {
  async begin(provider, { state, back }) {
    const query = new URLSearchParams({
      redirect_uri: back,
      response_type: 'code',
      client_id: provider.clientId,
      scope: provider.organization ? 'openid corpid' : 'openid',
      state,
      prompt: 'consent',
      ...(provider.organization && { corpId: provider.organization, org_type: 'management' }),
    });
    return `${hosts(provider).login}/oauth2/auth?${query}`;
  },
  async complete(provider, { sent }) {
    const code = sent.get('authCode') ?? sent.get('code') ?? '';
    if (code === '') throw new ProviderError('cancelled', 'no code');
    const { api, members } = hosts(provider);
    const { clientId, secret, organization } = provider;
    const own = checkAnswer(
      await fetchJson(`${api}/v1.0/oauth2/userAccessToken`, {
        method: 'POST',
        body: { clientId, clientSecret: secret, code, grantType: 'authorization_code' },
      }),
    );
    if (organization && textField(own, 'corpId') !== organization)
      throw new ProviderError('outsider', 'another corporation');
    const headers = { 'x-acs-dingtalk-access-token': textField(own, 'accessToken') };
    const unionid = textField(checkAnswer(await fetchJson(`${api}/v1.0/contact/users/me`, { headers })), 'unionId');
    if (unionid === '') throw new ProviderError('refused', 'nobody was named');
    const application = checkAnswer(
      await fetchJson(`${api}/v1.0/oauth2/accessToken`, {
        method: 'POST',
        body: { appKey: clientId, appSecret: secret },
      }),
    );
    const token = new URLSearchParams({ access_token: textField(application, 'accessToken') });
    const ask = async (path: string, body: ProviderAnswer) =>
      result(await fetchJson(`${members}/topapi/${path}?${token}`, { method: 'POST', body }));
    const found = await ask('user/getbyunionid', { unionid });
    // In DingTalk, contact type 1 is an external contact.
    if (Number(found.contact_type ?? 0) !== 0) throw new ProviderError('outsider', 'an external contact');
    const userid = textField(found, 'userid');
    const member = await ask('v2/user/get', { userid });
    return { subject: userid, number: textField(member, 'job_number'), name: textField(member, 'name') };
  },
  attempt: (provider) =>
    testAddress(
      `${hosts(provider).api}/v1.0/oauth2/accessToken`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ appKey: provider.clientId, appSecret: provider.secret }),
      },
      answerCheck((text) => /"accessToken"/.test(text)),
    ),
};
