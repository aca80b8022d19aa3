import { homeworkButtons, recallHomework } from '#server/homework/contract.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { done, pressed, refused, typedForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/recall';
import { publish, recall } from './screens.ts';
import { reachOf } from './terms.ts';

const dialog = confirmDialog({
  verb: '撤回',
  kind: '作业',
  question: '撤回后学员将看不到该作业，作业记录也将消失，且不可恢复，确定撤回吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const homework = await context.get(api).send(homeworkButtons, { params: { id: recall.at(url).id } });
  mustBeAllowed(context, homework.refusals.recall);
  return { name: homework.name, details: reachOf(homework), ...recall.opened(url) };
}

/** What it said is not lost: it can be published anew. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await typedForm(request, context);
  pressed(form, '');
  const { id } = recall.at(url);
  const asked = { params: { id }, idempotencyKey: idempotencyField(form) };
  const outcome = await context.get(api).ask(recallHomework, asked);
  if (!outcome.ok) return refused(outcome, form);
  const again = { href: publish.href({ type: 'copy', id }), label: '以原内容重新布置' };
  return done(context, outcome.msg, recall.behind(url), again);
}

export default dialog.Confirm;
