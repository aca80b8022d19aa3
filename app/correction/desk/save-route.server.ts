/** Saving from the living grading screen: JSON in, the outcome of the call out. */
import type { RouterContextProvider } from 'react-router';
import { callMessages } from '#server/platform/calls/rules.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { getSession } from '../../shell/session.server.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { outcomeJson } from './outcome-json.server.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever a browser sent; the call's schema refuses what does not fit.
type Sent = any;

export async function saveByScript(
  calls: DeskCalls,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<Response> {
  return outcomeJson(async () => {
    const sent: Sent = await request.json().catch(() => undefined);
    const outcome = await send(calls, context.get(api), sent);
    // The page that comes after the last report says so.
    if (outcome.ok && sent.kind === 'finish' && sent.last === true) {
      getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
    }
    return outcome;
  });
}

async function send(calls: DeskCalls, client: ApiClient, sent: Sent): Promise<Outcome<unknown>> {
  if (sent?.kind === 'mark') return calls.save(client, sent);
  if (sent?.kind === 'finish') {
    const { report_id, class_id, comment, key } = sent;
    const skip: number[] = Array.isArray(sent.skip) ? sent.skip : [];
    return calls.finish(client, { report_id, class_id, skip, comment, idempotencyKey: String(key ?? '') || undefined });
  }
  return { ok: false, status: 400, msg: callMessages.malformed };
}
