import { outrankedFault } from '#server/account/rules.ts';
import { endStaffSignIns, showStaff } from '#server/account/staff.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffSignOut } from '../screens.ts';

const dialog = confirmDialog({
  call: endStaffSignIns,
  at: staffSignOut,
  params: staffDetail.at,
  verb: '结束登录',
  kind: '人员',
  question: '该人员在所有设备上的登录会立即结束，确定吗？',
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
