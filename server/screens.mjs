// Build served by react-router-serve, with the router's newer route matcher. The default one tries all 350 routes in
// turn, twice per page, which took a sixth of a list's CPU time. Framework mode does not pass the flag yet.
import { unstable_preloadRoutePattern } from 'react-router/route-pattern';

unstable_preloadRoutePattern();

/** @type {import('react-router').ServerBuild} */
const build = await import(new URL('../build/server/index.js', import.meta.url).href);

export const {
  allowedActionOrigins,
  assets,
  assetsBuildDirectory,
  basename,
  entry,
  isSpaMode,
  prerender,
  publicPath,
  routeDiscovery,
  routes,
  ssr,
} = build;

export const future = { ...build.future, unstable_routePatternMatching: true };
