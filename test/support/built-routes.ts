/** The routes of the built screens. */
import type { ServerBuild } from 'react-router';

const builtServer = new URL('../../build/server/index.js', import.meta.url).href;

export interface RouteTree {
  id: string;
  path?: string;
  index?: false;
  children: RouteTree[];
}

export async function builtRoutes(): Promise<{ build: ServerBuild; tree: RouteTree[] }> {
  const build = (await import(/* @vite-ignore */ builtServer)) as ServerBuild;
  return { build, tree: treeOf(build) };
}

/** As a tree, which is how addresses are matched. */
function treeOf({ routes }: Pick<ServerBuild, 'routes'>, parent?: string): RouteTree[] {
  return Object.values(routes).flatMap((route) =>
    route && route.parentId === parent
      ? [{ id: route.id, ...(route.path ? { path: route.path } : {}), children: treeOf({ routes }, route.id) }]
      : [],
  );
}
