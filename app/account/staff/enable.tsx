import { faultIfEnabled, outrankedFault } from '#server/account/rules.ts';
import { enableStaffMember, showStaff } from '#server/account/staff.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffEnable } from '../screens.ts';

const dialog = confirmDialog({
  call: enableStaffMember,
  at: staffEnable,
  params: staffDetail.at,
  verb: '恢复',
  kind: '人员',
  question: '恢复后可以用原来的密码登录，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const member = await client.send(showStaff, { params });
  return {
    name: member.real_name,
    refusal: forbiddenIfFault(outrankedFault(member, signedInPerson(context).permissions)) ?? faultIfEnabled(member),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
