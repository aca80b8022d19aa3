/** Saving from the living grading screen: JSON in, the outcome of the call out. */
import type { RouterContextProvider } from 'react-router';
import * as v from 'valibot';
import { type ApiClient, api, type Outcome } from '../api.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { outcomeJson } from './outcome-json.server.ts';

const Kind = v.object({ kind: v.string() });

// biome-ignore lint/suspicious/noExplicitAny: whatever a browser sent; the call's schema refuses what does not fit.
type Sent = any;
type Send = (client: ApiClient, sent: Sent) => Promise<Outcome<unknown>>;

/** `further`: what else the screen may send, by its kind. */
export async function saveByScript(
  calls: DeskCalls,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  further: Record<string, Send> = {},
): Promise<Response> {
  const kinds: Record<string, Send> = {
    mark: (client, sent) => calls.save(client, sent),
    finish: (client, sent) => {
      const { report_id, class_id, skip, comment, key } = sent;
      const idempotencyKey = String(key ?? '') || undefined;
      return calls.finish(client, {
        report_id,
        class_id,
        skip: Array.isArray(skip) ? skip : [],
        comment,
        idempotencyKey,
      });
    },
    ...further,
  };
  return outcomeJson(async () => {
    const sent: Sent = await request.json().catch(() => undefined);
    const parsed = v.safeParse(Kind, sent);
    const send = parsed.success && Object.hasOwn(kinds, parsed.output.kind) ? kinds[parsed.output.kind] : undefined;
    if (!send) return { ok: false, status: 400, msg: '请求格式不正确' };
    const outcome = await send(context.get(api), sent);
    // The page that comes after the last report says so.
    if (outcome.ok && sent.kind === 'finish' && sent.last === true) {
      getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
    }
    return outcome;
  });
}
