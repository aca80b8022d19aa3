/**
 * The entry of the server's build: the router's own, and a `fetch` before it. The router tries every route it has on each
 * address, twice. Here each first word of an address has a handler that knows its routes alone.
 */

import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, type RequestHandler, type ServerBuild } from 'react-router';
import { learnersCalls, offerPages } from './api/process.server.ts';

export * from 'virtual:react-router/server-build';

type Routes = ServerBuild['routes'];
type Route = NonNullable<Routes[string]>;

const handlerOf = (routes: Routes) => createRequestHandler({ ...build, routes }, process.env.NODE_ENV);

/** For what is written in another way, and for what is nowhere. */
const whole = handlerOf(build.routes);
const handlers = new Map<string, RequestHandler>();
for (const segment of new Set(Object.values(build.routes).map(firstSegment)))
  if (segment) handlers.set(segment, handlerOf(below(segment)));
/** Home, whose address has no word. */
handlers.set('', handlerOf(below('')));
/** Those of an address that says nothing but where it is, as lists and most screens have: no other route is of it. */
const handlersOfOne = new Map<string, RequestHandler>();
const routesAt = new Map<string, Route[]>();
for (const route of routesOf(build.routes)) {
  const pattern = patternOf(route);
  routesAt.set(pattern, [...(routesAt.get(pattern) ?? []), route]);
}
for (const [pattern, routes] of routesAt)
  if (/^[\w/-]+$/.test(pattern)) handlersOfOne.set(`/${pattern.toLowerCase()}`, handlerOf(withAround(routes)));

const wordsOf = (address: string) => /^(?:\w+:\/\/[^/]*)?\/([^/?#.]*)([^?#]*)/.exec(address) ?? [];

/** Answers a request of the product's address space but for static files. */
export function fetch(request: Request): Promise<Response> {
  const [, segment = '', rest = ''] = wordsOf(request.url);
  if (rest.endsWith('.data')) return whole(request);
  return (handlerFor(segment, rest) ?? whole)(request);
}

/** Without a first word but with others, as `//homework`, an address is written in another way. */
function handlerFor(segment: string, rest: string): RequestHandler | undefined {
  if (segment === '' && rest !== '') return undefined;
  const first = segment.toLowerCase();
  return handlersOfOne.get(`/${first}${rest.toLowerCase()}`) ?? handlers.get(first);
}

/** Addresses that answer a file, data or a redirect and no page of their own. */
const noPages = routesOf(build.routes)
  .filter(({ path, module }) => path !== undefined && !module.default)
  .map((route) => {
    const steps = patternOf(route).replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*');
    return new RegExp(`^/${steps}/?$`, 'i');
  });

offerPages({
  fetch,
  calls: learnersCalls,
  files: { folder: build.assetsBuildDirectory, path: build.publicPath },
  has(address) {
    const [, segment = '', rest = ''] = wordsOf(address);
    const isKnown = handlerFor(segment, rest) !== undefined && !rest.endsWith('.data');
    return isKnown && !noPages.some((noPage) => noPage.test(`/${segment}${rest}`));
  },
});

/** The first word of a route's address. None where it has no word of its own: the frame, home, what is not found. */
function firstSegment(route: Route | undefined): string | undefined {
  const parent = route?.parentId === undefined ? undefined : firstSegment(build.routes[route.parentId]);
  return parent ?? /^\/?([\w-]+)/.exec(route?.path ?? '')?.[1]?.toLowerCase();
}

function below(segment: string): Routes {
  return Object.fromEntries(
    Object.entries(build.routes).filter(([, route]) => [undefined, segment].includes(firstSegment(route))),
  );
}

/** The routes of one address, with those around them. */
function withAround(routes: Route[]): Routes {
  return Object.fromEntries(routes.flatMap(branchOf).map(({ id }) => [id, build.routes[id]]));
}

function routesOf(routes: Routes): Route[] {
  return Object.values(routes).filter((route) => route !== undefined);
}

/** A route and those around it, the outermost first. */
function branchOf(route: Route): Route[] {
  const parent = build.routes[route.parentId ?? ''];
  return [...(parent ? branchOf(parent) : []), route];
}

/** As loaders are told it, without a slash before it. */
function patternOf(route: Route): string {
  const steps = branchOf(route).flatMap(({ path }) => path?.replace(/^\/|\/$/g, '') || []);
  return steps.join('/');
}
