import { LeaveFilter, leavePulse, listLeave, undoableLeave, undoLeaveBatch } from '#server/attendance/contract.ts';
import { pageOf, redirectToLastPage } from '../../lib/last-page.server.ts';
import { readSearch } from '../../lib/search.ts';
import { done, idempotencyField, refused } from '../../shell/dialog-action.server.ts';
import { classAddress, type TabPost, type TabRequest } from './tab.ts';

export async function loadLeaveTab({ client, classId, url }: TabRequest) {
  const filter = readSearch(LeaveFilter, url.searchParams);
  const params = { classId };
  const [leave, undoable, { mark }] = await Promise.all([
    client.send(listLeave, { params, query: filter }),
    client.send(undoableLeave, { params }),
    client.send(leavePulse, { params }),
  ]);
  redirectToLastPage(leave, pageOf(url));
  return { filter, leave, undoable, mark, key: crypto.randomUUID() };
}

/** 撤销: the batch that was decided waits again. */
export async function actLeaveTab({ client, classId, url, context, request }: TabPost) {
  const form = await request.formData();
  const outcome = await client.ask(undoLeaveBatch, {
    params: { batchId: String(form.get('undo') ?? '') },
    idempotencyKey: idempotencyField(form),
  });
  const back = classAddress(classId, 'leave', readSearch(LeaveFilter, url.searchParams));
  return outcome.ok ? done(context, outcome.msg, back) : refused(outcome, form);
}
