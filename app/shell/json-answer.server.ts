/** JSON response to a form sent by a script, which leaves the screen as it is. */
import type { Outcome } from '../api/outcome.server.ts';
import { flashMessage } from './form-action.server.ts';
import type { RequestContext } from './form-request.ts';

/** Address to go to, or the refusal. */
export type SendAnswer = { to: string } | { msg: string; errors?: Record<string, string[]> | undefined };

/** On success leads to `to`, which shows the message once. */
export function jsonAnswer(context: RequestContext, outcome: Outcome<unknown>, to: string): Response {
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    return Response.json({ msg, errors } satisfies SendAnswer, { status });
  }
  flashMessage(context, 'success', outcome.msg);
  return Response.json({ to } satisfies SendAnswer);
}
