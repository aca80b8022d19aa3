import { showLink, unlink } from '#server/identity/contract.ts';
import { unlinkFault } from '#server/identity/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { linkRemove } from './screens.ts';
import { accountName } from './terms.ts';

const dialog = confirmDialog({
  call: unlink,
  at: linkRemove,
  params: (url) => ({ id: linkRemove.at(url).link }),
  verb: '解除',
  kind: '登录关联',
  question: '解除后，用该账号的登录立即结束；再次登录时要等教务确认。确定解除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const link = await client.send(showLink, { params });
  return { name: accountName(link), refusal: unlinkFault(link) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
