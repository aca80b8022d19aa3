/** Hands /api/*, /ims/*, /healthz and /readyz to the API as they come: bearer tokens only, no cookie is looked at. */
import { answerCall, runs } from '../api/process.server.ts';
import type { Route } from './+types/api';
import { healthz } from './screens.ts';

async function passOn({ request, url }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  // Whether the process runs is known without a database, and without the API where that is elsewhere.
  return healthz.covers(url.pathname) ? runs() : answerCall(request);
}

export const loader = (sent: Route.LoaderArgs) => passOn(sent);
export const action = (sent: Route.ActionArgs) => passOn(sent);
