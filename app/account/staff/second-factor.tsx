import { outrankedFault } from '#server/account/rules.ts';
import { resetSecondFactor } from '#server/account/second-factor.contract.ts';
import { showStaff } from '#server/account/staff.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffSecondFactor } from '../screens.ts';

const dialog = confirmDialog({
  call: resetSecondFactor,
  at: staffSecondFactor,
  params: staffDetail.at,
  verb: '解除',
  kind: '两步验证',
  question: '该人员所有设备上的登录会结束，之后只用密码即可登录。请先确认是本人要求，确定解除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const member = await client.send(showStaff, { params });
  return {
    name: member.real_name,
    refusal: forbiddenIfFault(outrankedFault(member, signedInPerson(context).permissions)),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
