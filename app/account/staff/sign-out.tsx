import { outrankedFault } from '#server/account/rules.ts';
import { endStaffSignIns, showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffSignOut } from '../screens.ts';
import type { Route } from './+types/sign-out';

const dialog = confirmDialog({
  verb: '结束登录',
  kind: '人员',
  question: '该人员在所有设备上的登录会立即结束，确定吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, endStaffSignIns);
  const member = await context.get(api).send(showStaff, { params: { id: staffDetail.at(url).id } });
  mustBeAllowed(context, forbiddenBy(outrankedFault(member, signedInPerson(context).permissions)));

  return { name: member.real_name, ...staffSignOut.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, staffSignOut.behind(url), (client, idempotencyKey) =>
    client.ask(endStaffSignIns, { params: { id: staffDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
