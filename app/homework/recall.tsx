import { homeworkButtons, recallHomework } from '#server/homework/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/recall';
import { recall } from './screens.ts';

const dialog = confirmDialog({
  verb: '撤回',
  kind: '作业',
  question: '撤回后学员将看不到该作业，作业记录也将消失，且不可恢复，确定撤回吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const homework = await context.get(api).send(homeworkButtons, { params: { id: recall.at(url).id } });
  mustBeAllowed(context, homework.refusals.recall);
  return { name: homework.name, ...recall.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, recall.behind(url), (client, idempotencyKey) =>
    client.ask(recallHomework, { params: { id: recall.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
