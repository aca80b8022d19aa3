// The router's newer route matcher. The default one tries all 350 routes in turn, twice per page, which took a sixth of
// a list's CPU time. Framework mode does not pass the flag yet.
import { unstable_preloadRoutePattern } from 'react-router/route-pattern';

/**
 * Returns the build with the newer matcher.
 *
 * @param {import('react-router').ServerBuild} build
 * @returns {import('react-router').ServerBuild}
 */
export function withRoutePatterns(build) {
  unstable_preloadRoutePattern();
  const future = Object.assign({}, build.future, { unstable_routePatternMatching: true });
  return { ...build, future };
}
