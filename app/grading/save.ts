/** Saves for the hydrated grading screen: takes JSON and returns the call's outcome as JSON. */
import * as v from 'valibot';
import { callMessages } from '#server/platform/calls/rules.ts';
import { api } from '../api/client.server.ts';
import { flashMessage } from '../shell/form-action.server.ts';
import type { Route } from './+types/save';
import { callsOf } from './desk/desk-calls.server.ts';
import { outcomeJson } from './desk/outcome-json.server.ts';

/** Shape of the request. The API call validates the values. */
const Save = v.variant('kind', [
  v.object({
    kind: v.literal('mark'),
    report_id: v.number(),
    ques_id: v.number(),
    version: v.optional(v.number()),
    type: v.picklist([1, 2]),
    user_score: v.string(),
    review_comment: v.optional(v.string()),
    review_attachments: v.optional(v.array(v.object({ name: v.string(), url: v.string(), ext: v.string() }))),
    image: v.optional(v.array(v.nullable(v.object({ draw: v.string(), path: v.string() })))),
  }),
  v.object({
    kind: v.literal('finish'),
    report_id: v.number(),
    class_id: v.optional(v.number()),
    skip: v.optional(v.array(v.number()), []),
    comment: v.optional(v.string()),
    key: v.optional(v.string()),
    last: v.optional(v.boolean()),
  }),
]);

export function action({ request, context, url }: Route.ActionArgs) {
  return outcomeJson(async () => {
    const sent = v.safeParse(Save, await request.json().catch(() => undefined));
    if (!sent.success) return { ok: false, status: 400, msg: callMessages.malformed };
    const calls = callsOf(url);
    const client = context.get(api);
    if (sent.output.kind === 'mark') {
      const { kind: _, ...mark } = sent.output;
      return calls.save(client, mark);
    }
    const { key, last, kind: _, ...report } = sent.output;
    const outcome = await calls.finish(client, report, key);
    // After the last report, the next page shows the message.
    if (outcome.ok && last) flashMessage(context, 'success', outcome.msg);
    return outcome;
  });
}
