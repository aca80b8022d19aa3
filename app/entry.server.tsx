import { gzipSync } from 'node:zlib';
import { renderToString } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { noteFault, takesCoding } from './api/process.server.ts';
import { answerToMethod, nonceContext } from './shell/protection.server.ts';

/** Pages are rendered in one go: no stream to set up, and a failure half way is a whole error page. */
export default function handleRequest(
  request: Request,
  answered: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Response {
  // The router makes an error of OPTIONS, before any middleware.
  const refused = answerToMethod(request);
  if (refused) return refused;
  const status = statusOf(routerContext, answered);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  forOneReader(headers);
  if (status === 405) headers.set('Allow', 'GET');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const screen = (
    <ServerRouter
      // No script of a page reads what its loaders answered.
      context={{ ...ofMatched(routerContext), serverHandoffStream: undefined }}
      url={request.url}
      nonce={context.get(nonceContext)}
    />
  );
  return whole(`<!DOCTYPE html>${renderToString(screen)}`, request, { status, headers });
}

/** The router's own address of a page's data, which no page asks for. */
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
  return new Response(body, { status, headers });
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
 * was a quarter of a list's processor time.
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
