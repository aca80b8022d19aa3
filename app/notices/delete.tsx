/** Asks before an announcement is deleted, over the class that it is of. */
import { data } from 'react-router';
import { deleteNotice, showNotice } from '#server/notices/contract.ts';
import { api } from '../api.server.ts';
import { classScreen } from '../classes/tabs/tab.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/delete';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '删除公告 · 教学后台' }];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const notice = await context.get(api).send(showNotice, { params: { id: params.notice } });
  if (notice.is_can_delete === 0) throw data({ msg: '您不能删除该公告' }, { status: 403 });
  return { name: notice.title, closeHref: classScreen(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(deleteNotice, { params: { id: params.notice }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, classScreen(url)) : refused(outcome, form);
}

export default function DeleteNotice({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      {...loaderData}
      title="删除公告"
      kind="公告"
      question="确定删除吗？"
      confirm="确定删除"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
