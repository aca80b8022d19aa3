// The build of the screens as react-router-serve loads it.
import { withRoutePatterns } from './route-matcher.mjs';

/** @type {import('react-router').ServerBuild} */
const build = await import(new URL('../build/server/index.js', import.meta.url).href);

export const {
  allowedActionOrigins,
  assets,
  assetsBuildDirectory,
  basename,
  entry,
  future,
  isSpaMode,
  prerender,
  publicPath,
  routeDiscovery,
  routes,
  ssr,
} = withRoutePatterns(build);
