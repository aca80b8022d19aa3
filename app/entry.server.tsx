import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { SignInAgain } from './shell/error-page.tsx';
import { nonceContext } from './shell/protection.server.ts';
import { SignInForm } from './shell/sign-in-form.tsx';
import { hydrates } from './ui/hydrates.ts';

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
  headers.set('Cache-Control', 'private, no-store');
  headers.set('Vary', 'Cookie');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const nonce = context.get(nonceContext);
  const screen = (
    <SignInAgain value={SignInForm}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </SignInAgain>
  );
  const routes = routerContext.staticHandlerContext.matches.flatMap(
    ({ route }) => routerContext.routeModules[route.id] ?? [],
  );
  if (!hydrates(routes)) return new Response(`<!DOCTYPE html>${renderToString(screen)}`, { status, headers });

  return new Promise((resolve, reject) => {
    let shellRendered = false;
    const { pipe, abort } = renderToPipeableStream(screen, {
      nonce,
      onShellReady() {
        shellRendered = true;
        const body = new PassThrough();
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
      onError(error) {
        if (shellRendered) console.error(error);
      },
    });
    setTimeout(() => abort(), streamTimeout + 1_000).unref();
  });
}

/** An error page has the status of what it says, also where the form before it had been answered with another. */
function statusOf({ staticHandlerContext: { errors, matches } }: EntryContext, answered: number): number {
  const shown = matches.find(({ route }) => errors?.[route.id] !== undefined);
  if (!shown) return answered;
  const error: unknown = errors?.[shown.route.id];
  return isRouteErrorResponse(error) ? error.status : 500;
}

export function handleError(error: unknown, { request }: { request: Request }) {
  if (!request.signal.aborted) console.error(error);
}
