/** JSON response to a form that a script sends. */
import type { Outcome } from '../api/outcome.server.ts';
import { flashMessage } from './form-action.server.ts';
import type { RequestContext } from './form-request.ts';

/** The address to go to, or the refusal. */
export type SendAnswer = { to: string } | { msg: string; errors?: Record<string, string[]> | undefined };

/** Responds with the address `to`, where the message is shown once, or with the refusal. */
export function jsonAnswer(context: RequestContext, outcome: Outcome<unknown>, to: string): Response {
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    return Response.json({ msg, errors } satisfies SendAnswer, { status });
  }
  flashMessage(context, 'success', outcome.msg);
  return Response.json({ to } satisfies SendAnswer);
}
