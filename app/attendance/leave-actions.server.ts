/** Handles the buttons of leave requests: decides one at once, or undoes a decision within ten minutes. */

import { redirect } from 'react-router';
import { decideLeave, undoLeaveBatch } from '#server/attendance/leave.contract.ts';
import { transitions } from '#server/attendance/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { idempotencyField, type PostedFields } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import {
  finishForm,
  readButton,
  readPostedForm,
  redirectWithMessage,
  refusedForm,
} from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { leaveInbox, requestAnchor } from './screens.ts';
import { decisionMessage } from './terms.ts';

/** Handles the buttons in the list and returns to the list, scrolled to the next request. */
export async function handleLeaveButtons({ request, context }: Pick<FormRequest, 'request' | 'context'>, list: string) {
  const form = await readPostedForm(request, context);
  const [button, id = '', next = ''] = readButton(form, 'undo', 'approve', 'reject');
  const client = context.get(api);
  if (button === 'undo') {
    const idempotencyKey = idempotencyField(form);
    return finishForm(
      context,
      await client.ask(undoLeaveBatch, { params: { batchId: id }, idempotencyKey }),
      list,
      form,
    );
  }
  const outcome = await decideLeaveRequest(client, form, button, id);
  if (!outcome.ok) return refusedForm(outcome, form);
  const following = idOf(next);
  // Without a message: the list itself shows the decision and offers to undo it.
  throw redirect(following === undefined ? list : `${list}#${requestAnchor(following)}`);
}

/**
 * Decides one request. The form has one idempotency key for all its buttons, so the request's id is added to the key.
 */
export function decideLeaveRequest(client: ApiClient, form: PostedFields, decision: 'approve' | 'reject', id: string) {
  const key = idempotencyField(form);
  return client.ask(decideLeave, {
    params: { ids: id },
    body: { op_status: transitions[decision].to },
    idempotencyKey: key && `${key} ${decision} ${id}`,
  });
}

/** Redirects to a screen that does not show the decision, with a message that links to the undo button. */
export const decideSelected = (context: RequestContext, opStatus: number, count: number, next: string): never =>
  redirectWithMessage(context, `${decisionMessage(opStatus, count)}，10分钟内可以撤销`, next, {
    href: leaveInbox.href(),
    label: '去撤销',
  });
