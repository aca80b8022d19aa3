/** What the buttons of leave requests do: one request is decided at once, for ten minutes a decision is taken back. */
import { redirect } from 'react-router';
import { decideLeave, undoLeaveBatch } from '#server/attendance/contract.ts';
import { transitions } from '#server/attendance/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { idempotencyField, type PostedFields } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import { done, ended, pressed, refused, typedForm } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { leaveInbox, requestAnchor } from './screens.ts';
import { saidOf } from './terms.ts';

/** The list's own buttons: afterwards it is shown again, where the next request stands. */
export async function actOnLeave({ request, context }: Pick<FormRequest, 'request' | 'context'>, list: string) {
  const form = await typedForm(request, context);
  const [button, id = '', next = ''] = pressed(form, 'undo', 'approve', 'reject');
  const client = context.get(api);
  if (button === 'undo') {
    const idempotencyKey = idempotencyField(form);
    return ended(context, await client.ask(undoLeaveBatch, { params: { batchId: id }, idempotencyKey }), list, form);
  }
  const outcome = await decideOne(client, form, button, id);
  if (!outcome.ok) return refused(outcome, form);
  const following = idOf(next);
  // The list says by itself what was done, and offers to take it back.
  throw redirect(following === undefined ? list : `${list}#${requestAnchor(following)}`);
}

/** The buttons of a form have one key: each request is one of its own. */
export function decideOne(client: ApiClient, form: PostedFields, decision: 'approve' | 'reject', id: string) {
  const key = idempotencyField(form);
  return client.ask(decideLeave, {
    params: { ids: id },
    body: { op_status: transitions[decision].to },
    idempotencyKey: key && `${key} ${decision} ${id}`,
  });
}

/** On to a screen other than the lists, which say by themselves what was decided: with the way to take it back. */
export const decidedOn = (context: RequestContext, opStatus: number, count: number, next: string): never =>
  done(context, `${saidOf(opStatus, count)}，10分钟内可以撤销`, next, { href: leaveInbox.href(), label: '去撤销' });
