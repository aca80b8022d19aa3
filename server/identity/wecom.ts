/** 企业微信: a code that comes back with the browser becomes the account of a member. */
import { judgedByCode, trialOf } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderFault } from './provider.ts';
import { type Answer, fetchJson, responseText, withTimeout } from './provider-request.ts';

const hosts = ({ address }: KnownProvider) => ({
  scanned: address || 'https://login.work.weixin.qq.com',
  inside: address || 'https://open.weixin.qq.com',
  asked: address || 'https://qyapi.weixin.qq.com',
});

/** Codes of errors that are the settings' (a wrong secret, an address that is not allowed …), not the person's. */
const ofSetup = [40001, 40013, 40056, 41004, 48002, 50001, 60011, 60020, 301002];

/** @throws ProviderFault */
function checked({ status, answer }: { status: number; answer: Answer }): Answer {
  const code = Number(answer.errcode ?? -1);
  if (code === 0) return answer;
  const detail = `status ${status}, errcode ${code} ${responseText(answer, 'errmsg')}`.slice(0, 300);
  if (code === -1 || code === 45009) throw new ProviderFault('away', detail);
  throw new ProviderFault(ofSetup.includes(code) ? 'setup' : 'refused', detail);
}

const path = (host: string, name: string, query: Record<string, string>) =>
  `${host}/cgi-bin/${name}?${new URLSearchParams(query)}`;

const tokenAddress = (provider: KnownProvider) =>
  path(hosts(provider).asked, 'gettoken', { corpid: provider.clientId, corpsecret: provider.secret });

/** The field of a member that is their number: one of its own, or one that the corporation has added by that name. */
function fieldOf(member: Answer, claim: string): string {
  const added = withTimeout(member, 'extattr').attrs;
  const attribute = (Array.isArray(added) ? (added as Answer[]) : []).find((one) => one.name === claim);
  return attribute
    ? responseText(attribute, 'value') || responseText(withTimeout(attribute, 'text'), 'value')
    : responseText(member, claim);
}

export const wecom: Protocol = {
  async begin(provider, { state, back, device }) {
    const { scanned, inside } = hosts(provider);
    // Within WeCom nobody scans anything: who has it open is signed in.
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
    if (code === '') throw new ProviderFault('cancelled', 'no code');
    const { asked } = hosts(provider);
    const access_token = responseText(checked(await fetchJson(tokenAddress(provider))), 'access_token');
    const found = checked(await fetchJson(path(asked, 'auth/getuserinfo', { access_token, code })));
    const userid = responseText(found, 'userid');
    // Whoever is no member has an openid alone.
    if (userid === '') throw new ProviderFault('outsider', 'no member');
    if (provider.claim === '') return { subject: userid, number: userid, name: '' };
    const member = checked(await fetchJson(path(asked, 'user/get', { access_token, userid })));
    return { subject: userid, number: fieldOf(member, provider.claim), name: responseText(member, 'name') };
  },
  attempt: (provider) => trialOf(tokenAddress(provider), {}, judgedByCode('errcode')),
};
