/** Publishes the hydrated form and responds with JSON. */
import { callMessages } from '#server/platform/calls/rules.ts';
import { api } from '../../api/client.server.ts';
import { flashMessage } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { publish } from '../screens.ts';
import type { Route } from './+types/send';
import { parseForm } from './parse-form.ts';
import { sendForm } from './send.server.ts';
import type { RefusedPublication } from './view.ts';

/** Response: the address to go to after publishing, or the refusal. */
export type PublishAnswer =
  | { published: true; to: string }
  /** `past` is true if the deadline is over and the user must confirm it. */
  | ({ published: false; submit_key?: string; past?: boolean } & RefusedPublication);

const answer = (sent: PublishAnswer, status = 200) => Response.json(sent, { status });

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const form = parseForm(await request.text());
  if (!form) return answer({ published: false, msg: callMessages.malformed, errors: {} }, 400);
  const place = publish.at(url);
  const { timezone } = signedInPerson(context).settings;
  const outcome = await sendForm(context.get(api), form, { place, timezone });
  if (outcome.ok) {
    flashMessage(context, 'success', outcome.msg, outcome.onwards);
    return answer({ published: true, to: outcome.to });
  }
  const { form: returned, refusal = { msg: '', errors: {} }, status } = outcome;
  const past = returned.panel !== null;
  return answer({ published: false, submit_key: returned.submit_key, past, ...refusal }, status);
}
