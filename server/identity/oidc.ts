/**
 * The OpenID Connect protocol: authorization code with PKCE, state and nonce. Signatures of ID tokens are checked;
 * clocks may differ by a minute.
 */
import { createRemoteJWKSet, type JWTPayload, jwtVerify, customFetch as keysFetch } from 'jose';
import * as client from 'openid-client';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import { answerCheck, testAddress } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderError, type ProviderPerson } from './provider.ts';
import { type ProviderAnswer, requestTimeout, textField } from './provider-request.ts';
import { clockTolerance, defaultClaim, defaultScope } from './rules.ts';

/** Milliseconds for which a provider's metadata and keys are cached. */
const metadataLifetime = 10 * 60_000;
const known = new Map<string, { until: number; config: Promise<client.Configuration> }>();

/** Returns the provider's metadata from the cache, or fetches it. @throws ProviderError */
async function configurationOf(provider: KnownProvider): Promise<client.Configuration> {
  const { address, clientId, secret } = provider;
  const key = JSON.stringify([address, clientId, secret]);
  const cached = known.get(key);
  if (cached && performance.now() < cached.until) return cached.config;
  const config = client.discovery(
    new URL(address),
    clientId,
    { [client.clockTolerance]: clockTolerance },
    clientAuthOf(secret),
    {
      execute: [
        client.enableNonRepudiationChecks,
        // Plain HTTP is only allowed if the provider runs on this same machine (`isProviderAddress`).
        ...(address.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
      timeout: requestTimeout / 1000,
      [client.customFetch]: (address, init) => fetchOutgoing(address, init as RequestInit),
    },
  );
  known.set(key, { until: performance.now() + metadataLifetime, config });
  try {
    return await config;
  } catch (error) {
    known.delete(key);
    throw faultOf(error);
  }
}

/** Sends the client secret in the header, as is the default; in the body if the provider accepts nothing else. */
const clientAuthOf = (secret: string): client.ClientAuth => {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};

/** Converts an error of the OpenID library to a ProviderError. */
function faultOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof client.AuthorizationResponseError) {
    const why = error.error === 'access_denied' ? 'cancelled' : 'refused';
    return new ProviderError(why, `authorization: ${error.error}`, error);
  }
  if (error instanceof client.ResponseBodyError) {
    // A wrong secret is a mistake in our settings. A code that was used, or belongs to another client, is not.
    const why = /^(?:invalid_client|unauthorized_client)$/.test(error.error) ? 'setup' : 'refused';
    return new ProviderError(why, `token: ${error.error}`, error);
  }
  const { code = '', name, message } = error as { code?: string; name?: string; message?: string };
  const away = /^(?:OAUTH_TIMEOUT|OAUTH_RESPONSE_IS_NOT_CONFORM|OAUTH_RESPONSE_IS_NOT_JSON|OAUTH_PARSE_ERROR)$/.test(
    code,
  );
  const failed = error instanceof TypeError || name === 'TimeoutError' || away;
  return new ProviderError(failed ? 'away' : 'refused', `${code} ${message ?? ''}`.trim(), error);
}

/** Requests user info if the ID token lacks the number, or the name that administrators see. */
async function claimsOf(
  config: client.Configuration,
  token: ProviderAnswer,
  accessToken: string,
  wanted: string,
): Promise<ProviderAnswer> {
  const hasBoth = [wanted, 'name'].every((claim) => textField(token, claim) !== '');
  if (hasBoth || !config.serverMetadata().userinfo_endpoint) return token;
  return { ...(await client.fetchUserInfo(config, accessToken, textField(token, 'sub'))), ...token };
}

async function personOf(
  provider: KnownProvider,
  {
    state,
    nonce,
    verifier,
    back,
    sent,
  }: { state: string; nonce: string; verifier: string; back: string; sent: URLSearchParams },
): Promise<ProviderPerson> {
  const config = await configurationOf(provider);
  const current = new URL(back);
  current.search = sent.toString();
  const tokens = await client.authorizationCodeGrant(config, current, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claim = provider.claim || defaultClaim.oidc;
  const claims = await claimsOf(config, { ...tokens.claims() }, tokens.access_token, claim);
  const session = textField(claims, 'sid');
  return {
    subject: textField(claims, 'sub'),
    number: textField(claims, claim),
    name: textField(claims, 'name'),
    ...(session && { session }),
    ...(tokens.id_token && { idToken: tokens.id_token }),
  };
}

export const oidc: Protocol = {
  async begin(provider, { state, nonce, verifier, back }) {
    const config = await configurationOf(provider);
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: back,
      scope: scopeOf(provider),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  },
  async complete(provider, way) {
    try {
      return await personOf(provider, way);
    } catch (error) {
      throw faultOf(error);
    }
  },
  async leave(provider, { idToken, after, state }) {
    const config = await configurationOf(provider);
    if (!config.serverMetadata().end_session_endpoint) return undefined;
    return client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: after,
      ...(idToken && { id_token_hint: idToken }),
      ...(state && { state }),
    }).href;
  },
  attempt: ({ address }) =>
    testAddress(
      `${address.replace(/\/+$/, '')}/.well-known/openid-configuration`,
      {},
      answerCheck((text) => {
        // Compares the issuer exactly: one with a trailing slash is another issuer.
        const named = /"issuer"\s*:\s*"([^"]*)"/.exec(text)?.[1]?.replaceAll('\\/', '/');
        return named !== undefined && URL.canParse(named) && new URL(named).href === new URL(address).href;
      }),
    ),
};

/** Adds the scope `openid`, without which the provider returns no ID token. */
const scopeOf = ({ scope }: KnownProvider): string => {
  const scopes = (scope || defaultScope).split(/\s+/).filter(Boolean);
  return (scopes.includes('openid') ? scopes : ['openid', ...scopes]).join(' ');
};

const loggedOut = 'http://schemas.openid.net/event/backchannel-logout';
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Returns who signed out and when (unix
 * seconds); undefined if the token is not from this provider for this client.
 */
export async function readLogoutToken(
  provider: KnownProvider,
  token: string,
): Promise<{ subject: string; session: string; at: number } | undefined> {
  const { issuer, jwks_uri } = (await configurationOf(provider)).serverMetadata();
  if (!jwks_uri) return undefined;
  const keys =
    keySets.get(jwks_uri) ??
    createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: requestTimeout, [keysFetch]: fetchOutgoing });
  keySets.set(jwks_uri, keys);
  let payload: JWTPayload;
  try {
    const checks = { issuer, audience: provider.clientId, clockTolerance, requiredClaims: ['iat', 'jti', 'events'] };
    ({ payload } = await jwtVerify(token, keys, { ...checks, maxTokenAge: 600 }));
  } catch {
    return undefined;
  }
  const events = payload.events;
  const isLogout = events !== null && typeof events === 'object' && Object.hasOwn(events, loggedOut);
  const { sub = '', sid, iat = 0 } = payload;
  const session = typeof sid === 'string' ? sid : '';
  if (!isLogout || 'nonce' in payload || (sub === '' && session === '')) return undefined;
  return { subject: sub, session, at: iat };
}
