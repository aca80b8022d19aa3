/**
 * The entry of the server's build: the router's own, and a `fetch` before it. The router tries every route it has on each
 * address, twice. Here each first word of an address has a handler that knows its routes alone.
 */

import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, type RequestHandler, type ServerBuild } from 'react-router';

export * from 'virtual:react-router/server-build';

type Routes = ServerBuild['routes'];

const handlerOf = (routes: Routes) => createRequestHandler({ ...build, routes }, process.env.NODE_ENV);

/** Knows them all: for what is written in another way, and for what is nowhere. */
const whole = handlerOf(build.routes);
const handlers = new Map<string, RequestHandler>();
for (const segment of new Set(Object.values(build.routes).map(firstSegment)))
  if (segment) handlers.set(segment, handlerOf(below(segment)));

/** Answers a request of the product's address space but for static files. */
export function fetch(request: Request): Promise<Response> {
  const [, segment = ''] = /^\w+:\/\/[^/]*\/([^/?#.]*)/.exec(request.url) ?? [];
  return (handlers.get(segment.toLowerCase()) ?? whole)(request);
}

/** The first word of a route's address. None where it has no word of its own: the frame, home, what is not found. */
function firstSegment(route: Routes[string]): string | undefined {
  const parent = route?.parentId === undefined ? undefined : firstSegment(build.routes[route.parentId]);
  return parent ?? /^\/?([\w-]+)/.exec(route?.path ?? '')?.[1]?.toLowerCase();
}

function below(segment: string): Routes {
  return Object.fromEntries(
    Object.entries(build.routes).filter(([, route]) => [undefined, segment].includes(firstSegment(route))),
  );
}
