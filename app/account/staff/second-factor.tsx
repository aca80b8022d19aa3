import { outrankedFault } from '#server/account/rules.ts';
import { resetSecondFactor } from '#server/account/second-factor.contract.ts';
import { showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffSecondFactor } from '../screens.ts';
import type { Route } from './+types/second-factor';

const dialog = confirmDialog({
  verb: '解除',
  kind: '两步验证',
  question: '该人员所有设备上的登录会结束，之后只用密码即可登录。请先确认是本人要求，确定解除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, resetSecondFactor);
  const member = await context.get(api).send(showStaff, { params: { id: staffDetail.at(url).id } });
  mustBeAllowed(context, forbiddenBy(outrankedFault(member, signedInPerson(context).permissions)));
  return { name: member.real_name, ...staffSecondFactor.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, staffSecondFactor.behind(url), (client, idempotencyKey) =>
    client.ask(resetSecondFactor, { params: { id: staffDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
