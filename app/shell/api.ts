/** Hands /api/*, /ims/* and /readyz to the API as they come: bearer tokens only, no cookie is looked at. */
import { answerCall, answerMetrics, drainingAnswer, runs } from '../api/process.server.ts';
import type { Route } from './+types/api';
import { healthz, metrics, readyz } from './screens.ts';

async function passOn({ request, url }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  // Whether the process runs, and what it measures, is known without a database, and without the API where that is elsewhere.
  if (healthz.covers(url.pathname)) return runs();
  if (metrics.covers(url.pathname)) return answerMetrics(request);
  // Where the API is elsewhere, it is this process that ends.
  return (readyz.covers(url.pathname) && drainingAnswer()) || answerCall(request);
}

export const loader = (sent: Route.LoaderArgs) => passOn(sent);
export const action = (sent: Route.ActionArgs) => passOn(sent);
