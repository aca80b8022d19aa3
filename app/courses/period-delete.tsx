import { deletePeriod, showPeriod } from '#server/courses/periods.contract.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/period-delete';
import { periodDelete } from './screens.ts';
import { spanOf } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('删除课时');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deletePeriod);
  const period = await context.get(api).send(showPeriod, { params: { id: periodDelete.at(url).period } });
  mustBeAllowed(context, period.delete_fault);
  const { timezone } = signedInPerson(context).settings;
  return { period, timezone, ...periodDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, periodDelete.behind(url), (client, idempotencyKey, form) =>
    client.ask(deletePeriod, {
      params: { id: periodDelete.at(url).period },
      query: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof deletePeriod>();

export default function DeletePeriod({ loaderData, actionData }: Route.ComponentProps) {
  const { period, timezone, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="删除课时" closeHref={closeHref}>
      <p>
        课时：<strong data-written>{period.title}</strong>
        <br />
        {spanOf(period, timezone)}
      </p>
      {period.effect && (
        <p>
          <strong>{period.effect}。</strong>
        </p>
      )}
      <p>删除后不能恢复。确定删除吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: period.effect }}
        submit="确定删除"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
