/** Middleware for all responses to browsers: methods, request id, security headers, origin of forms. */

import { randomBytes } from 'node:crypto';
import { createContext, data, type MiddlewareFunction } from 'react-router';
import { createRequestIDMiddleware } from 'remix-utils/middleware/request-id';
import { createSecureHeadersMiddleware } from 'remix-utils/middleware/secure-headers';
import { callMessages } from '#server/platform/calls/rules.ts';
import { originOf, policyReportsPath } from '../api/process.server.ts';
import { isApi } from './screens.ts';

/** Methods of pages. The API checks its own methods. */
const pageMethods = ['GET', 'HEAD', 'POST'];

/** Answers OPTIONS of a page and refuses other methods, because the router would run an action for some of them. */
export function refuseMethod({ method }: Request): Response | undefined {
  if (pageMethods.includes(method)) return undefined;
  const allow = pageMethods.join(', ');
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const headers = { allow, 'content-type': 'text/plain; charset=utf-8' };
  return new Response(callMessages.notAllowed, { status: 405, headers });
}

export const methodMiddleware: MiddlewareFunction<Response> = ({ request, url }, next) =>
  (!isApi(url) && refuseMethod(request)) || next();

export const [requestIdMiddleware, getRequestId] = createRequestIDMiddleware({ limitLength: 100 });

export const [secureHeadersMiddleware] = createSecureHeadersMiddleware({
  referrerPolicy: 'strict-origin-when-cross-origin',
  // server/platform/calls/request-setup.ts sets this header for every response, including static files.
  xContentTypeOptions: false,
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: true,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
});

/** CSP nonce of one response. Only scripts that the server renders carry it. */
export const nonceContext = createContext<string>('');

export const contentSecurityMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const nonce = randomBytes(16).toString('base64');
  context.set(nonceContext, nonce);
  const response = await next();
  // Stored files have a stricter policy of their own.
  if (!isApi(url) && !response.headers.has('Content-Security-Policy')) {
    const policy = [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      // Style attributes hold sizes and CSS variables. Styles cannot run code.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `report-uri ${policyReportsPath}`,
    ];
    // Browsers with the Reporting API ignore report-uri, and report only over HTTPS.
    if (originOf(request).startsWith('https:')) {
      policy.push('report-to policy');
      response.headers.set('Reporting-Endpoints', `policy="${policyReportsPath}"`);
    }
    response.headers.set('Content-Security-Policy', policy.join('; '));
  }
  return response;
};

/**
 * CSRF protection for every route: refuses forms of other sites by Sec-Fetch-Site. On plain HTTP, browsers leave that
 * header out, and Origin must name this host. The API is exempt, because it uses no cookies.
 */
export const formOriginMiddleware: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  if (request.method === 'GET' || request.method === 'HEAD' || isApi(url)) return next();
  if (!isOwnForm(request)) throw data({ msg: '请求来源不正确，请返回页面后重试' }, { status: 403 });
  return next();
};

function isOwnForm(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === new URL(originOf(request)).host;
}
