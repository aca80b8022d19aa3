/** Dialog that confirms decisions on leave requests, over the leave tab of a class or the inbox. */

import { data, redirect } from 'react-router';
import { decideLeave, type LeaveInboxRow, listLeaveInbox } from '#server/attendance/leave.contract.ts';
import { batchFault, decideFault, missingLeave, opStatusNames } from '#server/attendance/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, readForm } from '../lib/form-data.ts';
import { encodeQuery } from '../lib/link.ts';
import { readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { NearMoment } from '../ui/moment.tsx';
import type { Route } from './+types/decide';
import { decideSelected } from './leave-actions.server.ts';
import styles from './leave-list.posts.module.css';
import { leaveDecision } from './screens.ts';
import { confirmations } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('审批请假');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { ids, op_status: opStatus = 2, boxes, back } = leaveDecision.at(url);
  const query = { ids: ids.join(','), limit: ids.length };
  const chosen = ids.length > 0 ? (await context.get(api).send(listLeaveInbox, { query })).list : [];
  if (chosen.length < ids.length) throw data({ msg: missingLeave }, { status: 404 });
  const { closeHref, idempotencyKey } = leaveDecision.opened(url);
  const isOpen = (request: LeaveInboxRow) => decideFault(request) === undefined;
  const waiting = chosen.filter(isOpen);
  const decided = chosen.filter((request) => !isOpen(request));
  const close = back ?? (boxes ? withTicks(closeHref, ids) : closeHref);
  const [first] = decided;
  // If others have decided all requests meanwhile, the dialog is a 409 error page instead of the question.
  if (first && waiting.length === 0) requireAllowed(context, decideFault(first), close);
  return { waiting, decided, opStatus, idempotencyKey, closeHref: close };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const { back } = leaveDecision.at(url);
  const opStatus = Number(readForm(decideLeave, form).op_status);
  const ids = form.getAll('ids');
  const none = batchFault(ids.length);
  if (none) return refusedForm({ ok: false, status: 422, msg: none }, form);
  const outcome = await context.get(api).ask(decideLeave, {
    params: { ids: ids.join(',') },
    body: { op_status: opStatus },
    idempotencyKey: idempotencyField(form),
  });
  if (!outcome.ok) return refusedForm(outcome, form);
  // Without a message: the list itself shows the decision and offers to undo it.
  if (back === undefined) throw redirect(withoutTicks(leaveDecision.behind(url)));
  return decideSelected(context, opStatus, ids.length, back);
}

/** Address of the list with the same requests ticked, for cancelling the dialog. */
function withTicks(list: string, ids: readonly number[]): string {
  const { pathname, searchParams } = new URL(list, 'http://screen');
  if (!searchParams.has('chosen') && ids.length > 0) searchParams.set('ticked', ids.join(','));
  return pathname + encodeQuery(searchParams);
}

/** Address of the list without ticks, for after the decision. */
function withoutTicks(list: string): string {
  const { pathname, searchParams } = new URL(list, 'http://screen');
  for (const name of ['chosen', 'ticked']) searchParams.delete(name);
  return pathname + encodeQuery(searchParams);
}

/** Maximum number of students that the dialog lists by name. */
const maxNamed = 10;

export default function DecideLeave({ loaderData, actionData }: Route.ComponentProps) {
  const { waiting, decided, opStatus, closeHref, idempotencyKey } = loaderData;
  const verb = opStatus === 2 ? '同意' : '拒绝';
  const typed = actionData?.typed;
  const isTicked = ({ id }: LeaveInboxRow) =>
    !typed || typed.some(([name, value]) => name === 'ids' && value === String(id));
  if (waiting.length + decided.length === 0) {
    return (
      <Dialog title={`批量${verb}`} closeHref={closeHref}>
        <p>请先勾选待审批的请假申请。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={`${verb}请假`} closeHref={closeHref} message={waiting.length === 0 ? actionData?.msg : undefined}>
      {decided.length > 0 && (
        <>
          <p>这 {decided.length} 条已由他人处理，不再审批：</p>
          <ul>
            {decided.slice(0, maxNamed).map((row) => (
              <li key={row.id}>
                {row.name}，{row.course_periods_title}：{opStatusNames[row.op_status]}
                {row.decided_by && (
                  <>
                    （{row.decided_by}，<NearMoment at={row.decided_at} />）
                  </>
                )}
              </li>
            ))}
            {decided.length > maxNamed && <li>等 {decided.length} 人</li>}
          </ul>
        </>
      )}
      {waiting.length === 0 ? (
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      ) : (
        <>
          <p>
            {waiting.length === 1 && decided.length === 0
              ? confirmations[opStatus === 2 ? 'approve' : 'reject']
              : `确定${verb}${decided.length > 0 ? '其余' : '这'} ${waiting.length} 条请假申请吗？`}
          </p>
          <DialogForm
            closeHref={closeHref}
            idempotencyKey={idempotencyKey}
            refused={actionData}
            submit={decided.length > 0 ? `${verb}其余 ${waiting.length} 条` : `确定${verb}`}
            tone={opStatus === 2 ? 'primary' : 'danger'}
          >
            <input type="hidden" name="op_status" value={opStatus} />
            {waiting.length > 1 && <p>取消勾选的不处理。</p>}
            <ul className={styles.chosen}>
              {waiting.slice(0, maxNamed).map((row) => (
                <li key={row.id}>
                  {waiting.length === 1 ? (
                    <>
                      <input type="hidden" name="ids" value={row.id} />
                      <Request row={row} />
                    </>
                  ) : (
                    <label>
                      <input type="checkbox" name="ids" value={row.id} defaultChecked={isTicked(row)} />
                      <span>
                        <Request row={row} />
                      </span>
                    </label>
                  )}
                </li>
              ))}
              {waiting.length > maxNamed && <li>等 {waiting.length} 人</li>}
            </ul>
            {waiting.slice(maxNamed).map(({ id }) => (
              <input key={id} type="hidden" name="ids" value={id} />
            ))}
          </DialogForm>
        </>
      )}
    </Dialog>
  );
}

const Request = ({ row }: { row: LeaveInboxRow }) => (
  <>
    {row.name}
    {row.mobile && `（${row.mobile}）`}，{row.class_name}：{row.course_basis_title}，{row.course_periods_title}，
    <NearMoment at={row.start_play} />
    {row.leave_cause && `（${row.leave_cause}）`}
  </>
);
