/** Hands /api/*, /healthz and /readyz to the API as they come: bearer tokens only, no cookie is looked at. */
import { callMessages } from '#server/platform/calls/rules.ts';
import { apiFetch } from '../api/process.server.ts';
import type { Route } from './+types/api';

async function passOn(request: Request): Promise<Response> {
  try {
    return await apiFetch(request);
  } catch {
    return Response.json({ code: 503, msg: callMessages.away, data: null }, { status: 503 });
  }
}

export const loader = ({ request }: Route.LoaderArgs) => passOn(request);
export const action = ({ request }: Route.ActionArgs) => passOn(request);
