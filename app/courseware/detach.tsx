/** Takes a courseware off a lesson: `/courseware/lesson/:id/remove?times_id=&times_type=&return=`. */
import { data } from 'react-router';
import { safeRedirect } from 'remix-utils/safe-redirect';
import { detachWare, listLessonWares } from '#server/courseware/contract.ts';
import { api } from '../api.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import type { Route } from './+types/detach';
import { lessonAddress } from './lesson-wares.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '移除课件 · 教学后台' }];

function backFrom(url: URL): string {
  const [times_id = '', times_type] = [
    url.searchParams.get('times_id') ?? '',
    url.searchParams.get('times_type') ?? '',
  ];
  return safeRedirect(url.searchParams.get('return'), lessonAddress('list', { times_id, times_type }));
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const times_id = url.searchParams.get('times_id') ?? undefined;
  const wares = await context.get(api).send(listLessonWares, { query: { times_id } });
  const ware = wares.find(({ id }) => id === Number(params.id));
  if (!ware) throw data({ msg: '课件不存在' }, { status: 404 });
  if (ware.is_owner === 0) throw data({ msg: '只能移除自己添加的课件' }, { status: 403 });
  return { name: ware.ware_name, closeHref: backFrom(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(detachWare, { params: { id: params.id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, backFrom(url)) : refused(outcome, form);
}

export default function DetachCourseware({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RemoveDialog
      {...loaderData}
      question="确定从该课次移除该课件吗？"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
