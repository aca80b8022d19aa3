import { faultIfDisabled, outrankedFault } from '#server/account/rules.ts';
import { disableStaffMember, showStaff } from '#server/account/staff.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffDisable } from '../screens.ts';

const dialog = confirmDialog({
  call: disableStaffMember,
  at: staffDisable,
  params: staffDetail.at,
  verb: '停用',
  kind: '人员',
  question: '停用后立即退出登录，不能再登录；记录都会保留，可以随时恢复。确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const member = await client.send(showStaff, { params });
  return {
    name: member.real_name,
    effect: member.duties,
    refusal: forbiddenIfFault(outrankedFault(member, signedInPerson(context).permissions)) ?? faultIfDisabled(member),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
