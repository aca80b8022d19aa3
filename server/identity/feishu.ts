/** The protocol of 飞书 (Feishu): authorization code with PKCE, then user info. */
import { createHash } from 'node:crypto';
import { errorCodeCheck, testAddress } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderError } from './provider.ts';
import { fetchJson, nestedObject, type ProviderAnswer, textField } from './provider-request.ts';
import { defaultClaim } from './rules.ts';

const hosts = ({ address }: KnownProvider) => ({
  login: address || 'https://accounts.feishu.cn',
  asked: address || 'https://open.feishu.cn',
});

/**
 * Error codes caused by wrong settings on our side: application, secret, URLs, or an application that is not released.
 */
const ofSetup = [20002, 20008, 20009, 20010, 20029, 20048, 20063, 20069, 20071, 10003, 10014, 99991672, 99991679];

/** Checks a response of Feishu. @throws ProviderError */
function checkAnswer({ status, answer }: { status: number; answer: ProviderAnswer }): ProviderAnswer {
  const code = Number(answer.code ?? -1);
  if (code === 0) return answer;
  const words = textField(answer, 'error_description') || textField(answer, 'msg');
  const detail = `status ${status}, code ${code} ${words}`.slice(0, 300);
  if (code === -1 || code === 20050 || status >= 500) throw new ProviderError('away', detail);
  throw new ProviderError(ofSetup.includes(code) ? 'setup' : 'refused', detail);
}

export const feishu: Protocol = {
  async begin(provider, { state, verifier, back }) {
    const query = new URLSearchParams({
      client_id: provider.clientId,
      redirect_uri: back,
      response_type: 'code',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return `${hosts(provider).login}/open-apis/authen/v1/authorize?${query}`;
  },
  async complete(provider, { sent, verifier, back }) {
    const code = sent.get('code') ?? '';
    if (code === '') throw new ProviderError('cancelled', sent.get('error') ?? 'no code');
    const { asked } = hosts(provider);
    const token = checkAnswer(
      await fetchJson(`${asked}/open-apis/authen/v2/oauth/token`, {
        method: 'POST',
        body: {
          grant_type: 'authorization_code',
          client_id: provider.clientId,
          client_secret: provider.secret,
          code,
          redirect_uri: back,
          code_verifier: verifier,
        },
      }),
    );
    const headers = { authorization: `Bearer ${textField(token, 'access_token')}` };
    const found = nestedObject(
      checkAnswer(await fetchJson(`${asked}/open-apis/authen/v1/user_info`, { headers })),
      'data',
    );
    return {
      subject: textField(found, 'open_id'),
      number: textField(found, provider.claim || defaultClaim.feishu),
      name: textField(found, 'name'),
    };
  },
  attempt: (provider) =>
    testAddress(
      `${hosts(provider).asked}/open-apis/auth/v3/tenant_access_token/internal`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ app_id: provider.clientId, app_secret: provider.secret }),
      },
      errorCodeCheck('code'),
    ),
};
