import { enabledFault, outrankedFault } from '#server/account/rules.ts';
import { enableStaffMember, showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffEnable } from '../screens.ts';
import type { Route } from './+types/enable';

const dialog = confirmDialog({ verb: '恢复', kind: '人员', question: '恢复后可以用原来的密码登录，确定恢复吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, enableStaffMember);
  const member = await context.get(api).send(showStaff, { params: { id: staffDetail.at(url).id } });
  mustBeAllowed(context, forbiddenBy(outrankedFault(member, signedInPerson(context).permissions)));
  mustBeAllowed(context, enabledFault(member));
  return { name: member.real_name, ...staffEnable.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, staffEnable.behind(url), (client, idempotencyKey) =>
    client.ask(enableStaffMember, { params: { id: staffDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
