/** Renders rich texts for the question form in the browser. POST `{texts}` returns the HTML of each text. */
import { api } from '../api/client.server.ts';
import type { Route } from './+types/display';
import { displayCall } from './display-call.server.ts';

export async function action({ request, context }: Route.ActionArgs) {
  const body = (await request.json().catch(() => ({}))) as { texts?: string[] };
  const outcome = await context.get(api).ask(displayCall(context), { body: { texts: body.texts ?? [] } });
  return outcome.ok ? Response.json(outcome.data) : Response.json({ msg: outcome.msg }, { status: outcome.status });
}
