/** Publishes the form that the browser's own script sends: the answer leaves the screen as it is. */
import { api } from '../../api.server.ts';
import { getSession } from '../../shell/session.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import type { Route } from './+types/send';
import { parseForm } from './form.ts';
import { afterPublishing, formErrors, sendForm } from './send.server.ts';
import type { Refusal } from './view.ts';

/** Published, with the address to go on to; or why not. */
export type Sent = { published: true; to: string } | ({ published: false } & Refusal);

const answer = (sent: Sent, status = 200) => Response.json(sent, { status });

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const form = parseForm(await request.text());
  if (!form) return answer({ published: false, msg: '请求格式不正确', errors: {} }, 400);
  const { timezone } = signedInPerson(context).settings;
  const outcome = await sendForm(context.get(api), form, { params: url.searchParams, timezone });
  if (outcome.ok) {
    getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
    return answer({ published: true, to: afterPublishing });
  }
  const errors = formErrors(outcome.errors ?? {}, form);
  return answer({ published: false, msg: outcome.msg, errors }, outcome.status);
}
