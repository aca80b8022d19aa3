/** The protocol of 企业微信 (WeCom): exchanges the code for a member's account. */
import { errorCodeCheck, testAddress } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderError } from './provider.ts';
import { fetchJson, nestedObject, type ProviderAnswer, textField } from './provider-request.ts';

const hosts = ({ address }: KnownProvider) => ({
  scanned: address || 'https://login.work.weixin.qq.com',
  inside: address || 'https://open.weixin.qq.com',
  asked: address || 'https://qyapi.weixin.qq.com',
});

/** Error codes caused by wrong settings on our side, such as a wrong secret or a URL that is not allowed. */
const ofSetup = [40001, 40013, 40056, 41004, 48002, 50001, 60011, 60020, 301002];

/** Checks a response of WeCom. @throws ProviderError */
function checkAnswer({ status, answer }: { status: number; answer: ProviderAnswer }): ProviderAnswer {
  const code = Number(answer.errcode ?? -1);
  if (code === 0) return answer;
  const detail = `status ${status}, errcode ${code} ${textField(answer, 'errmsg')}`.slice(0, 300);
  if (code === -1 || code === 45009) throw new ProviderError('away', detail);
  throw new ProviderError(ofSetup.includes(code) ? 'setup' : 'refused', detail);
}

const path = (host: string, name: string, query: Record<string, string>) =>
  `${host}/cgi-bin/${name}?${new URLSearchParams(query)}`;

const tokenAddress = (provider: KnownProvider) =>
  path(hosts(provider).asked, 'gettoken', { corpid: provider.clientId, corpsecret: provider.secret });

/** Returns the field of a member that the settings name: a standard field, or a custom attribute. */
function fieldOf(member: ProviderAnswer, claim: string): string {
  const added = nestedObject(member, 'extattr').attrs;
  const attribute = (Array.isArray(added) ? (added as ProviderAnswer[]) : []).find((one) => one.name === claim);
  return attribute
    ? textField(attribute, 'value') || textField(nestedObject(attribute, 'text'), 'value')
    : textField(member, claim);
}

export const wecom: Protocol = {
  async begin(provider, { state, back, device }) {
    const { scanned, inside } = hosts(provider);
    // In the browser of the WeCom app the user is signed in already, so no QR code is shown.
    if (/wxwork/i.test(device)) {
      const query = new URLSearchParams({
        appid: provider.clientId,
        redirect_uri: back,
        response_type: 'code',
        scope: 'snsapi_base',
        state,
        agentid: provider.organization,
      });
      return `${inside}/connect/oauth2/authorize?${query}#wechat_redirect`;
    }
    const query = new URLSearchParams({
      login_type: 'CorpApp',
      appid: provider.clientId,
      agentid: provider.organization,
      redirect_uri: back,
      state,
    });
    return `${scanned}/wwlogin/sso/login?${query}`;
  },
  async complete(provider, { sent }) {
    const code = sent.get('code') ?? '';
    if (code === '') throw new ProviderError('cancelled', 'no code');
    const { asked } = hosts(provider);
    const access_token = textField(checkAnswer(await fetchJson(tokenAddress(provider))), 'access_token');
    const found = checkAnswer(await fetchJson(path(asked, 'auth/getuserinfo', { access_token, code })));
    const userid = textField(found, 'userid');
    // WeCom gives people who are not members only an openid.
    if (userid === '') throw new ProviderError('outsider', 'no member');
    if (provider.claim === '') return { subject: userid, number: userid, name: '' };
    const member = checkAnswer(await fetchJson(path(asked, 'user/get', { access_token, userid })));
    return { subject: userid, number: fieldOf(member, provider.claim), name: textField(member, 'name') };
  },
  attempt: (provider) => testAddress(tokenAddress(provider), {}, errorCodeCheck('errcode')),
};
