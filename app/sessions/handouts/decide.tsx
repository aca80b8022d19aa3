/** Dialog that confirms the approval or rejection of handouts. A rejection needs a reason. */
import { data } from 'react-router';
import { decideHandouts, listHandouts } from '#server/sessions/handouts.contract.ts';
import { handoutReasonLimit, missingHandout } from '#server/sessions/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { handleForm } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { handoutDecision } from '../screens.ts';
import { handoutStatusNames } from '../terms.ts';
import type { Route } from './+types/decide';

export const meta: Route.MetaFunction = () => titleMeta('审核讲义');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, decideHandouts);
  const { ids, status = 1 } = handoutDecision.at(url);
  const query = { ids: ids.join(','), state: 'all' as const, limit: ids.length };
  const chosen = ids.length > 0 ? (await context.get(api).send(listHandouts, { query })).list : [];
  if (chosen.length < ids.length) throw data({ msg: missingHandout }, { status: 404 });
  return { chosen, status, ...handoutDecision.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { ids, status = 1 } = handoutDecision.at(url);
  return handleForm(sent, handoutDecision.behind(url), (client, idempotencyKey, form) =>
    client.ask(decideHandouts, {
      body: { ids: ids.join(','), status, reason: textOf(form, 'reason'), seen: textOf(form, 'seen') },
      idempotencyKey,
    }),
  );
};

const { AreaField, DialogForm } = formOf<typeof decideHandouts>();

/** Maximum number of handouts that the dialog lists by name. */
const maxNamed = 10;

export default function DecideHandouts({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, status, closeHref, idempotencyKey } = loaderData;
  const verb = status === 1 ? '通过' : '驳回';
  const waiting = chosen.filter((handout) => handout.status === 3);
  const decided = chosen.filter((handout) => handout.status !== 3);
  if (waiting.length === 0 || decided.length > 0) {
    return (
      <Dialog title={`${verb}讲义`} closeHref={closeHref} message={actionData?.msg}>
        {chosen.length === 0 && <p>请先勾选待审核的讲义。</p>}
        {decided.length > 0 && (
          <>
            <p>这 {decided.length} 份讲义已由他人处理，请重新选择：</p>
            <ul>
              {decided.slice(0, maxNamed).map((handout) => (
                <li key={handout.id}>
                  {handout.file_name}：{handoutStatusNames[handout.status]}
                  {handout.decided_by && `（${handout.decided_by}）`}
                </li>
              ))}
            </ul>
          </>
        )}
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={`${verb}讲义`} closeHref={closeHref}>
      <p>
        确定{verb}这 {waiting.length} 份讲义吗？
        {status === 1 ? '通过后讲师不能再替换。' : '讲师会看到驳回原因，并可以重新上传。'}
      </p>
      <ul>
        {waiting.slice(0, maxNamed).map((handout) => (
          <li key={handout.id}>
            {handout.class_name}：{handout.file_name}（{handout.lecturer}）
          </li>
        ))}
        {waiting.length > maxNamed && <li>等 {waiting.length} 份</li>}
      </ul>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ seen: waiting.map(({ seen }) => seen).join(' '), reason: '' }}
        submit={`确定${verb}`}
        tone={status === 1 ? 'primary' : 'danger'}
        noValidate
      >
        <HiddenField name="seen" />
        {status === 4 && (
          <AreaField
            name="reason"
            label="驳回原因"
            withAsterisk
            limit={handoutReasonLimit}
            rows={4}
            maxLength={handoutReasonLimit}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
