/**
 * Fast path for learner calls: answers them before react-router-serve. On an exam day thousands of learners arrive in
 * the same minute and every phone polls. An exam call cost 7.2 ms of CPU time through the router and web
 * Request/Response, and costs 1.9 ms here. Unusual requests (files, bodies of unknown length, encoded addresses) go
 * through the router. Tokens, limits, validation, versions and errors are the same code.
 */
import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { withRequestDeadline } from '#server/platform/db/deadline.ts';
import { recordRoute } from '#server/platform/monitoring/current-request.ts';
import { answerCall, answerToError, bodyLimitOf, ClientGone, type IncomingCall, serializeOutcome } from './answer.ts';
import type { Backend } from './backend.ts';
import type { BoundCall } from './bind.ts';
import { comparePaths, methodsOf } from './call.ts';
import { takesCoding } from './content-coding.ts';
import type { SerializedAnswer } from './envelope.ts';
import { payloadTooLarge } from './read.ts';

/** Answers the request and returns true, or returns false if it is none of the fast path. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

let direct: FastPath | undefined;

/** Registers `answer` to be tried before all else. Only works in a process that called `installFastPath`. */
export function registerFastPath(answer: FastPath): void {
  direct = answer;
}

/** Puts the fast path before the request listener of each HTTP server that starts listening from now on. */
export function installFastPath(): void {
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    const { server } = message as { server: unknown };
    if (!(server instanceof Server)) return;
    const others = server.listeners('request');
    server.removeAllListeners('request').on('request', (request, response) => {
      if (direct?.(request, response)) return;
      for (const other of others) Reflect.apply(other, server, [request, response]);
    });
  });
}

const plain = /^(\/[\w/-]*\w)(?:\?([\w=&.-]*))?$/;

/** Creates the fast path for calls outside the roles' prefixes. */
export function createFastPath<Given>(backend: Backend<Given>, calls: readonly BoundCall<Given>[]): FastPath {
  // Paths are added in the same order as in the router for all calls.
  const router = new SmartRouter<BoundCall<Given>>({ routers: [new RegExpRouter(), new TrieRouter()] });
  const paths = calls.map((bound) => [bound.call.path as string, bound] as const);
  for (const [path, bound] of paths.sort(([one], [other]) => comparePaths(one, other)))
    for (const method of methodsOf(bound.call)) router.add(method, path, bound);

  const answer = async (incoming: IncomingCall, bound: BoundCall<Given>, method: string) => {
    const route = bound.call.path as string;
    recordRoute(route);
    try {
      const answered = await withRequestDeadline(() => answerCall(incoming, backend, bound, undefined));
      if (answered instanceof Response) throw new Error(`${route} answers a file`);
      return answered;
    } catch (error) {
      if (error instanceof ClientGone) return undefined;
      const requestId = incoming.header('x-request-id') ?? '';
      return serializeOutcome(answerToError(error, backend, { method, route, requestId }));
    }
  };
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    const [, path, search = ''] = plain.exec(url) ?? [];
    if (path === undefined || headers['transfer-encoding'] !== undefined) return false;
    const [[first], stash = []] = router.match(method, path);
    const [bound, places = {}] = first ?? [];
    if (!bound || bound.call.upload || bound.call.file) return false;
    if (Number(headers['content-length'] ?? 0) > bodyLimitOf(bound.call)) {
      write(request, response, serializeOutcome(payloadTooLarge()));
      return true;
    }
    const incoming = {
      method,
      path,
      params: Object.fromEntries(
        Object.entries(places).map(([name, value]) => [name, typeof value === 'number' ? (stash[value] ?? '') : value]),
      ),
      query: queryOf(search),
      header: (name: string) => textOf(headers[name]),
      text: () => bodyOf(request),
    };
    void answer(incoming, bound, method).then((answered) => answered && write(request, response, answered));
    return true;
  };
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** Parses a query string; of repeated names the first counts. */
function queryOf(search: string): Record<string, string> {
  const query: Record<string, string> = {};
  if (search === '') return query;
  for (const [name, value] of new URLSearchParams(search)) if (name !== '') query[name] ??= value;
  return query;
}

const decoder = new TextDecoder();

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))));
    request.on('close', () => reject(new ClientGone()));
  });
}

/** Minimum bytes for compression, the same as in the `compression` middleware. */
const worthCompressing = 1024;

/** Writes head and body with one call. */
function write(request: IncomingMessage, response: ServerResponse, { status, headers, text }: SerializedAnswer): void {
  const id = request.headers['x-request-id'];
  const sent: Record<string, string | number> = { ...headers, ...(typeof id === 'string' && { 'x-request-id': id }) };
  if (text === null) {
    response.writeHead(status, sent).end();
    return;
  }
  const takesGzip = takesCoding(request.headers['accept-encoding'], 'gzip');
  const isCompressed = takesGzip && Buffer.byteLength(text) >= worthCompressing;
  if (takesGzip) sent.vary = 'Accept-Encoding';
  if (isCompressed) sent['content-encoding'] = 'gzip';
  const bytes = isCompressed ? gzipSync(text, { level: 4 }) : text;
  response.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(bytes) }).end(bytes);
}
