/**
 * What every request needs before an adapter makes a web Request of it, and what becomes of a body that nobody read.
 * It is heard of through Node's own channel, so that it is the same under every server that answers from this process.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setting } from '#server/platform/configuration/setting.ts';
import { type CurrentRequest, enterRequest, requestIdOf } from '#server/platform/monitoring/current-request.ts';
import { followRequest } from '#server/platform/monitoring/requests.ts';
import { cameByHttps, clientAddressHeader, noteClientAddress } from './client-address.ts';

let prepares = false;

/** Whoever came by https comes by nothing else for this long. A week: a mistake is over in one, and a school is at work in each. */
const strictTransport = [
  `max-age=${setting('HSTS_MAX_AGE')}`,
  ...(setting('HSTS_SUBDOMAINS') ? ['includeSubDomains'] : []),
].join('; ');

/**
 * The router answers others (WebDAV's) in words of its own, without `Allow`, and the web's Request throws at TRACE: they
 * are handed on as PATCH, which no page and no call takes, so that they are refused as it is.
 */
const routedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function prepareRequests(): void {
  if (prepares) return;
  prepares = true;
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    noteClientAddress(request);
    nameHost(request);
    request.url = ownPath(request.url);
    const requestId = nameRequest(request);
    const address = String(request.headers[clientAddressHeader] ?? '');
    const method = request.method ?? '';
    if (!routedMethods.includes(method)) request.method = 'PATCH';
    const current: CurrentRequest = { requestId, method, address, statements: 0, databaseTime: 0 };
    enterRequest(current);
    followRequest(request, response, current);
    response.setHeader('x-content-type-options', 'nosniff');
    if (cameByHttps(request)) response.setHeader('strict-transport-security', strictTransport);
    response.once('finish', () => {
      if (!request.complete) leave(request);
    });
  });
}

/**
 * Checks of load balancers come without one, by HTTP/1.0; the adapters cannot make an address without it. A request of
 * HTTP/1.1 must have one: Node refuses it with 400.
 */
function nameHost({ headers, httpVersion, socket }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') return;
  if (headers.host && /^[\w.\-:[\]]+$/.test(headers.host) && URL.canParse(`http://${headers.host}`)) return;
  headers.host = `localhost:${socket.localPort ?? 80}`;
}

/** Proxies may ask by the whole address, and OPTIONS for `*`. What cannot be decoded is an address that is nowhere. */
function ownPath(target = '/'): string {
  if (target.startsWith('/')) return isDecodable(target) ? target : target.replaceAll('%', '%25');
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/** Whether the path of an address means something: what follows a `%` there may be no character. */
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

/** What a sender may still send when its answer is there: milliseconds, and bytes. */
const patience = { time: 5_000, bytes: 16 * 1024 * 1024, every: 50 };

/**
 * The request was answered before its body had come to its end. A connection that is closed under a sender takes the
 * answer with it, so the rest is read to nowhere for a moment; who does not stop then is cut off.
 */
function leave(request: IncomingMessage): void {
  const { socket } = request;
  const before = socket.bytesRead;
  const since = Date.now();
  const look = setInterval(() => {
    const isLate = Date.now() - since > patience.time || socket.bytesRead - before > patience.bytes;
    if (isLate) socket.destroy();
    if (isLate || request.complete || socket.destroyed) clearInterval(look);
  }, patience.every).unref();
  request.removeAllListeners('data');
  request.resume();
}
