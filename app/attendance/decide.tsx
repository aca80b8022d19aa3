/** The question before leave requests are decided, over the leave tab of a class (document 3, section 2, tab 7). */
import { useRouteLoaderData } from 'react-router';
import { decideLeave, LeaveFilter, type LeaveRow } from '#server/attendance/contract.ts';
import { api } from '../api.server.ts';
import type { loader as classLoader } from '../classes/detail.tsx';
import type { loadLeaveTab } from '../classes/tabs/leave.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { readSearch } from '../lib/search.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/decide';
import { confirmations } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '审批请假 · 教学后台' }];

export function loader({ url }: Route.LoaderArgs) {
  const ids = url.searchParams.getAll('ids').flatMap((text) => (/^\d{1,10}$/.test(text) ? [Number(text)] : []));
  return {
    ids: [...new Set(ids)],
    opStatus: url.searchParams.get('op_status') === '3' ? (3 as const) : (2 as const),
    closeHref: closeHrefOf(url),
    key: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(decideLeave, {
    params: { ids: form.getAll('ids').join(',') },
    body: { op_status: Number(form.get('op_status')) },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, closeHrefOf(url)) : refused(outcome, form);
}

const closeHrefOf = (url: URL) =>
  classAddress(Number(url.searchParams.get('id')), 'leave', readSearch(LeaveFilter, url.searchParams));

export default function DecideLeave({ loaderData, actionData }: Route.ComponentProps) {
  const { ids, opStatus, closeHref, key } = loaderData;
  const chosen = useChosen(ids);
  const verb = opStatus === 2 ? '同意' : '拒绝';
  if (ids.length === 0) {
    return (
      <Dialog title={`批量${verb}`} closeHref={closeHref}>
        <p>请先勾选待审批的请假申请。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={`${verb}请假`} closeHref={closeHref} message={actionData?.msg}>
      <p>
        {ids.length === 1
          ? confirmations[opStatus === 2 ? 'approve' : 'reject']
          : `确定${verb}这 ${ids.length} 条请假申请吗？`}
      </p>
      {chosen.length > 0 && (
        <ul>
          {chosen.slice(0, 10).map((row) => (
            <li key={row.id}>
              {row.name}
              {row.mobile && `（${row.mobile}）`}：{row.course_periods_title}
              {row.leave_cause && `（${row.leave_cause}）`}
            </li>
          ))}
          {chosen.length > 10 && <li>等 {chosen.length} 人</li>}
        </ul>
      )}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={actionData?.key ?? key}
        submit={`确定${verb}`}
        tone={opStatus === 2 ? 'primary' : 'danger'}
      >
        <input type="hidden" name="op_status" value={opStatus} />
        {ids.map((id) => (
          <input key={id} type="hidden" name="ids" value={id} />
        ))}
      </DialogForm>
    </Dialog>
  );
}

/** The chosen requests as the list behind the dialog shows them. */
function useChosen(ids: number[]): LeaveRow[] {
  const behind = useRouteLoaderData<typeof classLoader>('ClassDetail');
  if (behind?.tab !== 'leave') return [];
  // The screen pairs each tab with what its own loader gave.
  const { leave } = behind.shown as Awaited<ReturnType<typeof loadLeaveTab>>;
  return leave.list.filter(({ id }) => ids.includes(id));
}
