/** AdminIdentityLinks/approve: who of the staff somebody is. */
import { approveLink, showLink } from '#server/identity/contract.ts';
import { decideFault } from '#server/identity/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/approve';
import { linkApprove } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('关联人员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, approveLink);
  const link = await context.get(api).send(showLink, { params: { id: linkApprove.at(url).link } });
  mustBeAllowed(context, decideFault(link));
  return { link, ...linkApprove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, linkApprove.behind(url), (client, idempotencyKey, form) =>
    client.ask(approveLink, {
      params: { id: linkApprove.at(url).link },
      body: { username: textOf(form, 'username') },
      idempotencyKey,
    }),
  );

const { DialogForm, TextField } = formOf<typeof approveLink>();

export default function ApproveLink({ loaderData, actionData }: Route.ComponentProps) {
  const { link, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="关联人员" closeHref={closeHref}>
      <p>
        {link.provider_name}账号：<strong>{link.number}</strong>
        {link.name && `（${link.name}）`}
      </p>
      <p>请当面或电话核实是本人。关联后，该账号以所填人员的身份登录。</p>
      <DialogForm closeHref={closeHref} idempotencyKey={idempotencyKey} refused={actionData} submit="确定关联">
        <TextField
          name="username"
          label="人员的用户名"
          description="在“人员”中登记的用户名"
          withAsterisk
          autoComplete="off"
          autoCapitalize="none"
        />
      </DialogForm>
    </Dialog>
  );
}
