/**
 * Identity providers for tests: a real OpenID Connect server, a forger of tokens, and fakes of CAS, WeCom, DingTalk and
 * Feishu that answer as those providers' documentation says.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ClientMetadata, Configuration } from 'oidc-provider';

interface Opened {
  origin: string;
  close(): Promise<void>;
}

type Answering = (request: IncomingMessage, response: ServerResponse, url: URL, body: string) => void | Promise<void>;

/** Serves on a free port of this machine. */
export async function serve(answer: Answering): Promise<Opened> {
  let origin = '';
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await answer(request, response, new URL(request.url ?? '/', origin), Buffer.concat(parts).toString());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** Returns an address where nothing listens any more. */
export async function closedAddress(): Promise<string> {
  const { origin, close } = await serve(() => {});
  await close();
  return origin;
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

// ---- OpenID Connect ---------------------------------------------------------------------------------

export interface OidcServer extends Opened {
  /** User name that signs in next without a form; undefined: the login page asks for it. */
  visitor: string | undefined;
  /** Claims of a user besides the name. */
  claims: Map<string, Record<string, string>>;
  client: { id: string; secret: string };
}

export const oidcClient = { id: 'lectern', secret: 'a-secret-that-nobody-guesses-0123456789' };

/** `site`: origin that the provider redirects back to. */
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
  // The provider would refuse a back-channel logout to this machine, so the request is made here.
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

export interface Forger extends Opened {
  /** Overrides correct claims; undefined removes a claim. */
  claims: Record<string, unknown>;
  /** Parameters of the authorization; the next token's nonce, and the client's token request. */
  nonce: string;
  sent: URLSearchParams;
  /** Signs with a key that the provider does not publish. */
  foreignKey: boolean;
  /** Creates a back-channel logout token. */
  logoutToken(claims: Record<string, unknown>, foreign?: boolean): Promise<string>;
  refuse: { status: number; error: string } | undefined;
}

/** Starts a provider whose tokens hold whatever a test sets. */
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

// ---- CAS -----------------------------------------------------------------------------------------------

export interface CasServer extends Opened {
  /** Issues a ticket for this user and service. */
  issue(user: string, service: string, attributes?: Record<string, string>): string;
  /** XML that a CAS server posts to the service at a single sign-out. */
  logoutRequest(ticket: string): string;
  /** Answers this way instead of validating. */
  broken: 'no XML' | 'away' | undefined;
  asked: URL[];
}

export async function startCas(): Promise<CasServer> {
  const tickets = new Map<string, { user: string; service: string; attributes: Record<string, string> }>();
  const failure = (code: string, words: string) =>
    `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n    <cas:authenticationFailure code="${code}">${words}</cas:authenticationFailure>\n</cas:serviceResponse>`;
  const opened = await serve((_request, response, url) => {
    server.asked.push(url);
    if (url.pathname !== '/cas/p3/serviceValidate') {
      response.writeHead(404);
      return void response.end();
    }
    if (server.broken === 'away') {
      response.writeHead(503);
      return void response.end();
    }
    response.writeHead(200, { 'content-type': 'application/xml;charset=UTF-8' });
    if (server.broken === 'no XML') return void response.end('<html><body>Maintenance');
    const ticket = url.searchParams.get('ticket') ?? '';
    const known = tickets.get(ticket);
    tickets.delete(ticket);
    if (!known) return void response.end(failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`));
    if (known.service !== url.searchParams.get('service')) {
      return void response.end(failure('INVALID_SERVICE', 'The ticket was issued for another service'));
    }
    const attributes = Object.entries(known.attributes)
      .map(([name, value]) => `            <cas:${name}>${value}</cas:${name}>`)
      .join('\n');
    response.end(
      `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n    <cas:authenticationSuccess>\n        <cas:user>${known.user}</cas:user>\n        <cas:attributes>\n${attributes}\n        </cas:attributes>\n    </cas:authenticationSuccess>\n</cas:serviceResponse>`,
    );
  });
  let count = 0;
  const server: CasServer = {
    ...opened,
    broken: undefined,
    asked: [],
    issue(user, service, attributes = {}) {
      count += 1;
      const ticket = `ST-${count}-aBcDeF.cas-1`;
      tickets.set(ticket, { user, service, attributes });
      return ticket;
    },
    logoutRequest: (ticket) =>
      `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1" Version="2.0" IssueInstant="2026-09-01T08:00:00Z"><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`,
  };
  return server;
}

// ---- WeCom, DingTalk, Feishu -----------------------------------------------------------------------------

export interface CloudServer extends Opened {
  /** Answers that override the default, by path. */
  instead: Map<string, { status?: number; answer: unknown }>;
  /** Requests received, in order. */
  asked: { path: string; query: URLSearchParams; body: Record<string, unknown>; headers: IncomingMessage['headers'] }[];
}

async function startCloud(
  answers: Record<string, (asked: CloudServer['asked'][number]) => unknown>,
): Promise<CloudServer> {
  const instead: CloudServer['instead'] = new Map();
  const asked: CloudServer['asked'] = [];
  const opened = await serve((request, response, url, body) => {
    const one = {
      path: url.pathname,
      query: url.searchParams,
      body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {},
      headers: request.headers,
    };
    asked.push(one);
    const other = instead.get(url.pathname);
    if (other) return json(response, other.answer, other.status);
    const answer = answers[url.pathname]?.(one);
    json(response, answer ?? {}, answer === undefined ? 404 : 200);
  });
  return { ...opened, instead, asked };
}

export const startWecom = (): Promise<CloudServer> =>
  startCloud({
    '/cgi-bin/gettoken': ({ query }) =>
      query.get('corpsecret') === 'wecom-secret'
        ? { errcode: 0, errmsg: 'ok', access_token: 'accesstoken000001', expires_in: 7200 }
        : { errcode: 40001, errmsg: 'invalid credential, hint: [1584], from ip: 10.0.0.1' },
    '/cgi-bin/auth/getuserinfo': ({ query }) =>
      query.get('code')?.startsWith('outside')
        ? { errcode: 0, errmsg: 'ok', openid: 'oOpenId', external_userid: 'wmExternal' }
        : query.get('code')?.startsWith('code-')
          ? { errcode: 0, errmsg: 'ok', userid: query.get('code')?.slice(5), user_ticket: 'USER_TICKET' }
          : { errcode: 40029, errmsg: 'invalid code, hint: [1584], more info at https://open.work.weixin.qq.com' },
    '/cgi-bin/user/get': ({ query }) => ({
      errcode: 0,
      errmsg: 'ok',
      userid: query.get('userid'),
      name: '李明',
      extattr: { attrs: [{ type: 0, name: '工号', text: { value: 'W1001' }, value: 'W1001' }] },
    }),
  });

export const startDingtalk = (): Promise<CloudServer> =>
  startCloud({
    '/v1.0/oauth2/userAccessToken': () => ({
      expireIn: 7200,
      accessToken: 'user-token',
      refreshToken: 'refresh',
      corpId: 'dingcorp',
    }),
    '/v1.0/contact/users/me': () => ({ nick: '小王', unionId: 'union-1', openId: 'open-1', stateCode: '86' }),
    '/v1.0/oauth2/accessToken': () => ({ expireIn: 7200, accessToken: 'app-token' }),
    '/topapi/user/getbyunionid': () => ({
      errcode: 0,
      errmsg: 'ok',
      request_id: 'r1',
      result: { contact_type: 0, userid: 'manager7' },
    }),
    '/topapi/v2/user/get': () => ({
      errcode: 0,
      errmsg: 'ok',
      request_id: 'r2',
      result: { userid: 'manager7', unionid: 'union-1', name: '王芳', job_number: 'D2002' },
    }),
  });

export const startFeishu = (): Promise<CloudServer> =>
  startCloud({
    '/open-apis/authen/v2/oauth/token': () => ({
      code: 0,
      access_token: 'u-token',
      expires_in: 7200,
      token_type: 'Bearer',
      scope: 'contact:user.employee_id:readonly',
    }),
    '/open-apis/authen/v1/user_info': () => ({
      code: 0,
      msg: 'success',
      data: {
        name: '赵敏',
        open_id: 'ou-1',
        union_id: 'on-1',
        tenant_key: 'tenant',
        user_id: '5d9bdxxx',
        employee_no: 'F3003',
      },
    }),
    '/open-apis/auth/v3/tenant_access_token/internal': () => ({
      code: 0,
      msg: 'ok',
      tenant_access_token: 't-token',
      expire: 7200,
    }),
  });
