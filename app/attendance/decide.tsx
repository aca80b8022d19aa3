/** The question before leave requests are decided, over the leave tab of a class or all classes. */
import { data } from 'react-router';
import { decideLeave, type LeaveInboxRow, listLeaveInbox } from '#server/attendance/contract.ts';
import { batchFault, decideFault, missingLeave } from '#server/attendance/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { queryOf } from '../lib/link.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Route } from './+types/decide';
import styles from './leave-list.module.css';
import { leaveDecision } from './screens.ts';
import { confirmations } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('审批请假');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { ids, op_status: opStatus = 2, boxes } = leaveDecision.at(url);
  const query = { ids: ids.join(','), limit: ids.length };
  const chosen = ids.length > 0 ? (await context.get(api).send(listLeaveInbox, { query })).list : [];
  if (chosen.length < ids.length) throw data({ msg: missingLeave }, { status: 404 });
  for (const request of chosen) mustBeAllowed(context, decideFault(request));
  const { closeHref, idempotencyKey } = leaveDecision.opened(url);
  return { ids, chosen, opStatus, idempotencyKey, closeHref: boxes ? reticked(closeHref, ids) : closeHref };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, unticked(leaveDecision.behind(url)), async (client, idempotencyKey, form) => {
    const ids = form.getAll('ids');
    const none = batchFault(ids.length);
    if (none) return { ok: false, status: 422, msg: none };
    return client.ask(decideLeave, {
      params: { ids: ids.join(',') },
      body: { op_status: Number(readForm(decideLeave, form).op_status) },
      idempotencyKey,
    });
  });

/** The list, where nothing came of it: as it was ticked. */
function reticked(list: string, ids: readonly number[]): string {
  const { pathname, searchParams } = new URL(list, 'http://screen');
  if (!searchParams.has('chosen') && ids.length > 0) searchParams.set('ticked', ids.join(','));
  return pathname + queryOf(searchParams);
}

/** The list, where what was chosen is decided on. */
function unticked(list: string): string {
  const { pathname, searchParams } = new URL(list, 'http://screen');
  for (const name of ['chosen', 'ticked']) searchParams.delete(name);
  return pathname + queryOf(searchParams);
}

/** Those that are left out can be told apart as far as they are listed. */
const listedMost = 10;

export default function DecideLeave({ loaderData, actionData }: Route.ComponentProps) {
  const { ids, chosen, opStatus, closeHref, idempotencyKey } = loaderData;
  const verb = opStatus === 2 ? '同意' : '拒绝';
  const typed = actionData?.typed;
  const isTicked = ({ id }: LeaveInboxRow) =>
    !typed || typed.some(([name, value]) => name === 'ids' && value === String(id));
  if (ids.length === 0) {
    return (
      <Dialog title={`批量${verb}`} closeHref={closeHref}>
        <p>请先勾选待审批的请假申请。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={`${verb}请假`} closeHref={closeHref}>
      <p>
        {ids.length === 1
          ? confirmations[opStatus === 2 ? 'approve' : 'reject']
          : `确定${verb}这 ${ids.length} 条请假申请吗？`}
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit={`确定${verb}`}
        tone={opStatus === 2 ? 'primary' : 'danger'}
      >
        <input type="hidden" name="op_status" value={opStatus} />
        {ids.length > 1 && <p>取消勾选的不处理。</p>}
        <ul className={styles.chosen}>
          {chosen.slice(0, listedMost).map((row) => (
            <li key={row.id}>
              {ids.length === 1 ? (
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
          {chosen.length > listedMost && <li>等 {chosen.length} 人</li>}
        </ul>
        {chosen.slice(listedMost).map(({ id }) => (
          <input key={id} type="hidden" name="ids" value={id} />
        ))}
      </DialogForm>
    </Dialog>
  );
}

const Request = ({ row }: { row: LeaveInboxRow }) => (
  <>
    {row.name}
    {row.mobile && `（${row.mobile}）`}，{row.class_name}：{row.course_basis_title}，{row.course_periods_title}，
    <Moment at={row.start_play} />
    {row.leave_cause && `（${row.leave_cause}）`}
  </>
);
