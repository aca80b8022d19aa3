import { rejectLink, showLink } from '#server/identity/contract.ts';
import { rejectFault } from '#server/identity/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { linkReject } from './screens.ts';
import { accountName } from './terms.ts';

const dialog = confirmDialog({
  call: rejectLink,
  at: linkReject,
  params: (url) => ({ id: linkReject.at(url).link }),
  verb: '拒绝',
  kind: '登录申请',
  question: '拒绝后，该账号不能登录；以后仍可在这里关联。确定拒绝吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const link = await client.send(showLink, { params });
  return { name: accountName(link), refusal: rejectFault(link) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
