/** Dialog that moves questions to another knowledge point. */
import { bankPoints, moveQuestions, sharingEffect } from '#server/questions/bank.contract.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { handleForm } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { questionMoving } from '../screens.ts';
import { pointChoices } from '../terms.ts';
import type { Route } from './+types/move';

export const meta: Route.MetaFunction = () => titleMeta('移动题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, moveQuestions);
  const { chosen } = questionMoving.at(url);
  const client = context.get(api);
  const [{ questions }, points] = await Promise.all([
    client.send(sharingEffect, { query: { ids: chosen.join(',') } }),
    client.send(bankPoints),
  ]);
  return { count: questions.length, points: pointChoices(points), ...questionMoving.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, questionMoving.behind(url), (client, idempotencyKey, form) =>
    client.ask(moveQuestions, {
      body: { ...readForm(moveQuestions, form), ids: questionMoving.at(url).chosen.join(',') },
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField } = formOf<typeof moveQuestions>();

export default function MoveQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { count, points, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="移动到知识点" closeHref={closeHref}>
      {count === 0 ? (
        <>
          <p>请先勾选题目。</p>
          <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
        </>
      ) : (
        <>
          <p>将这 {count} 道题目移动到：</p>
          <DialogForm
            closeHref={closeHref}
            idempotencyKey={idempotencyKey}
            refused={actionData}
            submit="确定移动"
            noValidate
          >
            <SelectField name="point_id" label="知识点" placeholder="不属于任何知识点" choices={points} />
          </DialogForm>
        </>
      )}
    </Dialog>
  );
}
