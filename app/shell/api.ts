/**
 * Passes requests for /api/*, /ims/* and /readyz to the API unchanged. The API ignores cookies and needs a bearer
 * token.
 */
import { answerCall, answerHealthz, answerMetrics, drainingAnswer } from '../api/process.server.ts';
import type { Route } from './+types/api';
import { healthz, metrics, readyz } from './screens.ts';

async function forwardToApi({ request, url }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  // Liveness and metrics concern this process, so they ask neither the database nor a remote API.
  if (healthz.covers(url.pathname)) return answerHealthz();
  if (metrics.covers(url.pathname)) return answerMetrics(request);
  // Even with a remote API, this process itself reports that it is draining.
  return (readyz.covers(url.pathname) && drainingAnswer()) || answerCall(request);
}

export const loader = (sent: Route.LoaderArgs) => forwardToApi(sent);
export const action = (sent: Route.ActionArgs) => forwardToApi(sent);
