/** Takes the handout that the browser's own script sends: the answer leaves the screen as it is. */
import { api } from '../api/client.server.ts';
import type { SendAnswer } from '../courseware/send.ts';
import { flash } from '../shell/form-action.server.ts';
import type { Route } from './+types/handout-send';
import { sendHandout } from './handout.server.ts';
import { handoutSend } from './screens.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const outcome = await sendHandout(context.get(api), request, url);
  if (!outcome.ok) {
    const refusal: SendAnswer = { msg: outcome.msg, ...(outcome.errors ? { errors: outcome.errors } : {}) };
    return Response.json(refusal, { status: outcome.status });
  }
  flash(context, 'success', outcome.msg);
  return Response.json({ to: handoutSend.behind(url) } satisfies SendAnswer);
}
