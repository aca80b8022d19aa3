/** The dialog that recalls a homework, over the list. */
import { homeworkButtons, recallHomework } from '#server/homework/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/recall';
import { recall } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('撤回作业');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const homework = await context.get(api).send(homeworkButtons, { params: { id: params.id } });
  mustBeAllowed(context, homework.refusals.recall);
  return { homework, closeHref: recall.behind(url), key: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(recallHomework, { params: { id: params.id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, recall.behind(url)) : refused(outcome, form);
}

export default function Recall({ loaderData: { homework, closeHref, key }, actionData }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      title="撤回作业"
      kind="作业"
      name={homework.name}
      question="撤回后学员将看不到该作业，作业记录也将消失，且不可恢复，确定撤回吗？"
      confirm="确定撤回"
      closeHref={closeHref}
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? key}
    />
  );
}
