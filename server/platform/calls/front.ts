/**
 * Pages, and calls of the learners' application, are answered before the server asks for anything else.
 * `react-router-serve` looks for each address among the files of `public/`, and wraps each answer to compress it: a page is
 * no file, and comes compressed. Of a call that thousands send in the same minute the way through the router was a third.
 */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { gzipped, takesCoding } from './compressed.ts';
import type { AnswerDirectly } from './direct.ts';
import { isDecodable } from './incoming.ts';
import { callMessages } from './rules.ts';

interface Pages {
  fetch(request: Request): Promise<Response>;
  /** Whether an address is a screen's. */
  has(address: string): boolean;
  /** Calls below this path that this process answers itself. */
  calls?: { path: string; direct: AnswerDirectly; fetch(request: Request): Promise<Response> } | undefined;
  /** Where what pages load lies, and how its addresses begin. */
  files: { folder: string; path: string };
}
let pages: Pages | undefined;

/** Said by the screens' build, once it is loaded. */
export function offerPages(offered: Pages): void {
  pages = offered;
}

/** Requests that are answered here, and what their answers hold where that is whole. */
const askedHere = new WeakSet<Request>();
const wholeOf = new WeakMap<Response, Uint8Array>();

/** A page of which every byte is there: sent as it is where it is answered here, for to read a web body is to wait for a stream. */
export function wholePage(request: Request, body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  if (!askedHere.has(request)) return new Response(body, init);
  const answer = new Response(null, init);
  wholeOf.set(answer, body);
  return answer;
}

/** To be called before anything listens. */
export function answerPagesFirst(): void {
  keepOwnLog();
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    const { server } = message as { server: unknown };
    if (server instanceof Server && pages) comeBefore(server, pages);
  });
}

/** Each request has a line of our own (platform/monitoring/requests.ts); react-router-serve's is left out. */
function keepOwnLog(): void {
  const server = new URL('../../../node_modules/@react-router/serve/dist/cli.js', import.meta.url);
  const log = createRequire(server)('morgan') as { format(name: string, line: () => undefined): void };
  log.format('tiny', () => undefined);
}

function comeBefore(server: Server, { fetch, has, calls, files }: Pages): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  const answer = getRequestListener(
    async (request, { outgoing }) => {
      askedHere.add(request);
      const answered = await fetch(request);
      const whole = wholeOf.get(answered);
      if (!whole) return answered;
      // The server speaks HTTP/1.1 alone.
      (outgoing as ServerResponse).writeHead(answered.status, headersOf(answered)).end(whole);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false },
  );
  const answerCall =
    calls &&
    getRequestListener(async (request) => compressed(request, await calls.fetch(request)), {
      overrideGlobalObjects: false,
    });
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const isCall = calls && request.url?.startsWith(calls.path);
    if (isCall && calls.direct(request, response)) return;
    giveReasons(response);
    const allowed = /^\/(?:api|ims)\//.test(request.url ?? '') ? callMethods : pageMethods;
    if (!allowed.includes(request.method ?? '')) {
      refuseMethod(request, response, allowed);
      return;
    }
    if (answerCall && isCall) {
      void answerCall(request, response);
      return;
    }
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') && has(request.url ?? '');
    if (!isPage) {
      if (isMissing(request, files)) {
        refuseFile(response);
        return;
      }
      chooseSmaller(request, response, files);
      for (const other of others) other.call(server, request, response);
      return;
    }
    void answer(request, response);
  });
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

async function compressed(request: Request, answer: Response): Promise<Response> {
  const isText = answer.headers.get('content-type')?.startsWith('application/json');
  if (!isText || !takesCoding(request.headers.get('accept-encoding'), 'gzip')) return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const smaller = gzipped(bytes);
  const { status, headers } = answer;
  headers.set('vary', 'Accept-Encoding');
  if (smaller) headers.set('content-encoding', 'gzip');
  return new Response(smaller ?? bytes, { status, headers });
}

const kinds: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/** What the build has compressed itself is sent as it lies there, and not compressed less well each time. */
function chooseSmaller(request: IncomingMessage, response: ServerResponse, { folder, path: start }: Pages['files']) {
  const { url = '', headers } = request;
  const [, file, kind = ''] =
    /^(assets\/[\w.-]+\.(js|css))$/.exec(url.startsWith(start) ? url.slice(start.length) : '') ?? [];
  if (!file || !takesCoding(headers['accept-encoding'], 'br') || !existsSync(path.join(folder, `${file}.br`))) return;
  response.setHeader('content-type', `${kinds[kind]}; charset=utf-8`);
  response.setHeader('content-encoding', 'br');
  request.url = `${url}.br`;
}

/** Nothing but files of the build has an address there: the router would look for a page, and send strangers to sign in. */
function isMissing({ url = '' }: IncomingMessage, { folder, path: start }: Pages['files']): boolean {
  if (!url.startsWith(start)) return false;
  if (!isDecodable(url)) return true;
  const [address = ''] = url.slice(start.length).split('?', 1);
  const name = decodeURIComponent(address);
  // Neither a folder nor a way out of it.
  return !/^(?:\w+\/)*[\w-][\w.-]*\.\w+$/.test(name) || !existsSync(path.join(folder, name));
}

/** A build that comes next may bring it: nobody keeps this answer. */
function refuseFile(response: ServerResponse): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.writeHead(404).end('文件不存在');
}

/** A form sends by these; the router takes others for forms as well. */
const pageMethods = ['GET', 'HEAD', 'POST'];
/** Of the calls' own methods each call has one, which the API says itself. */
const callMethods = [...pageMethods, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function refuseMethod({ method }: IncomingMessage, response: ServerResponse, allowed: string[]): void {
  response.setHeader('allow', allowed.join(', '));
  if (method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.writeHead(405).end(callMessages.notAllowed);
}

/** Web responses seldom have a reason beside their status, and adapters hand that on as an empty one: Node's is meant. */
function giveReasons(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = (status: number, ...rest: unknown[]) =>
    Reflect.apply(writeHead, response, [status, ...rest.filter((one) => one !== '')]);
}
