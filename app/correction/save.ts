/** Saving from the living grading screen: JSON in, the outcome of the call out. */
import * as v from 'valibot';
import { storeQuestion, storeReview, storeSame, undoSame } from '#server/correction/contract.ts';
import { type ApiClient, api, type Outcome } from '../api.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { Route } from './+types/save';
import { outcomeJson } from './outcome-json.server.ts';

const Sent = v.object({ kind: v.picklist(['mark', 'finish', 'same', 'undo']) });

export async function action({ request, context }: Route.ActionArgs) {
  return outcomeJson(async () => {
    const body: unknown = await request.json().catch(() => undefined);
    const sent = v.safeParse(Sent, body);
    if (!sent.success) return { ok: false, status: 400, msg: '请求格式不正确' };
    const outcome = await send(context.get(api), sent.output.kind, body);
    const isLast = sent.output.kind === 'finish' && (body as { last?: boolean }).last === true;
    if (outcome.ok && isLast) getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
    return outcome;
  });
}

/** The API judges the body, so it goes on as it came. */
function send(client: ApiClient, kind: v.InferOutput<typeof Sent>['kind'], body: unknown): Promise<Outcome<unknown>> {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a browser sent; the call's schema refuses what does not fit.
  const sent = body as any;
  switch (kind) {
    case 'mark':
      return client.ask(storeQuestion, { body: sent });
    case 'finish':
      return client.ask(storeReview, { body: sent, idempotencyKey: String(sent.key ?? '') || undefined });
    case 'same':
      return client.ask(storeSame, { body: sent });
    default:
      return client.ask(undoSame, { body: sent });
  }
}
