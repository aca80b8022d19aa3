/** Fake servers of CAS, WeCom, DingTalk and Feishu. They respond as the documentation of the providers says. */

import type { IncomingMessage } from 'node:http';
import { json, type LocalServer, serve } from './local-server.ts';

// ---- CAS -----------------------------------------------------------------------------------------------

export interface CasServer extends LocalServer {
  /** Issues a ticket for this user and service. */
  issue(user: string, service: string, attributes?: Record<string, string>): string;
  /** XML that a CAS server posts to the service at a single sign-out. */
  logoutRequest(ticket: string): string;
  /** If set, the server responds in this way instead of validating. */
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

export interface CloudServer extends LocalServer {
  /** Responses that replace the usual ones, by path. */
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
