/** Takes a ware off a class, once it is confirmed. */
import { data } from 'react-router';
import { removeClassWare, showClassWare } from '#server/courseware/contract.ts';
import { api } from '../../api.server.ts';
import { RemoveDialog } from '../../courseware/remove-dialog.tsx';
import { done, idempotencyField, refused } from '../../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { classAddress, classOf } from '../tabs/tab.ts';
import type { Route } from './+types/remove';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '移除课件 · 教学后台' }];

const behind = (url: URL) =>
  classAddress(classOf(url), 'courseware', { page: url.searchParams.get('page') ?? undefined });

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showClassWare, { params: { id: params.ware } });
  if (ware.class_id !== classOf(url)) throw data({ msg: '课件不存在' }, { status: 404 });
  return { name: ware.ware_name, closeHref: behind(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(removeClassWare, { params: { id: params.ware }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, behind(url)) : refused(outcome, form);
}

export default function RemoveClassWare({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RemoveDialog
      {...loaderData}
      question="确定从该班级移除该课件吗？"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
