import { disabledFault, outrankedFault } from '#server/account/rules.ts';
import { disableStaffMember, showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { staffDetail, staffDisable } from '../screens.ts';
import type { Route } from './+types/disable';

export const meta: Route.MetaFunction = () => titled('停用人员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, disableStaffMember);
  const member = await context.get(api).send(showStaff, { params: { id: staffDetail.at(url).id } });
  mustBeAllowed(context, forbiddenBy(outrankedFault(member, signedInPerson(context).permissions)));
  mustBeAllowed(context, disabledFault(member));
  return { member, ...staffDisable.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, staffDisable.behind(url), (client, idempotencyKey, form) =>
    client.ask(disableStaffMember, {
      params: { id: staffDetail.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof disableStaffMember>();

export default function DisableStaff({ loaderData, actionData }: Route.ComponentProps) {
  const { member, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="停用人员" closeHref={closeHref}>
      <p>
        人员：<strong>{member.real_name}</strong>
      </p>
      {member.duties && (
        <p>
          <strong>{member.duties}。</strong>
        </p>
      )}
      <p>停用后立即退出登录，不能再登录；记录都会保留，可以随时恢复。确定停用吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: member.duties }}
        submit="确定停用"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
