/** Handles the handout form that client JS sends. */
import { api } from '../api/client.server.ts';
import { jsonAnswer } from '../shell/json-answer.server.ts';
import type { Route } from './+types/handout-send';
import { sendHandout } from './handout.server.ts';
import { handoutSend, sessionManage } from './screens.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { return: back, ...sentFor } = handoutSend.at(url);
  return jsonAnswer(context, await sendHandout(context.get(api), request, sentFor), back ?? sessionManage.href());
}
