/**
 * Prepares each Node request before a server adapter makes a web Request of it: client address, host, path, HSTS,
 * compressed assets. Also drains unread bodies. Uses Node's diagnostics channel, so it works under any server of this
 * process.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setting } from '#server/platform/configuration/setting.ts';
import { type CurrentRequest, enterRequest, requestIdOf } from '#server/platform/monitoring/current-request.ts';
import { followRequest } from '#server/platform/monitoring/requests.ts';
import { clientAddressHeader, isHttpsRequest, noteClientAddress } from './client-address.ts';
import { offerCompressedAsset } from './compressed-assets.ts';

let prepares = false;

/** HSTS header. It lasts a week by default: every user comes weekly, and a mistake does not last long. */
const strictTransport = [
  `max-age=${setting('HSTS_MAX_AGE')}`,
  ...(setting('HSTS_SUBDOMAINS') ? ['includeSubDomains'] : []),
].join('; ');

/**
 * Accepted methods. Any other becomes PATCH, which no page or call accepts, so that all are refused alike. Otherwise
 * the router would answer WebDAV methods without `Allow`, and the web Request would throw at TRACE.
 */
const routedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function prepareRequests(): void {
  if (prepares) return;
  prepares = true;
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    noteClientAddress(request);
    setMissingHost(request);
    request.url = normalisedPath(request.url);
    const requestId = nameRequest(request);
    const address = String(request.headers[clientAddressHeader] ?? '');
    const method = request.method ?? '';
    if (!routedMethods.includes(method)) request.method = 'PATCH';
    const current: CurrentRequest = { requestId, method, address, statements: 0, databaseTime: 0 };
    enterRequest(current);
    followRequest(request, response, current);
    response.setHeader('x-content-type-options', 'nosniff');
    offerCompressedAsset(request, response);
    if (isHttpsRequest(request)) response.setHeader('strict-transport-security', strictTransport);
    response.once('finish', () => {
      if (!request.complete) drainBody(request);
    });
  });
}

/**
 * Sets a Host header where HTTP/1.0 health checks of load balancers have none: adapters need one to build the URL.
 * HTTP/1.1 requests without it are refused by Node with 400.
 */
function setMissingHost({ headers, httpVersion, socket }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') return;
  if (headers.host && /^[\w.\-:[\]]+$/.test(headers.host) && URL.canParse(`http://${headers.host}`)) return;
  headers.host = `localhost:${socket.localPort ?? 80}`;
}

/**
 * Normalises the request target: proxies may send an absolute URL, OPTIONS sends `*`. Undecodable paths become a 404.
 */
function normalisedPath(target = '/'): string {
  if (target.startsWith('/')) return isDecodable(target) ? target : target.replaceAll('%', '%25');
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/** True if the percent-encoding of the path is valid. */
function isDecodable(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function nameRequest({ headers }: IncomingMessage): string {
  const id = requestIdOf(String(headers['x-request-id'] ?? ''));
  headers['x-request-id'] = id;
  return id;
}

/**
 * Limits for draining a body that is still arriving after the answer: milliseconds and bytes. `every`: interval between
 * two checks in milliseconds.
 */
const drainLimits = { time: 5_000, bytes: 16 * 1024 * 1024, every: 50 };

/**
 * Drains the rest of a body whose request was answered early. Closing the connection at once would lose the answer. A
 * sender that does not stop within the limits is cut off.
 */
function drainBody(request: IncomingMessage): void {
  const { socket } = request;
  const before = socket.bytesRead;
  const since = Date.now();
  const look = setInterval(() => {
    const isLate = Date.now() - since > drainLimits.time || socket.bytesRead - before > drainLimits.bytes;
    if (isLate) socket.destroy();
    if (isLate || request.complete || socket.destroyed) clearInterval(look);
  }, drainLimits.every).unref();
  request.removeAllListeners('data');
  request.resume();
}
