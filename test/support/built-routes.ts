/** Reads the routes of the built screens. */
import { matchRoutes, type ServerBuild } from 'react-router';
import { makeBuild } from './app.ts';

export interface RouteTree {
  id: string;
  path?: string;
  index?: false;
  children: RouteTree[];
}

const services = Symbol.for('services');

interface BuiltRoutes {
  build: ServerBuild;
  tree: RouteTree[];
  /** Returns the route ids of an address, the outermost first. Cached by path. */
  idsAt(address: string): string[];
}

export async function builtRoutes(): Promise<BuiltRoutes> {
  const build = await withoutSchool(() => makeBuild<ServerBuild>());
  const tree = treeOf(build);
  const found = new Map<string, string[]>();
  return {
    build,
    tree,
    idsAt(address) {
      const { pathname } = new URL(address, 'http://school.test');
      const ids = found.get(pathname) ?? (matchRoutes(tree, pathname) ?? []).map(({ route }) => route.id);
      found.set(pathname, ids);
      return ids;
    },
  };
}

/** Makes a build without a school. Otherwise it would open and migrate the developer's own school in `var/`. */
async function withoutSchool<T>(make: () => Promise<T>): Promise<T> {
  const all = globalThis as { [services]?: unknown };
  const given = all[services];
  all[services] = Promise.resolve(undefined);
  try {
    return await make();
  } finally {
    all[services] = given;
  }
}

/** Builds the tree of routes against which react-router matches addresses. */
function treeOf({ routes }: Pick<ServerBuild, 'routes'>, parent?: string): RouteTree[] {
  return Object.values(routes).flatMap((route) =>
    route && route.parentId === parent
      ? [{ id: route.id, ...(route.path ? { path: route.path } : {}), children: treeOf({ routes }, route.id) }]
      : [],
  );
}
