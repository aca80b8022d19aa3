/** A real OpenID Connect server, and a forger of its tokens. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ClientMetadata, Configuration } from 'oidc-provider';
import { json, type LocalServer, serve } from './local-server.ts';

export interface OidcServer extends LocalServer {
  /** Name of the user who is signed in next without a form. If undefined, the login page asks for the name. */
  visitor: string | undefined;
  /** Claims of a user besides the name. */
  claims: Map<string, Record<string, string>>;
  client: { id: string; secret: string };
}

export const oidcClient = { id: 'lectern', secret: 'a-secret-that-nobody-guesses-0123456789' };

/** Starts the server. `site` returns the origin to which it redirects back. */
export async function startOidc(site: () => string, more: Configuration = {}): Promise<OidcServer> {
  const { Provider } = await import('oidc-provider');
  const listener: { answer?: (request: IncomingMessage, response: ServerResponse) => void } = {};
  const server = createServer((request, response) => listener.answer?.(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const back = site();
  const clients: ClientMetadata[] = [
    {
      client_id: oidcClient.id,
      client_secret: oidcClient.secret,
      redirect_uris: [`${back}/login/from/oidc`],
      post_logout_redirect_uris: [`${back}/login`],
      backchannel_logout_uri: `${back}/api/auth/identity/oidc/logout`,
      backchannel_logout_session_required: true,
    },
    {
      client_id: 'another',
      client_secret: `another-${oidcClient.secret}`,
      redirect_uris: [`${back}/login/from/oidc`],
    },
  ];
  const opened: OidcServer = {
    origin,
    visitor: undefined,
    claims: new Map(),
    client: oidcClient,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  const provider = new Provider(origin, {
    clients,
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'employee_no'], email: ['email'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, name: `同事${id}`, ...opened.claims.get(id) }),
    }),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, IdToken: 3600, AccessToken: 3600 },
    ...more,
  });
  // Relays the logout request, because the provider refuses a back-channel logout to this machine.
  const answer = provider.callback();
  const page = `<!doctype html><title>学校的统一身份认证</title><form method="post"><label>工号 <input name="login"></label><button>登录</button></form>`;
  listener.answer = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    let login = opened.visitor;
    if (request.method === 'POST') {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      login = new URLSearchParams(Buffer.concat(parts).toString()).get('login') ?? undefined;
    }
    if (login === undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void response.end(page);
    }
    if (login === 'nobody') {
      const refused = { error: 'access_denied', error_description: 'refused' };
      return void (await provider.interactionFinished(request, response, refused));
    }
    await provider.interactionFinished(request, response, { login: { accountId: login } });
  };
  return opened;
}

/** Follows redirects like a browser, with cookies by host, until an address begins with `until`. */
export async function follow(address: string, until: string, jar = new Map<string, string>()): Promise<URL> {
  let at = address;
  for (let step = 0; step < 12 && !at.startsWith(until); step += 1) {
    const { host } = new URL(at);
    const response = await fetch(at, { redirect: 'manual', headers: { cookie: jar.get(host) ?? '' } });
    const kept = new Map(
      (jar.get(host) ?? '')
        .split('; ')
        .filter(Boolean)
        .map((pair) => [pair.split('=')[0] ?? '', pair]),
    );
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? '';
      kept.set(pair.split('=')[0] ?? '', pair);
    }
    jar.set(host, [...kept.values()].join('; '));
    const location = response.headers.get('location');
    const said = location === null ? await response.text() : '';
    if (location === null) throw new Error(`${at}: ${response.status}, and nowhere to go on to: ${said.slice(0, 300)}`);
    at = new URL(location, at).href;
  }
  return new URL(at);
}

export interface Forger extends LocalServer {
  /** Claims that replace the correct ones. Undefined removes a claim. */
  claims: Record<string, unknown>;
  /** From the authorization request: the nonce for the next token, and the client's token request. */
  nonce: string;
  sent: URLSearchParams;
  /** True to sign with a key that the provider does not publish. */
  foreignKey: boolean;
  /** Creates a back-channel logout token. */
  logoutToken(claims: Record<string, unknown>, foreign?: boolean): Promise<string>;
  refuse: { status: number; error: string } | undefined;
}

/** Starts a provider that issues tokens with whatever content a test sets. */
export async function startForger(): Promise<Forger> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const signed = (claims: Record<string, unknown>, foreign: boolean) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(foreign ? other.privateKey : privateKey);
  const opened = await serve(async (_request, response, url, body) => {
    if (url.pathname === '/.well-known/openid-configuration') {
      json(response, {
        issuer: opened.origin,
        authorization_endpoint: `${opened.origin}/authorize`,
        token_endpoint: `${opened.origin}/token`,
        jwks_uri: `${opened.origin}/jwks`,
        end_session_endpoint: `${opened.origin}/end`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    } else if (url.pathname === '/jwks') json(response, { keys: [key] });
    else if (url.pathname === '/token') {
      forger.sent = new URLSearchParams(body);
      const { refuse } = forger;
      if (refuse) return json(response, { error: refuse.error }, refuse.status);
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: opened.origin,
        aud: oidcClient.id,
        sub: 'subject-1',
        preferred_username: 'forged',
        nonce: forger.nonce,
        iat: now,
        exp: now + 300,
        ...forger.claims,
      };
      const known = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
      const id_token = await signed(known, forger.foreignKey);
      json(response, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token });
    } else json(response, {}, 404);
  });
  const forger: Forger = {
    ...opened,
    claims: {},
    nonce: '',
    sent: new URLSearchParams(),
    foreignKey: false,
    refuse: undefined,
    logoutToken(claims, foreign = false) {
      const now = Math.floor(Date.now() / 1000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const usual = { iss: opened.origin, aud: oidcClient.id, iat: now, exp: now + 120, jti: String(now), events };
      const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined);
      return signed(Object.fromEntries(all), foreign);
    },
  };
  return forger;
}
