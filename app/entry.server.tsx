import { PassThrough } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { noteFault, takesCoding, wholePage } from './api/process.server.ts';
import { SignInAgain } from './shell/error-page.tsx';
import { nonceContext } from './shell/protection.server.ts';
import { SignInForm } from './shell/sign-in-form.tsx';
import { hydrates } from './ui/hydrates.ts';
import { opened } from './unsent.server.ts';

/** Milliseconds after which a hydrating page that still waits for something is sent as it is. */
export const streamTimeout = 5_000;

/**
 * Pages without client JS are rendered in one go: no stream to set up, and a failure half way is a whole error page.
 * Pages that hydrate are streamed, since their data follows the document.
 */
export default function handleRequest(
  request: Request,
  answered: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  const status = statusOf(routerContext, answered);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  forOneReader(headers);
  if (status === 405) headers.set('Allow', 'GET');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { loaderData } = routerContext.staticHandlerContext;
  for (const id in loaderData) loaderData[id] = opened(loaderData[id]);
  const nonce = context.get(nonceContext);
  const routes = routerContext.staticHandlerContext.matches.flatMap(
    ({ route }) => routerContext.routeModules[route.id] ?? [],
  );
  const isLive = hydrates(routes);
  const shown = ofMatched(routerContext);
  const screen = (
    <SignInAgain value={SignInForm}>
      <ServerRouter
        // What no script reads is not sent behind the page either.
        context={isLive ? shown : { ...shown, serverHandoffStream: undefined }}
        url={request.url}
        nonce={nonce}
      />
    </SignInAgain>
  );
  if (!isLive) return whole(`<!DOCTYPE html>${renderToString(screen)}`, request, { status, headers });

  return new Promise((resolve, reject) => {
    let shellRendered = false;
    const { pipe, abort } = renderToPipeableStream(screen, {
      nonce,
      onShellReady() {
        shellRendered = true;
        const body = takesGzip(request) ? createGzip({ level }) : new PassThrough();
        // React asks for a flush behind each piece, and each of them listens until a slow reader has taken what is before it.
        body.setMaxListeners(0);
        if (takesGzip(request)) headers.set('Content-Encoding', 'gzip');
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
      // With the timer all that the page was made of would stay for its seconds, which the next pages have to make room for.
      onAllReady: () => clearTimeout(timer),
      onError(error) {
        // Who has gone away takes no more of it.
        if (shellRendered && !request.signal.aborted) noteFault(error);
      },
    });
    const timer = setTimeout(() => abort(), streamTimeout + 1_000).unref();
  });
}

/** What hydrated pages ask for: the same data as a page's. */
export function handleDataRequest(response: Response): Response {
  forOneReader(response.headers);
  return response;
}

function forOneReader(headers: Headers): void {
  headers.set('Cache-Control', 'private, no-store');
  headers.set('Vary', 'Cookie, Accept-Encoding');
}

/** A page is compressed quickly, and not to the last byte. */
const level = 4;

const takesGzip = ({ headers }: Request) => takesCoding(headers.get('Accept-Encoding'), 'gzip');

/**
 * Compressed at once: a fifth of a millisecond. The server's own way, a stream through another thread, takes three times
 * as long.
 */
function whole(html: string, request: Request, { status, headers }: { status: number; headers: Headers }): Response {
  if (!takesGzip(request)) return new Response(html, { status, headers });
  const body = gzipSync(bytesOf(html), { level, chunkSize: 8192 });
  headers.set('Content-Encoding', 'gzip');
  headers.set('Content-Length', String(body.length));
  return wholePage(request, body, { status, headers });
}

/** One piece of memory for all pages: nothing reads it once a page is compressed. */
const page = new Uint8Array(256 * 1024);
const encoder = new TextEncoder();

function bytesOf(html: string): Uint8Array {
  // Three bytes at most for each unit of a text.
  if (html.length > page.length / 3) return encoder.encode(html);
  return page.subarray(0, encoder.encodeInto(html, page).written);
}

/**
 * The routes of this page in place of all: the router makes an object of each that it is given, for every page, which
 * was a quarter of a list's processor time. The browser has the list of all from a file of its own.
 */
function ofMatched(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.fromEntries(
    staticHandlerContext.matches.map(({ route }) => [route.id, manifest.routes[route.id]]),
  );
  return { ...context, manifest: { ...manifest, routes } };
}

/** An error page has the status of what it says, also where the form before it had been answered with another. */
function statusOf({ staticHandlerContext: { errors, matches } }: EntryContext, answered: number): number {
  const shown = matches.find(({ route }) => errors?.[route.id] !== undefined);
  if (!shown) return answered;
  const error: unknown = errors?.[shown.route.id];
  return isRouteErrorResponse(error) ? error.status : 500;
}

export function handleError(error: unknown, { request }: { request: Request }) {
  // A method that an address does not take is the visitor's mistake, and no fault of ours.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) noteFault(error);
}
