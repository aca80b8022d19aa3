/** Dialog that makes questions public, or private again. First shows what that does to others. */
import { bankPoints, shareQuestions, sharingEffect } from '#server/questions/bank.contract.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { questionSharing } from '../screens.ts';
import { pointChoices } from '../terms.ts';
import type { Route } from './+types/share';

export const meta: Route.MetaFunction = () => titleMeta('公共题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, shareQuestions);
  const { chosen, shared } = questionSharing.at(url);
  const client = context.get(api);
  const [{ effect, questions }, points] = await Promise.all([
    client.send(sharingEffect, { query: { ids: chosen.join(','), is_public: shared } }),
    client.send(bankPoints),
  ]);
  return { effect, questions, shared, points: pointChoices(points), ...questionSharing.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { chosen, shared } = questionSharing.at(url);
  return handleEdit(sent, questionSharing.behind(url), (client, idempotencyKey, form) =>
    client.ask(shareQuestions, {
      body: { ...readForm(shareQuestions, form), ids: chosen.join(','), is_public: shared },
      idempotencyKey,
    }),
  );
};

const { DialogForm, SelectField } = formOf<typeof shareQuestions>();

/** Maximum number of stems that the dialog lists; of further questions it only shows the number. */
const maxNamed = 10;

export default function ShareQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { effect, questions, shared, points, closeHref, idempotencyKey } = loaderData;
  const verb = shared === 1 ? '设为公共题目' : '撤回公共题目';
  if (questions.length === 0) {
    return (
      <Dialog title={verb} closeHref={closeHref}>
        <p>请先勾选题目。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={verb} closeHref={closeHref} width={520}>
      <ul>
        {questions.slice(0, maxNamed).map((question) => (
          <li key={question.id} data-written>
            {question.stem_text || '（图片或公式）'}
          </li>
        ))}
        {questions.length > maxNamed && <li>等 {questions.length} 道</li>}
      </ul>
      {effect && (
        <p>
          <strong>{effect}。</strong>
        </p>
      )}
      <p>
        {shared === 1
          ? `确定将这 ${questions.length} 道题目设为公共题目吗？所有讲师和助教都能查看和使用。`
          : `确定撤回这 ${questions.length} 道题目吗？已布置的作业不受影响。`}
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: effect }}
        submit={`确定${shared === 1 ? '设为公共' : '撤回'}`}
        tone={shared === 1 ? 'primary' : 'danger'}
        noValidate
      >
        <HiddenField name="acknowledged" />
        {shared === 1 && <SelectField name="point_id" label="知识点" placeholder="保持不变" choices={points} />}
      </DialogForm>
    </Dialog>
  );
}
